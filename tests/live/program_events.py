#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of BPF programs as events (selection/program_events): compiled, loaded, their samples, and what is left.

    program_events.py --perf BUILD/perf
"""
import os
import re
import shutil
import sys

from live_case import Skip, Suite, need_root, show

HEAD = '''
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
char LICENSE[] SEC("license") = "GPL";
'''
TRACEPOINTS = HEAD + '''
struct { __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY); __uint(key_size, 4); __uint(value_size, 4);
	 __uint(max_entries, 512); } channel SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 1); __type(key, int); __type(value, int); } other SEC(".maps");
SEC("syscalls:sys_enter_getppid") int enter(void *ctx) { return 0; }
SEC("tracepoint/syscalls/sys_exit_getppid") int leave(void *ctx)
{
	char text[] = "hello!!";
	bpf_perf_event_output(ctx, &channel, BPF_F_CURRENT_CPU, text, sizeof(text));
	return 1;
}
'''
CALLS = '''
#include <unistd.h>
#include <sys/syscall.h>
int main(void) { for (int i = 0; i < 3; i++) syscall(SYS_getppid); return 0; }
'''
UPROBES = HEAD + '''
SEC("exec=%s;begin=main") int kept(void *ctx) { return 1; }
SEC("uprobe/%s:_start") int dropped(void *ctx) { return 0; }
SEC("raw_tp/task_newtask") int beside(void *ctx) { return 1; }
'''
EVENT = '-e bpf-output/no-inherit,name=evt/ '


class Case(Suite):
    def __init__(self):
        super().__init__(__doc__)
        self.calls = self.write('calls.c', CALLS)[:-2]
        self.sh('gcc calls.c -o calls')

    def write(self, name, text):
        path = os.path.join(self.top, name)
        with open(path, 'w', encoding='ascii') as f:
            f.write(text)
        return path

    def record(self, args):
        r = self.sh('%s record -o o.data %s' % (self.perf, args))
        if 'Operation not permitted' in r.err:
            raise Skip('no BPF here')
        return r

    def script(self, perf=None):
        return self.sh('%s script -i o.data' % (perf or self.perf)).out

    def refused(self, args, *texts):
        r = self.record(args)
        assert r.status and all(t in r.err for t in texts), show(r)


def source(c):
    c.write('tp.c', TRACEPOINTS)
    r = c.record(EVENT + '-e ./tp.c/map:channel.event=evt/ -a ./calls')
    text = c.script()
    assert r.status == 0 and not re.search('sys_enter_getppid', text), (show(r), text)
    mine = [block for block in text.split('\n\n') if block.split()[:1] == ['calls']]
    assert len(re.findall(r'calls .* syscalls:sys_exit_getppid: 0x', text)) == 3, text
    assert text.count('BPF output: 0000: 68 65 6c 6c 6f 21 21 00  hello!!.') >= 3 and mine, text
    assert '      BPF string: "hello!!"\n' in text, text
    if shutil.which('/usr/bin/perf'):
        assert c.script('/usr/bin/perf') == text, text


def uprobes(c):
    c.write('up.c', UPROBES % (c.calls, c.calls))
    c.sh('clang -O2 -g -target bpf -idirafter /usr/include/$(gcc -print-multiarch) -c up.c -o up.o')
    r = c.record('-e ./up.o ./calls')
    text = c.script()
    assert r.status == 0 and len(text.splitlines()) == 1 and 'uprobe:begin: ' in text, (show(r), text)
    with open('/sys/kernel/tracing/uprobe_events', encoding='ascii') as f:
        assert c.calls not in f.read()


def errors(c):
    c.write('tp.c', TRACEPOINTS)
    c.refused('-e tp.c/map:foo.event=evt/ true', "the BPF programs have no map 'foo'")
    c.refused('-e tp.c/map:other.event=evt/ true', "the map 'other' is no perf event array")
    c.refused('-e tp.c/foo=1/ true', "'foo=1' is no setting of BPF programs")
    c.refused('-e tp.c/map:channel.event=evt true', "the closing '/' is missing")
    c.refused('-e tp.c/map:channel.event=evt/ true', "for the event 'evt', which there is not", 'hint: add -e bpf-output/')
    c.refused('-e bpf-output/name=evt/ -e tp.c/map:channel.event=evt/ true', 'it wants the term no-inherit')
    c.write('wrong.c', 'int x\n')
    c.refused('-e wrong.c true', "clang does not compile 'wrong.c'", "wrong.c:1:6: error: expected ';'")
    c.refused('-e missing.o true', "cannot open 'missing.o'")
    r = c.sh('PATH=/nowhere %s record -e tp.c true' % c.perf)
    assert r.status and 'there is no clang' in r.err, show(r)
    c.write('args.c', HEAD + 'SEC("f=do_exit code") int f(void *ctx) { return 1; }')
    c.refused('-e args.c true', 'asks for arguments')
    c.write('old.c', HEAD + 'struct { int a, b, c, d; } m SEC("maps"); SEC("raw_tp/x") int f(void *ctx) { return 1; }')
    c.refused('-e old.c true', 'legacy map definitions')
    c.write('loop.c', HEAD + 'SEC("syscalls:sys_enter_getppid") int f(long *ctx) { return *(int *)ctx[3]; }')
    c.refused('-e loop.c true', 'the kernel says: ')


def main():
    c = Case()
    try:
        need_root()
        if not shutil.which('clang') or not shutil.which('gcc'):
            raise Skip('no clang, or no gcc')
    except Skip as why:
        print('skip: %s' % why)
        c.close()
        return 77
    for case in (source, uprobes, errors):
        c.check(case.__name__, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
