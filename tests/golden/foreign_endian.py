#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of big-endian machines: each recording that tools/swap_file.py can turn round says the same then.

Usage: foreign_endian.py --perf PERF --data tests/data
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# A text of each kind of record, feature and field; those of commands that a recording is not for are equal, too.
COMMANDS = ['report --stdio', 'report --header-only -I', 'report --stats', 'evlist -v', 'buildid-list', 'stat report', 'trace -s',
            'sched timehist', 'script', 'script -D', 'script -F event,ip,brstack', 'script -F event,ip,data_src,weight,addr,phys_addr',
            'script -F event,ip,iregs', 'script -F event,ip,uregs',
            'script --show-task-events --show-mmap-events --show-switch-events --show-namespace-events --show-cgroup-events']
AT_LEAST = 20  # recordings


def said(perf, path, command, folder):
    link = pathlib.Path(folder) / 'perf.data'
    link.unlink(missing_ok=True)
    link.symlink_to(path)
    words = command.split()
    options = ['-f'] if words[0] in ('report', 'script') else []
    if words[0] in ('report', 'script'):
        options += ['--symfs', folder + '/none']
    r = subprocess.run([perf] + words + options + ['-i', 'perf.data'], capture_output=True, cwd=folder, stdin=subprocess.DEVNULL,
                       check=False)
    text = (r.stdout + r.stderr).decode('utf-8', 'replace')
    # (the bytes of a dump are those of the file)
    return r.returncode, re.sub(r'^\.  [0-9a-f]{4}: .*\n', '', text, flags=re.M)


def differences(perf, path, swap):
    """None: it cannot be turned round."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + '/none')
        other = folder + '/other.data'
        r = subprocess.run([sys.executable, '-S', swap, path, other], capture_output=True, text=True, check=False)
        if r.returncode:
            assert r.returncode == 3, r.stderr
            return None
        stat = os.stat(path)
        os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        for command in COMMANDS:
            a, b = said(perf, path, command, folder), said(perf, other, command, folder)
            if a != b:
                lines = difflib.unified_diff(a[1].splitlines(), b[1].splitlines(), 'little', 'big', n=0, lineterm='')
                found.append('%s: perf %s: %d %d\n%s' % (path, command, a[0], b[0], '\n'.join(list(lines)[:20])))
    return found


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--perf', required=True, type=os.path.abspath)
    p.add_argument('--data', required=True, type=pathlib.Path)
    args = p.parse_args()
    swap = os.path.abspath(args.data / '../tools/swap_file.py')
    paths = sorted(str(f.resolve()) for f in args.data.rglob('*') if f.is_file() and f.read_bytes()[:8] == b'PERFILE2')
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: differences(args.perf, path, swap), paths))
    turned = [r for r in results if r is not None]
    print('\n'.join(text for r in turned for text in r))
    failed = sum(bool(r) for r in turned)
    print('%d passed, %d failed, %d skipped' % (len(turned) - failed, failed, len(results) - len(turned)))
    assert len(turned) >= AT_LEAST, 'only %d recordings could be turned round' % len(turned)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
