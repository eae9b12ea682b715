//! Which places of a program `howcome state` says to look at.

#![allow(clippy::unwrap_used)]

mod howcome;
#[path = "states/built.rs"]
mod states;

use howcome::Place;
use serde_json::Value;
use states::{built, json};

/// Adds up the lines of a file, and compares the sum with its first line. A negative number clears the sum.
const SUMS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total, comments;

static void take(const char *line)
{
    if (line[0] == '#') {
        comments++;
        return;
    }
    if (strchr(line, '-'))
        total = 0;
    total += atoi(line);
}

int main(int argc, char *argv[])
{
    char line[80];
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file || !fgets(line, sizeof line, file))
        return 2;
    int expected = atoi(line);
    while (fgets(line, sizeof line, file))
        take(line);
    return total == expected ? 0 : 1;
}
"#;

/// The line of the branch before the defect.
const NEGATIVE: u64 = 13;

/// The program with a failing and a passing input, and with folders of further ones.
fn built_sums() -> Option<Place> {
    let place = built("sums", SUMS, &[])?;
    let inputs = [
        ("bad.txt", "5\n# one\n3\n-2\n4\n"),
        ("good.txt", "9\n3\n2\n4\n"),
        ("good/comment.txt", "7\n# two\n3\n4\n"),
        ("good/one.txt", "8\n8\n"),
        ("bad/last.txt", "1\n3\n-2\n"),
    ];
    for (name, text) in inputs {
        place.write(name, text.as_bytes());
    }
    Some(place)
}

/// The first place to look at: its line, and what speaks for it.
fn best_place(found: &Value) -> (u64, Vec<&str>) {
    let best = &found["finding"]["candidates"][0];
    let why = best["why"].as_array().unwrap().iter().map(|why| why.as_str().unwrap()).collect();
    (best["location"]["line"].as_u64().unwrap(), why)
}

const RUNS_OF_SUMS: [&str; 4] = ["--fail", "./sums bad.txt", "--pass", "./sums good.txt"];

#[test]
fn a_branch_after_which_the_failing_run_passes_is_a_place_to_look_at() {
    let Some(place) = built_sums() else { return };
    let found = json(&place, &RUNS_OF_SUMS);
    // The comment before it is near, and only in the failing run, too. The branch itself is named.
    let (line, why) = best_place(&found);
    assert!(line.abs_diff(NEGATIVE) <= 3, "{line}");
    let switched =
        format!("the failing run passes if it goes on here like the passing run (line {NEGATIVE})");
    assert!(why.contains(&switched.as_str()), "{why:?}");
}

#[test]
fn a_question_that_is_stopped_names_the_places_that_are_known_by_then() {
    let Some(place) = built_sums() else { return };
    for most in ["0", "1"] {
        let output = place.run(&[&["state", "--json", "--max-tests", most], &RUNS_OF_SUMS[..]].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["ending"], "stopped", "{found:#}");
        assert!(!found["finding"]["candidates"].as_array().unwrap().is_empty(), "{found:#}");
        assert!(found["finding"]["divergence"]["line"].is_u64());
    }
}

#[test]
fn lines_that_only_failing_runs_execute_count_for_a_place() {
    let Some(place) = built_sums() else { return };
    let more = ["--more-passing", "good", "./sums good.txt", "--more-failing", "bad/last.txt"];
    let found = json(&place, &[&RUNS_OF_SUMS[..], &more].concat());
    let (line, why) = best_place(&found);
    assert_eq!(line, NEGATIVE + 1);
    assert!(why.contains(&"executed by 2 of 2 failing and 0 of 4 passing runs"), "{why:?}");
}

#[test]
fn a_further_run_that_does_the_opposite_does_not_count() {
    let Some(place) = built_sums() else { return };
    let more = ["--more-passing", "good", "bad/last.txt"];
    let output = place.run(&[&["state", "--json"], &RUNS_OF_SUMS[..], &more].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("last.txt was left out: it should pass, but it fails"), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (_, why) = best_place(&found);
    assert!(why.contains(&"executed by 1 of 1 failing and 0 of 3 passing runs"), "{why:?}");
}

/// Fills a table with a function that is called often, then checks a number. The defect is in line 17.
const PREPARED: &str = r#"#include <stdio.h>
#include <stdlib.h>

static int table[4000];

static int mixed(int value, int by)
{
    int high = value / 16;
    int low = value % 16;
    return low * by + high;
}

static int checked(int number)
{
    int sum = mixed(number, 3);
    if (number > 50)
        sum = sum - table[number];
    return mixed(sum, 5) + 1;
}

int main(int argc, char *argv[])
{
    int number = atoi(argv[argc - 1]);
    for (int i = 0; i < 4000; i++)
        table[i] = mixed(i, 7);
    int result = checked(number);
    printf("%d\n", result);
    return 0;
}
"#;

#[test]
fn a_program_that_prepares_much_is_followed_when_it_comes_to_its_input() {
    let Some(place) = built("prepared", PREPARED, &[]) else { return };
    let found = json(&place, &["--fail", "./prepared 60", "--pass", "./prepared 40"]);
    // That the number is read is not the place to look at.
    let (line, why) = best_place(&found);
    assert!((15..=19).contains(&line), "{line}: {why:?}");
    assert_eq!(found["finding"]["divergence"]["line"], 16);
}

/// Weighs a word. The defect is in line 15: a vowel counts too much.
const CASES: &str = r#"#include <stdio.h>

static int weigh(char letter, int so_far)
{
    int weight = so_far;
    switch (letter) {
    case ' ':
        weight += 0;
        break;
    case '-':
        weight += 1;
        break;
    case 'a':
    case 'e':
        weight += 30;
        break;
    default:
        weight += 3;
    }
    return weight;
}

int main(int argc, char *argv[])
{
    int weight = 0, vowels = 0;
    for (const char *at = argv[argc - 1]; *at; at++) {
        if (*at == 'a' || *at == 'e')
            vowels++;
        weight = weigh(*at, weight);
    }
    printf("%s\n", weight > 20 ? "heavy" : "light");
    return 0;
}
"#;

#[test]
fn of_a_switch_the_case_that_the_failing_run_executes_is_the_place() {
    let Some(place) = built("cases", CASES, &[]) else { return };
    let found = json(&place, &["--fail", "./cases xyza", "--pass", "./cases xyzb"]);
    let candidates = found["finding"]["candidates"].as_array().unwrap();
    let changes = |candidate: &&Value| {
        candidate["why"].as_array().unwrap().contains(&"the cause changes here last".into())
    };
    let last = candidates.iter().find(changes).unwrap_or_else(|| panic!("{candidates:?}"));
    assert_eq!(last["location"]["line"], 15, "{candidates:?}");
}

/// Takes the middle of two numbers. The defect is in line 6: it is not halved.
const MIDDLES: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char *argv[])
{
    int low = atoi(argv[1]), high = atoi(argv[argc - 1]), middle = 0;
    middle = low > 10 ? low + high : (low + high) / 2;
    int rounded = middle - middle % 2;
    return rounded > 20;
}
"#;

#[test]
fn a_value_that_passing_runs_never_have_is_a_place_to_look_at() {
    let Some(place) = built("middles", MIDDLES, &[]) else { return };
    let runs = ["--fail", "./middles 12 14", "--pass", "./middles 9 14"];
    let more = [
        "--more-passing",
        "./middles 2 6",
        "--more-passing",
        "./middles 8 20",
        "--more-passing",
        "./middles 0 5",
    ];
    let more = [&runs[..], &more, &["--more-failing", "./middles 16 19"]].concat();
    let found = json(&place, &more);
    let candidates = found["finding"]["candidates"].as_array().unwrap();
    let why = "middle becomes 26 here; in 4 passing runs it is between 2 and 14 (line 6)";
    let is_unusual = |found: &Value| found["why"].as_array().unwrap().contains(&why.into());
    assert!(candidates.iter().any(is_unusual), "{candidates:?}");
    let found = json(&place, &runs);
    assert!(!found.to_string().contains("becomes"), "without further runs, nothing is known");
}

#[test]
fn a_time_limit_also_ends_the_choice_of_places() {
    let Some(place) = built_sums() else { return };
    let found = json(&place, &[&RUNS_OF_SUMS[..], &["--max-time", "1ms"]].concat());
    assert_eq!((&found["ending"], &found["tests"]["executed"]), (&"stopped".into(), &0.into()));
}

/// The failing run logs a comment, which has nothing to do with the crash.
const LIMITS: &str = r#"#include <stdio.h>
#include <stdlib.h>
static int noise, limit = 10;
static void note(const char *line)
{
    noise++;
    if (line[1] == 'x')
        noise += 2;
    if (noise > 1)
        noise ^= 4;
    noise *= 3;
    noise -= line[0];
}
static int read_limit(const char *line)
{
    int value = atoi(line);
    if (value < 0)
        value = 99;
    return value;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '#')
            note(argv[i]);
        else
            limit = read_limit(argv[i]);
    }
    if (limit > 50)
        abort();
    return 0;
}
"#;

#[test]
fn lines_on_which_the_failure_does_not_depend_are_no_place_to_look_at() {
    let Some(place) = built("limits", LIMITS, &[]) else { return };
    let found = json(&place, &["--fail", "./limits '#x' -1", "--pass", "./limits 2 1"]);
    let candidates = found["finding"]["candidates"].as_array().unwrap();
    let functions: Vec<&str> =
        candidates.iter().map(|found| found["location"]["function"].as_str().unwrap()).collect();
    assert!(!functions.is_empty() && !functions.contains(&"note"), "{functions:?}");
}
