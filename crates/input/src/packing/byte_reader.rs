//! Reads numbers and ranges of bytes from a file that can be broken or too short.

/// Reads bytes from the front. Each method returns `None` if there are too few bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Reads from an offset, which can be wrong.
    pub(super) fn at(bytes: &'a [u8], offset: usize) -> Option<Self> {
        bytes.get(offset..).map(Self::new)
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Skips these bytes; `None` if others come next.
    pub(super) fn expect(&mut self, bytes: &[u8]) -> Option<()> {
        self.bytes = self.bytes.strip_prefix(bytes)?;
        Some(())
    }

    /// All bytes before an end byte, which is skipped.
    pub(super) fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let length = self.bytes.iter().position(|byte| *byte == end)?;
        let taken = self.take(length)?;
        self.take(1)?;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u32_be(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn u16_le(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32_le(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
}
