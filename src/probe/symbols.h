/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols: all names of an object's functions and variables, for points that are named without
 * debug information. Unlike a symbol table (dso/dso.h), which has one name for an address, it has
 * every one.
 *
 * Read once by one thread, then constant.
 */
#ifndef PROBE_SYMBOLS_H
#define PROBE_SYMBOLS_H

#include "base/arena.h"
#include "base/vec.h"
#include "dso/dso.h"

struct probe_symbol {
	const char *name; /* as in the file, "puts@plt" for an entry of a linkage table */
	const char *shown; /* as its author wrote it; name where it is not mangled, or that is not
			      wanted */
	u64 address; /* of a file: the place in it; of the kernel: in memory, or link-time for a
			vmlinux */
	u64 size; /* bytes; up to the next where the file does not say */
	u32 nr; /* its place in the file's table */
	bool data; /* a variable */
	bool plt;
	bool indirect; /* its code chooses the function when the program starts (IFUNC) */
};

struct probe_symbols {
	VEC(struct probe_symbol) v; /* by address, then in the order of the file */
	struct arena arena;
	/* Of a kernel; 0 = unknown: _text (what kprobes are told from), _stext, _etext, _sinittext,
	 * _einittext. */
	u64 text, stext, etext, sinit, einit;
};

/* Of a file, with what separate debug information knows. ENOENT: none; no error text then. */
int probe_symbols_of_object(struct dso *d, bool demangle, struct probe_symbols *out, struct err *e);
/* Of the kernel (module NULL) or a module, from /proc/kallsyms. ENOENT: none, EPERM: their
 * addresses are hidden. */
int probe_symbols_of_kernel(const char *kallsyms, const char *module, bool demangle,
			    struct probe_symbols *out, struct err *e);
/* Of a module's file: the functions of its .text, with addresses counted from there. */
int probe_symbols_of_module(const char *path, bool demangle, struct probe_symbols *out,
			    struct err *e);
/* Of a kernel's file (vmlinux). */
int probe_symbols_of_vmlinux(const char *path, bool demangle, struct probe_symbols *out,
			     struct err *e);
void probe_symbols_release(struct probe_symbols *s);

/*
 * Whether a name or pattern means a symbol: its name as it is in the file or as it is shown,
 * without the version of a default ("memcpy@@GLIBC_2.14" is memcpy), and entries of linkage tables
 * without "@plt".
 */
bool probe_symbol_is(const struct probe_symbol *s, const char *pattern, bool is_pattern);

/* The best symbol that contains an address; NULL. */
const struct probe_symbol *probe_symbols_at(const struct probe_symbols *s, u64 address);

#endif
