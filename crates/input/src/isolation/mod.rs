//! The smallest difference between a passing and a failing input (Zeller 2002, section II: isolating relevant input).
//!
//! Both texts are cut into tokens; each token that only one of them has is a delta. The deltas are numbered in the order in
//! which one would write the text down, so that at most places where one stops, what is there makes sense.

mod comparison;
mod decisive_parts;
mod mixture;
mod tokens;
mod writing_order;

pub use mixture::Mixture;
