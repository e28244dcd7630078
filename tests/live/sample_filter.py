#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf record --filter on sampled events: a BPF program in the kernel judges each sample. What is written, what
is told and what stands in the file must add up."""
import re
import sys

from live_case import Skip, Suite, need_root, show

WORK = "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'"
KERNEL = "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; dd if=/dev/zero of=/dev/null bs=64k count=9000'"
FIELDS = '--sample-cpu -d -W --phys-data --code-page-size --transaction --sample-identifier --all-cgroups'
# (filter, samples that match: all of them, none, or some)
FILTERS = [
    ('period == 100000', 'all'), ('period > 100000', 'none'), ('period & 0x86a0', 'all'), ('period & 0x1', 'none'),
    ('ip > 0xffff000000000000', 'some'), ('ip < 0xffff000000000000', 'some'), ('ip < 0x7ff', 'none'),
    ('cpu < 4096', 'all'), ('cpu > 4096', 'none'), ('pid == 1', 'none'), ('pid != 1, tid > 1', 'all'),
    ('time > 100', 'all'), ('time == 0', 'none'), ('uid == 0', 'all'), ('uid == 1 || gid == 0', 'all'),
    ('uid > 0xffffffff', 'none'), ('id > 0', 'all'), ('addr == 0', 'all'), ('phys_addr == 0', 'all'),
    ('code_pgsz == 4096 || code_page_size != 4096', 'all'), ('txn == 0', 'all'), ('weight == 0', 'all'),
    ('weight1 == 0, ins_lat == 0', 'all'), ('mem_op == na', 'all'), ('mem_op & load', 'none'),
    ('mem_snoop == na', 'all'), ('mem_dtlb == na', 'all'), ('cgroup != 0', 'all'),
    ('pid == 1 || uid == 0, period < 100001', 'all'), ('uid == 0 && period > 1', 'all'),
    ('uid == 0 && period < 1', 'none'),
]
WRONG = ['foo == 1', 'period', 'period >', 'period > x', 'period > 1 cpu', 'period > 1 || cpu < 9 && uid == 0', ',', '',
         'period > 99999999999999999999', 'cgroup == /no/such/group', 'mem_op == l1']


def record(c, options, work=WORK):
    r = c.sh('perf record -N -o p.data -e cpu-clock -c 100000 %s -- %s' % (options, work))
    if 'cannot filter samples' in r.err:
        raise Skip(r.err.split('\n')[0])
    assert r.status == 0, show(r)
    m = re.search(r'^(\d+) samples did not match', r.err, re.M)
    return int(c.sh('perf script -F ip -i p.data | wc -l').out), int(m.group(1)) if m else 0


def filter_line(c, text, which):
    kept, dropped = record(c, "%s --filter '%s'" % (FIELDS, text), KERNEL if which == 'some' else WORK)
    assert kept + dropped > 20, '%d kept, %d dropped' % (kept, dropped)
    assert (kept > 0) == (which != 'none') and (dropped > 0) == (which != 'all'), '%d kept, %d dropped' % (kept, dropped)
    told = re.findall(r'PERF_RECORD_LOST_SAMPLES.*?(\d+) *\(BPF\)', c.sh('perf report -D -i p.data').out)
    assert sum(map(int, told)) == dropped, 'the file tells of %s' % told
    r = c.sh('perf report --stdio -i p.data')
    assert not kept or 'Lost Samples: 0' in r.out, 'dropped samples are taken for lost ones:\n' + r.out[:600]


def only_what_matches(c):
    """By the fields that are written."""
    record(c, "--filter 'ip > 0xffff000000000000'", 'dd if=/dev/zero of=/dev/null bs=64k count=20000')
    ips = [int(x, 16) for x in c.sh('perf script -F ip -i p.data').out.split()]
    assert ips and min(ips) > 0xffff000000000000, ips[:5]
    record(c, "-e task-clock -c 100000 --filter 'ip < 0xffff000000000000'")
    out = c.sh('perf script -F event,ip -i p.data').out
    kernel = re.findall(r'(\S+): +ffff', out)
    assert kernel.count('task-clock') == 0 and 'task-clock' in out and 'cpu-clock' in out, out[:600]


def two_filters(c):
    kept, dropped = record(c, "--filter 'ip > 0x1000' --filter 'uid == 1'")
    assert kept == 0 and dropped, (kept, dropped)


def targets(c):
    kept, dropped = record(c, "-a --filter 'pid == 0'", 'sleep 0.2')
    pids = set(c.sh('perf script -F pid -i p.data').out.split())
    assert pids <= {'0'} and kept + dropped, pids
    r = c.sh('while :; do :; done & perf record -N -o p.data -e cpu-clock -c 100000 -p $! '
             "--filter 'uid == 77' -- sleep 0.2; kill $!; perf script -i p.data")
    assert r.out == '' and re.search(r'^[1-9]\d* samples did not match', r.err, re.M), show(r)


def children(c):
    kept, dropped = record(c, "--filter 'uid == 1'", "sh -c 'sh -c \"i=0; while [ \\$i -lt 60000 ]; do i=\\$((i+1)); done\"; true'")
    assert kept == 0 and dropped > 20, (kept, dropped)


def files(c):
    """Each file of a rotation tells of its own."""
    r = c.sh("perf record -N -o p.data -e cpu-clock -c 100000 --switch-output=1s --filter 'uid == 1' -- "
             "sh -c 'while :; do :; done & sleep 2.5; kill $!'; "
             "for f in p.data.2*; do perf report -D -i $f; rm $f; done")
    if 'cannot filter samples' in r.err:
        raise Skip(r.err.split('\n')[0])
    told = [int(x) for x in re.findall(r'LOST_SAMPLES.*?(\d+) *\(BPF\)', r.out)]
    dropped = int(re.search(r'^(\d+) samples did not match', r.err, re.M).group(1))
    assert len(told) > 1 and sum(told) == dropped, (told, dropped)


def wrong_line(c, text):
    r = c.sh("perf record -o wrong.data -e cpu-clock --filter '%s' true; ls wrong.data" % text)
    assert r.err.startswith("wrong filter '%s': " % text) and 'No such file' in r.err, show(r)


def missing_field(c):
    r = c.sh("perf record -o wrong.data -e cpu-clock --filter 'addr > 1' true")
    assert r.status == 255 and 'do not have PERF_SAMPLE_ADDR' in r.err and 'hint: add -d' in r.err, show(r)


def no_privilege(c):
    r = c.sh("setpriv --reuid 65534 --regid 65534 --clear-groups \"$PERF\" record -e cpu-clock:u -o /dev/null "
             "--filter 'period > 1' true")
    if 'cannot execute' in r.err or 'Permission denied' in r.err.split('\n')[0]:
        raise Skip('the program is not readable to others')
    if 'without BPF programs' in r.err:
        raise Skip(r.err.split('\n')[0])
    assert r.status == 255 and ('CAP_BPF' in r.err or 'paranoid' in r.err), show(r)


def main():
    c = Suite(__doc__)
    c.check('privilege', need_root)
    for text, which in FILTERS:
        c.check(text, filter_line, c, text, which)
    for test in (only_what_matches, two_filters, targets, children, files, missing_field, no_privilege):
        c.check(test.__name__, test, c)
    for text in WRONG:
        c.check("wrong: '%s'" % text, wrong_line, c, text)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
