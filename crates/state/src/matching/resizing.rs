//! An object that gets a block of another size.

use super::patch::{BaseAddress, Template};
use crate::graph::MemoryObjectId;

/// An object that is moved into a block of another size.
#[derive(Debug)]
pub(super) struct Resizing {
    pub(super) object: MemoryObjectId,
    pub(super) size: u64,
    /// Its present content, as far as it fits.
    pub(super) kept: Vec<u8>,
    /// Where the content of the other run begins.
    pub(super) from: u64,
    pub(super) tail: Template,
    /// Pointers that follow, with their offset in the object.
    pub(super) pointers: Vec<(BaseAddress, u64)>,
}
