/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames: the text of code addresses. The symbol around an address in an object is looked up once,
 * for all processes and all addresses in it that lie near each other; lines are put together from
 * its name and the object's. One cache per worker, nothing shared, of fixed size.
 */
#ifndef TEXT_FRAMES_H
#define TEXT_FRAMES_H

#include "base/json.h"
#include "base/strbuf.h"
#include "session/session.h"

/* What is printed of an address; part of the cache's key. */
enum frame_form {
	FORM_CHAIN =
		1 << 0, /* a line of a stack: tab and the dso's address in front, newline behind */
	FORM_SYM = 1 << 1,
	FORM_SYMOFF = 1 << 2,
	FORM_DSO = 1 << 3,
	FORM_DSOFF = 1 << 4,
	FORM_ESCAPE = 1 << 5, /* the output is a terminal */
	FORM_KERNEL_PATH = 1 << 6,
	FORM_SRCLINE = 1 << 7,
	FORM_GUESS = 1 << 9, /* of a stack, and not proven: its name has " [guess]" behind it */
	FORM_INLINE = 1 << 8, /* functions that were inlined there have lines of their own */
	FORM_JSON = 1 << 10, /* of texts that are kept */
};

struct frames;

struct frames_opts {
	struct dso_table *dsos;
	char *const *stop; /* sorted names of --stop-bt */
	size_t nr_stop;
	bool full_source_path;
};

struct frames *frames_new(const struct frames_opts *o);
void frames_free(struct frames *f);
/* Whether a frame may end a stack (--stop-bt). */
bool frames_may_stop(const struct frames *f);
struct frame_set;
/* An address of a stack, or a marker between them. */
struct code_line {
	u64 value; /* as sampled */
	u64 addr; /* in the object */
	struct frame_set *set; /* frames_find() */
	dso_id dso; /* 0 = no mapping there */
	u32 form; /* 0: a marker, which has no text */
	u32 text; /* bytes from the beginning of the stack's text */
	u8 mode; /* level in force before it */
};
/* Finds where the symbol of a line will be looked up, and asks memory for it. */
void frames_find(const struct frames *f, struct code_line *line);
/* Append the lines of a stack, and tell where each of them begins. */
void frames_add_lines(struct frames *f, struct code_line *lines, u32 nr, struct strbuf *out);
/* Append what is printed of a sampled address, which may have no mapping. true: it ends a stack
 * (--stop-bt). */
bool frames_add(struct frames *f, struct session_worker *w, const struct site *site, u8 cpumode,
		u64 ip, unsigned int form, struct strbuf *out);
/*
 * The same as an object: {"ip":"0x12", ...}, with the keys that the form asks for: sym, symoff,
 * dso, dsoff, srcline, and inlined and guess where they apply; null is unknown.
 */
bool frames_add_json(struct frames *f, struct session_worker *w, const struct site *site,
		     u8 cpumode, u64 ip, unsigned int form, const char *key, struct json *j);
/* "0x12" as a string: not all readers of JSON have numbers of 64 bits. */
void json_hex(struct json *j, const char *key, u64 v);
/* The same as session_locate(), through the cache; valid_from is not told. */
void frames_locate(struct frames *f, struct session_worker *w, const struct site *site, u8 cpumode,
		   u64 ip, struct location *out);

/* "name+0x12" or "[unknown]" */
void frame_add_symbol(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		      unsigned int form);
/* "(/path/of/object)" */
void frame_add_dso(struct strbuf *out, struct dso_table *dsos, const struct location *loc,
		   unsigned int form);

#endif
