//! The worker's side: starts a warden, sends it tests, captures their output.

use super::confine::Confinement;
use super::strays;
use super::wire::{self, FrameReader, WardenReply, WardenRequest, WorkerFolder};
use crate::captured::Capture;
use crate::launcher::LaunchControl;
use crate::options::LAUNCH_PATIENCE;
use crate::{CaptureLimits, Captured, Command, TestEnding};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::EventFd;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All living wardens of this process. One list for all executors, because the process as a whole adopts strays.
static LIVING: Mutex<BTreeSet<Pid>> = Mutex::new(BTreeSet::new());

fn living() -> MutexGuard<'static, BTreeSet<Pid>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How long a warden can take to end a test. It takes a few milliseconds, unless it is broken.
const GRACE: Duration = Duration::from_secs(30);

/// How long a launcher can take to end what it has started elsewhere.
const LAUNCHER_GRACE: Duration = Duration::from_secs(5);

/// How long a launcher can take to notice that its test has ended. The test itself is ended by its script in time.
const LAUNCHER_DELAY: Duration = Duration::from_secs(60);

/// How often a worker looks whether its warden is stopped while a test runs.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Starts wardens.
#[derive(Debug)]
pub(crate) struct Wardens {
    program: Vec<OsString>,
}

/// Why a warden could not be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoWarden {
    /// It cannot confine tests in this way on this machine.
    #[error("{0}")]
    Unable(String),
    /// It cannot create the folder of the worker.
    #[error("cannot create a folder for tests: {0}")]
    NoFolder(io::Error),
    /// It could not be started, or does not answer correctly.
    #[error("cannot start the warden process: {0}")]
    Broken(io::Error),
}

impl Wardens {
    pub(crate) fn new(program: Vec<OsString>) -> Self {
        Self { program }
    }

    /// The command that starts a warden.
    pub(crate) fn program(&self) -> &[OsString] {
        &self.program
    }

    /// Starts a warden, which creates the folder. If howcome dies, the warden removes the folder.
    pub(crate) fn start(&self, confinement: Confinement, folder: &WorkerFolder) -> Result<Warden, NoWarden> {
        let warden = self.spawn(confinement).map_err(NoWarden::Broken)?;
        warden.begin(confinement, folder)
    }

    fn spawn(&self, confinement: Confinement) -> io::Result<Warden> {
        let (control, theirs) = UnixStream::pair()?;
        let (stdout, stdout_writer) = io::pipe()?;
        let (stderr, stderr_writer) = io::pipe()?;
        for pipe in [&stdout, &stderr] {
            fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        let process = start(&self.program, theirs, stdout_writer, stderr_writer)?;
        let (frames, buffer) = (FrameReader::default(), vec![0; 1 << 16]);
        Ok(Warden { confinement, process, control, frames, stdout, stderr, buffer })
    }
}

/// Starts a program as a warden.
pub(super) fn start(
    program: &[OsString],
    control: UnixStream,
    stdout: impl Into<Stdio>,
    stderr: impl Into<Stdio>,
) -> io::Result<Child> {
    let (program, arguments) = program.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    // The lock is held until the new warden is in the list, so that nobody takes it for a stray.
    let mut living = living();
    // The command holds the other ends of the pipes until this function returns.
    let mut command = std::process::Command::new(program);
    command.args(arguments).stdin(OwnedFd::from(control)).stdout(stdout).stderr(stderr);
    let process = crate::starting_a_process(|| command.spawn())?;
    living.insert(Pid::from_raw(process.id().cast_signed()));
    Ok(process)
}

/// Waits for a warden that was told to end. Returns the others.
pub(super) fn wait_for_end(process: &mut Child) -> MutexGuard<'static, BTreeSet<Pid>> {
    // If somebody has stopped it, it would never end.
    let _ = kill(Pid::from_raw(process.id().cast_signed()), Signal::SIGCONT);
    let _ = process.wait();
    let mut living = living();
    living.remove(&Pid::from_raw(process.id().cast_signed()));
    living
}

/// A worker's handle of a warden. When dropped, it ends the warden.
#[derive(Debug)]
pub(crate) struct Warden {
    confinement: Confinement,
    process: Child,
    control: UnixStream,
    frames: FrameReader,
    stdout: PipeReader,
    stderr: PipeReader,
    buffer: Vec<u8>,
}

/// What controls a running test.
#[derive(Clone, Copy)]
pub(crate) struct RunControl<'a> {
    /// Wakes the worker so that it checks `cancelled`.
    pub(crate) bell: &'a EventFd,
    /// Whether the test was cancelled.
    pub(crate) cancelled: &'a AtomicBool,
    /// The timeout of the test.
    pub(crate) timeout: Duration,
    /// How many bytes of memory each of its processes can use.
    pub(crate) memory: Option<u64>,
    /// How much of its output is kept.
    pub(crate) keep: CaptureLimits,
    /// The test runs on another machine, and this is its launcher.
    pub(crate) launch: Option<&'a LaunchControl>,
}

/// A test that has ended.
#[derive(Debug)]
pub(crate) struct FinishedTest {
    pub(crate) ending: TestEnding,
    pub(crate) stdout: Captured,
    pub(crate) stderr: Captured,
    pub(crate) took: Duration,
    pub(crate) cpu: Duration,
    pub(crate) memory: u64,
}

/// Why a test has no ending.
#[derive(Debug)]
pub(crate) enum NotFinished {
    /// It was cancelled.
    Cancelled,
    /// It could not be started.
    NotStarted(io::Error),
    /// The warden died before the test began.
    NoWarden,
    /// The warden was killed while the test ran.
    Lost,
}

impl Warden {
    fn begin(mut self, confinement: Confinement, folder: &WorkerFolder) -> Result<Self, NoWarden> {
        let request = WardenRequest::Begin(confinement, folder.clone());
        let sent = wire::send(&self.control, &request.encode());
        match sent.and_then(|()| self.first_reply()) {
            Ok(Some(frame)) => match WardenReply::decode(&frame) {
                Some(WardenReply::Ready) => Ok(self),
                Some(WardenReply::Unable(why)) => Err(NoWarden::Unable(why)),
                Some(WardenReply::NoFolder(number)) => {
                    Err(NoWarden::NoFolder(io::Error::from_raw_os_error(number)))
                }
                _ => Err(NoWarden::Broken(io::Error::other("unexpected reply"))),
            },
            Ok(None) => Err(NoWarden::Broken(io::Error::other("it exited immediately"))),
            Err(error) => Err(NoWarden::Broken(error)),
        }
    }

    /// The reply to the first request, even if somebody stops the warden before it can reply.
    fn first_reply(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.control.set_read_timeout(Some(HEARTBEAT))?;
        let reply = loop {
            match self.frames.next(&self.control) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.continue_if_stopped(),
                reply => break reply,
            }
        };
        self.control.set_read_timeout(None)?;
        reply
    }

    /// Runs a test to its end. Afterwards no process of the test is left.
    pub(crate) fn run(
        &mut self,
        command: &Command,
        run_control: RunControl<'_>,
    ) -> Result<FinishedTest, NotFinished> {
        let started = Instant::now();
        let mut waiting_for = run_control.launch;
        let patience = waiting_for.map_or(run_control.timeout, |_| LAUNCH_PATIENCE);
        let mut deadline = started.checked_add(patience);
        let mut printed = [Capture::new(run_control.keep), Capture::new(run_control.keep)];
        wire::send(&self.control, &WardenRequest::run(command, run_control.memory))
            .map_err(|_| NotFinished::NoWarden)?;
        // A launcher is asked to end before it is killed.
        let (mut cancelled, mut too_long, mut is_asked) = (false, false, false);
        let last = loop {
            let heard = self.listen(&run_control, deadline);
            // While howcome itself was stopped, nobody could have noticed that the test ended.
            deadline = deadline.and_then(|deadline| deadline.checked_add(heard.stopped));
            if heard.output {
                // One read at a time, because a test can print forever and faster than this thread reads.
                self.capture_output(&mut printed, 1);
            }
            if heard.reply {
                break heard;
            }
            if heard.is_silent {
                self.continue_if_stopped();
                if waiting_for.take_if(|launch| launch.begun.exists()).is_some() {
                    deadline = Instant::now().checked_add(run_control.timeout + LAUNCHER_DELAY);
                }
            }
            let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if cancelled || too_long {
                // The warden was told to end the test. Only its reply is missing.
                if is_late && std::mem::take(&mut is_asked) {
                    self.send(&WardenRequest::Kill);
                    deadline = Instant::now().checked_add(GRACE);
                } else if is_late {
                    let _ = self.process.kill();
                    deadline = None;
                }
                continue;
            }
            cancelled = run_control.cancelled.load(Ordering::Acquire);
            too_long = is_late;
            if cancelled || too_long {
                (is_asked, waiting_for) = (run_control.launch.is_some(), None);
                if let Some(launch) = run_control.launch {
                    let _ = fs::remove_file(&launch.keep);
                }
                self.send(if is_asked { &WardenRequest::Terminate } else { &WardenRequest::Kill });
                deadline = Instant::now().checked_add(if is_asked { LAUNCHER_GRACE } else { GRACE });
            }
        };
        let reply = self.frames.next(&self.control).ok().flatten().as_deref().and_then(WardenReply::decode);
        let took = started.elapsed();
        // No process of the test is left, so the pipes contain the rest of the output. Only if the warden is gone, the
        // test might still run and print. The socket is polled before the pipes, and a test writes before the warden
        // replies.
        if last.output || reply.is_none() {
            self.capture_output(&mut printed, if reply.is_some() { usize::MAX } else { 1 });
        }
        let [stdout, stderr] = printed.map(Capture::finish);
        let finished = |ending, cpu, memory| FinishedTest { ending, stdout, stderr, took, cpu, memory };
        match reply {
            Some(_) if cancelled => Err(NotFinished::Cancelled),
            Some(WardenReply::Ended { killed: true, cpu, memory, .. }) => {
                Ok(finished(TestEnding::TimedOut, cpu, memory))
            }
            Some(WardenReply::Ended { status, cpu, memory, .. }) => Ok(finished(ending(status), cpu, memory)),
            Some(WardenReply::NotStarted(error)) => {
                Err(NotFinished::NotStarted(io::Error::from_raw_os_error(error)))
            }
            Some(WardenReply::Ready | WardenReply::Unable(_) | WardenReply::NoFolder(_)) | None => {
                Err(NotFinished::Lost)
            }
        }
    }

    fn send(&self, request: &WardenRequest) {
        // If this fails, the warden is gone, and the caller will notice.
        let _ = wire::send(&self.control, &request.encode());
        self.continue_if_stopped();
    }

    /// Continues the warden if somebody has stopped it with SIGSTOP. In a namespace, it is the child of our child.
    fn continue_if_stopped(&self) {
        let pid = self.process.id();
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|child| child.parse().ok());
        let of_namespace = children.filter(|_| self.confinement == Confinement::Namespace);
        for warden in of_namespace.chain([pid.cast_signed()]) {
            let _ = kill(Pid::from_raw(warden), Signal::SIGCONT);
        }
    }

    fn listen(&self, run_control: &RunControl<'_>, deadline: Option<Instant>) -> PollResult {
        let mut watched = [
            PollFd::new(self.control.as_fd(), PollFlags::POLLIN),
            PollFd::new(run_control.bell.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.stderr.as_fd(), PollFlags::POLLIN),
        ];
        let begun = Instant::now();
        let left = deadline.map_or(HEARTBEAT, |deadline| deadline.saturating_duration_since(begun));
        // Rounded up, to avoid a busy loop during the last millisecond.
        let wait = left.min(HEARTBEAT) + Duration::from_millis(1);
        let timeout = PollTimeout::try_from(wait.as_millis()).unwrap_or(PollTimeout::MAX);
        match poll(&mut watched, timeout) {
            Ok(_) | Err(Errno::EINTR) => {}
            // Polling is broken, which looks like a dead warden to the caller.
            Err(_) => return PollResult { reply: true, ..PollResult::default() },
        }
        let late = begun.elapsed().saturating_sub(wait);
        let stopped = if late > HEARTBEAT { late } else { Duration::ZERO };
        let [reply, bell, stdout, stderr] = watched.map(|watched| watched.any().unwrap_or(false));
        if bell {
            let _ = run_control.bell.read();
        }
        // When the warden dies, its ends of the pipes can close before or after the socket.
        PollResult {
            reply,
            output: stdout || stderr,
            is_silent: !(reply || bell || stdout || stderr),
            stopped,
        }
    }

    fn capture_output(&mut self, printed: &mut [Capture; 2], reads: usize) {
        let [stdout, stderr] = printed;
        for (pipe, capture) in [(&mut self.stdout, stdout), (&mut self.stderr, stderr)] {
            for _ in 0..reads {
                match pipe.read(&mut self.buffer) {
                    Ok(0) | Err(_) => break,
                    Ok(length) => capture.append(&self.buffer[..length]),
                }
            }
        }
    }
}

#[derive(Default)]
struct PollResult {
    reply: bool,
    output: bool,
    /// Nothing was heard.
    is_silent: bool,
    /// How long howcome itself was stopped in the meantime.
    stopped: Duration,
}

fn ending(status: i32) -> TestEnding {
    if libc::WIFSIGNALED(status) {
        TestEnding::Signal(libc::WTERMSIG(status))
    } else {
        TestEnding::Exit(libc::WEXITSTATUS(status))
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        let _ = self.control.shutdown(std::net::Shutdown::Both);
        self.continue_if_stopped();
        let living = wait_for_end(&mut self.process);
        if self.confinement == Confinement::Subreaper {
            strays::end(&living);
        }
    }
}
