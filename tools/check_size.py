#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check sizes: functions <= 80 lines (warning) and <= 120 (error), <= 8 parameters; files <= 1200 lines.

A function is what stands between "{" and "}" in column 0. Exceptions, each with its reason, are listed
in tools/size_allow.txt: "PATH[:FUNCTION] REASON".
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILE_MAX, SOFT, HARD, PARAMETERS_MAX = 1200, 80, 120, 8


def parameters(head):
    """How many parameters a function has, by the text from its name on."""
    depth, count = 0, 1
    for char in head[head.index("("):]:
        depth += (char == "(") - (char == ")")
        if not depth:
            break
        count += char == "," and depth == 1
    return count


def functions(lines):
    """(name, line number, length, number of parameters) of every function."""
    start = None
    for i, line in enumerate(lines):
        if line == "{" and i:
            start = i
        elif line == "}" and start is not None:
            head = " ".join(lines[max(0, start - 6):start])
            name = re.search(r"(\w+)\s*\(.*", head.split(";")[-1].split("}")[-1])
            yield (name[1] if name else "?"), start + 1, i - start - 1, parameters(name[0]) if name else 0
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
            for function, line, length, nr_parameters in functions(lines):
                key = f"{name}:{function}"
                if folder == "src" and nr_parameters > PARAMETERS_MAX and not allow.get(key):
                    errors.append(f"{name}:{line}: {function}() has {nr_parameters} parameters, "
                                  f"at most {PARAMETERS_MAX}")
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
