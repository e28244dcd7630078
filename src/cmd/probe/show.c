/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --funcs, --vars and --line. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/mem.h"
#include "cmd/probe/internal.h"
#include "probe/debug.h"
#include "probe/symbols.h"

static struct probe_filter *filter_or(struct probe_opts *o, const char *usual)
{
	size_t at;

	if (!o->filter)
		o->filter = probe_filter_new(usual, &at);
	return o->filter;
}

static void print_name(const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf safe = STRBUF_INIT;

	strbuf_add_escaped(&safe, name);
	puts(safe.buf);
}

int probe_show_funcs(struct probe_opts *o)
{
	const struct probe_filter *filter = filter_or(o, "!_* & !*@plt");
	struct probe_resolver *r = probe_resolver_of(o, o->targets.nr - 1);
	const struct probe_target *t = VEC_LAST(&o->targets);
	const struct probe_symbols *s;
	VEC(const char *) names = { 0 };
	struct err e = ERR_INIT;

	s = probe_resolver_symbols(r, &e);
	if (!s) {
		if (t->kind != PROBE_MODULE)
			err_set(&e, e.code, "Failed to load symbols in %s",
				t->path ? t->path : "kernel");
		return probe_fail(o, "show functions", &e);
	}
	VEC_FOR(&s->v, sym)
		if (probe_filter_match(filter, sym->shown))
			*VEC_PUSH(&names) = sym->shown;
	VEC_SORT(&names, by_string);
	VEC_FOR(&names, name)
		print_name(*name);
	vec_free(&names);
	return 0;
}

static int no_debug(struct probe_opts *o, const char *what)
{
	const struct probe_target *t = VEC_LAST(&o->targets);
	struct err e = ERR_INIT;

	if (t->kind == PROBE_USER)
		err_set(&e, ENOENT,
			"The %s file has no debug information.\n"
			"Rebuild with -g, or install an appropriate debuginfo package.",
			t->path);
	else if (!t->path)
		err_set(&e, ENOENT, "Failed to find the path for the kernel: no debug information");
	else
		err_set(&e, ENOENT, "Failed to find the debug information of %s", t->path);
	return probe_fail(o, what, &e);
}

static bool is_wanted(void *ctx, const char *name)
{
	return probe_filter_match(ctx, name);
}

/* Also of a function that debug information knows by another name. */
static int find_vars(struct probe_opts *o, struct debug_info *debug, const struct probe_request *q,
		     const struct probe_debug_vars_opts *vo, const struct probe_debug_opts *find,
		     struct probe_debug_vars_vec *found, struct err *e)
{
	struct probe_point point = q->d.point;
	_cleanup_(mem_freep) char *alias = NULL;

	if (!probe_debug_vars(debug, &point, vo, find, found, e))
		return 0;
	if (e->code == ENOENT && point.function)
		alias = probe_resolver_alias(probe_resolver_of(o, o->targets.nr - 1),
					     point.function);
	if (!alias)
		return -1;
	point.function = alias;
	probe_debug_vars_release(found);
	return probe_debug_vars(debug, &point, vo, find, found, e);
}

static int show_vars_of(struct probe_opts *o, struct debug_info *debug,
			const struct probe_request *q)
{
	struct probe_debug_vars_opts vo = {
		.externs = o->externs,
		.ranges = o->range,
		.wanted = is_wanted,
		.ctx = filter_or(o, "!__k???tab_* & !__crc_*"),
	};
	struct probe_debug_opts find = { .no_inlines = o->no_inlines,
					 .source_dir = o->source_dir,
					 .max_places = o->max_probes > 0 ? (u32)o->max_probes
									 : 128 };
	struct probe_debug_vars_vec found = { 0 };
	_cleanup_(strbuf_releasep) struct strbuf point = STRBUF_INIT;
	struct err e = ERR_INIT;
	int r = 0;

	probe_point_text(&q->d.point, &point);
	if (find_vars(o, debug, q, &vo, &find, &found, &e)) {
		if (e.code == ENOENT)
			err_set(&e, ENOENT, "Failed to find the address of %s", point.buf);
		r = probe_fail(o, "show vars", &e);
	} else {
		printf("Available variables at %s\n", point.buf);
	}
	VEC_FOR(&found, place) {
		_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;

		strbuf_adds(&line, "\t@<");
		strbuf_add_escaped(&line, place->function ? place->function : "");
		printf("%s+%lu>\n", line.buf, (unsigned long)place->offset);
		if (!place->lines.nr)
			puts("\t\t(No matched variables)");
		VEC_FOR(&place->lines, text) {
			strbuf_reset(&line);
			strbuf_add_escaped_lines(&line, *text);
			printf("\t\t%s\n", line.buf);
		}
	}
	probe_debug_vars_release(&found);
	return r;
}

int probe_show_vars(struct probe_opts *o)
{
	int r = 0;

	VEC_FOR(&o->requests, q) {
		struct debug_info *debug = probe_resolver_debug(
			probe_resolver_of(o, o->targets.nr - 1), NULL);

		if (!r)
			r = debug ? show_vars_of(o, debug, q) : no_debug(o, "show vars");
	}
	return r;
}

/* The lines of a source file, cut at their ends. */
struct shown_file {
	struct strbuf text;
	VEC(const char *) lines;
};

static int read_source(const char *path, struct shown_file *s, struct err *e)
{
	FILE *f = probe_debug_open_source(path, e);
	char *next;
	char part[4096];
	size_t n;

	if (!f)
		return -1;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		strbuf_add(&s->text, part, n);
	fclose(f);
	for (char *p = s->text.buf; p && p < s->text.buf + s->text.len; p = next) {
		next = memchr(p, '\n', (size_t)(s->text.buf + s->text.len - p));
		if (next)
			*next++ = '\0';
		*VEC_PUSH(&s->lines) = p;
	}
	return 0;
}

enum { LINES_BEHIND = 3 }; /* shown behind the last that can be probed, where no end was given */

static void print_lines(const struct probe_debug_lines *l, const struct shown_file *s)
{
	size_t next = 0;
	u32 last = l->lines.nr ? *VEC_LAST(&l->lines) + LINES_BEHIND : 0;
	u32 end = l->end == UINT32_MAX ? last : l->end;

	for (u32 at = MAX(l->start, 1U); at <= end && at <= s->lines.nr; at++) {
		_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;

		while (next < l->lines.nr && l->lines.v[next] < at)
			next++;
		strbuf_add_escaped_lines(&line, s->lines.v[at - 1]);
		if (next < l->lines.nr && l->lines.v[next] == at)
			printf("%7u  %s\n", at - l->first, line.buf);
		else
			printf("         %s\n", line.buf);
	}
}

static int show_lines_of(struct probe_opts *o, const struct probe_debug_lines *l)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct shown_file s = { .text = STRBUF_INIT };
	struct err e = ERR_INIT;
	int r = 0;

	if (probe_debug_source(l->file, l->comp_dir, o->source_dir, &path, &e) ||
	    read_source(path.buf, &s, &e)) {
		r = probe_fail(o, "show lines", &e);
	} else {
		_cleanup_(strbuf_releasep) struct strbuf head = STRBUF_INIT;

		if (l->function)
			strbuf_addf(&head, "%s@", l->function);
		strbuf_addf(&head, "%s:%d", path.buf, o->lines.start);
		printf("<");
		(void)fflush(stdout);
		path.len = 0;
		strbuf_add_escaped(&path, head.buf);
		printf("%s>\n", path.buf);
		print_lines(l, &s);
	}
	strbuf_release(&s.text);
	vec_free(&s.lines);
	return r;
}

static int find_lines(struct probe_opts *o, struct debug_info *debug, struct probe_debug_lines *l,
		      struct err *e)
{
	struct probe_line_range range = o->lines;
	_cleanup_(mem_freep) char *alias = NULL;

	if (!probe_debug_lines(debug, &range, l, e))
		return 0;
	if (e->code == ENOENT && range.function)
		alias = probe_resolver_alias(probe_resolver_of(o, o->targets.nr - 1),
					     range.function);
	if (!alias)
		return -1;
	range.function = alias;
	probe_debug_lines_release(l);
	return probe_debug_lines(debug, &range, l, e);
}

int probe_show_lines(struct probe_opts *o)
{
	struct debug_info *debug = probe_resolver_debug(probe_resolver_of(o, o->targets.nr - 1),
							NULL);
	struct probe_debug_lines l = { .function = NULL };
	struct err e = ERR_INIT;
	int r;

	if (!debug)
		return no_debug(o, "show lines");
	if (find_lines(o, debug, &l, &e)) {
		if (e.code == ENOENT && !e.text[0])
			err_set(&e, ENOENT, "Specified source line is not found.");
		else if (e.code == ENOENT && !strncmp(e.text, "Debuginfo analysis", 18))
			e.code = EOPNOTSUPP;
		r = probe_fail(o, "show lines", &e);
	} else {
		r = show_lines_of(o, &l);
	}
	probe_debug_lines_release(&l);
	return r;
}
