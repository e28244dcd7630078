/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kmem: options of perf kmem, and what its files have in common. The state machines are in
 * analyze/kmem_slab and analyze/kmem_pages. */
#ifndef CMD_KMEM_KMEM_H
#define CMD_KMEM_KMEM_H

#include <stdio.h>

#include "analyze/kmem_pages.h"
#include "analyze/kmem_slab.h"
#include "base/json.h"
#include "cli/command.h"
#include "recording/recording.h"
#include "render/rows.h"

/* What rows are sorted by, the largest first; callers are all rows of call sites. */
typedef u64 (*kmem_key)(const struct kmem_slab_row *callers, const struct kmem_slab_row *r);
typedef u64 (*kmem_page_key)(const struct kmem_page_row *r);

enum { KMEM_FAILED = 255 };

/* How one of the tables is shown. */
struct kmem_table {
	bool shown;
	int lines; /* less than 0: all */
	/* nr 0: as perf does */
	size_t nr;
	kmem_key by[8];
	size_t nr_pages; /* the same of --page */
	kmem_page_key pages_by[8];
};

enum kmem_which { KMEM_CALLERS, KMEM_OBJECTS, KMEM_TABLES };

struct kmem_opts {
	struct recording rec;
	struct kmem_table tables[KMEM_TABLES];
	bool slab, page; /* neither: slab */
	bool for_pages; /* the last of both: what -s is for */
	bool by_default_page; /* kmem.default */
	bool live, raw_ip, json;
	const char *separator; /* -x */
	/* what -l and -s are for: those from here to before there */
	enum kmem_which from, until;
};

/* "frag,hit": -1 with *e, a key is unknown. What is named twice counts once. */
int kmem_parse_sort(struct kmem_table *t, const char *keys, struct err *e);
int kmem_parse_page_sort(struct kmem_table *t, const char *keys, struct err *e);
/* Writes out and empties it. */
static inline void kmem_flush(struct strbuf *out)
{
	fwrite(out->buf, 1, out->len, stdout);
	strbuf_reset(out);
}

/* Around tables. */
static inline void kmem_add_rule(struct strbuf *out)
{
	strbuf_pad(out, '-', 105);
	strbuf_addch(out, '\n');
}

/* Parts of what stat prints. What the command returns. */
int kmem_slab_main(struct kmem_opts *o);
int kmem_pages_main(struct kmem_opts *o);
/* argv[0] is "record". */
int kmem_record_main(const struct config *config, const struct kmem_opts *o, int argc,
		     const char **argv);

#endif
