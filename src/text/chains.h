/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains: the text of whole stacks. Two samples of a thread mostly differ in their innermost frames
 * alone, so each thread's last stack is kept, and what the next one has in common with it at its
 * outer end is copied as one piece. One cache per worker, nothing shared, of bounded size.
 */
#ifndef TEXT_CHAINS_H
#define TEXT_CHAINS_H

#include "text/frames.h"

struct chains;

/* Borrows the cache of frames. max_stack: frames shown of a stack. */
struct chains *chains_new(struct frames *f, u32 max_stack);
void chains_free(struct chains *c);
/* Append the lines of a sample's stack; nothing when it has an unknown marker. */
void chains_add(struct chains *c, struct session_worker *w, const struct session_record *r,
		unsigned int form, struct strbuf *out);

/* The same as an array of objects (frames_add_json()); no member when it has an unknown marker. */
void chains_add_json(struct chains *c, struct session_worker *w, const struct session_record *r,
		     unsigned int form, struct json *j);
/* Whether the stack was longer than its copy, and ends there as shown. */
bool chains_is_cut(const struct chains *c, const struct sample *smp);

#endif
