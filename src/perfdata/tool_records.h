/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tool_records: encoding of records and sections that are written after a recording: embedded
 * names, build ids. Those that describe what existed before are made by capture/records.
 *
 * Layouts: doc/format/perf.data.md. Thread-safe.
 */
#ifndef PERFDATA_TOOL_RECORDS_H
#define PERFDATA_TOOL_RECORDS_H

#include "base/strbuf.h"
#include "perfdata/record.h"

/*
 * The feature SYMBOLS in a stream, in as many records as are needed, ready for writer_append(): an
 * EVENT_UPDATE of a kind that other readers skip silently (they stop at a feature or a record that
 * they do not know). size 0: it follows at the end of the stream.
 */
void record_add_symbols(struct strbuf *out, u64 id, const void *body, size_t size);
/* One entry of the BUILD_ID feature (writer_feature() turns it into a record for pipes).
 * pid -1 = host; misc = cpumode; size <= 20. */
void feature_add_build_id(struct strbuf *body, u16 misc, s32 pid, const u8 *id, size_t size,
			  const char *path);
/* Decodes the body of a CPU_MAP as "0-3,5" ("-1" = any CPU); false if it is no such body. */
bool record_cpu_map_text(struct strbuf *out, const void *body, size_t len);

#endif
