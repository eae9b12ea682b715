//! The names that a record uses: questions, stages, units and algorithms. Each has one spelling, which is written and
//! read here and nowhere else.

mod algorithm;
mod question;
mod stage;
mod unit;

pub use algorithm::{Algorithm, Algorithms};
pub use question::QuestionName;
pub use stage::{BackportStep, Leg, Round, RoundStep, StageName, Way};
pub use unit::Unit;
pub(crate) use unit::in_plural;
