/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike: rows that are called a little differently in each recording and yet are the same function
 * of the same object.
 *
 * What differs from build to build is left out of names: of symbols what compilers put behind them
 * for clones and parts (.constprop.0, .isra.1, .part.2, .cold, .lto_priv.0, [clone ...]) and the
 * hashes of Rust; of objects their versions, .debug, and the hash of a folder in a Nix store.
 *
 *     objects  belong together if no side has two that are called the same then
 *     symbols  of such a name do if a side lacks one of them; what all sides have stays apart
 *
 * So what has the same full name on all sides is never touched. Who joins rows tells which.
 */
#ifndef PROFILE_ALIKE_H
#define PROFILE_ALIKE_H

#include "agg/snapshot.h"
#include "view/profile.h"

struct alike_input {
	const u32 *side_of; /* by input */
	size_t nr;
	u32 nr_sides;
	/* lines of joined names; nr_keys = there is none */
	size_t object_line, symbol_line, path_line, nr_keys;
};

/* What stands for several names. */
struct alike {
	bool object; /* else a symbol */
	char *names; /* a line each; the first is the one that is shown */
};

struct alike_list {
	VEC(struct alike) v;
	u32 *of_row; /* by row of the result: its symbol's place in v, + 1; 0 = it has one name */
	u32 *object_of_row; /* likewise */
};

/* Changes *j. To be released. */
void alike_join(struct joined *j, const struct alike_input *in, struct alike_list *out);
void alike_release(struct alike_list *a);
/* Those that are shown, by their places + 1, each once; the array is to be freed. */
struct view_match *alike_matches(const struct alike_list *a, const bool *shown, size_t *nr);

/* A name without what differs from build to build. */
void alike_add_symbol(const char *name, size_t len, struct strbuf *out);
void alike_add_object(const char *name, size_t len, struct strbuf *out);

#endif
