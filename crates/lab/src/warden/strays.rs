//! Ends processes of tests that have killed their own warden: this process adopts them.

use super::reap::{self, Process};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid, getsid};
use std::collections::BTreeSet;
use std::fs;

/// Ends the adopted processes whose warden died. `wardens` are the living ones.
pub(super) fn end(wardens: &BTreeSet<Pid>) {
    let Ok(session) = getsid(None) else { return };
    loop {
        let mut strays = strays(&reap::processes(), getpid(), session, wardens);
        // `howcome state` traces programs in sessions of their own.
        strays.retain(|stray| !is_traced_by(*stray, getpid()));
        if strays.is_empty() {
            return;
        }
        for stray in &strays {
            let _ = kill(*stray, Signal::SIGKILL);
        }
        // Their children are adopted in turn, so there can be another round.
        for stray in strays {
            reap::wait_for(stray);
        }
    }
}

fn is_traced_by(process: Pid, tracer: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let found = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    found.is_some_and(|found| found.trim() == tracer.to_string())
}

// Tests are never in our session, because their warden has left it. Other processes that this program starts usually
// are.
fn strays(processes: &[Process], us: Pid, session: Pid, wardens: &BTreeSet<Pid>) -> Vec<Pid> {
    let is_stray = |process: &&Process| {
        process.parent == us && process.session != session && !wardens.contains(&process.pid)
    };
    processes.iter().filter(is_stray).map(|process| process.pid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_our_own_children_nor_other_wardens_are_strays() {
        let process = |pid, parent, session| Process {
            pid: Pid::from_raw(pid),
            parent: Pid::from_raw(parent),
            session: Pid::from_raw(session),
        };
        let list =
            [process(7, 5, 1), process(8, 5, 8), process(9, 5, 2), process(10, 8, 8), process(11, 1, 11)];
        let wardens = BTreeSet::from([Pid::from_raw(8)]);
        let found = strays(&list, Pid::from_raw(5), Pid::from_raw(1), &wardens);
        assert_eq!(found, [Pid::from_raw(9)]);
    }
}
