//! What a test needs and no version has: howcome says what is missing, and never takes its absence for the failure.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use insta::assert_snapshot;

/// A program that reads packages from a folder that git ignores. The second of three commits breaks it.
fn with_packages() -> Repo {
    let repo = Repo::new();
    repo.write(".gitignore", b"packages\nhowcome.out\nrun*\n");
    repo.write("packages/lib/data.txt", b"7\n");
    repo.script(
        "check.sh",
        "#!/bin/sh\ncat packages/lib/data.txt || exit 1\ntest $(wc -l <code.txt) = 1 || exit 1\n",
    );
    repo.change("code.txt", "1\n");
    repo.git(&["tag", "good"]);
    repo.change("code.txt", "1\n2\n");
    repo.change("other.txt", "x\n");
    repo
}

const QUIET: [&str; 4] = ["-q", "-j1", "--run-dir", "run"];

fn seen(repo: &Repo, question: &[&str], test: &[&str]) -> String {
    repo.sh("rm -rf run");
    repo.seen(&[question, &QUIET, &["--"], test].concat())
}

#[test]
fn a_folder_that_git_ignores_is_offered() {
    let repo = with_packages();
    assert_snapshot!(seen(&repo, &["changes", "--good", "good"], &["./check.sh"]));
    // With one version, the missing folder must not become the failure.
    let without_good = seen(&repo, &["changes"], &["./check.sh"]);
    assert!(without_good.contains("hint: add --copy packages\n"), "{without_good}");
    let history = seen(&repo, &["history", "--bad", "HEAD"], &["./check.sh"]);
    assert!(history.contains("hint: add --copy packages\n") && history.ends_with("exit 1\n"), "{history}");
    let json =
        repo.json(&["changes", "-q", "--json", "--good", "good", "--copy", "packages", "--", "./check.sh"]);
    assert_eq!(howcome::lines_of(&json), ["code.txt: +2"]);
}

#[test]
fn a_test_that_reads_other_files_than_those_of_the_version_is_noticed() {
    let repo = with_packages();
    let test = ["sh", "-c", "! grep -q 2 \"$HOWCOME_DIR/code.txt\""];
    let changes = seen(&repo, &["changes", "--good", "good"], &test);
    let history = seen(&repo, &["history", "--bad", "HEAD"], &test);
    if !changes.contains("reads none") {
        // The file system does not record when files are read.
        assert!(changes.ends_with("exit 1\n"), "{changes}");
        return;
    }
    assert_snapshot!(changes);
    assert_snapshot!(history);
}

#[test]
fn a_command_that_is_mistyped_is_no_answer() {
    let repo = with_packages();
    repo.change("Makefile", "test:\n\t./chekc.sh\n");
    repo.change("other.txt", "y\n");
    let history = seen(&repo, &["history", "--bad", "HEAD"], &["make", "-s", "test"]);
    assert!(history.contains("`./chekc.sh` was not found"), "{history}");
    assert!(history.ends_with("exit 5\n"), "{history}");
    if howcome_testing::need_program("python3") {
        let python = ["python3", "-c", "import no_such_package"];
        let history = seen(&repo, &["history", "--bad", "HEAD"], &python);
        assert!(history.contains("`no_such_package` is not installed"), "{history}");
        assert!(history.ends_with("exit 5\n"), "{history}");
    }
}
