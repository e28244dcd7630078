#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf list against the installed perf: the same bytes for this machine's events and for made-up ones.

Hardware and cache events are made up (tests/tools/fake_counters.c), PMUs are those of
tests/data/sysfs/*.tree in a mount namespace (skipped without the permission for one). Both run with
the id of a CPU that nobody knows, since the installed perf has tables of vendors' events and metrics
of its own; the empty lines around its headings of these are left out.
"""
import argparse
import glob
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile

COUNTERS = "0:0=1 0:1=1 0:4=1 0:5=1 0:7=1 0:9=1 3:0=1 3:0x10000=1 3:0x10002=1 3:1=1 3:0x202=1 3:4=1 3:0xa00000000=1 3:0x400000000=1 3:0xa00010000=1"
TRIES = 4
HERE = os.path.dirname(os.path.abspath(__file__))
# An id that is in no table, so that only the kernel's events are there.
UNKNOWN_CPU = "GenuineIntel-6-0-0"
NEW_TOOLS = re.compile(rb"  (num_\w+|smt_on|system_tsc_freq|has_pmem) +\[Tool event\]\n|"
                       rb"\b(num_(cpus|cpus_online|cores|dies|packages)|smt_on|system_tsc_freq|has_pmem) ")
# What a word was that nothing is listed for; metrics of newer perf that any machine has.
TOLD = re.compile(rb"warning: (no event and no kind|this machine counts no)|hint: ")
METRICS = re.compile(rb"\nMetric(s| Groups):\n.*|\bDefault CPUs_utilized .*", re.S)
# In a mount namespace: one tracepoint, where the PMUs are what counts. Most words are searched in the names of all.
FEW_TRACEPOINTS = """events=/sys/kernel/tracing/events
! mount -t tmpfs none $events || { mkdir -p $events/sched/sched_switch && echo 1 >$events/sched/sched_switch/id; }
exec "$0" "$@" """
WORDS = ["", "hw", "hardware", "sw", "software", "cache", "hwcache", "tracepoint", "pmu", "sdt", "hw sw",
         "hw 'sched:sched_w*'", "'sched:*'", "'*:sched_w*'", "'sched:sched_wakeup[_]new'", "'sdt_*:*'",
         "cycles", "'cyc*'", "L1", "'l1*'", "branch", "cs", "faults", "CPU-CLOCK", "'SCHED:*'", "'dur*'",
         "tsc", "MSR", "msr/tsc/", "cpu", "sched", "'*'", "none_such", "'none:*'",
         "--raw-dump", "--raw-dump hw", "--raw-dump sw", "--raw-dump cache", "--raw-dump pmu",
         "--raw-dump tracepoint", "--raw-dump sdt", "--raw-dump 'sched:*'", "--raw-dump hw cache",
         "--no-desc", "--details hw pmu", "-v sw", "-d pmu", "--deprecated cache", "--no-such-option"]
TREE_WORDS = ["hw cache pmu", "pmu", "--raw-dump pmu", "cycles", "'cas*'", "uncore", "'cpu_*'", "OR", "BRANCH",
              "intel_pt", "energy", "--cputype core pmu", "--cputype atom hw pmu", "--cputype none pmu",
              "hpm", "mem-loads", "l2"]


def clean(data):
    """Our usage names more options: of a usage block only the error counts."""
    lines = data.split(b"\n")
    for i, line in enumerate(lines):
        if line.startswith(b" Usage:"):
            lines = lines[:i]
            break
    # tool events that came with newer perf
    text = NEW_TOOLS.sub(b"", b"\n".join(line for line in lines if not TOLD.match(line)))
    return METRICS.sub(b"", text)


def run(perf, words, env):
    p = subprocess.run([perf, "list"] + shlex.split(words), env=env, timeout=300,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return clean(p.stdout), p.returncode


def on_terminal(perf, words, env):
    """What goes to the pager when the standard output is a terminal."""
    with tempfile.NamedTemporaryFile() as f:
        master, slave = pty.openpty()
        env = dict(env, PERF_PAGER="cat >%s" % f.name)
        p = subprocess.Popen([perf, "list"] + shlex.split(words), env=env, stdin=subprocess.DEVNULL,
                             stdout=slave, stderr=subprocess.DEVNULL)
        os.close(slave)
        rc = p.wait(300)
        os.close(master)
        return clean(f.read()), rc


class Checker:
    def __init__(self, args):
        self.args = args
        self.total = self.bad = 0
        self.env = dict(os.environ, LC_ALL="C", PERF_CPUID=UNKNOWN_CPU, FAKE_COUNTERS=COUNTERS,
                        LD_PRELOAD=args.fake)

    def add(self, last):
        """What close() of another has printed."""
        m = re.match(r"(\d+) command lines, (\d+) wrong$", last)
        self.total += int(m.group(1)) if m else 1
        self.bad += int(m.group(2)) if m else 1

    def close(self):
        print("%d command lines, %d wrong" % (self.total, self.bad))
        return 1 if self.bad else 0

    def check(self, what, ask):
        # Others on this machine add and remove probes, which are events: only what differs each time is a difference.
        for _ in range(TRIES):
            theirs = ask(self.args.reference)
            ours = ask(self.args.perf)
            if ours == theirs:
                break
        self.total += 1
        if ours == theirs:
            return
        self.bad += 1
        print("perf list %s differs: exit %d, reference %d" % (what, ours[1], theirs[1]))
        a, b = theirs[0].split(b"\n"), ours[0].split(b"\n")
        for x, y in zip(a, b):
            if x != y:
                print("-%s\n+%s" % (x[:200].decode(errors="replace"), y[:200].decode(errors="replace")))
                break
        else:
            print("%d lines, reference %d" % (len(b), len(a)))


def can_unshare():
    return subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode == 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--perf", required=True)
    ap.add_argument("--fake", required=True)
    ap.add_argument("--reference", default="/usr/bin/perf")
    ap.add_argument("--inside", metavar="TREE", help="whose PMUs are in place of this machine's")
    args = ap.parse_args()
    if not os.access(args.reference, os.X_OK):
        print("no %s to compare with" % args.reference)
        return 77
    args.perf = os.path.abspath(args.perf)
    args.fake = os.path.abspath(args.fake)
    c = Checker(args)
    if args.inside:
        c.env["HOME"] = "/nonexistent"  # nor is the build-id cache's what counts here
        for words in TREE_WORDS:
            c.check("%s (%s)" % (words, args.inside), lambda perf: run(perf, words, c.env))
        return c.close()
    for words in WORDS:
        c.check(words, lambda perf: run(perf, words, c.env))
    for words in ("", "hw", "hw sw", "'sched:sched_w*'", "tracepoint", "sdt"):
        c.check(words + " (terminal)", lambda perf: on_terminal(perf, words, c.env))
    if can_unshare():
        for tree in sorted(glob.glob(os.path.join(HERE, "../data/sysfs/*.tree"))):
            if not tree.endswith("sensors.tree"):  # 6.1 does not know sensors
                c.add(in_tree(tree))
    else:
        print("no mount namespaces: made-up PMUs were left out")
    return c.close()


def in_tree(tree):
    """This program once more, where the PMUs are those of the tree: its last line."""
    p = subprocess.run([os.path.join(HERE, "with_pmus.sh"), tree, "sh", "-c", FEW_TRACEPOINTS, sys.executable] + sys.argv +
                       ["--inside", os.path.basename(tree)], stdout=subprocess.PIPE, text=True)
    *told, last = p.stdout.splitlines() or [""]
    print("\n".join(told), end="\n" if told else "")
    return last


if __name__ == "__main__":
    sys.exit(main())
