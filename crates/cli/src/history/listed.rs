//! Revisions that a command prints and another one checks out: from anywhere but git.

use super::checkout::{Checkouts, LINES, in_lines};
use super::errand::{Errand, Errands, words};
use super::list::{between, changed, in_order, names};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::talk::Talk;
use clap::Args;
use howcome_changes::{Entry, Listed, Pool, TreePath};
use howcome_lab::{Ending, NotSeen};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Where revisions come from, if not from git.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ListedArgs {
    /// The revisions are those that CMD prints, one a line, the oldest first; for whatever is not in git. Words as in a shell,
    /// without one
    #[arg(long, value_name = "CMD", requires = "checkout")]
    revisions_from: Option<String>,
    /// What writes a revision into the empty folder that it runs in. {} in its words is the revision, as HOWCOME_REVISION is; where
    /// you stand is HOWCOME_DIR. Exit code 125: this one cannot be had and is skipped
    #[arg(long, value_name = "CMD", requires = "revisions_from")]
    checkout: Option<String>,
    /// Take the revisions in the order in which they are printed, whatever their numbers say
    #[arg(long, requires = "revisions_from")]
    in_this_order: bool,
}

/// What `run.json` keeps of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListedRevisions {
    /// The words of the command that prints them.
    from: Vec<String>,
    /// The words of the command that checks one out.
    checkout: Vec<String>,
    /// Where the user stands.
    directory: PathBuf,
    /// Their names, the oldest first, as far as they are in question.
    pub(crate) names: Vec<String>,
}

/// The revisions, ready to be had: where they are kept, and who checks them out.
pub(crate) struct Opened {
    names: Vec<String>,
    pool: Pool,
    checkouts: Arc<Checkouts>,
}

impl Opened {
    /// The revisions as a line, with what every one of them has.
    pub(crate) fn line(&self, pinned: Vec<(TreePath, Entry)>) -> Arc<Listed> {
        Arc::new(Listed::new(self.names.clone(), self.pool.clone(), self.checkouts.fetch(), pinned))
    }

    /// Keeps them in the folder of a run from now on, so that it can be resumed.
    pub(crate) fn keep_in(&self, run: &Path) -> Result<(), Failure> {
        let place = place(run);
        self.pool.move_to(&place).map_err(|error| Failure::file(&place, &error))
    }

    /// The error, if the last revision that was wanted could not be had although it should have been.
    pub(crate) fn failure(&self) -> Option<Failure> {
        self.checkouts.failure()
    }

    /// Whether the user wants to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.checkouts.is_interrupted()
    }
}

fn place(run: &Path) -> PathBuf {
    run.join("revisions")
}

impl ListedArgs {
    /// The revisions from `--back-to` to `--bad`; `None` where they come from git.
    pub(crate) fn read(
        &self,
        bad: Option<&OsStr>,
        back_to: Option<&OsStr>,
        stands: &Path,
    ) -> Result<Option<ListedRevisions>, Failure> {
        let (Some(command), Some(checkout)) = (&self.revisions_from, &self.checkout) else { return Ok(None) };
        let from = words(command, "--revisions-from", stands)?;
        let checkout = words(checkout, "--checkout", stands)?;
        let names = names(&printed_by(&from, stands)?)?;
        if !self.in_this_order {
            in_order(&names, command)?;
        }
        let names = between(names, bad, back_to)?;
        Ok(Some(ListedRevisions { from, checkout, directory: stands.to_owned(), names }))
    }
}

impl ListedRevisions {
    /// Looks, before a run goes on, whether the revisions are still what they were. New ones behind them do not matter.
    ///
    /// Where they cannot be listed any more, which may not matter either, for they may all be at hand, that is said.
    pub(crate) fn look_again(&self, talk: &Talk) -> Result<(), Failure> {
        let now = match printed_by(&self.from, &self.directory) {
            Err(failure) if failure.code() == Exit::Stopped => return Err(failure),
            Err(_) => {
                talk.warn(
                    "the revisions cannot be listed any more; the run goes on with those that it began with",
                );
                return Ok(());
            }
            Ok(printed) => names(&printed)?,
        };
        match changed(&self.names, &now) {
            None => Ok(()),
            Some(what) => {
                Err(Failure::wrong_use(format!("the revisions have changed since the run began: {what}"))
                    .hint("start a new run"))
            }
        }
    }

    /// Makes them ready. They are kept in the folder of the run, or for the time being elsewhere.
    pub(crate) fn open(&self, run: Option<&Path>) -> Result<Opened, Failure> {
        let checkouts = Checkouts::new(&self.checkout, &self.directory)?;
        let folder = match run {
            Some(run) => place(run),
            None => checkouts.temporary_folder()?,
        };
        Ok(Opened { names: self.names.clone(), pool: Pool::new(&folder), checkouts })
    }
}

/// A command that lists revisions for longer hangs.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// What a command prints where the user stands.
fn printed_by(words: &[String], stands: &Path) -> Result<Vec<u8>, Failure> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(Failure::wrong_use("run.json names no command that lists revisions"));
    };
    let errand = Errand {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        environment: vec![("HOWCOME_DIR".into(), stands.into())],
        directory: Some(stands.to_owned()),
    };
    let failed = |why: String| {
        Failure::wrong_use(format!("the revisions cannot be listed: {} {why}", words.join(" ")))
    };
    let seen = match Errands::new(PATIENCE)?.run(errand) {
        Ok(seen) => seen,
        Err(NotSeen::Interrupted) => {
            return Err(Failure::wrong_use("interrupted while the revisions were listed").exit(Exit::Stopped));
        }
        Err(NotSeen::Because(because)) => return Err(failed(because.to_string())),
    };
    match seen.ending.plain() {
        Ending::Exit(0) if seen.stdout.skipped() > 0 => Err(failed("prints without end".to_owned())),
        Ending::Exit(0) => Ok(seen.stdout.pieces().collect::<Vec<_>>().concat()),
        ending => Err(failed(format!("ended with {ending}{}", in_lines(&seen.last_lines(LINES))))
            .hint("try it where you stand; it is --revisions-from")),
    }
}
