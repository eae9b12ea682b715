//! Where the control flow of the two runs differs, line by line. Nothing is altered for this.

use crate::Address;
use crate::backward_slice::{BackwardSlice, ExecutedStatement};
use crate::common_calls::CommonCalls;
use crate::debug::FunctionId;
use crate::parting_branch::PartingBranch;
use crate::program_line::ProgramLine;
use crate::run_pair::{OriginalRun, RunPair};
use crate::run_settings::RunSettings;
use crate::spectrum::SuspiciousLine;
use crate::stop_point::StopPoint;
use crate::trace::{CommonMoment, align_with_partings, is_own};
use crate::tracee::{Invocation, Output, TraceError, TraceEvent};
use imara_diff::{Algorithm, Diff, InternedInput};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// A statement is followed at most this many times.
const MOST_HITS: u32 = 64;
/// If the runs are followed from a later moment on, it is followed this many times.
const MORE_HITS: u32 = 1000;
/// If the run is too long for that, it is followed a second time with fewer hits: what comes after a loop must not be missed.
const FEWER_HITS: [u32; 2] = [12, 3];
/// At most this number of statements is followed in order. Of later ones it is only noted that they are executed.
const MOST_EVENTS: usize = 20_000;
/// Lines that only one run executes count for lines within this distance, counted in lines with code.
const NEAR: usize = 5;

/// The runs are apart if only the failing run executes more than one of this number of its statements,
const APART: usize = 16;
/// and close if it is fewer than one of this number,
const CLOSE: usize = 8;
/// and if they part at most this many times.
const FEW_PARTINGS: usize = 6;

/// Where the control flow of the two runs differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlFlow {
    /// The last line that both runs execute before they execute different lines for the first time.
    pub divergence: Option<ProgramLine>,
    /// The line around which the failing run executes the most lines that the passing run does not execute.
    pub only_failing: Option<ProgramLine>,
    /// The first line of the failing run after the last line that both runs execute, or that last line if the failing run ends there.
    pub last_parting: Option<ProgramLine>,
    /// Whether many of the lines that the failing run executes are lines that the passing run does not execute.
    pub is_apart: bool,
    /// Whether the two runs do nearly the same: they part a few times, and execute mostly the same lines.
    pub is_close: bool,
    /// The lines with a branch that decides, in the order of time: if the failing run goes on where the passing run goes on, it
    /// passes.
    pub deciding: Vec<ProgramLine>,
    /// The branches at which the two runs part, in the order of time.
    pub(crate) branches: Vec<PartingBranch>,
    /// The line that most failing and fewest passing runs execute, if there are further runs.
    pub suspicious: Option<SuspiciousLine>,
    /// The line that goes with the failure in variants of the two inputs.
    pub varied: Option<SuspiciousLine>,
    /// The line that gives a variable a value which passing runs never have, if there are further runs.
    pub unusual: Option<SuspiciousLine>,
    /// The statements of the functions that one of the two runs calls.
    pub(crate) lines: BTreeMap<Address, ProgramLine>,
    /// The statements that the failing run executes, in order, each with the depth of the stack, up to its end.
    pub(crate) executed: Vec<ExecutedStatement>,
    /// Where that begins; `None` for the start of the run.
    pub(crate) executed_from: Option<StopPoint>,
    /// The statements that the passing and the failing run execute.
    pub(crate) covered: [HashSet<Address>; 2],
    /// The lines on which the failure depends, if that is known.
    pub(crate) slice: Option<BackwardSlice>,
}

/// The statements that a run executes.
#[derive(Debug, Default)]
struct ExecutedStatements {
    /// Each with the depth of the stack, in the order of the run.
    events: Vec<(Address, u64)>,
    covered: HashSet<Address>,
}

impl ExecutedStatements {
    /// Whether there are more statements than were followed in order.
    fn is_cut(&self) -> bool {
        self.events.len() == MOST_EVENTS
    }
}

impl ControlFlow {
    /// Follows both runs through all statements of the functions that they call.
    pub fn of(runs: &RunPair, calls: &CommonCalls) -> Result<Self, TraceError> {
        let lines = lines_of_called(runs, calls);
        let addresses: Vec<Address> = lines.keys().copied().collect();
        let settings = &runs.settings;
        let follow_both = |hits: u32| {
            runs.in_both(|run: &OriginalRun| follow(settings, &run.invocation, &addresses, None, hits))
        };
        let (mut passing, mut failing) = follow_both(MOST_HITS)?;
        let is_cut = passing.is_cut() || failing.is_cut();
        let mut start = None;
        // So many statements are the same that the runs were not followed to the first one that differs.
        if is_unfollowed(&passing.events, &failing.events)
            && let Some(last) = last_before_parting(calls, &passing.events, &failing.events)
        {
            let from = |run: &OriginalRun| match std::ptr::eq(run, &runs.passing) {
                true => last.passing.stop_point,
                false => last.failing.stop_point,
            };
            let (later_passing, later_failing) = runs.in_both(|run: &OriginalRun| {
                follow(settings, &run.invocation, &addresses, Some(from(run)), MORE_HITS)
            })?;
            if later_passing.events != later_failing.events {
                (passing.events, failing.events) = (later_passing.events, later_failing.events);
                start = Some(last.failing.stop_point);
            }
        }
        let same = count_same(&passing.events, &failing.events);
        let is_diverging = same < passing.events.len().max(failing.events.len());
        let last = same.checked_sub(1).filter(|_| is_diverging).map(|last| failing.events[last].0);
        let only = failing.covered.difference(&passing.covered).count();
        let mut branches = find_branches(&passing.events, &failing.events, &lines, start);
        let mut last_parting = last_parting(&passing.events, &failing.events);
        let mut sparse = None;
        if is_cut && let Some((passing, failing)) = follow_sparsely(follow_both)? {
            let found = find_branches(&passing.events, &failing.events, &lines, None);
            let is_new = |branch: &PartingBranch| {
                branches
                    .iter()
                    .all(|known| (known.failing, known.passing) != (branch.failing, branch.passing))
            };
            let new: Vec<PartingBranch> = found.into_iter().filter(is_new).collect();
            branches.extend(new);
            last_parting = self::last_parting(&passing.events, &failing.events);
            if start.is_none() {
                sparse = Some(failing.events);
            }
        }
        let executed = sparse.unwrap_or(failing.events);
        Ok(Self {
            divergence: last.and_then(|at| lines.get(&at)).cloned(),
            only_failing: densest(&lines, &passing.covered, &failing.covered, None),
            last_parting: last_parting.and_then(|at| lines.get(&at)).cloned(),
            is_apart: only * APART > failing.covered.len(),
            is_close: only * CLOSE <= failing.covered.len() && branches.len() <= FEW_PARTINGS,
            deciding: Vec::new(),
            branches,
            suspicious: None,
            varied: None,
            unusual: None,
            lines,
            executed,
            executed_from: start,
            covered: [passing.covered, failing.covered],
            slice: None,
        })
    }

    /// The same in little time: only which lines each run executes.
    pub(crate) fn of_coverage(runs: &RunPair, calls: &CommonCalls) -> Result<Self, TraceError> {
        let lines = lines_of_called(runs, calls);
        let addresses: Vec<Address> = lines.keys().copied().collect();
        let (passing, failing) =
            runs.in_both(|run: &OriginalRun| follow(&runs.settings, &run.invocation, &addresses, None, 1))?;
        let only_failing = densest(&lines, &passing.covered, &failing.covered, None);
        Ok(Self { only_failing, ..Self::default() })
    }

    /// Adds the lines on which the failure depends. Of the lines that only the failing run executes, the others count only if none of
    /// these is among them.
    pub(crate) fn add_slice(&mut self, slice: BackwardSlice) {
        let [passing, failing] = &self.covered;
        let only_failing = densest(&self.lines, passing, failing, Some(&slice));
        self.only_failing = only_failing.or(self.only_failing.take());
        self.slice = Some(slice);
    }
}

/// The statements of the user's functions that one of the two runs calls.
fn lines_of_called(runs: &RunPair, calls: &CommonCalls) -> BTreeMap<Address, ProgramLine> {
    let program = &runs.settings.program;
    let moments = calls.passing.moments.iter().chain(&calls.failing.moments);
    let called: BTreeSet<FunctionId> = moments
        .filter_map(|moment| program.function_at(moment.stop_point.at))
        .filter(|function| is_own(program.function(*function)))
        .collect();
    let mut lines: BTreeMap<Address, ProgramLine> = BTreeMap::new();
    for function in called {
        let name = &program.function(function).name;
        lines.extend(program.statements(function).into_iter().map(|(at, position)| {
            let (file, line) = (position.file.to_path_buf(), position.line);
            (at, ProgramLine { file, line, function: name.clone() })
        }));
    }
    lines
}

/// Where the failing run goes on, or ends, after the last statement that both runs execute. `None` if the two runs end with the same
/// statement, or were not followed to their ends.
fn last_parting(passing: &[(Address, u64)], failing: &[(Address, u64)]) -> Option<Address> {
    if passing.len().max(failing.len()) >= MOST_EVENTS {
        return None;
    }
    let mut input = InternedInput::default();
    input.update_before(passing.iter().copied());
    input.update_after(failing.iter().copied());
    let last = Diff::compute(Algorithm::Histogram, &input).hunks().last()?;
    let is_end = (last.before.end as usize, last.after.end as usize) == (passing.len(), failing.len());
    let first = last.after.start as usize;
    let at = if last.after.is_empty() { first.checked_sub(1)? } else { first };
    is_end.then(|| failing[at].0)
}

/// The branches at which the runs go on in different ways, within one call of a function.
fn find_branches(
    passing: &[(Address, u64)],
    failing: &[(Address, u64)],
    lines: &BTreeMap<Address, ProgramLine>,
    start: Option<StopPoint>,
) -> Vec<PartingBranch> {
    let mut input = InternedInput::default();
    input.update_before(passing.iter().copied());
    input.update_after(failing.iter().copied());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut hits: HashMap<Address, u32> = HashMap::new();
    let mut counted = 0;
    let mut branches = Vec::new();
    for hunk in diff.hunks() {
        let (to_passing, to_failing) = (hunk.before.start as usize, hunk.after.start as usize);
        let (Some((to, depth)), Some((from, same_depth))) =
            (passing.get(to_passing), failing.get(to_failing))
        else {
            continue;
        };
        let (Some(other), Some(line)) = (lines.get(to), lines.get(from)) else { continue };
        // Statements with one line of code can follow each other, as in a loop of one line.
        if depth != same_depth || other.function != line.function || to == from {
            continue;
        }
        for (at, _) in &failing[counted..=to_failing] {
            *hits.entry(*at).or_insert(0) += 1;
        }
        counted = counted.max(to_failing + 1);
        let before = to_failing.checked_sub(1).and_then(|last| lines.get(&failing[last].0));
        let branch = before.filter(|before| before.function == line.function).unwrap_or(line);
        let (at, hit) = (*from, hits[from]);
        let failing = start.map_or(Some(StopPoint::new(at, hit)), |start| start.then(at, hit));
        let branch = |failing: StopPoint| PartingBranch { line: branch.clone(), failing, passing: *to };
        branches.extend(failing.map(branch));
    }
    branches
}

/// How many statements both runs execute before they execute different ones.
fn count_same(passing: &[(Address, u64)], failing: &[(Address, u64)]) -> usize {
    passing.iter().zip(failing).take_while(|(one, other)| one == other).count()
}

/// Whether some statements were no longer followed when the runs parted, so that they can have parted earlier.
fn is_unfollowed(passing: &[(Address, u64)], failing: &[(Address, u64)]) -> bool {
    let same = count_same(passing, failing);
    let mut hits: HashMap<Address, u32> = HashMap::new();
    failing[..same].iter().for_each(|(at, _)| *hits.entry(*at).or_default() += 1);
    same == MOST_EVENTS || hits.values().any(|hits| *hits >= MOST_HITS)
}

/// The last call of both runs before their calls differ for the first time, and before they were seen to execute different statements.
fn last_before_parting(
    calls: &CommonCalls,
    passing: &[(Address, u64)],
    failing: &[(Address, u64)],
) -> Option<CommonMoment> {
    let mut hits: HashMap<Address, u32> = HashMap::new();
    let same = count_same(passing, failing);
    failing[..same].iter().for_each(|(at, _)| *hits.entry(*at).or_default() += 1);
    let is_before = |common: &CommonMoment| {
        let StopPoint { after, at, hit, .. } = common.failing.stop_point;
        after.is_some() || same == MOST_EVENTS || hits.get(&at).is_some_and(|hits| hit <= *hits)
    };
    let aligned = align_with_partings(&calls.passing, &calls.failing);
    let same = aligned.iter().take_while(|(common, parting)| parting.is_none() && is_before(common));
    same.last().map(|(common, _)| *common)
}

/// Follows both runs to their ends with few hits of each statement; `None` if that is still too much.
fn follow_sparsely(
    follow_both: impl Fn(u32) -> Result<(ExecutedStatements, ExecutedStatements), TraceError>,
) -> Result<Option<(ExecutedStatements, ExecutedStatements)>, TraceError> {
    for hits in FEWER_HITS {
        let both = follow_both(hits)?;
        if !both.0.is_cut() && !both.1.is_cut() {
            return Ok(Some(both));
        }
    }
    Ok(None)
}

/// Follows a run through some addresses, from its start or from a moment on.
fn follow(
    settings: &RunSettings,
    invocation: &Invocation,
    addresses: &[Address],
    from: Option<StopPoint>,
    most_hits: u32,
) -> Result<ExecutedStatements, TraceError> {
    let output = Output::new()?;
    let mut tracee = settings.start(invocation, &output)?;
    tracee.limit(&settings.watchdog, settings.time_to_follow)?;
    if let Some(from) = from {
        from.reach(&mut tracee, None, &settings.program)?;
    }
    tracee.set_breakpoints(addresses)?;
    let mut executed = ExecutedStatements::default();
    let mut hits: HashMap<Address, u32> = HashMap::new();
    let mut top = None;
    while let TraceEvent::Breakpoint(at) = tracee.go(Some(&settings.program))? {
        settings.check_time()?;
        let hit = hits.entry(at).and_modify(|hits| *hits += 1).or_insert(1);
        executed.covered.insert(at);
        if executed.events.len() < MOST_EVENTS {
            // The arguments of the program are on the stack, so only differences of its depth mean the same in both runs.
            let stack = tracee.stack_pointer()?.0;
            executed.events.push((at, top.get_or_insert(stack).wrapping_sub(stack)));
        }
        if *hit >= most_hits || executed.events.len() == MOST_EVENTS {
            tracee.clear_breakpoint(at)?;
        }
    }
    Ok(executed)
}

/// The executed line with the most lines around it that only the failing run executes. Of equal ones the first in its file. With a slice,
/// only its lines count.
fn densest(
    lines: &BTreeMap<Address, ProgramLine>,
    passing: &HashSet<Address>,
    failing: &HashSet<Address>,
    slice: Option<&BackwardSlice>,
) -> Option<ProgramLine> {
    let of = |covered: &HashSet<Address>| -> BTreeSet<&ProgramLine> {
        covered.iter().filter_map(|at| lines.get(at)).collect()
    };
    let (passing, failing) = (of(passing), of(failing));
    let mut files: BTreeMap<&Path, BTreeSet<&ProgramLine>> = BTreeMap::new();
    for line in lines.values() {
        files.entry(&line.file).or_default().insert(line);
    }
    let mut best: Option<(usize, &ProgramLine)> = None;
    for all in files.values() {
        let all: Vec<&ProgramLine> = all.iter().copied().collect();
        let is_sliced = |line: &ProgramLine| slice.is_none_or(|slice| slice.contains(line));
        let is_only =
            |line: &ProgramLine| failing.contains(line) && !passing.contains(line) && is_sliced(line);
        let only: Vec<usize> = (0..all.len()).filter(|index| is_only(all[*index])).collect();
        for (index, line) in all.iter().enumerate().filter(|(_, line)| failing.contains(*line)) {
            let weight = |other: &usize| (NEAR + 1).saturating_sub(index.abs_diff(*other));
            let weight: usize = only.iter().map(weight).sum();
            if weight > best.map_or(0, |(weight, _)| weight) {
                best = Some((weight, line));
            }
        }
    }
    best.map(|(_, line)| line.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runs_part_for_good_after_the_last_statement_of_both() {
        let events = |numbers: &[u64]| -> Vec<(Address, u64)> {
            numbers.iter().map(|number| (Address(*number), 0)).collect()
        };
        let parting = |passing: &[u64], failing: &[u64]| last_parting(&events(passing), &events(failing));
        assert_eq!(parting(&[1, 2, 3, 4, 7, 8], &[1, 3, 4, 5, 6]), Some(Address(5)));
        assert_eq!(parting(&[1, 2, 3, 4], &[1, 2]), Some(Address(2)), "the failing run ends");
        assert_eq!(parting(&[1, 2, 9], &[1, 3, 9]), None, "both end alike");
        assert_eq!(parting(&[1, 2], &[1, 2]), None);
    }

    #[test]
    fn the_runs_part_at_a_branch_only_within_one_call() {
        let line = |number: u32, function: &str| ProgramLine {
            file: "a.c".into(),
            line: number,
            function: function.to_owned(),
        };
        let function = |number: u32| if number < 10 { "f" } else { "g" };
        let lines: BTreeMap<Address, ProgramLine> =
            (1..20).map(|number| (Address(number.into()), line(number, function(number)))).collect();
        let events = |numbers: &[(u64, u64)]| -> Vec<(Address, u64)> {
            numbers.iter().map(|(at, depth)| (Address(*at), *depth)).collect()
        };
        // The third round goes on with 4 instead of 3; later one of the runs calls another function.
        let passing =
            events(&[(1, 0), (2, 0), (3, 0), (2, 0), (3, 0), (2, 0), (3, 0), (5, 0), (6, 0), (7, 0)]);
        let failing =
            events(&[(1, 0), (2, 0), (3, 0), (2, 0), (3, 0), (2, 0), (4, 0), (5, 0), (12, 16), (7, 0)]);
        let branches = find_branches(&passing, &failing, &lines, None);
        let expected =
            PartingBranch { line: line(2, "f"), failing: StopPoint::new(Address(4), 1), passing: Address(3) };
        assert_eq!(branches, [expected]);
    }

    #[test]
    fn the_densest_line_is_amid_the_lines_that_only_the_failing_run_executes() {
        let line = |number: u32| ProgramLine { file: "a.c".into(), line: number, function: "f".into() };
        let lines: BTreeMap<Address, ProgramLine> =
            (1..=60).map(|number| (Address(number.into()), line(number))).collect();
        let executed = |numbers: &[u64]| numbers.iter().map(|number| Address(*number)).collect();
        let both: Vec<u64> = (1..=60).filter(|number| ![5, 40, 41, 42].contains(number)).collect();
        let failing = [both.clone(), vec![5, 40, 41, 42]].concat();
        assert_eq!(densest(&lines, &executed(&both), &executed(&failing), None), Some(line(41)));
        assert_eq!(densest(&lines, &executed(&both), &executed(&both), None), None);
    }
}
