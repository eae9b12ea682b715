#!/usr/bin/env python3
"""A viewer that crashes on a comment in Latin-1. It reads PNG as viewers do: chunk by chunk, and checksums must be right."""
import struct
import sys
import zlib


def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(2)


png = open(sys.argv[1], "rb").read()
if png[:8] != b"\x89PNG\r\n\x1a\n":
    refuse("this is no PNG")
at, image = 8, b""
while at < len(png):
    length, kind = struct.unpack(">I4s", png[at : at + 8])
    content = png[at + 8 : at + 8 + length]
    if struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] != zlib.crc32(kind + content):
        refuse("a checksum is wrong")
    if kind == b"IDAT":
        image += content
    if kind == b"tEXt":
        print(content.decode("utf-8"))
    at += 12 + length
zlib.decompress(image)
