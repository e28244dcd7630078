#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""x86.py --perf BUILD/perf: what needs another kernel or other settings than this machine's.

Every level of kernel.perf_event_paranoid as an ordinary user, modules in stacks, hidden kernel
addresses, CPUs that go offline. Needs PERF_VM, see tools/arm64.sh.
"""
import os
import platform
import re
import shlex
import shutil
import struct
import subprocess
import sys
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'live'))
from live_case import SKIP_EXIT, Skip, Suite  # noqa: E402
from vm import Guest  # noqa: E402

# two CPUs, each with a memory node
MACHINE = ('--cpus', '2', '--qemu', '-object memory-backend-ram,size=512M,id=m0 '
           '-object memory-backend-ram,size=512M,id=m1 -numa node,memdev=m0,cpus=0 '
           '-numa node,memdev=m1,cpus=1')
# level: may measure own user space, own kernel side, whole CPUs
LEVELS = {-1: (True, True, True), 0: (True, True, True), 1: (True, True, False),
          2: (True, False, False), 3: (False, False, False)}


def test_paranoid(guest, level):
    user, kernel, wide = LEVELS[level]
    for name, allowed in ('own', user), ('wide', wide):
        status, err = guest.status('%s_%d' % (name, level)), guest.text('%s_%d.err' % (name, level))
        assert (status == 0) == allowed, '%s: exit %d\n%s' % (name, status, err)
        assert allowed or 'perf_event_paranoid setting is %d:' % level in err, err
    if user:
        # without the kernel side the event is counted for user space, and named so
        text = guest.text('own_%d.err' % level)
        names = re.findall(r'^[\d.]+,[^,]*,([^,]+),', text, re.M)
        assert names == ['task-clock:u', 'task-clock' if kernel else 'task-clock:u'], text


def test_paranoid_record(guest, level):
    user, kernel, _ = LEVELS[level]
    status, err = guest.status('rec_%d' % level), guest.text('rec_%d.err' % level)
    if not user:
        assert status == 255 and 'perf_event_paranoid setting is %d:' % level in err, err
        return
    assert status == 0 and 'Captured and wrote' in err, err
    want = 'cpu-clock\n' if kernel else 'cpu-clock:u\n'
    assert guest.text('evlist_%d.out' % level) == want, guest.text('evlist_%d.out' % level)


def test_self_test_reasons(guest, level):
    rows = re.findall(r'1\.\d: .*: (Ok|Skip)', guest.text('test_%d.out' % level))
    user, kernel, wide = LEVELS[level]
    want = ['Ok' if allowed else 'Skip' for allowed in (user, kernel, wide)]
    assert rows[:3] == want, guest.text('test_%d.out' % level)


def test_self_test(guest):
    text = guest.text('selftest.out')
    assert guest.status('selftest') == 0 and 'FAILED' not in text, text
    for name in 'kprobe', 'uprobe', 'Memory of the kernel (kcore)', 'Programs':
        assert re.search(r'%s +: Ok' % re.escape(name), text), text


def test_numa(guest):
    for name in 'numa_bound', 'numa_pages', 'numa_converge':
        assert guest.status(name) == 0, guest.text(name + '.err')
    assert 'GB/sec total speed' in guest.text('numa_bound.out')
    text = guest.text('numa_converge.out')
    assert '(on 2 nodes, 2 CPUs)' in text, text
    assert re.search(r'nodes of each process: [12] [12]', text), text


def test_module(guest):
    assert guest.status('rec_module') == 0, guest.text('rec_module.err')
    text = guest.text('module.out')
    first, last = re.search(r'^ *([0-9a-f]+)-([0-9a-f]+) : Kernel code$', guest.text('iomem'), re.M).groups()
    kernel = r' -1/0: \[0x[89a-f][0-9a-f]{15}\(0x%x\) .*\[kernel\.kallsyms\]_text\n' % (int(last, 16) + 1 - int(first, 16))
    assert re.search(kernel, text), kernel + text[:3000]
    # of the kernel's symbols, a thousand pages, no more is read than has to be
    assert int(guest.rows('rec_reads')['syscalls:sys_enter_read'][0]) < 900, guest.text('rec_reads.err')
    modules = {line.split()[0] for line in guest.text('modules').splitlines()}
    seen = set(re.findall(r'\(\[(\w+)\]\)', text)) & modules
    assert seen, 'no function of %s in\n%s' % (sorted(modules), text[:3000])
    for name in seen:
        assert re.search(r'[0-9a-f]+ [a-z]\w+ \(\[%s\]\)' % name, text), text[:3000]


def test_kcore(guest):
    """The copy of the kernel's symbols is what its functions are named by."""
    assert guest.status('rec_kcore') == 0, guest.text('rec_kcore.err')
    names = {'data', 'kallsyms', 'kcore', 'modules'}
    assert names <= set(guest.text('kcore_files.out').split()), guest.text('kcore_files.out')
    assert 'text_poke: 1' in guest.text('kcore_attrs.out'), guest.text('kcore_attrs.out')
    plain, renamed = guest.text('kcore.out'), guest.text('kcore_renamed.out')
    assert re.search(r' [a-z_]\w+ \(\[kernel\.kallsyms\]\)', plain), plain[:3000]
    names = re.compile(r'(?<= )[\w.]+(?= \(\[)')
    assert names.sub(lambda m: m[0].replace('k', 'K'), plain) == renamed != plain, renamed[:3000]
    assert guest.status('kcache') == 0, guest.text('kcache.err')
    added = re.search(r'kcore added to build-id cache directory (\S+)', guest.text('kcache.err'))
    assert added and f'same kcore found in {added[1]}\n' in guest.text('kcache_again.err')
    for name in 'kcore', 'kallsyms', 'modules':
        assert re.search(r'-r-------- .* %s/%s\n' % (re.escape(added[1]), name), guest.text('kcache_files.out'))
    assert guest.status('kcache_size') == 0
    assert guest.text('kcache_purge.out') == '', guest.text('kcache_purge.out')
    assert guest.status('kcore_user') == 255
    assert "cannot read '/proc/kcore'" in guest.text('kcore_user.err'), guest.text('kcore_user.err')


def test_code(guest):
    """Code of the kernel and of a module, in memory; of a user who may not read that, nothing."""
    if not guest.status('code_kernel') and 'libcapstone' in guest.text('code_kernel.err'):
        raise Skip('no Capstone in the guest')
    row = re.compile(r'^ +\d+\.\d+ : +ffffffff[0-9a-f]{8}:', re.M)
    assert guest.status('rec_code') == 0, guest.text('rec_code.err')
    modules = re.search(r'% +\[\w+\] ', guest.text('code_objects.out'))
    for name in ('kernel', 'module') if modules else ('kernel',):
        text = guest.text('code_%s.out' % name)
        assert len(row.findall(text)) > 50 and 'Disassembly of' in text, text[:3000] + guest.text('code_%s.err' % name)
        assert text.count('(bad)') * 50 < len(row.findall(text)), text[:3000]
    if modules:
        assert re.search(r': +ffffffff[0-9a-f]{8}: +call +ffffffff[0-9a-f]{8} <\w+>', text), text[:3000]
        assert re.search(r'→ call +\w+ *$', guest.text('code_view.out'), re.M), guest.text('code_view.out')[:3000]
    assert not row.search(guest.text('code_user.out')), guest.text('code_user.out')[:3000]
    # a recording that brought the kernel's memory along
    assert row.search(guest.text('kcore_code.out')), guest.text('kcore_code.out')[:1000] + guest.text('kcore_code.err')[:2000]


def test_probe(guest):
    """Tracepoints in functions of the kernel and of a module."""
    for name in 'add', 'some', 'module', 'list', 'record', 'delete', 'keep':
        assert guest.status('probe_' + name) == 0, name + ': ' + guest.text('probe_%s.err' % name)
    assert guest.text('probe_add.err') == (
        'Added new event:\n  probe:vfs_write      (on vfs_write)\n\nYou can now use it in all perf tools, such as:\n\n'
        '\tperf record -e probe:vfs_write -aR sleep 1\n\n'), guest.text('probe_add.err')
    listed = guest.text('probe_list.out')
    function = guest.text('probe_module_funcs.out').split('\n')[0]
    for line in ('  ours:name            (on do_sys_openat2 with file)', '  probe:vfs_write      (on vfs_write)',
                 '  ours:back__return    (on do_sys_openat2%return with arg1)'):
        assert line + '\n' in listed, listed
    assert re.search(r'  ours:within +\(on %s in \w+\)\n' % function, listed), listed
    # those of a pattern that the kernel takes; all or nothing of what was named
    text = guest.text('probe_pattern.err')
    assert guest.status('probe_pattern') == 0 and re.match(r'No probe can be at [1-9].*: vfs_set_acl_prepare_k', text), text
    assert 0 < listed.count('\n  ours:p') == text.count('  ours:p'), text + listed
    assert guest.status('probe_refused') == 234 and not guest.text('probe_refused_left.out'), guest.text('probe_refused_left.out')
    text = guest.text('probe_script.out')
    assert re.search(r'ours:name: \([0-9a-f]+\) file="/say.sh"', text), text[:3000]
    assert re.search(r'ours:back__return: \([0-9a-f]+ <- [0-9a-f]+\) arg1=0x\d', text), text[:3000]
    assert 'probe:vfs_write: (' in text, text[:3000]
    removed = guest.text('probe_delete.err')
    assert removed.count('Removed event: ours:') == 5 and 'Removed event: probe:vfs_write\n' in removed, removed
    assert guest.text('probe_left.out') == ''
    assert 'ours:kept=vfs_read\n' in guest.text('probe_kept.out'), guest.text('probe_kept.out')
    text = guest.text('probe_definition.out')
    assert re.fullmatch(r'p:ours/kept _text\+\d+\n', text), guest.text('probe_definition.err')


def test_in_place(guest):
    """Kernel functions as events."""
    assert guest.status('place_record') == 0, guest.text('place_record.err')
    text = guest.text('place_script.out')
    for row in (r'kprobe:do_sys_openat2: .*\([0-9a-f]+\) name="/say.sh"', r'kretprobe:do_sys_openat2: .*\([0-9a-f]+ <- [0-9a-f]+\) arg1=\d',
                r'kprobe:vfs_write: \([0-9a-f]+\) [0-9a-f]+ vfs_write', r'kretprobe:vfs_write: \([0-9a-f]+ <- [0-9a-f]+\)'):
        assert re.search(row, text), row + text[:3000]
    assert "did you mean 'do_sys_openat2'?" in guest.text('place_near.err'), guest.text('place_near.err')
    assert guest.status('place_left') == 1, guest.text('place_left.out')


def test_btf(guest):
    """Parameters by the kernel's own types, with nothing but /sys/kernel/btf."""
    for name in 'record', 'script':
        assert guest.status('btf_' + name) == 0, guest.text('btf_%s.err' % name)
    text = guest.text('btf_script.out')
    for row in (r'ours:typed: \([0-9a-f]+\) dfd=-100 filename_ustring="/say.sh" flags=0x8000', r'kprobe:vfs_open: \([0-9a-f]+\) name="say.sh"'):
        assert re.search(row, text), row + text[:3000]


KERNEL_PROGRAMS = {
    # the programs of perf's documents, with another range
    'old': '''
#include <uapi/linux/bpf.h>
#include <uapi/linux/ptrace.h>
#define SEC(NAME) __attribute__((section(NAME), used))
struct bpf_map_def { unsigned int type, key_size, value_size, max_entries; };
static int (*probe_read)(void *dst, int size, void *src) = (void *)BPF_FUNC_probe_read;
static int (*get_smp_processor_id)(void) = (void *)BPF_FUNC_get_smp_processor_id;
static int (*perf_event_output)(void *, struct bpf_map_def *, int, void *, unsigned long) = (void *)BPF_FUNC_perf_event_output;
struct bpf_map_def SEC("maps") channel = { .type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = sizeof(int),
	.value_size = sizeof(u32), .max_entries = __NR_CPUS };
SEC("func=kmem_cache_alloc")
int func(struct pt_regs *ctx)
{
	u64 ret = 0;
	probe_read(&ret, sizeof(ret), (void *)(ctx->bp + 8));
	if (ret >= 0xffffffff80000000)
		perf_event_output(ctx, &channel, get_smp_processor_id(), &ret, sizeof(ret));
	return 0;
}
char _license[] SEC("license") = "GPL";
int _version SEC("version") = LINUX_VERSION_CODE;
''',
    'args': '''
#include <uapi/linux/bpf.h>
#define SEC(NAME) __attribute__((section(NAME), used))
struct bpf_map_def { unsigned int type, key_size, value_size, max_entries; };
static int (*perf_event_output)(void *, struct bpf_map_def *, unsigned long, void *, unsigned long) = (void *)BPF_FUNC_perf_event_output;
struct bpf_map_def SEC("maps") channel = { .type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = sizeof(int), .value_size = sizeof(u32) };
SEC("opened=do_sys_openat2 dfd how->flags")
int func(void *ctx, int err, int dfd, u64 flags)
{
	s64 all[3] = { err, dfd, flags };
	perf_event_output(ctx, &channel, 0xffffffffUL, all, sizeof(all));
	return 1;
}
char _license[] SEC("license") = "GPL";
''',
    'busy': '''
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
char LICENSE[] SEC("license") = "GPL";
long n;
SEC("raw_tp/sys_enter") int enter(void *ctx) { for (int i = 0; i < 300; i++) n += bpf_get_prandom_u32(); return 0; }
'''}


def sent(guest, name):
    """What samples of tcp_sendmsg have of the program that sends."""
    assert guest.status('tcp_' + name) == (130 if name == 'bytes' else 0), guest.text('tcp_%s.err' % name)  # ended by SIGINT
    return re.findall(r'^ *send +probe:tcp_sendmsg(?:__return)?: +\([0-9a-f <-]+\) *(.*)$', guest.text('tcp_%s_script.out' % name), re.M)


def test_tcp(guest):
    """The documents' lines about tcp_sendmsg: 1000 bytes and 10, these on a connection that is closing (8)."""
    if not (guest.out / 'tcp_add.rc').exists():
        raise Skip('no compiler here')
    assert '  probe:tcp_sendmsg    (on tcp_sendmsg)\n' in guest.text('tcp_add.err'), guest.text('tcp_add.err')
    assert '(on tcp_sendmsg with bytes=%dx)\n' in guest.text('tcp_alias.err'), guest.text('tcp_alias.err')
    assert '(on tcp_sendmsg with size skc_state=sk->__sk_common.skc_state)\n' in guest.text('tcp_state.err'), guest.text('tcp_state.err')
    assert re.search(r'^Writing event: p:probe/tcp_sendmsg _text\+\d+ size=%dx:x64 skc_state=\+18\(%di\):x8$', guest.text('tcp_dry.err'), re.M), \
        guest.text('tcp_dry.err')
    assert sent(guest, 'raw') == ['', ''], guest.text('tcp_raw_script.out')
    chains = guest.text('tcp_chains_script.out')
    assert guest.status('tcp_chains') == 0 and chains.count('probe:tcp_sendmsg') == 2, chains
    assert len(re.findall(r'^\s+[0-9a-f]+ tcp_sendmsg\n(?:\s+[0-9a-f]+ \w+\n)*\s+[0-9a-f]+ __sys_sendto\n', chains, re.M)) == 2, chains
    rows = sent(guest, 'bytes')
    assert rows and set(rows) == {'bytes=0x3e8'}, guest.text('tcp_bytes_script.out')
    assert sent(guest, 'result') == ['arg1=0x3e8', 'arg1=0xa'], guest.text('tcp_result_script.out')
    assert sent(guest, 'closing') == ['size=0xa skc_state=0x8'], guest.text('tcp_closing_script.out')
    assert sent(guest, 'all') == ['size=0x3e8 skc_state=0x1', 'size=0xa skc_state=0x8'], guest.text('tcp_all_script.out')


def look_up_lines(suite):
    """Points by line and variable, in a file for the guest. That kernel's debug information is 860 MB to fetch and 600 to
    read, so only if PERF_VM_DEBUG is set, and here, where the CPU is no emulated one."""
    if not os.environ.get('PERF_VM_DEBUG'):
        return ()
    vmlinux = subprocess.run(shlex.split(os.environ['PERF_VM']) + ['--print-vmlinux'], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    r = suite.sh("perf probe -k %s -D 'ours:line=tcp_sendmsg:8 size sk->__sk_common.skc_state ret' >lines" % vmlinux)
    assert r.status == 0, r.err
    return ((os.path.join(suite.top, 'lines'), '/lines'),)


def test_lines(guest):
    if not (guest.out / 'lines_add.rc').exists():
        raise Skip('PERF_VM_DEBUG is not set')
    assert guest.status('lines_record') == 0, guest.text('lines_add.err') + guest.text('lines_record.err')
    rows = re.findall(r' ours:line: \([0-9a-f]+\) (.*)', guest.text('lines_script.out'))
    assert rows == ['size=0x3e8 skc_state=0x1 ret=1000', 'size=0xa skc_state=0x8 ret=10'], guest.text('lines_script.out')


def compile_programs(suite):
    """Compiled here, by perf, and kept (llvm.dump-obj): no place in this machine's kernel is needed for that."""
    if not shutil.which('clang'):
        return ()
    with open(os.path.join(suite.top, 'config'), 'w', encoding='ascii') as f:
        f.write('[llvm]\ndump-obj = true\n')
    for name, text in KERNEL_PROGRAMS.items():
        with open(os.path.join(suite.top, name + '.c'), 'w', encoding='ascii') as f:
            f.write(text)
        suite.sh('PERF_CONFIG=config %s record -o /dev/null -e ./%s.c true' % (suite.perf, name))
    return tuple((os.path.join(suite.top, name + '.o'), '/%s.o' % name) for name in KERNEL_PROGRAMS)


def test_bpf_events(guest):
    """BPF programs at functions of the kernel, and counts while one runs."""
    if not (guest.out / 'bpf_old.rc').exists():
        raise Skip('no clang here')
    for name in 'old', 'args':
        assert guest.status('bpf_' + name) == 0, guest.text('bpf_%s.err' % name)
    text = guest.text('bpf_old_script.out')
    # what it wrote are addresses of the kernel's code; itself it drops all samples
    assert len(re.findall(r'0000: (?:[0-9a-f]{2} ){3}[89a-f][0-9a-f] ff ff ff ff ', text)) >= 3, text[:3000]
    assert 'kprobe:func' not in text, text[:3000]
    rows = [bytes.fromhex(''.join(re.findall(r'[0-9a-f]{4}: ((?:[0-9a-f]{2} ){8})', block)))
            for block in guest.text('bpf_args_script.out').split('BPF output')[1:]]
    assert [struct.unpack('<qqq', r)[:2] for r in rows] == [(0, -100)] * len(rows) and rows, rows
    flags = [int(f, 16) for f in re.findall(r'kprobe:opened: .* dfd=-100 flags=(0x[0-9a-f]+)', guest.text('bpf_args_script.out'))]
    assert flags == [struct.unpack('<qqq', r)[2] for r in rows], (flags, rows)
    assert guest.status('bpf_left') == 1, guest.text('bpf_left.out')
    clock = guest.rows('bpf_within')['cpu-clock']
    assert 0 < float(clock[0]) and int(clock[3]) > 0 and guest.rows('bpf_within')['page-faults'][0] == '0', clock
    assert re.search(r"Performance counter stats for 'BPF program\(s\) (\d+),\1':", guest.text('bpf_within_text.err')), guest.text('bpf_within_text.err')
    assert guest.status('bpf_gone') == 255 and 'there is no BPF program ' in guest.text('bpf_gone.err'), guest.text('bpf_gone.err')


def test_probe_refused(guest):
    for name, status, line in (('again', 239, 'Error: event "vfs_write" already exists.\n'),
                               ('wrong', 254, 'do_int3 is blacklisted function, skip it.\n'),
                               ('lines', 254, 'Failed to find the path for the kernel: '),
                               ('unwritable', 243, 'No permission to write tracefs.\n'),
                               ('user', 254, 'Please ensure you can read the /proc/kallsyms symbol addresses.\n'),
                               ('hidden', 254, 'Please ensure you can read the /proc/kallsyms symbol addresses.\n')):
        assert guest.status('probe_' + name) == status, '%s: exit %d' % (name, guest.status('probe_' + name))
        assert line in guest.text('probe_%s.err' % name), guest.text('probe_%s.err' % name)


def test_hidden_addresses(guest):
    assert guest.status('rec_hidden') == 0, guest.text('rec_hidden.err')
    assert 'brstack' in guest.text('hidden.out'), guest.text('hidden.err')
    assert 'kptr_restrict' in guest.text('hidden_kallsyms.err'), guest.text('hidden_kallsyms.err')


def test_offline_stat(guest):
    text = guest.text('off_stat.err')
    assert guest.status('off_stat') == 1 and 'CPU 1 is not online' in text and 'No supported events found' in text, text
    for name in 'off_stat_both', 'off_stat_all':
        cpus = re.findall(r'^CPU(\d+),[\d.]+', guest.text(name + '.err'), re.M)
        assert cpus == ['0'], guest.text(name + '.err')


def test_offline_record(guest):
    assert guest.status('off_record') == 255
    assert 'CPU 1 is not online' in guest.text('off_record.err'), guest.text('off_record.err')
    assert guest.status('off_record_all') == 0, guest.text('off_record_all.err')
    assert '# nrcpus online : 1\n# nrcpus avail : 2\n' in guest.text('off_header.out')


def test_going_offline(guest):
    """A CPU leaves during the measurement: what was measured until then is kept."""
    ms = float(guest.rows('going_stat')['cpu-clock'][0])
    assert ms > 600, guest.text('going_stat.err')
    assert guest.status('going_record') == 0, guest.text('going_record.err')
    cpus = set(re.findall(r'\[(\d+)\]', guest.text('going_script.out')))
    assert cpus == {'000', '001'}, cpus


LEFT = 'warning: CPU 1 went offline: nothing of it is '


def test_offline_for_a_moment(guest):
    """A CPU leaves and comes back before anybody looks: its events are gone, and that is told, once."""
    for name in 'going_stat', 'going_record', 'back_stat', 'back_record', 'back_top':
        err = guest.text(name + '.err')
        assert guest.status(name) == 0 and err.count(LEFT) == 1, '%s: exit %d\n%s' % (name, guest.status(name), err)
    assert float(guest.rows('back_stat')['cpu-clock'][0]) > 0, guest.text('back_stat.err')
    assert 'PerfTop' in guest.text('back_top.out'), guest.text('back_top.out')


def test_sched_stats(guest):
    """The scheduler's own counters, which stand still but while they are asked for."""
    assert guest.status('stats_record') == 0, guest.text('stats_record.err')
    for name, cpus in ('stats', ['<ALL CPUS SUMMARY>', '0', '1']), ('stats_live', ['<ALL CPUS SUMMARY>', '0']):
        text = guest.text(name + '.out')
        assert guest.status(name) == 0, guest.text(name + '.err')
        assert re.findall(r'^CPU: (\S[^|\n]*)$', text, re.M) == cpus, text
        assert len(re.findall(r'^CPU: .* \| DOMAIN: ', text, re.M)) == len(cpus), text
        assert max(map(int, re.findall(r'^sched_count +: +(\d+)$', text, re.M))) > 0, text
    assert guest.text('stats_switch.out') == '0\n'


def plain(text):
    """What the kernel's tracer writes, without numbers and what depends on chance: names of tasks, marks of long times and
    of what a CPU was in."""
    text = re.sub(r'(?<= )[.\w]{5} (?=\|)|(?<=\] )[.\w]{5} ', 'FLAGS ', text)
    text = re.sub(r'(\S+)-\d+ ', lambda m: 'TASK-N ', text)
    text = re.sub(r'0x[0-9a-f]+', 'ADDR', re.sub(r' [+!#*@$] ', '   ', text))
    return re.sub(r' +', ' ', re.sub(r'\d+(\.\d+)?', 'N', text))


def test_ftrace_text(guest):
    for name, wanted in (('function', 'do_nanosleep <-hrtimer_nanosleep'), ('irqs', '=> irqs-off'),
                         ('stack', ' => hrtimer_nanosleep\n'), ('graph', '|    do_nanosleep'),
                         ('verbose', '|  hrtimer_nanosleep() {'), ('list', 'do_nanosleep\n')):
        text = guest.text('ftrace_%s.out' % name)
        assert guest.status('ftrace_' + name) == 0 and wanted in text, text + guest.text('ftrace_%s.err' % name)
        if (guest.out / ('ref_%s.out' % name)).exists():
            ref = guest.text('ref_%s.out' % name)
            assert plain(text) == plain(ref), text + ref


def test_ftrace_times(guest):
    for name, count in ('latency', 1), ('kprobe', 1), ('inherit', 2):
        text = guest.text('ftrace_%s.out' % name)
        assert guest.status('ftrace_' + name) == 0, guest.text('ftrace_%s.err' % name)
        assert re.search(r'count: +%d\n' % count, text), text
        assert int(re.search(r'min time: +(\d+)', text)[1]) >= 10000, text
        assert re.findall(r' [24] - +[48] ms \| +(\d+)', text) == ['0', '0'], text
    names = [line.split()[-1] for line in guest.text('ftrace_profile.out').splitlines()[1:]]
    assert names.index('hrtimer_nanosleep') < names.index('do_nanosleep'), guest.text('ftrace_profile.out')
    names = [line.split()[-1] for line in guest.text('ftrace_profile_graph.out').splitlines()[1:]]
    assert 'do_nanosleep' in names and names == sorted(names), guest.text('ftrace_profile_graph.out')
    # (by the total, if no key is asked for)
    for column, name in (0, 'ftrace_profile'), (0, 'ftrace_sort_total'), (1, 'ftrace_sort_avg'), (2, 'ftrace_sort_max'), (3, 'ftrace_sort_count'):
        text = guest.text(name + '.out')
        values = [float(line.split()[column]) for line in text.splitlines()[1:]]
        assert guest.status(name) == 0 and len(values) > 3, text + guest.text(name + '.err')
        assert values == sorted(values, reverse=True), text
    assert guest.status('ftrace_sort_wrong') == 129 and 'Unknown sort key: nosuch' in guest.text('ftrace_sort_wrong.err')
    assert guest.status('ftrace_term') == 0, guest.text('ftrace_term.err')


def test_ftrace_graph_words(guest):
    """One level with its name at the end; arguments where the kernel has that, else one line."""
    text = guest.text('ftrace_tail.out')
    assert guest.status('ftrace_tail') == 0 and '  } /* hrtimer_nanosleep */\n' in text and 'do_nanosleep' not in text, text
    text = guest.text('ftrace_args.out')
    if guest.status('ftrace_args'):
        assert guest.text('ftrace_args.err') == "error: this kernel's tracer has no 'options/funcgraph-args'\n", guest.text('ftrace_args.err')
    else:
        assert re.search(r'do_nanosleep\(t=0x[0-9a-f]+, mode=1', text), text


def test_ftrace_refused(guest):
    for name, line in (('nothing', "error: no function 'no_such_function' can be traced\n"),
                       ('failed', 'error: workload failed: No such file or directory\n')):
        assert guest.status('ftrace_' + name) == 255 and line in guest.text('ftrace_%s.err' % name)
    assert 'do_nanosleep <-' in guest.text('ftrace_beside.out'), guest.text('ftrace_beside.err')
    if guest.status('ftrace_busy'):
        assert "current_tracer is 'function'" in guest.text('ftrace_busy.err'), guest.text('ftrace_busy.err')


def test_ftrace_tells(guest):
    """What an empty trace is empty for, and how the command ended."""
    for name, line in (('quiet', 'warning: nothing was traced: none of the functions was called\n'),
                       ('stopped', 'warning: nothing was traced before a signal ended the trace\n'),
                       ('killed', 'warning: the command was ended by signal 9 (Killed)\n')):
        assert line in guest.text('ftrace_%s.err' % name), name + ': ' + guest.text('ftrace_%s.err' % name)
    assert not guest.status('ftrace_quiet') and 'do_nanosleep' not in guest.text('ftrace_quiet.out')
    assert 'do_nanosleep <-' in guest.text('ftrace_killed.out')


def test_ftrace_put_back(guest):
    before, after = guest.text('ftrace_before'), guest.text('ftrace_after')
    assert 'do_exit' in before and 'max_graph_depth: 7\n' in before, before
    assert before == after, before + after


def main():
    suite = Suite(__doc__)
    guest = Guest(suite.top)
    copies = ((guest.stripped(suite.perf), '/bin/perf'), (HERE / 'say.sh', '/say.sh'),
              *((lib, lib) for lib in map(str, pathlib.Path('/usr/lib/x86_64-linux-gnu').glob('libcapstone.so.[0-9]'))))
    copies += compile_programs(suite)
    if shutil.which('gcc'):
        subprocess.run(['gcc', '-o', os.path.join(suite.top, 'send'), str(HERE / 'send.c')], check=True)
        copies += ((os.path.join(suite.top, 'send'), '/send'),)
        copies += look_up_lines(suite)
    if suite.ref:
        copies += ((suite.ref, '/bin/ref'),)
    if platform.machine() != 'x86_64' or not guest.boot('x86.sh', copies, MACHINE):
        suite.close()
        return SKIP_EXIT
    for level in LEVELS:
        for test in test_paranoid, test_paranoid_record, test_self_test_reasons:
            suite.check('%s_%d' % (test.__name__[5:], level), test, guest, level)
    for test in (test_self_test, test_numa, test_sched_stats, test_module, test_kcore, test_code, test_probe, test_in_place, test_btf, test_tcp, test_lines, test_bpf_events, test_probe_refused,
                 test_hidden_addresses, test_offline_stat, test_offline_record, test_going_offline,
                 test_offline_for_a_moment, test_ftrace_text, test_ftrace_times, test_ftrace_graph_words, test_ftrace_refused,
                 test_ftrace_tells,
                 test_ftrace_put_back):
        suite.check(test.__name__[5:], test, guest)
    return suite.close()


if __name__ == '__main__':
    sys.exit(main())
