/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/begun_call: a sample of syscalls:sys_enter_*, the tracepoint of one call, as that call:
 * arguments as in lines of calls, not as fields of a tracepoint. Newer kernels have read strings
 * and buffers themselves and tell them in fields of their own (__filename_val of filename).
 */
#ifndef TRACE_BEGUN_CALL_H
#define TRACE_BEGUN_CALL_H

#include "trace/args.h"
#include "tracefmt/tracefmt.h"

bool trace_begins_call(const struct tracefmt *t);
/* "dfd: CWD, flags: RDONLY"; false: it is no call that is known, or has other fields than that, and
 * nothing has been added. */
bool trace_begun_call_add(struct strbuf *out, const struct tracefmt *t, struct trace_syscalls *all,
			  const void *raw, u32 size, u32 pid, const struct trace_lookup *n);

#endif
