#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kvm.py --perf BUILD/perf: perf kvm stat with a virtual machine that makes exits of known numbers.

QEMU's emulation has AMD's instructions for virtual machines, so that the guest can have one. Needs PERF_VM, see
tools/arm64.sh.
"""
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'live'))
from live_case import SKIP_EXIT, Skip, Suite  # noqa: E402
from vm import Guest  # noqa: E402

ROW = re.compile(r'^ *(\S+) +(\d+) +[\d.]+% +[\d.]+% +([\d.]+)us +([\d.]+)us +([\d.]+)us \( \+- *[\d.]+% \)$', re.M)


def numbers(text):
    """{name: number} of a table, whose times must be possible."""
    rows = ROW.findall(text)
    assert len({row[0] for row in rows}) == len(rows), text
    for name, _, least, most, mean in rows:
        assert 0 < float(least) <= float(mean) <= float(most), name
    return {row[0]: int(row[1]) for row in rows}


def test_counts(guest):
    said = guest.text('record.out')
    assert guest.status('record') == 0 and 'pio 60 mmio 25' in said, said + guest.text('record.err')
    rows = numbers(guest.text('vmexit.out'))
    assert rows['cpuid'] == rows['io'] == 60 and rows['npf'] >= 25, rows
    assert numbers(guest.text('mmio.out')) == {'0xa0000:W': 25}, guest.text('mmio.out')
    assert numbers(guest.text('ioport.out')) == {'0x3f8:POUT': 60}, guest.text('ioport.out')


def test_reference(guest):
    if not (guest.out / 'ref_vmexit.rc').exists():
        raise Skip('no reference')
    for event in 'vmexit', 'mmio', 'ioport':
        assert guest.text(event + '.out') == guest.text(f'ref_{event}.err'), guest.text(f'ref_{event}.err')


def test_live(guest):
    assert guest.status('live') == 0, guest.text('live.err')
    tables = guest.text('live.out').split('Analyze events')[1:]
    # (a slow machine makes other exits for more than a second)
    assert len(tables) == 3 and all(numbers(t) for t in tables[1:]), guest.text('live.out')
    assert any(numbers(t).get('cpuid') for t in tables), guest.text('live.out')
    lines = guest.text('live_mmio.out').splitlines()
    # (all of them may be in the first second)
    names = {row['name'] for line in lines for row in json.loads(line)['rows']}
    assert len(lines) == 2 and names == {'0xa0000:W'}, lines


def test_live_keys(guest):
    if not (guest.out / 'live_keys.rc').exists():
        raise Skip('no program script')
    assert guest.status('live_keys') == 0, guest.text('live_keys.err')
    said = guest.text('live_keys.out').replace('\r', '')
    tables = said.split('Analyze events')[1:]
    assert 'Sorted by sample' in tables[0] and any('Sorted by time' in t for t in tables[1:]), said
    for table in tables:
        numbers(table)
    one = [t for t in tables if t.startswith(' for all VMs, VCPU 1:')]
    assert one and not any(numbers(t) for t in one), said
    assert ' for all VMs, all VCPUs' in tables[-1] and numbers(tables[-1]), said


def test_guests_only(guest):
    assert guest.status('guests') == 0, guest.text('guests.err')
    line = guest.text('evlist.out').splitlines()[0]
    assert 'exclude_host: 1' in line and 'exclude_guest' not in line, line


def main():
    suite = Suite(__doc__)
    guest = Guest(suite.top)
    exits = guest.top / 'exits'
    subprocess.run(['cc', '-O1', '-static', '-o', exits, HERE / 'exits.c'], check=True)
    copies = ((guest.stripped(suite.perf), '/bin/perf'), (exits, '/bin/exits'),
              *((lib, lib) for lib in map(str, pathlib.Path('/usr/lib/x86_64-linux-gnu').glob('libcapstone.so.[0-9]'))))
    script = shutil.which('script')
    if script:
        copies += ((script, '/bin/script'),)
    if suite.ref:
        copies += ((suite.ref, '/bin/ref'),)
    if platform.machine() != 'x86_64' or not guest.boot('kvm.sh', copies, ('--cpu', 'max', '--cpus', '1', '--module', 'kvm_amd')):
        suite.close()
        return SKIP_EXIT
    for test in test_counts, test_reference, test_live, test_live_keys, test_guests_only:
        suite.check(test.__name__[5:], test, guest)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
