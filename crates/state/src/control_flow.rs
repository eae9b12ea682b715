//! Where the control flow of the two runs differs, line by line. Nothing is altered for this.

use crate::Address;
use crate::common_calls::CommonCalls;
use crate::debug::FunctionId;
use crate::run_pair::{OriginalRun, RunPair};
use crate::run_settings::RunSettings;
use crate::trace::is_own;
use crate::tracee::{Invocation, Output, TraceError, TraceEvent, Tracee};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// A statement is followed at most this many times.
const MOST_HITS: u32 = 64;
/// At most this number of statements is followed in order. Of later ones it is only noted that they are executed.
const MOST_EVENTS: usize = 20_000;
/// Lines that only one run executes count for lines within this distance, counted in lines with code.
const NEAR: usize = 5;

/// The runs are apart if the failing run shares fewer lines than all but one of this number.
const APART: usize = 16;

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramLine {
    /// The source file.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
}

/// Where the control flow of the two runs differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlFlow {
    /// The last line that both runs execute before they execute different lines for the first time.
    pub divergence: Option<ProgramLine>,
    /// The line around which the failing run executes the most lines that the passing run does not execute.
    pub only_failing: Option<ProgramLine>,
    /// Whether many of the lines that the failing run executes are lines that the passing run does not execute.
    pub is_apart: bool,
}

/// The statements that a run executes.
#[derive(Debug, Default)]
struct ExecutedStatements {
    /// Each with the depth of the stack, in the order of the run.
    events: Vec<(Address, u64)>,
    covered: HashSet<Address>,
}

impl ControlFlow {
    /// Follows both runs through all statements of the functions that they call.
    pub fn of(runs: &RunPair, calls: &CommonCalls) -> Result<Self, TraceError> {
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
        let addresses: Vec<Address> = lines.keys().copied().collect();
        let follow = |run: &OriginalRun| follow(&runs.settings, &run.invocation, &addresses);
        let (passing, failing) = runs.in_both(follow)?;
        let same = passing.events.iter().zip(&failing.events).take_while(|(one, other)| one == other).count();
        let is_diverging = same < passing.events.len().max(failing.events.len());
        let last = same.checked_sub(1).filter(|_| is_diverging).map(|last| failing.events[last].0);
        let only = failing.covered.difference(&passing.covered).count();
        Ok(Self {
            divergence: last.and_then(|at| lines.get(&at)).cloned(),
            only_failing: densest(&lines, &passing.covered, &failing.covered),
            is_apart: only * APART > failing.covered.len(),
        })
    }
}

/// Follows a run through some addresses.
fn follow(
    settings: &RunSettings,
    invocation: &Invocation,
    addresses: &[Address],
) -> Result<ExecutedStatements, TraceError> {
    let output = Output::new()?;
    let mut tracee = Tracee::start(invocation, settings.limits, &output)?;
    tracee.limit(&settings.watchdog, settings.time_to_place)?;
    tracee.set_breakpoints(addresses)?;
    let mut executed = ExecutedStatements::default();
    let mut hits: HashMap<Address, u32> = HashMap::new();
    let mut top = None;
    while let TraceEvent::Breakpoint(at) = tracee.go(Some(&settings.program))? {
        let hit = hits.entry(at).and_modify(|hits| *hits += 1).or_insert(1);
        executed.covered.insert(at);
        if executed.events.len() < MOST_EVENTS {
            // The arguments of the program are on the stack, so only differences of its depth mean the same in both runs.
            let stack = tracee.stack_pointer()?.0;
            executed.events.push((at, top.get_or_insert(stack).wrapping_sub(stack)));
        }
        if *hit >= MOST_HITS || executed.events.len() == MOST_EVENTS {
            tracee.clear_breakpoint(at)?;
        }
    }
    Ok(executed)
}

/// The executed line with the most lines around it that only the failing run executes. Of equal ones the first in its file.
fn densest(
    lines: &BTreeMap<Address, ProgramLine>,
    passing: &HashSet<Address>,
    failing: &HashSet<Address>,
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
        let is_only = |line: &ProgramLine| failing.contains(line) && !passing.contains(line);
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
    fn the_densest_line_is_amid_the_lines_that_only_the_failing_run_executes() {
        let line = |number: u32| ProgramLine { file: "a.c".into(), line: number, function: "f".into() };
        let lines: BTreeMap<Address, ProgramLine> =
            (1..=60).map(|number| (Address(number.into()), line(number))).collect();
        let executed = |numbers: &[u64]| numbers.iter().map(|number| Address(*number)).collect();
        let both: Vec<u64> = (1..=60).filter(|number| ![5, 40, 41, 42].contains(number)).collect();
        let failing = [both.clone(), vec![5, 40, 41, 42]].concat();
        assert_eq!(densest(&lines, &executed(&both), &executed(&failing)), Some(line(41)));
        assert_eq!(densest(&lines, &executed(&both), &executed(&both)), None);
    }
}
