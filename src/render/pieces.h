/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pieces: rows made into text by whoever has time, some at once, and written in order.
 */
#ifndef RENDER_PIECES_H
#define RENDER_PIECES_H

#include "base/par.h"
#include "base/strbuf.h"

struct pieces {
	size_t nr_rows;
	struct par *par; /* NULL = all by the caller */
	/* Called for every finished piece of text; false stops. */
	bool (*write)(void *ctx, const char *text, size_t len);
	void *write_ctx;
	void *ctx; /* of what follows */
	/* Appends rows [from, to) to out, which is empty. scratch: zero bytes at first, one piece's
	 * at a time. */
	void (*make)(void *ctx, void *scratch, size_t from, size_t to, struct strbuf *out);
	size_t scratch_size;
	void (*release)(void *scratch);
};

/* False when writing stopped. */
bool pieces_write(const struct pieces *p);

#endif
