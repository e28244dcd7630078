# SPDX-License-Identifier: GPL-2.0-or-later
"""A test that is killed, or runs into its time limit, takes along what it has started: recorders, daemons, workloads.

mark() puts a word into the environment, which all of them inherit, also those that have gone into the background. When
the test is told to end (SIGTERM, SIGINT, SIGHUP; meson sends SIGTERM at the time limit), whatever has the word is killed.
"""
import os
import signal

NAME = "PERF_TEST_RUN"


def marked():
    """Processes that have the word, without this one."""
    word = f"{NAME}={os.environ[NAME]}".encode()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as f:
                if int(name) != os.getpid() and word in f.read().split(b"\0"):
                    yield int(name)
        except OSError:
            pass  # has ended meanwhile, or is not ours


def end_all():
    """Again and again, since one may have started another meanwhile; those that have ended have no environment."""
    for _ in range(20):
        left = list(marked())
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        if not left:
            return


def on_end(number, _frame):
    end_all()
    os._exit(128 + number)


def mark():
    """Returns what an environment made by hand must have: {name: word}."""
    os.environ[NAME] = f"{os.getpid()}-{os.urandom(4).hex()}"
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, on_end)
    return {NAME: os.environ[NAME]}
