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
