//! What differs between two states, as deltas, and what to write to make one state more like the other.

mod align;
mod alterations;
mod bond;
mod carrier;
mod compare;
mod container;
mod content;
mod copies;
mod delta;
mod deltas;
mod differences;
mod merge;
mod pairs;
mod patch;
mod plan;
mod resize;
mod resizing;
mod roots;
mod side;
mod streams;

#[cfg(test)]
mod tests;

pub use alterations::Alterations;
pub use delta::{DeltaKind, StateDelta};
pub use differences::Differences;
