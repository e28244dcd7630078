#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check that the program given needs no library but libc when it starts: each costs every command 0.1 ms."""
import re
import subprocess
import sys

dynamic = subprocess.run(['readelf', '-dW', sys.argv[1]], capture_output=True, text=True, check=True).stdout
needed = re.findall(r'\(NEEDED\).*\[(.*)\]', dynamic)
others = [lib for lib in needed if not re.match(r'libc\.so|ld-linux', lib)]
for lib in others:
    print(f'{sys.argv[1]} needs {lib}')
sys.exit(1 if others or not needed else 0)
