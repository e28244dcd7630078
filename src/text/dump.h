/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump: the text of `report -D` and `script -D` for one record: its bytes, its kind and what is in
 * it. Thread-safe.
 */
#ifndef TEXT_DUMP_H
#define TEXT_DUMP_H

#include "base/strbuf.h"
#include "perfdata/perfdata.h"

/* report prints more of what it does not use, with ": unhandled!" behind it. */
enum dump_style { DUMP_REPORT, DUMP_SCRIPT };

struct dump_input {
	const struct perf_event_header *h;
	u64 pos; /* of the record: struct perfdata_chunk */
	const struct perfdata_event *event; /* NULL = unknown */
	const struct sample *sample; /* decoded SAMPLE, else NULL */
};

/*
 * Everything up to where perf goes on with the meaning of the record. Compressed records have no
 * text of their own.
 */
void dump_record(struct strbuf *out, const struct perfdata *f, enum dump_style style,
		 const struct dump_input *in);
/* Behind a sample, once it is resolved; dso NULL = not found. */
void dump_site(struct strbuf *out, const char *comm, u32 tid, const char *dso);

/* dump_sample.c: the fields of a sample, used by dump_record(). */
void dump_sample(struct strbuf *out, const struct perfdata *f, const struct dump_input *in);
/* dump_aux_info.c: what an AUXTRACE_INFO record says, the same. */
struct record_auxtrace_info;
void dump_aux_info(struct strbuf *out, const struct record_auxtrace_info *r);

#endif
