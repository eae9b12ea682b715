//! The memory of a stopped process, read at once.

use crate::Address;

/// Memory that can be read by address.
pub trait ReadMemory {
    /// Fills the buffer with the bytes at an address. Returns false if some of them are not mapped.
    fn read(&self, at: Address, into: &mut [u8]) -> bool;

    /// The word at an address.
    fn word(&self, at: Address) -> Option<u64> {
        let mut bytes = [0; 8];
        self.read(at, &mut bytes).then(|| u64::from_le_bytes(bytes))
    }

    /// Where the memory of the thread ends. The thread's own variables are before it. `None` if that is not known.
    fn thread_pointer(&self) -> Option<Address> {
        None
    }
}

/// What a part of the memory is used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// The stack of the main thread.
    Stack,
    /// Allocated by `brk`.
    Heap,
    /// Mapped from a file: a program or a library.
    File(std::path::PathBuf),
    /// Mapped without a file: large blocks, bss, arenas.
    Anonymous,
    /// The registers of the innermost frame, at [`Address::REGISTERS`].
    Registers,
}

/// A mapped range of addresses and its bytes.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its first address.
    pub start: Address,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether the program may write to it.
    pub writable: bool,
    /// What it is used for.
    pub kind: RegionKind,
}

impl Region {
    /// Whether it holds variables of a program or a library.
    fn is_data(&self) -> bool {
        self.writable && matches!(self.kind, RegionKind::File(_))
    }

    /// The first address after it.
    #[must_use]
    pub fn end(&self) -> Address {
        self.start + self.bytes.len() as u64
    }
}

/// All regions that hold data, the registers included, in ascending order. They do not overlap.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    regions: Vec<Region>,
    /// Nothing below this address is in use.
    stack_pointer: Address,
    thread_pointer: Option<Address>,
}

impl Snapshot {
    /// A snapshot of these regions.
    #[must_use]
    pub fn new(mut regions: Vec<Region>, stack_pointer: Address) -> Self {
        regions.sort_by_key(|region| region.start);
        let mut joined: Vec<Region> = Vec::new();
        for region in regions {
            match joined.last_mut() {
                // A variable can cross from the initialised data of a file into the zeros after it.
                Some(last)
                    if last.end() == region.start
                        && last.is_data()
                        && region.kind == RegionKind::Anonymous =>
                {
                    last.bytes.extend(region.bytes);
                }
                _ => joined.push(region),
            }
        }
        Self { regions: joined, stack_pointer, thread_pointer: None }
    }

    /// The same, with the end of the thread's own variables.
    #[must_use]
    pub fn with_thread_pointer(self, thread_pointer: Address) -> Self {
        Self { thread_pointer: Some(thread_pointer), ..self }
    }

    /// The regions, in ascending order.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The end of the innermost frame.
    #[must_use]
    pub fn stack_pointer(&self) -> Address {
        self.stack_pointer
    }

    /// The region that an address is in.
    #[must_use]
    pub fn region(&self, at: Address) -> Option<&Region> {
        let after = self.regions.partition_point(|region| region.start <= at);
        let region = self.regions.get(after.checked_sub(1)?)?;
        (at < region.end()).then_some(region)
    }

    /// The bytes at an address, if all of them are mapped.
    #[must_use]
    pub fn bytes(&self, at: Address, length: u64) -> Option<&[u8]> {
        let region = self.region(at)?;
        let from = usize::try_from(at - region.start).ok()?;
        let to = from.checked_add(usize::try_from(length).ok()?)?;
        region.bytes.get(from..to)
    }

    /// An unsigned number of at most eight bytes.
    #[must_use]
    pub fn number(&self, at: Address, length: u64) -> Option<u64> {
        let bytes = self.bytes(at, length.min(8))?;
        // Most of them are words, and a word can be read at once.
        if let Ok(word) = bytes.try_into() {
            return Some(u64::from_le_bytes(word));
        }
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

impl ReadMemory for Snapshot {
    fn read(&self, at: Address, into: &mut [u8]) -> bool {
        let bytes = self.bytes(at, into.len() as u64);
        bytes.map(|bytes| into.copy_from_slice(bytes)).is_some()
    }

    fn thread_pointer(&self) -> Option<Address> {
        self.thread_pointer
    }
}
