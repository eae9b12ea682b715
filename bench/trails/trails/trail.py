"""What is kept of a run: the questions, the answers and the finding, without words, times and temporary paths."""

import hashlib
import json
import re

# Texts for people, and values that depend on the time.
DROPPED = {"what", "warnings", "why", "seconds", "howcome", "time"}

# Names whose spelling can change: a difference is listed, but does not count.
WORDS = {"subject", "search", "unit", "algorithm", "of", "because", "passing_side"}

TEMPORARY = re.compile(r"/tmp/(?!howcome-trails)[A-Za-z0-9._-]+")


def trail_of(case, binary):
    """Runs a case and returns its trail as JSON."""
    case.generate()
    results = [result_of(*result) for result in case.run(binary)]
    return {"results": results, **journal_of(case.run_folder), "answers": answers_of(case)}


def result_of(code, output):
    """The exit code of a command, and the JSON that it printed, if any."""
    try:
        return {"exit": code, "json": strip(json.loads(output))}
    except ValueError:
        return {"exit": code, "json": None}


def journal_of(run):
    """The stages, the told answers and the observed tests of a run folder."""
    trail = {"stages": [], "observed": [], "told": [], "endings": []}
    path = run / "journal.jsonl"
    asked = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        entry = json.loads(line)
        event = entry["event"]
        if event == "stage":
            kept = ("stage", "subject", "search", "deltas", "unit", "bytes")
            trail["stages"].append({key: entry.get(key) for key in kept})
        elif event == "observed":
            asked[entry["test"]] = entry["configuration"]
            kept = ("test", "stage", "purpose", "configuration", "content", "outcome", "tally", "confidence", "hints")
            observed = {key: entry.get(key) for key in kept}
            trail["observed"].append({**observed, "reason": reason_of(entry["because"])})
        elif event == "told":
            kept = ("how", "test", "step", "outcome", "left", "bytes")
            configuration = entry.get("configuration", asked.get(entry.get("test")))
            told = {key: entry.get(key) for key in kept}
            trail["told"].append({**told, "configuration": configuration})
        elif event == "ended":
            trail["endings"].append(entry["ending"])
    return trail


def reason_of(because):
    """The class of a reason, with its number if it has one, without its text."""
    if isinstance(because, str):
        return because
    ((name, value),) = because.items()
    return f"{name} {value}" if isinstance(value, int) else name


def answers_of(case):
    """The hashes of the files that a run wrote as its answer."""
    folders = [case.run_folder, case.run_folder / "best", case.run_folder / "also", case.folder]
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*") if folder.name == "best" else folder.glob("*")):
            is_answer = folder.name == "best" or path.suffix == ".patch" or ".min" in path.name
            if is_answer and path.is_file():
                found[str(path.relative_to(case.place))] = hash_of(path)
    return found


def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def strip(value):
    """A JSON value without the parts that can differ."""
    if isinstance(value, dict):
        return {key: strip(item) for key, item in value.items() if key not in DROPPED}
    if isinstance(value, list):
        return [strip(item) for item in value]
    if isinstance(value, str):
        return TEMPORARY.sub("/tmp/…", value)
    return value


def differences(old, new, path=()):
    """Yields the places at which two trails differ, with both values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from differences(old.get(key), new.get(key), (*path, key))
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            pair = [side[index] if index < len(side) else None for side in (old, new)]
            yield from differences(*pair, (*path, index))
    elif old != new:
        yield path, old, new


def is_word(place, old, new):
    """Whether a difference is only one of spelling."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return False
    # The ending of a run of `state` is a text, and so is a version without a name, such as the working tree.
    is_outcome = place[-2:] in (("outcome", "failing"), ("outcome", "passing"))
    is_nameless = place[-1] in ("good", "bad") and " " in old
    return place[-1] in WORDS or is_outcome or is_nameless
