//! A branch at which the two runs go on in different ways.

use crate::Address;
use crate::program_line::ProgramLine;
use crate::stop_point::StopPoint;

/// A branch at which the two runs part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartingBranch {
    /// The line of the branch.
    pub(crate) line: ProgramLine,
    /// Where the failing run goes on.
    pub(crate) failing: StopPoint,
    /// Where the passing run goes on, in the same call of the same function.
    pub(crate) passing: Address,
}
