//! What happens at the system calls that stop a process: they are made as they are, made on a copy, answered by us, or a
//! reason to refuse the program.

use super::clock::PID;
use super::overlay::{Changed, Denied, Overlay, tidy};
use super::process::{RawRegisters, TracedProcess};
use super::random_device::{is_random_device, random_numbers};
use super::{Descriptor, TraceError, Unsupported};
use crate::{Address, ReadMemory};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// What is done about a system call.
#[derive(Debug, PartialEq, Eq)]
enum CallDecision {
    Make,
    /// It is made with another path as this argument.
    Instead(Argument, PathBuf),
    /// It is made with the real number of the process.
    SignalItself,
    /// It is not made, and returns this.
    Return(i64),
    Refuse(Unsupported),
}

/// The number of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Argument {
    First,
    Second,
}

/// Decides about the system call that a process is about to make, and carries the decision out.
pub(super) fn look_at(process: &TracedProcess, overlay: &mut Overlay) -> Result<(), TraceError> {
    let mut registers = process.raw()?;
    match decide(process, overlay, &registers) {
        CallDecision::Make => Ok(()),
        CallDecision::Return(result) => {
            registers.orig_rax = u64::MAX;
            registers.rax = result as u64;
            process.set_system_call(registers)
        }
        CallDecision::SignalItself => {
            registers.rdi = process.pid().as_raw() as u64;
            // The program has one thread.
            if registers.orig_rax as i64 == libc::SYS_tgkill {
                registers.rsi = registers.rdi;
            }
            process.set_system_call(registers)
        }
        CallDecision::Instead(argument, path) => {
            let mut bytes = path.as_os_str().as_bytes().to_vec();
            bytes.push(0);
            // Below the red zone, which a function can use without moving the stack pointer.
            let at = Address(registers.rsp) - 256 - bytes.len() as u64;
            process.write_below_stack(at, &bytes)?;
            match argument {
                Argument::First => registers.rdi = at.0,
                Argument::Second => registers.rsi = at.0,
            }
            process.set_system_call(registers)
        }
        CallDecision::Refuse(refusal) => Err(refusal.into()),
    }
}

fn decide(process: &TracedProcess, overlay: &mut Overlay, call: &RawRegisters) -> CallDecision {
    const CURRENT: i32 = libc::AT_FDCWD;
    let (first, second) = (call.rdi as i32, call.rsi as i32);
    let path = |argument| path_of(process, if argument == Argument::First { call.rdi } else { call.rsi });
    match call.orig_rax as i64 {
        libc::SYS_open => open(process, overlay, (Argument::First, CURRENT), path(Argument::First), second),
        libc::SYS_creat => {
            let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;
            open(process, overlay, (Argument::First, CURRENT), path(Argument::First), flags)
        }
        libc::SYS_openat => {
            open(process, overlay, (Argument::Second, first), path(Argument::Second), call.rdx as i32)
        }
        libc::SYS_openat2 => {
            let flags = process.word(Address(call.rdx)).unwrap_or(0) as i32;
            open(process, overlay, (Argument::Second, first), path(Argument::Second), flags)
        }
        libc::SYS_stat | libc::SYS_lstat | libc::SYS_access => {
            see(process, overlay, (Argument::First, CURRENT), path(Argument::First))
        }
        libc::SYS_newfstatat | libc::SYS_statx | libc::SYS_faccessat | libc::SYS_faccessat2 => {
            see(process, overlay, (Argument::Second, first), path(Argument::Second))
        }
        libc::SYS_unlink => answer(remove(process, overlay, CURRENT, path(Argument::First))),
        libc::SYS_unlinkat if call.rdx as i32 & libc::AT_REMOVEDIR != 0 => CallDecision::Return(0),
        libc::SYS_unlinkat => answer(remove(process, overlay, first, path(Argument::Second))),
        libc::SYS_rename => {
            let (from, to) = (path(Argument::First), path(Argument::Second));
            answer(rename(process, overlay, (CURRENT, from), (CURRENT, to)))
        }
        libc::SYS_renameat | libc::SYS_renameat2 => {
            let (from, to) = (path(Argument::Second), path_of(process, call.r10));
            answer(rename(process, overlay, (first, from), (call.rdx as i32, to)))
        }
        libc::SYS_truncate => {
            open(process, overlay, (Argument::First, CURRENT), path(Argument::First), libc::O_RDWR)
        }
        // The name service tries to connect to a daemon, and continues without it.
        libc::SYS_socket if matches!(first, libc::AF_UNIX | libc::AF_NETLINK) => {
            CallDecision::Return(-i64::from(libc::EACCES))
        }
        libc::SYS_socket => CallDecision::Refuse(Unsupported::Socket),
        libc::SYS_socketpair => CallDecision::Refuse(Unsupported::Shared(Descriptor::SocketPair)),
        libc::SYS_pipe | libc::SYS_pipe2 => CallDecision::Refuse(Unsupported::Shared(Descriptor::Pipe)),
        libc::SYS_epoll_create1
        | libc::SYS_eventfd2
        | libc::SYS_timerfd_create
        | libc::SYS_signalfd4
        | libc::SYS_inotify_init1 => CallDecision::Refuse(Unsupported::Shared(Descriptor::Events)),
        libc::SYS_kill | libc::SYS_tkill | libc::SYS_tgkill if first == PID || first == 0 => {
            CallDecision::SignalItself
        }
        libc::SYS_kill | libc::SYS_tkill | libc::SYS_tgkill if first != process.pid().as_raw() => {
            CallDecision::Return(-i64::from(libc::EPERM))
        }
        // The limits that we set must stay.
        libc::SYS_prlimit64 if call.rdx != 0 => CallDecision::Return(0),
        libc::SYS_getrandom => {
            // The kernel can always give this number of bytes at once, and programs ask again for more.
            const MOST: u64 = 256;
            let bytes = overlay.numbers.draw(call.rsi.min(MOST) as usize);
            match process.write(Address(call.rdi), &bytes) {
                Ok(()) => CallDecision::Return(bytes.len() as i64),
                Err(_) => CallDecision::Return(-i64::from(libc::EFAULT)),
            }
        }
        libc::SYS_fcntl => control(second),
        // Processes that run on the same core are a matter of others, too.
        libc::SYS_prctl if first == PR_SCHED_CORE => CallDecision::Return(-i64::from(libc::EINVAL)),
        // Whether the counter of the processor can be read.
        libc::SYS_prctl if first == libc::PR_SET_TSC => CallDecision::Return(0),
        libc::SYS_ioctl if !HARMLESS_REQUESTS.contains(&(call.rsi as u32)) => {
            CallDecision::Return(-i64::from(libc::ENOTTY))
        }
        _ => overlay.clock.answer(process, call).map_or(CallDecision::Make, CallDecision::Return),
    }
}

/// Requests of `ioctl` that only ask, or only concern the descriptor itself: the settings and the size of a terminal, the
/// number of unread bytes, the flags of a file, and whether a descriptor is closed by `exec`.
const HARMLESS_REQUESTS: [u32; 11] =
    [0x5401, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451, 0x0002, 0x802c_542a, 0x8008_6601, 0x8008_7601];

/// A request of `prctl` that can concern other processes; `libc` has no name for it.
const PR_SCHED_CORE: i32 = 62;

/// Commands of `fcntl`: those that only concern descriptors of this process are made. Locks seem to succeed. Others, such as leases, notices
/// and hints, would be seen outside.
fn control(command: i32) -> CallDecision {
    match command {
        libc::F_DUPFD
        | libc::F_DUPFD_CLOEXEC
        | libc::F_GETFD
        | libc::F_SETFD
        | libc::F_GETFL
        | libc::F_SETFL
        | libc::F_GETOWN
        | libc::F_GETPIPE_SZ
        | libc::F_GET_SEALS
        | libc::F_ADD_SEALS => CallDecision::Make,
        libc::F_GETLK | libc::F_OFD_GETLK => CallDecision::Make,
        libc::F_SETLK | libc::F_SETLKW | libc::F_OFD_SETLK | libc::F_OFD_SETLKW => CallDecision::Return(0),
        _ => CallDecision::Return(-i64::from(libc::EINVAL)),
    }
}

/// An error of the system as a result.
fn answer(result: Result<(), Denied>) -> CallDecision {
    match result {
        Ok(()) => CallDecision::Return(0),
        Err(Denied::Error(error)) => CallDecision::Return(-i64::from(error)),
        Err(Denied::Refused(refusal)) => CallDecision::Refuse(refusal),
    }
}

/// Opening a file: for reading the original or the copy, for writing always a copy.
fn open(
    process: &TracedProcess,
    overlay: &mut Overlay,
    (argument, folder): (Argument, i32),
    path: Option<PathBuf>,
    flags: i32,
) -> CallDecision {
    let Some(path) = path else { return CallDecision::Make };
    let writes = flags & libc::O_ACCMODE != libc::O_RDONLY || flags & (libc::O_CREAT | libc::O_TRUNC) != 0;
    if path == Path::new("/dev/tty") {
        return CallDecision::Refuse(Unsupported::Terminal);
    }
    if !writes && is_random_device(&path) {
        overlay.random_devices += 1;
        let numbers = random_numbers(overlay.random_devices - 1);
        return numbers.map_or(CallDecision::Make, |path| CallDecision::Instead(argument, path));
    }
    if path.starts_with("/dev") || path.starts_with("/proc") {
        let is_harmless =
            ["/dev/null", "/dev/zero", "/dev/full"].iter().any(|known| path == Path::new(known));
        return match own_descriptor(&path) {
            _ if !writes || is_harmless => CallDecision::Make,
            Some(number) => open_again(process, overlay, argument, number, flags),
            None => CallDecision::Return(-i64::from(libc::EACCES)),
        };
    }
    if flags & libc::O_TMPFILE == libc::O_TMPFILE {
        return CallDecision::Return(-i64::from(libc::EOPNOTSUPP));
    }
    let Some(path) = absolute(process, folder, &path) else { return CallDecision::Make };
    // Somebody outside is at the other end, and what is read once is gone.
    if std::fs::metadata(&path).is_ok_and(|found| found.file_type().is_fifo()) {
        return CallDecision::Refuse(Unsupported::Shared(Descriptor::Pipe));
    }
    if writes {
        return match overlay.open(&path, flags) {
            Ok(copy) => CallDecision::Instead(argument, copy),
            Err(denied) => answer(Err(denied)),
        };
    }
    seen_as(overlay, argument, &path)
}

/// The number of a descriptor that a path names.
fn own_descriptor(path: &Path) -> Option<u32> {
    match path.to_str()? {
        "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        text => {
            ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|folder| text.strip_prefix(folder))?.parse().ok()
        }
    }
}

/// Opening for writing by the number of an open descriptor: the descriptor may be open for reading only.
fn open_again(
    process: &TracedProcess,
    overlay: &mut Overlay,
    argument: Argument,
    number: u32,
    flags: i32,
) -> CallDecision {
    let Ok(path) = std::fs::read_link(format!("/proc/{}/fd/{number}", process.pid())) else {
        return CallDecision::Return(-i64::from(libc::ENOENT));
    };
    let ours =
        [super::output::STDOUT, super::output::STDERR].map(|name| [b"/memfd:", name.to_bytes()].concat());
    let is_ours = ours.iter().any(|name| path.as_os_str().as_bytes().starts_with(name));
    if is_ours || overlay.holds(&path) {
        return CallDecision::Make;
    }
    match overlay.open(&path, flags & !(libc::O_CREAT | libc::O_EXCL)) {
        Ok(copy) => CallDecision::Instead(argument, copy),
        Err(denied) => answer(Err(denied)),
    }
}

/// Asking about a file.
fn see(
    process: &TracedProcess,
    overlay: &Overlay,
    (argument, folder): (Argument, i32),
    path: Option<PathBuf>,
) -> CallDecision {
    let Some(path) = path.filter(|path| !overlay.is_unchanged() && !path.as_os_str().is_empty()) else {
        return CallDecision::Make;
    };
    match absolute(process, folder, &path) {
        Some(path) => seen_as(overlay, argument, &path),
        None => CallDecision::Make,
    }
}

fn seen_as(overlay: &Overlay, argument: Argument, path: &Path) -> CallDecision {
    match overlay.look_up(path) {
        Some(Changed::Copy(copy)) => CallDecision::Instead(argument, copy.clone()),
        Some(Changed::Removed) => CallDecision::Return(-i64::from(libc::ENOENT)),
        None => CallDecision::Make,
    }
}

fn remove(
    process: &TracedProcess,
    overlay: &mut Overlay,
    folder: i32,
    path: Option<PathBuf>,
) -> Result<(), Denied> {
    overlay.remove(&given(process, folder, path)?)
}

fn rename(
    process: &TracedProcess,
    overlay: &mut Overlay,
    from: (i32, Option<PathBuf>),
    to: (i32, Option<PathBuf>),
) -> Result<(), Denied> {
    let (from, to) = (given(process, from.0, from.1)?, given(process, to.0, to.1)?);
    overlay.rename(&from, &to)
}

fn given(process: &TracedProcess, folder: i32, path: Option<PathBuf>) -> Result<PathBuf, Denied> {
    path.and_then(|path| absolute(process, folder, &path)).ok_or(Denied::Error(libc::EFAULT))
}

/// The file that a path means in a process.
fn absolute(process: &TracedProcess, folder: i32, path: &Path) -> Option<PathBuf> {
    if path.is_absolute() {
        return Some(tidy(path));
    }
    let pid = process.pid();
    let folder = match folder {
        libc::AT_FDCWD => format!("/proc/{pid}/cwd"),
        descriptor => format!("/proc/{pid}/fd/{descriptor}"),
    };
    Some(tidy(&std::fs::read_link(folder).ok()?.join(path)))
}

/// The path that an argument points to.
fn path_of(process: &TracedProcess, at: u64) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut at = Address(at);
    while bytes.len() < libc::PATH_MAX as usize {
        // Never across the end of a page: the next page may not be mapped.
        let mut part = vec![0; (4096 - at.0 % 4096) as usize];
        if !process.read(at, &mut part) {
            return None;
        }
        if let Some(end) = part.iter().position(|byte| *byte == 0) {
            bytes.extend_from_slice(&part[..end]);
            return Some(PathBuf::from(OsString::from_vec(bytes)));
        }
        at = at + part.len() as u64;
        bytes.append(&mut part);
    }
    None
}
