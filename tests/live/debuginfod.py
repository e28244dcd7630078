#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Symbols from debuginfod: a real server on loopback, and made-up ones that lie, fail or never answer.

A program is recorded and stripped of its names; reports have them when, and only when, a server is
named. Each thing is asked for once.
"""
import argparse
import collections
import ctypes.util
import http.server
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
import leave_nothing

SOURCE = """
static volatile unsigned long sink;
__attribute__((noinline)) static void from_the_server(void) { for (int i = 0; i < 200000000; i++) sink += i; }
int main(void) { from_the_server(); return 0; }
"""
NAME = "from_the_server"
# Functions of a header that get inlined; two programs have them in common.
SHARED = """
#include <algorithm>
#include <queue>
#include <stdlib.h>
int main() {
	std::priority_queue<int> q;
	for (int i = 0; i < 6000000 * ROUNDS; i++) {
		q.push(rand() % 1000);
		if (q.size() > 500)
			q.pop();
	}
	return (int)q.size() == 0;
}
"""


class Server(http.server.ThreadingHTTPServer):
    """Answers with files by 'ID/KIND', 404 otherwise; counts what it was asked for."""
    daemon_threads = True

    def __init__(self, files, silent=False, endless=False):
        outer = self
        self.sent = 0
        self.asked = collections.Counter()
        self.released = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                what = self.path.removeprefix("/buildid/")
                outer.asked[what] += 1
                if silent:
                    outer.released.wait(300)
                    return
                if endless:
                    self.send_response(200)
                    self.send_header("Content-Length", str(1 << 36))
                    self.end_headers()
                    self.pour()
                    return
                self.send_response(200 if what in files else 404)
                body = files.get(what, b"")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def pour(self):
                """More than the client wants, until it goes."""
                try:
                    while outer.sent < 1 << 28:
                        outer.sent += self.wfile.write(bytes(1 << 20))
                        time.sleep(0.01)
                except OSError:
                    pass

            def log_message(self, *args):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.released.set()
        self.shutdown()
        self.server_close()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Test:
    def __init__(self, perf, folder):
        self.perf, self.folder = perf, folder
        self.passed = self.failed = self.homes = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, what, ok, why=""):
        self.passed, self.failed = self.passed + bool(ok), self.failed + (not ok)
        if not ok:
            print(f"not ok: {what}\n{why}")

    def run(self, *words, urls=None, cache=None, config=None, patience=60):
        """In a home of its own, with a client cache of its own unless one is named."""
        self.homes += 1
        home = self.path(f"home{self.homes}")
        os.makedirs(home)
        env = dict(os.environ, HOME=home, LC_ALL="C", DEBUGINFOD_CACHE_PATH=cache or home + "/client",
                   DEBUGINFOD_TIMEOUT=str(patience))
        for name in ("DEBUGINFOD_URLS", "PERF_BUILDID_DIR", "PERF_CONFIG", "DEBUGINFOD_PROGRESS"):
            env.pop(name, None)
        if urls is not None:
            env["DEBUGINFOD_URLS"] = urls
        if config:
            with open(home + "/.perfconfig", "w") as f:
                f.write(config)
        p = subprocess.run([self.perf, *words], cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                           capture_output=True, text=True, timeout=300)
        return p, home

    def report(self, *words, **env):
        p, _ = self.run("report", "--stdio", "-i", "perf.data", "-s", "dso,sym", *words, **env)
        return p.stdout, p.stderr


def prepare(t):
    """The program that runs has no names; what it was made of lies in folders."""
    subprocess.run(["gcc", "-g", "-O1", "-x", "c", "-", "-o", t.path("prog")], input=SOURCE, text=True, check=True)
    os.makedirs(t.path("served"))
    shutil.copy(t.path("prog"), t.path("served/prog"))
    subprocess.run(["objcopy", "--only-keep-debug", t.path("prog"), t.path("served/prog.debug")], check=True)
    for name in ("prog", "served/prog"):
        subprocess.run(["strip", t.path(name)], check=True)
    p, _ = t.run("record", "-q", "-e", "cpu-clock:u", "-F", "499", "-N", "-o", "perf.data", "./prog")
    if p.returncode:
        return f"cannot record: {p.stderr.strip()}"
    with open(t.path("served/prog.debug"), "rb") as f, open(t.path("served/prog"), "rb") as g:
        t.debug, t.program = f.read(), g.read()
    t.id = subprocess.run([t.perf, "buildid-list", "-i", t.path("prog")], capture_output=True,
                          text=True).stdout.strip()
    return None


def real_server(t):
    port = free_port()
    with open(t.path("server.log"), "w") as log:
        server = subprocess.Popen(["debuginfod", "-d", ":memory:", "-F", "-p", str(port), "-t", "0",
                                   t.path("served")], stdout=log, stderr=log, cwd=t.folder,
                                  env=dict(os.environ, HOME=t.folder))
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(100):
            out, err = t.report(urls=url)
            if NAME in out:
                break
            time.sleep(0.2)
        t.check("a real server", NAME in out, (out, err))
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)


def opting_in(t):
    with Server({t.id + "/debuginfo": t.debug}) as s:
        out, err = t.report()
        t.check("not asked for", NAME not in out and not s.asked and not err, (out, err, s.asked))
        out, err = t.report(urls="")
        t.check("no URL", NAME not in out and not s.asked, (out, err, s.asked))
        out, err = t.report(urls=s.url)
        t.check("by the environment", NAME in out, (out, err))
        t.check("each thing once", max(s.asked.values()) == 1 and s.asked[t.id + "/debuginfo"], s.asked)
        s.asked.clear()
        out, err = t.report(config=f"[buildid-cache]\n\tdebuginfod = {s.url}\n")
        t.check("by the configuration", NAME in out and s.asked, (out, err))
        s.asked.clear()
        t.run("buildid-list", "-H", "-i", "perf.data", urls=s.url)
        t.run("evlist", "-i", "perf.data", urls=s.url)
        t.check("only who shows names asks", not s.asked, s.asked)
        cache = t.path("client")
        t.report(urls=s.url, cache=cache)
        s.asked.clear()
        out, _ = t.report(urls=s.url, cache=cache)
        t.check("the client's cache", NAME in out and not s.asked, s.asked)
        p, _ = t.run("script", "-i", "perf.data", "-F", "ip,sym,srcline", urls=s.url)
        t.check("script, source lines", NAME in p.stdout and "<stdin>:3" in p.stdout, p.stdout[:300])
    with Server({}) as s:
        cache = t.path("negative")
        out, err = t.report("-v", urls=s.url, cache=cache)
        t.check("nobody has it", NAME not in out and "no server has" in err and
                max(s.asked.values()) == 1, (out, err, s.asked))
        s.asked.clear()
        t.report(urls=s.url, cache=cache)
        t.check("negative answers are kept", not s.asked, s.asked)


def programs(t):
    os.rename(t.path("prog"), t.path("gone"))
    with Server({t.id + "/executable": t.program, t.id + "/debuginfo": t.debug}) as s:
        out, _ = t.report(urls=s.url)
        t.check("a program that is gone", NAME in out, out)
    with Server({t.id + "/executable": t.program}) as s:
        out, _ = t.report(urls=s.url)
        t.check("only the program", s.asked[t.id + "/executable"] == 1, s.asked)
    os.rename(t.path("gone"), t.path("prog"))


def broken(t):
    with open("/bin/true", "rb") as f:
        other = f.read()
    for what, body in {"another object": other, "garbage": b"x" * 5000, "nothing": b"",
                       "half": t.debug[:len(t.debug) // 2]}.items():
        with Server({t.id + "/debuginfo": body}) as s:
            p, _ = t.run("report", "--stdio", "-i", "perf.data", "-s", "dso,sym", urls=s.url)
            t.check(f"a server that sends {what}", p.returncode == 0 and NAME not in p.stdout,
                    (p.stdout, p.stderr))
    start = time.monotonic()
    out, err = t.report(urls=f"http://127.0.0.1:{free_port()}")
    t.check("no server there", "prog" in out and time.monotonic() - start < 50, err)
    with Server({}, silent=True) as s:
        start = time.monotonic()
        out, err = t.report(urls=s.url, patience=2)
        took = time.monotonic() - start
        t.check("a server that never answers", "prog" in out and took < 60 and
                len(re.findall("warning: debuginfod: cannot get", err)) == 1, (took, err))
    with Server({}, endless=True) as s:
        out, err = t.report("-v", urls=s.url)
        t.check("a server that sends 64 GB", "prog" in out and "File too large" in err and s.sent < 1 << 27, (s.sent, err))
    out, err = t.report(urls="this is no URL")
    t.check("no URL at all", "prog" in out, err)


def kept(t):
    """What the build-id cache gets."""
    with Server({t.id + "/debuginfo": t.debug}) as s:
        debug = f".debug{t.folder}/prog/{t.id}/debug"
        words = ("record", "-q", "-e", "cpu-clock:u", "-o", "other.data")
        _, home = t.run(*words, "./prog", urls=s.url)
        t.check("record alone does not ask", not os.path.exists(os.path.join(home, debug)) and not s.asked)
        for what, args, env in (("=URLS", [f"--debuginfod={s.url}"], {}), ("", ["--debuginfod"], {"urls": s.url}),
                                ("configuration", [], {"config": f"[record]\n\tdebuginfod = {s.url}\n"})):
            p, home = t.run(*words, *args, "./prog", **env)
            t.check(f"record --debuginfod {what}", os.path.exists(os.path.join(home, debug)), p.stderr)
        p, home = t.run("buildid-cache", f"--debuginfod={s.url}", "-a", "prog")
        t.check("buildid-cache", os.path.exists(os.path.join(home, debug)), p.stderr)
        p, _ = t.run("--buildid-dir", home + "/.debug", "report", "--stdio", "-i", "perf.data", "-s", "sym")
        t.check("report with that cache", NAME in p.stdout, p.stdout)


def shared(t):
    """What dwz moved out of several programs' debug information: beside the file behind a link, by build id,
    from a server."""
    if not shutil.which("dwz") or not shutil.which("g++"):
        print("no g++ or dwz: parts that programs share were not looked for")
        return
    os.makedirs(t.path("dwz/.build-id"))
    for nr in "12":
        exe = t.path("dwz/prog" + nr)
        subprocess.run(["g++", "-g", "-O2", f"-DROUNDS={nr}", "-x", "c++", "-", "-o", exe], input=SHARED, text=True,
                       check=True)
        subprocess.run(["objcopy", "--only-keep-debug", exe, exe + ".debug"], check=True)
        subprocess.run(["strip", exe], check=True)
    p = subprocess.run(["dwz", "-m", "common.dwz", "prog1.debug", "prog2.debug"], cwd=t.path("dwz"), capture_output=True,
                       text=True)
    p2, _ = t.run("record", "-q", "-e", "cpu-clock:u", "-N", "--call-graph", "dwarf", "-o",
                  "dwz.data", "./dwz/prog1")
    if p.returncode or p2.returncode or not os.path.exists(t.path("dwz/common.dwz")):
        print(f"parts that programs share were not looked for: {p.stderr}{p2.stderr}")
        return
    ids = [subprocess.run([t.perf, "buildid-list", "-i", t.path(f"dwz/{name}")], capture_output=True,
                          text=True).stdout.strip() for name in ("prog1", "common.dwz")]
    places = [f"{i}/debuginfo" for i in ids]
    bodies = []
    for name in "prog1.debug", "common.dwz":
        with open(t.path(f"dwz/{name}"), "rb") as f:
            bodies.append(f.read())
    show = ("script", "-i", "dwz.data", "-F", "ip,sym,srcline")
    inlined = "priority_queue"
    with Server(dict(zip(places, bodies))) as s:
        p, _ = t.run(*show, urls=s.url)
        t.check("what dwz moved out, from a server", inlined in p.stdout and
                s.asked[places[1]] == 1, (p.stdout[:500], p.stderr, s.asked))
    root = t.path("root")
    debug = root + "/usr/lib/debug"
    os.makedirs(f"{debug}/.build-id/{ids[0][:2]}")
    os.makedirs(f"{debug}/.build-id/{ids[1][:2]}", exist_ok=True)
    os.makedirs(f"{debug}/lib")
    os.makedirs(root + t.path("dwz"))
    shutil.copy(t.path("dwz/prog1"), root + t.path("dwz/prog1"))
    shutil.copy(t.path("dwz/prog1.debug"), f"{debug}/lib/prog1.debug")
    shutil.copy(t.path("dwz/common.dwz"), f"{debug}/lib/common.dwz")
    os.symlink("../../lib/prog1.debug", f"{debug}/.build-id/{ids[0][:2]}/{ids[0][2:]}.debug")
    p, _ = t.run(*show, "--symfs", root)
    t.check("what dwz moved out, beside the file behind a link", inlined in p.stdout, (p.stdout[:500], p.stderr))
    os.rename(f"{debug}/lib/common.dwz", f"{debug}/.build-id/{ids[1][:2]}/{ids[1][2:]}.debug")
    p, _ = t.run(*show, "--symfs", root)
    t.check("what dwz moved out, by build id", inlined in p.stdout, (p.stdout[:500], p.stderr))


def main():
    leave_nothing.mark()
    ap = argparse.ArgumentParser()
    ap.add_argument("--perf", required=True)
    args = ap.parse_args()
    if not ctypes.util.find_library("debuginfod"):
        print("libdebuginfod1 is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        t = Test(os.path.abspath(args.perf), os.path.realpath(folder))
        reason = prepare(t)
        if reason:
            print(reason)
            return 77
        opting_in(t)
        programs(t)
        broken(t)
        kept(t)
        shared(t)
        if shutil.which("debuginfod"):
            real_server(t)
        else:
            print("debuginfod is not installed: only made-up servers were asked")
    print(f"{t.passed} passed, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
