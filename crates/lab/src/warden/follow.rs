//! Follows a test and all its processes until a signal ends one of them, then becomes gdb to inspect that process.
//!
//! It becomes gdb instead of starting it, because on many machines only an ancestor of a process is allowed to trace
//! it.

use super::reap::{self, Reaped};
use nix::libc;
use nix::sys::ptrace::{self, Options, Request, RequestType};
use nix::unistd::{Pid, getpid};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The argument that tells a warden to follow a test. After it come the number of a signal, the file for gdb's output,
/// and the test.
pub(crate) const FOLLOW: &str = "--follow";

/// Which test to follow, until which signal, and where to write what gdb says.
pub(super) struct FollowOrders {
    signal: i32,
    log: PathBuf,
    test: Vec<OsString>,
}

impl FollowOrders {
    /// The orders in the arguments of this process, if there are any.
    pub(super) fn given() -> Option<Self> {
        let mut words = std::env::args_os().skip_while(|word| word != FOLLOW).skip(1);
        let signal = words.next()?.to_str()?.parse().ok()?;
        Some(Self { signal, log: words.next()?.into(), test: words.collect() })
    }

    pub(super) fn follow(self) -> ExitCode {
        // The exit code is not important: without a log, the test did not crash.
        match self.start().map(|test| TestTracer { orders: self, known: BTreeSet::new() }.until_the_end(test))
        {
            Ok(Some(error)) | Err(error) => ExitCode::from(error.raw_os_error().map_or(1, |_| 127)),
            Ok(None) => ExitCode::SUCCESS,
        }
    }

    #[allow(unsafe_code)]
    fn start(&self) -> io::Result<Pid> {
        let (program, arguments) = self.test.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments);
        // SAFETY: between fork and exec the closure makes one system call; it allocates nothing and takes no lock.
        unsafe { command.pre_exec(|| Ok(ptrace::traceme()?)) };
        Ok(Pid::from_raw(command.spawn()?.id().cast_signed()))
    }
}

struct TestTracer {
    orders: FollowOrders,
    /// The threads of all processes that have stopped at least once. Each thread stops when it starts.
    known: BTreeSet<Pid>,
}

impl TestTracer {
    /// Follows the test until it ends. Does not return if the test crashes, unless gdb cannot be started.
    fn until_the_end(mut self, test: Pid) -> Option<io::Error> {
        // The thread that crashed, and its process.
        let mut crashed: Option<(Pid, Pid)> = None;
        loop {
            let Reaped::Child(thread) = reap::wait_for_traced() else { return None };
            if libc::WIFSTOPPED(thread.status) {
                let process = process_of(thread.pid);
                match crashed {
                    Some((_, crashed)) if process == crashed => resume(Request::PTRACE_DETACH, thread.pid, 0),
                    _ if self.goes_on(thread.pid, thread.status) => {}
                    _ => {
                        crashed = Some((thread.pid, process));
                        // This stops all threads of the process, one after another.
                        resume(Request::PTRACE_DETACH, thread.pid, libc::SIGSTOP);
                    }
                }
            } else {
                self.known.remove(&thread.pid);
                if thread.pid == test && crashed.is_none() {
                    return None;
                }
            }
            if let Some((thread, process)) = crashed
                && !threads(process).any(is_traced)
            {
                return Some(self.orders.become_gdb(thread, process));
            }
        }
    }

    /// Resumes a stopped thread as if nobody had traced it, unless it is about to die of the signal.
    fn goes_on(&mut self, thread: Pid, status: i32) -> bool {
        let signal = libc::WSTOPSIG(status);
        let is_event = status >> 16 != 0;
        let is_new = self.known.insert(thread);
        if is_new {
            let all =
                Options::PTRACE_O_TRACEFORK | Options::PTRACE_O_TRACEVFORK | Options::PTRACE_O_TRACECLONE;
            let _ =
                ptrace::setoptions(thread, all | Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_EXITKILL);
        }
        // The first stop of a traced thread is not a signal for it.
        let signal = if is_event || is_new { 0 } else { signal };
        if signal == self.orders.signal && !is_handled(thread, signal) {
            return false;
        }
        resume(Request::PTRACE_CONT, thread, signal);
        true
    }
}

impl FollowOrders {
    fn become_gdb(&self, thread: Pid, process: Pid) -> io::Error {
        let log = File::create(&self.log).and_then(|mut log| writeln!(log, "{thread}").map(|()| log));
        let outputs = log.and_then(|log| Ok([log.try_clone()?, log]));
        let [stdout, stderr] = match outputs {
            Ok(outputs) => outputs,
            Err(error) => return error,
        };
        Command::new("gdb")
            .args(["-nx", "-q", "-batch", "-iex", "set debuginfod enabled off", "-p", &process.to_string()])
            .args(["-ex", "thread apply all bt 60"])
            .stdin(std::process::Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .exec()
    }
}

// `nix` does not know real-time signals.
#[allow(unsafe_code)]
fn resume(how: Request, thread: Pid, signal: i32) {
    let nothing = std::ptr::null_mut::<libc::c_void>();
    let signal = std::ptr::without_provenance_mut::<libc::c_void>(signal.unsigned_abs() as usize);
    // SAFETY: neither request reads or writes memory of this process. An error means that the thread is gone, which
    // `wait` reports.
    unsafe { libc::ptrace(how as RequestType, thread.as_raw(), nothing, signal) };
}

/// Whether the process handles the signal. Its handler can end it too, but with another signal that this function sees.
fn is_handled(thread: Pid, signal: i32) -> bool {
    let caught = status(thread, "SigCgt:").and_then(|mask| u64::from_str_radix(&mask, 16).ok());
    caught.unwrap_or(0) >> (signal - 1).clamp(0, 63) & 1 == 1
}

/// Whether this process still traces a thread, including one that has just started.
fn is_traced(thread: Pid) -> bool {
    status(thread, "TracerPid:").is_some_and(|tracer| tracer == getpid().to_string())
}

fn process_of(thread: Pid) -> Pid {
    status(thread, "Tgid:").and_then(|process| process.parse().ok()).map_or(thread, Pid::from_raw)
}

fn status(thread: Pid, field: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(field)).map(|value| value.trim().to_owned())
}

fn threads(process: Pid) -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).map(Pid::from_raw)
}
