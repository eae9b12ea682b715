//! Kills processes that take too long, or that are no longer needed.

use super::TraceError;
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use std::collections::HashMap;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A process that waits instead of working can take this many times longer.
const PATIENCE: u32 = 10;
/// The longest limit: a later time could not be represented.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// Watches any number of processes.
#[derive(Clone, Debug)]
pub struct Watchdog(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    watched: Mutex<Watched>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Watched {
    processes: HashMap<u64, WatchedProcess>,
    next: u64,
    /// Whether it is no longer needed.
    done: bool,
}

#[derive(Debug)]
struct WatchedProcess {
    pid: Pid,
    handle: OwnedFd,
    /// When to check it next.
    look: Instant,
    begun: Instant,
    limit: Duration,
    timed_out: bool,
    /// How long it had worked when it was last seen waiting.
    waited_at: Option<Duration>,
}

/// Watches a process until this value is dropped.
#[derive(Debug)]
pub struct WatchGuard {
    number: u64,
    shared: Arc<Shared>,
}

impl Watchdog {
    /// A watchdog with a thread of its own, which ends with the last copy of this value.
    #[must_use]
    pub fn new() -> Self {
        let shared = Arc::new(Shared::default());
        let watching = Arc::clone(&shared);
        thread::spawn(move || watching.watch());
        Self(shared)
    }

    /// Kills a process that works longer than the limit.
    pub fn watch(&self, pid: Pid, limit: Duration) -> Result<WatchGuard, TraceError> {
        let handle = open(pid)?;
        let limit = limit.min(LONGEST);
        let mut watched = self.0.lock();
        let number = watched.next;
        watched.next += 1;
        let begun = Instant::now();
        let process = WatchedProcess {
            pid,
            handle,
            look: begun + limit,
            begun,
            limit,
            timed_out: false,
            waited_at: None,
        };
        watched.processes.insert(number, process);
        drop(watched);
        self.0.changed.notify_one();
        Ok(WatchGuard { number, shared: Arc::clone(&self.0) })
    }
}

impl Default for Watchdog {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // Only the thread and this value are left, so nothing will be watched any more.
        if Arc::strong_count(&self.0) <= 2 {
            self.0.lock().done = true;
            self.0.changed.notify_one();
        }
    }
}

impl WatchGuard {
    /// Whether the process was killed because it took too long.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.shared.lock().processes.get(&self.number).is_some_and(|process| process.timed_out)
    }
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        self.shared.lock().processes.remove(&self.number);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let mut watched = self.lock();
        while !watched.done {
            let now = Instant::now();
            for process in watched.processes.values_mut().filter(|process| process.look <= now) {
                process.look_at(now);
            }
            let next = watched.processes.values().map(|process| process.look).min();
            let wait = next.map_or(Duration::from_secs(3600), |next| next.saturating_duration_since(now));
            watched = match self.changed.wait_timeout(watched, wait) {
                Ok((watched, _)) => watched,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

impl WatchedProcess {
    /// Kills it if it has worked for too long. On a busy machine it may only have waited for the processor.
    fn look_at(&mut self, now: Instant) {
        let worked = clock_getcpuclockid(self.pid).and_then(clock_gettime).map(Duration::from);
        let left = self.limit.saturating_sub(worked.unwrap_or(self.limit));
        let waits_at = worked.ok().filter(|_| waits(self.pid));
        let only_waits = waits_at.is_some() && waits_at == self.waited_at;
        if left.is_zero() || only_waits || now.duration_since(self.begun) >= self.limit * PATIENCE {
            self.timed_out = true;
            kill(&self.handle);
            self.look = now + Duration::from_secs(3600);
        } else {
            self.waited_at = waits_at;
            self.look = now + left.max(Duration::from_millis(1));
        }
    }
}

/// Whether a process waits for something other than the processor.
fn waits(pid: Pid) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    text.rsplit_once(") ").is_some_and(|(_, state)| state.starts_with('S'))
}

/// A handle that always refers to the same process.
fn open(pid: Pid) -> Result<OwnedFd, TraceError> {
    // SAFETY: the call takes two numbers, and returns a new descriptor that is ours, or an error.
    #[allow(unsafe_code)]
    unsafe {
        match libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) {
            -1 => Err(TraceError::Broken(format!("pidfd_open: {}", std::io::Error::last_os_error()))),
            descriptor => Ok(OwnedFd::from_raw_fd(descriptor as i32)),
        }
    }
}

fn kill(handle: &OwnedFd) {
    // SAFETY: the call takes numbers and a null pointer, which means an ordinary signal.
    #[allow(unsafe_code)]
    unsafe {
        libc::syscall(libc::SYS_pidfd_send_signal, handle.as_raw_fd(), libc::SIGKILL, 0, 0);
    }
}
