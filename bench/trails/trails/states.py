"""Cases of `howcome state`: the programs with seeded faults of the tests of `state`, and a few more."""

import shutil
from pathlib import Path

from .case import Case, ask, resume

PROGRAMS = Path(__file__).resolve().parents[3] / "crates/state/tests/programs"
# Enough for a loaded machine: an altered run takes milliseconds unless it hangs.
LIMIT = "800ms"
# Their failing runs hang, so that most of their tests would take as long.
SLOW = {"graph"}
COMPILERS = {".c": "gcc -g -O0", ".cpp": "g++ -g -O0", ".rs": "rustc -g"}

SIZES = """#include <stdio.h>
#include <stdlib.h>
static int width, height, depth;
static void report(void) { if (width == 3 && height == 4) abort(); printf("fine\\n"); }
int main(int argc, char **argv)
{
    width = atoi(argv[1]); height = atoi(argv[2]); depth = atoi(argv[3]);
    report();
    return 0;
}
"""
BILLS = """#include <stdio.h>
#include <stdlib.h>
struct order { int pieces; int price; };
static int discount = 1;
static void bill(struct order *order)
{
    if (order->pieces > 10)
        abort();
    printf("%d\\n", order->pieces * order->price * discount);
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct order order = { atoi(argv[i]), 3 };
        bill(&order);
    }
    return 0;
}
"""
SORT = """#include <stdio.h>
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
    printf("\\n");
    return 0;
}
"""


def cases(record):
    """All cases of this question. The record has its own copy of the programs, so that they stay as they were."""
    folder = record / "programs"
    if not folder.exists():
        shutil.copytree(PROGRAMS, folder)
    sources = [path for path in sorted(folder.iterdir()) if path.suffix in COMPILERS and path.stem not in SLOW]
    return [*seeded([path for path in sources if "\n// place: " in path.read_text()]), *small()]


def state(name, source, fail, words, files=None, commands=None, suffix=".c"):
    """A case about one program, which is compiled as `program`."""
    compile_it = f"{COMPILERS[suffix]} -o program program{suffix} 2>/dev/null\n"
    command = ask("state", "--fail", fail, "--timeout", LIMIT, *words)
    return Case(f"state-{name}", commands or [command], {f"program{suffix}": source, **(files or {})}, compile_it)


def seeded(sources):
    for number, path in enumerate(sources):
        source = path.read_text()
        header = dict(line[3:].split(": ", 1) for line in source.splitlines() if line.startswith("// ") and ": " in line)
        files = {f"{run}.in": header.get(f"{run}-stdin", "").replace("\\n", "\n") for run in ("pass", "fail")}
        runs = {run: f"./program {header.get(run, '')} < {run}.in" for run in ("pass", "fail")}
        words = ["--pass", runs["pass"], "--at", header["place"]]
        yield state(path.stem, source, runs["fail"], words, files, suffix=path.suffix)
        if number % 5 == 0:
            yield state(f"{path.stem}-chain", source, runs["fail"], words[:2], files, suffix=path.suffix)
        if number % 8 == 1:
            first = ask("state", "--fail", runs["fail"], "--timeout", LIMIT, *words, "--max-tests", "2")
            commands = [first, resume("--max-tests", "4"), resume()]
            yield state(f"{path.stem}-stopped", source, "", [], files, commands, path.suffix)


def small():
    fail, passing = "./program 9 8 7 6 5", ("--pass", "./program 9 8 7 6 5 4")
    yield state("sort", SORT, fail, passing)
    yield state("sort-transitions", SORT, fail, [*passing, "--transitions"])
    yield state("sort-every-function", SORT, fail, [*passing, "--every-function"])
    yield state("sort-lines", SORT, fail, [*passing, "--at", "program.c:20:3", "--at", "shell_sort:1"])
    yield state("sort-fails-when", SORT, fail, [*passing, "--at", "shell_sort", "--fails-when", "stdout~^0"])
    judge = '#!/bin/sh\nread first rest\n[ "$HOWCOME_STATUS" = 0 ] || exit 125\n[ "$first" != 0 ]\n'
    judged = ask("state", "--fail", fail, *passing, "--at", "shell_sort", "--timeout", LIMIT, test=["./judge"])
    yield state("sort-judged", SORT, "", [], {"judge": judge}, [judged])
    first = ask("state", "--fail", fail, *passing, "--timeout", LIMIT, "--max-tests", "3")
    yield state("sort-stopped", SORT, "", [], None, [first, resume()])
    yield state("sizes", SIZES, "./program 3 4 5", ["--pass", "./program 1 2 6", "--at", "report"])
    yield state("sizes-chain", SIZES, "./program 3 4 5", ["--pass", "./program 1 2 6"])
    yield state("between", BILLS, "./program 2 5 11", ["--between", "bill:2", "bill:3"])
    yield state("refused-alike", SORT, "./program 1 2", ["--pass", "./program 1 2"])
    yield state("refused-place", SORT, fail, [*passing, "--at", "nowhere"])
    yield state("refused-fails-when", SORT, fail, [*passing, "--fails-when", "stdout~never"])
    yield state("refused-no-program", SORT, "./none 1", ["--pass", "./none 2"])
    yield state("dry-run", SORT, fail, [*passing, "--dry-run"])
