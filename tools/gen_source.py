#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""gen_source.py N: print a C program of N functions, work for a compiler to be profiled with.

Loops, arrays, switches and calls, so that an optimizing compiler has something to do in most of its
passes. The same N gives the same text.
"""
import random
import sys

n = int(sys.argv[1]) if len(sys.argv) > 1 else 300
rnd = random.Random(n)
print("#include <stdint.h>\n#include <stdio.h>\nstatic uint64_t table[4096];")
for i in range(n):
    calls = [f"f{rnd.randrange(i)}(x ^ {rnd.randrange(1 << 30)}, n / 2)" for _ in range(2)] if i else ["n"]
    cases = "\n".join(f"\t\tcase {k}: x = x * {rnd.randrange(3, 999, 2)}u + table[(x >> {k}) & 4095]; break;"
                      for k in range(rnd.randrange(4, 12)))
    print(f"""uint64_t f{i}(uint64_t x, int n)
{{
	double d = {rnd.random():.6f};
	for (int i = 0; i < n; i++) {{
		table[(x + (uint64_t)i) & 4095] += (uint64_t)(d * (double)(x & 255));
		for (int j = 0; j < {rnd.randrange(4, 32)}; j++)
			d = d * {1 + rnd.random():.6f} + (double)(table[(i * {rnd.randrange(1, 64)} + j) & 4095] & 15);
		switch ((x >> 3) % {rnd.randrange(8, 16)}) {{
{cases}
		default: x ^= x >> {rnd.randrange(1, 31)};
		}}
		if (x & {1 << rnd.randrange(20)})
			x += {" + ".join(calls)};
	}}
	return x + (uint64_t)d;
}}""")
print(f"int main(void)\n{{\n\tprintf(\"%llu\\n\", (unsigned long long)f{n - 1}(1, 3));\n\treturn 0;\n}}")
