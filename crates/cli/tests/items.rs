//! `howcome items`, as a user would run it.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;

#[test]
fn the_smallest_part_of_a_list_that_still_fails() {
    let place = Place::new();
    assert_snapshot!(place.seen(&["items", "list.txt", "-j1", "--run-dir", "run", "--", "./test.sh"]));
    assert_eq!(place.read("run/best/items.txt"), b"7\n31\n");
    assert_snapshot!(place.seen(&["show", "run", "--trail"]));
}

#[test]
fn the_smallest_difference_that_decides() {
    let place = Place::new();
    assert_snapshot!(place.seen(&[
        "items",
        "list.txt",
        "-j1",
        "--run-dir",
        "run",
        "--isolate",
        "--",
        "./test.sh"
    ]));
}

#[test]
fn the_same_questions_and_the_same_answer_for_any_number_of_workers() {
    for algorithm in ["balanced", "ddmin", "dd", "dd+", "isolate"] {
        let place = Place::new();
        let answer = |jobs: &str| {
            let run = format!("{algorithm}-{jobs}");
            let words = [
                "items",
                "list.txt",
                "-j",
                jobs,
                "--algorithm",
                algorithm,
                "--run-dir",
                &run,
                "--json",
                "-q",
            ];
            let json = place.json(&[words.as_slice(), &["--", "./test.sh"]].concat());
            let trail = place.seen(&["show", &run, "--trail"]);
            let questions: Vec<String> =
                trail.lines().skip(1).map(|line| line.split("left").next().unwrap().to_owned()).collect();
            (
                json["finding"].clone(),
                json["tests"]["asked"].clone(),
                json["tests"]["told"].clone(),
                questions,
            )
        };
        let one = answer("1");
        assert_eq!(answer("2"), one);
        assert_eq!(answer("8"), one);
    }
}

#[test]
fn the_finding_as_json_keeps_the_contract() {
    let place = Place::new();
    let json = place.json(&["items", "list.txt", "-j1", "--json", "-q", "--", "./test.sh"]);
    assert_eq!(json["schema"], 1);
    assert_eq!(json["question"], "items");
    assert_eq!(json["ending"], "found");
    assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
    assert_eq!(json["minimal"], serde_json::json!({"of": "items", "checked": true}));
    assert_eq!(json["verified"], serde_json::json!({"alone_fails": true, "without_passes": true}));
    let tests = |name: &str| json["tests"][name].as_u64().unwrap();
    assert_eq!(tests("asked"), tests("told") + tests("predicted"));
    assert_eq!(tests("told"), tests("pass") + tests("fail") + tests("unresolved"));
    // With one worker nothing is wasted: the baseline, what was told, and the two confirmations.
    assert_eq!(tests("executed"), 2 + tests("told") + 2);
}

#[test]
fn an_answer_of_dd_that_does_not_fail_on_its_own_is_replaced_by_one_that_does() {
    let place = Place::new();
    // dd takes ten items from each half, each time with the whole other half applied. Those twenty pass.
    place.script("thirty.sh", "#!/bin/sh\n[ $(wc -l <\"$HOWCOME_ITEMS\") -ge 30 ] && exit 1\nexit 0\n");
    let words = ["items", "list.txt", "-j2", "--algorithm", "dd", "--json", "-q", "--", "./thirty.sh"];
    let json = place.json(&words);
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("dd") && warnings.contains("balanced"), "{json}");
    assert_eq!(json["finding"]["items"].as_array().unwrap().len(), 30, "{json}");
    assert_eq!(json["minimal"], serde_json::json!({"of": "items", "checked": true}));
    assert_eq!(json["verified"], serde_json::json!({"alone_fails": true, "without_passes": true}));
}

#[test]
fn what_counts_as_the_failure_can_be_said() {
    let place = Place::new();
    place.script(
        "talks.sh",
        "#!/bin/sh\ngrep -qx 12 \"$HOWCOME_ITEMS\" && echo 'cannot open display' >&2\nexit 1\n",
    );
    let words = [
        "items",
        "list.txt",
        "-j2",
        "-q",
        "--json",
        "--fails-when",
        "stderr~cannot open",
        "--",
        "./talks.sh",
    ];
    assert_eq!(place.json(&words)["finding"]["items"], serde_json::json!(["12"]));
}

#[test]
fn many_tests_that_end_in_one_other_code_are_worth_a_hint() {
    let place = Place::new();
    place.script(
        "third.sh",
        "#!/bin/sh\nn=$(wc -l <\"$HOWCOME_ITEMS\")\n[ $n = 0 ] && exit 0\n[ $n = 40 ] && exit 1\nexit 2\n",
    );
    let output = place.run(&["items", "list.txt", "-j1", "--isolate", "--", "./third.sh"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("ended with exit code 2") && stderr.contains("--codes bisect"), "{stderr}");
}

#[test]
fn a_crash_is_a_failure_and_so_is_a_timeout() {
    let place = Place::new();
    place.script("crash.sh", "#!/bin/sh\ngrep -qx 12 \"$HOWCOME_ITEMS\" && kill -SEGV $$\nexit 0\n");
    let json = place.json(&["items", "list.txt", "-q", "--json", "--", "./crash.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["12"]));
    place.script("hang.sh", "#!/bin/sh\ngrep -qx 12 \"$HOWCOME_ITEMS\" && exec sleep 1000\nexit 0\n");
    let json = place.json(&["items", "list.txt", "-q", "--json", "--timeout", "300ms", "--", "./hang.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["12"]));
}

#[test]
fn the_list_may_come_from_standard_input_and_the_answer_go_to_a_file() {
    let place = Place::new();
    let mut command = place.command("/bin/sh".as_ref());
    let line = "printf 'a\\n31\\n\\n7' | \"$0\" items - -o answer.txt -q -- ./test.sh";
    let output = command.args(["-c", line, env!("CARGO_BIN_EXE_howcome")]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(place.read("answer.txt"), b"31\n7\n");
}

#[test]
fn a_dry_run_says_what_would_be_done_and_leaves_no_trace() {
    let place = Place::new();
    let seen = place.seen(&["items", "list.txt", "--dry-run", "--", "./test.sh"]);
    assert!(seen.contains("40 items would be varied, by balanced"), "{seen}");
    assert!(seen.ends_with("--- exit 0\n"), "{seen}");
    assert!(!place.path("howcome.out").exists());
}

#[test]
fn any_test_of_the_trail_can_be_made_again_and_tried_by_hand() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-q", "--run-dir", "run", "--", "./test.sh"]);
    let output = place.run(&["show", "run", "--test", "2", "--into", "again"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let by_hand = text.lines().last().unwrap();
    let status = place.command("/bin/sh".as_ref()).args(["-c", by_hand]).status().unwrap();
    let said_fail = text.starts_with("test 2: fail");
    assert_eq!(status.code(), Some(i32::from(said_fail)), "{text}");
}

#[test]
fn a_run_can_be_shown_as_a_page_and_as_markdown() {
    let place = Place::new();
    place.write("list.txt", b"7\n31\n<script>alert(1)</script>\n");
    place.script("all.sh", "#!/bin/sh\ngrep -q script \"$HOWCOME_ITEMS\" && exit 1\nexit 0\n");
    place.run(&["items", "list.txt", "-q", "--run-dir", "run", "--", "./all.sh"]);
    assert!(place.run(&["show", "run", "--html", "page.html"]).status.success());
    let page = String::from_utf8(place.read("page.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("&lt;script&gt;") && !page.contains("<script>alert"));
    let markdown = String::from_utf8(place.run(&["show", "run", "--markdown"]).stdout).unwrap();
    assert!(markdown.contains("<script>alert(1)</script>") && markdown.contains("```"), "{markdown}");
}

#[test]
fn the_demo_answers_its_questions() {
    let place = Place::new();
    let output = place.run(&["demo"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("discount=loyal\n        rounding=up"), "{text}");
    for line in ["> 17 -    if (n >= 10)\n", "> 17 +    if (n > 10)  # for many\n"] {
        assert!(text.contains(line), "{text}");
    }
    assert!(
        text.contains("WHICH PART OF THE INPUT?") && text.contains("\n        \"count\": 0\n        }\n"),
        "{text}"
    );
    assert!(
        text.contains("the test fails") && text.contains("the test passes") && text.contains("Cleo"),
        "{text}"
    );
}

#[test]
fn the_demo_goes_on_where_there_is_no_git() {
    let place = Place::new();
    let tools = place.path("tools");
    std::fs::create_dir(&tools).unwrap();
    for tool in ["sh", "sed", "tail"] {
        let found = ["/bin", "/usr/bin"].map(|folder| std::path::Path::new(folder).join(tool));
        let found = found.iter().find(|path| path.exists()).unwrap();
        std::os::unix::fs::symlink(found, tools.join(tool)).unwrap();
    }
    let output = place.howcome(&["demo"]).env("PATH", &tools).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("git is not installed."), "{text}");
    assert!(text.contains("discount=loyal\n        rounding=up"), "{text}");
}

#[test]
fn a_manual_page_has_a_date_and_a_version_and_sections_for_exit_codes_and_the_environment() {
    let place = Place::new();
    assert!(place.run(&["man", "--into", "man"]).status.success());
    let page = String::from_utf8(place.read("man/howcome-items.1")).unwrap();
    let sections: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix(".SH "))
        .map(|name| name.trim_matches('"'))
        .collect();
    let expected = "NAME, SYNOPSIS, DESCRIPTION, OPTIONS, THE FAILURE, THE RUN, A CLUSTER, EXIT STATUS, ENVIRONMENT, EXAMPLES, SEE ALSO";
    assert_eq!(sections.join(", "), expected);
    let title = page.lines().find(|line| line.starts_with(".TH")).unwrap();
    assert!(
        title.contains("20") && title.contains(concat!("howcome ", env!("CARGO_PKG_VERSION"))),
        "{title}"
    );
    for part in ["HOWCOME_ITEMS", "fails\\-when", "NO_COLOR", "a bug in howcome"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let same = place.run(&["man", "items"]).stdout;
    assert_eq!(String::from_utf8(same).unwrap(), page);
    let main = String::from_utf8(place.run(&["man"]).stdout).unwrap();
    assert!(main.contains(".TH howcome 1") && main.contains("howcome\\-items(1)"), "{main}");
    assert_eq!(place.run(&["man", "nothing"]).status.code(), Some(2));
}

#[test]
fn the_help_of_items() {
    let place = Place::new();
    let help =
        String::from_utf8(place.howcome(&["items", "--help"]).env("COLUMNS", "100").output().unwrap().stdout);
    assert_snapshot!(help.unwrap());
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    let place = Place::new();
    let line = "{ \"$0\" items list.txt -q -- ./test.sh; echo $? >code; } 2>&1 | true";
    let status = place.command("/bin/sh".as_ref()).args(["-c", line, env!("CARGO_BIN_EXE_howcome")]).status();
    assert!(status.unwrap().success());
    assert_eq!(place.read("code"), b"0\n");
}

#[test]
fn lines_that_differ_in_their_ends_are_different_items() {
    let place = Place::new();
    place.write("ends.txt", b"x\r\nx\ny\n");
    place.script("exact.sh", "#!/bin/sh\ngrep -qx x \"$HOWCOME_ITEMS\" && exit 1\nexit 0\n");
    let json =
        place.json(&["items", "ends.txt", "-j2", "-q", "--json", "--run-dir", "run", "--", "./exact.sh"]);
    assert_eq!(json["finding"]["items"].as_array().unwrap().len(), 1, "{json}");
    assert_eq!(place.read("run/best/items.txt"), b"x\n");
}

#[test]
fn duplicates_and_timeouts_beside_other_tests_do_not_keep_it_busy_for_ever() {
    let place = Place::new();
    place.write("dup.txt", b"a\nb\nc\nd\nb\nh\n");
    place.script(
        "slow.sh",
        "#!/bin/sh\ngrep -qx h \"$HOWCOME_ITEMS\" && exit 1\n[ -s \"$HOWCOME_ITEMS\" ] || exit 0\nexec sleep 1000\n",
    );
    let json =
        place.json(&["items", "dup.txt", "-j2", "-q", "--json", "--timeout", "300ms", "--", "./slow.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["h"]));
}

#[test]
fn the_answer_of_an_isolation_is_what_decides() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-j2", "-q", "--isolate", "-o", "answer.txt", "--", "./test.sh"]);
    assert_eq!(place.read("answer.txt"), b"31\n");
    let words =
        ["items", "list.txt", "-j1", "-q", "--json", "--isolate", "--max-tests", "3", "--", "./test.sh"];
    let json = place.json(&words);
    assert_eq!(
        json["finding"]["items"].as_array().unwrap().len(),
        5,
        "what is narrowed so far is not forgotten: {json}"
    );
}

#[test]
fn an_isolation_that_can_learn_nothing_is_undecided() {
    let place = Place::new();
    place.script(
        "skips.sh",
        "#!/bin/sh\nn=$(wc -l <\"$HOWCOME_ITEMS\")\n[ $n = 0 ] && exit 0\n[ $n = 40 ] && exit 1\nexit 125\n",
    );
    let output = place.run(&["items", "list.txt", "-j2", "-q", "--json", "--isolate", "--", "./skips.sh"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), json["ending"].as_str()), (Some(5), Some("undecided")));
}

#[test]
fn the_answer_is_never_written_over_the_list() {
    let place = Place::new();
    let before = place.read("list.txt");
    let seen = place.seen(&["items", "list.txt", "-o", "./list.txt", "--", "./test.sh"]);
    assert!(seen.contains("over the list") && seen.ends_with("--- exit 2\n"), "{seen}");
    assert_eq!(place.read("list.txt"), before);
}

#[test]
fn what_passes_only_because_it_is_not_the_failure_is_not_claimed_to_pass() {
    let place = Place::new();
    // Nothing at all exits with 0, everything but the finding with 2.
    place.script(
        "other.sh",
        "#!/bin/sh\ngrep -qx 7 \"$HOWCOME_ITEMS\" && exit 1\n[ -s \"$HOWCOME_ITEMS\" ] && exit 2\nexit 0\n",
    );
    let json = place.json(&["items", "list.txt", "-q", "--json", "--", "./other.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["7"]));
    assert_eq!(json["verified"], serde_json::json!({"alone_fails": true, "without_passes": false}));
}

#[test]
fn a_test_that_needs_the_files_of_the_current_folder_gets_a_copy_of_them() {
    let place = Place::empty();
    place.write("Makefile", b"check:\n\t@echo built >>log; grep -qx 'wanted $(FLAGS)' answers.txt\n");
    place.write(
        "answers.txt",
        b"wanted -a -b -c\nwanted -a -c\nwanted -a\nwanted -c\nwanted -b -c\nwanted -a -b\nwanted \n",
    );
    place.write("flags.txt", b"-a\n-b\n-bad\n-c\n");
    let before = place.everything();
    let test = "make -s check FLAGS=\"$(xargs <$HOWCOME_ITEMS)\"";
    let words =
        ["items", "flags.txt", "-j2", "--run-dir", "howcome.out/run", "--json", "--", "sh", "-c", test];
    let json = place.json(&words);
    assert_eq!(json["finding"]["items"], serde_json::json!(["-bad"]));
    assert_eq!(json["test"]["in_copy"], true);
    assert_eq!(place.everything(), before, "the current folder is not changed");
    let shown = place.seen(&["show", "howcome.out/run"]);
    assert!(shown.contains("Folder   each test ran in a copy of the current folder"), "{shown}");
    let rebuilt = place.seen(&["show", "howcome.out/run", "--test", "1", "--into", "again"]);
    assert!(rebuilt.contains("cd "), "{rebuilt}");
    assert_eq!(place.read("again/answers.txt"), place.read("answers.txt"));
}

#[test]
fn a_test_that_does_not_need_the_current_folder_runs_in_an_empty_one() {
    let place = Place::new();
    let json = place.json(&["items", "list.txt", "-j1", "--json", "--", "./test.sh"]);
    assert_eq!(json["test"]["in_copy"], serde_json::Value::Null);
}

#[test]
fn a_test_that_takes_an_empty_list_for_the_whole_list_is_asked_about_parts_only() {
    let place = Place::new();
    let test = "#!/bin/sh\nlist=$HOWCOME_ITEMS; [ -s $list ] || list=$HOWCOME_DIR/list.txt\ngrep -qx 7 $list && grep -qx 31 $list && exit 1\nexit 0\n";
    place.script("test.sh", test);
    let json = place.json(&["items", "list.txt", "-j1", "--json", "--", "./test.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
    assert!(json["warnings"][0].as_str().unwrap().contains("an empty list for the whole list"), "{json}");
}

#[test]
fn a_test_that_reads_the_list_itself_finds_the_chosen_items_in_its_place() {
    let place = Place::new();
    place.script("test.sh", "#!/bin/sh\ngrep -qx 7 list.txt && grep -qx 31 list.txt && exit 1\nexit 0\n");
    let before = place.everything();
    let json = place.json(&["items", "list.txt", "-j2", "--json", "--", "./test.sh"]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
    assert_eq!(place.everything(), before, "the list is not changed");
}

#[test]
fn a_word_of_two_braces_is_the_path_of_the_chosen_items() {
    let place = Place::new();
    let test = [
        "sh",
        "-c",
        "echo '{}' | grep -q '^{}$' || exit 3; ! { grep -qx 7 \"$0\" && grep -qx 31 \"$0\"; }",
        "{}",
    ];
    let json = place.json(&[&["items", "list.txt", "-j1", "--json", "--"], &test[..]].concat());
    assert_eq!(json["finding"]["items"], serde_json::json!(["7", "31"]));
}
