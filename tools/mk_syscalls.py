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
import re
import subprocess
import sys

ARCHES = ("x86_64", "i386", "arm64")
# What the header calls otherwise than the function that does it.
FUNCTIONS = {
    "stat": "newstat", "fstat": "newfstat", "lstat": "newlstat", "uname": "newuname",
    "umount2": "umount", "umount": "oldumount", "sendfile": "sendfile64", "_llseek": "llseek",
    "mmap2": "mmap_pgoff", "_newselect": "select", "prlimit64": "prlimit64",
}


def numbers(include, header):
    """{name: number} of a header."""
    text = subprocess.run(
        ["cpp", "-dM", "-nostdinc", f"-I{include}", "-"], input=f"#include <{header}>\n",
        capture_output=True, text=True, check=True).stdout
    macros = dict(re.findall(r"^#define (__NR\w*) (\S+)$", text, re.M))
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
            text = re.sub(r",\n\t", ", ", f.read())
        for name, nrs, args in re.findall(
                r"^SYSCALL\((\w+), (-?\d+, -?\d+, -?\d+)(.*)\)$", text, re.M):
            out[name] = ([int(n) for n in nrs.split(",")], re.findall(r'"(.*?)"', args))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--x86", default="/usr/lib/linux/uapi/x86", help="UAPI headers")
    parser.add_argument("--arm64", default="/usr/lib/linux/uapi/arm64")
    parser.add_argument("--generic", default=None, help="their asm-generic")
    parser.add_argument("--tracefs", default="/sys/kernel/tracing")
    parser.add_argument("--check", action="store_true",
                        help="only tell where this machine's headers say something else")
    parser.add_argument("output")
    o = parser.parse_args()
    table = read_table(o.output)
    by_arch = {
        "x86_64": numbers(o.x86, "asm/unistd_64.h"),
        "i386": numbers(o.x86, "asm/unistd_32.h"),
        "arm64": {} if o.check else numbers(o.arm64, "asm/unistd_64.h"),
    }
    if o.check:
        wrong = [f"{arch}: {name} is {nr}" for arch, names in by_arch.items()
                 for name, nr in names.items()
                 if table.get(name, ([None] * 3,))[0][ARCHES.index(arch)] != nr]
        sys.exit("\n".join(wrong) if wrong else 0)
    args = arguments(os.path.join(o.tracefs, "events/syscalls"))
    for arch, names in by_arch.items():
        for name, nr in names.items():
            table.setdefault(name, ([-1, -1, -1], []))[0][ARCHES.index(arch)] = nr
    for name, (nrs, known) in table.items():
        known[:] = args.get(FUNCTIONS.get(name, name)) or args.get(name) or known
    with open(o.output, "w") as f:
        f.write("/* SPDX-License-Identifier: GPL-2.0-or-later */\n"
                "/* Made by tools/mk_syscalls.py: SYSCALL(name, its number on x86_64, i386, arm64\n"
                " * (-1 = there is none), arguments). */\n")
        for name, (nrs, known) in sorted(table.items()):
            head = f"SYSCALL({name}, {nrs[0]}, {nrs[1]}, {nrs[2]}"
            line = ", ".join([head] + [f'"{a}"' for a in known]) + ")"
            if len(line) > 100:
                line = head
                last = len(head)
                for a in known:
                    if last + len(a) + 4 > 90:
                        line += f',\n\t"{a}"'
                        last = 8 + len(a)
                    else:
                        line += f', "{a}"'
                        last += len(a) + 4
                line += ")"
            f.write(line + "\n")


if __name__ == "__main__":
    main()
