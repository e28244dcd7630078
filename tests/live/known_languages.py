# SPDX-License-Identifier: GPL-2.0-or-later
"""The call trees of known_programs.py in other languages: Java, JavaScript, Go, Rust, Lisp, PHP, Erlang and Python (PyPy),
whose compilers mostly know no tables but keep frame pointers, or could. One tree for all: functions f_N with one caller each, some of which recurse;
inlining is turned off. What calls the outermost function of the tree is the runtime's."""
import random

from known_programs import END, Program

ABOVE = ['any+']  # the runtime, however it calls
ROUNDS = 1 << 30


def make_tree(depth=4, fan=2, top=4):
    """(name, how often it recurses, children), the callers first; the first one is the outermost."""
    nodes, rnd = [], random.Random(5)

    def add(level):
        me = len(nodes)
        nodes.append(None)
        times = rnd.choice((1, 1, 1, 4)) if level else 1
        children = [add(level - 1) for _ in range(top if me == 0 else fan)] if level else []
        nodes[me] = ('f_%d' % me, times, children)
        return me
    add(depth)
    return nodes


def chains_of(nodes, form='%s', above=ABOVE):
    """form: the words of one call of a function."""
    chains, of = [], {0: None}

    def walk(me, callers):
        name, times, children = nodes[me]
        mine = [word for _ in range(times) for word in (form % name).split()] + callers
        chains.append(mine)
        for child in children:
            walk(child, mine)
    walk(0, list(above))
    return chains


def java(flags, interpreted=False):
    nodes = make_tree()
    text = 'public class W {\n\tstatic long seed = 1, sink;\n\tstatic int pick(int n) {\n' \
        '\t\tseed = seed * 6364136223846793005L + 1442695040888963407L;\n\t\treturn (int)((seed >>> 33) % n);\n\t}\n'
    for name, times, children in nodes:
        if not children:
            body = '\t\tfor (int i = 0; i < 60 + x; i++)\n\t\t\tsink += i ^ (sink >> 3);\n\t\treturn x + (int)sink;\n'
        else:
            body = ('\t\tint r = 0;\n' + ('\t\tif (n > 1)\n\t\t\tr = %s(x, n - 1);\n\t\telse\n' % name if times > 1 else '') +
                    '\t\tswitch (pick(%d)) {\n' % len(children) + ''.join(
                        '\t\t%s: r = %s(x%s); break;\n' % (
                            'case %d' % i if i + 1 < len(children) else 'default', nodes[c][0],
                            ', %d' % nodes[c][1] if nodes[c][1] > 1 else '') for i, c in enumerate(children)) +
                    '\t\t}\n\t\tsink += r;\n\t\treturn r + 1;\n')
        text += '\tstatic int %s(int x%s) {\n%s\t}\n' % (name, ', int n' if times > 1 else '', body)
    text += '''	static void tell() throws java.io.IOException {
		try (var control = new java.io.FileWriter("ctl"); var answer = new java.io.FileReader("ack")) {
			control.write("enable\\n");
			control.flush();
			answer.read();
		}
	}
	public static void main(String[] args) throws java.io.IOException {
		for (int i = 0; i < 1000000; i++)
			f_0(3);
		tell();
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000;
		while (System.nanoTime() < end)
			for (int i = 0; i < 1000; i++)
				f_0(3);
	}
}
'''
    # -Xbatch: once the rounds before are over, all is compiled, however busy the machine is
    chains = chains_of(nodes, '%s|Interpreter')
    chains = [['pick'] + c for c in chains if not c[0].startswith('any')] + chains
    return Program('javac -J-XX:TieredStopAtLevel=1 -d . W.java', {'W.java': text}, chains, needs='javac', tables=False,
                   run='java -Xbatch -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -XX:CompileCommand=quiet '
                   '-XX:CompileCommand=dontinline,W.* %s -cp . W' % flags, kept='Preserve' in flags,
                   comm='java', start_told=True, inside=r'^f_\d+$|^Interpreter$' if interpreted else r'^(f_\d+|pick)$')


def javascript(flags):
    nodes = make_tree()
    text = 'let seed = 1, sink = 0;\nfunction pick(n) { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; }\n'
    for name, times, children in nodes:
        if not children:
            body = '  for (let i = 0; i < 60 + x; i++) sink = (sink + (i ^ (sink >> 3))) | 0;\n  return x + sink;\n'
        else:
            body = '  let r = 0;\n' + ('  if (n > 1) r = %s(x, n - 1); else\n' % name if times > 1 else '') + \
                '  switch (pick(%d)) {\n' % len(children) + ''.join(
                    '  %s: r = %s(x, %d); break;\n' % ('case %d' % i if i + 1 < len(children) else 'default', nodes[c][0],
                                                       nodes[c][1]) for i, c in enumerate(children)) + \
                '  }\n  sink = (sink + r) | 0;\n  return (r + 1) | 0;\n'
        text += 'function %s(x, n) {\n%s}\n' % (name, body)
    text += 'const end = Date.now() + +process.argv[2];\nwhile (Date.now() < end)\n  for (let i = 0; i < 1000; i++) f_0(3, 1);\n'
    chains = chains_of(nodes)
    return Program('true', {'w.js': text}, [['pick'] + c for c in chains] + chains, needs='node', tables=False,
                   run='node %s --no-turbo-inlining w.js' % flags, kept=True, comm='node', start_ms=500,
                   inside=r'^(f_\d+|pick)$')


def go(flags=''):
    nodes = make_tree()
    text = 'package main\n\nimport (\n\t"os"\n\t"strconv"\n\t"time"\n)\n\nvar seed uint64 = 1\nvar sink int\n\n' \
        '//go:noinline\nfunc pick(n int) int {\n\tseed = seed*6364136223846793005 + 1442695040888963407\n' \
        '\treturn int(seed>>33) % n\n}\n\n'
    for name, times, children in nodes:
        if not children:
            body = '\tfor i := 0; i < 60+x; i++ {\n\t\tsink += i ^ (sink >> 3)\n\t}\n\treturn x + sink\n'
        else:
            body = '\tr := 0\n' + ('\tif n > 1 {\n\t\tr = %s(x, n-1)\n\t\tsink += r\n\t\treturn r + 1\n\t}\n' % name if times > 1 else '') + \
                '\tswitch pick(%d) {\n' % len(children) + ''.join(
                    '\t%s:\n\t\tr = %s(x, %d)\n' % ('case %d' % i if i + 1 < len(children) else 'default', nodes[c][0],
                                                   nodes[c][1]) for i, c in enumerate(children)) + \
                '\t}\n\tsink += r\n\treturn r + 1\n'
        text += '//go:noinline\nfunc %s(x, n int) int {\n%s}\n\n' % (name, body)
    text += '''func main() {
	ms, _ := strconv.Atoi(os.Args[1])
	end := time.Now().Add(time.Duration(ms) * time.Millisecond)
	for time.Now().Before(end) {
		for i := 0; i < 1000; i++ {
			f_0(3, 1)
		}
	}
}
'''
    chains = chains_of(nodes, above=['main', 'any+'])
    return Program('HOME=. GOCACHE=$PWD/cache go build %s -o p p.go' % flags, {'p.go': text},
                   [['pick'] + c for c in chains] + chains, needs='go', comm='p', inside=r'^(f_\d+|pick)$', kept=True)


def rust():
    nodes = make_tree()
    text = 'static mut SEED: u64 = 1;\nstatic mut SINK: i64 = 0;\n#[inline(never)]\nfn pick(n: u64) -> u64 {\n' \
        '    unsafe { SEED = SEED.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);\n    (SEED >> 33) % n }\n}\n'
    for name, times, children in nodes:
        if not children:
            # (equal functions are merged)
            body = '    unsafe { for i in 0..60 + x { SINK = SINK.wrapping_add(i ^ (SINK >> 3)); }\n    ' \
                'x.wrapping_add(SINK + %s) }\n' % name[2:]
        else:
            body = '    let r;\n' + ('    if n > 1 { r = %s(x, n - 1); } else\n' % name if times > 1 else '') + \
                '    { r = match pick(%d) {\n' % len(children) + ''.join(
                    '        %s => %s(x, %d),\n' % (i if i + 1 < len(children) else '_', nodes[c][0], nodes[c][1])
                    for i, c in enumerate(children)) + '    }; }\n' \
                '    unsafe { SINK = SINK.wrapping_add(r); }\n    r.wrapping_add(%s)\n' % name[2:]
        text += '#[inline(never)]\nfn %s(x: i64, n: i64) -> i64 {\n    std::hint::black_box(n);\n%s}\n' % (name, body)
    text += '''fn main() {
    let ms: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let begin = std::time::Instant::now();
    while begin.elapsed().as_millis() < ms as u128 {
        for _ in 0..1000 { f_0(3, 1); }
    }
}
'''
    chains = chains_of(nodes, above=['main', 'any+'])
    return Program('rustc -A warnings -O -o p p.rs', {'p.rs': text}, [['pick'] + c for c in chains] + chains, needs='rustc',
                   comm='p', inside=r'^(f_\d+|pick)$')


def lisp():
    """Its functions keep frame pointers. It writes its own map of names."""
    nodes = make_tree()
    text = '(declaim (optimize (speed 2) (debug 0) (safety 0)))\n(defvar *seed* 1) (declaim (type fixnum *seed*))\n' \
        '(defvar *sink* 0) (declaim (type fixnum *sink*))\n' \
        '(defun pick (n) (declare (fixnum n)) (setf *seed* (logand (+ (* *seed* 1103515245) 12345) #x7fffffff)) (mod (ash *seed* -8) n))\n'
    for name, times, children in reversed(nodes):
        if not children:
            body = '(dotimes (i (the fixnum (+ 60 x))) (declare (fixnum i)) (setf *sink* (logand #xffffff (+ *sink* (logxor i (ash *sink* -3)))))) (the fixnum (+ x *sink*))'
        else:
            body = '(let ((r 0)) (declare (fixnum r)) ' + \
                ('(if (> n 1) (setf r (%s x (- n 1))) ' % name if times > 1 else '(progn ') + \
                '(setf r (case (pick %d) %s))) (setf *sink* (logand #xffffff (+ *sink* r))) (logand #xffffff (+ r 1)))' % (
                    len(children), ' '.join('(%s (%s x %d))' % (i if i + 1 < len(children) else 't', nodes[c][0], nodes[c][1])
                                            for i, c in enumerate(children)))
        text += '(declaim (notinline %s))\n(defun %s (x n) (declare (fixnum x n) (ignorable n)) %s)\n' % (name, name, body)
    text += '''(sb-ext:gc :full t)
(with-open-file (out (format nil "/tmp/perf-~d.map" (sb-unix:unix-getpid)) :direction :output :if-exists :supersede)
  (dolist (name '(pick %s))
    (let* ((code (sb-kernel:fun-code-header (sb-kernel:%%fun-fun (fdefinition name))))
           (at (sb-sys:sap-int (sb-kernel:code-instructions code))))
      (format out "~(~x~) ~(~x~) ~(~a~)~%%" at (sb-kernel:%%code-text-size code) name))))
(let ((end (+ (get-internal-real-time) (* 1000 (parse-integer (car (last sb-ext:*posix-argv*)))))))
  (loop while (< (get-internal-real-time) end) do (dotimes (i 1000) (f_0 3 1))))
(sb-ext:exit :abort t)
''' % ' '.join(name for name, _, _ in nodes)
    chains = chains_of(nodes)
    return Program('true', {'w.lisp': text}, [['pick'] + c for c in chains] + chains, needs='sbcl', tables=False,
                   run='sbcl --noinform --disable-debugger --load w.lisp --end-toplevel-options', kept=True, comm='sbcl', start_ms=1500,
                   inside=r'^(f_\d+|pick)$')


def php(jit):
    """Calls of compiled functions push nothing: the code of all runs in the frame of execute_ex(), and what it calls are
    functions of the interpreter."""
    nodes = make_tree()
    text = '<?php\n$seed = 1;\nfunction pick(int $x, int $n): int { return ($x * 5 + 3) % $n; }\n'
    for name, times, children in nodes:
        if not children:
            body = '$s = 1; for ($i = 0; $i < 60 + $x; $i++) $s = ($s + ($i ^ ($s >> 3))) & 0xffffff; return $x + $s;'
        else:
            body = ('if ($n > 1) $r = %s($x, $n - 1); else ' % name if times > 1 else '') + 'switch (pick($x, %d)) { %s } return ' \
                '($r + 1) & 0xff;' % (len(children), ' '.join('%s: $r = %s($x + %d, %d); break;' % (
                    'case %d' % i if i + 1 < len(children) else 'default', nodes[c][0], i, nodes[c][1])
                    for i, c in enumerate(children)))
        text += 'function %s(int $x, int $n): int { %s }\n' % (name, body)
    text += '$end = microtime(true) + $argv[1] / 1000;\nwhile (microtime(true) < $end)\n' \
        '  for ($i = 0; $i < 1000; $i++) f_0($i & 15, 1);\n'
    names = '|'.join([name for name, _, _ in nodes] + ['pick'])
    above = ['lib:execute_ex?', 'lib:zend_execute', 'lib:zend_execute_scripts', 'lib:php_execute_script',
             'lib:\\[unknown\\].*+', 'lib:__libc_start_call_main', 'lib:__libc_start_main.*', 'lib:_start']
    return Program('php -d opcache.enable_cli=1 -r "exit(extension_loaded(\'Zend OPcache\') ? 0 : 1);"', {'w.php': text},
                   [[names] + above], needs='php', tables=False, comm='php', start_ms=300, inside='^(%s)$' % names,
                   run='php -d opcache.file_update_protection=0 -d opcache.enable_cli=1 -d opcache.jit=%s -d opcache.jit_buffer_size=64M '
                   '-d opcache.jit_debug=16 w.php' % jit)


def erlang():
    """Its processes have their stacks in its heap, and compiled code keeps frame pointers; C is called on another stack."""
    nodes = make_tree()
    text = '-module(w).\n-export([main/1]).\npick(X, N) -> (X * 5 + 3) rem N.\nwork(0, _, S) -> S;\n' \
        'work(I, N, S) -> work(I - 1, N, (S + (I bxor (S bsr 3))) band 16#ffffff).\n'
    for name, times, children in nodes:
        if not children:
            # (calls at a function's end are jumps)
            body = 'R = work(60 + X, N, N), X + R'
        else:
            cases = '; '.join('%s -> %s(X + %d, %d)' % (i if i + 1 < len(children) else '_', nodes[c][0], i, nodes[c][1])
                              for i, c in enumerate(children))
            inner = 'case pick(X, %d) of %s end' % (len(children), cases)
            body = 'R = %s, (R + 1) band 255' % (
                'if N > 1 -> %s(X, N - 1); true -> %s end' % (name, inner) if times > 1 else inner)
        text += '%s(X, N) -> %s.\n' % (name, body)
    text += 'again(0) -> ok;\nagain(N) -> f_0(N band 15, 1), again(N - 1).\n' \
        'run(End) -> again(1000), case erlang:monotonic_time(millisecond) < End of true -> run(End); _ -> ok end.\n' \
        'main([Ms]) -> run(erlang:monotonic_time(millisecond) + list_to_integer(atom_to_list(Ms))), halt().\n'
    chains = chains_of(nodes, above=['w:again/1', 'any+'])
    return Program('erlc w.erl', {'w.erl': text}, [['pick'] + c for c in chains] + [['w:work/3'] + c for c in chains] + chains,
                   needs='erl', tables=False, run='erl +JPperf true +S 1 -noshell -s w main', kept=True, comm='1_scheduler',
                   start_ms=1000, inside=r'^(f_\d+|pick|w:work/3)$')


def pypy():
    """Its compiled code has no names: what follows what, then. A compiled loop may call another one, and the interpreter."""
    nodes = make_tree()
    text = 'import sys, time\nsink = 0\ndef pick(x, n):\n  return (x * 5 + 3) % n\n'
    for name, times, children in nodes:
        if not children:
            body = '  s = 1\n  for i in range(60 + x):\n    s = (s + (i ^ (s >> 3))) & 0xffffff\n  return x + s\n'
        else:
            body = ('  if n > 1:\n    return %s(x, n - 1) + 1\n' % name if times > 1 else '') + \
                '  return ((%s)[pick(x, %d)](x, 1) + 1) & 255\n' % (', '.join(nodes[c][0] for c in children), len(children))
        text += 'def %s(x, n):\n%s' % (name, body)
    text += 'end = time.time() + int(sys.argv[1]) / 1000\nwhile time.time() < end:\n' \
        '  for i in range(1000):\n    f_0(i & 15, 1)\n'
    compiled, runtime, depth = '[unknown]+', 'lib:.*+', 5
    chains = [['lib:.*+?'] + [compiled + '?', runtime] * depth + END]
    return Program('true', {'w.py': text}, chains, needs='pypy3', tables=False, run='pypy3 w.py', comm='pypy3', start_ms=800,
                   inside='.*')


LANGUAGES = {
    'java': lambda: java(''),
    # compiled code calls interpreted code and the other way round, all the time
    'java-mixed': lambda: java('-XX:CompileCommand=exclude,W.*1 -XX:CompileCommand=exclude,W.*9', interpreted=True),
    'java-c1': lambda: java('-XX:TieredStopAtLevel=1'),
    'java-interpreter': lambda: java('-Xint', interpreted=True),
    'java-frame-pointers': lambda: java('-XX:+PreserveFramePointer'),
    'java-c1-frame-pointers': lambda: java('-XX:TieredStopAtLevel=1 -XX:+PreserveFramePointer'),
    'node': lambda: javascript('--perf-basic-prof --interpreted-frames-native-stack'),
    'go': go,
    'go-stripped-of-dwarf': lambda: go('-ldflags -w'),
    'rust': rust,
    'lisp': lisp,
    'php-tracing': lambda: php('tracing'),
    'php-function': lambda: php('function'),
    'erlang': erlang,
    'pypy': pypy,
}
