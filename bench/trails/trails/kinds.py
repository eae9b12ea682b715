"""Cases of `howcome changes` for everything that can happen to a file."""

from .case import Case, ask

NOISE = "git init -q .\nseq 50 >noise.txt; seq 9 >gone.txt; mkdir dir; seq 3 >dir/x\n"
MORE = "sed -i -e 's/^7$/seven/' -e 's/^30$/thirty/' noise.txt; git rm -q gone.txt; echo unlike >dir/y\n"

# What makes the good version, what makes the bad one of it, and the test.
KINDS = {
    "line-removed": ("seq 20 >f", "sed -i -e /13/d -e 's/^3$/three/' f", "grep -q 13 f"),
    "file-added": ("true", "echo x >dir/new", "test ! -e dir/new"),
    "empty-file-added": ("true", ": >new", "test ! -e new"),
    "file-removed": ("seq 5 >needed", "rm needed", "test -e needed"),
    "file-moved": ("seq 40 >old", "mkdir to; mv old to/new; sed -i 's/^5$/five/' to/new", "test -e old"),
    "mode-removed": ("echo exit >run.sh; chmod +x run.sh", "chmod -x run.sh; echo '# more' >>run.sh", "test -x run.sh"),
    "mode-added": ("echo exit >run.sh", "chmod +x run.sh", "test ! -x run.sh"),
    "link-changed": ("ln -s dir/x link", "ln -sf dir/y link", 'test "$(readlink link)" = dir/x'),
    "file-to-folder": ("echo 1 >thing", "rm thing; mkdir thing; echo 1 >thing/a; echo 2 >thing/b", "test ! -e thing/b"),
    "folder-to-file": ("mkdir thing; echo 1 >thing/a; echo 2 >thing/b", "rm -r thing; echo 1 >thing", "test -d thing"),
    "binary": (r"printf 'a\0b\n\377' >data.bin", r"printf 'a\0c\n\376' >data.bin", "LC_ALL=C grep -aq b data.bin"),
    "line-ends": (r"seq 30 | sed 's/$/\r/' >dos.txt", "sed -i s/22/xx/ dos.txt", "grep -q 22 dos.txt"),
    "last-line": (r"printf 'a\nb\n' >f", r"printf 'a\nb' >f", 'test -z "$(tail -c1 f)"'),
    "odd-names": (
        r"""printf 'x\n' >"$(printf 'a\nb')"; printf 'x\n' >-n; printf 'x\n' >"it's" """,
        r"""printf 'y\n' >"$(printf 'a\nb')"; printf 'y\n' >-n; printf 'y\n' >"it's" """,
        "grep -q x ./-n",
    ),
    "file-to-link": ("cp dir/x link", "ln -sf dir/x link", "test ! -L link"),
    "not-text": (r"printf 'one\n\377\376\nthree\n' >f", r"printf 'ONE\n\377\375\nthree\n' >f", r'LC_ALL=C grep -aq "$(printf "\\376")" f'),
}


def cases():
    commit = "git add -A; git commit -qm"
    for name, (good, bad, test) in KINDS.items():
        script = f"{NOISE}{good}\n{commit} good\n{MORE}{bad}\n{commit} bad\n"
        command = ask("changes", "--good", "HEAD~1", "--bad", "HEAD", test=["sh", "-c", test])
        yield Case(f"changes-kind-{name}", [command], script=script)
