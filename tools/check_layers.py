#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check every #include under src/ against tools/layers.txt, and that the files of the modules named there do not call
each other in circles. A command does not include another command's headers."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ALWAYS = {"abi", "base"}


def read_rules(path):
    layers, foreign, bottom_up = {}, {}, []
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("foreign "):
            header, _, where = line[8:].partition(":")
            foreign[header] = where.split()
        elif line.startswith("bottom-up "):
            bottom_up += line.split()[1:]
        elif line:
            module, _, allowed = line.partition(":")
            layers[module] = set(allowed.split())
    return layers, foreign, bottom_up


def check_order(layers):
    """A module names only modules above its own line, so there are no cycles."""
    known = set()
    for module, allowed in layers.items():
        for name in sorted(allowed - known - {"*"}):
            yield f"tools/layers.txt: {module} names {name}, which is not above it"
        known.add(module)


def command_of(path):
    """The command that a file below cmd belongs to."""
    return path.parts[1].partition(".")[0] if path.parts[0] == "cmd" else None


def check_file(path, layers, foreign):
    name = path.relative_to(ROOT).as_posix()
    module = path.relative_to(ROOT / "src").parts[0].removesuffix(".c")
    if module not in layers:
        yield f"{name}: module {module} is not in tools/layers.txt"
        return
    allowed = layers[module] | ALWAYS | {module}
    command = command_of(path.relative_to(ROOT / "src"))
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
        other = command_of(pathlib.PurePath(header)) if header.count("/") > 1 else None
        if command and other and other != command:
            yield f"{name}:{number}: {header} is another command's; what both need belongs into a module below cmd"
        for prefix, places in foreign.items():
            if header.startswith(prefix) and not any(name.startswith(p) for p in places):
                yield f"{name}:{number}: {header} belongs to {' '.join(places) or 'no file'} only"


COMMENT = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.S)
# Tags and members: some have the name of a function.
OTHER_NAME = re.compile(r"\b(?:struct|union|enum)\s+\w+|(?:->|\.)\w+")
# At the beginning of a line: a function with a body, or data with a value; of this file alone are static ones.
DEFINED = re.compile(r"^(?!static\b|extern\b|typedef\b|#|return\b|else\b)[a-z][\w \t*]*?\b(\w+)"
                     r"(?:\([^;{}]*\)\s*\{|(?:\[[^\]]*\])*\s*=)", re.M)


def calls_of(module):
    """By file: the files of the module whose functions and tables it uses, and one of them."""
    texts = {path.relative_to(ROOT).as_posix(): COMMENT.sub(" ", path.read_text(encoding="utf-8"))
             for path in sorted((ROOT / "src" / module).rglob("*.c"))}
    where = {name: path for path, text in texts.items() for name in DEFINED.findall(text)}
    return {path: {where[word]: word for word in re.findall(r"\w+", OTHER_NAME.sub(" ", text))
                   if where.get(word, path) != path}
            for path, text in texts.items()}


def check_circles(module):
    """Take away files that use none of the others, until none is left, or only those in circles and what uses them."""
    calls = calls_of(module)
    free = True
    while free:
        free = [path for path in calls if not calls[path].keys() & calls.keys()]
        for path in free:
            del calls[path]
    used = {path for uses in calls.values() for path in uses}
    while calls.keys() - used:  # and those that none uses
        for path in calls.keys() - used:
            del calls[path]
        used = {path for uses in calls.values() for path in uses}
    for path, uses in calls.items():
        for other in sorted(uses.keys() & calls.keys()):
            yield f"{path} uses {uses[other]}() of {other}: they are in a circle"


def main():
    layers, foreign, bottom_up = read_rules(ROOT / "tools" / "layers.txt")
    problems = list(check_order(layers)) + [p for module in bottom_up for p in check_circles(module)]
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        problems += check_file(path, layers, foreign)
    print("\n".join(problems) or "layers: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
