//! Which of the two runs is altered, and what follows from it.

use crate::RunJudge;
use crate::compared_place::ComparedPlace;
use crate::graph::VertexId;
use crate::matching::Differences;
use howcome_dd::Outcome;
use howcome_run::StageName;

/// Which run is altered: the base run. The other run provides the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferDirection {
    /// Values of the failing run make the passing run fail.
    Forward,
    /// Values of the passing run make the failing run pass.
    Reverse,
}

/// How a failure is transferred at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Which run is altered.
    pub direction: TransferDirection,
    /// Whether differences that spoil the transfer are left out.
    pub is_partial: bool,
}

impl Transfer {
    /// All ways, the most telling first.
    pub const IN_ORDER: [Self; 4] = [
        Self { direction: TransferDirection::Forward, is_partial: false },
        Self { direction: TransferDirection::Reverse, is_partial: false },
        Self { direction: TransferDirection::Forward, is_partial: true },
        Self { direction: TransferDirection::Reverse, is_partial: true },
    ];

    /// The name of the stage at a place. Stages with different deltas need different names.
    #[must_use]
    pub fn stage(self, place: &ComparedPlace) -> StageName {
        let direction = match self.direction {
            TransferDirection::Forward => "",
            TransferDirection::Reverse => ", reversed",
        };
        let partial = if self.is_partial { ", in part" } else { "" };
        // Hits of a statement are counted from a call on. A line can have several statements.
        let statement = place.failing.at;
        let after = place.failing.after.map(|(at, hit)| format!(" at {statement} after {at}:{hit}"));
        let first = place.failing.first.map(|(at, hit)| format!(" after {at}:{hit}"));
        let after = after.unwrap_or_default() + &first.unwrap_or_default();
        let (function, file) = (&place.function, place.file_name());
        StageName::Other(format!("{function}:{file}:{}:{}{after}{direction}{partial}", place.line, place.hit))
    }
}

impl TransferDirection {
    pub(crate) fn in_order<T>(self, base: T, other: T) -> (T, T) {
        match self {
            TransferDirection::Forward => (base, other),
            TransferDirection::Reverse => (other, base),
        }
    }

    pub(crate) fn opposite(self) -> Self {
        match self {
            TransferDirection::Forward => TransferDirection::Reverse,
            TransferDirection::Reverse => TransferDirection::Forward,
        }
    }

    pub(crate) fn base(self) -> &'static str {
        self.in_order("passing", "failing").0
    }

    pub(crate) fn other(self) -> &'static str {
        self.in_order("passing", "failing").1
    }

    /// What the base run must do with none, and with all, of the differences.
    pub(crate) fn expected(self, all: bool) -> Outcome {
        match (self, all) {
            (TransferDirection::Forward, false) | (TransferDirection::Reverse, true) => Outcome::Pass,
            (TransferDirection::Forward, true) | (TransferDirection::Reverse, false) => Outcome::Fail,
        }
    }

    /// To a search, the failure is what the other run does.
    pub(crate) fn told(self, outcome: Outcome) -> Outcome {
        match (self, outcome) {
            (TransferDirection::Reverse, Outcome::Pass) => Outcome::Fail,
            (TransferDirection::Reverse, Outcome::Fail) => Outcome::Pass,
            (_, outcome) => outcome,
        }
    }

    pub(crate) fn seen_by_search(self, judge: &RunJudge) -> RunJudge {
        match self {
            TransferDirection::Forward => judge.clone(),
            TransferDirection::Reverse => judge.reversed(),
        }
    }

    /// The vertices that differ: in the passing graph, then in the failing graph.
    pub(crate) fn differing(self, differences: &Differences) -> Vec<[VertexId; 2]> {
        differences.vertices().map(|pair| self.pair(pair)).collect()
    }

    /// Two vertices, the one of the passing run first.
    pub(crate) fn pair(self, (base, other): (VertexId, VertexId)) -> [VertexId; 2] {
        self.in_order(base, other).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, StopPoint};

    #[test]
    fn two_statements_of_a_line_are_two_stages() {
        let place = |at: u64, after| {
            let stop_point = StopPoint { first: None, after, at: Address(at), hit: 1 };
            ComparedPlace {
                passing: stop_point,
                failing: stop_point,
                function: "f".to_owned(),
                file: "a.c".into(),
                line: 12,
                hit: 1,
            }
        };
        let [forward, reverse, ..] = Transfer::IN_ORDER;
        let after = Some((Address(16), 2));
        let first = forward.stage(&place(20, after));
        assert_eq!(first.to_string(), "f:a.c:12:1 at 0x14 after 0x10:2");
        assert_ne!(first, forward.stage(&place(24, after)));
        assert_ne!(first, reverse.stage(&place(20, after)));
        assert_eq!(forward.stage(&place(20, None)).to_string(), "f:a.c:12:1");
    }
}
