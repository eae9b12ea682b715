//! Bad input gets a clear error, the documented exit code, and nothing is lost.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;
use std::fs;

#[test]
fn a_test_that_is_not_there() {
    let place = Place::new();
    assert_snapshot!(place.seen(&["items", "list.txt", "--", "./nosuch.sh"]));
    assert_snapshot!(place.seen(&["items", "list.txt", "--", "no-such-program"]));
    assert_snapshot!(place.seen(&["items", "list.txt", "--", "test.sh"]));
}

#[test]
fn a_test_that_is_not_executable() {
    let place = Place::new();
    place.write("plain.sh", b"#!/bin/sh\n");
    assert_snapshot!(place.seen(&["items", "list.txt", "--", "./plain.sh"]));
}

#[test]
fn a_test_that_is_no_program() {
    let place = Place::new();
    place.script("noise", "\x01\x02\x03");
    assert_snapshot!(place.seen(&["items", "list.txt", "--run-dir", "run", "--", "./noise"]));
    place.script("lost.sh", "#!/no/such/interpreter\n");
    assert_snapshot!(place.seen(&["items", "list.txt", "--run-dir", "run2", "--", "./lost.sh"]));
}

#[test]
fn a_test_that_hangs() {
    let place = Place::new();
    place.script("hang.sh", "#!/bin/sh\nexec sleep 1000\n");
    let words =
        ["items", "list.txt", "--run-dir", "run", "--isolate", "--timeout", "200ms", "--", "./hang.sh"];
    assert_snapshot!(place.seen(&words));
}

#[test]
fn a_test_that_prints_gigabytes() {
    let place = Place::new();
    place.script(
        "loud.sh",
        "#!/bin/sh\nhead -c 1000000000 /dev/zero\ngrep -qx 7 \"$HOWCOME_ITEMS\" && exit 1\nexit 0\n",
    );
    let json = place.json(&[
        "items",
        "list.txt",
        "-q",
        "--json",
        "--max-tests",
        "1",
        "--run-dir",
        "run",
        "--",
        "./loud.sh",
    ]);
    assert_eq!(json["ending"], "stopped");
    let logs: u64 =
        fs::read_dir(place.path("run/log")).unwrap().map(|log| log.unwrap().metadata().unwrap().len()).sum();
    assert!(logs < 1_000_000, "{logs} bytes of logs were kept");
}

#[test]
fn a_test_that_kills_its_parent() {
    let place = Place::new();
    place.script("killer.sh", "#!/bin/sh\nkill -9 $PPID\ngrep -qx 7 \"$HOWCOME_ITEMS\" && exit 1\nexit 0\n");
    let output = place.run(&["items", "list.txt", "-q", "--", "./killer.sh"]);
    // Where there are no namespaces the test is judged by its death; either way howcome lives and says something.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
}

#[test]
fn a_test_that_changes_the_list() {
    let place = Place::new();
    place.script(
        "changes.sh",
        "#!/bin/sh\nr=0; grep -qx 7 \"$HOWCOME_ITEMS\" && r=1\necho 99 >>\"$HOWCOME_DIR/list.txt\"; rm \"$HOWCOME_ITEMS\"; exit $r\n",
    );
    assert_snapshot!(place.seen(&[
        "items",
        "list.txt",
        "-j1",
        "-q",
        "--run-dir",
        "run",
        "--",
        "./changes.sh"
    ]));
}

#[test]
fn a_test_that_ends_alike_on_both_sides() {
    let place = Place::new();
    place.script("alike.sh", "#!/bin/sh\necho 'cannot find the moon' >&2\nexit 3\n");
    assert_snapshot!(place.seen(&["items", "list.txt", "--isolate", "--run-dir", "run", "--", "./alike.sh"]));
    assert!(place.path("run/.baseline/everything/items.txt").exists(), "the workspace is kept for a look");
    assert_snapshot!(place.seen(&["items", "list.txt", "-j1", "--run-dir", "run2", "--", "./alike.sh"]));
}

#[test]
fn a_placeholder_inside_a_word_is_not_replaced() {
    let place = Place::new();
    let seen = place.seen(&["items", "list.txt", "--", "sh", "-c", "test -s {}"]);
    assert!(seen.contains("inside a word, write $HOWCOME_ITEMS"), "{seen}");
}

#[test]
fn a_failure_that_is_exit_code_0_is_named_in_the_answer() {
    let place = Place::new();
    let seen = place.seen(&["items", "list.txt", "--", "sh", "-c", "test -s $HOWCOME_ITEMS"]);
    assert!(seen.contains("is enough to make the test fail (that is, exit with code 0).\n"), "{seen}");
}

#[test]
fn an_empty_list_and_no_list() {
    let place = Place::new();
    place.write("empty.txt", b"\n\n");
    assert_snapshot!(place.seen(&["items", "empty.txt", "--", "./test.sh"]));
    assert_snapshot!(place.seen(&["items", "nosuch.txt", "--", "./test.sh"]));
    assert_snapshot!(place.seen(&["items", ".", "--", "./test.sh"]));
}

#[test]
fn a_list_with_duplicates_and_with_lines_that_are_no_text() {
    let place = Place::new();
    place.write("odd.txt", b"a\na\n\xff\xfe\n7\n31\n7\n");
    assert_snapshot!(place.seen(&[
        "items",
        "odd.txt",
        "-j1",
        "--run-dir",
        "run",
        "-o",
        "out.txt",
        "--",
        "./test.sh"
    ]));
    place.script(
        "bytes.sh",
        "#!/bin/sh\nLC_ALL=C grep -q \"$(printf '\\377')\" \"$HOWCOME_ITEMS\" && exit 1\nexit 0\n",
    );
    place.run(&["items", "odd.txt", "-q", "-o", "out.txt", "--", "./bytes.sh"]);
    assert_eq!(place.read("out.txt"), b"\xff\xfe\n");
}

#[test]
fn a_condition_that_is_none_and_one_that_does_not_hold() {
    let place = Place::new();
    assert_snapshot!(place.seen(&["items", "list.txt", "--fails-when", "exti=3", "--", "./test.sh"]));
    assert_snapshot!(place.seen(&["items", "list.txt", "--fails-when", "stderr~(", "--", "./test.sh"]));
    assert_snapshot!(place.seen(&[
        "items",
        "list.txt",
        "--run-dir",
        "run",
        "--fails-when",
        "exit=3",
        "--",
        "./test.sh"
    ]));
}

#[test]
fn flags_that_exclude_each_other() {
    let place = Place::new();
    assert_snapshot!(place.seen(&[
        "items",
        "list.txt",
        "--isolate",
        "--algorithm",
        "ddmin",
        "--",
        "./test.sh"
    ]));
    assert_snapshot!(place.seen(&["items", "list.txt", "--timeout", "soon", "--", "./test.sh"]));
    assert_snapshot!(place.seen(&["items", "list.txt"]));
}

#[test]
fn a_run_folder_that_exists_is_in_use_or_of_a_newer_version() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-q", "--run-dir", "run", "--", "./test.sh"]);
    assert_snapshot!(place.seen(&["items", "list.txt", "--run-dir", "run", "--", "./test.sh"]));
    let lock = fs::File::create(place.path("run/lock")).unwrap();
    lock.lock().unwrap();
    assert_snapshot!(place.seen(&["resume", "run"]));
    drop(lock);
    let newer =
        fs::read_to_string(place.path("run/run.json")).unwrap().replace("\"version\": 1", "\"version\": 7");
    place.write("run/run.json", newer.replace("0.1.0", "7.0.0").as_bytes());
    assert_snapshot!(place.seen(&["resume", "run"]));
    assert_snapshot!(place.seen(&["show", "run"]));
    assert_snapshot!(place.seen(&["show", "nosuch"]));
}

#[test]
fn a_journal_that_is_damaged() {
    let place = Place::new();
    place.run(&["items", "list.txt", "-q", "-j1", "--max-tests", "5", "--run-dir", "run", "--", "./test.sh"]);
    let journal = place.read("run/journal.jsonl");
    place.write("run/journal.jsonl", &[&journal, b"{\"event\":\"to".as_slice()].concat());
    assert_snapshot!(place.seen(&["resume", "run", "-j1", "-q"]));
    let text = String::from_utf8(journal).unwrap().replacen("\"told\"", "\"tolled\"", 1);
    place.write("run/journal.jsonl", text.as_bytes());
    let seen = place.seen(&["resume", "run", "-j1", "-q"]);
    assert!(seen.contains("journal.jsonl, line ") && seen.ends_with("--- exit 2\n"), "{seen}");
}

#[test]
fn a_journal_that_cannot_be_written_does_not_end_the_run() {
    let place = Place::new();
    // No file may grow beyond 1 kB, and whoever tries is told so instead of being killed.
    let line = "trap '' XFSZ; ulimit -f 2; exec \"$0\" items list.txt -j1 -q --run-dir run -- ./test.sh";
    let output =
        place.command("/bin/sh".as_ref()).args(["-c", line, env!("CARGO_BIN_EXE_howcome")]).output().unwrap();
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        stderr.contains("the journal cannot be written") && stderr.contains("it cannot be resumed"),
        "{stderr}"
    );
    assert!(stdout.contains("2 of 40 items are enough"), "{stdout}");
    assert!(stdout.contains("13 tests"), "the record in memory is whole: {stdout}");
}

/// A command in a mount namespace of its own, where the system allows that.
fn with_mounts(place: &Place, line: &str) -> Option<std::process::Output> {
    let mut command = place.command("unshare".as_ref());
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", line, env!("CARGO_BIN_EXE_howcome")]);
    let output = command.output().ok()?;
    let refused = String::from_utf8_lossy(&output.stderr).contains("unshare");
    if refused {
        eprintln!("skipped: no mounts can be made here ({})", String::from_utf8_lossy(&output.stderr).trim());
    }
    (!refused).then_some(output)
}

#[test]
fn a_test_that_fills_the_disk() {
    let place = Place::new();
    fs::create_dir(place.path("small")).unwrap();
    place.script("fills.sh", "#!/bin/sh\n[ \"$(wc -l <\"$HOWCOME_ITEMS\")\" -eq 40 ] && exit 1\n[ -s \"$HOWCOME_ITEMS\" ] || exit 0\nhead -c 100000000 /dev/zero >big\nexit 0\n");
    let line = "mount -t tmpfs -o size=4m none small && TMPDIR=$PWD/small exec \"$0\" items list.txt -j1 --run-dir run -- ./fills.sh";
    let Some(output) = with_mounts(&place, line) else { return };
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(
        stderr.contains("error: the disk is full") && stderr.contains("hint: free some space"),
        "{stderr}"
    );
    assert!(place.path("run/best/items.txt").exists(), "the best so far is kept");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let place = Place::new();
    let line = "mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\" && exec \"$0\" items list.txt -j1 -q -- ./test.sh";
    let Some(output) = with_mounts(&place, line) else { return };
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("cannot be written") && stderr.contains("it cannot be resumed"), "{stderr}");
    assert!(stdout.contains("2 of 40 items are enough"), "{stdout}");
}

#[test]
fn a_folder_for_temporary_files_that_is_no_full_path() {
    let place = Place::new();
    fs::create_dir(place.path("temp")).unwrap();
    for temp in ["", "temp"] {
        let output = place
            .howcome(&["items", "list.txt", "-q", "--", "./test.sh"])
            .env("TMPDIR", temp)
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(stdout.starts_with("2 of 40 items are enough"), "TMPDIR={temp}: {stdout}");
    }
    assert_eq!(fs::read_dir(place.path("temp")).unwrap().count(), 0);
}

#[test]
fn an_answer_that_cannot_be_written() {
    let place = Place::new();
    assert_snapshot!(place.seen(&["items", "list.txt", "-o", "no/such/folder/x", "--", "./test.sh"]));
    assert_snapshot!(place.seen(&["items", "list.txt", "-o", ".", "--", "./test.sh"]));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        place.howcome(&["items", "list.txt", "-q", "--", "./test.sh"]).stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("could not be written to standard output"), "{stderr}");
}

#[test]
fn an_answer_for_what_is_no_file_is_written_to_it() {
    let place = Place::new();
    std::os::unix::fs::symlink("/proc/self/fd/1", place.path("out")).unwrap();
    let output = place.run(&["items", "list.txt", "-q", "-o", "out", "--", "./test.sh"]);
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("7\n31\n2 of 40 items"));
    assert!(fs::symlink_metadata(place.path("out")).unwrap().is_symlink());
}

#[test]
fn many_tests_with_another_message_are_worth_a_hint() {
    let place = Place::new();
    place.script(
        "says.sh",
        "#!/bin/sh\n[ -s \"$HOWCOME_ITEMS\" ] || exit 0\necho \"panic: lost $(tail -n 1 \"$HOWCOME_ITEMS\" | tr 0-9 a-j)\" >&2\nexit 1\n",
    );
    let output = place.run(&["items", "list.txt", "-j1", "--", "./says.sh"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("--any-message"), "{stderr}");
}

#[test]
fn both_streams_of_a_refused_test_are_shown() {
    let place = Place::new();
    place
        .script("test.sh", "#!/bin/sh\necho '3 tests failed'\necho 'a warning of no interest' >&2\nexit 1\n");
    let seen =
        place.seen(&["items", "list.txt", "--isolate", "-j1", "-q", "--run-dir", "run", "--", "./test.sh"]);
    assert!(seen.contains("it printed:\n    3 tests failed\n    a warning of no interest\n"), "{seen}");
}

#[test]
fn with_conditions_a_hint_about_unresolved_tests_claims_nothing_about_the_sides() {
    let place = Place::new();
    // The whole list ends with 1, too, but says why.
    place.script(
        "test.sh",
        "#!/bin/sh\nset -- $(wc -l \"$HOWCOME_ITEMS\")\n[ \"$1\" = 0 ] && exit 0\n[ \"$1\" = 40 ] && echo bad\nexit 1\n",
    );
    let words = [
        "items",
        "list.txt",
        "-j1",
        "--fails-when",
        "stdout~bad",
        "--passes-when",
        "exit=0",
        "--run-dir",
        "run",
        "--",
        "./test.sh",
    ];
    let seen = place.seen(&words);
    assert!(!seen.contains("as neither side"), "{seen}");
    assert!(seen.contains("ended with exit code 1, for which no condition decides"), "{seen}");
    assert!(!seen.contains("--codes bisect"), "{seen}");
}

#[test]
fn windows_line_endings_of_a_script_are_named() {
    let place = Place::new();
    place.script("crlf.sh", "#!/bin/sh\r\nexit 1\r\n");
    place.write("in.txt", b"x\n");
    let questions: [&[&str]; 3] = [
        &["items", "list.txt", "-q", "--", "./crlf.sh"],
        &["input", "in.txt", "-q", "--", "./crlf.sh"],
        // A shell says only that it does not find the script.
        &["items", "list.txt", "-q", "--", "sh", "-c", "\"$HOWCOME_DIR\"/crlf.sh"],
    ];
    for words in questions {
        let seen = place.seen(words);
        assert!(
            seen.contains("Windows line endings (CRLF)") && seen.contains("sed -i 's/\\r$//' FILE"),
            "{seen}"
        );
    }
}

#[test]
fn a_test_in_one_word_is_run_by_a_shell_in_every_question() {
    let place = Place::new();
    place.write("in.txt", b"a\nbad\nb\n");
    let items =
        place.json(&["items", "list.txt", "-q", "--json", "--", "! grep -qx 7 $HOWCOME_ITEMS && true"]);
    assert_eq!(items["finding"]["items"], serde_json::json!(["7"]));
    let input = place.json(&["input", "in.txt", "-q", "--json", "--", "grep -q bad {} && exit 1 || exit 0"]);
    assert_eq!(input["finding"]["bytes_after"], 3);
    // The command in a hint can be copied.
    let seen = place.seen(&["input", "in.txt", "-q", "-o", "x", "--", "test -d / && exit 1"]);
    assert!(seen.contains("as in `-- sh -c 'test -d / && exit 1 {}'`"), "{seen}");
    // Two words are not a program, and `state` runs no shell.
    let seen = place.seen(&["items", "list.txt", "-q", "--", "grep 7"]);
    assert!(seen.contains("hint: write the test without quotes around all of it: -- grep 7"), "{seen}");
    let seen = place.seen(&["state", "--fail", "./a && ./b", "--pass", "./a && ./b"]);
    assert!(seen.contains("`./a && ./b` needs a shell"), "{seen}");
}

#[test]
fn numbers_addresses_and_folders_that_are_none() {
    let place = Place::new();
    let said = |words: &[&str]| {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let test = ["items", "list.txt", "--", "./test.sh"];
    let with = |flags: &[&'static str]| said(&[&["items"], flags, &test[1..]].concat());
    assert!(with(&["--jobs", "x"]).contains("write a whole number from 1 to 1024"));
    assert!(with(&["--jobs", "-1"]).contains("write a whole number from 1 to 1024"));
    assert!(with(&["--max-tests", "-1"]).contains("write a whole number"));
    assert!(with(&["--repeat", "0"]).contains("write a whole number from 1 to 1000"));
    assert!(said(&["runs", "nosuch"]).contains("nosuch: no such folder"));
    let hint = "hint: write -- before the test";
    assert!(said(&["items", "list.txt", "./test.sh"]).contains(hint));
    assert!(!said(&["demo", "extra"]).contains(hint));
}

#[test]
#[cfg(feature = "serve")]
fn a_service_that_is_not_there() {
    let place = Place::new();
    let said = |server: &str| {
        let output = place.run(&["--server", server, "items", "list.txt", "--", "./test.sh"]);
        assert_eq!(output.status.code(), Some(2), "{server}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said("farm").contains("--server: `farm` is not an address"));
    let refused = said("http://127.0.0.1:1");
    assert!(
        refused.contains("the service at http://127.0.0.1:1 does not answer: connection refused\nhint:"),
        "{refused}"
    );
    let output = place.run(&["serve", "--listen", "farm"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("write an IP address and a port, as in 127.0.0.1:8410"), "{said}");
}
