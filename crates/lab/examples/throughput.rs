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

/// `true` in an empty workspace, or in one with a file.
struct Nothing {
    has_file: bool,
}

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
        if self.has_file {
            let written = std::fs::write(workspace.join("items"), "one\ntwo\n");
            written.map_err(|error| Because::Broken(error.to_string()))?;
        }
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

fn watched(local: &mut Local, tests: u64, has_file: bool) -> f64 {
    let subject = Arc::new(Nothing { has_file });
    local.set_experiment(subject.clone(), subject, Repeat::default());
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
    watched(&mut local, 100, false);
    println!("{:?}, tests a second:", local.confinement());
    // In turns, since the machine may be busy with other things for a while.
    for _ in 0..5 {
        let bare = bare(tests, workers as u64);
        let [empty, file] = [false, true].map(|has_file| watched(&mut local, tests, has_file));
        println!(
            "{bare:.0} bare, {empty:.0} watched ({:.2}), {file:.0} with a file in the workspace ({:.2})",
            empty / bare,
            file / bare
        );
    }
    ExitCode::SUCCESS
}
