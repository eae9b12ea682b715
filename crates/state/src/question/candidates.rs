//! Where the defect can be: places for which different kinds of evidence speak, the best first.
//!
//! No single rule finds most defects, so a few places are listed. Each kind of evidence names one: the first branch that decides; the
//! last moment before the last place at which the cause changes and is not merely copied; the code that only the failing run executes;
//! the first moment at which the cause changes while the runs execute different lines; the lines at which the runs part for the first
//! time and for good. Where several kinds name the same lines, that place comes first; else the branch that decides, which is known by
//! experiment. If the two runs execute much different code, what decides passes through all of it, and the code that only the failing
//! run executes says more.

use crate::{CauseTransition, ControlFlow, ProgramLine};
use howcome_run::{DefectCandidate, RunPlace};

/// Lines of a function within this distance are the same place.
const NEAR: u32 = 3;

/// The moments at which the cause changes.
#[derive(Default)]
pub(super) struct FoundTransitions {
    /// In the order of time.
    pub(super) all: Vec<CauseTransition>,
    /// The last one before the last place that was examined; if there is none, the last one before the failure.
    pub(super) decisive: Option<CauseTransition>,
}

/// A place with what speaks for it.
struct Supported {
    line: ProgramLine,
    reasons: Vec<String>,
}

/// The places, the best first.
pub(super) fn rank_candidates(transitions: &FoundTransitions, flow: &ControlFlow) -> Vec<DefectCandidate> {
    let of_transition = |transition: &CauseTransition| ProgramLine {
        file: transition.before.file.clone(),
        line: transition.before.line,
        function: transition.before.function.clone(),
    };
    // The decisive transition is one piece of evidence, whatever the runs do there.
    let is_other = |transition: &&CauseTransition| {
        transitions.decisive.as_ref().is_none_or(|decisive| decisive.before != transition.before)
    };
    let parting = transitions.all.iter().find(|transition| transition.is_parting).filter(is_other);
    // With further runs it is known better which lines tell passing and failing runs apart.
    let (coverage, why) = match &flow.suspicious {
        Some(suspicious) => (Some(suspicious.line.clone()), suspicious.why.as_str()),
        None => {
            (flow.only_failing.clone(), "the failing run executes lines here that the passing run does not")
        }
    };
    let mut evidence = [
        (flow.deciding.first().cloned(), "the failing run passes if it goes on here like the passing run"),
        (transitions.decisive.as_ref().map(of_transition), "the cause changes here last"),
        (coverage, why),
        (parting.map(of_transition), "the cause changes here, and the two runs execute different lines"),
        (flow.divergence.clone(), "from here on, the two runs execute different lines for the first time"),
        (flow.last_parting.clone(), "from here on, the two runs never execute the same lines again"),
    ];
    if flow.is_apart || flow.suspicious.is_some() {
        evidence.swap(1, 2);
    }
    let mut supported: Vec<Supported> = Vec::new();
    for (line, reason) in evidence {
        let Some(line) = line else { continue };
        let is_same = |known: &&mut Supported| {
            known.line.file == line.file
                && known.line.function == line.function
                && known.line.line.abs_diff(line.line) <= NEAR
        };
        match supported.iter_mut().find(is_same) {
            Some(known) => known.reasons.push(reason.to_owned()),
            None => supported.push(Supported { line, reasons: vec![reason.to_owned()] }),
        }
    }
    supported.sort_by_key(|supported| std::cmp::Reverse(supported.reasons.len()));
    let candidate = |supported: Supported| DefectCandidate {
        location: record_program_line(&supported.line),
        why: supported.reasons,
    };
    supported.into_iter().map(candidate).collect()
}

/// A line as the finding records it.
pub(super) fn record_program_line(line: &ProgramLine) -> RunPlace {
    RunPlace {
        function: line.function.clone(),
        file: line.file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        path: Some(line.file.display().to_string()),
        line: Some(line.line.into()),
        hit: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(function: &str, line: u32) -> Option<ProgramLine> {
        Some(ProgramLine { file: "a.c".into(), line, function: function.to_owned() })
    }

    fn ranked(
        only_failing: Option<ProgramLine>,
        divergence: Option<ProgramLine>,
    ) -> Vec<(Option<u64>, usize)> {
        let flow = ControlFlow { divergence, only_failing, ..ControlFlow::default() };
        let candidates = rank_candidates(&FoundTransitions::default(), &flow);
        candidates.into_iter().map(|candidate| (candidate.location.line, candidate.why.len())).collect()
    }

    #[test]
    fn a_branch_that_decides_comes_before_places_with_one_kind_of_evidence() {
        let deciding = line("h", 30).into_iter().chain(line("main", 90)).collect();
        let (divergence, only_failing) = (line("f", 10), line("g", 20));
        let flow = ControlFlow { divergence, only_failing, deciding, ..ControlFlow::default() };
        let lines = |flow: &ControlFlow| -> Vec<Option<u64>> {
            let candidates = rank_candidates(&FoundTransitions::default(), flow);
            candidates.into_iter().map(|candidate| candidate.location.line).collect()
        };
        assert_eq!(lines(&flow), [Some(30), Some(20), Some(10)]);
        assert_eq!(lines(&ControlFlow { only_failing: line("f", 11), ..flow }), [Some(11), Some(30)]);
    }

    #[test]
    fn a_place_with_two_kinds_of_evidence_is_one_candidate() {
        assert_eq!(ranked(line("f", 10), line("f", 12)), [(Some(10), 2)]);
        assert_eq!(ranked(line("f", 10), line("f", 20)), [(Some(10), 1), (Some(20), 1)]);
        assert_eq!(ranked(line("f", 10), line("g", 11)), [(Some(10), 1), (Some(11), 1)]);
        assert_eq!(ranked(None, None), []);
    }
}
