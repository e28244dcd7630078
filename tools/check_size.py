#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check lengths: functions <= 80 lines (warning) and <= 120 (error), files <= 1200 lines.

A function is what stands between "{" and "}" in column 0. Exceptions, each with its reason, stand
in tools/size_allow.txt: "PATH[:FUNCTION] REASON".
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILE_MAX, SOFT, HARD = 1200, 80, 120


def functions(lines):
    """(name, line number, length) of every function."""
    start = None
    for i, line in enumerate(lines):
        if line == "{" and i:
            start = i
        elif line == "}" and start is not None:
            head = " ".join(lines[max(0, start - 6):start])
            names = re.findall(r"(\w+)\s*\(", head.split(";")[-1].split("}")[-1])
            yield (names[0] if names else "?"), start + 1, i - start - 1
            start = None


def main():
    allow = {}
    for line in (ROOT / "tools" / "size_allow.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            allow[name] = reason.strip()
    errors, warnings, used = [], [], set()
    for folder in ("src", "tests"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            name = path.relative_to(ROOT).as_posix()
            lines = path.read_text(encoding="utf-8").splitlines()
            if len(lines) > FILE_MAX:
                used.add(name)
                if not allow.get(name):
                    errors.append(f"{name}: {len(lines)} lines, at most {FILE_MAX}")
            for function, line, length in functions(lines):
                key = f"{name}:{function}"
                if length <= SOFT:
                    continue
                used.add(key)
                if allow.get(key):
                    continue
                text = f"{name}:{line}: {function}() has {length} lines"
                (errors if length > HARD else warnings).append(text)
    errors += [f"tools/size_allow.txt: {name} is no exception any more" for name in allow
               if name not in used]
    for text in warnings:
        print(f"warning: {text}, should be at most {SOFT}")
    print("\n".join(errors) or f"sizes: ok, {len(warnings)} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
