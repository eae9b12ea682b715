//! A process that is watched while it runs: what it prints, how much it uses, and whether it is still wanted.

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
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
/// Clock ticks in a second, which is fixed for programs on Linux.
const TICKS: u64 = 100;

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
    /// Bytes on the disk, and how to measure them.
    pub(crate) disk: u64,
    pub(crate) disk_used: &'a dyn Fn() -> u64,
    /// How long it may take.
    pub(crate) time: Duration,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct EndOfProcess {
    /// Its exit code, or 128 and the number of the signal.
    pub(crate) code: i32,
    /// Why it was killed, if it was.
    pub(crate) killed: Option<String>,
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
    let (killed, cpu) = end?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(EndOfProcess { code, killed, cpu })
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
    loop {
        let mut fds = [PollFd::new(handle.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut fds, PollTimeout::from(PERIOD));
        if ready.is_ok_and(|ready| ready > 0) {
            return Ok((killed, processor_time(child.id())));
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
            killed = excess(child.id(), began, limits);
            if killed.is_some() {
                kill_all(child);
            }
        }
    }
}

fn excess(pid: u32, began: Instant, limits: &UseLimits<'_>) -> Option<String> {
    use howcome_run::words::{duration, size};
    if began.elapsed() > limits.time {
        return Some(format!("it took longer than {}", duration(limits.time)));
    }
    if memory_of_all(pid) > limits.memory {
        return Some(format!("it used more than {} of memory", size(limits.memory)));
    }
    if (limits.disk_used)() > limits.disk {
        return Some(format!("its files took more than {}", size(limits.disk)));
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

/// The program behind the walls: bubblewrap has one child, which has the program as its child.
fn innermost(pid: u32) -> Pid {
    let is_wall =
        |pid: u32| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == "bwrap");
    let mut pid = pid;
    for _ in 0..3 {
        match children(pid).first() {
            Some(child) if is_wall(pid) => pid = *child,
            _ => break,
        }
    }
    Pid::from_raw(pid.cast_signed())
}

fn children(pid: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// The memory of a process and all that it has started, without what they share.
fn memory_of_all(pid: u32) -> u64 {
    const MOST: usize = 20_000;
    let (mut open, mut bytes, mut seen) = (vec![pid], 0u64, 0);
    while let Some(pid) = open.pop().filter(|_| seen < MOST) {
        seen += 1;
        let statm = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
        let mut pages = statm.split_whitespace().skip(1).map(|pages| pages.parse::<u64>().unwrap_or(0));
        let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
        bytes = bytes.saturating_add(resident.saturating_sub(shared).saturating_mul(4_096));
        open.extend(all_children(pid));
    }
    bytes
}

/// The children of all threads.
fn all_children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let texts = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    texts
        .flat_map(|text| text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

/// The processor time of a process that has ended and was not waited for, with that of its children, in milliseconds.
fn processor_time(pid: u32) -> i64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 =
        after_name.split_whitespace().skip(11).take(4).filter_map(|n| n.parse::<u64>().ok()).sum();
    i64::try_from(ticks * 1_000 / TICKS).unwrap_or(i64::MAX)
}
