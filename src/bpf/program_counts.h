/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/program_counts: what events count while BPF programs run that are loaded already, named by
 * their numbers: two programs at the begin and the end of each (fentry, fexit) read the counters
 * of the CPU. These programs must tell their types, as clang -g has it. One thread.
 *
 * Source: the kernel's Documentation/bpf/.
 */
#ifndef BPF_PROGRAM_COUNTS_H
#define BPF_PROGRAM_COUNTS_H

#include "base/err.h"
#include "bpf/program_counts_program.h"

struct program_counts;

/* Nothing is counted yet. NULL: there is no such program, or the kernel does not allow it. */
struct program_counts *program_counts_new(const u32 *ids, size_t nr, u32 nr_events, struct err *e);
void program_counts_free(struct program_counts *p);
/* The event's descriptor on a CPU, not one of tasks, without inheritance. 0 or -errno. */
int program_counts_put(struct program_counts *p, u32 event, u32 cpu, int fd);
int program_counts_attach(struct program_counts *p, struct err *e);
/* From now on, or no longer. */
void program_counts_enable(struct program_counts *p, bool on);
/* Sums since the begin, of a CPU. */
struct program_count program_counts_read(struct program_counts *p, u32 event, u32 cpu);

#endif
