#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Types of what instructions access (perf annotate --code-with-type), against what a program does.

programs/data_types.c has its structures in arrays, so that an address tells which of them it is in. Valgrind tells the
addresses of all accesses: each type and offset that perf tells of an instruction must be where the instruction went.
Where that cannot run, functions whose access is in their name must have it.
"""
import json
import os
import re
import shutil

from live_case import Skip, Suite

suite = Suite(__doc__.splitlines()[0])
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, 'programs/data_types.c')
WRITER = os.path.join(HERE, '../tools/make_names_file.py')
MODULE_WRITER = os.path.join(HERE, '../tools/make_module_file.py')
PLACE = re.compile(r'(?P<type>.*) \+(?P<offset>0x[0-9a-f]+|0|\?) \(.*\)$')
# what can be told of their code, at least: accesses to one of the structures
FUNCTIONS = ('walk_list', 'look_up', 'add_tree', 'corners', 'handle', 'reverse', 'touch_node_8', 'touch_node_20',
             'touch_leaf_8', 'touch_leaf_48', 'touch_table_8', 'touch_table_328', 'touch_message_index',
             'touch_nameless_8', 'high_bits', 'on_stack', 'swap_nodes', 'biased', 'repairs', 'main')


def need(*programs):
    for p in programs:
        if not shutil.which(p):
            raise Skip('there is no ' + p)
    if not suite.has('libcapstone'):
        raise Skip('built without a disassembler')


def run(command, **extra):
    r = suite.sh(command, **extra)
    assert r.status == 0, '%s\n%s%s' % (command, r.out, r.err)
    return r.out


def told(machine='x86_64'):
    """{address: (function, text, type or None)} of the program 'p' here."""
    segment = [line.split() for line in run("readelf -lW p | grep 'LOAD.* R E'").splitlines()][0]
    offset, vaddr, size = segment[1], segment[2], segment[4]
    symbols = [line.split() for line in run('nm p').splitlines()]
    starts = {s[2]: s[0] for s in symbols if len(s) == 3 and s[1] in 'tT' and s[2].split('.')[0] in FUNCTIONS}
    run('python3 -S %s p.data arch=%s map=9,%s,%s,%s,"$PWD/p" comm=9,9,p %s' % (
        WRITER, machine, vaddr, size, offset, ' '.join('u=9,9,0x' + at for at in starts.values())))
    out = json.loads(run('perf annotate -f -i p.data --json --code-with-type --no-source'))
    insns = {}
    for f in out['functions']:
        for line in f['lines']:
            if 'address' in line:
                insns[int(line['address'], 16)] = f['symbol'], line['text'], line.get('data_type')
    return insns


class Layout:
    """What the program tells of itself."""

    def __init__(self, text):
        words = [line.split() for line in text.splitlines()]
        self.arrays = [(w[1], int(w[2], 16), int(w[3]), int(w[4])) for w in words if w[0] == 'array']
        self.fields = [(w[1], int(w[2]), int(w[3])) for w in words if w[0] == 'field']

    def of(self, addr):
        """The structure and the offset in it, at an address; None: another place."""
        for name, start, size, one in self.arrays:
            if start <= addr < start + size:
                return name, (addr - start) % one
        return None

    def field(self, name, offset):
        for of, at, size in self.fields:
            if of == name and at <= offset < at + size:
                return at
        return offset


def accesses(insns):
    """(instruction, address) of all loads and stores of the program's own code."""
    run('valgrind --tool=lackey --trace-mem=yes --log-file=trace ./p > layout')
    at = None
    with open(os.path.join(suite.here, 'trace'), encoding='utf-8') as f:
        for line in f:
            kind, _, rest = line.strip().partition(' ')
            if kind not in ('I', 'L', 'S', 'M') or ',' not in rest:
                continue
            addr = int(rest.strip().split(',')[0], 16)
            if kind == 'I':
                at = addr if addr in insns else None
            elif at:
                yield at, addr


def agree(layout, types, function, place, addr):
    """Whether an access is where perf says it is."""
    m = PLACE.match(place)
    name = m['type'].replace('struct ', '')
    here = layout.of(addr)
    if name == 'node' and function == 'swap_nodes' and not here:
        return True  # its own on the stack
    if name in types and m['offset'] == '?':
        return here and here[0] == name
    if name in types:
        offset = int(m['offset'], 16)
        return here and here[0] == name and layout.field(name, here[1]) == layout.field(name, offset)
    if name == 'point':  # also a part of others, and on the stack
        return not here or here[0] in ('node', 'table')
    return True  # a simple value


def check_truth(compiler, options):
    need(compiler, 'valgrind', 'readelf', 'nm')
    run('%s -g -static -no-pie -fno-pie %s -o p %s' % (compiler, options, SOURCE))
    insns = told()
    seen = list(accesses(insns))
    with open(os.path.join(suite.here, 'layout'), encoding='utf-8') as f:
        layout = Layout(f.read())
    types = {a[0] for a in layout.arrays}
    proven, missed = set(), set()
    for at, addr in seen:
        function, text, place = insns[at]
        if place:
            assert agree(layout, types, function, place, addr), \
                '%s: %x: %s: told %s, went to %#x %s' % (function, at, text, place, addr, layout.of(addr))
        if layout.of(addr):
            (proven if place else missed).add(at)
    assert len(proven) > 20, 'only %d accesses have a type' % len(proven)
    share = len(proven) / (len(proven) + len(missed))
    if suite.args.verbose:
        for at in sorted(missed):
            print('# %s: no type: %x %s' % (insns[at][0], at, insns[at][1]))
        print('# %s %s: %d of %d' % (compiler, options, len(proven), len(proven) + len(missed)))
    assert share >= 0.6, 'only %d of %d accesses to the structures have a type' % (
        len(proven), len(proven) + len(missed))


def check_names(compiler, options, machine):
    need(compiler, 'readelf', 'nm')
    run('%s -g -static -no-pie -fno-pie %s -o p %s' % (compiler, options, SOURCE))
    insns = told(machine)
    for name in FUNCTIONS:
        if not name.startswith('touch_'):
            continue
        _, of, offset = name.split('_')
        shown = 'nameless' if of == 'nameless' else 'struct ' + of  # by its typedef
        want = '%s +%s ' % (shown, '?' if offset == 'index' else '%#x' % int(offset))
        places = [i[2] for i in insns.values() if i[0] == name and i[2] and i[2].startswith(('struct', 'nameless +'))]
        vague = shown + ' +? '  # what was added to the pointer before may be an index with a constant
        assert any(p.startswith((want, vague)) for p in places), '%s: %s' % (name, places)
        others = [p for p in places if '*' not in p and not p.startswith(shown) and
                  not (name == 'touch_leaf_48' and p.startswith('struct node +0x38'))]
        assert not others, '%s: %s' % (name, others)
    # the byte or two that it reads hold bits of both members
    bits = [i[2] for i in insns.values() if i[0] == 'high_bits' and i[2] and i[2].startswith('nameless +')]
    assert bits and all(p.endswith('(no field)') for p in bits), bits


def places(options):
    """{(function, place): samples}, of instructions that access memory."""
    r = run('perf report -f --stdio -q %s -F sample -s sym,typeoff' % options)
    lines = [re.match(r' *(\d+)  \[.\] (\S+) +(.*\S)', line) for line in r.splitlines() if line.strip()]
    return {(m[2], m[3]): int(m[1]) for m in lines if not m[3].startswith('(unknown)')}


def check_module(options):
    """A kernel module's file, which the kernel links when it loads it: as the same code in a program."""
    need('gcc', 'ld', 'nm', 'readelf', 'objdump')
    run('gcc -g -ffunction-sections -mcmodel=kernel -fno-pie -fcf-protection=none %s -c -o t.o %s && '
        'ld -r --build-id=sha1 -o demo.ko t.o && gcc -static -no-pie -o p t.o' % (options, SOURCE))
    samples = [line.split() for line in run('python3 -S %s .' % MODULE_WRITER).splitlines()]
    starts = {s[2]: int(s[0], 16) for s in map(str.split, run('nm p').splitlines()) if len(s) == 3}
    segment = [line.split() for line in run("readelf -lW p | grep 'LOAD.* R E'").splitlines()][0]
    run('python3 -S %s p.data arch=x86_64 map=9,%s,%s,%s,"$PWD/p" comm=9,9,p %s' % (
        WRITER, segment[2], segment[4], segment[1],
        ' '.join('u=9,9,%#x' % (starts[function] + int(at, 16)) for function, at in samples)))
    program, module = places('-i p.data'), places('-i perf.data --kallsyms kallsyms')
    assert len(module) > 60, module
    # (variables at fixed addresses are moved by sections, and are not told of a module)
    for place, n in module.items():
        assert program.get(place, 0) >= n, (place, n, program.get(place))
    # a part of it is elsewhere, and comes back
    repairs = [{p: n for p, n in of.items() if p[0].startswith('repairs')} for of in (program, module)]
    assert repairs[0] == repairs[1], repairs
    told_of = [sum(n for (_, p), n in of.items() if p.startswith('struct ')) for of in (module, program)]
    assert told_of[0] >= 0.75 * told_of[1], told_of


CASES = [('%s %s: types are where accesses go' % (c, o), check_truth, c, o)
         for c in ('gcc', 'clang') for o in ('-O0', '-O1', '-O2', '-O3', '-Os', '-O2 -gdwarf-4')]
CASES += [('%s %s: the access of a function' % (c, o), check_names, c, o, m)
          for c, m in (('gcc', 'x86_64'), ('clang', 'x86_64'), ('aarch64-linux-gnu-gcc', 'aarch64'))
          for o in ('-O0', '-O2')]
CASES += [('a kernel module, %s' % o, check_module, o) for o in ('-O1', '-O2')]

suite.check_all(CASES)
raise SystemExit(suite.close())
