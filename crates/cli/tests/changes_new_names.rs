//! If a commit renames something everywhere, `howcome changes` still finds the line that it changed besides.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use serde_json::json;

/// How many functions the program has.
const FUNCTIONS: u32 = 90;

/// A program in which each function takes a structure of this name. The last number that counts is below the limit, or the limit.
fn program(name: &str, less: &str) -> String {
    let mut text = format!("struct {name} {{\n    int sum;\n    int limit;\n}};\n");
    for number in 0..FUNCTIONS {
        let less = if number == 57 { less } else { "<" };
        let body = format!("    if ({number} {less} {name}->limit)\n        {name}->sum += {number};\n");
        text += &format!(
            "\nstatic void add_{number}(struct {name} *{name})\n{{\n    /* Adds {number}. */\n\n{body}}}\n"
        );
    }
    text += &format!("\nint main(void)\n{{\n    struct {name} all = {{0, 57}};\n");
    text += &(0..FUNCTIONS).map(|number| format!("    add_{number}(&all);\n")).collect::<String>();
    text + "    return all.sum != 1596;\n}\n"
}

#[test]
fn a_line_that_changed_amid_a_renaming_everywhere_is_named() {
    let repo = Repo::new();
    repo.change("main.c", &program("context", "<"));
    repo.git(&["tag", "good"]);
    repo.change("main.c", &program("session", "<="));
    let flags = ["--good", "good", "--bad", "main", "--build", "cc -w -o main main.c", "--run-dir", "run"];
    let json = repo.finds(&flags, "./main");
    let decides = ["main.c: -    if (57 < session->limit)", "main.c: +    if (57 <= session->limit)"];
    assert_eq!(lines_of(&json), decides, "{json:#}");
    assert_eq!(json["verified"]["without_passes"], json!(true), "{json:#}");
    let tests = json["tests"]["told"].as_u64().unwrap_or_else(|| panic!("{json:#}"));
    assert!(tests <= 20, "{tests} tests: {json:#}");
    let trail = String::from_utf8(repo.run(&["show", "run", "--trail"]).stdout).unwrap();
    assert!(trail.contains("new names"), "{trail}");
}

#[test]
fn a_renaming_that_is_the_cause_is_not_taken_for_new_names_only() {
    let repo = Repo::new();
    // The test looks for the old name, so that the good version in the new names fails.
    repo.change("main.c", &program("context", "<"));
    repo.git(&["tag", "good"]);
    repo.change("main.c", &program("session", "<"));
    let flags = ["--good", "good", "--bad", "main", "--build", "cc -w -o main main.c", "--run-dir", "run"];
    let json = repo.finds(&flags, "./main && grep -q 'struct context {' main.c");
    assert!(lines_of(&json).contains(&"main.c: -struct context {".to_owned()), "{json:#}");
    assert_ne!(json["verified"]["without_passes"], json!(false), "{json:#}");
}
