/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/browse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void browse_init(struct browse *b, const struct browse_source *s)
{
	*b = (struct browse){ .source = *s };
}

static void drop_view(struct browse *b)
{
	profile_free(b->profile);
	b->profile = NULL;
	b->view = NULL;
}

static void drop_rows(struct browse *b)
{
	drop_view(b);
	agg_free(b->rows);
	b->rows = NULL;
}

static void drop_last_zoom(struct browse *b)
{
	struct browse_zoom *z = VEC_LAST(&b->zooms);

	agg_free(z->before);
	snapshot_free(z->snapshot);
	free(z->text);
	free(z->word_text);
	b->zooms.nr--;
}

void browse_release(struct browse *b)
{
	drop_rows(b);
	while (b->zooms.nr)
		drop_last_zoom(b);
	vec_free(&b->zooms);
	snapshot_free(b->whole);
	free(b->wish.path);
	free(b->wish.sort);
	free(b->wish.time);
}

const struct snapshot *browse_snapshot(const struct browse *b)
{
	return b->zooms.nr ? VEC_LAST(&b->zooms)->snapshot : b->whole;
}

/* ---- what is shown ---- */

static bool has_samples(const struct browse *b, size_t i)
{
	const struct agg_section *s = agg_section(b->rows, i);
	u64 nr = 0;

	for (u32 m = 0; m < s->nr_members; m++)
		nr += s->nr[m];
	return nr > 0;
}

void browse_show(struct browse *b)
{
	drop_view(b);
	b->generation++;
	if (!b->rows)
		return;
	if (b->event >= agg_nr_sections(b->rows) || !has_samples(b, b->event))
		browse_next_event(b, true);
	b->profile = profile_new(b->source.opts, b->source.columns, b->source.session, b->rows,
				 NULL);
	if (b->event < agg_nr_sections(b->rows) && has_samples(b, b->event))
		b->view = profile_section(b->profile, b->event);
}

/* Latencies that were recorded unasked are shown where more than one thread ran. */
static void settle_latency(struct browse *b)
{
	if (!b->complete || b->latency_dropped || !b->source.columns->latency_implied)
		return;
	b->latency_dropped = true;
	if (!agg_is_parallel(b->source.agg))
		profile_columns_drop_latency(b->source.columns);
}

static int make_rows(const struct browse *b, const struct snapshot *s, struct agg **out,
		     struct err *e)
{
	return snapshot_rows(out, s, &b->source.opts->agg, e);
}

int browse_take(struct browse *b, struct err *e)
{
	/* rows refer to snapshots, zooms to that which they are of */
	drop_rows(b);
	VEC_FOR(&b->zooms, z) {
		agg_free(z->before);
		z->before = NULL;
		snapshot_free(z->snapshot);
		z->snapshot = NULL;
	}
	snapshot_free(b->whole);
	b->whole = snapshot_take(b->source.agg);
	for (size_t i = 0; i < b->zooms.nr; i++) {
		struct browse_zoom *z = &b->zooms.v[i];

		if (snapshot_zoom(&z->snapshot, i ? z[-1].snapshot : b->whole, &z->condition, 1,
				  e) < 0)
			return -1;
	}
	settle_latency(b);
	if (make_rows(b, browse_snapshot(b), &b->rows, e) < 0)
		return -1;
	browse_show(b);
	return 0;
}

int browse_zoom(struct browse *b, const struct snapshot_condition *c, const char *what,
		struct err *e)
{
	struct browse_zoom z = { .condition = *c };
	const struct snapshot *s = browse_snapshot(b);
	struct agg *rows;

	if (!s)
		return err_set(e, EAGAIN, "nothing has been read yet");
	z.word_text = c->text ? xstrdup(c->text) : NULL;
	z.condition.text = z.word_text;
	if (snapshot_zoom(&z.snapshot, s, &z.condition, 1, e) < 0 ||
	    make_rows(b, z.snapshot, &rows, e) < 0) {
		snapshot_free(z.snapshot);
		free(z.word_text);
		return -1;
	}
	drop_view(b);
	z.before = b->rows;
	z.text = xstrdup(what);
	*VEC_PUSH(&b->zooms) = z;
	b->rows = rows;
	browse_show(b);
	return 0;
}

int browse_unzoom(struct browse *b, struct err *e)
{
	struct agg *rows = VEC_LAST(&b->zooms)->before;
	int ret = 0;

	VEC_LAST(&b->zooms)->before = NULL;
	drop_rows(b);
	drop_last_zoom(b);
	b->rows = rows;
	if (!rows)
		ret = make_rows(b, browse_snapshot(b), &b->rows, e);
	browse_show(b);
	return ret;
}

void browse_add_scope(const struct browse *b, struct strbuf *out)
{
	if (b->source.time)
		strbuf_addf(out, "> time %s ", b->source.time);
	VEC_FOR(&b->zooms, z)
		strbuf_addf(out, "> %s ", z->text);
}

/* ---- events ---- */

size_t browse_nr_events(const struct browse *b)
{
	size_t nr = 0;

	for (size_t i = 0; b->rows && i < agg_nr_sections(b->rows); i++)
		nr += has_samples(b, i);
	return nr;
}

bool browse_event(const struct browse *b, size_t i, struct view_event *out)
{
	struct perfdata *file = session_file(b->source.session);
	const struct agg_section *s;

	if (!b->rows || i >= agg_nr_sections(b->rows) || !has_samples(b, i))
		return false;
	s = agg_section(b->rows, i);
	*out = (struct view_event){ .name = perfdata_event(file, s->event)->name,
				    .samples = s->nr[0],
				    .period = s->period[0] };
	return true;
}

void browse_choose_event(struct browse *b, size_t i)
{
	b->event = i;
	browse_show(b);
}

void browse_next_event(struct browse *b, bool forward)
{
	size_t nr = b->rows ? agg_nr_sections(b->rows) : 0;

	for (size_t n = 0; n < nr; n++) {
		b->event = (b->event + (forward ? 1 : nr - 1)) % nr;
		if (has_samples(b, b->event))
			break;
	}
}

/* ---- rows ---- */

size_t browse_nr_rows(const struct browse *b)
{
	return b->view ? b->view->table.nr_rows : 0;
}

const struct agg_entry *browse_row(const struct browse *b, size_t row)
{
	return b->view ? profile_row(b->profile, row) : NULL;
}

bool browse_key(const struct browse *b, const char *name, const struct agg_key **key, u8 *place)
{
	const struct agg_config *c = &b->source.opts->agg;

	for (u8 k = 0; k < c->nr_keys; k++) {
		if (strcmp(c->keys[k]->name, name))
			continue;
		*key = c->keys[k];
		*place = k;
		return true;
	}
	return false;
}
