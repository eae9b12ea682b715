//! A process under ptrace: registers, memory, and single steps.

use super::{TraceError, Unsupported};
use crate::debug::REGISTERS;
use crate::{Address, ReadMemory};
use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::uio::{RemoteIoVec, process_vm_readv, process_vm_writev};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{IoSlice, IoSliceMut};
use std::os::unix::fs::FileExt;

/// The general registers as the kernel has them.
pub(super) type RawRegisters = libc::user_regs_struct;

/// A stopped process that this thread traces. It is killed when this value is dropped.
#[derive(Debug)]
pub struct TracedProcess {
    pid: Pid,
    /// Its memory by address, including code.
    memory: Option<File>,
    /// Whether it has ended and has been waited for.
    gone: bool,
}

/// Why a process has stopped, or how it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessStop {
    /// A breakpoint or a step.
    Trap,
    /// A signal that has not been delivered yet.
    Signal(i32),
    /// A system call at which the filter stops, before it is made.
    SystemCall,
    /// It made another process or thread.
    Child(Pid),
    /// It executed another program.
    Exec,
    /// It exited.
    Exited(i32),
    /// A signal killed it.
    Killed(i32),
}

impl TracedProcess {
    /// Takes over a child that has requested to be traced and is about to execute its program.
    pub(super) fn adopt(pid: Pid) -> Result<Self, TraceError> {
        let mut process = Self { pid, memory: None, gone: false };
        match process.wait()? {
            ProcessStop::Trap => {}
            stop => {
                return Err(TraceError::Broken(format!("the program did not begin as expected: {stop:?}")));
            }
        }
        let options = Options::PTRACE_O_EXITKILL
            | Options::PTRACE_O_TRACESECCOMP
            | Options::PTRACE_O_TRACEFORK
            | Options::PTRACE_O_TRACEVFORK
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_TRACEEXEC;
        ptrace::setoptions(pid, options).map_err(|error| TraceError::system("ptrace", error))?;
        Ok(process)
    }

    /// A child of a traced process. It is traced from the start.
    pub(super) fn born(pid: Pid) -> Result<Self, TraceError> {
        let mut process = Self { pid, memory: None, gone: false };
        match process.wait()? {
            ProcessStop::Signal(libc::SIGSTOP) | ProcessStop::Trap => Ok(process),
            stop => {
                Err(TraceError::Broken(format!("a copy of the process did not begin as expected: {stop:?}")))
            }
        }
    }

    /// Its process number.
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// Waits until it stops or ends.
    pub(super) fn wait(&mut self) -> Result<ProcessStop, TraceError> {
        loop {
            let status = match wait_for(self.pid) {
                Err(Errno::EINTR) => continue,
                Err(error) => {
                    self.gone = true;
                    return Err(TraceError::system("waitpid", error));
                }
                Ok(status) => status,
            };
            if libc::WIFEXITED(status) {
                self.gone = true;
                return Ok(ProcessStop::Exited(libc::WEXITSTATUS(status)));
            }
            if libc::WIFSIGNALED(status) {
                self.gone = true;
                return Ok(ProcessStop::Killed(libc::WTERMSIG(status)));
            }
            if !libc::WIFSTOPPED(status) {
                continue;
            }
            return Ok(match (status >> 16, libc::WSTOPSIG(status)) {
                (0, libc::SIGTRAP) => ProcessStop::Trap,
                (0, signal) => ProcessStop::Signal(signal),
                (libc::PTRACE_EVENT_SECCOMP, _) => ProcessStop::SystemCall,
                (libc::PTRACE_EVENT_EXEC, _) => ProcessStop::Exec,
                _ => {
                    let number =
                        ptrace::getevent(self.pid).map_err(|error| TraceError::system("ptrace", error))?;
                    ProcessStop::Child(Pid::from_raw(number as i32))
                }
            });
        }
    }

    /// Lets it run, with a signal if one is given.
    pub(super) fn go(&self, signal: Option<i32>) -> Result<(), TraceError> {
        let nowhere = std::ptr::null_mut::<libc::c_void>();
        let signal = libc::c_long::from(signal.unwrap_or(0));
        // SAFETY: the request takes a number as its data and reads nothing; the process is our own child.
        #[allow(unsafe_code)]
        let result = unsafe { libc::ptrace(libc::PTRACE_CONT, self.pid.as_raw(), nowhere, signal) };
        Errno::result(result).map(drop).map_err(|error| TraceError::system("ptrace", error))
    }

    /// Sends signals that arrived during an injected call. They are delivered when the process continues.
    pub(super) fn send_again(&self, mut signals: Vec<i32>) {
        signals.sort_unstable();
        signals.dedup();
        for signal in signals.into_iter().filter(|signal| *signal != libc::SIGSTOP) {
            // SAFETY: the call takes three numbers. The process may already have ended.
            #[allow(unsafe_code)]
            unsafe {
                libc::syscall(libc::SYS_tgkill, self.pid.as_raw(), self.pid.as_raw(), signal);
            }
        }
    }

    /// Executes one instruction.
    pub(super) fn step(&self) -> Result<(), TraceError> {
        ptrace::step(self.pid, None).map_err(|error| TraceError::system("ptrace", error))
    }

    /// Its registers.
    pub(super) fn raw(&self) -> Result<RawRegisters, TraceError> {
        ptrace::getregs(self.pid).map_err(|error| TraceError::system("ptrace", error))
    }

    /// Sets its registers. An interrupted system call is not restarted.
    pub(super) fn set_raw(&self, mut registers: RawRegisters) -> Result<(), TraceError> {
        registers.orig_rax = u64::MAX;
        ptrace::setregs(self.pid, registers).map_err(|error| TraceError::system("ptrace", error))
    }

    /// Sets its registers in the middle of a system call.
    pub(super) fn set_system_call(&self, registers: RawRegisters) -> Result<(), TraceError> {
        ptrace::setregs(self.pid, registers).map_err(|error| TraceError::system("ptrace", error))
    }

    /// Floating point and vector registers, to be restored after a call.
    pub(super) fn vectors(&self) -> Result<libc::user_fpregs_struct, TraceError> {
        ptrace::getregset::<ptrace::regset::NT_PRFPREG>(self.pid)
            .map_err(|error| TraceError::system("ptrace", error))
    }

    /// Restores floating point and vector registers.
    pub(super) fn set_vectors(&self, vectors: libc::user_fpregs_struct) -> Result<(), TraceError> {
        ptrace::setregset::<ptrace::regset::NT_PRFPREG>(self.pid, vectors)
            .map_err(|error| TraceError::system("ptrace", error))
    }

    /// Its registers in the order of DWARF.
    pub fn registers(&self) -> Result<[u64; REGISTERS], TraceError> {
        Ok(in_order(&self.raw()?))
    }

    /// Where the memory of its only thread ends.
    pub(super) fn thread_pointer(&self) -> Result<Address, TraceError> {
        Ok(Address(self.raw()?.fs_base))
    }

    /// Sets one register by its number in DWARF.
    pub fn set_register(&self, number: u16, value: u64) -> Result<(), TraceError> {
        let mut raw = self.raw()?;
        set_in_order(&mut raw, number, value);
        self.set_raw(raw)
    }

    /// Writes data.
    pub fn write(&self, at: Address, bytes: &[u8]) -> Result<(), TraceError> {
        let remote = RemoteIoVec { base: at.0 as usize, len: bytes.len() };
        match process_vm_writev(self.pid, &[IoSlice::new(bytes)], &[remote]) {
            Ok(written) if written == bytes.len() => Ok(()),
            _ => Err(TraceError::NotWritable(at)),
        }
    }

    /// Writes below the stack pointer. The stack may have to grow first, as it does for the program itself.
    pub(super) fn write_below_stack(&self, at: Address, bytes: &[u8]) -> Result<(), TraceError> {
        self.write(at, bytes).or_else(|error| {
            let memory = File::options().write(true).open(format!("/proc/{}/mem", self.pid));
            memory.and_then(|memory| memory.write_all_at(bytes, at.0)).map_err(|_| error)
        })
    }

    /// Writes to code, which the program itself cannot write.
    pub(super) fn write_code(&mut self, at: Address, bytes: &[u8]) -> Result<(), TraceError> {
        let file = self.memory_file()?;
        file.write_all_at(bytes, at.0).map_err(|_| TraceError::NotWritable(at))
    }

    fn memory_file(&mut self) -> Result<&File, TraceError> {
        if self.memory.is_none() {
            let path = format!("/proc/{}/mem", self.pid);
            let file = File::options().read(true).write(true).open(&path);
            self.memory = Some(file.map_err(|error| TraceError::Broken(format!("{path}: {error}")))?);
        }
        self.memory.as_ref().ok_or(TraceError::Refused(Unsupported::Vanished))
    }

    /// Kills it.
    pub fn kill(&mut self) {
        if self.gone {
            return;
        }
        // It must not outlive this value. It may already have ended.
        let _ = nix::sys::signal::kill(self.pid, Signal::SIGKILL);
        while !self.gone {
            if self.wait().is_err() {
                break;
            }
        }
    }
}

/// The next event of a process as the kernel reports it: a signal can have a number without a name.
fn wait_for(pid: Pid) -> Result<i32, Errno> {
    let mut status = 0;
    // SAFETY: the status is written to a local variable that outlives the call.
    #[allow(unsafe_code)]
    let result = unsafe { libc::waitpid(pid.as_raw(), &raw mut status, libc::__WALL) };
    Errno::result(result).map(|_| status)
}

/// Whether the current instruction causes the signal, and causes it again when it is repeated.
pub(super) fn is_own_fault(signal: i32) -> bool {
    matches!(signal, libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL | libc::SIGSYS)
}

impl Drop for TracedProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

impl ReadMemory for TracedProcess {
    fn read(&self, at: Address, into: &mut [u8]) -> bool {
        let length = into.len();
        let remote = RemoteIoVec { base: at.0 as usize, len: length };
        process_vm_readv(self.pid, &mut [IoSliceMut::new(into)], &[remote]) == Ok(length)
    }
}

/// The registers in the order of DWARF.
fn in_order(raw: &RawRegisters) -> [u64; REGISTERS] {
    [
        raw.rax, raw.rdx, raw.rcx, raw.rbx, raw.rsi, raw.rdi, raw.rbp, raw.rsp, raw.r8, raw.r9, raw.r10,
        raw.r11, raw.r12, raw.r13, raw.r14, raw.r15, raw.rip,
    ]
}

fn set_in_order(raw: &mut RawRegisters, number: u16, value: u64) {
    let register = match number {
        0 => &mut raw.rax,
        1 => &mut raw.rdx,
        2 => &mut raw.rcx,
        3 => &mut raw.rbx,
        4 => &mut raw.rsi,
        5 => &mut raw.rdi,
        6 => &mut raw.rbp,
        8 => &mut raw.r8,
        9 => &mut raw.r9,
        10 => &mut raw.r10,
        11 => &mut raw.r11,
        12 => &mut raw.r12,
        13 => &mut raw.r13,
        14 => &mut raw.r14,
        15 => &mut raw.r15,
        // The program counter and the stack pointer are the same at comparable places, and are never changed.
        _ => return,
    };
    *register = value;
}
