/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor/findings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
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

size_t findings_count(const struct findings *f, enum finding_state state)
{
	size_t nr = 0;

	VEC_FOR(&f->rows, row)
		nr += row->state == state;
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

static const char *const marks[] = {
	[FINDING_OK] = "ok", [FINDING_NOTE] = "note", [FINDING_WRONG] = "WRONG"
};

static void add_detail(struct strbuf *out, const char *label, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "       %s", label);
	strbuf_add_escaped(out, text);
	strbuf_addch(out, '\n');
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether the next row is of the same cause, so that what follows from it is said once, below the
 * last of them. */
static bool goes_on(const struct findings *f, const struct finding *row)
{
	const struct finding *next = row + 1;

	return next < f->rows.v + f->rows.nr && next->state == row->state &&
	       !strcmp(next->check, row->check) && same_text(next->means, row->means) &&
	       same_text(next->mend, row->mend);
}

static void print_row(const struct findings *f, const struct finding *row, bool verbose,
		      struct strbuf *out)
{
	strbuf_addf(out, "%-5s  %s: ", marks[row->state], row->check);
	if (row->about) {
		strbuf_add_escaped(out, row->about);
		strbuf_adds(out, ": ");
	}
	strbuf_add_escaped(out, row->value);
	strbuf_addch(out, '\n');
	if (goes_on(f, row))
		return;
	if (row->state != FINDING_OK || verbose)
		add_detail(out, "", row->means);
	add_detail(out, "mend: ", row->mend);
}

enum { GROUP_MIN = 4, GROUP_NAMES = 4, GROUP_MENDS = 12 };

/* Rows of a check with the same group; those with the same state, too, are shown together. */
static bool is_member(const struct finding *row, const struct finding *of)
{
	return row->group && of->group && row->state == of->state &&
	       !strcmp(row->check, of->check) && !strcmp(row->group, of->group);
}

/* "apt-get install a" and "apt-get install b" are mended by "apt-get install a b": what comes
 * before the last word. */
static size_t mend_prefix(const char *mend)
{
	const char *space = mend ? strrchr(mend, ' ') : NULL;

	return space && !strchr(space, '=') && !strchr(mend, ',') ? (size_t)(space - mend) : 0;
}

static bool is_listed(const struct strbuf *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list->buf; (at = strstr(at, word)) != NULL; at += len)
		if ((at == list->buf || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	return false;
}

/* The mends of a group: one command for several packages, each other one in a line of its own. */
static void print_mends(const struct findings *f, const struct finding *of, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	size_t left_out = 0;

	for (const struct finding *row = of; row < f->rows.v + f->rows.nr; row++) {
		size_t prefix = mend_prefix(row->mend), words = 0;
		bool told = !row->mend || !is_member(row, of);

		for (const struct finding *r = of; r < row && !told; r++)
			told = is_member(r, of) && r->mend &&
			       (prefix && prefix == mend_prefix(r->mend)
					? !strncmp(r->mend, row->mend, prefix)
					: !strcmp(r->mend, row->mend));
		if (told)
			continue;
		strbuf_reset(&text);
		strbuf_adds(&text, row->mend);
		for (const struct finding *r = row + 1; prefix && r < f->rows.v + f->rows.nr; r++) {
			if (!is_member(r, of) || mend_prefix(r->mend) != prefix ||
			    strncmp(r->mend, row->mend, prefix) ||
			    is_listed(&text, r->mend + prefix + 1))
				continue;
			if (++words < GROUP_MENDS)
				strbuf_adds(&text, r->mend + prefix);
			else
				left_out++;
		}
		add_detail(out, "mend: ", text.buf);
	}
	if (left_out)
		strbuf_addf(out, "       and %zu more (-v)\n", left_out);
}

/* Many rows of a group in a line: how many, what is said of them, the names of the first. */
static void print_group(const struct findings *f, const struct finding *of, size_t nr,
			struct strbuf *out)
{
	size_t named = 0;

	strbuf_addf(out, "%-5s  %s: %zu %s: ", marks[of->state], of->check, nr, of->group);
	for (const struct finding *row = of; row < f->rows.v + f->rows.nr && named < GROUP_NAMES;
	     row++) {
		const char *slash = is_member(row, of) && row->about ? strrchr(row->about, '/')
								     : NULL;

		if (!is_member(row, of) || !row->about)
			continue;
		strbuf_adds(out, named++ ? ", " : "");
		strbuf_add_escaped(out, slash ? slash + 1 : row->about);
	}
	strbuf_adds(out, nr > named ? ", ... (-v)\n" : "\n");
	if (of->state != FINDING_OK)
		add_detail(out, "", of->means);
	print_mends(f, of, out);
}

/* Of a group with many rows the first stands for all. */
static void print_rows(const struct findings *f, bool verbose, struct strbuf *out)
{
	VEC_FOR(&f->rows, row) {
		size_t nr = 0;
		bool first = true;

		for (const struct finding *r = f->rows.v; r < f->rows.v + f->rows.nr && row->group;
		     r++) {
			nr += is_member(r, row);
			first &= r >= row || !is_member(r, row);
		}
		if (verbose || nr < GROUP_MIN)
			print_row(f, row, verbose, out);
		else if (first)
			print_group(f, row, nr, out);
	}
}

void findings_print_text(const struct findings *f, bool verbose, struct strbuf *out)
{
	size_t wrong = findings_count(f, FINDING_WRONG), notes = findings_count(f, FINDING_NOTE);

	print_rows(f, verbose, out);
	if (f->record) {
		strbuf_adds(out, "\nThis will work:\n  ");
		strbuf_add_escaped(out, f->record);
		strbuf_addch(out, '\n');
	}
	strbuf_addch(out, '\n');
	if (wrong)
		strbuf_addf(out, "%zu %s wrong.\n", wrong, wrong == 1 ? "thing is" : "things are");
	else
		strbuf_adds(out, f->partly ? "Nothing is wrong with what was looked at"
					   : "Nothing is wrong");
	if (!wrong && notes)
		strbuf_addf(out, "; %zu %s.\n", notes, notes == 1 ? "note" : "notes");
	else if (!wrong)
		strbuf_adds(out, ".\n");
}

/* ---- JSON ---- */

void findings_print_json(const struct findings *f, struct strbuf *out)
{
	static const char *const states[] = {
		[FINDING_OK] = "ok", [FINDING_NOTE] = "note", [FINDING_WRONG] = "wrong"
	};
	struct json j;

	json_init(&j, out);
	json_object(&j, NULL, JSON_LINES);
	json_u64(&j, "version", 1);
	json_string(&j, "mode", f->mode);
	json_string(&j, "subject", f->subject);
	json_u64(&j, "wrong", findings_count(f, FINDING_WRONG));
	json_string(&j, "record", f->record);
	json_object(&j, "measures", JSON_LINES);
	VEC_FOR(&f->measures, m)
		json_double(&j, m->key, m->value);
	json_end(&j);
	json_array(&j, "findings", JSON_LINES);
	VEC_FOR(&f->rows, row) {
		json_object(&j, NULL, JSON_SPACED);
		json_string(&j, "check", row->check);
		json_string(&j, "state", states[row->state]);
		json_string(&j, "about", row->about);
		json_string(&j, "value", row->value);
		json_string(&j, "means", row->means);
		json_string(&j, "mend", row->mend);
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	strbuf_addch(out, '\n');
}
