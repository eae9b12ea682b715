//! The warden's side: starts tests, waits for them, ends what they leave behind.

use super::confine::{self, Confinement, WardenRole};
use super::environment::Environment;
use super::follow::FollowOrders;
use super::guard;
use super::launch::TestStarter;
use super::lookup::Lookup;
use super::reap::{self, Reaped, ResourceUse};
use super::wire::{self, FrameReader, WardenReply, WardenRequest, WorkerFolder};
use crate::{Command, workspace};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, killpg};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, setsid};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;

/// Serves as a warden. A program calls this when it was started as a warden.
///
/// Standard input must be the socket to the worker, and no thread must have been started yet. Returns when the worker,
/// or howcome as a whole, is gone. With the arguments for following a test, it follows the test to its crash instead.
#[must_use]
pub fn serve() -> ExitCode {
    if let Some(orders) = FollowOrders::given() {
        return orders.follow();
    }
    // There is nowhere to report an error: standard error belongs to the test. The worker sees the socket close.
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
    let (confinement, folder) = match first {
        Some(WardenRequest::Begin(confinement, folder)) => (confinement, folder),
        Some(WardenRequest::Guard(folders)) => {
            guard::guard(&folders, &control);
            return Ok(());
        }
        _ => return Err(io::ErrorKind::InvalidInput.into()),
    };
    // Without a terminal, a test cannot prompt, and Ctrl-C does not reach it.
    let _ = setsid();
    // The crash in question can occur a thousand times. Nobody wants a thousand core files.
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
            let WorkerFolder { path: folder, is_first } = folder;
            // Created here and not by howcome, so that there is always somebody who removes it.
            if let Err(error) = workspace::make_folder(&folder, is_first) {
                let number = error.raw_os_error().unwrap_or(0);
                return wire::send(&control, &WardenReply::NoFolder(number).encode());
            }
            let temporary = workspace::temporary_files(&folder).into_os_string();
            Environment::default().change_to(&[("TMPDIR".into(), temporary)]);
            let environment = Environment::default();
            // Tests can send signals to their warden, which must survive that.
            let mask = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
            let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
            let signals = SignalFd::with_flags(&SigSet::all(), flags)?;
            let (launcher, lookup) = (TestStarter::new(mask), Lookup::default());
            WardenServer { control, frames, confinement, folder, signals, launcher, lookup, environment }
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
    launcher: TestStarter,
    lookup: Lookup,
    environment: Environment,
}

/// The worker is gone.
struct WorkerGone;

impl WardenServer {
    fn serve(mut self) -> io::Result<()> {
        if wire::send(&self.control, &WardenReply::Ready.encode()).is_err() {
            return self.leave();
        }
        loop {
            match self.next_request() {
                Ok(WardenRequest::Run(command, memory)) => match self.run(&command, memory) {
                    Ok(reply) if wire::send(&self.control, &reply.encode()).is_ok() => {}
                    _ => return self.leave(),
                },
                // The test ended before this request arrived.
                Ok(WardenRequest::Kill | WardenRequest::Terminate) => {}
                Ok(WardenRequest::Begin(..) | WardenRequest::Guard(_)) | Err(WorkerGone) => {
                    return self.leave();
                }
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
        // The pipes outlive the test, which can have made them non-blocking for everybody.
        keep_blocking(io::stdout());
        keep_blocking(io::stderr());
        let test = match self.spawn(command, memory) {
            Ok(test) => test,
            Err(error) => return Ok(WardenReply::NotStarted(error.raw_os_error().unwrap_or(0))),
        };
        let (mut killed, mut used) = (self.wait(test)?, ResourceUse::default());
        let status = loop {
            match reap::poll() {
                Reaped::Child(ended) => {
                    used.add(ended.used);
                    if ended.pid == test {
                        break ended.status;
                    }
                    // An orphan. It must be reaped now: otherwise a test with many orphans would run out of process
                    // ids.
                }
                // Cannot happen, because the test itself has not been reaped. But waiting for it would take forever.
                Reaped::Nobody => return Err(WorkerGone),
                Reaped::StillRunning => killed |= self.wait(test)?,
            }
        };
        // Checked first, because most tests leave no processes behind.
        let left = reap::poll();
        if let Reaped::Child(ended) = &left {
            used.add(ended.used);
        }
        if left != Reaped::Nobody {
            used.add(self.confinement.end_all());
        }
        let ResourceUse { cpu, memory } = used;
        Ok(WardenReply::Ended { status, killed, cpu, memory })
    }

    fn spawn(&mut self, command: &Command, memory: Option<u64>) -> io::Result<Pid> {
        self.environment.change_to(&command.environment);
        // The end of the new child is a signal that is not read yet.
        while let Ok(Some(_)) = self.signals.read_signal() {}
        self.launcher.start(command, self.lookup.find(command), memory)
    }

    /// Waits until a child has ended or the worker sends a request. Returns whether the worker asked to end the test.
    fn wait(&mut self, test: Pid) -> Result<bool, WorkerGone> {
        if self.frames.has_begun() {
            // The request arrived together with the request to run the test.
            return self.end_test(test);
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
        if said { self.end_test(test) } else { Ok(false) }
    }

    fn end_test(&mut self, test: Pid) -> Result<bool, WorkerGone> {
        match self.next_request()? {
            // It is the first of a process group of its own.
            WardenRequest::Terminate => drop(killpg(test, Signal::SIGTERM)),
            _ => self.confinement.kill_all(),
        }
        Ok(true)
    }

    fn leave(&self) -> io::Result<()> {
        self.confinement.end_all();
        // A worker that ends normally has done this already. Otherwise the last warden removes the root folder.
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
