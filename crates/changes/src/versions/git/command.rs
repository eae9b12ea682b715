//! How the `git` program is called, so that it only reads, and runs no programs that a repository configures.

use howcome_lab::starting_a_process;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Set for every command, before its name.
const OPTIONS: [&str; 17] = [
    "--no-pager",
    "--no-replace-objects",
    "--literal-pathspecs",
    "-c",
    "core.hooksPath=/dev/null",
    // A program that the repository chooses, run when git reads the index.
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotePath=false",
    // Another program that the repository chooses.
    "-c",
    "log.showSignature=false",
    "-c",
    "blame.ignoreRevsFile=",
    "-c",
    "diff.orderFile=/dev/null",
    "-c",
    "core.warnAmbiguousRefs=false",
];

const VARIABLES: [(&str, &str); 6] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // A partial clone would fetch what it lacks, into the user's repository. Old versions know only the second.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("LC_ALL", "C"),
    ("LANGUAGE", "C"),
];

/// The variables that `git rev-parse --local-env-vars` lists, and more that would redirect git to another repository or start a
/// program. They are set, for example, if howcome is started by a hook.
const NOT_INHERITED: [&str; 22] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DEFAULT_HASH",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitFailed {
    /// There is no such program.
    #[error("`{}`: program not found, so the repository cannot be read", .0.display())]
    Missing(PathBuf),
    /// It could not be started, or its output not be read.
    #[error("git could not be run")]
    NotRun(#[source] io::Error),
    /// It failed.
    #[error("`git {command}` failed: {said}")]
    Refused {
        /// The command, without options.
        command: String,
        /// What it said.
        said: String,
    },
    /// It printed something unexpected.
    #[error("`git {command}` answered something unexpected: {answer}")]
    Unexpected {
        /// The command, without options.
        command: String,
        /// The piece of its output that was not understood.
        answer: String,
    },
}

impl GitFailed {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            GitFailed::Missing(_) => Some("install git, or compare two directories instead".to_owned()),
            GitFailed::Refused { said, .. } => hint_for(said),
            GitFailed::Unexpected { .. } => {
                Some("check with `git fsck` that the repository is sound".to_owned())
            }
            GitFailed::NotRun(_) => None,
        }
    }

    pub(super) fn unexpected(command: &str, answer: &[u8]) -> Self {
        let answer = String::from_utf8_lossy(&answer[..answer.len().min(200)]).into_owned();
        GitFailed::Unexpected { command: command.to_owned(), answer }
    }

    pub(super) fn refused(command: &str, output: &Output) -> Self {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let said = if said.is_empty() { output.status.to_string() } else { said };
        GitFailed::Refused { command: command.to_owned(), said }
    }
}

fn hint_for(said: &str) -> Option<String> {
    let hint = if said.contains("dubious ownership") {
        "the repository belongs to somebody else; if you trust it: git config --global --add safe.directory FOLDER"
    } else if said.contains("safe.bareRepository") {
        "allow bare repositories with git config --global safe.bareRepository all"
    } else if said.contains("promisor") || said.contains("lazy fetching disabled") {
        "this is a partial clone; get the rest with git fetch --refetch --no-filter"
    } else if said.contains("unable to read") || said.contains("missing") || said.contains("bad object") {
        "objects are missing: check with git fsck; a partial clone gets the rest with git fetch --refetch --no-filter"
    } else {
        return None;
    };
    Some(hint.to_owned())
}

/// The program, and the folder in which it runs.
#[derive(Clone, Debug)]
pub(super) struct Git {
    program: PathBuf,
    folder: PathBuf,
}

impl Git {
    pub(super) fn new(program: &Path, folder: &Path) -> Self {
        Self { program: program.to_owned(), folder: folder.to_owned() }
    }

    pub(super) fn within(&self, folder: &Path) -> Self {
        Self::new(&self.program, folder)
    }

    /// What a command that succeeds prints.
    pub(super) fn read<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        command: &str,
        arguments: I,
    ) -> Result<Vec<u8>, GitFailed> {
        self.read_with(&[], command, arguments)
    }

    /// The same with further settings, each as `name=value`.
    pub(super) fn read_with<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        settings: &[OsString],
        command: &str,
        arguments: I,
    ) -> Result<Vec<u8>, GitFailed> {
        let output = self.output(settings, command, arguments)?;
        if output.status.success() { Ok(output.stdout) } else { Err(GitFailed::refused(command, &output)) }
    }

    /// What a command prints, and how it ends.
    pub(super) fn ask<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        command: &str,
        arguments: I,
    ) -> Result<Output, GitFailed> {
        self.output(&[], command, arguments)
    }

    /// A command that keeps running and answers requests.
    pub(super) fn start<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        command: &str,
        arguments: I,
    ) -> Result<Child, GitFailed> {
        let mut git = self.command(&[], command, arguments);
        git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        starting_a_process(|| git.spawn()).map_err(|error| self.not_run(error))
    }

    fn output<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        settings: &[OsString],
        command: &str,
        arguments: I,
    ) -> Result<Output, GitFailed> {
        let mut git = self.command(settings, command, arguments);
        git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = starting_a_process(|| git.spawn());
        child.and_then(Child::wait_with_output).map_err(|error| self.not_run(error))
    }

    fn command<I: IntoIterator<Item: AsRef<OsStr>>>(
        &self,
        settings: &[OsString],
        command: &str,
        arguments: I,
    ) -> Command {
        let mut git = Command::new(&self.program);
        // Ctrl-C must not stop git: the best result so far still has to be written.
        git.process_group(0);
        git.current_dir(&self.folder).args(OPTIONS).envs(VARIABLES);
        for variable in NOT_INHERITED {
            git.env_remove(variable);
        }
        for setting in settings {
            git.arg("-c").arg(setting);
        }
        git.arg(command).args(arguments);
        git
    }

    fn not_run(&self, error: io::Error) -> GitFailed {
        // A removed folder looks the same.
        if error.kind() == io::ErrorKind::NotFound && self.folder.is_dir() {
            GitFailed::Missing(self.program.clone())
        } else {
            GitFailed::NotRun(error)
        }
    }
}
