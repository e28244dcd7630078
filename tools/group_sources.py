#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""group_sources.py BUILD-FOLDER [SOURCES]: several sources per start of the compiler.

Changes the build.ninja that meson wrote: of each static library, up to SOURCES (default 12) sources that are compiled
with the same flags become one, which includes them. Unlike meson's -Dunity it puts no two sources together of which one
has file-scope names or macros that the other uses for something else. What this overlooks does not compile; run meson
again for a build without groups.
"""
import os
import re
import sys
import zlib

TOKEN = re.compile(r'[A-Za-z_]\w*')
SYSTEM = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<[^>]+>)', re.M)
ALONE = re.compile('<(?:capstone|libiberty|perfmon)/')  # they define what others define, too
OF_ONE_CPU = {'<cpuid.h>'}  # included where the sources have it, below the conditions that they have there
NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.)*', re.M | re.S)
MACRO = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', re.M)
EDGE = re.compile(r'^build (\S+\.a\.p/\S+\.o): c_COMPILER (\S+\.c)((?: \|.*)?)\n((?: .*\n)+)\n?', re.M)


def without_bodies(code, opening, closing):
    """The code without what is between such brackets."""
    depth, kept = 0, []
    for part in re.split('([%s%s])' % (re.escape(opening), re.escape(closing)), code):
        if part == opening:
            depth += 1
        if depth == 0 or (depth == 1 and part == opening):
            kept.append(part)
        if part == closing:
            depth -= 1
            kept.append(closing if depth == 0 else '')
    return ''.join(kept)


class Source:
    """What a source says to others in the same translation unit."""
    headers = {}  # path: words, macros and headers of the system in it and in what it includes

    def __init__(self, path, folders):
        with open(path, encoding='utf-8') as f:
            text = f.read()
        code = NOISE.sub(' ', text)
        self.words = set(TOKEN.findall(code))
        self.macros = set(MACRO.findall(code))
        self.of_headers, self.header_macros, self.system = set(), set(), set(SYSTEM.findall(text))
        for name in INCLUDE.findall(text):
            words, macros, system = self.header(name, [os.path.dirname(path), *folders])
            self.of_headers |= words
            self.header_macros |= macros
            self.system |= system
        self.all = self.words | self.of_headers
        # Macros that a header may ask for
        first = MACRO.search(text)
        self.alone = bool(first and re.search(r'#[ \t]*include', text[first.end():])) or any(map(ALONE.match, self.system))
        code = DIRECTIVE.sub('', code)
        enumerators = re.findall(r'\benum\b[^;{}()]*\{([^}]*)\}', code)
        self.names = {word for body in enumerators for word in TOKEN.findall(body)}
        flat = without_bodies(without_bodies(code, '{', '}'), '(', ')')
        for statement in re.split(r'[;}]', flat):
            self.names |= set(re.findall(r'(\w+)\s*(?:[\[=(,]|$)', statement.strip()))
            self.names |= set(re.findall(r'\b(?:struct|union|enum)\s+(\w+)\s*\{', statement))
        self.names -= {'__attribute__'}
        # Functions that a macro makes have names that are not seen here.
        self.alone |= bool(re.search(r'^[A-Z][A-Z_0-9]+\(', flat, re.M))

    @classmethod
    def header(cls, name, folders):
        for path in (os.path.normpath(os.path.join(folder, name)) for folder in folders):
            if path in cls.headers:
                return cls.headers[path]
            if os.path.isfile(path):
                with open(path, encoding='utf-8') as f:
                    text = f.read()
                cls.headers[path] = found = set(TOKEN.findall(NOISE.sub(' ', text))), set(MACRO.findall(text)), set(SYSTEM.findall(text))
                for inner in INCLUDE.findall(text):
                    for mine, its in zip(found, cls.header(inner, [os.path.dirname(path), *folders])):
                        mine |= its
                return found
        return set(), set(), set()  # made while building

    def disturbs(self, other):
        """Whether it has names or macros that the other, or a header of the other alone, has too."""
        return bool(self.names & other.names or (self.names & other.of_headers) - self.of_headers or
                    self.macros & other.all or (self.header_macros & other.all) - other.header_macros)


def group(sources, most):
    """Lists of sources without clashes, in order."""
    groups = []
    for name, source in sources:
        for members in groups:
            if len(members) < most and not any(
                    source.alone or other.alone or source.disturbs(other) or other.disturbs(source) for _, other in members):
                members.append((name, source))
                break
        else:
            groups.append([(name, source)])
    return groups


def main(build, most=12):
    ninja = os.path.join(build, 'build.ninja')
    with open(ninja, encoding='utf-8') as f:
        text = f.read()
    # What a test includes is linked for the test alone where its object is its own.
    included = set()
    for path in {os.path.join(build, path) for path in re.findall(r': c_COMPILER (\S+\.c)', text)}:
        if os.path.isfile(path):
            with open(path, encoding='utf-8') as f:
                included |= {os.path.basename(name) for name in INCLUDE.findall(f.read()) if name.endswith('.c')}
    alike = {}  # (library, flags and what is waited for): objects and sources
    for m in EDGE.finditer(text):
        flags = re.search(r'^ ARGS = (.*)', m.group(4), re.M).group(1)
        alike.setdefault((os.path.dirname(m.group(1)), flags, m.group(3)), []).append((m.group(1), m.group(2), m.group(0)))
    instead = {}  # object: the one it is in, or nothing
    made = {}  # rule: what comes in its place
    for (library, flags, waits), edges in alike.items():
        folders = [os.path.join(build, folder) for folder in re.findall(r'-I(\S+)', flags)]
        sources = [(edge, Source(os.path.join(build, edge[1]), folders)) for edge in edges
                   if os.path.isfile(os.path.join(build, edge[1])) and os.path.basename(edge[1]) not in included]  # nor those that are made
        for number, members in enumerate(m for m in group(sources, int(most)) if len(m) > 1):
            name = '%s/group_%x_%d.c' % (library, zlib.crc32((flags + waits).encode()) & 0xffff, number)
            os.makedirs(os.path.join(build, library), exist_ok=True)
            with open(os.path.join(build, name), 'w', encoding='utf-8') as f:
                # Those of the system first, so that no macro of theirs comes between the parts of something of ours.
                for system in sorted(set.union(*(source.system for _, source in members)) - OF_ONE_CPU):
                    f.write('#if __has_include(%s)\n#include %s\n#endif\n' % (system, system))
                f.writelines('#include "%s"\n' % os.path.abspath(os.path.join(build, edge[1])) for edge, _ in members)
            for (obj, _, rule), _ in members:
                instead[obj], made[rule] = '', ''
            instead[members[0][0][0]] = name + '.o'
            made[members[0][0][2]] = ('build %s.o: c_COMPILER %s%s\n DEPFILE = %s.o.d\n DEPFILE_UNQUOTED = %s.o.d\n ARGS = %s -Wno-shadow\n\n' %
                                   (name, name, waits, name, name, flags))
    text = EDGE.sub(lambda m: made.get(m.group(0), m.group(0)), text)
    text = re.sub(r'\S+\.a\.p/\S+\.o(?=[ \n])', lambda m: instead.get(m.group(0), m.group(0)), text)
    with open(ninja, 'w', encoding='utf-8') as f:
        f.write(text)
    print('%d sources in %d groups' % (len(instead), sum(map(bool, instead.values()))))


if __name__ == '__main__':
    main(*sys.argv[1:3])
