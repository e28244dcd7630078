/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disasm: machine code as text, in the words of objdump: what perf annotate shows, and what scripts
 * that read it expect.
 *
 * Capstone decodes, in this process. It is loaded when it is needed first, since its tables are six
 * megabytes that the loader would have to relocate. On x86 the text is put together here, from
 * Capstone's operands; elsewhere it is Capstone's own, with objdump's blanks. What Capstone cannot
 * decode, and no table here (x86_vector.h) knows, is "(bad)", a byte at a time on x86, as with
 * objdump.
 *
 * Code comes from anywhere: nothing is assumed of it. One thread at a time per object.
 */
#ifndef DISASM_DISASM_H
#define DISASM_DISASM_H

#include "base/err.h"
#include "base/strbuf.h"

enum disasm_syntax { DISASM_ATT, DISASM_INTEL };

struct disasm_opts {
	u16 machine; /* of the ELF header: EM_X86_64 ... */
	bool is64, big_endian;
	enum disasm_syntax syntax; /* of x86; others have one */
	/* Appends " <name+0x12>" for an address that an instruction refers to, or nothing. */
	void (*name)(void *ctx, u64 addr, struct strbuf *out); /* NULL = no names */
	void *ctx;
};

enum insn_kind {
	INSN_PLAIN,
	INSN_JUMP, /* also conditional */
	INSN_CALL,
	INSN_RETURN,
};

/* What is known of an instruction beside its text. */
struct insn {
	u64 addr;
	u8 len; /* bytes, at least 1 */
	enum insn_kind kind;
	bool bad; /* no instruction that is known */
	bool conditional; /* a jump that may not be taken */
	bool has_target; /* jumps and calls: it stands in the code; else it is computed */
	u64 target;
	bool has_data; /* it refers to memory at a fixed address (by rip) */
	u64 data;
	/* Parts of the text: operands begin here, and a comment ("# 2004 <x>"), 0 = none. */
	size_t operands, comment;
};

struct disasm;

/* Loads Capstone, which otherwise happens when it is needed first. Any thread. */
void disasm_load(void);
/* -1: there is no Capstone, or it does not know the machine. Of x86-64 that may turn out later:
 * disasm_check(). */
int disasm_open(struct disasm **out, const struct disasm_opts *o, struct err *e);
void disasm_close(struct disasm *d);
/* -1: an instruction was told to be bad since there is no Capstone. */
int disasm_check(const struct disasm *d, struct err *e);
/*
 * The instruction at p, where n bytes can be read (n > 0); its text is appended to text. len is
 * never more than n.
 */
void disasm_one(struct disasm *d, const u8 *p, size_t n, u64 addr, struct insn *out,
		struct strbuf *text);

#endif
