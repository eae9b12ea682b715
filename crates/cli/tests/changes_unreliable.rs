//! Tests that do not always end in the same way lead to no answer, instead of to a wrong one.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;

/// Eight commits, of which the fifth breaks the program.
fn repo() -> Repo {
    let repo = Repo::new();
    for number in 1..=8 {
        let is_broken = if number < 5 { "right" } else { "wrong" };
        repo.write("prog", format!("{is_broken}\n").as_bytes());
        repo.change("other", &format!("{number}\n"));
    }
    repo.git(&["tag", "good", "HEAD~7"]);
    repo
}

fn tells(repo: &Repo, flags: &[&str], test: &str) -> String {
    repo.script("check.sh", test);
    let words = ["changes", "-q", "--good", "good", "--bad", "HEAD", "--run-dir", "run"];
    repo.seen(&[&words, flags, &["--", "./check.sh"]].concat())
}

#[test]
fn a_version_that_passes_only_once_is_noticed() {
    // Whatever passes fails when it is tested again.
    let test = "#!/bin/sh\nseen=\"$HOWCOME_DIR/seen.$(cat prog other | tr -d '\\n')\"\ngrep -q wrong prog && exit 1\n\
                [ -e \"$seen\" ] && exit 1\ntouch \"$seen\"\n";
    let seen = tells(&repo(), &["-j1"], test);
    assert!(seen.contains("The test contradicts itself"), "{seen}");
    assert!(seen.ends_with("--- exit 4\n"), "{seen}");
}

#[test]
fn a_test_that_always_ends_in_the_same_way_is_believed() {
    let seen = tells(&repo(), &["-j1"], "#!/bin/sh\n! grep -q wrong prog\n");
    assert!(seen.starts_with("$ howcome") && seen.contains("broke it: 1 line of prog"), "{seen}");
}

#[test]
fn a_test_that_finds_its_port_in_use_is_run_again_alone() {
    // The first run of each commit between the good and the bad one meets another test.
    let test = "#!/bin/sh\nnumber=$(cat other)\n\
                [ $number != 1 ] && [ $number != 8 ] && mkdir \"$HOWCOME_DIR/seen.$number\" 2>/dev/null && {\n\
                echo 'bind: Address already in use' >&2; exit 1; }\n! grep -q wrong prog\n";
    let seen = tells(&repo(), &["-j2", "--fails-when", "exit=1"], test);
    assert!(seen.contains("broke it: 1 line of prog"), "{seen}");
}
