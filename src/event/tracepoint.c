/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "event/names.h"
#include "event/parser.h"
#include "sys/tracefs.h"

int event_tracepoint_format(const struct event *ev, struct strbuf *out, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const char *behind;

	if (!ev->probe)
		return sys_tracefs_format(ev->tracefs, ev->tp_system, ev->tp_name, out, e);
	if (sys_tracefs_format(ev->tracefs, ev->probe->group, ev->probe->tracepoint, &text, e))
		return -1;
	behind = strchr(text.buf, '\n');
	strbuf_addf(out, "name: %s%s", ev->tp_name, behind ? behind : "\n");
	return 0;
}

static bool is_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

static int fail_no_tracefs(struct parser *p, size_t col)
{
	snprintf(p->ee->help, sizeof(p->ee->help),
		 "Error:\tUnable to find debugfs/tracefs\n"
		 "Hint:\tWas your kernel compiled with debugfs/tracefs support?\n"
		 "Hint:\tIs the debugfs/tracefs filesystem mounted?\n"
		 "Hint:\tTry 'sudo mount -t debugfs nodev /sys/kernel/debug'\n");
	return parser_fail(p, (long)col, "unknown tracepoint");
}

/* A slip of the pen is likelier than a kernel without the tracepoint. */
static bool suggest(struct parser *p, const char *sys, const char *name)
{
	_cleanup_(mem_freep) char *typed = xasprintf("%s:%s", sys, name);
	struct similar near;

	if (is_glob(typed)) {
		snprintf(p->ee->help, sizeof(p->ee->help),
			 "Hint:\tno tracepoint of this kernel fits '%.200s'\n", typed);
		return true;
	}
	similar_init(&near, typed);
	event_offer_tracepoints(&near, p->tracefs);
	return parser_suggest(p, &near);
}

static int fail_tracepoint(struct parser *p, size_t col, int err, const char *sys, const char *name)
{
	char *help = p->ee->help;
	size_t size = sizeof(p->ee->help);

	if (err == -EACCES || err == -EPERM) {
		snprintf(help, size,
			 "Error:\tNo permissions to read %s/events/%.200s/%.200s\n"
			 "Hint:\tTry 'sudo mount -o remount,mode=755 %s/'\n",
			 p->tracefs, sys, name, p->tracefs);
		return parser_fail(p, (long)col, "can't access trace events");
	}
	int n = snprintf(help, size, "Error:\tFile %s/events/%.200s/%.200s not found.\n",
			 p->tracefs, sys, name);
	if (n < 0 || (size_t)n >= size)
		n = 0;
	if (!strncmp(sys, "sdt_", 4))
		snprintf(help + n, size - (size_t)n,
			 "Hint:\tSDT event cannot be directly recorded on.\n"
			 "\tPlease first use 'perf probe %.200s:%.200s' before recording it.\n",
			 sys, name);
	else if (!suggest(p, sys, name))
		snprintf(help + n, size - (size_t)n,
			 "Hint:\tPerhaps this kernel misses some CONFIG_ setting to enable "
			 "this feature?.\n");
	return parser_fail(p, (long)col, "unknown tracepoint");
}

static void add_found(struct parser *p, const char *sys, const char *name, u64 id)
{
	struct event *ev = parser_add(p, EVENT_TRACEPOINT, PERF_TYPE_TRACEPOINT, id);

	ev->tp_system = xstrdup(sys);
	ev->tp_name = xstrdup(name);
	ev->tracefs = xstrdup(p->tracefs);
	ev->name = xasprintf("%s:%s", sys, name);
}

/* Every event of one system that the glob fits, in directory order. 0, or -errno. */
static int add_matching(struct parser *p, const char *sys, const char *glob)
{
	sys_names names = { 0 };
	u64 id;
	int rc;

	if (!is_glob(glob)) {
		rc = sys_tracefs_id(p->tracefs, sys, glob, &id);
		if (!rc)
			add_found(p, sys, glob, id);
		return rc;
	}

	_cleanup_(mem_closep) int dirfd = sys_tracefs_open_system(p->tracefs, sys);

	rc = dirfd < 0 ? dirfd : sys_tracefs_list(p->tracefs, sys, &names);
	VEC_FOR(&names, n) {
		if (rc || fnmatch(glob, *n, 0))
			continue;
		int one = sys_tracefs_id_at(dirfd, *n, &id);
		/* Directories without an id (ftrace's own records) are no events. */
		if (one && one != -ENOENT)
			rc = one;
		else if (!one)
			add_found(p, sys, *n, id);
	}
	sys_names_release(&names);
	return rc;
}

static int add_systems(struct parser *p, const char *sys, const char *name)
{
	sys_names names = { 0 };
	int rc;

	if (!is_glob(sys))
		return add_matching(p, sys, name);
	rc = sys_tracefs_list(p->tracefs, NULL, &names);
	VEC_FOR(&names, n) {
		if (rc || fnmatch(sys, *n, 0))
			continue;
		int one = add_matching(p, *n, name);
		if (one && one != -ENOENT)
			rc = one;
	}
	sys_names_release(&names);
	return rc;
}

int tracepoint_parse(struct parser *p, size_t sys_len, size_t name_len)
{
	size_t col = p->pos;
	size_t before = p->out->events.nr;
	_cleanup_(mem_freep) char *sys = xstrndup(p->text + p->pos, sys_len);
	_cleanup_(mem_freep) char *name = xstrndup(p->text + p->pos + sys_len + 1, name_len);

	parser_take(p, sys_len);
	parser_take(p, 1);
	parser_take(p, name_len);
	if (!parser_find_tracefs(p))
		return fail_no_tracefs(p, col);

	int rc = add_systems(p, sys, name);

	if (!rc && p->out->events.nr == before)
		rc = -ENOENT;
	if (rc)
		return fail_tracepoint(p, col, rc, sys, name);
	if (parser_peek(p) != '/')
		return 0;

	struct term_vec terms = { 0 };

	parser_take(p, 1);
	rc = terms_parse(p, &terms);
	for (size_t i = before; !rc && i < p->out->events.nr; i++)
		rc = terms_apply_tracepoint(p, &terms, p->out->events.v[i]);
	terms_release(&terms);
	return rc;
}
