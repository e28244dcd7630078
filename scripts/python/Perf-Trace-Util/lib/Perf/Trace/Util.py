# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions that scripts of `perf script` share: times, averages, names of system calls and errors."""
import errno
import os

NSECS_PER_SEC = 1000000000

# The futex system call's operations and flags (futex(2)).
FUTEX_WAIT = 0
FUTEX_WAKE = 1
FUTEX_PRIVATE_FLAG = 128
FUTEX_CLOCK_REALTIME = 256
FUTEX_CMD_MASK = ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)


def avg(total, n):
    return total / n


def nsecs(secs, nsecs):
    return secs * NSECS_PER_SEC + nsecs


def nsecs_secs(nsecs):
    return nsecs // NSECS_PER_SEC


def nsecs_nsecs(nsecs):
    return nsecs % NSECS_PER_SEC


def nsecs_str(nsecs):
    # A tuple of one, which is what scripts have always got.
    return ('%5u.%09u' % (nsecs_secs(nsecs), nsecs_nsecs(nsecs)),)


def add_stats(dict, key, value):
    """Keeps (least, most, running mean with half the weight on the newest, number) of a key's values."""
    if key not in dict:
        dict[key] = (value, value, value, 1)
        return
    least, most, mean, count = dict[key]
    dict[key] = (min(least, value), max(most, value), (mean + value) / 2, count + 1)


def clear_term():
    """Clears the terminal."""
    print('\x1b[H\x1b[2J')


def _machine_tables():
    try:
        import audit
        machines = {'x86_64': 'MACH_86_64', 'i386': 'MACH_X86', 'i486': 'MACH_X86', 'i586': 'MACH_X86',
                    'i686': 'MACH_X86', 'aarch64': 'MACH_AARCH64', 'ppc64': 'MACH_PPC64',
                    'ppc64le': 'MACH_PPC64LE', 's390': 'MACH_S390', 's390x': 'MACH_S390X'}
        return audit, getattr(audit, machines[os.uname().machine])
    except (ImportError, AttributeError, KeyError):
        return None, None


_audit, _machine = _machine_tables()


def syscall_name(id):
    """The name of a system call, by the module audit; without it the number."""
    if _audit is not None:
        try:
            name = _audit.audit_syscall_to_name(id, _machine)
            if name:
                return name
        except TypeError:
            pass
    return str(id)


def strerror(nr):
    """The name of an error number of either sign."""
    return errno.errorcode.get(abs(nr), 'Unknown %d errno' % nr)
