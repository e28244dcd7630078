#!/usr/bin/env python3
"""Makes small stripped ELF files with the function table of Go programs, one of each of its forms.

Functions: main.first 16 bytes from the begin of Go's code, main.(*T).Second 32 bytes behind it,
runtime.third 96 behind; its code ends 128 bytes behind the begin. Code in the file from 0x1000, at
BASE + 0x1000 in memory; in front of Go's code lie 64 bytes of C.

Each function has its stack 0, 24, 0 bytes deep, from offsets 0, 4 and 14 on; the second writes the stack
pointer, the third begins a stack. Lines of first.go: 10, 30, 20, 12 from offsets 0, 4, 6 and 8 on; of
main.first in the files of 1.18 and 1.20, main.inner is inlined at 4 into main.middle, and that at 6, into
main.first at 0. The other two are in other.go. Usage: go_tables.py FOLDER
"""
import struct
import sys

BASE, TEXT, C_CODE, TABLE = 0x400000, 0x1000, 64, 0x1200
FUNCTIONS = [(16, b"main.first"), (32, b"main.(*T).Second"), (96, b"runtime.third")]
INLINED = [b"main.middle", b"main.inner"]
FLAGS = [0, 2, 1]
FILES = [b"/src/first.go", b"/src/other.go"]
END = 128
GO_TEXT = BASE + TEXT + C_CODE
NONE = 0xFFFFFFFF


def strings(all_names, at=0):
    out, places = b"", []
    for name in all_names:
        places.append(at + len(out))
        out += name + b"\0"
    return out, places


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def values(ranges):
    """A table of values by offset: [(end, value)]."""
    out, last, begin = b"", -1, 0
    for end, value in ranges:
        change = value - last
        out += varint(change * 2 if change >= 0 else -change * 2 - 1) + varint(end - begin)
        last, begin = value, end
    return out + b"\0"


def tables(first_file):
    """All tables of values, and where they begin: stack, files of the first, of others, lines, inlined."""
    out, places = b"\0", []
    for t in ([(4, 0), (14, 24), (64, 0)], [(64, first_file)], [(64, first_file + 1)],
              [(4, 10), (6, 30), (8, 20), (64, 12)], [(4, -1), (6, 1), (8, 0), (64, -1)]):
        places.append(len(out))
        out += values(t)
    return out.ljust((len(out) + 15) & ~15, b"\0"), places


def table(magic, e, word, text_in_table=True):
    """The table itself: header, names, files, values, functions with their descriptions."""
    w = {4: "I", 8: "Q"}[word]
    head = struct.pack(e + "IBBBB", magic, 0, 0, 1, word)
    relative = magic in (0xFFFFFFF0, 0xFFFFFFF1)
    step = "I" if relative else w
    base = 0 if relative else GO_TEXT
    size = struct.calcsize(step)
    old = magic == 0xFFFFFFFB
    index = (2 * len(FUNCTIONS) + 1) * size
    room = 96  # of a description
    names = [name for _, name in FUNCTIONS] + INLINED
    pctab, at = tables(1 if old else 0)
    if old:
        # names, files and values are told from the table's begin
        start = 8 + word
        list_at = start + index + 4
        names_at = list_at + 4 * (len(FILES) + 1) + room * len(FUNCTIONS)
        name_bytes, places = strings(names, names_at)
        file_bytes, file_places = strings(FILES, names_at + len(name_bytes))
        values_at = names_at + len(name_bytes) + len(file_bytes)
        at = [values_at + n for n in at]
        origin = list_at + 4 * (len(FILES) + 1)
        out = head + struct.pack(e + w, len(FUNCTIONS))
    else:
        words = 8 if relative else 7
        names_at = 8 + words * word
        name_bytes, places = strings(names)
        name_bytes = name_bytes.ljust((len(name_bytes) + 15) & ~15, b"\0")
        file_bytes, file_places = strings(FILES)
        units_at = names_at + len(name_bytes)
        units = struct.pack(e + "4I", NONE, NONE, *file_places)
        files_at = units_at + len(units)
        values_at = files_at + len(file_bytes)
        start = values_at + len(pctab)
        origin = index
        header = [len(FUNCTIONS), len(FILES)] + ([GO_TEXT if text_in_table else 0] if relative else [])
        out = head + struct.pack(e + "%d%s" % (words, w), *header, names_at, units_at, files_at, values_at, start)
        out += name_bytes + units + file_bytes + pctab

    def describe(n):
        file = at[1] if n == 0 else at[2]
        inlined = n == 0 and relative
        fields = [places[n], 0, 0, at[0], file, at[3], 3 if not old else 0]
        d = struct.pack(e + step, base + FUNCTIONS[n][0]) + struct.pack(e + "7I", *fields)
        if not old:
            d += struct.pack(e + "I", 2)  # its files begin there in the list
        if magic == 0xFFFFFFF1:
            d += struct.pack(e + "I", 9)
        if not old:
            d += bytes([0, FLAGS[n], 0, 4]) + struct.pack(e + "3I", 0, 0, at[4] if inlined else 0)
            d += struct.pack(e + "4I", NONE, NONE, NONE, 16 if inlined else NONE)
        return d.ljust(room, b"\0")

    for n, (offset, _) in enumerate(FUNCTIONS):
        out += struct.pack(e + "2" + step, base + offset, origin + room * n)
    out += struct.pack(e + step, base + END)
    if old:
        out += struct.pack(e + "I", list_at) + struct.pack(e + "3I", len(FILES) + 1, *file_places)
    for n in range(len(FUNCTIONS)):
        out += describe(n)
    return out + (name_bytes + file_bytes + pctab if old else b"")


def inlined_calls(magic, e):
    """What main.first has inlined, 16 bytes behind the begin."""
    middle = len(b"\0".join(name for _, name in FUNCTIONS)) + 1
    inner = middle + len(INLINED[0]) + 1
    if magic == 0xFFFFFFF0:
        return bytes(16) + struct.pack(e + "hBx4I", -1, 0, 2, 10, middle, 0) + struct.pack(e + "hBx4I", 0, 0, 2, 20,
                                                                                          inner, 6)
    return bytes(16) + struct.pack(e + "I3I", 0, middle, 0, 19) + struct.pack(e + "I3I", 0, inner, 6, 29)


def module(magic, e, addr, calls):
    """The runtime's data about the program: 64 words."""
    words = [0] * 64
    words[0] = addr
    words[1] = addr + 8 + 8 * 8
    words[22] = GO_TEXT
    words[38 if magic == 0xFFFFFFF0 else 40] = calls
    return words


def elf(pclntab, e, word, section=b".gopclntab", magic=0, header_at=0, relocated=()):
    is64 = word == 8
    data_at = (TABLE + len(pclntab) + 15) & ~15
    calls = inlined_calls(magic, e) if magic else b""
    words = module(magic, e, BASE + TABLE + header_at, BASE + data_at) if magic else []
    module_at = (data_at + len(calls) + 15) & ~15
    rela = b"".join(struct.pack(e + "QQQ", *r) for r in relocated)
    if relocated:
        rela += b"".join(struct.pack(e + "QQQ", BASE + module_at + 8 * n, 8, v) for n, v in enumerate(words) if v)
        words = [0] * len(words)
    data = calls.ljust(module_at - data_at, b"\0") + struct.pack(e + "%dQ" % len(words), *words)
    names = [b"", b".text", section, b".go.buildinfo", b".rela.dyn", b".data", b".shstrtab"]
    strtab = b"\0".join(names) + b"\0"
    rela_at = data_at + len(data)
    str_at = rela_at + len(rela)
    sh_at = (str_at + len(strtab) + 7) & ~7
    ident = b"\x7fELF" + bytes([2 if is64 else 1, 1 if e == "<" else 2, 1]).ljust(12, b"\0")
    machine = {("<", 8): 62, ("<", 4): 3, (">", 8): 8, (">", 4): 8}[e, word]
    sections = [(0, 0, 0, 0, 0), (1, 6, BASE + TEXT, TEXT, TABLE - TEXT),
                (1, 2, BASE + TABLE, TABLE, len(pclntab)), (1, 2, BASE + rela_at, rela_at, 0),
                (4, 2, BASE + rela_at, rela_at, len(rela)), (1, 3, BASE + data_at, data_at, len(data)),
                (3, 0, 0, str_at, len(strtab))]
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
    out += (b"\xc3" * (TABLE - TEXT)) + pclntab.ljust(data_at - TABLE, b"\0") + data + rela + strtab
    out = out.ljust(sh_at, b"\0")
    at = 0
    for n, (kind, flags, addr, offset, length) in enumerate(sections):
        name = strtab.index(b"\0" + names[n] + b"\0") + 1 if n else 0
        out += struct.pack(e + "II4" + a + "II2" + a, name, kind, flags, addr, offset, length, 0, 0, 1,
                           24 if kind == 4 else 0)
    return out


def main():
    place = BASE + TABLE + 64 + 8 + 16
    foreign = b"\x22" * 64 + table(0xFFFFFFF1, "<", 8, text_in_table=False)
    files = {
        "go102": elf(table(0xFFFFFFFB, "<", 8), "<", 8),
        "go116": elf(table(0xFFFFFFFA, "<", 4), "<", 4),
        "go118": elf(table(0xFFFFFFF0, ">", 8), ">", 8, b".data.rel.ro.gopclntab", 0xFFFFFFF0),
        "go120": elf(foreign, "<", 8, b".data.rel.ro", 0xFFFFFFF1, 64, [(place, 8, GO_TEXT)]),
    }
    for name, data in files.items():
        with open(f"{sys.argv[1]}/{name}", "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
