/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: what an event is called when the file does not say: from its attr, or for tracepoints from
 * the format texts of the tracing data.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/compare.h"
#include "base/event_names.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "perfdata/feature_view.h"
#include "perfdata/reader.h"

static void add_modifiers(struct strbuf *out, const struct perf_event_attr *a)
{
	size_t start = out->len;
	bool levels = a->exclude_user || a->exclude_kernel || a->exclude_hv;

	strbuf_addch(out, ':');
	if (levels) {
		if (!a->exclude_kernel)
			strbuf_addch(out, 'k');
		if (!a->exclude_user)
			strbuf_addch(out, 'u');
		if (!a->exclude_hv)
			strbuf_addch(out, 'h');
	}
	for (unsigned int i = 0; i < a->precise_ip; i++)
		strbuf_addch(out, 'p');
	/* Guests are left out by default (and not, with precise events of old tools). */
	if (a->exclude_host || a->exclude_guest == (a->precise_ip || levels)) {
		if (!a->exclude_host)
			strbuf_addch(out, 'H');
		if (!a->exclude_guest)
			strbuf_addch(out, 'G');
	}
	if (out->len == start + 1)
		out->buf[--out->len] = '\0';
}

static void cache_name(struct strbuf *out, u64 config)
{
	u32 type = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;
	char name[64];

	if (type >= PERF_COUNT_HW_CACHE_MAX)
		strbuf_adds(out, "unknown-ext-hardware-cache-type");
	else if (op >= PERF_COUNT_HW_CACHE_OP_MAX)
		strbuf_adds(out, "unknown-ext-hardware-cache-op");
	else if (result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		strbuf_adds(out, "unknown-ext-hardware-cache-result");
	else if (!event_cache_op_valid(type, op))
		strbuf_adds(out, "invalid-cache");
	else if (event_cache_name(config & 0xffffff, name, sizeof(name)))
		strbuf_adds(out, name);
}

/* The high half of config names the PMU of a hybrid CPU. */
static void hardware_name(struct strbuf *out, u64 config)
{
	const char *name = event_hw_name((u32)config);

	if (!name)
		name = "unknown-hardware";
	if (config >> 32)
		strbuf_addf(out, "cpu/%s/", name);
	else
		strbuf_adds(out, name);
}

static void breakpoint_name(struct strbuf *out, const struct perf_event_attr *a)
{
	strbuf_addf(out, "mem:0x%llx:", (unsigned long long)a->bp_addr);
	if (a->bp_type & 1)
		strbuf_addch(out, 'r');
	if (a->bp_type & 2)
		strbuf_addch(out, 'w');
	if (a->bp_type & 4)
		strbuf_addch(out, 'x');
}

char *event_name_derive(const struct perf_event_attr *a)
{
	struct strbuf out = STRBUF_INIT;
	u64 config = a->config;
	const char *name;

	switch (a->type) {
	case PERF_TYPE_HARDWARE:
		hardware_name(&out, config);
		add_modifiers(&out, a);
		break;
	case PERF_TYPE_SOFTWARE:
		name = event_sw_name(config);
		strbuf_adds(&out, name ? name : "unknown-software");
		add_modifiers(&out, a);
		break;
	case PERF_TYPE_HW_CACHE:
		cache_name(&out, config);
		add_modifiers(&out, a);
		break;
	case PERF_TYPE_RAW:
		strbuf_addf(&out, "raw 0x%llx", (unsigned long long)config);
		add_modifiers(&out, a);
		break;
	case PERF_TYPE_TRACEPOINT:
		strbuf_adds(&out, "unknown tracepoint");
		break;
	case PERF_TYPE_BREAKPOINT:
		breakpoint_name(&out, a);
		add_modifiers(&out, a);
		break;
	default:
		strbuf_addf(&out, "unknown attr type: %u", a->type);
		break;
	}
	return strbuf_detach(&out);
}

struct trace_name {
	u64 id;
	char *name;
};

struct trace_names {
	VEC(struct trace_name) v;
};

static const char *blob_cstring(struct feature_view *v)
{
	const void *nul = v->bad ? NULL : memchr(v->at, 0, (size_t)(v->end - v->at));
	const char *s = (const char *)v->at;

	if (!nul) {
		v->bad = true;
		return NULL;
	}
	v->at = (const u8 *)nul + 1;
	return s;
}

/* The rest of the line behind a key, or NULL. */
static const char *line_value(const char *text, size_t len, const char *key, size_t *vlen)
{
	const char *p = memmem(text, len, key, strlen(key));
	const char *nl;

	if (!p)
		return NULL;
	p += strlen(key);
	nl = memchr(p, '\n', len - (size_t)(p - text));
	*vlen = nl ? (size_t)(nl - p) : len - (size_t)(p - text);
	return p;
}

/* "name: X\nID: N\n..." */
static void add_format(struct trace_names *t, const char *system, const char *text, u64 size)
{
	size_t head = MIN(size, 512), nlen = 0, ilen = 0;
	const char *name = line_value(text, head, "name: ", &nlen);
	const char *id = line_value(text, head, "ID: ", &ilen);
	u64 n = 0;

	if (!name || !id || !ilen || ilen > 19)
		return;
	for (size_t i = 0; i < ilen; i++) {
		if (id[i] < '0' || id[i] > '9')
			return;
		n = n * 10 + (u64)(id[i] - '0');
	}
	*VEC_PUSH(&t->v) = (struct trace_name){
		.id = n,
		.name = xasprintf("%s:%.*s", system, (int)nlen, name),
	};
}

static void walk_events(struct trace_names *t, struct feature_view *v)
{
	u32 systems;

	/* "header_page", its text, "header_event", its text */
	for (int i = 0; i < 2; i++) {
		blob_cstring(v);
		view_bytes(v, view_u64(v));
	}
	/* formats of ftrace's own events */
	for (u32 i = view_u32(v); i && !v->bad; i--)
		view_bytes(v, view_u64(v));
	systems = view_u32(v);
	for (u32 i = 0; i < systems && !v->bad; i++) {
		const char *system = blob_cstring(v);

		for (u32 n = view_u32(v); n && !v->bad; n--) {
			u64 size = view_u64(v);
			const char *text = view_bytes(v, size);

			if (text && t->v.nr < LIMIT_STRINGS)
				add_format(t, system, text, size);
		}
	}
}

/* Names of all events, and what is behind them; false: it is no such blob. */
static bool walk_blob(struct trace_names *t, const void *blob, size_t size, struct feature_view *v)
{
	static const u8 magic[10] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	const u8 *m, *order;

	if (!size) /* also: no blob */
		return false;
	*v = (struct feature_view){ .at = blob, .end = (const u8 *)blob + size };
	m = view_bytes(v, sizeof(magic));
	if (!m || memcmp(m, magic, sizeof(magic)))
		return false;
	blob_cstring(v); /* version */
	order = view_bytes(v, 2 + 4); /* byte order, bytes of a long, page size */
	if (!order)
		return false;
	v->swap = order[0] != 0;
	walk_events(t, v);
	return !v->bad;
}

struct trace_names *trace_names_from_blob(const void *blob, size_t size)
{
	struct trace_names *t = XNEW(struct trace_names);
	struct feature_view v;

	walk_blob(t, blob, size, &v);
	VEC_SORT(&t->v, by_u64);
	return t;
}

void tracing_data_strip(const void *blob, size_t size, struct strbuf *out)
{
	static const u32 none[2] = { 0, 0 }; /* bytes of kallsyms, of printk formats */
	struct trace_names *t = XNEW(struct trace_names);
	struct feature_view v;
	const u8 *from;

	if (walk_blob(t, blob, size, &v)) {
		from = v.at;
		view_bytes(&v, view_u32(&v));
		view_bytes(&v, view_u32(&v));
		if (!v.bad) {
			strbuf_add(out, blob, (size_t)(from - (const u8 *)blob));
			strbuf_add(out, none, sizeof(none));
			strbuf_add(out, v.at, (size_t)(v.end - v.at));
		}
	}
	trace_names_free(t);
}

const char *trace_names_find(const struct trace_names *t, u64 id)
{
	struct trace_name key = { .id = id };
	const struct trace_name *n;

	if (!t || !t->v.nr)
		return NULL;
	n = bsearch(&key, t->v.v, t->v.nr, sizeof(key), by_u64);
	return n ? n->name : NULL;
}

void trace_names_free(struct trace_names *t)
{
	if (!t)
		return;
	VEC_FOR(&t->v, n)
		free(n->name);
	vec_free(&t->v);
	free(t);
}
