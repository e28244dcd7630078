/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: the types of records that there are, a row for each: its name, its shape for a change of
 * byte order, whether it describes tasks or mappings, and its fields as a view.
 *
 * Lengths are checked where a view is made and nowhere later: fields that do not lie in the record
 * are zero, and the view says that it is not whole. Views borrow from the record's bytes, which are
 * in native byte order. Samples have a module of their own (perfdata/sample.h). Thread-safe.
 * Layouts: perf_event_open(2), doc/format/perf.data.md; to add a type:
 * doc/howto/add-record-type.md.
 */
#ifndef PERFDATA_RECORD_H
#define PERFDATA_RECORD_H

#include "abi/perf_event.h"
#include "base/types.h"

/* A name: up to its NUL, or where it has none to the end of the record. */
struct record_name {
	const char *text; /* NULL = the record ends before it */
	size_t len;
	bool terminated; /* text ends with a NUL inside the record */
};

/* MMAP and MMAP2, which alone has what stands behind pgoff. */
struct record_mmap {
	u32 pid, tid;
	u64 start, len, pgoff;
	const u8 *build_id; /* NULL: in its place the inode */
	u8 build_id_size;
	u32 maj, min, prot, flags;
	u64 ino, ino_generation;
	struct record_name name;
};

struct record_comm {
	u32 pid, tid;
	struct record_name name;
};

/* FORK and EXIT. */
struct record_task {
	u32 pid, ppid, tid, ptid;
};

struct record_ksymbol {
	u64 addr;
	u32 len;
	u16 type, flags;
	struct record_name name;
};

struct record_cgroup {
	u64 id;
	struct record_name path;
};

/* A pair of words for each: device, inode. */
struct record_namespaces {
	u32 pid, tid;
	u64 nr; /* as the record has it: maybe more than are there */
	const u8 *pairs;
	u64 nr_there;
};

/* SWITCH_CPU_WIDE: the other task; ITRACE_START: the traced one. */
struct record_switch {
	u32 pid, tid;
};

/* THROTTLE and UNTHROTTLE. */
struct record_throttle {
	u64 time, id, stream_id;
};

struct record_aux {
	u64 offset, size, flags;
};

/* The head of what a hardware trace gave; size bytes of that stand behind the record. */
struct record_auxtrace {
	u64 size, offset, reference;
	u32 idx, tid, cpu;
};

struct record_stat {
	u64 id;
	u32 cpu, thread;
	u64 value, enabled, running;
};

struct record_stat_round {
	u64 type, time;
};

/* LOST; LOST_SAMPLES has no id of its own. */
struct record_lost {
	u64 id, lost;
};

struct record_bpf_event {
	u16 type, flags;
	u32 id;
};

struct record_text_poke {
	u64 addr;
	u16 old_len, new_len;
	const u8 *bytes; /* the old ones, then the new ones */
	size_t there; /* how many there are */
};

struct record_deferred {
	u64 cookie, nr; /* as the record has it */
	const u8 *ips;
	u64 nr_there;
};

union record_view {
	struct record_mmap mmap;
	struct record_comm comm;
	struct record_task task;
	struct record_ksymbol ksymbol;
	struct record_cgroup cgroup;
	struct record_namespaces namespaces;
	struct record_switch other;
	struct record_lost lost;
	struct record_bpf_event bpf_event;
	struct record_text_poke text_poke;
	struct record_deferred deferred;
	struct record_throttle throttle;
	struct record_aux aux;
	struct record_auxtrace auxtrace;
	struct record_stat stat;
	struct record_stat_round stat_round;
	u64 hw_id; /* AUX_OUTPUT_HW_ID */
};

/* The body of a record of foreign byte order, while it is put in order from its beginning on. */
struct swap_body {
	u8 *at, *end;
};

struct record_taker;
struct record_type {
	const char *name; /* without PERF_RECORD_; NULL = there is no such type */
	/* a letter for each field, what follows is left alone: q u64, d u32, w u16, Q u64 to the
	 * end; NULL: nothing, or a function of its own */
	const char *shape;
	void (*swap)(struct swap_body *b, u16 misc);
	bool sideband; /* about tasks, mappings or the kernel's code */
	void (*view)(struct record_taker *t, union record_view *v); /* NULL = has no view */
};

extern const struct record_type record_types[PERF_RECORD_HEADER_MAX];

/* "MMAP2", ...; NULL = unknown. */
static inline const char *record_type_name(u32 type)
{
	return type < PERF_RECORD_HEADER_MAX ? record_types[type].name : NULL;
}

static inline bool record_is_sideband(u32 type)
{
	return type < PERF_RECORD_HEADER_MAX && record_types[type].sideband;
}

/*
 * The record's fields; tail: bytes at its end that are not its body (sample_layout.tail_size).
 * False: it is too short, or its name has no end, and what is there is there; or its type has no
 * view.
 */
bool record_view(const struct perf_event_header *h, size_t tail, union record_view *v);
/* Bytes of the least record of the type: its header, its fields, an empty name, an empty list.
 * Only the header of h is read. */
size_t record_least_size(const struct perf_event_header *h);

#endif
