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

#[test]
fn a_test_of_a_subfolder_is_offered_as_a_command_that_works() {
    let repo = Repo::new();
    repo.change("my lib/code.txt", "1\n");
    repo.git(&["tag", "good"]);
    repo.change("my lib/code.txt", "2\n");
    let asks = |question: &[&str], test: &[&str]| {
        repo.sh("rm -rf run");
        let flags = ["-q", "-j1", "--bad", "HEAD", "--run-dir", "../run", "--"];
        let mut howcome = repo.howcome(&[question, &flags, test].concat());
        let output = howcome.current_dir(repo.path("my lib")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let changes = ["changes", "--good", "good"];
    let (code, told) = asks(&changes, &["grep", "-qx", "1", "code.txt"]);
    let hint = "hint: the test runs at the top of each version, and you are in my lib: -- sh -c ";
    let command = "'cd '\\''my lib'\\'' && grep -qx 1 code.txt'\n";
    assert!(code == Some(1) && told.contains(&format!("{hint}{command}")), "{told}");
    let (code, told) = asks(&changes, &["sh", "-c", "cd 'my lib' && grep -qx 1 code.txt"]);
    assert_eq!(code, Some(0), "{told}");
    // A command that goes there by itself does not need the hint.
    let (_, told) = asks(&changes, &["sh", "-c", "cd 'my lib' && test -e code.txt"]);
    assert!(told.contains("exit code 0 on both sides") && !told.contains(hint), "{told}");
    let (code, told) = asks(&["history"], &["sh", "-c", "./check.sh"]);
    assert!(code == Some(1) && told.contains(hint), "{told}");
}

#[test]
fn if_the_program_was_not_built_the_flag_for_it_is_named() {
    const HINT: &str =
        "`./prog` was not found; if it has to be built first, give the command with --build CMD\n";
    let repo = with_packages();
    let between = ["changes", "--good", "good", "--bad", "HEAD"];
    let test = ["sh", "-c", "./prog"];
    let without_makefile = seen(&repo, &between, &test);
    assert!(without_makefile.contains("`./prog` was not found\n"), "{without_makefile}");
    repo.change("Makefile", "prog: code.txt\n\tcp check.sh prog\n");
    let told = seen(&repo, &between, &test);
    assert!(told.contains(HINT) && told.ends_with("exit 1\n"), "{told}");
    let built = seen(&repo, &[&between[..], &["--build", "true"]].concat(), &test);
    assert!(built.contains("`./prog` was not found\n"), "{built}");
}

#[test]
fn a_build_folder_that_all_versions_of_a_rust_project_share_is_pointed_out() {
    let repo = with_packages();
    repo.write("Cargo.toml", b"[package]\nname = \"code\"\n");
    let warns = |question: &[&str], folder: &str| {
        let test = ["-q", "--copy", "packages", "--", "./check.sh"];
        let mut howcome = repo.howcome(&[question, &test].concat());
        let output = howcome.env("CARGO_TARGET_DIR", folder).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stderr)
            .contains("warning: CARGO_TARGET_DIR is set, so all versions share")
    };
    for question in [&["changes", "--good", "good"][..], &["history"]] {
        assert!(warns(question, "/tmp/target"), "{question:?}");
        assert!(!warns(question, "target"), "{question:?}: each version has its own");
    }
    std::fs::remove_file(repo.path("Cargo.toml")).unwrap();
    assert!(!warns(&["changes", "--good", "good"], "/tmp/target"), "nothing of Rust");
}
