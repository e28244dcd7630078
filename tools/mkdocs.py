#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Turn doc/cmd/*.md into manual pages and into the table behind `perf help CMD`.

  mkdocs.py --list DIR                    names of the pages
  mkdocs.py --c OUT.c DIR                 C table of all pages as text
  mkdocs.py --man OUTDIR [VERSION] DIR    perf-NAME.1 for each page
  mkdocs.py --text FILE.md                one page as text
  mkdocs.py --options FILE.md             the options a page describes, one item per line

The format (doc/howto/add-command.md): a subset of Markdown. "# perf-NAME - summary" first, then
"## SECTION" and "### Part" headings, paragraphs, "- item" lists (an item that begins with a `code` span and ends
in a colon is a term; its text follows indented by two), ``` blocks, `code`, *emphasis*. What would be shown
differently here than by other readers of Markdown (tables, text indented by four, **bold**) is an error.
"""
import pathlib
import re
import sys
import textwrap

WIDTH = 80
MARGIN = 7


class Block:
    """kind: heading, part, paragraph, code (info: the word after ```), term (head + children), bullet (children).

    tight: no empty line stands between this block and the list item that follows it.
    """

    def __init__(self, kind, text="", children=None, info="", tight=False):
        self.kind, self.text, self.children = kind, text, children or []
        self.info, self.tight = info, tight


def parse_item(lines, i):
    """A list item and the lines indented below it; returns the block and the next line."""
    head = [lines[i][2:]]
    i += 1
    body = []
    in_code = False
    while i < len(lines) and (in_code or not lines[i] or lines[i].startswith("  ")):
        in_code ^= lines[i].strip().startswith("```")
        body.append(lines[i][2:])
        i += 1
    if head[0].startswith("`") and head[0].rstrip().endswith(":"):
        return Block("term", head[0].rstrip()[:-1], parse(body)), i
    return Block("bullet", "", parse(head + body), tight=i < len(lines) and bool((head + body)[-1].strip())), i


def parse(lines):
    blocks, i = [], 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("```"):
            end = i + 1
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            blocks.append(Block("code", "\n".join(lines[i + 1:end]), info=line[3:].strip()))
            i = end + 1
        elif m := re.match(r"(##|###) (.*)$", line):
            blocks.append(Block("heading" if m.group(1) == "##" else "part", m.group(2).strip()))
            i += 1
        elif line.startswith("- "):
            block, i = parse_item(lines, i)
            blocks.append(block)
        elif not line.strip():
            i += 1
        elif re.match(r"\||    ", line) or "**" in line:
            raise ValueError(f"neither tables, indented code nor bold text are supported: {line}")
        else:
            start = i
            while i < len(lines) and lines[i].strip() and not re.match(r"- |##|```", lines[i]):
                i += 1
            blocks.append(Block("paragraph", " ".join(s.strip() for s in lines[start:i]),
                                tight=i < len(lines) and lines[i].startswith("- ")))
    return blocks


def read_page(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    m = re.match(r"# (perf[a-z0-9-]*) - (\S.*)$", lines[0])
    if not m:
        sys.exit(f"{path}:1: the first line must be '# perf-NAME - summary'")
    try:
        return m.group(1), m.group(2).strip(), parse(lines[1:])
    except ValueError as error:
        sys.exit(f"{path}: {error}")


def wide_lines(blocks, indent=MARGIN):
    """Lines of code that do not fit on a terminal; those of ```output blocks may be wide, as the output is."""
    for b in blocks:
        if b.kind == "code" and b.info != "output":
            yield from (s for s in b.text.split("\n") if indent + 4 + len(s) > WIDTH)
        yield from wide_lines(b.children, indent + 4)


def plain(text):
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"\1", text)
    out = []
    for i, part in enumerate(re.split(r"`([^`]*)`", text)):
        out.append(part if i % 2 else re.sub(r"\*([^*\s][^*]*)\*", r"\1", part))
    return "".join(out)


def fill(text, indent):
    return textwrap.wrap(plain(text), WIDTH - 2, initial_indent=" " * indent,
                         subsequent_indent=" " * indent, break_long_words=False,
                         break_on_hyphens=False)


def text_blocks(blocks, indent, out):
    for b in blocks:
        if b.kind == "heading":
            out.append(b.text)
        elif b.kind == "part":
            out.append("   " + b.text)
        elif b.kind == "paragraph":
            out += fill(b.text, indent) + [""] * (not b.tight)
        elif b.kind == "code":
            out += [(" " * (indent + 4) + s).rstrip() for s in b.text.split("\n")] + [""]
        elif b.kind == "term":
            out += fill(b.text, indent)
            text_blocks(b.children, indent + 4, out)
        elif b.kind == "bullet":
            at = len(out)
            text_blocks(b.children, indent + 4, out)
            if at < len(out):
                out[at] = " " * (indent + 2) + "- " + out[at].lstrip()
            if b.tight and out and not out[-1]:
                out.pop()


def as_text(path):
    name, summary, blocks = read_page(path)
    title = f"{name.upper()}(1)"
    out = [title + "perf Manual".center(WIDTH - 2 - 2 * len(title)) + title, "", "NAME"]
    out += fill(f"{name} - {summary}", MARGIN) + [""]
    text_blocks(blocks, MARGIN, out)
    return "\n".join(out).rstrip() + "\n"


def roff(text):
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"\1", text)
    out = []
    for i, part in enumerate(re.split(r"`([^`]*)`", text)):
        part = part.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
        out.append(f"\\fB{part}\\fR" if i % 2 else re.sub(r"\*([^*\s][^*]*)\*", r"\\fI\1\\fR", part))
    line = "".join(out)
    return "\\&" + line if line.startswith((".", "\\(aq")) else line


def man_blocks(blocks, out, depth=0):
    above = None
    for b in blocks:
        if above and above.tight and b.kind == "bullet":
            out.append(".PD 0")
        if b.kind == "heading":
            out.append(f".SH {b.text}")
        elif b.kind == "part":
            out.append(f".SS {b.text}")
        elif b.kind == "paragraph":
            out += [roff(b.text)] if out[-1].startswith((".IP", ".RS")) else [".PP", roff(b.text)]
        elif b.kind == "code":
            code = b.text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
            code = re.sub(r"^\.", r"\\&.", code, flags=re.M)
            out += [".PP" if not depth else ".sp", ".RS 4", ".nf", code, ".fi", ".RE"]
        else:
            out += [".PP", roff(b.text)] if b.kind == "term" else [".IP \\(bu 2"]
            if b.kind == "term":
                out.append(".RS 4")
                man_blocks(b.children, out, depth + 1)
                out.append(".RE")
            elif b.children and b.children[0].kind == "paragraph" and len(b.children) > 1:
                man_blocks(b.children[:1], out, depth + 1)
                out.append(".RS 2")
                man_blocks(b.children[1:], out, depth + 1)
                out.append(".RE")
            else:
                man_blocks(b.children, out, depth + 1)
        if above and above.tight and b.kind == "bullet":
            out.append(".PD")
        above = b


def as_man(path, version):
    name, summary, blocks = read_page(path)
    out = [f'.TH "{name.upper()}" "1" "" "perf {version}" "perf Manual"', ".nh", ".ad l", ".SH NAME",
           f"{roff(name)} \\- {roff(summary)}"]
    man_blocks(blocks, out)
    return "\n".join(out) + "\n"


def c_string(text):
    lines = []
    for line in text.split("\n")[:-1]:
        escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
        lines.append(f'\t  "{escaped}\\n"')
    return "\n".join(lines)


def as_c(pages):
    rows = [f'\t{{ "{p.stem.removeprefix("perf-")}",\n{c_string(as_text(p))} }},' for p in pages]
    return ("/* Generated by tools/mkdocs.py from doc/cmd/. */\n"
            '#include "cmd/help_pages.h"\n\n#include <stddef.h>\n\n'
            "const struct help_page help_pages[] = {\n" + "\n".join(rows) +
            "\n\t{ NULL, NULL }\n};\n")


def options_of(blocks):
    """The heads of terms that begin with a dash: ['-a', '--all-cpus'] each."""
    for b in blocks:
        if b.kind == "term" and b.text.startswith("`-"):
            # A term starts with its names, each in a code span: `-F`, `--freq` *HZ*
            names = re.findall(r"`(-[^`\s=\[]*)[^`]*`", b.text)
            yield [n for n in names if len(n) > 1]
        yield from options_of(b.children)


def main(argv):
    mode = argv[1] if len(argv) > 2 else ""
    if mode in ("--text", "--options"):
        path = pathlib.Path(argv[2])
        if mode == "--text":
            sys.stdout.write(as_text(path))
        else:
            for names in options_of(read_page(path)[2]):
                print(" ".join(names))
        return 0
    pages = sorted(pathlib.Path(argv[-1]).glob("*.md"), key=lambda p: p.stem)
    if mode == "--list":
        print("\n".join(p.stem for p in pages))
    elif mode == "--c":
        pathlib.Path(argv[2]).write_text(as_c(pages), encoding="utf-8")
    elif mode == "--man":
        out = pathlib.Path(argv[2])
        out.mkdir(parents=True, exist_ok=True)
        for p in pages:
            name = "perf" if p.stem == "perf" else "perf-" + p.stem
            (out / f"{name}.1").write_text(as_man(p, argv[3] if len(argv) > 4 else ""),
                                           encoding="utf-8")
    else:
        sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
