//! The finding as it is recorded.

use super::candidates::{FoundTransitions, rank_candidates, record_program_line};
use super::chain::Chain;
use super::dead_end::advise;
use super::evidence::Evidence;
use super::recorded_step::{quote_source, record_line, record_place};
use super::request::StateRequest;
use crate::{CauseTransition, ComparedPlace, NoCause, RunGoal, RunPair, StateCause, describe_difference};
use howcome_dd::LimitReached;
use howcome_run::{
    BothOutcomes, ChainFinding, Conclusion, DefectCandidate, Finding, Minimal, SkippedPlace, TransitionFound,
    Unit, Verified,
};
use std::path::Path;

/// What was found, and what was checked of it.
pub(super) fn conclude(
    request: &StateRequest,
    runs: &RunPair,
    chain: &Chain,
    known: &Evidence,
) -> Conclusion {
    let Evidence { transitions, flow } = known;
    // At the failure itself, most of what the runs print has been printed.
    let last = chain
        .steps
        .iter()
        .rfind(|step| !step.is_failure)
        .map(|step| (&step.ends.failing, &step.ends.passing));
    let (failing, passing) = last.unwrap_or((&runs.failing.result, &runs.passing.result));
    let (failing, passing) = describe_difference(failing, passing);
    let all = |claim: fn(&StateCause) -> Option<bool>| {
        let claims = chain.steps.iter().flat_map(|step| &step.causes).map(claim);
        let all: Option<Vec<bool>> = claims.collect();
        all.filter(|claims| !claims.is_empty()).map(|claims| claims.into_iter().all(|claim| claim))
    };
    let verified = Verified {
        alone_fails: all(|cause| cause.alone_fails),
        without_passes: all(|cause| cause.without_passes),
    };
    let candidates = rank_candidates(transitions, flow);
    let goal = runs.settings.goal;
    let finding = ChainFinding {
        program: runs.failing.invocation.called.to_string_lossy().into_owned(),
        failing_run: request.fail.clone(),
        passing_run: request.pass.clone().unwrap_or_else(|| request.fail.clone()),
        outcome: BothOutcomes { passing, failing },
        steps: chain.steps.iter().map(|step| step.recorded.clone()).collect(),
        skipped: chain.skipped.iter().map(|(place, why)| record_skipped(place, why, goal)).collect(),
        transitions: record_transitions(transitions, &candidates, &request.directory),
        candidates,
        advice: advise(request, chain),
        divergence: flow.divergence.as_ref().map(record_program_line),
    };
    let checked = !chain.steps.is_empty() && chain.steps.iter().all(|step| step.is_minimal);
    let minimal = Minimal::new(Unit::Variable, checked);
    Conclusion { finding: Finding::Chain(Box::new(finding)).into(), minimal, verified, confidence: None }
}

/// The transitions, in the order of time. The defect is most probably at the decisive one, unless other places are better.
fn record_transitions(
    transitions: &FoundTransitions,
    candidates: &[DefectCandidate],
    folder: &Path,
) -> Vec<TransitionFound> {
    let best = candidates.first().map(|candidate| &candidate.location);
    let is_best = |place: &ComparedPlace| {
        let place = record_line(place);
        best.is_none_or(|best| (&best.path, best.line) == (&place.path, place.line))
    };
    let decisive = transitions.decisive.as_ref().map(|decisive| (&decisive.before, &decisive.after));
    let found = |transition: &CauseTransition| TransitionFound {
        from: transition.from.join(", "),
        to: transition.to.join(", "),
        between: vec![record_line(&transition.before), record_line(&transition.after)],
        times: (transition.times > 1).then(|| transition.times.into()),
        is_parting: transition.is_parting,
        is_likely: decisive == Some((&transition.before, &transition.after)) && is_best(&transition.before),
        source: quote_source(&transition.before.file, transition.before.line, folder),
    };
    transitions.all.iter().map(found).collect()
}

/// A place where nothing was found.
fn record_skipped(place: &ComparedPlace, why: &NoCause, goal: RunGoal) -> SkippedPlace {
    SkippedPlace { location: record_place(place), why: explain(why, goal) }
}

/// Why nothing was found, in words.
fn explain(why: &NoCause, goal: RunGoal) -> String {
    match why {
        NoCause::DecidedBefore => match goal {
            RunGoal::End => "both runs do the same from here on: the outcome was decided earlier".to_owned(),
            RunGoal::Return => "both calls do the same: they print and return the same".to_owned(),
            RunGoal::Round => {
                "both rounds do the same: they print the same and execute the same lines".to_owned()
            }
        },
        NoCause::NoDifference => {
            "the memory of the two runs does not differ here, or not in a way that can be transferred"
                .to_owned()
        }
        NoCause::NotTransferable { deltas, dropped, instead, spoilers } => {
            let left_out = match dropped {
                0 => String::new(),
                dropped => format!(" ({dropped} more cannot be transferred)"),
            };
            let spoiled = match spoilers.as_slice() {
                [] => String::new(),
                [spoiler] => format!("; {spoiler} alone spoils it"),
                spoilers => format!("; together, these spoil it: {}", spoilers.join(", ")),
            };
            format!(
                "the failure cannot be transferred here: with all {deltas} differences{left_out} the passing run does not fail in the same way: {instead}{spoiled}"
            )
        }
        NoCause::NotNarrowed { left, limit } => {
            let ended = match limit {
                LimitReached::WithoutProgress(tests) => format!("{tests} tests in a row made no progress"),
                LimitReached::Unresolved(tests) => format!("{tests} tests were unresolved"),
                LimitReached::InAll(tests) => format!("the search ended after {tests} tests"),
            };
            format!("the failure can be transferred here, but {ended}: {left} variables are left")
        }
        NoCause::NotRepeatable(run) => {
            format!("a copy of the {run} run behaves differently from the run itself")
        }
        NoCause::NotLooked(error) => format!("the runs cannot be compared here: {error}"),
    }
}
