//! A second opinion: gdb must report the same values at the same place.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::{Built, build};
use howcome_state::debug::{Program, ScalarEncoding, Type};
use howcome_testing::need_program;
use std::collections::BTreeMap;
use std::process::Command;

const SOURCE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct pair { short low; long high; };
struct bits { unsigned a : 1; unsigned b : 12; long c : 40; unsigned char d; unsigned e : 9; } __attribute__((packed));
struct mixed { char tag; struct pair pair; union { double d; char c[12]; } u; struct bits bits; int tail[]; };
struct bits bits = { 1, 77, -5, 9, 100 };
struct mixed *mixed;
static inline long clamp(long value, long most) { long kept = value > most ? most : value; return kept + 1; }
__attribute__((noinline)) long work(struct pair *pair, int times, long start) {
    long sum = start;
    for (int i = 0; i < times; i++) {
        long step = pair->low * i;
        sum = clamp(sum + step, 1000);
        if (sum % 7 == 3) { int odd = i * 3; printf("%d %ld\n", odd, step); }
    }
    return sum;
}
__attribute__((noinline)) long outer(int argc, long first) {
    struct pair pair = { argc + 4, first };
    long result = work(&pair, argc + 6, first * 2);
    return result + argc + pair.high;
}
int main(int argc, char **argv) {
    mixed = calloc(1, sizeof *mixed);
    long got = outer(argc, 21);
    printf("%ld %s\n", got, argv[0]);
    return bits.e == 100 ? 0 : 1;
}
"#;

const BUILDS: [&str; 5] = [
    "gcc -g -O0 -o program {}",
    "gcc -g -Og -o program {}",
    "gcc -g -O2 -o program {}",
    "clang -g -O1 -o program {}",
    "clang -g -gdwarf-4 -O0 -o program {}",
];

/// At least this number of values is compared in each program.
const LEAST_VALUES: usize = 8;

/// The program by every compiler that is installed; none if gdb is missing. Missing programs are recorded as skipped.
fn programs() -> Vec<(&'static str, Built)> {
    if !need_program("gdb") {
        return Vec::new();
    }
    BUILDS.into_iter().filter_map(|command| Some((command, build(SOURCE, "c", command)?))).collect()
}

/// What gdb prints for some commands.
fn gdb(built: &Built, commands: &[String]) -> String {
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-batch"]).current_dir(built.folder.path());
    for command in commands {
        gdb.args(["-ex", command]);
    }
    let output = gdb.arg(&built.program).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The whole numbers in `name = value` lines, without those that look like addresses: they may be uninitialised.
fn numbers(text: &str) -> BTreeMap<String, i64> {
    let pairs = text.lines().filter_map(|line| line.split_once(" = "));
    let numbers = pairs.filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    numbers.filter(|(_, value): &(String, i64)| value.unsigned_abs() < 1 << 32).collect()
}

#[test]
fn locals_have_the_values_that_gdb_sees() {
    let programs = programs();
    let mut compared = 0;
    for (command, built) in &programs {
        for line in [13, 15, 22] {
            let mut at = None;
            let stopped = built.stop(&[], |program| {
                at = Some(program.addresses_of_line("program.c", line)[0]);
                at.unwrap()
            });
            // gdb loads the program at another address; the distance from a function is the same.
            let base = stopped.program.symbol("outer").unwrap();
            let distance = at.unwrap().0.wrapping_sub(base.0) as i64;
            let mut commands: Vec<String> = ["break main", "run", "delete"].map(str::to_owned).to_vec();
            commands.push(format!("break *((char *)outer + {distance})"));
            commands.push("continue".to_owned());
            for _ in 0..2 {
                commands.extend(
                    ["echo \\n--args\\n", "info args", "echo \\n--locals\\n", "info locals", "up"]
                        .map(str::to_owned),
                );
            }
            let text = gdb(built, &commands);
            let Some((_, text)) = text.split_once("--args") else { panic!("{text}") };
            let frames: Vec<&str> = text.split("--args").collect();
            for (number, said) in frames.iter().enumerate().take(2) {
                let said = numbers(said);
                for local in stopped.locals(number) {
                    let ty = stopped.program.ty(local.ty);
                    let Type::Scalar { size, encoding: ScalarEncoding::Signed, .. } = &*ty else { continue };
                    let Some(expected) = said.get(&local.name) else { continue };
                    let value = stopped.snapshot.number(local.at, *size).unwrap() as i64;
                    let value = value << (64 - size * 8) >> (64 - size * 8);
                    assert_eq!(
                        value, *expected,
                        "{} at line {line}, frame {number}, {command}\n{text}",
                        local.name
                    );
                    compared += 1;
                }
            }
        }
    }
    let enough = programs.len() * LEAST_VALUES;
    assert!(compared >= enough, "only {compared} values were compared in {} programs", programs.len());
}

/// The members of a struct as gdb lays them out: name, and position in bits.
fn layout(text: &str) -> BTreeMap<String, u64> {
    let mut layout = BTreeMap::new();
    for line in text.lines() {
        // `/*      8: 1   |       2 */    unsigned int b : 12;` or `/*      0      |       1 */    char tag;`
        let Some((place, declared)) = line.trim().strip_prefix("/*").and_then(|line| line.split_once("*/"))
        else {
            continue;
        };
        let Some((offset, _)) = place.split_once('|') else { continue };
        let mut parts = offset.split(':').map(|part| part.trim().parse::<u64>());
        let Some(Ok(byte)) = parts.next() else { continue };
        let bit = parts.next().and_then(Result::ok).unwrap_or(0);
        let declared = declared.trim().trim_end_matches(';');
        let name = declared.split(" : ").next().unwrap().split('[').next().unwrap();
        let name = name.rsplit([' ', '*']).next().unwrap().to_owned();
        layout.insert(name, byte * 8 + bit);
    }
    layout
}

fn our_layout(program: &Program, name: &str) -> BTreeMap<String, u64> {
    let Type::Record(record) = &*program.ty(program.type_named(name).unwrap()) else { panic!() };
    let place = |member: &howcome_state::debug::RecordMember| {
        (member.name.clone(), member.offset * 8 + member.bits.map_or(0, |bits| u64::from(bits.skip)))
    };
    record.members.iter().map(place).collect()
}

#[test]
fn members_are_where_gdb_says() {
    for (command, built) in programs() {
        let program = built.load();
        for name in ["pair", "bits"] {
            let text = gdb(&built, &[format!("ptype /o struct {name}")]);
            assert_eq!(our_layout(&program, name), layout(&text), "{command}\n{text}");
        }
        let text = gdb(&built, &["print sizeof(struct mixed)".to_owned()]);
        let size = text.rsplit(' ').next().unwrap().trim().parse::<u64>().unwrap();
        assert_eq!(program.size(program.type_named("mixed").unwrap()), size);
    }
}
