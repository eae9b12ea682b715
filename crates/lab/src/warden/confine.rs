//! How a warden keeps its tests together: in a PID namespace, or as the one who inherits orphans.

use super::reap;
use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{ForkResult, Pid, fork, getegid, geteuid, setsid};
use std::fs;

/// How tests are kept from leaving anything behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// In a PID namespace with a `/proc` of its own: tests neither see nor reach any other process, and the kernel
    /// itself ends what they started.
    Namespace,
    /// Their orphans come to the warden, which ends them one by one. For machines that allow no namespaces.
    Subreaper,
}

/// What this process has become.
pub(super) enum WardenRole {
    /// It runs tests.
    Warden,
    /// It is outside of the namespace, and has nothing to do but to end when the warden does.
    Outside(Pid),
}

/// Makes this process, or a child of it, one that nothing it starts can get away from.
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
    // Root may do this as it is; everybody else, and a root that was stripped of its rights, needs a user namespace.
    if unshare(wanted).is_err() {
        let (user, group) = (geteuid(), getegid());
        unshare(wanted | CloneFlags::CLONE_NEWUSER)
            .map_err(|errno| format!("cannot make a namespace: {errno}"))?;
        // Everybody stays who they are, so that files belong to whom they belonged before.
        let mapped = fs::write("/proc/self/setgroups", "deny")
            .and_then(|()| fs::write("/proc/self/uid_map", format!("{user} {user} 1")))
            .and_then(|()| fs::write("/proc/self/gid_map", format!("{group} {group} 1")));
        mapped.map_err(|error| format!("cannot map the user into a namespace: {error}"))?;
    }
    // What is mounted here must not be seen outside.
    let nothing = None::<&str>;
    mount(nothing, "/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing)
        .map_err(|errno| format!("cannot make mounts private: {errno}"))?;
    match split().map_err(|errno| format!("cannot fork into the namespace: {errno}"))? {
        ForkResult::Parent { child } => Ok(WardenRole::Outside(child)),
        ForkResult::Child => {
            // Should the process outside be killed, all that is inside goes with it.
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
    // SAFETY: a warden has a single thread, so the child finds no lock held by a thread that it does not have.
    unsafe { fork() }
}

impl Confinement {
    /// Ends every process that the warden or its tests have started, and reaps them all; the most memory that one of them
    /// has had.
    pub(super) fn end_everyone(self) -> u64 {
        let most = match self {
            Confinement::Namespace => {
                reap::kill_namespace();
                0
            }
            Confinement::Subreaper => reap::kill_descendants(),
        };
        reap::wait_for_all().max(most)
    }

    /// Sends everybody the signal to die, without waiting.
    pub(super) fn kill_everyone(self) {
        match self {
            Confinement::Namespace => reap::kill_namespace(),
            Confinement::Subreaper => reap::kill_descendants_once(),
        }
    }
}
