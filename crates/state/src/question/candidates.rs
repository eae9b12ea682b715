//! Where the defect can be: places for which different kinds of evidence speak, the best first.
//!
//! No single rule finds most defects, so a few places are listed. Each kind of evidence names one: the lines that go with the failure in
//! runs with variants of the two inputs, if there are such runs, come first; the code that only the failing run executes; the last moment
//! before the last place at which the cause changes and is not merely copied; the first branch that decides; the branch at which the runs
//! part for the second time; the first moment at which the cause changes while the runs execute different
//! lines; the lines at which the runs part for the first time and for good. Where several kinds name the same lines, that place comes
//! first; else the last transition if the two runs do nearly the same, and the code that only the failing run executes if they do not. A
//! transition at which the input is read comes last: nothing is computed there. Places that are not in the slice back from the failure come
//! after all others.
//!
//! This order was compared with others on 92 faulty versions of seven small C programs with two passing runs each, one of them a small
//! change of the failing run, and on 24 programs of our own.

use crate::{CauseTransition, ComparedPlace, ControlFlow, ProgramLine};
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
    /// Whether the decisive one is after the last place: where a failure is reported, a value most often becomes another one once more.
    pub(super) is_late: bool,
    /// Whether the user chose the places. Most often the defect is right before such a place, and the last transition tells most.
    pub(super) is_near_chosen: bool,
}

impl FoundTransitions {
    /// These transitions. The decisive one is the last one that computes something.
    pub(super) fn of(all: Vec<CauseTransition>, is_late: bool, is_near_chosen: bool) -> Self {
        let is_computed = |found: &&CauseTransition| !found.is_copy && !found.is_reading;
        let decisive = all.iter().rfind(is_computed).or(all.last()).cloned();
        Self { all, decisive, is_late, is_near_chosen }
    }
}

/// A place with what speaks for it.
struct Supported {
    line: ProgramLine,
    reasons: Vec<String>,
    /// How many independent kinds of evidence these are.
    counted: u32,
}

/// Whether two lines are the same place.
fn is_same_place(one: &ProgramLine, other: &ProgramLine) -> bool {
    one.file == other.file && one.function == other.function && one.line.abs_diff(other.line) <= NEAR
}

/// The places, the best first.
pub(super) fn rank_candidates(transitions: &FoundTransitions, flow: &ControlFlow) -> Vec<DefectCandidate> {
    let is_divergence = |line: &ProgramLine| {
        flow.divergence.as_ref().is_some_and(|divergence| is_same_place(line, divergence))
    };
    let of_transition = |transition: &CauseTransition| {
        let ComparedPlace { file, function, line, .. } = transition.before.clone();
        let before = ProgramLine { file, line, function };
        match transition.branch {
            // Of a long `switch`, the case that is executed says more than the line that selects it, unless other evidence names that line.
            Some(line) if !is_divergence(&before) => ProgramLine { line, ..before },
            _ => before,
        }
    };
    // The decisive transition is one piece of evidence, whatever the runs do there.
    let is_other = |transition: &&CauseTransition| {
        transitions.decisive.as_ref().is_none_or(|decisive| decisive.before != transition.before)
    };
    let is_far = !transitions.is_near_chosen;
    let parting = transitions.all.iter().find(|transition| transition.is_parting);
    let parting = parting.filter(is_other).filter(|_| is_far);
    // With further runs it is known better which lines tell passing and failing runs apart.
    let (coverage, why) = match &flow.suspicious {
        Some(suspicious) => (Some(suspicious.line.clone()), suspicious.why.as_str()),
        None => {
            (flow.only_failing.clone(), "the failing run executes lines here that the passing run does not")
        }
    };
    let (unusual, unusual_why) = match &flow.unusual {
        Some(unusual) => (Some(unusual.line.clone()), unusual.why.as_str()),
        None => (None, ""),
    };
    // Where the runs part for the first time, the input itself selects the branch. To go on there like the passing run is most often to
    // have its input, so that tells little.
    let is_input = |line: &&ProgramLine| is_divergence(line);
    let deciding = || flow.deciding.iter().filter(|_| is_far);
    let switched = "the failing run passes if it goes on here like the passing run";
    let (reads, decisive) = transitions.decisive.iter().partition::<Vec<_>, _>(|found| found.is_reading);
    let last = |found: Vec<&CauseTransition>| found.first().map(|found| of_transition(found));
    let changes_last = (last(decisive), "the cause changes here last", true);
    let executed = (coverage, why, true);
    let is_apart = if is_far { !flow.is_close } else { flow.is_apart };
    let is_covered_first = is_apart || transitions.is_late || flow.suspicious.is_some();
    // The first branch at which the runs part is most often the one that the input selects.
    let second_parting = flow.branches.get(1).map(|branch| branch.line.clone()).filter(|_| is_far);
    let [second, third] = if is_covered_first { [executed, changes_last] } else { [changes_last, executed] };
    let (varied, varied_why) = match &flow.varied {
        Some(varied) => (Some(varied.line.clone()), varied.why.as_str()),
        None => (None, ""),
    };
    // The last of each says whether it counts when places are compared by how many kinds of evidence speak for them. The others are
    // not independent of these.
    let evidence = [
        (varied, varied_why, false),
        second,
        third,
        (unusual, unusual_why, false),
        (deciding().find(|line| !is_input(line)).cloned(), switched, false),
        (second_parting, "the two runs take different branches here, for the second time", false),
        (deciding().find(is_input).cloned(), switched, false),
        (
            parting.map(of_transition),
            "the cause changes here, and the two runs execute different lines",
            false,
        ),
        (
            flow.divergence.clone(),
            "from here on, the two runs execute different lines for the first time",
            true,
        ),
        (
            flow.last_parting.clone().filter(|_| is_far),
            "from here on, the two runs never execute the same lines again",
            false,
        ),
        (last(reads), "the input is read here, and what is read decides from then on", false),
    ];
    let mut supported: Vec<Supported> = Vec::new();
    for (line, reason, is_counted) in evidence {
        let Some(line) = line else { continue };
        match supported.iter_mut().find(|known| is_same_place(&known.line, &line)) {
            Some(known) => {
                // An experiment was made at one line, and not near it; likewise a value that was assigned.
                let is_of_line = [switched, unusual_why].contains(&reason);
                known.reasons.push(match is_of_line && known.line.line != line.line {
                    true => format!("{reason} (line {})", line.line),
                    false => reason.to_owned(),
                });
                known.counted += u32::from(is_counted);
            }
            None => {
                let counted = u32::from(is_counted);
                supported.push(Supported { line, reasons: vec![reason.to_owned()], counted });
            }
        }
    }
    // Whether no line of the place is in the slice back from the failure.
    let is_apart = |supported: &Supported| {
        flow.slice.as_ref().is_some_and(|slice| !slice.has(|line| is_same_place(line, &supported.line)))
    };
    for supported in supported.iter_mut().filter(|supported| is_apart(supported)) {
        supported.reasons.push("not in the slice back from the failure".to_owned());
    }
    // Many runs say more than two. What goes with the failure is what it depends on, whether or not the slice has it.
    let is_varied = |supported: &Supported| flow.varied.is_some() && supported.reasons[0] == varied_why;
    supported.sort_by_key(|supported| {
        let counted = std::cmp::Reverse(supported.counted.max(1));
        (!is_varied(supported), is_apart(supported), counted)
    });
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
    fn the_code_of_the_failing_run_comes_before_a_branch_that_decides_and_that_before_the_first_parting() {
        let deciding = line("h", 30).into_iter().chain(line("main", 90)).collect();
        let (divergence, only_failing) = (line("f", 10), line("g", 20));
        let flow = ControlFlow { divergence, only_failing, deciding, ..ControlFlow::default() };
        let lines = |flow: &ControlFlow| -> Vec<Option<u64>> {
            let candidates = rank_candidates(&FoundTransitions::default(), flow);
            candidates.into_iter().map(|candidate| candidate.location.line).collect()
        };
        assert_eq!(lines(&flow), [Some(20), Some(30), Some(10)]);
        assert_eq!(lines(&ControlFlow { only_failing: line("f", 11), ..flow }), [Some(11), Some(30)]);
    }

    #[test]
    fn of_two_branches_that_decide_the_one_that_the_input_does_not_select_comes_first() {
        let deciding = line("f", 11).into_iter().chain(line("main", 90)).collect();
        let flow = ControlFlow { divergence: line("f", 10), deciding, ..ControlFlow::default() };
        let found = rank_candidates(&FoundTransitions::default(), &flow);
        let lines: Vec<_> = found.iter().map(|found| found.location.line).collect();
        assert_eq!(lines, [Some(90), Some(11)]);
    }

    #[test]
    fn where_the_runs_part_for_the_second_time_is_a_place_unless_the_user_chose_the_places() {
        let branch = |number: u32| crate::parting_branch::PartingBranch {
            line: line("f", number).unwrap(),
            failing: crate::StopPoint::new(crate::Address(number.into()), 1),
            passing: crate::Address(0),
        };
        let branches = vec![branch(10), branch(40), branch(80)];
        let flow = ControlFlow { divergence: line("f", 10), branches, ..ControlFlow::default() };
        let lines = |is_near_chosen: bool| -> Vec<Option<u64>> {
            let transitions = FoundTransitions { is_near_chosen, ..FoundTransitions::default() };
            rank_candidates(&transitions, &flow).iter().map(|found| found.location.line).collect()
        };
        assert_eq!(lines(false), [Some(40), Some(10)]);
        assert_eq!(lines(true), [Some(10)]);
    }

    #[test]
    fn a_branch_that_the_input_selects_does_not_come_first() {
        let (divergence, only_failing) = (line("f", 10), line("g", 20));
        let deciding = line("f", 11).into_iter().collect();
        let flow = ControlFlow { divergence, only_failing, deciding, ..ControlFlow::default() };
        let lines: Vec<Option<u64>> = rank_candidates(&FoundTransitions::default(), &flow)
            .into_iter()
            .map(|candidate| candidate.location.line)
            .collect();
        assert_eq!(lines, [Some(20), Some(11)]);
    }

    #[test]
    fn where_the_runs_part_for_good_is_no_second_evidence() {
        let (only_failing, last_parting) = (line("g", 20), line("h", 30));
        let flow = ControlFlow { only_failing, last_parting, ..ControlFlow::default() };
        let divergence = line("h", 31);
        let found = rank_candidates(&FoundTransitions::default(), &ControlFlow { divergence, ..flow });
        let ranked: Vec<_> = found.iter().map(|found| (found.location.line, found.why.len())).collect();
        assert_eq!(ranked, [(Some(20), 1), (Some(31), 2)]);
    }

    #[test]
    fn a_place_on_which_the_failure_does_not_depend_comes_last() {
        let slice = crate::backward_slice::BackwardSlice::of(line("f", 10).into_iter().chain(line("h", 29)));
        let (only_failing, deciding) = (line("g", 20), line("h", 30).into_iter().collect());
        let flow =
            ControlFlow { divergence: line("f", 12), only_failing, deciding, ..ControlFlow::default() };
        let flow = ControlFlow { slice: Some(slice), ..flow };
        let found = rank_candidates(&FoundTransitions::default(), &flow);
        let lines: Vec<_> = found.iter().map(|found| found.location.line).collect();
        assert_eq!(lines, [Some(30), Some(12), Some(20)]);
        assert!(found[2].why.contains(&"not in the slice back from the failure".to_owned()));
    }

    #[test]
    fn a_place_with_two_kinds_of_evidence_is_one_candidate() {
        assert_eq!(ranked(line("f", 10), line("f", 12)), [(Some(10), 2)]);
        assert_eq!(ranked(line("f", 10), line("f", 20)), [(Some(10), 1), (Some(20), 1)]);
        assert_eq!(ranked(line("f", 10), line("g", 11)), [(Some(10), 1), (Some(11), 1)]);
        assert_eq!(ranked(None, None), []);
    }
}
