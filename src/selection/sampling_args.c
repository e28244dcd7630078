/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options about what is sampled.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "capture/aux_kinds.h"
#include "selection/sampling.h"

int sampling_parse_event(const struct opt *o UNUSED, void *target, const char *arg,
			 bool unset UNUSED, struct err *e)
{
	struct sampling *s = target;

	return event_args_add(&s->event_args, &s->events, &s->env, arg, e);
}

int sampling_parse_pfm(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct sampling *s = target;

	return event_parse_pfm(&s->events, arg, e);
}

int sampling_parse_filter(const struct opt *o UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	struct sampling *s = target;
	const struct event_list *l = &s->events;
	const struct event *last = l->events.nr ? l->events.v[l->events.nr - 1] : NULL;

	if (last && aux_kind_of(last)) {
		event_args_address_filter(&s->events, arg);
		return 0;
	}
	if (last && last->kind != EVENT_TRACEPOINT)
		return event_args_sample_filter(&s->event_args, &s->events, arg, e);
	return event_args_filter(
		&s->event_args, &s->events, arg,
		"--filter option should follow a -e tracepoint or HW tracer option", e);
}

int sampling_parse_guests(const struct opt *o UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	return event_guests_parse(&((struct sampling *)target)->guests, arg, e);
}

int sampling_parse_exclude_perf(const struct opt *o UNUSED, void *target, const char *arg UNUSED,
				bool unset UNUSED, struct err *e)
{
	struct sampling *s = target;
	char text[64];

	snprintf(text, sizeof(text), "common_pid != %d", getpid());
	return event_args_filter(&s->event_args, &s->events, text,
				 "--exclude-perf option should follow a -e tracepoint option", e);
}

int sampling_parse_cgroup(const struct opt *o UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	struct sampling *s = target;

	return event_args_cgroup(&s->events, arg, e);
}

int sampling_parse_callgraph(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			     struct err *e)
{
	struct sampling *s = target;
	struct event_stacks cg = { 0 };

	if (!unset && !strcmp(arg, "dwarf") && s->usual_dwarf[0])
		arg = s->usual_dwarf;
	if (!unset && event_stacks_parse(arg, &cg, e) < 0)
		return -1;
	s->cfg.callgraph = cg;
	return 0;
}

/* -g alone means fp, or what the configuration says; a known mode word behind it is its value (the
 * old spelling). */
int sampling_parse_g(const struct opt *o, void *target, const char *arg, bool unset, struct err *e)
{
	const struct sampling *s = target;
	const char *usual = s->usual_callgraph ? s->usual_callgraph : "fp";

	return sampling_parse_callgraph(o, target, arg || unset ? arg : usual, unset, e);
}

int sampling_parse_branch(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			  struct err *e)
{
	struct sampling *s = target;

	if (unset) {
		s->cfg.branch = 0;
		return 0;
	}
	if (s->cfg.branch)
		return err_set(e, EINVAL, "Can't use --branch-any (-b) with --branch-filter (-j).");
	struct err hint = ERR_INIT;

	if (event_branch_filter_parse(arg ? arg : "any", &s->cfg.branch, &hint))
		return 0;
	err_set(e, EINVAL, "unknown branch filter %s, check man page", arg);
	err_hint(e, "%s", hint.hint);
	return -1;
}

int sampling_parse_freq(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	struct sampling *s = target;

	s->user_freq = true;
	s->freq_max = !strcasecmp(arg, "max");
	s->freq = 0;
	if (s->freq_max || fmt_parse_u64(arg, &s->freq))
		return 0;
	return err_set(e, EINVAL, "invalid frequency '%s': a number of Hz, or max", arg);
}

int sampling_parse_count(const struct opt *o UNUSED, void *target, const char *arg,
			 bool unset UNUSED, struct err *e)
{
	struct sampling *s = target;

	if (!fmt_parse_u64(arg, &s->count))
		return err_set(e, EINVAL, "invalid period '%s'", arg);
	/* 0 leaves the choice to us, as in perf */
	s->user_count = s->count != 0;
	return 0;
}

static int parse_pages(const struct sampling *s, const char *arg, size_t len, u32 *out,
		       struct err *e)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	char text[32];
	u64 pages, rounded = 1;

	snprintf(text, sizeof(text), "%.*s", (int)MIN(len, sizeof(text) - 1), arg);
	if (fmt_parse_u64(text, &pages))
		;
	else if (fmt_parse_size(text, &pages))
		pages = (pages + page - 1) / page;
	else
		return err_set(e, EINVAL, "Invalid argument for --mmap_pages/-m");
	while (rounded < pages && rounded <= UINT32_MAX / 2)
		rounded *= 2;
	if (rounded < pages || rounded * page > (u64)1 << 40)
		return err_set(e, EINVAL, "Invalid argument for --mmap_pages/-m");
	if (rounded != pages) {
		u64 kb = rounded * page / 1024;

		if (!s->quiet)
			fprintf(stderr, "rounding mmap pages size to %llu%c (%llu pages)\n",
				(unsigned long long)(kb % 1024 || !kb ? kb : kb / 1024),
				kb % 1024 ? 'K' : 'M', (unsigned long long)rounded);
	}
	*out = (u32)rounded;
	return 0;
}

/* PAGES[,PAGES]; the second is for AUX areas, which only some events have. */
int sampling_parse_pages(const struct opt *o UNUSED, void *target, const char *arg,
			 bool unset UNUSED, struct err *e)
{
	struct sampling *s = target;
	size_t len = strcspn(arg, ",");
	if (len && parse_pages(s, arg, len, &s->cfg.mmap_pages, e) < 0)
		return -1;
	if (!arg[len])
		return 0;
	return parse_pages(s, arg + len + 1, strlen(arg + len + 1), &s->cfg.aux_pages, e);
}

static int check_mode(const char *mode, struct err *e)
{
	struct sampling scratch = { .quiet = false };

	return sampling_parse_callgraph(NULL, &scratch, mode, false, e);
}

/* Only says what -g means; the form is that of --call-graph. */
int sampling_set_callgraph(const char *value, void *target, struct err *e)
{
	*(const char **)target = value;
	return check_mode(value, e);
}

int sampling_set_dump_size(const char *value, void *target, struct err *e)
{
	struct sampling *s = target;

	if (strlen(value) >= sizeof(s->usual_dwarf) - sizeof("dwarf,"))
		return -1;
	snprintf(s->usual_dwarf, sizeof(s->usual_dwarf), "dwarf,%s", value);
	return check_mode(s->usual_dwarf, e);
}
