//! Regressions in C programs that are built with make.

use super::case::{KnowledgeCase, VersionFiles};
use crate::random::Random;

const BUILD: [&str; 2] = ["--build", "make -s"];

fn makefile(sources: &str) -> (String, String) {
    let flags = "-Werror=implicit-function-declaration";
    ("Makefile".to_owned(), format!("prog: {sources}\n\t$(CC) {flags} -o $@ $(filter %.c,$^)\n"))
}

/// A function that takes, waits for and releases a lock with a number, among functions that only note numbers.
pub(crate) fn functions(random: &mut Random) -> KnowledgeCase {
    const FUNCTIONS: u32 = 16;
    let culprit = random.below(FUNCTIONS);
    let waits: Vec<usize> = (0..FUNCTIONS).map(|_| 1 + random.below(3) as usize).collect();
    let version = |is_new: bool| -> VersionFiles {
        let function = |nth: u32| {
            let lock = 2 * nth + u32::from(is_new);
            let [take, wait, give] = if nth == culprit { ["take", "wait_for", "give"] } else { ["note"; 3] };
            let wait = format!("    {wait}({lock});\n    n++;\n    n--;\n").repeat(waits[nth as usize]);
            format!(
                "int work{nth}(int n)\n{{\n    {take}({lock});\n    n += 2;\n    n -= 2;\n{wait}    {give}({lock});\n    \
                 return n;\n}}\n\n"
            )
        };
        let functions: String = (0..FUNCTIONS).map(function).collect();
        let calls: String = (0..FUNCTIONS).map(|nth| format!("    work{nth}(1);\n")).collect();
        let new = 2 * culprit + 1;
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n\nint held[99], was[99];\n\n\
             void note(int n)\n{{\n}}\n\n\
             void take(int lock)\n{{\n    held[lock]++;\n    was[lock] = 1;\n}}\n\n\
             void wait_for(int lock)\n{{\n    if (!held[lock]) {{\n        puts(\"not my lock\");\n        exit(125);\n    }}\n}}\n\n\
             void give(int lock)\n{{\n    wait_for(lock);\n    held[lock]--;\n}}\n\n{functions}int main(void)\n{{\n{calls}    \
             return was[{new}];\n}}\n"
        );
        [makefile("prog.c"), ("prog.c".to_owned(), text)].into()
    };
    let lock = format!("({});", 2 * culprit + 1);
    KnowledgeCase {
        flags: &BUILD,
        test: "./prog".to_owned(),
        ..KnowledgeCase::between(version(false), version(true), |_, line| line.ends_with(&lock))
    }
}

const VERBS: [&str; 5] = ["trim", "fold", "wrap", "sort", "pack"];
const NOUNS: [&str; 4] = ["line", "page", "name", "list"];

fn name(nth: u32) -> String {
    format!("{}_{}", VERBS[nth as usize % 5], NOUNS[nth as usize / 5])
}

/// New functions, each with a prototype in a header and a call in another file.
pub(crate) fn needs(random: &mut Random) -> KnowledgeCase {
    const FUNCTIONS: u32 = 16;
    let culprit = random.below(FUNCTIONS);
    let line = |nth: u32| {
        let name = name(nth);
        let value = if nth == culprit { "n - 1" } else { "n" };
        [
            ("parts.c", format!("int {name}(int n) {{ return {value}; }}")),
            ("parts.h", format!("int {name}(int n);")),
            ("main.c", format!("    n = {name}(n);")),
        ]
    };
    let version = |is_new: bool| -> VersionFiles {
        let file = |file: usize, gap: &str| -> String {
            let one = |nth: u32| {
                format!("{}\n{gap}", if is_new { line(nth)[file].1.clone() + "\n" } else { String::new() })
            };
            (0..FUNCTIONS).map(one).collect()
        };
        let gap = |nth: &str| format!("/* {nth} */\n\n");
        let main = format!(
            "#include \"parts.h\"\n\nint main(void)\n{{\n    int n = 1;\n{}    return n != 1;\n}}\n",
            file(2, "    n++;\n    n--;\n")
        );
        [
            makefile("main.c parts.c parts.h"),
            ("main.c".to_owned(), main),
            ("parts.c".to_owned(), format!("#include \"parts.h\"\n\n{}", file(0, &gap("next part")))),
            ("parts.h".to_owned(), file(1, &gap("next"))),
        ]
        .into()
    };
    KnowledgeCase {
        versions: vec![version(false), version(true)],
        flags: &BUILD,
        test: "./prog".to_owned(),
        cause: line(culprit).iter().map(|(path, line)| format!("{path}: +{line}")).collect(),
    }
}

/// New functions whose names a macro puts together, so that only the linker notices if they are missing.
pub(crate) fn repairs(random: &mut Random) -> KnowledgeCase {
    const FUNCTIONS: u32 = 20;
    let culprit = random.below(FUNCTIONS);
    let line = |nth: u32| {
        let name = name(nth);
        let value = if nth == culprit { "n - 1" } else { "n" };
        [
            ("parts.c", format!("int step_{name}(int n) {{ return {value}; }}")),
            ("main.c", format!("    STEP({name})")),
        ]
    };
    let version = |is_new: bool| -> VersionFiles {
        let file = |file: usize, gap: &str| -> String {
            let one = |nth: u32| {
                format!("{}{gap}", if is_new { line(nth)[file].1.clone() + "\n" } else { String::new() })
            };
            (0..FUNCTIONS).map(one).collect()
        };
        let main = format!(
            "#define STEP(name) {{ int step_##name(int); n = step_##name(n); }}\n\nint main(void)\n{{\n    int n = 1;\n{}    \
             return n != 1;\n}}\n",
            file(1, "    n++;\n    n--;\n")
        );
        let parts = file(0, "/* next part */\n\n");
        [makefile("main.c parts.c"), ("main.c".to_owned(), main), ("parts.c".to_owned(), parts)].into()
    };
    KnowledgeCase {
        versions: vec![version(false), version(true)],
        flags: &BUILD,
        test: "./prog".to_owned(),
        cause: line(culprit).iter().map(|(path, line)| format!("{path}: +{line}")).collect(),
    }
}

/// Functions that the failing run mostly does not execute.
pub(crate) fn coverage(random: &mut Random) -> KnowledgeCase {
    const FUNCTIONS: u32 = 40;
    const RUN: u32 = 4;
    let first = random.below(FUNCTIONS - 3 * RUN);
    let runs: Vec<u32> = (0..RUN).map(|nth| first + 3 * nth).collect();
    let culprit = runs[random.below(RUN) as usize];
    let version = |is_new: bool| -> VersionFiles {
        let function = |nth: u32| {
            let value = match is_new {
                true if nth == culprit => "n - 1",
                true => "n + 0",
                false => "n",
            };
            format!("int part{nth}(int n)\n{{\n    n++;\n    n--;\n    return {value};\n}}\n\n")
        };
        let functions: String = (0..FUNCTIONS).map(function).collect();
        let calls: String = (0..FUNCTIONS)
            .map(|nth| {
                let condition = if runs.contains(&nth) { "" } else { "if (c > 9) " };
                format!("    {condition}n = part{nth}(n);\n")
            })
            .collect();
        let main = format!("int main(int c, char **v)\n{{\n    int n = 1;\n{calls}    return n != 1;\n}}\n");
        [makefile("prog.c"), ("prog.c".to_owned(), functions + &main)].into()
    };
    KnowledgeCase {
        flags: &["--build", "make -s", "--coverage", "gcov"],
        test: "./prog".to_owned(),
        ..KnowledgeCase::between(version(false), version(true), |_, line| line == "    return n - 1;")
    }
}
