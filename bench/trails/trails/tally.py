"""A small program whose revisions are known: when an option came, when its result broke, and when it did not build."""

import random
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Plan:
    """Revisions are counted from 0, the oldest. `cause` is None if it never worked."""

    revisions: int
    feature: int
    cause: int = None
    seed: int = 1
    second_feature: int = None
    second_cause: int = None
    rewritten: int = None
    near: int = None
    around: int = None
    renamed: int = None
    broken: tuple = ()
    driver: bool = False
    language: str = "shell"

    def but(self, **changes):
        return replace(self, **changes)

    def versions(self):
        """The files of all revisions, the oldest first."""
        chance = random.Random(f"tally {self.seed}")
        notes = {place: place for place in range(1, 16, 2)}
        for index in range(self.revisions):
            for _ in range(chance.randint(1, 4)):
                notes[chance.randrange(16)] = chance.choice([0, index + 100, index + 200])
            files = (c_files if self.language == "c" else shell_files)(Version(self, index, dict(notes)))
            yield {**files, "CHANGES.md": "".join(f"change {number}\n" for number in range(index, max(-1, index - 9), -1))}


class Version:
    """What one revision has."""

    def __init__(self, plan, index, notes):
        self.plan, self.index, self.notes = plan, index, notes
        self.broken = index in plan.broken
        unit = ("1 + 1" if self.since("rewritten") else "2") if plan.cause is None or self.since("cause") else "1"
        self.unit = f"$(({unit}))" if plan.language == "shell" and "+" in unit else unit
        self.bias = "6" if self.since("second_cause") else "0"
        self.sum = self.since("feature") or plan.driver
        self.check = self.since("feature")
        self.quiet = self.since("second_feature")

    def since(self, event):
        at = getattr(self.plan, event)
        return at is not None and self.index >= at

    def text(self, lines, note):
        """Joins lines; a number stands for a note, an empty tuple for nothing."""
        noted = lambda place: note.format(self.notes[place]) if self.notes.get(place) else ()
        lines = [noted(line) if isinstance(line, int) else line for line in lines]
        return "".join(f"{line}\n" for line in lines if line != ())


def shell_files(version):
    has = lambda condition, text: text if condition else ()
    short = version.since("near") or version.since("around")
    options = [
        "# What the words of the command line mean.", 0, "usage() {",
        '    echo "usage: tally [option]... [number]..." >&2', '    echo "  --list   the numbers as they are" >&2',
        has(version.sum, '    echo "  --sum    all of them together" >&2'), '    echo "  --count  how many there are" >&2', 1,
        has(version.quiet, '    echo "  --quiet  without words" >&2'), "    exit 2\n}\n", 2,
        "mode=list\nwords=yes\nnumbers=\n", "take() {", 3, "    case $1 in\n    --help) usage ;;",
        "    --list | -l) mode=list ;;" if short else "    --list) mode=list ;;", has(version.sum, "    --sum) mode=sum ;;"),
        "    --count | -c) mode=count ;;" if version.since("around") else "    --count) mode=count ;;", 4, "    --first) mode=first ;;",
        has(version.quiet, "    --quiet) words=no ;;"), "    --verbose) words=yes ;;", 5,
        '    -*) echo "unknown option $1" >&2; usage ;;', '    *) numbers="$numbers $1" ;;\n    esac\n}',
    ]
    compute = [
        "# What is made of the numbers.\n", 6, f"readonly unit={version.unit}", 7, "\nlist() {\n    echo $numbers\n}\n",
        "count() {\n    set -- $numbers", 8, "    say count $#\n}\n",
        has(version.sum, "add_up() {\n    total=$bias\n    # Each number counts as often as the unit says."),
        has(version.sum, "    for number in $numbers; do\n        total=$(($total + $number * $unit))\n    done"),
        has(version.sum, "    say total $total\n}"), "first() {\n    set -- $numbers\n    say first $1\n}", 9, "\nanswer() {", 10,
        "    case $mode in\n    list) list ;;", has(version.sum, "    sum) add_up ;;"), "    count) count ;;", 11,
        "    first) first ;;\n    esac\n}\n", 12, f"readonly bias={version.bias}",
    ]
    write = [
        "# How an answer is written.", 13, "\nsay() {\n    answered=yes", has(version.quiet, "    [ $words = yes ] || shift"),
        '    echo "$@"\n}', has(version.broken, "\nsay_more() {\n    if"),
    ]
    last = ["# All of it.\nset -u", 14, 'for word in "$@"; do\n    take "$word"\ndone', 15, "answer"]
    library = "library" if version.since("renamed") else "lib"
    parts = {"options": options, "compute": compute, "write": write, "main": last}
    together = " ".join(f"{library}/{name}.sh" for name in parts)
    build = ["# Puts the program together.", "set -e", "mkdir -p out", f"cat {together} >out/tally", "sh -n out/tally"]
    files = {f"{library}/{name}.sh": version.text(lines, "# See remark {} about this.") for name, lines in parts.items()}
    files["build"] = version.text(build, "")
    if version.plan.driver:
        files["check.sh"] = version.text([
            "# Checks one thing that the program can do.\nexpected=\nresult=none\ncase $1 in", 'list) expected="1 2 3" ;;',
            has(version.check, 'sum) expected="total 6" ;;'), 'count) expected="count 3" ;;\nesac\n',
            'if [ -z "$expected" ]; then\n    echo "no check is named $1" >&2\n    exit 2\nfi\n',
            "case $1 in\nlist) result=$(sh out/tally --list 1 2 3) ;;", has(version.check, "sum) result=$(sh out/tally --sum 1 2 3) ;;"),
            "count) result=$(sh out/tally --count 1 2 3) ;;\nesac\n", '[ "$result" = "$expected" ]',
        ], "")
    return files


def c_files(version):
    has = lambda condition, text: text if condition else ()
    options = [
        '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include "tally.h"\n', 2, "static int usage(void)\n{",
        '    fprintf(stderr, "--list   the numbers\\n");', has(version.sum, '    fprintf(stderr, "--sum    all together\\n");'), 3,
        "    return 2;\n}\n", 4, "int main(int words, char **word)\n{\n    enum mode mode = LIST;\n    int count = 0;",
        "    int *numbers = calloc(words, sizeof *numbers);", "    for (int i = 1; i < words; i++) {", 5,
        '        if (!strcmp(word[i], "--list")) mode = LIST;', has(version.sum, '        else if (!strcmp(word[i], "--sum")) mode = SUM;'),
        '        else if (!strcmp(word[i], "--count")) mode = COUNT;', "        else if (word[i][0] == '-') return usage();",
        "        else numbers[count++] = atoi(word[i]);\n    }", 8, "    answer(mode, numbers, count);\n    return 0;\n}",
    ]
    compute = [
        '#include <stdio.h>\n#include "tally.h"\n', 6, f"const int unit = {version.unit};", 7, f"\nconst int bias = {version.bias};", 9,
        "\nstatic void list(const int *numbers, int count)\n{", 10, '    for (int i = 0; i < count; i++) printf("%d\\n", numbers[i]);\n}\n',
        has(version.sum, "static int add_up(const int *numbers, int count)\n{\n    int total = bias;"),
        has(version.sum, "    for (int i = 0; i < count; i++)\n        total += numbers[i] * unit;\n    return total;\n}"),
        has(version.broken, "int unfinished = ;"), "void answer(enum mode mode, const int *numbers, int count)\n{", 11,
        "    switch (mode) {\n    case LIST: list(numbers, count); break;",
        has(version.sum, '    case SUM: printf("total %d\\n", add_up(numbers, count)); break;'),
        '    case COUNT: printf("count %d\\n", count); break;\n    }', 12, "}",
    ]
    header = ["enum mode {\n    LIST,", has(version.sum, "    SUM,"), "    COUNT\n};", 1, "void answer(enum mode mode, const int *numbers, int count);"]
    flags = "-std=c99 -Wall -Werror=return-type -Werror=implicit-function-declaration"
    parts = {"tally.h": header, "options.c": options, "compute.c": compute}
    files = {name: version.text(lines, "/* See remark {} about this. */") for name, lines in parts.items()}
    files["Makefile"] = f"CFLAGS = {flags}\n\ntally: options.o compute.o\n\t$(CC) -o $@ $^\n\noptions.o compute.o: tally.h\n"
    return {**files, ".gitignore": "*.o\ntally\n"}


def test(plan):
    """The test, as a user would write it outside the repository."""
    if plan.driver:
        return "#!/bin/sh\nexec sh check.sh sum\n"
    program = "./tally" if plan.language == "c" else "sh out/tally"
    options, said = ("--sum --quiet", "") if plan.second_feature is not None else ("--sum", "total ")
    return (
        f'#!/bin/sh\nanswer=$({program} {options} 1 2 3) || exit 2\necho "$answer"\ncase $answer in\n"{said}6") exit 0 ;;\n'
        f'"{said}12" | "{said}18") exit 1 ;;\n*) exit 3 ;;\nesac\n'
    )


def build(plan):
    """The build command of a revision."""
    return "make -s" if plan.language == "c" else "sh build"
