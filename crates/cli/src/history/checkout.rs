//! `--checkout`: the command that writes a revision into a folder.

use super::errand::{Errand, Errands};
use crate::exit::Exit;
use crate::failure::Failure;
use howcome_changes::{Fetch, NotFetched};
use howcome_lab::{Ending, NotSeen, SKIP, remove};
use howcome_report::printable;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// In the words of the command, this is the revision.
const REVISION: &str = "{}";

/// A checkout that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Gets revisions by the user's command.
pub(crate) struct Checkouts {
    errands: Errands,
    words: Vec<String>,
    stands: PathBuf,
    /// Why the last one could not be had that should have been.
    failed: Mutex<Option<Failed>>,
    /// For revisions that have no other place.
    temporary: Mutex<Option<TempDir>>,
}

/// Why a revision could not be had.
struct Failed {
    message: String,
    hint: String,
}

impl Checkouts {
    /// By a command, whose program is an absolute path or a name to be looked up.
    pub(crate) fn new(words: &[String], stands: &Path) -> Result<Arc<Self>, Failure> {
        Ok(Arc::new(Self {
            errands: Errands::new(PATIENCE)?,
            words: words.to_vec(),
            stands: stands.to_owned(),
            failed: Mutex::default(),
            temporary: Mutex::default(),
        }))
    }

    /// What fetches a revision.
    pub(crate) fn fetch(self: &Arc<Self>) -> Fetch {
        let checkouts = Arc::clone(self);
        Arc::new(move |name| checkouts.check_out(name))
    }

    /// A folder that is there as long as they are.
    pub(crate) fn temporary_folder(&self) -> Result<PathBuf, Failure> {
        let mut temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = &*temporary {
            return Ok(folder.path().to_owned());
        }
        let made = tempfile::tempdir().map_err(|error| Failure::file(&std::env::temp_dir(), &error))?;
        Ok(temporary.insert(made).path().to_owned())
    }

    /// The error, if the last revision that was wanted could not be had although it should have been.
    pub(crate) fn failure(&self) -> Option<Failure> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let Failed { message, hint } = failed.as_ref()?;
        let failure = Failure::wrong_use(message.clone()).exit(Exit::Stopped);
        Some(match self.is_interrupted() {
            true => failure,
            false => failure.hint(hint.clone()),
        })
    }

    /// Whether the user wants to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.errands.are_stopped()
    }

    fn check_out(&self, name: &str) -> Result<PathBuf, NotFetched> {
        let seen = match self.errands.run(self.errand(name)) {
            Ok(seen) => seen,
            Err(not_seen) => {
                let why = match not_seen {
                    NotSeen::Interrupted => "was interrupted".to_owned(),
                    NotSeen::Because(because) => because.to_string(),
                };
                return Err(self.fail(name, format!("the checkout of {name} {why}"), &[]));
            }
        };
        let is_empty = fs::read_dir(&seen.workspace).is_ok_and(|mut found| found.next().is_none());
        let ending = seen.ending.plain();
        if ending == Ending::Exit(0) && !is_empty {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return Ok(seen.workspace);
        }
        // What is left of it lies among temporary files, which go when the run ends.
        let _ = remove(&seen.workspace);
        match ending {
            Ending::Exit(0) => Err(self.fail(name, format!("the checkout of {name} has left no files"), &[])),
            Ending::Exit(SKIP) => {
                let said = seen.last_lines(1).pop().map(|said| printable(&said));
                Err(NotFetched::Absent(
                    said.unwrap_or_else(|| "the checkout ended with exit code 125".to_owned()),
                ))
            }
            ending => {
                let message = format!("the checkout of {name} ended with {ending}");
                Err(self.fail(name, message, &seen.last_lines(LINES)))
            }
        }
    }

    fn errand(&self, name: &str) -> Errand {
        let mut words = self.words.iter();
        Errand {
            program: words.next().map(PathBuf::from).unwrap_or_default(),
            arguments: words.map(|word| word.replace(REVISION, name).into()).collect(),
            environment: [
                ("HOWCOME_REVISION", OsString::from(name)),
                ("HOWCOME_DIR", self.stands.clone().into()),
            ]
            .map(|(name, value)| (name.into(), value))
            .into(),
            directory: None,
        }
    }

    /// Remembers why, with what the command printed, for people.
    fn fail(&self, name: &str, why: String, printed: &[String]) -> NotFetched {
        let last = printed.last().map(|line| format!(": {}", printable(line)));
        let line = why.clone() + &last.unwrap_or_default();
        let astray = self.errand(name).arguments.into_iter().find(|word| self.leads_astray(word));
        let hint = match astray.as_ref().map(|word| word.display()) {
            Some(word) => format!("it runs in an empty folder, where there is no {word}: write \"$PWD/{word}\""),
            None => "mend it and try again, with `howcome resume` if the search has begun; exit with 125 where a revision \
                     cannot be had at all, or leave older ones out with --back-to"
                .to_owned(),
        };
        let failed = Failed { message: why + &in_lines(printed), hint };
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(failed);
        NotFetched::Failed(line)
    }

    /// Whether a word is a file where the user stands, and nowhere else.
    fn leads_astray(&self, word: &OsString) -> bool {
        let path = Path::new(word);
        path.is_relative()
            && path.components().next().is_some()
            && word != "."
            && self.stands.join(path).exists()
    }
}

/// As many lines of what a command printed are shown.
pub(super) const LINES: usize = 5;

/// What a command printed, as the end of a message.
pub(super) fn in_lines(printed: &[String]) -> String {
    let lines: Vec<String> = printed.iter().map(|line| printable(line)).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!(": {line}"),
        lines => format!("; it printed:\n    {}", lines.join("\n    ")),
    }
}
