//! What the driver does in addition to asking and telling: budgets, interrupts, doubts, memory, the record.

#![allow(clippy::unwrap_used)]

mod world;

use howcome_dd::*;
use howcome_run::*;
use std::cell::RefCell;
use std::fs::{self, File};
use std::rc::Rc;
use std::time::Duration;
use world::*;

fn fails_with(needed: &str) -> impl Fn(&Configuration) -> Outcome {
    let needed: Configuration = needed.parse().unwrap();
    move |configuration| if needed.is_subset(configuration) { Outcome::Fail } else { Outcome::Pass }
}

fn told(driver: &mut Driver, how: AnswerSource) -> usize {
    let entries = driver.journal().unwritten().iter();
    entries.filter(|entry| matches!(entry, Entry::Told { how: seen, .. } if *seen == how)).count()
}

#[test]
fn a_budget_of_tests_stops_at_the_same_step_for_any_number_of_workers() {
    let test = fails_with("3,17,31");
    let stopped = |workers| {
        let mut driver = with_baseline(fresh_driver(Budget { max_tests: Some(9), max_time: None }), 40);
        let mut executor = ScriptedExecutor::new(
            workers,
            |order: &TestOrder| observation(test(&order.configuration)),
            |configuration: &Configuration| dice(configuration, 1) as f64,
        );
        let subject = Numbers(40);
        let end =
            driver.run(&mut executor, &stage(&subject), Ddmin::new(Configuration::all(40)), &mut |_| {});
        (told(&mut driver, AnswerSource::Tested), end)
    };
    let (tests, end) = stopped(1);
    assert_eq!(tests, 9);
    let Err(Halt::Stopped { why: Stop::MaxTests(9), best }) = end.clone() else { panic!("{end:?}") };
    assert_eq!(test(&best.failing), Outcome::Fail);
    for workers in [2, 5, 16] {
        assert_eq!(stopped(workers), (tests, end.clone()));
    }
}

#[test]
fn a_worker_that_ends_quick_tests_finds_the_next_one_waiting() {
    let waited = |took: Duration| {
        // All deltas are needed, so after a while every removal is expected to pass.
        let test = fails_with("1-32");
        let run = |order: &TestOrder| Observation { took, ..observation(test(&order.configuration)) };
        let mut executor = ScriptedExecutor::new(1, run, |_: &Configuration| 1.0).can_wait(1);
        let mut driver = with_baseline(fresh_driver(Budget::default()), 32);
        let subject = Numbers(32);
        driver.run(&mut executor, &stage(&subject), Ddmin::new(Configuration::all(32)), &mut |_| {}).unwrap();
        assert_eq!(executor.cancelled(), 0, "only tests that are almost certainly asked for wait");
        (executor.waited(), executor.executed())
    };
    let (waiting, executed) = waited(Duration::from_millis(1));
    assert!(waiting > executed / 2, "{waiting} of {executed}");
    assert_eq!(waited(Duration::from_secs(1)).0, 0);
}

#[test]
fn an_interrupt_keeps_the_best_so_far() {
    let test = fails_with("3,17");
    let mut executor = ScriptedExecutor::new(
        2,
        |order: &TestOrder| observation(test(&order.configuration)),
        |_: &Configuration| 1.0,
    )
    .interrupt_after(10);
    let mut driver = with_baseline(fresh_driver(Budget::default()), 20);
    let subject = Numbers(20);
    let mut kept = Vec::new();
    let all = Configuration::all(20);
    let end =
        driver.run(&mut executor, &stage(&subject), Ddmin::new(all), &mut |best| kept.push(best.clone()));
    let Err(Halt::Stopped { why: Stop::Interrupted, best }) = end else { panic!("{end:?}") };
    assert_eq!(test(&best.failing), Outcome::Fail);
    assert_eq!(kept.last(), Some(&best.failing));
}

/// Runs a search in which every test that does not run alone is disturbed, and returns what is recorded. The answer is right all the same.
fn disturbed_search(disturbed: &Observation) -> Vec<Entry> {
    let test = fails_with("5");
    let run = |order: &TestOrder| match order.alone {
        true => observation(test(&order.configuration)),
        false => disturbed.clone(),
    };
    let mut executor =
        ScriptedExecutor::new(4, run, |configuration: &Configuration| dice(configuration, 2) as f64);
    let mut driver = with_baseline(fresh_driver(Budget::default()), 8);
    let subject = Numbers(8);
    let end = driver.run(&mut executor, &stage(&subject), Dd::new(Configuration::all(8)), &mut |_| {});
    assert_eq!(end, Ok(Difference::from_nothing("5".parse().unwrap())));
    driver.journal().unwritten().to_vec()
}

#[test]
fn a_timeout_is_repeated_alone_before_it_is_believed() {
    let timeout = Observation::new(Outcome::Unresolved, Because::TimedOut, Duration::from_secs(5));
    for entry in disturbed_search(&timeout) {
        assert!(!matches!(entry, Entry::Told { outcome: Outcome::Unresolved, .. }), "{entry:?}");
    }
}

#[test]
fn a_killed_test_is_repeated_alone_before_it_is_believed() {
    let killed = Observation::new(Outcome::Unresolved, Because::Signal(9), Duration::ZERO);
    for entry in disturbed_search(&Observation { was_disturbed: true, ..killed }) {
        assert!(!matches!(entry, Entry::Told { outcome: Outcome::Unresolved, .. }), "{entry:?}");
    }
}

#[test]
fn a_test_without_a_verdict_is_repeated_alone_before_the_run_stops() {
    // As if there were not enough file descriptors for several tests.
    disturbed_search(&Observation::new(
        Outcome::Unresolved,
        Because::Broken("too many".into()),
        Duration::ZERO,
    ));
}

#[test]
fn a_test_without_a_verdict_stops_the_run_when_the_search_asks_for_it() {
    let run = |_: &TestOrder| {
        Observation::new(Outcome::Unresolved, Because::CouldNotStart("no such file".into()), Duration::ZERO)
    };
    let mut executor = ScriptedExecutor::new(3, run, |_: &Configuration| 1.0);
    let mut driver = with_baseline(fresh_driver(Budget::default()), 8);
    let subject = Numbers(8);
    let end = driver.run(&mut executor, &stage(&subject), Ddmin::new(Configuration::all(8)), &mut |_| {});
    let Err(Halt::Stopped { why: Stop::NoVerdict(seen), .. }) = end else { panic!("{end:?}") };
    assert_eq!(seen.because, Because::CouldNotStart("no such file".into()));
    // The first three end at the same time, and the one that is asked for is repeated alone.
    assert!(executor.executed() <= 4, "a test that cannot be run is not repeated more than once");
}

#[test]
fn a_failure_with_other_details_counts_only_if_the_details_do_not_matter() {
    // Delta 2 fails in one way, delta 5 as the failing side does.
    let run = |order: &TestOrder| {
        let has = |delta: u32| order.configuration.contains(DeltaId(delta));
        let outcome = if has(1) || has(4) { Outcome::Fail } else { Outcome::Pass };
        Observation { differs: outcome == Outcome::Fail && !has(4), ..observation(outcome) }
    };
    for (exact, expected) in [(false, "2"), (true, "5")] {
        let mut executor = ScriptedExecutor::new(3, run, |_: &Configuration| 1.0);
        let mut driver = with_baseline(fresh_driver(Budget::default()), 8);
        driver.count_only_exact(exact);
        let subject = Numbers(8);
        let end = driver.run(&mut executor, &stage(&subject), Ddmin::new(Configuration::all(8)), &mut |_| {});
        assert_eq!(end, Ok(Difference::from_nothing(expected.parse().unwrap())), "{exact}");
    }
}

#[test]
fn a_stopped_isolation_keeps_the_narrowed_difference() {
    let test = fails_with("900");
    let mut executor = ScriptedExecutor::new(
        1,
        |order: &TestOrder| observation(test(&order.configuration)),
        |_: &Configuration| 1.0,
    );
    let budget = Budget { max_tests: Some(3), max_time: None };
    let mut driver = with_baseline(fresh_driver(budget), 1000);
    let subject = Numbers(1000);
    let search = Isolate::new(Configuration::empty(), Configuration::all(1000));
    let end = driver.run(&mut executor, &stage(&subject), search, &mut |_| {});
    let Err(Halt::Stopped { best, .. }) = end else { panic!("{end:?}") };
    assert_eq!(best.deltas().len(), 125);
    assert_eq!((test(&best.failing), test(&best.passing)), (Outcome::Fail, Outcome::Pass));
}

#[test]
fn a_time_beyond_the_range_of_the_clock_is_not_a_limit() {
    let test = fails_with("5");
    let mut executor = ScriptedExecutor::new(
        1,
        |order: &TestOrder| observation(test(&order.configuration)),
        |_: &Configuration| 1.0,
    );
    let budget = Budget { max_tests: None, max_time: Some(Duration::MAX) };
    let mut driver = with_baseline(fresh_driver(budget), 8);
    let subject = Numbers(8);
    let end = driver.run(&mut executor, &stage(&subject), Dd::new(Configuration::all(8)), &mut |_| {});
    assert!(end.is_ok());
}

/// Deltas in equal pairs, so that many configurations make the same candidate.
struct Pairs;

impl Subject for Pairs {
    fn deltas(&self) -> u32 {
        16
    }

    fn describe(&self, delta: DeltaId) -> String {
        (delta.0 / 2).to_string()
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        let names: Vec<String> = configuration.iter().map(|delta| self.describe(delta)).collect();
        Some(Content::of(names.iter().map(|name| name.as_bytes())))
    }
}

#[test]
fn candidates_with_the_same_content_are_tested_once() {
    for workers in [1, 4] {
        let contents = RefCell::new(Vec::new());
        let run = |order: &TestOrder| {
            contents.borrow_mut().push(Pairs.content(&order.configuration));
            let twos = order.configuration.iter().filter(|delta| [4, 5, 10].contains(&delta.0)).count();
            observation(if twos >= 2 { Outcome::Fail } else { Outcome::Pass })
        };
        let mut executor = ScriptedExecutor::new(workers, run, |configuration: &Configuration| {
            dice(configuration, 3) as f64
        });
        let mut driver = fresh_driver(Budget::default());
        let whole = Stage {
            subject: &Pairs,
            name: &StageName::Items,
            search: Algorithm::Balanced,
            unit: Unit::Item,
            knowledge: Knowledge::none(),
        };
        driver.run(&mut executor, &whole, Ddmin::new(Configuration::all(16)), &mut |_| {}).unwrap();
        let mut contents = contents.into_inner();
        let all = contents.len();
        contents.sort_by_key(|content| format!("{content:?}"));
        contents.dedup();
        assert_eq!(contents.len(), all);
    }
}

#[test]
fn stages_with_the_same_subject_share_their_outcomes() {
    let test = fails_with("2,6");
    let mut executor = ScriptedExecutor::new(
        1,
        |order: &TestOrder| observation(test(&order.configuration)),
        |_: &Configuration| 1.0,
    );
    let mut driver = with_baseline(fresh_driver(Budget::default()), 8);
    let subject = Numbers(8);
    let search = Ddmin::new(Configuration::all(8));
    let Ok(found) = driver.run(&mut executor, &stage(&subject), search, &mut |_| {}) else {
        panic!("nothing stops it")
    };
    let before = executor.executed();
    let confirm = driver.run(&mut executor, &stage(&subject), Confirm::new(found), &mut |_| {});
    assert_eq!(
        confirm,
        Ok(Confirmed { alone_fails: true, superfluous: vec![], decisive: vec![DeltaId(1), DeltaId(5)] })
    );
    assert_eq!(executor.executed(), before, "all outcomes were known");
}

#[test]
fn outcomes_that_follow_from_the_deltas_are_predicted_and_not_tested() {
    let test = fails_with("7");
    for workers in [1, 3] {
        let mut executor = ScriptedExecutor::new(
            workers,
            |order: &TestOrder| observation(test(&order.configuration)),
            |_: &Configuration| 1.0,
        );
        let mut driver = with_baseline(fresh_driver(Budget::default()), 8);
        let subject = Numbers(8);
        let ordered = Stage { knowledge: Knowledge::total_order(), ..stage(&subject) };
        let end = driver.run(&mut executor, &ordered, DdPlus::new(Configuration::all(8)), &mut |_| {});
        assert_eq!(end, Ok(Difference::from_nothing("7".parse().unwrap())));
        assert_eq!(
            (told(&mut driver, AnswerSource::Tested), told(&mut driver, AnswerSource::Predicted)),
            (3, 2)
        );
    }
}

#[test]
fn hints_count_only_in_the_order_of_the_trail() {
    // Delta 1 needs delta 8. The first test that shows it gives the hint.
    let hint = Relation::Needs(DeltaId(0), DeltaId(7));
    let knowledge = Knowledge::none().and(hint);
    let run = move |order: &TestOrder| {
        let mut seen = observation(fails_with("3,8")(&order.configuration));
        if knowledge.predict(&order.configuration).is_some() {
            seen.outcome = Outcome::Unresolved;
            seen.hints = Hints::relations(vec![hint]);
        }
        seen
    };
    let trail = |workers| {
        let mut executor = ScriptedExecutor::new(workers, &run, |configuration: &Configuration| {
            dice(configuration, 6) as f64
        });
        let mut driver = with_baseline(fresh_driver(Budget::default()), 8);
        let subject = Numbers(8);
        let end = driver.run(&mut executor, &stage(&subject), Ddmin::new(Configuration::all(8)), &mut |_| {});
        Driven { end, entries: driver.journal().unwritten().to_vec(), executed: executor.executed() }
    };
    let one = trail(1);
    assert!(one.trail().iter().any(|(how, ..)| *how == AnswerSource::Predicted), "{:?}", one.trail());
    for workers in [2, 3, 8, 64] {
        assert_eq!(trail(workers).trail(), one.trail());
    }
}

#[test]
fn a_confirmation_is_run_once_even_if_its_outcome_is_known() {
    let test = fails_with("2");
    let mut executor = ScriptedExecutor::new(
        2,
        |order: &TestOrder| observation(test(&order.configuration)),
        |_: &Configuration| 1.0,
    );
    let mut driver = with_baseline(fresh_driver(Budget::default()), 4);
    let all = Configuration::all(4);
    let seen = driver.confirm(&mut executor, &StageName::Items, Purpose::ConfirmAlone, &all, None).unwrap();
    assert_eq!((seen.outcome, executor.executed()), (Outcome::Fail, 1));
    driver.confirm(&mut executor, &StageName::Items, Purpose::ConfirmAlone, &all, None).unwrap();
    assert_eq!(executor.executed(), 1);
}

#[test]
fn a_run_continues_in_memory_if_its_journal_cannot_be_written() {
    let world = World { seed: 5, deltas: 10 };
    // Every write to this device fails as if the disk were full.
    let journal = Journal::resume("/dev/full".as_ref(), &Recorded::default(), Box::new(NoWatcher));
    let mut driver =
        with_baseline(Driver::new(journal, Budget::default(), &Recorded::default()), world.deltas);
    let mut executor = ScriptedExecutor::new(
        1,
        |order: &TestOrder| observation(world.outcome(&order.configuration)),
        |_: &Configuration| 1.0,
    );
    let subject = Numbers(world.deltas);
    let end = driver.run(&mut executor, &stage(&subject), Ddmin::new(world.all()), &mut |_| {});
    let simplest = drive(Ddmin::new(world.all()), &world.all(), &Knowledge::none(), |c| world.outcome(c));
    assert_eq!(end, Ok(simplest.finding));
    assert!(driver.journal().take_lost().is_some());
    assert!(told(&mut driver, AnswerSource::Tested) > 0, "the entries are kept in memory");
}

#[test]
fn a_watcher_sees_every_entry_and_every_wait() {
    #[derive(Default)]
    struct Counts {
        entries: usize,
        waits: usize,
    }
    struct Looking(Rc<RefCell<Counts>>);
    impl Watcher for Looking {
        fn entry(&mut self, _entry: &Entry) {
            self.0.borrow_mut().entries += 1;
        }

        fn waiting(&mut self, waiting: Waiting<'_>) {
            assert!(waiting.running > 0 && !waiting.question.configuration.is_empty());
            self.0.borrow_mut().waits += 1;
        }
    }
    let counts = Rc::new(RefCell::new(Counts::default()));
    let journal = Journal::in_memory(&[], Box::new(Looking(counts.clone())));
    let mut driver = with_baseline(Driver::new(journal, Budget::default(), &Recorded::default()), 8);
    let test = fails_with("4");
    let mut executor = ScriptedExecutor::new(
        1,
        |order: &TestOrder| observation(test(&order.configuration)),
        |_: &Configuration| 1.0,
    );
    let subject = Numbers(8);
    driver.run(&mut executor, &stage(&subject), Dd::new(Configuration::all(8)), &mut |_| {}).unwrap();
    let entries = driver.journal().unwritten().len();
    assert_eq!((counts.borrow().entries, counts.borrow().waits as u64), (entries, executor.executed()));
}

#[test]
fn a_run_folder_is_created_once_and_locked_and_an_older_howcome_refuses_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out/run");
    let file = RunFile {
        howcome: "0.1.0".into(),
        version: RUN_VERSION,
        question: howcome_run::QuestionName::Items,
        algorithm: howcome_run::Algorithm::Balanced.into(),
        jobs: 2,
        started: 0,
        request: serde_json::json!({}),
        inputs: howcome_run::InputHashes::new(),
    };
    let create = || RunDir::create([path.clone()], file.clone(), &(), |_| {});
    let run = create().unwrap();
    assert!(matches!(create(), Err(RunDirError::Exists(_))));
    assert!(matches!(RunDir::open(&path), Err(RunDirError::Locked(_))));
    assert!(is_locked(&path));
    drop(run);
    assert_eq!(RunDir::open(&path).unwrap().file(), &file);
    assert!(matches!(RunDir::open(dir.path()), Err(RunDirError::NotARun(_))));
    let newer = serde_json::to_string(&file).unwrap().replace("\"version\":1", "\"version\":99");
    fs::write(path.join("run.json"), newer).unwrap();
    assert!(matches!(RunDir::open(&path), Err(RunDirError::Newer { .. })));
    File::create(path.join("run.json")).unwrap();
    assert!(matches!(RunDir::open(&path), Err(RunDirError::Damaged { .. })));
}
