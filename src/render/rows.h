/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: rows of named values for other programs to read, one after the other as they come: an
 * object per line (JSON lines), or the values between separators (-x), with a line of their names,
 * "# " in front, where these differ from those of the row before.
 *
 * The first value of a row is its type. Of JSON the first line names the form: {"schema":...,
 * "version":...}. Between two rows the caller may write out what the buffer has and empty it.
 *
 * Or as one document of JSON: an object with the form, and arrays in it whose objects are the rows,
 * without their types. What is no row of an array are members of the document itself.
 */
#ifndef RENDER_ROWS_H
#define RENDER_ROWS_H

#include "base/json.h"

struct row_writer {
	const char *separator; /* NULL = JSON */
	bool document; /* one of JSON */
	struct strbuf *out;
	struct json json;
	struct strbuf names, last_names, values;
};

/* Whether it can stand between values: it has something, and nothing that is in a number. */
bool row_separator_fits(const char *separator);
/* The buffer, the separator, which fits, and the schema's name are borrowed. */
void row_writer_init(struct row_writer *w, struct strbuf *out, const char *separator,
		     const char *schema);
/* A document, if there is no separator. */
void row_document_init(struct row_writer *w, struct strbuf *out, const char *separator,
		       const char *schema);
/* What follows are rows of this array, till the next call; NULL: of none. */
void row_array(struct row_writer *w, const char *key);
/* Behind all. */
void row_document_end(struct row_writer *w);
void row_writer_release(struct row_writer *w);

void row_begin(struct row_writer *w, const char *type);
void row_end(struct row_writer *w);
/* In text between separators controls are escaped, and what is the separator is a dot. NULL is
 * null, or nothing. */
void row_string(struct row_writer *w, const char *name, const char *s);
void row_u64(struct row_writer *w, const char *name, u64 v);
void row_s64(struct row_writer *w, const char *name, s64 v);
/* ns as seconds with nine decimals. */
void row_time(struct row_writer *w, const char *name, u64 ns);
void row_fixed(struct row_writer *w, const char *name, double v, int digits);
void row_bool(struct row_writer *w, const char *name, bool v);
/* It is not known. */
void row_null(struct row_writer *w, const char *name);

#endif
