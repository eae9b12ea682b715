//! Ends processes and reaps them.

use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::Duration;

/// The result of waiting for a child.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reaped {
    /// This child has ended.
    Child(EndedChild),
    /// There are children, but none of them has ended.
    StillRunning,
    /// There are no children. Because orphans become children, there are no descendants either.
    Nobody,
}

/// A child that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndedChild {
    pub(crate) pid: Pid,
    /// The status of `waitpid`.
    pub(crate) status: i32,
    pub(crate) used: ResourceUse,
}

/// What processes have used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourceUse {
    /// The processor time of all of them, and of those that they waited for.
    pub(crate) cpu: Duration,
    /// The peak memory of the largest one, in bytes.
    pub(crate) memory: u64,
}

impl ResourceUse {
    pub(super) fn add(&mut self, other: Self) {
        self.cpu += other.cpu;
        self.memory = self.memory.max(other.memory);
    }

    fn of(usage: &libc::rusage) -> Self {
        let time = |time: libc::timeval| {
            Duration::from_secs(time.tv_sec.unsigned_abs())
                + Duration::from_micros(time.tv_usec.unsigned_abs())
        };
        // Linux reports kibibytes.
        Self {
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            memory: usage.ru_maxrss.unsigned_abs() * 1024,
        }
    }
}

/// Reaps a child that has ended, if there is one.
pub(crate) fn poll() -> Reaped {
    waitpid(-1, libc::WNOHANG)
}

/// Waits until a child has ended and reaps it.
pub(crate) fn wait() -> Reaped {
    waitpid(-1, 0)
}

/// Waits until a child has ended, or until a traced process or thread has ended or stopped.
pub(super) fn wait_for_traced() -> Reaped {
    waitpid(-1, libc::__WALL)
}

/// Waits for one child.
pub(crate) fn wait_for(pid: Pid) -> Reaped {
    waitpid(pid.as_raw(), 0)
}

// `nix` cannot represent the status of a process that a real-time signal ended, so this calls `wait4` itself.
#[allow(unsafe_code)]
fn waitpid(pid: libc::pid_t, options: libc::c_int) -> Reaped {
    let mut status = 0;
    // SAFETY: the struct consists of numbers, for which zero is a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: `status` and `usage` outlive the call, which writes nothing else.
        let reaped = unsafe { libc::wait4(pid, &raw mut status, options, &raw mut usage) };
        return match reaped {
            0 => Reaped::StillRunning,
            -1 if nix::errno::Errno::last() == nix::errno::Errno::EINTR => continue,
            -1 => Reaped::Nobody,
            pid => {
                Reaped::Child(EndedChild { pid: Pid::from_raw(pid), status, used: ResourceUse::of(&usage) })
            }
        };
    }
}

/// Kills all processes in the PID namespace, except this one, which is the first process there.
pub(super) fn kill_namespace() {
    let everybody = Pid::from_raw(-1);
    let _ = kill(everybody, Signal::SIGKILL);
}

/// Waits for all children and reaps them. Returns what they have used.
pub(super) fn wait_for_all() -> ResourceUse {
    let mut used = ResourceUse::default();
    while let Reaped::Child(ended) = wait() {
        used.add(ended.used);
    }
    used
}

/// Kills and reaps all descendants, including those that are created in the meantime. Returns what they have used.
pub(super) fn kill_descendants() -> ResourceUse {
    let mut used = ResourceUse::default();
    loop {
        match poll() {
            Reaped::Nobody => return used,
            Reaped::Child(ended) => used.add(ended.used),
            Reaped::StillRunning => {}
        }
        // While there is a child, it is listed and killed here, so the wait ends.
        kill_descendants_once();
        if let Reaped::Child(ended) = wait() {
            used.add(ended.used);
        }
    }
}

/// Kills the current descendants.
pub(super) fn kill_descendants_once() {
    for pid in descendants(&processes(), getpid()) {
        let _ = kill(pid, Signal::SIGKILL);
    }
}

/// A process in `/proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: Pid,
    pub(crate) parent: Pid,
    pub(crate) session: Pid,
}

/// All processes.
pub(crate) fn processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit))
        .filter_map(|entry| fs::read(entry.path().join("stat")).ok())
        .filter_map(|stat| parse_stat(&String::from_utf8_lossy(&stat)))
        .collect()
}

// `pid (name) state ppid pgrp session …`. The name can contain any characters, even parentheses and blanks.
fn parse_stat(stat: &str) -> Option<Process> {
    let pid = stat.split(' ').next()?.parse().ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    Some(Process { pid: Pid::from_raw(pid), parent: Pid::from_raw(parent), session: Pid::from_raw(session) })
}

/// All descendants of a process, each after its parent.
pub(crate) fn descendants(processes: &[Process], of: Pid) -> Vec<Pid> {
    let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for process in processes {
        children.entry(process.parent).or_default().push(process.pid);
    }
    let (mut found, mut known) = (vec![of], HashSet::from([of]));
    let mut next = 0;
    while let Some(parent) = found.get(next) {
        let below = children.remove(parent).unwrap_or_default();
        // Process ids can be reused while the list is read, so guard against a loop.
        found.extend(below.into_iter().filter(|child| known.insert(*child)));
        next += 1;
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32) -> Process {
        Process { pid: Pid::from_raw(pid), parent: Pid::from_raw(parent), session: Pid::from_raw(1) }
    }

    #[test]
    fn a_process_can_have_any_name() {
        let execution = parse_stat("12 (a) b (c)) S 3 4 5 0 -1");
        let session = Pid::from_raw(5);
        assert_eq!(execution, Some(Process { session, ..process(12, 3) }));
        assert_eq!(parse_stat("nonsense"), None);
    }

    #[test]
    fn descendants_are_found_in_any_order_of_the_list() {
        let list = [process(5, 4), process(9, 1), process(4, 2), process(3, 2), process(2, 1)];
        let found = descendants(&list, Pid::from_raw(2));
        assert_eq!(found, [4, 3, 5].map(Pid::from_raw));
    }
}
