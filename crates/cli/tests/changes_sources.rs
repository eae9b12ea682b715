//! Where the versions of `howcome changes` come from.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Place, Repo, lines_of};
use insta::assert_snapshot;
use serde_json::json;

const TEST: &str = "! grep -q broken code.txt";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.sh("seq 30 >code.txt; mkdir lib; seq 9 >lib/util.txt");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo
}

#[test]
fn what_is_not_committed_can_be_the_cause() {
    let repo = repo();
    repo.change("other.txt", "1\n");
    repo.sh("sed -i -e s/^5$/five/ -e s/^9$/broken/ code.txt; echo 2 >other.txt; git add other.txt");
    assert_snapshot!(repo.tells(&["--good", "good"], TEST));
    let json = repo.finds(&["--good", "HEAD"], TEST);
    assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
    assert_eq!(json["finding"]["commit"], json!(null));
}

#[test]
fn a_commit_can_be_the_cause_of_what_fails_in_the_working_tree() {
    let repo = repo();
    repo.sh("sed -i -e s/^5$/five/ -e s/^9$/broken/ code.txt");
    let culprit = repo.commit("second");
    repo.sh("sed -i s/^20$/twenty/ code.txt; echo 2 >other.txt");
    for flags in [&["--good", "good"][..], &["--good", "good", "--bad", "."]] {
        let json = repo.finds(flags, TEST);
        assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
        assert_eq!(json["finding"]["commit"], json!(culprit));
    }
}

#[test]
fn a_file_that_was_never_added_can_be_the_cause() {
    let repo = repo();
    repo.sh(
        "echo ignored >.gitignore; git add .gitignore; echo 1 >ignored; echo 1 >lib/new; echo 2 >lib/newer",
    );
    let json = repo.finds(&["--good", "good"], "test ! -e ignored || exit 9; test ! -e lib/new");
    assert_eq!(json["finding"]["changes"][0]["what"], json!("lib/new: file added"));
    assert_eq!(json["finding"]["files"], json!(1));
}

#[test]
fn what_was_staged_and_changed_again_counts_as_it_lies_there() {
    let repo = repo();
    repo.sh(
        "sed -i s/^5$/broken/ code.txt; git add code.txt; sed -i -e s/broken/5/ -e s/^7$/broken/ code.txt",
    );
    let json = repo.finds(&["--good", "good"], TEST);
    assert_eq!(lines_of(&json), ["code.txt: -7", "code.txt: +broken"]);
}

#[test]
fn two_folders() {
    let repo = repo();
    repo.sh("mkdir old new; cp code.txt old; sed -e s/^5$/five/ -e s/^9$/broken/ code.txt >new/code.txt; echo 1 >new/x");
    let told = repo.tells(&["--good", "./old", "--bad", "./new"], TEST);
    // The last lines are as wide as the name of this folder is long.
    assert_snapshot!(told.split("\nRecorded in").next().unwrap());
    assert!(told.contains("patch -R -p1 -d [here]/new < run/culprit.patch"), "{told}");
    repo.sh(
        "patch -s -R -p1 -d new <run/culprit.patch; grep -q five new/code.txt; ! grep broken new/code.txt",
    );
}

#[test]
fn two_folders_where_there_is_no_repository() {
    let place = Place::empty();
    place.write("old/code.txt", b"1\n2\n3\n4\n5\n6\n");
    place.write("new/code.txt", b"one\n2\n3\n4\nbroken\n6\n");
    let json =
        place.json(&["changes", "-q", "--json", "--good", "old", "--bad", "new/", "--", "sh", "-c", TEST]);
    assert_eq!(lines_of(&json), ["code.txt: -5", "code.txt: +broken"]);
}

#[test]
fn a_folder_and_a_patch() {
    let place = Place::empty();
    place.write("old/code.txt", b"1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    place.write(
        "it.patch",
        b"--- a/code.txt\n+++ b/code.txt\n@@ -1,9 +1,9 @@\n 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n-8\n+broken\n 9\n",
    );
    let json = place
        .json(&["changes", "-q", "--json", "--good", "old", "--bad", "it.patch", "--", "sh", "-c", TEST]);
    assert_eq!(lines_of(&json), ["code.txt: -8", "code.txt: +broken"]);
}

#[test]
fn a_revision_and_a_patch() {
    let repo = repo();
    repo.sh("sed -i -e s/^5$/five/ -e s/^9$/broken/ code.txt; git diff >it.patch; git checkout -q code.txt");
    let json = repo.finds(&["--good", "good", "--bad", "it.patch"], TEST);
    assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
}

#[test]
fn one_may_stand_below_the_top_of_the_repository_or_outside() {
    let repo = repo();
    repo.sh("sed -i s/^9$/broken/ code.txt");
    let culprit = repo.commit("breaks it");
    let below = repo
        .howcome(&["changes", "-q", "--json", "--good", "good", "--bad", "HEAD", "--", "sh", "-c", TEST])
        .current_dir(repo.path("lib"))
        .output()
        .unwrap();
    let outside = Place::empty();
    let top = repo.path(".");
    let outside = outside.json(&[
        "changes",
        "-q",
        "--json",
        "--repo",
        top.to_str().unwrap(),
        "--good",
        "good",
        "--bad",
        "HEAD",
        "--",
        "sh",
        "-c",
        TEST,
    ]);
    for json in [serde_json::from_slice(&below.stdout).unwrap(), outside] {
        assert_eq!(json["finding"]["commit"], json!(culprit));
    }
}

#[test]
fn a_linked_working_tree_is_one_of_its_own() {
    let repo = repo();
    repo.sh("git worktree add -q linked good; sed -i -e s/^5$/five/ -e s/^9$/broken/ linked/code.txt");
    let words = ["changes", "-q", "--json", "--repo", "linked", "--good", "good", "--", "sh", "-c", TEST];
    assert_eq!(lines_of(&repo.json(&words)), ["code.txt: -9", "code.txt: +broken"]);
}

#[test]
fn a_repository_without_a_working_tree_will_do() {
    let repo = repo();
    repo.sh("sed -i s/^9$/broken/ code.txt");
    let culprit = repo.commit("breaks it");
    repo.sh("git clone -q --bare . bare.git");
    let words = ["changes", "-q", "--json", "--repo", "bare.git", "--good", "good", "--bad", "main"];
    let json = repo.json(&[&words[..], &["--", "sh", "-c", TEST]].concat());
    assert_eq!(json["finding"]["commit"], json!(culprit));
}

#[test]
fn files_that_are_not_checked_out_are_not_missing() {
    let repo = repo();
    repo.sh("mkdir far; echo 1 >far/x");
    repo.commit("far");
    repo.sh("git sparse-checkout set lib; test ! -e far; sed -i s/^5$/broken/ lib/util.txt");
    let test = "test -e far/x || exit 9; ! grep -q broken lib/util.txt";
    let json = repo.finds(&["--good", "HEAD"], test);
    assert_eq!(lines_of(&json), ["lib/util.txt: -5", "lib/util.txt: +broken"]);
    assert_eq!(json["finding"]["of"]["hunks"], json!(1));
}

#[test]
fn pipes_and_other_repositories_that_lie_around_are_no_part_of_the_working_tree() {
    let repo = repo();
    repo.sh("mkfifo pipe; git init -q other; echo 1 >other/file; sed -i s/^9$/broken/ code.txt");
    let json = repo.finds(&["--good", "HEAD"], TEST);
    assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
}

#[test]
fn earlier_runs_are_no_part_of_a_folder() {
    let place = Place::empty();
    place.write("old/code.txt", b"1\n2\n3\n4\n5\n6\n");
    place.write("new/code.txt", b"one\n2\n3\n4\nbroken\n6\n");
    for _ in 0..2 {
        let mut command = place.howcome(&["changes", "-q", "--json", "--good", "../old", "--bad", "."]);
        let output = command.args(["--", "sh", "-c", TEST]).current_dir(place.path("new")).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(lines_of(&json), ["code.txt: -5", "code.txt: +broken"]);
        assert_eq!(json["finding"]["of"]["hunks"], json!(2));
    }
}

#[test]
fn the_files_of_a_submodule_are_varied_one_by_one() {
    let repo = Repo::new();
    repo.sh(
        "set -e; mkdir lib; cd lib; git init -q .; git config user.name Ada; git config user.email ada@example.org; seq 30 >code; \
         echo 1 >other; git add -A; git commit -qm one; \
         cd ..; git -c protocol.file.allow=always submodule add -q ./lib sub; rm -rf lib",
    );
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.sh("set -e; cd sub; git config user.name Ada; git config user.email ada@example.org; \
         sed -i -e s/^5$/five/ -e s/^20$/broken/ code; echo 2 >other; git commit -qam two");
    repo.commit("the submodule moves on");
    let json = repo.finds(&["--good", "good", "--bad", "HEAD"], "! grep -q broken sub/code");
    assert_eq!(lines_of(&json), ["sub/code: -20", "sub/code: +broken"]);
}

#[test]
fn the_folder_of_a_run_is_no_part_of_a_version() {
    let repo = Repo::new();
    repo.sh("mkdir old new; seq 9 >old/a; seq 9 | sed s/5/broken/ >new/a");
    let flags = ["--good", "old", "--bad", "new"];
    let test = "! grep -q broken a";
    let first = repo.finds(&[&flags[..], &["--run-dir", "new/run"]].concat(), test);
    let second = repo.finds(&[&flags[..], &["--run-dir", "new/again"]].concat(), test);
    assert_eq!(first["finding"]["of"], second["finding"]["of"]);
}

#[test]
fn histories_that_have_nothing_in_common_can_be_compared_hunk_by_hunk() {
    let repo = Repo::new();
    repo.sh("seq 9 >a");
    repo.commit("one");
    repo.git(&["tag", "good"]);
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.sh("sed -i s/5/broken/ a");
    repo.commit("another beginning");
    let json = repo.finds(&["--good", "good", "--bad", "other", "--within", "hunk"], "! grep -q broken a");
    assert_eq!(lines_of(&json), ["a: -5", "a: +broken"]);
}
