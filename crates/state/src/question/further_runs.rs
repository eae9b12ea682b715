//! Further runs of the program that pass or fail, as evidence for places: `--more-passing`, `--more-failing`.

use super::command_line::{RunHost, is_same_program, read_command};
use super::request::StateRequest;
use crate::tracee::Invocation;
use crate::{RunPair, Spectrum};
use howcome_run::Problem;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// At most this number of further runs on each side is looked at.
const MOST_RUNS: usize = 200;

/// Further runs, each with the name that the user gave it.
#[derive(Clone, Debug, Default)]
pub struct FurtherRuns {
    /// Runs that pass, and runs that fail.
    sides: [Vec<(String, Invocation)>; 2],
    /// How many runs are more than [`MOST_RUNS`] on their side.
    left_out: usize,
}

/// What a file of `--more-passing` or `--more-failing` takes the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputSlot {
    StandardInput,
    Argument(usize),
}

impl FurtherRuns {
    /// The runs that the user named: inputs in files and folders, whole commands, or descriptions in JSON files (`@FILE`).
    ///
    /// # Errors
    /// If a file cannot be read, a command does not name the program, or it is not clear what a file is for.
    pub fn of(request: &StateRequest, runs: &RunPair, host: &RunHost) -> Result<Self, Problem> {
        let mut further = Self::default();
        let named = [(&request.more_passing, "--more-passing"), (&request.more_failing, "--more-failing")];
        let models = [&runs.passing.invocation, &runs.failing.invocation];
        for (side, ((texts, flag), model)) in named.into_iter().zip(models).enumerate() {
            for text in texts {
                let mut found = read_further(text, flag, request, runs, model, host)?;
                let room = MOST_RUNS - further.sides[side].len();
                further.left_out += found.len().saturating_sub(room);
                found.truncate(room);
                further.sides[side].append(&mut found);
            }
        }
        Ok(further)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.sides.iter().all(Vec::is_empty)
    }

    /// Runs all of them, and counts the lines that they execute. Returns sentences about runs that do not count.
    pub(super) fn count(
        &self,
        spectrum: &mut Spectrum<'_>,
        mut is_over: impl FnMut() -> bool,
    ) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.left_out > 0 {
            remarks.push(format!(
                "{} further runs were left out: at most {MOST_RUNS} on each side are looked at",
                self.left_out
            ));
        }
        for (runs, is_failing) in self.sides.iter().zip([false, true]) {
            for (name, invocation) in runs {
                if is_over() {
                    return remarks;
                }
                let (claim, opposite) = if is_failing { ("fail", "passes") } else { ("pass", "fails") };
                match spectrum.add(invocation, is_failing) {
                    Ok(true) => {}
                    Ok(false) => {
                        remarks.push(format!("{name} was left out: it should {claim}, but it {opposite}"))
                    }
                    Err(error) => remarks.push(format!("{name} was left out: {error}")),
                }
            }
        }
        remarks
    }
}

/// The runs that one text names.
fn read_further(
    text: &str,
    flag: &str,
    request: &StateRequest,
    runs: &RunPair,
    model: &Invocation,
    host: &RunHost,
) -> Result<Vec<(String, Invocation)>, Problem> {
    let path = request.directory.join(text);
    if text.starts_with('@') || !path.exists() {
        let invocation = read_command(text, flag, &request.directory, host)?;
        if !is_same_program(&invocation.program, &model.program)? {
            let called = invocation.program.display();
            return Err(
                Problem::new(format!("{called} is not the program of --fail")).hint(format!("check {flag}"))
            );
        }
        return Ok(vec![(text.to_owned(), invocation)]);
    }
    let slot = find_slot(&runs.passing.invocation, &runs.failing.invocation).ok_or_else(|| {
        Problem::new(format!("it is not clear what {text} of {flag} takes the place of in --fail and --pass"))
            .hint(format!(
                "give whole commands, as in {flag} './program argument', or use `< FILE` in --fail and --pass"
            ))
    })?;
    let run = |file: PathBuf| (file.display().to_string(), model.with_input(slot, &file));
    Ok(files_in(&path)?.into_iter().map(run).collect())
}

/// The file itself, or the files in a folder, in the order of their names.
fn files_in(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let with_file = |error: std::io::Error| Problem::with_file(path, &error);
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(with_file)? {
        let file = entry.map_err(with_file)?.path();
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// The input of the two runs: their standard input, or the one argument in which they differ.
fn find_slot(passing: &Invocation, failing: &Invocation) -> Option<InputSlot> {
    if passing.standard_input.is_some() && failing.standard_input.is_some() {
        return Some(InputSlot::StandardInput);
    }
    if passing.arguments.len() != failing.arguments.len() {
        return None;
    }
    let pairs = passing.arguments.iter().zip(&failing.arguments);
    let mut differing = pairs.enumerate().filter(|(_, (one, other))| one != other).map(|(number, _)| number);
    let number = differing.next().filter(|_| differing.next().is_none())?;
    let is_file = |run: &Invocation| run.directory.join(&run.arguments[number]).is_file();
    (is_file(passing) && is_file(failing)).then_some(InputSlot::Argument(number))
}

impl Invocation {
    /// The same run with another input.
    fn with_input(&self, slot: InputSlot, file: &Path) -> Self {
        let mut run = self.clone();
        match slot {
            InputSlot::StandardInput => run.standard_input = Some(file.to_owned()),
            InputSlot::Argument(number) => run.arguments[number] = OsString::from(file),
        }
        run
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn run(folder: &Path, arguments: &[&str], input: Option<&str>) -> Invocation {
        Invocation {
            program: "/bin/true".into(),
            called: "true".into(),
            arguments: arguments.iter().map(OsString::from).collect(),
            environment: Vec::new(),
            standard_input: input.map(|input| folder.join(input)),
            directory: folder.to_owned(),
            temp_folder: folder.to_owned(),
        }
    }

    #[test]
    fn a_file_takes_the_place_of_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in ["good", "bad"] {
            fs::write(folder.join(name), name).unwrap();
        }
        let slot = |passing: &[&str], failing: &[&str], inputs: [Option<&str>; 2]| {
            find_slot(&run(folder, passing, inputs[0]), &run(folder, failing, inputs[1]))
        };
        let none = [None, None];
        assert_eq!(slot(&["-v", "good"], &["-v", "bad"], none), Some(InputSlot::Argument(1)));
        assert_eq!(slot(&["-v"], &["-v"], [Some("good"), Some("bad")]), Some(InputSlot::StandardInput));
        assert_eq!(slot(&["-v", "good"], &["-w", "bad"], none), None, "two arguments differ");
        assert_eq!(slot(&["3"], &["4"], none), None, "the arguments are not files");
        assert_eq!(slot(&["good"], &["bad", "-v"], none), None);
    }

    #[test]
    fn the_files_of_a_folder_are_taken_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b", "a", "c"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        fs::create_dir(folder.path().join("d")).unwrap();
        let names: Vec<PathBuf> = files_in(folder.path()).unwrap();
        assert_eq!(names, ["a", "b", "c"].map(|name| folder.path().join(name)));
    }
}
