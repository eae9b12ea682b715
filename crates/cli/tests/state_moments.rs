//! Moments of a run that are neither calls nor lines of the user's choice: rounds of a loop, returns, the wrong output, branches; and
//! programs with another C library or allocator.

#![allow(clippy::unwrap_used)]

mod howcome;
#[path = "states/built.rs"]
mod states;

use howcome_testing::need_program;
use serde_json::Value;
use states::{built, json};
use std::path::Path;

/// The variables that decide at a step.
fn variables(step: &Value) -> Vec<&str> {
    step["causes"].as_array().unwrap().iter().map(|cause| cause["variable"].as_str().unwrap()).collect()
}

fn chain(found: &Value) -> &[Value] {
    found["finding"]["chain"].as_array().map_or(&[], Vec::as_slice)
}

const LOOP: &str = r#"#include <stdio.h>
static int rows[4] = { 3, 5, 70, 4 };
static int check(int n)
{
    int large = 0;
    for (int i = 0; i < n; i++) {
        int row = rows[i];
        if (row * 2 > 100)
            large++;
    }
    return large;
}
int main(void)
{
    printf("%d\n", check(4));
    return 0;
}
"#;

#[test]
fn two_rounds_of_a_loop_are_compared_by_the_lines_that_they_execute() {
    let Some(place) = built("rounds", LOOP, &[]) else { return };
    let between = |round: &str| {
        let round = format!("rounds.c:8:{round}");
        json(&place, &["--fail", "./rounds", "--between", "rounds.c:8:1", &round])
    };
    let found = between("3");
    let step = &chain(&found)[0];
    assert_eq!(variables(step), ["row"]);
    assert_eq!((&step["causes"][0]["failing"], &step["causes"][0]["passing"]), (&"70".into(), &"3".into()));
    assert_eq!(found["finding"]["outcome"]["failing"], "it executes line 9");
    let same = between("2");
    let why = same["finding"]["skipped"][0]["why"].as_str().unwrap();
    assert!(why.contains("execute the same lines"), "{why}");
}

#[test]
fn what_a_function_returns_is_a_variable_when_it_returns() {
    let source = r#"#include <stdlib.h>
static int weight(int a, int b)
{
    return a * 3 - b;
}
int main(int argc, char **argv)
{
    int found = weight(atoi(argv[1]), atoi(argv[argc - 1]));
    return found > 50;
}
"#;
    let Some(place) = built("weigh", source, &[]) else { return };
    let runs = ["--fail", "./weigh 30 7", "--pass", "./weigh 3 7"];
    let found = json(&place, &[&runs[..], &["--at", "weigh.c:5"]].concat());
    assert_eq!(variables(&chain(&found)[0]), ["return value"]);
    assert_eq!(chain(&found)[0]["causes"][0]["failing"], "83");
    // The wrong return itself is the last step.
    let found = json(&place, &runs);
    assert_eq!(variables(chain(&found).last().unwrap()), ["return value"]);
}

#[test]
fn what_an_expression_has_computed_so_far_is_a_variable_of_a_call_in_it() {
    let source = r#"#include <stdlib.h>
static int price(int n)
{
    int half = n / 2;
    return half * 2;
}
static void report(int total)
{
    if (total > 20)
        abort();
}
int main(int argc, char **argv)
{
    report(price(atoi(argv[1])) + price(atoi(argv[argc - 1])));
    return 0;
}
"#;
    let Some(place) = built("prices", source, &[]) else { return };
    let runs = ["--fail", "./prices 30 2", "--pass", "./prices 3 2", "--at", "price:2"];
    let found = json(&place, &runs);
    let step = &chain(&found)[0];
    assert_eq!(variables(step), ["intermediate value of main"]);
    let cause = &step["causes"][0];
    assert_eq!((&cause["failing"], &cause["passing"]), (&"30".into(), &"2".into()));
    assert_eq!((&cause["alone_fails"], &cause["without_passes"]), (&true.into(), &true.into()));
}

/// The example of section VI.C of the paper on cause-effect chains.
#[test]
fn a_failure_of_another_invocation_is_not_the_failure() {
    let source = r#"#include <stdbool.h>
#include <stdlib.h>
static void fail(void)
{
    exit(1);
}
int main(int argc, char **argv)
{
    bool x = argv[argc - 1][0] == '1';
    bool y = x;
    if (x != y)
        fail();
    else if (x && y)
        fail();
    return 0;
}
"#;
    let Some(place) = built("both", source, &[]) else { return };
    let output = place.run(&["state", "--fail", "./both 1", "--pass", "./both 0", "--at", "both.c:11"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("x = true") && text.contains("and y = true"), "{text}");
    assert!(text.contains("ended differently: failed differently"), "{text}");
}

#[test]
fn the_wrong_output_is_the_last_step_if_only_the_outputs_differ() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
static int sum(int n)
{
    int all = 0;
    for (int i = 0; i <= n; i++)
        all += i;
    return all;
}
int main(int argc, char **argv)
{
    int all = sum(atoi(argv[argc - 1]));
    int twice = all * 2;
    puts("twice");
    printf("%d\n", twice);
    puts("end");
    return 0;
}
"#;
    let Some(place) = built("twice", source, &[]) else { return };
    let found = json(&place, &["--fail", "./twice 4", "--pass", "./twice 3", "--run-dir", "run"]);
    let last = chain(&found).last().unwrap();
    assert_eq!(variables(last), ["twice"]);
    assert_eq!(last["location"]["line"], 15);
    // From there, too, there is a way back.
    let step = chain(&found).len().to_string();
    let seen = place.seen(&["show", "run", "--before", &step]);
    assert!(seen.contains("How twice became the cause at main (twice.c:15)"), "{seen}");
    assert!(seen.contains("before  all decides, at main (twice.c:13)"), "{seen}");
}

#[test]
fn the_last_return_before_the_failure_is_a_step() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
static int half(int n)
{
    return n / 2;
}
static int level(int n)
{
    int found = half(n) - 3;
    return found * found;
}
int main(int argc, char **argv)
{
    int n = level(atoi(argv[argc - 1]));
    int shown = n + 1;
    printf("%d\n", shown);
    return 0;
}
"#;
    let Some(place) = built("level", source, &[]) else { return };
    let found = json(&place, &["--fail", "./level 12", "--pass", "./level 8"]);
    let [.., returned, printed] = chain(&found) else { panic!("{found:#}") };
    assert_eq!((variables(returned), &returned["location"]["line"]), (vec!["return value"], &11.into()));
    assert_eq!((variables(printed), &printed["location"]["line"]), (vec!["shown"], &16.into()));
    // That value and the variable that gets it are no two causes.
    let transitions = found["finding"]["transitions"].as_array().unwrap();
    assert!(transitions.iter().all(|transition| transition["from"] != "return value"), "{found:#}");
}

#[test]
fn branches_that_are_switched_are_tests_and_the_answer_is_the_same_for_any_number_of_workers() {
    let source = r#"#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int all = 0;
    for (int i = 1; i < argc; i++) {
        if (strchr(argv[i], 'x'))
            all = 100;
        all += 1;
    }
    return all > 50;
}
"#;
    let Some(place) = built("switched", source, &[]) else { return };
    let answers = ["1", "2"].map(|workers| {
        let run = format!("run{workers}");
        let runs = ["--fail", "./switched a x", "--pass", "./switched a b", "-j", workers, "--run-dir", &run];
        let found = json(&place, &runs);
        let journal = std::fs::read_to_string(place.path(&run).join("journal.jsonl")).unwrap();
        let entries: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let is = |entry: &&Value, event: &str| entry["event"] == event;
        let stage = entries.iter().find(|entry| is(entry, "stage") && entry["subject"] == "branches");
        assert!(stage.is_some_and(|stage| stage["deltas"].as_u64() >= Some(1)), "{journal}");
        let told = entries.iter().filter(|entry| is(entry, "told")).count() as u64;
        assert_eq!(found["tests"]["told"].as_u64(), Some(told));
        let why = found["finding"]["candidates"].to_string();
        assert!(why.contains("the failing run passes if it goes on here like the passing run"), "{why}");
        found["finding"].clone()
    });
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_file_that_a_run_has_written_is_there_until_all_tests_of_a_place_are_over() {
    let source = r#"#include <stdio.h>
int main(int argc, char **argv)
{
    char line[80];
    FILE *log = fopen("log.txt", "a");
    fprintf(log, "%s\n", argv[argc - 1]);
    fclose(log);
    log = fopen("log.txt", "r");
    while (fgets(line, sizeof line, log))
        fputs(line, stdout);
    return 0;
}
"#;
    let Some(place) = built("log", source, &[]) else { return };
    place.write("log.txt", b"old\n");
    let found = json(&place, &["--fail", "./log a", "--pass", "./log b"]);
    assert_eq!(found["ending"], "found");
    assert_eq!(std::fs::read_to_string(place.path("log.txt")).unwrap(), "old\n");
}

const BLOCK: &str = r#"#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int price; };
static struct item *add(struct item *list, int price)
{
    struct item *item = malloc(sizeof *item);
    item->next = list;
    item->price = price;
    return item;
}
static int total(struct item *list)
{
    int sum = 0;
    for (; list; list = list->next)
        sum += list->price;
    return sum;
}
int main(int argc, char **argv)
{
    struct item *list = NULL;
    for (int i = 1; i < argc; i++)
        list = add(list, atoi(argv[i]));
    if (total(list) > 50)
        abort();
    return 0;
}
"#;

/// Objects are found, the failure is the same in a copy of the run, and it is reported that the lengths of blocks are not known.
fn reads_blocks(found: &Value, prefix: &str) {
    assert_eq!(variables(&chain(found)[0]), ["list->next->price"], "{prefix}");
    let warnings = found["warnings"].to_string();
    assert!(warnings.contains("malloc of the GNU C library did not allocate"), "{prefix}: {warnings}");
}

#[test]
fn a_program_with_musl_is_read_and_the_report_says_what_is_not_known() {
    if !need_program("musl-gcc") {
        return;
    }
    for flags in [&[][..], &["-static"]] {
        let Some(place) = built("block", BLOCK, &[]) else { return };
        let source = place.path("block.c");
        let mut command = std::process::Command::new("musl-gcc");
        command.args(["-g", "-O0"]).args(flags).arg("-o").arg(place.path("musl")).arg(source);
        assert!(command.status().unwrap().success());
        let found = json(&place, &["--fail", "./musl 3 70 5", "--pass", "./musl 3 7 5", "--at", "total"]);
        reads_blocks(&found, "musl");
    }
}

#[test]
fn a_program_with_jemalloc_is_read_and_the_report_says_what_is_not_known() {
    let library = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2";
    if !Path::new(library).exists() {
        howcome_testing::skip("libjemalloc2 is not installed");
        return;
    }
    let Some(place) = built("block", BLOCK, &[]) else { return };
    let run = |prices: &str| format!("LD_PRELOAD={library} ./block {prices}");
    let (fail, pass) = (run("3 70 5"), run("3 7 5"));
    let found = json(&place, &["--fail", &fail, "--pass", &pass, "--at", "total"]);
    reads_blocks(&found, "jemalloc");
}
