#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""record.py PERF FAKE_COUNTERS: perf record end to end on this machine.

The files are looked at by a reader of a few lines below, so that a mistake shared by our writer and
reader does not go unseen. Skips (exit 77) where the kernel allows no recording. TAP on stdout.
"""
import contextlib
import os
import pathlib
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
import leave_nothing

import bpf_load

PERF, FAKE = (str(pathlib.Path(arg).resolve()) for arg in sys.argv[1:3])
BUSY = ["sh", "-c", "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done"]
# Says that it has been sampled for a while, then goes on.
READY = ["sh", "-c", "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; : >ready; while :; do :; done"]
HANGS = 200  # seconds; a busy machine may take its time
COMM, FORK, EXIT, SAMPLE, MMAP2, SWITCH = 3, 7, 4, 9, 10, 14
CONTEXT_SWITCH = 1 << 26  # of the attr's flags
ROUND, ID_INDEX, THREAD_MAP, CPU_MAP, INIT = 68, 69, 73, 74, 82


class Skip(Exception):
    pass


class Data:
    """Records, attrs and features of a perf.data file or stream."""

    def __init__(self, raw):
        self.raw = raw
        magic, size = struct.unpack_from("<8sQ", raw)
        assert magic == b"PERFILE2", magic
        self.features = {}
        self.attrs = []
        if size == 16:
            self.records = list(self.walk(16, len(raw)))
            return
        attr_size, ao, al, do, dl = struct.unpack_from("<5Q", raw, 16)
        self.unfinished = dl == 0
        bits = struct.unpack_from("<4Q", raw, 72)
        for at in range(ao, ao + al, attr_size):
            kind, _, config, period, sample_type, _, flags = struct.unpack_from("<IIQQQQQ", raw, at)
            self.attrs.append((kind, config, period, sample_type, flags))
        self.records = list(self.walk(do, do + dl if dl else len(raw)))
        table = do + dl
        for bit in (b for b in range(256) if bits[b // 64] >> (b % 64) & 1):
            off, n = struct.unpack_from("<QQ", raw, table)
            self.features[bit] = raw[off:off + n]
            assert len(self.features[bit]) == n
            table += 16
        assert all(bit < 32 for bit in self.features), "perf 6.1's inject crashes at such a bit"
        if raw[-8:] == b"PERFMORE":  # the appendix
            nr = struct.unpack_from("<Q", raw, len(raw) - 16)[0]
            for bit, off, n in struct.iter_unpack("<QQQ", raw[-16 - 24 * nr:-16]):
                self.features[bit] = raw[off:off + n]
                assert len(self.features[bit]) == n

    def walk(self, at, end):
        while at + 8 <= end:
            kind, misc, size = struct.unpack_from("<IHH", self.raw, at)
            if size < 8 or at + size > end:
                assert getattr(self, "unfinished", False), "damaged record"
                return
            yield kind, misc, self.raw[at:at + size]
            at += size
            if kind == 66:
                at += (struct.unpack_from("<I", self.raw, at - size + 8)[0] + 7) & ~7

    def count(self, kind):
        return sum(1 for k, _, _ in self.records if k == kind)

    def names(self):
        return {r[72:].split(b"\0")[0].decode() for k, m, r in self.records if k == MMAP2}


def run(args, **kw):
    return subprocess.run([PERF, "record", *args], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=HANGS, check=False, **kw)


def record(*args, **kw):
    p = run(["-N", "-o", "x.data", *args], **kw)
    assert p.returncode == 0, p.stderr.decode()
    return Data(pathlib.Path("x.data").read_bytes()), p


def may_profile_cpus():
    level = int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text(encoding="ascii"))
    if os.geteuid() and level > 0:
        raise Skip("whole CPUs are not allowed")


def need_root():
    if os.geteuid():
        raise Skip("needs root")


def workload():
    d, p = record("-e", "task-clock", "-F", "4999", *BUSY)
    assert d.count(SAMPLE) > 5
    assert f"({d.count(SAMPLE)} samples)".encode() in p.stderr
    kinds = [k for k, _, _ in d.records]
    assert kinds[0] == ID_INDEX and kinds.index(INIT) < kinds.index(SAMPLE)
    assert kinds.count(ROUND) and d.count(THREAD_MAP) == 1 and d.count(CPU_MAP) == 1
    assert any(k == COMM and m & 0x2000 for k, m, _ in d.records), "no exec"
    assert any(k == MMAP2 and m & 0x4000 for k, m, _ in d.records), "no build id in a map"
    assert {2, 3, 4, 5, 6, 7, 11, 12, 21} <= set(d.features)
    machine, flags = struct.unpack_from("<H", pathlib.Path(PERF).read_bytes(), 18)[0], 0
    assert d.features[33] == struct.pack("<II", machine, flags)
    line = pathlib.Path("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size")
    if line.exists():
        assert d.features[34] == struct.pack("<I", int(line.read_text(encoding="ascii")))
    assert os.stat("x.data").st_mode & 0o777 == 0o600


def callchains_and_groups():
    d, _ = record("-e", "{task-clock,context-switches}:S", "-g", *BUSY)
    assert d.count(SAMPLE) > 5
    assert all(a[3] & 0x20 and a[3] & 0x10 for a in d.attrs)
    assert 17 in d.features


def latency():
    """Two loops at once; whether they run beside each other is the machine's business."""
    loop = BUSY[2]
    for more in ([], ["--no-switch-events"]):
        d, _ = record("-e", "task-clock,page-faults", "--latency", *more, "sh", "-c", f"({loop}) & {loop}; wait")
        assert [bool(a[4] & CONTEXT_SWITCH) for a in d.attrs] == [True, False]
        assert d.count(SWITCH) > 1
    p = subprocess.run([PERF, "report", "--stdio", "-i", "x.data", "--latency", "-s", "comm,parallelism"],
                       capture_output=True, text=True, check=True, timeout=HANGS)
    assert re.search(r"^# +Latency +Overhead +Command +Parallelism$", p.stdout, re.M), p.stdout
    rows = re.findall(r"^ +([0-9.]+)% +([0-9.]+)% +sh +([0-9]+)$", p.stdout, re.M)
    assert rows and all(1 <= int(r[2]) <= os.cpu_count() for r in rows), p.stdout
    may_profile_cpus()
    p = run(["-N", "-o", "y.data", "-e", "task-clock", "--latency", "-a", "true"])
    assert p.returncode == 255 and b"system-wide" in p.stderr and not os.path.exists("y.data")


def stack_copies():
    d, _ = record("-e", "task-clock:u", "--call-graph", "dwarf,4096,raw", *BUSY)
    assert any(len(r) > 4096 for k, _, r in d.records if k == SAMPLE)


def all_cpus():
    may_profile_cpus()
    d, _ = record("-a", "-e", "cpu-clock", "sleep", "0.1")
    assert len(d.attrs) == 2 and d.attrs[1][1] == 9
    assert d.count(FORK) > 5 and d.count(MMAP2) > 5
    assert "[kernel.kallsyms]_text" in d.names() or os.geteuid()


def one_cpu():
    """What begins on another CPU and then comes to the one of -C has its name and its mappings."""
    may_profile_cpus()
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise Skip("one CPU")
    inner = ("import os, time; os.sched_setaffinity(0, {%d}); open('pid', 'w').write(str(os.getpid()))\n"
             "end = time.monotonic() + 0.3\nwhile time.monotonic() < end: pass" % cpus[0])
    outer = ("import os, subprocess, sys; os.sched_setaffinity(0, {%d}); "
             "subprocess.run([sys.executable, '-c', %r])" % (cpus[1], inner))
    d, _ = record("-C", str(cpus[0]), "-e", "cpu-clock", sys.executable, "-c", outer)
    pid = struct.pack("<I", int(pathlib.Path("pid").read_text(encoding="ascii")))
    assert any(r[16:20] == pid or r[24:28] == pid for k, _, r in d.records if k == SAMPLE), "no samples of it"
    assert any(k == COMM and r[8:12] == pid for k, _, r in d.records), "its exec is missing"
    assert any(k == MMAP2 and r[8:12] == pid for k, _, r in d.records), "its mappings are missing"


def tracepoint_with_filter():
    need_root()
    if not os.path.exists("/sys/kernel/tracing/events/sched/sched_process_exec/id"):
        raise Skip("no tracefs")
    d, _ = record("-e", "sched:sched_process_exec", "--filter", "pid > 0", "true")
    assert d.count(SAMPLE) == 1
    assert b"sched_process_exec" in d.features[1]
    d, _ = record("-e", "sched:sched_process_exec", "--filter", "pid == 1", "true")
    assert d.count(SAMPLE) == 0
    p = run(["-o", "x.data", "-e", "sched:sched_process_exec", "--filter", "nosuch > 0", "true"])
    assert p.returncode == 255 and b"failed to set filter" in p.stderr


# Of sched_switch, in the kernel's own language, and not.
FILTERS = """prev_pid > 0|prev_pid = 0|prev_pid == 010|prev_pid == 0b1|prev_pid == - 1|prev_pid == "3"|prev_pid == 3abc
prev_pid & 3|prev_pid ^ 3|prev_pid ~ 3|prev_comm ~ "a*b?[c]"|prev_comm > "a"|prev_comm == "a|prev_comm == ""
prev_comm == 'a"b'|comm == "a"|COMM ~ "a*"|CPU == 1|cpu & CPUS{0}|cpu < CPUS{0}|prev_pid & CPUS{0,1}|prev_pid & CPUS{x}
common_pid == 1|((prev_pid > 0))|((prev_pid > 0)|prev_pid > 0)|()|!prev_pid > 0|! !prev_pid > 0|!!(prev_pid > 0)
prev_pid > 0&&next_pid > 0|prev_pid > 0 and next_pid > 0|prev_pid > 0 &&|&& prev_pid > 0|prev_pid|prev_pid >|> 0|1
nosuch > 1|prev_comm.ustring ~ "a*"|prev_pid.ustring == "a"|prev_pid.nosuch == 1|prev_pid === 0|prev_pid <> 0
prev_pid==-1&&!(prev_prio==3 && next_prio!=4)|prev_pid == 3 (next_pid == 1)|prev_pid == 1UL|prev_pid == 0xffffffff"""


def filters_as_the_kernel_takes_them():
    need_root()
    own = f"/sys/kernel/tracing/instances/perf-test-{os.getpid()}"
    if not os.path.exists("/sys/kernel/tracing/events/sched/sched_switch/filter"):
        raise Skip("no tracefs")
    try:
        os.mkdir(own)
    except OSError as why:
        raise Skip("no instances of tracefs") from why
    wrong = []
    try:
        for text in FILTERS.replace("\n", "|").split("|"):
            try:
                pathlib.Path(own, "events/sched/sched_switch/filter").write_text(text, encoding="ascii")
                takes = True
            except OSError:
                takes = False
            p = subprocess.run([PERF, "stat", "-e", "sched:sched_switch", "--filter", text, "true"],
                               capture_output=True, check=False, timeout=HANGS)
            if takes != (p.returncode == 0):
                wrong.append((text, takes, p.stderr))
    finally:
        os.rmdir(own)
    assert not wrong, wrong
    d, _ = record("-e", "sched:sched_process_exec", "--filter", "comm == true || filename ~ *true", "true")
    assert d.count(SAMPLE) == 1
    d, _ = record("-e", "sched:sched_process_exec", "--filter", "filename ~ *false", "true")
    assert d.count(SAMPLE) == 0
    # flags of calls by the headers' names, values of enumerations by the kernel's types
    if os.path.exists("/sys/kernel/tracing/events/syscalls/sys_enter_openat"):
        for text, samples in ("flags & O_CREAT|O_EXCL", 1), ("flags & O_DIRECTORY", 0), ("flags & CREAT && mode == 438", 1):
            d, _ = record("-e", "syscalls:sys_enter_openat", "--filter", text, "sh", "-c", ": >/dev/null; : </dev/null")
            assert d.count(SAMPLE) == samples, text
        p = subprocess.run([PERF, "stat", "-e", "syscalls:sys_enter_openat", "--filter", "flags & O_CREATE", "true"],
                           capture_output=True, check=False, timeout=HANGS)
        assert p.returncode and b"did you mean 'O_CREAT'?" in p.stderr, p.stderr
    if os.path.exists("/sys/kernel/tracing/events/pagemap/mm_lru_insertion") and os.path.exists("/sys/kernel/btf/vmlinux"):
        # The kernel inserts pages by the batch: a small program can end before one is full.
        p = subprocess.run([PERF, "stat", "-x,", "-e", "pagemap:mm_lru_insertion", "--filter", "lru == LRU_ACTIVE_FILE || lru != LRU_ACTIVE_FILE",
                            sys.executable, "-c", "bytearray(1 << 24)"], capture_output=True, check=False, timeout=HANGS)
        assert p.returncode == 0 and int(p.stderr.split(b",")[0]) > 0, p.stderr


def delay():
    d, p = record("-e", "task-clock", "-D", "60000", "true")
    assert d.count(SAMPLE) == 0 and b"Events disabled" in p.stderr
    assert b"Events enabled" not in p.stderr
    d, p = record("-e", "task-clock", "-D", "1", "sh", "-c", "sleep 0.2; " + BUSY[2])
    assert d.count(SAMPLE) > 5 and b"Events enabled" in p.stderr


def exit_status():
    base = ["-q", "-N", "-o", "x.data", "-e", "task-clock:u"]
    assert run([*base, "sh", "-c", "exit 7"]).returncode == 7
    assert run([*base, "sh", "-c", "kill -KILL $$"]).returncode == -signal.SIGKILL
    assert run([*base, "./nosuch"]).returncode == 255
    Data(pathlib.Path("x.data").read_bytes())


def old_file_is_kept():
    record("-e", "task-clock:u", "true")
    first = pathlib.Path("x.data").read_bytes()
    # a refused event must not cost the last recording
    assert run(["-o", "x.data", "-e", "nosuch", "true"]).returncode == 129
    assert pathlib.Path("x.data").read_bytes() == first
    record("-e", "task-clock:u", "true")
    assert pathlib.Path("x.data.old").read_bytes() == first


def to_a_device():
    p = run(["-q", "-o", "/dev/null", "-e", "task-clock", "--embed-symbols", *BUSY])
    assert p.returncode == 0 and b"error" not in p.stderr, p.stderr.decode()


def stream():
    p = run(["-e", "task-clock", *BUSY])
    assert p.returncode == 0 and b"standard output is a pipe" in p.stderr
    d = Data(p.stdout)
    assert d.count(64) == 1 and d.count(80) > 10 and d.count(SAMPLE) > 1
    p = run(["-q", "-e", "task-clock", "-o", "-", "sh", "-c", "echo $((6 * 7))output"])
    assert b"42output" in p.stderr and b"42output" not in p.stdout


def signals():
    for sig in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen([PERF, "record", "-q", "-N", "-e", "task-clock", "-o", "x.data", *READY],
                              start_new_session=True) as p:
            wait_for(lambda: os.path.exists("ready"))
            p.send_signal(sig)
            # the last that was heard of: how the workload ended
            assert p.wait(HANGS) == -signal.SIGTERM
        os.unlink("ready")
        d = Data(pathlib.Path("x.data").read_bytes())
        assert not d.unfinished and d.count(SAMPLE) > 5


def hangup():
    """The file is completed, though a shell that ends sends a second one. nohup keeps it from being the end."""
    for ignored in (False, True):
        def begin(ignored=ignored):
            signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
        with subprocess.Popen([PERF, "record", "-q", "-N", "-e", "task-clock", "-o", "x.data", *READY],
                              start_new_session=True, preexec_fn=begin) as p:
            try:
                wait_for(lambda: os.path.exists("ready"))
                p.send_signal(signal.SIGHUP)
                p.send_signal(signal.SIGHUP)
                if ignored:
                    time.sleep(0.2)
                    p.send_signal(signal.SIGINT)
                assert p.wait(HANGS) == -signal.SIGTERM
                d = Data(pathlib.Path("x.data").read_bytes())
                assert not d.unfinished and d.count(SAMPLE) > 5
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(p.pid, signal.SIGKILL)
        os.unlink("ready")


def target_ends():
    for option in ("-p", "-t"):
        with subprocess.Popen(["sleep", "600"]) as target:
            with start("-e", "task-clock", option, str(target.pid)) as p:
                wait_for(lambda: os.path.exists("x.data") and os.stat("x.data").st_size)
                time.sleep(0.3)
                assert p.poll() is None, "ended before its target"
                target.kill()
                assert p.wait(HANGS) == 0, p.stderr.read()
        assert Data(pathlib.Path("x.data").read_bytes()).count(COMM) >= 1
        os.unlink("x.data")


def running_process():
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as target:
        try:
            for more in ([], ["-g"], ["--per-thread"]):
                d, _ = record("-e", "task-clock", "-F", "4999", "-p", str(target.pid), *more,
                              "sleep", "0.5")
                assert d.count(SAMPLE) > 5, more
        finally:
            target.kill()


def killed_recorder():
    with subprocess.Popen([PERF, "record", "-q", "-e", "task-clock", "-o", "x.data", "-c", "100000",
                           "-m", "16", "sh", "-c", "while :; do :; done"],
                          start_new_session=True) as p:
        try:
            # (a kernel of many modules takes some pages by itself)
            wait_for(lambda: os.path.exists("x.data") and os.stat("x.data").st_size > 104 and
                     Data(pathlib.Path("x.data").read_bytes()).count(SAMPLE) > 5)
        finally:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
    d = Data(pathlib.Path("x.data").read_bytes())
    assert d.unfinished and d.count(INIT) == 1 and d.count(SAMPLE) > 5


def built(*ways):
    """Those of the ways to record that this build has: without zstd none that compresses."""
    has = subprocess.run([PERF, "check", "-q", "feature", "zstd"], check=False).returncode == 0
    return [way for way in ways if has or "-z" not in way]


def killed_before_its_buffers_fill():
    """What they hold is saved every few seconds."""
    for more in built([], ["-z"], ["--threads", "-a"]):
        if more[-1:] == ["-a"]:
            may_profile_cpus()
        with subprocess.Popen([PERF, "record", "-q", "-N", "-e", "cpu-clock", "-o", "x.data", "-F", "50",
                               "-m", "128", *more, "sh", "-c", "while :; do :; done"],
                              start_new_session=True) as p:
            try:
                wait_for(lambda more=more: saved_samples("-a" in more))
            finally:
                os.killpg(p.pid, signal.SIGKILL)
        subprocess.run(["rm", "-r", "x.data"], check=True)


def saved_samples(directory):
    if directory:  # a file without a head for each CPU
        return any(f.stat().st_size > 400 for f in pathlib.Path("x.data").glob("data.*"))
    if not os.path.exists("x.data"):
        return False
    raw = pathlib.Path("x.data").read_bytes()
    if len(raw) < 104:
        return False
    kinds = {k for k, _, _ in Data(raw).records}
    return bool(kinds & {SAMPLE, 81, 83})


def disk_full():
    p = run(["-e", "task-clock", "-o", "/dev/full", "true"])
    assert p.returncode == 255 and p.stderr.count(b"error:") == 1, p.stderr
    assert b"No space left on device" in p.stderr
    need_root()
    os.mkdir("small")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", "small"],
                      check=False).returncode:
        raise Skip("cannot mount")
    try:
        p = run(["-c", "20000", "-m", "16", "-e", "task-clock", "-o", "small/x.data", "sh", "-c",
                 "while :; do :; done"])
        assert p.returncode == 255 and b"No space left" in p.stderr, p.stderr
        d = Data(pathlib.Path("small/x.data").read_bytes())
        assert d.count(SAMPLE) > 100
    finally:
        subprocess.run(["umount", "small"], check=True)


def script_lines(path="x.data"):
    p = subprocess.run([PERF, "script", "-i", path, "-F", "comm,time"], capture_output=True,
                       check=True)
    return p.stdout.count(b"\n")


def samples_told(p):
    return int(re.search(rb"\((\d+) samples\)", p.stderr).group(1))


def compressed():
    p = run(["-o", "x.data", "-e", "task-clock", "-z", "true"])
    if b"not built in" in p.stderr:
        raise Skip("built without zstd")
    for more in ([], ["--aio=2"]):
        d, p = record("-e", "task-clock", "-F", "4999", "-z3", *more, *BUSY)
        assert d.count(81) and not d.count(SAMPLE), "nothing is compressed"
        assert struct.unpack_from("<4I", d.features[27])[:3] == (1, 1, 3)
        assert samples_told(p) == script_lines() > 5
        assert b", compressed (original " in p.stderr
    assert run(["-o", "x.data", "-zabc", "true"]).returncode == 129
    need_root()
    p = run(["-z", "-e", "task-clock", "-o", "/dev/full", "true"])
    assert p.returncode == 255 and p.stderr.count(b"error:") == 1, p.stderr


def written_behind():
    d, p = record("-e", "task-clock", "-F", "4999", "--aio", *BUSY)
    assert d.count(SAMPLE) == samples_told(p) > 5
    kinds = [k for k, _, _ in d.records]
    # the first round may hold what was there before the first sample
    assert kinds[::-1].index(ROUND) < kinds[::-1].index(SAMPLE)


def finished(name="x.data"):
    return sorted(pathlib.Path(".").glob(name + ".2*"))


def start(*args):
    return subprocess.Popen([PERF, "record", "-N", "-o", "x.data", *args], stderr=subprocess.PIPE,
                            start_new_session=True)


LOOP = ["sh", "-c", "while :; do :; done"]


def wait_for(condition):
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("nothing happens")


def until_sampled(recorder):
    """The loop that is recorded has had its tenth of a second of a CPU since then."""
    def ticks():
        children = pathlib.Path(f"/proc/{recorder.pid}/task/{recorder.pid}/children").read_text(encoding="ascii")
        fields = [pathlib.Path(f"/proc/{c}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
                  for c in children.split()]
        return sum(int(f[11]) + int(f[12]) for f in fields)
    begin = ticks()
    wait_for(lambda: ticks() >= begin + os.sysconf("SC_CLK_TCK") // 10)


def new_file_on_signal():
    with start("-e", "task-clock", "--switch-output", *LOOP) as p:
        wait_for(lambda: os.path.exists("x.data") and os.stat("x.data").st_size)
        for n in (1, 2):
            until_sampled(p)
            p.send_signal(signal.SIGUSR2)
            wait_for(lambda n=n: len(finished()) == n)
        until_sampled(p)
        p.send_signal(signal.SIGINT)
        err = p.stderr.read()
    assert err.count(b"[ perf record: dump data: Woken up ") == 2, err
    assert b"Captured and wrote" in err and b"x.data.<timestamp>" in err
    files = finished()
    assert len(files) == 3 and not os.path.exists("x.data")
    assert all(f"[ perf record: Dump {f} ]".encode() in err for f in files)
    for f in files:
        d = Data(f.read_bytes())
        assert d.count(SAMPLE) and d.count(ID_INDEX) == 1 and 12 in d.features and 2 not in d.features
        assert script_lines(f) == d.count(SAMPLE)
        # a later file knows what had been mapped before it began
        assert any("sh" in n for n in d.names()), f


MAPPED = """import mmap
with open('ready', 'wb+') as f:
    f.truncate(4096)
    f.flush()
    maps = [mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC) for i in range(3000)]
    f.write(b'mapped')
    f.flush()
    while True:
        pass
"""


def new_files_are_mostly_new():
    """A process has so many mappings that each file begins with more than its size."""
    with subprocess.Popen([sys.executable, "-S", "-c", MAPPED]) as target:
        try:
            ready = pathlib.Path("ready")
            while not ready.exists() or not ready.read_bytes().startswith(b"mapped"):
                assert target.poll() is None
                time.sleep(0.01)
            for seconds in "2", "8", "30":  # beside others it runs less
                p = run(["-N", "-o", "x.data", "-e", "task-clock", "-c", "20000", "-m", "16", "--switch-output=50K",
                         "-p", str(target.pid), "sleep", seconds])
                if len(finished()) > 1 or seconds == "30":
                    break
                for f in finished():
                    f.unlink()
        finally:
            target.kill()
    files = [Data(f.read_bytes()) for f in finished()]
    mapped = [sum(len(r) for k, _, r in d.records if k == MMAP2) for d in files]
    new = [sum(len(r) for k, _, r in d.records if k == SAMPLE) for d in files]
    assert len(files) > 1 and min(mapped) > 100000, p.stderr
    assert all(n > m * 0.8 for n, m in zip(new[:-1], mapped)), (new, mapped)


def new_file_by_size_and_time():
    with start("-e", "task-clock", "-c", "10000", "-m", "16", "--switch-output=100K", "--switch-max-files", "2",
               *LOOP) as q:
        for _ in range(4):
            assert any(b"Dump x.data." in line for line in q.stderr), "no new file"
        q.send_signal(signal.SIGINT)
        q.stderr.read()
    assert len(finished()) == 2
    p = run(["-N", "-o", "t.data", "-e", "task-clock", "--switch-output=1s", "sleep", "1.5"])
    assert len(finished("t.data")) >= 2, p.stderr  # more where it starts slowly
    for bad in ("100k", "5", "5x", "-1s", "1.5s"):
        assert run([f"--switch-output={bad}", "true"]).returncode == 129


def new_file_on_event():
    need_root()
    if not os.path.exists("/sys/kernel/tracing/events/sched/sched_process_exec/id"):
        raise Skip("no tracefs")
    p = run(["-N", "-o", "x.data", "-e", "task-clock", "--switch-output-event",
             "sched:sched_process_exec", "sh", "-c", "sleep 0.3; /bin/true; sleep 1"])
    assert p.returncode == 0 and len(finished()) >= 2, p.stderr
    for f in finished():
        assert Data(f.read_bytes()).count(ID_INDEX) == 1


def stamped_name():
    p = run(["-N", "-o", "x.data", "-e", "task-clock", "--timestamp-filename", "true"])
    assert p.returncode == 0 and len(finished()) == 1
    assert re.search(r"^x\.data\.\d{16}$", finished()[0].name)


def full_disk_at_a_new_file():
    need_root()
    os.mkdir("small")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", "small"],
                      check=False).returncode:
        raise Skip("cannot mount")
    try:
        p = run(["-N", "-c", "20000", "-m", "16", "-e", "task-clock", "-o", "small/x.data",
                 "--switch-output=100K", *LOOP])
        assert p.returncode == 255 and p.stderr.count(b"error:") == 1, p.stderr
        assert b"No space left" in p.stderr
        files = finished("small/x.data")
        assert len(files) >= 2
        for f in files[:-1]:
            assert Data(f.read_bytes()).count(SAMPLE) > 10
    finally:
        subprocess.run(["umount", "small"], check=True)


def flight_recorder():
    # 8 pages hold a fraction of what is sampled: the latest
    d, p = record("-e", "task-clock", "-c", "100000", "-m", "8", "--overwrite", "-T", "sh", "-c",
                  BUSY[2].replace("40000", "200000"))
    n = d.count(SAMPLE)
    assert 100 < n < 8 * 4096 * 2 / 32 * os.cpu_count() and n == samples_told(p) == script_lines()
    assert d.attrs[0][4] >> 27 & 1, "write_backward"
    kinds = [k for k, _, _ in d.records]
    assert kinds.index(ID_INDEX) > kinds.index(SAMPLE), "state comes last"
    d, _ = record("-e", "task-clock/overwrite/", "-e", "page-faults", *BUSY)
    assert [a[4] >> 27 & 1 for a in d.attrs] == [1, 0]
    with start("-e", "task-clock", "--overwrite", "--switch-output", *LOOP) as q:
        wait_for(lambda: os.path.exists("x.data") and os.stat("x.data").st_size)
        for n in (1, 2):
            until_sampled(q)
            q.send_signal(signal.SIGUSR2)
            wait_for(lambda n=n: len(finished()) == n)
        until_sampled(q)
        q.send_signal(signal.SIGINT)
        q.stderr.read()
    times = []
    for f in finished():
        p = subprocess.run([PERF, "script", "-i", f, "-F", "time"], capture_output=True, check=True)
        lines = [float(t.strip(b" :")) for t in p.stdout.split()]
        times.append((min(lines), max(lines)))
    assert all(a[1] < b[0] for a, b in zip(times, times[1:])), "a sample is in two files"


def state_at_the_end():
    d, _ = record("-e", "task-clock", "--tail-synthesize", *BUSY)
    kinds = [k for k, _, _ in d.records]
    assert kinds.index(ID_INDEX) > kinds.index(SAMPLE)
    assert script_lines() == d.count(SAMPLE) > 5


def delay_ranges():
    p = run(["-N", "-o", "x.data", "-e", "task-clock", "-D", "100-200,300-400", "sleep", "60"])
    assert p.returncode == -signal.SIGTERM
    assert p.stderr.count(b"Events enabled") == 2 and p.stderr.count(b"Events disabled") == 3
    for bad in ("20-10", "10-20,15-30", "10-", "10-20,", "-5", "x"):
        assert run(["-D", bad, "true"]).returncode == 129, bad


def control():
    os.mkfifo("ctl")
    os.mkfifo("ack")
    ctl, ack = os.open("ctl", os.O_RDWR), os.open("ack", os.O_RDWR)
    with start("-D", "-1", "-e", "task-clock,page-faults", "--control", "fifo:ctl,ack", *LOOP) as p:
        for line in ("ping", "enable", "enable task-clock", "disable page-faults", "enable no\x1bsuch",
                     "evlist", "evlist -F", "evlist -v", "evlist -g", "disable", "enable", "stop"):
            os.write(ctl, line[:3].encode())
            os.write(ctl, line[3:].encode() + b"\n")
            assert os.read(ack, 100) == b"ack\n", line
        err = p.stderr.read().decode()
    assert [x for x in err.split("\n") if x.startswith(("Event", "failed"))] == [
        "Events disabled", "Events enabled", "Event task-clock enabled",
        "Event page-faults disabled", "failed: can't find 'no\\x1bsuch' event", "Events disabled",
        "Events enabled"], err
    assert re.search(r"^task-clock: sample_freq=\d+$", err, re.M) and "\ntask-clock: type: 1, " in err
    assert "Captured and wrote" in err
    os.close(ctl)
    os.close(ack)
    for bad in ("x", "fd:", "fd:x", "fd:999", "fifo:", "fifo:/nonexistent", "fifo:ctl,/nonexistent"):
        q = run(["--control", bad, "true"])
        assert q.returncode == 129 and q.stderr.count(b"error:") == 1, (bad, q.stderr)


def control_is_closed():
    r, w = os.pipe()
    os.set_inheritable(r, True)
    with subprocess.Popen([PERF, "record", "-N", "-o", "x.data", "-e", "task-clock", "--control",
                           f"fd:{r}", *BUSY], pass_fds=[r], stderr=subprocess.PIPE) as p:
        os.close(w)
        err = p.stderr.read()
        assert p.wait(HANGS) == 0 and err.count(b"the control channel was closed") == 1, err
    assert Data(pathlib.Path("x.data").read_bytes()).count(SAMPLE) > 5
    os.close(r)


def users():
    need_root()
    uid = 1000000 + os.getpid()  # nobody else's
    sleeper = subprocess.Popen(["sh", "-c", "while :; do :; done"], user=uid, group=65533)
    try:
        d, _ = record("-e", "task-clock", "-u", str(uid), "sleep", "0.5")
        pids = {struct.unpack_from("<I", r, 16)[0] for k, _, r in d.records if k == SAMPLE}
        assert pids == {sleeper.pid}, pids
    finally:
        sleeper.kill()
        sleeper.wait()
    os.chmod(".", 0o777)
    p = run(["-N", "-o", "own.data", "-e", "task-clock:u", "-u", str(uid), "sh", "-c", "echo $$ >pid; " + BUSY[-1]],
            user=uid, group=65533)
    if b"perf_event_paranoid" not in p.stderr:
        d = Data(pathlib.Path("own.data").read_bytes())
        own = int(pathlib.Path("pid").read_text(encoding="ascii"))
        assert own in {struct.unpack_from("<I", r, 16)[0] for k, _, r in d.records if k == SAMPLE}, "the command is his"
    for bad in ("nosuchuser", str(uid)):
        p = run(["-o", "x.data", "-e", "task-clock", "-u", bad, "true"])
        assert p.returncode == 255 and p.stderr.count(b"error:") == 1, p.stderr


def threads_that_describe():
    may_profile_cpus()
    with subprocess.Popen(["sleep", "30"]) as target:
        one, _ = record("-a", "-e", "dummy", "true")
        four, _ = record("-a", "-e", "dummy", "--num-thread-synthesize", "4", "true")
        target.kill()
    key = struct.pack("<I", target.pid)
    for d in (one, four):
        kinds = [k for k, _, _ in d.records]
        mine = [k for k, _, r in d.records if k in (COMM, FORK, MMAP2) and r[8:12] == key]
        assert mine[0] == FORK and mine[1] == COMM and mine.count(MMAP2) > 2, mine
        assert kinds.count(INIT) == 1


def readers_ways():
    for more in built(["--affinity=cpu"], ["--affinity=node"], ["--mmap-flush=64K"], ["--no-buffering"],
                      ["--affinity=cpu", "-z"]):
        _, p = record("-e", "task-clock", "-F", "4999", *more, *BUSY)
        assert samples_told(p) == script_lines() > 5, more
    for bad in ("--affinity=abc", "--mmap-flush=abc", "-rx"):
        assert run([bad, "true"]).returncode == 129, bad
    need_root()
    p = run(["-e", "task-clock", "-o", "x.data", "-r", "100", "true"])
    assert p.returncode == 255 and b"Could not set realtime priority." in p.stderr
    if subprocess.run(["chrt", "-f", "1", "true"], capture_output=True, check=False).returncode:
        return  # a control group without real-time tasks
    p = run(["-e", "task-clock", "-o", "x.data", "-r", "1", "chrt", "-p", "0"])
    assert b"priority: 0" in p.stdout + p.stderr, p


def several_readers():
    may_profile_cpus()
    for more in built(["-a"], ["-a", "--threads=numa"], ["-z"]):
        p = run(["-o", "d.data", "-N", "-e", "task-clock", "-F", "4999", "--threads", *more, *BUSY])
        assert p.returncode == 0, p.stderr
        assert sorted(os.listdir("d.data"))[:2] == ["data", "data.0"]
        assert len(os.listdir("d.data")) == 1 + os.cpu_count()
        d = Data(pathlib.Path("d.data/data").read_bytes())
        assert d.features[24] == struct.pack("<Q", 1) and not d.count(SAMPLE) and d.count(INIT) == 1
        assert script_lines("d.data") == samples_told(p) > 5
    # a directory becomes .old, in place of a file or of another directory
    assert os.path.isdir("d.data.old")
    assert run(["-q", "-N", "-o", "d.data", "-e", "task-clock", "true"]).returncode == 0
    assert os.path.isfile("d.data") and os.path.isdir("d.data.old")
    assert run(["-q", "-N", "-o", "d.data", "-e", "task-clock", "--threads", "true"]).returncode == 0
    assert os.path.isdir("d.data") and os.path.isfile("d.data.old")
    for bad in (["--threads=abc"], ["--threads=0/0:0/1"], ["--threads", "--affinity=cpu"],
                ["--threads", "--aio"], ["--threads", "-o", "-"], ["--threads", "--per-thread"]):
        p = run(["-o", "d.data", "-e", "task-clock", *bad, "true"])
        assert p.returncode == 255 and p.stderr, bad


# Ends when $1 (a glob) has become larger by $2 bytes; exit 3 if it does not.
GROWS = ["bash", "-c", "size() { cat $1 2>/dev/null | wc -c; }; from=$(size $1); for i in {1..3000}; do "
         "(($(size $1) > from + $2)) && exit; sleep 0.01; done; exit 3", "grows"]


def full_before_it_begins():
    """What runs meanwhile fills the buffers while running tasks are described: the wake-up for that comes before
    anybody waits, and there is no other."""
    need_root()
    busy = [subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"]) for _ in range(2 * os.cpu_count())]
    try:
        for _ in range(6):
            p = run(["-q", "-N", "-o", "x.data", "-e", "raw_syscalls:sys_enter", "-m", "1", "-a", *GROWS,
                     "x.data", "20000"])
            assert p.returncode == 0, p
    finally:
        for b in busy:
            b.kill()
            b.wait()


def several_readers_of_threads():
    """Buffers are shared by all threads on a CPU, and a wake-up goes to one of those who wait for it."""
    need_root()
    code = """
import os, threading
def calls():
    while True:
        os.getppid()
for i in range(4):
    threading.Thread(target=calls).start()
"""
    with subprocess.Popen([sys.executable, "-c", code]) as target:
        try:
            wait_for(lambda: len(os.listdir(f"/proc/{target.pid}/task")) == 5)
            with start("--threads", "-o", "d.data", "-e", "raw_syscalls:sys_enter", "-m", "64",
                       "-p", str(target.pid)) as recorder:
                try:
                    wait_for(lambda: sum(f.stat().st_size for f in pathlib.Path(".").glob("d.data/*")) > 40000000)
                finally:
                    recorder.send_signal(signal.SIGINT)
        finally:
            target.kill()


def several_readers_and_a_full_disk():
    need_root()
    os.mkdir("small")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", "small"],
                      check=False).returncode:
        raise Skip("cannot mount")
    try:
        p = run(["-N", "-c", "20000", "-m", "16", "-e", "task-clock", "--threads", "-o",
                 "small/x.data", *LOOP])
        assert p.returncode == 255 and p.stderr.count(b"error:") == 1, p.stderr
        assert b"No space left" in p.stderr
    finally:
        subprocess.run(["umount", "small"], check=True)


def bpf_programs():
    need_root()
    try:
        name = f"probe_{os.getpid()}"  # nobody else's
        fds = bpf_load.load(name)
    except (OSError, KeyError) as why:
        raise Skip(f"no BPF program can be loaded: {why}") from None
    d, _ = record("-e", "task-clock", "true")
    os.rename("x.data", "bpf.data")
    none, _ = record("-e", "task-clock", "--no-bpf-event", "true")
    for fd in fds:
        os.close(fd)
    assert name.encode() in d.features[25] and name.encode() in d.features[26]
    nr, at, kept_of = struct.unpack_from("<I", d.features[25])[0], 4, {}
    for _ in range(nr):
        size, length, kept = struct.unpack_from("<IIQ", d.features[25], at)
        kept_of[d.features[25][at + 16 + 64:at + 16 + 80].rstrip(b"\0")] = kept  # struct bpf_prog_info.name
        at += 16 + size + length
    assert at == len(d.features[25])
    assert kept_of[name.encode()] == 0b111111001  # all but the code before translation and the maps
    assert none.features[25] == none.features[26] == bytes(4)
    # loaded and unloaded while the recording runs
    short = f"short_{os.getpid()}"
    code = f"import bpf_load, time; bpf_load.load('{short}'); time.sleep(1)"
    env = dict(os.environ, PYTHONPATH=str(pathlib.Path(bpf_load.__file__).parent),
               PYTHONDONTWRITEBYTECODE="1")
    gone, _ = record("-e", "task-clock", "--", sys.executable, "-c", code, env=env)
    assert short.encode() in gone.features[25] and short.encode() in gone.features[26]
    assert name.encode() not in gone.features[25]
    p = subprocess.run([PERF, "report", "--header-only", "-i", "bpf.data"], capture_output=True,
                       check=True)
    assert p.stdout.count(b"# bpf_prog_info ") == nr, p.stdout
    line = rb"# bpf_prog_info \d+: bpf_prog_[0-9a-f]{16}_%s addr 0x[1-9a-f][0-9a-f]+ size [1-9]" % name.encode()
    assert re.search(line, p.stdout), p.stdout


def weak_groups():
    """Counters for three events, made up: a weak group of four is recorded one by one."""
    names = ["cycles", "instructions", "branches", "branch-misses"]
    env = dict(os.environ, LD_PRELOAD=FAKE, FAKE_COUNTERS="0:0=1 0:1=1 0:4=1 0:5=1",
               FAKE_GROUP_MAX="3")
    for nr, grouped in (3, True), (4, False):
        d, _ = record("-e", "{%s}:W" % ",".join(names[:nr]), "true", env=env)
        groups = subprocess.run([PERF, "evlist", "-g", "-i", "x.data"], capture_output=True,
                                check=True).stdout.decode()
        want = "{%s}" % ",".join(names[:nr]) if grouped else "\n".join(names[:nr])
        assert groups == want + "\n", groups
        # disabled and enabled by the exec: the leader, or each of them
        assert sum(a[4] & 0x1001 == 0x1001 for a in d.attrs) == (1 if grouped else nr), d.attrs
    p = run(["-e", "{%s}" % ",".join(names), "true"], env=env)
    assert p.returncode == 255, p.stderr


def too_many_files():
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
    events = ",".join(["task-clock", "page-faults", "context-switches"] * 10)
    p = run(["-o", "x.data", "-e", events, "true"], preexec_fn=limit)
    assert p.returncode == 255 and b"Too many events are opened" in p.stderr, p.stderr

    def soft():
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, hard))
    record("-e", events, "true", preexec_fn=soft)


def unprivileged():
    need_root()
    level = int(pathlib.Path("/proc/sys/kernel/perf_event_paranoid").read_text(encoding="ascii"))
    if level < 2:
        raise Skip("perf_event_paranoid is below 2")
    perf = pathlib.Path("perf-copy")
    perf.write_bytes(pathlib.Path(PERF).read_bytes())
    perf.chmod(0o755)
    os.chmod(".", 0o777)

    def drop():
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    p = subprocess.run(["./perf-copy", "record", "-N", "-o", "u.data", "-e", "task-clock", *BUSY],
                       preexec_fn=drop, capture_output=True, check=False)
    if p.returncode == 255 and b"limited" in p.stderr:
        raise Skip("nothing is allowed to users")
    assert p.returncode == 0, p.stderr
    d = Data(pathlib.Path("u.data").read_bytes())
    assert d.count(SAMPLE) > 0 and d.attrs[0][4] >> 5 & 1, "exclude_kernel"
    assert b"task-clock:u\0" in d.features[12]


def ends_at_once():
    took = []
    while len(took) < 10 and not any(t < 0.9 for t in took):
        begin = time.monotonic()
        record("true")
        took.append(time.monotonic() - begin)
    assert min(took) < 0.9, f"waits for something at the end: {took}"


TESTS = [workload, callchains_and_groups, latency, stack_copies, all_cpus, one_cpu, tracepoint_with_filter, filters_as_the_kernel_takes_them, delay,
         exit_status, old_file_is_kept, to_a_device, stream, signals, hangup, target_ends, running_process,
         killed_recorder, killed_before_its_buffers_fill, disk_full, compressed, written_behind,
         new_file_on_signal, new_files_are_mostly_new, new_file_by_size_and_time, new_file_on_event, stamped_name,
         full_disk_at_a_new_file, flight_recorder, state_at_the_end, delay_ranges, control,
         control_is_closed, users, threads_that_describe, readers_ways,
         several_readers, full_before_it_begins, several_readers_of_threads,
         several_readers_and_a_full_disk, bpf_programs, weak_groups,
         too_many_files, unprivileged, ends_at_once]


def main():
    leave_nothing.mark()
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        os.chdir(top)
        probe = run(["-q", "-N", "-o", "probe.data", "-e", "task-clock:u", "true"])
        if probe.returncode:
            print("1..0 # SKIP no recording here:", probe.stderr.decode().split("\n")[0])
            return 77
        print(f"1..{len(TESTS)}")
        for i, test in enumerate(TESTS, 1):
            os.mkdir(test.__name__)
            os.chdir(test.__name__)
            try:
                test()
                print(f"ok {i} - {test.__name__}")
            except Skip as why:
                print(f"ok {i} - {test.__name__} # SKIP {why}")
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print(f"not ok {i} - {test.__name__}")
                print("# " + traceback.format_exc().replace("\n", "\n# "))
            os.chdir(top)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
