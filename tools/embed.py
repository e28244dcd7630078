#!/usr/bin/env python3
"""usage: embed.py OUT.c HEADER text NAME FILE | embed.py OUT.c HEADER table DECLARATION FILE...

C source of texts of files: of one as `const char NAME[]`, of several as a table of rows {name, text},
as HEADER declares them.
"""
import os
import sys


def c_text(path):
    with open(path, encoding='ascii') as f:
        text = f.read()
    lines = []
    for line in text.splitlines():
        line = line.replace('\\', '\\\\').replace('"', '\\"').replace('\t', '\\t')
        lines.append('\t"%s\\n"' % line)
    return '\n'.join(lines)


def main():
    to, header, kind, name, *paths = sys.argv[1:]
    out = ['/* Made by tools/embed.py. */', '#include "%s"' % header, '']
    if kind == 'text':
        out += ['const char %s[] =\n%s;' % (name, c_text(paths[0]))]
    else:
        out.append('const %s[] = {' % name)
        for path in paths:
            out.append('{ "%s",\n%s },' % (os.path.splitext(os.path.basename(path))[0], c_text(path)))
        out += ['{ 0 }', '};']
    with open(to, 'w', encoding='ascii') as f:
        f.write('\n'.join(out) + '\n')


main()
