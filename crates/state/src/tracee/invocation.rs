//! How a program is started, and its limits.

use super::filter;
use super::process::TracedProcess;
use super::{TraceError, Unsupported};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::{personality, prctl, ptrace};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// One run of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program's file.
    pub program: PathBuf,
    /// The name by which it is called (`argv[0]`).
    pub called: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The file for its standard input; `None` for an empty one.
    pub standard_input: Option<PathBuf>,
    /// Where it runs.
    pub directory: PathBuf,
    /// The folder for temporary files, for copies of the files that it writes.
    pub temp_folder: PathBuf,
}

/// The limits of a run. The kernel enforces them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// Bytes of stack: with a small stack, endless recursion ends soon.
    pub stack: u64,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes of the largest file that it can write, its output included.
    pub written: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self { stack: 8 << 20, memory: 4 << 30, written: 64 << 20 }
    }
}

impl Invocation {
    /// Starts the program, stopped before its first instruction and traced by this thread.
    pub(super) fn start(
        &self,
        limits: RunLimits,
        stdout: File,
        stderr: File,
    ) -> Result<TracedProcess, TraceError> {
        let could_not_start = |why: String| TraceError::CouldNotStart { program: self.program.clone(), why };
        let metadata = fs::metadata(&self.program).map_err(|error| could_not_start(error.to_string()))?;
        if metadata.permissions().mode() & 0o6000 != 0 {
            return Err(Unsupported::OtherUser.into());
        }
        let input = match &self.standard_input {
            None => Stdio::null(),
            Some(path) => Stdio::from(
                File::open(path).map_err(|error| could_not_start(format!("{}: {error}", path.display())))?,
            ),
        };
        let mut command = Command::new(&self.program);
        command.arg0(&self.called).args(&self.arguments).current_dir(&self.directory);
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(input).stdout(stdout).stderr(stderr);
        let mut filter = filter::program();
        let tracer = nix::unistd::getpid();
        // SAFETY: the closure only makes system calls and allocates nothing, as required between fork and exec.
        #[allow(unsafe_code)]
        unsafe {
            command.pre_exec(move || prepare(tracer, limits, &mut filter));
        }
        let child = command.spawn().map_err(|error| match error.raw_os_error() {
            Some(libc::EPERM) => TraceError::Forbidden(error.to_string()),
            _ => could_not_start(error.to_string()),
        })?;
        // We wait for the process by its number; dropping `child` does nothing.
        TracedProcess::adopt(Pid::from_raw(child.id() as i32))
    }
}

/// Runs in the new process before the program is executed.
fn prepare(tracer: Pid, limits: RunLimits, filter: &mut [libc::sock_filter]) -> io::Result<()> {
    // If howcome is killed before it has set its options, the program must not stay.
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    if nix::unistd::getppid() != tracer {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    // Without a terminal nobody can type at it, and Ctrl-C reaches only howcome.
    nix::unistd::setsid()?;
    let randomised = personality::get()?;
    personality::set(randomised | personality::Persona::ADDR_NO_RANDOMIZE)?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    setrlimit(Resource::RLIMIT_STACK, limits.stack, limits.stack)?;
    setrlimit(Resource::RLIMIT_AS, limits.memory, limits.memory)?;
    setrlimit(Resource::RLIMIT_FSIZE, limits.written, limits.written)?;
    keep_only_standard_streams()?;
    forbid_counter();
    ptrace::traceme()?;
    filter::install(filter)
}

/// The program is stopped when it reads the counter of the processor. Where that is not possible, it reads the real one.
fn forbid_counter() {
    // SAFETY: the call takes two numbers, and only sets a flag of this process.
    #[allow(unsafe_code)]
    let _ = unsafe { libc::prctl(libc::PR_SET_TSC, libc::PR_TSC_SIGSEGV) };
}

/// The program gets none of our other descriptors.
fn keep_only_standard_streams() -> io::Result<()> {
    // SAFETY: the call takes three numbers, and only sets a flag of this process's descriptors.
    #[allow(unsafe_code)]
    let result = unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
