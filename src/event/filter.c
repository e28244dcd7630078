/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --filter of tracepoints: into the kernel's words, and what is wrong with one that it refuses. */
#include <errno.h>
#include <string.h>

#include "btf/btf.h"
#include "event/event.h"
#include "tracefmt/filter.h"

enum { LINE_WIDTH = 76, BEFORE_CARET = 50 };

/* ------------------------------------------------------------------ names of values */

/* The kernel's types are read when a name is looked for. */
struct more_names {
	const struct event *ev;
	struct btf_types *types;
	bool looked;
};

/* Of a field "enum NAME"; NULL: it is none, or the kernel does not tell. */
static const struct btf_type *enumeration(struct more_names *m, const struct tracefmt_field *f)
{
	static const char word[] = "enum ";

	if (strncmp(f->type, word, strlen(word)) != 0)
		return NULL;
	if (!m->looked)
		m->types = btf_types_open(NULL, NULL, NULL);
	m->looked = true;
	return m->types ? btf_find_enum(m->types, f->type + strlen(word)) : NULL;
}

static bool find_name(void *ctx, const struct tracefmt_field *f, const char *name, size_t len,
		      s64 *value)
{
	struct more_names *m = ctx;
	const struct btf_type *t = enumeration(m, f);

	if (t && btf_enumerator(m->types, t, name, len, value))
		return true;
	return m->ev->names && m->ev->names->find(m->ev, f->name, name, len, value);
}

static void offer_names(void *ctx, const struct tracefmt_field *f, struct similar *near)
{
	struct more_names *m = ctx;
	const struct btf_type *t = enumeration(m, f);
	const char *name;

	for (u32 i = 0; t && (name = btf_enumerator_name(m->types, t, i)) != NULL; i++)
		similar_offer(near, name);
	if (m->ev->names)
		m->ev->names->offer(m->ev, f->name, near);
}

/* ------------------------------------------------------------------ filters */

/* False: the event's format cannot be read. */
static bool look_at(const struct event *ev, struct strbuf *out, struct tracefmt_filter_error *fe,
		    struct strbuf *fields, bool *understood)
{
	_cleanup_(strbuf_releasep) struct strbuf format = STRBUF_INIT;
	struct more_names names = { .ev = ev };
	const struct tracefmt_more_names more = { find_name, offer_names, &names };
	struct tracefmt_set *set;
	const struct tracefmt *t;

	if (!ev->tracefs || event_tracepoint_format(ev, &format, NULL))
		return false;
	set = tracefmt_set_new();
	if (!tracefmt_set_add(set, ev->tp_system, format.buf, format.len, NULL) &&
	    tracefmt_set_count(set)) {
		t = tracefmt_set_at(set, 0);
		*understood = tracefmt_filter(t, ev->filter, &more, out, fe);
		for (size_t i = 0; i < tracefmt_nr_fields(t); i++) {
			const struct tracefmt_field *f = tracefmt_field(t, i);

			if (!(f->flags & TRACEFMT_COMMON))
				strbuf_addf(fields, "%s %s", fields->len ? "," : "", f->name);
		}
	}
	tracefmt_set_free(set);
	btf_types_free(names.types);
	return fields->len != 0;
}

void event_filter_text(const struct event *ev, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf fields = STRBUF_INIT;
	struct tracefmt_filter_error fe;
	size_t before = out->len;
	bool understood = false;

	look_at(ev, out, &fe, &fields, &understood);
	if (out->len == before)
		strbuf_adds(out, ev->filter);
}

/* Two lines: the text, or what is around the place, and the caret. */
static void add_caret(const char *text, const struct tracefmt_filter_error *fe, struct strbuf *out)
{
	size_t from = fe->at > BEFORE_CARET ? fe->at - BEFORE_CARET : 0;
	size_t len = strlen(text + from), column = 0;

	strbuf_addf(out, "\n  %s", from ? ".." : "");
	for (size_t i = from; i < from + MIN(len, (size_t)LINE_WIDTH); i++) {
		strbuf_addch(out, (u8)text[i] < ' ' ? ' ' : text[i]);
		column += i < fe->at && ((u8)text[i] & 0xc0) != 0x80;
	}
	strbuf_addf(out, "%s\n  %*s^ %s", len > LINE_WIDTH ? ".." : "",
		    (int)(column + (from ? 2 : 0)), "", fe->text);
}

static void add_hint(const struct event *ev, const struct tracefmt_filter_error *fe,
		     const struct strbuf *fields, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf hint = STRBUF_INIT;

	if (fe->no_field) {
		strbuf_addf(&hint, "%s has no field '", ev->name);
		strbuf_add_escaped(&hint, fe->typed);
		strbuf_adds(&hint, "': ");
		if (similar_question(&fe->near, &hint))
			strbuf_addch(&hint, ' ');
		strbuf_addf(&hint, "it has%s", fields->buf);
	} else if (!similar_question(&fe->near, &hint)) {
		strbuf_adds(&hint, "a filter is FIELD OPERATOR VALUE with == != < <= > >= & or ~ "
				   "'GLOB', joined by && and ||");
	}
	err_hint(e, "%s", hint.buf);
}

int event_filter_refused(const struct event *ev, int code, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT, out = STRBUF_INIT,
						 fields = STRBUF_INIT;
	struct tracefmt_filter_error fe;
	bool understood = true, known;

	strbuf_addf(&text, "failed to set filter \"%s\" on event %s with %d (%s)", ev->filter,
		    ev->name, code, strerror(code));
	/* ENOENT is the kernel's word for a parenthesis without its partner */
	known = (code == EINVAL || code == ENOENT) && look_at(ev, &out, &fe, &fields, &understood);
	if (!understood)
		add_caret(ev->filter, &fe, &text);
	err_set(e, code, "%s", text.buf);
	if (known)
		add_hint(ev, &fe, &fields, e);
	return -1;
}
