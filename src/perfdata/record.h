/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: the types of records that there are, a row for each: its name, the shape of its fields,
 * and whether it describes tasks or mappings. By its shape a record's byte order is changed, and
 * the struct that is its view is filled.
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
#include "base/bits.h"
#include "base/types.h"

/* A name: up to its NUL, or where it has none to the end of the record. */
struct record_name {
	const char *text; /* NULL = the record ends before it */
	size_t len;
	bool terminated; /* text ends with a NUL inside the record */
};

/* What stands behind the fields, padding included. */
struct record_bytes {
	const u8 *at;
	size_t len;
};

/* Elements of lists, where they lie in the record: at any address. */
struct __attribute__((packed)) record_namespace {
	u64 dev, ino;
};

struct __attribute__((packed)) record_stat_term {
	u64 tag, value;
};

struct __attribute__((packed)) record_map_thread {
	u64 tid;
	char comm[16]; /* maybe without a NUL */
};

struct __attribute__((packed)) record_event_id {
	u64 id, idx;
	s64 cpu, tid;
};

/* The virtual machine (its process on the host; 0 = the host) and CPU of the id at the same place.
 */
struct __attribute__((packed)) record_guest {
	s64 pid, vcpu;
};

/*
 * Views: structs that have the fields of the shape, in its order, each at its natural alignment. Of
 * a list the record tells the number of its elements (nr): it may be more than are there
 * (nr_there).
 */

/* MMAP and MMAP2, which alone has what stands behind the name here. */
struct record_mmap {
	u32 pid, tid;
	u64 start, len, pgoff;
	struct record_name name;
	const u8 *build_id; /* NULL: in its place the inode */
	u8 build_id_size;
	u32 maj, min, prot, flags;
	u64 ino, ino_generation;
};

struct record_comm {
	u32 pid, tid;
	struct record_name name;
};

/* FORK and EXIT. */
struct record_task {
	u32 pid, ppid, tid, ptid;
	bool has_time;
	u64 time;
};

/* The counts of an event as its read_format has them, a u64 each, the value first. */
struct record_read {
	u32 pid, tid;
	struct record_bytes counts;
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

struct record_namespaces {
	u32 pid, tid;
	u64 nr;
	const struct record_namespace *v;
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

/* What the hardware that made a trace is like: words of u64, by kinds of hardware. */
struct record_auxtrace_info {
	u32 type, reserved;
	struct record_bytes words;
};

/* The head of what a hardware trace gave; size bytes of that stand behind the record. */
struct record_auxtrace {
	u64 size, offset, reference;
	u32 idx, tid, cpu;
};

/* Something that could not be decoded. */
struct record_auxtrace_error {
	u32 type, code;
	s32 cpu, pid, tid;
	u32 format; /* from 1 on the time is one, from 2 on there may be a virtual machine */
	u64 ip, time;
	bool has_machine;
	char message[64]; /* maybe without a NUL */
	u32 machine_pid;
	s32 vcpu;
};

struct record_id_index {
	u64 nr;
	const struct record_event_id *v;
	u64 nr_there;
	bool has_guests;
	const struct record_guest *guests;
	u64 nr_guests;
};

struct record_thread_map {
	u64 nr;
	const struct record_map_thread *v;
	u64 nr_there;
};

struct record_stat_config {
	u64 nr;
	const struct record_stat_term *v;
	u64 nr_there;
};

struct record_stat {
	u64 id;
	u32 cpu, thread;
	u64 value, enabled, running;
};

enum { STAT_ROUND_FINAL = 1 };
struct record_stat_round {
	u64 type, time; /* ns since the start */
};

/* Kinds of EVENT_UPDATE; the last is this program's own. */
enum event_update { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME, UPDATE_CPUS, UPDATE_SYMBOLS = 255 };

struct record_event_update {
	u64 type, id;
	struct record_bytes body; /* text, a double, or as a CPU_MAP */
};

struct record_time_conv {
	u64 shift, mult, zero;
	bool has_cycles; /* what follows is there */
	u64 cycles, mask;
	u8 cap_time_zero, cap_time_short;
};

struct record_feature {
	u64 feature;
	struct record_bytes body;
};

struct record_compressed2 {
	u64 size; /* of data, without padding */
	struct record_bytes data;
};

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
	u64 there; /* how many there are */
};

struct record_deferred {
	u64 cookie, nr;
	const u8 *ips; /* u64 each */
	u64 nr_there;
};

union record_view {
	struct record_mmap mmap;
	struct record_comm comm;
	struct record_task task;
	struct record_read read;
	struct record_ksymbol ksymbol;
	struct record_cgroup cgroup;
	struct record_namespaces namespaces;
	struct record_switch other;
	struct record_lost lost;
	u64 lost_samples;
	struct record_bpf_event bpf_event;
	struct record_text_poke text_poke;
	struct record_deferred deferred;
	struct record_throttle throttle;
	struct record_aux aux;
	struct record_auxtrace_info auxtrace_info;
	struct record_auxtrace auxtrace;
	struct record_auxtrace_error auxtrace_error;
	struct record_id_index id_index;
	struct record_thread_map thread_map;
	struct record_stat_config stat_config;
	struct record_stat stat;
	struct record_stat_round stat_round;
	struct record_event_update event_update;
	struct record_time_conv time_conv;
	struct record_feature feature;
	struct record_compressed2 compressed2;
	struct record_bytes bytes; /* CPU_MAP, COMPRESSED, ATTR */
	u64 hw_id; /* AUX_OUTPUT_HW_ID */
	u32 tracing_data; /* bytes that stand behind the record */
};

/* The body of a record of foreign byte order, while it is put in order from its beginning on. */
struct swap_body {
	u8 *at, *end;
};

struct record_taker;
struct record_type {
	const char *name; /* without PERF_RECORD_; NULL = there is no such type */
	/*
	 * The fields, a letter each; NULL: there are none.
	 *   q d w b  u64, u32, u16, u8
	 *   c        16 bytes of text, as many of them as there are
	 *   s        text up to its NUL: struct record_name; * the rest: struct record_bytes
	 *   Q        the rest as words of u64: struct record_bytes
	 *   (qq)     a list of such elements, as many as the u64 before it says: a pointer, and a
	 *            u64 of how many are there
	 *   ?        a bool: all that follows is there; without that the record is whole, too
	 */
	const char *shape;
	bool sideband; /* about tasks, mappings or the kernel's code */
	/* What letters cannot say: NULL, or fields behind those of the shape, and how the whole
	 * body is put in order in place of the shape. */
	void (*take)(struct record_taker *t, union record_view *v);
	void (*swap)(struct swap_body *b, u16 misc);
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
 * fields.
 */
bool record_view(const struct perf_event_header *h, size_t tail, union record_view *v);
/* Bytes of the least record of the type: its header, its fields, an empty name, an empty list.
 * Only the header of h is read. */
size_t record_least_size(const struct perf_event_header *h);

/* The u64 of that number; 0 = there are not so many. */
static inline u64 record_word(const struct record_bytes *b, size_t i)
{
	return i < b->len / sizeof(u64) ? bits_u64(b->at + i * sizeof(u64)) : 0;
}

#endif
