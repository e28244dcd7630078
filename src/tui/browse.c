/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/browse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Rows and pairs that are asked faster than a key is answered. */
enum { SMALL = 1 << 15 };

void browse_init(struct browse *b, const struct browse_source *s)
{
	*b = (struct browse){ .source = *s };
	b->shown.look.relative = s->opts->relative;
	b->shown.look.percent_limit = s->opts->percent_limit;
	b->shown.look.member = s->opts->agg.group_sort;
}

static void drop_shown(struct browse_shown *s)
{
	profile_free(s->profile);
	agg_free(s->rows);
	free(s->opts);
	*s = (struct browse_shown){ .look = s->look };
}

static void release_zoom(struct browse_zoom *z)
{
	drop_shown(&z->before);
	snapshot_free(z->snapshot);
	free(z->text);
	free(z->word_text);
}

static void drop_whole(struct browse *b)
{
	if (!b->lent)
		snapshot_free(b->whole);
	b->whole = NULL;
	b->lent = false;
}

void browse_release(struct browse *b)
{
	drop_shown(&b->shown);
	while (b->zooms.nr)
		release_zoom(&b->zooms.v[--b->zooms.nr]);
	vec_free(&b->zooms);
	drop_whole(b);
	free(b->wish.path);
	free(b->wish.sort);
	free(b->wish.time);
}

const struct snapshot *browse_snapshot(const struct browse *b)
{
	return b->zooms.nr ? VEC_LAST(&b->zooms)->snapshot : b->whole;
}

bool browse_is_small(const struct browse *b)
{
	const struct snapshot *s = browse_snapshot(b);
	struct snapshot_size size = s ? snapshot_size(s) : (struct snapshot_size){ 0 };

	return b->goes_on || size.rows + size.pairs < SMALL;
}

/* ---- what is shown ---- */

static bool has_samples(struct agg *rows, size_t i)
{
	const struct agg_section *s = agg_section(rows, i);
	u64 nr = 0;

	for (u32 m = 0; m < s->nr_members; m++)
		nr += s->nr[m];
	return nr > 0;
}

static size_t next_event(struct agg *rows, size_t event, bool forward)
{
	size_t nr = rows ? agg_nr_sections(rows) : 0;

	for (size_t n = 0; n < nr; n++) {
		event = (event + (forward ? 1 : nr - 1)) % nr;
		if (has_samples(rows, event))
			break;
	}
	return event;
}

/* Of rows by which a look is known: what is to be seen of them. */
static void show(const struct browse *b, struct browse_shown *s)
{
	size_t nr = agg_nr_sections(s->rows);

	s->opts = XNEW(struct profile_opts);
	*s->opts = *b->source.opts;
	s->opts->relative = s->look.relative;
	s->opts->percent_limit = s->look.percent_limit;
	s->opts->agg.group_sort = s->look.member;
	if (s->look.event >= nr || !has_samples(s->rows, s->look.event))
		s->look.event = next_event(s->rows, s->look.event, true);
	s->profile = profile_new(s->opts, b->source.columns, b->source.session, s->rows, b->blocks);
	if (b->source.blocks && !b->blocks)
		return;
	if (s->look.event < nr && has_samples(s->rows, s->look.event))
		s->view = profile_section(s->profile, s->look.event);
}

/* These take the place of what is shown. */
static void take(struct browse *b, struct browse_shown *s)
{
	b->shown = *s;
	b->source.opts->relative = s->look.relative;
	b->source.opts->percent_limit = s->look.percent_limit;
	b->source.opts->agg.group_sort = s->look.member;
	b->generation++;
	*s = (struct browse_shown){ .rows = NULL };
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

/* As they are looked at. */
static int make_rows(const struct browse *b, const struct snapshot *s, struct browse_shown *made,
		     struct err *e)
{
	struct agg_config c = b->source.opts->agg;

	c.group_sort = made->look.member;
	return snapshot_rows(&made->rows, s, &c, e);
}

/* Rows refer to snapshots, zooms to that which they are of. */
static void drop_all(struct browse *b)
{
	drop_shown(&b->shown);
	VEC_FOR(&b->zooms, z) {
		drop_shown(&z->before);
		snapshot_free(z->snapshot);
		z->snapshot = NULL;
	}
	b->generation++;
	drop_whole(b);
}

/* b->whole is another one now. */
static int zoom_again(struct browse *b, struct err *e)
{
	struct browse_shown shown = { .look = b->shown.look };

	for (size_t i = 0; i < b->zooms.nr; i++) {
		struct browse_zoom *z = &b->zooms.v[i];

		if (snapshot_zoom(&z->snapshot, i ? z[-1].snapshot : b->whole, &z->condition, 1,
				  e) < 0)
			return -1;
	}
	settle_latency(b);
	if (make_rows(b, browse_snapshot(b), &shown, e) < 0)
		return -1;
	if (b->source.blocks && b->complete && !b->blocks)
		b->blocks = b->source.blocks(b->source.ctx, shown.rows);
	show(b, &shown);
	take(b, &shown);
	return 0;
}

int browse_take(struct browse *b, struct err *e)
{
	drop_all(b);
	if (b->complete)
		mem_give_back(); /* what was shown of the parts before was another size */
	b->whole = b->complete ? snapshot_take_over(b->source.agg) : snapshot_take(b->source.agg);
	return zoom_again(b, e);
}

int browse_lend(struct browse *b, struct snapshot *whole, struct err *e)
{
	drop_all(b);
	b->whole = whole;
	b->lent = true;
	return zoom_again(b, e);
}

void browse_renew(struct browse *b, struct session_renewal *r)
{
	drop_all(b);
	VEC_FOR(&b->zooms, z)
		z->condition.word = agg_renewed_word(r, z->condition.key, z->condition.word);
}

/* ---- other rows, made beside those that are shown ---- */

struct browse_work {
	struct browse *b;
	const struct snapshot *of;
	enum { WORK_SHOW, WORK_ZOOM, WORK_UNZOOM } kind;
	struct browse_zoom zoom; /* that is added */
	struct browse_shown made;
	struct err e;
	int ret;
};

static struct browse_work *new_work(struct browse *b, const struct browse_look *look)
{
	struct browse_work *w = XNEW(struct browse_work);

	w->b = b;
	w->of = browse_snapshot(b);
	w->made.look = *look;
	return w;
}

struct browse_work *browse_show(struct browse *b, const struct browse_look *look)
{
	return new_work(b, look);
}

struct browse_work *browse_zoom(struct browse *b, const struct snapshot_condition *c,
				const char *what)
{
	struct browse_work *w = new_work(b, &b->shown.look);

	w->kind = WORK_ZOOM;
	w->zoom = (struct browse_zoom){ .condition = *c, .text = xstrdup(what) };
	w->zoom.word_text = c->text ? xstrdup(c->text) : NULL;
	w->zoom.condition.text = w->zoom.word_text;
	return w;
}

static bool is_same_look(const struct browse_look *x, const struct browse_look *y)
{
	return x->relative == y->relative && x->event == y->event && x->member == y->member &&
	       !(x->percent_limit < y->percent_limit) && !(x->percent_limit > y->percent_limit);
}

struct browse_work *browse_unzoom(struct browse *b)
{
	struct browse_work *w = new_work(b, &b->shown.look);
	struct browse_zoom *last = VEC_LAST(&b->zooms);

	w->kind = WORK_UNZOOM;
	w->of = b->zooms.nr > 1 ? last[-1].snapshot : b->whole;
	if (last->before.rows && is_same_look(&last->before.look, &b->shown.look)) {
		w->made = last->before;
		last->before = (struct browse_shown){ .rows = NULL };
	}
	return w;
}

bool browse_work_is_little(const struct browse_work *w)
{
	return w->made.rows || !w->b->complete || browse_is_small(w->b);
}

static bool is_unwanted(const bool *unwanted)
{
	return __atomic_load_n(unwanted, __ATOMIC_RELAXED);
}

void browse_work_run(void *work, const bool *unwanted)
{
	struct browse_work *w = work;

	if (w->made.rows)
		return;
	w->ret = w->of ? 0 : err_set(&w->e, EAGAIN, "nothing has been read yet");
	if (!w->ret && w->kind == WORK_ZOOM) {
		w->ret = snapshot_zoom(&w->zoom.snapshot, w->of, &w->zoom.condition, 1, &w->e);
		w->of = w->zoom.snapshot;
	}
	if (!w->ret && !is_unwanted(unwanted))
		w->ret = make_rows(w->b, w->of, &w->made, &w->e);
	if (!w->ret && !is_unwanted(unwanted))
		show(w->b, &w->made);
}

static void take_zoom(struct browse_work *w)
{
	w->zoom.before = w->b->shown;
	*VEC_PUSH(&w->b->zooms) = w->zoom;
	w->zoom = (struct browse_zoom){ .snapshot = NULL };
}

int browse_work_take(struct browse_work *w, bool wanted, struct err *e)
{
	struct browse *b = w->b;
	int ret = wanted ? w->ret : 0;

	if (ret < 0)
		*e = w->e;
	if (wanted && !ret && w->kind == WORK_ZOOM)
		take_zoom(w);
	else if (wanted && !ret)
		drop_shown(&b->shown);
	if (wanted && !ret)
		take(b, &w->made);
	if (wanted && !ret && w->kind == WORK_UNZOOM)
		release_zoom(&b->zooms.v[--b->zooms.nr]);
	drop_shown(&w->made);
	release_zoom(&w->zoom);
	free(w);
	return ret;
}

u64 browse_percent(const struct browse *b)
{
	return b->total ? MIN(b->done * 100 / b->total, 99) : 0;
}

int browse_may_read_again(const struct browse *b, struct err *e)
{
	if (!b->source.once)
		return 0;
	return err_set(e, ENOTSUP, "that needs another reading, and standard input is read once");
}

void browse_add_scope(const struct browse *b, struct strbuf *out)
{
	if (b->moment)
		strbuf_addf(out, "> %s ", b->moment);
	if (b->source.time)
		strbuf_addf(out, "> time %s ", b->source.time);
	VEC_FOR(&b->zooms, z)
		strbuf_addf(out, "> %s ", z->text);
}

/* ---- events ---- */

size_t browse_nr_events(const struct browse *b)
{
	size_t nr = 0;

	for (size_t i = 0; b->shown.rows && i < agg_nr_sections(b->shown.rows); i++)
		nr += has_samples(b->shown.rows, i);
	return nr;
}

bool browse_event(const struct browse *b, size_t i, struct view_event *out)
{
	struct perfdata *file = session_file(b->source.session);
	const struct agg_section *s;

	if (!b->shown.rows || i >= agg_nr_sections(b->shown.rows) || !has_samples(b->shown.rows, i))
		return false;
	s = agg_section(b->shown.rows, i);
	*out = (struct view_event){ .name = perfdata_event(file, s->event)->name,
				    .samples = s->nr[0],
				    .period = s->period[0] };
	return true;
}

size_t browse_next_event(const struct browse *b, bool forward)
{
	return next_event(b->shown.rows, b->shown.look.event, forward);
}

/* ---- rows ---- */

const struct agg_entry *browse_row(const struct browse *b, size_t row)
{
	return b->shown.view ? profile_row(b->shown.profile, row) : NULL;
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
