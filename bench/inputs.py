#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The recorded inputs of the benchmark, made on first use and kept in a directory.

    inputs.py DIR [NAME...]     makes the named inputs (all: about 2.5 minutes, 1 GB)
"""
import os
import subprocess
import sys

from repeat import Recording

HERE = os.path.dirname(os.path.abspath(__file__))


def dd(thousands):
    """Twice so many system calls."""
    return ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=512', 'count=%dk' % thousands]


DD = dd(1000)


def build(seconds):
    return [sys.executable, os.path.join(HERE, 'workload.py'), '{pile}', str(seconds)]


# Functions that are compiled one by one: a jitdump of 44,000 of them.
MANY_FUNCTIONS = """
const functions = [];
for (let i = 0; i < 20000; i++)
  functions.push(new Function('x', 'let s = ' + i + '; for (let k = 0; k < x; k++) s ^= k * ' + i + '; return s'));
let s = 0;
for (const end = Date.now() + 3000; Date.now() < end;)
  for (const f of functions) s += f(50);
"""
SYMBOLS = 600000
ATTEMPTS = 3

# What `perf sched record` records; a task wakes another one up and waits for it, 400,000 times.
SCHED = ','.join('sched:sched_' + name for name in ('switch', 'stat_runtime', 'process_fork', 'wakeup_new',
                                                    'migrate_task', 'waking'))
# The same of `perf kmem record`, `lock record` and `kwork record`.
SLAB = ','.join('kmem:' + name for name in ('kmalloc', 'kfree', 'kmem_cache_alloc', 'kmem_cache_free'))
LOCKS = 'lock:contention_begin/max-stack=8/,lock:contention_end/max-stack=8/'
KWORK = ','.join(['irq:irq_handler_entry', 'irq:irq_handler_exit', 'irq:softirq_raise', 'irq:softirq_entry', 'irq:softirq_exit',
                  'workqueue:workqueue_activate_work', 'workqueue:workqueue_execute_start', 'workqueue:workqueue_execute_end'])
MESSAGES = ['perf', 'bench', 'sched', 'messaging', '-g', '8', '-l']
PING_PONG = ['perf', 'bench', 'sched', 'pipe', '-l', '400000']

# Name: options of record, workload, what it is.
INPUTS = {
    'small': (['-g', '-F', '999'], ['gcc', '-O2', '-c', '{pile}/c1.c', '-o', '/dev/null'],
              'one compiler run, 100 kB'),
    'fp30': (['-a', '-g', '-F', '9999', '-m', '4M', '--max-size', '32M'], build(60),
             'builds, system-wide, callchains, 33 MB'),
    'fp150': (['-a', '-g', '-F', '12000', '-m', '8M', '--max-size', '155M'], build(120),
              'the same, 160 MB'),
    'fp500': (['-a', '-g', '-F', '30000', '-m', '16M', '--max-size', '505M'], build(240),
              'the same, 506 MB, 2.9 million samples'),
    'tp': (['-e', 'raw_syscalls:sys_enter', '-m', '8M'], DD, '2 million system calls, 236 MB'),
    'calls': (['-R', '-m', '8M', '-c', '1', '-e', 'raw_syscalls:sys_enter', '-e', 'raw_syscalls:sys_exit'], dd(500),
              '2 million beginnings and ends of system calls, 200 MB'),
    'sched': (['-a', '-R', '-m', '8M', '-c', '1', '-e', SCHED], PING_PONG,
              'two tasks in turns, the scheduler\'s events: 2 million, 220 MB'),
    'slab': (['-a', '-R', '-m', '8M', '-c', '1', '-e', SLAB], MESSAGES + ['1500'],
             'messages between 320 tasks, the slab allocator: 2 million events, 210 MB'),
    'locks': (['-a', '-R', '-m', '8M', '-c', '1', '--call-graph', 'fp', '--no-buildid-mmap', '-e', LOCKS], MESSAGES + ['15000'],
              'the same, waits for locks: 1 million events'),
    'kwork': (['-a', '-R', '-m', '8M', '-c', '1', '-e', KWORK],
              ['sh', '-c', 'dd if=/dev/zero of=/var/tmp/perf-bench bs=4k count=150000 oflag=direct; rm -f /var/tmp/perf-bench'],
              'writes to a disk, interrupts and softirqs: 1 million events'),
    'dwarf30': (['-a', '--call-graph', 'dwarf', '-F', '999', '-m', '8M', '--max-size', '31M'],
                build(60), 'builds with stack copies, 33 MB'),
    'dwarf300': (['-a', '--call-graph', 'dwarf', '-F', '2500', '-m', '16M', '--max-size', '315M'],
                 build(120), 'the same, 320 MB'),
    'node': (['-k', 'mono', '-g', '-F', '4999'],
             ['node', '--perf-prof', '--always-sparkplug', '-e', MANY_FUNCTIONS],
             'JavaScript that makes many functions; jit-PID.dump beside it'),
    'symbols': (['-g', '-F', '4999'], ['{many}'], 'a program with %d functions' % SYMBOLS),
    'inlines': (['--call-graph', 'dwarf', '-F', '999'], ['{templates}'],
                'C++ at -O2 with debug information, many inlined functions'),
}
# Name: the input that it repeats, and how often. Not made unless it is named.
REPEATED = {'fp5g': ('fp500', 10)}


def pile(directory):
    """The generated sources, compiled once so that generating them is in no measurement."""
    top = os.path.join(directory, 'pile')
    if not os.path.exists(os.path.join(top, 'Makefile')):
        subprocess.run([sys.executable, os.path.join(HERE, 'workload.py'), top, '0'], check=True)
    return top


def many_symbols(directory):
    """A program of very many functions, which calls some of them."""
    path = os.path.join(directory, 'many_symbols')
    if os.path.exists(path):
        return path
    name = '_ZN4many9functionsILi%dEE4callEiRKSs'
    with open(path + '.s', 'w', encoding='ascii') as f:
        f.write('.text\n')
        for i in range(SYMBOLS):
            f.write('.globl {0}\n.type {0},@function\n{0}: mov $2000,%ecx\n1: dec %ecx\njnz 1b\nret\n'
                    '.size {0},.-{0}\n'.format(name % i))
        f.write('.globl main\n.type main,@function\nmain: push %rbp\nmov %rsp,%rbp\npush %rbx\n'
                'mov $600,%ebx\n2:\n')
        for i in range(0, SYMBOLS, SYMBOLS // 500):
            f.write('call %s\n' % (name % i))
        f.write('dec %ebx\njnz 2b\npop %rbx\npop %rbp\nxor %eax,%eax\nret\n.size main,.-main\n'
                '.section .note.GNU-stack,"",@progbits\n')
    subprocess.run(['gcc', '-no-pie', '-Wl,--build-id', path + '.s', '-o', path], check=True)
    os.unlink(path + '.s')
    return path


TEMPLATES = """#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <int N> struct Item { int key; std::string name; bool operator<(const Item &o) const {
  return key %% (N + 7) != o.key %% (N + 7) ? key %% (N + 7) < o.key %% (N + 7) : name < o.name; } };
template <int N> size_t work(size_t size) {
  std::vector<Item<N>> items;
  for (size_t i = 0; i < size; i++)
    items.push_back({int(i * 2654435761u >> 7), std::to_string(i * N)});
  std::sort(items.begin(), items.end());
  std::map<std::string, Item<N>> by_name;
  for (auto &item : items)
    by_name[item.name] = item;
  return std::count_if(by_name.begin(), by_name.end(), [](auto &p) { return p.second.key & 1; });
}
size_t part_%d(size_t size) { return %s; }
"""
PARTS, WORKS = 12, 20


def templates(directory):
    """A C++ program of many instances of templates of the standard library, 45 MB."""
    path = os.path.join(directory, 'templates')
    if os.path.exists(path):
        return path
    parts = []
    for i in range(PARTS):
        parts.append('%s_%d.cc' % (path, i))
        calls = ' + '.join('work<%d>(size)' % (i * WORKS + n) for n in range(WORKS))
        with open(parts[-1], 'w', encoding='ascii') as f:
            f.write(TEMPLATES % (i, calls))
    parts.append(path + '_main.cc')
    with open(parts[-1], 'w', encoding='ascii') as f:
        f.write('#include <cstddef>\n')
        f.writelines('size_t part_%d(size_t);\n' % i for i in range(PARTS))
        f.write('int main() { size_t n = 0; for (int i = 0; i < 10; i++) n += %s; return n == 0; }\n' %
                ' + '.join('part_%d(600)' % i for i in range(PARTS)))
    make = ''.join('%s.o: %s\n\tg++ -O2 -g -c $< -o $@\n' % (p, p) for p in parts)
    subprocess.run(['make', '-s', '-j2', '-f', '-'] + [p + '.o' for p in parts], input=make, text=True,
                   check=True)
    subprocess.run(['g++', '-o', path] + [p + '.o' for p in parts], check=True)
    for p in parts:
        os.unlink(p)
        os.unlink(p + '.o')
    return path


def has_samples(path, reader):
    """Whether a recording is whole: perf 6.1 aborts at its end while others record the whole machine."""
    if not os.path.exists(path):
        return False
    with subprocess.Popen(reader + ['script', '-F', 'comm', '-i', path], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as script:
        found = bool(script.stdout.readline())
        script.kill()
    return found


def make(directory, name, recorder):
    """Returns the path of an input, recording it first where it is missing."""
    path = os.path.join(directory, name + '.data')
    if os.path.exists(path):
        return path
    if name in REPEATED:
        short, times = REPEATED[name]
        Recording(make(directory, short, recorder)).write(path + '.part', times)
        os.rename(path + '.part', path)
        return path
    options, workload, what = INPUTS[name]
    print('recording %s (%s)' % (name, what), file=sys.stderr)
    top = pile(directory) if '{pile}' in str(workload) else ''
    programs = {}
    for word, maker in (('{many}', many_symbols), ('{templates}', templates)):
        if word in workload:
            programs[word] = maker(directory)
    part = path + '.part'
    argv = recorder + ['record', '-q', '-o', part] + options + ['--']
    for _ in range(ATTEMPTS):
        subprocess.run(argv + [programs.get(a, a.replace('{pile}', top)) for a in workload],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, cwd=directory, check=False)
        if has_samples(part, recorder):
            os.rename(part, path)
            return path
        print('no whole recording of %s, once more' % name, file=sys.stderr)
    raise RuntimeError('cannot record %s' % name)


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for wanted in sys.argv[2:] or INPUTS:
        print(make(os.path.abspath(sys.argv[1]), wanted, ['/usr/bin/perf']))
