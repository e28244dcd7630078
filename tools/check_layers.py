#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check every #include under src/ against tools/layers.txt."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ALWAYS = {"abi", "base"}


def read_rules(path):
    layers, foreign = {}, {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("foreign "):
            header, _, where = line[8:].partition(":")
            foreign[header] = where.split()
        elif line:
            module, _, allowed = line.partition(":")
            layers[module] = set(allowed.split())
    return layers, foreign


def check_order(layers):
    """A module names only modules above its own line, so there are no cycles."""
    known = set()
    for module, allowed in layers.items():
        for name in sorted(allowed - known - {"*"}):
            yield f"tools/layers.txt: {module} names {name}, which is not above it"
        known.add(module)


def check_file(path, layers, foreign):
    name = path.relative_to(ROOT).as_posix()
    module = path.relative_to(ROOT / "src").parts[0].removesuffix(".c")
    if module not in layers:
        yield f"{name}: module {module} is not in tools/layers.txt"
        return
    allowed = layers[module] | ALWAYS | {module}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        m = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if not m:
            continue
        kind, header = m.groups()
        target = header.split("/")[0]
        if kind == '"' and "*" not in allowed and target not in allowed:
            if target in layers:
                yield f"{name}:{number}: {module} may not include {header}"
            elif (path.parent / header).exists():
                yield f"{name}:{number}: write the path from src/: {header}"
        for prefix, places in foreign.items():
            if header.startswith(prefix) and not any(name.startswith(p) for p in places):
                yield f"{name}:{number}: {header} belongs to {' '.join(places) or 'no file'} only"


def main():
    layers, foreign = read_rules(ROOT / "tools" / "layers.txt")
    problems = list(check_order(layers))
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        problems += check_file(path, layers, foreign)
    print("\n".join(problems) or "layers: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
