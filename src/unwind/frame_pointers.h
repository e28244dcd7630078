/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame_pointers: whether the compiler of an object kept frame pointers, told from the object
 * itself: its call frame information and the first instructions of its functions.
 *
 * A function counts when it makes a frame on the stack: it is framed if it sets the frame pointer
 * (a row of its call frame information has the frame pointer as base of the CFA, or its first
 * instructions set it from the stack pointer), else frameless. Functions that make no frame
 * (leaves, thunks, stubs) say nothing: compilers leave the frame pointer alone in them either way.
 * Threads: nothing is kept.
 */
#ifndef UNWIND_FRAME_POINTERS_H
#define UNWIND_FRAME_POINTERS_H

#include "dso/elf/file.h"

enum fp_verdict {
	FP_UNKNOWN, /* no function that would tell */
	FP_KEPT,
	FP_MIXED, /* parts with and parts without: assembly, several compilers */
	FP_LOST,
};

struct frame_pointers {
	u32 with_cfi; /* functions that have call frame information */
	unsigned int covered_percent; /* share of its code that this covers */
	u32 looked_at; /* functions that were looked at */
	u32 framed, frameless; /* of them */
};

/*
 * runtime: the object as it is mapped; debug: its separate debug information, NULL = none. max: of
 * how many functions at most, chosen evenly. What a large library costs is these: FP_GLANCE tells
 * a share of 90 % to 3 %, in a few milliseconds.
 */
enum { FP_GLANCE = 1 << 8, FP_CLOSE_LOOK = 1 << 14 };
void frame_pointers_read(const struct elf_file *runtime, const struct elf_file *debug, u32 max,
			 struct frame_pointers *out);
enum fp_verdict frame_pointers_verdict(const struct frame_pointers *fp);
/* Share of framed functions, in percent; 0 when there is none. */
unsigned int frame_pointers_percent(const struct frame_pointers *fp);

#endif
