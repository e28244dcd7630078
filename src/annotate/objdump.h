/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate/objdump: the text of instructions by a program that takes objdump's options and prints
 * as it does, where the user asks for that: of machines that Capstone does not know, or in the
 * words of another version. The program gets the file that is open here, not its name, or the bytes
 * alone where there is no file. Inside of annotate.
 */
#ifndef ANNOTATE_OBJDUMP_H
#define ANNOTATE_OBJDUMP_H

#include "annotate/annotate.h"

struct objdump_insn {
	u64 addr;
	size_t text; /* where it begins in the texts */
};

struct objdump {
	VEC(struct objdump_insn) insns; /* by address */
	struct strbuf text; /* of all instructions, each with a NUL behind it */
};

#define OBJDUMP_INIT                                                                               \
	{                                                                                          \
		.text = STRBUF_INIT                                                                \
	}

struct objdump_code {
	const struct dso_code *code;
	const u8 *bytes; /* what is to be shown */
	u64 start;
	size_t size;
};

/* d is OBJDUMP_INIT; released by the caller in any case. -1: the program could not be run, failed,
 * or printed no instruction. */
int objdump_run(struct objdump *d, const struct annotate_opts *o, const struct objdump_code *c,
		struct err *e);
void objdump_release(struct objdump *d);
/* What the program has printed: lines with addresses of the code, each behind the one before. */
void objdump_parse(struct objdump *d, const char *out, const struct objdump_code *c);

#endif
