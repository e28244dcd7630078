#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""arm64.py --perf BUILD/perf: counters on arm64, and recordings read on the other architecture.

Environment: PERF_ARM64, the perf that was built for arm64; PERF_VM, see tools/arm64.sh. One guest
runs arm64.sh; here its results are looked at. In the guest time is counted in instructions, so that
cycles are exactly twice the instructions in user space.
"""
import filecmp
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'live'))
from live_case import SKIP_EXIT, Suite  # noqa: E402
from vm import Guest  # noqa: E402

CROSS_CC = 'aarch64-linux-gnu-gcc'
DATA = HERE.parent / 'data' / 'perfdata'


def boot(guest, perf):
    """Cross-compiles the workload, runs arm64.sh and lays out the guest's files for --symfs."""
    work = guest.top / 'work'
    subprocess.run([CROSS_CC, '-O1', '-g', '-fno-omit-frame-pointer', '-fno-builtin', '-o', work,
                    HERE / 'work.c'], check=True)
    trash = guest.top / 'trash'
    subprocess.run([CROSS_CC, '-O1', '-fno-omit-frame-pointer', '-fno-stack-protector', '-nostdlib', '-static', '-DBARE',
                    '-DTRASH', '-o', trash, HERE.parent / 'live/stacks/frames.c'], check=True)
    copies = ((perf, '/bin/perf'), (work, '/bin/work'), (trash, '/bin/trash'), (DATA, '/data'),
              (HERE / 'reads.sh', '/reads.sh'))
    if not guest.boot('arm64.sh', copies, ('--arch', 'arm64'), (('/usr/lib', guest.top / 'lib'),)):
        return False
    guest.symfs = guest.top / 'symfs'
    (guest.symfs / 'usr/bin').mkdir(parents=True)
    (guest.top / 'lib').rename(guest.symfs / 'usr/lib')
    for name in 'bin', 'lib':
        (guest.symfs / name).symlink_to('usr/' + name)
    (guest.symfs / 'usr/bin/work').symlink_to(work)
    (guest.symfs / 'usr/bin/perf').symlink_to(perf)
    return True


def counts(guest, name):
    rows = guest.rows(name)
    return int(rows['cycles:u'][0]), int(rows['instructions:u'][0])


def test_stat(guest):
    text = guest.text('stat.err')
    for pattern in (r'msec task-clock +# +[\d.]+ CPUs utilized', r'\d +cycles +# +[\d.]+ GHz',
                    r'\d +instructions +# +0\.50  insn per cycle', r'<not supported> +branches'):
        assert re.search(pattern, text), '%s not in\n%s' % (pattern, text)


def test_exact(guest):
    cycles, instructions = counts(guest, 'group')
    assert instructions > 1000000 and cycles == 2 * instructions, (cycles, instructions)
    assert counts(guest, 'again') == (cycles, instructions), 'another count the second time'


def test_repeat(guest):
    text = guest.text('repeat.err')
    cycles, instructions = counts(guest, 'group')
    assert '(3 runs)' in text, text
    for count, event in (cycles, 'cycles:u'), (instructions, 'instructions:u'):
        assert re.search(r'^ +%d +%s' % (count, event), text, re.M), text
    assert not re.search(r'(cycles|instructions):u.*\+-', text), 'counts vary:\n' + text


def test_multiplexing(guest):
    rows = guest.rows('many')
    share = {event: float(row[4]) for event, row in rows.items()}
    assert len(rows) == 9 and min(share.values()) < 99, share
    cycles, instructions = int(rows['cycles'][0]), int(rows['instructions'][0])
    assert abs(cycles / instructions - 2) < 0.1, 'scaled badly: %d %d' % (cycles, instructions)
    assert abs(int(rows['r8'][0]) / instructions - 1) < 0.1, rows


def test_no_multiplex(guest):
    """Two runs of the command instead of turns: exact counts."""
    text = guest.text('passes.err')
    assert 'the command runs 2 times' in text and 'counters 2 of 2: ' in text, text
    rows = {row[2]: row for row in (line.split(',') for line in text.splitlines()) if len(row) > 6}
    assert len(rows) == 9 and all(row[5] == '100.00' for row in rows.values()), text
    assert [int(rows[e][0]) for e in ('cycles:u', 'instructions:u')] == counts(guest, 'group'), text
    assert rows['r8:u'][0] == rows['instructions:u'][0], text


def test_too_large_group(guest):
    """Nine programmable events in one group never fit."""
    rows = guest.rows('leader')
    assert rows['cycles'][0] in ('<not counted>', '<not supported>'), rows


def test_interval(guest):
    assert guest.text('interval.rc') == '0\n'
    rows = [line.strip().split(',') for line in guest.text('interval.err').splitlines()]
    times = [float(row[0]) for row in rows]
    assert len(rows) > 5 and times == sorted(times), rows
    total = sum(int(row[1]) for row in rows if row[1].isdigit())
    assert total > 10 * counts(guest, 'group')[0] * 0.9, total


def test_not_supported(guest):
    text = guest.text('missing.err')
    assert len(re.findall(r'<not supported> ', text)) == 2 and guest.status('missing') == 0, text
    text = guest.text('missing_all.err')
    assert 'No supported events found' in text and guest.status('missing_all') == 1, text


def test_pmu_terms(guest):
    rows = guest.rows('pmu')
    cycles, instructions = counts(guest, 'group')
    values = [int(row[0]) for row in rows.values()]
    assert values == [cycles, instructions, instructions], rows


def test_json(guest):
    assert '"event" : "cycles:u"' in guest.text('json.err'), guest.text('json.err')


# What the documents show for their command lines, of the events that this machine counts.
DEFAULT = (r'msec (task|cpu)-clock +# +[\d.]+ CPUs utilized', r'context-switches +# ',
           r' [1-9]\d+ +cycles +# +[\d.]+ GHz', r' [1-9]\d+ +instructions +# +0\.\d\d  insn per cycle',
           r'seconds time elapsed')
SEEDS = {
    'default': DEFAULT, 'detailed': DEFAULT + (r'<not supported> +LLC-loads',),
    'list': (r' [1-9]\d+ +cycles', r'# +0\.\d\d  insn per cycle', r'<not supported> +bus-cycles'),
    'raw': (r' [1-9]\d+ +cycles', r' [1-9]\d+ +r8 ', r' [1-9]\d+ +r11 '), 'raw_all': (r' [1-9]\d+ +r0011',),
    'terms': (r' [1-9]\d+ +cycles', r' [1-9]\d+ +armv8_pmuv3/event=0x11/'),
    'interval': (r'^# +time +counts unit events', r'^ +0\.1\d+ +[1-9]\d+ +r11 '),
    'cores': (r'^# +time core +cpus', r'^ +0\.1\d+ S0-D0-C0 +\d [ \d]+ r11 '),
    'loads': (r'^ +0\.1\d+ S0-D0-C0 +\d [ \d]+ instructions ',),
    'busy': (r'stats for process id', r' [1-9]\d+ +cycles +# ', r'# +0\.50  insn per cycle'),
    'all': DEFAULT + (r"stats for 'system wide'", r'<not supported> +L1-dcache-loads'),
}


def test_seeds(guest):
    for name, patterns in SEEDS.items():
        text = guest.text('seed_%s.err' % name)
        for pattern in patterns:
            assert re.search(pattern, text, re.M), '%s: %s not in\n%s' % (name, pattern, text)
    names = guest.text('seed_names.out')
    for event in ('cpu-cycles OR cycles', 'instructions'):
        assert re.search(r'^  %s +\[Hardware event\]$' % event, names, re.M), names


def test_recordings(guest):
    for name in ('period', 'freq', 'group', 'regs', 'dwarf', 'trace', 'clock'):
        err = guest.text('rec_%s.err' % name)
        assert guest.text('rec_%s.rc' % name) == '0\n', '%s: %s' % (name, err)
        assert re.search(r'Captured and wrote .* \(\d+ samples\)', err), err


def test_period(guest):
    """One sample per 19999 cycles; most of them in leaf, called by middle, called by main."""
    text = guest.text('guest_read/period.data.script')
    samples = text.strip().split('\n\n')
    cycles = counts(guest, 'group')[0]
    assert 0.5 < len(samples) * 19999 / cycles <= 1.01, '%d samples' % len(samples)
    leaf = [s for s in samples if re.search(r'^\s*[0-9a-f]+ leaf', s, re.M)]
    assert len(leaf) > len(samples) / 2 and \
        all('middle+' in s and 'main+' in s for s in leaf), text[:2000]
    assert ' abs@plt+' in text and ' abs+0x' in text, 'no sample of a call to the library'


def test_group_values(guest):
    text = guest.text('guest_read/group.data.script')
    pairs = re.findall(r' (\d+) +cycles:u: .*\n.* (\d+) instructions:u: ', text)
    assert len(pairs) > 50 and all(int(c) == 2 * int(i) for c, i in pairs), text[:1000]


def test_registers(guest):
    text = guest.text('guest_read/regs.data.regs')
    assert re.search(r' x29:0x\w+ +lr:0x\w+ +sp:0x\w+ +pc:0x\w+', text), text[:900]
    for line in text.splitlines():
        ip = re.search(r'cycles:u: +([0-9a-f]+) ', line)
        assert not ip or line.count('pc:0x' + ip.group(1)) == 2, line


def test_frequency(guest):
    text = guest.text('guest_read/freq.data.report')
    assert re.search(r'^ +\d\d\.\d\d% +work +work +\[\.\] leaf', text, re.M), text
    assert '[k] ' in text, 'no symbol of the kernel:\n' + text


def test_trace(guest):
    text = guest.text('guest_read/trace.data.script')
    assert re.search(r'raw_syscalls:sys_enter: NR 94 \(', text), 'no exit_group:\n' + text[:900]


def test_auto(guest):
    """Copies of stacks take over from frame pointers, and reach the start."""
    text = guest.text('rec_auto.err')
    assert re.search(r'switched to copies of stacks after \d+ samples: \d+ % of chains were broken, most in \S*/trash',
                     text), text
    samples = guest.text('auto_script.out').strip().split('\n\n')
    whole = [s for s in samples if re.search(r' leaf\n(.* deep\n){31}.* _start$', s)]
    assert len(whole) > 100 and len(whole) > len(samples) * 0.3, (len(whole), len(samples), samples[-1])
    doctor = guest.text('auto_doctor.out')
    assert re.search(r'^ok +stacks: (100|9\d)\.\d %.* by copies of stacks', doctor, re.M), doctor


def test_header(guest):
    text = guest.text('guest_read/period.data.report')
    for line in ('# arch : aarch64', '# cpuid : 0x00000000414fd0c1', 'armv8_pmuv3 = '):
        assert line in text, line + '\n' + text


def test_self_test(guest):
    text = guest.text('selftest.out')
    assert guest.status('selftest') == 0 and 'FAILED' not in text, text
    for name in 'cycles', 'instructions', 'Hardware counter overflow', 'Execution':
        assert re.search(r'%s +: Ok' % name, text), text


def test_bench_cycles(guest):
    text = guest.text('bench.out')
    assert re.search(r'^ +\d+\.\d+ cycles/byte$', text, re.M), text


def same_folder(ours, theirs):
    names = sorted(os.listdir(theirs))
    assert len(names) > 14, names
    different = [n for n in names if not filecmp.cmp(ours / n, theirs / n, shallow=False)]
    if different:
        diff = subprocess.run(['diff', '-u', theirs / different[0], ours / different[0]],
                              capture_output=True, check=False).stdout.decode('utf-8', 'replace')
        raise AssertionError('%d of %d texts differ: %s\n%s' %
                             (len(different), len(names), ' '.join(different), diff[:3000]))


def read_here(suite, folder, result, table, *options):
    script = 'PERF="%s"; . "%s"; read_texts "%s" "%s" "$%s" %s' % (
        suite.perf, HERE / 'reads.sh', folder, result, table, ' '.join(options))
    done = suite.sh(script, limit=120)
    assert done.status == 0, done.err


def test_read_arm64(suite, guest):
    """What the guest recorded says the same here."""
    here = guest.top / 'host_read'
    read_here(suite, guest.out, here, 'guest_texts', '--kallsyms=%s/kallsyms' % guest.out,
              '--symfs=%s' % guest.symfs)
    same_folder(here, guest.out / 'guest_read')


def test_read_x86(suite, guest):
    """The recordings among the test data say the same in the guest."""
    here = guest.top / 'x86_here'
    read_here(suite, DATA, here, 'data_texts', '--kallsyms=/dev/null', '--symfs=/nothing')
    same_folder(here, guest.out / 'x86_read')
    read = {text.name.rpartition('.')[0] for text in here.iterdir()}
    left = {file.name for file in DATA.iterdir() if re.search(r'\.data|\.perf', file.name)} - read
    assert not left, 'in no line of reads.sh: ' + ' '.join(left)


def main():
    suite = Suite(__doc__)
    perf = os.environ.get('PERF_ARM64')
    guest = Guest(suite.top)
    if not perf or not boot(guest, perf):
        suite.close()
        return SKIP_EXIT
    for test in (test_stat, test_exact, test_repeat, test_multiplexing, test_too_large_group,
                 test_interval, test_not_supported, test_pmu_terms, test_json, test_seeds, test_recordings,
                 test_period, test_auto, test_group_values, test_registers, test_frequency, test_trace,
                 test_header, test_self_test, test_bench_cycles):
        suite.check(test.__name__[5:], test, guest)
    for test in test_read_arm64, test_read_x86:
        suite.check(test.__name__[5:], test, suite, guest)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
