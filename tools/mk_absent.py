#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the functions of headers for a build that is without what they need.

    mk_absent.py OUTPUT WHY HINT HEADER... [SOURCE.c...]

Each returns nothing, 0 or NULL; one whose last parameter is an error says why: "cannot DOING: WHY" where the source
beside the header has a text of that name, else WHY. Functions that the sources define are left to them.
"""
import pathlib
import re
import sys

SRC = pathlib.Path(__file__).resolve().parent.parent / 'src'
PARAMETERS = r'\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)'


def without_comments(path):
    text = re.sub(r'/\*.*?\*/', ' ', (SRC / path).read_text(), flags=re.S)
    return re.sub(r'^#.*', '', text, flags=re.M)


def prototypes(path):
    """(type, name, parameters) of what a header declares outside of braces."""
    text = without_comments(path)
    while re.search(r'\{[^{}]*\}', text):
        text = re.sub(r'\{[^{}]*\}', '', text)
    for m in re.finditer(r'^(?!typedef|extern|static)([a-z][\w \t]*[ *])(\w+)' + PARAMETERS + r';', text, re.M):
        yield m.group(1).strip(), m.group(2), ' '.join(m.group(3).split())


def main():
    output, why, hint, *paths = sys.argv[1:]
    files = [str(pathlib.Path(p).resolve().relative_to(SRC)) for p in paths]
    headers = [f for f in files if f.endswith('.h')]
    there = ' '.join(without_comments(f) for f in files if f.endswith('.c'))
    out = ['#include <errno.h>', *(f'#include "{h}"' for h in headers),
           '#pragma GCC diagnostic ignored "-Wunused-parameter"']
    for header in headers:
        source = SRC / (header[:-2] + '.c')
        doing = re.search(r'doing\[\] = "(.*)";', source.read_text()) if source.exists() else None
        text = f'cannot {doing.group(1)}: {why}' if doing else why
        for kind, name, parameters in prototypes(header):
            if re.search(rf'^[\w *]+\b{name}\(', there, re.M):
                continue
            body = []
            if re.search(r'(^|, )struct err \*e$', parameters):
                body += [f'\terr_set(e, ENOTSUP, "{text}");', f'\terr_hint(e, "{hint}");']
            if kind != 'void':
                body.append('\treturn -1;' if body and kind == 'int' else f'\treturn ({kind}){{ 0 }};')
            out += ['', f'{kind} {name}({parameters})', '{', *body, '}']
    pathlib.Path(output).write_text('\n'.join(out) + '\n')


main()
