"""Cases of `howcome items`: random worlds whose test is a small shell script."""

import random

from .case import Case, ask, resume

HEAD = """#!/bin/sh
items=" "
while read -r item; do items="$items$item "; done <"$HOWCOME_ITEMS"
has() { case $items in *" $1 "*) return 0 ;; esac; return 1; }
"""
TEST = ["./test.sh"]


def cases():
    """All cases of this question."""
    return [*worlds(), *isolations(), *algorithms(), *failures(), *stopped(), *refusals()]


def world(name, rules, count, *words, commands=None):
    """A case with a list of `count` items and a test made of lines of shell."""
    files = {"list.txt": listed(count), "test.sh": HEAD + "\n".join(rules) + "\n"}
    return Case(f"items-{name}", commands or [ask("items", "list.txt", *words, test=TEST)], files)


def listed(count):
    return "".join(f"i{number}\n" for number in range(count))


def all_of(items):
    return " && ".join(f"has i{item}" for item in items)


def needs_all(items):
    return f"if {all_of(items)}; then exit 1; fi"


def unresolved_pairs(chance, count, number):
    """Rules that make an item unresolved without another item."""
    pairs = [chance.sample(range(count), 2) for _ in range(number)]
    return [f"if has i{one} && ! has i{other}; then exit 125; fi" for one, other in pairs]


def random_rules(chance, kind, count):
    """The rules of one world of some kind."""
    if kind == "single":
        return [needs_all(chance.sample(range(count), 1))]
    if kind == "several":
        return [needs_all(chance.sample(range(count), chance.randint(2, 6)))]
    if kind == "alternatives":
        return [needs_all(chance.sample(range(count), chance.randint(1, 3))) for _ in range(3)]
    if kind == "odd":
        chosen = chance.sample(range(count), 5)
        sums = "\n".join(f"if has i{item}; then n=$((n + 1)); fi" for item in chosen)
        return ["n=0", sums, "if [ $((n % 2)) = 1 ]; then exit 1; fi"]
    if kind == "hidden":
        causes = chance.sample(range(count), 3)
        hiding, shown = chance.sample(range(count), 2)
        return [f"if has i{hiding} && ! has i{shown}; then exit 0; fi", needs_all(causes)]
    if kind == "unresolved":
        rules = unresolved_pairs(chance, count, count // 3)
        return [*rules, needs_all(chance.sample(range(count), chance.randint(1, 3)))]
    if kind == "thirds":
        cause = chance.sample(range(count), 2)
        whole = len(" " + listed(count))
        spoiler = f"if [ $((${{#items}} % 3)) = 1 ] && [ ${{#items}} -gt 1 ] && [ ${{#items}} -lt {whole} ]; then exit 125; fi"
        return [spoiler, needs_all(cause)]
    raise ValueError(kind)


def worlds():
    for kind in ("single", "several", "alternatives", "odd", "hidden", "unresolved", "thirds"):
        for seed in range(4):
            chance = random.Random(f"{kind} {seed}")
            count = chance.randint(8, 60)
            yield world(f"{kind}-{seed}", random_rules(chance, kind, count), count)
    yield world("one-item", ["has i0 && exit 1"], 1)
    yield world("all-items", [needs_all(range(9))], 9)
    yield world("always", ["exit 1"], 12)
    yield world("many", [needs_all([17, 303, 304, 760])], 800)


def isolations():
    for kind in ("single", "several", "alternatives", "hidden", "unresolved", "thirds"):
        for seed in range(2):
            chance = random.Random(f"isolate {kind} {seed}")
            count = chance.randint(8, 50)
            yield world(f"isolate-{kind}-{seed}", random_rules(chance, kind, count), count, "--isolate")
    # Everything between nothing and all cannot be judged.
    rules = ["n=$(grep -c . \"$HOWCOME_ITEMS\")", "case $n in 0) exit 0 ;; 6) exit 1 ;; esac", "exit 125"]
    yield world("isolate-undecided", rules, 6, "--isolate")


def algorithms():
    for name in ("balanced", "ddmin", "dd", "dd+", "isolate"):
        for kind in ("several", "alternatives", "unresolved"):
            chance = random.Random(f"algorithm {kind}")
            count = chance.randint(12, 40)
            rules = random_rules(chance, kind, count)
            yield world(f"{name}-{kind}", rules, count, "--algorithm", name)
    rules = random_rules(random.Random("dd isolate"), "several", 24)
    for name in ("dd", "dd+", "isolate"):
        yield world(f"isolate-{name}", rules, 24, "--isolate", "--algorithm", name)


def failures():
    """What counts as the failure."""
    codes = ["if has i3 && has i9; then echo broken >&2; exit 3; fi", "if has i5; then exit 4; fi"]
    yield world("other-code", codes, 20)
    yield world("fails-when", codes, 20, "--fails-when", "exit=3")
    yield world("fails-when-code", codes, 20, "--fails-when", "exit=1..124", "--passes-when", "exit=0")
    yield world("fails-when-output", codes, 20, "--fails-when", "stderr~brok.n")
    yield world("isolate-fails-when", codes, 20, "--isolate", "--fails-when", "exit=3")
    yield world("codes-bisect", codes, 20, "--codes", "bisect")
    crash = ["if has i7; then echo \"bad $$\" >&2; kill -SEGV $$; fi", "if has i2; then kill -ABRT $$; fi"]
    yield world("crash", crash, 15)
    yield world("crash-any", crash, 15, "--any-message")
    messages = ["if has i4; then echo one >&2; kill -SEGV $$; fi", "if has i8; then echo two >&2; kill -SEGV $$; fi"]
    yield world("messages", messages, 15)
    yield world("messages-any", messages, 15, "--any-message")
    yield world("timeout", ["if has i4; then exec sleep 60; fi"], 5, "--timeout", "1500ms")
    yield world("repeat", [needs_all([4, 11])], 20, "--repeat", "3")
    yield world("repeat-isolate", [needs_all([4, 11])], 20, "--repeat", "2", "--isolate")
    yield world("flaky", [needs_all([4])], 10, "--flaky")
    files = {"list.txt": "a\n\na\n b \nlast line without end", "test.sh": "#!/bin/sh\n! grep -q 'b' \"$HOWCOME_ITEMS\"\n"}
    yield Case("items-odd-lines", [ask("items", "list.txt", test=TEST)], files)
    yield world("output", [needs_all([4, 6])], 9, "--output", "answer.min")


def stopped():
    for kind, budget in (("several", 3), ("unresolved", 10), ("alternatives", 6)):
        chance = random.Random(f"stopped {kind}")
        rules = random_rules(chance, kind, 30)
        for words in ((), ("--isolate",)):
            first = ask("items", "list.txt", *words, "--max-tests", str(budget), test=TEST)
            commands = [first, resume("--max-tests", str(budget * 2)), resume()]
            yield world(f"stopped-{kind}{''.join(words)}", rules, 30, commands=commands)
    again = [ask("items", "list.txt", test=TEST), resume()]
    yield world("resume-finished", [needs_all([3, 5])], 12, commands=again)


def refusals():
    yield world("refused-isolate-alike", ["exit 1"], 6, "--isolate")
    yield world("refused-passes", ["exit 0"], 6, "--isolate")
    yield world("refused-mended", ["has i2 && exit 0", "exit 1"], 6, "--isolate")
    yield world("refused-fails-when", ["exit 1"], 6, "--fails-when", "exit=7")
    yield world("refused-unresolved", ["exit 125"], 6)
    yield world("refused-empty", ["exit 1"], 0)
    yield world("asked-to-stop", ["has i2 || exit 129", "exit 1"], 6, "--codes", "bisect")
    no_test = [ask("items", "list.txt", test=["./missing.sh"])]
    yield world("refused-no-test", [], 6, commands=no_test)
    contradicts = ["n=$(cat \"$HOWCOME_DIR/n\" 2>/dev/null || echo 0)", "echo $((n + 1)) >\"$HOWCOME_DIR/n\"", "exit $((n % 2))"]
    yield world("flaky-contradicts", contradicts, 8, "--repeat", "2")
    yield world("dry-run", [needs_all([1])], 8, "--dry-run")
