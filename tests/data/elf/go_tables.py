#!/usr/bin/env python3
"""Makes small stripped ELF files with the function table of Go programs, one of each of its forms.

Functions: main.first 16 bytes from the begin of Go's code, main.(*T).Second 32 bytes behind it,
runtime.third 96 behind; its code ends 128 bytes behind the begin. Code in the file from 0x1000, at
BASE + 0x1000 in memory; in front of Go's code lie 64 bytes of C. Usage: go_tables.py FOLDER
"""
import struct
import sys

BASE, TEXT, C_CODE, TABLE = 0x400000, 0x1000, 64, 0x1200
FUNCTIONS = [(16, b"main.first"), (32, b"main.(*T).Second"), (96, b"runtime.third")]
END = 128
GO_TEXT = BASE + TEXT + C_CODE


def strings(at):
    out, places = b"", []
    for _, name in FUNCTIONS:
        places.append(at + len(out))
        out += name + b"\0"
    return out, places


def table(magic, e, word, text_in_table=True):
    """The table itself: header, names, functions with their descriptions."""
    w = {4: "I", 8: "Q"}[word]
    head = struct.pack(e + "IBBBB", magic, 0, 0, 1, word)
    relative = magic in (0xFFFFFFF0, 0xFFFFFFF1)
    step = "I" if relative else w
    base = 0 if relative else GO_TEXT
    size = struct.calcsize(step)
    index = (2 * len(FUNCTIONS) + 1) * size
    describe = lambda n, at: struct.pack(e + step + "i", base + FUNCTIONS[n][0], at).ljust(16, b"\0")
    if magic == 0xFFFFFFFB:
        start = 8 + word
        names_at = start + index + 16 * len(FUNCTIONS)
        names, places = strings(names_at)
        origin = start + index
        out = head + struct.pack(e + w, len(FUNCTIONS))
    else:
        words = 8 if relative else 7
        names_at = 8 + words * word
        names, places = strings(0)
        names = names.ljust((len(names) + 15) & ~15, b"\0")
        start = names_at + len(names)
        origin = index
        values = [len(FUNCTIONS), 0] + ([GO_TEXT if text_in_table else 0] if relative else [])
        values += [names_at, start, start, start, start]
        out = head + struct.pack(e + "%d%s" % (words, w), *values) + names
    for n, (offset, _) in enumerate(FUNCTIONS):
        out += struct.pack(e + "2" + step, base + offset, origin + 16 * n)
    out += struct.pack(e + step, base + END)
    for n in range(len(FUNCTIONS)):
        out += describe(n, places[n])
    return out + (names if magic == 0xFFFFFFFB else b"")


def elf(pclntab, e, word, section=b".gopclntab", relocation=None):
    is64 = word == 8
    rela = struct.pack(e + "QQQ", *relocation) if relocation else b""
    names = [b"", b".text", section, b".go.buildinfo", b".rela.dyn", b".shstrtab"]
    strtab = b"\0".join(names) + b"\0"
    rela_at = TABLE + len(pclntab)
    str_at = rela_at + len(rela)
    sh_at = (str_at + len(strtab) + 7) & ~7
    ident = b"\x7fELF" + bytes([2 if is64 else 1, 1 if e == "<" else 2, 1]).ljust(12, b"\0")
    machine = {("<", 8): 62, ("<", 4): 3, (">", 8): 8, (">", 4): 8}[e, word]
    sections = [(0, 0, 0, 0, 0), (1, 6, BASE + TEXT, TEXT, TABLE - TEXT),
                (1, 2, BASE + TABLE, TABLE, len(pclntab)), (1, 2, BASE + rela_at, rela_at, 0),
                (4, 2, BASE + rela_at, rela_at, len(rela)), (3, 0, 0, str_at, len(strtab))]
    a = "Q" if is64 else "I"
    head = ident + struct.pack(e + "HHI3" + a + "I6H", 2, machine, 1, BASE + TEXT, 64, sh_at, 0,
                               64 if is64 else 52, 56 if is64 else 32, 1, 64 if is64 else 40,
                               len(sections), len(sections) - 1)
    size = rela_at + len(rela)
    if is64:
        load = struct.pack(e + "II6Q", 1, 5, 0, BASE, BASE, size, size, 0x1000)
    else:
        load = struct.pack(e + "8I", 1, 0, BASE, BASE, size, size, 5, 0x1000)
    out = (head.ljust(64, b"\0") + load).ljust(TEXT, b"\0")
    out += (b"\xc3" * (TABLE - TEXT)) + pclntab + rela + strtab
    out = out.ljust(sh_at, b"\0")
    at = 0
    for n, (kind, flags, addr, offset, length) in enumerate(sections):
        name = strtab.index(names[n] + b"\0") if n else 0
        out += struct.pack(e + "II4" + a + "II2" + a, name, kind, flags, addr, offset, length, 0, 0, 1,
                           24 if kind == 4 else 0)
    return out


def main():
    place = BASE + TABLE + 64 + 8 + 16
    foreign = b"\x22" * 64 + table(0xFFFFFFF1, "<", 8, text_in_table=False)
    files = {
        "go102": elf(table(0xFFFFFFFB, "<", 8), "<", 8),
        "go116": elf(table(0xFFFFFFFA, "<", 4), "<", 4),
        "go118": elf(table(0xFFFFFFF0, ">", 8), ">", 8, b".data.rel.ro.gopclntab"),
        "go120": elf(foreign, "<", 8, b".data.rel.ro", (place, 8, GO_TEXT)),
    }
    for name, data in files.items():
        with open(f"{sys.argv[1]}/{name}", "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
