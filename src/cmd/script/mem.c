/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mem.h"
#include "cmd/script/script.h"
#include "perfdata/data_src_text.h"

static const struct {
	const char *label;
	void (*add)(struct strbuf *out, u64 data_src);
} parts[] = {
	{ "|OP ", data_src_add_op },	{ "|LVL ", data_src_add_level },
	{ "|SNP ", data_src_add_snoop }, { "|TLB ", data_src_add_tlb },
	{ "|LCK ", data_src_add_lock },	{ "|BLK ", data_src_add_block },
};

void script_add_data_src(struct strbuf *out, u64 v)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		strbuf_adds(out, parts[i].label);
		parts[i].add(out, v);
	}
}
