/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/syscall.h"
#include "trace/constants.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "trace/reads.h"

/*
 * These tables have no pointers: whatever has some, the loader writes to when perf starts. Of a
 * call: its name, then its arguments ("type name"), a NUL behind each and one more at the end.
 */
static const struct syscall_text {
#define SYSCALL(name, x86_64, i386, arm64, ...) char of_##name[sizeof(#name "\0" __VA_ARGS__)];
#include "trace/syscalls.def"
#undef SYSCALL
} syscall_text = {
#define SYSCALL(name, x86_64, i386, arm64, ...) #name "\0" __VA_ARGS__,
#include "trace/syscalls.def"
#undef SYSCALL
};

static const struct syscall_row {
	u16 text; /* where its text begins */
	s16 nr[TRACE_NR_ARCHES]; /* -1 = none there */
} syscall_rows[] = {
#define SYSCALL(name, x86_64, i386, arm64, ...)                                                    \
	{ offsetof(struct syscall_text, of_##name), { x86_64, i386, arm64 } },
#include "trace/syscalls.def"
#undef SYSCALL
};

static const char *row_name(const struct syscall_row *row)
{
	return (const char *)&syscall_text + row->text;
}

static const char *next_text(const char *text)
{
	return text + strlen(text) + 1;
}

/* ------------------------------------------------------------------ how arguments are shown */

/* By the call, or any that has an int of that name (""), and by the argument's name. */
static const struct arg_rule {
	char syscall[28], arg[16];
	u8 kind; /* enum trace_kind */
	u8 set; /* enum trace_set */
	bool zero;
} arg_rules[] = {
	{ "accept4", "flags", KIND_FLAGS, SET_SOCKET_FLAGS, false },
	{ "access", "mode", KIND_ACCESS, SET_NONE, false },
	{ "arch_prctl", "option", KIND_ENUM_HEX, SET_ARCH_PRCTL, false },
	{ "arch_prctl", "arg2", KIND_POINTER, SET_NONE, false },
	{ "bpf", "cmd", KIND_ENUM, SET_BPF, true },
	{ "brk", "brk", KIND_POINTER, SET_NONE, false },
	{ "clock_adjtime", "which_clock", KIND_ENUM, SET_CLOCK, true },
	{ "clock_getres", "which_clock", KIND_ENUM, SET_CLOCK, true },
	{ "clock_gettime", "which_clock", KIND_ENUM, SET_CLOCK, true },
	{ "clock_nanosleep", "which_clock", KIND_ENUM, SET_CLOCK, false },
	{ "clock_nanosleep", "flags", KIND_FLAGS, SET_TIMER, false },
	{ "clock_settime", "which_clock", KIND_ENUM, SET_CLOCK, true },
	{ "clone", "clone_flags", KIND_CLONE, SET_CLONE, false },
	{ "fanotify_init", "flags", KIND_FLAGS, SET_FANOTIFY_INIT, false },
	{ "fanotify_init", "event_f_flags", KIND_OPEN, SET_OPEN, false },
	{ "fanotify_mark", "flags", KIND_FLAGS, SET_FANOTIFY_MARK, false },
	{ "fanotify_mark", "mask", KIND_FLAGS, SET_FANOTIFY_EVENT, false },
	{ "io_uring_enter", "flags", KIND_FLAGS, SET_IO_URING_ENTER, false },
	{ "io_uring_register", "opcode", KIND_ENUM, SET_IO_URING_REGISTER, true },
	{ "ioprio_get", "which", KIND_ENUM, SET_IOPRIO_WHICH, false },
	{ "ioprio_set", "which", KIND_ENUM, SET_IOPRIO_WHICH, false },
	{ "mbind", "mode", KIND_ENUM, SET_MEMPOLICY, true },
	{ "mknod", "dev", KIND_DEVICE, SET_NONE, false },
	{ "mknodat", "dev", KIND_DEVICE, SET_NONE, false },
	{ "mlock2", "flags", KIND_FLAGS, SET_MLOCK2, false },
	{ "msgctl", "cmd", KIND_ENUM, SET_MSG_CMD, true },
	{ "msgget", "msgflg", KIND_IPC, SET_IPC_FLAGS, false },
	{ "personality", "personality", KIND_PERSONALITY, SET_NONE, true },
	{ "pidfd_open", "flags", KIND_FLAGS, SET_PIDFD_OPEN, false },
	{ "process_madvise", "behavior", KIND_ENUM, SET_MADVISE, false },
	{ "seccomp", "uargs", KIND_SECCOMP_ARG, SET_NONE, false },
	{ "semctl", "cmd", KIND_ENUM, SET_SEM_CMD, true },
	{ "semget", "semflg", KIND_IPC, SET_IPC_FLAGS, false },
	{ "set_mempolicy", "mode", KIND_ENUM, SET_MEMPOLICY, true },
	{ "shmat", "shmaddr", KIND_POINTER, SET_NONE, false },
	{ "shmat", "shmflg", KIND_FLAGS, SET_SHMAT, false },
	{ "shmctl", "cmd", KIND_ENUM, SET_SHM_CMD, true },
	{ "shmget", "shmflg", KIND_IPC, SET_IPC_FLAGS, false },
	{ "socketcall", "call", KIND_ENUM, SET_SOCKETCALL, false },
	{ "userfaultfd", "flags", KIND_FLAGS, SET_USERFAULTFD, false },
	{ "clone", "newsp", KIND_POINTER, SET_NONE, false },
	{ "clone", "tls", KIND_POINTER, SET_NONE, false },
	{ "close_range", "fd", KIND_FD, SET_NONE, false },
	{ "close_range", "flags", KIND_FLAGS, SET_CLOSE_RANGE, false },
	{ "dup2", "newfd", KIND_INT, SET_NONE, false },
	{ "dup3", "newfd", KIND_INT, SET_NONE, false },
	{ "dup3", "flags", KIND_FLAGS, SET_OPEN, false },
	{ "epoll_create1", "flags", KIND_FLAGS, SET_EPOLL_CREATE, false },
	{ "epoll_ctl", "op", KIND_ENUM, SET_EPOLL_CTL, true },
	{ "eventfd2", "flags", KIND_FLAGS, SET_EVENTFD, false },
	{ "execveat", "flags", KIND_FLAGS, SET_AT, false },
	{ "faccessat", "mode", KIND_ACCESS, SET_NONE, false },
	{ "faccessat2", "mode", KIND_ACCESS, SET_NONE, false },
	{ "faccessat2", "flags", KIND_FLAGS, SET_AT_ACCESS, false },
	{ "fadvise64", "advice", KIND_ENUM, SET_FADVISE, false },
	{ "fallocate", "mode", KIND_FLAGS, SET_FALLOCATE, false },
	{ "fchmodat2", "flags", KIND_FLAGS, SET_AT, false },
	{ "fchownat", "flag", KIND_FLAGS, SET_AT, false },
	{ "fcntl", "cmd", KIND_ENUM, SET_FCNTL, true },
	{ "fcntl", "arg", KIND_FCNTL_ARG, SET_NONE, false },
	{ "fcntl64", "cmd", KIND_ENUM, SET_FCNTL, true },
	{ "fcntl64", "arg", KIND_FCNTL_ARG, SET_NONE, false },
	{ "flock", "cmd", KIND_FLAGS, SET_FLOCK, false },
	{ "fsconfig", "cmd", KIND_ENUM, SET_FSCONFIG, true },
	{ "fsmount", "flags", KIND_FLAGS, SET_FSMOUNT, false },
	{ "fsmount", "attr_flags", KIND_FLAGS, SET_MOUNT_ATTR, false },
	{ "fsopen", "flags", KIND_FLAGS, SET_FSOPEN, false },
	{ "fspick", "flags", KIND_FLAGS, SET_FSPICK, false },
	{ "futex", "op", KIND_FUTEX_OP, SET_FUTEX, false },
	{ "futex", "val3", KIND_FUTEX_VAL3, SET_NONE, false },
	{ "get_mempolicy", "addr", KIND_POINTER, SET_NONE, false },
	{ "get_mempolicy", "flags", KIND_FLAGS, SET_GET_MEMPOLICY, false },
	{ "getitimer", "which", KIND_ENUM, SET_ITIMER, true },
	{ "getpriority", "which", KIND_ENUM, SET_PRIORITY, true },
	{ "getrandom", "flags", KIND_FLAGS, SET_GETRANDOM, false },
	{ "getrlimit", "resource", KIND_ENUM, SET_RLIMIT, true },
	{ "getrusage", "who", KIND_ENUM, SET_RUSAGE, false },
	{ "getsockopt", "level", KIND_ENUM, SET_SOL, true },
	{ "getsockopt", "optname", KIND_SOCKET_OPTION, SET_SO, false },
	{ "inotify_add_watch", "mask", KIND_FLAGS, SET_INOTIFY, false },
	{ "inotify_init1", "flags", KIND_FLAGS, SET_INOTIFY_INIT, false },
	{ "ioctl", "cmd", KIND_IOCTL, SET_IOCTL, false },
	{ "ioctl", "arg", KIND_POINTER, SET_NONE, false },
	{ "kcmp", "type", KIND_ENUM, SET_KCMP, false },
	{ "kcmp", "pid1", KIND_PID, SET_NONE, false },
	{ "kcmp", "pid2", KIND_PID, SET_NONE, false },
	{ "keyctl", "option", KIND_ENUM, SET_KEYCTL, true },
	{ "linkat", "flags", KIND_FLAGS, SET_AT, false },
	{ "lseek", "whence", KIND_ENUM, SET_SEEK, true },
	{ "madvise", "start", KIND_POINTER, SET_NONE, false },
	{ "madvise", "behavior", KIND_ENUM, SET_MADVISE, false },
	{ "membarrier", "cmd", KIND_ENUM, SET_MEMBARRIER, true },
	{ "memfd_create", "flags", KIND_FLAGS, SET_MEMFD, false },
	{ "mlockall", "flags", KIND_FLAGS, SET_MLOCKALL, false },
	{ "mmap", "addr", KIND_POINTER, SET_NONE, false },
	{ "mmap", "prot", KIND_FLAGS, SET_PROT, false },
	{ "mmap", "flags", KIND_FLAGS, SET_MAP, false },
	{ "mmap", "fd", KIND_FD, SET_NONE, false },
	{ "mmap", "off", KIND_POINTER, SET_NONE, false },
	{ "mount", "flags", KIND_MOUNT, SET_MOUNT, false },
	{ "mount_setattr", "flags", KIND_FLAGS, SET_AT, false },
	{ "move_mount", "flags", KIND_FLAGS, SET_MOVE_MOUNT, false },
	{ "mprotect", "start", KIND_POINTER, SET_NONE, false },
	{ "mprotect", "prot", KIND_FLAGS, SET_PROT, false },
	{ "mq_open", "oflag", KIND_OPEN, SET_OPEN, false },
	{ "mremap", "addr", KIND_POINTER, SET_NONE, false },
	{ "mremap", "flags", KIND_FLAGS, SET_MREMAP, false },
	{ "mremap", "new_addr", KIND_POINTER, SET_NONE, false },
	{ "msync", "flags", KIND_FLAGS, SET_MSYNC, false },
	{ "munmap", "addr", KIND_POINTER, SET_NONE, false },
	{ "newfstatat", "flag", KIND_FLAGS, SET_AT, false },
	{ "open", "flags", KIND_OPEN, SET_OPEN, false },
	{ "open_by_handle_at", "flags", KIND_OPEN, SET_OPEN, false },
	{ "open_tree", "flags", KIND_FLAGS, SET_OPEN_TREE, false },
	{ "openat", "flags", KIND_OPEN, SET_OPEN, false },
	{ "perf_event_open", "cpu", KIND_INT, SET_NONE, false },
	{ "perf_event_open", "flags", KIND_FLAGS, SET_PERF_EVENT_OPEN, false },
	{ "pipe2", "flags", KIND_FLAGS, SET_OPEN, false },
	{ "pkey_alloc", "init_val", KIND_FLAGS, SET_PKEY, false },
	{ "pkey_mprotect", "start", KIND_POINTER, SET_NONE, false },
	{ "pkey_mprotect", "prot", KIND_FLAGS, SET_PROT, false },
	{ "prctl", "option", KIND_ENUM, SET_PRCTL, false },
	{ "prctl", "arg2", KIND_PRCTL_ARG, SET_NONE, false },
	{ "prctl", "arg3", KIND_PRCTL_ARG, SET_NONE, false },
	{ "prctl", "arg4", KIND_PRCTL_ARG, SET_NONE, false },
	{ "prctl", "arg5", KIND_PRCTL_ARG, SET_NONE, false },
	{ "preadv2", "flags", KIND_FLAGS, SET_RWF, false },
	{ "prlimit64", "resource", KIND_ENUM, SET_RLIMIT, true },
	{ "ptrace", "request", KIND_ENUM, SET_PTRACE, true },
	{ "ptrace", "pid", KIND_PID, SET_NONE, false },
	{ "ptrace", "addr", KIND_POINTER, SET_NONE, false },
	{ "pwritev2", "flags", KIND_FLAGS, SET_RWF, false },
	{ "recvfrom", "flags", KIND_FLAGS, SET_MSG, false },
	{ "recvmmsg", "flags", KIND_FLAGS, SET_MSG, false },
	{ "recvmsg", "flags", KIND_FLAGS, SET_MSG, false },
	{ "renameat2", "flags", KIND_FLAGS, SET_RENAME, false },
	{ "rseq", "sig", KIND_ENUM_HEX, SET_NONE, false },
	{ "rt_sigprocmask", "how", KIND_ENUM, SET_SIGPROCMASK, true },
	{ "sched_setscheduler", "policy", KIND_SCHED, SET_SCHED, false },
	{ "sched_get_priority_max", "policy", KIND_SCHED, SET_SCHED, false },
	{ "sched_get_priority_min", "policy", KIND_SCHED, SET_SCHED, false },
	{ "seccomp", "op", KIND_ENUM, SET_SECCOMP, true },
	{ "seccomp", "flags", KIND_FLAGS, SET_SECCOMP_FLAGS, false },
	{ "sendmmsg", "flags", KIND_FLAGS, SET_MSG, false },
	{ "sendmsg", "flags", KIND_FLAGS, SET_MSG, false },
	{ "sendto", "flags", KIND_FLAGS, SET_MSG, false },
	{ "setitimer", "which", KIND_ENUM, SET_ITIMER, true },
	{ "setns", "flags", KIND_FLAGS, SET_UNSHARE, false },
	{ "setpriority", "which", KIND_ENUM, SET_PRIORITY, true },
	{ "setrlimit", "resource", KIND_ENUM, SET_RLIMIT, true },
	{ "setsockopt", "level", KIND_ENUM, SET_SOL, true },
	{ "setsockopt", "optname", KIND_SOCKET_OPTION, SET_SO, false },
	{ "shutdown", "how", KIND_ENUM, SET_SHUTDOWN, true },
	{ "signalfd4", "flags", KIND_FLAGS, SET_SIGNALFD, false },
	{ "socket", "family", KIND_ENUM, SET_FAMILY, true },
	{ "socket", "type", KIND_SOCKET_TYPE, SET_SOCKET_TYPE, false },
	{ "socket", "protocol", KIND_PROTOCOL, SET_PROTOCOL, false },
	{ "socketpair", "family", KIND_ENUM, SET_FAMILY, true },
	{ "socketpair", "type", KIND_SOCKET_TYPE, SET_SOCKET_TYPE, false },
	{ "socketpair", "protocol", KIND_PROTOCOL, SET_PROTOCOL, false },
	{ "splice", "flags", KIND_FLAGS, SET_SPLICE, false },
	{ "statx", "flags", KIND_FLAGS, SET_AT, false },
	{ "statx", "mask", KIND_FLAGS, SET_STATX, false },
	{ "symlinkat", "newdfd", KIND_DIR_FD, SET_NONE, false },
	{ "sync_file_range", "flags", KIND_FLAGS, SET_SYNC_FILE_RANGE, false },
	{ "tee", "flags", KIND_FLAGS, SET_SPLICE, false },
	{ "timer_create", "which_clock", KIND_ENUM, SET_CLOCK, true },
	{ "timer_settime", "flags", KIND_FLAGS, SET_TIMER, false },
	{ "timerfd_create", "clockid", KIND_ENUM, SET_CLOCK, true },
	{ "timerfd_create", "flags", KIND_FLAGS, SET_TIMERFD, false },
	{ "timerfd_settime", "flags", KIND_FLAGS, SET_TIMERFD_SET, false },
	{ "umask", "mask", KIND_OCTAL, SET_NONE, false },
	{ "umount", "flags", KIND_FLAGS, SET_UMOUNT, false },
	{ "umount2", "flags", KIND_FLAGS, SET_UMOUNT, false },
	{ "unlinkat", "flag", KIND_FLAGS, SET_AT, false },
	{ "unshare", "unshare_flags", KIND_FLAGS, SET_UNSHARE, false },
	{ "utimensat", "flags", KIND_FLAGS, SET_AT, false },
	{ "vmsplice", "flags", KIND_FLAGS, SET_SPLICE, false },
	{ "wait4", "options", KIND_FLAGS, SET_WAIT, false },
	{ "waitid", "which", KIND_ENUM, SET_WAITID, false },
	{ "waitid", "options", KIND_FLAGS, SET_WAIT, false },
	{ "", "sig", KIND_ENUM_HEX, SET_SIGNAL, false },
};

/* Names of descriptors, in every call that has them as an int. */
static const char *const fd_names[] = { "fd",       "fildes",      "oldfd",      "newfd",  "fd_in",
					"fd_out",   "fdin",        "fdout",      "out_fd", "in_fd",
					"epfd",     "ufd",         "pidfd",      "fs_fd",  "mqdes",
					"group_fd", "fanotify_fd", "ruleset_fd", "max_fd" };
static const char *const dir_fd_names[] = { "dfd",      "olddfd", "newdfd",
					    "from_dfd", "to_dfd", "mountdirfd" };

static bool is_one_of(const char *name, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

static enum trace_kind kind_of_type(const char *type, const char *name)
{
	bool is_unsigned = !strncmp(type, "unsigned", 8);

	if (strchr(type, '*') || strstr(type, "handler_t"))
		return strstr(type, "char") ? KIND_TEXT : KIND_POINTER;
	if (!strcmp(type, "umode_t"))
		return KIND_MODE;
	if (!strcmp(type, "pid_t"))
		return KIND_PID;
	if (!strcmp(type, "uid_t") || !strcmp(type, "gid_t"))
		return KIND_OWNER;
	if (is_one_of(name, dir_fd_names, ARRAY_SIZE(dir_fd_names)))
		return KIND_DIR_FD;
	/* preadv() and its like declare a descriptor as a long */
	if (is_one_of(name, fd_names, ARRAY_SIZE(fd_names)))
		return KIND_FD;
	if (!strcmp(type, "int") || !strcmp(type, "key_t") || !strcmp(type, "s32") ||
	    !strcmp(type, "clockid_t") || !strcmp(type, "const clockid_t") ||
	    !strcmp(type, "timer_t") || !strcmp(type, "key_serial_t") || !strcmp(type, "rwf_t"))
		return KIND_INT;
	if ((is_unsigned && !strstr(type, "long")) || !strcmp(type, "unsigned") ||
	    !strcmp(type, "u32") || !strcmp(type, "uint32_t") || !strcmp(type, "qid_t") ||
	    !strcmp(type, "__u32"))
		return KIND_UINT;
	return KIND_LONG;
}

/* "const enum landlock_rule_type": the text is kept. */
static void set_enum(struct trace_arg *a, const char *type)
{
	static const char word[] = "enum ";
	const char *at = strchr(type, '*') ? NULL : strstr(type, word);

	if (!at)
		return;
	a->kind = KIND_ENUM_TYPE;
	a->zero = true;
	a->read.type = at + strlen(word);
	a->read.type_len = (u8)strcspn(a->read.type, " ");
}

void trace_arg_of(struct trace_arg *a, const char *type, const char *name)
{
	*a = (struct trace_arg){ .name = name,
				 .len = (u8)strlen(name),
				 .kind = (u8)kind_of_type(type, name) };
	set_enum(a, type);
}

/* By the call whose rules apply. */
static void settle_arg(struct trace_arg *a, const struct trace_syscall *s, const char *syscall,
		       const char *text)
{
	const char *name = strrchr(text, ' ');
	char type[64];

	name = name ? name + 1 : text;
	snprintf(type, sizeof(type), "%.*s", (int)MAX(name - text - 1, 0), text);
	trace_arg_of(a, type, name);
	if (s->arch == TRACE_I386 && a->kind == KIND_LONG)
		a->kind = strstr(type, "unsigned") || strstr(type, "size_t") ? KIND_UINT : KIND_INT;
	trace_read_of(&a->read, s, syscall, text);
	set_enum(a, text);
	for (size_t i = 0; i < ARRAY_SIZE(arg_rules); i++) {
		const struct arg_rule *r = &arg_rules[i];

		if ((r->syscall[0] ? strcmp(r->syscall, syscall) != 0 : a->kind != KIND_INT) ||
		    strcmp(r->arg, name) != 0)
			continue;
		a->kind = r->kind;
		a->set = r->set;
		a->zero = r->zero;
		return;
	}
}

/* ------------------------------------------------------------------ calls */

static const struct result_rule {
	const char *syscall;
	enum trace_result result;
} result_rules[] = {
	{ "mmap", RESULT_POINTER },    { "brk", RESULT_POINTER },
	{ "mmap2", RESULT_POINTER },   { "mremap", RESULT_POINTER },
	{ "shmat", RESULT_POINTER },   { "clone", RESULT_PID },
	{ "fork", RESULT_PID },        { "vfork", RESULT_PID },
	{ "getpgid", RESULT_PID },     { "getppid", RESULT_PID },
	{ "gettid", RESULT_PID },      { "set_tid_address", RESULT_PID },
	{ "wait4", RESULT_PID },       { "waitid", RESULT_PID },
	{ "poll", RESULT_TIMEOUT },    { "ppoll", RESULT_TIMEOUT },
	{ "select", RESULT_TIMEOUT },  { "fcntl", RESULT_FCNTL },
	{ "fcntl64", RESULT_FCNTL },   { "exit", RESULT_NONE },
	{ "exit_group", RESULT_NONE }, { "umask", RESULT_OCTAL },
};

/* Old calls of 32 bits that have other arguments than the 64-bit ones of the same name: those of
 * the table are not theirs. */
static bool has_other_args(enum trace_arch arch, const char *name)
{
	static const char *const of_i386[] = { "mmap",      "select",          "fadvise64",
					       "readahead", "sync_file_range", "fallocate" };

	return arch == TRACE_I386 && is_one_of(name, of_i386, ARRAY_SIZE(of_i386));
}

/* Arguments that a call has on one architecture only. */
static const struct own_args {
	enum trace_arch arch;
	const char *syscall, *like; /* another call's rules apply, NULL = its own */
	const char *args; /* a NUL behind each */
} own_args[] = {
	{ TRACE_ARM64, "clone", NULL,
	  "unsigned long clone_flags\0unsigned long newsp\0int * parent_tidptr\0"
	  "unsigned long tls\0int * child_tidptr\0" },
	{ TRACE_I386, "clone", NULL,
	  "unsigned long clone_flags\0unsigned long newsp\0int * parent_tidptr\0"
	  "unsigned long tls\0int * child_tidptr\0" },
	{ TRACE_I386, "_llseek", "lseek",
	  "unsigned int fd\0unsigned long offset_high\0unsigned long offset_low\0"
	  "loff_t * result\0unsigned int whence\0" },
	{ TRACE_I386, "fcntl64", "fcntl",
	  "unsigned int fd\0unsigned int cmd\0unsigned long arg\0" },
	{ TRACE_I386, "fstat", NULL, "unsigned int fd\0struct compat_stat * statbuf\0" },
	{ TRACE_I386, "fstat64", "fstat", "unsigned int fd\0struct stat64 * statbuf\0" },
	{ TRACE_I386, "fstatat64", "newfstatat",
	  "int dfd\0const char * filename\0struct stat64 * statbuf\0int flag\0" },
	{ TRACE_I386, "fstatfs64", "fstatfs",
	  "unsigned int fd\0size_t sz\0struct compat_statfs64 * buf\0" },
	{ TRACE_I386, "ftruncate64", NULL,
	  "unsigned int fd\0unsigned long length_low\0unsigned long length_high\0" },
	{ TRACE_I386, "lstat", NULL, "const char * filename\0struct compat_stat * statbuf\0" },
	{ TRACE_I386, "lstat64", "lstat", "const char * filename\0struct stat64 * statbuf\0" },
	{ TRACE_I386, "mmap2", "mmap",
	  "unsigned long addr\0unsigned long len\0unsigned long prot\0unsigned long flags\0"
	  "unsigned long fd\0unsigned long pgoff\0" },
	{ TRACE_I386, "pread64", NULL,
	  "unsigned int fd\0char * buf\0size_t count\0unsigned long pos_low\0"
	  "unsigned long pos_high\0" },
	{ TRACE_I386, "pwrite64", NULL,
	  "unsigned int fd\0const char * buf\0size_t count\0unsigned long pos_low\0"
	  "unsigned long pos_high\0" },
	{ TRACE_I386, "socketcall", NULL, "int call\0unsigned long * args\0" },
	{ TRACE_I386, "stat", NULL, "const char * filename\0struct compat_stat * statbuf\0" },
	{ TRACE_I386, "stat64", "stat", "const char * filename\0struct stat64 * statbuf\0" },
	{ TRACE_I386, "statfs64", "statfs",
	  "const char * pathname\0size_t sz\0struct compat_statfs64 * buf\0" },
	{ TRACE_I386, "truncate64", NULL,
	  "const char * path\0unsigned long length_low\0unsigned long length_high\0" },
	{ TRACE_I386, "ugetrlimit", "getrlimit",
	  "unsigned int resource\0struct compat_rlimit * rlim\0" },
	{ TRACE_I386, "waitpid", "wait4", "pid_t upid\0int * stat_addr\0int options\0" },
};

enum { MAX_UNNAMED = 4096 }; /* more are no kernel's: they share the first one's name */

struct trace_syscalls {
	enum trace_arch arch;
	struct trace_syscall *by_nr; /* settled when they are asked for; name NULL = not yet */
	const struct syscall_row **rows; /* by number, NULL = none */
	size_t nr;
	struct map others; /* numbers without a name */
	VEC(struct trace_syscall *) unnamed;
};

struct trace_syscalls *trace_syscalls_new(enum trace_arch arch)
{
	struct trace_syscalls *t = XNEW(struct trace_syscalls);

	t->arch = arch;
	for (size_t i = 0; i < ARRAY_SIZE(syscall_rows); i++)
		if (syscall_rows[i].nr[arch] >= (s64)t->nr)
			t->nr = (size_t)syscall_rows[i].nr[arch] + 1;
	t->by_nr = XNEW_ARRAY(struct trace_syscall, t->nr);
	t->rows = XNEW_ARRAY(const struct syscall_row *, t->nr);
	for (size_t i = 0; i < ARRAY_SIZE(syscall_rows); i++)
		if (syscall_rows[i].nr[arch] >= 0)
			t->rows[syscall_rows[i].nr[arch]] = &syscall_rows[i];
	return t;
}

void trace_syscalls_free(struct trace_syscalls *t)
{
	if (!t)
		return;
	VEC_FOR(&t->unnamed, s)
		free(*s);
	vec_free(&t->unnamed);
	map_release(&t->others);
	free(t->by_nr);
	free(t->rows);
	free(t);
}

bool trace_arch_parse(const char *machine, enum trace_arch *arch)
{
	static const struct {
		const char *machine;
		enum trace_arch arch;
	} names[] = { { "x86_64", TRACE_X86_64 }, { "i386", TRACE_I386 },
		      { "i486", TRACE_I386 },     { "i586", TRACE_I386 },
		      { "i686", TRACE_I386 },     { "aarch64", TRACE_ARM64 },
		      { "arm64", TRACE_ARM64 } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(machine, names[i].machine) != 0)
			continue;
		*arch = names[i].arch;
		return true;
	}
	return false;
}

static const struct syscall_row *row_named(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(syscall_rows); i++)
		if (!strncmp(row_name(&syscall_rows[i]), name, len) &&
		    !row_name(&syscall_rows[i])[len])
			return &syscall_rows[i];
	return NULL;
}

/* setuid32, clock_gettime64 and ppoll_time64 have the arguments of setuid, clock_gettime, ppoll. */
static const struct syscall_row *row_of_wider(const struct syscall_row *row)
{
	static const char *const endings[] = { "_time64", "32", "64" };
	const char *name = row_name(row);
	size_t len = strlen(name);

	for (size_t i = 0; !*next_text(name) && i < ARRAY_SIZE(endings); i++) {
		size_t end = strlen(endings[i]);
		const struct syscall_row *like = NULL;

		if (len > end && !strcmp(name + len - end, endings[i]))
			like = row_named(name, len - end);
		if (like)
			return like;
	}
	return row;
}

static void settle(struct trace_syscalls *t, struct trace_syscall *s, u32 nr)
{
	const struct syscall_row *row = t->rows[nr];
	const char *name = row_name(row), *like = name, *args;

	*s = (struct trace_syscall){ .name = name, .nr = nr, .arch = (u8)t->arch };
	if (t->arch == TRACE_I386)
		like = row_name(row_of_wider(row));
	args = next_text(like);
	for (size_t i = 0; i < ARRAY_SIZE(own_args); i++) {
		if (own_args[i].arch != t->arch || strcmp(own_args[i].syscall, name) != 0)
			continue;
		args = own_args[i].args;
		like = own_args[i].like ? own_args[i].like : name;
	}
	s->known = !has_other_args(t->arch, name);
	for (; s->known && s->nr_args < TRACE_ARGS && *args; args = next_text(args))
		settle_arg(&s->args[s->nr_args++], s, like, args);
	for (size_t i = 0; i < ARRAY_SIZE(result_rules); i++)
		if (!strcmp(result_rules[i].syscall, like))
			s->result = (u8)result_rules[i].result;
}

/* One that has no name here. */
static const struct trace_syscall *find_unnamed(struct trace_syscalls *t, u64 nr)
{
	struct unnamed {
		struct trace_syscall s;
		char name[24];
	} * u;
	u32 i;

	for (struct map_probe p = map_first(&t->others, nr); map_next(&t->others, &p, &i);)
		if (t->unnamed.v[i]->nr == (u32)nr)
			return t->unnamed.v[i];
	if (t->unnamed.nr >= MAX_UNNAMED)
		return t->unnamed.v[0];
	u = XNEW(struct unnamed);
	snprintf(u->name, sizeof(u->name), "syscall_%d", (s32)nr);
	u->s = (struct trace_syscall){ .name = u->name, .nr = (u32)nr, .arch = (u8)t->arch };
	map_add(&t->others, nr, (u32)t->unnamed.nr);
	*VEC_PUSH(&t->unnamed) = &u->s;
	return &u->s;
}

const struct trace_syscall *trace_syscall(struct trace_syscalls *t, u64 nr)
{
	struct trace_syscall *s;

	nr = (u32)nr;
	if (nr >= t->nr || !t->rows[nr])
		return find_unnamed(t, nr);
	s = &t->by_nr[nr];
	if (!s->name)
		settle(t, s, (u32)nr);
	return s;
}

const struct trace_syscall *trace_syscall_at(struct trace_syscalls *t, size_t i)
{
	for (size_t nr = 0; nr < t->nr; nr++)
		if (t->rows[nr] && !i--)
			return trace_syscall(t, nr);
	return NULL;
}
