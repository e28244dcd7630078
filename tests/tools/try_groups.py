#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""try_groups.py: tools/group_sources.py keeps sources apart that disturb each other, and together those that do not."""
import glob
import os
import re
import subprocess
import sys
import tempfile

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../tools/group_sources.py')
# case: two sources, whether they may be together
CASES = {
    'nothing_common': ('static int f(void)\n{\n\treturn 1;\n}\n', 'static int g(void)\n{\n\tint f = 1;\n\treturn f;\n}\n', True),
    'function': ('static int f(void)\n{\n\treturn 1;\n}\n', 'static long f(int x)\n{\n\treturn x;\n}\n', False),
    'object': ('static int n, m;\n', 'static int m;\n', False),
    'table': ('static const int t[] = { 1 };\n', 'static const int t[2] = { 1, 2 };\n', False),
    'enumerator': ('enum { A, B = 3 };\n', 'enum {\n\tC,\n\tB\n};\n', False),
    'tag': ('struct s { int a; };\n', 'struct s { long b; };\n', False),
    'macro_used': ('#define N 1\n', 'static int f(int N)\n{\n\treturn N;\n}\n', False),
    'macro_in_text': ('#define N 1\n', '/* N */ static const char *s = "N";\n', True),
    'macro_of_header': ('#include "m.h"\n', 'static int f(int WIDE)\n{\n\treturn WIDE;\n}\n', False),
    'macro_for_header': ('#define N 1\n#include "m.h"\n', 'static int g;\n', False),
    'name_of_header': ('#include "m.h"\n', 'static int of_header(void)\n{\n\treturn 1;\n}\n', False),
    'made_by_macro': ('#include "m.h"\nMAKE(f)\n', 'static int g;\n', False),
}
HEADER = '#pragma once\n#define WIDE 3\n#define MAKE(n) static int n(void) { return 1; }\nint of_header(void);\n'


def groups_of(build, cases):
    with open(os.path.join(build, 'build.ninja'), 'w', encoding='utf-8') as f:
        for case in cases:
            objects = []
            for part in 'ab':
                objects.append('lib%s.a.p/%s.c.o' % (case, part))
                f.write('build %s: c_COMPILER ../%s_%s.c || made.h\n DEPFILE = d\n ARGS = -I..\n\n' % (objects[-1], case, part))
            f.write('build lib%s.a: STATIC_LINKER %s\n\n' % (case, ' '.join(objects)))
    subprocess.run([sys.executable, TOOL, build, '2'], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(build, 'build.ninja'), encoding='utf-8') as f:
        return f.read()


def main():
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        build = os.path.join(folder, 'build')
        os.mkdir(build)
        for case, (a, b, _) in CASES.items():
            for part, text in (('a', a), ('b', b)):
                with open(os.path.join(folder, '%s_%s.c' % (case, part)), 'w', encoding='utf-8') as f:
                    f.write(text)
        with open(os.path.join(folder, 'm.h'), 'w', encoding='utf-8') as f:
            f.write(HEADER)
        ninja = groups_of(build, CASES)
        for case, (_, _, together) in CASES.items():
            made = glob.glob(os.path.join(build, 'lib%s.a.p' % case, 'group_*.c'))
            inputs = re.search(r'^build lib%s\.a: STATIC_LINKER (.*)$' % case, ninja, re.M).group(1).split()
            rules = re.findall(r'^build (lib%s\.a\.p/\S+): c_COMPILER \S+ \|\| made\.h$' % case, ninja, re.M)
            if bool(made) != together or len(inputs) != (1 if together else 2) or sorted(inputs) != sorted(rules):
                bad.append('%s: %s, linked %s, compiled %s' % (case, made, inputs, rules))
            for path in made:
                if subprocess.run(['cc', '-fsyntax-only', path], check=False).returncode:
                    bad.append('%s does not compile' % case)
    print('\n'.join(bad) or 'ok')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
