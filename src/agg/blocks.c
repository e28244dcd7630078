/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/blocks.h"

#include "agg/private.h"
#include "dso/source.h"

enum { CYCLES_SHIFT = 4, CYCLES_MASK = 0xffff };
#define START_UNKNOWN UINT64_MAX

struct PER_THREAD block_table {
	VEC(struct block) rows;
	struct map by_end;
	VEC(struct block_first) first;
	VEC(u64) cycles; /* by event */
};

/* How many rows go to a function. */
struct target {
	u32 event;
	frame_id function;
	u64 nr;
};

struct event_average {
	size_t first, nr; /* rows */
	double average;
};

struct blocks {
	struct session *s;
	struct block_table *workers; /* the first has all of them in the end */
	unsigned int nr_workers;
	bool keep_first;
	VEC(struct target) targets;
	struct map by_target;
	struct event_average *events;
	size_t nr_events;
};

struct blocks *blocks_new(struct session *s, bool keep_first)
{
	struct blocks *b = XNEW(struct blocks);

	b->s = s;
	b->keep_first = keep_first;
	b->nr_workers = session_workers(s);
	b->workers = XNEW_PER_THREAD(struct block_table, b->nr_workers);
	return b;
}

void blocks_free(struct blocks *b)
{
	if (!b)
		return;
	for (unsigned int i = 0; i < b->nr_workers; i++) {
		vec_free(&b->workers[i].rows);
		vec_free(&b->workers[i].first);
		vec_free(&b->workers[i].cycles);
		map_release(&b->workers[i].by_end);
	}
	free(b->workers);
	vec_free(&b->targets);
	map_release(&b->by_target);
	free(b->events);
	free(b);
}

static const char *object_of(const struct blocks *b, const struct frame *f)
{
	struct dso *d = dso_table_get(session_dsos(b->s), f->dso);

	return d ? dso_long_name(d) : "";
}

/* The same function of one file, whatever the numbers of the file are. */
static bool same_function(const struct blocks *b, frame_id x, frame_id y)
{
	const struct frame *f = session_frame_get(b->s, x), *g = session_frame_get(b->s, y);

	if (x == y)
		return true;
	return f->addr == g->addr &&
	       (f->dso == g->dso || !strcmp(object_of(b, f), object_of(b, g)));
}

static u64 function_hash(const struct blocks *b, u32 event, frame_id function)
{
	return hash_mix(event, session_frame_get(b->s, function)->addr);
}

static struct block *block_at(const struct blocks *b, struct block_table *t,
			      const struct block *want)
{
	u64 h = hash_finish(hash_mix(function_hash(b, want->event, want->function), want->end));
	u32 i;

	for (struct map_probe p = map_first(&t->by_end, h); map_next(&t->by_end, &p, &i);) {
		struct block *row = &t->rows.v[i];

		if (row->event == want->event && row->end == want->end &&
		    same_function(b, row->function, want->function))
			return row;
	}
	map_add(&t->by_end, h, (u32)t->rows.nr);
	*VEC_PUSH(&t->rows) = (struct block){ .event = want->event,
					      .function = want->function,
					      .start = START_UNKNOWN,
					      .end = want->end };
	return &t->rows.v[t->rows.nr - 1];
}

static struct block *add_block(const struct blocks *b, struct block_table *t,
			       const struct block *block)
{
	struct block *row = block_at(b, t, block);

	if (row->first && block->start < row->start)
		t->first.v[row->first - 1].nr = 0;
	row->start = MIN(row->start, block->start);
	row->cycles += block->cycles;
	row->nr += block->nr;
	return row;
}

/* Whether the i-th of x was seen before the k-th of y. */
static bool is_before(const struct block_first *x, u32 i, const struct block_first *y, u32 k)
{
	if (x->v[i].time != y->v[k].time)
		return x->v[i].time < y->v[k].time;
	if (x->v[i].pos != y->v[k].pos)
		return x->v[i].pos < y->v[k].pos;
	return x->v[i].before > y->v[k].before;
}

/* start: what is in `more` was seen with. */
static void add_first(struct block_table *t, struct block *row, u64 start,
		      const struct block_first *more)
{
	struct block_first *f;

	if (start != row->start)
		return;
	if (!row->first) {
		*VEC_PUSH(&t->first) = (struct block_first){ .nr = 0 };
		row->first = (u32)t->first.nr;
	}
	f = &t->first.v[row->first - 1];
	for (u32 i = 0; i < more->nr; i++) {
		u32 at = f->nr;

		while (at && is_before(more, i, f, at - 1))
			at--;
		if (at == BLOCK_FIRST)
			return; /* all that follow are later, too */
		f->nr = MIN(f->nr + 1, (u32)BLOCK_FIRST);
		memmove(&f->v[at + 1], &f->v[at], (f->nr - 1 - at) * sizeof(f->v[0]));
		f->v[at] = more->v[i];
	}
}

static u64 *cycles_of(struct block_table *t, u32 event)
{
	while (t->cycles.nr <= event)
		*VEC_PUSH(&t->cycles) = 0;
	return &t->cycles.v[event];
}

/* The i-th branch of a sample. */
static void add_branch(struct blocks *b, struct session_worker *w, const struct session_record *r,
		       u64 i, u64 cycles)
{
	struct block_table *t = &b->workers[session_worker_number(w)];
	const u64 *branch = r->sample->branch + 3 * i;
	/* the one before, NULL = not recorded */
	const u64 *older = i + 1 < r->sample->nr_branch ? branch + 3 : NULL;
	struct block *row;
	struct block block = {
		.event = r->event->index, .start = START_UNKNOWN, .cycles = cycles, .nr = 1
	};
	struct location end, start;

	session_locate(w, &r->site, agg_level_of(branch[0]), branch[0], &end);
	if (end.sym == SYM_NONE || !end.dso)
		return;
	block.end = end.addr;
	block.function = session_frame(w, &r->site, agg_level_of(branch[0]), branch[0]);
	if (older) {
		session_locate(w, &r->site, agg_level_of(older[1]), older[1], &start);
		if (start.dso == end.dso && start.sym == end.sym && start.addr <= end.addr)
			block.start = start.addr;
	}
	row = add_block(b, t, &block);
	if (b->keep_first)
		add_first(t, row, block.start,
			  &(struct block_first){ .v[0] = { .time = r->time,
							   .pos = r->pos,
							   .before = (u32)i,
							   .cycles = (u16)cycles },
						 .nr = 1 });
}

void blocks_add(struct blocks *b, struct session_worker *w, const struct session_record *r)
{
	struct block_table *t = &b->workers[session_worker_number(w)];
	const struct sample *s = r->sample;

	if (!s->nr_branch || !(s->branch[2] >> CYCLES_SHIFT & CYCLES_MASK))
		return;
	for (u64 i = 0; i < s->nr_branch; i++) {
		u64 cycles = s->branch[3 * i + 2] >> CYCLES_SHIFT & CYCLES_MASK;

		*cycles_of(t, r->event->index) += cycles;
		if (cycles)
			add_branch(b, w, r, i, cycles);
	}
}

static struct target *target_of(struct blocks *b, u32 event, frame_id function)
{
	u64 h = hash_finish(function_hash(b, event, function));
	u32 i;

	for (struct map_probe p = map_first(&b->by_target, h); map_next(&b->by_target, &p, &i);)
		if (b->targets.v[i].event == event &&
		    same_function(b, b->targets.v[i].function, function))
			return &b->targets.v[i];
	map_add(&b->by_target, h, (u32)b->targets.nr);
	*VEC_PUSH(&b->targets) = (struct target){ .event = event, .function = function };
	return &b->targets.v[b->targets.nr - 1];
}

static void count_targets(struct blocks *b, const struct agg *a)
{
	size_t key = 0;

	while (strcmp(a->c.keys[key]->name, "symbol_to"))
		key++;
	for (size_t i = 0; i < agg_nr_sections(a); i++) {
		const struct agg_section *section = agg_section(a, i);

		for (size_t r = 0; r < section->nr_rows; r++)
			target_of(b, section->event, (frame_id)section->rows[r]->words[key])->nr++;
	}
}

static int compare_functions(const struct blocks *b, frame_id x, frame_id y)
{
	const struct frame *f = session_frame_get(b->s, x), *g = session_frame_get(b->s, y);
	struct dso_table *dsos = session_dsos(b->s);
	const char *name[2] = { symtab_name(dso_symtab(dso_table_get(dsos, f->dso)), f->sym),
				symtab_name(dso_symtab(dso_table_get(dsos, g->dso)), g->sym) };
	int d = strcmp(name[1], name[0]);

	return d ? d : strcmp(object_of(b, f), object_of(b, g));
}

/* perf's order: most cycles first, then names of functions backwards. */
static int compare_blocks(const void *x, const void *y, void *ctx)
{
	const struct block *p = x, *q = y;
	int d;

	if (p->event != q->event)
		return p->event < q->event ? -1 : 1;
	if (p->cycles != q->cycles)
		return p->cycles > q->cycles ? -1 : 1;
	d = compare_functions(ctx, p->function, q->function);
	if (d)
		return d;
	if (p->start != q->start)
		return p->start < q->start ? -1 : 1;
	return p->end < q->end ? -1 : p->end > q->end;
}

static void merge_workers(struct blocks *b)
{
	for (unsigned int i = 1; i < b->nr_workers; i++) {
		struct block_table *t = &b->workers[i];

		VEC_FOR(&t->rows, row) {
			struct block *to = add_block(b, &b->workers[0], row);

			if (row->first)
				add_first(&b->workers[0], to, row->start,
					  &t->first.v[row->first - 1]);
		}
		for (size_t e = 0; e < t->cycles.nr; e++)
			*cycles_of(&b->workers[0], (u32)e) += t->cycles.v[e];
	}
}

static int compare_function(const struct blocks *b, const struct block *x, u32 event,
			    frame_id function)
{
	const struct frame *f = session_frame_get(b->s, x->function);
	const struct frame *g = session_frame_get(b->s, function);

	if (x->event != event)
		return x->event < event ? -1 : 1;
	if (f->addr != g->addr)
		return f->addr < g->addr ? -1 : 1;
	return f->dso == g->dso ? 0 : strcmp(object_of(b, f), object_of(b, g));
}

static int compare_by_function(const void *x, const void *y, void *ctx)
{
	const struct block *p = x, *q = y;
	int d = compare_function(ctx, p, q->event, q->function);

	if (d)
		return d;
	if (p->start != q->start)
		return p->start < q->start ? -1 : 1;
	return p->end < q->end ? -1 : p->end > q->end;
}

static void order_by_function(struct blocks *b)
{
	struct block_table *t = b->workers;

	VEC_FOR(&t->rows, row)
		if (row->start == START_UNKNOWN)
			row->start = blocks_base(b, row);
	if (t->rows.nr)
		qsort_r(t->rows.v, t->rows.nr, sizeof(*t->rows.v), compare_by_function, b);
}

size_t blocks_of(const struct blocks *b, u32 event, frame_id function, const struct block **first)
{
	const struct block_table *t = b->workers;
	size_t low = 0, high = t->rows.nr, nr = 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_function(b, &t->rows.v[mid], event, function) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	while (low + nr < t->rows.nr && !compare_function(b, &t->rows.v[low + nr], event, function))
		nr++;
	*first = nr ? &t->rows.v[low] : NULL;
	return nr;
}

const struct block_first *blocks_first(const struct blocks *b, const struct block *row)
{
	static const struct block_first none;

	return row->first ? &b->workers->first.v[row->first - 1] : &none;
}

u64 blocks_base(const struct blocks *b, const struct block *row)
{
	return session_frame_get(b->s, row->function)->addr;
}

void blocks_finish(struct blocks *b, const struct agg *a)
{
	struct block_table *t = b->workers;
	size_t kept = 0;

	merge_workers(b);
	if (!a) {
		order_by_function(b);
		return;
	}
	count_targets(b, a);
	b->nr_events = perfdata_nr_events(session_file(b->s));
	b->events = XNEW_ARRAY(struct event_average, b->nr_events + 1);
	VEC_FOR(&t->rows, row) {
		u64 nr = target_of(b, row->event, row->function)->nr;

		if (!nr)
			continue;
		if (row->start == START_UNKNOWN)
			row->start = blocks_base(b, row);
		b->events[row->event].average += (double)(row->cycles / row->nr) * (double)nr;
		t->rows.v[kept++] = *row;
	}
	t->rows.nr = kept;
	if (kept)
		qsort_r(t->rows.v, kept, sizeof(*t->rows.v), compare_blocks, b);
	for (size_t i = kept; i-- > 0;) {
		struct event_average *e = &b->events[t->rows.v[i].event];

		e->first = i;
		e->nr++;
	}
}

void blocks_section(const struct blocks *b, u32 event, struct block_section *out)
{
	const struct event_average *e = &b->events[event];

	*out = (struct block_section){ .rows = e->nr ? b->workers->rows.v + e->first : NULL,
				       .nr_rows = e->nr,
				       .cycles = *cycles_of(b->workers, event),
				       .average = e->average };
}

/* "file.c:12", else where it is in the function. */
static void add_place(const struct blocks *b, const struct frame *f, u64 addr, struct strbuf *out)
{
	struct dso *d = dso_table_get(session_dsos(b->s), f->dso);
	struct source_frame places[SOURCE_FRAMES_MAX];

	if (dso_source(d, addr, places, SOURCE_FRAMES_MAX) && places[0].file)
		source_add_place(out, &places[0], false);
	else
		strbuf_addf(out, "%s+%llu", symtab_name(dso_symtab(d), f->sym),
			    (unsigned long long)(addr - f->addr));
}

void blocks_add_range(const struct blocks *b, const struct block *row, struct strbuf *out)
{
	const struct frame *f = session_frame_get(b->s, row->function);

	strbuf_addch(out, '[');
	add_place(b, f, row->start, out);
	strbuf_adds(out, " -> ");
	add_place(b, f, row->end, out);
	strbuf_addch(out, ']');
}

const char *blocks_object(const struct blocks *b, const struct block *row)
{
	return dso_short_name(
		dso_table_get(session_dsos(b->s), session_frame_get(b->s, row->function)->dso));
}
