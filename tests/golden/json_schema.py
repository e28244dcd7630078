#!/usr/bin/env python3
"""What commands print with --json is what doc/json.schema.json (report, annotate, top and diff) and
doc/analysers.schema.json (sched, lock, kwork, kmem, kvm stat, timechart) say, and doc/json.md explains each of their keys.
A key that the schemas do not know fails here, though readers are to ignore such.

Usage: json_schema.py --perf PERF --data tests/data --doc doc
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None)}

DIFF = ['diff', '--json', '-f', '-q']
ANNOTATE = ['annotate', '--json', '-q', '-f']
REPORT = ['report', '--json', '-f', '-q', '--symfs', '/nothing']

# schema, arguments ($D: the data)
CASES = [
    ('perf report', REPORT + ['-i', '$D/report/threads-group.data', '-s', 'comm', '--group']),
    ('perf report', REPORT + ['-i', '$D/report/threads.data', '--hierarchy', '-s', 'comm,dso,sym', '-n']),
    ('perf report', REPORT + ['-i', '$D/report/latency.data', '--latency']),
    ('perf report', REPORT + ['-i', '$D/report/memory.data', '--mem-mode']),
    ('perf report', REPORT + ['-i', '$D/branches/stack.data', '-b']),
    ('perf report', REPORT + ['-i', '$D/branches/stack.data', '--total-cycles']),
    ('perf report', REPORT + ['-i', '$D/perfdata/quipper-perf.data.callgraph-3.8', '-g', 'caller', '--children']),
    ('perf report', REPORT + ['-i', '$D/perfdata/quipper-perf.data.callgraph-3.8', '-g', 'callee', '--no-children',
                              '--socket-filter', '0']),
    ('perf report', REPORT + ['-i', '$D/report/threads.data', '--time', '10%/2', '-s', 'comm']),
    ('perf annotate', ANNOTATE + ['-i', '$D/branches/stack.data', '--symfs', '$D/branches']),
    ('perf annotate', ANNOTATE + ['-i', '$D/annotate/types/list.data', '--symfs', '$D/annotate', '--code-with-type']),
    ('perf annotate', ANNOTATE + ['-i', '$D/annotate/types/list.data', '--symfs', '$D/annotate', '--data-type',
                                  '--type-stat', '--insn-stat']),
    ('perf diff', DIFF + ['$D/diff/base-1.data', '$D/diff/new-1.data', '-c', 'ratio', '-p', '-F']),
    ('perf diff', DIFF + ['$D/diff/alike-1.data', '$D/diff/alike-2.data']),
    ('perf diff', DIFF + ['$D/diff/base-1.data', '$D/diff/base-2.data', '$D/diff/new-1.data']),
    ('perf diff', DIFF + ['--base', '$D/diff/base-1.data', '$D/diff/base-2.data', '--new', '$D/diff/new-1.data',
                          '$D/diff/new-2.data']),
    ('perf diff', DIFF + ['--stream', '$D/branches/stack.data', '$D/branches/stack.data']),
    ('perf diff', DIFF + ['-c', 'cycles', '$D/branches/stack.data', '$D/branches/stack.data']),
    ('perf diff', DIFF + ['-g', '$D/diff/alike-1.data', '$D/diff/alike-2.data']),
    ('perf diff', DIFF + ['--normalize', 'samples', '-s', 'dso', '$D/diff/base-1.data', '$D/diff/new-1.data']),
    ('perf report', REPORT + ['-i', '$D/branches/stack.data', '--branch-history']),
    ('perf report', ['report', '--json', '-f', '-q', '--symfs', '$D/annotate', '-i', '$D/annotate/types/list.data', '-s',
                     'type,typeoff,typecln']),
    ('perf top', ['top', '--json', '-d', '1', '-e', 'cpu-clock', '-p', '$PID', '-g']),
]

SWITCHES = '-f -i $D/sched/switches.data'
WORK = ("printf '%s\\n' '1000 entry 0 1 @ 0x10' '2000 exit 0 1' '3000 activate 0 0x100 0x50' '4000 start 0 0x100 0x50' "
        "'5000 end 0 0x100 0x50' '6000 irq_entry 0 36 disk' '7000 irq_exit 0 36' '8000 switch 0 0 0 10' '9900 switch 0 10 1 0' | "
        'python3 $D/../tools/make_kwork_file.py w.data && ')
PAGES = ("printf '%s\\n' '1000 alloc 0 100 0 0x140dca 1 0xffffffff81000110' '2000 free 0 100 0' '3000 alloc 0 200 0 0xcc0 1' | "
         'python3 $D/../tools/make_page_file.py p.data && ')
# schema, line for bash; those of the running machine print nothing where that cannot be watched
ANALYSERS = [
    ('perf sched latency', 'perf sched latency --json -H --heat-map --queue ' + SWITCHES),
    ('perf sched latency', 'perf sched latency --json -p ' + SWITCHES),
    ('perf sched timehist', 'perf sched timehist --json -wMPS --show-prio ' + SWITCHES),
    ('perf sched timehist', 'perf sched timehist --json -sI ' + SWITCHES),
    ('perf sched map', 'perf sched map --json ' + SWITCHES),
    ('perf sched timeline', 'perf sched timeline --json ' + SWITCHES),
    ('perf sched wakers', 'perf sched wakers --json ' + SWITCHES),
    ('perf sched stats', 'perf sched stats report --json -f -i $D/sched/stats.1.data'),
    ('perf sched stats', 'perf sched stats diff --json -f $D/sched/stats.1.data $D/sched/stats.2.data'),
    ('perf sched top', 'perf sched top --json -n 1'),
    ('perf lock contention', 'perf lock -f -i $D/lock/lock.data contention --json'),
    ('perf lock contention', 'perf lock -f -i $D/lock/lock.data contention --json -t'),
    ('perf lock contention', 'perf lock -f -i $D/lock/lock.data contention --json -l'),
    ('perf lock contention', 'perf lock contention -b -a -o --json -- sleep 0.1'),
    ('perf lock contention', 'perf lock contention -b -a --lock-cgroup --json -- sleep 0.1'),
    ('perf lock report', 'perf lock -f -i $D/lock/lock.data report --json -t'),
    ('perf lock report', 'perf lock -f -i $D/lock/lockdep.data report --json'),
    ('perf lock info', 'perf lock -f -i $D/lock/lockdep.data info --json'),
    ('perf lock info', 'perf lock -f -i $D/lock/lock.data info -t --json'),
    ('perf kwork report', WORK + 'perf kwork report --json -i w.data'),
    ('perf kwork report', 'perf kwork report -b --json -- sleep 0.1'),
    ('perf kwork latency', WORK + 'perf kwork latency --json -i w.data'),
    ('perf kwork timehist', WORK + 'perf kwork timehist -g --json -i w.data'),
    ('perf kwork top', WORK + 'perf kwork top --json -i w.data'),
    ('perf kmem stat', 'perf kmem stat --json -f -i $D/kmem/kmem.data --caller --alloc'),
    ('perf kmem stat --page', PAGES + 'perf kmem --page -i p.data stat --caller --alloc --json'),
    ('perf kvm stat', 'perf kvm -i $D/kvm/exits.data stat report --json'),
    ('perf timechart', 'perf timechart --json -f -o t.json -i $D/timechart/states.data >t.txt && cat t.json'),
    ('perf timechart', 'perf timechart --json -f -o t.json -i $D/timechart/calls.data >t.txt && cat t.json'),
]


def is_type(value, name):
    if name in ('number', 'integer'):
        return not isinstance(value, bool) and isinstance(value, int if name == 'integer' else (int, float))
    return isinstance(value, TYPES[name])


def problems(schema, defs, value, at='$'):
    """What is wrong with a value; of JSON Schema what doc/json.schema.json uses."""
    known = {'$ref', 'type', 'const', 'enum', 'pattern', 'anyOf', 'items', 'properties', 'required',
             'additionalProperties'}
    assert not set(schema) - known, 'the schema uses %s' % (set(schema) - known)
    if '$ref' in schema:
        yield from problems(defs[schema['$ref'].rsplit('/', 1)[1]], defs, value, at)
    names = schema.get('type', [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_type(value, n) for n in names):
        yield '%s: %r is no %s' % (at, value, ' or '.join(names))
        return
    if 'const' in schema and value != schema['const']:
        yield '%s: %r is not %r' % (at, value, schema['const'])
    if 'enum' in schema and value not in schema['enum']:
        yield '%s: %r is none of %s' % (at, value, schema['enum'])
    if 'pattern' in schema and not re.search(schema['pattern'], value):
        yield '%s: %r is not of the form %s' % (at, value, schema['pattern'])
    if 'anyOf' in schema:
        all_of_them = [list(problems(s, defs, value, at)) for s in schema['anyOf']]
        if all(all_of_them):
            yield from min(all_of_them, key=len)
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from problems(schema.get('items', {}), defs, item, '%s[%d]' % (at, i))
    if isinstance(value, dict):
        yield from problems_of_object(schema, defs, value, at)


def problems_of_object(schema, defs, value, at):
    for key in schema.get('required', []):
        if key not in value:
            yield '%s: %r is not there' % (at, key)
    for key, item in value.items():
        rule = schema.get('properties', {}).get(key, schema.get('additionalProperties', True))
        if rule is False:
            yield '%s: %r is not in the schema' % (at, key)
        elif rule is not True:
            yield from problems(rule, defs, item, '%s.%s' % (at, key))


def objects_in(text):
    decoder = json.JSONDecoder()
    text = text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        yield value
        text = text[end:].lstrip()


def properties(schema):
    if isinstance(schema, dict):
        yield from schema.get('properties', {}) if isinstance(schema.get('properties'), dict) else ()
        for value in schema.values():
            yield from properties(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from properties(value)


def run(perf, data, args):
    busy = None
    if '$PID' in args:
        busy = subprocess.Popen(['sh', '-c', 'i=0; while [ $i -lt 900000 ]; do i=$((i+1)); done'])
        args = [a.replace('$PID', str(busy.pid)) for a in args]
    args = [a.replace('$D', data) for a in args]
    try:
        return subprocess.run([perf] + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, DEBUGINFOD_URLS='', PERF_BUILDID_DIR='/nothing'), timeout=60)
    finally:
        if busy:
            busy.kill()
            busy.wait()


def run_line(perf, data, line):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(['bash', '-c', 'perf() { "%s" "$@"; }; D="%s"; %s' % (perf, data, line)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=folder, timeout=60)


def tell(title, name, r, schema, may_be_silent):
    """Whether it is wrong."""
    found = list(objects_in(r.stdout.decode()))
    wrong = [x for v in found for x in problems(schema['$defs'][name], schema['$defs'], v)]
    if not found and may_be_silent:
        print('ok - %s # skip: nothing can be sampled here' % title)
        return False
    if not found:
        wrong = ['no JSON: ' + r.stderr.decode()[:300]]
    print('%s - %s' % ('not ok' if wrong else 'ok', title))
    for text in wrong[:5]:
        print('  ' + text)
    return bool(wrong)


def main():
    p = argparse.ArgumentParser()
    for name in ('perf', 'data', 'doc'):
        p.add_argument('--' + name, required=True)
    o = p.parse_args()
    o.perf, o.data = os.path.abspath(o.perf), os.path.abspath(o.data)
    schema, analysers = (json.load(open(os.path.join(o.doc, name + '.schema.json'))) for name in ('json', 'analysers'))
    manual = open(os.path.join(o.doc, 'json.md')).read()
    failed = 0
    for key in sorted(set(properties(schema)) | set(properties(analysers))):
        if not re.search(r'[`"]%s[`"]' % re.escape(key), manual):
            print('not ok - doc/json.md does not explain `%s`' % key)
            failed += 1
    for name, args in CASES:
        failed += tell('perf ' + ' '.join(args), name, run(o.perf, o.data, args), schema, name == 'perf top')
    tested = set()
    for name, line in ANALYSERS:
        tested.add(name)
        failed += tell(line, name, run_line(o.perf, o.data, line), analysers, ' -b ' in line or name == 'perf sched top')
    for name in set(analysers['$defs']) - tested:
        if name.startswith('perf '):
            print('not ok - %s is in the schema, but not tested' % name)
            failed += 1
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
