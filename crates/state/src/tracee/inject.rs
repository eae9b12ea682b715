//! System calls and function calls made inside a stopped process, and copies of it.

use super::TraceError;
use super::calls;
use super::instructions::answer_counter;
use super::overlay::Overlay;
use super::process::{ProcessStop, TracedProcess, is_own_fault};
use crate::{Address, ReadMemory};
use nix::unistd::Pid;

/// At most this number of signals can arrive during one injected call.
const MOST_SIGNALS: usize = 1000;

impl TracedProcess {
    /// Makes a system call with the `syscall` instruction at an address. Afterwards all registers are as before.
    pub(super) fn system_call(
        &mut self,
        instruction: Address,
        number: i64,
        arguments: [u64; 6],
    ) -> Result<i64, TraceError> {
        let saved = self.raw()?;
        let mut registers = saved;
        registers.rip = instruction.0;
        registers.rax = number as u64;
        [registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8, registers.r9] = arguments;
        self.set_raw(registers)?;
        self.step()?;
        let mut signals = Vec::new();
        loop {
            match self.wait()? {
                ProcessStop::Trap if self.is_to_be_made_again(&mut signals)? => {
                    self.set_raw(registers)?;
                    self.step()?;
                }
                ProcessStop::Trap => break,
                // The filter also stops at calls that we make ourselves.
                ProcessStop::SystemCall => self.step()?,
                ProcessStop::Signal(signal) if comes_from_outside(signal, &mut signals) => self.step()?,
                stop => {
                    return Err(TraceError::Broken(format!("a system call inside the program: {stop:?}")));
                }
            }
        }
        let result = self.raw()?.rax as i64;
        self.set_raw(saved)?;
        self.send_again(signals);
        Ok(result)
    }

    /// Whether an injected system call was interrupted by a signal that has not been delivered yet.
    fn is_to_be_made_again(&self, signals: &mut Vec<i32>) -> Result<bool, TraceError> {
        // ERESTARTSYS and similar codes, which a program never sees.
        let is_interrupted =
            (-516..=-512).contains(&(self.raw()?.rax as i64)) && signals.len() < MOST_SIGNALS;
        if is_interrupted {
            // It counts as one signal, but none is sent later.
            signals.push(libc::SIGSTOP);
        }
        Ok(is_interrupted)
    }

    /// A copy of the process, stopped at the same place.
    pub(super) fn copy(&mut self, instruction: Address) -> Result<TracedProcess, TraceError> {
        let saved = self.raw()?;
        let mut registers = saved;
        registers.rip = instruction.0;
        registers.rax = libc::SYS_clone as u64;
        // No flags and no exit signal: the signal would interrupt the next injected call.
        [registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8] = [0; 5];
        self.set_raw(registers)?;
        self.step()?;
        let mut child: Option<Pid> = None;
        let mut signals = Vec::new();
        loop {
            match self.wait()? {
                ProcessStop::Child(pid) => {
                    child = Some(pid);
                    self.step()?;
                }
                ProcessStop::Trap if child.is_none() && self.is_to_be_made_again(&mut signals)? => {
                    self.set_raw(registers)?;
                    self.step()?;
                }
                ProcessStop::Trap => break,
                ProcessStop::Signal(signal) if comes_from_outside(signal, &mut signals) => self.step()?,
                stop => return Err(TraceError::Broken(format!("copying the process: {stop:?}"))),
            }
        }
        let failed = self.raw()?.rax as i64;
        self.set_raw(saved)?;
        self.send_again(signals);
        let child =
            child.ok_or_else(|| TraceError::Broken(format!("copying the process: error {failed}")))?;
        let child = TracedProcess::born(child)?;
        child.set_raw(saved)?;
        Ok(child)
    }

    /// Calls a function with one argument. It returns to address 0, where the process is caught.
    /// Files that it changes are copies, too.
    pub(super) fn call(
        &mut self,
        overlay: &mut Overlay,
        (function, name): (Address, &str),
        argument: u64,
    ) -> Result<u64, TraceError> {
        let (saved, vectors) = (self.raw()?, self.vectors()?);
        let mut registers = saved;
        // Below the red zone of the stopped function, aligned as a call leaves it.
        registers.rsp = (saved.rsp.wrapping_sub(1024) & !15).wrapping_sub(8);
        self.write_below_stack(Address(registers.rsp), &0u64.to_le_bytes())?;
        registers.rip = function.0;
        registers.rdi = argument;
        registers.rax = 0;
        self.set_raw(registers)?;
        self.go(None)?;
        let mut signals = Vec::new();
        loop {
            match self.wait()? {
                ProcessStop::Signal(libc::SIGSEGV) if self.raw()?.rip == 0 => break,
                ProcessStop::Signal(libc::SIGSEGV) if answer_counter(self, overlay)? => self.go(None)?,
                ProcessStop::Signal(signal) if comes_from_outside(signal, &mut signals) => self.go(None)?,
                ProcessStop::SystemCall => {
                    calls::look_at(self, overlay)?;
                    self.go(None)?;
                }
                _ => {
                    if self.raw().is_ok() {
                        self.set_raw(saved)?;
                    }
                    return Err(TraceError::DidNotReturn(name.to_owned()));
                }
            }
        }
        let result = self.raw()?.rax;
        self.set_raw(saved)?;
        self.set_vectors(vectors)?;
        self.send_again(signals);
        Ok(result)
    }

    /// A `syscall` instruction in code that is mapped between two addresses.
    pub(super) fn find_system_call(&self, from: Address, to: Address) -> Option<Address> {
        let mut at = from;
        let mut part = vec![0; 1 << 16];
        while at < to {
            let length = part.len().min((to - at) as usize);
            if !self.read(at, &mut part[..length]) {
                return None;
            }
            if let Some(found) = part[..length].windows(2).position(|pair| pair == [0x0f, 0x05]) {
                return Some(at + found as u64);
            }
            at = at + length as u64 - u64::from(at + (length as u64) < to);
        }
        None
    }
}

/// Whether a signal has nothing to do with the injected call: that of a timer, for example. It is kept for later.
fn comes_from_outside(signal: i32, signals: &mut Vec<i32>) -> bool {
    let is_kept = !is_own_fault(signal) && signal != libc::SIGABRT && signals.len() < MOST_SIGNALS;
    if is_kept {
        signals.push(signal);
    }
    is_kept
}
