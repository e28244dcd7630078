/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * old_conventions: what libbpf 1.0 does not take in object files of BPF programs is made good in
 * their bytes before it sees them. One thread.
 *
 * Maps were variables of the section "maps" before there was type information, each four or five
 * numbers (struct bpf_map_def): they are made here, the instructions that name them get their
 * descriptors, and the section is hidden. Sections with arguments ("name=function arg") get
 * instructions in front of their programs (bpf/arguments): the places of functions and source lines
 * that the file tells are forgotten, since the kernel would not find them there.
 *
 * Source: the System V ABI (elf.h), linux/bpf.h, the kernel's Documentation/bpf/btf.rst.
 */
#ifndef BPF_OLD_CONVENTIONS_H
#define BPF_OLD_CONVENTIONS_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "bpf/object.h"

struct old_map {
	struct bpf_file_map map; /* name and fd belong to it */
	u64 at; /* in the section */
	u32 flags;
};
VEC_TYPE(old_maps, struct old_map);

/*
 * elf: an object file whose sections lie in it, changed in place; not at all where it has nothing
 * of the kind. -1: e says what is wrong; out is to be released either way.
 */
int old_conventions_take(struct strbuf *elf, struct old_maps *out, struct err *e);
void old_maps_release(struct old_maps *maps);

#endif
