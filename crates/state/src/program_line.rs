//! A line of the program.

use std::path::PathBuf;

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramLine {
    /// The source file.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
}
