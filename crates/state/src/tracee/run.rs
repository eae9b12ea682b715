//! Runs a traced program from one place to the next, and to its end.

use super::active_call::ActiveCall;
use super::descriptors::{self, OpenDescriptor};
use super::instructions::{answer_counter, answer_random};
use super::mappings::{self, Mapping};
use super::near_memory::NearMemory;
use super::overlay::Overlay;
use super::process::{ProcessStop, TracedProcess, is_own_fault};
use super::{
    Descriptor, Invocation, Output, RunLimits, TraceError, Unsupported, WatchGuard, Watchdog, calls,
};
use crate::debug::{Loaded, Program, Registers, StackFrame};
use crate::graph::{OpenFile, ProgramState};
use crate::matching::Alterations;
use crate::{Address, ReadMemory, Snapshot};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// At most this number of frames of a crash is read.
const MOST_FRAMES: usize = 400;
const BREAKPOINT: u8 = 0xcc;
/// How long libraries can take to load.
const LONGEST_LOADING: Duration = Duration::from_secs(20);

/// A run of a program that can be stopped, inspected and copied.
#[derive(Debug)]
pub struct Tracee {
    process: TracedProcess,
    overlay: Overlay,
    /// The breakpoints: addresses with their original bytes.
    breakpoints: HashMap<Address, u8>,
    /// The breakpoint at which the process is stopped.
    at: Option<Address>,
    /// The functions that we answer.
    answered: HashSet<Address>,
    /// A `syscall` instruction.
    instruction: Address,
    watch: Option<WatchGuard>,
    /// The last signal that can have killed it.
    crash: Option<Crash>,
    /// The calls that were active when it exited with an error.
    exit_calls: Vec<ActiveCall>,
    /// How it ended; `None` while it runs.
    end: Option<RunEnd>,
    /// Whether copies would share memory with it; `None` until that has been checked.
    shared: Option<Vec<Mapping>>,
}

/// The next event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    /// It reached a breakpoint.
    Breakpoint(Address),
    /// It ended.
    Ended(RunEnd),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// It exited with this code.
    Exited(i32),
    /// A signal killed it.
    Killed(Crash),
    /// It took too long.
    TimedOut,
    /// The function returned in which it was stopped, and runs end with it.
    Returned,
    /// The loop in which it was stopped began its next round, and runs end with it: the lines of the function that it executed.
    Round(Vec<u32>),
}

/// A deadly signal, and where it was raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The signal.
    pub signal: i32,
    /// The calls that were active, innermost first.
    pub backtrace: Vec<ActiveCall>,
}

impl Tracee {
    /// Starts a program and lets it load its libraries.
    pub fn start(invocation: &Invocation, limits: RunLimits, output: &Output) -> Result<Self, TraceError> {
        let file = |file: &std::fs::File| {
            file.try_clone().map_err(|error| TraceError::Broken(format!("no descriptor left: {error}")))
        };
        let process = invocation.start(limits, file(&output.stdout)?, file(&output.stderr)?)?;
        let mut tracee = Self {
            process,
            overlay: Overlay::new(invocation.temp_folder.clone()),
            breakpoints: HashMap::new(),
            at: None,
            answered: HashSet::new(),
            instruction: Address(0),
            watch: None,
            crash: None,
            exit_calls: Vec::new(),
            end: None,
            shared: None,
        };
        super::randomness::fix_start(&tracee.process)?;
        let entry = mappings::entry(&tracee.process)?;
        tracee.set_breakpoints(&[entry])?;
        // Libraries can do anything when they are loaded, for example wait forever.
        let watchdog = Watchdog::new();
        tracee.limit(&watchdog, LONGEST_LOADING)?;
        match tracee.go(None)? {
            TraceEvent::Breakpoint(_) => tracee.clear_breakpoints()?,
            TraceEvent::Ended(RunEnd::TimedOut) => {
                let why = "its libraries do not finish loading".to_owned();
                return Err(TraceError::CouldNotStart { program: invocation.program.clone(), why });
            }
            TraceEvent::Ended(_) => return Err(TraceError::Ended),
        }
        tracee.unlimit();
        tracee.instruction = tracee.find_instruction()?;
        Ok(tracee)
    }

    fn find_instruction(&self) -> Result<Address, TraceError> {
        let found = self.mappings()?.iter().find_map(|mapping| {
            let is_code = mapping.executable && mapping.readable && mapping.name != "[vsyscall]";
            is_code.then(|| self.process.find_system_call(mapping.from, mapping.to)).flatten()
        });
        found.ok_or_else(|| {
            TraceError::Broken("there is no system call instruction in the program".to_owned())
        })
    }

    fn mappings(&self) -> Result<Vec<Mapping>, TraceError> {
        mappings::mappings(&self.process)
    }

    /// The program and its libraries.
    pub fn loaded(&self, program: &std::path::Path) -> Result<Vec<Loaded>, TraceError> {
        Ok(mappings::loaded(&self.mappings()?, program))
    }

    /// The process itself.
    #[must_use]
    pub fn process(&self) -> &TracedProcess {
        &self.process
    }

    /// Kills it if it works longer than this from now on.
    pub fn limit(&mut self, watchdog: &Watchdog, limit: Duration) -> Result<(), TraceError> {
        self.watch = Some(watchdog.watch(self.process.pid(), limit)?);
        Ok(())
    }

    /// Removes the limit.
    pub fn unlimit(&mut self) {
        self.watch = None;
    }

    /// Sets breakpoints.
    pub fn set_breakpoints(&mut self, addresses: &[Address]) -> Result<(), TraceError> {
        for address in addresses {
            if self.breakpoints.contains_key(address) || self.answered.contains(address) {
                continue;
            }
            let mut byte = [0];
            if !self.process.read(*address, &mut byte) {
                return self.unless_timed_out(Err(TraceError::NotWritable(*address)));
            }
            let written = self.process.write_code(*address, &[BREAKPOINT]);
            self.unless_timed_out(written)?;
            self.breakpoints.insert(*address, byte[0]);
        }
        Ok(())
    }

    /// What was done to the stopped process. If the watchdog has killed it, that is seen when the run goes on.
    fn unless_timed_out(&self, done: Result<(), TraceError>) -> Result<(), TraceError> {
        match self.watch.as_ref().is_some_and(WatchGuard::timed_out) {
            true => Ok(()),
            false => done,
        }
    }

    /// Removes a breakpoint.
    pub fn clear_breakpoint(&mut self, address: Address) -> Result<(), TraceError> {
        match self.breakpoints.remove(&address) {
            Some(byte) => {
                let written = self.process.write_code(address, &[byte]);
                self.unless_timed_out(written)
            }
            None => Ok(()),
        }
    }

    /// Removes all breakpoints.
    pub fn clear_breakpoints(&mut self) -> Result<(), TraceError> {
        let addresses: Vec<Address> = self.breakpoints.keys().copied().collect();
        addresses.into_iter().try_for_each(|address| self.clear_breakpoint(address))
    }

    /// Runs to the next breakpoint or to the end. The program is needed for the backtrace of a crash.
    pub fn go(&mut self, program: Option<&Program>) -> Result<TraceEvent, TraceError> {
        match self.go_on(program) {
            // The watchdog can have killed it while it was stopped.
            Err(TraceError::Refused(Unsupported::Vanished) | TraceError::NotWritable(_))
                if self.watch.as_ref().is_some_and(WatchGuard::timed_out) =>
            {
                self.process.kill();
                Ok(TraceEvent::Ended(self.ended(RunEnd::TimedOut)))
            }
            event => event,
        }
    }

    fn go_on(&mut self, program: Option<&Program>) -> Result<TraceEvent, TraceError> {
        self.shared = None;
        self.leave_breakpoint()?;
        if let Some(end) = &self.end {
            return Ok(TraceEvent::Ended(end.clone()));
        }
        let mut signal = None;
        loop {
            self.process.go(signal.take())?;
            match self.process.wait()? {
                ProcessStop::Trap => match self.breakpoint_here()? {
                    Some(address) => return Ok(TraceEvent::Breakpoint(address)),
                    None if self.is_answered_here()? => {}
                    None => signal = Some(libc::SIGTRAP),
                },
                ProcessStop::Signal(libc::SIGSTOP) => {}
                ProcessStop::Signal(libc::SIGSEGV) if answer_counter(&self.process, &mut self.overlay)? => {}
                ProcessStop::Signal(number) => {
                    self.note(number, program)?;
                    signal = Some(number);
                }
                ProcessStop::SystemCall => {
                    self.note_exit(program)?;
                    calls::look_at(&self.process, &mut self.overlay)?;
                }
                ProcessStop::Child(pid) => return Err(self.refuse_child(pid)),
                ProcessStop::Exec => return Err(Unsupported::Exec.into()),
                ProcessStop::Exited(status) => {
                    return Ok(TraceEvent::Ended(self.ended(RunEnd::Exited(status))));
                }
                ProcessStop::Killed(signal) => {
                    let end = self.killed(signal);
                    return Ok(TraceEvent::Ended(self.ended(end)));
                }
            }
        }
    }

    fn ended(&mut self, end: RunEnd) -> RunEnd {
        self.end = Some(end.clone());
        end
    }

    /// How it ended; `Returned` if it has not ended.
    #[must_use]
    pub fn end(&self) -> RunEnd {
        self.end.clone().unwrap_or(RunEnd::Returned)
    }

    /// Runs until it reaches an address for the `hit`-th time, counted from 1. Returns how many times it reached the
    /// `counted` address on the way.
    pub fn go_to(
        &mut self,
        address: Address,
        hit: u32,
        counted: Option<Address>,
        program: &Program,
    ) -> Result<u32, TraceError> {
        self.set_breakpoints(&[address])?;
        self.set_breakpoints(counted.as_slice())?;
        let (mut hits, mut passed) = (0, 0);
        while hits < hit {
            match self.go(Some(program))? {
                TraceEvent::Breakpoint(at) => {
                    hits += u32::from(at == address);
                    passed += u32::from(Some(at) == counted);
                }
                TraceEvent::Ended(_) => return Err(TraceError::Ended),
            }
        }
        Ok(passed)
    }

    /// Goes on somewhere else in the same call. Breakpoints must have been removed.
    pub(crate) fn jump(&mut self, to: Address) -> Result<(), TraceError> {
        self.at = None;
        let mut registers = self.process.raw()?;
        registers.rip = to.0;
        self.process.set_raw(registers)
    }

    /// Runs to the end.
    pub fn go_to_end(&mut self, program: &Program) -> Result<RunEnd, TraceError> {
        loop {
            if let TraceEvent::Ended(end) = self.go(Some(program))? {
                return Ok(end);
            }
        }
    }

    /// Executes one instruction; `None` if the process has ended.
    pub fn step(&mut self) -> Result<Option<Address>, TraceError> {
        let byte = self.at.take().and_then(|at| self.breakpoints.get(&at).map(|byte| (at, *byte)));
        if let Some((at, byte)) = byte {
            self.process.write_code(at, &[byte])?;
        }
        let stepped = self.one_step()?;
        if let (Some((at, _)), true) = (byte, stepped) {
            self.process.write_code(at, &[BREAKPOINT])?;
        }
        if !stepped {
            return Ok(None);
        }
        Ok(Some(Address(self.process.raw()?.rip)))
    }

    fn one_step(&mut self) -> Result<bool, TraceError> {
        if !self.answered.is_empty() && self.answered.contains(&Address(self.process.raw()?.rip)) {
            answer_random(&self.process, &mut self.overlay)?;
            return Ok(true);
        }
        let mut signals = Vec::new();
        loop {
            self.process.step()?;
            match self.process.wait()? {
                ProcessStop::Trap => {
                    self.process.send_again(signals);
                    return Ok(true);
                }
                ProcessStop::SystemCall => calls::look_at(&self.process, &mut self.overlay)?,
                ProcessStop::Child(pid) => return Err(self.refuse_child(pid)),
                ProcessStop::Exec => return Err(Unsupported::Exec.into()),
                ProcessStop::Signal(libc::SIGSEGV) if answer_counter(&self.process, &mut self.overlay)? => {
                    self.process.send_again(signals);
                    return Ok(true);
                }
                // The signal comes again when the process continues.
                ProcessStop::Signal(signal) if is_own_fault(signal) => return Ok(false),
                ProcessStop::Signal(signal) => signals.push(signal),
                ProcessStop::Exited(status) => {
                    self.ended(RunEnd::Exited(status));
                    return Ok(false);
                }
                ProcessStop::Killed(signal) => {
                    let end = self.killed(signal);
                    self.ended(end);
                    return Ok(false);
                }
            }
        }
    }

    fn leave_breakpoint(&mut self) -> Result<(), TraceError> {
        if self.at.is_some_and(|at| self.breakpoints.contains_key(&at)) {
            self.step()?;
        }
        self.at = None;
        Ok(())
    }

    /// Functions that return random numbers return the same ones in all runs.
    pub(crate) fn answer_functions(&mut self, functions: &[Address]) -> Result<(), TraceError> {
        for function in functions {
            self.process.write_code(*function, &[BREAKPOINT])?;
            self.answered.insert(*function);
        }
        Ok(())
    }

    /// Whether it has called a function that we answer. Then it can go on.
    fn is_answered_here(&mut self) -> Result<bool, TraceError> {
        if self.answered.is_empty() || !self.answered.contains(&(Address(self.process.raw()?.rip) - 1)) {
            return Ok(false);
        }
        answer_random(&self.process, &mut self.overlay)?;
        Ok(true)
    }

    fn breakpoint_here(&mut self) -> Result<Option<Address>, TraceError> {
        let mut registers = self.process.raw()?;
        let address = Address(registers.rip) - 1;
        if !self.breakpoints.contains_key(&address) {
            return Ok(None);
        }
        registers.rip = address.0;
        self.process.set_raw(registers)?;
        self.at = Some(address);
        Ok(Some(address))
    }

    /// Remembers where a signal was raised that can kill the process.
    fn note(&mut self, signal: i32, program: Option<&Program>) -> Result<(), TraceError> {
        let is_deadly = matches!(
            signal,
            libc::SIGSEGV | libc::SIGABRT | libc::SIGBUS | libc::SIGFPE | libc::SIGILL | libc::SIGSYS
        );
        if let (true, Some(program)) = (is_deadly, program) {
            let frames = self.frames(program, MOST_FRAMES)?;
            let call = |frame: &StackFrame| ActiveCall::of(program, frame);
            self.crash = Some(Crash { signal, backtrace: frames.iter().map(call).collect() });
        }
        Ok(())
    }

    /// Remembers which calls are active when the process exits with an error.
    fn note_exit(&mut self, program: Option<&Program>) -> Result<(), TraceError> {
        let registers = self.process.raw()?;
        let is_error = registers.orig_rax as i64 == libc::SYS_exit_group && registers.rdi as u8 != 0;
        if let (true, Some(program)) = (is_error, program) {
            let frames = self.frames(program, MOST_FRAMES)?;
            self.exit_calls = frames.iter().map(|frame| ActiveCall::of(program, frame)).collect();
        }
        Ok(())
    }

    /// The calls that were active when it exited with an error, innermost first.
    #[must_use]
    pub fn exit_calls(&self) -> &[ActiveCall] {
        &self.exit_calls
    }

    fn killed(&mut self, signal: i32) -> RunEnd {
        if self.watch.as_ref().is_some_and(WatchGuard::timed_out) {
            return RunEnd::TimedOut;
        }
        let crash = self.crash.take().filter(|crash| crash.signal == signal);
        RunEnd::Killed(crash.unwrap_or(Crash { signal, backtrace: Vec::new() }))
    }

    fn refuse_child(&self, pid: nix::unistd::Pid) -> TraceError {
        // The new process is killed when this value is dropped, before it has done anything.
        let child = TracedProcess::born(pid);
        let is_thread = std::fs::exists(format!("/proc/{}/task/{pid}", self.process.pid())).unwrap_or(false);
        drop(child);
        if is_thread { Unsupported::Thread.into() } else { Unsupported::Process.into() }
    }

    /// The stack pointer.
    pub fn stack_pointer(&self) -> Result<Address, TraceError> {
        Ok(Address(self.process.raw()?.rsp))
    }

    /// The active calls, innermost first.
    pub fn frames(&self, program: &Program, most: usize) -> Result<Vec<StackFrame>, TraceError> {
        let registers = Registers::of_innermost(self.process.registers()?);
        let stack = NearMemory::of(&self.process, registers.value(Registers::STACK_POINTER).unwrap_or(0));
        Ok(program.backtrace(&registers, &stack, most))
    }

    /// The memory of the stopped process.
    pub fn snapshot(&self) -> Result<Snapshot, TraceError> {
        mappings::snapshot(&self.process)
    }

    /// The state of the stopped process.
    pub fn state(&self, program: &Program) -> Result<ProgramState, TraceError> {
        let frames = self.frames(program, MOST_FRAMES)?;
        Ok(ProgramState::read(program, frames, self.snapshot()?, self.files()?))
    }

    /// The files that it reads.
    pub fn files(&self) -> Result<Vec<OpenFile>, TraceError> {
        Ok(descriptors::files(&self.open()?))
    }

    fn open(&self) -> Result<Vec<OpenDescriptor>, TraceError> {
        descriptors::open_in(&self.process, &self.overlay)
    }

    /// Calls a function of the stopped program with one argument.
    pub fn call(&mut self, function: Address, name: &str, argument: u64) -> Result<u64, TraceError> {
        self.process.call(&mut self.overlay, (function, name), argument)
    }

    /// A copy of the stopped process with these alterations and without breakpoints. It prints to `output`.
    pub fn altered(&mut self, output: &Output, alterations: &Alterations) -> Result<Tracee, TraceError> {
        self.clear_breakpoints()?;
        self.at = None;
        let open = self.open()?;
        let mut process = self.process.copy(self.instruction)?;
        self.unshare(&mut process)?;
        let mut overlay = self.overlay.clone();
        let files = &alterations.files;
        descriptors::separate(&mut process, &mut overlay, &open, output, files, self.instruction)?;
        for (at, bytes) in &alterations.writes {
            match at.register() {
                Some(number) => {
                    let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
                    process.set_register(number, value)?;
                }
                None => process.write(*at, bytes)?,
            }
        }
        Ok(Tracee {
            process,
            overlay,
            breakpoints: HashMap::new(),
            at: None,
            answered: self.answered.clone(),
            instruction: self.instruction,
            watch: None,
            crash: None,
            exit_calls: Vec::new(),
            end: None,
            shared: None,
        })
    }
}

impl Tracee {
    /// Gives a copy of this process its own memory in place of shared memory.
    fn unshare(&mut self, copy: &mut TracedProcess) -> Result<(), TraceError> {
        if self.shared.is_none() {
            let shared = self.mappings()?.into_iter().filter(|mapping| mapping.shared && mapping.writable);
            self.shared = Some(shared.collect());
        }
        for mapping in self.shared.iter().flatten() {
            if !mapping.name.starts_with("/dev/zero") {
                return Err(Unsupported::Shared(Descriptor::Memory).into());
            }
            descriptors::own_memory(copy, mapping, self.instruction)?;
        }
        Ok(())
    }
}
