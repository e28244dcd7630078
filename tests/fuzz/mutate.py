#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mutate.py --perf BINARY [--rounds N] [--seed S] FILE|DIR...: damaged recordings through perf.

Every file, and N mutations of it, goes through the commands that read recordings. perf may refuse a
file, with a line on stderr and exit status 1, 129 or 255; it may not crash, hang, eat memory or fail
silently. The same seed gives the same mutations; a failing input is kept and named.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

COMMANDS = (["script"], ["report", "--stdio"], ["report", "--stdio", "--no-children", "-s", "comm,dso"],
            ["report", "--header-only"], ["report", "-D"], ["evlist", "-v"], ["buildid-list"])
TIMEOUT = 60
MEMORY = 2 << 30
EXTREMES = (0, 1, 7, 8, 0x7f, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
            0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff)


def mutate(data, rnd):
    """A damaged copy: some of bytes, words, ranges changed; the header more often than the rest."""
    data = bytearray(data)
    for _ in range(rnd.choice((1, 1, 2, 4, 16))):
        if len(data) < 16:
            break
        near = rnd.random() < 0.4
        at = rnd.randrange(min(len(data), 512) if near else len(data))
        kind = rnd.randrange(7)
        if kind == 0:
            data[at] ^= 1 << rnd.randrange(8)
        elif kind == 1:
            at &= ~7
            data[at:at + 8] = struct.pack("<Q", rnd.choice(EXTREMES))
        elif kind == 2:
            at &= ~3
            data[at:at + 4] = struct.pack("<I", rnd.choice(EXTREMES) & 0xffffffff)
        elif kind == 3:
            at &= ~1
            data[at:at + 2] = struct.pack("<H", rnd.choice(EXTREMES) & 0xffff)
        elif kind == 4:
            del data[max(at, 8):]
        elif kind == 5:
            length = rnd.randrange(1, 256)
            data[at:at + length] = data[(at * 7) % len(data):][:length]
        else:
            del data[at:at + 8 * rnd.randrange(1, 8)]
    return bytes(data)


def limit(config):
    def apply():
        if not config.sanitized:  # whose shadow memory is terabytes of address space
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def run(config, path, command):
    """None, or what is wrong."""
    env = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    env |= {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TERM": "dumb", "HOME": str(path.parent),
            "PERF_BUILDID_DIR": str(path.parent / "debug")}
    argv = [str(config.perf), *command, "-f", "-i", str(path)]
    try:
        p = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
                           env=env, preexec_fn=limit(config), check=False)
    except subprocess.TimeoutExpired:
        return "hangs"
    if p.returncode < 0:
        return f"killed by signal {-p.returncode}"
    for mark in (b"runtime error:", b"AddressSanitizer", b"LeakSanitizer", b"ThreadSanitizer"):
        if mark in p.stderr:
            return p.stderr[p.stderr.index(mark):][:1500].decode("utf-8", "replace")
    if p.returncode not in (0, 1, 129, 255):
        return f"exit status {p.returncode}: {p.stderr[:300].decode('utf-8', 'replace')}"
    if p.returncode and not p.stderr.strip():
        return f"exit status {p.returncode} without a word"
    return None


def check_file(config, original, number, folder):
    data = original.read_bytes()
    if number:
        data = mutate(data, random.Random(f"{config.seed}:{original.name}:{number}"))
    path = folder / f"{original.name}.{config.seed}.{number}"
    path.write_bytes(data)
    problems = []
    for command in config.commands:
        problem = run(config, path, command)
        if problem:
            problems.append(f"perf {' '.join(command)}: {problem}")
    if problems:
        shutil.copy(path, config.keep / path.name)
    path.unlink()
    return path.name, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--perf", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("paths", type=pathlib.Path, nargs="+")
    config = parser.parse_args()
    config.perf = config.perf.resolve()
    config.keep.mkdir(parents=True, exist_ok=True)
    known = subprocess.run([config.perf, "--list-cmds"], capture_output=True, text=True,
                           check=True).stdout.split()
    config.commands = [c for c in COMMANDS if c[0] in known]
    files = []
    for p in config.paths:
        files += sorted(f for f in p.rglob("*") if f.is_file() and f.suffix not in (".md", ".txt")) \
            if p.is_dir() else [p]
    jobs = [(f, n) for n in range(config.rounds + 1) for f in files]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="perf-mutate.") as tmp, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, problems in pool.map(lambda j: check_file(config, *j, pathlib.Path(tmp)), jobs):
            print(f"{'not ok' if problems else 'ok'} - {name}")
            for text in problems:
                print("# " + text.replace("\n", "\n# "))
            if problems:
                print(f"# kept as {config.keep / name}")
                failed += 1
    print(f"{len(jobs) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
