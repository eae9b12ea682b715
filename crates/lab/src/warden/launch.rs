//! Starts the process of a test.
//!
//! The usual way makes a system call or two for each signal to reset its handler, which costs about a tenth of a short test. A
//! warden needs none of them: it has no handlers, except Rust's own for crashes, and the kernel resets these when the test begins.

use super::reap;
use crate::Command;
use nix::errno::Errno;
use nix::libc;
use nix::sched::{CloneFlags, clone};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use nix::unistd::{Pid, chdir, dup2_stdin, setpgid};
use std::ffi::{CString, OsStr, c_char};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

/// No error of the operating system.
const STARTED: i32 = 0;

/// What a new process does before it becomes a test needs much less than this.
const STACK: usize = 1 << 16;

/// Starts one test after the other.
#[derive(Debug)]
pub(super) struct TestStarter {
    stack: Vec<u8>,
    /// The signal mask of tests: the one that howcome was started with.
    mask: SigSet,
}

/// What a new process needs to become a test. Nothing of it is allocated by the new process.
struct Launch<'a> {
    /// Where the program can be.
    programs: Vec<CString>,
    /// Ends with a null pointer.
    arguments: Vec<*const c_char>,
    directory: CString,
    input: Option<File>,
    memory: Option<u64>,
    mask: &'a SigSet,
}

impl TestStarter {
    pub(super) fn new(mask: SigSet) -> Self {
        Self { stack: vec![0; STACK], mask }
    }

    /// Starts a test. All signals must be blocked, and the process must have a single thread.
    pub(super) fn start(
        &mut self,
        command: &Command,
        programs: &[PathBuf],
        memory: Option<u64>,
    ) -> io::Result<Pid> {
        let words = [command.program.as_os_str()].into_iter();
        let words = words.chain(command.arguments.iter().map(AsRef::as_ref));
        let words: Vec<CString> = words.map(c_string).collect::<io::Result<_>>()?;
        let launch = Launch {
            programs: programs.iter().map(|path| c_string(path.as_os_str())).collect::<io::Result<_>>()?,
            arguments: words.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect(),
            directory: c_string(command.directory.as_os_str())?,
            input: command.standard_input.as_ref().map(File::open).transpose()?,
            memory,
            mask: &self.mask,
        };
        let error = AtomicI32::new(STARTED);
        let test = in_new_process(&mut self.stack, || error.store(launch.become_test(), Ordering::Release))?;
        match error.into_inner() {
            STARTED => Ok(test),
            error => {
                reap::wait_for(test);
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| Errno::EINVAL.into())
}

/// Runs a function in a new process that shares the memory of this one, which waits until the function returns or has become
/// another program.
#[allow(unsafe_code)]
fn in_new_process(stack: &mut [u8], work: impl Fn()) -> nix::Result<Pid> {
    let child = || {
        work();
        // SAFETY: it ends the new process at once and runs nothing of what this process has registered for its end.
        unsafe { libc::_exit(127) }
    };
    let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    // SAFETY: this process has a single thread, which does not go on before the new process is done with the memory. The new
    // process has a stack of its own, which is large enough for a few system calls. It does not return from `child`.
    unsafe { clone(Box::new(child), stack, flags, Some(libc::SIGCHLD)) }
}

impl Launch<'_> {
    /// Becomes the test. Returns only if that is not possible, with the number of the error. It neither allocates nor panics, because it runs in the memory of
    /// another process.
    fn become_test(&self) -> i32 {
        match self.prepare() {
            Ok(()) => self.execute(),
            Err(error) => error as i32,
        }
    }

    fn prepare(&self) -> nix::Result<()> {
        // A test that signals its process group must not hit the warden.
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        chdir(self.directory.as_c_str())?;
        if let Some(input) = &self.input {
            dup2_stdin(input)?;
        }
        if let Some(memory) = self.memory {
            setrlimit(Resource::RLIMIT_AS, memory, memory)?;
        }
        default_action(Signal::SIGPIPE)?;
        self.mask.thread_set_mask()
    }

    #[allow(unsafe_code)]
    fn execute(&self) -> i32 {
        const NOT_HERE: [i32; 2] = [libc::ENOENT, libc::ENOTDIR];
        let mut error = libc::ENOENT;
        for program in &self.programs {
            // SAFETY: the strings and the array of pointers to them, which ends with a null pointer, outlive the call.
            unsafe { libc::execv(program.as_ptr(), self.arguments.as_ptr()) };
            match Errno::last_raw() {
                // Not in this folder, or not a program that the user can run. The next folder can have it.
                missing if NOT_HERE.contains(&missing) => {}
                libc::EACCES => error = libc::EACCES,
                other => return other,
            }
        }
        error
    }
}

/// Rust programs ignore SIGPIPE, and what is ignored is inherited.
#[allow(unsafe_code)]
fn default_action(signal: Signal) -> nix::Result<()> {
    let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    // SAFETY: the default action runs no code of this process.
    unsafe { sigaction(signal, &default) }.map(drop)
}
