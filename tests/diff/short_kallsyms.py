# SPDX-License-Identifier: GPL-2.0-or-later
"""The reference reads all 120,000 lines of /proc/kallsyms two or three times when it records; what it records needs the
kernel's first and last address alone."""
import os
import re
import subprocess

BIND = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /proc/kallsyms && exec "$@"']
BOUNDS = re.compile(r' (_text|_stext|_etext)$')


def with_short_kallsyms(command, folder):
    """The command, as a list, so that it sees these lines only, in a mount namespace of its own, where such can be made.
    Their file is in the folder."""
    path = os.path.join(folder, 'short-kallsyms')
    with open('/proc/kallsyms', encoding='ascii') as whole, open(path, 'w', encoding='ascii') as short:
        short.writelines(line for line in whole if BOUNDS.search(line))
    tried = subprocess.run(BIND + [path, 'true'], capture_output=True, check=False)
    return BIND + [path] + command if tried.returncode == 0 else command
