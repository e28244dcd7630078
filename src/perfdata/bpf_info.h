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

#endif
