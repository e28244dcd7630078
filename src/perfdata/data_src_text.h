/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_src_text: the bits of PERF_SAMPLE_DATA_SRC as words: perf_event_open(2), "data_src". Each
 * appends one group of bits to out. No state.
 */
#ifndef PERFDATA_DATA_SRC_TEXT_H
#define PERFDATA_DATA_SRC_TEXT_H

#include "base/strbuf.h"

void data_src_add_level(struct strbuf *out, u64 data_src);
void data_src_add_snoop(struct strbuf *out, u64 data_src);
void data_src_add_tlb(struct strbuf *out, u64 data_src);
void data_src_add_lock(struct strbuf *out, u64 data_src);
void data_src_add_block(struct strbuf *out, u64 data_src); /* each word with a blank before it */
/* All of them behind their labels: "|OP LOAD|LVL L1 hit|SNP None...". */
void data_src_add_all(struct strbuf *out, u64 data_src);

#endif
