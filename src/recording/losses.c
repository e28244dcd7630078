/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording/losses.h"

#include <sys/stat.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "event/event.h"
#include "perfdata/info.h"

/* The largest copy that an event of the recording asked for. */
static u32 copy_size(struct session *s)
{
	struct perfdata *f = session_file(s);
	u32 size = perfdata_info(f)->stacks.size;

	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		size = MAX(size, perfdata_event(f, i)->attr.sample_stack_user);
	return size;
}

static void tell_jits(struct session *s)
{
	struct model_jits jits = model_jits(session_model(s));

	if (jits.unreadable)
		log_warn("the code of %u JIT compilers has no names: %s", jits.unreadable,
			 jits.reason);
	if (jits.damaged)
		log_warn("'%s' is damaged at byte %llu: code behind that has no names",
			 jits.damaged_file, (unsigned long long)jits.damaged_at);
	if (jits.timeless)
		log_warn(
			"the times of %u jit-PID.dump files are of another clock than the recording's: code "
			"that was replaced may be named wrongly; record -k mono helps",
			jits.timeless);
}

static void tell_stacks(struct session *s)
{
	const struct session_stats *st = session_stats(s);
	const struct info_stacks *stacks = &perfdata_info(session_file(s))->stacks;
	enum info_larger larger = info_stacks_larger(stacks);
	_cleanup_(strbuf_releasep) struct strbuf mend = STRBUF_INIT;
	u32 size = copy_size(s);
	/* stacks are unwound for whom wants to see them */
	const char *of = st->stacks_chosen ? " of call graphs that are shown" : "";

	if (larger == INFO_LARGER_NO_BETTER)
		strbuf_adds(&mend, ", and larger copies, which were tried, hardly better");
	else if (size < EVENT_STACK_COPY_MAX)
		strbuf_addf(&mend, ": record %s--call-graph %s,%d keeps more",
			    larger == INFO_LARGER_NO_ROOM ? "-m 64M " : "", info_stacks_way(stacks),
			    EVENT_STACK_COPY_MAX);
	/* Some always end early: a program at its first instructions, hand-written code. */
	if (st->stacks_truncated * 100 > st->stacks)
		log_warn(
			"%llu of %llu stacks%s are longer than the %u bytes that were copied of each%s",
			(unsigned long long)st->stacks_truncated, (unsigned long long)st->stacks,
			of, size, mend.buf ? mend.buf : "");
	if (st->stacks_absent * 10 > st->stacks)
		log_warn(
			"%llu of %llu stacks%s were copied in part: the rest was not in memory, or is of sleeps that were "
			"too short to look at",
			(unsigned long long)st->stacks_absent, (unsigned long long)st->stacks, of);
	if (st->stacks_guessed * 10 > st->stacks)
		log_warn(
			"%llu of %llu stacks%s go through code without unwind tables: callers behind it are guesses, which "
			"only report --guessed-callers and script show",
			(unsigned long long)st->stacks_guessed, (unsigned long long)st->stacks, of);
	if ((st->stacks_incomplete - st->stacks_absent) * 10 > st->stacks)
		log_warn(
			"%llu of %llu stacks%s end early: code without unwind tables or frame pointers, or "
			"its file is not there",
			(unsigned long long)(st->stacks_incomplete - st->stacks_absent),
			(unsigned long long)st->stacks, of);
}

/* What some of many objects have in common, by the first of them. */
struct doubtful {
	const char *first;
	u32 more;
};

static void add_doubtful(struct doubtful *d, const char *name)
{
	if (d->first)
		d->more++;
	else
		d->first = name;
}

static void name_doubtful(const struct doubtful *d, struct strbuf *out)
{
	strbuf_reset(out);
	strbuf_addch(out, '\'');
	strbuf_add_escaped(out, d->first);
	strbuf_addch(out, '\'');
	if (d->more)
		strbuf_addf(out, " and %u more", d->more);
}

/* Objects whose files are not those that ran. */
static void tell_replaced(struct session *s)
{
	const struct dso_table *t = session_dsos(s);
	_cleanup_(strbuf_releasep) struct strbuf names = STRBUF_INIT;
	struct doubtful replaced = { 0 }, changed = { 0 };
	struct stat st;
	bool timed = !stat(perfdata_path(session_file(s)), &st);

	for (dso_id i = 1; i <= dso_table_count(t); i++) {
		const struct dso *d = dso_table_get(t, i);

		if (dso_is_replaced(d))
			add_doubtful(&replaced, dso_long_name(d));
		else if (timed && dso_unproven_time(d) > st.st_mtime)
			add_doubtful(&changed, dso_long_name(d));
	}
	if (replaced.first) {
		name_doubtful(&replaced, &names);
		log_warn(
			"%s: no names, since the file has been replaced after the recording (another build "
			"id)",
			names.buf);
	}
	if (changed.first) {
		name_doubtful(&changed, &names);
		log_warn(
			"%s: names may be wrong: the file was changed after the recording, and no build id "
			"was recorded",
			names.buf);
	}
}

/* Names that are those of this machine's objects, though nothing says that the recorded ones were
 * the same. */
static void tell_assumed(struct session *s)
{
	const struct dso_table *t = session_dsos(s);
	const char *host = perfdata_info(session_file(s))->hostname;
	_cleanup_(strbuf_releasep) struct strbuf names = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf where = STRBUF_INIT;
	struct doubtful assumed = { 0 };

	for (dso_id i = 1; i <= dso_table_count(t); i++)
		if (dso_is_assumed(dso_table_get(t, i)))
			add_doubtful(&assumed, dso_long_name(dso_table_get(t, i)));
	if (!assumed.first)
		return;
	name_doubtful(&assumed, &names);
	strbuf_adds(&where, host ? ", and host '" : ", nor the machine");
	strbuf_add_escaped(&where, host ? host : "");
	strbuf_adds(&where, host ? "' is not this one" : "");
	log_warn(
		"names of %s are assumed to be those that this machine has: no build id was recorded%s",
		names.buf, where.buf);
}

/* Maps of JIT compilers that are there and not read. */
static void tell_maps(struct session *s)
{
	const struct dso_table *t = session_dsos(s);
	const char *reason = NULL;
	unsigned int nr = 0;

	for (dso_id i = 1; i <= dso_table_count(t); i++) {
		if (!dso_symtab_refused(dso_table_get(t, i)))
			continue;
		nr++;
		if (!reason)
			reason = dso_symtab_problem(dso_table_get(t, i));
	}
	if (nr)
		log_warn("the code of %u processes has no names: %s: -f reads it all the same", nr,
			 reason);
}

/* -v: what has no names. */
static void tell_nameless(struct session *s)
{
	const struct dso_table *t = session_dsos(s);

	for (dso_id i = 1; log_verbosity() > 0 && i <= dso_table_count(t); i++) {
		const struct dso *d = dso_table_get(t, i);

		if (dso_symtab_problem(d))
			log_info("no symbols of '%s': %s", dso_long_name(d), dso_symtab_problem(d));
	}
}

/* The file that was asked for is of no use. */
static void tell_named(struct session *s)
{
	const char *problem = dso_table_named_problem(session_dsos(s));

	if (problem)
		log_warn("the kernel has no names: %s", problem);
}

static void tell_deferred(struct session *s)
{
	const struct session_stats *st = session_stats(s);

	if (st->deferred_missing)
		log_warn(
			"%llu of %llu deferred user callchains are missing: lost, or their tasks did not return to "
			"user space",
			(unsigned long long)st->deferred_missing, (unsigned long long)st->deferred);
}

/* Records do not say where they lie when they are compressed. */
static void tell_broken(struct session *s)
{
	const struct session_stats *st = session_stats(s);

	if (st->bad_size)
		log_warn("the sample at offset 0x%llx (type %u, size %u) is broken",
			 (unsigned long long)st->bad_pos, PERF_RECORD_SAMPLE, st->bad_size);
}

void losses_tell(struct session *s)
{
	tell_broken(s);
	if (session_embedded_error(s))
		log_warn("'%s': %s", perfdata_path(session_file(s)),
			 session_embedded_error(s)->text);
	tell_stacks(s);
	tell_deferred(s);
	tell_jits(s);
	tell_maps(s);
	tell_named(s);
	tell_replaced(s);
	tell_assumed(s);
	tell_nameless(s);
}

void losses_tell_damage(struct perfdata *f)
{
	if (perfdata_damage(f)->first[0])
		log_warn("%s", perfdata_damage(f)->first);
}

void losses_tell_events(struct session *s, const char *results_are)
{
	const struct session_stats *st = session_stats(s);

	losses_tell_damage(session_file(s));
	if (st->lost_events)
		log_warn("%llu events were lost while recording: %s those of what is left",
			 (unsigned long long)st->lost_events, results_are);
}

void losses_add_events(struct strbuf *out, struct session *s)
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
