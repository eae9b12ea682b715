//! Time and randomness that a program gets without a system call: the counter of the processor, and the random numbers of C++. They are the
//! same in all runs.
//!
//! The kernel lets the instruction that reads the counter fail (`PR_SET_TSC`), and we answer. That is not possible for the processor's random
//! numbers (`rdrand`), so the function of the C++ library that uses them is answered as a whole.

use super::TraceError;
use super::overlay::Overlay;
use super::process::TracedProcess;
use crate::{Address, ReadMemory};

/// The functions that return a random number of the processor: `std::random_device` of libstdc++.
pub(crate) const RANDOM_FUNCTIONS: [&str; 1] = ["_ZNSt13random_device9_M_getvalEv"];
/// The instructions that read the counter: `rdtsc` and `rdtscp`.
const RDTSC: [u8; 2] = [0x0f, 0x31];
const RDTSCP: [u8; 3] = [0x0f, 0x01, 0xf9];

/// If the process has stopped because it tried to read the counter, it gets a number, and can go on.
pub(super) fn answer_counter(process: &TracedProcess, overlay: &mut Overlay) -> Result<bool, TraceError> {
    let mut registers = process.raw()?;
    let has = |code: &[u8]| {
        let mut bytes = [0; 3];
        let bytes = &mut bytes[..code.len()];
        process.read(Address(registers.rip), bytes) && bytes == code
    };
    let length = match (has(&RDTSC), has(&RDTSCP)) {
        (true, _) => RDTSC.len(),
        (_, true) => RDTSCP.len(),
        _ => return Ok(false),
    };
    if length == RDTSCP.len() {
        registers.rcx = 0;
    }
    let counter = overlay.clock.counter();
    (registers.rax, registers.rdx) = (counter & 0xffff_ffff, counter >> 32);
    registers.rip += length as u64;
    process.set_raw(registers)?;
    Ok(true)
}

/// Lets the function that was just called return a number that only looks random.
pub(super) fn answer_random(process: &TracedProcess, overlay: &mut Overlay) -> Result<(), TraceError> {
    let mut registers = process.raw()?;
    let back = process.word(Address(registers.rsp)).ok_or(TraceError::Ended)?;
    let number = overlay.numbers.draw(4).iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    (registers.rax, registers.rip, registers.rsp) = (number, back, registers.rsp + 8);
    process.set_raw(registers)
}
