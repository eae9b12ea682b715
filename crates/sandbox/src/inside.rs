//! The walls that a program puts up around itself before it becomes another program.

use crate::init::run_as_init;
use crate::rules::{CellLimits, CellRules};
use crate::{INIT, OUTSIDE};
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigHandler, Signal};
use nix::unistd::{Gid, Uid, getppid, setgid, setgroups, setuid};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;

/// System calls that no test needs, and through which the kernel was often attacked.
const FORBIDDEN: &[i64] = &[
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_open_by_handle_at,
    libc::SYS_io_uring_setup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
];

/// Puts up the walls that the first word describes, and becomes the program that the others name. It returns only if that is not
/// possible: nothing runs with a wall missing.
#[must_use]
pub fn enter(words: impl IntoIterator<Item = OsString>) -> String {
    let mut words = words.into_iter().peekable();
    if words.next_if(|word| word == OUTSIDE).is_some() {
        set_terminal_signals(SigHandler::SigIgn);
        let Some(program) = words.next() else { return "the command is empty".to_owned() };
        return become_program(&program, words);
    }
    if words.next_if(|word| word == INIT).is_some() {
        return run_as_init(words);
    }
    let rules = words.next().and_then(|word| serde_json::from_str::<CellRules>(word.to_str()?).ok());
    let (Some(rules), Some(program)) = (rules, words.next()) else {
        return "the rules of the sandbox cannot be read".to_owned();
    };
    if let Err(why) = put_up(&rules) {
        return format!("the sandbox cannot be built: {why}");
    }
    set_terminal_signals(SigHandler::SigDfl);
    become_program(&program, words)
}

fn become_program(program: &OsStr, words: impl Iterator<Item = OsString>) -> String {
    let error = std::process::Command::new(program).args(words).exec();
    format!("cannot start {}: {error}", Path::new(program).display())
}

#[allow(unsafe_code)]
fn set_terminal_signals(handler: SigHandler) {
    for signal in [Signal::SIGINT, Signal::SIGQUIT] {
        // SAFETY: no handler of this program is installed, so no code runs in one.
        let _ = unsafe { nix::sys::signal::signal(signal, handler) };
    }
}

fn put_up(rules: &CellRules) -> Result<(), String> {
    prctl::set_no_new_privs().map_err(|errno| format!("no_new_privs: {errno}"))?;
    if let Some(user) = rules.user {
        let failed = |errno: nix::errno::Errno| format!("cannot become user {user}: {errno}");
        let (parent, ends_with_parent) = (getppid(), prctl::get_pdeathsig().map_err(failed)?);
        setgroups(&[]).map_err(failed)?;
        setgid(Gid::from_raw(user)).map_err(failed)?;
        setuid(Uid::from_raw(user)).map_err(failed)?;
        // Otherwise /proc/self still belongs to root.
        prctl::set_dumpable(true).map_err(failed)?;
        // The kernel has forgotten that this process ends with its parent.
        if let Some(signal) = ends_with_parent {
            prctl::set_pdeathsig(signal).map_err(failed)?;
            if getppid() != parent {
                return Err("whoever started it is gone".to_owned());
            }
        }
    }
    if rules.unshare_user {
        own_user_namespace()?;
    }
    if let Some(folder) = &rules.folder {
        std::env::set_current_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    limit(rules.limits).map_err(|errno| format!("limits: {errno}"))?;
    if rules.landlock {
        guard_files(rules).map_err(|error| {
            // The list of all rights is of no use to anybody.
            let why = error.to_string();
            format!("Landlock: {}", why.split(": BitFlags").next().unwrap_or_default())
        })?;
    }
    let filter = forbid(rules.has_own_network).map_err(|error| format!("seccomp: {error}"))?;
    seccompiler::apply_filter(&filter).map_err(|error| format!("seccomp: {error}"))
}

fn own_user_namespace() -> Result<(), String> {
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    unshare(CloneFlags::CLONE_NEWUSER).map_err(|errno| format!("user namespace: {errno}"))?;
    fs::write("/proc/self/setgroups", "deny")
        .and_then(|()| fs::write("/proc/self/uid_map", format!("{user} {user} 1")))
        .and_then(|()| fs::write("/proc/self/gid_map", format!("{group} {group} 1")))
        .map_err(|error| format!("user namespace: {error}"))
}

fn limit(limits: CellLimits) -> nix::Result<()> {
    let CellLimits { cpu, memory, processes, file } = limits;
    let all = [
        (Resource::RLIMIT_CPU, cpu),
        (Resource::RLIMIT_AS, memory),
        (Resource::RLIMIT_NPROC, processes),
        (Resource::RLIMIT_FSIZE, file),
        (Resource::RLIMIT_CORE, Some(0)),
    ];
    for (resource, most) in all {
        if let Some(most) = most {
            setrlimit(resource, most, most)?;
        }
    }
    Ok(())
}

fn guard_files(rules: &CellRules) -> Result<(), landlock::RulesetError> {
    let all = AccessFs::from_all(ABI::V3);
    let read = AccessFs::from_read(ABI::V3);
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(all)?
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::from_all(ABI::V6))?;
    let mut ruleset = ruleset.create()?;
    let root = [Path::new("/").to_owned()];
    let readable = if rules.readable.is_empty() { &root[..] } else { &rules.readable };
    for (paths, access) in [(readable, read), (&rules.writable, all)] {
        for path in paths {
            // What does not exist needs no rule.
            let Ok(path) = PathFd::new(path) else { continue };
            // Rights that only folders have are left out for files.
            ruleset = ruleset.add_rule(PathBeneath::new(path, access))?;
        }
    }
    ruleset.restrict_self().map(drop)
}

fn forbid(has_own_network: bool) -> Result<BpfProgram, seccompiler::Error> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        FORBIDDEN.iter().map(|call| (*call, Vec::new())).collect();
    if !has_own_network {
        let unix = u64::from(libc::AF_UNIX.cast_unsigned());
        let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, unix)?;
        rules.insert(libc::SYS_socket, vec![SeccompRule::new(vec![other])?]);
    }
    let denied = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, SeccompAction::Allow, denied, arch)?.try_into()?)
}
