//! How `howcome changes` is asked: what may be varied, what counts, which test judges.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
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

/// Two ways to fail: in `code.txt` and, later, in `lib`.
fn twice() -> Repo {
    let repo = repo();
    repo.sh("sed -i -e s/^5$/five/ -e s/^9$/broken/ code.txt");
    repo.commit("code");
    repo.sh("sed -i -e s/^5$/broken/ lib/util.txt; echo 1 >lib/more");
    repo.commit("lib");
    repo
}

#[test]
fn only_what_may_be_varied_is_named() {
    let repo = twice();
    let test = "! { grep -q broken code.txt && grep -q broken lib/util.txt; }";
    let between = ["--good", "good", "--bad", "HEAD"];
    let lib = ["lib/util.txt: -5", "lib/util.txt: +broken"];
    let code = ["code.txt: -9", "code.txt: +broken"];
    for (filter, expected) in [
        (["--only", "lib"], lib),
        (["--only", "lib/u*"], lib),
        (["--only", "code.txt"], code),
        (["--except", "lib"], code),
        (["--except", "code.txt"], lib),
    ] {
        for within in ["commit", "hunk"] {
            let flags = [&between[..], &filter, &["--within", within]].concat();
            assert_eq!(lines_of(&repo.finds(&flags, test)), expected, "{filter:?} within {within}");
        }
    }
}

#[test]
fn of_several_good_revisions_all_are_believed() {
    let repo = repo();
    let mut commits = Vec::new();
    for number in 1..=10 {
        repo.sh(&format!("echo {number} >other.txt"));
        if number == 8 {
            repo.sh("sed -i s/^9$/broken/ code.txt");
        }
        commits.push(repo.commit(&format!("commit {number}")));
    }
    let one = repo.finds(&["--good", "good", "--bad", "HEAD"], TEST);
    let flags = ["--good", "good", "--good", &commits[6], "--good", &commits[2], "--bad", "HEAD"];
    let several = repo.finds(&flags, TEST);
    assert_eq!(several["finding"]["commit"], json!(commits[7]));
    assert_eq!(lines_of(&several), lines_of(&one));
    let told = |json: &serde_json::Value| json["tests"]["told"].as_u64().unwrap();
    assert!(told(&several) < told(&one), "{} {}", told(&several), told(&one));
}

#[test]
fn the_change_that_fixed_it() {
    let repo = repo();
    repo.sh("sed -i s/^9$/broken/ code.txt");
    repo.commit("breaks it");
    repo.git(&["tag", "broken"]);
    repo.change("other.txt", "1\n");
    repo.sh("sed -i -e s/broken/nine/ -e s/^5$/five/ code.txt");
    let fix = repo.commit("fix");
    repo.change("other.txt", "2\n");
    for flags in [["--good", "HEAD", "--bad", "broken"], ["--good", "broken", "--bad", "HEAD"]] {
        let json = repo.finds(&[&flags[..], &["--fix"]].concat(), TEST);
        assert_eq!(json["finding"]["commit"], json!(fix), "{flags:?}");
        assert_eq!(lines_of(&json), ["code.txt: -broken", "code.txt: +nine"]);
    }
    assert_snapshot!(repo.tells(&["--good", "HEAD", "--bad", "broken", "--fix"], TEST));
}

#[test]
fn the_change_that_fixed_it_by_what_the_test_prints() {
    let repo = repo();
    repo.sh("sed -i s/^9$/broken/ code.txt");
    repo.commit("breaks it");
    repo.git(&["tag", "broken"]);
    repo.sh("sed -i s/broken/nine/ code.txt");
    let fix = repo.commit("fix");
    for conditions in [
        &["--fails-when", "stdout~broken"][..],
        &["--fails-when", "stdout~broken", "--passes-when", "stdout~nine"],
    ] {
        let flags = ["--good", "broken", "--bad", "HEAD", "--fix"];
        let json = repo.finds(&[&flags[..], conditions].concat(), "cat code.txt");
        assert_eq!(json["finding"]["commit"], json!(fix), "{conditions:?}");
    }
}

#[test]
fn a_script_for_git_bisect_does_as_it_is() {
    let repo = repo();
    for number in 1..=8 {
        repo.sh(&format!("echo {number} >other.txt"));
        if number == 5 {
            repo.sh("sed -i s/^9$/broken/ code.txt");
        }
        // Different codes, all of them bad.
        repo.sh(&format!("echo $((3 + {number})) >code"));
        repo.commit(&format!("commit {number}"));
    }
    repo.script(
        "bisect.sh",
        "#!/bin/sh\ngrep -q broken code.txt && exit $(cat code 2>/dev/null || echo 3)\ngrep -qx 3 other.txt && exit 125\nexit 0\n",
    );
    let words = [
        "changes",
        "-q",
        "--json",
        "--codes",
        "bisect",
        "--good",
        "good",
        "--bad",
        "HEAD",
        "--",
        "./bisect.sh",
    ];
    let json = repo.json(&words);
    assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
    repo.sh("rm -r howcome.out; git bisect start HEAD good >/dev/null; git bisect run ./bisect.sh >out 2>&1");
    let bisected = String::from_utf8(repo.read("out")).unwrap();
    let commit = json["finding"]["commit"].as_str().unwrap();
    assert!(bisected.contains(&format!("{commit} is the first bad commit")), "{bisected}");
}

#[test]
fn the_test_is_told_which_revision_it_tests() {
    let repo = repo();
    repo.sh("sed -i s/^9$/broken/ code.txt");
    repo.commit("second");
    repo.change("other.txt", "1\n");
    let seen = repo.path("seen");
    let test = format!(
        "echo \"$HOWCOME_REVISION\" >>{}; test -d \"$HOWCOME_DIR/lib\" || exit 9; {TEST}",
        seen.display()
    );
    let json = repo.finds(&["--good", "good", "--bad", "HEAD", "-j1"], &test);
    assert_eq!(json["ending"], "found");
    let seen = String::from_utf8(repo.read("seen")).unwrap();
    for name in ["good", "HEAD", "HEAD~1"] {
        assert!(seen.contains(&repo.git(&["rev-parse", name])), "{name}: {seen}");
    }
}

#[test]
fn every_version_is_judged_by_the_test_of_the_bad_one() {
    let repo = repo();
    repo.script("test.sh", "#!/bin/sh\nexit 0\n");
    repo.commit("a test that sees nothing");
    repo.sh("sed -i -e s/^9$/broken/ -e s/^20$/twenty/ code.txt");
    let culprit = repo.commit("breaks it");
    repo.script("test.sh", "#!/bin/sh\n! grep -q broken code.txt\n");
    repo.commit("a test that sees it");
    repo.change("other.txt", "1\n");
    let words = ["changes", "-q", "--json", "--good", "good", "--bad", "HEAD", "--", "./test.sh"];
    let json = repo.json(&words);
    assert_eq!(json["finding"]["commit"], json!(culprit));
    assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
}

#[test]
fn the_patch_goes_where_it_is_asked_to() {
    let repo = repo();
    repo.sh("sed -i -e s/^9$/broken/ -e s/^20$/twenty/ code.txt");
    repo.commit("breaks it");
    let json = repo.finds(&["--good", "good", "--bad", "HEAD", "-o", "here.patch", "--run-dir", "run"], TEST);
    let patch = String::from_utf8(repo.read("here.patch")).unwrap();
    assert_eq!(json["finding"]["patch"], json!(patch));
    assert!(!repo.path("run/culprit.patch").exists());
    repo.is_fixed_by("here.patch", "HEAD", TEST);
}

#[test]
fn a_dry_run_says_what_would_be_done_and_leaves_nothing() {
    let repo = repo();
    repo.sh("sed -i -e s/^9$/broken/ -e s/^20$/twenty/ code.txt");
    repo.commit("breaks it");
    repo.change("other.txt", "1\n");
    assert_snapshot!(repo.seen(&[
        "changes",
        "--dry-run",
        "-j1",
        "--good",
        "good",
        "--bad",
        "HEAD",
        "--",
        "sh",
        "-c",
        TEST
    ]));
    assert!(!repo.path("howcome.out").exists());
}

#[test]
fn a_test_in_a_folder_below_is_found_from_anywhere() {
    let repo = repo();
    repo.script("lib/test.sh", "#!/bin/sh\ntest -e lib/test.sh || exit 9\n! grep -q broken code.txt\n");
    repo.sh("sed -i -e s/^5$/five/ -e s/^9$/broken/ code.txt");
    repo.commit("breaks it, and brings a test");
    for (stands, test) in [(".", "lib/test.sh"), (".", "./lib/test.sh"), ("lib", "./test.sh")] {
        let mut command =
            repo.howcome(&["changes", "-q", "--json", "--good", "good", "--bad", "HEAD", "--", test]);
        let output = command.current_dir(repo.path(stands)).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"], "{stands} {test}");
    }
}

#[test]
fn a_test_that_hangs_in_the_bad_version_only_is_a_failure_like_any_other() {
    let repo = repo();
    repo.sh("sed -i -e s/^5$/five/ -e s/^9$/broken/ code.txt");
    repo.commit("breaks it");
    let flags = ["--good", "good", "--bad", "HEAD", "--timeout", "300ms"];
    let json = repo.finds(&flags, "grep -q broken code.txt && exec sleep 1000; exit 0");
    assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
}

#[test]
fn what_the_test_prints_can_tell_the_versions_apart() {
    let repo = repo();
    repo.sh("sed -i -e s/^5$/five/ -e s/^9$/broken/ code.txt");
    repo.commit("breaks it");
    let words = ["changes", "-q", "--json", "--good", "good", "--bad", "HEAD", "--fails-when", "stdout~brok"];
    let json = repo.json(&[&words[..], &["--", "cat", "code.txt"]].concat());
    assert_eq!(lines_of(&json), ["code.txt: -9", "code.txt: +broken"]);
}

#[test]
fn every_algorithm_finds_the_two_lines() {
    let repo = repo();
    repo.sh("sed -i -e s/^2$/two/ -e s/^5$/one/ -e s/^9$/nine/ code.txt; sed -i -e s/^5$/other/ lib/util.txt; echo 1 >lib/more");
    repo.commit("code");
    let test = "! { grep -q one code.txt && grep -q other lib/util.txt; }";
    for algorithm in ["dd", "dd+", "ddmin", "isolate", "balanced"] {
        let json = repo.finds(&["--good", "good", "--bad", "HEAD", "--algorithm", algorithm], test);
        let expected = ["code.txt: -5", "code.txt: +one", "lib/util.txt: -5", "lib/util.txt: +other"];
        assert_eq!(lines_of(&json), expected, "{algorithm}");
        assert_eq!(json["minimal"]["checked"], true, "{algorithm}");
    }
}

#[test]
fn commits_that_change_only_what_is_not_read_are_tested_last() {
    let repo = Repo::new();
    repo.write("value", b"1\n");
    repo.write("notes", b"0\n");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    let mut culprit = String::new();
    for number in 1..=80 {
        let (name, text) = match number {
            10 => ("value", 2),
            30 => ("value", 3),
            40 => ("value", 4),
            _ => ("notes", number),
        };
        repo.write(name, format!("{text}\n").as_bytes());
        let commit = repo.commit(&format!("commit {number}"));
        if number == 30 {
            culprit = commit;
        }
    }
    let test = "test \"$(cat value)\" -lt 3";
    let told = |json: &serde_json::Value| json["tests"]["told"].as_u64().unwrap();
    let flags = ["--good", "good", "--bad", "HEAD"];
    let [weighed, even] =
        [&flags[..], &[&flags[..], &["--without", "unread"]].concat()].map(|flags| repo.finds(flags, test));
    for json in [&weighed, &even] {
        assert_eq!(json["finding"]["commit"], json!(culprit));
    }
    // Where the file system does not record when files are read, nothing is known.
    assert!(told(&weighed) <= told(&even), "{} {}", told(&weighed), told(&even));
}

#[test]
fn lines_that_a_test_in_python_does_not_execute_are_left_out_first() {
    if !howcome_testing::need_program("python3") {
        return;
    }
    let repo = Repo::new();
    let module = |name: &str, change: &str| {
        let unused: String = (0..20)
            .map(|nth| format!("def unused{nth}():\n    a = {nth}\n    b = a\n    return b{change}\n\n\n"))
            .collect();
        format!("{unused}def {name}():\n    return 1{}\n", if name == "c" { change } else { "" })
    };
    for name in ["a", "b", "c", "d"] {
        repo.write(&format!("{name}.py"), module(name, "").as_bytes());
    }
    repo.write("sum.py", b"import a, b, c, d\nprint(a.a() + b.b() + c.c() + d.d())\n");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    for name in ["a", "b", "c", "d"] {
        repo.write(&format!("{name}.py"), module(name, " + 1").as_bytes());
    }
    repo.commit("bad");
    let test = "test \"$(python3 sum.py)\" = 4";
    let flags = ["--good", "good", "--bad", "HEAD", "--within", "hunk", "--without", "items"];
    let [measured, unmeasured] =
        [&flags[..], &[&flags[..], &["--without", "coverage"]].concat()].map(|flags| repo.finds(flags, test));
    for json in [&measured, &unmeasured] {
        assert_eq!(lines_of(json), ["c.py: -    return 1", "c.py: +    return 1 + 1"]);
    }
    let told = |json: &serde_json::Value| json["tests"]["told"].as_u64().unwrap();
    assert!(told(&measured) < told(&unmeasured), "{} {}", told(&measured), told(&unmeasured));
}
