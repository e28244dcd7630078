/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/touched: which objects did the samples hit? Collected while draining, from the sample's
 * (process, page) pairs and the map records that pass by, so that no second pass over the file is
 * needed for the build-id section. A superset is fine (a page mapped twice counts for both), a loss
 * is not. One thread.
 *
 * An object is known by its name and build id: containers have files of their own of the same name.
 *
 * A file whose name means something only to its process, as in a container, cannot be found any
 * more when that has ended: if it is wanted (keeps_files) it is opened when its mapping is seen,
 * and stays open. So is one that was removed or replaced before.
 */
#ifndef CAPTURE_TOUCHED_H
#define CAPTURE_TOUCHED_H

#include "abi/perf_event.h"
#include "base/intern.h"

struct touched_map {
	u64 start, end;
	s32 pid;
	u32 object;
};

struct touched_page {
	u64 page;
	s32 pid;
};

struct touched_fork {
	s32 pid, ppid;
};

/* One object file (or [kernel.kallsyms], a module, [vdso]). */
struct touched_object {
	str_id name;
	u32 next; /* of the same name and another build id: number + 1, 0 = none */
	u16 cpumode; /* PERF_RECORD_MISC_KERNEL, _USER */
	s32 pid; /* first process seen with it; -1 for the kernel */
	u8 build_id[20];
	u8 build_id_size; /* 0 = unknown */
	bool hit;
	int fd; /* the file, -1 = by name */
};

struct touched {
	struct intern names;
	VEC(struct touched_object) objects;
	VEC(u32) by_name; /* str_id -> object + 1 */
	VEC(struct touched_map) maps;
	VEC(struct touched_fork) forks;
	VEC(struct touched_page) pages;
	struct map page_map;
	VEC(s32) exited;
	u64 last_page;
	s32 last_pid;
	bool other_code; /* there is code that may be in no file: memory, or without a build id */
	bool keeps_files;
	u32 nr_files; /* open */
};

/* Whether the process looks for files below another root than we. */
bool touched_has_other_root(s32 pid);
/* A whole MMAP or MMAP2 record, from the ring or synthesised. */
void touched_add_map(struct touched *t, const struct perf_event_header *h);
void touched_add_fork(struct touched *t, s32 pid, s32 ppid);
/* The process is gone; what is kept about it may be dropped when memory is short. */
void touched_add_exit(struct touched *t, s32 pid);
void touched_sample_slow(struct touched *t, s32 pid, u64 page);

/* One sample; cpumode from its header's misc. */
static inline void touched_add_sample(struct touched *t, u16 cpumode, s32 pid, u64 ip)
{
	u64 page = ip >> 12;

	if (cpumode == PERF_RECORD_MISC_KERNEL)
		pid = -1;
	if (LIKELY(page == t->last_page && pid == t->last_pid))
		return;
	t->last_page = page;
	t->last_pid = pid;
	touched_sample_slow(t, pid, page);
}

/* Add everything that another one holds; its open files are taken over. */
void touched_merge(struct touched *t, struct touched *from);
/* Decide hit for every object; all = every object counts. Call once, at the end. */
void touched_resolve(struct touched *t, bool all);
/* The file itself, from a process that still has it mapped, for the caller to close; -1: none has.
 * What it was may have changed: its build id tells. */
int touched_open_mapped(const struct touched *t, const struct touched_object *o);
/* Forgets all but keeps_files. */
void touched_release(struct touched *t);

#endif
