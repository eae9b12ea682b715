//! The program in C, built by make.

use super::plan::Region;
use super::source::{Files, Share, Source};
use super::version::Version;

pub const BUILD: &str = "make -s";

pub fn files(version: &Version) -> Files {
    let source = || Source::new(|remark| format!("/* {remark} */"), version.notes);
    let sum = version.feature;
    Files::from([
        (".gitignore".to_owned(), "*.o\ntally\n".to_owned()),
        ("Makefile".to_owned(), makefile()),
        ("tally.h".to_owned(), header(source(), sum)),
        ("options.c".to_owned(), options(source(), version, sum)),
        ("compute.c".to_owned(), compute(source(), version, sum)),
    ])
}

fn makefile() -> String {
    "CFLAGS = -std=c99 -Wall -Werror=return-type -Werror=implicit-function-declaration\n\n\
     tally: options.o compute.o\n\t$(CC) -o $@ $^\n\noptions.o compute.o: tally.h\n"
        .to_owned()
}

fn header(mut source: Source, sum: Share) -> String {
    source.lines("/* What the parts of the program know of each other. */").note(0);
    source.lines("enum mode {\n    LIST,").needed(sum, "    SUM,").lines("    COUNT\n};").note(1);
    source.lines("void answer(enum mode mode, const int *numbers, int count);").text()
}

fn options(mut source: Source, version: &Version, sum: Share) -> String {
    source
        .lines("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"tally.h\"\n")
        .note(2);
    source.lines("static int usage(void)\n{\n    fprintf(stderr, \"--list   the numbers\\n\");");
    source.beside(sum, "    fprintf(stderr, \"--sum    all together\\n\");");
    source
        .lines("    fprintf(stderr, \"--count  how many\\n\");")
        .note(3)
        .lines("    return 2;\n}\n")
        .note(4);
    source.lines("int main(int words, char **word)\n{\n    enum mode mode = LIST;\n    int count = 0;");
    source.lines("    int *numbers = calloc(words, sizeof *numbers);");
    source.lines("    for (int i = 1; i < words; i++) {").note(5);
    let short = version.region.is_some();
    let list = "        if (!strcmp(word[i], \"--list\")) mode = LIST;";
    source.either(short, &list.replace("\")", "\") || !strcmp(word[i], \"-l\")"), list);
    source.needed(sum, "        else if (!strcmp(word[i], \"--sum\")) mode = SUM;");
    let count = "        else if (!strcmp(word[i], \"--count\")) mode = COUNT;";
    let around = version.region == Some(Region::Around);
    source.either(around, &count.replace("\")", "\") || !strcmp(word[i], \"-c\")"), count);
    source.lines("        else if (word[i][0] == '-') return usage();");
    source.lines("        else numbers[count++] = atoi(word[i]);\n    }").note(8);
    source.lines("    answer(mode, numbers, count);\n    return 0;\n}").text()
}

fn compute(mut source: Source, version: &Version, sum: Share) -> String {
    source.lines("#include <stdio.h>\n#include \"tally.h\"\n").note(6);
    let unit = match (version.cause, version.cause_rewritten) {
        (false, _) => "const int unit = 1;",
        (true, false) => "const int unit = 2;",
        (true, true) => "const int unit = 1 + 1;",
    };
    source.lines(unit).note(7).lines("");
    source.either(version.second_cause, "const int bias = 6;", "const int bias = 0;").note(9);
    source.lines("\nstatic void list(const int *numbers, int count)\n{");
    source.lines("    for (int i = 0; i < count; i++) printf(\"%d\\n\", numbers[i]);\n}\n").note(10);
    source.needed(sum, "static int add_up(const int *numbers, int count)\n{\n    int total = bias;");
    source.beside(sum, "    /* Each number counts as often as the unit says. */");
    source.needed(sum, "    for (int i = 0; i < count; i++)\n        total += numbers[i] * unit;");
    source.needed(sum, "    return total;\n}");
    if version.broken {
        source.lines("int unfinished = ;");
    }
    source.lines("void answer(enum mode mode, const int *numbers, int count)\n{").note(11);
    source.lines("    switch (mode) {\n    case LIST: list(numbers, count); break;");
    source.needed(sum, "    case SUM: printf(\"total %d\\n\", add_up(numbers, count)); break;");
    source.lines("    case COUNT: printf(\"count %d\\n\", count); break;\n    }").note(12).lines("}").text()
}

/// The test as somebody would write it, outside of the repository.
pub fn test() -> String {
    "#!/bin/sh\nanswer=$(./tally --sum 1 2 3) || exit 2\necho \"$answer\"\ncase $answer in\n\
     \"total 6\") exit 0 ;;\n\"total 12\" | \"total 18\") exit 1 ;;\n*) exit 3 ;;\nesac\n"
        .to_owned()
}
