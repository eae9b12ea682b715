//! Where the slice back from the failure begins.

use crate::Address;
use crate::backward_slice::{BackwardSlice, ExecutedStatement, SlicedSource, slice_back};
use crate::control_flow::ControlFlow;
use crate::debug::Program;
use crate::program_line::ProgramLine;
use crate::run_pair::RunPair;
use crate::run_result::RunResult;
use crate::snapshot::ReadMemory;
use crate::stop_point::StopPoint;
use crate::trace::is_own;
use crate::tracee::{ActiveCall, RunEnd};
use std::collections::HashSet;

/// Where globals are is known from the states that were compared, so nothing is read.
struct NoMemory;

impl ReadMemory for NoMemory {
    fn read(&self, _: Address, _: &mut [u8]) -> bool {
        false
    }
}

/// The lines of the failing run on which its failure depends. If the runs end alike, `wrong_output` is where the failing run prints the first
/// word that differs. `None` if the failure is not among the statements that were followed.
pub(crate) fn slice_from_failure(
    runs: &RunPair,
    flow: &ControlFlow,
    wrong_output: Option<StopPoint>,
) -> Option<BackwardSlice> {
    let program = &runs.settings.program;
    let failing = &runs.failing.result;
    let start = match failing.ends_like(&runs.passing.result) {
        true => find_stop(&flow.executed, flow.executed_from, wrong_output?)?,
        false => {
            let line = end_line(program, failing);
            let is_there =
                |(at, _): &ExecutedStatement| line.is_some() && flow.lines.get(at) == line.as_ref();
            // If `main` returns, the last statement is its end.
            let last = flow.executed.len().checked_sub(1)?;
            flow.executed.iter().rposition(is_there).unwrap_or(last)
        }
    };
    let globals: HashSet<String> =
        program.globals(&NoMemory).iter().map(|variable| last_part(&variable.name)).collect();
    let functions: HashSet<String> = program
        .functions()
        .iter()
        .filter(|function| is_own(function))
        .map(|function| last_part(&function.name))
        .collect();
    let source = SlicedSource {
        lines: &flow.lines,
        globals: &globals,
        is_own: &|name| functions.contains(name),
        folder: &runs.failing.invocation.directory,
    };
    Some(slice_back(&flow.executed, &[start], &source))
}

/// The name without the names around it.
fn last_part(name: &str) -> String {
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

/// The line of the innermost function of the user when a run ended.
pub(crate) fn end_line(program: &Program, result: &RunResult) -> Option<ProgramLine> {
    let calls: &[ActiveCall] = match &result.end {
        RunEnd::Killed(crash) => &crash.backtrace,
        _ => &result.exit_calls,
    };
    calls.iter().enumerate().find_map(|(depth, call)| {
        let at = call.at?;
        // In outer calls, the run goes on after the call.
        let at = if depth == 0 { at } else { Address(at.0.checked_sub(1)?) };
        let function = program.function(program.function_at(at)?);
        let position = program.line_at(at).filter(|_| is_own(function))?;
        let (file, line) = (position.file.to_path_buf(), position.line);
        Some(ProgramLine { file, line, function: function.name.clone() })
    })
}

/// The position of a stop among the statements that a run executes from a moment on.
fn find_stop(executed: &[ExecutedStatement], from: Option<StopPoint>, stop: StopPoint) -> Option<usize> {
    let steps = |stop: StopPoint| -> Vec<(Address, u32)> {
        stop.first.into_iter().chain(stop.after).chain([(stop.at, stop.hit)]).collect()
    };
    let (all, before) = (steps(stop), from.map(steps).unwrap_or_default());
    let mut next = 0;
    for (wanted, hit) in all.strip_prefix(before.as_slice())? {
        let mut hits = (next..executed.len()).filter(|at| executed[*at].0 == *wanted);
        next = hits.nth((*hit as usize).checked_sub(1)?)? + 1;
    }
    next.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_counted_as_a_run_counts_it() {
        let executed: Vec<ExecutedStatement> =
            [1, 2, 3, 2, 3, 2, 3].iter().map(|at| (Address(*at), 0)).collect();
        let stop = StopPoint::new(Address(2), 2);
        assert_eq!(find_stop(&executed, None, stop), Some(3));
        let later = stop.then(Address(3), 2).unwrap();
        assert_eq!(find_stop(&executed, None, later), Some(6));
        assert_eq!(find_stop(&executed[4..], Some(stop), later), Some(2));
        assert_eq!(find_stop(&executed, None, StopPoint::new(Address(2), 4)), None);
        assert_eq!(find_stop(&executed, Some(StopPoint::new(Address(1), 1)), stop), None);
    }
}
