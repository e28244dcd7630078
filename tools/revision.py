#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Print ".gREVISION" of the checkout given as argument, nothing outside of a repository.

A file named REVISION at the root (source archives) is preferred to asking git.
"""
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
revision = ""
if (root / "REVISION").is_file():
    revision = (root / "REVISION").read_text().strip()
elif (root / ".git").exists():
    # safe.directory: a build as root in a user's checkout is no reason to forget the revision.
    git = ["git", "-c", "safe.directory=*", "-C", str(root), "rev-parse", "--short=12", "HEAD"]
    try:
        revision = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pass
print(".g" + revision if revision else "")
