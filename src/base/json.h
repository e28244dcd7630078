/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json: the one writer of JSON (RFC 8259), for everything that perf prints as such. It appends to a
 * strbuf and keeps nothing but the nesting: between any two calls the caller may write out what the
 * buffer has and empty it. Commas, quotes and escapes are made here.
 *
 * Texts may be anything, and what comes out is UTF-8 always: quotes, backslashes, and what could
 * drive a terminal (struct glyph's controls: C0, DEL, C1, turns of direction) are escaped; a byte
 * that is no UTF-8 is taken for Latin-1 and escaped ("\u00e9"), so that two texts that differ in
 * such bytes alone may look the same. NULL is null.
 *
 * Numbers are numbers: u64 with all digits (readers that keep numbers as doubles lose those beyond
 * 2^53), and null for what is not finite.
 *
 * Every function takes the member's key, or NULL within an array and for a value that stands by
 * itself. A wrong nesting is a mistake of the program, not of its input: it aborts.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/strbuf.h"

enum { JSON_MAX_DEPTH = 24 };

/* How the members of an object or array stand. */
enum json_layout {
	JSON_TIGHT, /* {"a":1,"b":2} */
	JSON_SPACED, /* {"a": 1, "b": 2} */
	JSON_WIDE, /* {"a" : 1, "b" : 2}: as perf stat has it */
	JSON_LINES, /* a line for each, indented by tabs */
};

struct json {
	struct strbuf *out;
	u8 outdent; /* tabs less than there are levels */
	u8 depth;
	struct {
		u8 layout;
		bool array, filled;
	} levels[JSON_MAX_DEPTH + 1]; /* [0]: around the whole */
};

/* Nothing around what will be written; values then follow each other without a separator. */
void json_init(struct json *j, struct strbuf *out);
void json_object(struct json *j, const char *key, enum json_layout layout);
void json_array(struct json *j, const char *key, enum json_layout layout);
/* Ends the innermost object or array. */
void json_end(struct json *j);

void json_string(struct json *j, const char *key, const char *s);
void json_u64(struct json *j, const char *key, u64 v);
void json_s64(struct json *j, const char *key, s64 v);
/* v * 10^-digits: 1002000 with 6 digits is 1.002000. */
void json_decimal(struct json *j, const char *key, u64 v, unsigned int digits);
/* As "%.*f" writes it. */
void json_fixed(struct json *j, const char *key, double v, int digits);
/* As "%.15g" writes it. */
void json_double(struct json *j, const char *key, double v);
void json_bool(struct json *j, const char *key, bool v);
void json_null(struct json *j, const char *key);

/*
 * A part of an array that somebody else makes, into a buffer of theirs: a writer inside of j's
 * innermost array, as if members had come before (all parts but the first) or not. When the parts
 * are behind each other in j's buffer, json_parts() says whether any of them had members.
 */
struct json json_part(const struct json *j, struct strbuf *out, bool first);
void json_parts(struct json *j, bool filled);

/* s as a string in quotes, by itself. */
void json_quote(struct strbuf *out, const char *s);

#endif
