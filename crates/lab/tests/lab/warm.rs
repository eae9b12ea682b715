//! Workspaces that are kept between tests: which files are reused, and which never are.

use crate::bench::{Bench, Scripts, finished, order};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::{Command, Lab, Limits, Prepare, Repeat, WorkFolder};
use howcome_run::{Because, Event, Executor, TestId, TestOrder};
use std::sync::Arc;
use std::time::Duration;

/// Counts in the folder itself how many tests it has served, and runs the script of the given delta.
struct Warm {
    builds: Vec<&'static str>,
}

impl Prepare for Scripts<Warm> {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        let before: Option<u32> = folder.take_left().unwrap();
        let is_empty = std::fs::read_dir(folder.path()).unwrap().next().is_none();
        assert_eq!(before.is_none(), is_empty, "the files in the folder are known");
        folder.keep(before.unwrap_or(0) + 1);
        std::fs::write(folder.path().join("served"), before.unwrap_or(0).to_string()).unwrap();
        let sh = |script: &str| self.sh(folder.path(), script);
        let test = sh(self.script(configuration));
        let mut command = self.kept.builds.iter().fold(test, |command, build| command.after(sh(build)));
        command.is_doubtful = before.is_some();
        Ok(command)
    }

    fn reuses(&self) -> bool {
        true
    }
}

/// Sets up scripts whose exit code can tell how many tests the folder has served before.
fn warm(bench: &mut Bench, scripts: &[&'static str], builds: &[&'static str]) -> Arc<dyn Prepare> {
    bench.set_scripts(scripts, Warm { builds: builds.to_vec() })
}

fn run(bench: &mut Bench, id: u64, script: u32) -> String {
    run_order(
        bench,
        TestOrder { configuration: Configuration::empty().with_delta(DeltaId(script)), ..order(id) },
    )
}

fn run_order(bench: &mut Bench, order: TestOrder) -> String {
    bench.local.start(order);
    let (_, observation) = finished(bench.local.wait(None));
    observation.because.to_string()
}

const SERVED: &str = r#"exit $(cat served)"#;

#[test]
fn a_test_takes_over_the_folder_of_the_previous_test() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED], &[]);
    let seen: Vec<String> = (0..3).map(|id| run(&mut bench, id, 0)).collect();
    assert_eq!(seen, ["exit code 0", "exit code 1", "exit code 2"]);
}

#[test]
fn the_folder_of_a_killed_test_is_never_taken_over() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED, "kill -9 $$"], &[]);
    run(&mut bench, 0, 0);
    run(&mut bench, 1, 1);
    assert_eq!(run(&mut bench, 2, 0), "exit code 0");
}

#[test]
fn a_crash_of_the_test_does_not_spoil_what_was_built_before() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED, "kill -9 $$"], &["true"]);
    run(&mut bench, 0, 1);
    assert_eq!(run(&mut bench, 1, 0), "exit code 1");
}

#[test]
fn a_build_that_was_killed_spoils_the_folder() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED], &[r#"test -e "$BENCH/fine" || kill -9 $$"#]);
    assert!(run(&mut bench, 0, 0).starts_with("did not build"));
    std::fs::write(bench.temp.path().join("fine"), "").unwrap();
    assert_eq!(run(&mut bench, 1, 0), "exit code 0");
}

#[test]
fn the_folder_of_a_test_that_timed_out_is_never_taken_over() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED, "sleep 1000"], &["true"]);
    run(&mut bench, 0, 0);
    bench.local.set_limits(Limits { timeout: Duration::from_millis(50), ..Limits::default() });
    assert_eq!(run(&mut bench, 1, 1), "timed out");
    bench.local.set_limits(Limits::default());
    assert_eq!(run(&mut bench, 2, 0), "exit code 0");
}

#[test]
fn the_folder_of_a_cancelled_test_is_never_taken_over() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    let mut ready = bench.pipe("ready");
    warm(&mut bench, &[SERVED, r#"echo >"$BENCH/ready"; sleep 1000"#], &["true"]);
    run(&mut bench, 0, 0);
    bench.local.start(TestOrder { configuration: Configuration::empty().with_delta(DeltaId(1)), ..order(1) });
    ready.next();
    bench.local.cancel(TestId(1));
    assert_eq!(run(&mut bench, 2, 0), "exit code 0");
}

#[test]
fn a_test_from_scratch_starts_with_an_empty_folder() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED], &[]);
    run(&mut bench, 0, 0);
    let all = Configuration::all(1);
    let from_scratch =
        run_order(&mut bench, TestOrder { configuration: all, from_scratch: true, ..order(1) });
    assert_eq!(from_scratch, "exit code 0");
}

#[test]
fn a_failed_build_in_a_reused_folder_is_repeated_from_an_empty_folder() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED], &["test $(cat served) = 0"]);
    assert_eq!(run(&mut bench, 0, 0), "exit code 0");
    assert_eq!(run(&mut bench, 1, 0), "exit code 0");
}

#[test]
fn a_look_starts_with_an_empty_folder_which_the_next_test_can_take_over() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    let subject = warm(&mut bench, &[SERVED], &[]);
    run(&mut bench, 0, 0);
    let seen = bench.local.look_and_go_on(&subject, &Configuration::all(1)).unwrap();
    assert_eq!(std::fs::read_to_string(seen.workspace.join("served")).unwrap(), "0");
    assert_eq!(run(&mut bench, 1, 0), "exit code 1");
    let seen = bench.local.look(&subject, &Configuration::all(1)).unwrap();
    assert_eq!(run(&mut bench, 2, 0), "exit code 0");
    assert!(seen.workspace.join("served").exists(), "kept in another folder");
}

#[test]
fn a_subject_that_reuses_nothing_gets_an_empty_folder() {
    let mut bench = Bench::with(|options| options.workers = 1).unwrap();
    warm(&mut bench, &[SERVED], &[]);
    run(&mut bench, 0, 0);
    bench.set_script("ls | wc -l | grep -qx 0", Repeat::default());
    bench.local.start(order(1));
    let Event::Finished(_, observation) = bench.local.wait(None) else { panic!() };
    assert_eq!(observation.because, Because::Exit(0));
}
