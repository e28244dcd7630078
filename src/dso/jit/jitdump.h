/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jitdump: the file that a JIT compiler writes about the code it makes (jit-PID.dump): what
 * function lies where from when on. Source: the jitdump specification, version 1.
 *
 * Code moves and is replaced, so an address alone does not name a function. The functions are laid
 * out one behind the other in an address space of their own ("place"), which is the dso's; a
 * mapping of each from its time on leads there.
 */
#ifndef DSO_JITDUMP_H
#define DSO_JITDUMP_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* From `time` on, code that is named lies at an address. */
struct jit_code {
	u64 time; /* ns, of the clock that the compiler uses: CLOCK_MONOTONIC unless tsc */
	u64 addr, size;
	u64 index; /* the compiler's number for it */
	u64 place;
	u32 name; /* offset in names */
	/* Places in the file, 0 = there is nothing: the code itself; call frame information, whose
	 * last unwind_hdr bytes are an .eh_frame_hdr; nr_lines entries of source lines. */
	u64 bytes, unwind, lines;
	u64 lines_addr; /* where the function lay when the lines were written */
	u32 unwind_size, unwind_hdr, lines_size, nr_lines;
};

/* From `time` on, code of that index lies at an address. */
struct jit_move {
	u64 time, addr, index;
};

struct jitdump {
	VEC(struct jit_code) codes; /* by time */
	VEC(struct jit_move)
	moves; /* of code that an earlier reading told of, as they stand in the file */
	struct strbuf names; /* NUL-terminated */
	char *path; /* where it was read from */
	u64 dev, ino; /* the file that was there */
	bool any_owner;
	u32 pid;
	u32 machine; /* EM_...; ours if the compiler does not say */
	bool swap; /* of the other byte order */
	u64 first_time; /* of the first record: soon after the file was mapped */
	u64 end; /* place in the file: behind the last record that is there with what belongs to it
		  */
	u64 damaged; /* place of a record that makes no sense: nothing behind it was read; 0 = there
			is none */
	bool tsc; /* times are the CPU's cycles */
};

#define JITDUMP_INIT                                                                               \
	{                                                                                          \
		.names = STRBUF_INIT                                                               \
	}

/* Whether a mapped file has the name of such a file: jit-PID.dump; *pid. */
bool jitdump_is_name(const char *path, u32 *pid);
/*
 * Reads what is there, from place `from` on (0: from the first record; else where another reading
 * came to an end, whose functions it does not know: see moves); a file that ends in the middle
 * counts up to there. force: of any owner, else only ours and root's. -1: not a jitdump, or not to
 * be trusted.
 */
int jitdump_read(struct jitdump *j, const char *path, u64 from, bool force, struct err *e);
/* The file again that was read, for the caller to read from and close; -1 with *e, which may be
 * NULL: it is gone, or another by now. */
int jitdump_open(const struct jitdump *j, struct err *e);
void jitdump_release(struct jitdump *j);

/*
 * The compiler's clock in a recording. comparable: the recording has CLOCK_MONOTONIC's times, too.
 * Else, so much is known: compilers map the file when they begin, and write its first record a few
 * ms later.
 */
struct jit_clock {
	u64 since; /* when the file was mapped; 0 = unknown */
	u64 shift; /* recorded time - the compiler's */
	bool timeless; /* its times are of an unknown clock: all code is there from the start */
};
struct jit_clock jit_clock_of(const struct jitdump *j, u64 mapped, bool comparable);
/* Recorded time from which on there is the code. */
u64 jit_clock_time(const struct jit_clock *clock, const struct jit_code *c);

#endif
