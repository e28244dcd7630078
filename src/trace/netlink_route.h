/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/netlink_route: what messages of NETLINK_ROUTE are about, behind their heads: a structure by
 * the type of the message, then attributes: "{ .ifi_index: 1 }, { .nla_len: 7, .nla_type: IFNAME,
 * .data: "lo" }". Attributes in attributes are bytes.
 *
 * Source: linux/rtnetlink.h, linux/if_link.h, linux/if_addr.h, linux/neighbour.h,
 * linux/fib_rules.h.
 */
#ifndef TRACE_NETLINK_ROUTE_H
#define TRACE_NETLINK_ROUTE_H

#include "base/strbuf.h"
#include "trace/memory.h"

/* len: bytes that are there, of: how many there were. False: it is not known, and nothing has been
 * added. */
bool trace_netlink_route_add(struct strbuf *out, u32 type, const char *data, size_t len, u64 of,
			     const struct trace_shown *s);

#endif
