/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/kernel: bpf(2) for programs of our own: maps, loading, raw tracepoints to run at, the ring
 * through which they tell. Every descriptor is the caller's to close. Thread-safe but for a ring's
 * reader.
 *
 * Source: bpf(2), linux/bpf.h, Documentation/bpf/ringbuf.rst.
 */
#ifndef BPF_KERNEL_H
#define BPF_KERNEL_H

#include <linux/bpf.h>

#include "base/err.h"

struct bpf_map_spec {
	const char *name;
	u32 type; /* enum bpf_map_type */
	u32 key, value; /* bytes */
	u32 entries;
	u32 flags;
};

/* A descriptor or -errno. */
int bpf_map_create(const struct bpf_map_spec *spec);
int bpf_map_set(int map, const void *key, const void *value);
bool bpf_map_get(int map, const void *key, void *value);
/* The key behind this one, in some order; NULL: the first. */
bool bpf_map_next(int map, const void *key, void *next);
/*
 * Take up to *nr entries out of a hash map. cursor: 4 bytes that are kept between calls; first:
 * begin. false: that was all; *nr is what came.
 */
bool bpf_map_take(int map, bool first, void *cursor, void *keys, void *values, u32 *nr);
/* The same, and they stay in it. */
bool bpf_map_look(int map, bool first, void *cursor, void *keys, void *values, u32 *nr);

struct bpf_program {
	const char *name;
	enum bpf_prog_type type;
	const struct bpf_insn *insns;
	size_t nr;
};

/* A program under the GPL. A descriptor, or -errno; why (of size bytes) gets the end of what the
 * kernel's verifier says. */
int bpf_program_load(const struct bpf_program *p, char *why, size_t size);
/* How often the kernel skipped it because it was running on that CPU already. */
u64 bpf_program_missed(int program);
/* Run it whenever the tracepoint is met, by any task on any CPU, until the descriptor is closed. A
 * descriptor or -errno; -EINVAL: the tracepoint has fewer arguments than the program uses. */
int bpf_attach(int program, const char *tracepoint);

struct bpf_ring {
	u64 *consumer; /* a page of ours */
	const u64 *producer; /* a page of the kernel's, and the data twice, one behind the other */
	const u8 *data;
	u64 mask;
	size_t page;
};

/* Map a BPF_MAP_TYPE_RINGBUF of size bytes. 0 or -errno. */
int bpf_ring_map(struct bpf_ring *r, int map, size_t size);
void bpf_ring_unmap(struct bpf_ring *r);
/* Take the next record; all have size bytes (others are skipped). false: there is none. */
bool bpf_ring_take(struct bpf_ring *r, void *record, u32 size);

#endif
