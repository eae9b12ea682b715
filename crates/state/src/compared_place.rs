//! A place at which two runs are compared.

use crate::debug::{Program, SourcePosition};
use crate::stop_point::StopPoint;
use crate::trace::CommonMoment;
use std::fmt;
use std::path::PathBuf;

/// A moment that both runs have in common: the same address, the same backtrace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedPlace {
    /// Where the passing run is stopped.
    pub passing: StopPoint,
    /// Where the failing run is stopped.
    pub failing: StopPoint,
    /// The function.
    pub function: String,
    /// The source file.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// How many times the failing run has reached the place, this time included.
    pub hit: u32,
}

impl ComparedPlace {
    /// The place of a moment.
    #[must_use]
    pub fn of(program: &Program, common: &CommonMoment) -> Self {
        let at = common.failing.stop_point.at;
        let function = program.function_at(at).map(|id| program.function(id));
        let line = program.line_at(at);
        let file = line.as_ref().map(|line: &SourcePosition| line.file.to_path_buf());
        Self {
            passing: common.passing.stop_point,
            failing: common.failing.stop_point,
            function: function.map_or_else(|| at.to_string(), |function| function.name.clone()),
            file: file.or_else(|| function.map(|function| function.file.clone())).unwrap_or_default(),
            line: line.map_or_else(|| function.map_or(0, |function| function.line), |line| line.line),
            hit: common.failing.stop_point.hit,
        }
    }

    /// The name of the file without its folders.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl fmt::Display for ComparedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}:{})", self.function, self.file_name(), self.line)?;
        if self.hit > 1 { write!(f, ", time {}", self.hit) } else { Ok(()) }
    }
}
