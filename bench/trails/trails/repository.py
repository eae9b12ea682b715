"""Git repositories with fixed dates, so that their commits have the same hashes everywhere."""

from .case import Case

BEGIN = 1577934245


class Repository:
    """A history that `git fast-import` turns into a repository."""

    def __init__(self, branch="main"):
        self.stream = []
        self.branch = branch
        self.trees = {}
        self.heads = {}
        self.count = 0

    def commit(self, subject, files, merges=(), whole=False):
        """Commits changed files on the branch; `None` removes one, `whole` replaces all."""
        parent = self.heads.get(self.branch)
        tree = {} if whole else dict(self.trees.get(parent, {}))
        tree.update(files)
        tree = {path: content for path, content in tree.items() if content is not None}
        self.count += 1
        mark = self.count
        committer = f"Ada <ada@example.org> {BEGIN + 60 * mark} +0000"
        self.stream += [f"commit refs/heads/{self.branch}\nmark :{mark}\ncommitter {committer}\n"]
        self.data(subject)
        self.stream += [f"from :{parent}\n"] if parent else []
        self.stream += [f"merge :{self.heads[branch]}\n" for branch in merges]
        self.stream += ["deleteall\n"]
        for path, content in sorted(tree.items()):
            script = content.startswith("#!" if isinstance(content, str) else b"#!")
            self.stream += [f"M {'100755' if script else '100644'} inline {path}\n"]
            self.data(content)
        self.trees[mark], self.heads[self.branch] = tree, mark
        return mark

    def merge(self, branch, files, subject="merge"):
        """Merges another branch; the files are the result."""
        return self.commit(subject, files, merges=[branch])

    def switch(self, branch, start=None):
        """Continues on another branch, which is new if it starts at a commit."""
        self.branch = branch
        if start:
            self.heads[branch] = start
            self.stream += [f"reset refs/heads/{branch}\nfrom :{start}\n\n"]

    def tag(self, name, mark=None):
        self.stream += [f"reset refs/tags/{name}\nfrom :{mark or self.heads[self.branch]}\n\n"]

    def data(self, content):
        content = content.encode() if isinstance(content, str) else content
        self.stream += [f"data {len(content)}\n", content, "\n"]

    def bytes(self):
        return b"".join(part.encode() if isinstance(part, str) else part for part in self.stream)

    def case(self, name, commands, script="", files=None):
        """A case that starts at the newest commit of `main`; files are written in addition to those of the commit."""
        make = "git init -q -b main .\ngit fast-import --quiet <../stream\ngit checkout -qf main\n"
        return Case(name, commands, {"../stream": self.bytes(), **(files or {})}, make + script)


def numbered(count, words=()):
    """Numbered lines, some of them with a word after the number."""
    words = dict(words)
    return "".join(f"{line}{' ' + words[line] if line in words else ''}\n" for line in range(1, count + 1))
