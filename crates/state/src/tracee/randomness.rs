//! Random numbers are the same in all runs, so that two runs differ only by what the user gave them.
//!
//! Without this, hash tables whose order depends on a random seed (as in Rust) differ everywhere.

use super::TraceError;
use super::process::TracedProcess;
use crate::{Address, ReadMemory};

/// Entries of the table that the kernel passes to a program: nothing, the address of the kernel's own library, and that of 16
/// random bytes.
const AT_IGNORE: u64 = 1;
const AT_RANDOM: u64 = 25;
const AT_SYSINFO_EHDR: u64 = 33;
/// The arguments, the environment and the table have at most this number of words.
const MOST_WORDS: u64 = 1 << 17;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of numbers that only look random (xorshift, Marsaglia 2003).
#[derive(Clone, Copy, Debug)]
pub(super) struct FixedNumbers(u64);

impl Default for FixedNumbers {
    fn default() -> Self {
        Self(SEED)
    }
}

impl FixedNumbers {
    /// The numbers of a device that a program has opened this number of times before.
    pub(super) fn of_device(times: u64) -> Self {
        Self(SEED.rotate_left(17) ^ times)
    }

    /// The next bytes.
    pub(super) fn draw(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            bytes.extend(self.0.to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}

/// Fixes what a program gets before its first instruction: the random bytes of the kernel. The kernel's own library makes
/// random numbers without a system call, so the program does not get it.
pub(super) fn fix_start(process: &TracedProcess) -> Result<(), TraceError> {
    let mut at = Address(process.raw()?.rsp) + 8;
    let word = |at: Address| process.word(at).unwrap_or(0);
    let end = at + 8 * MOST_WORDS;
    for _ in ["arguments", "environment"] {
        while at < end && word(at) != 0 {
            at = at + 8;
        }
        at = at + 8;
    }
    while at < end && word(at) != 0 {
        match word(at) {
            AT_RANDOM => process.write(Address(word(at + 8)), &FixedNumbers::default().draw(16))?,
            AT_SYSINFO_EHDR => process.write(at, &AT_IGNORE.to_le_bytes())?,
            _ => {}
        }
        at = at + 16;
    }
    Ok(())
}
