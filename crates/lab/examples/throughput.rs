//! How much slower is a test that is watched over than a bare process?
//!
//! `cargo run --release -p howcome-lab --example throughput -- TESTS WORKERS [subreaper]`

use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_lab::{Command, Confinement, Local, Options, Oracle, Prepare, Repeat, Seen, Verdict, warden};
use howcome_run::{Because, Content, Event, Executor, Order, Subject, TestId};
use std::path::Path;
use std::process::{Command as Bare, ExitCode};
use std::sync::Arc;
use std::time::Instant;

struct Nothing;

impl Subject for Nothing {
    fn deltas(&self) -> u32 {
        0
    }

    fn describe(&self, delta: DeltaId) -> String {
        format!("{delta:?}")
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl Prepare for Nothing {
    fn prepare(&self, _: &Configuration, workspace: &Path) -> Result<Command, Because> {
        Ok(Command::new("true", workspace))
    }
}

impl Oracle for Nothing {
    fn judge(&self, seen: &Seen) -> Verdict {
        Verdict::new(Outcome::Pass, seen)
    }
}

fn bare(tests: u64, threads: u64) -> f64 {
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| (0..tests / threads).for_each(|_| drop(Bare::new("true").status())));
        }
    });
    tests as f64 / started.elapsed().as_secs_f64()
}

fn watched(local: &mut Local, tests: u64) -> f64 {
    let started = Instant::now();
    let mut next = 0;
    let mut start = |local: &mut Local| {
        let order = Order { id: TestId(next), configuration: Configuration::empty(), alone: false };
        local.start(order);
        next += 1;
    };
    (0..local.workers()).for_each(|_| start(local));
    for done in 1..=tests {
        let Event::Finished(_, observation) = local.wait(None) else { break };
        assert_eq!(observation.because, Because::Exit(0));
        if done + (local.workers() as u64) <= tests {
            start(local);
        }
    }
    tests as f64 / started.elapsed().as_secs_f64()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next();
    if first.as_deref() == Some("warden") {
        return warden::serve();
    }
    let tests = first.and_then(|text| text.parse().ok()).unwrap_or(4000);
    let workers = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let Ok(program) = std::env::current_exe() else { return ExitCode::FAILURE };
    let mut options = Options::new(vec![program.into(), "warden".into()], std::env::temp_dir());
    options.workers = workers;
    options.confinement = arguments.next().map(|_| Confinement::Subreaper);
    let mut local = match Local::new(options) {
        Ok(local) => local,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    local.set_experiment(Arc::new(Nothing), Arc::new(Nothing), Repeat::default());
    watched(&mut local, 100);
    // In turns, since the machine may be busy with other things for a while.
    for _ in 0..5 {
        let (bare, watched) = (bare(tests, workers as u64), watched(&mut local, tests));
        println!(
            "{:?}: {bare:.0} bare, {watched:.0} watched a second: {:.2}",
            local.confinement(),
            watched / bare
        );
    }
    ExitCode::SUCCESS
}
