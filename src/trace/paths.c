/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/paths.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/netlink.h"

enum {
	MAX_PATHS = 1 << 16, /* then all are forgotten */
	NO_FD = -1, /* in the row of a process, at which the list of its descriptors begins */
};

struct path {
	u32 pid;
	s32 fd;
	u32 next; /* of the same process: index + 1, 0 = there are no more */
	char *text; /* NULL = not known */
	int netlink; /* as trace_paths_netlink() */
};

struct trace_paths {
	bool follows;
	VEC(struct path) v;
	struct map by_fd;
	char now[PATH_MAX]; /* what was read last */
	struct trace_path_counts counts;
};

struct trace_paths *trace_paths_new(bool follows)
{
	struct trace_paths *p = XNEW(struct trace_paths);

	p->follows = follows;
	return p;
}

static void forget_all(struct trace_paths *p)
{
	VEC_FOR(&p->v, x)
		free(x->text);
	p->v.nr = 0;
	map_clear(&p->by_fd);
}

void trace_paths_free(struct trace_paths *p)
{
	if (!p)
		return;
	forget_all(p);
	vec_free(&p->v);
	map_release(&p->by_fd);
	free(p);
}

static u64 hash_fd(u32 pid, s32 fd)
{
	return hash_u64((u64)pid << 32 | (u32)fd);
}

static struct path *find(const struct trace_paths *p, u32 pid, s32 fd)
{
	u32 i;

	for (struct map_probe at = map_first(&p->by_fd, hash_fd(pid, fd));
	     map_next(&p->by_fd, &at, &i);)
		if (p->v.v[i].pid == pid && p->v.v[i].fd == fd)
			return &p->v.v[i];
	return NULL;
}

static struct path *push(struct trace_paths *p, u32 pid, s32 fd)
{
	map_add(&p->by_fd, hash_fd(pid, fd), (u32)p->v.nr);
	*VEC_PUSH(&p->v) = (struct path){ .pid = pid, .fd = fd, .netlink = NO_NETLINK };
	return VEC_LAST(&p->v);
}

static void add(struct trace_paths *p, u32 pid, s32 fd, const char *text)
{
	struct path *process, *x;
	u32 next;

	if (p->v.nr + 2 > MAX_PATHS)
		forget_all(p);
	process = find(p, pid, NO_FD);
	if (!process)
		process = push(p, pid, NO_FD);
	next = process->next;
	process->next = (u32)p->v.nr + 1;
	x = push(p, pid, fd);
	x->next = next;
	x->text = text ? xstrdup(text) : NULL;
}

/* NULL = there is no such descriptor now, or it may not be looked at. */
static const char *read_now(struct trace_paths *p, u32 pid, s32 fd)
{
	char name[64];
	ssize_t len;

	snprintf(name, sizeof(name), "/proc/%u/fd/%d", pid, fd);
	len = readlink(name, p->now, sizeof(p->now) - 1);
	p->now[MAX(len, 0)] = '\0';
	p->counts.read++;
	return len > 0 ? p->now : NULL;
}

const char *trace_path(struct trace_paths *p, u32 pid, s32 fd)
{
	const struct path *x;
	const char *text;

	if (!p->follows)
		return read_now(p, pid, fd);
	x = find(p, pid, fd);
	if (x)
		return x->text;
	text = read_now(p, pid, fd);
	add(p, pid, fd, text);
	return text;
}

int trace_paths_netlink(const struct trace_paths *p, u32 pid, s32 fd)
{
	const struct path *x = p->follows ? find(p, pid, fd) : NULL;

	return x ? x->netlink : NO_NETLINK;
}

struct trace_path_counts trace_paths_counts(const struct trace_paths *p)
{
	return p->counts;
}

static void forget(struct path *x)
{
	free(x->text);
	x->text = NULL;
	x->netlink = NO_NETLINK;
}

void trace_paths_forget(struct trace_paths *p, u32 pid)
{
	const struct path *process = find(p, pid, NO_FD);

	for (u32 i = process ? process->next : 0; i; i = p->v.v[i - 1].next)
		forget(&p->v.v[i - 1]);
}

void trace_paths_lost(struct trace_paths *p)
{
	VEC_FOR(&p->v, x)
		forget(x);
}

/* ------------------------------------------------------------------ calls */

/* The descriptor is another file's from now on: of that name; NULL = not known, or none's. */
static void change(struct trace_paths *p, u32 pid, s32 fd, const char *text)
{
	struct path *x = find(p, pid, fd);

	if (x) {
		forget(x);
		x->text = text ? xstrdup(text) : NULL;
	} else if (fd >= 0) {
		add(p, pid, fd, text);
	}
}

static void set_netlink(struct trace_paths *p, u32 pid, s32 fd, int protocol)
{
	struct path *x = protocol == NO_NETLINK ? NULL : find(p, pid, fd);

	if (x)
		x->netlink = protocol;
}

enum descriptor_effect {
	OPENS, /* the file that argument `arg` names, below the one before it if that is a
		  descriptor */
	COPIES, /* the first argument is a descriptor: the result is another one of its file */
	COPIES_BY_COMMAND, /* the same, if the second argument says so (fcntl) */
	CLOSES, /* the first argument */
	GIVES, /* what has no name in the call */
	CONNECTS, /* a socket: the family and, last, the protocol are arguments */
	FORGETS, /* closes some of them */
};

struct descriptor_call {
	const char *name;
	u8 effect, arg;
};

/* By name. */
static const struct descriptor_call calls[] = {
	{ "accept", GIVES, 0 },
	{ "accept4", GIVES, 0 },
	{ "close", CLOSES, 0 },
	{ "close_range", FORGETS, 0 },
	{ "creat", OPENS, 0 },
	{ "dup", COPIES, 0 },
	{ "dup2", COPIES, 0 },
	{ "dup3", COPIES, 0 },
	{ "epoll_create", GIVES, 0 },
	{ "epoll_create1", GIVES, 0 },
	{ "eventfd", GIVES, 0 },
	{ "eventfd2", GIVES, 0 },
	{ "execve", FORGETS, 0 },
	{ "execveat", FORGETS, 0 },
	{ "fanotify_init", GIVES, 0 },
	{ "fcntl", COPIES_BY_COMMAND, 0 },
	{ "fcntl64", COPIES_BY_COMMAND, 0 },
	{ "fsmount", GIVES, 0 },
	{ "fsopen", GIVES, 0 },
	{ "fspick", GIVES, 0 },
	{ "inotify_init", GIVES, 0 },
	{ "inotify_init1", GIVES, 0 },
	{ "io_uring_setup", GIVES, 0 },
	{ "landlock_create_ruleset", GIVES, 0 },
	{ "memfd_create", GIVES, 0 },
	{ "memfd_secret", GIVES, 0 },
	{ "mq_open", GIVES, 0 },
	{ "open", OPENS, 0 },
	{ "open_by_handle_at", GIVES, 0 },
	{ "open_tree", OPENS, 1 },
	{ "openat", OPENS, 1 },
	{ "openat2", OPENS, 1 },
	{ "perf_event_open", GIVES, 0 },
	{ "pidfd_getfd", GIVES, 0 },
	{ "pidfd_open", GIVES, 0 },
	{ "signalfd", GIVES, 0 },
	{ "signalfd4", GIVES, 0 },
	{ "socket", CONNECTS, 0 },
	{ "timerfd_create", GIVES, 0 },
	{ "userfaultfd", GIVES, 0 },
};

static int compare_name(const void *name, const void *call)
{
	return strcmp(name, ((const struct descriptor_call *)call)->name);
}

static void opened(struct trace_paths *p, const struct trace_call *c, unsigned int arg, s32 fd)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT, path = STRBUF_INIT;
	const struct path *dir = NULL;
	s32 dirfd = arg ? (s32)c->args[arg - 1] : AT_FDCWD;

	if (!trace_memory_string(&name, c, arg) || !name.len) {
		change(p, c->pid, fd, NULL);
		return;
	}
	if (name.buf[0] != '/' && dirfd != AT_FDCWD) {
		dir = find(p, c->pid, dirfd);
		if (!dir || !dir->text) {
			change(p, c->pid, fd, NULL);
			return;
		}
		strbuf_addf(&path, "%s/", dir->text);
	}
	strbuf_adds(&path, name.buf);
	p->counts.seen++;
	change(p, c->pid, fd, path.len < PATH_MAX ? path.buf : NULL);
}

static void copied(struct trace_paths *p, const struct trace_call *c, s32 fd)
{
	const struct path *from = find(p, c->pid, (s32)c->args[0]);
	_cleanup_(mem_freep) char *text = from && from->text ? xstrdup(from->text) : NULL;
	int netlink = from ? from->netlink : NO_NETLINK;

	if (fd == (s32)c->args[0])
		return;
	change(p, c->pid, fd, text);
	set_netlink(p, c->pid, fd, netlink);
}

static const struct descriptor_call *find_call(const struct trace_syscall *s)
{
	return bsearch(s->name, calls, ARRAY_SIZE(calls), sizeof(*calls), compare_name);
}

bool trace_call_changes_files(const struct trace_syscall *s)
{
	return find_call(s);
}

bool trace_paths_want(const struct trace_paths *p, const struct trace_syscall *s)
{
	return p && p->follows && find_call(s);
}

void trace_paths_follow(struct trace_paths *p, const struct trace_call *c, s64 result)
{
	const struct descriptor_call *d = find_call(c->syscall);

	/* a close() that fails has closed it, too, or it was not open */
	if (!p->follows || !d || (result < 0 && d->effect != CLOSES))
		return;
	switch ((enum descriptor_effect)d->effect) {
	case OPENS:
		opened(p, c, d->arg, (s32)result);
		break;
	case COPIES_BY_COMMAND:
		if (c->args[1] == F_DUPFD || c->args[1] == F_DUPFD_CLOEXEC)
			copied(p, c, (s32)result);
		break;
	case COPIES:
		copied(p, c, (s32)result);
		break;
	case CLOSES:
		change(p, c->pid, (s32)c->args[0], NULL);
		break;
	case GIVES:
		change(p, c->pid, (s32)result, NULL);
		break;
	case CONNECTS:
		change(p, c->pid, (s32)result, NULL);
		if ((u32)c->args[0] == AF_NETLINK)
			set_netlink(p, c->pid, (s32)result, (int)(c->args[2] & INT_MAX));
		break;
	case FORGETS:
		trace_paths_forget(p, c->pid);
		break;
	}
}
