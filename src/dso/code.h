/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code: the bytes of an object's code, and how addresses in it are called: for disassemblers.
 *
 * Where they are from: the object's file, found as for symbols (its build id must fit); of the
 * kernel and its modules a copy of its memory in the build-id cache, the running kernel's (if that
 * is the recorded one), or the vmlinux that symbols were read from; of a JIT compiler its jitdump,
 * or the memory of its process while that runs. What is known of code that has no file (BPF
 * programs) is lent by who knows it.
 *
 * Addresses have two forms: in the dso's address space (dso.h), and as tools for object files show
 * them ("shown"): virtual addresses of the file. One thread at a time per object.
 */
#ifndef DSO_CODE_H
#define DSO_CODE_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "dso/elf/file.h"

struct dso_code_bytes {
	const u8 *bytes; /* NULL = none */
	u64 addr; /* of the first, in the dso's address space */
	size_t size;
};

struct dso_code {
	struct dso *d;
	struct elf_file file; /* may not be open: code without a file */
	struct elf_got *got; /* of a user's file; NULL = none */
	void *data; /* of a file that was put together in memory; NULL = none */
	struct strbuf path; /* of the file, where it is known; "" = it has none that can be named */
	u16 machine;
	bool is64, big_endian;
	u64 moved; /* of a kernel: its addresses - those of the file */
	int fd; /* of a jitdump or a process's memory, -1 = none */
	/* Whose memory it is, which may have been recorded with other code; 0 = it is the recorded.
	 */
	u32 process;
	struct dso_code_bytes lent;
	struct code_name *names; /* that were read; NULL = none */
};

#define DSO_CODE_INIT                                                                              \
	{                                                                                          \
		.file = ELF_FILE_INIT, .path = STRBUF_INIT, .fd = -1                               \
	}

/* Why there is none. */
enum dso_code_problem {
	DSO_CODE_THERE,
	DSO_CODE_NO_FILE, /* nor in the build-id cache */
	DSO_CODE_REPLACED, /* the file of that name is another object by now */
	DSO_CODE_NO_KERNEL, /* neither vmlinux nor a copy of the kernel's memory */
	DSO_CODE_NOT_RECORDED, /* code without a file: [vsyscall], BPF that nobody lends */
	DSO_CODE_ENDED, /* code of a JIT compiler whose process is not here (any more) */
	DSO_CODE_NO_ACCESS, /* the same, and its memory may not be read */
};

/* c is DSO_CODE_INIT; to be closed after either. */
enum dso_code_problem dso_code_open(struct dso *d, struct dso_code *c);
/* In its place: the kernel's code at these bytes, which outlive c. */
void dso_code_lend(struct dso *d, struct dso_code *c, const struct dso_code_bytes *bytes);
void dso_code_close(struct dso_code *c);
/* False: the file has no such address. */
bool dso_code_shown(const struct dso_code *c, u64 addr, u64 *shown);
bool dso_code_addr(const struct dso_code *c, u64 shown, u64 *addr);
/* Bytes at a shown address; fewer than n, where the file has fewer. */
size_t dso_code_read(const struct dso_code *c, u64 shown, void *buf, size_t n);
/* The name of the section that holds a shown address; ".text" where that is not known. */
const char *dso_code_section(const struct dso_code *c, u64 shown);
/*
 * The symbol at or before a shown address: its name in full, as debuggers show it (with
 * parameters), and how far behind its start the address is. A slot of the global offset table is
 * called as the symbol whose address it holds ("memcpy@GLIBC_2.14"). False: none.
 */
bool dso_code_name(struct dso_code *c, u64 shown, struct strbuf *name, u64 *offset);
/* Names are remembered; of the running machine symbols come and go. */
void dso_code_forget_names(struct dso_code *c);

/* The function that begins at a shown address, as perf names it; NULL: none. */
const char *dso_code_function(const struct dso_code *c, u64 shown);

#endif
