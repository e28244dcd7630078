#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""AUX area tracing with a made-up PMU: what perf record writes of it, and that both perfs read that.

    aux_area.py --perf BUILD/perf --fake BUILD/tests/tools/libfake_aux.so --pmus tests/data/sysfs/aux-pmus.tree
                --arm tests/data/sysfs/aux-arm.tree --etm3 tests/data/sysfs/aux-etm3.tree
                --with-pmus tests/diff/with_pmus.sh

The trace's words tell their own offset (tests/tools/fake_aux.c). The files are looked at by a reader of a few lines.
"""
import os
import pathlib
import shlex
import struct
import sys

from live_case import Skip, Suite, need_mount_namespace, need_root, show

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'diff'))
from kallsyms import with_short_kallsyms  # noqa: E402

AUX, AUXTRACE_INFO, AUXTRACE, FEATURE = 11, 70, 71, 18
PT, BTS, SPE, ETM, PTT = 8, 9, 10, 11, 12  # types in the trees
# what perf 6.1 writes with this tree, but for the crystal's ratio (words 11 and 12), which is the CPU's
PT_INFO = [PT, 31, 715827883, 0x123456789abc, 1, 0x400, 0x800, 3, 0, 1, 0x200, 0x3c000, None, None, 2, 24, 0, 0]
ETM4, ETE, NONE = 0x4040404040404040, 0x5050505050505050, (1 << 64) - 1


# descriptions have the form of the time of the kernel
OLD, NEW = 'FAKE_AUX_KERNEL=6.1.0', 'FAKE_AUX_KERNEL=7.3.0'


class Data:
    def __init__(self, path):
        self.raw = raw = pathlib.Path(path).read_bytes()
        size, ao, al, do, dl = struct.unpack_from('<5Q', raw, 16)
        self.attrs = [struct.unpack_from('<IIQQQQQ', raw, at) for at in range(ao, ao + al, size)]
        self.records, self.traces, at = [], [], do
        while at < do + dl:
            kind, misc, n = struct.unpack_from('<IHH', raw, at)
            assert n >= 8, 'damaged record'
            self.records.append((kind, misc, raw[at:at + n]))
            if kind == AUXTRACE:
                size, offset, _, idx, tid, cpu, _ = struct.unpack_from('<QQQIiiI', raw, at + 8)
                self.traces.append((at, size, offset, idx, tid, cpu, raw[at + n:at + n + size]))
                n += size
            at += n
        bits = struct.unpack_from('<4Q', raw, 72)
        table = do + dl + 16 * bin(bits[0] & ((1 << FEATURE) - 1)).count('1')
        self.index = []
        if bits[0] >> FEATURE & 1:
            off, n = struct.unpack_from('<QQ', raw, table)
            words = struct.unpack_from('<%dQ' % (n // 8), raw, off)
            assert words[0] * 2 + 1 == len(words)
            self.index = list(zip(words[1::2], words[2::2]))

    def info(self):
        (record,) = [r for k, _, r in self.records if k == AUXTRACE_INFO]
        return struct.unpack_from('<II', record, 8)[0], list(struct.unpack_from('<%dQ' % (len(record) // 8 - 2), record, 16))

    def check(self, area=None):
        """The index leads to the records; words tell their offsets."""
        assert self.index == [(t[0], 48) for t in self.traces], (self.index, self.traces)
        for _, size, offset, _, _, _, data in self.traces:
            words = struct.unpack('<%dQ' % (size // 8), data)
            first = offset if area is None else words[0]
            assert all(w == first + 8 * i for i, w in enumerate(words)), (offset, words[:4])


class Case(Suite):
    def __init__(self):
        given = {}
        for name in ('--fake', '--pmus', '--arm', '--etm3', '--with-pmus'):
            at = sys.argv.index(name)
            given[name] = os.path.abspath(sys.argv[at + 1])
            del sys.argv[at:at + 2]
        self.given = given
        super().__init__(__doc__)

    def record(self, pmu, options, command='sleep 0.3', program='"$PERF"', before='', tree='--pmus', **kw):
        return self.sh('%s bash "%s" "%s" env FAKE_AUX=%d LD_PRELOAD="%s" %s record -N -o p.data %s -- %s' % (
            before, self.given['--with-pmus'], self.given[tree], pmu, self.given['--fake'], program, options, command),
            **kw)

    def data(self, pmu, options, *args, read=True, **kw):
        r = self.record(pmu, options, *args, **kw)
        assert r.status == 0, show(r)
        if read:
            self.both_read(old_reader='FAKE_AUX_KERNEL=7' not in kw.get('before', ''))
        return Data(os.path.join(self.top, 'p.data')), r

    def both_read(self, path='p.data', old_reader=True):
        """The same AUX records for both, none of them unknown; descriptions of CoreSight also by name."""
        texts = []
        for program in [self.perf] + ([self.ref] if self.ref and old_reader else []):
            out = self.sh('"%s" script -D -i %s | grep -a -o -e "PERF_RECORD_AUX.*" -e "^\t[A-Z].*"' % (program, path))
            stats = self.sh('"%s" report --stats -i %s' % (program, path)).out
            # (what was compressed is shown at another place)
            texts.append((sorted(out.out.splitlines()), [line.split()[:3] for line in stats.splitlines() if 'AUX' in line and '(e.g' not in line]))
        assert self.sh('perf report -D -i %s > /dev/null' % path).status == 0
        assert any('AUXTRACE_INFO' in line for line in texts[0][0]), texts[0]
        assert all(t == texts[0] for t in texts), texts


def whole_trace(c):
    d, _ = c.data(PT, '-e intel_pt//u -m 16,64')
    kind, words = d.info()
    assert kind == 1 and len(words) == len(PT_INFO), words
    assert all(w is None or w == v for w, v in zip(PT_INFO, words)), words
    d.check()
    # two pieces of 3/4 of the area for each CPU, the second over its end
    for cpu in {t[5] for t in d.traces}:
        mine = [t for t in d.traces if t[5] == cpu]
        # (a reader that was too late finds a full one)
        assert sum(t[1] for t in mine) in (2 * 0x30000, 0x40000) and mine[0][2] == 0, [t[:3] for t in mine]
        assert len({t[3] for t in mine}) == 1, mine
    first, switches, tracking = d.attrs
    assert first[0] == PT and first[2] == 0x300e601 and first[3] == 1, first
    assert switches[6] >> 26 & 1 and not first[6] >> 26 & 1 and tracking[6] >> 8 & 1, d.attrs
    assert all(a[4] == 0x10087 for a in d.attrs), d.attrs  # IP TID TIME CPU IDENTIFIER


def like_the_reference(c):
    """The same attributes, where it knows the CPU's maker."""
    if not c.ref:
        raise Skip('no reference')
    if 'GenuineIntel' not in pathlib.Path('/proc/cpuinfo').read_text(encoding='utf-8'):
        raise Skip('the reference traces on CPUs of Intel only')
    recorder = shlex.join(with_short_kallsyms([c.ref], c.top))
    for options in ('-e intel_pt//u -m 16,64', '-e intel_pt// -a', '-e intel_pt//k', '-e intel_pt//u -C 0',
                    '-e intel_pt//k --no-switch-events', '-e intel_pt//u --per-thread', '-e intel_pt//u -S',
                    '-e intel_bts//u --per-thread', '-e task-clock:u -e intel_pt/psb_period=1/u'):
        pmu = BTS if 'bts' in options else PT
        # One alone has areas of 4 MB, as without -m.
        options += '' if '-m' in options or '-C' in options else ' -m ,16'
        mine, _ = c.data(pmu, options, read=False)
        assert c.record(pmu, '-B ' + options, program=recorder).status == 0
        other = Data(os.path.join(c.top, 'p.data'))
        assert mine.info() == other.info(), (options, mine.info(), other.info())
        # (build ids in map records are the default here)
        strip = [[a[:6] + (a[6] & ~(1 << 34),) for a in d.attrs] for d in (mine, other)]
        assert strip[0] == strip[1], (options, strip)


def terms_and_defaults(c):
    for event, config in (('intel_pt/noretcomp/u', 0x300ee01), ('intel_pt/psb_period=1/u', 0x100e601),
                          ('intel_pt/mtc=0/u', 0x300e401), ('intel_pt/config=0x400/u', 0x400)):
        d, _ = c.data(PT, '-m ,16 -e ' + event, 'true', read=False)
        assert d.attrs[0][2] == config, (event, hex(d.attrs[0][2]))


def whole_system(c):
    d, _ = c.data(PT, '-a -e intel_pt// -m ,16')
    d.check()
    assert all(t[4] == -1 for t in d.traces), d.traces


def one_thread(c):
    d, _ = c.data(PT, '--per-thread -e intel_pt//u -m ,16')
    d.check()
    kind, words = d.info()
    assert kind == 1 and words[7] == 0 and words[9] == 0, words
    assert d.traces and all(t[5] == -1 and t[4] > 0 for t in d.traces), d.traces


def bts(c):
    d, _ = c.data(BTS, '--per-thread -e intel_bts//u -m ,16')
    d.check()
    assert d.info() == (2, [BTS, 31, 715827883, 0x123456789abc, 1, 0]), d.info()


def spe(c):
    d, _ = c.data(SPE, '-e arm_spe_0//u -c 5000 -m ,16', before=OLD)
    d.check()
    assert d.info() == (4, [SPE, 0]) and d.attrs[0][3] == 5000 and d.attrs[0][2] & 1, (d.info(), d.attrs[0])
    assert len(d.attrs) == 2 and d.attrs[1][6] >> 26 & 1, d.attrs  # switches of the tasks
    assert d.attrs[0][4] == 0x18087 and d.attrs[1][4] == 0x10087, d.attrs
    d, _ = c.data(SPE, '-e arm_spe_0/ts_enable=0,pa_enable=1/u -m ,16', before=OLD)
    assert d.attrs[0][3] == 1024 and not d.attrs[0][2] & 1, d.attrs[0]  # caps/min_interval
    assert d.attrs[0][4] == 0x98087, d.attrs
    d, _ = c.data(SPE, '-e arm_spe_0//u --per-thread -m ,16', before=OLD)
    assert d.attrs[0][2:5] == (0, 1024, 0x18003) and not d.attrs[1][6] >> 26 & 1, d.attrs
    need_two_cpus()
    d, _ = c.data(SPE, '-e arm_spe_0// -C 0,1 -m ,16', before=NEW, tree='--arm')
    kind, words = d.info()
    for cpu in (0, 1):
        words[7 + 7 * cpu] = 0  # MIDR of this machine
    assert (kind, words) == (4, [2, 4, SPE, 2] + spe_of(0) + spe_of(1)), (kind, words)


def spe_of(cpu):
    return [0x1010101010101010, cpu, 4, 0, SPE, 1024, 0xfffe]


def need_two_cpus():
    if not {0, 1} <= os.sched_getaffinity(0):
        raise Skip('no CPUs 0 and 1')


def etm_of(cpu, config, version):
    """What perf 6.1 (version 1) and 7.3 (2) write with this tree."""
    one = [ETM4, 0, 7, config, 0x10, 0x28000ea1, 0x4100f424, 0x20001088, 0x17, 0xcc]
    two = [ETE, 1, 8, config, 0x12, 0x28000ea2, 0x4100f425, 0x20001089, 0x18, 0xcd, 0x47705a13]
    words = (two if cpu else one) + ([1 if cpu else NONE] if version > 1 else [])
    words[2] += version - 1
    return words


def coresight(c):
    need_two_cpus()
    for version, before in ((1, OLD), (2, NEW)):
        d, _ = c.data(ETM, '-C 0,1 -e cs_etm/@tmc_etr0/ -m ,16', before=before, tree='--arm')
        d.check()
        assert d.info() == (3, [version, ETM << 32 | 2, 0] + etm_of(0, 0x840, version) + etm_of(1, 0x840, version)), d.info()
        assert d.attrs[0][2:5] == (0x10004000, 1, 0x10087) and d.traces, d.attrs
        assert struct.unpack_from('<Q', d.raw, struct.unpack_from('<Q', d.raw, 24)[0] + 64)[0] == 0x162efb7, 'sink'
        assert len(d.attrs) == 2 and d.attrs[1][6] >> 26 & 1, d.attrs
    d, _ = c.data(ETM, '-C 1 -Se -e cs_etm/cycacc,retstack,contextid=0,timestamp=0/ -m ,16', before=OLD, tree='--arm')
    assert d.info() == (3, [1, ETM << 32 | 1, 1] + etm_of(1, 0x1010, 1)), d.info()
    for terms, config in (('contextid2', 0x88c0), ('branch_broadcast,contextid=0', 0x808), ('autofdo', 0x840)):
        d, _ = c.data(ETM, '-C 0 -e cs_etm/%s/ -m ,16' % terms, before=OLD, tree='--arm')
        assert d.info()[1][3:] == etm_of(0, config, 1), (terms, d.info())
    for event, why in (('cs_etm/@nix/', 'Couldn\'t find sink "nix" on event cs_etm/@nix/'),
                       ('cs_etm// -e cs_etm//', 'There may be only one cs_etm event'),
                       ('arm_spe_0/@tmc_etr0/', "driver configuration '@tmc_etr0' is not supported by 'arm_spe_0'")):
        r = c.record(ETM, '-C 0 -e ' + event, 'true', tree='--arm')
        assert r.status in (129, 255) and why in r.err, (event, show(r))


def coresight_of_old(c):
    need_two_cpus()
    for event, why in (('', 'contextid is not supported on CPU 0'), ('contextid=0', 'timestamp is not supported on CPU 0')):
        r = c.record(ETM, '-C 0 -e cs_etm/%s/' % event, 'true', tree='--etm3')
        assert r.status == 255 and why in r.err, show(r)
    d, _ = c.data(ETM, '-C 0,1 -e cs_etm/contextid=0,timestamp=0,cycacc/ -m ,16', before=OLD, tree='--etm3')
    unit = [0x3030303030303030, 0, 4, 0x1000, 0x10, 0x34c01ac0, 0x411cf310]
    assert d.info() == (3, [1, ETM << 32 | 2, 0] + unit + [unit[0], 1, 4, 0x1000, 0x12, unit[5] + 1, unit[6] + 1]), d.info()
    r = c.record(ETM, '-C 1 -e cs_etm//', 'true')  # a tree that has only CPU 0
    assert r.status == 255 and 'cs_etm: Not found on CPU 1.' in r.err, show(r)


def ptt(c):
    d, _ = c.data(PTT, '-a -e hisi_ptt0_2/filter=0x8001,type=1,direction=1,format=0/ -m ,16', tree='--arm')
    d.check()
    assert d.info() == (6, [PTT]) and d.attrs[0][2] == 0x118001 and d.traces, (d.info(), d.attrs)
    assert not d.attrs[1][6] >> 26 & 1, d.attrs
    r = c.record(PTT, '-a -S -e hisi_ptt0_2//', 'true', tree='--arm')
    assert r.status == 255 and 'No AUX area tracing to snapshot' in r.err, show(r)


def address_filters(c):
    c.sh('echo something > object')
    path = os.path.realpath(os.path.join(c.top, 'object'))
    d, _ = c.data(PT, "-e intel_pt//u -m ,16 --filter 'filter 0x10 / 0x20 @object ,' --filter 'tracestop * @ object'",
                  before='rm -f filters; FAKE_AUX_FILTERS=filters')
    want = 'filter 0x10/0x20@%s,stop 0x0/0xa@%s' % (path, path)
    passed = set(pathlib.Path(c.top, 'filters').read_text(encoding='utf-8').splitlines())
    assert passed == {want}, passed
    (record,) = [r for k, _, r in d.records if k == AUXTRACE_INFO]
    assert struct.unpack_from('<Q', record, 16 + 8 * 16)[0] == len(want), record
    padded = want.encode() + bytes(8 - len(want) % 8)
    assert record[16 + 8 * 17:] == padded + bytes(8), record[16 + 8 * 17:]
    for options, why in (("-e intel_pt//u --filter 'start 1@object stop 2@object start 3@object'", 'has 2 address filters, not 3'),
                         ("-e arm_spe_0//u --filter 'start 1@object'", "'arm_spe_0' has no address filters"),
                         ("-e intel_pt//u --filter 'begin 1@object'", "cannot understand the address filter 'begin 1@object'"),
                         ("-e intel_pt//u --filter 'filter nix @ object'", "'object' has no symbols that can be read"),
                         ("-e intel_pt//u --filter 'filter 1@nix'", "cannot find 'nix'")):
        r = c.record(PT, options, 'true')
        assert r.status == 255 and why.replace("'object' has", "'%s' has" % path) in r.err, (options, show(r))


def areas_that_are_full(c):
    d, r = c.data(PT, '-e intel_pt//u -m ,16', 'true')  # ends before anybody has read
    d.check()
    if any(k == AUX and rec[24] & 1 for k, _, rec in d.records):
        assert 'warning: the AUX areas of 64 kB were full' in r.err and 'hint: -m ,128K' in r.err, show(r)
    _, r = c.data(PT, '-e intel_pt//u -m ,16', before='FAKE_AUX_FLAGS=12')
    assert 'have gaps' in r.err and 'samples were dropped' in r.err, show(r)


def compressed_and_behind(c):
    for options in ('-z', '--aio'):
        d, _ = c.data(PT, '-e intel_pt//u -m ,16 ' + options)
        d.check()
        assert len(d.traces) >= len({t[5] for t in d.traces}) > 0


def snapshot_at_the_end(c):
    d, _ = c.data(PT, '-Se -e intel_pt//u -m ,16')
    d.check(0x10000)
    assert {t[1] for t in d.traces} == {0x10000} and d.info()[1][8] == 1, (d.traces, d.info())
    assert d.attrs[0][3] == 1 and all(t[6][:8] == struct.pack('<Q', 0x8000) for t in d.traces)
    d, _ = c.data(PT, '-Se0x1000 -e intel_pt//u -m ,16')
    assert {t[1] for t in d.traces} == {0x1000}, d.traces
    d, _ = c.data(PT, '-Se -e intel_pt//u -m ,16', before='FAKE_AUX_HEAD=area')
    d.check(0x10000)
    assert {t[1] for t in d.traces} == {0x10000}, d.traces


def snapshot_at_a_signal(c):
    script = """trap '' USR2
bash "%s" "%s" env FAKE_AUX=%d LD_PRELOAD="%s" "$PERF" record -N -o p.data -S -e intel_pt//u -m ,16 -- \
    sh -c 'sleep 0.4; kill -USR2 $PPID; sleep 1'"""
    r = c.sh(script % (c.given['--with-pmus'], c.given['--pmus'], PT, c.given['--fake']))
    assert r.status == 0, show(r)
    c.both_read()
    d = Data(os.path.join(c.top, 'p.data'))
    d.check(0x10000)
    assert d.traces and len(d.traces) == len({t[5] for t in d.traces}), d.traces


def snapshot_by_command(c):
    r = c.record(PT, '-S -e intel_pt//u -m ,16 --control fifo:ctl,ack', 'sleep 1.2', before="""mkfifo ctl ack
{ sleep 0.4; echo snapshot; sleep 2; } > ctl & read -r answer < ack &""")
    assert r.status == 0, show(r)
    d = Data(os.path.join(c.top, 'p.data'))
    assert d.traces, show(r)
    r = c.record(PT, '-e intel_pt//u -m ,16 --control fifo:ctl,ack', 'sleep 0.8', before="""
{ sleep 0.2; echo snapshot; sleep 2; } > ctl & read -r answer < ack &""")
    assert 'no snapshot without -S' in r.err, show(r)


def samples(c):
    for options in ("--aux-sample -e '{intel_pt//u,task-clock:u}'", '-e intel_pt//u -e task-clock/aux-sample-size=4096/u'):
        d, _ = c.data(PT, options + ' -m ,16')
        assert not d.traces and d.attrs[0][2] == 0xe601, d.attrs[0]
        assert d.attrs[1][4] >> 20 & 1 and not d.attrs[0][4] >> 20 & 1, d.attrs
        assert struct.unpack_from('<I', d.raw, struct.unpack_from('<Q', d.raw, 24)[0] + 144 + 112)[0] == 4096


def new_files(c):
    r = c.sh('rm -f s.data*; bash "%s" "%s" env FAKE_AUX=8 LD_PRELOAD="%s" "$PERF" record -o s.data --switch-output=1s '
             '-e intel_pt//u -m ,16 -- sleep 1.5; ls s.data.*' % (c.given['--with-pmus'], c.given['--pmus'], c.given['--fake']))
    assert r.status == 0, show(r)
    names = r.out.split()
    assert len(names) >= 2, show(r)  # more where it starts slowly
    for name in names:
        c.both_read(name)
        Data(os.path.join(c.top, name)).check()


def stream(c):
    r = c.sh('bash "%s" "%s" env FAKE_AUX=8 LD_PRELOAD="%s" "$PERF" record -o - -e intel_pt//u -m ,16 -- sleep 0.3 2>err | '
             'cat > pipe.data; for p in "$PERF" %s; do cat pipe.data | $p script -i - -D | grep -a -c "AUXTRACE size"; done'
             % (c.given['--with-pmus'], c.given['--pmus'], c.given['--fake'], c.ref or ''))
    counts = set(r.out.split())
    assert len(counts) == 1 and int(counts.pop()) >= 2, show(r)


def injected(c):
    """A copy has an index of its own."""
    c.data(PT, '-e intel_pt//u -m ,16', read=False)
    r = c.sh('perf inject -b -i p.data -o q.data')
    assert r.status == 0, show(r)
    Data(os.path.join(c.top, 'q.data')).check()
    c.both_read('q.data')


def refused(c):
    for pmu, options, why in (
            (PT, '-e intel_pt//u -e intel_bts//u', 'intel_pt and intel_bts may not be used together'),
            (PT, '-e intel_pt//u --threads', 'Parallel trace streaming is not available in AUX area tracing mode.'),
            (PT, '-S', 'No AUX area tracing to snapshot'), (PT, '--aux-sample', 'No AUX area event to sample'),
            (PT, '-e intel_pt//u --aux-sample', 'AUX area sampling requires an AUX area event group leader'),
            (PT, '-e intel_pt//u -m ,1', 'at least 2 pages'), (PT, '-e intel_pt//u -S100K -m ,4', 'larger than the AUX area'),
            (PT, "--aux-sample=70000 -e '{intel_pt//u,task-clock:u}'", 'at most 61440 bytes'),
            (PT, "-S --aux-sample -e '{intel_pt//u,task-clock:u}'", 'cannot be used together')):
        r = c.record(pmu, options, 'true')
        assert r.status == 255 and why in r.err, (options, show(r))
    r = c.record(PT, '-Sx -e intel_pt//u', 'true')
    assert r.status == 129 and 'invalid snapshot' in r.err, show(r)


def main():
    c = Case()
    try:
        need_root()
        need_mount_namespace()
    except Skip as why:
        print('skip: %s' % why)
        c.close()
        return 77
    for case in (whole_trace, like_the_reference, terms_and_defaults, whole_system, one_thread, bts, spe, coresight,
                 coresight_of_old, ptt, address_filters,
                 areas_that_are_full, compressed_and_behind, snapshot_at_the_end, snapshot_at_a_signal,
                 snapshot_by_command, samples, new_files, stream, injected, refused):
        c.check(case.__name__, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
