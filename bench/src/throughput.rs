//! How many empty tests per second are told, compared with a bare loop that starts as many processes.

use crate::machine;
use crate::table::{MarkdownTable, holds};
use crate::trial::{NumberedDeltas, SearchTrial};
use crate::world::World;
use anyhow::Context;
use howcome_dd::{Answer, Ask, Configuration, DeltaId, Outcome, Question, Search, Step};
use howcome_lab::{
    Command, Execution, Lab, Local, LocalOptions, Oracle, Prepare, Repeat, Verdict, WorkFolder,
};
use howcome_run::{Because, Content, Subject};
use std::sync::Arc;
use std::time::Instant;

const PROGRAM: &str = "/bin/true";
const TESTS: u32 = 250;
const TURNS: usize = 31;
const BAR: f64 = 0.9;

pub(crate) fn measure() -> anyhow::Result<()> {
    let title = format!("Throughput: {TESTS} tests that do nothing, medians of {TURNS} turns");
    let columns = [
        "workers",
        "bare processes a second",
        "tests told a second",
        "ratio",
        "of single turns",
        "≥ 0.9",
        "load",
    ];
    let table = MarkdownTable::new(&title, columns);
    for workers in [1, 2] {
        let mut local = local(workers, Arc::new(EmptyTest), Arc::new(EmptyTest))?;
        told_a_second(&mut local)?;
        let (mut bare, mut told) = (Vec::new(), Vec::new());
        // In turns, because the machine can be busy with other work for a while.
        for _ in 0..TURNS {
            bare.push(bare_a_second(workers)?);
            told.push(told_a_second(&mut local)?);
        }
        let mut ratios: Vec<f64> = told.iter().zip(&bare).map(|(told, bare)| told / bare).collect();
        let (bare, told, ratio) = (median(&mut bare), median(&mut told), median(&mut ratios));
        table.row([
            workers.to_string(),
            format!("{bare:.0}"),
            format!("{told:.0}"),
            format!("{ratio:.2}"),
            format!("{:.2}–{:.2}", ratios[0], ratios[TURNS - 1]),
            holds(ratio >= BAR).to_owned(),
            machine::load(),
        ]);
    }
    Ok(())
}

/// An executor with the defaults of the command line, except for logs: a silent test has none.
pub(crate) fn local(
    workers: usize,
    subject: Arc<dyn Prepare>,
    oracle: Arc<dyn Oracle>,
) -> anyhow::Result<Local> {
    let program = std::env::current_exe().context("where this program is")?;
    let mut options = LocalOptions::new(vec![program.into(), "warden".into()], std::env::temp_dir());
    options.workers = workers;
    let mut local = Local::new(options)?;
    local.set_experiment(subject, oracle, Repeat::default());
    Ok(local)
}

fn told_a_second(local: &mut Local) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let world = World::new("nothing fails", TESTS, []);
    let journal = folder.path().join("journal.jsonl");
    let trial = SearchTrial { journal: Some(&journal), ..SearchTrial::new(&world) };
    let (figures, _) = trial.run(OneByOne::new(TESTS), local)?;
    anyhow::ensure!(figures.told == u64::from(TESTS) && figures.wasted() == 0, "tests were wasted");
    Ok(f64::from(TESTS) / figures.took.as_secs_f64())
}

pub(crate) fn bare_a_second(threads: usize) -> anyhow::Result<f64> {
    let began = Instant::now();
    let run = || {
        (0..TESTS as usize / threads).try_for_each(|_| std::process::Command::new(PROGRAM).status().map(drop))
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })?;
    Ok(f64::from(TESTS) / began.elapsed().as_secs_f64())
}

pub(crate) fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Asks for one delta after another and expects that none fails, so look-ahead is always right.
#[derive(Clone, Debug)]
struct OneByOne {
    next: u32,
    end: u32,
    nothing: Configuration,
}

impl OneByOne {
    fn new(end: u32) -> Self {
        Self { next: 0, end, nothing: Configuration::empty() }
    }
}

impl Search for OneByOne {
    type Finding = ();
    const SEES_UNRESOLVED: bool = false;

    fn ask(&self) -> Ask<()> {
        if self.next == self.end {
            return Ask::Done(());
        }
        let configuration = Configuration::from_run(self.next..self.next + 1);
        Ask::Test(Question { chance: Some(0.0), ..Question::new(configuration, Step::Subset) })
    }

    fn tell(&mut self, _: Answer) {
        self.next += 1;
    }

    fn best_so_far(&self) -> &Configuration {
        &self.nothing
    }
}

/// A subject whose tests do nothing, and an oracle that lets everything pass.
pub(crate) struct EmptyTest;

impl Subject for EmptyTest {
    fn deltas(&self) -> u32 {
        TESTS
    }

    fn describe(&self, delta: DeltaId) -> String {
        NumberedDeltas(TESTS).describe(delta)
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl Prepare for EmptyTest {
    fn prepare(&self, _: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
        let workspace = folder.path();
        Ok(Command::new(PROGRAM, workspace))
    }
}

impl Oracle for EmptyTest {
    fn judge(&self, seen: &Execution) -> Verdict {
        Verdict::new(Outcome::Pass, seen)
    }
}
