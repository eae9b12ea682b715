//! The warden's side: starts tests, waits for them, ends what they leave behind.

use super::confine::{self, Confinement, WardenRole};
use super::environment::Environment;
use super::follow::FollowOrders;
use super::lookup::Lookup;
use super::reap::{self, Reaped};
use super::wire::{self, FrameReader, WardenReply, WardenRequest};
use crate::{Command, workspace};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, SigmaskHow, Signal, sigaction};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, setsid};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Serves as a warden: what a program calls when it was started as one.
///
/// Standard input must be the socket to the worker, and no thread may have been started yet. Returns when the worker,
/// or the whole of howcome, is gone. With arguments that say so, it is a test's companion instead, which follows it to its crash.
#[must_use]
pub fn serve() -> ExitCode {
    if let Some(orders) = FollowOrders::given() {
        return orders.follow();
    }
    // There is nobody to tell of an error: standard error belongs to the test. The worker sees the socket close.
    match begin() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn begin() -> io::Result<()> {
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    let mut frames = FrameReader::default();
    let first = frames.next(&control)?.as_deref().and_then(WardenRequest::decode);
    let Some(WardenRequest::Begin(confinement, folder)) = first else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    // Without a terminal, a test cannot ask questions on it, and Ctrl-C does not reach it.
    let _ = setsid();
    // A crash that is looked for may occur a thousand times; nobody wants a thousand core files.
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    match confine::enter(confinement) {
        Err(why) => wire::send(&control, &WardenReply::Unable(why).encode()),
        Ok(WardenRole::Outside(warden)) => {
            drop(control);
            dup2_stdout(&nothing)?;
            dup2_stderr(&nothing)?;
            reap::wait_for(warden);
            Ok(())
        }
        Ok(WardenRole::Warden) => {
            drop(nothing);
            // Nothing that is sent to the first process of a namespace ends it, unless it wants that.
            if confinement != Confinement::Namespace {
                survive_signals();
            }
            let temporary = workspace::temporary_files(&folder).into_os_string();
            Environment::default().change_to(&[("TMPDIR".into(), temporary)]);
            let environment = Environment::default();
            let mask = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
            let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
            let signals = SignalFd::with_flags(&SigSet::all(), flags)?;
            let (lookup, cpu) = (Lookup::default(), Duration::ZERO);
            WardenServer { control, frames, confinement, folder, signals, mask, lookup, environment, cpu }
                .serve()
        }
    }
}

struct WardenServer {
    control: UnixStream,
    frames: FrameReader,
    confinement: Confinement,
    folder: PathBuf,
    signals: SignalFd,
    /// The signals that tests have blocked: those that howcome was started with.
    mask: SigSet,
    lookup: Lookup,
    environment: Environment,
    /// The time used by all children so far.
    cpu: Duration,
}

/// The worker is gone.
struct WorkerGone;

impl WardenServer {
    fn serve(mut self) -> io::Result<()> {
        wire::send(&self.control, &WardenReply::Ready.encode())?;
        loop {
            match self.next_request() {
                Ok(WardenRequest::Run(command, memory)) => match self.run(&command, memory) {
                    Ok(reply) if wire::send(&self.control, &reply.encode()).is_ok() => {}
                    _ => return self.leave(),
                },
                // The test had ended before the request to end it came.
                Ok(WardenRequest::Kill) => {}
                Ok(WardenRequest::Begin(..)) | Err(WorkerGone) => return self.leave(),
            }
        }
    }

    fn next_request(&mut self) -> Result<WardenRequest, WorkerGone> {
        match self.frames.next(&self.control) {
            Ok(Some(frame)) => WardenRequest::decode(&frame).ok_or(WorkerGone),
            Ok(None) | Err(_) => Err(WorkerGone),
        }
    }

    fn run(&mut self, command: &Command, memory: Option<u64>) -> Result<WardenReply, WorkerGone> {
        // The pipes outlive the test, and a test may have changed how they behave for everybody.
        keep_blocking(io::stdout());
        keep_blocking(io::stderr());
        let test = match self.spawn(command, memory) {
            Ok(test) => test,
            Err(error) => return Ok(WardenReply::NotStarted(error.raw_os_error().unwrap_or(0))),
        };
        let (mut killed, mut memory) = (false, 0);
        let status = loop {
            match reap::poll() {
                Reaped::Child(ended) => {
                    memory = ended.memory.max(memory);
                    if ended.pid == test {
                        break ended.status;
                    }
                    // An orphan. Were it not reaped now, a test that makes many would run out of process ids.
                }
                // Cannot be, since the test itself has not been reaped; but to wait for it would be forever.
                Reaped::Nobody => return Err(WorkerGone),
                Reaped::StillRunning => killed |= self.wait()?,
            }
        };
        // Looked up first, since most tests leave nobody behind.
        match reap::poll() {
            Reaped::Nobody => {}
            Reaped::StillRunning => memory = self.confinement.end_everyone().max(memory),
            Reaped::Child(ended) => memory = self.confinement.end_everyone().max(ended.memory).max(memory),
        }
        Ok(WardenReply::Ended { status, killed, cpu: self.cpu_since_last(), memory })
    }

    fn spawn(&mut self, command: &Command, memory: Option<u64>) -> io::Result<Pid> {
        self.environment.change_to(&command.environment);
        let program = self.lookup.find(command);
        let mut process = std::process::Command::new(program.unwrap_or(&command.program));
        process
            .arg0(&command.program)
            .args(&command.arguments)
            .current_dir(&command.directory)
            // A test that signals its process group must not hit the warden.
            .process_group(0);
        if let Some(input) = &command.standard_input {
            process.stdin(File::open(input)?);
        }
        if let Some(memory) = memory {
            limit_memory(&mut process, memory);
        }
        while let Ok(Some(_)) = self.signals.read_signal() {}
        // Children inherit what is blocked. A child's end in between is not missed: it is looked for before waiting.
        self.mask.thread_set_mask()?;
        let child = process.spawn();
        SigSet::all().thread_set_mask()?;
        Ok(Pid::from_raw(child?.id().cast_signed()))
    }

    /// Waits until a child has ended or the worker says something; whether it said to end the test.
    fn wait(&mut self) -> Result<bool, WorkerGone> {
        if self.frames.has_begun() {
            // It came together with the request to run the test.
            return self.end_test();
        }
        let mut watched = [
            PollFd::new(self.control.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.signals.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut watched, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return Err(WorkerGone),
        }
        let said = watched[0].any().unwrap_or(false);
        if watched[1].any().unwrap_or(false) {
            let _ = self.signals.read_signal();
        }
        if said { self.end_test() } else { Ok(false) }
    }

    fn end_test(&mut self) -> Result<bool, WorkerGone> {
        self.next_request()?;
        self.confinement.kill_everyone();
        Ok(true)
    }

    fn cpu_since_last(&mut self) -> Duration {
        let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
        let [user, system] = [usage.user_time(), usage.system_time()].map(|time| {
            let seconds = Duration::from_secs(time.tv_sec().unsigned_abs());
            seconds + Duration::from_micros(time.tv_usec().unsigned_abs())
        });
        let before = std::mem::replace(&mut self.cpu, user + system);
        self.cpu.saturating_sub(before)
    }

    fn leave(&self) -> io::Result<()> {
        self.confinement.end_everyone();
        // Whoever ended in order has done this already. Otherwise the last of the wardens removes the root.
        let _ = workspace::remove(&self.folder);
        if let Some(root) = self.folder.parent() {
            let _ = fs::remove_dir(root);
        }
        Ok(())
    }
}

fn keep_blocking(stream: impl AsFd) {
    let Ok(flags) = fcntl(&stream, FcntlArg::F_GETFL) else { return };
    let flags = OFlag::from_bits_retain(flags);
    if flags.contains(OFlag::O_NONBLOCK) {
        let _ = fcntl(&stream, FcntlArg::F_SETFL(flags - OFlag::O_NONBLOCK));
    }
}

#[allow(unsafe_code)]
fn limit_memory(process: &mut std::process::Command, bytes: u64) {
    let limit = move || Ok(setrlimit(Resource::RLIMIT_AS, bytes, bytes)?);
    // SAFETY: between fork and exec the closure makes one system call; it allocates nothing and takes no lock.
    unsafe { process.pre_exec(limit) };
}

/// Makes a warden survive what its tests may send to it.
///
/// Its signals are blocked most of the time, but not in the moment when it starts a test, which would inherit that. To
/// ignore them would be inherited as well. What has a handler is reset in the test to what it does by default.
#[allow(unsafe_code)]
fn survive_signals() {
    extern "C" fn do_nothing(_: nix::libc::c_int) {}
    let handler = SigAction::new(SigHandler::Handler(do_nothing), SaFlags::SA_RESTART, SigSet::empty());
    for signal in Signal::iterator() {
        if matches!(signal, Signal::SIGKILL | Signal::SIGSTOP | Signal::SIGCHLD | Signal::SIGPIPE) {
            continue;
        }
        // SAFETY: the handler does nothing, which is safe at any moment.
        let _ = unsafe { sigaction(signal, &handler) };
    }
}
