//! The process that starts tests and ends everything that they leave behind.
//!
//! Each worker has a warden: its own program, started again with other arguments. A warden lives through many tests. It
//! starts one test at a time and, when the test has ended, ends all processes that the test has started. If howcome
//! itself dies, even by SIGKILL, the socket between the two closes, and the warden ends the test and cleans up.
//!
//! | file | idea |
//! |---|---|
//! | `handle`, `wire`, `serve` | the worker's side, the messages between the two, the warden's side |
//! | `confine`, `reap`, `strays` | keeping the processes of a test together, ending them, and adopting those that lost their warden |
//! | `guard` | removing folders if howcome dies before they are complete |
//! | `launch`, `environment`, `lookup` | starting a test, what it inherits, and where its program is |
//! | `follow` | following a test to its crash, for gdb |

mod confine;
mod environment;
mod follow;
mod guard;
mod handle;
mod launch;
mod lookup;
mod reap;
mod serve;
mod strays;
mod wire;

pub use confine::Confinement;
pub(crate) use follow::FOLLOW;
pub use guard::{FolderGuard, GuardedFolder};
pub(crate) use handle::{FinishedTest, NoWarden, NotFinished, RunControl, Warden, Wardens};
pub use serve::serve;
pub(crate) use wire::WorkerFolder;
