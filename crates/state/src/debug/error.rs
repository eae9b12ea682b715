//! What may be wrong with a program before it is even run.

use std::path::PathBuf;

/// Why a program's debug information is of no use. The hint says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DebugError {
    /// The file could not be read.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// No ELF file at all: a script, say.
    #[error("{} is no ELF program: {why}", path.display())]
    NoProgram {
        /// Which file.
        path: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// Made for another machine.
    #[error("{} is made for {machine}, not for x86-64", path.display())]
    OtherMachine {
        /// Which file.
        path: PathBuf,
        /// What it is made for.
        machine: String,
    },
    /// There is no debug information, in the file or beside it.
    #[error("{} has no debug information{}", path.display(), if *stripped { ": it is stripped" } else { "" })]
    None {
        /// Which file.
        path: PathBuf,
        /// Not even symbols are left.
        stripped: bool,
        /// Where else it was looked for.
        looked_in: Vec<PathBuf>,
    },
    /// The debug information contradicts itself.
    #[error("the debug information of {} is corrupt: {why}", path.display())]
    Corrupt {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}
