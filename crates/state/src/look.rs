//! Both runs at a place, side by side, without any experiment.

use crate::direction::Direction;
use crate::examine::Examiner;
use crate::graph::{State, VertexId};
use crate::matching::Differences;
use crate::place::Place;
use crate::runs::Run;
use crate::stop_point::StopPoint;
use crate::stopped_run::StoppedRun;
use crate::tracee::Error;

/// What can be seen of both runs at a place.
#[derive(Debug)]
pub struct Look {
    /// The states: of the passing run, of the failing run.
    pub states: [State; 2],
    /// The vertices that differ: of the passing graph, of the failing graph.
    pub differing: Vec<[VertexId; 2]>,
}

impl Examiner<'_> {
    /// Lets both runs go to a place and compares them there.
    pub fn look(&self, place: &Place) -> Result<Look, Error> {
        let states = self.states(place)?;
        let differences = Differences::between(&self.runs.settings.program, &states[0], &states[1]);
        Ok(Look { differing: Direction::Forward.differing(&differences), states })
    }

    /// The deltas of a place.
    pub fn differences(&self, place: &Place, direction: Direction) -> Result<Differences, Error> {
        let [passing, failing] = self.states(place)?;
        let (base, other) = direction.in_order(passing, failing);
        Ok(Differences::between(&self.runs.settings.program, &base, &other))
    }

    fn states(&self, place: &Place) -> Result<[State; 2], Error> {
        let settings = &self.runs.settings;
        let stopped_run = |run: &Run, stop_point: StopPoint| {
            StoppedRun::open(settings.clone(), run.invocation.clone(), stop_point, None)
        };
        let passing = stopped_run(&self.runs.passing, place.passing);
        let failing = stopped_run(&self.runs.failing, place.failing);
        Ok([passing.state()?, failing.state()?])
    }
}
