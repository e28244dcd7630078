/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_info: the functions of a recorded BPF program (feature BPF_PROG_INFO), with the names that
 * its type information (BPF_BTF) has for them. Every offset is checked against the bytes that there
 * are.
 *
 * Source: linux/bpf.h (struct bpf_prog_info), Documentation/bpf/btf.rst.
 */
#ifndef PERFDATA_BPF_INFO_H
#define PERFDATA_BPF_INFO_H

#include "base/strbuf.h"
#include "perfdata/info.h"

struct bpf_function {
	u64 addr;
	u32 size;
};

/* How many functions the program was compiled to. */
u32 bpf_info_functions(const struct info_bpf_prog *p);
/* Number of its type information, 0 = none. */
u32 bpf_info_types(const struct info_bpf_prog *p);
/* One of the functions, its name (bpf_prog_TAG_NAME) appended to name; types NULL = none. false:
 * the bytes do not hold it. */
bool bpf_info_function(const struct info_bpf_prog *p, const struct info_btf *types, u32 index,
		       struct bpf_function *out, struct strbuf *name);

/* Machine code of the program, whose functions stand one behind the other. NULL: that part was not
 * recorded. */
const u8 *bpf_info_code(const struct info_bpf_prog *p, u64 from, u32 size);

/* A line of the source, as the compiler kept it: from an address on code is of it. */
struct bpf_line {
	u64 addr;
	const char *file, *text; /* in the types' bytes */
	u32 line;
};
/* How many of them there are, of all functions; one of them. False: the bytes do not hold it. */
u32 bpf_info_lines(const struct info_bpf_prog *p);
bool bpf_info_line(const struct info_bpf_prog *p, const struct info_btf *types, u32 index,
		   struct bpf_line *out);

#endif
