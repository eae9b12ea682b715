"""Cases of `howcome changes`: generated repositories, folders and patches."""

from . import kinds, programs
from .case import Case, ask, resume
from .histories import BOTH, BROKEN, SKIPPED, THREE, apart, branched, linear
from .repository import Repository, numbered

RANGE = ("--good", "good", "--bad", "main")


def cases():
    """All cases of this question."""
    groups = [lines, together, merges, untestable, searches, filters, failures, sources, tests, stopped, refusals]
    return [*(case for group in groups for case in group()), *kinds.cases(), *programs.cases()]


def changes(name, repository, test, *words, script="", files=None, between=RANGE):
    """A case about a range of a repository; the test is for `sh -c`."""
    command = ask("changes", *between, *words, test=["sh", "-c", test])
    return repository.case(f"changes-{name}", [command], script, files)


def lines():
    for seed in range(6):
        yield changes(f"linear-{seed}", linear(seed, commits=6 + 5 * seed), BROKEN)
    yield changes("one-commit", linear(20, commits=3), BROKEN, between=("--good", "main~2", "--bad", "main~1"))


def together():
    """Several lines that fail only together."""
    for seed in range(3):
        yield changes(f"pair-{seed}", linear(30 + seed, causes=[("one", "two")]), BOTH)
        yield changes(f"split-{seed}", linear(40 + seed, causes=[("one",), ("two",)]), BOTH)
    yield changes("split-three", linear(50, causes=[("one",), ("two",), ("three",)]), THREE)
    twice = linear(51, causes=[("broken",), ("broken",)])
    yield changes("twice", twice, BROKEN)
    yield changes("all", twice, BROKEN, "--all")
    yield changes("all-split", linear(52, causes=[("one",), ("two",), ("broken",)]), f"{BOTH} && {BROKEN}", "--all")
    healed = linear(53, causes=[("one",), ("two",), ("three",)])
    yield changes("healed-between", healed, "grep -rqw two src && ! grep -rqw three src && exit 0\n! grep -rqw one src")


def merges():
    for seed, place in enumerate(("main", "side", "inner", "side", "inner")):
        yield changes(f"merged-{place}-{seed}", branched(seed, place), BROKEN)
    for seed in range(2):
        yield changes(f"evil-merge-{seed}", branched(10 + seed, "merge", evil=True), BROKEN)
        yield changes(f"branches-apart-{seed}", apart(seed), BOTH)


def untestable():
    test = SKIPPED + BROKEN
    for seed, skipped in enumerate(((3, 4, 5, 8), (6, 7, 9, 10), (2, 4, 6, 8, 10, 12))):
        yield changes(f"untestable-{seed}", linear(60 + seed, skipped=skipped), test)
    yield changes("untestable-all", linear(63, commits=8, skipped=range(1, 8)), test)
    yield changes("untestable-split", linear(64, causes=[("one",), ("two",)], skipped=(4, 5, 9, 10)), SKIPPED + BOTH)
    repository = Repository()
    repository.commit("good", {"a": "0\n", "b": "0\n"})
    repository.tag("good")
    repository.commit("one", {"a": "1\n"})
    repository.commit("two", {"b": "1\n"})
    test = "case $(cat a b | tr -d '\\n') in 00) exit 0 ;; 11) exit 1 ;; esac; exit 125"
    yield changes("not-judged-apart", repository, test)
    yield changes("not-judged-apart-hunk", repository, test, "--within", "hunk")


def searches():
    pair = linear(70, commits=9, causes=[("one", "two")])
    split = linear(71, commits=9, causes=[("one",), ("two",)])
    for within in ("commit", "hunk"):
        for algorithm in ("balanced", "ddmin", "dd", "dd+", "isolate"):
            yield changes(f"{within}-{algorithm}", pair, BOTH, "--within", within, "--algorithm", algorithm)
        yield changes(f"{within}-split", split, BOTH, "--within", within)
    judged = "grep -rqw one src && ! grep -rqw two src && exit 125\n" + BOTH
    yield changes("hunk-judged", pair, judged, "--within", "hunk")
    yield changes("hunk-judged-ddmin", pair, judged, "--within", "hunk", "--algorithm", "ddmin")


def filters():
    repository = Repository()
    repository.commit("good", {"code.txt": numbered(30), "lib/util.txt": numbered(9)})
    repository.tag("good")
    repository.commit("code", {"code.txt": numbered(30, {5: "five", 9: "broken"})})
    repository.commit("lib", {"lib/util.txt": numbered(9, {5: "broken"}), "lib/more": "1\n"})
    test = "! { grep -q broken code.txt && grep -q broken lib/util.txt; }"
    for name, words in {
        "only-lib": ("--only", "lib"),
        "only-star": ("--only", "lib/u*"),
        "except-lib": ("--except", "lib"),
        "except-code": ("--except", "code.txt", "--within", "hunk"),
    }.items():
        yield changes(name, repository, test, *words)


def failures():
    """What counts as the failure, and which way round."""
    repository = linear(80)
    yield changes("fails-when", repository, "cat src/*", "--fails-when", "stdout~broken")
    yield changes("repeat", repository, BROKEN, "--repeat", "2")
    codes = "grep -rqw broken src && exit $(($(wc -w <src/part0.txt) % 5 + 2))\ngrep -q w5 src/part1.txt && exit 125\nexit 0"
    yield changes("codes-bisect", repository, codes, "--codes", "bisect")
    yield changes("other-codes", repository, codes)
    yield changes("timeout", linear(81, commits=3), "grep -rqw broken src && exec sleep 60; exit 0", "--timeout", "1500ms")
    crash = "if grep -rqw broken src; then echo \"it broke\" >&2; kill -SEGV $$; fi"
    yield changes("crash", repository, crash)
    healed = Repository()
    healed.commit("broken", {"code.txt": numbered(30, {9: "broken"})})
    healed.tag("broken")
    for number in range(1, 6):
        words = {9: "broken"} if number < 3 else {9: "nine", 20: "twenty"}
        healed.commit(f"commit {number}", {"code.txt": numbered(30, words), "other.txt": f"{number}\n"})
    test = "! grep -q broken code.txt"
    yield changes("fix", healed, test, "--fix", between=("--good", "main", "--bad", "broken"))
    yield changes("fix-swapped", healed, test, "--fix", between=("--good", "broken", "--bad", "main"))
    yield changes("fix-hunk", healed, test, "--fix", "--within", "hunk", between=("--good", "main", "--bad", "broken"))
    several = linear(82, commits=12)
    yield changes("several-good", several, BROKEN, between=("--good", "good", "--good", "main~11", "--good", "main~12", "--bad", "main"))


def sources():
    """Where the versions come from."""
    repository = Repository()
    repository.commit("first", {"code.txt": numbered(30), "lib/util.txt": numbered(9)})
    repository.tag("good")
    repository.commit("second", {"other.txt": "1\n"})
    test = "! grep -q broken code.txt"
    edit = "sed -i -e 's/^5$/five/' -e 's/^9$/broken/' code.txt\n"
    good = ("--good", "good")
    yield changes("working-tree", repository, test, script=edit + "echo 2 >other.txt; git add other.txt\n", between=good)
    yield changes("working-tree-dot", repository, test, script=edit, between=(*good, "--bad", "."))
    yield changes("untracked", repository, "test ! -e lib/new", script="echo 1 >lib/new; echo 2 >lib/newer\n", between=good)
    staged = "sed -i 's/^5$/broken/' code.txt; git add code.txt; sed -i -e s/broken/5/ -e 's/^7$/broken/' code.txt\n"
    yield changes("staged", repository, test, script=staged, between=good)
    patch = edit + "git diff >../it.patch; git checkout -q code.txt\n"
    yield changes("patch", repository, test, script=patch, between=(*good, "--bad", "../it.patch"))
    bare = edit + "git commit -qam third; git clone -q --bare . ../bare.git; rm -rf .git *\n"
    yield changes("bare", repository, test, "--repo", "../bare.git", script=bare, between=(*good, "--bad", "main"))
    linked = "git worktree add -q ../linked good; cd ../linked\n" + edit
    yield changes("linked", repository, test, "--repo", "../linked", script=linked, between=good)
    orphan = "git checkout -q --orphan other\n" + edit + "git add -A; git commit -qm other\n"
    yield changes("orphan", repository, test, "--within", "hunk", script=orphan, between=(*good, "--bad", "other"))
    files = {"old/code.txt": numbered(30), "new/code.txt": numbered(30, {5: "five", 9: "broken"}), "new/x": "1\n"}
    folders = ask("changes", "--good", "old", "--bad", "new", test=["sh", "-c", test])
    yield Case("changes-folders", [folders], files)
    difference = "--- a/code.txt\n+++ b/code.txt\n@@ -1,9 +1,9 @@\n 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n-8\n+broken\n 9\n"
    patched = ask("changes", "--good", "old", "--bad", "it.patch", test=["sh", "-c", test])
    yield Case("changes-folder-and-patch", [patched], {"old/code.txt": numbered(9), "it.patch": difference})
    module = (
        "git init -q lib2; cd lib2; seq 30 >code; git add -A; git commit -qm one; cd ..\n"
        "git -c protocol.file.allow=always submodule --quiet add ./lib2 sub; rm -rf lib2; git commit -qam sub; git tag -f good\n"
        "cd sub; sed -i -e 's/^5$/five/' -e 's/^20$/broken/' code; git commit -qam two; cd ..; git commit -qam moves\n"
    )
    yield changes("submodule", repository, "! grep -q broken sub/code", script=module)


def tests():
    """Which test judges."""
    repository = Repository()
    repository.commit("good", {"code.txt": numbered(30), "test.sh": "#!/bin/sh\nexit 0\n"})
    repository.tag("good")
    repository.commit("breaks it", {"code.txt": numbered(30, {9: "broken", 20: "twenty"})})
    repository.commit("sees it", {"test.sh": "#!/bin/sh\n! grep -q broken code.txt\n"})
    repository.commit("more", {"other.txt": "1\n"})
    inside = ask("changes", *RANGE, test=["./test.sh"])
    yield repository.case("changes-test-inside", [inside])
    for name, check in (("", ""), ("-revision", "test -n \"$HOWCOME_REVISION\" || exit 9\n")):
        outside = ask("changes", *RANGE, "-o", "here.patch", test=["./judge.sh"])
        judge = {"judge.sh": f"#!/bin/sh\n{check}! grep -q broken code.txt\n"}
        yield repository.case(f"changes-test-outside{name}", [outside], files=judge)


def stopped():
    for name, repository, test, budget, words in (
        ("pair", linear(90, causes=[("one", "two")]), BOTH, 3, ()),
        ("split", linear(91, causes=[("one",), ("two",)]), BOTH, 6, ()),
        ("hunk", linear(92, commits=6), BROKEN, 2, ("--within", "hunk")),
        ("all", linear(93, causes=[("broken",), ("broken",)]), BROKEN, 5, ("--all",)),
        ("untestable", linear(94, skipped=(4, 5, 6, 9)), SKIPPED + BROKEN, 1, ()),
    ):
        first = ask("changes", *RANGE, *words, "--max-tests", str(budget), test=["sh", "-c", test])
        commands = [first, resume("--max-tests", str(2 * budget)), resume()]
        yield repository.case(f"changes-stopped-{name}", commands)


def refusals():
    repository = linear(95, commits=4)
    yield changes("refused-alike", repository, "exit 1")
    yield changes("refused-passes", repository, "exit 0")
    yield changes("refused-swapped", repository, BROKEN, between=("--good", "main", "--bad", "good"))
    yield changes("refused-revision", repository, BROKEN, between=("--good", "nothing", "--bad", "main"))
    yield changes("refused-same", repository, BROKEN, between=("--good", "main", "--bad", "main"))
    yield changes("refused-unresolved", repository, "exit 125")
    yield changes("refused-only", repository, BROKEN, "--only", "nothing-here")
    yield changes("dry-run", repository, BROKEN, "--dry-run")
    yield Case("changes-refused-no-repository", [ask("changes", *RANGE, test=["sh", "-c", BROKEN])])
    counts = "n=$(cat \"$HOWCOME_DIR/../n\" 2>/dev/null || echo 0); echo $((n + 1)) >\"$HOWCOME_DIR/../n\"\n"
    noisy = counts + "[ $n -gt 3 ] && exit $((n % 2))\n" + BROKEN
    yield changes("contradicts", linear(96, commits=9, causes=[("one", "broken")]), noisy, "--repeat", "2")
