/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/netlink: what goes through a netlink socket, as text: "[{ .nlmsg_len: 20, .nlmsg_type:
 * GETLINK, .nlmsg_flags: REQUEST|DUMP, .nlmsg_seq: 1, .nlmsg_pid: 0, .data: "..." }]".
 *
 * Source: linux/netlink.h, linux/rtnetlink.h.
 */
#ifndef TRACE_NETLINK_H
#define TRACE_NETLINK_H

#include "trace/memory.h"

enum {
	NO_NETLINK = -1, /* it is no such socket, or that is not known */
	ANY_NETLINK = -2, /* of what protocol is not known: types have numbers */
};

/* s: its protocol is that of the socket. len: bytes that are there, of: how many there were. False:
 * no message begins there, and nothing has been added. */
bool trace_netlink_add(struct strbuf *out, const char *data, size_t len, u64 of,
		       const struct trace_shown *s);

#endif
