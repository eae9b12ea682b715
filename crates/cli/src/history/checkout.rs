//! `--checkout`: the command that writes a revision into a folder.

use super::errand::{Errand, Errands};
use crate::exit::Exit;
use crate::failure::Failure;
use howcome_changes::{Fetch, NotFetched};
use howcome_lab::{Ending, NotSeen, SKIP, Seen, remove};
use howcome_report::printable;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// In the words of the command, this is the revision.
const REVISION: &str = "{}";

/// As many lines of what it printed are shown.
const LINES: usize = 5;

/// Gets revisions by the user's command.
pub(crate) struct Checkouts {
    errands: Errands,
    words: Vec<String>,
    stands: PathBuf,
    /// Why the last one could not be had that should have been.
    failed: Mutex<Option<(String, String)>>,
    /// For revisions that have no other place.
    temporary: Mutex<Option<TempDir>>,
}

impl Checkouts {
    /// By a command, whose program is an absolute path or a name to be looked up.
    pub(crate) fn new(words: &[String], stands: &Path) -> Result<Arc<Self>, Failure> {
        Ok(Arc::new(Self {
            errands: Errands::new()?,
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

    /// The error, if a revision could not be had that should have been: the run can be resumed.
    pub(crate) fn failure(&self) -> Option<Failure> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        failed.map(|(message, hint)| Failure::wrong_use(message).hint(hint).exit(Exit::Stopped))
    }

    fn check_out(&self, name: &str) -> Result<PathBuf, NotFetched> {
        let seen = match self.errands.run(self.errand(name)) {
            Ok(seen) => seen,
            Err(NotSeen::Interrupted) => {
                return Err(NotFetched::Failed(format!("the checkout of {name} was interrupted")));
            }
            Err(NotSeen::Because(because)) => {
                let message = format!("the checkout of {name} {because}");
                return Err(self.fail(name, message.clone(), message));
            }
        };
        match seen.ending.plain() {
            Ending::Exit(0) => return Ok(seen.workspace),
            // What is left of it lies among temporary files, which go when the run ends.
            _ => drop(remove(&seen.workspace)),
        }
        match seen.ending.plain() {
            Ending::Exit(SKIP) => {
                let said = seen.last_lines(1).pop();
                Err(NotFetched::Absent(
                    said.map_or("the checkout ended with exit code 125".into(), |said| printable(&said)),
                ))
            }
            ending => {
                let message = format!("the checkout of {name} ended with {ending}");
                let last = seen.last_lines(1).pop().map(|line| format!(": {}", printable(&line)));
                let in_one_line = message.clone() + &last.unwrap_or_default();
                Err(self.fail(name, message + &printed(&seen), in_one_line))
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

    /// The message goes to people, the line to the record.
    fn fail(&self, name: &str, message: String, in_one_line: String) -> NotFetched {
        let mut hint =
            "when that is mended, go on with `howcome resume`; exit with 125 where a revision cannot be had \
                        at all, or leave older ones out with --back-to"
                .to_owned();
        if let Some(astray) = self.errand(name).arguments.iter().find(|word| self.leads_astray(word)) {
            let astray = astray.display();
            hint = format!(
                "it runs in an empty folder, where there is no {astray}: write \"$PWD/{astray}\"; {hint}"
            );
        }
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        *failed = Some((message, hint));
        NotFetched::Failed(in_one_line)
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

/// The last lines that a command printed, as a part of a message.
pub(super) fn printed(seen: &Seen) -> String {
    let lines: Vec<String> = seen.last_lines(LINES).iter().map(|line| printable(line)).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!(": {line}"),
        lines => format!("; it printed:\n    {}", lines.join("\n    ")),
    }
}
