//! What differs between two states, as deltas, and what to write to make one state more like the other.
//!
//! The *base* run is the one that is altered, the *other* run the one whose values are used.
//!
//! | file | idea |
//! |---|---|
//! | `differences`, `delta`, `alterations` | all differences, one of them, and what to write: what callers see |
//! | `side`, `roots`, `pairs`, `content`, `align` | one state; which object of one state is which of the other, by content, then by place |
//! | `compare`, `resize`, `resizing`, `places`, `container`, `copies`, `intermediate`, `spilled`, `leftovers`, `buffer_rest`, `streams` | what differs: values, lengths, places in use, containers, hidden copies of variables, results inside expressions, bytes after texts, unread input |
//! | `merge`, `bond` | differences that make sense only together |
//! | `deltas` | from differences to deltas: merged, in order, in words |
//! | `carrier`, `patch`, `plan` | values of the other run in the base run; what a delta writes; what a configuration writes |
//! | `tests` | comparisons of states of a made-up program |

mod align;
mod alterations;
mod bond;
mod buffer_rest;
mod carrier;
mod compare;
mod container;
mod content;
mod copies;
mod delta;
mod deltas;
mod differences;
mod intermediate;
mod leftovers;
mod merge;
mod pairs;
mod patch;
mod places;
mod plan;
mod resize;
mod resizing;
mod roots;
mod side;
mod spilled;
mod streams;

#[cfg(test)]
mod tests;

pub use alterations::Alterations;
pub use delta::{DeltaKind, StateDelta};
pub use differences::Differences;
