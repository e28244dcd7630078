/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/bpf_programs: the BPF programs that were loaded at any time of a recording, with the code
 * that runs and its line tables, and the type information that belongs to it.
 *
 * A program is asked about while it is there: those that exist when the header is written, and
 * those whose loading the kernel tells of meanwhile. What was unloaded stays known. Without the
 * privilege to ask, the lists are empty. One thread.
 *
 * Source: bpf(2), linux/bpf.h; the numbers of the arrays are those of enum bpf_prog_info_array in
 * the header of libbpf 0.x.
 */
#ifndef CAPTURE_BPF_PROGRAMS_H
#define CAPTURE_BPF_PROGRAMS_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "perfdata/info.h"
#include "sys/ring.h"

/* Something with a number: a program's entry in the feature, or type information's. */
struct bpf_entry {
	u32 id;
	u8 *bytes;
	size_t len;
};

typedef VEC(struct bpf_entry) bpf_entries; /* by id */

struct bpf_programs {
	bpf_entries programs, types;
	size_t bytes; /* of all entries */
};

/* Ask the kernel about all programs that are loaded, unless they are known. */
void bpf_programs_keep_loaded(struct bpf_programs *p);
/* The loaded program with the next number; false: there is none. */
bool bpf_programs_next(u32 *id);
/* One that is kept, and its types (size 0 = none); both point into p. false: it is not. */
bool bpf_programs_find(const struct bpf_programs *p, u32 id, struct info_bpf_prog *out,
		       struct info_btf *types);
/* Programs that the BPF_EVENT records of a ring tell of; the records are consumed. */
void bpf_programs_keep_told(struct bpf_programs *p, struct ring *r);
void bpf_programs_release(struct bpf_programs *p);

/* Bodies of the features BPF_PROG_INFO and BPF_BTF. */
void bpf_programs_write(const struct bpf_programs *p, struct strbuf *body);
void bpf_programs_write_types(const struct bpf_programs *p, struct strbuf *body);

#endif
