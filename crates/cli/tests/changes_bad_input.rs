//! `howcome changes` says what is wrong with what it is given, and what to do about it.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Place, Repo};
use insta::assert_snapshot;
use std::fs;

const TEST: &str = "! grep -q broken code.txt";

/// Three commits and a branch; the last commit is broken.
fn small() -> Repo {
    let repo = Repo::new();
    repo.sh("seq 20 >code.txt");
    repo.commit("first");
    repo.git(&["tag", "release-1.0"]);
    repo.sh("sed -i s/^5$/five/ code.txt");
    repo.commit("second");
    repo.sh("sed -i s/^9$/broken/ code.txt");
    repo.commit("third");
    repo
}

#[test]
fn a_revision_that_is_not_there() {
    let repo = small();
    assert_snapshot!(repo.tells(&["--good", "release-1.1", "--bad", "HEAD"], TEST));
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "zzzzzz"], TEST));
    assert_snapshot!(repo.tells(&["--good", "HEAD~7", "--bad", "HEAD"], TEST));
    assert!(!repo.path("run").exists(), "what never began is not recorded");
}

#[test]
fn a_script_that_does_not_exist() {
    let repo = small();
    let words = ["changes", "--good", "release-1.0", "--bad", "HEAD", "--", "sh", "./chek.sh"];
    let told = repo.seen(&words);
    assert!(told.contains("error: the script ./chek.sh does not exist"), "{told}");
    assert!(told.contains("hint: check its name") && told.ends_with("--- exit 2\n"), "{told}");
}

#[test]
fn no_repository() {
    let place = Place::empty();
    let test = ["--", "true"];
    assert_snapshot!(place.seen(&[&["changes", "--good", "v1", "--bad", "v2"][..], &test].concat()));
    assert_snapshot!(
        place.seen(&[&["changes", "--repo", ".", "--good", "v1", "--bad", "v2"][..], &test].concat())
    );
    assert_snapshot!(
        place.seen(&[&["changes", "--repo", "gone", "--good", "v1", "--bad", "v2"][..], &test].concat())
    );
    place.write("old/a", b"1\n");
    assert_snapshot!(place.seen(&[&["changes", "--good", "old"][..], &test].concat()));
    assert_snapshot!(place.seen(&[&["changes", "--good", "old", "--bad", "new"][..], &test].concat()));
    place.write("dir/prog-1.1/a", b"2\n");
    let told = place.seen(&[&["changes", "--good", "old", "--bad", "dir/prog-1.l"][..], &test].concat());
    assert!(told.contains("hint: did you mean dir/prog-1.1?"), "{told}");
}

#[test]
fn a_repository_without_a_commit() {
    let repo = Repo::new();
    assert_snapshot!(repo.tells(&["--good", "HEAD"], "true"));
    assert_snapshot!(repo.tells(&["--good", "main", "--bad", "HEAD"], "true"));
}

#[test]
fn a_shallow_clone() {
    let repo = small();
    repo.sh("git clone -q --depth 1 file://$PWD shallow");
    let words = ["changes", "--repo", "shallow", "--good", "HEAD~1", "--bad", "HEAD", "--", "true"];
    assert_snapshot!(repo.seen(&words));
    // A commit that is known by its name, but not there.
    let first = repo.git(&["rev-parse", "release-1.0"]);
    let words = ["changes", "--repo", "shallow", "--good", &first, "--bad", "HEAD", "--", "true"];
    assert_snapshot!(repo.seen(&words));
}

#[test]
fn good_and_bad_are_the_same() {
    let repo = small();
    assert_snapshot!(repo.tells(&["--good", "HEAD", "--bad", "main"], TEST));
    assert_snapshot!(repo.tells(&["--good", "HEAD"], TEST));
    repo.commit("empty");
    assert_snapshot!(repo.tells(&["--good", "HEAD~1", "--bad", "HEAD"], TEST));
    repo.sh("mkdir a b; echo 1 >a/x; echo 1 >b/x");
    assert_snapshot!(repo.tells(&["--good", "./a", "--bad", "./b"], TEST));
}

#[test]
fn good_and_bad_are_swapped() {
    let repo = small();
    assert_snapshot!(repo.tells(&["--good", "HEAD", "--bad", "release-1.0"], TEST));
}

#[test]
fn histories_that_have_nothing_in_common() {
    let repo = small();
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.commit("of another world");
    assert_snapshot!(repo.tells(&["--good", "main", "--bad", "other"], TEST));
}

#[test]
fn both_versions_pass_or_both_fail() {
    let repo = small();
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD"], "true"));
    assert!(repo.path("run/.baseline").is_dir(), "both are kept for a look");
    repo.sh("rm -r run");
    assert_snapshot!(
        repo.tells(&["--good", "release-1.0", "--bad", "HEAD"], "echo no such thing >&2; exit 7")
    );
}

#[test]
fn a_test_that_needs_a_file_which_git_ignores() {
    let repo = small();
    repo.sh("echo settings.ini >.gitignore; echo yes >settings.ini");
    let test = "grep -q yes settings.ini && ! grep -q broken code.txt";
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD"], test));
    repo.sh("rm -r run");
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--copy", "settings.ini"], test));
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--copy", "nosuch.ini"], test));
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--copy", "../up.ini"], test));
}

#[test]
fn quotes_that_are_not_closed_and_commands_that_are_empty() {
    let repo = small();
    for build in ["make 'all", "", "  "] {
        assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--build", build], TEST));
    }
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--clean", "make clean"], TEST));
}

#[test]
fn a_patch_that_does_not_apply() {
    let place = Place::empty();
    place.write("old/code.txt", b"1\n2\n3\n");
    place.write("wrong.patch", b"--- a/code.txt\n+++ b/code.txt\n@@ -1,3 +1,3 @@\n 1\n-zwei\n+two\n 3\n");
    place.write("no.patch", b"this is no patch\n");
    place.write("outside.patch", b"--- /dev/null\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n");
    for patch in ["wrong.patch", "no.patch", "outside.patch"] {
        assert_snapshot!(place.seen(&["changes", "--good", "old", "--bad", patch, "--", "true"]));
    }
    assert_snapshot!(place.seen(&["changes", "--good", "no.patch", "--bad", "old", "--", "true"]));
}

#[test]
fn a_merge_conflict_in_the_working_tree() {
    let repo = small();
    repo.git(&["checkout", "-q", "-b", "side", "release-1.0"]);
    repo.sh("sed -i s/^9$/nine/ code.txt");
    repo.commit("side");
    repo.sh("git -c user.name=a -c user.email=a merge -q main || true");
    assert_snapshot!(repo.tells(&["--good", "release-1.0"], TEST));
}

#[test]
fn a_folder_and_a_revision() {
    let repo = small();
    repo.sh("mkdir old; seq 20 >old/code.txt");
    assert_snapshot!(repo.tells(&["--good", "./old", "--bad", "HEAD"], TEST));
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--good", "./old", "--bad", "HEAD"], TEST));
    repo.git(&["tag", "old"]);
    assert_snapshot!(repo.tells(&["--good", "old", "--bad", "HEAD"], TEST));
}

#[test]
fn a_test_that_is_not_there() {
    let repo = small();
    let words = ["changes", "--good", "release-1.0", "--bad", "HEAD", "--"];
    assert_snapshot!(repo.seen(&[&words[..], &["./nosuch.sh"]].concat()));
    assert_snapshot!(repo.seen(&[&words[..], &["no-such-program"]].concat()));
    assert_snapshot!(repo.seen(&["changes", "--bad", "HEAD", "--", "true"]));
    assert_snapshot!(repo.seen(&["changes", "--good", "HEAD"]));
}

/// A commit whose tree has an entry that leads out of it, which git itself would not make.
fn with_evil_path(repo: &Repo, folder: &str, name: &str) -> String {
    let blob = repo.git(&["hash-object", "-w", "code.txt"]);
    let binary = |id: &str| -> Vec<u8> {
        (0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()).collect()
    };
    let store = |bytes: &[u8]| {
        repo.write(".git/evil", bytes);
        repo.git(&["hash-object", "-t", "tree", "-w", "--literally", ".git/evil"])
    };
    let inner = store(&[format!("100644 {name}\0").as_bytes(), &binary(&blob)].concat());
    let head = format!("40000 {folder}\0");
    let tree = store(&[head.as_bytes(), &binary(&inner), b"100644 code.txt\0", &binary(&blob)].concat());
    fs::remove_file(repo.path(".git/evil")).unwrap();
    repo.git(&["commit-tree", "-p", "HEAD", "-m", "evil", &tree])
}

#[test]
fn a_path_that_leaves_the_folder() {
    for (folder, name) in [("..", "x"), (".git", "config"), (".GIT", "config"), (".", "x"), ("a", "..")] {
        let repo = small();
        let evil = with_evil_path(&repo, folder, name);
        let seen = repo.tells(&["--good", "release-1.0", "--bad", &evil], TEST);
        assert_snapshot!(seen.replace(&evil, "[evil]").replace(&evil[..12], "[evil]"));
        // In the middle of history it cannot be tested, which keeps nothing else from being found.
        let later = repo.git(&["commit-tree", "-p", &evil, "-m", "later", "main^{tree}"]);
        let json = repo.finds(&["--good", "release-1.0", "--bad", &later], TEST);
        assert_eq!(json["finding"]["changes"][0]["added"], serde_json::json!(["broken"]), "{json:#}");
    }
}

#[test]
fn a_disk_that_is_full() {
    let repo = small();
    repo.sh("head -c 300000 /dev/urandom | od >big.txt; sed -i s/^12$/twelve/ code.txt");
    repo.commit("big");
    let program = env!("CARGO_BIN_EXE_howcome");
    let script = "mkdir small && mount -t tmpfs -o size=400k tmpfs small && TMPDIR=$PWD/small \"$@\"";
    let mut command = repo.place.command("unshare".as_ref());
    command.args(["-rm", "sh", "-c", script, "-", program, "changes", "-q", "-j1", "--run-dir", "run"]);
    command.args(["--good", "release-1.0", "--bad", "HEAD", "--", "sh", "-c", TEST]);
    let output = command.output().unwrap();
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    if stderr.contains("unshare:") || stderr.contains("mount:") {
        return; // Not every machine lets its users mount something.
    }
    assert!(matches!(output.status.code(), Some(2 | 3)), "{:?} {stdout}{stderr}", output.status);
    assert!(stderr.contains("the disk is full") && stderr.contains("TMPDIR"), "{stdout}{stderr}");
}

#[test]
fn a_version_that_does_not_build() {
    let repo = small();
    let build = "sh -c '! grep -q broken code.txt'";
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--build", build], TEST));
    repo.sh("rm -rf run");
    let build = "sh -c 'grep -q broken code.txt'";
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--build", build], TEST));
    repo.sh("rm -rf run");
    let words = ["--good", "release-1.0", "--bad", "HEAD", "--build", "no-such-builder -v"];
    assert_snapshot!(repo.tells(&words, TEST));
}

#[test]
fn filters_that_leave_nothing() {
    let repo = small();
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--only", "nosuch"], TEST));
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--except", "code.txt"], TEST));
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD", "--only", "../up"], TEST));
}

#[test]
fn the_good_version_fails_and_the_bad_one_passes() {
    let repo = small();
    assert_snapshot!(repo.tells(&["--good", "release-1.0", "--bad", "HEAD"], "grep -q broken code.txt"));
    repo.sh("rm -r run; mkdir old new; git show release-1.0:code.txt >old/code.txt; cp code.txt new");
    assert_snapshot!(repo.tells(&["--good", "./old", "--bad", "./new"], "grep -q broken code.txt"));
}

#[test]
fn fix_where_nothing_was_fixed() {
    let repo = Repo::new();
    repo.sh("seq 9 >a");
    repo.commit("one");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i s/5/broken/ a");
    repo.commit("two");
    assert_snapshot!(repo.tells(&["--fix", "--good", "good", "--bad", "HEAD"], "! grep -q broken a"));
}

#[test]
fn an_output_that_cannot_be_written() {
    let repo = Repo::new();
    repo.sh("seq 9 >a");
    repo.commit("one");
    assert_snapshot!(repo.tells(&["-o", "nowhere/x.patch", "--good", "HEAD", "--bad", "HEAD"], "true"));
}
