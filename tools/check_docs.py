#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check_docs.py PERF: commands, their options and their documentation agree.

For every command: a page doc/cmd/NAME.md with the summary of the list of commands that describes exactly the
options of its table, a folder tests/golden/NAME with cases, and built-in help. No line of code on a page is wider than a
terminal. Each command has a row in README.md. What tables list is described: sort keys, fields of samples and their keys in
JSON, features of the header, records that the kernel does not write. In all documents: links lead to files that exist.
"""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mkdocs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]


def run(*argv):
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TERM": "dumb"}
    return subprocess.run(argv, capture_output=True, text=True, env=env, check=False,
                          stdin=subprocess.DEVNULL)


def table_options(text):
    """{'-a', '--all-cpus'} for every row of a -h text."""
    rows = []
    for line in text.splitlines():
        m = re.match(r"    (-\S)(?:, (--[A-Za-z0-9_-]+))?(?=[ \[]|$)|        (--[a-z0-9_-]+)", line)
        if m:
            rows.append(frozenset(n for n in m.groups() if n))
    return set(rows)


def check_command(perf, name, listed):
    page = ROOT / "doc" / "cmd" / f"{name}.md"
    if f"[{name}](doc/cmd/{name}.md)" not in (ROOT / "README.md").read_text(encoding="utf-8"):
        yield f"{name}: no row in README.md"
    if not any((ROOT / "tests" / "golden" / name).glob("*.t")):
        yield f"{name}: no golden test tests/golden/{name}/*.t"
    if not page.is_file():
        yield f"{name}: no page doc/cmd/{name}.md"
        return
    if run(perf, "help", name).returncode:
        yield f"{name}: 'perf help {name}' fails"
    title, summary, blocks = mkdocs.read_page(page)
    if listed != summary:
        yield f"{page.name}: the summary is not that of the list of commands, '{listed}'"
    if title != f"perf-{name}":
        yield f"{page.name}: the title is {title}, not perf-{name}"
    for line in mkdocs.wide_lines(blocks):
        yield f"{page.name}: does not fit in {mkdocs.WIDTH} columns: {line.strip()}"
    table = table_options(run(perf, name, "-h").stderr)
    described = {frozenset(names) for names in mkdocs.options_of(blocks)}
    for row in sorted(table - described, key=sorted):
        yield f"{page.name}: lacks option {' '.join(sorted(row))}"
    for row in sorted(described - table, key=sorted):
        yield f"{page.name}: describes {' '.join(sorted(row))}, which perf {name} -h does not have"


def check_main_page(perf):
    """doc/cmd/perf.md describes the options before the command."""
    listed = set(run(perf, "--list-opts").stdout.split())
    _, _, blocks = mkdocs.read_page(ROOT / "doc" / "cmd" / "perf.md")
    described = {n for names in mkdocs.options_of(blocks) for n in names if n.startswith("--")}
    for name in sorted(listed ^ described):
        yield f"perf.md: {name} is not in both page and --list-opts"


def check_lists(perf):
    """What has a row in a table has a place in a document."""
    for command, option in ("report", "sort"), ("script", "fields"):
        text = (ROOT / "doc" / "cmd" / f"{command}.md").read_text(encoding="utf-8")
        for name in run(perf, command, "--list-values", option).stdout.split():
            if f"`{name}`" not in text:
                yield f"{command}.md: lacks `{name}`, which --{option} takes"
    text = (ROOT / "doc" / "json.md").read_text(encoding="utf-8")
    for source in sorted((ROOT / "src" / "text").glob("*.c")):
        for key in re.findall(r'\bjson_\w+\([\w>-]+, "([\w-]+)"', source.read_text(encoding="utf-8")):
            if f"`{key}`" not in text:
                yield f"json.md: lacks `{key}`, which perf script --json prints"
    text = (ROOT / "doc" / "format" / "perf.data.md").read_text(encoding="utf-8")
    records = re.findall(r"PERF_RECORD_(\w+) = (\d+),", (ROOT / "src/abi/perf_event.h").read_text(encoding="utf-8"))
    features = re.findall(r'\[FEAT_\w+\] = \{ "(\w+)"', (ROOT / "src/perfdata/feature_load.c").read_text(encoding="utf-8"))
    for name in [name for name, number in records if int(number) > 64] + features:
        if not re.search(rf"\b{name}\b", text):
            yield f"perf.data.md: lacks {name}"


def check_links():
    documents = list(ROOT.glob("*.md")) + list((ROOT / "doc").rglob("*.md")) + \
        list((ROOT / "bench").rglob("*.md")) + list((ROOT / "tests").rglob("*.md"))
    for path in documents:
        text = re.sub(r"^(`{3,}).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(ROOT)}: link to {target} leads nowhere"


def main():
    perf = sys.argv[1]
    names = run(perf, "--list-cmds").stdout.split()
    summaries = dict(re.findall(r"^   (\S+) +(\S.*)$", run(perf).stdout, re.M))
    problems = [f"{n}: no summary" for n in names if not summaries.get(n)]
    if names != sorted(names):
        problems.append("src/cmd/commands.h is not sorted")
    for name in names:
        problems += check_command(perf, name, summaries.get(name))
    pages = {p.stem for p in (ROOT / "doc" / "cmd").glob("*.md")}
    problems += check_main_page(perf)
    problems += check_lists(perf)
    for page in sorted(pages - set(names) - {"perf"}):
        print(f"note: doc/cmd/{page}.md describes a command that is not there yet")
    problems += check_links()
    print("\n".join(problems) or f"docs: ok, {len(names)} commands")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
