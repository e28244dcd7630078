#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""count_tests.py BROKEN LOG...: sum up meson test logs; the last line is what ./check ends with.

A test program that prints "ok"/"not ok" lines counts as many tests, another one as one. BROKEN=1
says that something besides (a build) has failed.
"""
import json
import re
import sys


def count(log):
    """(passed, failed, skipped, names of failed programs) of one log."""
    passed = failed = skipped = 0
    names = []
    with open(log, encoding="utf-8") as file:
        for line in file:
            test = json.loads(line)
            lines = re.findall(r"^(ok|not ok)\b(.*)$", test.get("stdout") or "", re.M)
            bad = sum(1 for verdict, _ in lines if verdict == "not ok")
            skips = sum(1 for verdict, text in lines if verdict == "ok" and "# SKIP" in text)
            if test["result"] == "SKIP":
                bad, skips, good = 0, max(skips, 1), 0
            elif test["result"] in ("OK", "EXPECTEDFAIL"):
                good = max(len(lines) - bad - skips, 0 if skips else 1)
            else:
                bad, good = max(bad, 1), len(lines) - bad - skips
                names.append(test["name"])
            passed, failed, skipped = passed + good, failed + bad, skipped + skips
    return passed, failed, skipped, names


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
