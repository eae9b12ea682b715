//! `howcome state` from the outside, on real programs.

#![allow(clippy::unwrap_used)]

mod howcome;
#[path = "states/built.rs"]
mod states;

use howcome::Place;
use howcome_testing::need_program;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use states::{built, json};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Sorts its arguments; the size that it passes is too large by one.
const SAMPLE: &str = r#"#include <stdio.h>
#include <stdlib.h>

static void shell_sort(int v[], int size)
{
    int gap = 1;
    while (gap < size)
        gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < size; i++) {
            int value = v[i], j = i;
            for (; j >= gap && v[j - gap] > value; j -= gap)
                v[j] = v[j - gap];
            v[j] = value;
        }
}

int main(int argc, char *argv[])
{
    int *v = malloc((argc - 1) * sizeof *v);
    for (int i = 0; i < argc - 1; i++)
        v[i] = atoi(argv[i + 1]);
    shell_sort(v, argc);
    for (int i = 0; i < argc - 1; i++)
        printf("%d ", v[i]);
    printf("\n");
    free(v);
    return 0;
}
"#;

const FAIL: &str = "./sample 9 8 7 6 5";
const PASS: &str = "./sample 9 8 7 6 5 4";

fn variables(step: &Value) -> Vec<&str> {
    step["causes"].as_array().unwrap().iter().map(|cause| cause["variable"].as_str().unwrap()).collect()
}

#[test]
fn the_chain_of_the_sample_leads_from_argc_to_the_element_behind_the_array() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    let found = json(&place, &["--fail", FAIL, "--pass", PASS]);
    assert_eq!(found["ending"], "found");
    let chain = found["finding"]["chain"].as_array().unwrap();
    let places: Vec<&str> = chain.iter().map(|step| step["location"]["function"].as_str().unwrap()).collect();
    assert_eq!(places, ["main", "shell_sort"]);
    assert_eq!(variables(&chain[0]), ["argc"]);
    assert_eq!(variables(&chain[1]), ["v[5]"]);
    let cause = &chain[1]["causes"][0];
    assert_eq!((&cause["failing"], &cause["passing"]), (&Value::from("0"), &Value::from("4")));
    assert_eq!((&cause["alone_fails"], &cause["without_passes"]), (&Value::from(true), &Value::from(true)));
    let transition = &found["finding"]["transitions"][0];
    assert_eq!(transition["likely"], true);
    assert_eq!(transition["between"][0]["function"], "main");
}

#[test]
fn the_chain_ends_at_the_crash() {
    let source = r#"#include <stdlib.h>
struct shop { int *prices; int count; };
static void fill(struct shop *shop, int count)
{
    shop->count = count;
    shop->prices = count > 3 ? NULL : calloc(count, sizeof(int));
}
static int total(struct shop *shop)
{
    int sum = shop->count;
    int *price = shop->prices;
    sum -= *price;
    return sum - shop->count;
}
int main(int argc, char **argv)
{
    struct shop shop;
    fill(&shop, atoi(argv[1]));
    return total(&shop);
}
"#;
    let Some(place) = built("shop", source, &[]) else { return };
    let found = json(&place, &["--fail", "./shop 4", "--pass", "./shop 2", "--run-dir", "run"]);
    let chain = found["finding"]["chain"].as_array().unwrap();
    let last = chain.last().unwrap();
    assert_eq!((variables(last), &last["location"]["line"]), (vec!["price"], &Value::from(12)));
    // The command that is offered starts at the crash itself.
    assert_eq!(last["counted_from"]["function"], "total", "{last}");
    let offered = format!("--before {}", chain.len());
    assert!(place.seen(&["show", "run"]).contains(&offered));
    let seen = place.seen(&["show", "run", &offered[..8], &offered[9..]]);
    assert!(seen.contains("How price became the cause at total (shop.c:12)"), "{seen}");
    // Places of the user's choice are the places of the chain.
    let chosen = json(&place, &["--fail", "./shop 4", "--pass", "./shop 2", "--at", "total"]);
    assert_eq!(chosen["finding"]["chain"].as_array().unwrap().len(), 1);
}

#[test]
fn the_answer_is_the_same_for_any_number_of_workers() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    let of = |jobs: &str| {
        let mut found = json(&place, &["--fail", FAIL, "--pass", PASS, "--transitions", "--jobs", jobs]);
        ["asked", "told", "pass", "fail", "unresolved"]
            .map(|count| found["tests"][count].take())
            .to_vec()
            .into_iter()
            .chain([found["finding"].take()])
            .collect::<Vec<Value>>()
    };
    assert_eq!(of("1"), of("5"));
}

#[test]
fn the_report_reads_as_a_chain() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    let output = place.run(&["state", "-q", "--fail", FAIL, "--pass", PASS]);
    let text = String::from_utf8(output.stdout).unwrap();
    let chain: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(chain.join("\n"));
}

#[test]
fn places_may_be_lines_and_hits() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    let found =
        json(&place, &["--fail", FAIL, "--pass", PASS, "--at", "sample.c:22:3", "--at", "shell_sort:1"]);
    let chain = found["finding"]["chain"].as_array().unwrap();
    assert_eq!(chain[0]["location"]["line"], 22);
    assert_eq!(chain[0]["location"]["hit"], 3);
    assert_eq!(variables(&chain[1]), ["v[5]"]);
}

#[test]
fn the_user_says_what_the_failure_is_by_a_condition_or_a_test() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    let at = ["--fail", FAIL, "--pass", PASS, "--at", "shell_sort"];
    let found = json(&place, &[&at[..], &["--fails-when", "stdout~^0"]].concat());
    assert_eq!(variables(&found["finding"]["chain"][0]), ["v[5]"]);
    place.script(
        "judge",
        "#!/bin/sh\nread first rest\n[ \"$HOWCOME_STATUS\" = 0 ] || exit 125\n[ \"$first\" != 0 ]\n",
    );
    let found = json(&place, &[&at[..], &["--", "./judge"]].concat());
    assert_eq!(variables(&found["finding"]["chain"][0]), ["v[5]"]);
    let seen = place.seen(&[&["state"], &at[..], &["--fails-when", "stdout~never"]].concat());
    insta::assert_snapshot!(seen);
}

#[test]
fn what_the_users_test_leaves_running_ends_with_it() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    if !howcome_testing::need_program("flock") {
        return;
    }
    // In a session of its own, with a lock that is free as soon as the process has ended.
    place.script(
        "judge",
        "#!/bin/sh\nsetsid sh -c 'flock 9; echo ready >ready; exec sleep 1000' 9>>lock &\n\
         while [ ! -e ready ]; do :; done\nrm ready\nread first rest\n[ \"$first\" != 0 ]\n",
    );
    let found = json(&place, &["-j1", "--fail", FAIL, "--pass", PASS, "--at", "shell_sort", "--", "./judge"]);
    assert_eq!(variables(&found["finding"]["chain"][0]), ["v[5]"]);
    assert!(std::fs::File::open(place.path("lock")).unwrap().try_lock().is_ok(), "a process is left");
}

#[test]
fn two_calls_of_one_run_are_compared_with_each_other() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
struct order { int pieces; int price; };
static int discount = 1;
static void bill(struct order *order)
{
    if (order->pieces > 10)
        abort();
    printf("%d\n", order->pieces * order->price * discount);
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct order order = { atoi(argv[i]), 3 };
        bill(&order);
    }
    return 0;
}
"#;
    let Some(place) = built("bills", source, &[]) else { return };
    let found = json(&place, &["--fail", "./bills 2 5 11", "--between", "bill:2", "bill:3"]);
    let chain = found["finding"]["chain"].as_array().unwrap();
    assert_eq!(variables(&chain[0]), ["main::order.pieces"]);
    assert_eq!(chain[0]["causes"][0]["failing"], "11");
    // Nothing is offered that would be refused.
    assert_eq!(chain[0]["no_way_back"], true);
    place.run(&["state", "--fail", "./bills 2 5 11", "--between", "bill:2", "bill:3", "--run-dir", "run"]);
    assert!(!place.seen(&["show", "run"]).contains("--before"));
    assert!(place.seen(&["show", "run", "--before", "1"]).contains("there is no way back between them"));
}

#[test]
fn standard_input_and_the_environment_are_part_of_a_run() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int limit;
static int sum(void) { int all = 0, n; while (scanf("%d", &n) == 1) all += n; return all; }
static void report(int all) { if (all > limit) abort(); printf("%d\n", all); }
int main(void) { limit = atoi(getenv("LIMIT")); report(sum()); return 0; }
"#;
    let Some(place) = built("sums", source, &[]) else { return };
    place.write("few.txt", b"1 2 3\n");
    place.write("many.txt", b"1 2 30\n");
    place.write(
        "fail.json",
        br#"{"command": ["./sums"], "environment": {"LIMIT": "20"}, "stdin": "many.txt"}"#,
    );
    let found = json(
        &place,
        &["--fail", "@fail.json", "--pass", "LIMIT=20 ./sums < few.txt", "--at", "main", "--at", "report"],
    );
    let chain = found["finding"]["chain"].as_array().unwrap();
    assert!(variables(&chain[0])[0].contains("standard input") || variables(&chain[0])[0].contains("stdin"));
    assert_eq!(variables(&chain[1]), ["all"]);
}

#[test]
fn nothing_of_the_user_is_written_and_nothing_is_left_behind() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void save(int n) { FILE *f = fopen("precious.txt", "w"); fprintf(f, "%d\n", n); fclose(f); unlink("other.txt"); }
static void tell(int n) { printf("%s\n", n > 3 ? "many" : "few"); }
int main(int argc, char **argv) { int n = atoi(argv[1]); save(n); tell(n); return 0; }
"#;
    let Some(place) = built("writes", source, &[]) else { return };
    place.write("precious.txt", b"precious");
    place.write("other.txt", b"other");
    let found = json(&place, &["--fail", "./writes 4", "--pass", "./writes 3", "--at", "tell"]);
    assert_eq!(variables(&found["finding"]["chain"][0]), ["n"]);
    assert_eq!(
        (place.read("precious.txt"), place.read("other.txt")),
        (b"precious".to_vec(), b"other".to_vec())
    );
}

/// Writes a file again and again, so copies of it exist at any moment of a test.
const SAVES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static void save(int n) { FILE *f = fopen("kept.txt", "w"); fprintf(f, "%d\n", n); fclose(f); }
static int twice(int n) { return n * 2; }
static int most(int n) { int all = 0; for (int i = 0; i < 8; i++) { save(i); all = twice(n); } return all; }
int main(int argc, char **argv) { save(0); return most(atoi(argv[argc - 1])) > 6; }
"#;

#[test]
fn no_copy_of_a_file_stays_after_a_kill_or_two_interrupts() {
    let Some(place) = built("saves", SAVES, &[]) else { return };
    place.write("kept.txt", b"kept");
    for signals in [&[Signal::SIGKILL][..], &[Signal::SIGINT, Signal::SIGINT]] {
        let words = ["state", "--fail", "./saves 4", "--pass", "./saves 3", "--transitions"];
        let mut howcome = place.howcome(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // It prints a line for each step.
        let told = BufReader::new(howcome.stderr.take().unwrap()).lines().take(1).count();
        assert_eq!(told, 1, "it says too little to be killed in the middle");
        for signal in signals {
            // It may have ended after the first one.
            let _ = kill(Pid::from_raw(howcome.id() as i32), *signal);
        }
        howcome.wait().unwrap();
        // A process of its own removes what a killed howcome leaves behind.
        let is_gone = (0..1_000_000).any(|_| place.left_behind().is_empty());
        assert!(is_gone, "{signals:?}: {:?}", place.left_behind());
        assert_eq!(place.read("kept.txt"), b"kept");
    }
}

#[test]
fn a_step_can_be_followed_back() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    json(&place, &["--fail", FAIL, "--pass", PASS, "--run-dir", "run"]);
    insta::assert_snapshot!(place.seen(&["show", "run", "--before", "2"]));
    insta::assert_snapshot!(place.seen(&["show", "run", "--before", "3"]));
}

#[test]
fn a_line_that_the_user_chose_can_be_followed_back() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    let line = 1 + SAMPLE.lines().position(|line| line.contains("shell_sort(")).unwrap();
    let inside = format!("sample.c:{}", line + 3);
    let found = json(&place, &["--fail", FAIL, "--pass", PASS, "--at", &inside, "--run-dir", "run"]);
    assert_eq!(found["finding"]["chain"][0]["no_way_back"], serde_json::Value::Null);
    let seen = place.seen(&["show", "run", "--before", "1"]);
    assert!(seen.contains("became the cause at shell_sort"), "{seen}");
}

#[test]
fn of_two_calls_what_they_return_is_compared() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
struct item { int price; int tax; };
static int total(const struct item *item)
{
    int sum = item->price;
    return sum + item->tax;
}
int main(int argc, char **argv)
{
    int all = 0;
    for (int i = 1; i < argc; i++) {
        struct item item = { atoi(argv[i]), 2 };
        all += total(&item);
    }
    printf("%d\n", all);
    return 0;
}
"#;
    let Some(place) = built("totals", source, &[]) else { return };
    let found = json(&place, &["--fail", "./totals 5 7 9", "--between", "total:1", "total:3"]);
    assert_eq!(variables(&found["finding"]["chain"][0]), ["main::item.price"]);
    assert_eq!(found["finding"]["outcome"]["failing"], "it returns 11");
}

#[test]
fn a_test_of_the_trail_can_be_made_again_with_gdb() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    json(&place, &["--fail", FAIL, "--pass", PASS, "--at", "shell_sort", "--run-dir", "run"]);
    let seen = place.seen(&["show", "run", "--test", "1"]);
    assert!(seen.contains("v[5] = 0 (instead of 4)"), "{seen}");
    place.run(&["show", "run", "--test", "1", "--into", "by-hand"]);
    let script = place.path("by-hand/try.gdb");
    if !need_program("gdb") {
        return;
    }
    let mut gdb = Command::new("gdb");
    let output = gdb.args(["-batch", "-nx", "-x"]).arg(script).arg(place.path("sample")).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("\n0 5 6 7 8"), "{printed}");
}

/// What gdb prints when it repeats a test of a run.
fn repeated_in_gdb(place: &Place, program: &str, test: usize) -> Option<String> {
    place.run(&["show", "run", "--test", &test.to_string(), "--into", "by-hand"]);
    if !need_program("gdb") {
        return None;
    }
    let mut gdb = Command::new("gdb");
    // With the libraries of cargo's toolchain, others would be elsewhere.
    gdb.env_remove("LD_LIBRARY_PATH");
    let script = place.path("by-hand/try.gdb");
    let output = gdb.args(["-batch", "-nx", "-x"]).arg(script).arg(place.path(program)).output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The numbers of the tests that failed in the trail of a run.
fn failing_tests(place: &Place) -> Vec<usize> {
    let trail = place.seen(&["show", "run", "--trail"]);
    let failing = trail.lines().filter(|line| line.contains('✗'));
    failing.filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
}

#[test]
fn gdb_creates_objects_and_texts_and_redirects_pointers_as_a_test_did() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct part { struct part *next; char *name; };
static struct part *parts;
static void add(const char *name) {
    struct part *part = malloc(sizeof *part);
    part->name = strdup(name);
    part->next = parts;
    parts = part;
}
static void check(void) {
    int seen = 0;
    for (struct part *part = parts; part; part = part->next)
        if (++seen == 3 && !strcmp(part->name, "a long name that has to be allocated")) abort();
    printf("%d parts\n", seen);
}
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) { add(argv[i]); argv[i] = ""; }
    argc = 0;
    check();
    return 0;
}
"#;
    let Some(place) = built("parts", source, &[]) else { return };
    let fail = "./parts 'a long name that has to be allocated' two three";
    json(&place, &["--fail", fail, "--pass", "./parts one two", "--at", "check", "--run-dir", "run"]);
    let failing = failing_tests(&place);
    let seen = place.seen(&["show", "run", "--test", &failing[0].to_string()]);
    assert!(seen.contains("signal ABRT"), "{seen}");
    let Some(printed) = repeated_in_gdb(&place, "parts", failing[0]) else { return };
    assert!(printed.contains("received signal SIGABRT"), "{printed}");
}

#[test]
fn gdb_makes_the_cycle_of_a_compiler_and_sees_the_same_failure() {
    let source = include_str!("../../state/tests/compiler/compiler.c");
    let Some(place) = built("compiler", source, &[]) else { return };
    let code = |factor: &str| {
        format!(
            "double mult(double z[], int n) {{ int i; for (i = 0; i < n; i++) z[i] = z[i] * ({factor}); return z[n]; }}"
        )
    };
    place.write("pass.c", code("z[0]").as_bytes());
    place.write("fail.c", code("z[0] + 1.0").as_bytes());
    let runs = ["--fail", "./compiler fail.c", "--pass", "./compiler pass.c", "--run-dir", "run"];
    // The tests at the place are enough. What comes before it is not of interest here.
    place.run(&[&["state", "-q", "--at", "combine_instructions", "--max-tests", "6"], &runs[..]].concat());
    let Some(printed) = repeated_in_gdb(&place, "compiler", failing_tests(&place)[0]) else { return };
    assert!(printed.contains("received signal SIGSEGV") && printed.contains("rtx_cost"), "{printed}");
}

#[test]
fn a_dry_run_says_what_would_be_varied_and_leaves_nothing_behind() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    insta::assert_snapshot!(place.seen(&["state", "-q", "--dry-run", "--fail", FAIL, "--pass", PASS]));
    assert!(!place.path("howcome.out").exists());
}

#[test]
fn variables_that_decide_only_together_are_named_together_and_each_is_needed() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
static int width, height, depth;
static void report(void) { if (width == 3 && height == 4) abort(); printf("fine\n"); }
int main(int argc, char **argv) { width = atoi(argv[1]); height = atoi(argv[2]); depth = atoi(argv[3]); report(); return 0; }
"#;
    let Some(place) = built("sizes", source, &[]) else { return };
    let found = json(&place, &["--fail", "./sizes 3 4 5", "--pass", "./sizes 1 2 6", "--at", "report"]);
    let mut names = variables(&found["finding"]["chain"][0]);
    names.sort_unstable();
    assert_eq!(names, ["height", "width"]);
    assert_eq!(found["minimal"]["checked"], true);
    assert_eq!(found["verified"]["alone_fails"], true);
}

#[test]
fn a_further_input_needs_a_place_in_the_command() {
    let Some(place) = built("sample", SAMPLE, &[]) else { return };
    place.write("numbers", b"1 2 3");
    let output = place.run(&["state", "--fail", FAIL, "--pass", PASS, "--more-passing", "numbers"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("it is not clear what numbers of --more-passing takes the place of"), "{said}");
}

#[test]
fn gdb_gets_the_environment_of_the_run() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
static int work(const char *name, int level) { printf("%s %d\n", name, level); return level > 5; }
int main(int argc, char **argv) { return work(getenv("NAME"), atoi(argv[argc - 1])); }
"#;
    let Some(place) = built("named", source, &[]) else { return };
    let runs = ["--fail", "NAME='a b' ./named 9", "--pass", "NAME='a b' ./named 3"];
    json(&place, &[&runs[..], &["--at", "work", "--run-dir", "run"]].concat());
    let Some(test) = failing_tests(&place).first().copied() else { panic!("no test fails") };
    let Some(printed) = repeated_in_gdb(&place, "named", test) else { return };
    assert!(printed.contains("\na b 9\n"), "{printed}");
}

#[test]
fn gdb_repeats_a_test_of_a_rust_program_or_says_that_the_heap_is_elsewhere() {
    let source = r#"
struct Node { key: i64, next: Option<Box<Node>> }
fn sum(list: &Option<Box<Node>>) -> i64 {
    let (mut sum, mut at) = (0, list);
    while let Some(node) = at { sum = sum * 10 + node.key; at = &node.next; }
    sum
}
fn check(list: &Option<Box<Node>>) { if sum(list) == 31 { std::process::abort(); } }
fn main() {
    let mut list = None;
    for word in std::env::args().skip(1) { list = Some(Box::new(Node { key: word.parse().unwrap(), next: list })); }
    check(&list);
}
"#;
    let place = Place::empty();
    place.write("nodes.rs", source.as_bytes());
    if !need_program("rustc") {
        return;
    }
    let built = Command::new("rustc").args(["-g", "nodes.rs"]).current_dir(place.path(".")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    json(&place, &["--fail", "./nodes 1 3", "--pass", "./nodes 1 2 2", "--at", "check", "--run-dir", "run"]);
    let test = failing_tests(&place)[0];
    let Some(printed) = repeated_in_gdb(&place, "nodes", test) else { return };
    assert!(printed.contains("SIGABRT") || printed.contains("The heap is not where it was"), "{printed}");
}
