/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tool_records: encoding of the records that the tool writes itself, besides those of the kernel.
 *
 * Every function appends one whole record (a multiple of 8 bytes) to out, ready for writer_append().
 * Layouts: doc/format/perf.data.md.
 */
#ifndef PERFDATA_TOOL_RECORDS_H
#define PERFDATA_TOOL_RECORDS_H

#include "base/strbuf.h"

/* Kinds of EVENT_UPDATE; the last is this program's own. */
enum event_update { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME, UPDATE_CPUS, UPDATE_SYMBOLS = 255 };

struct id_index_entry {
	u64 id, idx, cpu, tid; /* idx: number of the ring; cpu and tid: (u64)-1 = any */
};

struct time_conv {
	u64 shift, mult, zero, cycles, mask; /* from the mmap page */
	bool cap_user_time_zero, cap_user_time_short;
};

void record_add_finished_round(struct strbuf *out);
void record_add_finished_init(struct strbuf *out);
/* As many records as are needed. */
void record_add_id_index(struct strbuf *out, const struct id_index_entry *v, size_t nr);
/* EVENT_UPDATE; id: the first id of the event. */
void record_add_event_unit(struct strbuf *out, u64 id, const char *unit);
void record_add_event_scale(struct strbuf *out, u64 id, double scale);
void record_add_event_name(struct strbuf *out, u64 id, const char *name);
void record_add_event_cpus(struct strbuf *out, u64 id, const u32 *cpus, size_t nr);
/*
 * The feature SYMBOLS in a stream, in as many records as are needed: an EVENT_UPDATE of a kind that others
 * pass over in silence (they end at a feature or a record that they do not know). size 0: it follows at
 * the end of the stream.
 */
void record_add_symbols(struct strbuf *out, u64 id, const void *body, size_t size);
/* tid (u64)-1 = system-wide; comm may be "". */
void record_add_thread_map(struct strbuf *out, const u64 *tids, const char *const *comms,
			   size_t nr);
/* Sorted CPUs; nr 0 = any CPU. */
void record_add_cpu_map(struct strbuf *out, const u32 *cpus, size_t nr);
void record_add_time_conv(struct strbuf *out, const struct time_conv *tc);
/* One entry of the BUILD_ID feature (writer_feature() turns it into a record for pipes).
 * pid -1 = host; misc = cpumode; size <= 20. */
void feature_add_build_id(struct strbuf *body, u16 misc, s32 pid, const u8 *id, size_t size,
			  const char *path);
/* The other way: the body of a CPU_MAP as "0-3,5" ("-1" = any CPU); false if it is none. */
bool record_cpu_map_text(struct strbuf *out, const void *body, size_t len);

#endif
