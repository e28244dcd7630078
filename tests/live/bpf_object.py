#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""BPF programs of object files (bpf/object), compiled here by clang: loaded, attached and counted; and what is said of
files that are none.

    bpf_object.py --perf BUILD/perf --tool BUILD/tests/tools/bpf_object
"""
import os
import random
import shutil
import struct
import sys

from live_case import Skip, Suite, need_root, show

HEAD = '''
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
char LICENSE[] SEC("license") = "GPL";
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, %s); __type(key, __u32); __type(value, __u64); %s
} counts SEC(".maps");
'''
PROGRAM = HEAD % (2, '__uint(pinning, LIBBPF_PIN_BY_NAME);') + '''
static int count(__u32 key)
{
	__u64 *n = bpf_map_lookup_elem(&counts, &key);
	if (n) __sync_fetch_and_add(n, 1);
	return 0;
}
SEC("raw_tp/task_newtask") int raw(void *ctx) { return count(0); }
SEC("tp/task/task_newtask") int plain(void *ctx) { return count(1); }
'''
REFUSED = HEAD % (2, '') + '''
SEC("raw_tp/task_newtask") int raw(void *ctx)
{
	__u32 key = bpf_get_prandom_u32();
	return *(__u64 *)bpf_map_lookup_elem(&counts, &key);
}
'''
NOWHERE = HEAD % (2, '') + 'SEC("perf_event") int sampled(void *ctx) { return 1; }'
UNKNOWN = HEAD % (2, '') + 'SEC("raw_tp/no_such_point") int lost(void *ctx) { return 1; }'
LARGE = HEAD % ('1u << 31', '') + 'SEC("raw_tp/task_newtask") int raw(void *ctx) { return 0; }'


class Case(Suite):
    def __init__(self):
        at = sys.argv.index('--tool')
        self.tool = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
        super().__init__(__doc__)

    def compile(self, text, name='prog.o'):
        with open(os.path.join(self.top, 'prog.c'), 'w', encoding='ascii') as f:
            f.write(text)
        r = self.sh('clang -O2 -g -target bpf -idirafter /usr/include/$(gcc -print-multiarch) -c prog.c -o %s' % name)
        if r.status:
            raise Skip('clang does not compile for BPF here: ' + r.err.strip()[:200])

    def run(self, args):
        return self.sh('%s %s' % (self.tool, args))

    def refused(self, args, *texts):
        r = self.run(args)
        assert r.status == 1 and r.err.count('error: ') == 1 and all(t in r.err for t in texts), show(r)


def counts(c):
    c.compile(PROGRAM)
    r = c.run("prog.o counts sh -c 'for i in 1 2 3 4 5; do /bin/true; done'")
    if 'Operation not permitted' in r.err:
        raise Skip('no BPF here')
    got = dict(line.split() for line in r.out.splitlines())
    assert r.status == 0 and int(got['0']) >= 5 and int(got['1']) >= 5, show(r)
    assert not os.path.exists('/sys/fs/bpf/counts'), 'the map is left behind'
    r = c.run('prog.o')
    assert r.out == 'raw at raw_tp/task_newtask\nplain at tp/task/task_newtask\n', show(r)
    c.refused('prog.o nothing', "there is no map 'nothing'")


def verifier(c):
    c.compile(REFUSED)
    r = c.run('prog.o counts true')
    if 'Operation not permitted' in r.err:
        raise Skip('no BPF here')
    assert r.status == 1 and "cannot load 'prog.o': the kernel does not take it" in r.err, show(r)
    assert 'hint: the kernel says: ' in r.err and "invalid mem access 'map_value_or_null'" in r.err, show(r)
    assert len(r.err.splitlines()) == 2 and 'processed' not in r.err, show(r)


def places(c):
    c.compile(NOWHERE)
    c.refused('prog.o counts true', "cannot attach program 'sampled' of 'prog.o' at 'perf_event'", 'hint: ')
    c.compile(UNKNOWN)
    c.refused('prog.o counts true', "cannot attach program 'lost' of 'prog.o' at 'raw_tp/no_such_point'")


def large_map(c):
    c.compile(LARGE)
    c.refused('prog.o', 'its maps take more than 1024 MB')


def wrong_files(c):
    c.compile(PROGRAM)
    path = os.path.join(c.top, 'prog.o')
    with open(path, 'rb') as f:
        good = f.read()

    def made(name, content):
        with open(os.path.join(c.top, name), 'wb') as out:
            out.write(content)
        return name
    c.refused(made('text.o', b'int main;\n'), 'not an object file (ELF)', 'hint: compile it')
    c.refused(made('empty.o', b''), 'not an object file (ELF)')
    shutil.copy('/bin/true', os.path.join(c.top, 'true.o'))
    c.refused('true.o', 'compiled for another machine')
    c.refused(made('order.o', good[:5] + b'\2' + good[6:]), 'the other byte order')
    c.refused(made('cut.o', good[:len(good) // 2]), 'the file is damaged')
    # a section with bytes over the table of sections: what is written to it would change others
    table, = struct.unpack_from('<Q', good, 40)
    c.refused(made('over.o', good[:table + 64 + 24] + struct.pack('<QQ', table + 64, 64) + good[table + 64 + 40:]), 'the file is damaged')
    c.refused(made('sections.o', good[:60] + struct.pack('<H', 60000) + good[62:]), 'the file is damaged')
    c.refused('missing.o', "cannot open 'missing.o'")
    c.sh('mkfifo fifo.o; truncate -s 17M huge.o')
    c.refused('fifo.o', 'fifo.o')
    c.refused('huge.o', 'larger than 16 MB')
    c.refused('/dev/zero', '/dev/zero')


def damaged(c):
    """One line for each, whatever libbpf makes of it."""
    c.compile(PROGRAM)
    with open(os.path.join(c.top, 'prog.o'), 'rb') as f:
        good = f.read()
    for seed in range(12):
        chance = random.Random(seed)
        bad = bytearray(good)
        for _ in range(8):
            bad[chance.randrange(len(bad))] = chance.choice([255, chance.randrange(256)])
        with open(os.path.join(c.top, 'bad.o'), 'wb') as f:
            f.write(bad)
        r = c.run('bad.o')
        assert r.status in (0, 1) and r.err.count('error: ') == r.status, (seed, show(r))


def main():
    c = Case()
    try:
        need_root()
    except Skip as why:
        print('skip: %s' % why)
        c.close()
        return 77
    for case in (counts, verifier, places, large_map, wrong_files, damaged):
        c.check(case.__name__, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
