//! `--checkout`: the command that writes a revision into a folder.

use super::helper_command::{HelperCommand, HelperRunner, HelperSetup};
use super::revision_list::{FetchRevision, NotFetched};
use crate::knowledge::first_error;
use howcome_lab::warden::GuardedFolder;
use howcome_lab::{LookError, SKIP, TestEnding, remove};
use howcome_run::words::printable;
use howcome_run::{Problem, ProblemKind};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Stands for the revision in the words of the command.
const REVISION: &str = "{}";

/// A checkout that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// How many of the last lines that a command printed are shown.
pub(super) const SHOWN_LINES: usize = 5;

/// Checks revisions out by the user's command.
pub(super) struct CheckoutCommand {
    runner: HelperRunner,
    words: Vec<String>,
    /// The user's folder.
    directory: PathBuf,
    /// Where temporary folders are made.
    temp: PathBuf,
    /// Why the last checkout failed that should not have.
    failed: Mutex<Option<CheckoutFailure>>,
    /// The command that starts a warden.
    warden: Vec<OsString>,
    /// For revisions of a run that has no folder yet.
    temporary: Mutex<Option<GuardedFolder>>,
}

struct CheckoutFailure {
    message: String,
    hint: String,
}

impl CheckoutCommand {
    /// By the words of a command, whose program is an absolute path or a name to be looked up.
    pub(super) fn new(
        words: &[String],
        directory: &Path,
        setup: &HelperSetup<'_>,
    ) -> Result<Arc<Self>, Problem> {
        Ok(Arc::new(Self {
            runner: HelperRunner::new(setup, PATIENCE)?,
            words: words.to_vec(),
            directory: directory.to_owned(),
            temp: setup.options.temp.clone(),
            warden: setup.options.warden.clone(),
            failed: Mutex::default(),
            temporary: Mutex::default(),
        }))
    }

    /// The function that checks a revision out.
    pub(super) fn fetch(self: &Arc<Self>) -> FetchRevision {
        let command = Arc::clone(self);
        Arc::new(move |name| command.check_out(name))
    }

    /// A folder that is removed together with this value.
    pub(super) fn temporary_folder(&self) -> Result<PathBuf, Problem> {
        let mut temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = &*temporary {
            return Ok(folder.path().to_owned());
        }
        let made = GuardedFolder::new_in(&self.temp, &self.warden)
            .map_err(|error| Problem::with_file(&self.temp, &error))?;
        Ok(temporary.insert(made).path().to_owned())
    }

    /// The problem, if the last checkout failed although the revision can be available.
    pub(super) fn problem(&self) -> Option<Problem> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let CheckoutFailure { message, hint } = failed.as_ref()?;
        let problem = Problem::new(message.clone()).of_kind(ProblemKind::Stopped);
        Some(match self.is_interrupted() {
            true => problem,
            false => problem.hint(hint.clone()),
        })
    }

    /// Whether the user wants to stop.
    pub(super) fn is_interrupted(&self) -> bool {
        self.runner.is_interrupted()
    }

    fn check_out(&self, name: &str) -> Result<PathBuf, NotFetched> {
        let seen = match self.runner.run(self.command_for(name)) {
            Ok(seen) => seen,
            Err(look_error) => {
                let why = match look_error {
                    LookError::Interrupted => "was interrupted".to_owned(),
                    LookError::Because(because) => because.to_string(),
                };
                return Err(self.fail(name, format!("the checkout of {name} {why}"), &[]));
            }
        };
        let is_empty = fs::read_dir(&seen.workspace).is_ok_and(|mut found| found.next().is_none());
        let ending = seen.ending.plain();
        if ending == TestEnding::Exit(0) && !is_empty {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return Ok(seen.workspace);
        }
        // The folder is a temporary one, which goes at the end of the run if it cannot be removed now.
        let _ = remove(&seen.workspace);
        match ending {
            TestEnding::Exit(0) => Err(self.fail(name, format!("the checkout of {name} left no files"), &[])),
            TestEnding::Exit(SKIP) => {
                let said = seen.last_lines(SHOWN_LINES).join("\n");
                let said = first_error(&said).map(printable);
                Err(NotFetched::Absent(
                    said.unwrap_or_else(|| "the checkout ended with exit code 125".to_owned()),
                ))
            }
            ending => {
                let message = format!("the checkout of {name} ended with {ending}");
                Err(self.fail(name, message, &seen.last_lines(SHOWN_LINES)))
            }
        }
    }

    fn command_for(&self, name: &str) -> HelperCommand {
        let mut words = self.words.iter();
        HelperCommand {
            program: words.next().map(PathBuf::from).unwrap_or_default(),
            arguments: words.map(|word| word.replace(REVISION, name).into()).collect(),
            environment: [
                ("HOWCOME_REVISION", OsString::from(name)),
                ("HOWCOME_DIR", self.directory.clone().into()),
            ]
            .map(|(name, value)| (name.into(), value))
            .into(),
            directory: None,
        }
    }

    /// Remembers why a checkout failed, with what the command printed, for people.
    fn fail(&self, name: &str, why: String, printed: &[String]) -> NotFetched {
        let last = printed.last().map(|line| format!(": {}", printable(line)));
        let line = why.clone() + &last.unwrap_or_default();
        let misplaced = self.command_for(name).arguments.into_iter().find(|word| self.is_users_file(word));
        let hint = match misplaced.as_ref().map(|word| word.display()) {
            Some(word) => format!("it runs in an empty folder, where there is no {word}: write \"$PWD/{word}\""),
            None => "fix the command and try again, with `howcome resume` if the search has begun; if this revision is not \
                     available at all, let the command exit with 125, or leave older revisions out with --back-to"
                .to_owned(),
        };
        let failed = CheckoutFailure { message: why + &quote_lines(printed), hint };
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(failed);
        NotFetched::Failed(line)
    }

    /// Whether a word is the relative path of a file in the user's folder, which the command does not run in.
    fn is_users_file(&self, word: &OsString) -> bool {
        let path = Path::new(word);
        path.is_relative()
            && path.components().next().is_some()
            && word != "."
            && self.directory.join(path).exists()
    }
}

/// The lines that a command printed, as the end of a message.
pub(super) fn quote_lines(printed: &[String]) -> String {
    let lines: Vec<String> = printed.iter().map(|line| printable(line)).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!(": {line}"),
        lines => format!("; it printed:\n    {}", lines.join("\n    ")),
    }
}
