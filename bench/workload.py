#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A real build as a load to profile: a generated pile of C and C++ files compiled again and
again with `make -j`, beside a Python and a node program.

    workload.py DIR SECONDS [JOBS]

DIR keeps the generated sources (the same bytes on every machine).  The load runs for SECONDS
(wall clock), then every process it started is ended.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

C_FILES = 24
CXX_FILES = 12

CXX_HEAD = """#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
"""

PY_LOAD = """import ast, json, re
def walk(node, depth=0):
    return 1 + sum(walk(c, depth + 1) for c in ast.iter_child_nodes(node))
text = open(ast.__file__).read()
while True:
    tree = ast.parse(text)
    n = walk(tree)
    words = {}
    for w in re.findall(r'[A-Za-z_]+', text):
        words[w] = words.get(w, 0) + 1
    json.loads(json.dumps(sorted(words.items())))
"""

JS_LOAD = """function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
class Tree {
  constructor(d) { this.l = d ? new Tree(d - 1) : null; this.r = d ? new Tree(d - 1) : null; }
  count() { return 1 + (this.l ? this.l.count() : 0) + (this.r ? this.r.count() : 0); }
}
for (;;) {
  let s = 0;
  for (let i = 0; i < 20; i++) s += fib(20) + new Tree(12).count();
  JSON.parse(JSON.stringify(Array.from({ length: 20000 }, (_, i) => ({ i, s: String(i * s) }))));
}
"""


def c_file(rng, number):
    out = ['#include <stdio.h>', '#include <stdlib.h>', '#include <string.h>', '']
    for i in range(60):
        out.append('static unsigned f%d_%d(unsigned *a, unsigned n, const char *s)\n{' % (number, i))
        out.append('\tunsigned x = n * %du, y = %du;' % (rng.randrange(1, 1 << 16), rng.randrange(99)))
        for j in range(rng.randrange(2, 6)):
            out.append('\tfor (unsigned i%d = 0; i%d < n; i%d++) {' % (j, j, j))
            out.append('\t\tx = (x << %d) ^ a[(i%d + y) %% (n + 1)];' % (rng.randrange(1, 13), j))
            out.append('\t\tswitch (x %% %d) {' % rng.randrange(5, 12))
            for k in range(5):
                out.append('\t\tcase %d: y += x / (i%d + %d); break;' % (k, j, rng.randrange(1, 50)))
            out.append('\t\tdefault: y ^= (unsigned)strlen(s) + %du; a[i%d] = y;\n\t\t}\n\t}'
                       % (rng.randrange(1 << 20), j))
        if i:
            out.append('\tif (x %% 7 == %d)\n\t\ty += f%d_%d(a, n / 2, s + (x & 1));'
                       % (rng.randrange(7), number, rng.randrange(i)))
        out.append('\treturn x + y;\n}\n')
    out.append('unsigned entry%d(unsigned *a, unsigned n)\n{\n\tunsigned r = 0;' % number)
    out += ['\tr += f%d_%d(a, n, "abc%d");' % (number, i, i) for i in range(60)]
    out.append('\tprintf("%u\\n", r);\n\treturn r;\n}')
    return '\n'.join(out) + '\n'


def cxx_file(rng, number):
    out = [CXX_HEAD, 'namespace unit%d {' % number]
    for i in range(12):
        n = rng.randrange(1 << 16)
        out.append("""template <typename K, typename V> class Table%(i)d {
public:
	void put(const K &k, V v) { map_[k].push_back(std::move(v)); }
	template <typename F> void each(F f) const
	{
		for (const auto &e : map_)
			std::for_each(e.second.begin(), e.second.end(), [&](const V &v) { f(e.first, v); });
	}
	std::size_t size() const { return map_.size() + %(n)d; }
private:
	std::map<K, std::vector<V>> map_;
};
std::string run%(i)d(const std::string &in)
{
	Table%(i)d<std::string, int> a;
	Table%(i)d<int, std::shared_ptr<std::string>> b;
	std::unordered_map<std::string, std::function<int(int)>> ops;
	static const std::regex re("([a-z]+)%(n)d=([0-9]+)");
	std::smatch m;
	if (std::regex_search(in, m, re))
		a.put(m[1], std::stoi(m[2]));
	b.put(%(n)d, std::make_shared<std::string>(in));
	ops["x"] = [&](int v) { return v * %(n)d; };
	std::ostringstream o;
	a.each([&](const std::string &k, int v) { o << k << ops["x"](v); });
	b.each([&](int k, const std::shared_ptr<std::string> &v) { o << k << *v; });
	std::vector<std::pair<int, std::string>> v;
	v.emplace_back(%(n)d, o.str());
	std::stable_sort(v.begin(), v.end());
	return v.front().second;
}
""" % {'i': i, 'n': n})
    out.append('}')
    return '\n'.join(out) + '\n'


def generate(top):
    if os.path.exists(os.path.join(top, 'Makefile')):
        return
    os.makedirs(top, exist_ok=True)
    rng = random.Random(4711)
    objs = []
    for i in range(max(C_FILES, CXX_FILES)):
        if i < C_FILES:
            with open(os.path.join(top, 'c%d.c' % i), 'w') as f:
                f.write(c_file(rng, i))
            objs.append('c%d.o' % i)
        if i < CXX_FILES:
            with open(os.path.join(top, 'x%d.cc' % i), 'w') as f:
                f.write(cxx_file(rng, i))
            objs.append('x%d.o' % i)
    for name, text in (('load.py', PY_LOAD), ('load.js', JS_LOAD)):
        with open(os.path.join(top, name), 'w') as f:
            f.write(text)
    with open(os.path.join(top, 'Makefile'), 'w') as f:
        f.write('CFLAGS=-O2 -g\nCXXFLAGS=-O2 -g\nall: pile\npile: %s\n\tld -r -o $@ $^\n'
                % ' '.join(objs))


def run(top, seconds, jobs):
    generate(top)
    quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, 'cwd': top,
             'start_new_session': True}
    loop = 'while :; do make -B -j%d; done' % jobs
    children = [subprocess.Popen(['sh', '-c', loop], **quiet)]
    children.append(subprocess.Popen([sys.executable, 'load.py'], **quiet))
    if shutil.which('node'):
        children.append(subprocess.Popen(['node', 'load.js'], **quiet))

    def stop(*_):
        for child in children:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    time.sleep(seconds)
    stop()


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    run(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 2)
