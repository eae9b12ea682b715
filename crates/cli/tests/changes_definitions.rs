//! Between two versions that differ a lot, `howcome changes` searches whole functions and declarations before hunks.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Place, lines_of};
use serde_json::{Value, json};

/// How many functions the program has. Most of them differ between the two versions.
const FUNCTIONS: u32 = 96;

/// A version of a program of many functions in eight files. In the bad one, functions are rewritten, take one more argument, are new
/// or gone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Good,
    Bad,
}

impl Version {
    const ALL: [Self; 2] = [Self::Good, Self::Bad];

    fn folder(self) -> &'static str {
        if self == Self::Good { "good" } else { "bad" }
    }

    fn function(self, number: u32) -> Function {
        let is_bad = self == Self::Bad;
        let is_renamed = is_bad && number % 7 == 3;
        Function {
            number,
            name: format!("{}_{number}", if is_renamed { "added" } else { "term" }),
            takes_step: is_bad && number % 5 == 2,
            is_rewritten: is_bad && !number.is_multiple_of(3),
        }
    }
}

/// A function that returns the sum of its argument and its number.
struct Function {
    number: u32,
    name: String,
    takes_step: bool,
    is_rewritten: bool,
}

impl Function {
    fn signature(&self) -> String {
        let parameters = if self.takes_step { "int value, int step" } else { "int value" };
        format!("int {}({parameters})", self.name)
    }

    fn definition(&self) -> String {
        let number = self.number;
        let step = if self.takes_step { " * step" } else { "" };
        let body = match self.is_rewritten {
            true => format!("int sum = {number}{step};\n    sum += value;\n    return sum;"),
            false => format!("int sum = {number}{step};\n\n    return sum + value;"),
        };
        format!("/* Adds {number}. */\n{}\n{{\n    {body}\n}}\n", self.signature())
    }

    fn call(&self) -> String {
        let step = if self.takes_step { ", 1" } else { "" };
        format!("    total = {}(total{step});\n", self.name)
    }
}

/// Both versions, in a folder each. All changes between them are harmless.
fn versions() -> Place {
    let place = Place::empty();
    for version in Version::ALL {
        let write = |name: &str, text: String| {
            place.write(&format!("{}/{name}", version.folder()), text.as_bytes());
        };
        let functions: Vec<Function> = (0..FUNCTIONS).map(|number| version.function(number)).collect();
        let declared: String = functions.iter().map(|function| function.signature() + ";\n").collect();
        write("terms.h", declared);
        let mut totals = String::new();
        for (part, functions) in functions.chunks(12).enumerate() {
            let defined: Vec<String> = functions.iter().map(Function::definition).collect();
            write(&format!("part{part}.c"), format!("#include \"terms.h\"\n\n{}", defined.join("\n")));
            let calls: Vec<String> = functions.iter().map(Function::call).collect();
            let calls = calls.join("    /* And on. */\n");
            totals += &format!("int total_{part}(int total)\n{{\n{calls}    return total;\n}}\n\n");
        }
        let sum: String = (0..8).map(|part| format!("    total = total_{part}(total);\n")).collect();
        let main = format!(
            "int main(void)\n{{\n    int total = 0;\n{sum}    printf(\"%d\\n\", total);\n    return 0;\n}}\n"
        );
        write("main.c", format!("#include \"terms.h\"\n#include <stdio.h>\n\n{totals}{main}"));
    }
    place
}

/// The sum that is right.
fn right_sum() -> u32 {
    (0..FUNCTIONS).sum()
}

fn found(place: &Place, flags: &[&str]) -> Value {
    found_by(place, flags, &format!("= {}", right_sum()))
}

fn found_by(place: &Place, flags: &[&str], condition: &str) -> Value {
    let test = format!("sum=$(./prog); echo \"sum $sum\"; test \"$sum\" {condition}");
    let words = ["changes", "-q", "--json", "--run-dir", "run", "--good", "good", "--bad", "bad"];
    let parts: String = (0..8).map(|part| format!(" part{part}.c")).collect();
    let build = format!("cc -Werror=implicit-function-declaration -o prog main.c{parts}");
    place.json(&[&words[..], &["--build", &build], flags, &["--", "sh", "-c", &test]].concat())
}

fn assert_answer(json: &Value, most_tests: u64, expected: &[&str]) {
    assert_eq!(lines_of(json), expected);
    assert_proved_within(json, most_tests);
}

fn assert_proved_within(json: &Value, most_tests: u64) {
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}), "{json:#}");
    let told = json["tests"]["told"].as_u64().unwrap();
    assert!(told <= most_tests, "{told} tests");
}

#[test]
fn the_wrong_body_of_one_of_many_changed_functions() {
    let place = versions();
    place.replace_once("bad/part3.c", "int sum = 41;", "int sum = 14;");
    let json = found(&place, &["-j1"]);
    assert_answer(&json, 30, &["part3.c: -    int sum = 41;", "part3.c: +    int sum = 14;"]);
    let trail = place.seen(&["show", "run", "--trail"]);
    assert!(trail.contains("--trail\ndefinitions: 140 items, narrow\n"), "{trail}");
}

#[test]
fn a_changed_signature_with_its_declaration_and_its_caller() {
    let place = versions();
    place.replace_once("bad/main.c", "total = term_42(total, 1);", "total = term_42(total, 2);");
    let json = found(&place, &["-j2"]);
    assert_answer(
        &json,
        40,
        &[
            "main.c: -    total = term_42(total);",
            "main.c: +    total = term_42(total, 2);",
            "part3.c: -int term_42(int value)",
            "part3.c: -    int sum = 42;",
            "part3.c: +int term_42(int value, int step)",
            "part3.c: +    int sum = 42 * step;",
            "terms.h: -int term_42(int value);",
            "terms.h: +int term_42(int value, int step);",
        ],
    );
}

#[test]
fn two_functions_that_fail_only_together() {
    let place = versions();
    place.replace_once("bad/part3.c", "int sum = 41;", "int sum = 40;");
    place.replace_once("bad/part5.c", "int sum = 65;", "int sum = 63;");
    let json = found_by(&place, &["-j1"], &format!("!= {}", right_sum() - 3));
    assert_answer(
        &json,
        60,
        &[
            "part3.c: -    int sum = 41;",
            "part3.c: +    int sum = 40;",
            "part5.c: -    int sum = 65;",
            "part5.c: +    int sum = 63;",
        ],
    );
}

#[test]
fn two_of_a_hundred_lines_that_fail_only_together() {
    let place = Place::empty();
    for (folder, word) in [("good", "old"), ("bad", "new")] {
        let line = |number: u32| {
            let word = if number.is_multiple_of(4) { word } else { "same" };
            format!("{number} {word}\n")
        };
        place.write(&format!("{folder}/code.txt"), (0..400).map(line).collect::<String>().as_bytes());
    }
    let test = "! { grep -qx '204 new' code.txt && grep -qx '300 new' code.txt; }";
    let words = ["changes", "-q", "--json", "-j1", "--good", "good", "--bad", "bad", "--", "sh", "-c", test];
    let json = place.json(&words);
    let expected = ["204 old", "204 new", "300 old", "300 new"];
    let lines = lines_of(&json);
    assert!(expected.iter().all(|line| lines.iter().any(|found| found.ends_with(line))), "{lines:?}");
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_proved_within(&json, 40);
}

#[test]
fn what_the_wrong_line_needs_in_order_to_build_is_found_but_is_no_cause() {
    let place = versions();
    // In the bad version, part3.c includes a header of its own, whose type is too narrow for one of its sums.
    place.write(
        "bad/narrow.h",
        b"#ifndef NARROW_H\n#define NARROW_H\ntypedef unsigned char narrow;\n#endif\n",
    );
    place.replace_once("bad/part3.c", "#include \"terms.h\"", "#include \"terms.h\"\n#include \"narrow.h\"");
    place.replace_once("bad/part3.c", "int sum = 41;", "int sum = (narrow)297 - 1;");
    let json = found(&place, &["-j1"]);
    assert_answer(&json, 16, &["part3.c: -    int sum = 41;", "part3.c: +    int sum = (narrow)297 - 1;"]);
    let needs = json["finding"]["needs"].as_array().unwrap();
    let needs: Vec<&str> = needs.iter().map(|change| change["what"].as_str().unwrap()).collect();
    assert_eq!(needs, ["narrow.h: file added", "part3.c:2: 1 line added"]);
}

#[test]
fn the_line_that_prints_the_failure_is_found_in_versions_that_cannot_be_mixed() {
    let place = Place::empty();
    let write = |version: &str, generation: u32, length: &str, limit: &str| {
        let numbers = 1..=100;
        // With comments between them, each is a hunk of its own.
        let definition = |number| {
            format!("#define GENERATION_{number} {generation}\n/* Of part\n   {number},\n   see there. */\n")
        };
        let defined: String = numbers.clone().map(definition).collect();
        let same: String = numbers
            .skip(1)
            .map(|number| format!("_Static_assert(GENERATION_{number} == GENERATION_1, \"generations\");\n"))
            .collect();
        place.write(&format!("{version}/generation.h"), format!("{defined}{same}").as_bytes());
        let main = format!(
            "#include \"generation.h\"\n#include <stdio.h>\n\nint check(int sum)\n{{\n    \
             const int limits[{length}] = {{4000}};\n{limit}    return sum < 0;\n}}\n\nint main(void)\n{{\n    int status = \
             check(4560);\n    puts(\"checked\");\n    return status;\n}}\n"
        );
        place.write(&format!("{version}/main.c"), main.as_bytes());
    };
    write("good", 1, "3 - 2 * GENERATION_1", "");
    write(
        "bad",
        2,
        "2 * GENERATION_1 - 3",
        "    if (sum > limits[0])\n        return puts(\"the sum is too large\");\n",
    );
    let words = ["changes", "-q", "--json", "--run-dir", "run", "--good", "good", "--bad", "bad", "-j1"];
    let json = place.json(&[&words[..], &["--build", "cc -o prog main.c", "--", "./prog"]].concat());
    assert_answer(
        &json,
        30,
        &["main.c: +    if (sum > limits[0])", "main.c: +        return puts(\"the sum is too large\");"],
    );
}
