#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Check what every start of the program given costs.

It needs no library but libc: each takes 0.1 ms. And tables with pointers (.data.rel.ro) stay small: the loader writes to all
of them, which takes 4 us for 4 KB. Tables of words can be fixed arrays of characters, or places in one text.
"""
import re
import subprocess
import sys

dynamic = subprocess.run(['readelf', '-dW', sys.argv[1]], capture_output=True, text=True, check=True).stdout
needed = re.findall(r'\(NEEDED\).*\[(.*)\]', dynamic)
others = [lib for lib in needed if not re.match(r'libc\.so|ld-linux', lib)]
for lib in others:
    print(f'{sys.argv[1]} needs {lib}')
LIMIT = 184 << 10
sections = subprocess.run(['readelf', '-SW', sys.argv[1]], capture_output=True, text=True, check=True).stdout
tables = int(re.search(r'\s\.data\.rel\.ro\s+PROGBITS\s+\w+\s+\w+\s+(\w+)', sections).group(1), 16)
if tables > LIMIT:
    print(f'{sys.argv[1]}: tables with pointers have {tables} bytes, more than {LIMIT}')
sys.exit(1 if others or not needed or tables > LIMIT else 0)
