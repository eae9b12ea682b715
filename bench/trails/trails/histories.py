"""Repositories in which something broke, made at random from a seed."""

import random

from .repository import Repository, numbered

# What fails in a tree: words that occur together.
BROKEN = "! grep -rqw broken src"
BOTH = "! { grep -rqw one src && grep -rqw two src; }"
THREE = "! { grep -rqw one src && grep -rqw two src && grep -rqw three src; }"
SKIPPED = "grep -qs skip state && exit 125\n"


class Scenery:
    """Files whose lines change all the time, without meaning anything."""

    def __init__(self, chance, files=4, lines=30):
        self.chance = chance
        self.lines = lines
        self.words = {f"src/part{number}.txt": {} for number in range(files)}

    def disturb(self, changes=3):
        for _ in range(changes):
            words = self.words[self.chance.choice(sorted(self.words))]
            line = self.chance.randint(1, self.lines)
            if words.get(line, "w").startswith("w"):
                words[line] = f"w{self.chance.randint(0, 999)}"

    def plant(self, word):
        """Puts a word into a line that has none that matters."""
        words = self.words[self.chance.choice(sorted(self.words))]
        free = [line for line in range(1, self.lines + 1) if words.get(line, "w").startswith("w")]
        words[self.chance.choice(free)] = word

    def files(self):
        return {path: numbered(self.lines, words) for path, words in self.words.items()}


def linear(seed, commits=16, causes=(("broken",),), skipped=(), files=4):
    """One commit after the other; each group of words comes in one of them."""
    chance = random.Random(f"linear {seed}")
    repository, scenery = Repository(), Scenery(chance, files)
    repository.commit("good", {**scenery.files(), "state": "fine\n"})
    repository.tag("good")
    planted = dict(zip(sorted(chance.sample(range(2, commits), len(causes))), causes))
    for number in range(1, commits + 1):
        scenery.disturb(chance.randint(1, 5))
        for word in planted.get(number, ()):
            scenery.plant(word)
        state = "skip\n" if number in skipped else "fine\n"
        repository.commit(f"commit {number}", {**scenery.files(), "state": state})
    return repository


def branched(seed, place="side", evil=False):
    """A branch that is merged, and a branch of it; the cause is on one of them or in the merge."""
    chance = random.Random(f"branched {seed}")
    repository = Repository()
    parts = {name: Scenery(chance, 1) for name in ("main", "side", "inner")}

    def files():
        return {path.replace("part", name): text for name, part in parts.items() for path, text in part.files().items()}

    def own(name):
        return {path.replace("part", name): text for path, text in parts[name].files().items()}

    def go_on(name, count):
        broken = chance.randrange(count) if place == name else None
        for number in range(count):
            parts[name].disturb()
            if number == broken:
                parts[name].plant("broken")
            repository.commit(f"{name} {number}", own(name))

    start = repository.commit("good", files())
    repository.tag("good")
    go_on("main", 2)
    repository.switch("side", start)
    go_on("side", 3)
    repository.switch("inner", repository.heads["side"])
    go_on("inner", 3)
    repository.switch("side")
    parts["side"].disturb()
    repository.commit("side goes on", own("side"))
    repository.merge("inner", own("inner"))
    repository.switch("main")
    parts["main"].disturb()
    repository.commit("main goes on", own("main"))
    if evil:
        parts["main"].plant("broken")
    repository.merge("side", files())
    parts["main"].disturb()
    repository.commit("main goes on again", own("main"))
    return repository


def apart(seed):
    """Two branches that fail only once they are merged."""
    chance = random.Random(f"apart {seed}")
    repository, one, two = Repository(), Scenery(chance, 1), Scenery(chance, 1)

    def second():
        return {path.replace("part", "other"): text for path, text in two.files().items()}

    start = repository.commit("good", {**one.files(), **second()})
    repository.tag("good")
    for number in range(3):
        one.disturb()
        if number == 1:
            one.plant("one")
        repository.commit(f"main {number}", one.files())
    repository.switch("side", start)
    for number in range(3):
        two.disturb()
        if number == 1:
            two.plant("two")
        repository.commit(f"side {number}", second())
    repository.switch("main")
    repository.merge("side", second())
    return repository
