//! What `howcome changes` promises whatever the question is: the same answer for any number of workers, and hands off the
//! repository.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, finding_of};
use serde_json::{Value, json};

/// Many commits, some of them untestable, with a cause of two lines in two of them.
fn tangled() -> Repo {
    let repo = Repo::new();
    repo.sh("seq 40 >a.txt; seq 40 >b.txt; seq 9 >c.txt");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    for number in 1..=14 {
        repo.sh(&format!(
            "sed -i s/^{number}$/x{number}/ c.txt; sed -i s/^{number}$/y/ a.txt; echo {number} >n.txt"
        ));
        match number {
            5 => repo.sh("sed -i -e s/^30$/one/ -e s/^31$/x/ -e s/^35$/x/ a.txt"),
            9 => repo.sh("sed -i -e s/^20$/two/ -e s/^21$/x/ -e s/^25$/x/ b.txt"),
            _ => {}
        }
        repo.commit(&format!("commit {number}"));
    }
    repo
}

const TANGLED: &str = "grep -qx 7 n.txt && exit 125; grep -qx 11 n.txt && exit 125\n\
                       ! { grep -q one a.txt && grep -q two b.txt; }";

/// What must not depend on the number of workers.
fn promised(json: &Value) -> Value {
    let counts: Vec<&Value> = ["asked", "told", "predicted", "pass", "fail", "unresolved"]
        .iter()
        .map(|name| &json["tests"][*name])
        .collect();
    json!([json["ending"], finding_of(json), json["minimal"], json["verified"], counts])
}

/// The questions in their order, without what differs from run to run.
fn trail(repo: &Repo, run: &str) -> Vec<String> {
    let journal = String::from_utf8(repo.read(&format!("{run}/journal.jsonl"))).unwrap();
    let entries: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_event = |event: &'static str| entries.iter().filter(move |entry| entry["event"] == event);
    // The configuration of a question is that of its test, unless a test of another one with the same content answered it.
    let tested = |test: &Value| {
        of_event("observed").find(|entry| entry["test"] == *test).map(|entry| &entry["configuration"])
    };
    of_event("told")
        .map(|entry| {
            let configuration = Some(&entry["configuration"]).filter(|own| !own.is_null());
            let configuration = configuration.or_else(|| tested(&entry["test"])).cloned();
            let mut told = entry.as_object().unwrap().clone();
            told.remove("test");
            told.insert("configuration".to_owned(), configuration.unwrap_or_default());
            Value::Object(told).to_string()
        })
        .collect()
}

fn same_for_any_number_of_workers(repo: &Repo, flags: &[&str], test: &str) {
    let answers: Vec<(Value, Vec<String>)> = ["1", "2", "8"]
        .iter()
        .map(|jobs| {
            let run = format!("howcome.out/run{jobs}");
            let json = repo.finds(&[flags, &["-j", jobs, "--run-dir", &run]].concat(), test);
            assert_eq!(json["ending"], "found", "{json:#}");
            (promised(&json), trail(repo, &run))
        })
        .collect();
    assert!(answers[0].1.len() > 4);
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn the_answer_and_the_trail_are_the_same_for_any_number_of_workers() {
    let repo = tangled();
    same_for_any_number_of_workers(&repo, &["--good", "good", "--bad", "HEAD"], TANGLED);
}

#[test]
fn so_they_are_without_history() {
    let repo = tangled();
    same_for_any_number_of_workers(&repo, &["--good", "good", "--bad", "HEAD", "--within", "hunk"], TANGLED);
}

#[test]
fn so_they_are_where_many_mixes_cannot_be_judged() {
    let repo = Repo::new();
    repo.sh("seq 60 >code.txt");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    // Whatever is used has to be defined, and whatever is defined has to be used.
    repo.sh(
        "sed -i -e '3s/$/ def p/; 20s/$/ use p/; 30s/$/ def q/; 31s/$/ x/; 45s/$/ use q/; 52s/$/ def r/; 58s/$/ use r/' code.txt",
    );
    repo.commit("bad");
    let test = "for name in p q r; do\n\
                grep -q \"def $name\" code.txt && ! grep -q \"use $name\" code.txt && exit 2\n\
                grep -q \"use $name\" code.txt && ! grep -q \"def $name\" code.txt && exit 2\n\
                done\n! grep -q 'use q' code.txt";
    same_for_any_number_of_workers(&repo, &["--good", "good", "--bad", "HEAD"], test);
}

#[test]
fn the_repository_and_the_working_tree_stay_as_they_are() {
    let repo = tangled();
    // Something of everything that git would like to tidy up: staged, changed, untracked, ignored, touched.
    repo.sh("echo ignored >.gitignore; echo 1 >ignored; echo 1 >new; git add new; echo 2 >>new; echo 3 >>a.txt; echo x >untracked");
    repo.sh("touch -d 2001-01-01 b.txt c.txt; touch .git/index");
    let before = repo.everything();
    for bad in [&["--bad", "HEAD"][..], &[], &["--bad", "HEAD", "--only", "*.txt", "--except", "new"]] {
        let json = repo.finds(&[&["--good", "good"], bad].concat(), TANGLED);
        assert_eq!(json["ending"], "found", "{json:#}");
        let run = json["run"].as_str().unwrap();
        repo.run(&["show", run, "--test", "1"]);
        repo.run(&["resume", run, "-q"]);
        let after = repo.everything();
        let differing: Vec<_> =
            before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
        assert!(differing.is_empty(), "{differing:?}");
    }
}

#[test]
fn nothing_that_the_repository_sets_up_is_run() {
    let repo = tangled();
    repo.script("evil.sh", "#!/bin/sh\ntouch \"$(dirname \"$0\")/evil-was-here\"\ncat\n");
    repo.sh(
        "for hook in post-checkout post-index-change pre-commit post-commit reference-transaction post-merge fsmonitor-watchman; do \
         cp evil.sh .git/hooks/$hook; done; \
         printf '#!/bin/sh\\ntouch ../../evil-was-here evil-was-here\\n' >.git/hooks/post-checkout",
    );
    repo.sh(
        "e=$PWD/evil.sh; git config core.fsmonitor $e; git config core.pager $e; git config diff.external $e; \
         git config diff.evil.textconv $e; git config diff.evil.command $e; git config filter.evil.smudge $e; \
         git config filter.evil.clean $e; git config filter.evil.process $e; git config core.sshCommand $e; \
         git config core.alternateRefsCommand $e; git config gpg.program $e; git config log.showSignature true; \
         git config core.editor $e; git config uploadpack.packObjectsHook $e; \
         echo '*.txt diff=evil filter=evil' >.git/info/attributes; echo z >>c.txt; rm -f evil-was-here",
    );
    for bad in [&["--bad", "HEAD"][..], &[]] {
        let json = repo.finds(&[&["--good", "good"], bad].concat(), TANGLED);
        assert_eq!(json["ending"], "found", "{json:#}");
        repo.run(&["show", json["run"].as_str().unwrap(), "--test", "2"]);
        assert!(!repo.path("evil-was-here").exists() && !repo.path(".git/evil-was-here").exists());
    }
}

#[test]
fn a_tree_in_which_a_test_was_cancelled_is_not_used_again() {
    let repo = tangled();
    // What a single worker asks is written down; with more of them, whatever else is tried in advance hangs until it is
    // cancelled, and leaves rubbish that would spoil every later test in that tree.
    let test = "key=$(cat a.txt b.txt c.txt n.txt 2>/dev/null | cksum | cut -d' ' -f1)\n\
                test ! -e rubbish || exit 9\n\
                if test -e \"$HOWCOME_DIR/howcome.out/all-known\"; then\n\
                grep -qx $key \"$HOWCOME_DIR/howcome.out/known\" || { touch rubbish; exec sleep 1000; }\n\
                else echo $key >>\"$HOWCOME_DIR/howcome.out/known\"; fi\n";
    let test = format!("{test}{TANGLED}");
    repo.sh("mkdir howcome.out; echo '*' >howcome.out/.gitignore");
    let flags = ["--good", "good", "--bad", "HEAD"];
    let alone = repo.finds(&[&flags[..], &["-j1"]].concat(), &test);
    repo.sh("touch howcome.out/all-known");
    let many = repo.finds(&[&flags[..], &["-j4"]].concat(), &test);
    assert!(many["tests"]["cancelled"].as_u64().unwrap() > 0, "{many:#}");
    assert_eq!(promised(&many), promised(&alone));
}
