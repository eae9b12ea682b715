//! A killed run resumes and loses nothing, wherever its journal ends.

#![allow(clippy::unwrap_used)]

mod world;

use howcome_dd::*;
use howcome_run::*;
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use world::*;

/// A configuration, and the number of its run if the search asks for several.
type TestedRun = (Configuration, Option<u32>);

/// Runs tests in a world, and notes what is tested.
fn noting(world: World, workers: usize) -> (impl Executor, Rc<RefCell<Vec<TestedRun>>>) {
    let tested = Rc::new(RefCell::new(Vec::new()));
    let noted = Rc::clone(&tested);
    let test = move |order: &TestOrder| {
        noted.borrow_mut().push((order.configuration.clone(), order.repeat));
        observation(world.outcome_of_run(&order.configuration, order.repeat))
    };
    let seconds = |configuration: &Configuration| 0.01 + (dice(configuration, 5) % 1000) as f64;
    (ScriptedExecutor::new(workers, test, seconds), tested)
}

/// Runs one session with the journal at `path`, which can contain earlier sessions. Returns the tested configurations
/// and how the search ended.
fn session<S: Search>(
    path: &Path,
    world: World,
    search: S,
    workers: usize,
) -> (Vec<TestedRun>, Result<S::Finding, Halt<Difference>>) {
    let recorded = if path.exists() { read_journal(path).unwrap() } else { Recorded::default() };
    let journal = match path.exists() {
        true => Journal::resume(path, &recorded, Box::new(NoWatcher)),
        false => Journal::create(path, Box::new(NoWatcher)),
    };
    let (mut executor, tested) = noting(world, workers);
    let mut driver = Driver::new(journal, Budget::default(), &recorded);
    // Each session runs the baseline to find out whether the test is still the same.
    driver = with_baseline(driver, world.deltas);
    let subject = Numbers(world.deltas);
    let end = driver.run(&mut executor, &stage(&subject), search, &mut |_| {});
    drop(driver);
    (tested.take(), end)
}

fn trail_of(path: &Path) -> Vec<Entry> {
    let entries = read_journal(path).unwrap().entries;
    entries.into_iter().filter(|entry| matches!(entry, Entry::Stage { .. } | Entry::Told { .. })).collect()
}

fn without_ids(trail: Vec<Entry>) -> Vec<Entry> {
    trail
        .into_iter()
        .map(|entry| match entry {
            Entry::Told { how, configuration, step, outcome, because, left, bytes, .. } => {
                Entry::Told { how, test: None, configuration, step, outcome, because, left, bytes }
            }
            other => other,
        })
        .collect()
}

/// Cuts the journal of a run after every n-th byte, and resumes each of these runs.
fn cut_at_every<S: Search>(bytes: usize, dir: &Path, world: World, search: S) {
    let name = std::any::type_name::<S>();
    let (whole, cut_off) = (dir.join("whole"), dir.join("cut off"));
    let _ = fs::remove_file(&whole);
    let (_, end) = session(&whole, world, search.clone(), 3);
    let journal = fs::read(&whole).unwrap();
    let trail = without_ids(trail_of(&whole));
    for cut in (0..journal.len()).step_by(bytes).chain([journal.len() - 1, journal.len()]) {
        fs::write(&cut_off, &journal[..cut]).unwrap();
        let known = read_journal(&cut_off).unwrap().entries;
        let (tested, again) = session(&cut_off, world, search.clone(), 1 + cut % 4);
        assert_eq!(again, end, "{name}, cut at {cut}");
        assert_eq!(without_ids(trail_of(&cut_off)), trail, "{name}, cut at {cut}");
        for entry in known {
            if let Entry::Observed { configuration, repeat, purpose: Purpose::Question, .. } = entry {
                let is_known = tested.contains(&(configuration.clone(), repeat));
                assert!(!is_known, "{configuration} was known and run again");
            }
        }
    }
}

struct ResumesAnywhere<'a> {
    dir: &'a Path,
    world: World,
}

impl SearchVisitor for ResumesAnywhere<'_> {
    fn visit<S: Search>(&mut self, search: S) {
        cut_at_every(120, self.dir, self.world, search);
    }
}

#[test]
fn a_journal_cut_at_any_byte_resumes_to_the_same_trail_and_finding() {
    let dir = tempfile::tempdir().unwrap();
    // Every byte for the fast searches, and a sample of them for the others.
    let world = World { seed: 3, deltas: 6 };
    cut_at_every(1, dir.path(), world, Balanced::new(world.all()));
    cut_at_every(1, dir.path(), world, Isolate::new(Configuration::empty(), world.all()));
    let world = World { seed: 3, deltas: 12 };
    visit_searches(world, &mut ResumesAnywhere { dir: dir.path(), world });
}

#[test]
fn a_complete_run_that_is_resumed_runs_no_test() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.jsonl");
    let world = World { seed: 8, deltas: 30 };
    let (first, end) = session(&path, world, Balanced::new(world.all()), 2);
    let before = fs::read(&path).unwrap();
    assert!(!first.is_empty());
    let (second, again) = session(&path, world, Balanced::new(world.all()), 2);
    assert_eq!((second, again), (vec![], end));
    let added = fs::read(&path).unwrap().split_off(before.len());
    assert_eq!(added.iter().filter(|byte| **byte == b'\n').count(), 2, "only the baseline is run again");
}

#[test]
fn a_damaged_last_line_is_dropped_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.jsonl");
    let world = World { seed: 1, deltas: 8 };
    session(&path, world, Ddmin::new(world.all()), 1).1.unwrap();
    let intact = read_journal(&path).unwrap();
    assert!(!intact.last_line_damaged);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(b"{\"event\":\"told\",\"how\":");
    fs::write(&path, bytes).unwrap();
    let damaged = read_journal(&path).unwrap();
    assert!(damaged.last_line_damaged);
    assert_eq!(damaged.entries, intact.entries);
}

#[test]
fn a_damaged_line_in_the_middle_is_an_error_with_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.jsonl");
    let world = World { seed: 1, deltas: 8 };
    session(&path, world, Ddmin::new(world.all()), 1).1.unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"event\"", "\"evnt\"", 1)).unwrap();
    let error = read_journal(&path).unwrap_err();
    assert!(error.to_string().contains("line 1"), "{error}");
}

#[test]
fn a_journal_of_a_newer_version_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.jsonl");
    fs::write(&path, "{\"event\":\"opened\",\"howcome\":\"9.0.0\",\"journal\":99,\"time\":0}\n").unwrap();
    assert!(matches!(read_journal(&path), Err(JournalError::Newer { version: 99, .. })));
}

#[test]
fn a_journal_of_another_search_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.jsonl");
    let world = World { seed: 2, deltas: 16 };
    session(&path, world, Ddmin::new(world.all()), 1).1.unwrap();
    let recorded = read_journal(&path).unwrap();
    let journal = Journal::resume(&path, &recorded, Box::new(NoWatcher));
    let mut driver = Driver::new(journal, Budget::default(), &recorded);
    let mut executor = ScriptedExecutor::new(
        1,
        |order: &TestOrder| observation(world.outcome(&order.configuration)),
        |_: &Configuration| 1.0,
    );
    let subject = Numbers(world.deltas);
    let end = driver.run(&mut executor, &stage(&subject), Balanced::new(world.all()), &mut |_| {});
    let Err(Halt::Failed(problem)) = end else { panic!("{end:?}") };
    assert!(problem.to_string().contains("start a new run"), "{problem}");
}

/// Runs a search with a limit, whose answer is confirmed, in a journal that earlier sessions may have begun.
fn limited(path: &Path, world: World, most: u32, workers: usize) -> (Vec<TestedRun>, Configuration) {
    let recorded = if path.exists() { read_journal(path).unwrap() } else { Recorded::default() };
    let journal = match path.exists() {
        true => Journal::resume(path, &recorded, Box::new(NoWatcher)).cut_where_left(),
        false => Journal::create(path, Box::new(NoWatcher)),
    };
    let (mut executor, tested) = noting(world, workers);
    let mut driver = with_baseline(Driver::new(journal, Budget::default(), &recorded), world.deltas);
    let subject = Numbers(world.deltas);
    let search = StopEarly::new(Narrow::new(world.all()), SearchLimit::of_progress(most));
    let found = driver.run(&mut executor, &stage(&subject), search, &mut |_| {}).unwrap().found.failing;
    // The deltas of this stage depend on what the first one has found, and its name does not.
    let part = Numbers(found.len() as u32);
    let whole = Configuration::all(part.0);
    let name = StageName::FoundInput;
    let confirmation = Stage { name: &name, ..stage(&part) };
    let seen = check_stage(&mut driver, &mut executor, &confirmation, &[(Purpose::ConfirmAlone, whole)]);
    seen.unwrap();
    drop(driver);
    (tested.take(), found)
}

#[test]
fn a_run_that_ended_at_a_limit_goes_on_without_it_as_if_there_had_been_none() {
    let dir = tempfile::tempdir().unwrap();
    let mut went_on = 0;
    for seed in 0..40 {
        let world = World { seed, deltas: 14 };
        let [short, long] = ["short", "long"].map(|name| dir.path().join(format!("{name} {seed}")));
        let workers = 1 + seed as usize % 3;
        let (first, so_far) = limited(&short, world, 3, workers);
        let (_, all) = limited(&long, world, u32::MAX, 1);
        let (then, found) = limited(&short, world, u32::MAX, 1);
        assert_eq!(found, all, "seed {seed}");
        assert_eq!(without_ids(trail_of(&short)), without_ids(trail_of(&long)), "seed {seed}");
        // Every answer of the trail is in the record.
        let entries = read_journal(&short).unwrap().entries;
        let observed = |id: TestId| {
            entries.iter().any(|entry| matches!(entry, Entry::Observed { test, .. } if *test == id))
        };
        for entry in &entries {
            assert!(
                !matches!(entry, Entry::Told { test: Some(test), .. } if !observed(*test)),
                "seed {seed}"
            );
        }
        if found != so_far {
            went_on += 1;
            // The last test of each is the confirmation.
            let is_new = |tested: &TestedRun| !first[..first.len() - 1].contains(tested);
            assert!(workers > 1 || then[..then.len() - 1].iter().all(is_new), "seed {seed}");
        }
        let (again, last) = limited(&short, world, u32::MAX, 2);
        assert_eq!((again.len(), last), (0, found), "seed {seed}");
    }
    assert!(went_on > 4, "{went_on}");
}
