//! Revisions that a command prints and another one checks out, as `run.json` keeps them, and opened.

use super::checkout_command::{CheckoutCommand, SHOWN_LINES, quote_lines};
use super::helper_command::{HelperCommand, HelperRunner, HelperSetup, parse_command};
use super::names::{check_order, describe_change, names_between, read_names};
use super::pool::Pool;
use super::revision_list::RevisionList;
use crate::test_code::common_files::CommonFiles;
use crate::versions::revision_id::RevisionId;
use crate::versions::revision_line::RevisionLine;
use howcome_lab::inquiry::Listener;
use howcome_lab::{LookError, TestEnding};
use howcome_run::{Problem, ProblemKind};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A command that lists revisions for longer hangs.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// The folder inside of a run's folder in which the revisions are kept.
const POOL_FOLDER: &str = "revisions";

/// The commands that list and check out revisions, as the user gave them.
#[derive(Clone, Copy, Debug)]
pub struct ListCommands<'a> {
    /// Prints the names of the revisions, one a line, the oldest first.
    pub revisions_from: &'a str,
    /// Writes a revision into the empty folder that it runs in.
    pub checkout: &'a str,
    /// Whether names whose numbers say that they are in another order are accepted.
    pub in_this_order: bool,
}

/// Revisions from anywhere but git, as `run.json` keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedRevisions {
    /// The words of the command that prints their names.
    from: Vec<String>,
    /// The words of the command that checks one out.
    checkout: Vec<String>,
    /// The user's folder.
    directory: PathBuf,
    /// The names from the oldest revision of the walk to the bad one.
    names: Vec<String>,
}

impl ListedRevisions {
    /// Lists the revisions and takes those from `back_to` to `bad`.
    ///
    /// # Errors
    /// If a command cannot be run, its output is not a list of revisions, or the two are not in it.
    pub fn read(
        commands: ListCommands<'_>,
        bad: Option<&OsStr>,
        back_to: Option<&OsStr>,
        directory: &Path,
        setup: &HelperSetup<'_>,
    ) -> Result<Self, Problem> {
        let from = parse_command(commands.revisions_from, "--revisions-from", directory)?;
        let checkout = parse_command(commands.checkout, "--checkout", directory)?;
        let names = read_names(&run_list_command(&from, directory, setup)?)?;
        if !commands.in_this_order {
            check_order(&names, commands.revisions_from)?;
        }
        let names = names_between(names, bad, back_to)?;
        Ok(Self { from, checkout, directory: directory.to_owned(), names })
    }

    /// The name of the bad revision.
    #[must_use]
    pub fn bad_name(&self) -> String {
        self.names.last().cloned().unwrap_or_default()
    }

    /// Checks, before a run goes on, that the revisions are still the same. New ones after the last do not matter.
    ///
    /// If they cannot be listed any more, the user is told. Perhaps the run has all revisions that it needs.
    ///
    /// # Errors
    /// If they have changed, or the user wants to stop.
    pub fn check_unchanged(&self, listener: &dyn Listener, setup: &HelperSetup<'_>) -> Result<(), Problem> {
        let now = match run_list_command(&self.from, &self.directory, setup) {
            Err(problem) if problem.kind() == ProblemKind::Stopped => return Err(problem),
            Err(_) => {
                listener.warn(
                    "the revisions can no longer be listed; the run goes on with the revisions that it began with",
                );
                return Ok(());
            }
            Ok(printed) => read_names(&printed)?,
        };
        match describe_change(&self.names, &now) {
            None => Ok(()),
            Some(what) => {
                Err(Problem::new(format!("the revisions have changed since the run began: {what}"))
                    .hint("start a new run"))
            }
        }
    }

    /// Opens them. They are kept in the folder of the run; before there is one, in a temporary folder.
    ///
    /// # Errors
    /// If no process can be started, or no folder be made.
    pub fn open(&self, run: Option<&Path>, setup: &HelperSetup<'_>) -> Result<OpenedRevisions, Problem> {
        let checkout = CheckoutCommand::new(&self.checkout, &self.directory, setup)?;
        let folder = match run {
            Some(run) => run.join(POOL_FOLDER),
            None => checkout.temporary_folder()?,
        };
        Ok(OpenedRevisions { names: self.names.clone(), pool: Pool::new(&folder), checkout })
    }
}

/// Listed revisions that can be checked out.
pub struct OpenedRevisions {
    names: Vec<String>,
    pool: Pool,
    checkout: Arc<CheckoutCommand>,
}

impl OpenedRevisions {
    /// The revisions in their order, each with the same common files.
    #[must_use]
    pub fn line(&self, common: CommonFiles) -> Arc<RevisionLine> {
        let source = RevisionList::new(self.pool.clone(), self.checkout.fetch(), common);
        let revisions = self.names.iter().map(|name| RevisionId::new(name.as_str())).collect();
        Arc::new(RevisionLine { source: Arc::new(source), revisions })
    }

    /// Keeps the revisions in the folder of a run from now on, so that the run can be resumed.
    ///
    /// # Errors
    /// If they cannot be written there.
    pub fn keep_in(&self, run: &Path) -> Result<(), Problem> {
        let folder = run.join(POOL_FOLDER);
        self.pool.move_to(&folder).map_err(|error| Problem::with_file(&folder, &error))
    }

    /// The problem, if the last checkout failed although the revision can be available.
    #[must_use]
    pub fn problem(&self) -> Option<Problem> {
        self.checkout.problem()
    }

    /// Whether the user wants to stop.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.checkout.is_interrupted()
    }
}

/// What the command that lists revisions prints in the user's folder.
fn run_list_command(words: &[String], directory: &Path, setup: &HelperSetup<'_>) -> Result<Vec<u8>, Problem> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(Problem::new("run.json does not name a command that lists revisions"));
    };
    let command = HelperCommand {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        environment: vec![("HOWCOME_DIR".into(), directory.into())],
        directory: Some(directory.to_owned()),
    };
    let failed =
        |why: String| Problem::new(format!("the revisions cannot be listed: {} {why}", words.join(" ")));
    let seen = match HelperRunner::new(setup, PATIENCE)?.run(command) {
        Ok(seen) => seen,
        Err(LookError::Interrupted) => {
            return Err(
                Problem::new("interrupted while the revisions were listed").of_kind(ProblemKind::Stopped)
            );
        }
        Err(LookError::Because(because)) => return Err(failed(because.to_string())),
    };
    match seen.ending.plain() {
        TestEnding::Exit(0) if seen.stdout.skipped() > 0 => Err(failed("prints too much".to_owned())),
        TestEnding::Exit(0) => Ok(seen.stdout.pieces().collect::<Vec<_>>().concat()),
        ending => Err(failed(format!("ended with {ending}{}", quote_lines(&seen.last_lines(SHOWN_LINES))))
            .hint("run the command of --revisions-from in this folder to see what is wrong")),
    }
}
