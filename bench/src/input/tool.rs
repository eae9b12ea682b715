//! Howcome and its peers: the command that makes each of them reduce a file, with the same number of workers.

use super::wrapper::{CandidatePassing, extension};
use crate::howcome;
use std::env;
use std::path::{Path, PathBuf};

/// A program that reduces files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReductionTool {
    Howcome,
    Shrinkray,
    Cvise,
    Creduce,
    Picire,
    Lithium,
    Treereduce,
}

/// The task of a tool.
pub(crate) struct ToolTask<'a> {
    /// The name of the file.
    pub(crate) name: &'a str,
    /// The folder with a copy of the file, in which the tool runs.
    pub(crate) folder: &'a Path,
    /// The wrapped test.
    pub(crate) test: &'a Path,
    pub(crate) jobs: usize,
}

/// The command of a tool, and the file of its answer.
pub(crate) struct ToolCommand {
    pub(crate) words: Vec<String>,
    pub(crate) answer: PathBuf,
}

impl ReductionTool {
    /// All tools, howcome first.
    pub(crate) const ALL: [Self; 7] = [
        Self::Howcome,
        Self::Shrinkray,
        Self::Cvise,
        Self::Creduce,
        Self::Picire,
        Self::Lithium,
        Self::Treereduce,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Howcome => "howcome",
            Self::Shrinkray => "shrinkray",
            Self::Cvise => "cvise",
            Self::Creduce => "creduce",
            Self::Picire => "picire",
            Self::Lithium => "lithium",
            Self::Treereduce => "treereduce",
        }
    }

    pub(crate) fn gives(self) -> CandidatePassing {
        match self {
            Self::Howcome | Self::Shrinkray | Self::Cvise | Self::Creduce => CandidatePassing::Named,
            Self::Picire | Self::Lithium | Self::Treereduce => CandidatePassing::Argument,
        }
    }

    /// The command for a task; `None` if the tool is not installed or does not support the file.
    pub(crate) fn start(
        self,
        task: &ToolTask<'_>,
        peers: Option<&Path>,
    ) -> anyhow::Result<Option<ToolCommand>> {
        let ending = extension(task.name);
        let program = match self {
            Self::Howcome => Some(howcome::program()?),
            Self::Treereduce => {
                let language = match ending {
                    "c" => "c",
                    "js" => "javascript",
                    "rs" => "rust",
                    _ => return Ok(None),
                };
                installed(&format!("treereduce-{language}"), peers)
            }
            other => installed(other.name(), peers),
        };
        let Some(program) = program else { return Ok(None) };
        let (copy, out) = (task.folder.join(task.name), task.folder.join(format!("smaller.{ending}")));
        let (program, test, jobs) =
            (program.display().to_string(), task.test.display().to_string(), task.jobs.to_string());
        let (file, smaller) = (copy.display().to_string(), out.display().to_string());
        let plain = if matches!(ending, "c" | "cpp") { "" } else { "--not-c" };
        let (line, answer) = match self {
            Self::Howcome => (format!("input -q -j {jobs} -o {smaller} {file} -- {test}"), out),
            Self::Shrinkray => (
                format!(
                    "--ui basic --no-llm --no-history --trivial-is-not-error --formatter none \
                     --parallelism {jobs} --input-type basename {test} {}",
                    task.name
                ),
                copy,
            ),
            Self::Cvise | Self::Creduce => (format!("--n {jobs} --tidy {plain} {test} {}", task.name), copy),
            Self::Picire => (
                format!(
                    "-i {file} --test {test} -p -j {jobs} --combine-loops --subset-iterator skip \
                     --complement-iterator backward --cache content --atom both -q -o {smaller}.d"
                ),
                task.folder.join(format!("smaller.{ending}.d")).join(task.name),
            ),
            Self::Lithium => {
                let condition = concat!(env!("CARGO_MANIFEST_DIR"), "/input/lithium_condition.py");
                (format!("--tempdir {} {condition} {test} {file}", task.folder.display()), copy)
            }
            Self::Treereduce => {
                (format!("-q -j {jobs} --stable -s {file} -o {smaller} -- {test} @@.{ending}"), out)
            }
        };
        let words = std::iter::once(program).chain(line.split_whitespace().map(str::to_owned)).collect();
        Ok(Some(ToolCommand { words, answer }))
    }
}

/// Finds a program in the folder of the peers or in PATH.
fn installed(name: &str, peers: Option<&Path>) -> Option<PathBuf> {
    let ours = peers.into_iter().flat_map(|folder| [folder.join("venv/bin"), folder.join("bin")]);
    let path = env::var_os("PATH").unwrap_or_default();
    ours.chain(env::split_paths(&path)).map(|folder| folder.join(name)).find(|program| program.is_file())
}
