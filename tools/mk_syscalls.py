#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes src/trace/syscalls.def: the names, numbers and arguments of system calls.

Numbers come from the kernel's UAPI headers (Debian's linux-libc-dev has those of all
architectures in /usr/lib/linux/uapi, elsewhere give --x86 and --arm64), arguments with their types
from the formats of the running kernel's tracepoints syscalls:sys_enter_*, so it needs root. The
result is kept in the repository, since who builds perf has neither; run it again for a newer
kernel: what is in the file and this machine does not know stays there.
"""
import argparse
import os
import platform
import re
import subprocess
import sys

ARCHES = ("x86_64", "i386", "arm64")
HEADERS = {"x86_64": "asm/unistd_64.h", "i386": "asm/unistd_32.h"}
# What the header calls otherwise than the function that does it.
FUNCTIONS = {
    "stat": "newstat", "fstat": "newfstat", "lstat": "newlstat", "uname": "newuname",
    "umount2": "umount", "umount": "oldumount", "sendfile": "sendfile64", "_llseek": "llseek",
    "mmap2": "mmap_pgoff", "_newselect": "select", "prlimit64": "prlimit64",
}


def numbers(where, header):
    """{name: number} of a header, found by the options where. None: there is no such header."""
    r = subprocess.run(["cpp", "-dM", *where, "-"], input=f"#include <{header}>\n",
                       capture_output=True, text=True, check=False)
    if r.returncode:
        return None
    macros = dict(re.findall(r"^#define (__NR\w*) (\S+)$", r.stdout, re.M))
    out = {}
    for name, value in macros.items():
        while value in macros:
            value = macros[value]
        plain = name.removeprefix("__NR_")
        if name.startswith("__NR_") and value.isdigit() and plain not in (
                "syscalls", "arch_specific_syscall"):
            out[plain] = int(value)
    return out


def arguments(root):
    """{function: [argument]} of the running kernel."""
    out = {}
    for entry in os.listdir(root):
        if not entry.startswith("sys_enter_"):
            continue
        with open(os.path.join(root, entry, "format")) as f:
            fields = re.findall(r"^\tfield:(.*);\toffset:(\d+);", f.read(), re.M)
        out[entry.removeprefix("sys_enter_")] = [
            text for text, at in fields if int(at) >= 16]
    return out


def read_table(path):
    """{name: ([number by architecture], [argument])} of the file as it is."""
    out = {}
    if os.path.exists(path):
        with open(path) as f:
            text = re.sub(r"\n\t", " ", f.read())
        for name, nrs, args in re.findall(
                r"^SYSCALL\((\w+), (-?\d+, -?\d+, -?\d+)(.*)\)$", text, re.M):
            out[name] = ([int(n) for n in nrs.split(",")], re.findall(r'"(.*?)\\0"', args))
    return out


def write_table(path, table):
    with open(path, "w") as f:
        f.write("/* SPDX-License-Identifier: GPL-2.0-or-later */\n"
                "/* Made by tools/mk_syscalls.py: SYSCALL(name, its number on x86_64, i386, arm64\n"
                " * (-1 = there is none), arguments: one string, a NUL behind each). */\n")
        for name, (nrs, known) in sorted(table.items()):
            line = f"SYSCALL({name}, {nrs[0]}, {nrs[1]}, {nrs[2]}"
            width = len(line)
            for i, arg in enumerate(known):
                word = f'"{arg}\\0"'
                separator = " " if i else ", "
                if width + len(separator) + len(word) > 98:
                    separator = separator.rstrip() + "\n\t"
                    width = 8
                line += separator + word
                width += len(separator) + len(word)
            f.write(line + ")\n")


def check(table):
    """The numbers of the table beside those of the headers that the compiler finds."""
    by_arch = {arch: numbers([], header) for arch, header in HEADERS.items()}
    if platform.machine() != "x86_64" or None in by_arch.values():
        print("skipped: no headers of x86")
        return 77
    wrong = [f"{arch}: {name} is {nr}" for arch, names in by_arch.items()
             for name, nr in names.items()
             if name in table and table[name][0][ARCHES.index(arch)] != nr]
    print("\n".join(wrong) or f"{sum(map(len, by_arch.values()))} numbers are the same")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--x86", default="/usr/lib/linux/uapi/x86", help="UAPI headers")
    parser.add_argument("--arm64", default="/usr/lib/linux/uapi/arm64")
    parser.add_argument("--tracefs", default="/sys/kernel/tracing")
    parser.add_argument("--check", action="store_true",
                        help="only tell where the compiler's own headers say something else; "
                             "exit status 77 where they are not those of x86")
    parser.add_argument("output")
    o = parser.parse_args()
    table = read_table(o.output)
    if o.check:
        sys.exit(check(table))
    by_arch = {arch: numbers(["-nostdinc", f"-I{o.x86}"], header)
               for arch, header in HEADERS.items()}
    by_arch["arm64"] = numbers(["-nostdinc", f"-I{o.arm64}"], "asm/unistd_64.h")
    for arch, names in by_arch.items():
        if names is None:
            sys.exit(f"there are no headers of {arch}")
    args = arguments(os.path.join(o.tracefs, "events/syscalls"))
    for arch, names in by_arch.items():
        for name, nr in names.items():
            table.setdefault(name, ([-1, -1, -1], []))[0][ARCHES.index(arch)] = nr
    for name, (nrs, known) in table.items():
        known[:] = args.get(FUNCTIONS.get(name, name)) or args.get(name) or known
    write_table(o.output, table)


if __name__ == "__main__":
    main()
