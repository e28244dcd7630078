/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render/profile: a profile as perf report prints it: text for people, JSON for programs. One table
 * of functions each, called in order: begin(), section() for each, end(). They hand what they make
 * to write(), piece by piece.
 */
#ifndef RENDER_PROFILE_H
#define RENDER_PROFILE_H

#include "base/par.h"
#include "render/text_tree.h"
#include "view/profile.h"

struct profile_out {
	/* Called for every finished piece; false stops what is being written. */
	bool (*write)(void *ctx, const char *text, size_t len);
	void *ctx;
	struct par *par; /* makes the rows in parallel; NULL = one after the other */
	/* text */
	const char *separator; /* NULL = aligned columns */
	bool quiet; /* no header lines */
	bool coloured;
	struct text_tree_opts tree;
	/* JSON, kept from begin() to end() */
	struct strbuf text;
	struct json *json;
};

struct profile_ops {
	void (*begin)(struct profile_out *out, const struct view_profile *p);
	void (*section)(struct profile_out *out, const struct view_section *s);
	void (*end)(struct profile_out *out, const struct view_profile *p);
};

extern const struct profile_ops profile_text_ops;
extern const struct profile_ops profile_json_ops;
extern const struct profile_ops profile_folded_ops; /* for flamegraph.pl */

/* write(): to standard output. */
bool profile_write_stdout(void *ctx, const char *text, size_t len);

/* "# comm: NAME" of what filters leave one value of. */
void profile_text_only(struct strbuf *out, const struct view_profile *p);

#endif
