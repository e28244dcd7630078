#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Small files that claim much: none may cost much time or memory.

    made.py --perf BUILD/perf
"""
import argparse
import os
import resource
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import make_stat_file as stat_file  # noqa: E402
import make_switch_file as switch_file  # noqa: E402

CPU_SECONDS = 30
MEMORY = 512 << 20
MANY_CPUS = 65534
UPDATE_CPUS = 3
PAGE = 0x1000
MANY_MAPPINGS = 200000
WRITTEN = 32 << 20


class CountFile(stat_file.Writer):
    """A file of perf stat record, per CPU; the parts that claim too much are arguments."""

    def __init__(self, nr_events=4, last_cpu=3, maps=1, values=1, event_cpus=0, nodes=2):
        super().__init__('<')
        self.events = [('e%d' % i, 1, 1) for i in range(nr_events)]
        self.last_cpu, self.maps, self.values = last_cpu, maps, values
        self.event_cpus, self.nodes = event_cpus, nodes

    def ids(self, event):
        return [event + 1]

    def cpu_range(self, last):
        return self.pack('HBBHH', 2, 0, 0, 0, last)

    def data(self):
        out = [self.record(stat_file.RECORD_EVENT_UPDATE, self.pack('QQ', UPDATE_CPUS, i + 1)
                           + self.cpu_range(self.event_cpus) + bytes(16))
               for i in range(len(self.events) if self.event_cpus else 0)]
        out.append(self.record(stat_file.RECORD_THREAD_MAP, self.pack('Qq16s', 1, -1, b'')))
        out += [self.record(stat_file.RECORD_CPU_MAP, self.cpu_range(self.last_cpu))] * self.maps
        out.append(self.record(stat_file.RECORD_STAT_CONFIG, self.pack('7Q', 3, 0, 0, 1, 0, 2, 1)))
        out += [self.record(stat_file.RECORD_STAT,
                            self.pack('QIIQQQ', 1, self.last_cpu, 0, 5, 5, 5))] * self.values
        out.append(self.record(stat_file.RECORD_STAT_ROUND, self.pack('QQ', 1, 10**9)))
        return b''.join(out)

    def features(self):
        out = super().features()
        node = self.string('0-1048575')
        out[stat_file.FEAT_NUMA] = self.pack('I', self.nodes) + b''.join(
            self.pack('IQQ', i, 1, 1) + node for i in range(self.nodes))
        return out

    def file(self):
        stat_file.EVENTS = self.events
        return super().file()


class Terminal(stat_file.Writer):
    """A unit and an event that would be commands of a terminal."""

    def data(self):
        return self.record(stat_file.RECORD_EVENT_UPDATE,
                           self.pack('QQ', 0, 101) + b'\x1b[32mg\0') + super().data()

    def file(self):
        stat_file.EVENTS = [('a\x1b[31mred', 1, 1)] + [('e%d' % i, 0, i) for i in range(3)]
        return super().file()


class NoThreads(stat_file.Writer):
    """Counts by thread, and nothing that says of which."""

    def data(self):
        return (self.record(stat_file.RECORD_STAT_CONFIG, self.pack('7Q', 3, 0, 5, 1, 0, 2, 1)) +
                self.record(stat_file.RECORD_STAT, self.pack('QIIQQQ', 1, 0xffffffff, 0, 5, 5, 5)) +
                self.record(stat_file.RECORD_STAT_ROUND, self.pack('QQ', 1, 10**9)))


class Trace:
    """A stream that ends behind a record that claims a trace."""

    def __init__(self, size):
        self.size = size

    def file(self):
        attr = struct.pack('<IIQQQQQ', 1, 112, 0, 1, 1, 0, 0).ljust(112, b'\0')
        return (b'PERFILE2' + struct.pack('<Q', 16) +
                struct.pack('<IHH', 64, 0, 8 + len(attr) + 8) + attr + struct.pack('<Q', 1) +
                struct.pack('<IHHQQQIIII', 71, 0, 48, self.size, 0, 0, 0, 0, 0, 0))


class Mappings:
    """Very many mappings of code of one process, told by name and address."""

    def __init__(self, maps):
        self.maps = maps

    def file(self):
        out = switch_file.Recording(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None))
        who = struct.pack('<II', switch_file.PID, switch_file.PID)
        parts = []
        for i, (name, addr) in enumerate(self.maps):
            body = who + struct.pack('<QQQ', addr, PAGE, addr) + name.ljust(8, b'\0')
            body += who + struct.pack('<QIIQ', i + 1, 1, 0, 1)
            parts.append(struct.pack('<IHH', 1, 2, 8 + len(body)) + body)
        out.out = b''.join(parts)
        return out.file()


def replaced(count):
    """Two programs that replace each other, in turns with memory where nothing ever was."""
    for i in range(count):
        yield (b'/bin/%c' % (ord('a') + i % 2), (count + 1) * PAGE)
        yield (b'//anon', (i + 1) * PAGE)


class Compressed(switch_file.Recording):
    """Compressed records, each block of which claims as much as a block can: 8 bytes, over and over."""

    BLOCK = 1 << 17

    def __init__(self, blocks, pattern, window_log=17):
        super().__init__(argparse.Namespace(chain=False, group=False, no_switches=True, bare=False, cmdline=None,
                                            plain=False, wide=False))
        # 8 literals; one sequence: these, then the rest of the block from 8 bytes before (RFC 8878)
        offset_code, offset_extra, length_code, length_base = 3, 3, 52, 65539
        bits = 1 << 19 | offset_extra << 16 | (self.BLOCK - 8 - length_base)
        body = bytes([8 << 3]) + pattern + bytes([1, 0x54, 8, offset_code, length_code]) + bits.to_bytes(3, 'little')
        block = (2 << 1 | len(body) << 3).to_bytes(3, 'little') + body
        stream = struct.pack('<IBB', 0xfd2fb528, 0, (window_log - 10) << 3) + block * blocks
        for at in range(0, len(stream), 60000):
            piece = stream[at:at + 60000]
            self.out += struct.pack('<IHH', 81, 0, 8 + len(piece)) + piece

    def features(self):
        return {**super().features(), 27: struct.pack('<5I', 1, 1, 1, 9, 1 << 19)}


ROUND = struct.pack('<IHH', 68, 0, 8)
# (a sample without its parts, which is skipped)
EMPTY_SAMPLE = struct.pack('<IHH', 9, 2, 8)


def cases(many):
    """Name, file, command, part of the error output (None: not looked at). many(n): how many of what is to be many."""
    return [
        ('events with CPUs of their own', CountFile(nr_events=many(2000), event_cpus=MANY_CPUS),
         'stat report', 'claims more than'),
        ('many maps of CPUs', CountFile(last_cpu=MANY_CPUS, maps=many(40000)), 'stat report', 'ignored'),
        ('many values of the last CPU', CountFile(last_cpu=MANY_CPUS, values=many(400000)),
         'stat report -A', None),
        ('commands of a terminal as a name', Terminal('<'), 'stat report', 'a\\x1b[31mred '),
        ('commands of a terminal as a unit', Terminal('<'), 'stat report -x,', ',\\x1b[32mg,'),
        ('threads that are not told', NoThreads('<'), 'stat report', '                --1  '),
        ('many large nodes', CountFile(nodes=many(20000)), 'stat report --per-node', None),
        ('many pieces of a program',
         Mappings((b'/bin/a', (i + 1) * PAGE) for i in range(many(2 * MANY_MAPPINGS))), 'report', None),
        ('compressed rounds without end', Compressed(3300, ROUND), 'report', 'makes more of itself'),
        ('compressed samples without end', Compressed(3300, EMPTY_SAMPLE), 'report', 'makes more of itself'),
        ('compressed samples without end, by time', Compressed(3300, EMPTY_SAMPLE), 'script', 'makes more of itself'),
        ('long compressed samples without end', Compressed(3300, struct.pack('<IHH', 9, 2, 0xfff8)), 'script',
         'makes more of itself'),
        ('a compressed window of 2 GB', Compressed(1, ROUND, 31), 'report', 'compressed data is broken'),
        ('a trace that is not there', Trace(1 << 62), 'inject -o FILE', 'is cut'),
        ('a trace that is not there, as a stream', Trace(1 << 40), 'inject', 'is cut'),
        ('a trace that is not there, in order', Trace(1 << 62), 'inject -j', None),
        ('many programs, one after the other', Mappings(replaced(many(MANY_MAPPINGS))), 'report', None),
    ]


def is_sanitized(perf):
    with open(perf, 'rb') as f:
        return b'__asan_init' in f.read()


def how_many(sanitized):
    """Large inputs test time and memory, which the build without sanitizers does; with them a twentieth runs the same code."""
    return (lambda n: n // 20) if sanitized else (lambda n: n)


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))


def run(perf, command, path, seconds=CPU_SECONDS):
    """Exit status (of a signal: negative), peak memory, error output."""
    # a child of its own, since only the largest child's memory is known
    code = ('import resource,subprocess,sys\n'
            'r=subprocess.run(sys.argv[2:],stdout=open(sys.argv[1],"wb"),check=False)\n'
            'print(r.returncode,resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)')
    # (MALLOC_PERTURB_, which meson sets, touches memory that the program leaves alone)
    env = {k: v for k, v in os.environ.items() if k != 'MALLOC_PERTURB_'}
    words = [path + '.copy' if word == 'FILE' else word for word in command.split()]
    done = subprocess.run([sys.executable, '-S', '-c', code, path + '.out', perf] + words + ['-i', path],
                          capture_output=True, text=True, preexec_fn=lambda: limits(seconds), check=False,
                          env=dict(env, PERF_CONFIG='/dev/null', LC_ALL='C'))
    status, peak = map(int, done.stdout.split())
    return status, peak << 10, done.stderr


def check(perf, sanitized, case, path):
    """None or what went wrong."""
    _, content, command, wanted = case
    with open(path, 'wb') as f:
        f.write(content.file())
    status, peak, errors = run(perf, command, path)
    if status not in (0, 255):
        return 'exit status %d: %s' % (status, errors[-500:])
    if wanted and wanted not in errors and 'built without zstd' not in errors:
        return "no '%s' in: %s" % (wanted, errors[-500:])
    if peak > MEMORY and not sanitized:
        return 'took %d MiB of memory' % (peak >> 20)
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('--perf', required=True)
    args = p.parse_args()
    perf, failed = os.path.abspath(args.perf), 0
    sanitized = is_sanitized(perf)
    all_cases = cases(how_many(sanitized))
    with tempfile.TemporaryDirectory(prefix='perf-made-') as top:
        for case in all_cases:
            problem = check(perf, sanitized, case, os.path.join(top, 'file'))
            failed += problem is not None
            if problem:
                print('FAIL %s\n     %s' % (case[0], problem))
    print('%d passed, %d failed, 0 skipped' % (len(all_cases) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
