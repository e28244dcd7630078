/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/pieces.h"

#include <stdlib.h>

#include "base/mem.h"

/* Rows that are made as one text: few where trees are large, which is at the top. */
enum { FIRST_SLICE = 4, SLICE = 256, GROWS_AFTER = 16, JOBS_PER_WORKER = 4 };

struct piece {
	size_t from, to;
	struct strbuf text;
	void *scratch;
};

struct writing {
	const struct pieces *p;
	_Atomic bool stopped;
};

static void make_piece(void *ctx, void *job)
{
	struct writing *w = ctx;
	struct piece *piece = job;

	if (!w->stopped)
		w->p->make(w->p->ctx, piece->scratch, piece->from, piece->to, &piece->text);
}

static void write_piece(void *ctx, void *job)
{
	struct writing *w = ctx;
	struct strbuf *text = &((struct piece *)job)->text;

	if (!w->stopped && text->len && !w->p->write(w->p->write_ctx, text->buf, text->len))
		w->stopped = true;
	strbuf_reset(text);
}

static void make_all(struct writing *w, struct par_line *line)
{
	size_t slice = FIRST_SLICE, nr = 0;

	for (size_t from = 0; from < w->p->nr_rows && !w->stopped; from += slice) {
		struct piece *piece = par_line_take(line);

		if (++nr % GROWS_AFTER == 0 && slice < SLICE)
			slice *= 2;
		piece->from = from;
		piece->to = MIN(from + slice, w->p->nr_rows);
		par_line_put(line);
	}
}

bool pieces_write(const struct pieces *p)
{
	const struct par_line_ops ops = { .work = make_piece, .finish = write_piece };
	unsigned int nr_workers = p->par ? par_workers(p->par) : 1;
	size_t nr = (size_t)nr_workers * JOBS_PER_WORKER;
	struct writing w = { .p = p };
	struct piece *pieces = XNEW_ARRAY(struct piece, nr);
	void **jobs = xcalloc(nr, sizeof(*jobs));
	struct par_line *line;

	for (size_t i = 0; i < nr; i++) {
		pieces[i].text = (struct strbuf)STRBUF_INIT;
		pieces[i].scratch = xcalloc(1, p->scratch_size);
		jobs[i] = &pieces[i];
	}
	line = par_line_new(nr_workers > 1 ? nr_workers : 0, jobs, nr, &ops, &w);
	make_all(&w, line);
	par_line_drain(line);
	par_line_free(line);
	for (size_t i = 0; i < nr; i++) {
		strbuf_release(&pieces[i].text);
		p->release(pieces[i].scratch);
		free(pieces[i].scratch);
	}
	free(pieces);
	free((void *)jobs);
	return !w.stopped;
}
