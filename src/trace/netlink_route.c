/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/netlink_route.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/mem.h"
#include "trace/constants.h"
#include "trace/quote.h"

enum { HEAD = 4 /* struct nlattr */ };

/* Requests come in fours: new, delete, get, set. */
static const struct subject {
	u8 four;
	const char *type;
	enum trace_set attributes;
} subjects[] = {
	{ 0, "ifinfomsg", SET_IFLA }, { 1, "ifaddrmsg", SET_IFA },    { 2, "rtmsg", SET_RTA },
	{ 3, "ndmsg", SET_NDA },      { 4, "fib_rule_hdr", SET_FRA }, { 5, "tcmsg", SET_TCA },
	{ 6, "tcmsg", SET_TCA },      { 7, "tcmsg", SET_TCA },
};

/* How an attribute is shown that is not a number of its size. */
static const struct attribute_row {
	enum trace_set set;
	const char *name;
	enum { TEXT, ADDRESS, HARDWARE, NESTED } kind;
} attribute_rows[] = {
	{ SET_IFLA, "ADDRESS", HARDWARE },
	{ SET_IFLA, "AF_SPEC", NESTED },
	{ SET_IFLA, "ALT_IFNAME", TEXT },
	{ SET_IFLA, "BROADCAST", HARDWARE },
	{ SET_IFLA, "IFALIAS", TEXT },
	{ SET_IFLA, "IFNAME", TEXT },
	{ SET_IFLA, "LINKINFO", NESTED },
	{ SET_IFLA, "PARENT_DEV_BUS_NAME", TEXT },
	{ SET_IFLA, "PARENT_DEV_NAME", TEXT },
	{ SET_IFLA, "PERM_ADDRESS", HARDWARE },
	{ SET_IFLA, "PHYS_PORT_NAME", TEXT },
	{ SET_IFLA, "PROP_LIST", NESTED },
	{ SET_IFLA, "PROTINFO", NESTED },
	{ SET_IFLA, "QDISC", TEXT },
	{ SET_IFLA, "XDP", NESTED },
	{ SET_IFA, "ADDRESS", ADDRESS },
	{ SET_IFA, "ANYCAST", ADDRESS },
	{ SET_IFA, "BROADCAST", ADDRESS },
	{ SET_IFA, "LABEL", TEXT },
	{ SET_IFA, "LOCAL", ADDRESS },
	{ SET_IFA, "MULTICAST", ADDRESS },
	{ SET_RTA, "DST", ADDRESS },
	{ SET_RTA, "ENCAP", NESTED },
	{ SET_RTA, "GATEWAY", ADDRESS },
	{ SET_RTA, "METRICS", NESTED },
	{ SET_RTA, "MULTIPATH", NESTED },
	{ SET_RTA, "PREFSRC", ADDRESS },
	{ SET_RTA, "SRC", ADDRESS },
	{ SET_NDA, "DST", ADDRESS },
	{ SET_NDA, "LLADDR", HARDWARE },
	{ SET_FRA, "DST", ADDRESS },
	{ SET_FRA, "IFNAME", TEXT },
	{ SET_FRA, "OIFNAME", TEXT },
	{ SET_FRA, "SRC", ADDRESS },
	{ SET_TCA, "KIND", TEXT },
	{ SET_TCA, "OPTIONS", NESTED },
};

static u32 load(const char *data, size_t size)
{
	u32 v = 0;

	memcpy(&v, data, size);
	return v;
}

static const struct attribute_row *row_of(enum trace_set set, const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(attribute_rows); i++)
		if (attribute_rows[i].set == set && !strcmp(attribute_rows[i].name, name))
			return &attribute_rows[i];
	return NULL;
}

static bool add_number(struct strbuf *out, const char *data, size_t len)
{
	u64 v = 0;

	if (len != 1 && len != 2 && len != 4 && len != 8)
		return false;
	memcpy(&v, data, len);
	strbuf_add_u64(out, v);
	return true;
}

static bool add_address(struct strbuf *out, const char *data, size_t len)
{
	char text[INET6_ADDRSTRLEN];

	if ((len != 4 && len != 16) ||
	    !inet_ntop(len == 4 ? AF_INET : AF_INET6, data, text, sizeof(text)))
		return false;
	strbuf_adds(out, text);
	return true;
}

static bool add_hardware(struct strbuf *out, const char *data, size_t len)
{
	for (size_t i = 0; len == 6 && i < len; i++)
		strbuf_addf(out, "%s%02x", i ? ":" : "", (u8)data[i]);
	return len == 6;
}

static bool add_by_row(struct strbuf *out, const struct attribute_row *r, const char *data,
		       size_t len)
{
	if (!r)
		return add_number(out, data, len);
	switch (r->kind) {
	case TEXT:
		trace_quote(out, data, strnlen(data, len), true);
		return true;
	case ADDRESS:
		return add_address(out, data, len);
	case HARDWARE:
		return add_hardware(out, data, len);
	case NESTED:
		return false;
	}
	return false;
}

static void add_attribute(struct strbuf *out, enum trace_set set, const char *data, size_t len,
			  u32 size)
{
	enum { TYPE = 0x3fff };
	u32 type = load(data + 2, 2) & TYPE;
	const char *name = trace_constant(set, type);
	size_t there = MIN(len, (size_t)size) - HEAD;

	strbuf_addf(out, "{ .nla_len: %u, .nla_type: ", size);
	if (name)
		strbuf_adds(out, name);
	else
		strbuf_add_u64(out, type);
	if (size > HEAD) {
		strbuf_adds(out, ", .data: ");
		if (len < size || !add_by_row(out, row_of(set, name), data + HEAD, there)) {
			trace_quote(out, data + HEAD, there, false);
			strbuf_adds(out, len < size ? "..." : "");
		}
	}
	strbuf_adds(out, " }");
}

static void add_attributes(struct strbuf *out, enum trace_set set, const char *data, size_t len,
			   u64 of)
{
	size_t at = 0;

	strbuf_addch(out, '[');
	while (at < len && len - at >= HEAD) {
		u32 size = load(data + at, 2);

		if (size < HEAD)
			break;
		strbuf_adds(out, at ? ", " : "");
		add_attribute(out, set, data + at, len - at, size);
		at += ALIGN_UP(size, 4);
	}
	if (at < of)
		strbuf_adds(out, at ? ", ..." : "...");
	strbuf_addch(out, ']');
}

bool trace_netlink_route_add(struct strbuf *out, u32 type, const char *data, size_t len, u64 of,
			     const struct trace_shown *s)
{
	enum { FIRST = 16 };
	const struct subject *subject = NULL;
	const char *name;
	u32 id, size;

	for (size_t i = 0; type >= FIRST && i < ARRAY_SIZE(subjects); i++)
		if (subjects[i].four == (type - FIRST) / 4)
			subject = &subjects[i];
	if (!subject || !s->layouts)
		return false;
	name = subject->type;
	size = trace_layout_size(s->layouts, trace_layout_find(s->layouts, name, strlen(name)));
	/* who asks for all of something may say no more than the family */
	if (of < size)
		name = "rtgenmsg";
	id = trace_layout_find(s->layouts, name, strlen(name));
	if (!id || len < trace_layout_size(s->layouts, id))
		return false;
	strbuf_adds(out, ", ");
	trace_layout_add(out, s->layouts, id, (const u8 *)data, trace_layout_size(s->layouts, id),
			 s->member, s->ctx);
	size = ALIGN_UP(size, 4);
	if (of <= size)
		return true;
	strbuf_adds(out, ", ");
	add_attributes(out, subject->attributes, data + MIN((size_t)size, len),
		       len - MIN((size_t)size, len), of - size);
	return true;
}
