//! Workspaces whose subject can undo whatever a test does: they are kept however a test ends, and the subject is told when to restore
//! them.

use crate::bench::{Bench, Scripts, finished, order};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::{Command, Lab, Left, Limits, Prepare, WorkFolder};
use howcome_run::{Because, Executor, TestId, TestOrder};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// Writes to the folder in which state it was found.
struct Restorable;

/// What the tests exit with.
const FRESH: &str = "exit code 10";
const INTACT: &str = "exit code 20";
const INTERRUPTED: &str = "exit code 25";
const RESTORED: &str = "exit code 30";

const STATE: &str = "exit $(cat state)";
const CANNOT_BE_MADE: &str = "cannot be made";

impl Restorable {
    fn make(folder: &mut WorkFolder<'_>) {
        let state = match folder.take_remains::<&str>().unwrap() {
            None => "10",
            Some(Left::Intact("made")) => "20",
            Some(Left::Interrupted("made")) => "25",
            Some(Left::ToBeRestored("made")) => "30",
            Some(other) => panic!("not what was kept: {other:?}"),
        };
        assert_eq!(fs::read_dir(folder.path()).unwrap().count() == 0, state == "10");
        fs::write(folder.path().join("state"), state).unwrap();
        folder.keep_to_restore("made");
    }
}

impl Prepare for Scripts<Restorable> {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        let script = self.script(configuration);
        if script == CANNOT_BE_MADE {
            return Err(Because::DidNotApply(script.to_owned()));
        }
        Restorable::make(folder);
        Ok(self.sh(folder.path(), script))
    }

    fn reuses(&self) -> bool {
        true
    }

    fn warm_up(&self, folder: &mut WorkFolder<'_>) -> Result<(), Because> {
        Restorable::make(folder);
        Ok(())
    }
}

fn bench(workers: usize, scripts: &[&'static str]) -> (Bench, Arc<dyn Prepare>) {
    let mut bench = Bench::with(|options| options.workers = workers).unwrap();
    let subject = bench.set_scripts(scripts, Restorable);
    (bench, subject)
}

fn start(bench: &mut Bench, id: u64, script: u32) {
    let configuration = Configuration::empty().with_delta(DeltaId(script));
    bench.local.start(TestOrder { configuration, ..order(id) });
}

fn wait(bench: &mut Bench) -> String {
    finished(bench.local.wait(None)).1.because.to_string()
}

fn run(bench: &mut Bench, id: u64, script: u32) -> String {
    start(bench, id, script);
    wait(bench)
}

#[test]
fn a_folder_is_restored_after_a_test_that_was_killed() {
    let (mut bench, _) = bench(1, &[STATE, "kill -9 $$"]);
    assert_eq!(run(&mut bench, 0, 0), FRESH);
    assert_eq!(run(&mut bench, 1, 0), INTACT);
    run(&mut bench, 2, 1);
    assert_eq!(run(&mut bench, 3, 0), INTERRUPTED);
    assert_eq!(run(&mut bench, 4, 0), INTACT);
}

#[test]
fn a_folder_is_restored_after_a_test_that_timed_out() {
    let (mut bench, _) = bench(1, &[STATE, "sleep 1000"]);
    assert_eq!(run(&mut bench, 0, 0), FRESH);
    bench.local.set_limits(Limits { timeout: Duration::from_millis(50), ..Limits::default() });
    assert_eq!(run(&mut bench, 1, 1), "timed out");
    bench.local.set_limits(Limits::default());
    assert_eq!(run(&mut bench, 2, 0), INTERRUPTED);
}

#[test]
fn a_folder_is_restored_after_a_test_that_was_cancelled() {
    let (mut bench, _) = bench(1, &[STATE, r#"echo >"$BENCH/ready"; sleep 1000"#]);
    let mut ready = bench.pipe("ready");
    assert_eq!(run(&mut bench, 0, 0), FRESH);
    start(&mut bench, 1, 1);
    ready.next();
    bench.local.cancel(TestId(1));
    assert_eq!(run(&mut bench, 2, 0), INTERRUPTED);
}

#[test]
fn a_folder_is_restored_before_a_test_from_scratch() {
    let (mut bench, _) = bench(1, &[STATE]);
    assert_eq!(run(&mut bench, 0, 0), FRESH);
    let configuration = Configuration::all(1);
    bench.local.start(TestOrder { configuration, from_scratch: true, ..order(1) });
    assert_eq!(wait(&mut bench), RESTORED);
}

#[test]
fn a_configuration_that_makes_no_candidate_leaves_the_folder_alone() {
    let (mut bench, _) = bench(1, &[STATE, CANNOT_BE_MADE]);
    assert_eq!(run(&mut bench, 0, 0), FRESH);
    assert!(run(&mut bench, 1, 1).contains(CANNOT_BE_MADE));
    assert_eq!(run(&mut bench, 2, 0), INTACT);
}

#[test]
fn a_folder_that_was_set_aside_is_used_again_when_nobody_needs_it() {
    let (mut bench, subject) = bench(1, &[STATE]);
    let all = Configuration::all(1);
    let first = bench.local.look(&subject, &all).unwrap();
    let second = bench.local.look(&subject, &all).unwrap();
    assert_eq!(fs::read_to_string(second.workspace.join("state")).unwrap(), "10");
    assert_eq!(fs::read_to_string(first.workspace.join("state")).unwrap(), "10");
    bench.local.release_workspaces();
    assert_eq!(run(&mut bench, 0, 0), RESTORED);
    assert!(!second.workspace.exists(), "it was taken over");
    let third = bench.local.look(&subject, &all).unwrap();
    assert_eq!(fs::read_to_string(third.workspace.join("state")).unwrap(), "30");
    assert!(third.workspace.exists());
    // The third is needed, the first is not.
    assert_eq!(run(&mut bench, 1, 0), RESTORED);
    assert!(third.workspace.exists() && !first.workspace.exists());
}

#[test]
fn a_worker_without_files_writes_them_before_it_takes_a_test() {
    // Neither of the two ends before the other has begun, so they run on two workers.
    const OTHER: &str =
        r#"echo >"$BENCH/ready"; while [ ! -e "$BENCH/both" ]; do sleep 0.01; done; exit $(cat state)"#;
    let (mut bench, _) = bench(2, &[STATE, OTHER]);
    let mut ready = bench.pipe("ready");
    assert_eq!(run(&mut bench, 0, 0), FRESH);
    start(&mut bench, 1, 1);
    start(&mut bench, 2, 1);
    ready.next();
    ready.next();
    fs::write(bench.temp.path().join("both"), "").unwrap();
    assert_eq!([wait(&mut bench), wait(&mut bench)], [INTACT, INTACT]);
}
