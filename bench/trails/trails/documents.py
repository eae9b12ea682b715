"""Inputs of many kinds, made at random from a seed. Each has the words NEEDLE and THREAD somewhere."""

import gzip
import io
import json
import random
import struct
import tarfile
import zipfile
import zlib

NAMES = ["alpha", "bravo", "delta", "gamma", "kappa", "lambda_", "omega", "sigma", "theta", "zeta"]


def text(chance, size=24):
    lines = [" ".join(chance.choices(NAMES, k=chance.randint(1, 7))) for _ in range(size)]
    return hide(chance, lines, "{}", "x {} y")


def sections(chance, size=6):
    lines = []
    for number in range(size):
        lines += [f"[section {number}]", *(f"  {name} = {chance.randint(0, 999)}" for name in chance.sample(NAMES, 3)), ""]
    return hide(chance, lines, "  NEEDLE = 1", "  key = THREAD", formats=False)


def c(chance, size=5):
    lines = ["#include <stdio.h>", "#define LIMIT 10", "/* A program. */"]
    for number in range(size):
        a, b = chance.sample(NAMES, 2)
        lines += [
            f"static int {a}{number}(int {b}, int count)",
            "{",
            f"    int result = {chance.randint(1, 99)}; // starts here",
            f"    for (int i = 0; i < count; i++) {{ result += {b} * i; }}",
            f"    if (result > LIMIT) {{ printf(\"{b} %d\\n\", result); }}",
            "    return result;",
            "}",
        ]
    lines += ["int NEEDLE = 3;", "int main(void)", "{", "    int THREAD = NEEDLE + 1;", "    return THREAD;", "}"]
    return "\n".join(lines) + "\n"


def python(chance, size=4):
    lines = ["import os", "import sys", ""]
    for number in range(size):
        a, b = chance.sample(NAMES, 2)
        lines += [
            f"def {a}{number}({b}, other=None):",
            f'    """Says {b}."""',
            f"    if {b} > {number}:",
            f"        return [{b}, other]",
            f"    return {chance.randint(0, 99)}",
            "",
        ]
    lines += ["class Box:", "    def NEEDLE(self):", "        value = {'a': 1, 'b': [1, 2, 3]}", "        return THREAD(value)", ""]
    lines += ["def THREAD(value):", "    return value['a']", "", "print(Box().NEEDLE())"]
    return "\n".join(lines) + "\n"


def html(chance, size=5):
    names = chance.sample(NAMES, size)
    rows = "".join(f"<tr><td class='{name}'>{name}</td><td>{chance.randint(1, 99)}</td></tr>\n" for name in names)
    return (
        "<!DOCTYPE html>\n<html>\n<head><title>Page</title><style>p { color: red; }</style></head>\n<body>\n"
        f"<table>\n{rows}</table>\n<div id='a'><p>Some <b>bold NEEDLE</b> text.</p>\n<ul><li>one<li>two THREAD</ul></div>\n"
        "<script>var x = 1;</script>\n</body>\n</html>\n"
    )


def xml(chance, size=5):
    rows = "".join(f"  <item id=\"{number}\"><name>{chance.choice(NAMES)}</name></item>\n" for number in range(size))
    return f"<?xml version=\"1.0\"?>\n<list>\n{rows}  <item kind=\"NEEDLE\"><name>THREAD</name><!-- note --></item>\n</list>\n"


def document(chance, depth=3):
    """A JSON value."""
    if depth == 0:
        return chance.choice([1, 2.5, "text", True, None, [], "long \u00e9 text"])
    if chance.random() < 0.5:
        return [document(chance, depth - 1) for _ in range(chance.randint(1, 4))]
    return {name: document(chance, depth - 1) for name in chance.sample(NAMES, chance.randint(1, 4))}


def json_text(chance):
    value = {"before": document(chance), "NEEDLE": {"deep": [1, {"THREAD": "value"}, 3]}, "after": document(chance)}
    return json.dumps(value, indent=2) + "\n"


def javascript(chance):
    names = chance.sample(NAMES, 4)
    lines = [f"function {name}(a, b) {{ const c = a + {chance.randint(1, 9)}; return c * b; }}" for name in names]
    lines += ["class NEEDLE { constructor() { this.x = [1, 2, 3]; } }", "const THREAD = () => new NEEDLE();"]
    lines += ["console.log(THREAD().x);"]
    return "\n".join(lines) + "\n"


def sql(chance):
    lines = ["CREATE TABLE NEEDLE (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);"]
    lines += [f"INSERT INTO NEEDLE (name, size) VALUES ('{chance.choice(NAMES)}', {chance.randint(1, 99)});" for _ in range(8)]
    lines += ["SELECT name, count(*) AS THREAD FROM NEEDLE WHERE size > 10 GROUP BY name ORDER BY THREAD DESC;"]
    return "\n".join(lines) + "\n"


def bash(chance):
    lines = ["#!/bin/bash", "set -u"]
    lines += [f"{name}() {{ local x=$1; echo \"{name} $x\"; }}" for name in chance.sample(NAMES, 4)]
    lines += ["if [ -n \"${HOME:-}\" ]; then", "    NEEDLE=1", "fi"]
    lines += ["for i in 1 2 3; do THREAD=$i; done", "echo \"$NEEDLE $THREAD\""]
    return "\n".join(lines) + "\n"


def rust(chance):
    lines = [f"fn {name}(x: u32) -> u32 {{ let y = x + {chance.randint(1, 9)}; y * 2 }}" for name in chance.sample(NAMES, 4)]
    lines += ["struct NEEDLE { x: Vec<u32>, y: Option<String> }"]
    lines += ["fn main() { let THREAD = NEEDLE { x: vec![1], y: None }; println!(\"{}\", THREAD.x.len()); }"]
    return "\n".join(lines) + "\n"


def css(chance):
    names = chance.sample(NAMES, 6)
    lines = [f".{name} {{ color: #{chance.randint(0, 999):03}; margin: 0 {chance.randint(1, 9)}px; }}" for name in names]
    return "\n".join([*lines, "@media print { #NEEDLE > p { font: THREAD; } }"]) + "\n"


def yaml(chance):
    lines = [f"{name}:\n  - {chance.randint(1, 9)}\n  - two: {chance.choice(NAMES)}" for name in chance.sample(NAMES, 5)]
    return "\n".join([*lines, "NEEDLE:", "  inner:", "    THREAD: yes"]) + "\n"


def toml(chance):
    lines = [f"[{name}]\nsize = {chance.randint(1, 9)}\nnames = [\"a\", \"b\"]" for name in chance.sample(NAMES, 5)]
    return "\n".join([*lines, "[NEEDLE]", "value = { THREAD = 1, other = 2 }"]) + "\n"


def binary(chance, size=400):
    data = bytearray(chance.randbytes(size))
    data[size // 3 : size // 3] = b"NEEDLE"
    data[2 * size // 3 : 2 * size // 3] = b"THREAD"
    return bytes(data)


def png(chance, width=12, height=9):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + chance.randbytes(width * 3) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"tEXt", b"Comment\0NEEDLE and more"), (b"tIME", bytes(7))]
    chunks += [(b"IDAT", zlib.compress(rows)), (b"tEXt", b"Title\0THREAD"), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in chunks)


def members(chance):
    return {"one.txt": text(chance, 8), "dir/two.txt": "nothing\n", "dir/three.c": c(chance, 1), "four.json": json_text(chance)}


def zipped(chance):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members(chance).items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def tarred(chance):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in members(chance).items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content.encode()))
    return file.getvalue()


def gzipped(chance):
    return gzip.compress(text(chance, 15).encode(), mtime=0)


def hide(chance, lines, needle, thread, formats=True):
    """Puts both words into lines, in this order."""
    first, second = sorted(chance.sample(range(1, len(lines)), 2))
    lines = list(lines)
    lines.insert(second, thread.format("THREAD") if formats else thread)
    lines.insert(first, needle.format("NEEDLE") if formats else needle)
    return "\n".join(lines) + "\n"


TEXTS = {
    "text": ("input.txt", text),
    "sections": ("input.ini", sections),
    "c": ("input.c", c),
    "python": ("input.py", python),
    "html": ("input.html", html),
    "xml": ("input.xml", xml),
    "json": ("input.json", json_text),
    "javascript": ("input.js", javascript),
    "sql": ("input.sql", sql),
    "bash": ("input.sh", bash),
    "rust": ("input.rs", rust),
    "css": ("input.css", css),
    "yaml": ("input.yaml", yaml),
    "toml": ("input.toml", toml),
}


def made(kind, seed):
    """The name and the content of a text of some kind."""
    name, make = TEXTS[kind]
    return name, make(random.Random(f"{kind} {seed}"))
