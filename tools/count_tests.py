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
    """{name: ((passed, failed, skipped), lines about what failed)} of the programs in a log; None: there is no log."""
    if not os.path.exists(log):
        return None
    with open(log, encoding="utf-8") as file:
        tests = [json.loads(line) for line in file]
    return {t["name"]: (count_one(t["result"], t.get("stdout") or ""), why(t.get("stdout") or "")) for t in tests}


def why(stdout):
    """What a program prints of its failed cases: meson shows only what is written to stderr."""
    told = re.findall(r"^not ok\b.*(?:\n#.*)*", stdout, re.M)
    return "\n".join(told).split("\n")[:60] if told else []


def count(log):
    """(passed, failed, skipped) of one log and a line for each failed program, and for each line of its failed cases."""
    log, _, again = log.partition("=")
    tests = read(log)
    if tests is None:
        return 0, 1, 0, [f"failed: no test was run ({log})"]
    tests.update((again and read(again)) or {})
    total = [sum(one[i] for one, _ in tests.values()) for i in range(3)]
    lines = []
    for name, (one, told) in tests.items():
        if one[1]:
            lines += [f"failed: {name} ({log})", *told]
    return (*total, lines)


def failed_beside_others(log):
    """As meson wants to hear them: PROJECT:NAME."""
    for name, (one, _) in (read(log) or {}).items():
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
        *numbers, lines = count(log)
        total = [a + b for a, b in zip(total, numbers)]
        for line in lines:
            print(line)
    if broken and not total[1]:
        total[1] = 1
        print("failed: a build")
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
