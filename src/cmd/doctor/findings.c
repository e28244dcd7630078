/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor/findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static char *format(const char *fmt, va_list ap) PRINTF_LIKE(1, 0);

static char *format(const char *fmt, va_list ap)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_vaddf(&text, fmt, ap);
	return strbuf_detach(&text);
}

struct finding *findings_add(struct findings *f, const char *check, enum finding_state state,
			     const char *fmt, ...)
{
	struct finding *row = VEC_PUSH(&f->rows);
	va_list ap;

	*row = (struct finding){ .check = check, .state = state };
	va_start(ap, fmt);
	row->value = format(fmt, ap);
	va_end(ap);
	return row;
}

void finding_about(struct finding *row, const char *text)
{
	free(row->about);
	row->about = xstrdup(text);
}

void finding_means(struct finding *row, const char *fmt, ...)
{
	va_list ap;

	free(row->means);
	va_start(ap, fmt);
	row->means = format(fmt, ap);
	va_end(ap);
}

void finding_mend(struct finding *row, const char *fmt, ...)
{
	va_list ap;

	free(row->mend);
	va_start(ap, fmt);
	row->mend = format(fmt, ap);
	va_end(ap);
}

void findings_measure(struct findings *f, const char *key, double value)
{
	*VEC_PUSH(&f->measures) = (struct measure){ key, value };
}

size_t findings_wrong(const struct findings *f)
{
	size_t nr = 0;

	VEC_FOR(&f->rows, row)
		nr += row->state == FINDING_WRONG;
	return nr;
}

void findings_release(struct findings *f)
{
	VEC_FOR(&f->rows, row) {
		free(row->about);
		free(row->value);
		free(row->means);
		free(row->mend);
	}
	vec_free(&f->rows);
	vec_free(&f->measures);
	free(f->subject);
	free(f->record);
}

/* ---- text ---- */

static const char *const marks[] = { [FINDING_OK] = "ok", [FINDING_NOTE] = "note",
				     [FINDING_WRONG] = "WRONG" };

static void add_detail(struct strbuf *out, const char *label, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "       %s", label);
	strbuf_add_escaped(out, text);
	strbuf_addch(out, '\n');
}

void findings_print_text(const struct findings *f, bool verbose, struct strbuf *out)
{
	size_t wrong = findings_wrong(f);

	VEC_FOR(&f->rows, row) {
		strbuf_addf(out, "%-5s  %s: ", marks[row->state], row->check);
		if (row->about) {
			strbuf_add_escaped(out, row->about);
			strbuf_adds(out, ": ");
		}
		strbuf_add_escaped(out, row->value);
		strbuf_addch(out, '\n');
		if (row->state != FINDING_OK || verbose)
			add_detail(out, "", row->means);
		add_detail(out, "mend: ", row->mend);
	}
	if (f->record) {
		strbuf_adds(out, "\nThis will work:\n  ");
		strbuf_add_escaped(out, f->record);
		strbuf_addch(out, '\n');
	}
	strbuf_addch(out, '\n');
	if (wrong)
		strbuf_addf(out, "%zu %s wrong.\n", wrong, wrong == 1 ? "thing is" : "things are");
	else
		strbuf_adds(out, "Nothing is wrong.\n");
}

void findings_add_word(struct strbuf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./=,:+@%";

	if (*word && strspn(word, plain) == strlen(word)) {
		strbuf_adds(out, word);
		return;
	}
	strbuf_addch(out, '\'');
	for (const char *p = word; *p; p++) {
		if (*p == '\'')
			strbuf_adds(out, "'\\''");
		else
			strbuf_addch(out, *p);
	}
	strbuf_addch(out, '\'');
}

/* ---- JSON ---- */

/* What is no UTF-8 text in a name would spoil the document: bytes above 0x7f are kept, controls not. */
static void add_json_string(struct strbuf *out, const char *s)
{
	if (!s) {
		strbuf_adds(out, "null");
		return;
	}
	strbuf_addch(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			strbuf_addf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			strbuf_addf(out, "\\u%04x", c);
		else
			strbuf_addch(out, (char)c);
	}
	strbuf_addch(out, '"');
}

static void add_member(struct strbuf *out, const char *key, const char *value, const char *behind)
{
	strbuf_addf(out, "\"%s\": ", key);
	add_json_string(out, value);
	strbuf_adds(out, behind);
}

void findings_print_json(const struct findings *f, struct strbuf *out)
{
	static const char *const states[] = { [FINDING_OK] = "ok", [FINDING_NOTE] = "note",
					      [FINDING_WRONG] = "wrong" };
	const char *comma = "";

	strbuf_adds(out, "{\n\t\"version\": 1,\n\t");
	add_member(out, "mode", f->mode, ",\n\t");
	add_member(out, "subject", f->subject, ",\n\t");
	strbuf_addf(out, "\"wrong\": %zu,\n\t", findings_wrong(f));
	add_member(out, "record", f->record, ",\n\t\"measures\": {");
	VEC_FOR(&f->measures, m) {
		strbuf_addf(out, "%s\n\t\t\"%s\": %.15g", comma, m->key, m->value);
		comma = ",";
	}
	strbuf_adds(out, f->measures.nr ? "\n\t},\n" : "},\n");
	strbuf_adds(out, "\t\"findings\": [");
	comma = "";
	VEC_FOR(&f->rows, row) {
		strbuf_addf(out, "%s\n\t\t{\"check\": \"%s\", \"state\": \"%s\", ", comma, row->check,
			    states[row->state]);
		add_member(out, "about", row->about, ", ");
		add_member(out, "value", row->value, ", ");
		add_member(out, "means", row->means, ", ");
		add_member(out, "mend", row->mend, "}");
		comma = ",";
	}
	strbuf_adds(out, f->rows.nr ? "\n\t]\n}\n" : "]\n}\n");
}
