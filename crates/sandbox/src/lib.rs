//! Runs programs that nobody trusts: without network, without other processes in sight, with one folder to write to.
//!
//! **What you provide:** a [`Cell`]: which folders the program sees and writes to, and its limits.
//! **What you get:** the words of a command that runs the program inside, with the [`Walls`] that this machine can build. Bubblewrap makes
//! the namespaces. Inside of it, and without it, Landlock guards the files and seccomp the system calls.
//! **What it is not for:** starting the command. A program that is started in this way begins with [`enter`].
//!
//! ```no_run
//! use howcome_sandbox::{Cell, CellView, Walls};
//! use std::path::Path;
//!
//! let howcome = Path::new("/usr/bin/howcome");
//! let walls = Walls::probe(howcome);
//! assert!(walls.missing().is_empty(), "{:?}", walls.missing());
//! let cell = Cell::new(CellView::Everything, "/home/me/project").writable("/home/me/out", "/home/me/out");
//! let command = cell.command(&walls, howcome, &["./test.sh".into()]);
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `walls`, `probe` | the walls of this machine, and how they are tried out |
//! | `cell` | what a program sees, as the words of a command |
//! | `rules` | what is decided inside, as one word of that command |
//! | `init` | the first process of a namespace, which counts the time of all others |
//! | `inside` | the walls that a program puts up around itself: limits, Landlock, seccomp |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cell;
mod init;
mod inside;
mod probe;
mod rules;
mod walls;

pub use cell::{Cell, CellView};
pub use inside::enter;
pub use rules::CellLimits;
pub use walls::Walls;

/// The hidden command by which howcome starts itself inside.
pub const CONFINED: &str = "confined";

/// After [`CONFINED`]: only ignores the signals of a terminal, which the program inside gets as well.
const OUTSIDE: &str = "outside";

/// After [`CONFINED`]: runs the other words as a child, as the first process of a namespace.
const INIT: &str = "init";
