//! Which lines go with the failure in runs with variants of the two inputs of `howcome state`.

#![allow(clippy::unwrap_used)]

mod howcome;
#[path = "states/built.rs"]
mod states;

use serde_json::Value;
use states::{built, json};

/// Adds and drops numbers, and compares two ways to count them. A number that is dropped from the end is still counted.
const NUMBERS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int numbers[64], used, counted, spare;

static void add(int number)
{
    if (used < 64) {
        numbers[used++] = number;
        counted++;
    }
}

static void drop(int number)
{
    for (int i = 0; i < used; i++) {
        if (numbers[i] != number)
            continue;
        used--;
        if (i == used) {
            spare++;
            return;
        }
        memmove(&numbers[i], &numbers[i + 1], (used - i) * sizeof numbers[0]);
        counted--;
        return;
    }
}

static int differs(void)
{
    if (used == counted)
        return 0;
    fprintf(stderr, "the numbers of items differ\n");
    return 1;
}

int main(int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-')
            drop(atoi(argv[i] + 1));
        else
            add(atoi(argv[i]));
    }
    printf("%d\n", used);
    return differs();
}
"#;

/// The lines in which the defect is.
const AT_THE_END: std::ops::RangeInclusive<u64> = 20..=24;

/// What speaks for a place: all that speaks for any of them.
fn all_evidence(found: &Value) -> Vec<String> {
    let candidates = found["finding"]["candidates"].as_array().unwrap();
    let why = candidates.iter().flat_map(|candidate| candidate["why"].as_array().unwrap());
    why.map(|why| why.as_str().unwrap().to_owned()).collect()
}

#[test]
fn lines_that_variants_execute_only_if_they_fail_are_the_first_place_in_every_run() {
    let Some(place) = built("numbers", NUMBERS, &[]) else { return };
    let found = || json(&place, &["--fail", "./numbers 5 7 8 -8 9", "--pass", "./numbers 5 7 8 -7 9"]);
    let first = found();
    let best = &first["finding"]["candidates"][0];
    assert!(AT_THE_END.contains(&best["location"]["line"].as_u64().unwrap()), "{best:#}");
    let why = best["why"][0].as_str().unwrap();
    assert!(why.ends_with("with variants of the two inputs"), "{why}");
    assert_eq!(first["finding"]["candidates"], found()["finding"]["candidates"]);
}

#[test]
fn of_a_variant_of_the_input_nobody_knows_what_it_should_print() {
    let source = r#"#include <stdio.h>
        #include <stdlib.h>
        static int twice(int n) { return n == 3 ? 5 : 2 * n; }
        int main(int argc, char **argv) { printf("%d\n", twice(atoi(argv[argc - 1]))); return 0; }"#;
    let Some(place) = built("twice", source, &[]) else { return };
    let found = json(&place, &["--fail", "./twice 3", "--pass", "./twice 4"]);
    let evidence = all_evidence(&found);
    assert!(evidence.iter().all(|why| !why.contains("variants")), "{evidence:?}");
}

#[test]
fn at_chosen_places_no_variants_are_run() {
    let Some(place) = built("numbers", NUMBERS, &[]) else { return };
    let runs = ["--fail", "./numbers 5 7 8 -8 9", "--pass", "./numbers 5 7 8 -7 9", "--at", "differs"];
    let evidence = all_evidence(&json(&place, &runs));
    assert!(evidence.iter().all(|why| !why.contains("variants")), "{evidence:?}");
}
