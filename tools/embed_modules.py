#!/usr/bin/env python3
"""usage: embed_modules.py OUT.c FILE.py...: C table of the files' texts, by their names."""
import os
import sys


def c_text(text):
    lines = []
    for line in text.splitlines():
        line = line.replace('\\', '\\\\').replace('"', '\\"').replace('\t', '\\t')
        lines.append('\t"%s\\n"' % line)
    return '\n'.join(lines)


def main():
    out = ['/* Made by tools/embed_modules.py. */', '#include "script/python_modules.h"', '',
           'const struct python_module python_modules[] = {']
    for path in sys.argv[2:]:
        name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding='ascii') as f:
            out.append('{ "%s",\n%s },' % (name, c_text(f.read())))
    out += ['{ 0 }', '};', '']
    with open(sys.argv[1], 'w', encoding='ascii') as f:
        f.write('\n'.join(out))


main()
