//! An object that gets a block of another size.

use super::patch::{BaseAddress, Template};
use crate::graph::MemoryObjectId;

/// An object that is moved into a block of another size.
#[derive(Debug)]
pub(super) struct Resizing {
    pub(super) object: MemoryObjectId,
    pub(super) size: u64,
    /// What it has now, as far as it fits.
    pub(super) kept: Vec<u8>,
    /// What the other run has from this offset on.
    pub(super) from: u64,
    pub(super) tail: Template,
    /// Pointers that follow, and how far into the object they lead.
    pub(super) pointers: Vec<(BaseAddress, u64)>,
}
