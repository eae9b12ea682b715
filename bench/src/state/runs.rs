//! Altered runs per second: a small program is stopped at a function, one variable is set, and it runs to its end.

use super::figures::{MeasuredTime, TURNS, TurnFigures};
use super::programs::CompiledProgram;
use crate::machine;
use crate::table::{MarkdownTable, holds};
use anyhow::{Context, bail, ensure};
use howcome_dd::{Configuration, DeltaId};
use howcome_run::{Because, Event, Executor, TestId, TestOrder};
use howcome_state::matching::{Alterations, Differences};
use howcome_state::tracee::RunLimits;
use howcome_state::{
    CopyExecutor, FailureTerms, RunJudge, RunPair, StopFlag, StopPoint, StoppedRun, TraceOptions,
};
use std::sync::Arc;

const SORTING: &str = include_str!("../../state/sorting.c");
const ALTER: &str = include_str!("../../state/alter.py");
const FAILING: [&str; 5] = ["9", "8", "7", "6", "5"];
const PASSING: [&str; 6] = ["9", "8", "7", "6", "5", "4"];
const TESTS: u64 = 500;
/// How many times more than gdb it must be.
const RATIO: f64 = 100.0;
/// How many per second it must be.
const BAR: f64 = 300.0;

/// Prints how many altered runs per second both make.
pub(super) fn measure() -> anyhow::Result<()> {
    let built = CompiledProgram::of("sorting", SORTING)?;
    let options = TraceOptions {
        limits: RunLimits::default(),
        timeout: None,
        debug_folders: Vec::new(),
        goal: howcome_state::RunGoal::End,
    };
    let runs = RunPair::of(built.invocation(&PASSING), built.invocation(&FAILING), &options)?;
    let (mut gdb, mut ours) = (TurnFigures::default(), [TurnFigures::default(), TurnFigures::default()]);
    for _ in 0..TURNS {
        for (count, took) in built.gdb(ALTER, &PASSING)? {
            gdb.push(count as f64 / took.clock);
        }
        for (workers, figures) in [1, 2].into_iter().zip(&mut ours) {
            let (mut server, size) = server(&runs, workers)?;
            // The first tests copy the memory pages of the processes.
            tested(&mut server, size, 20)?;
            let (tested, took) = MeasuredTime::by(|| tested(&mut server, size, TESTS))?;
            tested?;
            figures.push(TESTS as f64 / took.clock);
        }
    }
    let title = format!("Altered runs of a small program, medians of {TURNS} turns, least and most");
    let table = MarkdownTable::new(
        &title,
        ["who", "workers", "a second", "times gdb's", "≥ 100", "≥ 300 a second", "load"],
    );
    table.row(["gdb, one session".to_owned(), "1".to_owned(), gdb.text(2)]);
    for (workers, figures) in [1, 2].into_iter().zip(&ours) {
        let ratio = figures.median() / gdb.median();
        table.row([
            "howcome".to_owned(),
            workers.to_string(),
            figures.text(0),
            format!("{ratio:.0}"),
            holds(ratio >= RATIO).to_owned(),
            holds(figures.median() >= BAR).to_owned(),
            machine::load(),
        ]);
    }
    Ok(())
}

/// An executor with runs that are stopped at the sorting function, and the delta that gdb's script sets too.
fn server(runs: &RunPair, workers: usize) -> anyhow::Result<(CopyExecutor, DeltaId)> {
    let program = &runs.settings.program;
    let function = *program.functions_named("shell_sort").first().context("the function is missing")?;
    let stop_point = StopPoint::new(program.function(function).body, 1);
    let open = |run: &howcome_state::OriginalRun| {
        StoppedRun::open(runs.settings.clone(), run.invocation.clone(), stop_point, None)
    };
    let failing = open(&runs.failing);
    let passing: Vec<StoppedRun> = (0..workers).map(|_| open(&runs.passing)).collect();
    let seen = [passing[0].run_on(Alterations::default())?, failing.run_on(Alterations::default())?];
    let [passing_seen, failing_seen] = seen;
    let judge =
        RunJudge::new(passing_seen, failing_seen, FailureTerms::default()).context("the runs do the same")?;
    let differences = Differences::between(program, &passing[0].state()?, &failing.state()?);
    let size = differences.deltas.iter().position(|delta| delta.variable == "size");
    let size = DeltaId(size.context("the size does not differ")? as u32);
    let allocated = |stopped_run: StoppedRun| {
        let blocks = stopped_run.allocate(differences.allocations.clone())?;
        Ok((stopped_run, blocks))
    };
    let stopped_runs = passing.into_iter().map(allocated).collect::<anyhow::Result<Vec<_>>>()?;
    let server = CopyExecutor::new(stopped_runs, Arc::new(differences), Arc::new(judge), StopFlag::default());
    Ok((server, size))
}

/// Runs this many tests of one delta, as many at the same time as there are workers.
fn tested(server: &mut CopyExecutor, delta: DeltaId, tests: u64) -> anyhow::Result<()> {
    let order = |id: u64| TestOrder {
        id: TestId(id),
        configuration: Configuration::empty().with_delta(delta),
        alone: false,
        from_scratch: false,
        repeat: None,
        ahead: false,
        experiment: None,
    };
    let workers = server.workers() as u64;
    (0..workers).for_each(|id| server.start(order(id)));
    for id in workers..tests + workers {
        match server.wait(None) {
            // The passing run with the failing run's size: the smallest number is not sorted.
            Event::Finished(_, seen) => {
                let is_run = !matches!(seen.because, Because::DidNotApply(_) | Because::Broken(_));
                ensure!(is_run, "a test could not be run: {:?}", seen.because);
            }
            event => bail!("the tests were stopped: {event:?}"),
        }
        if id < tests {
            server.start(order(id));
        }
    }
    Ok(())
}
