/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/layout: structures of the kernel by its own type information (BTF), and their bytes as
 * text: "{ .tv_sec: 1, .tv_nsec: 0 }". Members that are 0 are left out where a structure has more
 * than two. Of a union the first member is shown. One thread.
 *
 * Source: Documentation/bpf/btf.rst, linux/btf.h.
 */
#ifndef TRACE_LAYOUT_H
#define TRACE_LAYOUT_H

#include "base/err.h"
#include "base/strbuf.h"

struct trace_layouts;

/* A member that is shown otherwise than as a number; false: it is not. One that is 0 is shown only
 * if this does. data, len: the whole structure, which may tell what the member means. */
typedef bool trace_member_fn(void *ctx, struct strbuf *out, const char *type, const char *member,
			     u64 value, const u8 *data, size_t len);

/* Of the running kernel; path NULL = where it has them. NULL: e says why. */
struct trace_layouts *trace_layouts_new(const char *path, struct err *e);
void trace_layouts_free(struct trace_layouts *l);
/* The number of "struct NAME", 0 = there is none. */
u32 trace_layout_find(const struct trace_layouts *l, const char *name, size_t len);
/* The type of the structure in "union NAME" that is the member, or has it; 0 = there is none. */
u32 trace_layout_part(const struct trace_layouts *l, const char *name, const char *member);
/* The name of a value of "enum NAME"; false: it has none, and nothing has been added. */
bool trace_layout_enum(struct strbuf *out, const struct trace_layouts *l, const char *name,
		       size_t len, u64 value);
/* In bytes. */
u32 trace_layout_size(const struct trace_layouts *l, u32 id);
/* Its bytes, of which the last may be missing. fn may be NULL. */
void trace_layout_add(struct strbuf *out, const struct trace_layouts *l, u32 id, const u8 *data,
		      size_t len, trace_member_fn *fn, void *ctx);

#endif
