/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/line.h"

#include <stdio.h>

#include "text/frames.h"

enum { TIME_WIDTH = 10, DURATION_WIDTH = 6, STACK_COLUMN = 39, MAX_FRAMES = 1024 };

/* As "%*.3f" writes ns in ms. */
static void add_ms(struct strbuf *out, u64 ns, int width)
{
	u64 us = (ns + 500) / 1000;
	char text[4];

	/* what printf() does of a half depends on how a double has it */
	if (ns % 1000 == 500) {
		strbuf_addf(out, "%*.3f", width, (double)ns / 1e6);
		return;
	}
	strbuf_add_u64_width(out, us / 1000, width - 4, ' ');
	text[0] = '.';
	text[1] = (char)('0' + us % 1000 / 100);
	text[2] = (char)('0' + us % 100 / 10);
	text[3] = (char)('0' + us % 10);
	strbuf_add(out, text, sizeof(text));
}

void trace_line_time(struct strbuf *out, u64 ns, bool known)
{
	if (known)
		add_ms(out, ns, TIME_WIDTH);
	else
		strbuf_adds(out, "         ?");
	strbuf_addch(out, ' ');
}

void trace_line_cpu(struct strbuf *out, u32 cpu)
{
	strbuf_addch(out, '[');
	if (cpu == (u32)-1)
		strbuf_adds(out, "  ?");
	else
		strbuf_add_u64_width(out, cpu, 3, '0');
	strbuf_add(out, "] ", 2);
}

void trace_line_duration(struct strbuf *out, u64 ns, bool known)
{
	if (!known) {
		strbuf_adds(out, "(         ): ");
		return;
	}
	strbuf_addch(out, '(');
	add_ms(out, ns, DURATION_WIDTH);
	strbuf_adds(out, " ms): ");
}

void trace_line_task(struct strbuf *out, const struct trace_task *task, bool comm)
{
	if (comm) {
		if (task->comm[0])
			strbuf_add_escaped(out, task->comm);
		else
			strbuf_addf(out, ":%u", task->tid);
		strbuf_addch(out, '/');
	}
	strbuf_add_u64(out, task->tid);
	strbuf_addch(out, ' ');
}

void trace_line_lost(struct strbuf *out, u64 nr)
{
	strbuf_addf(out, "LOST %llu events\n", (unsigned long long)nr);
}

void trace_line_code(struct strbuf *out, struct session *s, const struct location *l)
{
	if (l->sym == SYM_NONE) {
		strbuf_adds(out, "0x");
		strbuf_add_hex(out, l->ip);
		return;
	}
	frame_add_symbol(out, session_dsos(s), l, FORM_SYMOFF | FORM_ESCAPE);
}

static void add_frame(struct strbuf *out, struct session *s, const struct location *l)
{
	strbuf_pad(out, ' ', STACK_COLUMN);
	if (l->sym == SYM_NONE)
		strbuf_adds(out, "[unknown]");
	else
		frame_add_symbol(out, session_dsos(s), l, FORM_ESCAPE);
	strbuf_addch(out, ' ');
	frame_add_dso(out, session_dsos(s), l, FORM_ESCAPE);
	strbuf_addch(out, '\n');
}

static bool is_kernel(const struct location *l)
{
	return l->map && l->map->kernel;
}

size_t trace_line_stack(struct strbuf *out, struct session *s, struct session_worker *w,
			const struct session_record *r, const struct trace_stacks *o)
{
	struct location frames[MAX_FRAMES];
	size_t nr = session_chain_locations(w, &r->site, r->sample, frames, MAX_FRAMES), shown = 0;

	for (size_t i = 0; i < nr && (!o->max || shown < o->max); i++) {
		if (!o->kernel && is_kernel(&frames[i]))
			continue;
		add_frame(out, s, &frames[i]);
		shown++;
	}
	return shown;
}
