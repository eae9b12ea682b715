//! Where a run is stopped.

use crate::Address;
use crate::debug::Program;
use crate::tracee::{TraceError, Tracee};

/// Where a run is stopped: when it reaches an address for the n-th time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StopPoint {
    /// If given, the run is first let go until it reaches this address for the n-th time; only then `after` is counted.
    pub first: Option<(Address, u32)>,
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
        Self { first: None, after: None, at, hit }
    }

    /// A later one, counted from this one on. `None` if that is too far from the start of the run to be told.
    pub(crate) fn then(self, at: Address, hit: u32) -> Option<Self> {
        let after = Some((self.at, self.hit));
        self.first.is_none().then_some(Self { first: self.after, after, at, hit })
    }

    /// Lets a run go there. Returns how many times it reached the `counted` address on the way.
    pub(crate) fn reach(
        &self,
        tracee: &mut Tracee,
        counted: Option<Address>,
        program: &Program,
    ) -> Result<u32, TraceError> {
        let mut passed = 0;
        for (at, hit) in self.first.into_iter().chain(self.after) {
            passed += tracee.go_to(at, hit, counted, program)?;
            tracee.clear_breakpoints()?;
        }
        passed += tracee.go_to(self.at, self.hit, counted, program)?;
        tracee.clear_breakpoints()?;
        Ok(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_point_can_be_counted_from_another_one_twice() {
        let call = StopPoint::new(Address(1), 5);
        let later = call.then(Address(2), 3).unwrap();
        assert_eq!((later.first, later.after), (None, Some((Address(1), 5))));
        let line = later.then(Address(4), 1).unwrap();
        assert_eq!((line.first, line.after), (Some((Address(1), 5)), Some((Address(2), 3))));
        assert_eq!(line.then(Address(6), 1), None);
    }
}
