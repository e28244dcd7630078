/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/server_reach: whether anybody listens where a URL points to. A connection is made and closed
 * again, nothing is sent. Name servers may be slow, so that is done in a child process, which is
 * ended when the time is over.
 */
#ifndef SYS_SERVER_REACH_H
#define SYS_SERVER_REACH_H

#include "base/types.h"

enum server_reach {
	SERVER_REACHED,
	SERVER_NOT_REACHED, /* no such host, nobody listens, or no answer in time; no such directory
			     */
	SERVER_UNKNOWN, /* not tried: through a proxy, or not a URL of http, https or file */
};

/* The best of a list of URLs that is separated by blanks; the first eight are tried, all at once,
 * for so long. */
enum server_reach sys_servers_reach(const char *urls, unsigned int milliseconds);

#endif
