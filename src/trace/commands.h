/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/commands: memory whose meaning depends on more than its type: what an ioctl() is given, by
 * its command; the part of union bpf_attr that a command of bpf() has; siginfo_t, by its signal;
 * struct sigevent, by how is told. Bytes may be missing at the end.
 */
#ifndef TRACE_COMMANDS_H
#define TRACE_COMMANDS_H

#include "base/strbuf.h"
#include "trace/memory.h"

struct trace_bytes {
	const u8 *data;
	size_t len;
	bool compat; /* a 32-bit program's */
	bool ended; /* read when the call had succeeded, not when it began */
};

/* Each false: it is not known, and nothing has been added. */
bool trace_ioctl_add(struct strbuf *out, u32 cmd, const struct trace_bytes *b,
		     const struct trace_shown *s);
bool trace_bpf_add(struct strbuf *out, u32 cmd, const struct trace_bytes *b,
		   const struct trace_shown *s);
bool trace_siginfo_add(struct strbuf *out, const struct trace_bytes *b);
bool trace_sigevent_add(struct strbuf *out, const struct trace_bytes *b);

#endif
