//! A call that is active when a run ends.

use crate::Address;
use crate::debug::{Program, StackFrame};

/// A call that is active when a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveCall {
    /// The function.
    pub function: String,
    /// Where the run is in the function; `None` for functions of libraries, in which that depends on lengths and alignment.
    pub at: Option<Address>,
}

impl ActiveCall {
    /// The call of a frame.
    pub(super) fn of(program: &Program, frame: &StackFrame) -> Self {
        let is_own = |id| program.function(id).module == 0;
        Self {
            function: program.name_at(frame.lookup()).unwrap_or_else(|| "?".to_owned()),
            at: frame.function.filter(|id| is_own(*id)).map(|_| frame.pc),
        }
    }
}
