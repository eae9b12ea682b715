"""Cases of `howcome history`: walks back to a revision that passes."""

from . import tally
from .case import Case, ask, resume
from .repository import Repository
from .tally import Plan

HALF = Plan(40, feature=24, cause=12)
CHECK = '#!/bin/sh\nout=$(./calc --sum 1 2 3) || exit 2\n[ "$out" = "sum 6" ]\n'


def cases():
    """All cases of this question."""
    return [*walks(), *scripts(), *listed(), *failures(), *stopped(), *refusals()]


def repository_of(plan):
    repository = Repository()
    for number, files in enumerate(plan.versions()):
        repository.commit(f"revision {number}", files, whole=True)
    return repository


def walk(name, plan, *words, commands=None):
    """A case about a program whose revisions are known."""
    command = ask("history", "--build", tally.build(plan), *words, test=["../test.sh"])
    return repository_of(plan).case(f"history-{name}", commands or [command], files={"../test.sh": tally.test(plan)})


def walks():
    yield walk("feature", HALF)
    for seed, feature, cause in ((2, 30, 10), (3, 38, 2), (4, 8, 6), (5, 30, 29), (6, 39, 1)):
        yield walk(f"seed-{seed}", Plan(40, feature, cause, seed=seed, broken=(5, 15, 25, 33)))
    yield walk("long", Plan(120, 70, 35, broken=(20, 34, 58, 59, 71, 90)))
    yield walk("always-there", Plan(40, 0, 12))
    yield walk("feature-first", Plan(40, 8, 28))
    yield walk("same-commit", Plan(40, 24, 24))
    yield walk("broken-around", Plan(40, 26, 24, broken=(24, 25)))
    yield walk("broken-before", HALF.but(broken=(9, 10, 11)))
    yield walk("broken-oldest", HALF.but(broken=tuple(range(20))))
    yield walk("never", Plan(40, 24))
    yield walk("never-always-there", Plan(40, 0))
    yield walk("never-broken", Plan(40, 24, broken=(0, 1, 2, 23)))
    yield walk("two-features", HALF.but(second_feature=33))
    yield walk("two-features-after", HALF.but(second_feature=8))
    yield walk("near", HALF.but(near=18))
    yield walk("around", HALF.but(around=18))
    yield walk("rewritten", HALF.but(rewritten=32))
    yield walk("second-cause", HALF.but(second_cause=32))
    yield walk("second-cause-before", HALF.but(second_cause=6))
    yield walk("renamed", HALF.but(renamed=30))
    yield walk("renamed-early", HALF.but(renamed=17))
    yield walk("driver", HALF.but(driver=True))
    yield walk("driver-never", Plan(30, 18, driver=True))
    yield walk("everything", HALF.but(near=18, rewritten=32, second_feature=28, broken=(11, 14, 30)))
    yield walk("c", Plan(24, 16, 8, language="c", broken=(7, 10, 19)))
    yield walk("back-to", HALF, "--back-to", "main~20")
    yield walk("bad", HALF, "--bad", "main~10", "--back-to", "main~35")
    yield walk("two-revisions", Plan(2, 0, 1))
    yield walk("one-revision", Plan(1, 0))


def script_case(name, revisions, script):
    """A script that is another one in each revision."""
    repository = Repository()
    for revision in range(revisions):
        repository.commit(str(revision), {"calc": script(revision)})
    return repository.case(f"history-{name}", [ask("history", test=["../check.sh"])], files={"../check.sh": CHECK})


def scripts():
    def other_name(revision):
        option = "--total" if 10 <= revision < 20 else "--sum"
        much = "n" if revision < 5 else "n + 1"
        return (
            f"#!/bin/sh\n# revision {revision}\ncase $1 in\n{option}) ;;\n*) exit 2 ;;\nesac\nshift\ntotal=0\n"
            f'for n; do total=$((total + {much})); done\necho "sum $total"\n'
        )

    def verified(revision):
        most = 5000 if revision < 8 else 5
        option, call = ("", "") if revision < 18 else ("    --sum) continue ;;\n", "verify $total\n")
        return (
            f"#!/bin/sh\n# revision {revision}\nverify() {{\n    [ $1 -lt {most} ] || {{ echo too much; exit; }}\n}}\ntotal=0\n"
            f'for n; do\n    case $n in\n{option}    -*) exit 2 ;;\n    esac\n    total=$((total + n))\ndone\n{call}echo "sum $total"\n'
        )

    def only_between(revision):
        wrong = "" if 8 <= revision < 15 else "total=$((total + 1))\n"
        return f'#!/bin/sh\n# revision {revision}\nshift\ntotal=0\nfor n; do total=$((total + n)); done\n{wrong}echo "sum $total"\n'

    yield script_case("not-needed-any-more", 30, other_name)
    yield script_case("call-is-kept", 30, verified)
    yield script_case("passes-between", 24, only_between)


CHECKOUT = """#!/bin/sh
case $1 in 7 | 17) exit 125 ;; esac
result=right
[ "$1" -lt 12 ] || result=wrong
{
    echo 'case $1 in'
    echo 'old) echo nothing ;;'
    [ "$1" -lt 25 ] || echo 'new) cat result ;;'
    echo '*) exit 2 ;;'
    echo esac
} >program
echo $result >result
echo "$1" >number
"""
LISTED = {"checkout": CHECKOUT, "test.sh": '#!/bin/sh\nresult=$(sh program new) || exit 2\n[ "$result" = right ]\n'}


def listed():
    """Revisions that are not in git."""
    words = ("--revisions-from", "seq 40", "--checkout", "./checkout {}")
    for name, more in {"": (), "-back-to": ("--back-to", "20"), "-bad": ("--bad", "30"), "-order": ("--in-this-order",)}.items():
        yield Case(f"history-listed{name}", [ask("history", *words, *more, test=["./test.sh"])], LISTED)
    first = ask("history", *words, "--max-tests", "6", test=["./test.sh"])
    yield Case("history-listed-stopped", [first, resume("--max-tests", "9"), resume()], LISTED)


def failures():
    """What counts as the same failure."""
    for same in ("output", "memory"):
        yield walk(f"same-{same}", HALF, "--same", same)
    yield walk("fails-when", HALF, "--fails-when", "stdout~total 12", "--passes-when", "stdout~total 6")
    yield walk("repeat", Plan(20, 12, 6), "--repeat", "2")
    yield walk("codes-bisect", Plan(20, 0, 6, broken=(4, 9)), "--codes", "bisect")


def stopped():
    plans = {"feature": HALF, "around": HALF.but(around=18), "never": Plan(40, 24), "rewritten": HALF.but(rewritten=32)}
    for name, plan in plans.items():
        for budget in (3, 12):
            first = ask("history", "--build", tally.build(plan), "--max-tests", str(budget), test=["../test.sh"])
            yield walk(f"stopped-{name}-{budget}", plan, commands=[first, resume("--max-tests", str(2 * budget)), resume()])


def refusals():
    yield walk("refused-passes", Plan(10, 0, 40))
    yield walk("refused-revision", Plan(10, 4, 2), "--bad", "nothing")
    yield walk("refused-back-to", Plan(10, 4, 2), "--bad", "main~5", "--back-to", "main")
    yield walk("refused-broken", Plan(10, 4, 2, broken=(9,)))
    yield walk("dry-run", Plan(10, 4, 2), "--dry-run")
    none = ask("history", "--revisions-from", "true", "--checkout", "./checkout {}", test=["./test.sh"])
    yield Case("history-refused-none-listed", [none], LISTED)
