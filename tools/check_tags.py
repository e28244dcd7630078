#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check that a tag of a struct, union or enum means one thing in the whole program."""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEFINITION = re.compile(r"^(?:static |typedef )*(?:const )?(?:struct|union|enum) (\w+) \{", re.M)


def main():
    where = collections.defaultdict(set)
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        for tag in DEFINITION.findall(path.read_text(encoding="utf-8")):
            where[tag].add(path.relative_to(ROOT).as_posix())
    twice = {tag: files for tag, files in where.items() if len(files) > 1}
    for tag, files in sorted(twice.items()):
        print(f"{tag}: defined in {', '.join(sorted(files))}: a tag has one meaning")
    if not twice:
        print("tags: ok")
    return bool(twice)


if __name__ == "__main__":
    sys.exit(main())
