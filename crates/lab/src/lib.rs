//! To come.

mod baseline;
mod belief;
mod captured;
mod command;
mod experiment;
mod local;
mod log;
mod noise;
mod queue;
mod seen;
pub mod warden;
mod worker;
mod workspace;

pub use belief::{Decision, Repeat};
pub use captured::{Captured, Keep};
pub use command::Command;
pub use experiment::{Oracle, Prepare, Verdict};
pub use local::{Interrupter, Limits, Local, LocalError, NotSeen, Options};
pub use noise::{Indistinct, Noise};
pub use seen::{Ending, SKIP, Seen};
pub use warden::Confinement;
pub use workspace::remove;
