/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording that a subcommand of perf sched reads, and what is told of it. */
#include "cmd/sched/sched.h"

#include <errno.h>
#include <string.h>

#include "base/fmt.h"
#include "base/log.h"
#include "cli/print_err.h"

int sched_open(struct sched_opts *o, const char *cpus, struct err *e)
{
	struct session_opts *so = &o->rec.opts;

	if (so->input.path && !*so->input.path)
		so->input.path = NULL;
	so->cpus = cpus;
	so->tell_left_out = cpus != NULL;
	so->unwind = o->call_graph;
	so->lbr = true;
	return recording_open(&o->rec, e);
}

bool sched_add_numbers(struct sched_numbers *l, const char *text)
{
	_cleanup_(mem_freep) u32 *list = NULL;
	size_t nr = 0;

	if (text && !fmt_parse_cpu_list(text, &list, &nr))
		return false;
	for (size_t i = 0; i < nr; i++)
		*VEC_PUSH(l) = list[i];
	return true;
}

int sched_parse_numbers(struct sched_numbers *l, const char *text, const char *what, struct err *e)
{
	if (sched_add_numbers(l, text))
		return 0;
	return err_set(e, EINVAL, "cannot read the list of %s '%s'", what, text);
}

bool sched_numbers_have(const struct sched_numbers *l, u32 n)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i] == n)
			return true;
	return false;
}

int sched_parse_window(const char *text, u64 *from, u64 *until, struct err *e)
{
	const char *comma = text ? strchr(text, ',') : NULL;
	_cleanup_(mem_freep) char *start = NULL;

	if (!text)
		return 0;
	start = comma ? xstrndup(text, (size_t)(comma - text)) : xstrdup(text);
	if ((*start && !fmt_parse_time_ns(start, from)) ||
	    (comma && comma[1] && !fmt_parse_time_ns(comma + 1, until)) ||
	    (*until && *until < *from))
		return err_set(e, EINVAL, "Invalid time string");
	return 0;
}

void sched_tell_losses(struct session *s)
{
	const struct session_stats *st = session_stats(s);

	losses_tell_damage(session_file(s));
	if (st->lost_events)
		log_warn("%llu events were lost while recording: times are those of what is left",
			 (unsigned long long)st->lost_events);
}

void sched_tell_odd(u64 nr)
{
	if (nr)
		log_warn("%llu switches are left out: no kernel has CPUs of their numbers",
			 (unsigned long long)nr);
}

void sched_add_lost(struct strbuf *out, struct session *s)
{
	const struct session_stats *st = session_stats(s);
	u64 nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(st->nr_type); i++)
		nr += st->nr_type[i];
	if (st->lost_events && nr)
		strbuf_addf(out, "  INFO: %.3f%% lost events (%llu out of %llu, in %llu chunks)\n",
			    100.0 * (double)st->lost_events / (double)nr,
			    (unsigned long long)st->lost_events, (unsigned long long)nr,
			    (unsigned long long)st->lost_chunks);
}

int sched_fail(struct err *e)
{
	err_print(e);
	return SCHED_FAILED;
}
