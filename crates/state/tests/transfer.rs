//! What is transferred from one run to another, what is left out, and what counts as the same failure.

#![allow(clippy::unwrap_used)]

mod second_reader;

use howcome_run::{Budget, Driver, Journal, NoWatcher, Recorded};
use howcome_state::tracee::{Invocation, RunLimits};
use howcome_state::{
    CommonCalls, Examination, Examined, Examiner, FailureTerms, PlaceName, RunPair, StopFlag, TraceOptions,
};
use second_reader::{Built, build};

fn invocation(built: &Built, argument: &str) -> Invocation {
    Invocation {
        program: built.program.clone(),
        called: "./program".into(),
        arguments: vec![argument.into()],
        environment: Vec::new(),
        standard_input: None,
        directory: built.folder.path().to_owned(),
        temp_folder: std::env::temp_dir(),
    }
}

/// What decides at a place, for a program with one argument.
fn examine(built: &Built, pass: &str, fail: &str, place: &str) -> Examined {
    let options = TraceOptions {
        limits: RunLimits::default(),
        timeout: None,
        debug_folders: Vec::new(),
        goal: howcome_state::RunGoal::End,
    };
    let runs = RunPair::of(invocation(built, pass), invocation(built, fail), &options).unwrap();
    let place = place.parse::<PlaceName>().unwrap().find(&runs).unwrap();
    let examiner = Examiner::new(&runs, FailureTerms::default(), 1, StopFlag::default());
    let journal = Journal::in_memory(&[], Box::new(NoWatcher));
    let mut driver = Driver::new(journal, Budget::default(), &Recorded::default());
    match examiner.examine(&mut driver, &place).unwrap() {
        Examination::Found(examined) => *examined,
        Examination::Nothing(nothing) => panic!("{nothing:?}"),
    }
}

fn names(examined: &Examined) -> Vec<&str> {
    examined.causes.iter().map(|cause| cause.variable.as_str()).collect()
}

/// Takes a line apart in place: each comma becomes the end of a field.
const FIELDS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char line[64];
static char *rest;
static int total;
static char *next(void) {
    char *field = rest, *comma = strchr(rest, ',');
    rest = comma ? comma + 1 : NULL;
    if (comma) *comma = 0;
    return field;
}
static void use(const char *field) { total += atoi(field); }
int main(int argc, char **argv) {
    strncpy(line, argv[argc - 1], sizeof line - 1);
    rest = line;
    argv[argc - 1] = "";
    while (rest) use(next());
    if (total > 10) abort();
    printf("%d\n", total);
    return 0;
}
"#;

#[test]
fn bytes_after_the_end_of_a_text_are_state() {
    let Some(built) = build("fields.c", FIELDS, &["-O0"]) else { return };
    let examined = examine(&built, "1,2,3", "1,2,9", "use");
    assert_eq!(names(&examined), ["line + 2"]);
    let cause = &examined.causes[0];
    assert_eq!((cause.failing.as_str(), cause.passing.as_str()), ("\"2,9\"", "\"2,3\""));
    assert_eq!((cause.alone_fails, cause.without_passes), (Some(true), Some(true)));
}

/// A pointer that is kept as a number: the number of one run means nothing in the other.
const DISGUISED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct box { int seal; int width; };
static unsigned long hidden;
static int level, other, another;
static void work(void) {
    struct box *box = (struct box *)~hidden;
    if (box->seal != 77) abort();
    if (level > 5) *(volatile int *)0 = 1;
    printf("%d %d %d\n", box->width, other, another);
}
int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    for (int i = 0; i < n; i++) if (!malloc(1000)) return 1;
    struct box *box = malloc(sizeof *box);
    box->seal = 77; box->width = n;
    hidden = ~(unsigned long)box;
    level = n; other = 2 * n; another = 3 * n;
    work();
    return 0;
}
"#;

#[test]
fn a_difference_that_spoils_the_transfer_is_left_out_and_named() {
    let Some(built) = build("disguised.c", DISGUISED, &["-O0"]) else { return };
    let examined = examine(&built, "3", "8", "work");
    assert_eq!(names(&examined), ["level"]);
    assert_eq!(examined.left_out, ["hidden"]);
    assert_eq!(examined.causes[0].alone_fails, Some(true));
}

/// The example of a false positive (Zeller 2002, section VI.C): `fail` is called at two places.
const TWO_CALLS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static void fail(int how) { if (how) abort(); exit(3); }
static void check(int x, int y, int how) {
    if (x != y)
        fail(how);
    else if (x && y)
        fail(how);
    printf("%d %d\n", x, y);
}
int main(int argc, char **argv) {
    int x = argv[argc - 1][0] == 't';
    int how = argv[argc - 1][1] == 'a';
    argv[argc - 1] = "";
    check(x, x, how);
    return 0;
}
"#;

#[test]
fn the_same_end_from_another_call_is_another_failure() {
    let Some(built) = build("two_calls.c", TWO_CALLS, &["-O0"]) else { return };
    for [pass, fail] in [["f", "t"], ["fa", "ta"]] {
        let examined = examine(&built, pass, fail, "check");
        let mut names = names(&examined);
        names.retain(|name| !name.starts_with("main::"));
        names.sort_unstable();
        assert_eq!(names, ["x", "y"], "{fail}");
    }
}

/// A variable of the thread, and one in the C library's place for them.
const OF_THREAD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static _Thread_local char before = 1;
static _Thread_local int depth;
static _Thread_local _Alignas(64) long wide = 7;
static void work(void) { if (depth > 2) abort(); printf("%d %ld\n", before, wide); }
static void enter(int wanted) { depth = wanted; }
int main(int argc, char **argv) {
    enter(atoi(argv[argc - 1]));
    argv[argc - 1] = "";
    work();
    return 0;
}
"#;

#[test]
fn a_variable_of_the_thread_is_state() {
    for flags in [&["-O0"][..], &["-O0", "-static"], &["-O0", "-static-pie", "-fPIE"]] {
        let Some(built) = build("thread.c", OF_THREAD, flags) else { return };
        let examined = examine(&built, "1", "5", "work");
        assert_eq!(names(&examined), ["depth"], "{flags:?}");
        let cause = &examined.causes[0];
        assert_eq!((cause.alone_fails, cause.without_passes), (Some(true), Some(true)), "{flags:?}");
    }
}

#[test]
fn the_first_calls_are_among_all_calls_and_each_function_has_one() {
    let source = "
        static int total;
        static void odd(int number) { total += number; }
        static void even(int number) { total -= number; }
        static void twice(int number) { odd(number); even(number); }
        int main(int argc, char **argv) {
            for (int i = 0; i < 100; i++) twice(i * argc);
            return total + (argv[1][0] == '2');
        }";
    let Some(built) = build("calls.c", source, &["-O0"]) else { return };
    let options = TraceOptions {
        limits: RunLimits::default(),
        timeout: None,
        debug_folders: Vec::new(),
        goal: howcome_state::RunGoal::End,
    };
    let runs = RunPair::of(invocation(&built, "1"), invocation(&built, "2"), &options).unwrap();
    let (first, all) = (CommonCalls::first_of(&runs).unwrap(), CommonCalls::of(&runs, &[]).unwrap());
    assert_eq!(first.common.len(), 4, "main, twice, odd, even");
    assert_eq!(first.common, all.first_calls());
    assert!(all.common.len() > 150);
}

/// Tables and trees with other keys, and with more of them.
const TABLES: &str = r#"
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
struct Shop { stock: HashMap<String, i64>, seen: HashSet<u32>, tree: BTreeMap<u32, u8>, ring: VecDeque<u32> }
fn judge(shop: &Shop) -> bool {
    let wrong = shop.stock.keys().any(|key| key.starts_with('x')) && shop.stock.contains_key("x9");
    wrong || shop.seen.contains(&77) || shop.tree.contains_key(&78) || shop.ring.iter().any(|&n| n == 79)
}
fn main() {
    let text = std::env::args().last().unwrap();
    let (kind, rest) = text.split_at(1);
    let mut shop = Shop { stock: HashMap::new(), seen: HashSet::new(), tree: BTreeMap::new(), ring: VecDeque::new() };
    for (place, word) in rest.split(',').enumerate() {
        let number = word.trim_start_matches('x').parse().unwrap();
        match kind {
            "m" => drop(shop.stock.insert(word.to_owned(), place as i64)),
            "s" => drop(shop.seen.insert(number)),
            "t" => drop(shop.tree.insert(number, 1)),
            _ => { shop.ring.push_back(number); if place > 2 { shop.ring.pop_front(); } }
        }
    }
    drop((text.clone(), rest));
    if judge(&shop) { std::process::abort(); }
}
"#;

#[test]
fn tables_trees_and_rings_with_other_keys_are_transferred_as_a_whole() {
    let Some(built) = build("tables.rs", TABLES, &[]) else { return };
    for (passing, failing, name) in [
        ("m1,2,3", "m1,2,x9", "main::shop.stock"),
        ("m1,2,3", "m1,2,3,x9", "main::shop.stock"),
        ("m1,2,3", "m1,2,3,4,5,6,7,8,x9", "main::shop.stock"),
        ("m1,2,3,4,5,6,7,8", "mx9", "main::shop.stock"),
        ("s1,2", "s1,77", "main::shop.seen"),
        ("s1,2", "s1,2,3,4,5,77", "main::shop.seen"),
        ("t1,2", "t1,2,78", "main::shop.tree"),
        ("t1,2,3,4", "t1,2,3,4,5,6,7,8,9,10,11,12,78", "main::shop.tree"),
        ("r1,2,3,4", "r1,2,3,4,5,79", "main::shop.ring"),
    ] {
        let examined = examine(&built, passing, failing, "judge");
        assert_eq!(names(&examined), [name], "{passing} {failing}");
        let cause = &examined.causes[0];
        assert_eq!(
            (cause.alone_fails, cause.without_passes),
            (Some(true), Some(true)),
            "{passing} {failing}"
        );
    }
}

/// While `tax` runs, the result of `price` is on the stack, and in no variable.
const SPILLED: &str = r#"
fn price(x: i32) -> i32 { if x == 7 { 70 } else { x } }
fn tax(x: i32) -> i32 { std::hint::black_box(x) / 10 }
fn work(a: i32, b: i32) -> i32 { (price(a) * 3 + 1) ^ tax(b) }
fn main() {
    let a = std::env::args().last().unwrap().parse().unwrap();
    let sum = work(a, 9);
    if sum > 200 { std::process::abort(); }
}
"#;

#[test]
fn a_result_inside_an_expression_is_transferred_from_the_stack() {
    let Some(built) = build("spilled.rs", SPILLED, &[]) else { return };
    let examined = examine(&built, "6", "7", "tax");
    let name = "intermediate value of spilled::work";
    assert_eq!(names(&examined), [name]);
    let cause = &examined.causes[0];
    assert_eq!((cause.failing.as_str(), cause.passing.as_str()), ("211", "19"));
    assert_eq!((cause.alone_fails, cause.without_passes), (Some(true), Some(true)));
}

/// An interpreter's values: numbers, and addresses in numbers that are not a number. The blocks before the objects have other lengths.
const BOXED: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct object { int kind; int count; };
static struct object *all[3];
static uint64_t slots[3];
static double number;
static uint64_t box(struct object *object) { return 0xfffc000000000000u | (uintptr_t)object; }
static struct object *unbox(uint64_t value) { return (struct object *)(uintptr_t)(value & 0xffffffffffffu); }
static int run(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum = sum * 10 + unbox(slots[i])->kind;
    printf("%d %d\n", sum, number > 0);
    return sum == 133;
}
int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    number = 2.5 * n;
    for (int i = 0; i < n; i++) if (!malloc(500)) return 1;
    for (int i = 0; i < 3; i++) {
        all[i] = calloc(1, sizeof **all);
        all[i]->kind = i + 1; all[i]->count = 7;
        slots[i] = box(all[i]);
    }
    if (n > 5) slots[1] = slots[2];
    return run();
}
"#;

#[test]
fn an_address_in_a_number_that_is_not_a_number_is_translated() {
    let Some(built) = build("boxed.c", BOXED, &["-O0"]) else { return };
    let examined = examine(&built, "3", "9", "run");
    assert_eq!(names(&examined), ["slots[1]"]);
    let cause = &examined.causes[0];
    assert_eq!((cause.alone_fails, cause.without_passes), (Some(true), Some(true)));
    assert_eq!(examined.deltas, 4, "argv, n, number, slots[1]: the other slots lead to the same objects");
}

/// Reads the counter of the processor, also right where it is stopped, and takes random numbers of the processor.
const CHANCE: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <random>
#include <x86intrin.h>
static unsigned long stamps[3];
static unsigned seeds[2];
static int level;
static std::random_device device;
static int work() {
    unsigned aux;
    stamps[1] = __rdtscp(&aux);
    seeds[1] = device();
    std::printf("%d\n", stamps[1] > stamps[0] && seeds[0] != seeds[1]);
    return level > 5;
}
int main(int argc, char **argv) {
    seeds[0] = device();
    stamps[0] = __rdtsc();
    level = std::atoi(argv[argc - 1]);
    return work();
}
"#;

#[test]
fn the_counter_and_the_random_numbers_of_the_processor_are_the_same_in_both_runs() {
    let Some(built) = build("chance.cc", CHANCE, &["-O0"]) else { return };
    let examined = examine(&built, "3", "9", "work");
    assert_eq!(names(&examined), ["level"]);
    assert_eq!(examined.deltas, 2, "argv and level");
    let [passing, failing] = [&examined.ends.passing, &examined.ends.failing];
    assert_eq!((&passing.printed, &failing.printed[0][..]), (&failing.printed, &b"1\n"[..]));
}
