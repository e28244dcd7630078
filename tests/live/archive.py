#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf archive: what it packs, compared with the installed perf, and what it does not unpack.

A fresh recording is packed and unpacked with another home; reports there, and with --symfs, name the
functions of a program that is gone by then. Hostile archives must leave everything outside alone.
"""
import argparse
import bz2
import glob
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
import leave_nothing
from live_case import is_reference

SOURCE = """
static volatile unsigned long sink;
__attribute__((noinline)) static void spin_in_archive(void) { for (int i = 0; i < 300000000; i++) sink += i; }
int main(void) { spin_in_archive(); return 0; }
"""
ID = "0123456789abcdef0123456789abcdef01234567"


class Test:
    def __init__(self, args, folder):
        self.perf, self.ref, self.folder = os.path.abspath(args.perf), args.ref, folder
        self.failed = self.passed = 0

    def check(self, what, ok, why=""):
        self.passed, self.failed = self.passed + bool(ok), self.failed + (not ok)
        if not ok:
            print(f"not ok: {what}\n{why}")

    def run(self, *words, home="home", cwd=".", perf=None):
        env = dict(os.environ, HOME=os.path.join(self.folder, home), LC_ALL="C")
        env.pop("PERF_BUILDID_DIR", None)
        os.makedirs(env["HOME"], exist_ok=True)
        p = subprocess.run([perf or self.perf, *words], cwd=os.path.join(self.folder, cwd), env=env,
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        return p.returncode, p.stdout, p.stderr

    def path(self, name):
        return os.path.join(self.folder, name)


def members(path):
    """Name, kind, mode, target and contents, whatever the compression."""
    with tarfile.open(path) as t:
        return sorted((m.name, m.type, m.mode, m.linkname,
                       hashlib.sha256(t.extractfile(m).read()).hexdigest() if m.isfile() else "")
                      for m in t)


def one_name_per_object(t):
    """A recording that gives an object many names does not get many copies of it."""
    _, out, _ = t.run("buildid-list", "-i", "perf.data")
    ids = dict(reversed(line.split(" ", 1)) for line in out.splitlines())
    prog = next((v for k, v in ids.items() if k.endswith("/prog")), None)
    others = [k for k in ids if k.startswith("/") and not k.endswith("/prog")]
    if not prog or not others:
        return
    t.run("inject", "--buildid-all", "--known-build-ids", ",".join(f"{prog} {k}" for k in others),
          "-i", "perf.data", "-o", "names.data")
    t.check("archive of many names", t.run("archive", "names.data")[0] == 0)
    names = [m[0] for m in members(t.path("names.data.tar.bz2")) if m[0].startswith(".build-id/")]
    t.check("one copy of each object", len(names) == len(set(names)), names)


def good(t):
    rc, _, err = t.run("record", "-q", "-e", "cpu-clock", "-o", "perf.data", "./prog")
    if rc:
        return f"cannot record: {err.strip()}"
    if is_reference(t.ref) and shutil.which("bzip2"):
        theirs = t.run("archive", perf=t.ref)
        listed = members(t.path("perf.data.tar.bz2"))
        os.unlink(t.path("perf.data.tar.bz2"))
        ours = t.run("archive")
        t.check("the text", ours[:2] == theirs[:2], (ours, theirs))
        t.check("the members", members(t.path("perf.data.tar.bz2")) == listed,
                (members(t.path("perf.data.tar.bz2")), listed))
    else:
        t.check("archive", t.run("archive")[0] == 0)
    t.check("archive --all", t.run("archive", "--all")[0] == 0)
    one_name_per_object(t)
    # what was never put into the cache comes from where it was
    listed = members(t.path("perf.data.tar.bz2"))
    t.run("archive", home="empty")
    t.check("without a cache", {m[0] for m in listed if not m[0].endswith("/probes")} ==
            {m[0] for m in members(t.path("perf.data.tar.bz2"))}, members(t.path("perf.data.tar.bz2")))
    # another machine
    package, = glob.glob(t.path("perf.all-*.tar.bz2"))
    os.makedirs(t.path("far"))
    shutil.move(package, t.path("far"))
    os.unlink(t.path("prog"))
    report = ("report", "--stdio", "-i", "perf.data", "-s", "sym")
    rc, out, err = t.run("archive", "--unpack", home="other", cwd="far")
    t.check("unpack", rc == 0 and "unpacked into" in out, err)
    t.check("report there", "spin_in_archive" in t.run(*report, home="other", cwd="far")[1])
    t.check("report nowhere", "spin_in_archive" not in t.run(*report, home="third", cwd="far")[1])
    rc, out, err = t.run("archive", "--unpack", home="other", cwd="far")
    t.check("a recording is not replaced", rc == 1 and "'perf.data' exists" in err, err)
    os.makedirs(t.path("root"))
    t.run("--buildid-dir", t.path("root/.debug"), "archive", "--unpack", t.path("perf.data.tar.bz2"))
    t.check("--symfs", "spin_in_archive" in t.run(*report, "--symfs", t.path("root"), home="third",
                                                  cwd="far")[1])
    # what is left out
    out = t.run("buildid-list", "-H", cwd="far")[1]
    with open(t.path("list"), "w") as f:
        f.write("\n".join(line for line in out.splitlines() if "prog" not in line))
    shutil.copy(t.path("far/perf.data"), t.path("perf.data"))
    t.run("archive", "--exclude-buildids", "list", home="other")
    t.check("--exclude-buildids", {m[0].split("/")[0] for m in members(t.path("perf.data.tar.bz2"))} ==
            {".build-id", t.folder.split("/")[1]}, members(t.path("perf.data.tar.bz2")))
    return None


def tar_of(rows, fmt=tarfile.GNU_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=fmt) as t:
        for name, kind, what in rows:
            m = tarfile.TarInfo(name)
            m.type, m.mode = kind, 0o4777
            data = what if kind == tarfile.REGTYPE else b""
            m.linkname = "" if kind == tarfile.REGTYPE else what
            m.size = len(data)
            t.addfile(m, io.BytesIO(data))
    return out.getvalue()


F, L, H, D, C = (tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE)
HOSTILE = {
    "up": [("../outside", F, b"x"), ("a/../../outside", F, b"x"), ("..", F, b"x"), (".", F, b"x")],
    "absolute": [("/tmp/perf-archive-outside", F, b"x"), ("//tmp/perf-archive-outside", F, b"x")],
    "link, then through it": [("way", L, ".."), ("way/outside", F, b"x")],
    "link of a cache, then through it": [(".build-id/01/" + ID[2:], L, "../../../" + ID),
                                         (".build-id/01/" + ID[2:] + "/elf", F, b"x")],
    "link with dots": [(".build-id/01/" + ID[2:], L, "../../a/../../" + ID),
                       (".build-id/01", L, "../../" + ID), (".build-id/01/" + ID[2:], L, "../../" + ID)],
    "sane link, then through it": [(".build-id/01/" + ID[2:], L, "../../../" + ID),
                                   (".build-id/02/" + ID[2:], L, "../../p/01" + ID[2:])],
    "hard link": [("a/elf", H, "../../precious"), ("b/elf", H, "/etc/hostname"), ("c/elf", H, "none")],
    "devices": [("null", C, "")],
    "folder where a file is": [("p/x", F, b"x"), ("p/x/y", F, b"y")],
    "long": [("../" * 60 + "outside", F, b"x"), ("d/" * 600 + "e", F, b"x"), ("n" * 300, F, b"x")],
    "nothing": [],
}


def hostile(t):
    base = t.path("hostile")
    os.makedirs(base)
    before = {}

    def outside():
        found = {}
        for top, dirs, files in os.walk(base):
            if top == base:
                dirs[:] = [d for d in dirs if not d.startswith("cache")]
            for name in files + dirs:
                path = os.path.join(top, name)
                found[path] = os.lstat(path).st_size if name in files else 0
        return found

    with open(base + "/precious", "w") as f:
        f.write("precious")
    os.link(base + "/precious", base + "/precious2")
    for i, (what, rows) in enumerate(HOSTILE.items()):
        for fmt in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
            with open(t.path("x.tar.bz2"), "wb") as f:
                f.write(bz2.compress(tar_of(rows, fmt)))
            before = outside()
            cache = f"{base}/cache{i}-{fmt}"
            rc, out, err = t.run("--buildid-dir", cache, "archive", "--unpack", t.path("x.tar.bz2"))
            t.check(f"hostile: {what}: nothing outside", outside() == before and rc in (0, 1) and
                    not os.path.exists("/tmp/perf-archive-outside"), (outside(), before, rc, err))
            t.check(f"hostile: {what}: told", rc == 1 or not rows, (rc, out, err))
            for top, _, files in os.walk(cache):
                for name in files:
                    st = os.lstat(os.path.join(top, name))
                    t.check(f"hostile: {what}: {name}", st.st_mode & 0o7022 == 0 or
                            os.path.islink(os.path.join(top, name)), oct(st.st_mode))
    # an existing copy that shares its bytes with the original is replaced, not written to
    cache = base + "/cache-shared"
    os.makedirs(cache + "/p/" + ID)
    os.link(base + "/precious", f"{cache}/p/{ID}/elf")
    with open(t.path("x.tar.bz2"), "wb") as f:
        f.write(bz2.compress(tar_of([(f"p/{ID}/elf", F, b"other"), ("x/", D, "")])))
    rc, _, err = t.run("--buildid-dir", cache, "archive", "--unpack", t.path("x.tar.bz2"))
    with open(base + "/precious") as f, open(f"{cache}/p/{ID}/elf") as g:
        t.check("the original stays", rc == 0 and f.read() == "precious" and g.read() == "other", err)
    packages(t)
    damaged(t)


def packages(t):
    """What comes with a recording: no hidden files, no programs, nothing replaced."""
    inner = bz2.compress(tar_of([("a/elf", F, b"x")]))
    os.makedirs(t.path("package"))
    with open(t.path("package/x.tar.bz2"), "wb") as f:
        f.write(bz2.compress(tar_of([("perf.symbols.tar.bz2", F, inner), (".bashrc", F, b"x"),
                                     ("d/.git/hooks/x", F, b"x"), ("perf.data", F, b"x"), ("l", L, "/etc")])))
    rc, _, err = t.run("--buildid-dir", t.path("package/cache"), "archive", "--unpack", "x.tar.bz2",
                       cwd="package")
    found = sorted(os.listdir(t.path("package")))
    t.check("a package", rc == 1 and found == ["cache", "perf.data", "x.tar.bz2"] and
            os.path.exists(t.path("package/cache/a/elf")) and err.count("left out") == 3, (found, err))
    t.check("no program", os.stat(t.path("package/perf.data")).st_mode & 0o7133 == 0)


def damaged(t):
    """An error, and only whole files from an archive that is damaged somewhere."""
    first, second = os.urandom(3000), b"y" * 3000
    whole = tar_of([("a/elf", F, first), ("b/elf", F, second)])
    packed = bz2.compress(whole)
    wrong = bytearray(whole)
    wrong[512 + 3072 + 5] ^= 1
    for what, data in {"cut": packed[:-20], "cut tar": whole[:4000], "no tar": b"x" * 600,
                       "wrong sum": bytes(wrong), "wrong bits": packed[:40] + b"\0\0" + packed[42:],
                       "wrong size": whole[:124] + b"77777777777\0" + whole[136:]}.items():
        with open(t.path("x.tar.bz2"), "wb") as f:
            f.write(data)
        rc, out, err = t.run("--buildid-dir", t.path("damaged"), "archive", "--unpack", t.path("x.tar.bz2"))
        found = {}
        for name in glob.glob(t.path("damaged/*/*")) + glob.glob(t.path("damaged/*/.*")):
            with open(name, "rb") as f:
                found[name[-5:]] = f.read()
        t.check(f"damaged: {what}", rc == 1 and re.match("error: .*\n", err) and
                all(found[k] == {"a/elf": first, "b/elf": second}.get(k) for k in found), (rc, out, err, found))
        shutil.rmtree(t.path("damaged"), ignore_errors=True)


def main():
    leave_nothing.mark()
    ap = argparse.ArgumentParser()
    ap.add_argument("--perf", required=True)
    ap.add_argument("--ref", default="/usr/bin/perf")
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        t = Test(args, os.path.realpath(folder))
        rc, out, _ = t.run("version", "--build-options")
        if not re.search(r"bzip2: \[ on", out):
            print("this perf was built without libbz2")
            return 77
        hostile(t)
        subprocess.run(["gcc", "-O1", "-x", "c", "-", "-o", t.path("prog")], input=SOURCE, text=True, check=True)
        reason = good(t)
    if reason:
        print(f"{t.passed} passed, {t.failed} failed; the rest was left out: {reason}")
        return 1 if t.failed else 77
    print(f"{t.passed} passed, {t.failed} failed")
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
