#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""try_install.py ROOT PERF: what an installation depends on, without one.

A prefix that was given to make once is not kept; the program holds no path of the machine that built it; the package has
the version of the program; a test that is killed leaves no process behind. TAP on stdout.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import leave_nothing

ROOT, PERF = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def prefixes():
    if not shutil.which("make"):
        return "make is not installed"
    def shown(*words):
        text = subprocess.run(["make", "-s", "-n", "install", *words], cwd=ROOT, capture_output=True, text=True,
                              check=True, env={"PATH": os.environ["PATH"]}).stdout
        return re.findall(r"-Dprefix=(\S*)", text)
    assert shown("prefix=/usr", "DESTDIR=/nowhere") == ["/usr"]
    assert shown() == ["/usr/local"], shown()


def paths():
    program = PERF.read_bytes()
    for path in (ROOT, PERF.parent, ROOT / ".git"):
        # (a checkout in /src is not meant by ../src/main.c)
        found = re.search(rb"(?<![\w./])" + re.escape(bytes(path.resolve())) + rb"/[^\0]*", program)
        assert not found, found.group()


def versions():
    ours = re.search(r"^  version: '(.*)',", (ROOT / "meson.build").read_text(), re.M).group(1)
    assert f"perf ({ours}) " in (ROOT / "debian/changelog").read_text().split("\n")[0]


def killed():
    """Also what went into the background, and has another session."""
    code = ("import leave_nothing, subprocess, time; leave_nothing.mark(); "
            "subprocess.run(['sh', '-c', 'setsid sleep 1000 & echo $!; exec sleep 1000'])")
    with subprocess.Popen([sys.executable, "-B", "-c", code], stdout=subprocess.PIPE, text=True,
                          cwd=ROOT / "tests/tools") as p:
        pid = int(p.stdout.readline())
        p.send_signal(signal.SIGTERM)
        p.wait()
    end = time.monotonic() + 60
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}"), pid


failed = 0
for number, test in enumerate([prefixes, paths, versions, killed], 1):
    try:
        why = test()
        print(f"ok {number} - {test.__name__}" + (f" # SKIP {why}" if why else ""))
    except AssertionError as why:
        failed += 1
        print(f"not ok {number} - {test.__name__}: {why}")
print("1..4")
assert leave_nothing.NAME not in os.environ
sys.exit(failed != 0)
