//! `howcome items` with what the user knows of the items: the tables of the 1999 paper as commands.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use insta::assert_snapshot;

/// Table 7: item 7 fails, and each item needs all earlier ones.
const TABLE_7: &str = "#!/bin/sh
n=0
while read item; do
    n=$((n + 1))
    [ $item = $n ] || exit 125
done < \"$HOWCOME_ITEMS\"
[ $n -lt 7 ]
";

/// Tables 5 and 6: item 8 fails; 2, 3 and 7 can only be applied together.
const TABLE_5: &str = "#!/bin/sh
case $(grep -cx '[237]' \"$HOWCOME_ITEMS\") in
1 | 2) exit 125 ;;
esac
! grep -qx 8 \"$HOWCOME_ITEMS\"
";

fn place(test: &str) -> Place {
    let place = Place::empty();
    place.write("list.txt", b"1\n2\n3\n4\n5\n6\n7\n8\n");
    place.script("test.sh", test);
    place
}

/// The questions of the first stage of a run in the papers' notation, without those that were asked before.
fn questions(place: &Place, run: &str) -> Vec<String> {
    let trail = place.seen(&["show", run, "--trail"]);
    let is_new = |words: &Vec<&str>| words.len() > 3 && words[0].parse::<u32>().is_ok();
    let stage = trail.lines().skip(2).take_while(|line| !line.ends_with("confirm"));
    let new = stage.map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(is_new);
    let question = |words: Vec<&str>| match words.contains(&"predicted:") {
        true => format!("{} ({})", words[2], words[1]),
        false => format!("{} {}", words[2], words[1]),
    };
    new.map(question).collect()
}

/// The same from a table of a paper.
fn table(name: &str, is_predicted: impl Fn(&str) -> bool) -> Vec<String> {
    let path = format!("{}/../../papers/zeller-1999/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let is_test = |line: &&str| !line.starts_with(['#', 'r']);
    let question = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let sign = words.pop().unwrap();
        let items: Vec<&str> = words.into_iter().filter(|word| *word != ".").collect();
        let asked = runs(&items);
        match is_predicted(&asked) && !sign.starts_with('(') {
            true => format!("{asked} ({sign})"),
            false => format!("{asked} {sign}"),
        }
    };
    text.lines().filter(is_test).map(question).collect()
}

/// `1 2 3 7` as `1-3,7`.
fn runs(items: &[&str]) -> String {
    let numbers: Vec<u32> = items.iter().map(|item| item.parse().unwrap()).collect();
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[u32]| match run {
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    runs.map(run).collect::<Vec<_>>().join(",")
}

fn counts(json: &serde_json::Value) -> [u64; 3] {
    ["asked", "told", "predicted"].map(|name| json["tests"][name].as_u64().unwrap())
}

#[test]
fn table_7_is_a_command_with_3_tests_and_2_predictions() {
    let place = place(TABLE_7);
    assert_snapshot!(place.seen(&[
        "items",
        "list.txt",
        "--order",
        "-j1",
        "--run-dir",
        "run",
        "--",
        "./test.sh"
    ]));
    assert_eq!(questions(&place, "run"), table("table-7.txt", |_| false));
    let json = place.json(&["show", "run", "--json"]);
    assert_eq!(counts(&json), [5, 3, 2]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["7"]));
    assert_eq!(json["algorithm"], "dd+");
    assert_eq!(json["minimal"]["checked"], true);
    assert_eq!(json["verified"], serde_json::json!({"alone_fails": null, "without_passes": true}));
}

#[test]
fn five_of_the_16_tests_of_tables_5_and_6_are_carried_out_if_the_implications_are_known() {
    let place = place(TABLE_5);
    place.write("needs.txt", b"# each of the three needs the others\n2 3 7: 2 3 7\n");
    let words = ["items", "list.txt", "--algorithm", "dd+", "-j1", "--run-dir"];
    let known = ["known", "--needs", "needs.txt", "--", "./test.sh"];
    assert_snapshot!(place.seen(&[words.as_slice(), &known].concat()));
    let splits = |asked: &str| {
        let asked: howcome_dd::Configuration = asked.parse().unwrap();
        let held = asked.within(&"2-3,7".parse().unwrap()).len();
        held == 1 || held == 2
    };
    assert_eq!(questions(&place, "known"), table("tables-5-and-6.txt", splits));
    let json = place.json(&["show", "known", "--json"]);
    assert_eq!(counts(&json), [16, 5, 11]);
    assert_eq!(json["finding"]["items"], serde_json::json!(["8"]));
    assert_eq!(json["verified"], serde_json::json!({"alone_fails": true, "without_passes": true}));
    // Without them, all 16 are.
    let unknown = ["unknown", "--json", "--", "./test.sh"];
    let json = place.json(&[words.as_slice(), &unknown].concat());
    assert_eq!(questions(&place, "unknown"), table("tables-5-and-6.txt", |_| false));
    assert_eq!(json["finding"]["items"], serde_json::json!(["8"]));
}

#[test]
fn a_group_is_tried_as_a_whole_before_what_is_in_it() {
    let place = place(TABLE_5);
    place.write("together.txt", b"'2' 3 7\n");
    for algorithm in ["dd+", "balanced", "ddmin", "isolate", "dd"] {
        let words = ["items", "list.txt", "--algorithm", algorithm, "--together", "together.txt", "-j1"];
        let run = ["--run-dir", algorithm, "--json", "--", "./test.sh"];
        let json = place.json(&[words.as_slice(), &run].concat());
        assert_eq!(json["finding"]["items"], serde_json::json!(["8"]), "{algorithm}");
        assert_eq!(json["tests"]["unresolved"], 0, "{algorithm}");
        assert_eq!(json["tests"]["predicted"], 0, "{algorithm}");
    }
    let questions = questions(&place, "dd+");
    assert_eq!(questions, ["1-3,7 ✓", "4-6,8 ✗", "4-5 ✓", "6,8 ✗", "6 ✓", "8 ✗"]);
}

#[test]
fn what_the_user_knows_gives_the_same_trail_for_any_number_of_workers_and_after_resume() {
    let place = place(TABLE_5);
    place.write("needs.txt", b"2: 3\n3: 7\n7: 2\n");
    place.write("together.txt", b"4 5\n");
    for algorithm in ["dd+", "balanced", "isolate"] {
        let trail = |jobs: &str, more: &[&str]| {
            let run = format!("{algorithm}-{jobs}{}", more.len());
            let words = ["items", "list.txt", "--algorithm", algorithm, "-j", jobs, "--run-dir", &run];
            let known = ["--needs", "needs.txt", "--together", "together.txt"];
            place.run(&[words.as_slice(), &known, more, &["--", "./test.sh"]].concat());
            if !more.is_empty() {
                place.run(&["resume", &run]);
            }
            questions(&place, &run)
        };
        let one = trail("1", &[]);
        assert!(!one.is_empty());
        assert_eq!(trail("4", &[]), one, "{algorithm}");
        assert_eq!(trail("1", &["--max-tests", "2"]), one, "{algorithm}");
    }
}

#[test]
fn a_need_that_is_wrong_does_not_lead_to_a_wrong_answer() {
    // 8 fails alone; the file says that it needs 1, which is not true.
    let place = place("#!/bin/sh\n! grep -qx 8 \"$HOWCOME_ITEMS\"\n");
    place.write("needs.txt", b"8: 1\n");
    for algorithm in ["balanced", "dd+", "isolate"] {
        let words = ["items", "list.txt", "--algorithm", algorithm, "--needs", "needs.txt", "--json"];
        let json = place.json(&[words.as_slice(), &["--", "./test.sh"]].concat());
        let items: Vec<String> = serde_json::from_value(json["finding"]["items"].clone()).unwrap();
        assert!(items.contains(&"8".to_owned()), "{algorithm}: {json}");
        // Whatever is called minimal was tested.
        assert_eq!(json["minimal"]["checked"], items.len() == 1, "{algorithm}: {json}");
    }
}

#[test]
fn bad_files_are_refused_with_file_and_line() {
    let place = place(TABLE_5);
    let mut seen = String::new();
    for (name, text) in [
        ("unknown.txt", &b"1 2\n3 nine\n"[..]),
        ("quote.txt", b"1 'two\n"),
        ("empty.txt", b"# nothing yet\n"),
        ("binary.txt", b"\xff\xfe\n"),
    ] {
        place.write(name, text);
        seen += &place.seen(&["items", "list.txt", "--together", name, "--", "./test.sh"]);
    }
    for (name, text) in
        [("colon.txt", &b"1: 2\n3 4\n"[..]), ("before.txt", b": 2\n"), ("after.txt", b"\n2:\n")]
    {
        place.write(name, text);
        seen += &place.seen(&["items", "list.txt", "--needs", name, "--", "./test.sh"]);
    }
    seen += &place.seen(&["items", "list.txt", "--needs", "none.txt", "--", "./test.sh"]);
    seen += &place.seen(&["items", "list.txt", "--needs", ".", "--", "./test.sh"]);
    assert_snapshot!(seen);
}
