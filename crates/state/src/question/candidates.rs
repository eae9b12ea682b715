//! Where the defect can be: places for which different kinds of evidence speak, the best first.
//!
//! No single rule finds most defects, so up to three places are listed. Each kind of evidence names one: the last moment at
//! which the cause changes and is not merely copied; the code that only the failing run executes; the line at which the runs
//! part for the first time. Where several kinds name the same lines, that place comes first. If the two runs execute much
//! different code, what decides passes through all of it, and the code that only the failing run executes says more.

use crate::{CauseTransition, ControlFlow, ProgramLine};
use howcome_run::{DefectCandidate, RunPlace};

/// Lines of a function within this distance are the same place.
const NEAR: u32 = 3;

/// A place with what speaks for it.
struct Supported {
    line: ProgramLine,
    reasons: Vec<&'static str>,
}

/// The places, the best first.
pub(super) fn rank_candidates(transitions: &[CauseTransition], flow: &ControlFlow) -> Vec<DefectCandidate> {
    let of_transition = |transition: &CauseTransition| ProgramLine {
        file: transition.before.file.clone(),
        line: transition.before.line,
        function: transition.before.function.clone(),
    };
    let mut evidence = [
        (transitions.last().map(of_transition), "the cause changes here last"),
        (flow.only_failing.clone(), "the failing run executes lines here that the passing run does not"),
        (flow.divergence.clone(), "from here on, the two runs execute different lines for the first time"),
    ];
    if flow.is_apart {
        evidence.swap(0, 1);
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
            Some(known) => known.reasons.push(reason),
            None => supported.push(Supported { line, reasons: vec![reason] }),
        }
    }
    supported.sort_by_key(|supported| std::cmp::Reverse(supported.reasons.len()));
    let candidate = |supported: Supported| DefectCandidate {
        location: record_program_line(&supported.line),
        why: supported.reasons.into_iter().map(str::to_owned).collect(),
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
        let candidates = rank_candidates(&[], &ControlFlow { divergence, only_failing, is_apart: false });
        candidates.into_iter().map(|candidate| (candidate.location.line, candidate.why.len())).collect()
    }

    #[test]
    fn a_place_with_two_kinds_of_evidence_is_one_candidate() {
        assert_eq!(ranked(line("f", 10), line("f", 12)), [(Some(10), 2)]);
        assert_eq!(ranked(line("f", 10), line("f", 20)), [(Some(10), 1), (Some(20), 1)]);
        assert_eq!(ranked(line("f", 10), line("g", 11)), [(Some(10), 1), (Some(11), 1)]);
        assert_eq!(ranked(None, None), []);
    }
}
