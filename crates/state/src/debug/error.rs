//! What can be wrong with a program before it runs.

use std::path::PathBuf;

/// Why the debug information of a program cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DebugError {
    /// The file could not be read.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        why: String,
    },
    /// The file is not an ELF file: for example a script.
    #[error("{} is no ELF program: {why}", path.display())]
    NoProgram {
        /// The file.
        path: PathBuf,
        /// What the file is instead.
        why: String,
    },
    /// The file is for another machine.
    #[error("{} is made for {machine}, not for x86-64", path.display())]
    OtherMachine {
        /// The file.
        path: PathBuf,
        /// The machine.
        machine: String,
    },
    /// There is no debug information, in the file or next to it.
    #[error("{} has no debug information{}", path.display(), if *stripped { ": it is stripped" } else { "" })]
    None {
        /// The file.
        path: PathBuf,
        /// Whether not even the symbols are left.
        stripped: bool,
        /// The other files that were looked for.
        looked_in: Vec<PathBuf>,
    },
    /// The debug information contradicts itself.
    #[error("the debug information of {} is corrupt: {why}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}
