/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: what perf top --stdio prints at each refresh: a line about the samples since the last
 * one, then the heaviest rows. On a terminal it takes the screen's place and fits it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/print_err.h"
#include "cmd/top/top.h"
#include "perfdata/perfdata.h"
#include "render/profile.h"
#include "render/text_outline.h"
#include "render/text_table.h"

enum {
	USUAL_ENTRIES = 20,
	USUAL_COLUMNS = 80,
	HEAD_LINES = 4,
	GRAPH_MARGIN = 12,
};

struct page {
	u32 lines, columns; /* 0 = without end */
	struct strbuf text;
};

static struct page page_of(const struct top *t)
{
	struct page p = { .text = STRBUF_INIT };
	struct winsize w;

	if (!t->screen)
		return p;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_row || !w.ws_col)
		w = (struct winsize){ .ws_row = USUAL_ENTRIES + 5, .ws_col = USUAL_COLUMNS };
	p.lines = MAX(w.ws_row, HEAD_LINES + 2) - 1U; /* the cursor stands on the last */
	p.columns = w.ws_col;
	return p;
}

static double percent(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

/* " [4000Hz cycles]", of several events " [cycles]". */
static void add_event(struct strbuf *out, const struct perfdata_event *ev, bool only)
{
	strbuf_adds(out, " [");
	if (only)
		strbuf_addf(out, "%llu%s ", (unsigned long long)ev->attr.sample_period,
			    ev->attr.freq ? "Hz" : "");
	strbuf_add_escaped(out, ev->name);
	strbuf_adds(out, "]");
}

void top_add_target(struct strbuf *out, const struct top *t)
{
	const struct sampling *s = &t->o->sampling;

	strbuf_adds(out, "(");
	if (s->pids)
		strbuf_addf(out, "target_pid: %s", s->pids);
	else if (s->tids)
		strbuf_addf(out, "target_tid: %s", s->tids);
	else if (s->uid)
		strbuf_addf(out, "uid: %s", s->uid);
	else
		strbuf_adds(out, "all");
	if (s->cpus)
		strbuf_addf(out, ", CPU%s: %s)", t->target->nr_cpus > 1 ? "s" : "", s->cpus);
	else if (s->pids || s->tids || s->uid)
		strbuf_adds(out, ")");
	else
		strbuf_addf(out, ", %zu CPU%s)", t->target->nr_cpus,
			    t->target->nr_cpus > 1 ? "s" : "");
}

static void add_head(struct strbuf *out, const struct top *t, const struct top_counts *c, u64 ns,
		     const struct perfdata_event *ev, bool only)
{
	const struct session_stats *st = session_stats(t->session);
	double seconds = (double)ns / 1e9;

	strbuf_addf(out,
		    "\n   PerfTop: %7.0f irqs/sec  kernel:%4.1f%%  exact: %4.1f%% lost: %llu/%llu "
		    "drop: 0/0",
		    seconds > 0 ? (double)c->samples / seconds : 0.0,
		    percent(c->kernel, c->samples), percent(c->exact, c->samples),
		    (unsigned long long)c->lost, (unsigned long long)st->lost_events);
	add_event(out, ev, only);
	strbuf_adds(out, ",  ");
	top_add_target(out, t);
	strbuf_adds(out, "\n");
	strbuf_pad(out, '-', 79);
	strbuf_adds(out, "\n\n");
}

static void add_menu(struct strbuf *out, const struct top *t, bool several)
{
	const struct top_opts *o = t->o;
	const char *symbol = top_code_chosen(t->code);

	strbuf_addf(out,
		    "Mapped keys:\n"
		    "\t[d]     display refresh delay.             \t(%llu)\n"
		    "\t[e]     display entries (lines).           \t(%llu)\n",
		    (unsigned long long)o->choice.delay, (unsigned long long)o->entries);
	if (several)
		strbuf_adds(out, "\t[E]     active event counter.\n");
	strbuf_addf(out,
		    "\t[f]     profile display filter (count).    \t(%llu)\n"
		    "\t[F]     annotate display filter (percent). \t(%llu%%)\n"
		    "\t[s]     annotate symbol.                   \t(%s)\n"
		    "\t[S]     stop annotation.\n"
		    "\t[K]     hide kernel symbols.             \t(%s)\n"
		    "\t[U]     hide user symbols.               \t(%s)\n"
		    "\t[z]     toggle sample zeroing.             \t(%d)\n"
		    "\t[qQ]    quit.\n\n"
		    "Another key goes on.\n",
		    (unsigned long long)o->profile.min_samples, (unsigned long long)o->code_percent,
		    symbol ? symbol : "NULL", o->choice.hide_kernel ? "yes" : "no",
		    o->choice.hide_user ? "yes" : "no", o->choice.zero);
}

static bool keep(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return true;
}

static void add_rows(struct page *p, struct top *t, struct agg *rows, size_t section)
{
	struct text_table_opts o = { .no_header = true,
				     .coloured = t->screen,
				     .tree = { .style = t->o->graph.style,
					       .value = t->o->graph.value,
					       .limit = t->o->graph.limit,
					       .margin = GRAPH_MARGIN },
				     .write = keep,
				     .ctx = &p->text,
				     .par = session_par(t->session) };
	u64 most = t->o->entries ? t->o->entries : p->lines ? p->lines : USUAL_ENTRIES;
	struct profile *profile;
	const struct view_section *v;

	t->o->profile.max_rows = t->o->profile.hierarchy ? 0 : most;
	profile = profile_new(&t->o->profile, &t->columns, t->session, rows, NULL);
	v = profile_section(profile, section);
	if (v && v->outline)
		text_outline_print(v->outline, &o);
	else if (v)
		text_table_print(&v->table, &o);
	profile_free(profile);
}

/* As much of it as fits; escape sequences of colours have no width. */
static void write_page(const struct page *p)
{
	u32 lines = 0, column = 0;
	bool escape = false;

	for (size_t i = 0; i < p->text.len && (!p->lines || lines < p->lines); i++) {
		char c = p->text.buf[i];

		if (c == '\n') {
			lines++;
			column = 0;
		} else if (c == '\033') {
			escape = true;
		} else if (!escape && ((u8)c & 0xc0) != 0x80 && p->columns &&
			   ++column > p->columns) {
			continue;
		}
		if (escape && c == 'm')
			escape = false;
		putchar_unlocked(c);
	}
	fflush(stdout);
}

static const struct perfdata_event *event_of(const struct top *t, const struct agg *rows, size_t i)
{
	return perfdata_event(session_file(t->session), agg_section(rows, i)->event);
}

bool top_is_shown(const struct perfdata_event *ev)
{
	return ev->attr.type != PERF_TYPE_SOFTWARE || ev->attr.config != PERF_COUNT_SW_DUMMY;
}

static void write_json(struct top *t, struct agg *rows)
{
	struct profile_out out = { .write = profile_write_stdout, .par = session_par(t->session) };
	struct profile *profile = profile_new(&t->o->profile, &t->columns, t->session, rows, NULL);
	struct view_profile head = *profile_head(profile);

	head.command = "top";
	profile_json_ops.begin(&out, &head);
	for (size_t i = 0; i < profile_nr_sections(profile); i++) {
		const struct view_section *v = profile_section(profile, i);

		if (v && top_is_shown(event_of(t, rows, i)))
			profile_json_ops.section(&out, v);
	}
	profile_json_ops.end(&out, profile_tail(profile));
	profile_free(profile);
	fflush(stdout);
}

/* The section of the event that is to be shown; *nr: how many could be. */
static size_t choose_section(const struct top *t, const struct agg *rows, size_t *nr)
{
	size_t chosen = 0, n = 0;

	*nr = 0;
	for (size_t i = 0; i < agg_nr_sections(rows); i++)
		*nr += top_is_shown(event_of(t, rows, i));
	for (size_t i = 0; *nr && i < agg_nr_sections(rows); i++)
		if (top_is_shown(event_of(t, rows, i)) && n++ == t->event % *nr)
			chosen = i;
	return chosen;
}

static void write_screen(struct top *t, struct agg *rows, const struct top_counts *c, u64 ns)
{
	struct page p = page_of(t);
	size_t nr, section = choose_section(t, rows, &nr);

	add_head(&p.text, t, c, ns, event_of(t, rows, section), nr == 1);
	if (t->menu)
		add_menu(&p.text, t, nr > 1);
	else if (!top_code_text(t->code, event_of(t, rows, section), &p.text))
		add_rows(&p, t, rows, section);
	if (t->screen)
		fputs("\033[H\033[2J", stdout);
	write_page(&p);
	strbuf_release(&p.text);
}

int top_show(struct top *t, const struct top_counts *c, u64 ns)
{
	struct snapshot *s = snapshot_take(t->agg);
	struct err e = ERR_INIT;
	struct agg *rows;

	if (snapshot_rows(&rows, s, &t->o->profile.agg, &e) < 0) {
		err_print(&e);
		snapshot_free(s);
		return -1;
	}
	if (!agg_nr_sections(rows))
		; /* no event has been told yet */
	else if (t->o->json)
		write_json(t, rows);
	else
		write_screen(t, rows, c, ns);
	agg_free(rows);
	snapshot_free(s);
	return ferror(stdout) ? -1 : 0;
}
