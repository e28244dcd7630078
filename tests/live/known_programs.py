# SPDX-License-Identifier: GPL-2.0-or-later
"""Generated programs whose call trees are known by construction, for known_stacks.py.

A Program has its source, what builds it and its legal chains: lists of words, innermost first. A word is a function's
name (or `a|b`), `lib:REGEX` (a function of a library, of any name if the library has no names), `any` (whatever is not in
the tree), or `*` (an interrupted function: any legal chain begins here). A word may end in `?` (may be missing) or `+` (once or more). A chain ends with END or
THREAD: what calls main or a thread's function.

A program takes milliseconds of CPU time. Each function works little, so that samples fall into the first and last
instructions of functions, too; which child is called is random, so that what an earlier call left on the stack is that
of another chain as a rule."""
import random

END = ['lib:__libc_start_call_main+', 'lib:__libc_start_main.*+?', '_start?']
THREAD = ['lib:start_thread', 'lib:(__GI_)?(__)?clone3?']
QSORT = 'lib:.*sort.*+'
AROUND_MAIN = r'lib:(_dl_|_IO_|__cxa_finalize|do_lookup_x|check_match|strcmp|_fini).*+'
COPIES = 'lib:.*mem(cpy|set|move|chr).*+'
CFLAGS = '-fomit-frame-pointer -fcf-protection=none -pthread -Wl,-z,now'
NO_TABLES = '-fno-asynchronous-unwind-tables -fno-unwind-tables'

HEAD = r'''
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#if defined(__clang__)
#define OWN __attribute__((noinline, used))
#else
#define OWN __attribute__((noipa, used))
#endif
extern volatile long sink;
extern __thread uint64_t seed;
/* A random number below n. */
static inline unsigned int pick(unsigned int n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)(seed >> 33) % n;
}
static inline void work(int n)
{
	for (int i = 0; i < n; i++)
		__asm__ volatile("" ::: "memory");
}
'''
# main() does rounds until the time is over
MAIN = r'''
volatile long sink;
__thread uint64_t seed = 1;
OWN static int is_over(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000 >= ms;
}
int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 500;

	begin();
	while (!is_over(ms))
		for (int i = 0; i < 100; i++) {
			round_();
			sink++;
		}
	return 0;
}
'''


class Program:
    def __init__(self, build, files, chains, needs='gcc', tables=True, run='./p', kept=False, sleeps=False, comm='p',
                 start_ms=0, start_told=False, inside=None):
        self.build, self.files, self.needs, self.run = build, files, needs, run
        self.chains = [list(c) for c in chains]
        self.tables = tables  # all of its code has unwind tables
        self.kept = kept  # all of its own code keeps frame pointers
        self.sleeps = sleeps
        self.comm = comm
        self.start_ms = start_ms  # from the start, after which it is recorded
        self.start_told = start_told  # the program says by itself when that is (perf record --control)
        self.inside = inside  # only samples whose innermost function has such a name are judged


class Tree:
    """Functions with one caller each. KINDS: how a function calls the next one."""
    KINDS = ('plain', 'saves', 'tail', 'frame', 'pointer', 'alloca', 'aligned', 'qsort', 'recursion', 'args', 'last',
             'plain', 'copies')

    def __init__(self, prefix='', kinds=KINDS, seed=1, leaf='work(pick(50));', leaf_words=(), fan_above=2):
        self.prefix, self.kinds, self.leaf, self.leaf_words = prefix, kinds, leaf, list(leaf_words)
        self.fan_above = fan_above  # the levels that are this near the leaves have functions with one child
        self.random = random.Random(seed)
        self.protos, self.bodies, self.chains, self.nr = [], [], [], 0

    def add(self, depth, fan, above, kind=None):
        """A function, below the chain `above` of its callers, of some kind if no kind is given; returns its name."""
        kind = (kind or self.random.choice(self.kinds)) if depth else 'leaf'
        name = '%s%s_%d' % (self.prefix, kind, self.nr)
        self.nr += 1
        getattr(self, 'make_' + kind)(name, depth, fan, above)
        return name

    def add_tops(self, nr, depth=4, fan=2):
        """Functions that round_() calls: each kind is among the first of them."""
        return [self.add(depth, fan, ROUND, self.kinds[i % len(self.kinds)]) for i in range(nr)]

    def proto(self, name, how='OWN int %s(int x);'):
        self.protos.append(how % name)

    def children(self, depth, fan, above):
        return [self.add(depth - 1, fan, above) for _ in range(fan if depth > self.fan_above else 1)]

    @staticmethod
    def calls(children, how='r = %s(x);'):
        return 'switch (pick(%d)) {\n%s\t}\n' % (len(children), ''.join(
            '\t%s: %s break;\n' % ('case %d' % i if i + 1 < len(children) else 'default', how % c)
            for i, c in enumerate(children)))

    def body(self, name, text, head='OWN int %s(int x)'):
        self.bodies.append('%s\n{\n%s}\n' % (head % name, text))

    def make_leaf(self, name, depth, fan, above):
        self.proto(name)
        self.body(name, '\t%s\n\tsink += x;\n\treturn x + 1;\n' % self.leaf)
        self.chains.append(self.leaf_words + [name] + above)

    def simple(self, name, depth, fan, above, before, after, how='r = %s(x);'):
        self.proto(name)
        mine = [name] + above
        self.chains.append(mine)
        self.body(name, '\tint r = 0;\n%s\t%s%s\treturn r + 1;\n' % (
            before, self.calls(self.children(depth, fan, mine), how), after))

    def make_plain(self, *a):
        self.simple(*a, '', '\tsink += r;\n')

    def make_saves(self, *a):
        names = 'abcdefgh'
        self.simple(*a, ''.join('\tlong %s = sink;\n' % n for n in names),
                    '\tsink += r + %s;\n' % ' + '.join('%s * %d' % (n, i + 3) for i, n in enumerate(names)))

    def make_tail(self, name, depth, fan, above):
        """Jumps to its children: they return to its caller. (One that a signal interrupts is itself on the stack.)"""
        self.proto(name)
        self.chains.append([name] + above)
        self.body(name, '\tsink += x;\n\t%s\treturn x;\n' % self.calls(self.children(depth, fan, above), 'return %s(x + 1);'))

    def make_frame(self, *a):
        size = self.random.choice((400, 1500))
        self.simple(*a, '\tchar room[%d];\n\troom[pick(sizeof(room))] = 1;\n\t__asm__ volatile("" : : "r"(room) : "memory");\n' % size,
                    '\tsink += room[7] + r;\n')

    def make_pointer(self, name, depth, fan, above):
        self.proto(name)
        mine = [name] + above
        self.chains.append(mine)
        names = self.children(depth, fan, mine)
        self.body(name, '\tstatic int (*const to[])(int) = { %s };\n\tint r = to[pick(%d)](x);\n\tsink += r;\n\treturn r;\n' %
                  (', '.join(names), len(names)))

    def make_alloca(self, *a):
        self.simple(*a, '\tchar *room = alloca(64 + pick(200));\n\troom[0] = 1;\n\t__asm__ volatile("" : : "r"(room) : "memory");\n',
                    '\tsink += room[0] + r;\n')

    def make_aligned(self, *a):
        self.simple(*a, '\tlong room[16] __attribute__((aligned(64)));\n\troom[3] = 1;\n\t__asm__ volatile("" : : "r"(room) : "memory");\n',
                    '\tsink += room[3] + r;\n')

    def make_recursion(self, name, depth, fan, above):
        times = self.random.choice((3, 9))
        self.proto(name + '_again', 'OWN int %s(int x, int n);')
        self.proto(name)
        mine = [name + '_again'] * times + [name] + above
        self.chains.append(mine)
        self.body(name + '_again', '\tint r = 0;\n\tlong keep[3] = { n };\n\t__asm__ volatile("" : : "r"(keep) : "memory");\n'
                  '\tif (n > 1)\n\t\tr = %s_again(x, n - 1);\n\telse\n\t%s\tsink += r + keep[0];\n\treturn r;\n' %
                  (name, self.calls(self.children(depth, fan, mine))), 'OWN int %s(int x, int n)')
        self.body(name, '\tint r = %s_again(x, %d);\n\tsink += r;\n\treturn r;\n' % (name, times))

    def make_args(self, *a):
        """Arguments on the stack."""
        name = a[0] + '_ten'
        self.proto(name, 'OWN int %s(int a, int b, int c, int d, int e, int f, long g, long h, long i, int x);')
        # it is called by the one of this name, and calls the children
        self.proto(a[0])
        depth, fan, above = a[1:]
        mine = [name, a[0]] + above
        self.chains.append(mine)
        self.body(name, '\tint r = 0;\n\t%s\tsink += r + a + g + h + i;\n\treturn r;\n' %
                  self.calls(self.children(depth, fan, mine)),
                  'OWN int %s(int a, int b, int c, int d, int e, int f, long g, long h, long i, int x)')
        self.body(a[0], '\tint r = %s(1, 2, 3, 4, 5, 6, sink, 8, 9, x);\n\tsink += r;\n\treturn r;\n' % name)

    def make_qsort(self, name, depth, fan, above):
        self.proto(name)
        compare = name + '_compare'
        self.protos.append('OWN int %s(const void *a, const void *b);' % compare)
        self.chains.append(['lib:.*(mem(cpy|set|move)|free).*+?', QSORT, name] + above)
        mine = [compare, QSORT, name] + above
        self.chains.append(mine)
        self.body(compare, '\tint r = 0, x = *(const int *)a;\n\t%s\tsink += r;\n\treturn *(const int *)a - *(const int *)b;\n' %
                  self.calls(self.children(depth, fan, mine)), 'OWN int %s(const void *a, const void *b)')
        self.body(name, '\tint v[3] = { 3, x, (int)pick(9) };\n\n\tqsort(v, 3, sizeof(v[0]), %s);\n'
                  '\tsink += v[1];\n\treturn v[0];\n' % compare)

    def make_copies(self, name, depth, fan, above):
        mine = [name] + above
        self.chains.append([COPIES] + mine)
        self.simple(name, depth, fan, above, '\tchar room[300];\n\tmemset(room, (int)sink, sizeof(room));\n'
                    '\t__asm__ volatile("" : : "r"(room) : "memory");\n\tmemmove(room + 9, room, 200 + pick(90));\n',
                    '\tsink += room[7] + r;\n')

    def make_last(self, name, depth, fan, above):
        """Its last instruction is a call, which does not return: it jumps back. What stands there is another function."""
        escape = name + '_escape'
        into = name + '_into'
        self.proto(name)
        self.proto(into, 'OWN __attribute__((noreturn)) void %s(jmp_buf back);')
        self.proto(escape, 'OWN __attribute__((noreturn)) void %s(jmp_buf back, int x);')
        # setjmp() and longjmp() are assembly: the latter's last instructions have the other stack already
        self.chains.append(['lib:.*jmp.*+', name] + above)
        self.chains.append(['lib:.*(longjmp|cleanup).*+', escape, into, name] + above)
        mine = [escape, into, name] + above
        self.chains.append(mine)
        self.body(escape, '\tint r = 0;\n\t%s\tsink += r;\n\tlongjmp(back, 1);\n' % self.calls(self.children(depth, fan, mine)),
                  'OWN void %s(jmp_buf back, int x)')
        self.body(into, '\twork(5);\n\t%s(back, 3);\n' % escape, 'OWN void %s(jmp_buf back)')
        self.body(name, '\tjmp_buf back;\n\n\tif (!setjmp(back))\n\t\t%s(back);\n\tsink += x;\n\treturn x + 1;\n' % into)

    def source(self):
        return '\n'.join(self.protos) + '\n' + '\n'.join(self.bodies)


def main_chains():
    return [['main'] + END, ['is_over', 'main'] + END, ['lib:.*strto.*+', 'main'] + END,
            ['lib:.*clock_gettime.*+', 'is_over', 'main'] + END,
            # what libc calls before main(), and when it has returned
            [AROUND_MAIN, 'lib:__libc_start_main.*', '_start?'], ['lib:_setjmp'] + END,
            [AROUND_MAIN, 'lib:__run_exit_handlers', 'lib:exit'] + END]


def with_main(tree, top, begin='', more=''):
    """The whole source: round_() calls one of the top functions."""
    return (HEAD + more + tree.source() + 'OWN static void begin(void)\n{\n%s}\n' % begin +
            'OWN static int round_(void)\n{\n\tint r = 0, x = 1;\n\t%s\treturn r + 1;\n}\n' % Tree.calls(top) + MAIN)


ROUND = ['round_', 'main'] + END


def tree(flags, compiler='gcc', kinds=Tree.KINDS, depth=4, fan=2, top=13, then='', **kw):
    """A tree that has every kind on its first level."""
    t = Tree(kinds=kinds)
    names = t.add_tops(top, depth, fan)
    flags = flags if 'frame-pointer' in flags else CFLAGS + ' ' + flags
    return Program('%s %s -o p p.c%s' % (compiler, flags, then), {'p.c': with_main(t, names)},
                   t.chains + [ROUND] + main_chains(), needs=compiler, **kw)


def without_tables(**kw):
    """The program's own code has neither tables nor frame pointers."""
    return tree('-O2 ' + NO_TABLES, tables=False, **kw)


def mixed():
    """Every second function, and what it calls, is in a file without tables: one object has both."""
    t = Tree(kinds=('plain', 'saves', 'frame', 'qsort', 'args', 'pointer'))
    names = t.add_tops(9)
    whole = with_main(t, names)
    # each function is in one file, by its number
    a, b = [], []
    for i, text in enumerate(t.bodies):
        (a if i % 3 else b).append(text)
    protos = '\n'.join(t.protos).replace('OWN static', 'OWN') + '\n'
    start = whole[whole.index('OWN static void begin'):]
    return Program('gcc %s -O2 -c a.c && gcc %s -O2 %s -c b.c && gcc -pthread -o p a.o b.o' % (CFLAGS, CFLAGS, NO_TABLES),
                   {'a.c': HEAD + protos + '\n'.join(a) + start, 'b.c': HEAD + protos + '\n'.join(b)},
                   t.chains + [ROUND] + main_chains(), tables=False)


def signals(alternate=False, flags='-O2'):
    """A timer's signal arrives anywhere; handlers have a tree of their own, above any other chain."""
    t = Tree()
    names = t.add_tops(13)
    back = ['lib:__restore_rt', '*']
    t.prefix = 'in_'
    t.kinds = ('plain', 'saves', 'frame', 'tail')
    handler = ['handler'] + back
    inner = t.children(4, 2, handler)
    begin = r'''	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART%s };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	stack_t other = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };

	sigaltstack(&other, NULL);
	sigaction(SIGPROF, &a, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
''' % (' | SA_ONSTACK' if alternate else '')
    more = '''OWN void handler(int sig)
{
	int r = 0, x = sig;

	for (int i = 0; i < 3000; i++)
		%s
	sink += r;
}
''' % Tree.calls(inner)
    source = with_main(t, names, begin)
    source = source.replace('OWN static void begin', more + 'OWN static void begin')
    return Program('gcc %s %s -o p p.c' % (CFLAGS, flags), {'p.c': source},
                   t.chains + [handler, back, ROUND] + main_chains())


def traps():
    """Signals that the first instruction of a function causes: what was interrupted returns to nothing before it."""
    t = Tree(kinds=('plain', 'saves', 'frame'), leaf='')
    traps_, names = [], []
    for i in range(16):
        name = 'trap_%d' % i
        traps_.append('.globl {0}\n.type {0}, @function\n{0}:\n.cfi_startproc\nud2\nlea 1(%rdi), %eax\nret\n'
                      '.cfi_endproc\n.size {0}, .-{0}\n'.format(name))
        t.proto(name, 'int %s(int x);')
    trap_nr = iter(range(16))

    def make_leaf(name, depth, fan, above):
        trap = 'trap_%d' % next(trap_nr)
        t.proto(name)
        t.body(name, '\tint r = %s(x);\n\n\tsink += r;\n\treturn r;\n' % trap)
        t.chains.append([trap, name] + above)
    t.make_leaf = make_leaf
    names = t.add_tops(8, 3)
    more = r'''OWN void handler(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	u->uc_mcontext.gregs[REG_RIP] += 2;
	work(20000);
	sink += sig;
}
'''
    begin = '''	struct sigaction a = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(SIGILL, &a, NULL);
'''
    assert len(t.chains) > 16, t.chains
    back = ['lib:__restore_rt', '*']
    return Program('gcc %s -O2 -o p p.c t.s' % CFLAGS,
                   {'p.c': with_main(t, names, begin, more), 't.s': '.text\n' + ''.join(traps_) +
                    '.section .note.GNU-stack, "", @progbits\n'},
                   t.chains + [['handler'] + back, back, ROUND] + main_chains())


def big_frame(size, callers=64, touched='memset(room, 1, sizeof(room));'):
    """One function with a large frame that each of its callers calls in turn; the leaf tells which one it was."""
    source, chains, names = HEAD, [], []
    source += '''OWN int big(int (*leaf)(int), int x)
{
	char room[%d];
	int r;

	%s
	__asm__ volatile("" : : "r"(room) : "memory");
	r = leaf(x);
	sink += room[9] + r;
	return r;
}
''' % (size, touched)
    for i in range(callers):
        source += '''OWN int leaf_{0}(int x)
{{
	work(9000);
	sink += x;
	return x;
}}
OWN int caller_{0}(int x)
{{
	int r = big(leaf_{0}, x);

	sink += r;
	return r;
}}
'''.format(i)
        mine = ['big', 'caller_%d' % i] + ROUND
        chains += [['leaf_%d' % i] + mine, mine, [COPIES] + mine]
        names.append('caller_%d' % i)
    source += '''OWN static void begin(void) {}
OWN static int round_(void)
{
	static int (*const to[])(int) = { %s };
	int r = 0;

	for (int i = 0; i < %d; i++)
		r += to[i](i);
	return r;
}
''' % (', '.join(names), callers) + MAIN
    return Program('gcc %s -O2 -o p p.c' % CFLAGS, {'p.c': source}, chains + [ROUND] + main_chains())


def evaluator(leaves=64):
    """A recursive evaluator: two functions call each other on paths of up to 60, which the leaf tells."""
    rnd = random.Random(7)
    source, chains, paths = HEAD, [], []
    source += '''typedef int leaf_fn(int x);
OWN int even(const char *path, leaf_fn *leaf);
OWN int odd(const char *path, leaf_fn *leaf);
'''
    for name, size in ('even', 280), ('odd', 120):
        source += '''OWN int %s(const char *path, leaf_fn *leaf)
{
	char room[%d];
	int r;

	memset(room, *path, 16);
	__asm__ volatile("" : : "r"(room) : "memory");
	if (!*path)
		r = leaf(3);
	else if (*path == 'e')
		r = even(path + 1, leaf);
	else
		r = odd(path + 1, leaf);
	sink += room[3] + r;
	return r;
}
''' % (name, size)
    for i in range(leaves):
        path = ''.join(rnd.choice('eo') for _ in range(rnd.randrange(2, 64)))
        source += '''OWN int leaf_%d(int x)
{
	work(2500);
	sink += x;
	return x;
}
''' % i
        chains.append(['leaf_%d' % i] + ['even' if c == 'e' else 'odd' for c in reversed(path)] + ['even'] + ROUND)
        paths.append('{ "%s", leaf_%d }' % (path, i))
    source += '''OWN static void begin(void) {}
OWN static int round_(void)
{
	static const struct { const char *path; leaf_fn *leaf; } all[] = { %s };
	unsigned int i = pick(sizeof(all) / sizeof(all[0]));
	int r = even(all[i].path, all[i].leaf);

	return r + 1;
}
''' % ',\n'.join(paths) + MAIN
    return Program('gcc %s -O2 -o p p.c' % CFLAGS, {'p.c': source}, chains + [ROUND] + main_chains())


def threads(nr=4):
    """Each thread has a tree of its own."""
    t, tops, bodies = Tree(), [], ''
    for i in range(nr):
        t.prefix = 't%d_' % i
        name = 'thread_%d' % i
        mine = [name] + THREAD
        t.chains.append(mine)
        t.chains.append(['is_over'] + mine)
        t.chains.append(['lib:.*clock_gettime.*+', 'is_over'] + mine)
        top = t.children(5, 2, mine)
        tops.append(name)
        bodies += '''OWN void *%s(void *arg)
{
	int r = 0, x = 1;

	seed = (uint64_t)(uintptr_t)&r;
	while (!is_over(*(long *)arg))
		for (int i = 0; i < 100; i++)
			%s
	sink += r;
	return NULL;
}
''' % (name, Tree.calls(top))
    head, main = MAIN.split('int main')
    source = HEAD + t.source() + head + bodies + '''int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 500;
	pthread_t t[%d];

%s	for (int i = 0; i < %d; i++)
		pthread_join(t[i], NULL);
	return 0;
}
''' % (nr, ''.join('\tpthread_create(&t[%d], NULL, %s, &ms);\n' % p for p in enumerate(tops)), nr)
    return Program('gcc %s -O2 -o p p.c' % CFLAGS, {'p.c': source}, t.chains + [['main'] + END])


def coroutines(nr=6):
    """Stacks that the program sets up, beside each other in memory; each has a tree of its own."""
    t = Tree(leaf='if (!pick(8)) pass_on(); work(pick(50));')
    bodies, names = '', []
    for i in range(nr):
        t.prefix = 'c%d_' % i
        name = 'coroutine_%d' % i
        mine = [name, 'lib:__start_context+?']
        t.chains.append(mine)
        before = len(t.chains)
        top = t.children(4, 2, mine)
        leaves = [c for c in t.chains[before:] if '_leaf_' in c[0]]
        t.chains += [['pass_on'] + c for c in leaves] + [['lib:.*swapcontext.*+', 'pass_on'] + c for c in leaves]
        names.append(name)
        bodies += '''OWN void %s(void)
{
	int r = 0, x = 1;

	for (;;) {
		%s
		sink += r;
	}
}
''' % (name, Tree.calls(top))
    more = '''static ucontext_t states[%d];
static unsigned int current;
OWN void pass_on(void)
{
	unsigned int was = current;

	if (current == %d)
		return;
	current = pick(%d);
	if (current != was)
		swapcontext(&states[was], &states[current]);
	sink++;
}
''' % (nr + 1, nr, nr + 1)
    bodies += '''OWN static void begin(void)
{
	char *stacks = malloc(%d * 20000);

	for (int i = 0; i < %d; i++) {
		getcontext(&states[i]);
		states[i].uc_stack.ss_sp = stacks + i * 20000;
		states[i].uc_stack.ss_size = 20000;
		states[i].uc_link = NULL;
	}
%s}
OWN static int round_(void)
{
	current = 0;
	swapcontext(&states[%d], &states[0]);
	return 1;
}
''' % (nr, nr, ''.join('\tmakecontext(&states[%d], %s, 0);\n' % p for p in enumerate(names)), nr)
    chains = t.chains + [['lib:.*swapcontext.*+'] + ROUND, ROUND] + main_chains() + [['begin', 'main'] + END]
    return Program('gcc %s -O2 -o p p.c' % CFLAGS, {'p.c': HEAD + more + t.source() + bodies + MAIN}, chains)


def exceptions():
    """C++: half of the leaves throw, some functions between have something to destroy, every third level catches."""
    rnd = random.Random(3)
    text, chains, nr = [], [], [0]
    unwinder = 'lib:.*+'

    def add(depth, above):
        i = nr[0]
        nr[0] += 1
        if not depth:
            name = 'leaf_%d' % i
            throws = i % 2
            text.append('OWN int %s(int x)\n{\n\twork(pick(60));\n%s\tsink = sink + x;\n\treturn x;\n}\n' %
                        (name, '\tif (pick(4))\n\t\tthrow x;\n' if throws else ''))
            chains.append([name] + above)
            if throws:
                chains.append([unwinder, name] + above)
            return name
        kind = ('catches', 'destroys', 'plain', 'virtual')[rnd.randrange(4) if depth < 5 else 0]
        name = '%s_%d' % (kind, i)
        mine = [name] + above
        chains.append(mine)
        if kind == 'virtual':
            # the object's function calls the children
            run = 'runner_%d::run' % i
            below = [run] + mine
            chains.append(below)
        else:
            below = mine
        calls = Tree.calls([add(depth - 1, below) for _ in range(2 if depth > 3 else 1)])
        if kind == 'catches':
            chains.append([unwinder] + mine)
            body = '\tint r = 0;\n\ttry {\n\t%s\t} catch (int caught) {\n\t\tr = caught;\n\t}\n\tsink = sink + r;\n\treturn r;\n' % calls
        elif kind == 'destroys':
            # the destructor is called as exceptions pass, too, which go on from here
            chains.append([unwinder] + mine)
            chains.append(['guard::~guard'] + mine)
            body = '\tguard g;\n\tint r = 0;\n\t%s\tsink = sink + r;\n\treturn r;\n' % calls
        elif kind == 'virtual':
            text.append('struct runner_%d : runner { OWN int run(int x) override; };\n'
                        'int runner_%d::run(int x)\n{\n\tint r = 0;\n\t%s\tsink = sink + r;\n\treturn r;\n}\n' % (i, i, calls))
            body = '\trunner_%d here;\n\trunner *any = &here;\n\t__asm__ volatile("" : "+r"(any));\n' \
                   '\tint r = any->run(x);\n\tsink = sink + r;\n\treturn r;\n' % i
        else:
            body = '\tint r = 0;\n\t%s\tsink = sink + r;\n\treturn r;\n' % calls
        text.append('OWN int %s(int x)\n{\n%s}\n' % (name, body))
        return name

    tops = [add(6, ROUND) for _ in range(4)]
    head = HEAD.replace('extern volatile long sink;', '''struct runner { virtual int run(int x) = 0; };
extern volatile long sink;''') + '''struct guard { OWN ~guard(); };
OWN guard::~guard()
{
	work(9);
	sink = sink + 1;
}
'''
    source = head + '\n'.join(text) + 'OWN static void begin(void) {}\nOWN static int round_(void)\n{\n' \
        '\tint r = 0, x = 1;\n\t%s\treturn r + 1;\n}\n' % Tree.calls(tops) + MAIN.replace('sink++', 'sink = sink + 1')
    return Program('g++ %s -O2 -o p p.cpp' % CFLAGS, {'p.cpp': source}, chains + [ROUND] + main_chains(), needs='g++')


def assembly(tables=False):
    """Functions written by hand that use much of the stack without writing to it: return addresses of earlier calls,
    also of calls of the same function, are still there. rbp is a counter. Callers have frames of several sizes. With
    tables, frames are found by rbx, which leaves save and use."""
    cfi = (lambda *words: ''.join(w + '\n' for w in words)) if tables else (lambda *words: '')
    asm, source, chains, names = '.text\n', HEAD, [], []
    for i, size in enumerate((248, 1016, 2040, 504)):
        asm += ('.globl {0}\n.type {0}, @function\n{0}:\n' + cfi('.cfi_startproc') + 'push %rbp\n' +
                cfi('.cfi_adjust_cfa_offset 8', '.cfi_offset rbp, -16') + 'push %rbx\n' +
                cfi('.cfi_adjust_cfa_offset 8', '.cfi_offset rbx, -24') + 'mov %rsp, %rbx\n' +
                cfi('.cfi_def_cfa_register rbx') + 'sub ${1}, %rsp\nmov $3, %ebp\n'
                'mov %rdi, (%rsp)\n1: mov (%rsp), %rax\nmov %rsi, %rdi\ncall *%rax\ndec %ebp\njnz 1b\nadd ${1}, %rsp\n' +
                cfi('.cfi_def_cfa_register rsp') + 'pop %rbx\n' + cfi('.cfi_adjust_cfa_offset -8', '.cfi_restore rbx') +
                'pop %rbp\n' + cfi('.cfi_adjust_cfa_offset -8', '.cfi_restore rbp') +
                'ret\n' + cfi('.cfi_endproc') + '.size {0}, .-{0}\n').format('raw_%d' % i, size)
        source += 'int raw_%d(int (*leaf)(int), int x);\n' % i
    for i in range(24):
        size = (16, 300, 900, 2500)[i % 4]
        raw = 'raw_%d' % (i // 4 % 4)
        source += '''OWN int leaf_{0}(int x)
{{
	__asm__ volatile("mov $1, %%rbx" : : : "rbx");
	work(pick(300));
	sink += x;
	return 3;
}}
OWN int caller_{0}(int x)
{{
	char room[{1}];
	int r;

	room[pick(sizeof(room))] = 1;
	__asm__ volatile("" : : "r"(room) : "memory");
	r = {2}(leaf_{0}, x);
	sink += r + room[2];
	return r;
}}
'''.format(i, size, raw)
        mine = [raw, 'caller_%d' % i] + ROUND
        chains += [['leaf_%d' % i] + mine, mine]
        names.append('caller_%d' % i)
    source += 'OWN static void begin(void) {}\nOWN static int round_(void)\n{\n\tint r = 0, x = 1;\n\t%s\treturn r + 1;\n}\n' % \
        Tree.calls(names) + MAIN
    return Program('gcc %s -O2 -o p p.c raw.s' % CFLAGS,
                   {'p.c': source, 'raw.s': asm + '.section .note.GNU-stack, "", @progbits\n'},
                   chains + [ROUND] + main_chains(), tables=tables)


def sleeping():
    """Leaves sleep: for --off-cpu. It ends after three rounds for each millisecond: enough for most chains."""
    t = Tree(leaf='nanosleep(&(struct timespec) { .tv_nsec = 100000 }, NULL);', leaf_words=['lib:.*nanosleep.*+'],
             kinds=('plain', 'saves', 'frame', 'alloca', 'qsort', 'pointer', 'args', 'tail', 'recursion'),
             fan_above=0)  # a sample for each chain is all there is
    names = t.add_tops(9)
    source = with_main(t, names)
    source = source.replace('while (!is_over(ms))\n\t\tfor (int i = 0; i < 100; i++)',
                            'for (long nr = 0; nr < 3 * ms && !is_over(60000); nr++)')
    assert 'nr < 3 * ms' in source
    return Program('gcc %s -O2 -o p p.c' % CFLAGS, {'p.c': source}, t.chains + [ROUND] + main_chains(), sleeps=True)


# Name -> what makes the Program
PROGRAMS = {
    'c-O2': lambda: tree('-O2'),
    'c-O3': lambda: tree('-O3 -march=native'),
    'c-clang': lambda: tree('-O2', compiler='clang'),
    'c-frame-pointers': lambda: tree('-O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -Wl,-z,now -pthread', kept=True,
                                     kinds=('plain', 'saves', 'frame', 'pointer', 'alloca', 'aligned', 'recursion', 'args')),
    'c-signals': signals,
    'c-sigaltstack': lambda: signals(alternate=True),
    'c-traps': traps,
    'c-frame-12k': lambda: big_frame(12288),
    'c-frame-100k': lambda: big_frame(100000),
    'c-evaluator': evaluator,
    'c-threads': threads,
    'c-coroutines': coroutines,
    'c++-exceptions': exceptions,
    'c-no-tables': without_tables,
    'c-no-tables-stripped': lambda: without_tables(then=' && cp p named && strip p'),
    'c-mixed': mixed,
    'assembly': assembly,
    'assembly-tables': lambda: assembly(tables=True),
    'c-sleeps': sleeping,
}
