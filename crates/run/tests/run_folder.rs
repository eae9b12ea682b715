//! The folder of a run is complete as soon as it exists, and what it keeps of its input does not change unnoticed.

#![allow(clippy::unwrap_used)]

use howcome_run::{
    Algorithm, QuestionName, RunDir, RunDirError, RunFile, RunInputs, check_inputs, read_run_file,
};
use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn file() -> RunFile {
    RunFile::new(QuestionName::Items, Algorithm::Balanced.into(), 1, &()).unwrap()
}

/// Writes a list and a folder.
struct Inputs<F>(F);

impl<F: Fn(&Path)> RunInputs for Inputs<F> {
    fn write_into(&self, run: &Path) -> Result<(), (PathBuf, io::Error)> {
        (self.0)(run);
        fs::write(run.join("list"), "one\ntwo\n").unwrap();
        fs::create_dir(run.join("original")).unwrap();
        fs::write(run.join("original/a"), "a").unwrap();
        Ok(())
    }
}

/// Cannot be written.
struct NoRoom;

impl RunInputs for NoRoom {
    fn write_into(&self, run: &Path) -> Result<(), (PathBuf, io::Error)> {
        fs::write(run.join("half"), "").unwrap();
        Err((run.join("half"), io::ErrorKind::StorageFull.into()))
    }
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_run_appears_in_its_place_when_it_is_complete() {
    let here = tempfile::tempdir().unwrap();
    let (runs, place) = (here.path().join("above/runs"), here.path().join("above/runs/first"));
    let told = Cell::new(Vec::new());
    let inputs = Inputs(|staged: &Path| {
        assert!(!place.exists());
        assert!(!staged.join("run.json").exists(), "it is written last");
        assert_eq!(RunDir::all_in(&runs), [] as [PathBuf; 0]);
        assert_eq!(staged.parent(), Some(runs.as_path()), "it can be renamed");
    });
    let guard = |folders: &[PathBuf]| {
        assert_eq!(entries(here.path()), 0, "nothing exists before the guard knows of it");
        told.set(folders.to_vec());
    };
    let run = RunDir::create([place.clone()], file(), &inputs, guard).unwrap();
    assert_eq!((run.path(), RunDir::all_in(&runs)), (place.as_path(), vec![place.clone()]));
    assert_eq!(entries(&runs), 1);
    let told = told.take();
    assert!(!told[0].exists() && told[0].parent() == Some(&runs));
    assert_eq!(told[1..], [runs, here.path().join("above")]);
    assert!(matches!(RunDir::open(&place), Err(RunDirError::Locked(_))), "it was locked before it appeared");
}

#[test]
fn a_run_that_cannot_be_written_leaves_nothing() {
    let here = tempfile::tempdir().unwrap();
    let failed = RunDir::create([here.path().join("above/runs/first")], file(), &NoRoom, |_| {});
    assert!(matches!(failed, Err(RunDirError::Io { .. })), "{failed:?}");
    assert_eq!(entries(here.path()), 0);
}

#[test]
fn a_place_that_is_taken_in_the_meantime_is_not_replaced() {
    let here = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| here.path().join(name));
    let taken = Inputs(|_: &Path| fs::create_dir(&first).unwrap());
    let run = RunDir::create([first.clone(), second.clone()], file(), &taken, |_| {}).unwrap();
    assert_eq!(run.path(), second);
    assert_eq!((entries(&first), entries(here.path())), (0, 2));
    let again = RunDir::create([first.clone(), second.clone()], file(), &(), |_| {});
    assert!(matches!(again, Err(RunDirError::Exists(place)) if place == second));
}

#[test]
fn an_input_that_has_changed_is_refused() {
    let changes: [fn(&Path); 3] = [
        |run| fs::write(run.join("list"), "one\n").unwrap(),
        |run| fs::write(run.join("original/b"), "").unwrap(),
        |run| fs::remove_file(run.join("original/a")).unwrap(),
    ];
    for change in changes {
        let here = tempfile::tempdir().unwrap();
        let place = here.path().join("run");
        drop(RunDir::create([place.clone()], file(), &Inputs(|_: &Path| {}), |_| {}).unwrap());
        let file = read_run_file(&place).unwrap();
        assert_eq!(file.inputs.keys().collect::<Vec<_>>(), ["list", "original"]);
        // The run goes on to write other files.
        fs::write(place.join("log/1.log"), "").unwrap();
        fs::write(place.join("journal.jsonl"), "").unwrap();
        check_inputs(&place, &file).unwrap();
        change(&place);
        assert!(matches!(check_inputs(&place, &file), Err(RunDirError::InputChanged(_))));
        let Err(error) = RunDir::open(&place) else { panic!("it is refused") };
        assert!(matches!(error, RunDirError::InputChanged(_)) && error.hint().is_some(), "{error}");
    }
}
