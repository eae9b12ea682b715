//! What a shell completes.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Place, Repo};

/// What bash offers after these words.
fn offered(place: &Place, words: &[&str]) -> Vec<String> {
    let mut command = place.howcome(&["--", "howcome"]);
    command.args(words).env("HOWCOME_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    command.env("_CLAP_COMPLETE_COMP_TYPE", "9").env("_CLAP_COMPLETE_SPACE", "true").env("_CLAP_IFS", "\n");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_scripts_of_all_shells_ask_howcome() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(place.run(&["completions", shell]).stdout).unwrap();
        assert!(script.contains("HOWCOME_COMPLETE"), "{shell}: {script}");
    }
}

#[test]
fn commands_flags_and_their_values_are_offered() {
    let place = Place::new();
    assert_eq!(offered(&place, &["hist"]), ["history"]);
    assert_eq!(offered(&place, &["items", "--fails"]), ["--fails-when"]);
    assert_eq!(offered(&place, &["items", "--color", "n"]), ["never"]);
    assert_eq!(offered(&place, &["items", "li"]), ["list.txt"]);
    assert_eq!(offered(&place, &["items", "list.txt", "--", "./te"]), ["./test.sh"]);
    assert_eq!(offered(&place, &["input", "list.txt", "--skip-pass", "lin"]), ["lines"]);
}

#[test]
fn runs_and_revisions_are_offered() {
    let repo = Repo::new();
    repo.change("a.txt", "1\n");
    repo.git(&["tag", "v1.0"]);
    repo.git(&["branch", "topic"]);
    assert_eq!(offered(&repo, &["changes", "--good", "v"]), ["v1.0"]);
    assert_eq!(offered(&repo, &["history", "--back-to", ""]), ["HEAD", "main", "topic", "v1.0"]);
    repo.write("list.txt", b"1\n2\n");
    let test = ["--", "sh", "-c", "! grep -q 2 $HOWCOME_ITEMS"];
    repo.run(&[&["items", "list.txt", "-q", "--run-dir", "howcome.out/one"][..], &test].concat());
    repo.run(&[&["items", "list.txt", "-q", "--run-dir", "two"][..], &test].concat());
    assert_eq!(offered(&repo, &["show", "how"]), ["howcome.out/one"]);
    assert_eq!(offered(&repo, &["resume", "t"]), ["two"]);
}
