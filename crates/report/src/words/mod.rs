//! How numbers, texts and names are written, one way for each.

mod printable;
mod quantity;

pub use printable::{compact, cut, printable, printable_lines, shell_word};
pub(crate) use printable::{cut_middle, cut_to_difference};
pub(crate) use quantity::ordinal;
pub use quantity::{count, duration, moment, percent, plural, seconds, size, thousands};
