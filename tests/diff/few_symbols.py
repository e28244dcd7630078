# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of /proc/kallsyms that recordings need, for the reference's --kallsyms."""
import array
import bisect
import os


def few_symbols(paths, out):
    """Writes the lines of /proc/kallsyms that recordings can show: of the symbols that hold anything in the files that
    could be an address, and of their neighbours. To read all 120,000 takes the reference nine tenths of its time. Returns
    the file's name, or None where addresses are hidden."""
    with open('/proc/kallsyms', encoding='ascii') as f:
        lines = f.readlines()
    addresses = [int(line[:line.index(' ')], 16) for line in lines]
    known = sorted(set(addresses))
    if len(known) < 2:
        return None
    wanted = {known[0], known[-1]}
    for path in paths:
        with open(path, 'rb') as f:
            words = array.array('Q', f.read()[:os.path.getsize(path) & ~7])
        for word in {w for w in words if w >= 1 << 63}:
            i = bisect.bisect(known, word)
            wanted.update(known[max(i - 2, 0):i + 2])
    with open(out, 'w', encoding='ascii') as f:
        f.writelines(line for line, address in zip(lines, addresses) if address in wanted or
                     line.endswith((']\n', ' _text\n', ' _stext\n', ' _etext\n')))
    return out
