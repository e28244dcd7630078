# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions for -X perf: recursion, json, regular expressions. Argument: seconds of CPU time."""
import json
import re
import sys
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


end = time.process_time() + float(sys.argv[1])
while time.process_time() < end:
    fib(15)
    json.dumps([1, 2, {'a': 'b'}] * 20)
    re.findall(r'a+b', 'aaab' * 50)
