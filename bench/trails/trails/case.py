"""A case: a folder that is generated, and the command lines that are run in it."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

# Paths end up in findings and in the memory of traced programs, so every run of a case happens in the same folder.
ROOT = Path("/tmp/howcome-trails")

# Each command gets at most this many seconds.
LIMIT = 300


@dataclass(frozen=True)
class Case:
    """`files` and then `script` (a shell script) make the folder; `commands` are words for howcome, run in it in turn."""

    name: str
    commands: list
    files: dict = field(default_factory=dict)
    script: str = ""
    root: Path = ROOT

    @property
    def question(self):
        return self.name.split("-")[0]

    @property
    def place(self):
        return self.root / self.name

    @property
    def folder(self):
        return self.place / "here"

    @property
    def run_folder(self):
        return self.place / "run"

    def generate(self):
        """Makes the folder from scratch."""
        shutil.rmtree(self.place, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (ROOT / "home").mkdir(exist_ok=True)
        for path, content in self.files.items():
            write(self.folder / path, content)
        if self.script:
            script = "set -e\n" + self.script
            done = subprocess.run(["sh", "-c", script], cwd=self.folder, env=environment(), capture_output=True)
            if done.returncode != 0:
                raise RuntimeError(f"{self.name}: {done.stderr.decode(errors='replace')}")

    def run(self, binary):
        """Runs the commands; yields the exit code and the standard output of each."""
        for words in self.commands:
            yield self.run_command(binary, words)

    def run_command(self, binary, words):
        """Runs one command; returns its exit code and its standard output."""
        words = [word.replace("@CASE@", str(self.folder)) for word in words]
        given = {"cwd": self.folder, "env": environment(), "stdin": subprocess.DEVNULL, "timeout": LIMIT}
        done = subprocess.run([binary, *words], capture_output=True, **given)
        return done.returncode, done.stdout


def ask(question, *words, test=()):
    """The words of a command that asks a question; `test` is what follows `--`."""
    fixed = ["--jobs", "1", "--json", "-q", "--run-dir", "../run"]
    return [question, *words, *fixed, *(["--", *test] if test else [])]


def resume(*words, run="../run"):
    """The words of a command that resumes a run."""
    return ["resume", run, "--jobs", "1", "--json", "-q", *words]


def write(path, content):
    """Writes a file; a script can be executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(data)
    if data.startswith(b"#!"):
        path.chmod(0o755)


def environment():
    """The same environment for all runs: dates of commits are part of their hashes."""
    home = str(ROOT / "home")
    cargo = os.environ.get("CARGO_HOME") or str(Path.home() / ".cargo")
    date = "2020-01-02T03:04:05Z"
    return {
        "PATH": f"/usr/local/bin:/usr/bin:/bin:{cargo}/bin",
        "HOME": home,
        "CARGO_HOME": cargo,
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME") or str(Path.home() / ".rustup"),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_COMMITTER_DATE": date,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "init.defaultBranch",
        "GIT_CONFIG_VALUE_0": "main",
    }


def read_cases(folder):
    """Cases that were written by hand: each a folder with `case.json`, whose other files the script finds at `$CASE`."""
    cases = []
    for path in sorted(Path(folder).glob("*/case.json")):
        case = json.loads(path.read_text())
        script = f"CASE='{path.parent.resolve()}'\n" + case.get("script", "")
        # A command is a list of words, or a pair: the words of a question and its test.
        commands = [words if isinstance(words[0], str) else ask(*words[0], test=words[1]) for words in case["commands"]]
        cases.append(Case(path.parent.name, commands, script=script))
    return cases
