#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check that a tag of a struct, union or enum means one thing in the whole program."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEFINITION = re.compile(r"^(?:static |typedef )*(?:const )?(?:struct|union|enum) (\w+) \{", re.M)
# Still defined twice. A line here that is no longer needed is an error: the list only shrinks.
KNOWN = set("""
    block count counter frame_set hits jit_file line metric name_list pending place seen slot tally text
""".split())


def main():
    where = collections.defaultdict(set)
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        for tag in DEFINITION.findall(path.read_text(encoding="utf-8")):
            where[tag].add(path.relative_to(ROOT).as_posix())
    twice = {tag for tag, files in where.items() if len(files) > 1}
    for tag in sorted(twice - KNOWN):
        print(f"{tag}: defined in {', '.join(sorted(where[tag]))}: a tag has one meaning")
    for tag in sorted(KNOWN - twice):
        print(f"tools/check_tags.py: {tag} is defined once: take it off the list")
    if twice == KNOWN:
        print(f"tags: ok, {len(KNOWN)} known")
    return twice != KNOWN


if __name__ == "__main__":
    sys.exit(main())
