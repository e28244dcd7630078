/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/begun_call.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { SHOWN = 32 /* bytes of a buffer */ };

bool trace_begins_call(const struct tracefmt *t)
{
	return !strcmp(tracefmt_system(t), "syscalls") &&
	       !strncmp(tracefmt_name(t), "sys_enter_", 10);
}

/* The argument whose memory the field has, -1 = none. */
static int argument_of(const struct trace_syscall *s, const struct tracefmt_field *f)
{
	char name[64];

	for (unsigned int i = 0; i < s->nr_args; i++) {
		snprintf(name, sizeof(name), "__%.*s_val", s->args[i].len, s->args[i].name);
		if (!strcmp(name, f->name))
			return (int)i;
	}
	return -1;
}

/* As a program in the kernel tells memory. Fields of arrays are left alone: the pointer stays. */
static void add_memory(struct strbuf *pieces, const struct trace_call *c, unsigned int i,
		       const char *data, size_t len)
{
	const struct trace_read *r = &c->syscall->args[i].read;
	struct call_piece p = { .addr = c->args[i], .arg = (u8)i };

	if (r->shape != SHAPE_STRING && r->shape != SHAPE_BYTES)
		return;
	len = MIN(len, (size_t)CALL_TEXT);
	if (r->shape == SHAPE_STRING)
		len = strnlen(data, len);
	p.of = (u32)len;
	if (r->shape == SHAPE_BYTES) {
		len = MIN(len, (size_t)SHOWN);
		if (r->count < CALL_ARGS && c->args[r->count] > p.of)
			p.of = (u32)MIN(c->args[r->count], (u64)UINT32_MAX);
	}
	p.len = (u16)len;
	strbuf_add(pieces, (const char *)&p, sizeof(p));
	strbuf_add(pieces, data, len);
	while (pieces->len % 8)
		strbuf_addch(pieces, '\0');
}

bool trace_begun_call_add(struct strbuf *out, const struct tracefmt *t, struct trace_syscalls *all,
			  const void *raw, u32 size, u32 pid, const struct trace_lookup *n)
{
	const struct tracefmt_field *number = tracefmt_find_field(t, "__syscall_nr");
	_cleanup_(strbuf_releasep) struct strbuf pieces = STRBUF_INIT;
	u64 nr, args[TRACE_ARGS] = { 0 };
	struct trace_call c = { .args = args, .pid = pid };
	u8 given = 0;

	if (!number || !tracefmt_u64(number, raw, size, &nr))
		return false;
	c.syscall = trace_syscall(all, nr);
	for (size_t i = 0; c.syscall->known && i < tracefmt_nr_fields(t); i++) {
		const struct tracefmt_field *f = tracefmt_field(t, i);
		const char *data;
		size_t len;
		int arg;

		if (f->flags & TRACEFMT_COMMON || f == number)
			continue;
		if (given < c.syscall->nr_args) {
			if (!tracefmt_u64(f, raw, size, &args[given++]))
				return false;
			continue;
		}
		arg = argument_of(c.syscall, f);
		if (arg < 0)
			return false;
		if (tracefmt_bytes(f, raw, size, &data, &len))
			add_memory(&pieces, &c, (unsigned int)arg, data, len);
	}
	if (!c.syscall->known || given != c.syscall->nr_args)
		return false;
	c.begin = (struct trace_memory){ (const u8 *)pieces.buf, (u32)pieces.len };
	trace_call_add_args(out, &c, n);
	return true;
}
