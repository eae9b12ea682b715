//! The top of the stack, read at once.

use super::TracedProcess;
use crate::{Address, ReadMemory};

/// Memory of a process, of which the top of the stack has been read at once.
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
            // The bottom of the stack is near: up to the end of this page, at least.
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
