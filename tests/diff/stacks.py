# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares callers in copied stacks (perf script with a frame per line): the reference leaves some
out and ends elsewhere (doc/compatibility.md), so equality is too much."""
import re

NOWHERE = re.compile(rb'\((\[(unknown|stack|heap)\]|//anon)\)$')


def stacks(path):
    """The samples of a file: lists of lines, the first one not a frame."""
    with open(path, 'rb') as f:
        return [block.split(b'\n') for block in f.read().split(b'\n\n') if block.strip()]


def agree(ref, ours):
    """Whether all frames up to the reference's first one outside of all objects are in ours, in
    this order, the innermost at the same place."""
    known = []
    for frame in ref[1:]:
        if NOWHERE.search(frame):
            break
        known.append(frame)
    if ref[0] != ours[0] or known[:1] != ours[1:2][:len(known)]:
        return False
    rest = iter(ours[1:])
    return all(frame in rest for frame in known)


def stacks_agree(ref_path, our_path):
    ref, ours = stacks(ref_path), stacks(our_path)
    return len(ref) == len(ours) and all(agree(a, b) for a, b in zip(ref, ours))
