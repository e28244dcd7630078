/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TRACING_DATA: the formats of the recorded tracepoints, as trace-cmd's version 0.6 lays them out:
 * magic, version, byte order, size of long, page size, header_page, header_event, ftrace formats,
 * event systems, kallsyms, printk formats, saved command lines.
 */
#include <unistd.h>

#include "capture/features.h"
#include "sys/tracefs.h"

#define TRACING_MAGIC "\x17\x08\x44tracing"

/* NULL: there are no tracepoints. */
static const char *tracefs_of(const struct event_list *l)
{
	VEC_FOR(&l->events, ev) {
		if ((*ev)->kind == EVENT_TRACEPOINT && (*ev)->tracefs)
			return (*ev)->tracefs;
	}
	return NULL;
}

static void add_sized(struct strbuf *body, const char *root, const char *file)
{
	struct strbuf text = STRBUF_INIT;

	sys_tracefs_read(root, file, &text, NULL);
	feature_add_u64(body, text.len);
	strbuf_add(body, text.buf, text.len);
	strbuf_release(&text);
}

/* As add_sized() with a 32-bit size. */
static void add_sized32(struct strbuf *body, const char *root, const char *file)
{
	struct strbuf text = STRBUF_INIT;

	sys_tracefs_read(root, file, &text, NULL);
	feature_add_u32(body, (u32)text.len);
	strbuf_add(body, text.buf, text.len);
	strbuf_release(&text);
}

static bool same(const char *a, const char *b)
{
	return !strcmp(a, b);
}

static bool is_ftrace(const struct event *ev)
{
	return same(ev->tp_system, "ftrace");
}

/* Was this tracepoint (name given) or this system (name NULL) already met before index? */
static bool met_before(const struct event_list *l, size_t index, const char *name)
{
	const struct event *ev = l->events.v[index];

	for (size_t i = 0; i < index; i++) {
		const struct event *b = l->events.v[i];

		if (b->kind == EVENT_TRACEPOINT && b->tp_system &&
		    same(b->tp_system, ev->tp_system) && (!name || same(b->tp_name, name)))
			return true;
	}
	return false;
}

static void add_format(struct strbuf *body, const struct event *ev)
{
	struct strbuf text = STRBUF_INIT;

	event_tracepoint_format(ev, &text, NULL);
	feature_add_u64(body, text.len);
	strbuf_add(body, text.buf, text.len);
	strbuf_release(&text);
}

/* A u32 count followed by the formats of one system. */
static void add_system(struct strbuf *body, const struct event_list *l, const char *system)
{
	size_t at = body->len;
	u32 n = 0;

	feature_add_u32(body, 0);
	for (size_t i = 0; i < l->events.nr; i++) {
		const struct event *ev = l->events.v[i];

		if (ev->kind != EVENT_TRACEPOINT || !ev->tp_system ||
		    !same(ev->tp_system, system) || met_before(l, i, ev->tp_name))
			continue;
		add_format(body, ev);
		n++;
	}
	memcpy(body->buf + at, &n, sizeof(n));
}

static void add_systems(struct strbuf *body, const struct event_list *l)
{
	size_t at = body->len;
	u32 n = 0;

	feature_add_u32(body, 0);
	for (size_t i = 0; i < l->events.nr; i++) {
		const struct event *ev = l->events.v[i];

		if (ev->kind != EVENT_TRACEPOINT || !ev->tp_system || is_ftrace(ev) ||
		    met_before(l, i, NULL))
			continue;
		strbuf_add(body, ev->tp_system, strlen(ev->tp_system) + 1);
		add_system(body, l, ev->tp_system);
		n++;
	}
	memcpy(body->buf + at, &n, sizeof(n));
}

bool feature_tracing_data(struct feature_ctx *ctx, struct strbuf *body)
{
	const char *root = tracefs_of(ctx->events);

	if (!root)
		return false;
	strbuf_add(body, TRACING_MAGIC, sizeof(TRACING_MAGIC) - 1);
	strbuf_add(body, "0.6", sizeof("0.6"));
	strbuf_addch(body, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	strbuf_addch(body, sizeof(long));
	feature_add_u32(body, (u32)sysconf(_SC_PAGESIZE));
	strbuf_add(body, "header_page", sizeof("header_page"));
	add_sized(body, root, "events/header_page");
	strbuf_add(body, "header_event", sizeof("header_event"));
	add_sized(body, root, "events/header_event");
	add_system(body, ctx->events, "ftrace");
	add_systems(body, ctx->events);
	feature_add_u32(body, 0); /* no copy of kallsyms: the map records name the symbols */
	add_sized32(body, root, "printk_formats");
	add_sized(body, root, "saved_cmdlines");
	return true;
}
