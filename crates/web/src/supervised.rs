//! A process that is watched while it runs: what it prints, how much it uses, and whether it is still wanted.

use crate::usage::{TreeUse, children, processor_time, use_of_tree};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid};
use rustix::process::{PidfdFlags, pidfd_open};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked at.
const PERIOD: u16 = 250;
/// How often its use of the machine is measured.
const MEASURED: Duration = Duration::from_secs(1);
/// How long howcome may take to save its best so far.
const GRACE: Duration = Duration::from_secs(20);
/// A job can hide the size of its files for this many measurements.
const MOST_UNKNOWN: u32 = 5;

/// Whether a job is to stop, and why.
#[derive(Debug, Default)]
pub(crate) struct Stopping(AtomicU8);

const CANCELLED: u8 = 1;
const SERVICE_ENDS: u8 = 2;
const LOST: u8 = 3;

impl Stopping {
    /// The user wants it.
    pub(crate) fn cancel(&self) {
        self.0.fetch_max(CANCELLED, Ordering::SeqCst);
    }

    /// The service ends. The job is continued later.
    pub(crate) fn end_service(&self) {
        self.0.fetch_max(SERVICE_ENDS, Ordering::SeqCst);
    }

    /// Another node has the job.
    pub(crate) fn lose(&self) {
        self.0.fetch_max(LOST, Ordering::SeqCst);
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst) == CANCELLED
    }

    pub(crate) fn continues_elsewhere(&self) -> bool {
        self.0.load(Ordering::SeqCst) >= SERVICE_ENDS
    }

    fn is_lost(&self) -> bool {
        self.0.load(Ordering::SeqCst) == LOST
    }
}

/// What a process, with all that it has started, may use.
pub(crate) struct UseLimits<'a> {
    /// Bytes of memory in all.
    pub(crate) memory: u64,
    /// Bytes on the disk, and how to measure them: `None` if the job hides some.
    pub(crate) disk: u64,
    pub(crate) disk_used: &'a dyn Fn() -> Option<u64>,
    /// How long it may take.
    pub(crate) time: Duration,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct EndOfProcess {
    /// Its exit code, or 128 and the number of the signal.
    pub(crate) code: i32,
    /// Why there is no answer, if it was killed or could not be prepared.
    pub(crate) problem: Option<String>,
    /// Processor time in milliseconds.
    pub(crate) cpu: i64,
}

/// Runs a command to its end. What it prints goes to the two writers, each as far as a limit.
///
/// The calling thread must live as long as the process: the kernel ends the process with the thread that started it.
pub(crate) fn run_supervised(
    words: &[OsString],
    folder: &Path,
    environment: &[(&str, OsString)],
    lock: &fs::File,
    output: [Box<dyn Write + Send>; 2],
    stopping: &Stopping,
    limits: &UseLimits<'_>,
) -> io::Result<EndOfProcess> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_clear().envs(environment.iter().map(|(n, v)| (*n, v)));
    // An empty file. Its lock is held as long as any of the processes lives, even if this service is killed.
    command.stdin(lock.try_clone()?);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    end_with_this_thread(&mut command);
    let mut child = command.spawn()?;
    let [stdout, stderr] = output;
    let readers = [
        child.stdout.take().map(|pipe| thread::spawn(move || copy_limited(pipe, stdout))),
        child.stderr.take().map(|pipe| thread::spawn(move || copy_limited(pipe, stderr))),
    ];
    let end = watch(&mut child, stopping, limits);
    if end.is_err() {
        kill_all(&child);
    }
    let status = child.wait()?;
    // A process that has detached itself can keep the pipes open. Inside a namespace none is left.
    let done = Instant::now();
    for reader in readers.into_iter().flatten() {
        while !reader.is_finished() && done.elapsed() < Duration::from_secs(2) {
            thread::sleep(Duration::from_millis(5));
        }
    }
    let (problem, cpu) = end?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(EndOfProcess { code, problem, cpu })
}

/// Waits for the end. Returns why the process was killed, and its processor time.
fn watch(
    child: &mut Child,
    stopping: &Stopping,
    limits: &UseLimits<'_>,
) -> io::Result<(Option<String>, i64)> {
    let pid = rustix::process::Pid::from_child(child);
    let handle: OwnedFd = pidfd_open(pid, PidfdFlags::empty())?;
    let (began, mut measured, mut asked, mut killed) = (Instant::now(), Instant::now(), None, None);
    let (mut unknown, mut last) = (0, TreeUse::default());
    loop {
        let mut fds = [PollFd::new(handle.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut fds, PollTimeout::from(PERIOD));
        if ready.is_ok_and(|ready| ready > 0) {
            // One that was killed has waited for nobody: then the last measurement says more.
            return Ok((killed, processor_time(child.id()).max(last.cpu)));
        }
        if stopping.is_lost() || asked.is_some_and(|since: Instant| since.elapsed() > GRACE) {
            kill_all(child);
        } else if stopping.is_wanted() && asked.is_none() {
            asked = Some(Instant::now());
            // Howcome saves its best so far; other programs just end.
            let _ = kill(innermost(child.id()), Signal::SIGINT);
        }
        if measured.elapsed() >= MEASURED && killed.is_none() {
            measured = Instant::now();
            last = use_of_tree(child.id());
            killed = excess(last, began, limits, &mut unknown);
            if killed.is_some() {
                kill_all(child);
            }
        }
    }
}

/// `unknown` counts measurements in which the size of the files could not be known.
fn excess(used: TreeUse, began: Instant, limits: &UseLimits<'_>, unknown: &mut u32) -> Option<String> {
    use howcome_run::words::{duration, size_limit};
    if began.elapsed() > limits.time {
        return Some(format!("it took longer than {}", duration(limits.time)));
    }
    if used.memory > limits.memory {
        return Some(format!("it used more than {} of memory", size_limit(limits.memory)));
    }
    match (limits.disk_used)() {
        Some(bytes) if bytes.saturating_add(used.nameless) <= limits.disk => *unknown = 0,
        Some(_) => return Some(format!("its files took more than {}", size_limit(limits.disk))),
        None if *unknown < MOST_UNKNOWN => *unknown += 1,
        None => return Some("its folders cannot be read, so nobody knows how large they are".to_owned()),
    }
    None
}

fn kill_all(child: &Child) {
    let group = Pid::from_raw(-child.id().cast_signed());
    let _ = kill(group, Signal::SIGKILL);
}

/// Copies as far as a limit, and reads on, so that the process does not block.
fn copy_limited(mut from: impl Read, mut to: Box<dyn Write + Send>) {
    const MOST: u64 = 1 << 20;
    let _ = io::copy(&mut (&mut from).take(MOST), &mut to);
    let _ = to.flush();
    let _ = io::copy(&mut from, &mut io::sink());
}

/// The program behind the walls: bubblewrap has one child, the first process of the namespace, which has the program as its child.
fn innermost(pid: u32) -> Pid {
    let is_wall = fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == "bwrap");
    let inside = children(pid).first().and_then(|init| children(*init).first().copied());
    Pid::from_raw(inside.filter(|_| is_wall).unwrap_or(pid).cast_signed())
}

/// The kernel ends the process with the thread that started it, even if this service is killed.
#[allow(unsafe_code)]
fn end_with_this_thread(command: &mut Command) {
    let service = std::process::id();
    let ask = move || {
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        // The service can be gone already.
        let is_there = getppid().as_raw().cast_unsigned() == service;
        if is_there { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    };
    // SAFETY: between fork and exec, only two system calls are made, and nothing is allocated.
    unsafe { command.pre_exec(ask) };
}
