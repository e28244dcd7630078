/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames: the text of code addresses, made once per distinct address and copied from then on. One
 * cache per worker, nothing shared.
 */
#ifndef CMD_SCRIPT_FRAMES_H
#define CMD_SCRIPT_FRAMES_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "session/session.h"

/* What is printed of an address; part of the cache's key. */
enum frame_form {
	FORM_CHAIN = 1 << 0,   /* a line of a stack: tab in front, newline behind, the dso's address */
	FORM_SYM = 1 << 1,
	FORM_SYMOFF = 1 << 2,
	FORM_DSO = 1 << 3,
	FORM_DSOFF = 1 << 4,
	FORM_NO_IP = 1 << 5,   /* only what stands behind the address */
	FORM_ESCAPE = 1 << 6,  /* the output is a terminal */
	FORM_KERNEL_PATH = 1 << 7,
	FORM_SRCLINE = 1 << 8,
	FORM_INLINE = 1 << 9,  /* functions that were inlined there have lines of their own */
};

/* Valid until the next frames_get(). */
struct frame_text {
	u32 len;
	bool stop; /* the frame's symbol is one of --stop-bt */
	struct location loc;
	char text[];
};

struct frames;

struct frames_opts {
	const struct session *session;
	struct dso_table *dsos;
	char *const *stop; /* sorted names of --stop-bt */
	size_t nr_stop;
	bool full_source_path;
};

struct frames *frames_new(const struct frames_opts *o);
void frames_free(struct frames *f);
/* Whether a frame may end a stack (--stop-bt). */
bool frames_may_stop(const struct frames *f);
/* A hint that frames_get() with the same arguments follows soon. */
void frames_prefetch(const struct frames *f, const struct site *site, u8 cpumode, u64 ip,
		     unsigned int form);
const struct frame_text *frames_get(struct frames *f, struct session_worker *w,
				    const struct site *site, u8 cpumode, u64 ip,
				    unsigned int form);

/* "name+0x12" or "[unknown]" */
void frame_add_symbol(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		      unsigned int form);
/* "(/path/of/object)" */
void frame_add_dso(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		   unsigned int form);

#endif
