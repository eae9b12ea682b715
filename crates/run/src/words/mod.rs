//! Numbers (`quantity`), texts and commands (`printable`) and terminal columns (`columns`) for people, the same in
//! messages and in reports.

mod columns;
mod printable;
mod quantity;

pub use columns::{cut, cut_middle, cut_to_difference, pad, width};
pub use printable::{compact, printable, printable_lines, shell_word};
pub use quantity::{count, duration, moment, ordinal, percent, plural, seconds, size, size_limit, thousands};
