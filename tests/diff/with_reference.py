#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""with_reference.py SCRIPT [ARGUMENT...]: runs a script that compares with perf 6.1, or skips, saying what is there.

Others print other texts: Debian 13 has 6.12. What is compared here are 6.1's.
"""
import os
import subprocess
import sys

WANTED = "6.1"
SKIP_EXIT = 77


def version():
    """Of the installed perf; "" = there is none, or only the script that looks for one of the running kernel."""
    try:
        done = subprocess.run(["/usr/bin/perf", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.removeprefix("perf version ").strip() if not done.returncode else ""


found = version()
if not (found + ".").startswith(WANTED + "."):
    print(f"skipped: compares with perf {WANTED}; /usr/bin/perf is {found or 'missing'}")
    sys.exit(SKIP_EXIT)
os.execv(sys.executable, [sys.executable] + sys.argv[1:])
