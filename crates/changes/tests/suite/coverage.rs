//! The changes that a run never executes.

use crate::world::{PLAIN, changes, files, texts, words};
use howcome_changes::ChangeSet;
use howcome_changes::coverage::{Coverage, LineCoverage, parse_gcov_json, unexecuted};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const ROOT: &str = "/tree";

fn edits(name: &str, good: &str, bad: &str) -> ChangeSet {
    let version = |text: &str| files(&[(name, PLAIN, text.as_bytes())]);
    changes(&version(good), &version(bad))
}

/// The lines that end in `// yes` were executed, those that end in `// no` were not.
fn marked(text: &str) -> LineCoverage {
    let ending = |mark: &str| {
        let lines = text.lines().enumerate().filter(|(_, line)| line.ends_with(mark));
        lines.map(|(at, _)| at as u32 + 1).collect()
    };
    LineCoverage { executed: ending("// yes"), unexecuted: ending("// no") }
}

fn coverage(paths: &[&str], lines: &LineCoverage) -> Coverage {
    // Something was executed, or the report would not be believed.
    let other = LineCoverage { executed: [1].into(), ..LineCoverage::default() };
    let files = paths.iter().map(|path| (path.as_bytes().to_vec(), lines.clone()));
    Coverage { files: files.chain([(b"/usr/include/x.h".to_vec(), other)]).collect() }
}

/// Which changes of a file are found, by number.
fn found(name: &str, good: &str, bad: &str) -> Vec<u32> {
    let changes = edits(name, good, bad);
    let coverage = coverage(&[&format!("{ROOT}/{name}")], &marked(bad));
    unexecuted(&changes, &coverage, Path::new(ROOT)).iter().map(|delta| delta.0).collect()
}

#[test]
fn a_change_is_left_out_if_no_line_of_it_was_executed() {
    let good = "int f() {\n1\n2\n3\n4\n5\n6\n}\n";
    assert_eq!(found("a.c", good, "int f() {\nx; // no\n2\n3\ny; // yes\n5\n6\n}\n"), [0]);
    assert_eq!(found("a.c", good, "int f() {\nx; // no\ny; // yes\n3\n4\n5\n6\n}\n"), [0; 0]);
    assert_eq!(found("a.c", good, "int f() {\nx; // no\nint unknown;\n3\n4\n5\n6\n}\n"), [0; 0]);
}

#[test]
fn lines_without_code_go_with_one_that_has_some_and_never_alone() {
    let good = "f\ng\nh\n";
    assert_eq!(found("a.c", good, "f\n\n// Why.\n/* And\n * how. */\nif (x) { // no\n}\ng\nh\n"), [0]);
    assert_eq!(found("a.c", good, "f\n\n// Why.\n/* And\n * how. */\n{\n}\ng\nh\n"), [0; 0]);
    assert_eq!(found("a.c", good, "f\nx; // no\n#define Y\ng\nh\n"), [0; 0]);
    assert_eq!(found("a.py", good, "f\nx; // no\n#define Y\ng\nh\n"), [0]);
    assert_eq!(found("a.c", good, "f\nx; // no\n/* a */ int b;\ng\nh\n"), [0; 0]);
    assert_eq!(found("a.c", good, "f\nx; // no\n// and \\\ng\nh\n"), [0; 0]);
    assert_eq!(found("a.c", good, "f\nx; // no\n/* and\ng\nh\n"), [0; 0]);
}

#[test]
fn a_change_that_takes_lines_away_is_kept() {
    let good = "f\ng\nh\ni\nj\n";
    assert_eq!(found("a.c", good, "f\nh\ni\nj\n"), [0; 0]);
    // One hunk: a line goes here and another one comes near by.
    assert_eq!(found("a.c", good, "f\nh\nx; // no\ni\nj\n"), [0; 0]);
    assert_eq!(found("a.c", good, "f\nx; // no\nh\ni\nj\n"), [0]);
}

#[test]
fn a_line_that_came_under_a_condition_is_kept_though_it_is_not_executed_any_more() {
    assert_eq!(found("a.py", "if x:\n  a\nb // no\nc\n", "if x:\n  a\n  b // no\nc\n"), [0; 0]);
    let good = "if (x) {\na;\n}\nb; // no\nc;\n";
    assert_eq!(found("a.c", good, "if (x) {\na;\nd; // no\nb; // no\n}\nc;\n"), [0; 0]);
    assert_eq!(found("a.c", "if (x) {\na;\nb;\n}\n", "if (x) {\na;\nd; // no\n}\n{\nb;\n}\n"), [0; 0]);
}

#[test]
fn changes_of_whole_files_and_of_modes_are_kept() {
    let executable = howcome_changes::EntryKind::File { executable: true };
    let good = files(&[("a.c", PLAIN, b"f\n")]);
    let bad = files(&[("a.c", executable, b"x; // no\n"), ("b.c", PLAIN, b"x; // no\n")]);
    let changes = changes(&good, &bad);
    assert_eq!(words(&changes).len(), 3);
    let coverage = coverage(&["/tree/a.c", "/tree/b.c"], &marked("x; // no"));
    let found = unexecuted(&changes, &coverage, Path::new(ROOT));
    assert_eq!(found.iter().map(|delta| delta.0).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_file_is_known_by_its_path_in_the_root_or_by_the_only_path_that_ends_like_it() {
    let changes = edits("src/a.c", "f\n", "x; // no\n");
    let is_known = |paths: &[&str]| {
        !unexecuted(&changes, &coverage(paths, &marked("x; // no")), Path::new(ROOT)).is_empty()
    };
    assert!(is_known(&["/tree/src/a.c"]));
    assert!(is_known(&["/tree/build/.././src//a.c"]));
    assert!(is_known(&["src/a.c"]));
    assert!(is_known(&["/elsewhere/src/a.c"]));
    assert!(!is_known(&["/elsewhere/src/a.c", "/nowhere/src/a.c"]));
    assert!(is_known(&["/elsewhere/src/a.c", "/tree/src/a.c"]));
    assert!(!is_known(&["/tree/lib/src/a.c"]));
    assert!(!is_known(&["lib/src/a.c"]));
    assert!(!is_known(&["/elsewhere/notsrc/a.c"]));
    assert!(!is_known(&["a.c", "/tree/a.c"]));
}

#[test]
fn a_report_in_which_nothing_was_executed_is_not_believed() {
    let changes = edits("a.c", "f\n", "x; // no\n");
    let files = [(b"/tree/a.c".to_vec(), marked("x; // no"))].into();
    assert!(unexecuted(&changes, &Coverage { files }, Path::new(ROOT)).is_empty());
}

#[test]
fn a_real_run_leaves_out_the_branch_that_it_did_not_take() {
    let good =
        "int f(int x) {\n  if (x)\n    return 2;\n\n\n  return 3;\n}\n\nint main(void) { return f(0); }\n";
    let bad = good.replace("return 2;", "return 22;").replace("return 3;", "return 33;");
    let changes = edits("src/main.c", good, &bad);
    assert_eq!(changes.len(), 2);

    let folder = TempDir::new().unwrap();
    let src = folder.path().join("src");
    fs::create_dir(&src).unwrap();
    fs::write(src.join("main.c"), &bad).unwrap();
    // The names of the files of data differ between compilers unless it is done in two steps.
    let steps: [&[&str]; 4] = [
        &["gcc", "--coverage", "-O0", "-c", "main.c", "-o", "main.o"],
        &["gcc", "--coverage", "main.o", "-o", "main"],
        &["./main"],
        &["gcov", "--json-format", "--stdout", "main.gcda"],
    ];
    let mut report = Vec::new();
    for step in steps {
        let Ok(output) = Command::new(step[0]).args(&step[1..]).current_dir(&src).output() else {
            // There is no gcc or no gcov.
            return;
        };
        let expected = if step[0] == "./main" { 33 } else { 0 };
        assert_eq!(output.status.code(), Some(expected), "{}", String::from_utf8_lossy(&output.stderr));
        report = output.stdout;
    }
    let root = fs::canonicalize(folder.path()).unwrap();
    let found = unexecuted(&changes, &parse_gcov_json(&report), &root);
    assert_eq!(found.iter().map(|delta| delta.0).collect::<Vec<_>>(), [0]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    /// The lines `a` are executed, the lines `b` are not, of all others nothing is known.
    #[test]
    fn what_is_left_out_brings_unexecuted_lines_and_no_line_with_unknown_effect((good, bad) in texts()) {
        let version = |text: &[u8]| files(&[("a.c", PLAIN, text)]);
        let changes = changes(&version(&good), &version(&bad));
        let mut lines = LineCoverage::default();
        for (at, line) in bad.split(|&byte| byte == b'\n').enumerate() {
            // With a carriage return before or behind it, a line is still that line.
            match line.trim_ascii() {
                b"a" => drop(lines.executed.insert(at as u32 + 1)),
                b"b" => drop(lines.unexecuted.insert(at as u32 + 1)),
                _ => {}
            }
        }
        let found = unexecuted(&changes, &coverage(&["/tree/a.c"], &lines), Path::new(ROOT));
        for delta in changes.all().iter() {
            let change = changes.describe(delta).unwrap();
            let is_b = |line: &&[u8]| line.trim_ascii() == b"b";
            let is_blank = |line: &&[u8]| line.trim_ascii().is_empty();
            let is_harmless = |line: &&[u8]| is_b(line) || is_blank(line) || line.trim_ascii() == b"}";
            if found.contains(delta) {
                prop_assert!(change.added.iter().any(is_b) && change.added.iter().all(is_harmless));
            } else if change.removed.is_empty() {
                let only_b = change.added.iter().any(is_b) && change.added.iter().all(|line| is_b(line) || is_blank(line));
                prop_assert!(!only_b, "{change} was not found");
            }
        }
    }
}
