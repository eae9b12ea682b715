//! What is back-ported: no more than it takes, and no less than gives the test its meaning.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use serde_json::Value;

const CHECK: &str = "#!/bin/sh
out=$(./calc --sum 1 2 3) || exit 2
[ \"$out\" = 'sum 6' ]
";

/// Commits a script for each number, and asks what broke the check. The subject of a commit is its number.
fn asked(revisions: usize, script: impl Fn(usize) -> String) -> Value {
    let repo = Repo::new();
    for revision in 0..revisions {
        repo.script("calc", &script(revision));
        repo.commit(&revision.to_string());
    }
    let check = repo.script("check.sh", CHECK);
    repo.json(&["history", "-q", "--json", "--", check.to_str().unwrap()])
}

fn lines(patch: &Value) -> Vec<&str> {
    let is_changed =
        |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
    patch.as_str().map_or_else(Vec::new, |patch| patch.lines().filter(is_changed).collect())
}

#[test]
fn a_patch_that_is_not_needed_any_more_shrinks_to_nothing() {
    // The option has another name for a while, long after the cause.
    let answer = asked(60, |revision| {
        let option = if (20..40).contains(&revision) { "--total" } else { "--sum" };
        let much = if revision < 10 { "n" } else { "n + 1" };
        format!(
            "#!/bin/sh\n# revision {revision}\ncase $1 in\n{option}) ;;\n*) exit 2 ;;\nesac\nshift\ntotal=0\n\
             for n; do total=$((total + {much})); done\necho \"sum $total\"\n"
        )
    });
    let finding = &answer["finding"];
    assert_eq!(finding["patches"].as_array().map(Vec::len), Some(1), "{answer:#}");
    assert_eq!(finding["backported"], Value::Null, "{answer:#}");
    assert_eq!(
        (&finding["passing_commit"]["subject"], &finding["failing_commit"]["subject"]),
        (&"9".into(), &"10".into())
    );
    let cause = ["-for n; do total=$((total + n)); done", "+for n; do total=$((total + n + 1)); done"];
    assert_eq!(lines(&finding["cause"]["patch"]), cause);
}

#[test]
fn a_line_without_which_the_newer_revision_would_not_fail_is_kept() {
    // What the feature calls was there before, and broke before; the older revision passes with the call and without.
    let answer = asked(40, |revision| {
        let most = if revision < 10 { 5000 } else { 5 };
        let (option, call) = match revision < 25 {
            true => ("", ""),
            false => ("    --sum) continue ;;\n", "verify $total\n"),
        };
        format!(
            "#!/bin/sh\n# revision {revision}\nverify() {{\n    [ $1 -lt {most} ] || {{ echo too much; exit; }}\n}}\ntotal=0\n\
             for n; do\n    case $n in\n{option}    -*) exit 2 ;;\n    esac\n    total=$((total + n))\ndone\n\
             {call}echo \"sum $total\"\n"
        )
    });
    let finding = &answer["finding"];
    assert_eq!(lines(&finding["backported"]), ["+    --sum) continue ;;", "+verify $total"], "{answer:#}");
    assert_eq!(finding["backported_minimal"], true);
    assert_eq!(finding["passing_commit"]["subject"], "9");
    assert_eq!(finding["cause"]["changes"][0]["old_line"], 4);
}

#[test]
fn a_later_patch_is_counted_without_the_earlier_one() {
    let repo = Repo::new();
    let calc = |much: &str, call: &str| {
        format!("#!/bin/sh\nshift\ntotal=0\nfor n; do total=$((total + {much})); done\n{call}\n")
    };
    repo.script("calc", &calc("n", "exit 3"));
    repo.commit("first");
    repo.script("calc", &calc("n + 1", "exit 3"));
    let culprit = repo.commit("culprit");
    repo.change("words", "sum\n");
    repo.change("other", "1\n");
    repo.script("calc", &calc("n + 1", "word=$(cat words) || exit 3\necho \"$word $total\""));
    repo.commit("the sum is printed");
    let check = repo.script("check.sh", CHECK);
    let answer = repo.json(&["history", "-q", "--json", "--", check.to_str().unwrap()]);
    assert_eq!(answer["finding"]["failing_commit"]["id"], culprit, "{answer:#}");
    let made = answer["finding"]["patches"].as_array().unwrap();
    let sizes: Vec<_> = made.iter().map(|made| (made["hunks"].as_u64(), made["files"].as_u64())).collect();
    assert_eq!(sizes, [(Some(1), Some(1)); 2], "{answer:#}");
}
