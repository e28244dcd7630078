# SPDX-License-Identifier: GPL-2.0-or-later
"""Comparisons of two texts that are less strict than equality, for what the reference orders or
cuts by accident (doc/compatibility.md): callers in copied stacks, and equally heavy rows and
branches among which are addresses without a symbol."""
import re

ROW = re.compile(rb'^ +\d+\.\d\d%')
UNNAMED_ROW = re.compile(rb'\[[.k]\] (0x)?[0-9a-f]{16}$|\[unknown\]$')
BRANCH = re.compile(rb'^[ |]*--(\d+\.\d\d)%--(.*)$')
FOLDED = re.compile(rb'^\d+\.\d\d% ')
UNNAMED_LABEL = re.compile(rb'[ ;](0x[0-9a-f]+|0)(;|$)')
UNNAMED = re.compile(rb'^(0x[0-9a-f]+|0)$')
ART = b' |-'
NOWHERE = re.compile(rb'\((\[(unknown|stack|heap)\]|//anon)\)$')


# ---- stacks: perf script with a frame per line ----

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


# ---- rows and branches of equal weight, where some have no name ----

def tree_of(lines):
    """A call graph as (weight, labels, children): children are drawn further to the right."""
    root = (b'', [], [])
    open_nodes = [(-1, root)]
    for line in lines:
        if not line.strip(ART):
            continue
        m = BRANCH.match(line)
        column = len(line) - len(line.lstrip(ART))
        if not m:
            open_nodes[-1][1][1].append(line.strip(ART))
            continue
        while open_nodes[-1][0] >= column:
            open_nodes.pop()
        node = (m.group(1), [m.group(2)], [])
        open_nodes[-1][1][2].append(node)
        open_nodes.append((column, node))
    return root


def sort_runs(items, weight, unnamed, key):
    """Sorts each run of equally heavy items, if one of them has no name."""
    out, at = [], 0
    while at < len(items):
        end = at
        while end < len(items) and weight(items[end]) == weight(items[at]):
            end += 1
        run = items[at:end]
        out += sorted(run, key=key) if any(unnamed(i) for i in run) else run
        at = end
    return out


def settle(node):
    weight, labels, children = node
    children = [settle(c) for c in children]
    return (weight, labels, sort_runs(children, lambda c: c[0], lambda c: UNNAMED.match(c[1][0]),
                                      repr))


def rows_of(path):
    """The text as rows with their call graphs; what is no row is a row of its own."""
    rows = []
    with open(path, 'rb') as f:
        for line in f:
            line = line.rstrip()
            if ROW.match(line) or line.startswith(b'#') or not rows:
                rows.append([line])
            else:
                rows[-1].append(line)
    return rows


def settled(path):
    rows = []
    for head, *graph in rows_of(path):
        if any(BRANCH.match(line) for line in graph):
            graph = settle(tree_of(graph))
        elif any(FOLDED.match(line) and UNNAMED_LABEL.search(line) for line in graph):
            graph.sort()
        rows.append((head, graph))
    return sort_runs(rows, lambda r: ROW.match(r[0]) and ROW.match(r[0]).group(0),
                     lambda r: UNNAMED_ROW.search(r[0]), repr)


def equal_but_for_order(ref_path, our_path):
    return settled(ref_path) == settled(our_path)
