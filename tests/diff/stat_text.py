#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf stat against the installed perf: the same text, separated values, JSON and attributes.

Both run with made-up counters (tests/tools/fake_counters.c), so that all numbers but times repeat;
times are masked, keeping their width. With -vv the attributes of the opened events are compared.
Lines of record.txt are recorded by both with perf stat record; both files go through both
programs' perf stat report, and all must say the same.
Lines of tsx.txt, uncore.txt and iostat.txt run on machines that files of tests/data/sysfs describe (needs root).
Command lines: tests/diff/stat/*.txt, one per line, '#' comments; a line that begins with '!' is known
to differ (the reason stands above it) and must not be equal.
"""
import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile

from kallsyms import with_short_kallsyms

COUNTERS = ("1:1=2000000 1:0=2000000 1:3=5 1:4=2 1:2=100 0:0=6000000 0:1=12000000 0:4=1000000 "
            "0:5=50000/50 0:7=600000 0:8=900000 0:2=70000 0:3=9000 0:6=1000 0:9=5000000 3:0=400000 "
            "3:0x10000=40000 3:2=1000 3:0x10002=300 3:1=8888 3:0x10001=444 3:3=777 3:0x10003=77/30 "
            "4:0x1c9=1000 4:0x10000003c=3000000 "
            "4:0x30000003c=2000000 4:0x1c8=500 3:4=666 3:0x10004=66 3:0x200=222 3:0x10200=22 "
            "10:0x3c=5000 40:2=3000 41:2=5001 "
            "50:0x70f000000483=9000000/50 50:0x70f000000183=45000000 50:0x70f0000004c0=31000000 "
            "50:0x70f0000001c0=41000000 51:0x70f000000483=32000000 51:0x70f000000183=96000000 "
            "51:0x70f0000004c0=0 51:0x70f0000001c0=32000000 52:0x70f000000483=none "
            # what a machine with counters would count
            "4:0x1a8=none 4:0=none 4:0xff=none 4:0x1ff=none 4:0x10000=none 3:1=none 3:4=none 3:5=none "
            "3:6=none 3:0x106=none 3:0x10005=none")

MACHINES = {"tsx.txt": "intel-tsx.tree", "uncore.txt": "uncore-pair.tree", "iostat.txt": "intel-iio.tree"}
# More in one group than fit (EBADF: the reference tries nothing else first then, which -vv would show).
# No precise levels, as most virtual machines.
GROUPS = {"FAKE_GROUP_MAX": "6", "FAKE_GROUP_ERRNO": "9", "FAKE_PRECISE": "0"}


def wide(match):
    """A number, masked at its width, blanks before it included."""
    return "9" * len(match.group(0))


# What differs from run to run. The value in front of some words, and whole fields.
MASKS = [
    (r" *[\d.]+(?= CPUs utilized)", lambda m: "9"),
    (r"[\d.]+(?=[,;\t]CPUs utilized)", lambda m: "9"),
    (r"^((?:syscalls|mem|sched|dummy|major|alignment|emulation|bpf|cpu-clock)\S*: (?:-?\d+: )?)\d+ \d+ \d+", lambda m: m.group(1) + "9 9 9"),
    (r"(?<=\"metric-value\" : )[\d.]+(?=, \"metric-unit\" : \"CPUs utilized\")", lambda m: "9"),
    (r" *(\d+|<not counted>)(?= ns +(duration|user|system)_time)", lambda m: "9"),
    (r"^(\d+|<not counted>)(,ns,\w+_time,)\d+", lambda m: "9" + m.group(2) + "9"),
    (r"\"counter-value\" : [^,]*(, \"unit\" : \"ns\", .*event-runtime\" :) \d+", lambda m: m.group(1)),
    (r"(_time) +$", lambda m: m.group(1)),
    (r"(?<=CPUs utilized) +(?=\()", lambda m: " "),
    (r"CPUs utilized +$", lambda m: "CPUs utilized"),
    (r" *\d[\d.]* \+- [\d.]+ seconds time elapsed.*", lambda m: "9 +- 9"),
    (r" *\d[\d.]*(?= seconds (time elapsed|user|sys))", lambda m: "9" * len(m.group(0))),
    (r"^ *\d+\.\d{9}", wide),
    (r"(?<=\"interval\" : )[\d.]+", lambda m: "9"),
    (r"(?<=# started on ).*", lambda m: "then"),
    (r"^ +[\d.]+ \([-+][\d.]+\) #+$", lambda m: "table row"),
    (r"^ +(?=# (Table|Final))", lambda m: ""),
    (r"(?<=Problems finding threads of monitor): .*", lambda m: ""), # ours says which
    (r"pid \d+ ", lambda m: "pid 9 "),
    (r"group_fd \d+", lambda m: "group_fd 9"),
    (r" = \d+$", lambda m: " = 9"),
    (r"-\d+(?=[, \"])", lambda m: "-9" if len(m.group(0)) > 3 else m.group(0)),
]
# On a busy machine a command may end before the reference waits for it, and times of short ones may
# round differently: only what differs each time is a difference.
TRIES = 3
DROP = re.compile(r"Using CPUID|Control descriptor|hint: ")
# Ours shows the place in a filter that the kernel refuses, below perf's line.
PLACE = re.compile(r'^(failed to set filter "(.*)" on event .*\n)  \2\n +\^ .*\n', re.M)


def mask(text):
    text = "\n".join(line for line in PLACE.sub(r"\1", text).splitlines() if not DROP.match(line))
    for pattern, by in MASKS:
        text = re.sub(pattern, by, text, flags=re.M)
    return text.splitlines()


def run(perf, words, fake, cwd, prefix=()):
    env = dict(os.environ, LC_ALL="C", FAKE_COUNTERS=COUNTERS, **GROUPS)
    command = [perf, "stat"] + words
    if fake:
        command = ["env", "LD_PRELOAD=" + fake] + command
    p = subprocess.run(list(prefix) + command, env=env, cwd=cwd, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                       errors="replace")
    return mask(p.stdout) + ["exit %d" % p.returncode]


def compare_reports(args, line, folder):
    """Differences between the two programs over each other's files of perf stat record."""
    words = [w.replace("SELF", str(os.getpid())) for w in shlex.split(line)]
    env = dict(os.environ, LC_ALL="C", FAKE_COUNTERS=COUNTERS, LD_PRELOAD=args.fake, **GROUPS)
    texts = []
    for perf, recorder in (args.perf, [args.perf]), (args.reference, args.recorder):
        path = os.path.join(folder, "data")
        subprocess.run(recorder + ["stat", "record", "-o", path] + words, env=env, check=False,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=300)
        for how in ([], ["-A"], ["--per-core"], ["--per-socket"], ["--per-die"], ["--per-node"]):
            pair = [run(p, ["report", "-i", path] + how, None, "/")
                    for p in (args.perf, args.reference)]
            texts.append((perf + " " + " ".join(how), pair))
    out = []
    for name, (ours, theirs) in texts:
        if ours != theirs:
            out += list(difflib.unified_diff(theirs, ours, "reference on " + name,
                                             "ours on " + name, lineterm="", n=1))
    # the numbers are made up: both recorded the same
    half = len(texts) // 2
    for a, b in zip(texts[:half], texts[half:]):
        ours, theirs = ([l for l in x[1][0] if "Performance counter" not in l] for x in (a, b))
        if ours != theirs:
            out += list(difflib.unified_diff(theirs, ours, b[0], a[0], lineterm="", n=1))
    return out


def lines_of(folder):
    for name in sorted(os.listdir(folder)):
        if name == "record.txt" or (name in MACHINES and not can_have_pmus()):
            continue
        cgroups = has_cgroups()
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            for line in f:
                line = line.strip()
                if not line or line.startswith("#"):
                    continue
                if cgroups or not re.search(r"(^| )(-G|--for-each-cgroup|--cgroup)\b", line):
                    yield name, line


def has_cgroups():
    """A chroot or a container may have none mounted, and the two programs say that differently."""
    with open("/proc/mounts", encoding="utf-8") as f:
        return any(l.split()[2] == "cgroup2" or (l.split()[2] == "cgroup" and "perf_event" in l)
                   for l in f)


def can_have_pmus():
    return os.geteuid() == 0 and not subprocess.run(["unshare", "-m", "true"], check=False).returncode


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--perf", required=True)
    ap.add_argument("--reference", default="/usr/bin/perf")
    ap.add_argument("--fake", required=True)
    ap.add_argument("--only", default="")
    args = ap.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    if not os.access(args.reference, os.X_OK):
        print("no %s to compare with" % args.reference)
        return 77
    if os.geteuid():
        print("needs root: many lines count all CPUs, or tracepoints")
        return 77
    args.perf = os.path.abspath(args.perf)
    args.fake = os.path.abspath(args.fake)
    bad = total = 0
    pmus = [os.path.join(here, "with_pmus.sh")]
    for name, line in lines_of(os.path.join(here, "stat")):
        if args.only not in line:
            continue
        differs = line.startswith("!")
        words = [w.replace("SELF", str(os.getpid())) for w in shlex.split(line.lstrip("!"))]
        prefix = ()
        if name in MACHINES:
            prefix = pmus + [os.path.join(here, "..", "data", "sysfs", MACHINES[name])]
        for _ in range(TRIES):
            ours = run(args.perf, words, args.fake, "/", prefix)
            theirs = run(args.reference, words, args.fake, "/", prefix)
            if (ours == theirs) != differs:
                break
        total += 1
        if (ours == theirs) == differs:
            bad += 1
            print("perf stat %s: %s" % (line, "no difference any more" if differs else "differs"))
            sys.stdout.writelines(d + "\n" for d in difflib.unified_diff(theirs, ours, "reference",
                                                                         "ours", lineterm="", n=1))
    with tempfile.TemporaryDirectory() as folder, \
            open(os.path.join(here, "stat", "record.txt"), encoding="utf-8") as f:
        args.recorder = with_short_kallsyms([args.reference], folder)
        for line in (l.strip() for l in f if args.only in l):
            if not line or line.startswith("#"):
                continue
            for _ in range(TRIES):
                differences = compare_reports(args, line, folder)
                if not differences:
                    break
            total += 1
            bad += bool(differences)
            if differences:
                print("perf stat record %s: differs" % line)
                sys.stdout.writelines(d + "\n" for d in differences)
    print("%d command lines, %d wrong" % (total, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
