//! Branches that decide: the failing run passes if it goes on where the passing run goes on (predicate switching, Zhang, Gupta and
//! Gupta 2006). Nothing but the program counter is altered.

use crate::Address;
use crate::program_line::ProgramLine;
use crate::run_judge::RunJudge;
use crate::run_pair::RunPair;
use crate::run_result::RunResult;
use crate::stop_point::StopPoint;
use crate::tracee::{Output, TraceError, Tracee};
use howcome_dd::Outcome;
use std::time::Instant;

/// At most this number of branches is switched: the first ones, and the last ones.
const MOST_SWITCHES: usize = 120;

/// A branch at which the two runs part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartingBranch {
    /// The line of the branch.
    pub(crate) line: ProgramLine,
    /// Where the failing run goes on.
    pub(crate) failing: StopPoint,
    /// Where the passing run goes on, in the same call of the same function.
    pub(crate) passing: Address,
}

/// The branches that decide, in the order of time.
pub(crate) fn find_deciding(
    runs: &RunPair,
    judge: &RunJudge,
    branches: &[PartingBranch],
    mut is_over: impl FnMut() -> bool,
) -> Vec<ProgramLine> {
    let left_out = branches.len().saturating_sub(MOST_SWITCHES);
    let first = branches.len().min(MOST_SWITCHES / 2);
    let tried = branches[..first].iter().chain(&branches[first + left_out..]);
    let decides = |branch: &&PartingBranch| {
        !is_over() && matches!(switch(runs, branch), Ok(seen) if judge.judge(&seen).0 == Outcome::Pass)
    };
    let mut deciding: Vec<ProgramLine> = Vec::new();
    for branch in tried.filter(decides) {
        if !deciding.contains(&branch.line) {
            deciding.push(branch.line.clone());
        }
    }
    deciding
}

/// Lets the failing run go on where the passing run goes on.
fn switch(runs: &RunPair, branch: &PartingBranch) -> Result<RunResult, TraceError> {
    let begun = Instant::now();
    let settings = &runs.settings;
    let output = Output::new()?;
    let mut tracee = Tracee::start(&runs.failing.invocation, settings.limits, &output)?;
    tracee.limit(&settings.watchdog, settings.time_to_place)?;
    branch.failing.reach(&mut tracee, None, &settings.program)?;
    tracee.jump(branch.passing)?;
    let end = tracee.go_to_end(&settings.program)?;
    let exit_calls = tracee.exit_calls().to_vec();
    let printed = output.printed()?;
    Ok(RunResult { end, exit_calls, printed, arrived: true, returned: None, took: begun.elapsed() })
}
