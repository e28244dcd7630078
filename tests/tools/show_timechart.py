#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Shows what is in a chart of perf timechart, ours or another perf's, a line for each shape:

    show_timechart.py FILE.svg [--plain]

It fails where the file is no well-formed XML, or a shape is outside of the picture. Strips are in order of their height;
a shape is its colour's name, its beginning and length in pixels, and the first line of its title. --plain: without titles.
"""
import re
import sys
import xml.etree.ElementTree as ET

NS = '{http://www.w3.org/2000/svg}'
STRIPS = ('cpu', 'process', 'process3')


def number(element, name, shift):
    return float(element.get(name, 0)) + shift


class Chart:
    """strips: lists of [y, class, x, width, shapes]; shapes: (class, x, width, y, height, title)."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as f:
            root = ET.fromstring(re.sub(r'<!DOCTYPE[^>]*>', '', f.read()))
        self.width, self.height = int(root.get('width')), int(root.get('height'))
        self.shapes, self.labels, self.lines, self.texts = [], [], [], []
        self.walk(root, 0, 0, '')
        self.strips = [[s[3], s[0], s[1], s[2], []] for s in self.shapes if s[0] in STRIPS]
        self.strips.sort(key=lambda s: s[0])
        for shape in self.shapes:
            if shape[0] in STRIPS + ('page',) or shape[3] < 15:
                continue
            strip = max((s for s in self.strips if s[0] <= shape[3] + 0.01), key=lambda s: s[0])
            strip[4].append(shape)
        for strip in self.strips:
            strip[4].sort(key=lambda s: (s[1], s[0], s[3]))

    def walk(self, element, dx, dy, title):
        move = re.match(r'translate\(([-\d.]+), *([-\d.]+)\)', element.get('transform', ''))
        if move:
            dx, dy = dx + float(move[1]), dy + float(move[2])
        found = element.find(NS + 'title')
        title = found.text if found is not None else title
        tag = element.tag.removeprefix(NS)
        if tag == 'rect':
            self.shapes.append((element.get('class'), number(element, 'x', dx), number(element, 'width', 0),
                                number(element, 'y', dy), number(element, 'height', 0), title or ''))
        elif tag == 'line':
            self.lines.append((element.get('class') or '', number(element, 'x1', dx), number(element, 'x2', dx),
                               number(element, 'y1', dy), number(element, 'y2', dy), title or ''))
        elif tag == 'text':
            self.texts.append((number(element, 'x', dx), number(element, 'y', dy), (element.text or '').strip()))
        for child in element:
            self.walk(child, dx, dy, title)

    def label(self, strip):
        """What stands on top of a strip: "CPU 0", "name:tid (1.0ms)"."""
        at = [t for t in self.texts if abs(t[1] - strip[0] - 12.5) < 0.1]
        return ' | '.join(t[2] for t in at if re.match(r'CPU \d+$|.*:-?\d+ \(.*\)$', t[2]))

    def outside(self):
        return [s for s in self.shapes if not (0 <= s[1] and s[2] >= 0 and s[1] + s[2] <= self.width + 0.01 and
                                               0 <= s[3] and s[4] >= 0 and s[3] + s[4] <= self.height + 0.01)]


def main():
    chart = Chart(sys.argv[1])
    plain = '--plain' in sys.argv
    print(f'{chart.width} x {chart.height}')
    for strip in chart.strips:
        print(f'{strip[0]:g} {strip[1]} {strip[2]:.2f}+{strip[3]:.2f} {chart.label(strip)}')
        for s in strip[4]:
            title = '' if plain else '  ' + s[5].replace('\n', ' / ')
            print(f'    {s[0]} {s[1]:.2f}+{s[2]:.2f} {s[3] - strip[0]:.1f}+{s[4]:.1f}{title}')
    for line in chart.lines:
        if line[0] in ('pstate', 'wake'):
            print(f'{line[0]} {line[1]:.2f}..{line[2]:.2f} {line[3]:.1f}..{line[4]:.1f}  ' + line[5].replace('\n', ' / '))
    for text in chart.texts:
        if 'drawn' in text[2] or 'Wake-ups' in text[2]:
            print(text[2])
    for s in chart.outside():
        sys.exit(f'outside of the picture: {s}')


if __name__ == '__main__':
    main()
