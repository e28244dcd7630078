#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""System calls counted in the kernel (bpf/syscall_stats): against what a program does by construction, and against the
kernel's own tracepoints.

    syscall_stats.py --perf BUILD/perf --tool BUILD/tests/tools/syscall_stats
"""
import errno
import os
import platform
import sys

from live_case import Skip, Suite, need_all_pids, need_root, show

NUMBERS = {'x86_64': {'read': 0, 'write': 1, 'nanosleep': 230, 'openat': 257},
           'aarch64': {'read': 63, 'write': 64, 'nanosleep': 115, 'openat': 56}}
COPY = 'dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none'


class Case(Suite):
    def __init__(self):
        at = sys.argv.index('--tool')
        self.tool = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
        super().__init__(__doc__)

    def count(self, command):
        """(rows, errors), each row a list of its words."""
        r = self.sh('%s %s' % (self.tool, command))
        if 'Operation not permitted' in r.err:
            raise Skip('no BPF here')
        assert r.status == 0 and 'lost 0 0\n' in r.out, show(r)
        lines = [line.split() for line in r.out.splitlines()]
        rows = [w[1:] for w in lines if w[0] == 'call']
        self.check_times(rows, [[int(x) for x in w[1:]] for w in lines if w[0] == 'time'])
        return rows, [[int(x) for x in w[1:]] for w in lines if w[0] == 'error']


    @staticmethod
    def check_times(rows, times):
        """Each call of a row is in one part, and the least and the most are in the first and the last."""
        for row in rows:
            parts = sorted(t[2:] for t in times if t[:2] == [int(row[1]), int(row[2])])
            least, most = (min(int(row[i]).bit_length(), 35) for i in (6, 7))
            assert sum(n for _, n in parts) == int(row[3]), (row, parts)
            assert (parts[0][0], parts[-1][0]) == (least, most), (row, parts)


def nr(name):
    return NUMBERS[platform.machine()][name]


def of(rows, name):
    return [row for row in rows if int(row[2]) == nr(name)]


def counts(c):
    rows, _ = c.count(COPY)
    for name in 'read', 'write':
        assert 3000 <= sum(int(r[3]) for r in of(rows, name)) <= 3020, rows
    assert {r[9] for r in of(rows, 'write')} == {'dd'}, rows
    for _, _, _, n, errors, total, least, most, variance, *_ in rows:
        n, errors, total, least, most = (int(x) for x in (n, errors, total, least, most))
        assert errors <= n and least * n <= total <= most * n and float(variance) <= (most - least) ** 2, rows


def same_as_the_kernel(c):
    """As many as the tracepoint was met, but for what leads to the command."""
    rows, _ = c.count(COPY)
    r = c.sh('perf stat -x, -e raw_syscalls:sys_exit -- %s' % COPY)
    if r.status:
        raise Skip('no tracepoints: ' + r.err[:100])
    told = int(r.err.split(',')[0])
    assert abs(sum(int(row[3]) for row in rows) - told) <= 10, (rows, told)


def times(c):
    rows, _ = c.count('sleep 0.3')
    assert len(of(rows, 'nanosleep')) == 1, rows
    _, _, _, n, _, total, least, most, variance = of(rows, 'nanosleep')[0][:9]
    assert n == '1' and total == least == most and int(total) > 299e6 and float(variance) == 0, rows


def children_and_errors(c):
    rows, errors = c.count("sh -c 'sh -c \"cat /no/such/file1 /no/such/file2; true\" 2>/dev/null; true'")
    missing = [e for e in errors if e[1] == nr('openat') and e[2] == errno.ENOENT]
    assert sum(e[3] for e in missing) >= 2 and any(r[9] == 'cat' for r in rows), (rows, errors)
    for tid, number, _, _ in errors:
        row = [r for r in rows if int(r[1]) == tid and int(r[2]) == number]
        assert len(row) == 1 and int(row[0][4]) == sum(e[3] for e in errors if e[:2] == [tid, number]), (row, errors)


def everybody(c):
    rows, _ = c.count('-a sleep 0.2')
    assert any(r[9] == 'sleep' for r in rows) and len({r[0] for r in rows}) > 1, rows
    assert not any(r[9] == 'syscall_stats' and r[0] != r[1] for r in rows), rows


def main():
    c = Case()
    try:
        need_root()
        need_all_pids()
        c.count('true')
    except Skip as why:
        print('skip: %s' % why)
        c.close()
        return 77
    for case in (counts, same_as_the_kernel, times, children_and_errors, everybody):
        c.check(case.__name__, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
