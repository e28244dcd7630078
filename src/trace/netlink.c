/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/netlink.h"

#include <string.h>

#include "base/mem.h"
#include "trace/constants.h"
#include "trace/netlink_route.h"
#include "trace/quote.h"

enum {
	ROUTE = 0, /* protocols */
	SOCK_DIAG = 4,
	HEAD = 16, /* struct nlmsghdr */
	FIRST_TYPE = 16, /* those below are the same for all protocols */
	COMMON_FLAGS = 0xff, /* what the others mean depends on the type */
};

static u32 load(const char *data, size_t at, size_t size)
{
	u32 v = 0;

	memcpy(&v, data + at, size);
	return v;
}

static const char *type_name(u32 type, int protocol)
{
	if (type < FIRST_TYPE)
		return trace_constant(SET_NLMSG, type);
	if (protocol == SOCK_DIAG)
		return trace_constant(SET_SOCK_DIAG, type);
	return protocol == ROUTE ? trace_constant(SET_RTM, type) : NULL;
}

/* Requests of NETLINK_ROUTE come in fours: new, delete, get, set. */
static enum trace_set flags_of(u32 type, int protocol)
{
	enum { NEW, GET = 2 };

	if (type >= FIRST_TYPE && protocol == SOCK_DIAG)
		return SET_NLM_GET;
	if (type < FIRST_TYPE || protocol != ROUTE)
		return SET_NONE;
	if (type % 4 == GET)
		return SET_NLM_GET;
	return type % 4 == NEW ? SET_NLM_NEW : SET_NONE;
}

static void add_flags(struct strbuf *out, u32 flags, u32 type, int protocol)
{
	bool any = trace_flags_add(out, SET_NLM, flags & COMMON_FLAGS, false, false);
	enum trace_set others = flags_of(type, protocol);

	flags &= ~(u32)COMMON_FLAGS;
	if (others != SET_NONE)
		any |= trace_flags_add(out, others, flags, any, false);
	else if (flags)
		strbuf_addf(out, any ? "|%#x" : "%#x", flags);
	any |= flags != 0;
	if (!any)
		strbuf_addch(out, '0');
}

static void add_data(struct strbuf *out, const char *data, size_t len, u64 of, u32 type,
		     const struct trace_shown *s)
{
	enum { ERROR = 2 };
	u32 error;
	const char *name;

	if (s->netlink == ROUTE && trace_netlink_route_add(out, type, data, len, of, s))
		return;
	if (type != ERROR || len < 4) {
		strbuf_adds(out, ", .data: ");
		trace_quote(out, data, len, false);
		strbuf_adds(out, of > len ? "..." : "");
		return;
	}
	error = 0 - load(data, 0, 4);
	name = trace_constant(SET_ERRNO, error);
	strbuf_adds(out, ", .error: ");
	if (name)
		strbuf_addf(out, "-%s", name);
	else
		strbuf_addf(out, "%d", (s32)load(data, 0, 4));
}

static void add_message(struct strbuf *out, const char *data, size_t len, u32 size,
			const struct trace_shown *s)
{
	int protocol = s->netlink;
	u32 type = load(data, 4, 2);
	const char *name = type_name(type, protocol);

	strbuf_addf(out, "{ .nlmsg_len: %u, .nlmsg_type: ", size);
	if (name)
		strbuf_adds(out, name);
	else
		strbuf_add_u64(out, type);
	strbuf_adds(out, ", .nlmsg_flags: ");
	add_flags(out, load(data, 6, 2), type, protocol);
	strbuf_addf(out, ", .nlmsg_seq: %u, .nlmsg_pid: %u", load(data, 8, 4), load(data, 12, 4));
	if (size > HEAD && len > HEAD)
		add_data(out, data + HEAD, MIN(len, (size_t)size) - HEAD, size - HEAD, type, s);
	strbuf_adds(out, " }");
}

bool trace_netlink_add(struct strbuf *out, const char *data, size_t len, u64 of,
		       const struct trace_shown *s)
{
	size_t at = 0;

	if (s->netlink == NO_NETLINK || len < HEAD)
		return false;
	strbuf_addch(out, '[');
	while (at < len && len - at >= HEAD) {
		u32 size = load(data, at, 4);

		strbuf_adds(out, at ? ", " : "");
		add_message(out, data + at, len - at, size, s);
		at += MAX((size_t)ALIGN_UP((u64)size, 4), (size_t)HEAD);
		/* one that is shorter than its head ends it, as for the kernel */
		if (size < HEAD)
			break;
	}
	strbuf_adds(out, at < of ? ", ...]" : "]");
	return true;
}
