/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/trace_keys.h"

#include <string.h>

#include "agg/private.h"

/* One event's column. */
struct trace_field {
	struct agg_key key; /* name, header, width; without name: the event has no such field */
	const struct tracefmt *format;
	const struct tracefmt_field *field;
	bool raw;
};

struct agg_trace_key {
	struct agg_key key; /* first: what the aggregation has */
	size_t nr_events;
	struct trace_field *fields; /* by event */
};

static const struct agg_trace_key *trace_key_of(const struct agg_key *key)
{
	return (const struct agg_trace_key *)(const void *)key;
}

const struct agg_key *agg_key_of_event(const struct agg_key *key, u32 event)
{
	const struct agg_trace_key *t;

	if (!(key->flags & KEY_DYNAMIC))
		return key;
	t = trace_key_of(key);
	return event < t->nr_events && t->fields[event].field ? &t->fields[event].key : NULL;
}

/* ---- values: the bytes in hexadecimal, which order as the bytes do, a blank, the text ---- */

struct trace_value {
	const char *bytes, *text;
	size_t nr_digits;
};

static struct trace_value value_of(struct agg *a, u64 word)
{
	const char *p = intern_str(a->texts, (str_id)word);
	size_t nr = strcspn(p, " ");

	return (struct trace_value){ .bytes = p, .nr_digits = nr, .text = p + nr + (p[nr] == ' ') };
}

static void add_bytes(struct strbuf *out, const char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		strbuf_addch(out, digits[(u8)bytes[i] >> 4]);
		strbuf_addch(out, digits[bytes[i] & 15]);
	}
}

/* perf takes the first word that begins with the field's name; behind that, one character. */
static bool find_in_text(const char *text, const char *name, const char **from, size_t *len)
{
	size_t n = strlen(name);

	for (const char *w = text; *w;) {
		size_t word = strcspn(w, " ");

		if (word >= n && !strncmp(w, name, n)) {
			*from = w + MIN(n + 1, word);
			*len = word - MIN(n + 1, word);
			return true;
		}
		w += word;
		w += strspn(w, " ");
	}
	return false;
}

static void add_text(struct agg_sample_ctx *c, const struct trace_field *f, struct strbuf *out)
{
	const struct sample *s = c->r->sample;
	struct strbuf *text = &agg_worker_of(c)->event_text;
	struct tracefmt_print_ctx ctx = { 0 };
	const char *from;
	size_t len;

	if (!f->raw) {
		if (!c->has_event_text) {
			strbuf_reset(text);
			tracefmt_print(f->format, s->raw, s->raw_size, &ctx, text);
			c->has_event_text = true;
		}
		if (find_in_text(text->buf, f->field->name, &from, &len)) {
			strbuf_add(out, from, len);
			return;
		}
	}
	tracefmt_print_field(f->format, f->field, s->raw, s->raw_size, out);
}

static u64 get_field(struct agg_sample_ctx *c)
{
	const struct agg_trace_key *t = trace_key_of(c->key);
	const struct sample *s = c->r->sample;
	u32 event = c->r->event->index;
	struct strbuf *blob = &agg_worker_of(c)->text;
	const struct trace_field *f;
	const char *bytes = NULL;
	size_t len = 0;

	if (event >= t->nr_events || !t->fields[event].field)
		return 0;
	f = &t->fields[event];
	if (!tracefmt_bytes(f->field, s->raw, s->raw_size, &bytes, &len))
		len = 0;
	strbuf_reset(blob);
	add_bytes(blob, bytes, len);
	strbuf_addch(blob, ' ');
	add_text(c, f, blob);
	return agg_text(c->agg, blob->buf, blob->len);
}

/* By bytes, the greatest first. */
static int compare_field(struct agg *a, u64 x, u64 y)
{
	struct trace_value v = value_of(a, x), w = value_of(a, y);
	int d = memcmp(w.bytes, v.bytes, MIN(v.nr_digits, w.nr_digits));

	return d ? d : strcmp(w.bytes, v.bytes);
}

static void text_field(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		       struct strbuf *out)
{
	const char *text = value_of(a, word).text;
	size_t len = strlen(text);

	if (width && len > width)
		len = width;
	if (len < width)
		strbuf_pad(out, ' ', width - len);
	strbuf_add(out, text, len);
}

/* Of strings of any length; the others' is known. */
static u32 width_string(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 so_far)
{
	return MAX(so_far, (u32)value_of(a, word).nr_digits / 2);
}

static u32 width_fixed(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word UNUSED,
		       u32 so_far)
{
	return so_far;
}

/* ---- making them ---- */

static struct agg_trace_key *key_new(struct agg_trace_keys *k, size_t nr_events)
{
	struct agg_trace_key *t = XNEW(struct agg_trace_key);

	t->key = (struct agg_key){ .name = "",
				   .header = "",
				   .flags = KEY_DYNAMIC | KEY_RIGHT | KEY_OF_TEXTS,
				   .get = get_field,
				   .compare = compare_field,
				   .text = text_field };
	t->nr_events = nr_events;
	t->fields = XNEW_ARRAY(struct trace_field, nr_events);
	*VEC_PUSH(&k->v) = t;
	return t;
}

void agg_trace_keys_release(struct agg_trace_keys *k)
{
	VEC_FOR(&k->v, t) {
		free((*t)->fields);
		free(*t);
	}
	vec_free(&k->v);
}

static void set_field(struct agg_trace_key *t, size_t event, const struct tracefmt *format,
		      const struct tracefmt_field *field, bool raw)
{
	bool string = field->flags & TRACEFMT_STRING;
	bool dynamic = field->flags & (TRACEFMT_DYNAMIC | TRACEFMT_REL_DYNAMIC);
	struct trace_field *f = &t->fields[event];

	f->key = t->key;
	f->key.name = f->key.header = field->name;
	f->key.min_width = string ? (dynamic ? 0 : field->size) : 2 + 2 * field->size;
	f->key.width = string && dynamic ? width_string : width_fixed;
	f->format = format;
	f->field = field;
	f->raw = raw;
}

static const struct tracefmt *format_of(struct session *s, size_t event)
{
	const struct perfdata_event *ev = perfdata_event(session_file(s), event);
	const struct tracefmt_set *set = session_tracefmt(s);

	return set && ev->attr.type == PERF_TYPE_TRACEPOINT ? tracefmt_by_id(set, ev->attr.config)
							    : NULL;
}

/* A word in its parts. */
struct trace_word {
	char event[128], field[128]; /* event: "" = any; field: "*" = all */
	bool raw;
};

static bool split_word(const char *word, size_t len, struct trace_word *w)
{
	const char *slash = memchr(word, '/', len);
	const char *dot = memchr(word, '.', len);
	size_t end = slash ? (size_t)(slash - word) : len;
	size_t field = dot && (size_t)(dot - word) < end ? (size_t)(dot - word) + 1 : 0;

	if (slash && (len - end != strlen("/raw") || strncmp(slash, "/raw", len - end) != 0))
		return false;
	if (field > sizeof(w->event) || end - field >= sizeof(w->field))
		return false;
	*w = (struct trace_word){ .raw = slash != NULL };
	if (field)
		memcpy(w->event, word, field - 1);
	memcpy(w->field, word + field, end - field);
	return field != 1 && *w->field;
}

/* -1 = none, or more than one. */
static ssize_t find_event(struct session *s, const char *name)
{
	struct perfdata *file = session_file(s);
	bool exact = strchr(name, ':') != NULL;
	ssize_t found = -1;

	for (size_t i = 0; i < perfdata_nr_events(file); i++) {
		const char *n = perfdata_event(file, i)->name;

		if (exact ? strcmp(n, name) != 0 : !strstr(n, name))
			continue;
		if (found >= 0)
			return exact ? found : -1;
		found = (ssize_t)i;
	}
	return found;
}

/* A key for each of the fields, shared by the events' n-th fields: an event shows only its own. */
static size_t add_all_fields(struct agg_trace_keys *k, struct session *s, ssize_t only, bool raw,
			     const struct agg_key **out, size_t max)
{
	size_t nr_events = perfdata_nr_events(session_file(s));
	size_t first = k->v.nr, nr = 0;

	for (size_t ev = 0; ev < nr_events; ev++) {
		const struct tracefmt *t = only < 0 || (size_t)only == ev ? format_of(s, ev) : NULL;
		size_t place = 0;

		for (size_t i = 0; t && i < tracefmt_nr_fields(t) && place < max; i++) {
			if (tracefmt_field(t, i)->flags & TRACEFMT_COMMON)
				continue;
			if (place == nr) {
				out[nr] = &key_new(k, nr_events)->key;
				nr++;
			}
			set_field(k->v.v[first + place], ev, t, tracefmt_field(t, i), raw);
			place++;
		}
	}
	return nr;
}

static size_t add_field(struct agg_trace_keys *k, struct session *s, const struct trace_word *w,
			ssize_t only, const struct agg_key **out)
{
	size_t nr_events = perfdata_nr_events(session_file(s));
	struct agg_trace_key *key = NULL;

	for (size_t ev = 0; ev < nr_events; ev++) {
		const struct tracefmt *t = only < 0 || (size_t)only == ev ? format_of(s, ev) : NULL;
		const struct tracefmt_field *f = t ? tracefmt_find_field(t, w->field) : NULL;

		if (!f)
			continue;
		if (!key)
			key = key_new(k, nr_events);
		set_field(key, ev, t, f, w->raw);
	}
	if (key)
		*out = &key->key;
	return key != NULL;
}

/* perf shows a column once, however often it was named. */
static void drop_repeated(const struct agg_trace_keys *k, struct agg_trace_key *t)
{
	for (size_t i = 0; i < k->v.nr && k->v.v[i] != t; i++)
		for (size_t ev = 0; ev < t->nr_events; ev++)
			if (k->v.v[i]->fields[ev].field == t->fields[ev].field)
				t->fields[ev].field = NULL;
}

size_t agg_trace_keys_add(struct agg_trace_keys *k, struct session *s, const char *word, size_t len,
			  bool raw, const struct agg_key **out, size_t max)
{
	size_t first = k->v.nr, nr;
	struct trace_word w;
	ssize_t only = -1;

	if (!session_tracefmt(s) || !max)
		return 0;
	if (len == strlen("trace_fields") && !strncmp(word, "trace_fields", len)) {
		nr = add_all_fields(k, s, -1, raw, out, max);
	} else {
		if (!split_word(word, len, &w))
			return 0;
		w.raw |= raw;
		if (*w.event) {
			only = find_event(s, w.event);
			if (only < 0)
				return 0;
		}
		if (!strcmp(w.field, "*"))
			nr = *w.event ? add_all_fields(k, s, only, w.raw, out, max) : 0;
		else
			nr = add_field(k, s, &w, only, out);
	}
	for (size_t i = first; i < k->v.nr; i++)
		drop_repeated(k, k->v.v[i]);
	return nr;
}
