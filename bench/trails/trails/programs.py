"""Cases of `howcome changes` about C programs that make builds, and about what knowledge of code saves."""

from .case import ask, resume
from .repository import Repository

FLAGS = "-O0 -Werror=implicit-function-declaration"
MAKEFILE = f"prog: main.o part.o\n\t$(CC) -o $@ main.o part.o\n%.o: %.c common.h\n\t$(CC) {FLAGS} -c $<\n"
GOOD = {
    "Makefile": MAKEFILE,
    "common.h": "#define SIZE 3\n#define NAME \"x\"\nint part(int n);\n",
    "main.c": '#include "common.h"\n#include <stdio.h>\n\nint main(void)\n{\n    printf("%d\\n", part(SIZE));\n    return 0;\n}\n',
    "part.c": '#include "common.h"\n\nint part(int n)\n{\n    return n + SIZE;\n}\n',
}
SIX = 'test "$(./prog)" = 6'
RANGE = ("--good", "good", "--bad", "main")
CLUES = ("commits", "files", "functions", "words", "needs", "repairs", "evidence", "unread", "coverage")


def cases():
    """All of them."""
    return [*builds(), *knowledge()]


def built(name, repository, *words, test=SIX, commands=None):
    command = ask("changes", *RANGE, "--build", "make -s", *words, test=["sh", "-c", test])
    return repository.case(f"changes-build-{name}", commands or [command])


def program(*versions):
    """A repository with the good version and then others; each is a list of replacements in files."""
    repository, files = Repository(), dict(GOOD)
    repository.commit("good", files)
    repository.tag("good")
    for number, replacements in enumerate(versions, 1):
        files["part.c"] += f"/* {number} */\n"
        for path, old, new in replacements:
            assert old in files[path], (path, old)
            files[path] = files[path].replace(old, new)
        repository.commit(f"commit {number}", files)
    return repository


def builds():
    header = program([], [("common.h", "SIZE 3", "SIZE 4"), ("common.h", '"x"', '"y"')], [], [])
    yield built("header", header)
    yield built("header-clean", header, "--clean", "rm -f prog main.o part.o")
    broken = program(
        [("part.c", "int n)", "int n, int m)"), ("common.h", "int n)", "int n, int m)")],
        [("part.c", "n + SIZE", "n - SIZE")],
        [("main.c", "part(SIZE)", "part(SIZE, 1)")],
        [],
    )
    yield built("broken", broken)
    first = ask("changes", *RANGE, "--build", "make -s", "--max-tests", "3", test=["sh", "-c", SIX])
    yield built("broken-stopped", broken, commands=[first, resume()])
    extra = program(
        [("part.c", "n + SIZE", "n + SIZE + EXTRA"), ("common.h", "int part", "#ifndef EXTRA\n#define EXTRA 0\n#endif\nint part")],
        [],
        [("Makefile", "-c $<", "-DEXTRA=1 -c $<"), ("Makefile", "CC) -o", "CC) -g -o")],
        [],
    )
    yield built("makefile", extra)
    never = program([("part.c", "return", "retrun")], [("part.c", "n + SIZE", "n - SIZE")])
    yield built("bad-does-not-build", never)
    yield built("coverage", header, "--coverage", "gcov")
    yield built("within-hunk", broken, "--within", "hunk")


def functions(is_new, count=8, culprit=5):
    """New functions, each with a prototype in a header and a call in another file."""
    parts, header, calls = ['#include "parts.h"\n'], [], []
    for number in range(count):
        name = ("trim_line", "fold_page", "wrap_name", "sort_list", "pack_line", "trim_page", "fold_name", "wrap_list")[number]
        if is_new:
            parts += [f"int {name}(int n) {{ return {'n - 1' if number == culprit else 'n'}; }}\n"]
            header += [f"int {name}(int n);\n"]
            calls += [f"    n = {name}(n);\n"]
        parts += ["/* next part */\n\n"]
        header += ["/* next */\n\n"]
        calls += ["    n++;\n    n--;\n"]
    main = '#include "parts.h"\n\nint main(void)\n{\n    int n = 1;\n' + "".join(calls) + "    return n != 1;\n}\n"
    makefile = f"prog: main.c parts.c parts.h\n\t$(CC) {FLAGS} -o $@ main.c parts.c\n"
    notes = "".join(f"{number} {'new' if is_new else 'old'}\n\n\n" for number in range(6))
    return {"Makefile": makefile, "main.c": main, "parts.c": "".join(parts), "parts.h": "".join(header), "notes.txt": notes}


def knowledge():
    """The same search with all that is known, and without each piece of it."""
    repository = Repository()
    repository.commit("good", functions(False))
    repository.tag("good")
    repository.commit("everything", functions(True))
    yield built("needs", repository, test="./prog")
    for clue in CLUES:
        yield built(f"without-{clue}", repository, "--without", clue, test="./prog")
    without = [word for clue in CLUES for word in ("--without", clue)]
    yield built("without-all", repository, *without, test="./prog")
    for algorithm in ("ddmin", "dd+"):
        yield built(f"needs-{algorithm}", repository, "--algorithm", algorithm, test="./prog")
    python = Repository()
    python.commit("good", {"shop.py": shop(False), "check.py": CHECK})
    python.tag("good")
    python.commit("more", {"shop.py": shop(True)})
    python.commit("later", {"notes.txt": "x\n"})
    command = ask("changes", *RANGE, test=["python3", "-I", "-S", "-B", "check.py"])
    yield python.case("changes-python", [command])


CHECK = "import sys\nsys.path.insert(0, '.')\nimport shop\nassert shop.total([1, 2]) == 3, shop.total([1, 2])\n"


def shop(is_new):
    tax = "\n\ndef tax(price):\n    return price * TAX\n" if is_new else ""
    head = "TAX = 2\n" if is_new else "\n"
    price = "tax(price)" if is_new else "price"
    name = "result" if is_new else "total"
    total = f"def total(prices):\n    result = 0\n    for price in prices:\n        result += {price}\n    return result\n"
    show = f"def show(prices):\n    {name} = total(prices)\n    print({name})\n"
    return f"{head}\nRATE = 1\n{tax}\n\n{total}\n\n{show}"
