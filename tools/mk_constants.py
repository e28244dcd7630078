#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a C header of the sets of constants in src/trace/constants.txt.

Names and values come from the headers that the compiler finds: macros and enumerators whose value
is a number. What a machine's headers do not have is not in the set.

    mk_constants.py OUTPUT SETS COMPILER...

The order of the values is that of a set's last column, then their own.
"""
import re
import subprocess
import sys

SIZES = {"int": 4, "unsigned int": 4, "unsigned": 4, "__u32": 4, "__s32": 4, "__u64": 8, "__s64": 8,
         "long": 8, "unsigned long": 8, "size_t": 8, "char": 1, "__u16": 2, "loff_t": 8,
         "unsigned long long": 8, "long long": 8}


def preprocess(compiler, headers, flags, more=""):
    """None: there is no such header."""
    text = "".join(f"#include <{h}>\n" for h in headers) + more
    r = subprocess.run([*compiler, "-E", "-P", "-D_GNU_SOURCE", *flags, "-"], input=text,
                       capture_output=True, text=True, check=False)
    return r.stdout if r.returncode == 0 else None


def number(text, known):
    """The value of an expression of numbers; None: it is something else."""
    def size(m):
        return str(SIZES.get(" ".join(m.group(1).split()), "x"))
    text = re.sub(r"\(?sizeof\s*\(([^()]*)\)\)?", size, text)
    text = re.sub(r"'(.)'", lambda m: str(ord(m.group(1))), text)
    text = re.sub(r"\((?:unsigned |__)?(?:int|long|u32|u64|unsigned)\)", "", text)
    text = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b", r"\1", text)
    text = re.sub(r"\b0(\d+)\b", r"0o\1", text)
    text = re.sub(r"\b[A-Za-z_]\w*\b", lambda m: str(known.get(m.group(0), m.group(0))), text)
    if not re.fullmatch(r"[0-9a-fA-FxXo()|&<>+~*\s-]+", text):
        return None
    try:
        value = eval(f"({text})", {"__builtins__": {}})  # pylint: disable=eval-used
    except (SyntaxError, TypeError, NameError, ValueError):
        return None
    return value if isinstance(value, int) else None


def enumerators(text):
    """{enum: {name: value}}"""
    out, known = {}, {}
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    for i, (name, body) in enumerate(re.findall(r"\benum\s+(\w*)\s*\{([^{}]*)\}", text)):
        values = out.setdefault(name or str(i), {})
        at = -1
        for item in body.split(","):
            m = re.fullmatch(r"\s*(\w+)\s*(?:=\s*(.*?))?\s*", item, re.S)
            if not m:
                continue
            value = at + 1 if m.group(2) is None else number(m.group(2), known)
            if value is None:
                break
            values[m.group(1)] = known[m.group(1)] = at = value
    return out


def compiled(compiler, headers, names):
    """{name: value} of macros whose values need the sizes of structures: as the compiler has them."""
    left = list(names)
    for _ in range(3):
        lines = "".join(f"#include <{h}>\n" for h in headers) + "".join(
            f'#line {i + 1} "names"\nunsigned long long value_{n} = (unsigned long long)({n});\n'
            for i, n in enumerate(left))
        r = subprocess.run([*compiler, "-S", "-x", "c", "-w", "-o", "-", "-D_GNU_SOURCE", "-"], input=lines,
                           capture_output=True, text=True, check=False)
        if r.returncode == 0:
            found = re.findall(r"^value_(\w+):\n\s*\.(?:quad|xword)\s+(\d+)", r.stdout, re.M)
            return {n: int(v) for n, v in found}
        bad = {int(x) - 1 for x in re.findall(r"^names:(\d+):", r.stderr, re.M)}
        if not bad:
            break
        left = [n for i, n in enumerate(left) if i not in bad]
    return {}


class Texts:
    """What the preprocessor says, asked once for all sets of the same headers."""
    def __init__(self, compiler, rows):
        self.compiler = compiler
        self.macros = {}   # headers -> {name: text}; None: there is no such header
        wanted = {}
        for _, headers, pattern, *_ in rows:
            wanted.setdefault(headers, []).append(pattern)
        self.expanded = {headers: self.expand(headers, patterns) for headers, patterns in wanted.items()}

    def expand(self, headers, patterns):
        """(enumerators, [(name, value)]) of the macros that one of the patterns matches."""
        names = headers.split(",")
        text = preprocess(self.compiler, names, ["-dM"])
        if text is None:
            self.macros[headers] = None
            return {}, []
        texts = self.macros[headers] = dict(re.findall(r"^#define (\w+) (.*)$", text, re.M))
        some = [n for n in texts if any(re.fullmatch(p, n) for p in patterns)]
        text = preprocess(self.compiler, names, [], "".join(f'\n"@@{n}" ({n})\n' for n in some)) or ""
        return enumerators(text), re.findall(r'^"@@(\w+)" (\(.*\))$', text, re.M)


def constants(texts, headers, wanted, enum, commands):
    """{name: value} of those that match; commands: of ioctl() alone."""
    macros = texts.macros[headers]
    if macros is None:
        return {}
    if commands:
        macros = {n: t for n, t in macros.items() if re.match(r"_IO[RW]*\(|0x(?!0[0-2])[0-9a-fA-F]{4}\b(?<!000)", t)}
    enums, expanded = texts.expanded[headers]
    known = dict(enums.get(enum, {})) if enum else {}
    for values in [] if enum or commands else enums.values():
        known.update(values)
    out = {n: v for n, v in known.items() if re.fullmatch(wanted, n)}
    sized = []
    for name, value in [] if enum else expanded:
        if name not in macros or not re.fullmatch(wanted, name):
            continue
        v = number(value, known)
        if v is not None:
            out[name] = v
        elif "sizeof" in value:
            sized.append(name)
    if sized:
        out.update(compiled(texts.compiler, headers.split(","), sized))
    return out


class Text:
    """All names, one behind another: a name that another one ends with is that one's end."""

    def __init__(self):
        self.at = {}
        self.lines = []
        self.size = 0

    def add(self, name):
        """Where it begins."""
        if name not in self.at:
            self.lines.append(f'\t"{name}\\0"')
            for i in range(len(name)):
                self.at.setdefault(name[i:], self.size + i)
            self.size += len(name) + 1
        return self.at[name]


def main():
    output, sets, *compiler = sys.argv[1:]
    text = Text()
    names = []
    lines = []
    firsts = [0]
    with open(sets, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and line[0] != "#"]
    texts = Texts(compiler, rows)
    for name, headers, wanted, *rest in rows:
        left_out = rest[0] if rest else ""
        first = rest[1].split() if len(rest) > 1 else []
        enum = left_out.removeprefix("enum ") if left_out.startswith("enum ") else None
        commands = left_out == "ioctl"
        found = constants(texts, headers, wanted, enum, commands)
        values = {}
        for full, value in sorted(found.items(), key=lambda x: (x[1] & (1 << 64) - 1, x[0])):
            if left_out and not enum and not commands and re.fullmatch(left_out, full):
                continue
            values.setdefault(value & (1 << 64) - 1, (re.fullmatch(wanted, full).group(1), full))
        order = sorted(values.items(),
                       key=lambda x: first.index(x[1][0]) if x[1][0] in first else len(first))
        names.append(name)
        firsts.append(len(lines))
        for v, (n, full) in order:
            at = text.add(full)
            lines.append(f"\t{{ {v:#x}ULL, {text.add(n)}, {at} }}, /* {full} */")
    with open(output, "w", encoding="utf-8") as f:
        f.write("/* Made by tools/mk_constants.py of the headers of this machine. */\n"
                "#ifndef TRACE_CONSTANTS_MADE_H\n#define TRACE_CONSTANTS_MADE_H\n"
                "enum trace_set {\n\tSET_NONE,\n")
        f.write("".join(f"\tSET_{n.upper()},\n" for n in names))
        f.write("\tSET_NR,\n};\n#endif\n#ifdef TRACE_CONSTANTS_ROWS\n")
        f.write("static const char constant_text[] =\n" + "\n".join(text.lines) + ";\n")
        f.write("static const struct constant_row constant_rows[] = {\n")
        f.write("\n".join(lines) + "\n};\n")
        f.write("/* Of each set the first row; it ends where the next one begins. */\n"
                "static const u16 set_rows[SET_NR + 1] = {\n")
        f.write("".join(f"\t[SET_{n.upper()}] = {at},\n"
                        for n, at in zip(["none", *names, "nr"], [*firsts, len(lines)])))
        f.write("};\n#endif\n")


if __name__ == "__main__":
    main()
