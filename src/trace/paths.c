/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/paths.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

enum { MAX_PATHS = 1 << 16 }; /* then all are forgotten */

struct path {
	u32 pid;
	s32 fd;
	char *text; /* NULL = not known */
};

struct trace_paths {
	const char *proc;
	VEC(struct path) v;
	struct map by_fd;
};

struct trace_paths *trace_paths_new(const char *proc)
{
	struct trace_paths *p = XNEW(struct trace_paths);

	p->proc = proc ? proc : "/proc";
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

static struct path *add(struct trace_paths *p, u32 pid, s32 fd, const char *text)
{
	if (p->v.nr == MAX_PATHS)
		forget_all(p);
	map_add(&p->by_fd, hash_fd(pid, fd), (u32)p->v.nr);
	*VEC_PUSH(&p->v) = (struct path){ pid, fd, text ? xstrdup(text) : NULL };
	return VEC_LAST(&p->v);
}

const char *trace_path(struct trace_paths *p, u32 pid, s32 fd)
{
	const struct path *x = find(p, pid, fd);
	char name[64], text[PATH_MAX];
	ssize_t len;

	if (x)
		return x->text;
	snprintf(name, sizeof(name), "%s/%u/fd/%d", p->proc, pid, fd);
	len = readlink(name, text, sizeof(text) - 1);
	text[MAX(len, 0)] = '\0';
	return add(p, pid, fd, len > 0 ? text : NULL)->text;
}

void trace_path_changed(struct trace_paths *p, u32 pid, s32 fd, const char *text)
{
	struct path *x = find(p, pid, fd);

	if (!x) {
		add(p, pid, fd, text);
		return;
	}
	free(x->text);
	x->text = text ? xstrdup(text) : NULL;
}

void trace_paths_forget(struct trace_paths *p, u32 pid)
{
	VEC_FOR(&p->v, x) {
		if (x->pid != pid)
			continue;
		free(x->text);
		x->text = NULL;
	}
}
