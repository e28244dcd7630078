# SPDX-License-Identifier: GPL-2.0-or-later
"""Sums of what perf 6.1 prints of the recordings that are in the repository: where ours prints the same, the reference need
not be started. What has another sum, or none, is compared with the reference itself, so that a table that does not fit costs
time and hides nothing. "run.py --write-sums" makes sums.txt: a line for each view, with a word for each file."""
import hashlib

NONE = '-'
GIVES_UP = b'the reference gives up'


def sum_of(template, key, text):
    """Of a view's arguments, the hash of the file, and what was printed, or GIVES_UP."""
    return hashlib.sha1(b'\0'.join((template.encode(), key.encode(), text))).hexdigest()[:8]


def read_sums(path):
    """{(label, view): sum}"""
    with open(path, encoding='ascii') as f:
        labels, *rows = [line.split() for line in f if not line.startswith('#')]
    return {(label, row[0]): word for row in rows for label, word in zip(labels, row[1:]) if word != NONE}


def write_sums(path, sums, views):
    labels = sorted({label for label, _ in sums})
    with open(path, 'w', encoding='ascii') as f:
        f.write('# Made by run.py --all --write-sums, see sums.py. The files, then a line for each view.\n')
        f.write(' '.join(labels) + '\n')
        for view in views:
            f.write(' '.join([view] + [sums.get((label, view), NONE) for label in labels]) + '\n')
