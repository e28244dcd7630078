#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""completion.py --perf PERF: types into bash and zsh on a terminal and looks at what TAB gives; asks fish.

bash must be there; the others are skipped where they are not.
"""
import argparse
import concurrent.futures
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
import leave_nothing

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 100.0

# (what is typed before TAB, what must stand on the screen behind it)
CASES = [
    ("perf rec\t", r"perf record "),
    ("perf conf\t", r"perf config "),
    ("perf re\t\t", r"record\s+report"),
    ("perf --buildid-d\t", r"perf --buildid-dir "),
    ("perf report --no-such\t\t", None),
    ("perf report --sort-nothing\t\t", None),
    ("perf report --show-nr\t", r"perf report --show-nr-samples "),
    ("perf report -s comm,symbol_s\t", r"perf report -s comm,symbol_size"),
    ("perf report -F overhead_ch\t", r"perf report -F overhead_children"),
    ("perf script -F comm,brstacks\t", r"perf script -F comm,brstacksym"),
    ("perf record --call-graph dw\t", r"perf record --call-graph dwarf"),
    ("perf report -i recording.d\t", r"perf report -i recording.data "),
    ("perf prob\t", r"perf probe "),
    ("perf --no-pager help vers\t", r"perf --no-pager help version "),
    ("perf daemon sig\t", r"perf daemon signal "),
]
BASH_ONLY = [
    ("perf report --sort=comm,symbol_s\t", r"perf report --sort=comm,symbol_size"),
    ("perf script -i 'recording.d\t", r"perf script -i 'recording.data' "),
    ("perf probe -x recording.d\t", r"perf probe -x recording.data "),
    ("perf record -e sched:sched_w\tx", None),
]
EVENTS = [
    ("perf record -e cpu-clock,page-f\t", r"perf record -e cpu-clock,page-faults"),
    ("perf stat -e sched:sched_stat_r\t", r"perf stat -e sched:sched_stat_runtime"),
]


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, argv, env, cwd):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.chdir(cwd)
            os.execvpe(argv[0], argv, env)

    def read(self, wanted, limit=LIMIT):
        """Until the text matches, or nothing comes any more."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if wanted and re.search(wanted, plain(self.text)):
                return True
            if not select.select([self.fd], [], [], 0.2)[0]:
                continue
            try:
                self.text += os.read(self.fd, 65536).decode("utf-8", "replace")
            except OSError:
                return False
        return False

    def settle(self):
        """Until nothing has come for a moment: shells draw their prompt more than once."""
        end = time.monotonic() + 2
        while time.monotonic() < end and select.select([self.fd], [], [], 0.3)[0]:
            try:
                self.text += os.read(self.fd, 65536).decode("utf-8", "replace")
            except OSError:
                return

    def type(self, keys):
        self.text = ""
        os.write(self.fd, keys.encode())

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def plain(text):
    """Without escape sequences; a backspace takes a character back."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][A-Z0-9]?|\x1b\][^\x07]*\x07|[\x0f\x07]", "", text)
    while re.search(r"[^\x08]\x08", text):
        text = re.sub(r"[^\x08]\x08", "", text)
    return text


def shells(tmp):
    """name: argv of those that are typed into"""
    zdir = tmp / "zsh"
    zdir.mkdir()
    (zdir / ".zshrc").write_text(f"PS1='ready> '\nfpath=({ROOT}/completion $fpath)\nautoload -U compinit\n"
                                 "compinit -u -D\nsetopt no_beep\nunsetopt prompt_sp\n")
    (tmp / "bashrc").write_text(f"PS1='ready> '\nbind 'set bell-style none'\nbind 'set enable-bracketed-paste off'\n"
                                f"source {ROOT}/completion/perf.bash\n")
    return {"bash": ["bash", "--noprofile", "--rcfile", str(tmp / "bashrc"), "-i"],
            "zsh": ["zsh", "-i"]}


def run_shell(name, argv, env, cwd, cases):
    """The failures of one shell."""
    bad = []
    term = Terminal(argv, env, cwd)
    try:
        if not term.read(r"ready> "):
            return [f"{name}: no prompt: {term.text!r}"]
        for keys, wanted in cases:
            term.type(keys)
            if wanted is None:
                # Nothing fits: what was typed is all that is there.
                term.read(re.escape(keys.rstrip("\tx")))
                term.read(None, 1.0)
                if keys.rstrip("\tx") not in plain(term.text):
                    bad.append(f"{name}: {keys!r} gives {plain(term.text)!r}")
            elif not term.read(wanted):
                bad.append(f"{name}: {keys!r} gives {plain(term.text)!r}, not {wanted}")
            # Throw the line away.
            term.settle()
            term.type("\x03")
            if not term.read(r"ready> "):
                return bad + [f"{name}: no prompt after {keys!r}: {term.text!r}"]
            term.settle()
    finally:
        term.close()
    return bad


# Says what fish would offer behind each line, with an empty line at the end of each.
FISH = f"source {ROOT}/completion/perf.fish; for line in $argv; complete -C $line; echo; end"


def ask_fish(env, cwd, cases):
    """The failures of fish, which tells what it would offer without a terminal: its releases draw lines differently."""
    lines = [keys.rstrip("\t") for keys, _ in cases]
    done = subprocess.run(["fish", "--no-config", "-c", FISH, "--", *lines], env=env, cwd=cwd, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False)
    answers = [part.splitlines() for part in re.split(r"^\n", done.stdout, flags=re.M)][:-1]
    if done.returncode or done.stderr or len(answers) != len(cases):
        return [f"fish: exit {done.returncode}, {len(answers)} answers to {len(cases)} lines: {done.stderr}"]
    bad = []
    for (keys, wanted), line, answer in zip(cases, lines, answers):
        # A single word takes the place of what is typed of it; several are listed.
        screen = line[:line.rindex(" ") + 1] + answer[0] + " " if len(answer) == 1 else "\n".join(answer)
        if answer if wanted is None else not re.search(wanted, screen):
            bad.append(f"fish: {keys!r} gives {screen!r}, not {wanted}")
    return bad


def main():
    leave_nothing.mark()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--perf", type=pathlib.Path, required=True)
    perf = parser.parse_args().perf.resolve()
    tmp = pathlib.Path(tempfile.mkdtemp(prefix="perf-completion."))
    passed = failed = skipped = 0
    try:
        (tmp / "bin").mkdir()
        (tmp / "work").mkdir()
        (tmp / "bin" / "perf").symlink_to(perf)
        (tmp / "work" / "recording.data").write_text("")
        env = {"PATH": f"{tmp}/bin:{os.environ['PATH']}", "HOME": str(tmp), "TERM": "xterm",
               "LC_ALL": "C.UTF-8", "ZDOTDIR": str(tmp / "zsh"), "COLUMNS": "200", "LINES": "50",
               "PERF_CONFIG": "/dev/null", leave_nothing.NAME: os.environ[leave_nothing.NAME]}
        has_list = " list " in " " + os.popen(f"'{perf}' --list-cmds").read()
        jobs = {}
        with concurrent.futures.ThreadPoolExecutor() as pool:  # the shells mostly wait
            for name, argv in {**shells(tmp), "fish": None}.items():
                cases = CASES + (BASH_ONLY if name == "bash" else [])
                if has_list and os.access("/sys/kernel/tracing/events/sched", os.X_OK):
                    cases = cases + EVENTS
                else:
                    skipped += len(EVENTS)
                    print(f"skip: {name}: events need 'perf list' and tracefs")
                if not shutil.which(name):
                    print(f"skip: no program '{name}'")
                    skipped += len(cases)
                    continue
                job = (run_shell, name, argv) if argv else (ask_fish,)
                jobs[pool.submit(*job, env, tmp / "work", cases)] = len(cases)
        for job, count in jobs.items():
            bad = job.result()
            failed += len(bad)
            passed += count - len(bad)
            for line in bad:
                print("FAIL " + line)
    finally:
        shutil.rmtree(tmp, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
