/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit_object: ELF objects made from what a JIT compiler wrote about its code, so that tools which
 * know nothing of jitdumps find names, instructions and call frame information. One function or
 * many in an object; places are offsets in the file, and addresses in the object are equal to them.
 */
#ifndef DSO_JIT_OBJECT_H
#define DSO_JIT_OBJECT_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "dso/dso.h"
#include "dso/jit/debug.h"

struct jit_object_code {
	const char *name;
	const void *code; /* NULL: its bytes are unknown, zeros */
	u64 size;
	/* Call frame information as it is behind the code in memory (at a multiple of 8), the last
	 * hdr_size bytes of it an .eh_frame_hdr; size 0 = none. */
	const void *unwind;
	u32 unwind_size, hdr_size;
	u64 place; /* only with frames_only */
	/* Source lines as the dump has them (this machine's byte order), nr_lines 0 = none;
	 * lines_addr: where the function lay. */
	const void *lines;
	u32 lines_size, nr_lines;
	u64 lines_addr;
};

struct jit_object_symbol {
	u64 place, size;
	u32 name; /* offset in names */
};

struct jit_object {
	/* Set before the first function: call frame information alone, of functions that lie at
	 * places of their own (jit_object_code.place), without code and names. */
	bool frames_only;
	u64 end; /* frames_only: behind the last place */
	struct strbuf text, names, frames, frames_hdr;
	VEC(struct jit_object_symbol) symbols;
	struct jit_debug debug;
	struct strbuf moved_frames; /* of several functions, whose places change */
};

#define JIT_OBJECT_INIT                                                                            \
	{                                                                                          \
		.text = STRBUF_INIT, .names = STRBUF_INIT, .frames = STRBUF_INIT,                  \
		.frames_hdr = STRBUF_INIT, .moved_frames = STRBUF_INIT, .debug = JIT_DEBUG_INIT    \
	}

/* Its place, or 0 when there is no room for it any more. */
u64 jit_object_add(struct jit_object *o, const struct jit_object_code *c);
/* The whole file into out, and its build id, which depends on the contents. machine: EM_... */
void jit_object_write(struct jit_object *o, u32 machine, struct strbuf *out, struct build_id *id);
void jit_object_release(struct jit_object *o);

#endif
