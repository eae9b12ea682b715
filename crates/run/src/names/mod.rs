//! The names in a record: of questions (`question`), stages (`stage`), units (`unit`) and algorithms (`algorithm`).
//! Each name has one spelling, which is written and read only here.

mod algorithm;
mod question;
mod stage;
mod unit;

pub use algorithm::{Algorithm, Algorithms};
pub use question::QuestionName;
pub use stage::{BackportStep, Leg, Round, RoundStep, StageName, Way};
pub use unit::Unit;
pub(crate) use unit::in_plural;
