/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/stats.h"

#include "abi/features.h"
#include "abi/perf_event.h"
#include "perfdata/info.h"
#include "perfdata/record.h"

static void add_type(struct strbuf *out, const char *name, u64 nr, u64 total)
{
	strbuf_addf(out, "%16s events: %10llu  (%4.1f%%)\n", name, (unsigned long long)nr,
		    (double)nr * 100.0 / (double)total);
}

static void add_totals(struct strbuf *out, struct session *s, bool skip_empty)
{
	const struct session_stats *st = session_stats(s);
	bool traced = info_has(perfdata_info(session_file(s)), FEAT_AUXTRACE);
	u64 total = 0;

	for (size_t i = 0; i < PERF_RECORD_HEADER_MAX; i++)
		total += st->nr_type[i];
	strbuf_addf(
		out, "\nAggregated stats:%s\n%16s events: %10llu\n",
		traced ? " (excludes AUX area (e.g. instruction trace) decoded / synthesized events)"
		       : "",
		"TOTAL", (unsigned long long)total);
	for (u32 i = 0; i < PERF_RECORD_HEADER_MAX; i++) {
		/* as perf: types newer than it have no line without any record of theirs */
		bool always = !skip_empty && i <= PERF_RECORD_COMPRESSED2;

		if (record_type_name(i) && (st->nr_type[i] || always))
			add_type(out, record_type_name(i), st->nr_type[i], total ? total : 1);
	}
}

static void add_event_count(struct strbuf *out, const char *name, u64 nr)
{
	if (nr)
		strbuf_addf(out, "%16s events: %10llu\n", name, (unsigned long long)nr);
}

/* perf has none of these lines: they come only where there is something to tell. */
static void add_stacks(struct strbuf *out, const struct session_stats *st)
{
	const struct {
		const char *name;
		u64 nr, all;
	} rows[] = {
		{ "cut", st->stacks_truncated, st->stacks },
		{ "guessed", st->stacks_guessed, st->stacks },
		{ "ending early", st->stacks_incomplete, st->stacks },
		{ "without the deferred part", st->deferred_missing, st->deferred },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].nr)
			strbuf_addf(out, "stacks %s: %llu of %llu  (%4.1f%%)\n", rows[i].name,
				    (unsigned long long)rows[i].nr, (unsigned long long)rows[i].all,
				    (double)rows[i].nr * 100.0 / (double)rows[i].all);
}

void stats_add(struct strbuf *out, struct session *s, const u64 *samples, const u64 *lost,
	       bool skip_empty)
{
	struct perfdata *f = session_file(s);

	add_totals(out, s, skip_empty);
	for (size_t i = 0; i < perfdata_nr_events(f); i++) {
		u64 nr_lost = lost ? lost[i] : 0;

		if (!samples[i] && !nr_lost && skip_empty)
			continue;
		strbuf_addf(out, "%s stats:\n", perfdata_event(f, i)->name);
		add_event_count(out, "SAMPLE", samples[i]);
		add_event_count(out, "LOST_SAMPLES", nr_lost);
	}
	add_stacks(out, session_stats(s));
}
