/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/syscall: the system calls of an architecture: numbers, names, arguments with their types
 * (syscalls.def, see tools/mk_syscalls.py) and how each argument is shown. What a newer kernel has
 * besides is not known here: it has no name, and six arguments in hexadecimal.
 */
#ifndef TRACE_SYSCALL_H
#define TRACE_SYSCALL_H

#include "base/types.h"

enum trace_arch { TRACE_X86_64, TRACE_I386, TRACE_ARM64, TRACE_NR_ARCHES };
enum { TRACE_ARGS = 6 };

/* How a value is shown. */
enum trace_kind {
	KIND_LONG, /* with its sign */
	KIND_INT, /* the lower 32 bits of it */
	KIND_UINT,
	KIND_POINTER,
	KIND_TEXT, /* pointer to characters */
	KIND_FD,
	KIND_DIR_FD, /* AT_FDCWD is none */
	KIND_PID,
	KIND_OWNER, /* user or group; -1 is none */
	KIND_MODE, /* of a file */
	KIND_ENUM, /* a constant of the set, or a number */
	KIND_ENUM_HEX, /* or one in hexadecimal */
	KIND_ENUM_TYPE, /* of the kernel's type: as the type information has it, or a number */
	KIND_FLAGS,
	KIND_ACCESS,
	KIND_OPEN,
	KIND_FUTEX_OP,
	KIND_FUTEX_VAL3,
	KIND_SOCKET_TYPE,
	KIND_PROTOCOL, /* depends on the family */
	KIND_SOCKET_OPTION, /* on the level */
	KIND_FCNTL_ARG, /* on the command */
	KIND_PRCTL_ARG,
	KIND_IOCTL,
	KIND_SECCOMP_ARG, /* on the operation */
	KIND_CLONE, /* flags, and the signal of the end */
	KIND_IPC, /* flags, and the mode of what is created */
	KIND_SCHED,
	KIND_PERSONALITY,
	KIND_MOUNT,
	KIND_OCTAL,
	KIND_LIMIT, /* of a resource */
	KIND_STATFS, /* flags of a mounted file system */
	KIND_DEVICE, /* its two numbers */
	KIND_DUMP, /* whose core dumps are allowed */
	KIND_NSEC, /* of a time, or a word of utimensat() */
};

/* How what a pointer points to is shown. */
enum trace_shape {
	SHAPE_NONE, /* it is not known */
	SHAPE_STRING,
	SHAPE_BYTES, /* of a buffer, of which only the first may be there */
	SHAPE_PATH, /* in a buffer */
	SHAPE_STRINGS, /* pointers to strings */
	SHAPE_ADDRESS, /* of a socket */
	SHAPE_OPTION, /* of a socket: an int, or bytes */
	SHAPE_INTS, /* of size bytes */
	SHAPE_SIGNALS, /* sigset_t */
	SHAPE_STRUCT,
	SHAPE_STRUCTS, /* an array of them */
	SHAPE_VECTOR, /* struct iovec */
	SHAPE_MESSAGE, /* struct msghdr */
	SHAPE_MESSAGES, /* struct mmsghdr, an array of them */
	SHAPE_COMMAND, /* of ioctl() */
	SHAPE_NAME, /* of a task: a short string */
	SHAPE_SIGINFO,
	SHAPE_ATTR, /* union bpf_attr */
	SHAPE_FDS, /* fd_set */
	SHAPE_SIGACTION,
	SHAPE_LOCK, /* struct flock */
	SHAPE_STATUS, /* of a process that has ended or stopped */
	SHAPE_CPUS, /* bits */
	SHAPE_NODES, /* bits, one less than the count says */
	SHAPE_SIGMASK, /* a pointer to a sigset_t, and its size */
	SHAPE_SIGEVENT,
	SHAPE_ENTRIES, /* of a directory: struct linux_dirent64 */
	SHAPE_OLD_ENTRIES, /* struct linux_dirent */
	SHAPE_CAPS, /* two of struct __user_cap_data_struct */
	SHAPE_POLICY, /* of memory: an int */
};

struct trace_read {
	u8 shape; /* enum trace_shape */
	u8 when, count, size; /* as in struct memory_rule of bpf/trace_args_program.h */
	u8 type_len;
	const char *type; /* name of the structure, NULL = none */
};

struct trace_arg {
	const char *name;
	u8 len; /* of the name */
	u8 kind; /* enum trace_kind */
	u8 set; /* enum trace_set */
	bool zero; /* 0 is shown, too */
	struct trace_read read; /* of KIND_ENUM_TYPE: type */
};

/* What a call returns. */
enum trace_result {
	RESULT_NUMBER,
	RESULT_POINTER,
	RESULT_PID,
	RESULT_TIMEOUT, /* 0: time was over */
	RESULT_FCNTL, /* depends on the command */
	RESULT_OCTAL,
	RESULT_NONE, /* it does not return */
};

struct trace_syscall {
	const char *name;
	u32 nr; /* on its architecture */
	u8 nr_args;
	u8 result; /* enum trace_result */
	u8 arch; /* enum trace_arch */
	bool known; /* its arguments are */
	struct trace_arg args[TRACE_ARGS];
};

struct trace_syscalls;

struct trace_syscalls *trace_syscalls_new(enum trace_arch arch);
void trace_syscalls_free(struct trace_syscalls *t);
/* "x86_64", "aarch64", "i686", ... as uname has it; false: there is no table of that one. */
bool trace_arch_parse(const char *machine, enum trace_arch *arch);
/* Never NULL; it stays until trace_syscalls_free(). One thread. */
const struct trace_syscall *trace_syscall(struct trace_syscalls *t, u64 nr);
/* The i-th of those that have a name, NULL = there are no more. */
const struct trace_syscall *trace_syscall_at(struct trace_syscalls *t, size_t i);
/* How a value of that type and name is shown, in any call or field of a tracepoint. The texts are
 * kept. */
void trace_arg_of(struct trace_arg *a, const char *type, const char *name);

#endif
