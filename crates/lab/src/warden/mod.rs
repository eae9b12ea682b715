//! The process that runs tests and sees to it that nothing of them stays.
//!
//! Each worker has a warden, which is the program that it belongs to, started again with other arguments. It lives
//! through many tests, starts one at a time and, when that has ended, ends all that it has started. Should howcome
//! itself die, even by SIGKILL, the socket between the two closes, and the warden ends the test and cleans up.

mod confine;
mod environment;
mod follow;
mod handle;
mod lookup;
mod reap;
mod serve;
mod strays;
mod wire;

pub use confine::Confinement;
pub(crate) use follow::FOLLOW;
pub(crate) use handle::{FinishedTest, NoWarden, NotFinished, RunControl, Warden, Wardens};
pub use serve::serve;
