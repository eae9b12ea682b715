//! Where a run is stopped.

use crate::Address;
use crate::debug::Program;
use crate::tracee::{TraceError, Tracee};

/// Where a run is stopped: when it reaches an address for the n-th time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StopPoint {
    /// If given, counting starts when the run reaches this other address for the n-th time.
    pub after: Option<(Address, u32)>,
    /// The address.
    pub at: Address,
    /// How many times the run must reach the address.
    pub hit: u32,
}

impl StopPoint {
    /// At an address, counted from the start of the run.
    #[must_use]
    pub fn new(at: Address, hit: u32) -> Self {
        Self { after: None, at, hit }
    }

    /// Lets a run go there. Returns how many times it reached the `counted` address on the way.
    pub(crate) fn reach(
        &self,
        tracee: &mut Tracee,
        counted: Option<Address>,
        program: &Program,
    ) -> Result<u32, TraceError> {
        let mut passed = 0;
        if let Some((at, hit)) = self.after {
            passed += tracee.go_to(at, hit, counted, program)?;
            tracee.clear_breakpoints()?;
        }
        passed += tracee.go_to(self.at, self.hit, counted, program)?;
        tracee.clear_breakpoints()?;
        Ok(passed)
    }
}
