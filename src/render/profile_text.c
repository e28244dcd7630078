/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile as perf report --stdio prints it.
 */
#include <stdio.h>

#include "base/mem.h"
#include "render/profile.h"
#include "render/text_outline.h"
#include "render/text_streams.h"
#include "render/text_table.h"

bool profile_write_stdout(void *ctx UNUSED, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len;
}

static void flush(struct profile_out *out, struct strbuf *text)
{
	out->write(out->ctx, text->buf, text->len);
}

void profile_text_only(struct strbuf *out, const struct view_profile *p)
{
	for (size_t i = 0; i < p->nr_only; i++)
		strbuf_addf(out, "# %s: %s\n", p->only[i].column, p->only[i].value);
}

static void begin_text(struct profile_out *out, const struct view_profile *p)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	profile_text_only(&text, p);
	if (!out->quiet && !p->nr_of)
		strbuf_addf(&text, "#\n# Total Lost Samples: %llu\n#\n",
			    (unsigned long long)p->lost_samples);
	flush(out, &text);
}

/* 1234 as "1K": perf's short form, with a blank where there is no unit. */
static void add_count(struct strbuf *text, u64 n)
{
	static const char units[] = " KMG";
	int unit = 0;

	while (n > 1000 && units[unit + 1]) {
		n /= 1000;
		unit++;
	}
	strbuf_addf(text, "%llu%c", (unsigned long long)n, units[unit]);
}

static void add_time(struct strbuf *text, u64 ns, u64 total)
{
	bool short_time = total < 1000000000;

	strbuf_addf(text, "%.3f %s", (double)ns / (short_time ? 1e6 : 1e9),
		    short_time ? "ms" : "s");
}

static void add_share(struct strbuf *text, const char *what, u64 ns, u64 total)
{
	strbuf_addf(text, "%s ", what);
	add_time(text, ns, total);
	strbuf_addf(text, " (%.1f%%)", total ? 100.0 * (double)ns / (double)total : 0.0);
}

/* What is lacking, so that nobody takes the numbers for more than they are. */
static void add_wall_limits(struct strbuf *text, const struct view_wall *w)
{
	if (w->guessed)
		strbuf_adds(text, "# No switches are recorded: running is a guess by the samples' "
				  "periods.\n");
	if (!w->wakeups)
		strbuf_adds(text, "# No wake-ups are recorded: blocked goes on until the thread "
				  "ran.\n");
	else if (w->unwoken) {
		strbuf_adds(text, "# Of blocked, ");
		add_time(text, w->unwoken, w->total);
		strbuf_adds(text, " end without a recorded wake-up: until the thread ran.\n");
	}
	if (w->losses)
		strbuf_addf(text,
			    "# Events were lost in %llu places: what threads did around them is "
			    "unknown.\n",
			    (unsigned long long)w->losses);
	if (w->contradictions || w->backwards)
		strbuf_addf(
			text,
			"# Events that contradict the thread's before them: %llu; that are earlier: "
			"%llu.\n",
			(unsigned long long)w->contradictions, (unsigned long long)w->backwards);
}

static void add_wall(struct strbuf *text, const struct view_wall *w)
{
	strbuf_adds(text, "# Wall-clock time: ");
	add_time(text, w->total, w->total);
	strbuf_addf(text, " of %llu thread%s: ", (unsigned long long)w->threads,
		    w->threads == 1 ? "" : "s");
	add_share(text, "running", w->running, w->total);
	add_share(text, ", runnable", w->runnable, w->total);
	add_share(text, ", blocked", w->blocked, w->total);
	add_share(text, ", unknown", w->unknown, w->total);
	strbuf_addch(text, '\n');
	add_wall_limits(text, w);
}

static void add_head(struct strbuf *text, const struct view_section *s)
{
	struct view_event all = view_all_events(s);

	strbuf_adds(text, "# Samples: ");
	add_count(text, all.samples);
	strbuf_adds(text, " of ");
	view_add_events(text, s);
	if (s->ref_chains)
		strbuf_adds(text, ", show reference callgraph");
	if (s->time)
		strbuf_addf(text, " (time slices: %s)", s->time);
	if (s->weight_order)
		strbuf_addf(text, "\n# Total weight : %llu\n# Sort order   : %s\n",
			    (unsigned long long)all.period, s->weight_order);
	else
		strbuf_addf(text, "\n# Event count (approx.): %llu\n",
			    (unsigned long long)all.period);
	if (s->wall)
		add_wall(text, s->wall);
	if (s->socket >= 0)
		strbuf_addf(text, "# Processor Socket: %d\n", s->socket);
	strbuf_adds(text, "#\n");
}

/* Of a comparison. */
static void add_files(struct strbuf *text, const struct view_section *s)
{
	strbuf_addf(text, "# Event '%s'\n#\n", s->events[0].name);
	if (!s->files->told)
		return;
	strbuf_adds(text, "# Data files:\n");
	for (size_t i = 0; i < s->files->nr; i++) {
		strbuf_addf(text, "#  [%zu] ", i);
		strbuf_add_escaped(text, s->files->names[i]);
		strbuf_adds(text, i < s->files->nr_base ? " (Baseline)\n" : " \n");
	}
	strbuf_adds(text, "#\n");
}

/* Of a comparison: what its marks mean. */
static void add_matches(struct strbuf *text, const struct view_section *s)
{
	enum { MOST = 20 };

	if (s->nr_matches)
		strbuf_adds(text, "#\n# * taken for the same, by name:\n");
	for (size_t i = 0; i < s->nr_matches && i < MOST; i++) {
		const char *name = s->matches[i].names;

		strbuf_addf(text, "#   %s", s->matches[i].object ? "object " : "");
		while (*name) {
			size_t len = strcspn(name, "\n");

			strbuf_add(text, name, len);
			strbuf_mask_controls(text, text->len - len); /* from a file */
			name += len + (name[len] != '\0');
			strbuf_adds(text, *name ? " = " : "\n");
		}
	}
	if (s->nr_matches > MOST)
		strbuf_addf(text, "#   and %zu more (--json lists all)\n", s->nr_matches - MOST);
}

/* "a, b and c", from lines. */
static void add_list(struct strbuf *text, const char *lines)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		strbuf_add(text, lines, len);
		strbuf_mask_controls(text, text->len - len); /* from a file */
		lines += len + (lines[len] != '\0');
		strbuf_adds(text, !*lines ? "\n" : strchr(lines, '\n') ? ", " : " and ");
	}
}

/* Of a comparison: functions that are missing on a side and why. */
static void add_inlined(struct strbuf *text, const struct view_section *s)
{
	if (s->nr_inlined)
		strbuf_adds(text, "#\n# inlined, as debug information tells:\n");
	for (size_t i = 0; i < s->nr_inlined; i++) {
		strbuf_adds(text, "#   ");
		strbuf_add_escaped(text, s->inlined[i].symbol);
		strbuf_adds(text, " in ");
		strbuf_add_escaped(text, s->inlined[i].file);
		strbuf_adds(text, " into ");
		add_list(text, s->inlined[i].into);
	}
}

static void section_text(struct profile_out *out, const struct view_section *s)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct text_table_opts o = { .separator = out->separator,
				     .no_header = out->quiet,
				     .coloured = out->coloured,
				     .tree = out->tree,
				     .write = out->write,
				     .ctx = out->ctx,
				     .par = out->par };

	if (s->streams) {
		text_streams_add(&text, s->streams);
		flush(out, &text);
		return;
	}
	if (!out->quiet)
		(s->files ? add_files : add_head)(&text, s);
	flush(out, &text);
	if (s->outline)
		text_outline_print(s->outline, &o);
	else
		text_table_print(&s->table, &o);
	strbuf_reset(&text);
	if (!out->quiet) {
		add_matches(&text, s);
		add_inlined(&text, s);
	}
	if (s->files)
		strbuf_adds(&text, s->last || out->quiet ? "" : "\n");
	else
		strbuf_adds(&text, s->blocks && s->last ? "" : "\n\n");
	flush(out, &text);
}

static void add_kind(struct strbuf *text, const struct view_branch_kind *k, u64 all)
{
	if (k->nr)
		strbuf_addf(text, "\n%8s: %5.1f%%", k->name, 100.0 * (double)k->nr / (double)all);
}

static void end_text(struct profile_out *out, const struct view_profile *p)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!out->quiet && !p->nr_of)
		strbuf_adds(&text, "#\n# (Tip: For a higher level overview, try: "
				   "perf report --sort comm,dso)\n#\n");
	if (p->nr_branches)
		strbuf_adds(&text, "\n#\n# Branch Statistics:\n#");
	for (size_t i = 0; p->nr_branches && i < p->nr_branch_kinds; i++)
		add_kind(&text, &p->branch_kinds[i], p->nr_branches);
	/* (perf ends without a newline) */
	flush(out, &text);
}

const struct profile_ops profile_text_ops = { .begin = begin_text,
					      .section = section_text,
					      .end = end_text };
