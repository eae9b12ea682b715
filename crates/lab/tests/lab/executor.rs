//! The behaviour of the executor on which the driver relies.

use crate::bench::{Bench, ByCode, Test, finished, order};
use howcome_dd::{Configuration, Outcome};
use howcome_lab::{Decision, Lab, LookError, Noise, NoiseUnknown, Oracle, Prepare, Repeat};
use howcome_run::{Because, Event, Executor, Tally, TestId, TestOrder};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

fn bench(workers: usize) -> Bench {
    Bench::with(|options| options.workers = workers).unwrap()
}

#[test]
fn each_order_gets_one_observation() {
    let mut bench = bench(2);
    bench.set_script("exit 1", Repeat::default());
    for id in 0..20 {
        bench.local.start(TestOrder { alone: id == 7, ..order(id) });
    }
    let mut seen: Vec<u64> = (0..20)
        .map(|_| {
            let (id, observation) = finished(bench.local.wait(None));
            assert_eq!((observation.outcome, observation.because), (Outcome::Fail, Because::Exit(1)));
            assert_eq!(observation.alone, id == 7);
            assert_eq!(observation.tally, Tally::of(Outcome::Fail));
            id
        })
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, (0..20).collect::<Vec<_>>());
    assert_eq!(bench.local.wait(Some(Instant::now())), Event::TimeIsUp);
}

#[test]
fn tests_run_at_the_same_time() {
    let mut bench = bench(2);
    let _pipe = bench.pipe("pipe");
    // One test waits for a line that only the other one writes.
    bench.set_script(
        r#"mkdir "$BENCH/first" 2>/dev/null && read x <>"$BENCH/pipe" || echo >"$BENCH/pipe""#,
        Repeat::default(),
    );
    bench.local.start(order(0));
    bench.local.start(order(1));
    for _ in 0..2 {
        assert_eq!(finished(bench.local.wait(None)).1.outcome, Outcome::Pass);
    }
}

#[test]
fn a_cancelled_test_frees_its_worker_and_sends_no_event() {
    let mut bench = bench(1);
    let mut ready = bench.pipe("ready");
    bench.set_script(r#"echo >"$BENCH/ready"; trap "" TERM; sleep 1000; sleep 1000"#, Repeat::default());
    bench.local.start(order(0));
    ready.next();
    bench.local.start(order(1));
    bench.local.cancel(TestId(1));
    bench.local.cancel(TestId(0));
    bench.local.cancel(TestId(0));
    bench.set_script("touch left; exit 0", Repeat::default());
    bench.local.start(order(2));
    assert_eq!(finished(bench.local.wait(None)).0, 2);
    // Cancelled at a time when it might or might not have ended.
    bench.local.start(order(3));
    bench.local.cancel(TestId(3));
    bench.local.start(order(4));
    assert_eq!(finished(bench.local.wait(None)).0, 4);
}

#[test]
fn another_thread_can_interrupt_the_wait() {
    let bench = &mut bench(1);
    let mut ready = bench.pipe("ready");
    let interrupter = bench.local.interrupter();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            ready.next();
            interrupter.interrupt();
            ready.next();
            interrupter.interrupt();
        });
        let script = r#"echo >"$BENCH/ready"; sleep 1000"#;
        bench.set_script(script, Repeat::default());
        bench.local.start(order(0));
        assert_eq!(bench.local.wait(None), Event::Interrupted);
        bench.local.cancel(TestId(0));
        assert_eq!(bench.try_sh(script).unwrap_err(), LookError::Interrupted);
    });
    assert_eq!(bench.sh("exit 3").ending, howcome_lab::TestEnding::Exit(3));
}

#[test]
fn no_workspace_is_left_in_the_end() {
    let mut bench = bench(2);
    let mut ready = bench.pipe("ready");
    bench.set_script(r#"mkdir -p a/b; echo >"$BENCH/ready"; sleep 1000"#, Repeat::default());
    bench.local.start(order(0));
    bench.local.start(order(1));
    ready.next();
    let Bench { local, temp } = bench;
    drop(local);
    let left: Vec<_> =
        std::fs::read_dir(temp.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["ready"]);
}

#[test]
fn output_is_logged_and_a_silent_test_has_no_log() {
    let logs = tempfile::tempdir().unwrap();
    let mut bench = Bench::with(|options| options.log = Some(logs.path().to_owned())).unwrap();
    bench.set_script("echo said", Repeat::default());
    bench.local.start(order(5));
    assert_eq!(finished(bench.local.wait(None)).1.log.as_deref(), Some("5.log"));
    assert_eq!(
        std::fs::read_to_string(logs.path().join("5.log")).unwrap(),
        "--- standard output ---\nsaid\n"
    );
    bench.set_script("true", Repeat::default());
    bench.local.start(order(6));
    assert_eq!(finished(bench.local.wait(None)).1.log, None);
}

/// Fails in the runs 1, 3 and 4, and passes in all others.
const SOMETIMES: &str =
    r#"echo >>"$BENCH/count"; n=$(wc -l <"$BENCH/count"); case $n in 1|3|4) exit 1;; *) exit 0;; esac"#;

#[test]
fn a_test_is_repeated_until_one_outcome_was_seen_often_enough() {
    let mut bench = bench(1);
    bench.set_script(SOMETIMES, Repeat::Times(3));
    bench.local.start(order(0));
    let (_, observation) = finished(bench.local.wait(None));
    assert_eq!((observation.outcome, observation.because), (Outcome::Fail, Because::Exit(1)));
    assert_eq!(observation.tally, Tally { fail: 3, pass: 1, unresolved: 0 });
}

#[test]
fn a_flaky_test_is_repeated_until_it_is_clear_which_side_it_is_like() {
    let mut bench = bench(1);
    let sides = [Tally { fail: 30, ..Tally::default() }, Tally { pass: 30, ..Tally::default() }];
    let repeat = Repeat::Flaky(Noise::measure(sides[0], sides[1]).unwrap());
    bench.set_script("exit 1", repeat);
    bench.local.start(order(0));
    let (_, observation) = finished(bench.local.wait(None));
    assert_eq!((observation.outcome, observation.because), (Outcome::Fail, Because::Exit(1)));
    assert!(observation.tally.fail > 1);
    assert!(
        matches!(repeat.decide(&observation.tally), Decision::Believe(Outcome::Fail, sure) if sure > 0.9999)
    );
}

#[test]
fn the_noise_of_a_test_can_be_measured_on_all_workers() {
    let mut bench = bench(1);
    let oracle: Arc<dyn Oracle> = Arc::new(ByCode);
    let subject = bench.script(SOMETIMES);
    let tally = bench.local.measure(&subject, &oracle, &Configuration::empty(), 10).unwrap();
    assert_eq!(tally, Tally { fail: 3, pass: 7, unresolved: 0 });
    let missing: Arc<dyn Prepare> =
        Arc::new(Test(|workspace: &Path| Ok(howcome_lab::Command::new("no-such-program", workspace))));
    let refused = bench.local.measure(&missing, &oracle, &Configuration::empty(), 10);
    assert!(matches!(refused, Err(LookError::Because(Because::CouldNotStart(_)))));
}

#[test]
fn no_number_of_runs_tells_sides_apart_that_fail_equally_often() {
    let mut bench = bench(2);
    let oracle: Arc<dyn Oracle> = Arc::new(ByCode);
    let subject = bench.script("exit 1");
    let side = Configuration::empty();
    let learnt = howcome_lab::learn_noise(&mut bench.local, &subject, &oracle, &side, &side);
    let Err(NoiseUnknown::Indistinct(refused)) = learnt else { panic!("{learnt:?}") };
    assert_eq!(refused.failing.fail, Noise::MOST_RUNS_TO_MEASURE);
}

#[test]
fn a_subject_that_panics_does_not_make_the_driver_wait_forever() {
    let mut bench = bench(1);
    let subject = Arc::new(Test(|_: &Path| panic!("a mistake of ours")));
    bench.local.set_experiment(subject, Arc::new(ByCode), Repeat::default());
    bench.local.start(order(0));
    let (_, observation) = finished(bench.local.wait(None));
    assert_eq!(observation.because, Because::Broken("a bug in howcome: a mistake of ours".to_owned()));
}

#[test]
fn a_program_that_is_not_a_warden_is_refused_at_once() {
    let temp = tempfile::tempdir().unwrap();
    for warden in [vec!["/no/such/warden".into()], vec!["true".into()], vec![]] {
        let refused = howcome_lab::Local::new(howcome_lab::LocalOptions::new(warden, temp.path()));
        assert!(matches!(refused.err(), Some(howcome_lab::LocalError::NoWarden(_))));
    }
    assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 0);
}
