#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of BPF programs as events (selection/program_events): compiled, loaded, their samples, and what is left.

    program_events.py --perf BUILD/perf
"""
import os
import re
import shutil
import struct
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
# maps, headers and arguments as perf's documents have them
OLD = '''
#include <uapi/linux/bpf.h>
#include <uapi/linux/ptrace.h>
#define SEC(NAME) __attribute__((section(NAME), used))
struct bpf_map_def { unsigned int type, key_size, value_size, max_entries; };
static int (*perf_event_output)(void *, struct bpf_map_def *, unsigned long, void *, unsigned long) =
	(void *)BPF_FUNC_perf_event_output;
static void *(*lookup)(struct bpf_map_def *, void *) = (void *)BPF_FUNC_map_lookup_elem;
struct bpf_map_def SEC("maps") channel = { .type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = sizeof(int),
	.value_size = sizeof(u32), .max_entries = __NR_CPUS__ };
struct bpf_map_def SEC("maps") numbers = { .type = BPF_MAP_TYPE_ARRAY, .key_size = sizeof(int),
	.value_size = sizeof(short), .max_entries = 6 };
SEC("exec=%s;seen=work first second->b third[0]")
int func(struct pt_regs *ctx, int err, long first, int second, char third)
{
	s64 all[4] = { err, first, second, third };
	int key = EXTRA;
	s16 *number = lookup(&numbers, &key);
	all[0] += number ? *number : 0;
	perf_event_output(ctx, &channel, 0xffffffffUL, all, sizeof(all));
	return ctx->sp != 0;
}
char _license[] SEC("license") = "GPL";
int _version SEC("version") = LINUX_VERSION_CODE;
'''
WORK = '''
#include <stddef.h>
struct two { int a, b; };
__attribute__((noinline)) int work(long first, struct two *second, signed char *third)
{ __asm__ volatile("" ::: "memory"); return (int)first + (second ? second->b : 0) + (third ? *third : 0); }
int main(void)
{
	struct two two = { 1, -77 };
	signed char c = -3;
	int sum = work(1L << 40, &two, &c);
	return sum + work(5, NULL, &c) == 1000;
}
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


def old(c):
    """Maps of old, headers of the kernel's source, arguments that the program gets."""
    work = c.write('work.c', WORK)[:-2]
    c.sh('gcc -g -O1 work.c -o work')
    c.write('old.c', OLD % work)
    args = "%s --clang-opt=-DEXTRA=4 -e './old.c/map:channel.event=evt/' ./work" % EVENT
    r = c.record(args)
    text = c.script()
    rows = [b''.join(bytes.fromhex(h) for h in re.findall(r'^ .*[0-9a-f]{4}: ((?:[0-9a-f]{2} ){8})', block, re.M))
            for block in text.split('\n\n') if 'BPF output' in block]
    want = [(0, 1 << 40, -77, -3), (1, 0, 0, 0)]
    assert r.status == 0 and [struct.unpack('<4q', row[:32]) for row in rows] == want, (show(r), text, rows)
    assert len(re.findall(r'uprobe:seen: \([0-9a-f]+\) first=1099511627776 b=-77 ', text)) == 1, text
    # numbers in a map
    for keys, number in (('', 5), ('[4]', 6), ('[0-3,5]', 0), ('[0,2...4]', -2)):
        r = c.record(args.replace('event=evt', 'event=evt,map:numbers.value%s=%d' % (keys, number or 9)))
        text = c.script()
        sums = [struct.unpack('<q', bytes.fromhex(h))[0] for h in re.findall(r'0000: ((?:[0-9a-f]{2} ){8})', text)]
        assert r.status == 0 and sums == [number, number + 1], (show(r), text, sums)
    for setting, line in (('value[6]=1', "the map has keys from 0 to 5: '6'"), ('value[2-1]=1', "'2-1' are no keys of a map"),
                          ('value=70000', "'70000' does not fit into 2 bytes"), ('value=x', "'x' is no number"),
                          ('event=evt', "the map 'numbers' is no perf event array"), ('foo=1', 'is no setting of BPF programs')):
        c.refused('--clang-opt=-DEXTRA=4 -e ./old.c/map:numbers.%s/ ./work' % setting, line)
    c.refused('--clang-opt=-DEXTRA=4 -e ./old.c/map:channel.value=1/ ./work', "the map 'channel' is no array")
    # what programs cannot get
    c.write('string.c', HEAD + 'SEC("exec=%s;work third:string") int f(void *ctx) { return 1; }' % work)
    c.refused('-e string.c ./work', "a BPF program gets no arguments of this kind: 'third")
    c.write('many.c', HEAD + 'SEC("exec=%s;work first second third first") int f(void *ctx) { return 1; }' % work)
    c.refused('-e many.c ./work', 'a BPF program gets 3 arguments at most')
    with open('/sys/kernel/tracing/uprobe_events', encoding='ascii') as f:
        assert c.top not in f.read()


def other_commands(c):
    """What the program drops is not counted, not traced, not shown."""
    c.write('drop.c', HEAD + '''
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 1); __type(key, int); __type(value, int); } keep SEC(".maps");
SEC("syscalls:sys_enter_getppid") int enter(void *ctx)
{ int zero = 0, *n = bpf_map_lookup_elem(&keep, &zero); return n ? *n : 0; }
''')
    for keep, calls in (0, 0), (1, 3):
        args = '-e ./drop.c/map:keep.value=%d/ ' % keep
        r = c.sh('%s stat -x, %s ./calls' % (c.perf, args))
        assert r.status == 0 and r.err.startswith('%d,,syscalls:sys_enter_getppid,' % calls), show(r)
        r = c.sh('%s trace %s ./calls' % (c.perf, args))
        assert r.status == 0 and r.err.count('syscalls:sys_enter_getppid') == calls, show(r)
        r = c.sh('%s top --stdio %s -d 1 -a </dev/null & for i in $(seq 20); do ./calls; sleep 0.2; done; '
                 'kill $!; wait $!' % (c.perf, args))
        assert bool(re.search(r'^ +[\d.]+% .*\] (syscall|\w*getppid)', r.out, re.M)) == bool(keep), show(r)


def counters(c):
    """A program reads a counter, on whichever CPU it runs."""
    c.write('read.c', HEAD + '''
struct { __uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY); __uint(key_size, 4); __uint(value_size, 4);
	 __uint(max_entries, 0); } clock SEC(".maps");
SEC("tp/syscalls/sys_enter_getppid") int enter(void *ctx)
{
	struct bpf_perf_event_value v;
	char comm[16] = "";
	bpf_get_current_comm(comm, sizeof(comm));
	return comm[0] == 'c' && comm[1] == 'a' && comm[4] == 's' && !comm[5] && !bpf_perf_event_read_value(&clock, BPF_F_CURRENT_CPU, &v, sizeof(v));
}
''')
    cpus = sorted(os.sched_getaffinity(0))
    for cpu in cpus[0], cpus[-1]:
        for where, term in ('', ''), ('-a', ''), ('-a', ',cpu=%d' % cpus[-1]):
            r = c.sh("taskset -c %d %s stat -i %s -x, -e './read.c/map:clock.event=cnt/' -e cpu-clock/name=cnt%s/ ./calls"
                     % (cpu, c.perf, where, term))
            calls = 3 if not term or cpu == cpus[-1] else 0
            assert r.status == 0 and re.search(r'^%d,,syscalls:sys_enter_getppid,' % calls, r.err, re.M), (where, term, cpu, show(r))
    c.refused("-e './read.c/map:clock.event=cnt/' -e cpu-clock/name=cnt/ ./calls", 'it wants the term no-inherit')


def compiler(c):
    """The settings llvm.*: which compiler, how, and what becomes of the object."""
    c.write('tp.c', TRACEPOINTS)
    fake = c.write('fake', '#!/bin/sh\necho "$@" >%s/args\nexec clang "$@"\n' % c.top)
    os.chmod(fake, 0o755)
    c.write('perfconfig', '[llvm]\nclang-path = %s\nclang-opt = -DA=1\ndump-obj = true\n' % fake)
    r = c.sh('PERF_CONFIG=perfconfig %s record -o o.data -e tp.c ./calls' % c.perf)
    with open(os.path.join(c.top, 'args'), encoding='ascii') as f:
        line = f.read()
    assert r.status == 0 and re.search(r'-DLINUX_VERSION_CODE=\d+ -DA=1 ', line), (show(r), line)
    assert c.record('-e ./tp.o ./calls').status == 0
    r = c.sh('PERF_CONFIG=perfconfig %s record -o o.data --clang-path /none/clang -e tp.c ./calls' % c.perf)
    assert r.status and "cannot compile 'tp.c': there is no /none/clang" in r.err, show(r)
    c.write('perfconfig', '[llvm]\nclang-bpf-cmd-template = "$CLANG_EXEC -DTWICE -target bpf -g -O2 $PERF_BPF_INC_OPTIONS -c $CLANG_SOURCE -o -"\n')
    r = c.sh('PERF_CONFIG=perfconfig %s record -o o.data -e tp.c ./calls' % c.perf)
    assert r.status == 0, show(r)
    if shutil.which('llc'):
        c.write('perfconfig', '[llvm]\nopts = -mcpu=v2\n')
        r = c.sh('PERF_CONFIG=perfconfig %s record -o o.data -e tp.c ./calls' % c.perf)
        assert r.status == 0, show(r)
    c.write('perfconfig', '[llvm]\nkbuild-dir = /tmp\n')
    r = c.sh('PERF_CONFIG=perfconfig %s record -o o.data -e tp.c ./calls' % c.perf)
    assert r.status and "'/tmp' does not tell where the kernel's headers are" in r.err, show(r)
    os.makedirs(os.path.join(c.top, 'kernel'))
    c.write('kernel/Makefile', 'LINUXINCLUDE := -DHEADERS=$(WORD)\ninclude $(M)/Makefile\nnone.o: ;\n')
    c.write('perfconfig', '[llvm]\nkbuild-dir = %s/kernel\nkbuild-opts = WORD=7\nclang-path = %s\n' % (c.top, fake))
    r = c.sh('PERF_CONFIG=perfconfig %s record -o o.data -e tp.c ./calls' % c.perf)
    with open(os.path.join(c.top, 'args'), encoding='ascii') as f:
        line = f.read()
    assert r.status == 0 and ' -D__KERNEL__ -DHEADERS=7 ' in line, (show(r), line)


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
    c.write('maps.c', HEAD + 'struct { int a, b, c, d, e, f; } m SEC("maps") = { .f = 1 }; SEC("raw_tp/x") int f(void *ctx) { return 1; }')
    c.refused('-e maps.c true', "its map 'm' is described by more than type, sizes, entries and flags")
    c.write('maps.c', HEAD + 'struct { int a, b, c, d; } m SEC("maps") = { 1 }; SEC("raw_tp/x") int f(void *ctx) { return 1; }')
    c.refused('-e maps.c true', "the kernel does not make its map 'm'")
    c.write('option.c', HEAD + 'SEC("inlines=no;f=g") int f(void *ctx) { return 1; }')
    c.refused('-e option.c true', "the section 'inlines=no;f=g': 'inlines=no' is no option of a program's section")
    if not os.path.exists('/sys/kernel/tracing/kprobe_events'):
        c.write('kprobe.c', HEAD + 'SEC("f=do_exit") int f(void *ctx) { return 1; }')
        c.refused('-e kprobe.c true', "the section 'f=do_exit': this kernel has no kprobes")
    c.sh('gcc -c calls.c -o foreign.o')
    c.refused('-e foreign.o true', "it is compiled for another machine than the kernel's BPF")
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
    for case in (source, uprobes, old, other_commands, counters, compiler, errors):
        c.check(case.__name__, case, c)
    return c.close()


if __name__ == '__main__':
    sys.exit(main())
