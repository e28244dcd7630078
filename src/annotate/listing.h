/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listing: lines of a function in the order and with the numbers that `objdump -l -d -S` and perf
 * give them. Inside of annotate.
 */
#ifndef ANNOTATE_LISTING_H
#define ANNOTATE_LISTING_H

#include "annotate/annotate.h"
#include "base/arena.h"
#include "base/map.h"
#include "dso/source.h"
#include "dso/source_files.h"

/* Of a function larger than this the beginning is shown. */
enum { ANNOTATE_MAX_BYTES = 4 << 20 };

struct annotation {
	struct view_annotation view;
	struct arena arena;
	VEC(struct view_line) lines;
	struct view_annotation_event *events;
	u32 *columns; /* of the request's events: which one of the view's is it; of those left out:
			 any */
	char *group;
};

/* How far a source file was listed in this function. */
struct listed_file {
	u32 file; /* of source_files */
	u32 upto, last; /* lines: the highest, and the latest */
};

struct listing {
	struct annotation *n;
	const struct annotate_opts *o;
	struct dso *dso;
	const struct dso_code *code;
	struct source_files *files;
	u32 number; /* of the next line */
	const char *symbol; /* without what compilers append to a copy */
	/* as the line before was */
	struct strbuf function;
	bool by_symbol; /* that is the symbol: no debug information knows the place */
	u32 line, discriminator;
	const char *file; /* whole path, in the arena */
	VEC(struct listed_file) listed;
	struct strbuf tmp;
};

void listing_begin(struct listing *l, const char *symbol, u64 start);
/* What stands above the instruction at an address when its place is another than before. */
void listing_place(struct listing *l, u64 addr);
/* The same for a BPF program, whose source is in the recording; NULL = the line is not known. */
struct bpf_line;
void listing_bpf_place(struct listing *l, const struct bpf_line *line);
/* An instruction; text is copied. Returns the line, valid until the next. */
struct view_line *listing_code(struct listing *l, u64 addr, const char *text);
void listing_release(struct listing *l);

#endif
