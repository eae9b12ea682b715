//! The top of the stack, read with one call.

use super::TracedProcess;
use crate::{Address, ReadMemory};

/// The memory of a process. The top of the stack has been read in advance.
pub(super) struct NearMemory<'a> {
    process: &'a TracedProcess,
    from: Address,
    bytes: Vec<u8>,
}

impl<'a> NearMemory<'a> {
    pub(super) fn of(process: &'a TracedProcess, stack: u64) -> Self {
        const LENGTH: u64 = 16 << 10;
        let mut bytes = vec![0; LENGTH as usize];
        if !process.read(Address(stack), &mut bytes) {
            // Near the bottom of the stack there may be less: at least up to the end of this page.
            bytes.truncate((4096 - stack % 4096) as usize);
            if !process.read(Address(stack), &mut bytes) {
                bytes.clear();
            }
        }
        Self { process, from: Address(stack), bytes }
    }
}

impl ReadMemory for NearMemory<'_> {
    fn read(&self, at: Address, into: &mut [u8]) -> bool {
        let from = usize::try_from(at - self.from).unwrap_or(usize::MAX);
        match from.checked_add(into.len()).and_then(|to| self.bytes.get(from..to)) {
            Some(bytes) => {
                into.copy_from_slice(bytes);
                true
            }
            None => self.process.read(at, into),
        }
    }
}
