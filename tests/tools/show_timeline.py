#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The spans in a file of perf sched timeline, trace events or page, as lines: task, from and until in ns, what it did.

    show_timeline.py FILE.json|FILE.html

What the two formats say in different ways is looked at: arrows and counts of trace events are those of the spans.
"""
import base64
import decimal
import json
import re
import sys


def ns(us):
    return int(decimal.Decimal(us) * 1000)


def of_json(text):
    d = json.loads(text, parse_float=decimal.Decimal)
    events = d['traceEvents']
    names = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name' and e['pid']}
    on_cpus, flows, spans = [], [], []
    for e in events:
        at = ns(e['ts']) if 'ts' in e else 0
        if e['ph'] in 'sf':
            flows.append((e['id'], e['ph'], e['tid'], at))
        elif e['ph'] == 'X':
            until = at + ns(e['dur'])
            if not e['pid']:
                on_cpus.append((e['args']['tid'], at, until, e['tid']))
                continue
            a = e['args']
            spans.append((e['tid'], at, until, e['name'], a.get('cpu'), a.get('woken by tid'), a.get('goes on', False)))
    assert sorted(on_cpus) == sorted((s[0], s[1], s[2], s[4]) for s in spans if s[4] is not None)
    woken = [s for s in spans if s[5] is not None and not s[6]]
    assert sorted(f[2:] for f in flows if f[1] == 's') == sorted((s[5], s[1]) for s in woken)
    assert sorted(f[2:] for f in flows if f[1] == 'f') == sorted((s[0], s[2]) for s in woken)
    waiting = [(ns(e['ts']), e['args']['tasks']) for e in events if e['ph'] == 'C']
    return spans, names, waiting


def varint(raw, at):
    v, shift = 0, 0
    while True:
        b = raw[at]
        v |= (b & 127) << shift
        at, shift = at + 1, shift + 7
        if not b & 128:
            return v, at


def of_page(text):
    blocks = dict(re.findall(r'<script type="text/plain" id="(\w+)">([A-Za-z0-9+/=]*)</script>', text))
    head = json.loads(base64.b64decode(blocks['data']))
    raw = base64.b64decode(blocks['spans'])
    last, at, spans = int(head['origin']), 0, []
    for _ in range(head['nrSpans']):
        moved, at = varint(raw, at)
        length, at = varint(raw, at)
        task, at = varint(raw, at)
        state, at = varint(raw, at)
        last += -(moved + 1) // 2 if moved & 1 else moved // 2
        cpu = by = None
        if state & 7 == 0:
            cpu, at = varint(raw, at)
        elif state & 7 == 1:
            by, at = varint(raw, at)
        spans.append((head['tasks'][task][1], last - length, last, head['states'][state & 7], cpu,
                      head['tasks'][by - 1][1] if by else None, state & 8 > 0))
    assert at == len(raw), (at, len(raw))
    return spans, {t[1]: t[2] for t in head['tasks']}, []


def main():
    with open(sys.argv[1], encoding='utf-8') as f:
        text = f.read()
    spans, names, waiting = (of_page if sys.argv[1].endswith('.html') else of_json)(text)
    for tid, start, end, what, cpu, by, goes_on in sorted(spans, key=lambda s: (s[0], s[1], s[2])):
        line = '%s/%d %d-%d %s' % (names.get(tid), tid, start, end, what)
        line += ' on %d' % cpu if cpu is not None else ''
        line += ' by %d' % by if by is not None else ''
        print(line + (', goes on' if goes_on else ''))
    if waiting and len(waiting) < 20:
        print('waiting:', ', '.join('%d: %d' % x for x in waiting))


if __name__ == '__main__':
    main()
