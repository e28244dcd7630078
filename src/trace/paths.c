/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/paths.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

enum {
	MAX_PATHS = 1 << 16, /* then all are forgotten */
	NO_FD = -1, /* in the row of a process, at which the list of its descriptors begins */
};

struct path {
	u32 pid;
	s32 fd;
	u32 next; /* of the same process: index + 1, 0 = there are no more */
	char *text; /* NULL = not known */
};

struct trace_paths {
	bool follows;
	VEC(struct path) v;
	struct map by_fd;
	char now[PATH_MAX]; /* what was read last */
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
	*VEC_PUSH(&p->v) = (struct path){ .pid = pid, .fd = fd };
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

static void forget(struct path *x)
{
	free(x->text);
	x->text = NULL;
}

void trace_path_changed(struct trace_paths *p, u32 pid, s32 fd)
{
	struct path *x = find(p, pid, fd);

	if (x)
		forget(x);
	else if (p->follows && fd >= 0)
		add(p, pid, fd, NULL);
}

void trace_paths_forget(struct trace_paths *p, u32 pid)
{
	const struct path *process = find(p, pid, NO_FD);

	for (u32 i = process ? process->next : 0; i; i = p->v.v[i - 1].next)
		forget(&p->v.v[i - 1]);
}
