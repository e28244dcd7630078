#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""count_tests.py BROKEN LOG...: sum up meson test logs; the last line is what ./check ends with.

A test program whose last such line is "N passed, N failed, N skipped" counts as those, one that
prints "ok"/"not ok" lines as many, any other as one. BROKEN=1 says that something besides (a build)
has failed.
"""
import json
import os
import re
import sys


def count_one(result, stdout):
    """(passed, failed, skipped) of one test program."""
    closing = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", stdout, re.M)
    lines = re.findall(r"^(ok|not ok)\b(.*)$", stdout, re.M)
    if closing:
        good, bad, skips = map(int, closing[-1])
    else:
        bad = sum(1 for verdict, _ in lines if verdict == "not ok")
        skips = sum(1 for verdict, text in lines if verdict == "ok" and "# SKIP" in text)
        good = len(lines) - bad - skips
    if result == "SKIP":
        return 0, 0, max(skips, 1)
    if result in ("OK", "EXPECTEDFAIL"):
        return good if good or skips else 1, bad, skips
    return good, max(bad, 1), skips


def count(log):
    """(passed, failed, skipped) of one log and the names of failed programs."""
    total = [0, 0, 0]
    names = []
    if not os.path.exists(log):
        return 0, 1, 0, ["no test was run"]
    with open(log, encoding="utf-8") as file:
        for line in file:
            test = json.loads(line)
            one = count_one(test["result"], test.get("stdout") or "")
            total = [a + b for a, b in zip(total, one)]
            if one[1]:
                names.append(test["name"])
    return (*total, names)


def main():
    broken, logs = int(sys.argv[1]), sys.argv[2:]
    total = [0, 0, 0]
    for log in logs:
        *numbers, names = count(log)
        total = [a + b for a, b in zip(total, numbers)]
        for name in names:
            print(f"failed: {name} ({log})")
    if broken and not total[1]:
        total[1] = 1
        print("failed: a build")
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
