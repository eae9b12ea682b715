//! Both runs at a place, side by side, without any experiment.

use crate::direction::Direction;
use crate::examine::Bench;
use crate::graph::{State, VertexId};
use crate::matching::Differences;
use crate::place::Place;
use crate::runs::Run;
use crate::station::{Halt, Station};
use crate::tracee::Error;

/// What can be seen of both runs at a place.
#[derive(Debug)]
pub struct Look {
    /// The states: of the passing run, of the failing run.
    pub states: [State; 2],
    /// The vertices that differ: of the passing graph, of the failing graph.
    pub differing: Vec<[VertexId; 2]>,
}

impl Bench<'_> {
    /// Lets both runs go to a place and compares them there.
    pub fn look(&self, place: &Place) -> Result<Look, Error> {
        let states = self.states(place)?;
        let differences = Differences::between(&self.runs.setting.program, &states[0], &states[1]);
        Ok(Look { differing: Direction::Forward.differing(&differences), states })
    }

    /// The deltas of a place.
    pub fn differences(&self, place: &Place, direction: Direction) -> Result<Differences, Error> {
        let [passing, failing] = self.states(place)?;
        let (base, other) = direction.in_order(passing, failing);
        Ok(Differences::between(&self.runs.setting.program, &base, &other))
    }

    fn states(&self, place: &Place) -> Result<[State; 2], Error> {
        let setting = &self.runs.setting;
        let station =
            |run: &Run, halt: Halt| Station::open(setting.clone(), run.invocation.clone(), halt, None);
        let passing = station(&self.runs.passing, place.passing);
        let failing = station(&self.runs.failing, place.failing);
        Ok([passing.state()?, failing.state()?])
    }
}
