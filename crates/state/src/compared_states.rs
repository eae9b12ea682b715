//! Both runs at a place, side by side, without any experiment.

use crate::compared_place::ComparedPlace;
use crate::examiner::Examiner;
use crate::graph::{ProgramState, VertexId};
use crate::matching::Differences;
use crate::run_pair::OriginalRun;
use crate::stop_point::StopPoint;
use crate::stopped_run::StoppedRun;
use crate::tracee::TraceError;
use crate::transfer_direction::TransferDirection;

/// What can be seen of both runs at a place.
#[derive(Debug)]
pub struct ComparedStates {
    /// The states: of the passing run, of the failing run.
    pub states: [ProgramState; 2],
    /// The vertices that differ: of the passing graph, of the failing graph.
    pub differing: Vec<[VertexId; 2]>,
}

impl Examiner<'_> {
    /// Lets both runs go to a place and compares them there.
    pub fn compare_states(&self, place: &ComparedPlace) -> Result<ComparedStates, TraceError> {
        let states = self.states(place)?;
        let differences = Differences::between(&self.runs.settings.program, &states[0], &states[1]);
        Ok(ComparedStates { differing: TransferDirection::Forward.differing(&differences), states })
    }

    /// The deltas of a place.
    pub fn find_differences(
        &self,
        place: &ComparedPlace,
        direction: TransferDirection,
    ) -> Result<Differences, TraceError> {
        let [passing, failing] = self.states(place)?;
        let (base, other) = direction.in_order(passing, failing);
        Ok(Differences::between(&self.runs.settings.program, &base, &other))
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
