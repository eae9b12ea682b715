//! Of many mixes that no author wrote, some fail for reasons of their own. Such an accident is not the answer.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use serde_json::json;

/// How many files the culprit changes: more than are searched hunk by hunk.
const FILES: u32 = 70;

/// A history with a commit that changes many files. The test is a script of each try.
fn large_commit(test: &str) -> (Repo, String) {
    let repo = Repo::new();
    repo.sh(&format!("for i in $(seq 10 {}); do echo old >m$i.txt; done", FILES + 9));
    repo.sh(
        "echo old >a.txt; echo old >cause.txt; echo old >z.txt; echo one >version.txt; echo old >later.txt",
    );
    repo.script("test.sh", test);
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.sh("echo two >version.txt");
    repo.commit("version");
    repo.sh("for file in a.txt cause.txt z.txt m??.txt; do echo new >$file; done");
    let culprit = repo.commit("culprit");
    repo.sh("echo new >later.txt");
    repo.commit("later");
    (repo, culprit)
}

#[test]
fn a_mix_that_prints_something_else_than_the_bad_version_is_not_its_failure() {
    let (repo, culprit) = large_commit(
        "#!/bin/sh\n\
         if grep -q new cause.txt && grep -q new z.txt; then echo 'got: lo'; exit 1; fi\n\
         if grep -q new a.txt && grep -q old m79.txt; then echo 'got:'; exit 1; fi\n\
         echo 'got: llo'\n",
    );
    for jobs in ["-j1", "-j2"] {
        let json = repo.finds(&["--good", "good", "--bad", "HEAD", jobs], "./test.sh");
        assert_eq!(json["finding"]["commit"], json!(culprit));
        let found = ["cause.txt: -old", "cause.txt: +new", "z.txt: -old", "z.txt: +new"];
        assert_eq!(lines_of(&json), found, "{json:#}");
        assert_eq!(json["ending"], "found");
    }
}

#[test]
fn an_answer_that_prints_something_else_in_the_good_version_only_is_right() {
    let (repo, culprit) = large_commit(
        "#!/bin/sh\n\
         if grep -q new cause.txt; then echo \"got: lo in $(cat version.txt)\"; exit 1; fi\n\
         if grep -q new z.txt; then exit 3; fi\n\
         echo 'got: llo'\n",
    );
    let json = repo.finds(&["--good", "good", "--bad", "HEAD", "-j1"], "./test.sh");
    assert_eq!(json["ending"], "found", "{json:#}");
    assert_eq!(json["finding"]["commit"], json!(culprit));
    assert_eq!(lines_of(&json), ["cause.txt: -old", "cause.txt: +new"]);
}

/// Any version but those that people wrote fails in a way of its own if it has the first line of the rewriting, and cannot be judged
/// without that.
#[test]
fn a_part_of_a_rewriting_that_fails_in_a_way_of_its_own_is_not_named() {
    let repo = Repo::new();
    let lines =
        |words: [&str; 3]| format!("{}\na\nb\nc\nd\n{}\ne\nf\ng\nh\n{}\n", words[0], words[1], words[2]);
    repo.change("list", &lines(["old1", "old2", "old3"]));
    repo.git(&["tag", "good"]);
    let rewritten = repo.change("list", &lines(["new1", "new2", "new3"]));
    repo.change("list", &(lines(["new1", "new2", "new3"]) + "later\n"));
    let test = "case $(grep -o 'old.\\|new.\\|later' list | tr '\\n' ' ') in \
                'old1 old2 old3 '|'old1 old2 old3 later ') echo right;; \
                'new1 new2 new3 ') echo \"value '' (crashed)\"; exit 1;; \
                'new1 new2 new3 later ') echo \"value 'late'\"; exit 1;; \
                *new1*old3*) echo \"value 'accident'\"; exit 1;; \
                *) exit 125;; esac";
    let json = repo.finds(&["--good", "good", "--bad", "main", "-j1"], test);
    let whole = ["list: -old1", "list: +new1", "list: -old2", "list: +new2", "list: -old3", "list: +new3"];
    assert_eq!(lines_of(&json), whole);
    assert_eq!(json["finding"]["commit"], json!(rewritten), "{json:#}");
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}), "{json:#}");
}
