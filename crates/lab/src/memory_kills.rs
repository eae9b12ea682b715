//! Whether the kernel killed processes because there was no memory left.

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

    /// What to tell people if there were more since then.
    pub(crate) fn since(&self) -> Option<String> {
        let is_more = self.0? < Self::now().0?;
        is_more.then(|| "the kernel killed a process because there was no memory left".to_owned())
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
    fn without_kills_there_is_nothing_to_tell() {
        assert_eq!(MemoryKills(Some(u64::MAX)).since(), None);
        assert_eq!(MemoryKills(None).since(), None);
    }
}
