//! `howcome input`, as a user would run it.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;
use serde_json::json;
use std::fs;

/// The page of the paper that ddmin comes from, made longer.
const PAGE: &str = "<html>
<body>
<p>Which priority?</p>
<SELECT NAME=\"priority\" MULTIPLE SIZE=7>
<p>Thank you.</p>
</body>
</html>
";

/// A folder with the page, and a test that looks for a SELECT tag.
fn page() -> Place {
    let place = Place::empty();
    place.write("page.html", PAGE.as_bytes());
    place.script("printing.sh", "#!/bin/sh\ngrep -q '<SELECT.*>' page.html && exit 1\nexit 0\n");
    place
}

#[test]
fn the_smallest_input_that_still_fails() {
    let place = page();
    let seen = place.seen(&["input", "page.html", "-q", "-j1", "--run-dir", "run", "--", "./printing.sh"]);
    assert!(
        seen.contains("8 bytes of 112 bytes are enough to make the test fail.\n\n    <SELECT>\n"),
        "{seen}"
    );
    assert!(seen.contains("The smaller input is written to [here]/page.min.html."), "{seen}");
    assert!(seen.contains("re-tested alone, the test fails"), "{seen}");
    assert_eq!(place.read("page.min.html"), b"<SELECT>");
    assert_eq!(place.read("run/best/page.html"), b"<SELECT>");
    assert_eq!(place.read("page.html"), PAGE.as_bytes());
}

#[test]
fn the_same_answer_for_any_number_of_workers() {
    let answer = |jobs: &str| {
        let place = page();
        let words =
            ["input", "page.html", "-q", "--json", "-j", jobs, "--run-dir", "run", "--", "./printing.sh"];
        let json = place.json(&words);
        let questions = place.seen(&["show", "run", "--history"]);
        let mut finding = json["finding"].clone();
        finding.as_object_mut().unwrap().remove("output");
        (finding, json["tests"]["told"].clone(), json["minimal"].clone(), questions)
    };
    let one = answer("1");
    assert_eq!(answer("2"), one);
    assert_eq!(answer("8"), one);
}

#[test]
fn the_finding_as_json_keeps_the_contract() {
    let place = page();
    let json = place.json(&["input", "page.html", "-q", "--json", "-j1", "--", "./printing.sh"]);
    assert_eq!(json["question"], "input");
    assert_eq!(json["ending"], "found");
    assert_eq!(json["verified"]["alone_fails"], true);
    let finding = &json["finding"];
    assert_eq!(finding["output"], place.path("page.min.html").to_str().unwrap());
    assert_eq!((finding["bytes_before"].as_u64(), finding["bytes_after"].as_u64()), (Some(112), Some(8)));
    assert_eq!(finding["text"], "<SELECT>");
    assert_eq!(finding["other_failures"], json!([]));
    let passes = finding["passes"].as_array().unwrap();
    let sum = |field: &str| passes.iter().map(|pass| pass[field].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("bytes"), 112 - 8);
    assert_eq!(sum("tests"), json["tests"]["asked"].as_u64().unwrap());
}

#[test]
fn the_candidate_is_given_by_name_by_path_or_as_standard_input() {
    let words: [&[&str]; 3] = [
        &["--", "grep", "-q", "<SELECT.*>", "page.html"],
        &["--", "grep", "-q", "<SELECT.*>", "{}"],
        &["--stdin", "--", "grep", "-q", "<SELECT.*>"],
    ];
    for test in words {
        let place = page();
        let output = place.run(&[&["input", "page.html", "-q"], test].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(place.read("page.min.html"), b"<SELECT>", "{test:?}");
    }
}

#[test]
fn any_test_of_a_run_can_be_looked_at_and_made_again() {
    let place = page();
    place.run(&["input", "page.html", "-q", "-j1", "--run-dir", "run", "--", "./printing.sh"]);
    let history = place.seen(&["show", "run", "--history"]);
    let sizes: Vec<&str> = history.lines().filter(|line| line.contains(" bytes  ")).collect();
    assert!(sizes.len() > 3 && sizes.last().unwrap().contains("8 bytes"), "{history}");
    for line in sizes {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Steps that an earlier test decided have no number.
        let [number, bytes, "bytes", ..] = words.as_slice() else { continue };
        let seen = place.seen(&["show", "run", "--test", number, "--into", number]);
        assert!(
            seen.contains(&format!("test {number}: fail (exit code 1)\nwith {bytes} bytes of 112 bytes")),
            "{seen}"
        );
        assert!(seen.contains(&format!("cd [here]/{number} && [here]/printing.sh")), "{seen}");
        assert_eq!(place.read(&format!("{number}/page.html")).len().to_string(), *bytes);
    }
    assert_snapshot!(
        place.seen(&["show", "run", "--test", "99999"]).replace(|c: char| c.is_ascii_digit(), "#")
    );
}

#[test]
fn a_history_is_only_there_for_what_became_smaller() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-q", "--run-dir", "run", "--", "./test.sh"]);
    assert_snapshot!(place.seen(&["show", "run", "--history"]));
}

#[test]
fn every_form_of_the_report_has_the_text() {
    let place = page();
    place.run(&["input", "page.html", "-q", "-j1", "--run-dir", "run", "--", "./printing.sh"]);
    place.run(&["show", "run", "--html", "report.html"]);
    let html = String::from_utf8(place.read("report.html")).unwrap();
    assert!(html.contains("&lt;SELECT&gt;") && html.contains("<h2>Passes</h2>"), "{html}");
    assert!(html.contains("aria-label=\"the size after each of"), "{html}");
    let markdown = place.seen(&["show", "run", "--markdown"]);
    assert!(markdown.contains("<SELECT>"), "{markdown}");
    let trail = place.seen(&["show", "run", "--trail"]);
    assert!(trail.contains("left, 8 bytes"), "{trail}");
}

#[test]
fn binary_data_is_shown_as_a_hex_dump() {
    let place = Place::empty();
    place.write("core", b"\x00\x01\x02abc\xff\xfeX\x00\x00");
    let json =
        place.json(&["input", "core", "-q", "--json", "--", "sh", "-c", "LC_ALL=C grep -qaP '\\xff' core"]);
    let finding = &json["finding"];
    assert_eq!(place.read("core.min"), b"\xff");
    assert_eq!(finding["dump"], "000000  ff                                               .\n");
}

#[test]
fn several_files_and_folders_become_a_folder() {
    let place = Place::empty();
    place.write("a.txt", b"one\ntwo\n");
    place.write("b.txt", b"three\nfour\n");
    let test = ["--", "sh", "-c", "grep -q two a.txt && grep -q four b.txt"];
    let output = place.run(&[&["input", "a.txt", "b.txt", "-q"], test.as_slice()].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(place.read("a.txt.min/a.txt"), b"two");
    assert_eq!(place.read("a.txt.min/b.txt"), b"four");

    place.write("project/src/main.c", b"int x;\nint y;\n");
    place.write("project/README", b"read me\n");
    place.script("project/run.sh", "#!/bin/sh\n");
    let test = ["--", "sh", "-c", "grep -q y project/src/main.c"];
    let output = place.run(&[&["input", "project", "-q"], test.as_slice()].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(place.read("project.min/src/main.c"), b"y");
    // Files that do not matter are removed, or at least empty.
    assert!(fs::read(place.path("project.min/README")).unwrap_or_default().is_empty());
    assert_eq!(place.read("project/README"), b"read me\n");
}

#[test]
fn a_path_into_the_varied_folder_causes_no_warning() {
    let place = Place::empty();
    place.write("project/main.c", b"int x;\nint y;\n");
    let seen = place.seen(&["input", "project", "-j1", "--", "grep", "-q", "y", "project/main.c"]);
    assert!(!seen.contains("warning"), "{seen}");
}

#[test]
fn passes_can_be_listed_left_out_and_misspelt() {
    let place = page();
    let list = place.seen(&["input", "--list-passes"]);
    assert!(list.contains("\nlines ") && list.ends_with("--- stderr\n--- exit 0\n"), "{list}");
    let json = place.json(&[
        "input",
        "page.html",
        "-q",
        "--json",
        "--skip-pass",
        "nodes",
        "--skip-pass",
        "characters",
        "--",
        "./printing.sh",
    ]);
    let passes: Vec<&str> = json["finding"]["passes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pass| pass["name"].as_str().unwrap())
        .collect();
    assert!(passes.contains(&"lines") && !passes.contains(&"nodes"), "{passes:?}");
    let seen = place.seen(&["input", "page.html", "--skip-pass", "linse", "--", "./printing.sh"]);
    assert!(seen.contains("error: there is no pass `linse`\nhint: did you mean lines?"), "{seen}");
    let seen = place.seen(&["input", "page.html", "--format", "pyton", "--", "./printing.sh"]);
    assert!(seen.contains("error: there is no format `pyton`\nhint: did you mean python?"), "{seen}");
}

#[test]
fn a_dry_run_prints_what_would_be_varied_and_leaves_no_trace() {
    let place = page();
    let seen = place.seen(&["input", "page.html", "--dry-run", "--", "./printing.sh"]);
    assert!(seen.contains("112 bytes would be made smaller:\n  html: 1 file, 112 bytes\n"), "{seen}");
    assert!(seen.contains("\n  lines ") && seen.contains(" 7 lines\n"), "{seen}");
    let seen = place.seen(&["input", "page.html", "--dry-run", "--format", "text", "--", "./printing.sh"]);
    assert!(seen.contains("  text: 1 file, 112 bytes\n"), "{seen}");
    assert!(!place.path("howcome.out").exists() && !place.path("page.min.html").exists());
}

#[test]
fn tests_of_lithium_work_as_they_are() {
    let place = page();
    place.write(
        "interesting.py",
        b"import os\nseen = []\ndef init(args):\n    seen.append(args)\ndef interesting(args, prefix):\n    \
          assert seen == [args] and os.path.isdir(os.path.dirname(prefix))\n    open(prefix + '-out.txt', 'w').close()\n    \
          return '<SELECT' in open(args[-1]).read()\ndef cleanup(args):\n    assert args\n",
    );
    for words in [["interesting.py", "page.html"].as_slice(), &["./interesting.py"]] {
        let output = place.run(&[&["input", "page.html", "-q", "-o", "out.html", "--"], words].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(place.read("out.html"), b"<SELECT");
    }
    place.write("nothing.py", b"def interesting(args, prefix):\n    return False\n");
    let output = place.run(&["input", "page.html", "-q", "-o", "out.html", "--", "nothing.py"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_readable_answer_keeps_its_names() {
    let place = Place::empty();
    place.write("sum.c", b"int number = 1;\nint unused = 2;\nint main(void) { return number; }\n");
    let test =
        ["--", "sh", "-c", "[ \"$(tr -cs a-z '\\n' <sum.c | sort | uniq -c | grep -c '^ *2 [^i]')\" -ge 1 ]"];
    let left = |flags: &[&str]| {
        let json = place.json(&[&["input", "sum.c", "-q", "--json", "-o", "out.c"], flags, &test].concat());
        json["finding"]["text"].as_str().unwrap().to_owned()
    };
    let list = place.seen(&["input", "--list-passes"]);
    let of_names = |line: &&str| line.split_whitespace().nth(1) == Some("names");
    assert!(list.lines().any(|line| of_names(&line)), "{list}");
    assert!(left(&["--readable"]).contains("number"), "{}", left(&["--readable"]));
    assert!(!left(&[]).contains("number"), "{}", left(&[]));
}

#[test]
fn a_candidate_is_rebuilt_only_in_an_empty_folder() {
    let place = page();
    place.run(&["input", "page.html", "-q", "-j1", "--run-dir", "run", "--", "./printing.sh"]);
    place.write("mine/precious", b"mine");
    let seen = place.seen(&["show", "run", "--test", "1", "--into", "mine"]);
    assert!(seen.contains("is not empty\nhint: name a new folder\n--- exit 2"), "{seen}");
    assert_eq!(place.read("mine/precious"), b"mine");
}

#[test]
fn a_readable_result_keeps_names_and_lines() {
    let place = Place::empty();
    place.write(
        "sum.py",
        b"import os\n\ndef total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result\n",
    );
    // Any loop that computes a sum is enough.
    place.script(
        "test.sh",
        "#!/bin/sh\ntr '\\n' ' ' < sum.py | grep -Eq 'for [a-z]+ in [a-z]+: *[a-z]+ [+]= *[a-z]'\n",
    );
    let left = |flags: &[&str]| {
        let words = [&["input", "sum.py", "-q", "-o", "answer"], flags, &["--", "./test.sh"]].concat();
        place.run(&words);
        String::from_utf8(place.read("answer")).unwrap()
    };
    let readable = left(&["--readable"]);
    for kept in ["for value in values:\n", "result += value"] {
        assert!(readable.contains(kept), "{readable}");
    }
    let short = left(&[]);
    assert!(!short.contains("value") && short.len() < readable.len(), "{short}");
}

/// A test that fails in two ways with the same exit code, and prints a line for each.
const TWO_FAILURES: &str = "#!/bin/sh
if grep -q two data.txt; then echo 'WORD the needle is sharp' >&2; exit 3; fi
[ -s data.txt ] || exit 0
echo 'WORD nothing that is known' >&2
exit 3
";

#[test]
fn another_error_message_is_another_failure() {
    let place = Place::empty();
    place.write("data.txt", b"one\nneedle\ntwo\n");
    place.script("test.sh", &TWO_FAILURES.replace("WORD", "error:"));
    place.json(&["input", "data.txt", "-q", "--json", "-o", "answer", "--", "./test.sh"]);
    assert_eq!(place.read("answer"), b"two");
}

#[test]
fn another_last_line_is_another_failure_unless_any_message_counts() {
    let place = Place::empty();
    place.write("data.txt", b"one\nneedle\ntwo\n");
    place.script("test.sh", &TWO_FAILURES.replace("WORD", "note:"));
    let answer = |flags: &[&str]| {
        let words = [&["input", "data.txt", "-q", "-o", "answer"], flags, &["--", "./test.sh"]].concat();
        place.run(&words);
        place.read("answer")
    };
    assert_eq!(answer(&[]), b"two");
    assert_eq!(answer(&["--any-message"]).len(), 1);
}

#[test]
fn the_answer_is_formatted_if_it_still_fails_then() {
    let place = Place::empty();
    place.write("data.txt", b"one two needle three four");
    place.script("layout.sh", "#!/bin/sh\nprintf '<'; cat; printf '>\\n'\n");
    place.script("any.sh", "#!/bin/sh\ngrep -q needle data.txt\n");
    place.script("bare.sh", "#!/bin/sh\ngrep -q needle data.txt && ! grep -q '<' data.txt\n");
    let words = ["input", "data.txt", "-q", "--json", "--formatter", "./layout.sh", "-o", "answer", "--"];
    let json = place.json(&[&words[..], &["./any.sh"]].concat());
    assert_eq!(place.read("answer"), b"<needle>\n");
    assert_eq!((&json["minimal"]["checked"], &json["finding"]["bytes_after"]), (&false.into(), &9.into()));
    place.json(&[&words[..], &["./bare.sh"]].concat());
    assert_eq!(place.read("answer"), b"needle");
    let seen = place.seen(&[
        "input",
        "data.txt",
        "-q",
        "--formatter",
        "no-such-formatter",
        "-o",
        "answer",
        "--",
        "./any.sh",
    ]);
    assert!(seen.contains("`no-such-formatter` could not format the answer"), "{seen}");
    assert_eq!(place.read("answer"), b"needle");
}

#[test]
fn a_test_finds_the_files_of_the_current_folder_and_the_candidate_in_the_place_of_the_input() {
    let place = Place::empty();
    place.write("lib/known.txt", b"good\n");
    place.script("check.sh", "#!/bin/sh\nwhile read word; do grep -qx $word lib/known.txt || { echo \"no $word\" >&2; exit 3; }; done <data/words.txt\n");
    place.write("data/words.txt", b"good\ngood\nevil\ngood\n");
    fs::create_dir(place.path("howcome.out")).unwrap();
    let before = place.everything();
    // The candidate is not named at all, and the script looks for its files where it is started.
    let json = place.json(&[
        "input",
        "data/words.txt",
        "-j2",
        "-o",
        "howcome.out/answer.txt",
        "--json",
        "--",
        "sh",
        "-c",
        "mkdir made && ./check.sh",
    ]);
    assert_eq!(json["ending"], "found");
    assert_eq!(json["test"]["in_copy"], true);
    assert_eq!(place.everything(), before, "the current folder is not changed");
    let answer = place.read("howcome.out/answer.txt");
    assert!(answer.len() < 8, "{answer:?}");
}
