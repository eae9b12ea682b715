"""Run folders of an older binary: made once, then shown and resumed by newer ones."""

import json
import shutil
from dataclasses import replace

from . import sets
from .case import resume
from .trail import differences, hash_of, is_word, journal_of, result_of

# The first command of each of these cases is run; those with a budget are left unfinished.
CASES = """
items-several-1 items-isolate-several-0 items-dd+-several items-stopped-several items-stopped-unresolved--isolate
items-refused-isolate-alike items-flaky-contradicts items-messages
input-c-both input-zip-both input-png-both input-folder input-stdin input-isolate-far-c input-isolate-folder input-also
input-stopped-c input-stopped-json input-stopped-isolate
changes-linear-3 changes-split-0 changes-all changes-evil-merge-0 changes-folders changes-working-tree changes-patch changes-fix
changes-kind-binary changes-build-broken changes-stopped-pair changes-stopped-split changes-stopped-hunk changes-stopped-all
changes-build-broken-stopped changes-refused-alike changes-untestable-all
history-feature history-around history-rewritten history-never history-c history-listed history-listed-stopped
history-stopped-feature-3 history-stopped-feature-12 history-stopped-around-12 history-stopped-rewritten-12 history-stopped-never-3
state-sort state-bst state-sizes state-between state-sort-stopped state-calc-stopped
""".split()

VIEWS = [[], ["--json"], ["--trail"], ["--markdown"], ["--github"], ["--sarif"]]


def make(binary, folder):
    """Makes the run folders, and records what this binary shows for them."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = {case.name: case for case in sets.cases(folder)}
    for name in CASES:
        case = replace(cases[name], root=folder.resolve())
        case.generate()
        code, _ = case.run_command(binary, case.commands[0])
        (case.place / "expected.json").write_text(json.dumps(visit(binary, case), indent=1, ensure_ascii=False) + "\n")
        print(f"{name}: exit {code}", flush=True)


def check(binary, folder):
    """Shows and resumes all run folders; returns whether this binary does the same as the recorded one."""
    same, words = True, set()
    cases = {case.name: case for case in sets.cases(folder)}
    for name in CASES:
        case = replace(cases[name], root=folder.resolve())
        expected = json.loads((case.place / "expected.json").read_text())
        found = list(differences(expected, json.loads(json.dumps(visit(binary, case)))))
        words |= {(place[-1], old, new) for place, old, new in found if is_word(place, old, new)}
        found = [difference for difference in found if not is_word(*difference)]
        print(f"{name}: {'same' if not found else f'{len(found)} differences'}", flush=True)
        for place, old, new in found[:5]:
            print(f"  {'.'.join(map(str, place))}: {json.dumps(old)[:200]} -> {json.dumps(new)[:200]}")
        same = same and not found
    for key, old, new in sorted(words):
        print(f"word: {key}: {old!r} -> {new!r}")
    print("all the same" if same else "NOT the same")
    return same


def visit(binary, case):
    """Everything that can be done with a run folder. The folder itself stays unchanged: copies are resumed."""
    seen = {}
    copy = case.place / "copy"
    remake(case.run_folder, copy)
    for view in VIEWS:
        result = result_of(*case.run_command(binary, ["show", "../copy", *view]))
        seen[" ".join(["show", *view])] = result if view == ["--json"] else result["exit"]
    page = case.place / "page.html"
    page.unlink(missing_ok=True)
    code, _ = case.run_command(binary, ["show", "../copy", "--html", "../page.html"])
    seen["show --html"] = {"exit": code, "written": page.exists() and page.stat().st_size > 1000}
    numbers = [entry["test"] for entry in journal_of(case.run_folder)["observed"]]
    for number in sorted({*numbers[:3], *numbers[len(numbers) // 2 :][:1], *numbers[-2:]}):
        seen[f"show --test {number}"] = rebuilt(binary, case, number)
    result = result_of(*case.run_command(binary, resume(run="../copy")))
    seen["resume"] = {"result": result, "journal": journal_of(copy)}
    shutil.rmtree(copy)
    return seen


def rebuilt(binary, case, number):
    """The candidate of a test, made again in a folder."""
    into = case.place / "into"
    shutil.rmtree(into, ignore_errors=True)
    code, _ = case.run_command(binary, ["show", "../copy", "--test", str(number), "--into", "../into"])
    files = {}
    for path in sorted(into.rglob("*")):
        if path.is_symlink() or path.is_file():
            # What `state` writes is a script with remarks for people.
            is_data = case.question != "state" and not path.is_symlink()
            files[str(path.relative_to(into))] = hash_of(path) if is_data else "there"
    shutil.rmtree(into, ignore_errors=True)
    return {"exit": code, "files": files}


def remake(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)
