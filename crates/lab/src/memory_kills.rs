//! Whether the kernel killed processes because there was no memory left.

use crate::experiment::Verdict;
use howcome_dd::Outcome;
use howcome_run::Because;
use std::fs;
use std::path::{Path, PathBuf};

/// How often the kernel has killed a process of our control group because there was no memory left, if it says so.
pub(crate) struct MemoryKills(Option<u64>);

impl MemoryKills {
    pub(crate) fn now() -> Self {
        let group = fs::read_to_string("/proc/self/cgroup").ok();
        let folder = group.as_deref().and_then(|text| folder_of(Path::new("/sys/fs/cgroup"), text));
        let events = folder.and_then(|folder| fs::read_to_string(folder.join("memory.events")).ok());
        Self(events.as_deref().and_then(kills_in))
    }

    /// Gives the reason of a test that was killed and cannot be judged, if there are more kills now than there were.
    pub(crate) fn explain(&self, now: &Self, verdict: &mut Verdict) {
        let is_more = matches!((self.0, now.0), (Some(before), Some(now)) if before < now);
        if is_more && verdict.outcome == Outcome::Unresolved {
            verdict.because = Because::NoMemory;
        }
    }
}

/// The folder of a control group of version 2, from the content of `/proc/self/cgroup`.
fn folder_of(root: &Path, text: &str) -> Option<PathBuf> {
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(root.join(path))
}

fn kills_in(events: &str) -> Option<u64> {
    events.lines().find_map(|line| line.strip_prefix("oom_kill "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_of_the_control_group_is_read() {
        assert_eq!(kills_in("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n"), Some(2));
        assert_eq!(kills_in("low 0\n"), None);
        let group = folder_of(Path::new("/sys/fs/cgroup"), "1:name=systemd:/x\n0::/user.slice/a.scope\n");
        assert_eq!(group, Some(PathBuf::from("/sys/fs/cgroup/user.slice/a.scope")));
        assert_eq!(folder_of(Path::new("/sys/fs/cgroup"), "1:memory:/x\n"), None);
    }

    #[test]
    fn a_killed_test_that_cannot_be_judged_gets_a_reason_if_the_counter_increased() {
        let explained = |before, now, outcome| {
            let mut verdict = Verdict { outcome, because: Because::Signal(9), also: Vec::new() };
            MemoryKills(before).explain(&MemoryKills(now), &mut verdict);
            assert!(verdict.also.is_empty());
            verdict.because
        };
        assert_eq!(explained(Some(1), Some(2), Outcome::Unresolved), Because::NoMemory);
        assert_eq!(explained(Some(2), Some(2), Outcome::Unresolved), Because::Signal(9));
        assert_eq!(explained(None, Some(2), Outcome::Unresolved), Because::Signal(9));
        assert_eq!(explained(Some(1), None, Outcome::Unresolved), Because::Signal(9));
        assert_eq!(explained(Some(1), Some(2), Outcome::Fail), Because::Signal(9));
    }
}
