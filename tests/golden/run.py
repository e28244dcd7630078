#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Golden tests of the command line: run.py --perf BINARY [--data DIR] [FILE.t|DIR ...]

A .t file holds cases:

  === title
  argv: perf report -i $DATA/x.data        words as the shell would split them; or
  sh: perf script -i $DATA/x.data | wc -l   a line for bash (`perf` is the binary under test)
  exit: 1            expected exit status, 0 without this line
  env: NAME=value    may repeat
  files: a b         copied from the data folder into the working folder
  threads: 1 2 3     run once per number of worker threads (PERF_WORKERS); all must agree
  needs: objdump     skip the case where this program or /path is missing; also: perf-events
                     (the kernel lets us sample everything), tracefs, reference-perf, root, bpf, libpython,
                     mount-namespace, feature:NAME (the build has it: `perf check feature NAME`)
  --- stdin          text given on standard input (none: /dev/null)
  --- stdout         expected text; a missing section means: nothing is printed
                     (an empty line before the next case or the end of the file is layout, not text)
  --- stderr regex   "regex": each line is a regular expression; "contains": each line occurs
                     somewhere; "any": not looked at; nothing: exact

Every case runs in an empty folder of its own with a private HOME and build-id cache, LC_ALL=C,
TERM=dumb, COLUMNS=80, TZ=UTC. In expected text $DATA, $TMP stand for the data and working folder.
Messages of a kernel that has lowered its limit of sampling are dropped (THROTTLED): any machine
may be in that state, and a case about throttled files expects the line itself. A line that begins with ===, --- or a backslash is written with a backslash before it. BLESS=1
rewrites exact sections and exit lines to what was printed; look at the difference before you commit.
"""
import argparse
import concurrent.futures
import ctypes
import difflib
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import leave_nothing

SECTIONS = ("stdin", "stdout", "stderr")
TIMEOUT = 300 # seconds, for what hangs
# What record and report say where interrupts took too long for the kernel's taste.
THROTTLED = re.compile(r"Lowering default frequency rate from \d+ to \d+\."
                       r"|Please consider tweaking /proc/sys/kernel/perf_event_max_sample_rate\."
                       r"|warning: the kernel (held sampling back|throttled sampling) \d+ times?.*"
                       r"|hint: a lower -F avoids it")


class Case:
    def __init__(self, path, title, line):
        self.path, self.title, self.line = path, title, line
        self.keys = []       # (key, value) in the file's order
        self.sections = {}   # name -> (mode, text)

    def get(self, key, default=None):
        return next((v for k, v in self.keys if k == key), default)

    def all(self, key):
        return [v for k, v in self.keys if k == key]

    def where(self):
        return f"{self.path.parent.name}/{self.path.name}:{self.line}: {self.title}"


def parse_file(path):
    """The cases of a file, and the comment lines before the first."""
    head, cases, section = [], [], None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        if line.startswith("=== "):
            cases.append(Case(path, line[4:], number))
            section = None
        elif not cases:
            head.append(line)
        elif m := re.match(r"--- (stdin|stdout|stderr)( \w+)?$", line):
            section = m.group(1)
            cases[-1].sections[section] = [(m.group(2) or " exact").strip(), []]
        elif section:
            text = line[1:] if re.match(r"\\(===|---|\\)", line) else line
            cases[-1].sections[section][1].append(text)
        elif line.strip() and not line.startswith("#"):
            key, sep, value = line.partition(": ")
            if not sep or key not in ("argv", "sh", "exit", "env", "files", "threads", "needs"):
                sys.exit(f"{path}:{number}: not understood: {line}")
            cases[-1].keys.append((key, value))
    for c in cases:
        for s in c.sections.values():
            while len(s[1]) > 1 and s[1][-1] == "" and s[0] != "exact":
                s[1].pop()
        # One empty line before the next case is layout, not text.
        last = list(c.sections.values())[-1:]
        if last and last[0][1] and last[0][1][-1] == "":
            last[0][1].pop()
    return head, cases


def lines_of(text):
    """As in the .t file: a last line without newline is followed by a mark."""
    if not text:
        return []
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines + ["\\ no newline at end"]


def run_once(case, config, workers):
    tmp = pathlib.Path(tempfile.mkdtemp(prefix="perf-golden."))
    try:
        (tmp / "bin").mkdir()
        (tmp / "work").mkdir()
        (tmp / "bin" / "perf").symlink_to(config.perf)
        (tmp / "bin" / "python3").symlink_to(config.python)
        env = {"PATH": f"{tmp}/bin:{os.environ['PATH']}", "HOME": str(tmp), "LC_ALL": "C",
               "TERM": "dumb", "PERF_CONFIG": "/dev/null", "COLUMNS": "80", "TZ": "UTC", "PERF_BUILDID_DIR": f"{tmp}/.debug",
               "DATA": str(config.data), "TMP": str(tmp / "work")}
        env |= {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS") or k == leave_nothing.NAME}
        if workers:
            env["PERF_WORKERS"] = workers
        for pair in case.all("env"):
            name, _, value = pair.partition("=")
            env[name] = value.replace("$TMP", str(tmp / "work")).replace("$DATA", str(config.data))
        for name in " ".join(case.all("files")).split():
            source = config.data / name
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            copy(source, tmp / "work" / source.name)
        if case.get("sh"):
            argv = ["bash", "-c", case.get("sh")]
        else:
            line = case.get("argv", "").replace("$DATA", str(config.data))
            argv = shlex.split(line.replace("$TMP", str(tmp / "work")))
            argv[0] = str(tmp / "bin" / "perf") if argv[0] == "perf" else argv[0]
        stdin = {"stdin": subprocess.DEVNULL}
        if "stdin" in case.sections:
            stdin = {"input": ("\n".join(case.sections["stdin"][1]) + "\n").encode()}
        p = subprocess.run(argv, capture_output=True, cwd=tmp / "work", env=env, timeout=TIMEOUT,
                           check=False, **stdin)
        out = [s.decode("utf-8", "backslashreplace").replace(str(tmp / "work"), "$TMP")
               .replace(str(config.data), "$DATA") for s in (p.stdout, p.stderr)]
        return p.returncode, out[0], out[1]
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


def differs(name, mode, expected, text):
    """None, or what is wrong with one stream."""
    got = lines_of(text)
    if name == "stderr":
        got = [g for g in got if g in expected or not THROTTLED.fullmatch(g)]
    if mode == "any":
        return None
    if mode == "contains":
        missing = [e for e in expected if e not in text]
        return f"{name} lacks: " + " | ".join(missing) + "\n" + text if missing else None
    if mode == "regex":
        ok = len(got) == len(expected) and all(re.fullmatch(e, g) for e, g in zip(expected, got))
    else:
        ok = got == expected
    if ok:
        return None
    diff = difflib.unified_diff(expected, got, f"{name} expected", f"{name} printed", lineterm="")
    return "\n".join(s[:300] for s in list(diff)[:60])


def root_is_whole():
    """Whether / is a whole file system, not a folder of one."""
    with open("/proc/self/mountinfo", encoding="utf-8") as f:
        return all(line.split()[3] == "/" for line in f if line.split()[4] == "/")


def has_libpython():
    """Whether there is a library of Python that perf finds."""
    for minor in range(40, 7, -1):
        try:
            ctypes.CDLL(f"libpython3.{minor}.so.1.0")
            return True
        except OSError:
            pass
    return False


@functools.cache
def is_there(need, perf):
    """Whether the machine, or the program under test, has what a needs: line names."""
    if need.startswith("feature:"):
        return subprocess.run([perf, "check", "-q", "feature", need.removeprefix("feature:")],
                              capture_output=True, check=False).returncode == 0
    if need == "perf-events":
        paranoid = pathlib.Path("/proc/sys/kernel/perf_event_paranoid")
        return paranoid.exists() and (os.geteuid() == 0 or int(paranoid.read_text()) < 0)
    if need == "tracefs":
        return os.access("/sys/kernel/tracing/events/sched", os.R_OK | os.X_OK)
    if need == "libpython":
        return has_libpython()
    if need == "reference-perf":
        # Debian's /usr/bin/perf may be a script that looks for a perf of the running kernel, or of another version.
        return os.path.exists("/usr/bin/perf") and \
            b"version 6.1." in subprocess.run(["/usr/bin/perf", "--version"], capture_output=True, check=False).stdout
    if need == "root":
        return os.geteuid() == 0
    if need == "bpf":
        return os.geteuid() == 0 and subprocess.run(
            [sys.executable, "-B", "-c", "import bpf_load; bpf_load.load('try')"], capture_output=True, check=False,
            cwd=pathlib.Path(__file__).resolve().parents[1] / "live").returncode == 0
    if need == "mount-namespace":  # not in a chroot: there the kernel tells paths from the real root
        return bool(shutil.which("unshare")) and root_is_whole() and \
            subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0
    return os.path.exists(need) if need.startswith("/") else bool(shutil.which(need))


def quick_python(folder):
    """A python3 that imports none of what a machine's packages want imported at each start (*.pth): that can take
    five times as long as what a case makes with it."""
    path = pathlib.Path(folder) / "python3"
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -S "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def run_case(case, config):
    """(verdict, details, (exit, stdout, stderr))"""
    for need in " ".join(case.all("needs")).split():
        if not is_there(need, config.perf):
            return "skip", f"needs {need}", None
    result, problems = None, []
    for workers in (case.get("threads") or "").split() or [""]:
        result = run_once(case, config, workers)
        code, *streams = result
        label = f" (PERF_WORKERS={workers})" if workers else ""
        if str(code) != case.get("exit", "0"):
            problems.append(f"exit status {code}, expected {case.get('exit', '0')}{label}")
        for name, text in zip(("stdout", "stderr"), streams):
            mode, expected = case.sections.get(name, ["exact", []])
            problem = differs(name, mode, expected, text)
            if problem:
                problems.append(problem + label)
        if problems:
            break
    return ("fail", "\n".join(problems), result) if problems else ("pass", "", result)


def bless(path, results):
    head, cases = parse_file(path)
    out = list(head)
    for case in cases:
        code, *streams = results[case.line]
        keys = [(k, v) for k, v in case.keys if k != "exit"]
        if code != 0:
            keys.append(("exit", str(code)))
        out += [f"=== {case.title}"] + [f"{k}: {v}" for k, v in keys]
        for name in SECTIONS:
            mode, lines = case.sections.get(name, ["exact", []])
            if name != "stdin" and mode == "exact":
                lines = lines_of(streams[SECTIONS.index(name) - 1])
            if lines or (name in case.sections and mode != "exact"):
                out.append(f"--- {name}" + ("" if mode == "exact" else f" {mode}"))
                out += ["\\" + s if re.match(r"===|---|\\", s) else s for s in lines]
        out.append("")
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def main():
    leave_nothing.mark()
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perf", type=pathlib.Path, default=here.parents[1] / "build" / "perf")
    parser.add_argument("--data", type=pathlib.Path, default=here.parent / "data")
    parser.add_argument("paths", type=pathlib.Path, nargs="*", default=[])
    config = parser.parse_args()
    config.perf, config.data = config.perf.resolve(), config.data.resolve()
    files = []
    for p in config.paths or [here]:
        files += sorted(p.rglob("*.t")) if p.is_dir() else [p]
    cases = [c for f in files for c in parse_file(f.resolve())[1]]
    count = {"pass": 0, "fail": 0, "skip": 0}
    seen = {}
    with tempfile.TemporaryDirectory(prefix="perf-golden.") as own, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        config.python = quick_python(own)
        for case, (verdict, text, result) in zip(
                cases, pool.map(lambda c: run_case(c, config), cases)):
            count[verdict] += 1
            seen.setdefault(case.path, {})[case.line] = result
            if verdict == "fail":
                print(f"not ok - {case.where()}")
                print("\n".join("# " + s for s in text.split("\n")))
            else:
                print(f"ok - {case.where()}" + (f" # SKIP {text}" if verdict == "skip" else ""))
    if os.environ.get("BLESS"):
        for path, results in seen.items():
            if None not in results.values():
                bless(path, results)
    print(f"{count['pass']} passed, {count['fail']} failed, {count['skip']} skipped")
    return 1 if count["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
