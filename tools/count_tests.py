#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""count_tests.py BROKEN LOG...: sum up meson test logs; the last line is what ./check ends with.
count_tests.py --failed LOG: the names of the programs that failed and use the machine beside others, for another run.

LOG=AGAIN: the results of the programs in the log AGAIN take the place of those in LOG.

A test program whose last such line is "N passed, N failed, N skipped" counts as those, one that
prints "ok"/"not ok" lines as many, any other as one. BROKEN=1 says that something besides (a build)
has failed.
"""
import json
import os
import re
import sys

# What these suites see depends on what else the machine does.
USE_THE_MACHINE = ("live", "captures", "diff", "hostile", "guest")


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


def read(log):
    """{name: (passed, failed, skipped)} of the programs in a log; None: there is no log."""
    if not os.path.exists(log):
        return None
    with open(log, encoding="utf-8") as file:
        tests = [json.loads(line) for line in file]
    return {t["name"]: count_one(t["result"], t.get("stdout") or "") for t in tests}


def count(log):
    """(passed, failed, skipped) of one log and the names of failed programs."""
    log, _, again = log.partition("=")
    tests = read(log)
    if tests is None:
        return 0, 1, 0, ["no test was run"]
    tests.update((again and read(again)) or {})
    total = [sum(numbers) for numbers in zip((0, 0, 0), *tests.values())]
    return (*total, [name for name, one in tests.items() if one[1]])


def failed_beside_others(log):
    """As meson wants to hear them: PROJECT:NAME."""
    for name, one in (read(log) or {}).items():
        suites, _, test = name.partition(" / ")
        project, _, suite = suites.partition(":")
        if one[1] and suite.split("+")[0] in USE_THE_MACHINE:
            yield f"{project}:{test}"


def main():
    if sys.argv[1] == "--failed":
        print(*failed_beside_others(sys.argv[2]))
        return 0
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
