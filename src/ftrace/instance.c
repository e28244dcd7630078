/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftrace/instance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rw.h"
#include "sys/owner.h"

static int path_of(char *path, const char *dir, const char *file)
{
	return snprintf(path, PATH_MAX, "%s/%s", dir, file) < PATH_MAX ? 0 : -1;
}

static int open_at(const char *dir, const char *file, int flags)
{
	char path[PATH_MAX];

	if (path_of(path, dir, file) < 0) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, flags | O_CLOEXEC);
}

static bool has_file(const char *dir, const char *file)
{
	char path[PATH_MAX];

	return !path_of(path, dir, file) && !access(path, F_OK);
}

/* Where the kernel has that file: in an instance, or only once. */
static const char *folder_with(const struct ftrace_instance *t, const char *file)
{
	return has_file(t->dir, file) ? t->dir : t->root;
}

/* ------------------------------------------------------------------ the top folder as it was */

/* Clocks are listed, with the one that is used in brackets. */
static char *used_clock(const char *text)
{
	const char *begin = strchr(text, '['), *end = begin ? strchr(begin, ']') : NULL;

	return end ? xstrndup(begin + 1, (size_t)(end - begin - 1)) : xstrdup("");
}

static int save(struct ftrace_instance *t, const char *file, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char path[PATH_MAX];

	VEC_FOR(&t->saved, s) {
		if (!strcmp(s->file, file))
			return 0;
	}
	path_of(path, t->root, file);
	if (strcmp(file, "trace") != 0 && rw_slurp(path, &text, e))
		return -1;
	*VEC_PUSH(&t->saved) = (struct ftrace_saved){
		.file = xstrdup(file),
		.text = strcmp(file, "trace_clock") ? xstrdup(text.buf) : used_clock(text.buf),
	};
	return 0;
}

/* The kernel takes a list line by line: names, with a module in brackets behind some; an empty list
 * is read as a comment or in words. */
static int write_lines(int fd, const char *text)
{
	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		char name[1024];
		int len;

		end = strchrnul(line, '\n');
		len = (int)strcspn(line, " \t\n)");
		if (!len || *line == '#' || !strncmp(line, "no pid", 6))
			continue;
		if ((size_t)snprintf(name, sizeof(name), "%.*s\n", len, line) >= sizeof(name) ||
		    rw_write_full(fd, name, strlen(name)))
			return -1;
	}
	return 0;
}

static int put_back(const struct ftrace_instance *t, const struct ftrace_saved *s)
{
	_cleanup_(mem_closep) int fd = open_at(t->root, s->file, O_WRONLY | O_TRUNC);

	const char *expanded = strstr(s->text, "(expanded: ");

	if (fd < 0)
		return -1;
	/* a buffer that was never used got its whole size by what we did */
	return write_lines(fd, expanded ? expanded + strlen("(expanded: ") : s->text);
}

/* ------------------------------------------------------------------ instances */

/* What perfs that were killed have left. */
static void remove_orphans(const char *root)
{
	char path[PATH_MAX];
	DIR *dir;

	if (path_of(path, root, "instances") < 0)
		return;
	dir = opendir(path);
	if (!dir)
		return;
	for (struct dirent *d; (d = readdir(dir));) {
		if (sys_owner_is_gone(d->d_name))
			unlinkat(dirfd(dir), d->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
}

static bool knows_tracer(const char *dir, const char *tracer)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char path[PATH_MAX];
	size_t len = strlen(tracer);

	if (path_of(path, dir, "available_tracers") < 0 || rw_slurp(path, &text, NULL))
		return false;
	for (const char *p = text.buf; (p = strstr(p, tracer)); p += len) {
		if ((p == text.buf || p[-1] == ' ') && strchr(" \n", p[len]))
			return true;
	}
	return false;
}

/* Does somebody else trace in the top folder? */
static int check_unused(const char *root, struct err *e)
{
	char path[PATH_MAX], now[64];

	if (path_of(path, root, "current_tracer") < 0 || rw_read_line(path, now, sizeof(now)) < 0)
		return err_sys(e, errno, "cannot read '%s/current_tracer'", root);
	if (!strcmp(now, "nop"))
		return 0;
	err_set(e, EBUSY, "the kernel's tracer is in use: current_tracer is '%s'", now);
	err_hint(e, "if nobody needs it: echo nop > %s", path);
	return -1;
}

static int check_tracer(const char *root, const char *tracer, struct err *e)
{
	if (access(root, X_OK) < 0) {
		err_sys(e, errno, "cannot use the kernel's tracer in '%s'", root);
		err_hint(e, "perf ftrace needs root");
		return -1;
	}
	if (!tracer || knows_tracer(root, tracer))
		return 0;
	err_set(e, ENOTSUP, "this kernel has no %s tracer", tracer);
	err_hint(e, "it needs CONFIG_FUNCTION_TRACER and CONFIG_FUNCTION_GRAPH_TRACER; "
		    "'perf trace', 'perf probe' and 'perf ftrace latency -e' work without");
	return -1;
}

static bool make_own(struct ftrace_instance *t, const char *tracer)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	char path[PATH_MAX];

	strbuf_adds(&name, "instances/");
	sys_owner_name("ftrace", &name);
	if (path_of(path, t->root, name.buf) < 0 || mkdir(path, 0700) < 0)
		return false;
	if (tracer && !knows_tracer(path, tracer)) {
		rmdir(path);
		return false;
	}
	t->dir = xstrdup(path);
	return true;
}

static void release(struct ftrace_instance *t)
{
	VEC_FOR(&t->saved, s) {
		free(s->file);
		free(s->text);
	}
	vec_free(&t->saved);
	free(t->root);
	free(t->dir);
	*t = (struct ftrace_instance){ .root = NULL };
}

int ftrace_instance_open(struct ftrace_instance *t, const char *root, const char *tracer,
			 struct err *e)
{
	*t = (struct ftrace_instance){ .root = NULL };
	if (check_tracer(root, tracer, e))
		return -1;
	remove_orphans(root);
	t->root = xstrdup(root);
	if (!make_own(t, tracer))
		t->dir = xstrdup(root);
	/* what somebody else uses is not even stopped: a tracer that is set again has an empty
	 * buffer */
	if (!ftrace_instance_is_own(t) && check_unused(root, e)) {
		release(t);
		return -1;
	}
	if (!ftrace_instance_set(t, "tracing_on", "0", e))
		return 0;
	ftrace_instance_close(t, NULL);
	return -1;
}

bool ftrace_instance_is_own(const struct ftrace_instance *t)
{
	return strcmp(t->dir, t->root) != 0;
}

int ftrace_instance_close(struct ftrace_instance *t, struct err *e)
{
	int r = 0;

	if (!t->dir)
		return 0;
	/* what is traced by nobody can be changed */
	ftrace_instance_set(t, "tracing_on", "0", NULL);
	ftrace_instance_set(t, "current_tracer", "nop", NULL);
	for (size_t i = t->saved.nr; i-- > 0;) {
		if (put_back(t, &t->saved.v[i]) < 0)
			r = err_sys(e, errno, "cannot put back '%s/%s'", t->root,
				    t->saved.v[i].file);
	}
	if (ftrace_instance_is_own(t) && rmdir(t->dir) < 0)
		r = err_sys(e, errno, "cannot remove '%s'", t->dir);
	release(t);
	return r;
}

/* ------------------------------------------------------------------ files */

bool ftrace_instance_has(const struct ftrace_instance *t, const char *file)
{
	return has_file(t->dir, file) || has_file(t->root, file);
}

bool ftrace_instance_has_own(const struct ftrace_instance *t, const char *file)
{
	return has_file(t->dir, file);
}

static int write_file(struct ftrace_instance *t, const char *file, const char *text, int flags,
		      struct err *e)
{
	const char *dir = folder_with(t, file);
	_cleanup_(mem_closep) int fd = -1;

	if (!strcmp(dir, t->root) && save(t, file, e))
		return -1;
	fd = open_at(dir, file, O_WRONLY | flags);
	if (fd < 0)
		return err_sys(e, errno, "cannot open '%s/%s'", dir, file);
	if (*text && rw_write_full(fd, text, strlen(text)) < 0)
		return err_sys(e, errno, "cannot write '%s' to '%s/%s'", text, dir, file);
	return 0;
}

int ftrace_instance_set(struct ftrace_instance *t, const char *file, const char *text,
			struct err *e)
{
	return write_file(t, file, text, O_TRUNC, e);
}

int ftrace_instance_add(struct ftrace_instance *t, const char *file, const char *text,
			struct err *e)
{
	return write_file(t, file, text, O_APPEND, e);
}

int ftrace_instance_open_file(const struct ftrace_instance *t, const char *file, struct err *e)
{
	int fd = open_at(t->dir, file, O_RDONLY | O_NONBLOCK);

	return fd < 0 ? err_sys(e, errno, "cannot open '%s/%s'", t->dir, file) : fd;
}
