/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/groups.h"

#include <fnmatch.h>
#include <string.h>

static bool has_kind(const struct trace_syscall *s, enum trace_kind a, enum trace_kind b)
{
	for (size_t i = 0; i < s->nr_args; i++)
		if (s->args[i].kind == a || s->args[i].kind == b)
			return true;
	return false;
}

static bool has_text(const struct trace_syscall *s)
{
	return has_kind(s, KIND_TEXT, KIND_TEXT);
}

static bool has_descriptor(const struct trace_syscall *s)
{
	return has_kind(s, KIND_FD, KIND_DIR_FD);
}

static bool is_file_name(const char *name)
{
	static const char *const names[] = {
		"filename", "path",     "pathname", "oldname",     "newname", "dir_name",
		"dev_name", "new_root", "put_old",  "specialfile", "name",    "_description"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool has_file_name(const struct trace_syscall *s)
{
	for (size_t i = 0; i < s->nr_args; i++)
		if (s->args[i].kind == KIND_TEXT && is_file_name(s->args[i].name) &&
		    strncmp(s->name, "seth", 4) != 0 && strncmp(s->name, "setd", 4) != 0)
			return true;
	return false;
}

/* In the words of strace; calls by name where their arguments do not tell. */
static const struct call_group {
	const char *name;
	bool (*has)(const struct trace_syscall *s);
	const char *calls; /* globs, between blanks */
} groups[] = {
	{ "file", has_file_name, "getcwd execve execveat" },
	{ "desc", has_descriptor,
	  "epoll_create* eventfd* inotify_init* memfd_create timerfd_create "
	  "pipe pipe2 select pselect6 poll ppoll bpf fanotify_init "
	  "userfaultfd perf_event_open signalfd*" },
	{ "string", has_text, "" },
	{ "network", NULL,
	  "socket socketpair bind listen accept accept4 connect getsockname getpeername "
	  "sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown setsockopt "
	  "getsockopt socketcall" },
	{ "process", NULL,
	  "execve execveat clone clone3 fork vfork exit exit_group wait4 waitid "
	  "waitpid kill tkill tgkill pidfd_send_signal rt_sigqueueinfo "
	  "rt_tgsigqueueinfo unshare arch_prctl" },
	{ "signal", NULL, "kill tkill tgkill pause rt_sig* sig* signalfd* pidfd_send_signal" },
	{ "memory", NULL,
	  "brk mmap mmap2 munmap mremap mprotect pkey_mprotect madvise mlock mlock2 "
	  "mlockall munlock munlockall mincore msync mbind remap_file_pages "
	  "get_mempolicy set_mempolicy* migrate_pages move_pages shmat shmdt "
	  "process_madvise map_shadow_stack mseal" },
	{ "ipc", NULL, "msg* sem* shm* ipc mq_*" },
};

static bool is_listed(const char *name, const char *globs)
{
	char glob[64];

	for (const char *p = globs; *p;) {
		size_t len = strcspn(p, " ");

		if (len && len < sizeof(glob)) {
			memcpy(glob, p, len);
			glob[len] = '\0';
			if (!fnmatch(glob, name, 0))
				return true;
		}
		p += len + (p[len] != '\0');
	}
	return false;
}

bool trace_call_is(const struct trace_syscall *s, const char *word)
{
	const char *group = word + (*word == '%');

	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (!strcmp(groups[i].name, group))
			return (groups[i].has && groups[i].has(s)) ||
			       is_listed(s->name, groups[i].calls);
	return !fnmatch(word, s->name, 0);
}

bool trace_word_is_call(struct trace_syscalls *t, const char *word)
{
	const struct trace_syscall *s;

	for (size_t i = 0; (s = trace_syscall_at(t, i)) != NULL; i++)
		if (trace_call_is(s, word))
			return true;
	return false;
}
