//! What is written into a stopped run to make it more like the other run.

use crate::Address;
use crate::graph::OpenFile;

/// What is changed in a stopped base run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alterations {
    /// Bytes to write, in order. Registers are addresses from [`Address::REGISTERS`] on.
    pub writes: Vec<(Address, Vec<u8>)>,
    /// Descriptors that continue to read another file, or at another position.
    pub files: Vec<OpenFile>,
}
