//! The smallest difference between a passing and a failing input (Zeller 2002, section II: isolating relevant input).
//!
//! Both texts are cut into tokens; each token that only one of them has is a delta. The deltas are numbered in the order in which
//! one would write the text, so that most mixes of the two inputs make sense.
//!
//! | file | idea |
//! |---|---|
//! | `mixture` | the subject: two inputs, and all mixes of them |
//! | `comparison`, `tokens` | the tokens in which two texts differ |
//! | `writing_order` | the order in which one would write the tokens |
//! | `decisive_parts` | what differs between the two sides of a difference, for people |

mod comparison;
mod decisive_parts;
mod mixture;
mod tokens;
mod writing_order;

pub use mixture::Mixture;
