# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts of /proc/kallsyms for the reference, which reads all 120,000 lines two or three times in each start, nine tenths of
its time: the kernel's bounds are what it needs to record, and few symbols what it needs to read a recording."""
import array
import bisect
import os
import re
import subprocess

BIND = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /proc/kallsyms && exec "$@"']
BOUNDS = re.compile(r' (_text|_stext|_etext)$')


def with_short_kallsyms(command, folder):
    """The command, as a list, so that it sees the lines of the bounds only, in a mount namespace of its own, where such can be made.
    Their file is in the folder."""
    path = os.path.join(folder, 'short-kallsyms')
    with open('/proc/kallsyms', encoding='ascii') as whole, open(path, 'w', encoding='ascii') as short:
        short.writelines(line for line in whole if BOUNDS.search(line))
    tried = subprocess.run(BIND + [path, 'true'], capture_output=True, check=False)
    return BIND + [path] + command if tried.returncode == 0 else command


def few_symbols(paths, out):
    """Writes the lines of /proc/kallsyms that recordings can show: of the symbols that hold anything in the files that
    could be an address, and of their neighbours. Returns the file's name, or None where addresses are hidden."""
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
                     line.endswith(']\n') or BOUNDS.search(line))
    return out
