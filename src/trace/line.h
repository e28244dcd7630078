/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/line: the parts of a trace's lines: time, duration and task in front, "= result" behind,
 * callers below. As perf has them, column by column.
 */
#ifndef TRACE_LINE_H
#define TRACE_LINE_H

#include "session/session.h"
#include "trace/tasks.h"

/* "     0.515 " of ns; known false: "         ? " */
void trace_line_time(struct strbuf *out, u64 ns, bool known);
/* "[003] " */
void trace_line_cpu(struct strbuf *out, u32 cpu);
/* "( 0.023 ms): "; known false: "(         ): " */
void trace_line_duration(struct strbuf *out, u64 ns, bool known);
/* "ls/2027 " */
void trace_line_task(struct strbuf *out, const struct trace_task *task, bool comm);
/* "LOST 12 events", which the kernel had no room for. */
void trace_line_lost(struct strbuf *out, u64 nr);

struct trace_stacks {
	u32 max; /* frames, 0 = any number */
	bool kernel; /* frames of the kernel, too */
};

/* The callers of a sample, a line each; how many there are. */
size_t trace_line_stack(struct strbuf *out, struct session *s, struct session_worker *w,
			const struct session_record *r, const struct trace_stacks *o);
/* "name+0x12", or the address: of code. */
void trace_line_code(struct strbuf *out, struct session *s, const struct location *l);

#endif
