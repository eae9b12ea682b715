"""Recording and comparing a set of cases."""

import argparse
import collections
import fcntl
import fnmatch
import json
import subprocess
import sys
import time
from pathlib import Path

from . import sets
from .case import ROOT, read_cases
from .trail import differences, is_word, trail_of


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("binary", type=Path)
    parser.add_argument("dir", type=Path, help="the folder of the record")
    parser.add_argument("--only", default="*", metavar="GLOB", help="only the cases with such a name")
    parser.add_argument("--cases", type=Path, metavar="FOLDER", help="cases of that folder instead of the generated ones")
    return parser


def chosen(options):
    """The cases to run. Two sets of runs cannot use the same folders at a time, so a lock is held until the end."""
    ROOT.mkdir(exist_ok=True)
    lock = open(ROOT / "lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    options.lock = lock
    cases = read_cases(options.cases) if options.cases else sets.cases(options.dir)
    names = collections.Counter(case.name for case in cases)
    assert all(count == 1 for count in names.values()), [name for name, count in names.items() if count > 1]
    return [case for case in cases if fnmatch.fnmatch(case.name, options.only)]


def record(options):
    """Runs each case several times; keeps the trail if it is the same each time."""
    binary = str(options.binary.resolve())
    (options.dir / "trails").mkdir(parents=True, exist_ok=True)
    dropped_path = options.dir / "dropped.json"
    dropped = json.loads(dropped_path.read_text()) if dropped_path.exists() else {}
    cases = chosen(options)
    for case in cases:
        began = time.time()
        path = options.dir / "trails" / f"{case.name}.json"
        path.unlink(missing_ok=True)
        dropped.pop(case.name, None)
        trail, reason = repeated(case, binary, options.times)
        if reason:
            dropped[case.name] = reason
        else:
            path.write_text(json.dumps(trail, indent=1, ensure_ascii=False) + "\n")
        print(f"{case.name}: {summary(trail)}, {time.time() - began:.1f} s{', DROPPED: ' + reason if reason else ''}", flush=True)
    dropped_path.write_text(json.dumps(dropped, indent=1, ensure_ascii=False) + "\n")
    print(counted(options.dir), f"dropped: {len(dropped)}")


def repeated(case, binary, times):
    """The first trail of a case, and why it is not kept, if it is not."""
    first = None
    for _ in range(times):
        try:
            trail = json.loads(json.dumps(trail_of(case, binary)))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return first, str(error)
        if first is None:
            first = trail
        for place, old, new in differences(first, trail):
            return first, f"{'.'.join(map(str, place))}: {old} then {new}"
    return first, None


def summary(trail):
    if not trail:
        return "failed"
    codes = "/".join(str(result["exit"]) for result in trail["results"])
    return f"exit {codes}, {len(trail['observed'])} tests, {len(trail['told'])} told"


def counted(folder):
    """How many trails are recorded, by question."""
    names = [path.stem.split("-")[0] for path in (folder / "trails").glob("*.json")]
    parts = [f"{question} {count}" for question, count in sorted(collections.Counter(names).items())]
    return f"kept: {len(names)} ({', '.join(parts)});"


def compare(options):
    """Runs each recorded case once more; returns whether all are equal to the record."""
    binary = str(options.binary.resolve())
    equal, unequal, words = 0, [], collections.Counter()
    for case in chosen(options):
        path = options.dir / "trails" / f"{case.name}.json"
        if not path.exists():
            continue
        try:
            trail = json.loads(json.dumps(trail_of(case, binary)))
        except subprocess.TimeoutExpired as error:
            trail = {"timeout": str(error)}
        found = list(differences(json.loads(path.read_text()), trail))
        words.update((place[-1], old, new) for place, old, new in found if is_word(place, old, new))
        found = [difference for difference in found if not is_word(*difference)]
        if not found:
            equal += 1
            continue
        unequal.append(case.name)
        print(f"{case.name}: {len(found)} differences; the folder of the run is {case.place}")
        for place, old, new in found[: options.show]:
            print(f"  {'.'.join(map(str, place))}: {short(old)} -> {short(new)}")
        sys.stdout.flush()
    for (key, old, new), count in sorted(words.items()):
        print(f"word: {key}: {old!r} -> {new!r} ({count} times)")
    print(f"{equal} equal, {len(unequal)} different{': ' + ' '.join(unequal) if unequal else ''}")
    return not unequal


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "…"
