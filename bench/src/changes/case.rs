//! A seeded regression on disk: a repository, and a test as a user would write it.

use super::cause::SeededCause;
use super::fast_import::git;
use super::history::SeededHistory;
use super::variant::CauseVariant;
use anyhow::{Context, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The build command of the program.
pub(crate) const BUILD: &str = "make -s";

/// A regression, and the right answer.
pub(crate) struct ChangesCase {
    pub(crate) repository: PathBuf,
    pub(crate) test: PathBuf,
    pub(crate) good: String,
    pub(crate) bad: String,
    pub(crate) cause: SeededCause,
    /// The commits that introduce it, in order.
    pub(crate) culprits: Vec<String>,
    /// How many commits there are to search.
    pub(crate) commits: u32,
    /// How many hunks each culprit has.
    pub(crate) hunks: Vec<u32>,
    /// The number of hunks between the nearest testable commits on both sides.
    pub(crate) hunks_around: u32,
}

impl ChangesCase {
    /// Writes the case to an empty folder.
    pub(crate) fn new(variant: CauseVariant, seed: u64, commits: u32, folder: &Path) -> anyhow::Result<Self> {
        let history = SeededHistory::new(variant, seed, commits);
        let repository = folder.join("repository");
        fs::create_dir_all(&repository)?;
        let names = history.stream.import(&repository, &folder.join("marks"))?;
        let name = |mark| names.get(mark).cloned().context("a commit without a name");
        let [good, bad] = [name(&history.good)?, name(&history.bad)?];
        let culprits: Vec<String> = history.culprits.iter().map(name).collect::<anyhow::Result<_>>()?;

        let hunks = culprits
            .iter()
            .map(|commit| hunks(&repository, &["show", "--remerge-diff", "--format=", commit]));
        let hunks = hunks.collect::<anyhow::Result<_>>()?;
        let [before, after] = [name(&history.around.0)?, name(&history.around.1)?];
        let before = if variant.merges() { format!("{after}^") } else { before };
        let hunks_around = self::hunks(&repository, &["diff", &before, &after])?;
        let range = format!("{good}..{bad}");
        let commits = git(&repository, ["rev-list", "--count", &range])?.trim().parse()?;

        let expected = folder.join("expected");
        let clone = folder.join("good");
        git(&repository, ["clone", "--quiet", "--shared", "--no-checkout", ".", &clone.to_string_lossy()])?;
        fs::write(&expected, output_of(&good, &clone)?.context("the good version does not build")?)?;
        let test = folder.join("check.sh");
        let script = format!(
            "out=$(./prog) || exit 125\necho \"$out\"\n[ \"$out\" = \"$(cat '{}')\" ] || exit 1\n",
            expected.display()
        );
        fs::write(&test, script)?;
        let cause = history.cause;
        Ok(Self { repository, test, good, bad, cause, culprits, commits, hunks, hunks_around })
    }

    /// The bound on the number of tests, for the hunks that must be searched.
    pub(crate) fn bound(&self, hunks: impl IntoIterator<Item = u32>) -> f64 {
        let within: f64 = hunks.into_iter().map(|hunks| 2.0 * f64::from(hunks).log2()).sum();
        f64::from(self.commits).log2() + within + 8.0
    }
}

/// The hunks that git sees if two unchanged lines separate them. A file without hunks, such as a renamed one, counts as
/// one.
fn hunks(repository: &Path, what: &[&str]) -> anyhow::Result<u32> {
    let (command, what) = what.split_first().context("no command")?;
    let how = [*command, "-U0", "--inter-hunk-context=1", "--find-renames", "--no-color", "--no-ext-diff"];
    let diff = git(repository, how.into_iter().chain(what.iter().copied()))?;
    let of_file = |file: &str| file.lines().filter(|line| line.starts_with("@@ ")).count().max(1);
    Ok(format!("\n{diff}").split("\ndiff --git ").skip(1).map(of_file).sum::<usize>() as u32)
}

/// The output of a revision's program, built in a clone; `None` if it does not build.
fn output_of(revision: &str, clone: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    git(clone, ["checkout", "--quiet", "--detach", revision])?;
    let make =
        Command::new("make").arg("-s").current_dir(clone).stderr(Stdio::null()).status().context("make")?;
    if !make.success() {
        return Ok(None);
    }
    let output = Command::new(clone.join("prog")).current_dir(clone).output()?;
    ensure!(output.status.success(), "the program ended with {}", output.status);
    Ok(Some(output.stdout))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_changes_at_the_last_culprit_and_not_before() {
        if !howcome_testing::runs_long_suites() {
            return;
        }
        for (seed, variant) in (2..).zip(CauseVariant::ALL) {
            let folder = tempfile::tempdir().unwrap();
            let case = ChangesCase::new(variant, seed, 40, folder.path()).unwrap();
            let clone = folder.path().join("good");
            let expected = fs::read(folder.path().join("expected")).unwrap();
            let culprit = case.culprits.last().unwrap();
            let parents = git(&case.repository, ["show", "--no-patch", "--format=%P", culprit]).unwrap();
            for (commits, has_cause) in [(parents.as_str(), false), (culprit, true), (&case.bad, true)] {
                for commit in commits.split_whitespace() {
                    let Some(output) = output_of(commit, &clone).unwrap() else {
                        assert_eq!(variant, CauseVariant::Untestable, "{commit} does not build");
                        continue;
                    };
                    assert_eq!(output != expected, has_cause, "{variant:?} {seed} {commit}");
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_history() {
        let bad = || {
            let folder = tempfile::tempdir().unwrap();
            ChangesCase::new(CauseVariant::Branch, 1, 40, folder.path()).unwrap().bad
        };
        assert_eq!(bad(), bad());
    }
}
