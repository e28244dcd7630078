/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model: the recorded machine: processes, threads, command names, cgroups, address spaces, each
 * with its history, so that any sample can be resolved at its own time, later and in parallel.
 *
 * One thread applies side-band records in time order (model_apply); between two rounds of that the
 * model is frozen and every function that takes a const struct model may run in any number of
 * threads. Numbers (proc, thread) are dense u32; 0 = unknown. Everything lives until model_free().
 *
 * A *space* is a process's mappings between two destructive changes (one mapping replaces another);
 * a purely additional mapping does not start a new one. Kernel addresses belong to space 0, shared
 * by all processes. (space, ip) with ip found in a mapping is therefore a valid cache key as long
 * as the sample's time is not before the mapping's t0.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/intern.h"
#include "base/types.h"
#include "dso/dso.h"
#include "perfdata/perfdata.h"

struct model;

struct model *model_new(struct dso_table *dsos);
void model_free(struct model *m);

/* Apply one side-band record (MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL, CGROUP, NAMESPACES; others
 * change nothing). time 0 = before everything. False: it is malformed and changed nothing, or, of
 * NAMESPACES, is applied as far as it goes. */
bool model_apply(struct model *m, const struct perf_event_header *h, u64 time);
/* The next records are not older than time: mappings that other sources tell of (JIT compilers) are
 * made up to there. */
void model_advance(struct model *m, u64 time);
/* Whether recorded times are CLOCK_MONOTONIC's, which JIT compilers use; before the first record.
 */
void model_set_jit_times(struct model *m, bool comparable);
/*
 * While JIT compilers are still writing their files. NAMES: dso_table_follow_dump() is told which
 * there are. Else, for recorders, model_apply() only notes which files there are, and
 * model_read_jits() maps the code with call frame information that has been written to them so far;
 * it returns whether there was more than before. TIMELESS: recorded times are of another clock than
 * the files' times. Set it before the first record.
 */
enum model_live_jits {
	MODEL_JITS_COMPLETE,
	MODEL_JITS_LIVE,
	MODEL_JITS_TIMELESS,
	MODEL_JITS_NAMES
};
void model_follow_jits(struct model *m, enum model_live_jits how);
bool model_read_jits(struct model *m);
bool model_has_jits(const struct model *m);
/* Files of JIT compilers: read, of these with times of another clock, those that cannot be read,
 * with the first reason, and of those that were read what is damaged: all behind a place in the
 * first such file. */
struct model_jits {
	u32 read, timeless, unreadable;
	const char *reason;
	u32 damaged;
	u64 damaged_at;
	const char *damaged_file;
};
struct model_jits model_jits(const struct model *m);
/*
 * For recorders and live sessions, which have no end. An epoch is a number for the time in which
 * records are applied. model_nr_ended(): threads that have ended. model_survivors(): a new model
 * without threads that ended before an epoch and mappings that ended before a time; threads,
 * processes, spaces and names have other numbers in it.
 */
void model_set_epoch(struct model *m, u32 epoch);
u32 model_nr_ended(const struct model *m);
struct model *model_survivors(const struct model *m, u32 epoch, u64 time);
/* Objects that are mapped, at any time: in_use[dso_id] becomes 1. */
void model_mark_objects(const struct model *m, u8 *in_use);
/* Bytes, about, of what only ever grows. */
size_t model_size(const struct model *m);
/* The number of a name in another model, added if it is new there; 0 stays 0. */
str_id model_adopt_name(struct model *m, const struct model *from, str_id name);
/* The number of a name that no record of the model's has told; serial part only. */
str_id model_name(struct model *m, const char *name);
/* After a run of model_apply(), before other threads read. */
void model_freeze(struct model *m);
/* A thread seen in a sample but never announced; serial part only. */
u32 model_touch_thread(struct model *m, u32 pid, u32 tid);

struct model_map {
	u64 start, end; /* addresses */
	u64 pgoff;
	u64 t0, t1; /* valid in [t0, t1) ns */
	dso_id dso;
	u32 prot, flags; /* of MMAP2 */
	u32 maj, min; /* device; 0 with a build id */
	u64 ino, ino_generation;
	bool kernel; /* kernel, module or BPF code */
	bool identity; /* map_ip is the identity: kernel and memory without a file */
};

/* Address in the dso's address space (what perf calls map_ip). */
static inline u64 model_map_ip(const struct model_map *map, u64 ip)
{
	return map->identity ? ip : ip - map->start + map->pgoff;
}

/* Whether code can be in it: memory without a file must be executable to hold some. */
static inline bool model_map_is_code(const struct model_map *map)
{
	enum { PROT_EXEC_FLAG = 4 };

	return !map->identity || map->kernel || map->prot & PROT_EXEC_FLAG;
}

/* Thread of a sample at its time; 0 = never heard of. */
u32 model_thread_at(const struct model *m, u32 pid, u32 tid, u64 time);
u32 model_thread_pid(const struct model *m, u32 thread);
u32 model_thread_tid(const struct model *m, u32 thread);
/* The thread that made it, (u32)-1 = unknown. */
u32 model_thread_ptid(const struct model *m, u32 thread);
str_id model_thread_comm_at(const struct model *m, u32 thread, u64 time);
/* Last command name, for --tasks. */
str_id model_thread_comm(const struct model *m, u32 thread);
u32 model_nr_threads(const struct model *m); /* numbers are 1 .. nr, in order of first sight */
const char *model_str(const struct model *m, str_id id);

static inline bool model_is_guest_level(u8 cpumode)
{
	return cpumode == PERF_RECORD_MISC_GUEST_KERNEL || cpumode == PERF_RECORD_MISC_GUEST_USER;
}

/* How a task is called while it runs a guest whose code is its own (struct dso_guest.code); 0 =
 * other levels, or no such guests. */
str_id model_guest_comm(const struct model *m, u32 thread, u8 cpumode);

/*
 * Space of levels other than the host's kernel (0) and user: guest kernels have spaces, of other
 * levels nothing is known.
 */
#define MODEL_NO_SPACE UINT32_MAX
u32 model_level_space(const struct model *m, u32 thread, u8 cpumode, u64 time);
/* The mapping that contains ip: user half through the thread's process, kernel half shared. */
const struct model_map *model_find_map(const struct model *m, u32 thread, u8 cpumode, u64 ip,
				       u64 time);
/*
 * What model_find_map() finds, and around it the addresses and times for which the answer is the
 * same while the model is frozen and (user half) the process is in the same space.
 */
struct model_region {
	const struct model_map *map; /* NULL = none */
	u64 start, end; /* addresses [start, end) */
	u64 from, until; /* times [from, until) */
};
void model_find_region(const struct model *m, u32 thread, u8 cpumode, u64 ip, u64 time,
		       struct model_region *out);
/* When the mappings that model_find_map() searches last changed: an address found in none of them
 * at that time or later stays unmapped until the next model_apply(). */
u64 model_last_map_change(const struct model *m, u32 thread, u8 cpumode);
/* A number that grows with each change of mappings, from 1. */
u32 model_map_changes(const struct model *m);
/*
 * Everything about a thread at a time in one step, with the interval [t0, t1) in which the answer
 * is the same as long as the model is frozen.
 */
struct model_site {
	u32 thread, space;
	str_id comm;
	u32 changed; /* model_map_changes() when mappings last changed that its addresses may lie in
		      */
	u64 t0, t1;
};
void model_site_at(const struct model *m, u32 pid, u32 tid, u64 time, struct model_site *out);
/* All mappings of a thread's process at a time, by address, for --mmaps; caller frees *maps. */
size_t model_maps_at(const struct model *m, u32 thread, u64 time, const struct model_map ***maps);
/* Cgroup path by id, NULL = unknown. */
const char *model_cgroup(const struct model *m, u64 id);
/* The cgroup namespace of a thread at a time as its number, 0 = not recorded, and what that stands
 * for. */
struct model_cgroup_ns {
	u64 dev, ino;
};
u32 model_cgroup_ns_at(const struct model *m, u32 thread, u64 time);
struct model_cgroup_ns model_cgroup_ns(const struct model *m, u32 ns);
/* Its number, made if it is new. */
u32 model_cgroup_ns_number(struct model *m, struct model_cgroup_ns ns);

#endif
