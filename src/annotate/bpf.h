/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate/bpf: the recorded code of BPF programs, by where it was in the kernel's memory, and the
 * lines of source that the compiler left in their type information. Inside of annotate.
 */
#ifndef ANNOTATE_BPF_H
#define ANNOTATE_BPF_H

#include "base/arena.h"
#include "base/vec.h"
#include "perfdata/bpf_info.h"

struct bpf_place {
	struct bpf_function at; /* first: they are sorted by its address */
	const struct info_bpf_prog *program;
	const char *name; /* "bpf_prog_TAG" or "bpf_prog_TAG_NAME" */
	const u8 *code;
};

/* All functions of BPF programs whose code is in a recording. */
struct bpf_programs_code {
	bool read;
	VEC(struct bpf_place) places; /* by address */
	struct arena names;
};

/* Lines of one function. Strings are the recording's. */
struct bpf_source {
	VEC(struct bpf_line) lines; /* by address */
};

/* Fills c from the recording, once; further calls do nothing. */
void bpf_code_read(struct bpf_programs_code *c, const struct perfdata_info *info);
void bpf_code_release(struct bpf_programs_code *c);
/*
 * The function of a name that begins at an address. NULL: it was not recorded, or there are several
 * whose code differs: programs come and go, and nothing tells which one a sample was in.
 */
const struct bpf_place *bpf_code_find(const struct bpf_programs_code *c, u64 addr,
				      const char *name);
void bpf_source_read(struct bpf_source *s, const struct perfdata_info *info,
		     const struct bpf_place *place);
/* The line at an address, NULL = not known. */
const struct bpf_line *bpf_source_find(const struct bpf_source *s, u64 addr);
void bpf_source_release(struct bpf_source *s);

#endif
