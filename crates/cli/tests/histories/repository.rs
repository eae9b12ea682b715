//! A history on disk: a git repository, and the test beside it.

use super::plan::{Language, Plan};
use super::source::Files;
use super::truth::Truth;
use super::version::{Version, subject};
use super::{c_program, shell_program};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// How many commits a merged branch has.
const BRANCH: usize = 3;

/// A generated history, and the truth about it.
#[derive(Debug)]
pub struct History {
    /// The repository.
    pub repository: PathBuf,
    /// The test, which lies beside it.
    pub test: PathBuf,
    /// What builds a revision.
    pub build: &'static str,
    /// The commits along the first parents, the oldest first.
    pub names: Vec<String>,
    pub plan: Plan,
    pub truth: Truth,
    pub versions: Vec<Version>,
}

impl History {
    /// Makes `project` and `test.sh` in a folder.
    pub fn new(plan: Plan, folder: &Path) -> io::Result<Self> {
        let versions = Version::all(&plan);
        let (build, test) = match plan.language {
            Language::Shell => {
                (shell_program::BUILD, shell_program::test(plan.driver, plan.second_feature.is_some()))
            }
            Language::C => (c_program::BUILD, c_program::test()),
        };
        let history = Self {
            repository: folder.join("project"),
            test: folder.join("test.sh"),
            build,
            names: import(&folder.join("project"), &stream(&plan, &versions))?,
            truth: Truth::new(&plan, &versions),
            plan,
            versions,
        };
        fs::write(&history.test, test)?;
        fs::set_permissions(&history.test, fs::Permissions::from_mode(0o755))?;
        Ok(history)
    }

    /// Writes the files of a version to a folder that is made for them.
    pub fn write(files: &Files, folder: &Path) -> io::Result<()> {
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, text)?;
        }
        Ok(())
    }

    /// A clone with a revision checked out, and a patch applied to it as a user would.
    pub fn clone_of(&self, revision: usize, patch: Option<&Path>, folder: &Path) -> io::Result<()> {
        let words = ["clone", "--quiet", "--shared", "--no-checkout", "."];
        git(&self.repository, words.iter().map(Path::new).chain([folder]), b"")?;
        git(folder, ["checkout", "--quiet", "--detach", &self.names[revision]].map(Path::new), b"")?;
        if let Some(patch) = patch {
            git(folder, [Path::new("apply"), patch], b"")?;
        }
        Ok(())
    }

    /// The files of a clone that git knows, and new ones.
    pub fn files_in(folder: &Path) -> io::Result<Files> {
        let words = ["ls-files", "--cached", "--others", "--exclude-standard"];
        let listed = git(folder, words.map(Path::new), b"")?;
        let there = |path: &&str| folder.join(path).exists();
        let read = |path: &str| Ok((path.to_owned(), fs::read_to_string(folder.join(path))?));
        listed.lines().filter(there).map(read).collect()
    }

    /// How the test ends in a folder; `None` where it does not build.
    pub fn outcome(&self, folder: &Path) -> io::Result<Option<i32>> {
        let build = quiet(Command::new("sh").args(["-c", self.build]).current_dir(folder))?;
        if !build.status.success() {
            return Ok(None);
        }
        Ok(quiet(Command::new(&self.test).current_dir(folder))?.status.code())
    }
}

/// The history as `git fast-import` reads it; the author and the times are always the same.
fn stream(plan: &Plan, versions: &[Version]) -> String {
    let mut stream = String::new();
    let mut mark = 0;
    let mut tip: Option<usize> = None;
    let mut before = Files::new();
    for (index, version) in versions.iter().enumerate() {
        let files = version.files();
        let branch = match plan.merged && plan.cause == Some(index) {
            true => branch(&mut stream, &mut mark, tip, &before, version),
            false => None,
        };
        let parents = [tip, branch];
        tip = Some(commit(&mut stream, &mut mark, parents, &before, &files, &subject(plan, index)));
        before = files;
    }
    stream
}

/// Commits of a branch that ends with the lines of a version, one file after the other.
fn branch(
    stream: &mut String,
    mark: &mut usize,
    tip: Option<usize>,
    before: &Files,
    version: &Version,
) -> Option<usize> {
    let mut files = before.clone();
    let mut end = tip;
    let changed: Vec<_> =
        version.files().into_iter().filter(|(path, text)| before.get(path) != Some(text)).collect();
    for (number, chunk) in changed.chunks(changed.len().div_ceil(BRANCH).max(1)).enumerate() {
        let earlier = files.clone();
        files.extend(chunk.iter().cloned());
        end = Some(commit(stream, mark, [end, None], &earlier, &files, &format!("branch {number}")));
    }
    end
}

/// Writes one commit that makes `files` out of those before; its number.
fn commit(
    stream: &mut String,
    mark: &mut usize,
    parents: [Option<usize>; 2],
    before: &Files,
    files: &Files,
    subject: &str,
) -> usize {
    *mark += 1;
    let date = 1_600_000_000 + *mark * 3600;
    // Writing to a string does not fail.
    let _ = writeln!(stream, "commit refs/heads/main\nmark :{mark}");
    let _ = writeln!(stream, "committer Grace Hopper <grace@example.org> {date} +0000");
    let _ = writeln!(stream, "data {}\n{subject}", subject.len());
    for (word, parent) in ["from", "merge"].iter().zip(parents) {
        if let Some(parent) = parent {
            let _ = writeln!(stream, "{word} :{parent}");
        }
    }
    for path in before.keys().filter(|path| !files.contains_key(*path)) {
        let _ = writeln!(stream, "D {path}");
    }
    for (path, text) in files.iter().filter(|(path, text)| before.get(*path) != Some(text)) {
        let _ = writeln!(stream, "M 100644 inline {path}\ndata {}\n{text}", text.len());
    }
    *mark
}

/// Makes a repository of a history, with the newest revision checked out; the names along the first parents.
fn import(repository: &Path, stream: &str) -> io::Result<Vec<String>> {
    fs::create_dir_all(repository)?;
    git(repository, ["init", "--quiet", "--initial-branch=main"].map(Path::new), b"")?;
    git(repository, ["fast-import", "--quiet"].map(Path::new), stream.as_bytes())?;
    git(repository, ["reset", "--quiet", "--hard", "main"].map(Path::new), b"")?;
    let words = ["rev-list", "--first-parent", "--reverse", "main"];
    let names = git(repository, words.map(Path::new), b"")?;
    Ok(names.lines().map(str::to_owned).collect())
}

/// What git says, without the user's settings.
pub fn git<'a>(folder: &Path, words: impl IntoIterator<Item = &'a Path>, input: &[u8]) -> io::Result<String> {
    let mut git = Command::new("git");
    git.args(words.into_iter().map(Path::as_os_str)).current_dir(folder);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
    }
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

fn quiet(command: &mut Command) -> io::Result<Output> {
    command.stdin(Stdio::null()).output()
}
