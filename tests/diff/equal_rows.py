# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports whose rows of equal weight stand in another order: the reference's order of rows with callers is no order
(doc/compatibility.md)."""
import collections
import re

# A row begins with its share, eight places wide; its call graph stands below it, further to the right.
COLOUR = re.compile(rb'\x1b\[[0-9;]*m')
ROW = re.compile(rb'^ {0,6}(\d{1,3}\.\d\d)% {2}')


def lines_of(path):
    with open(path, 'rb') as f:
        return f.readlines()


def blocks_of(lines):
    """The text as (share, lines) of each row, and (None, line) of each line that belongs to none."""
    out = []
    for line in (COLOUR.sub(b'', line) for line in lines):
        row = ROW.match(line)
        if row:
            out.append([row.group(1), line])
        elif out and out[-1][0] and (line[:1] in b' \n' or line[:1].isdigit()):
            out[-1][1] += line
        else:
            out.append([None, line])
    return out


def with_callers(lines):
    """Whether the report has rows for callers: those of the reference are in no order."""
    return any(COLOUR.sub(b'', line).startswith(b'# Children') for line in lines)


def moved_rows(ref, ours):
    """How many rows of two texts, as lines, stand elsewhere among rows of the same share; None: more differs."""
    if not with_callers(ref):
        return None
    x, y = blocks_of(ref), blocks_of(ours)
    if [share for share, _ in x] != [share for share, _ in y]:
        return None
    moved, at = 0, 0
    while at < len(x):
        end = at + 1
        while x[at][0] and end < len(x) and x[end][0] == x[at][0]:
            end += 1
        these, those = ([text.rstrip() for _, text in v[at:end]] for v in (x, y))
        if collections.Counter(these) != collections.Counter(those):
            return None
        moved += sum(a != b for a, b in zip(these, those))
        at = end
    return moved
