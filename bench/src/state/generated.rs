//! Large generated C programs.

use super::programs::compile;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of records in a unit.
const RECORDS: usize = 4500;

/// A program with this many units, each with 94,500 entries of debug information: records, functions, variables.
pub(super) fn declarations(folder: &Path, units: usize) -> anyhow::Result<PathBuf> {
    let mut objects = Vec::new();
    for unit in 0..units {
        let (source, object) = (folder.join(format!("part{unit}.c")), folder.join(format!("part{unit}.o")));
        if !object.exists() {
            fs::write(&source, part(unit))?;
            let unfinished = folder.join("unfinished.o");
            compile(folder, &[&source], &["-c".as_ref(), "-o".as_ref(), &unfinished])?;
            fs::rename(&unfinished, &object)?;
        }
        objects.push(object);
    }
    let main = folder.join("main.c");
    fs::write(&main, "int main(void) { return 0; }\n")?;
    let program = folder.join(format!("declared{units}"));
    let files: Vec<&Path> = objects.iter().chain([&main]).map(PathBuf::as_path).collect();
    compile(folder, &files, &["-o".as_ref(), &program])?;
    Ok(program)
}

fn part(unit: usize) -> String {
    let mut text = String::new();
    for record in 0..RECORDS {
        let name = format!("{unit}_{record}");
        let before = record.checked_sub(1).map(|before| format!("struct record{unit}_{before} *before;"));
        let before = before.unwrap_or_default();
        // Writing to a text does not fail.
        let _ = write!(
            text,
            "struct record{name} {{ int number; long total; char name[{}]; double *weights; {before}\n  \
             struct record{name} *next; unsigned kind : 3, depth : 5; short x, y; }};\n\
             struct record{name} *variable{name};\n\
             int work{name}(struct record{name} *record, int count, const char *text) {{\n  \
             int sum = count, index = 0;\n  \
             for (; index < count; index++) {{ int here = record->number + text[index]; sum += here; }}\n  \
             return sum;\n}}\n",
            record % 30 + 1
        );
    }
    text
}

/// The number of functions of the program with many lines.
const FUNCTIONS: usize = 1400;
/// The number of its files.
const FILES: usize = 14;
/// The number of functions that are run.
const RUN: usize = 400;
/// The function with the fault.
const FAULTY: usize = 180;

/// A program of 50,000 lines that runs hundreds of functions, one of which has a fault. Also returns the number of
/// lines.
pub(super) fn lines(folder: &Path) -> anyhow::Result<(PathBuf, usize)> {
    fs::write(folder.join("world.h"), HEADER)?;
    let main = folder.join("main.c");
    fs::write(&main, format!("#define RUN {RUN}\n{}", declared_steps() + MAIN))?;
    let mut files = vec![main];
    for file in 0..FILES {
        let path = folder.join(format!("steps{file}.c"));
        let mut text = "#include \"world.h\"\n".to_owned();
        (file * FUNCTIONS / FILES..(file + 1) * FUNCTIONS / FILES).for_each(|number| step(&mut text, number));
        fs::write(&path, text)?;
        files.push(path);
    }
    let count = |path: &PathBuf| Ok(fs::read_to_string(path)?.lines().count());
    let lines = files.iter().map(count).sum::<anyhow::Result<usize>>()?;
    let program = folder.join("world");
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    compile(folder, &files, &["-o".as_ref(), &program])?;
    Ok((program, lines))
}

fn declared_steps() -> String {
    let mut text = "#include \"world.h\"\n".to_owned();
    for number in 0..FUNCTIONS {
        let _ = writeln!(text, "int step{number}(struct world *world, int depth);");
    }
    let names: Vec<String> = (0..FUNCTIONS).map(|number| format!("step{number}")).collect();
    let _ = writeln!(text, "static int (*const steps[])(struct world *, int) = {{ {} }};", names.join(", "));
    text
}

/// A function of about 40 lines that changes the state.
fn step(text: &mut String, number: usize) {
    let (slot, other, factor) = (number % 64, (number * 7 + 3) % 64, number % 5 + 2);
    // Every eighth function calls the next one, so that the stack varies.
    let calls = number.is_multiple_of(8);
    let next = number + 1;
    if calls {
        let _ = writeln!(text, "int step{next}(struct world *world, int depth);");
    }
    let _ = write!(
        text,
        "\nint step{number}(struct world *world, int depth) {{\n\
         \x20   int local[8] = {{0}};\n\
         \x20   int sum = 0;\n\
         \x20   int index;\n\
         \x20   struct item *item;\n\
         \x20   for (index = 0; index < 8; index++) {{\n\
         \x20       local[index] = index * {factor};\n\
         \x20       if (index % 2 == 0)\n\
         \x20           local[index] += {slot};\n\
         \x20       else\n\
         \x20           local[index] -= depth;\n\
         \x20   }}\n\
         \x20   for (item = world->items; item != NULL; item = item->next) {{\n\
         \x20       sum += item->value;\n\
         \x20       if (item->kind == {})\n\
         \x20           item->seen++;\n\
         \x20   }}\n\
         \x20   switch (sum % 4) {{\n\
         \x20   case 0:\n\
         \x20       world->table[{slot}] += local[1];\n\
         \x20       break;\n\
         \x20   case 1:\n\
         \x20       world->table[{slot}] -= local[2];\n\
         \x20       break;\n\
         \x20   case 2:\n\
         \x20       world->table[{other}] ^= local[3];\n\
         \x20       break;\n\
         \x20   default:\n\
         \x20       world->table[{other}] = local[4];\n\
         \x20       break;\n\
         \x20   }}\n",
        number % 3
    );
    if number == FAULTY {
        // The fault: a value that equals the limit is rejected, although it is allowed.
        text.push_str(
            "    for (item = world->items; item != NULL; item = item->next) {\n        if (item->value >= world->limit)\n            world->rejected++;\n    }\n",
        );
    }
    if calls {
        let _ = writeln!(text, "    if (depth < 3)\n        sum += step{next}(world, depth + 1);");
    }
    text.push_str("    world->steps++;\n    return sum % 1000;\n}\n");
}

const HEADER: &str = "\
#include <stdio.h>
#include <stdlib.h>

struct item {
    int value;
    int kind;
    int seen;
    char name[12];
    struct item *next;
};

struct world {
    struct item *items;
    int count;
    int limit;
    int rejected;
    long steps;
    int table[64];
};
";

const MAIN: &str = "
static struct world *make_world(int count, char **values) {
    struct world *world = calloc(1, sizeof *world);
    world->limit = 50;
    for (int i = 0; i < count; i++) {
        struct item *item = calloc(1, sizeof *item);
        item->value = atoi(values[i]);
        item->kind = i % 3;
        snprintf(item->name, sizeof item->name, \"item %d\", i);
        item->next = world->items;
        world->items = item;
        world->count++;
    }
    return world;
}

static int check(struct world *world) {
    int accepted = world->count - world->rejected;
    return accepted == world->count;
}

static void report(struct world *world) {
    if (!check(world)) {
        printf(\"%d items are wrong\\n\", world->rejected);
        exit(3);
    }
    printf(\"all right\\n\");
}

int main(int argc, char **argv) {
    struct world *world = make_world(argc - 1, argv + 1);
    for (int i = 0; i < RUN; i++)
        steps[i](world, 0);
    report(world);
    return 0;
}
";
