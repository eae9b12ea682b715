//! How a warden keeps the processes of its tests together: in a PID namespace, or by adopting orphans.

use super::reap::{self, ResourceUse};
use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{ForkResult, Pid, fork, getegid, geteuid, setsid};
use std::fs;

/// How tests are kept from leaving processes behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// In a PID namespace with its own `/proc`: tests cannot see or reach any other process, and the kernel itself ends
    /// the processes that they started.
    Namespace,
    /// The warden adopts their orphans and ends them one by one. For machines that do not allow namespaces.
    Subreaper,
}

/// The role of this process.
pub(super) enum WardenRole {
    /// It runs tests.
    Warden,
    /// It is outside the namespace, and only waits for the warden to end.
    Outside(Pid),
}

/// Makes this process, or a child of it, a warden from which no process that it starts can get away.
///
/// The process must have a single thread.
pub(super) fn enter(confinement: Confinement) -> Result<WardenRole, String> {
    match confinement {
        Confinement::Subreaper => {
            let said = |errno| format!("cannot become a subreaper: {errno}");
            prctl::set_child_subreaper(true).map(|()| WardenRole::Warden).map_err(said)
        }
        Confinement::Namespace => enter_namespace(),
    }
}

fn enter_namespace() -> Result<WardenRole, String> {
    let wanted = CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNS;
    // Root can do this directly. All other users, and a root without capabilities, need a user namespace.
    if unshare(wanted).is_err() {
        let (user, group) = (geteuid(), getegid());
        unshare(wanted | CloneFlags::CLONE_NEWUSER)
            .map_err(|errno| format!("cannot make a namespace: {errno}"))?;
        // User and group ids stay the same, so that files keep their owners.
        let mapped = fs::write("/proc/self/setgroups", "deny")
            .and_then(|()| fs::write("/proc/self/uid_map", format!("{user} {user} 1")))
            .and_then(|()| fs::write("/proc/self/gid_map", format!("{group} {group} 1")));
        mapped.map_err(|error| format!("cannot map the user into a namespace: {error}"))?;
    }
    // Mounts inside the namespace must not be visible outside.
    let nothing = None::<&str>;
    mount(nothing, "/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing)
        .map_err(|errno| format!("cannot make mounts private: {errno}"))?;
    match split().map_err(|errno| format!("cannot fork into the namespace: {errno}"))? {
        ForkResult::Parent { child } => Ok(WardenRole::Outside(child)),
        ForkResult::Child => {
            // If the process outside is killed, everything inside goes with it.
            let _ = prctl::set_pdeathsig(Signal::SIGKILL);
            let _ = setsid();
            let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
            mount(Some("proc"), "/proc", Some("proc"), flags, nothing)
                .map_err(|errno| format!("cannot mount /proc: {errno}"))?;
            Ok(WardenRole::Warden)
        }
    }
}

#[allow(unsafe_code)]
fn split() -> Result<ForkResult, Errno> {
    // SAFETY: a warden has a single thread, so the child does not inherit a lock that another thread holds.
    unsafe { fork() }
}

impl Confinement {
    /// Ends and reaps every process that the warden or its tests have started. Returns what they have used.
    pub(super) fn end_all(self) -> ResourceUse {
        let mut used = match self {
            Confinement::Namespace => {
                reap::kill_namespace();
                ResourceUse::default()
            }
            Confinement::Subreaper => reap::kill_descendants(),
        };
        used.add(reap::wait_for_all());
        used
    }

    /// Sends SIGKILL to all of them, without waiting.
    pub(super) fn kill_all(self) {
        match self {
            Confinement::Namespace => reap::kill_namespace(),
            Confinement::Subreaper => reap::kill_descendants_once(),
        }
    }
}
