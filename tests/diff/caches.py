#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perf buildid-cache against the installed perf: the same trees, and each works on the other's.

Both do the same jobs, each on a cache of its own; then names, kinds, modes, link texts and contents of
all files must be equal. Trace points come from a program made here with notes of many forms of
arguments; those that the reference writes otherwise stand in OWN with the reason.
"""
import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

# Arguments of trace points, as assemblers and compilers write them.
ARGS = ["-4@-8(%rbp)", "8@8(%rsp)", "4@(%rax)", "8@16(%rax,%rbx,8)", "8@(%rax,%rbx,8)", "@%eax", "%eax",
        "-2@%r8w", "-1@%sil", "8@%r10d", "8@%r15b", "4@%fs:16", "-4@0x10(%rbx)", "-4@g+8(%rip)", "8@g+8(%rax)", "3@%rax", "8@%rax, 8@%rbx",
        "4@%eax  4@%ebx", "-4@-8(%rbp,%rax)", "8@%rbogus", "8@8(%rbogus)", "8@+8(%rax)", "8@", "@", "8@%",
        "8@*%rax", "8@foo", "8@12345", "2@%di 2@%si 8@%rdi 8@%rsp 8@%rbp 1@%bl 1@%bpl 2@%bx", ""]
OWN = {
    # what the kernel would refuse, with the whole probe
    "8@%rip": "", "4f@%xmm0": "", "8@%xmm1 8@%rax": "arg2=%ax:u64",
    # constants, which the reference leaves out
    "$5": "arg1=\\5", "-4@$5 8@%rax": "arg1=\\5:s32 arg2=%ax:u64", "8@%rax -4@$5 8@%rbx": "arg1=%ax:u64 arg2=\\5:s32 arg3=%bx:u64",
    # the second byte of a register, for which the reference takes the first
    "1@%ah": "", "1@%bl 1@%ch 2@%bx": "arg1=%bx:u8 arg3=%bx:u16",
}


def note(provider, name, place, args, semaphore="0"):
    return f""" .balign 4
 .4byte 992f-991f, 994f-993f, 3
991: .asciz "stapsdt"
992: .balign 4
993: .8byte {place}, _.stapsdt.base, {semaphore}
 .asciz "{provider}"
 .asciz "{name}"
 .asciz "{args}"
994: .balign 4
"""


def make_program(path, notes):
    """A program with these notes; semaphores lie in .probes, as <sys/sdt.h> puts them."""
    text = f""" .text
 .globl main
main: xor %eax, %eax
 nop
 nop
 ret
 .section .stapsdt.base,"aG","progbits",.stapsdt.base,comdat
_.stapsdt.base: .space 1
 .section .probes,"aw"
sem: .2byte 0
 .section .note.GNU-stack,"",@progbits
 .section .note.stapsdt,"","note"
{"".join(notes)}"""
    subprocess.run(["gcc", "-x", "assembler", "-", "-o", path], input=text, text=True, check=True)


class Check:
    def __init__(self, args, folder):
        self.perf = {"ours": os.path.abspath(args.perf), "theirs": args.ref}
        self.folder = folder
        self.bad = self.total = 0

    def run(self, who, cache, *words, command="buildid-cache"):
        env = dict(os.environ, HOME=os.path.join(self.folder, "home"), LC_ALL="C")
        env.pop("PERF_BUILDID_DIR", None)
        p = subprocess.run([self.perf[who], "--buildid-dir", os.path.join(self.folder, cache), command,
                            *words], cwd=self.folder, env=env, capture_output=True, text=True, timeout=300)
        return p.stdout

    def same(self, what, ours, theirs):
        self.total += 1
        if ours != theirs:
            self.bad += 1
            print(f"{what}: differ\n+ours {ours}\n-theirs {theirs}"[:4000])

    def tree(self, cache):
        """Name -> what it is. Contents and modes of files, texts of links."""
        top = os.path.join(self.folder, cache)
        found = {}
        for dirpath, dirs, files in os.walk(top):
            for name in dirs + files:
                path = os.path.join(dirpath, name)
                st = os.lstat(path)
                if os.path.islink(path):
                    what = os.readlink(path)
                elif os.path.isdir(path):
                    what = "folder"
                elif name == "probes":
                    with open(path) as f:
                        what = f.read()
                else:
                    with open(path, "rb") as f:
                        what = hashlib.sha256(f.read()).hexdigest()
                found[os.path.relpath(path, top)] = f"{st.st_mode:o} {what}"
        return found

    def both(self, *words, **options):
        self.same(" ".join(words), self.run("ours", "ours", *words, **options),
                  self.run("theirs", "theirs", *words, **options))
        a, b = self.tree("ours"), self.tree("theirs")
        self.same(" ".join(words) + ": trees", {k: v for k, v in a.items() if b.get(k) != v},
                  {k: v for k, v in b.items() if a.get(k) != v})


def jobs(c):
    names = {"one": "/bin/true", "two": "/bin/ls", "three": "/bin/cat"}
    for name, of in names.items():
        shutil.copy(of, os.path.join(c.folder, name))
    os.symlink("one", os.path.join(c.folder, "link"))
    c.both("-a", "one,two")
    c.both("-a", "/lib64/ld-linux-x86-64.so.2")
    c.both("-a", "link")
    c.both("-l")
    c.both("-u", "three")
    c.both("-a", "no-such-file")
    c.both("-r", "two")
    shutil.copy("/bin/false", os.path.join(c.folder, "new"))
    os.rename(os.path.join(c.folder, "new"), os.path.join(c.folder, "one"))
    c.both("-l")
    c.both("-a", "one")
    c.both("-p", "one")
    c.both("-l")
    # each on the other's
    for who, cache in (("ours", "theirs"), ("theirs", "ours")):
        c.run(who, cache, "-a", "two")
    c.both("-l")
    for who, cache in (("ours", "theirs"), ("theirs", "ours")):
        c.run(who, cache, "-r", "three")
    c.both("-l")
    for who, cache in (("ours", "theirs"), ("theirs", "ours")):
        c.run(who, cache, "-P")
    c.both("-l")


def probes(c, who, path):
    c.run(who, who, "-P")
    c.run(who, who, "-a", path)
    found = [v for k, v in c.tree(who).items() if k.endswith("/probes")]
    return found[0] if found else None


def trace_points(c):
    path = os.path.join(c.folder, "points")
    for args in ARGS:
        make_program(path, [note("prov", "x", "main", args)])
        c.same(f"arguments '{args}'", probes(c, "ours", path), probes(c, "theirs", path))
    make_program(path, [note("prov", "x", "main", "8@%rax", "sem"), note("other", "y", "main", ""),
                        note("prov", "x", "main+1", "8@%rbx", "sem")])
    c.same("several", probes(c, "ours", path), probes(c, "theirs", path))
    c.both("sdt", command="list")
    c.same("list", "sdt_other:y" in c.run("ours", "ours", "sdt", command="list"), True)
    os.rename(path, path + ".away")
    c.both("sdt", command="list")
    for args, want in OWN.items():
        make_program(path, [note("prov", "x", "main", args)])
        got = probes(c, "ours", path) or ""
        c.same(f"arguments '{args}'", got.partition("points:")[2].partition("\n")[0].partition(" ")[2],
               want.strip())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--perf", required=True)
    ap.add_argument("--ref", default="/usr/bin/perf")
    args = ap.parse_args()
    if not os.access(args.ref, os.X_OK) or not os.path.exists("/lib64/ld-linux-x86-64.so.2"):
        print(f"no {args.ref} for x86-64 to compare with")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        c = Check(args, os.path.realpath(folder))
        jobs(c)
        trace_points(c)
    print(f"{c.total} comparisons, {c.bad} wrong")
    return 1 if c.bad else 0


if __name__ == "__main__":
    sys.exit(main())
