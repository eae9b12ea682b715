"""Cases of `howcome input`: generated documents, and tests by grep or by the programs that read them."""

import random

from . import documents
from .case import Case, ask, resume

BOTH = "#!/bin/sh\nif grep -q NEEDLE \"$1\" && grep -q THREAD \"$1\"; then exit 1; fi\n"
ONE = "#!/bin/sh\nif grep -q NEEDLE \"$1\"; then exit 1; fi\n"
# Without one of them it cannot tell.
JUDGED = "#!/bin/sh\ngrep -q THREAD \"$1\" || exit 125\nif grep -q NEEDLE \"$1\"; then exit 1; fi\n"
TEST = ["./test.sh", "{}"]


def cases():
    """All cases of this question."""
    return [*texts(), *programs(), *packed(), *several(), *options(), *isolations(), *stopped(), *refusals()]


def case(name, file, content, test, *words, commands=None, files=None):
    """A case about one input."""
    files = {file: content, "test.sh": test, **(files or {})}
    return Case(f"input-{name}", commands or [ask("input", file, *words, test=TEST)], files)


def texts():
    for kind in documents.TEXTS:
        file, content = documents.made(kind, 1)
        yield case(f"{kind}-both", file, content, BOTH)
    for kind in ("text", "c", "json", "python", "html"):
        file, content = documents.made(kind, 2)
        yield case(f"{kind}-one", file, content, ONE)
        yield case(f"{kind}-judged", file, content, JUDGED)
    yield case("bytes", "input.bin", documents.binary(random.Random(1)), BOTH.replace("-q", "-aq"))


# Tests in which the program that reads the format has a say.
READERS = {
    "c": "gcc -w -fsyntax-only \"$1\" 2>/dev/null || exit 0\n",
    "python": "python3 -I -S -c 'import sys; compile(open(sys.argv[1]).read(), \"x\", \"exec\")' \"$1\" 2>/dev/null || exit 0\n",
    "json": "jq . \"$1\" >/dev/null 2>&1 || exit 0\n",
    "sql": "sqlite3 :memory: <\"$1\" >/dev/null 2>&1 || exit 0\n",
    "bash": "bash -n \"$1\" 2>/dev/null || exit 0\n",
}


def programs():
    for kind, reader in READERS.items():
        file, content = documents.made(kind, 3)
        test = BOTH.replace("#!/bin/sh\n", "#!/bin/sh\n" + reader)
        yield case(f"{kind}-program", file, content, test)
    error = "int first = 1;\nint second(int x) { return x + missing; }\nint third(void) { return second(first) + 2; }\n"
    compiler = ["gcc", "-c", "-o", "/dev/null", "{}"]
    diagnosed = ask("input", "bug.c", "--fails-when", "stderr~.missing. undeclared", test=compiler)
    yield case("c-diagnostic", "bug.c", error, ONE, commands=[diagnosed])
    yield case("c-compiler", "bug.c", error, ONE, commands=[ask("input", "bug.c", test=compiler)])
    functions = "def get(i):\n    return b['x'][i]\n\ndef other():\n    return b['y']\n\n"
    traceback = f"a = [1, 2, 3]\nb = {{'x': a}}\n\n{functions}for i in range(9):\n    print(get(i))\n"
    commands = [ask("input", "bug.py", test=["python3", "-I", "-S", "{}"])]
    yield case("python-traceback", "bug.py", traceback, ONE, commands=commands)
    lithium = "def interesting(args, prefix):\n    text = open(args[0]).read()\n    return 'NEEDLE' in text and 'THREAD' in text\n"
    file, content = documents.made("text", 4)
    commands = [ask("input", file, test=["lithium_test.py", "{}"])]
    yield case("lithium", file, content, ONE, commands=commands, files={"lithium_test.py": lithium})


UNPACKED = {
    "zip": "unzip -p \"$1\" 2>/dev/null || python3 -I -S -m zipfile -t \"$1\" 2>/dev/null",
    "tar": "cat \"$1\"",
    "gz": "gzip -cd \"$1\" 2>/dev/null",
    "png": "cat \"$1\"",
}


def packed():
    made = {"zip": documents.zipped, "tar": documents.tarred, "gz": documents.gzipped, "png": documents.png}
    for kind, make in made.items():
        for words, name in ((["NEEDLE"], "one"), (["NEEDLE", "THREAD"], "both")):
            checks = "".join(f"case $text in *{word}*) ;; *) exit 0 ;; esac\n" for word in words)
            test = f"#!/bin/sh\ntext=$({UNPACKED[kind]} | tr -d '\\0')\n{checks}exit 1\n"
            yield case(f"{kind}-{name}", f"input.{kind}", make(random.Random(kind)), test)
    test = "#!/bin/sh\nhead -c 8 \"$1\" | grep -aq PNG && grep -aq IEND \"$1\" && grep -aq THREAD \"$1\" && exit 1\nexit 0\n"
    yield case("png-chunks", "input.png", documents.png(random.Random(5)), test)
    part = documents.zipped(random.Random(6))[:300]
    yield case("zip-as-bytes", "input.zip", part, "#!/bin/sh\n! grep -aq one.txt \"$1\"\n", "--format", "bytes")


def several():
    """Folders, and more than one file."""
    folder = {f"tree/{name}": content for name, content in documents.members(random.Random(7)).items()}
    test = "#!/bin/sh\ngrep -qrs NEEDLE tree/one.txt && grep -qrs THREAD tree/dir && exit 1\nexit 0\n"
    yield Case("input-folder", [ask("input", "tree", test=["./test.sh"])], {**folder, "test.sh": test})
    given = "#!/bin/sh\ngrep -qr NEEDLE \"$1\" && exit 1\nexit 0\n"
    yield Case("input-folder-path", [ask("input", "tree", test=TEST)], {**folder, "test.sh": given})
    pair = {"a.txt": documents.made("text", 8)[1], "b.json": documents.made("json", 8)[1]}
    test = "#!/bin/sh\ngrep -qs NEEDLE a.txt && grep -qs THREAD b.json && exit 1\nexit 0\n"
    for name, words in (("", ()), ("-output", ("-o", "small.min"))):
        commands = [ask("input", "a.txt", "b.json", *words, test=["./test.sh"])]
        yield Case(f"input-two-files{name}", commands, {**pair, "test.sh": test})


def options():
    file, content = documents.made("c", 9)
    yield case("readable", file, content, BOTH, "--readable")
    yield case("skip-pass", file, content, BOTH, "--skip-pass", "nodes", "--skip-pass", "lines")
    yield case("format-text", file, content, BOTH, "--format", "text")
    yield case("also", file, content, BOTH, "--also", "exit=0")
    yield case("repeat", file, content, ONE, "--repeat", "2")
    interesting = "#!/bin/sh\ngrep -q NEEDLE \"$1\"\n"
    yield case("interesting", file, content, interesting)
    yield case("codes-bisect", file, content, JUDGED, "--codes", "bisect")
    formatter = "#!/bin/sh\nsed 's/;/;\\n/g'\n"
    yield case("formatter", file, content, BOTH, "--formatter", "@CASE@/format.sh", files={"format.sh": formatter})
    standard = "#!/bin/sh\ntext=$(cat)\ncase $text in *NEEDLE*THREAD*) exit 1 ;; esac\n"
    file, content = documents.made("text", 10)
    yield case("stdin", file, content, standard, commands=[ask("input", file, "--stdin", test=["./test.sh"])])
    by_name = BOTH.replace('"$1"', file)
    yield case("by-name", file, content, by_name, commands=[ask("input", file, test=["./test.sh"])])
    dies = "if grep -q {} \"$1\"; then echo {} >&2; kill -SEGV $$; fi\n"
    crash = "#!/bin/sh\n" + dies.format("NEEDLE", "one") + dies.format("THREAD", "two")
    yield case("crash", file, content, crash)
    yield case("crash-any-message", file, content, crash, "--any-message")
    yield case("output", file, content, BOTH, "-o", "answer.min.txt")


def isolations():
    """The smallest difference between two inputs."""
    for kind in ("text", "c", "json", "python", "html", "xml"):
        file, failing = documents.made(kind, 11)
        passing = failing.replace("NEEDLE", "HAYSTACK").replace("alpha", "beta").replace("2", "3")
        yield case(f"isolate-{kind}", file, failing, JUDGED, "--pass", "pass/" + file, files={"pass/" + file: passing})
    for kind in ("text", "c", "json", "sections", "toml", "rust"):
        # Two documents that have little in common, and a test with two more conditions.
        file, failing = documents.made(kind, 18)
        passing = documents.made(kind, 19)[1].replace("NEEDLE", "HAYSTACK")
        test = JUDGED + "grep -q alpha \"$1\" && grep -q theta \"$1\" && exit 3\nexit 0\n"
        yield case(f"isolate-far-{kind}", file, failing, test, "--pass", "pass/" + file, files={"pass/" + file: passing})
    for kind in ("text", "json", "c"):
        file, failing = documents.made(kind, 12)
        yield case(f"isolate-empty-{kind}", file, failing, BOTH, "--isolate")
    file, failing = documents.made("c", 13)
    error = failing.replace("return THREAD;", "return THREAD + missing;").replace("LIMIT 10", "LIMIT 12")
    commands = [ask("input", file, "--pass", "pass/" + file, test=["gcc", "-c", "-o", "/dev/null", "{}"])]
    yield case("isolate-compiler", file, error, ONE, commands=commands, files={"pass/" + file: failing})
    trees = {"bad/a.txt": "1\n2\nNEEDLE\n", "bad/b.txt": "THREAD\n", "bad/new.txt": "new\n"}
    trees |= {"good/a.txt": "1\n2\n3\n", "good/b.txt": "b\n"}
    test = "#!/bin/sh\ngrep -q NEEDLE \"$1/a.txt\" && test -e \"$1/new.txt\" && exit 1\nexit 0\n"
    yield Case("input-isolate-folder", [ask("input", "bad", "--pass", "good", test=TEST)], {**trees, "test.sh": test})
    failing, passing = documents.png(random.Random(14)), documents.png(random.Random(14)).replace(b"NEEDLE", b"HAYSTK")
    test = "#!/bin/sh\n! grep -aq NEEDLE \"$1\"\n"
    yield case("isolate-png", "input.png", failing, test, "--pass", "pass.png", files={"pass.png": passing})


def stopped():
    for kind, budget in (("c", 20), ("json", 9), ("text", 4)):
        file, content = documents.made(kind, 15)
        first = ask("input", file, "--max-tests", str(budget), test=TEST)
        yield case(f"stopped-{kind}", file, content, BOTH, commands=[first, resume("--max-tests", str(3 * budget)), resume()])
    file, failing = documents.made("c", 16)
    passing = {"pass.c": failing.replace("NEEDLE", "HAYSTACK").replace("1", "7")}
    first = ask("input", file, "--pass", "pass.c", "--max-tests", "2", test=TEST)
    yield case("stopped-isolate", file, failing, JUDGED, commands=[first, resume()], files=passing)
    yield case("resume-finished", file, failing, ONE, commands=[ask("input", file, test=TEST), resume()])


def refusals():
    file, content = documents.made("text", 17)
    yield case("refused-alike", file, content, "#!/bin/sh\nexit 1\n", "--pass", "pass.txt", files={"pass.txt": "x\n"})
    yield case("always", file, content, "#!/bin/sh\nexit 1\n")
    yield case("refused-unresolved", file, content, "#!/bin/sh\nexit 125\n")
    yield case("refused-fails-when", file, content, ONE, "--fails-when", "exit=9")
    yield case("refused-no-file", file, content, ONE, commands=[ask("input", "none.txt", test=TEST)])
    yield case("refused-empty", "input.txt", "", "#!/bin/sh\nexit 1\n")
    yield case("refused-output", file, content, ONE, "-o", "test.sh")
    yield case("dry-run", file, content, BOTH, "--dry-run")
    counts = "n=$(cat \"$HOWCOME_DIR/n\" 2>/dev/null || echo 0)\necho $((n + 1)) >\"$HOWCOME_DIR/n\"\n"
    yield case("contradicts", file, content, f"#!/bin/sh\n{counts}[ $((n / 3 % 2)) = 1 ]\n")
