/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private: the tables behind struct model, shared by model/'s own files only.
 */
#ifndef MODEL_PRIVATE_H
#define MODEL_PRIVATE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "dso/jit/jitdump.h"
#include "model/model.h"

VEC_TYPE(map_vec, struct model_map *);

struct space_change {
	u64 time;
	u32 space; /* number from this time on */
};

/*
 * One process (one life of a pid) and its mappings. A forked child starts with its parent's
 * mappings of that moment: they are not copied but looked up in the parent where the child has none
 * of its own. That goes on after an exec: samples inside execve() still have the old image's stack,
 * and the new image's mappings cover what they replace.
 */
struct proc {
	u32 pid;
	u32 parent; /* proc whose mappings are inherited, 0 = none */
	u64 fork_time; /* the parent's mappings are those of this time */
	u64 last_change; /* of the mappings: its time, */
	u32 changed; /* and model.map_changes then */
	dso_id program; /* the first file with code that was mapped, 0 = none ... */
	bool execed; /* ... since it began another program */
	str_id guest_comm; /* of what it runs as a guest, 0 unless model.guest_code */
	struct map_vec live; /* by start, not overlapping */
	struct map_vec dead; /* closed ones; by start once sorted */
	VEC(u64) dead_max; /* largest end among dead[0..i] */
	bool dead_dirty;
	VEC(struct space_change) spaces; /* by time; first entry at time 0 */
};

struct comm_change {
	u64 time;
	str_id comm;
};

struct cgroup_ns_change {
	u64 time;
	u32 ns; /* in model.cgroup_nss */
};

struct thread {
	u32 pid, tid, ptid; /* ptid: of the parent, (u32)-1 = unknown */
	u32 proc;
	u64 start;
	u32 ended; /* epoch of its end + 1, 0 = none is known */
	u32 next; /* later life of the same tid, 0 = none */
	str_id placeholder; /* ":TID", shown until a command name is known */
	VEC(struct comm_change) comms; /* by time */
	VEC(struct cgroup_ns_change) cgroup_nss; /* by time */
};

struct cgroup_entry {
	u64 id;
	str_id path;
};

/* Code of a JIT compiler whose mappings are made when their time comes. */
struct jit {
	u32 proc;
	dso_id dso;
	struct jit_clock clock;
	size_t next; /* of its codes */
	bool unreadable;
};

/* Where code with call frame information was found, for when it moves. */
struct jit_frames {
	u64 index; /* the compiler's number for the code */
	u64 size, place;
	dso_id dso;
};

/* One that is still being written, see jit_files.c. */
struct live_jit {
	u32 proc, pid;
	str_id name;
	u64 mapped; /* when */
	u64 read_to; /* place in it */
	struct jit_clock clock;
	bool has_clock;
	VEC(struct jit_frames) frames; /* the last of each index */
	struct map by_index;
};

/* The kernel of a virtual machine, see guest.c. */
struct guest {
	u32 pid; /* of the process that runs it, 0 = of any other */
	u32 proc; /* its mappings */
	dso_id kernel;
};

struct model {
	struct dso_table *dsos;
	struct arena arena;
	struct intern strs;
	VEC(struct thread) threads; /* [0] unused */
	VEC(struct proc) procs; /* [0] = kernel */
	struct map by_tid; /* hash of tid -> first life */
	VEC(struct cgroup_entry) cgroups;
	VEC(struct model_cgroup_ns) cgroup_nss; /* each once; [0] = not known */
	struct map by_cgroup_ns;
	const struct model_map *kernel_main; /* of the kernel itself, NULL = not recorded */
	VEC(struct guest) guests; /* complete before the first record */
	bool guest_code; /* dso_guest.code */
	u32 nr_spaces;
	u32 map_changes; /* of all processes */
	u32 idle; /* the thread of number 0 */
	u32 epoch, nr_ended;
	VEC(struct jit) jits;
	VEC(struct live_jit) jit_files; /* with live_jits, in place of jits */
	enum model_live_jits live_jits;
	bool jit_times; /* recorded times are of the clock that JIT compilers use */
};

/* A new life of tid from a time on. */
u32 model_add_life(struct model *m, u32 pid, u32 tid, u64 time);

/* guest.c */
void guests_add(struct model *m);
void guest_add_map(struct model *m, u32 pid, const char *name, const struct build_id *id,
		   struct model_map *map);
/* The mappings of a guest's level, of the guest that a thread runs; 0 = nothing is known of it, or
 * the level is none of a guest. */
u32 model_guest_proc(const struct model *m, u32 thread, u8 cpumode);

/* jit_files.c */
void jit_file_release(struct live_jit *f);
/* All that another one knows, for a process of that number and a name in another model. */
struct live_jit jit_file_copy(const struct live_jit *f, u32 proc, str_id name);
void jit_files_add(struct model *m, u32 pid, u32 proc, const char *name, u64 time);

/* moved_text.c */
/* Whether a mapping is memory that a program's code was copied to, at the place where it was: it
 * stays the file's. */
bool moved_text_is(const struct model *m, u32 proc, const struct model_map *map, const char *name);
/* The program that a process runs, 0 = not known. */
dso_id moved_text_program(const struct model *m, u32 proc);
/* A mapping was added; a process began another program. */
void moved_text_note(struct model *m, u32 proc, const struct model_map *map);
void moved_text_exec(struct proc *p);

/* space.c */
struct proc *model_proc_new(struct model *m, u32 pid, u32 *index);
void proc_release(struct proc *p);
void proc_add_map(struct model *m, struct proc *p, const struct model_map *map);
void proc_remove_map(struct model *m, struct proc *p, u64 start, u64 end, u64 time);
const struct model_map *proc_find_map(const struct model *m, u32 proc, u64 ip, u64 time);
/* The same between two records, at the time of the second: what the process has there now. */
const struct model_map *proc_find_now(const struct model *m, u32 proc, u64 ip, u64 time);
/* Place in p->live of the first mapping whose end is above addr. */
size_t proc_live_from(const struct proc *p, u64 addr);
void proc_find_region(const struct model *m, u32 proc, u64 ip, u64 time, struct model_region *out);
u32 proc_space_at(const struct proc *p, u64 time, u64 *t0, u64 *t1);

#endif
