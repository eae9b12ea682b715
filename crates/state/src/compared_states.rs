//! Both states at a place, side by side, without a search.

use crate::compared_place::ComparedPlace;
use crate::examiner::Examiner;
use crate::graph::{ProgramState, VertexId};
use crate::matching::Differences;
use crate::run_pair::OriginalRun;
use crate::stop_point::StopPoint;
use crate::stopped_run::StoppedRun;
use crate::tracee::TraceError;
use crate::transfer_direction::TransferDirection;

/// The states of both runs at a place.
#[derive(Debug)]
pub struct ComparedStates {
    /// The state of the passing run, then that of the failing run.
    pub states: [ProgramState; 2],
    /// The vertices that differ: in the passing graph, then in the failing graph.
    pub differing: Vec<[VertexId; 2]>,
}

impl Examiner<'_> {
    /// Stops both runs at a place and compares their states.
    pub fn compare_states(&self, place: &ComparedPlace) -> Result<ComparedStates, TraceError> {
        let states = self.states(place)?;
        let differences = Differences::between(&self.runs.settings.program, &states[0], &states[1]);
        Ok(ComparedStates { differing: TransferDirection::Forward.differing(&differences), states })
    }

    /// The deltas at a place.
    pub fn find_differences(
        &self,
        place: &ComparedPlace,
        direction: TransferDirection,
    ) -> Result<Differences, TraceError> {
        Ok(self.find_differences_of(place, direction)?.0)
    }

    /// The deltas at a place, and the state of the run that is altered.
    pub(crate) fn find_differences_of(
        &self,
        place: &ComparedPlace,
        direction: TransferDirection,
    ) -> Result<(Differences, ProgramState), TraceError> {
        let [passing, failing] = self.states(place)?;
        let (base, other) = direction.in_order(passing, failing);
        Ok((Differences::between(&self.runs.settings.program, &base, &other), base))
    }

    fn states(&self, place: &ComparedPlace) -> Result<[ProgramState; 2], TraceError> {
        let settings = &self.runs.settings;
        let stopped_run = |run: &OriginalRun, stop_point: StopPoint| {
            StoppedRun::open(settings.clone(), run.invocation.clone(), stop_point, None)
        };
        let passing = stopped_run(&self.runs.passing, place.passing);
        let failing = stopped_run(&self.runs.failing, place.failing);
        Ok([passing.state()?, failing.state()?])
    }
}
