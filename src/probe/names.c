/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/names.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { NUMBERS_MAX = 1000 };

void probe_make_group(const char *path, struct strbuf *out)
{
	const char *file = path ? strrchr(path, '/') : NULL;

	strbuf_adds(out, "probe");
	if (!path)
		return;
	strbuf_addch(out, '_');
	for (const char *s = file ? file + 1 : path; isalnum((unsigned char)*s) || *s == '_'; s++)
		if (out->len < PROBE_NAME_MAX)
			strbuf_addch(out, *s);
}

void probe_base_name(const struct probe_definition *d, const char *symbol, struct strbuf *out)
{
	const struct probe_point *p = &d->point;

	if (d->event)
		strbuf_adds(out, d->event);
	else if (p->has_address)
		strbuf_addf(out, "abs_%" PRIx64, p->address);
	else if (p->function && !probe_is_pattern(p->function))
		strbuf_adds(out, p->function);
	else
		strbuf_adds(out, symbol);
	if (!d->event && p->function && p->line)
		strbuf_addf(out, "_L%d", p->line);
}

int probe_make_name(const struct probe_name_wish *w, const struct probe_events *taken,
		    struct strbuf *out, struct err *e)
{
	const char *base = w->base;
	size_t begin;

	base += strspn(base, ".");
	strbuf_reset(out);
	/* What an author wrote in C++ or Rust has signs that no event's name can have. */
	for (size_t i = 0; base[i] && base[i] != '.' && base[i] != '@' && base[i] != '('; i++)
		strbuf_addch(out, isalnum((unsigned char)base[i]) ? base[i] : '_');
	if (w->is_return)
		strbuf_adds(out, "__return");
	begin = out->len;
	for (int i = 1;
	     w->numbered && probe_events_have(taken, w->group, out->buf) && i <= NUMBERS_MAX; i++) {
		out->len = begin;
		strbuf_addf(out, "_%d", i);
	}
	if (!begin || !probe_is_name(out->buf))
		return err_set(e, EINVAL, "Internal error: \"%s\" is an invalid event name.",
			       out->buf);
	if (out->len > PROBE_NAME_MAX)
		return err_set(e, E2BIG, "Too long event name: \"%s\".", out->buf);
	if (probe_events_have(taken, w->group, out->buf))
		return err_set(e, EEXIST,
			       "Error: event \"%s\" already exists.\n"
			       " Hint: Remove existing event by 'perf probe -d'\n"
			       "       or force duplicates by 'perf probe -f'",
			       out->buf);
	return 0;
}
