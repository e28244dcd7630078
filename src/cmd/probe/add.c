/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --add and --definition: what was asked for becomes lines for the kernel. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/probe/internal.h"
#include "probe/names.h"
#include "sys/tracefs.h"

/* One tracepoint that is put, or would be. */
struct added {
	const struct probe_request *request;
	enum probe_list list;
	char *group, *name, *line;
	char *plain; /* the name without a number */
	char *object; /* NULL: the kernel */
};

struct adding {
	struct probe_opts *o;
	char root[PROBE_TRACEFS_MAX];
	struct probe_events taken; /* that are there already, and what was added since */
	bool list_read[2], several; /* several: an event may have several places */
	int fds[2];
	VEC(struct added) added;
	/* by a pattern, and no probe can be there: names, and the first reason */
	struct strbuf refused;
	size_t nr_refused;
	struct err why;
};

enum { REFUSED_SHOWN = 8 };

/* --cache: what was added for a request, from the event `first` on, is kept with its object. */
static void keep_request(struct adding *a, const struct probe_request *q, size_t first)
{
	const struct added *it = a->added.nr > first ? &a->added.v[first] : NULL;
	struct probe_kept kept = { .text = xstrdup(q->text) };
	struct err e = ERR_INIT;

	for (size_t i = first; i < a->added.nr; i++) {
		struct probe_event event;

		if (probe_event_parse(a->added.v[i].line, a->added.v[i].list, &event))
			*VEC_PUSH(&kept.places) = event;
		else
			probe_event_release(&event);
	}
	if (it && !q->d.kept && probe_cache_keep(a->o, it->object, &kept, &e)) {
		probe_say(a->o, "Failed to add event to probe cache");
		if (a->o->verbose)
			probe_say(a->o, "%s", e.text);
	}
	free(kept.text);
	probe_events_release(&kept.places);
}

static void added_release(struct added *it)
{
	free(it->group);
	free(it->name);
	free(it->line);
	free(it->plain);
	free(it->object);
}

static void add_release(struct adding *a)
{
	for (int i = 0; i < 2; i++)
		if (a->fds[i] >= 0)
			close(a->fds[i]);
	probe_events_release(&a->taken);
	VEC_FOR(&a->added, it)
		added_release(it);
	vec_free(&a->added);
	strbuf_release(&a->refused);
}

/* The list that a target's events go to, read and open for writing. */
static int open_list(struct adding *a, enum probe_list list, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf readme = STRBUF_INIT;

	if (a->list_read[list])
		return 0;
	if (!a->root[0] && probe_find_tracefs(a->o, a->root, e))
		return -1;
	a->fds[list] = probe_list_open(a->root, list, e);
	if (a->fds[list] < 0 || probe_events_read(a->root, list, &a->taken, e)) {
		probe_explain_list(a->root, list, true, e);
		return -1;
	}
	a->list_read[list] = true;
	a->several = !sys_tracefs_read(a->root, "README", &readme, NULL) &&
		     strstr(readme.buf, "Create/append/") != NULL;
	return 0;
}

/* What the kernel has written down of the reason why it does not take a line. */
static void explain_refusal(const struct adding *a, const char *line, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf log = STRBUF_INIT;
	static const char reason[] = "error: ";
	static const char command[] = "Command: ";
	const char *last = NULL;
	const char *of;

	if (probe_list_is_full(e->code)) {
		err_hint(
			e,
			"the kernel has no room for another tracepoint: perf probe -l shows those that there are, -d removes some");
		return;
	}
	if (sys_tracefs_read(a->root, "error_log", &log, NULL))
		return;
	for (const char *s = log.buf; (s = strstr(s, reason)); s++)
		last = s + strlen(reason);
	of = last ? strstr(last, command) : NULL;
	/* It may be another program's line that was refused last. */
	if (of && !strncmp(of + strlen(command), line, strcspn(line, " ")))
		err_hint(e, "the kernel says: %.*s", (int)strcspn(last, "\n"), last);
}

static enum probe_list list_of(const struct probe_target *t, const struct probe_place *p)
{
	return t->kind == PROBE_USER || p->object ? PROBE_LIST_USER : PROBE_LIST_KERNEL;
}

static int write_event(struct adding *a, struct added *it, struct err *e)
{
	struct probe_event taken;
	struct err why = ERR_INIT;

	if (a->o->verbose)
		probe_say(a->o, "Writing event: %s", it->line);
	if (a->o->dry_run || !probe_list_write(a->fds[it->list], it->line, &why)) {
		taken = (struct probe_event){ .list = it->list,
					      .group = xstrdup(it->group),
					      .name = xstrdup(it->name) };
		*VEC_PUSH(&a->taken) = taken;
		return 0;
	}
	err_set(e, why.code, "Failed to write event: %s", strerror(why.code));
	explain_refusal(a, it->line, e);
	return -1;
}

/* A pattern stands for the functions that can have a probe. True: the last one added is none. */
static bool leave_refused(struct adding *a, const struct probe_place *p, const struct err *why)
{
	const struct added *it = VEC_LAST(&a->added);
	const char *function = it->request->d.point.function;

	if (!function || !probe_is_pattern(function) || !probe_list_refuses_place(why->code))
		return false;
	if (!a->nr_refused++)
		a->why = *why;
	if (a->nr_refused <= REFUSED_SHOWN)
		strbuf_addf(&a->refused, "%s%s", a->nr_refused > 1 ? ", " : "",
			    p->symbol ? p->symbol : p->where);
	added_release(&a->added.v[--a->added.nr]);
	return true;
}

/* Nothing is left of a command that failed. */
static void take_back(struct adding *a)
{
	for (size_t i = a->added.nr; i--;) {
		const struct added *it = &a->added.v[i];
		_cleanup_(mem_freep) char *line = xasprintf("-:%s/%s", it->group, it->name);
		struct err why = ERR_INIT;

		if (i && !strcmp(it->name, a->added.v[i - 1].name) &&
		    !strcmp(it->group, a->added.v[i - 1].group))
			continue; /* places of one event */
		if (probe_list_write(a->fds[it->list], line, &why))
			probe_say(a->o, "%s:%s stays: %s", it->group, it->name, strerror(why.code));
	}
}

/* "ftrace.event.kprobes.NAME.probe = 'WHERE ARGS'" */
static void print_boot_config(const struct probe_place *p, const char *group, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	strbuf_adds(&out, "ftrace.event.");
	if (!strcmp(group, "probe"))
		strbuf_addf(&out, "kprobes.%s", name);
	else
		strbuf_addf(&out, "%s.%s", group, name);
	strbuf_addf(&out, ".probe = '%s", p->symbol ? p->symbol : p->where);
	if (p->symbol)
		strbuf_addf(&out, "+%" PRIu64, p->offset);
	/* %return is not understood there by every kernel, and perf leaves it out */
	VEC_FOR(&p->args, arg)
		strbuf_addf(&out, " %s", *arg);
	strbuf_adds(&out, "'");
	puts(out.buf);
}

/* All places of a definition with a name have the same event, where an event may have several. */
static int name_place(struct adding *a, const struct probe_request *q, const struct probe_place *p,
		      size_t first, struct added *out, struct err *e)
{
	const struct probe_target *t = &a->o->targets.v[q->target];
	_cleanup_(strbuf_releasep) struct strbuf group = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf base = STRBUF_INIT;
	static const struct probe_events none = { 0 };
	struct probe_name_wish wish = { .is_return = p->is_return && !p->name };

	if (p->group)
		strbuf_adds(&group, p->group);
	else if (q->d.group)
		strbuf_adds(&group, q->d.group);
	else
		probe_make_group(t->kind == PROBE_USER ? t->path : NULL, &group);
	if (p->name)
		strbuf_adds(&base, p->name);
	else
		probe_base_name(&q->d, p->called ? p->called : p->symbol ? p->symbol : "", &base);
	wish.group = group.buf;
	wish.base = base.buf;
	if (probe_make_name(&wish, &none, &name, e))
		return -1;
	out->plain = xstrdup(name.buf);
	out->group = xstrdup(group.buf);
	for (size_t i = first; a->several && i < a->added.nr; i++) {
		if (strcmp(a->added.v[i].plain, name.buf) != 0)
			continue;
		out->name = xstrdup(a->added.v[i].name);
		return 0;
	}
	wish.numbered = a->o->force || (!a->several && a->added.nr > first);
	if (probe_make_name(&wish, &a->taken, &name, e))
		return -1;
	out->name = xstrdup(name.buf);
	return 0;
}

/*
 * The kernel's lists are lines of words. A path, and names of a module's file, may have in them
 * what ends one: the rest would be another command to the kernel.
 */
static bool is_one_word(const char *s)
{
	while (*s && !isspace((unsigned char)*s) && !iscntrl((unsigned char)*s))
		s++;
	return !*s;
}

static int check_words(const struct probe_place *p, struct err *e)
{
	const char *wrong = is_one_word(p->where) ? NULL : p->where;

	for (size_t i = 0; !wrong && i < p->args.nr; i++)
		wrong = is_one_word(p->args.v[i]) ? NULL : p->args.v[i];
	return wrong ? err_set(e, EINVAL,
			       "The kernel cannot be told of '%s': no blanks or control characters can be "
			       "in it.",
			       wrong)
		     : 0;
}

static int add_place(struct adding *a, const struct probe_request *q, const struct probe_place *p,
		     size_t first, struct err *e)
{
	const struct probe_target *t = &a->o->targets.v[q->target];
	const char *object = p->object ? p->object : t->path;
	_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;
	struct added it = { .request = q, .list = list_of(t, p) };

	if (check_words(p, e) || name_place(a, q, p, first, &it, e)) {
		added_release(&it);
		return -1;
	}
	probe_place_text(p, it.group, it.name, &line);
	it.line = strbuf_detach(&line);
	it.object = object ? xstrdup(object) : NULL;
	*VEC_PUSH(&a->added) = it;
	if (a->o->action == PROBE_ADD) {
		struct err why = ERR_INIT;

		if (!write_event(a, VEC_LAST(&a->added), &why) || leave_refused(a, p, &why))
			return 0;
		added_release(&a->added.v[--a->added.nr]);
		*e = why;
		return -1;
	}
	if (a->o->bootconfig)
		print_boot_config(p, it.group, it.name);
	else
		puts(it.line);
	return 0;
}

static int add_request(struct adding *a, const struct probe_request *q, struct err *e)
{
	struct probe_opts *o = a->o;
	const struct probe_target *t = &o->targets.v[q->target];
	struct probe_places places = { 0 };
	size_t first = a->added.nr;
	struct probe_resolver *resolver = probe_resolver_of(o, q->target);
	int r = probe_resolve(resolver, &q->d, &places, e);

	if (!r && o->action == PROBE_ADD)
		r = probe_places_run_here(resolver, &places, e);
	VEC_FOR(&places, p) {
		if (!r && o->action == PROBE_ADD)
			r = open_list(a, list_of(t, p), e);
		if (!r)
			r = add_place(a, q, p, first, e);
	}
	probe_places_release(&places);
	if (!r && o->cache && o->action == PROBE_ADD && !o->dry_run)
		keep_request(a, q, first);
	return r;
}

/* An argument as it was given; of a chain of members, with the name that it gets. */
static void describe_arg(const struct probe_arg_spec *arg, struct strbuf *out)
{
	strbuf_addch(out, ' ');
	if (!arg->name && arg->variable) {
		const char *end = arg->expression + strlen(arg->expression);
		const char *s = end;

		while (s > arg->expression && *s != '.' && *s != '>')
			s--;
		s += *s == '.' || *s == '>';
		if (strpbrk(arg->expression, ".[") || s > arg->expression)
			strbuf_addf(out, "%.*s=", (int)strcspn(s, "["), s);
	}
	probe_arg_spec_text(arg, out);
}

static void tell_added(const struct adding *a)
{
	const struct added *last = VEC_LAST(&a->added);

	probe_say(a->o, "Added new event%s:", a->added.nr > 1 ? "s" : "");
	VEC_FOR(&a->added, it) {
		_cleanup_(strbuf_releasep) struct strbuf args = STRBUF_INIT;
		_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
		const struct probe_definition *d = &it->request->d;
		_cleanup_(mem_freep) char *kept_name = xasprintf("%%%s", d->event ? d->event : "");
		const struct probe_point kept = { .function = kept_name };
		struct probe_line l = { .group = it->group,
					.name = it->name,
					.args = &args,
					.target = it->object,
					.point = d->kept ? &kept : &d->point };

		VEC_FOR(&d->args, arg)
			describe_arg(arg, &args);
		probe_line_text(&l, &text);
		probe_say(a->o, "%s", text.buf);
	}
	probe_say(
		a->o,
		"\nYou can now use it in all perf tools, such as:\n\n\tperf record -e %s:%s -aR sleep 1\n",
		last->group, last->name);
}

int probe_add(struct probe_opts *o)
{
	struct adding a = { .o = o,
			    .fds = { -1, -1 },
			    .refused = STRBUF_INIT,
			    .several = o->action == PROBE_DEFINE };
	struct err e = ERR_INIT;
	int r = 0;

	if (o->force)
		a.several &= o->action == PROBE_DEFINE;
	VEC_FOR(&o->requests, q)
		if (!r)
			r = add_request(&a, q, &e);
	if (!r && a.nr_refused && !a.added.nr) {
		e = a.why;
		r = -1;
	}
	if (r && o->action == PROBE_ADD && !o->dry_run)
		take_back(&a);
	if (!r && a.nr_refused)
		probe_say(o, "No probe can be at %zu of the functions (%s): %s%s", a.nr_refused,
			  strerror(a.why.code), a.refused.buf,
			  a.nr_refused > REFUSED_SHOWN ? ", ..." : "");
	if (r)
		r = probe_fail(o, "add events", &e);
	else if (o->action == PROBE_ADD)
		tell_added(&a);
	add_release(&a);
	return r;
}
