#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check that the sources are formatted as .clang-format says; --fix formats them.

Versions of clang-format differ in details: the one of Debian 12 decides, others are skipped.
"""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("src", "tests/unit", "tests/fuzz")
VERSION = 14
SKIPPED = 77


def find_program():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            version = subprocess.run([program, "--version"], capture_output=True, text=True,
                                     check=True).stdout
            if f"version {VERSION}." in version:
                return program
    return None


def main():
    program = find_program()
    if not program:
        print(f"skipped: needs clang-format {VERSION}")
        return SKIPPED
    files = [str(path) for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.[ch]"))]
    mode = ["-i"] if sys.argv[1:] == ["--fix"] else ["--dry-run", "-Werror"]
    done = subprocess.run([program, *mode, *files], capture_output=True, text=True)
    if done.returncode:
        print("\n".join(done.stderr.splitlines()[:20]))
        print("format: 'tools/check_format.py --fix' formats all files")
        return 1
    print(f"format: ok, {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
