/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/address_filter: which code a hardware trace is of (--filter on events that fill AUX
 * areas): places that may be named by symbols become the file offsets and kernel addresses that the
 * kernel takes. One thread.
 *
 *	filter|start|stop|tracestop START [/ SIZE] [@ FILE], ...
 *
 * START: a number, a symbol, or `*` (all of it); SIZE: a number, or a symbol up to whose end it
 * goes. `#N` behind a symbol chooses one of several by address, `#g` the global one. Without a file
 * it is the kernel.
 *
 * Source: perf-record(1), --filter; PERF_EVENT_IOC_SET_FILTER in perf_event_open(2); what perf
 * passes to the kernel.
 */
#ifndef CAPTURE_ADDRESS_FILTER_H
#define CAPTURE_ADDRESS_FILTER_H

#include "base/err.h"
#include "base/strbuf.h"

/* Appended to out; returns how many filters. -1: a line that says what is wrong. */
int address_filter_resolve(const char *text, struct strbuf *out, struct err *e);

#endif
