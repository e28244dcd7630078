/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bits of PERF_SAMPLE_DATA_SRC as words (perf_event_open(2), "data_src"). */
#include "base/mem.h"
#include "cmd/script/script.h"

static unsigned int bits(u64 v, int shift, int nr)
{
	return (unsigned int)(v >> shift & ((1ULL << nr) - 1));
}

/* Names of the bits that are set, joined by " or "; "N/A" when none. */
static void add_names(struct strbuf *out, unsigned int set, const char *const *names, size_t nr)
{
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		if (!(set & (1U << i)))
			continue;
		if (any)
			strbuf_adds(out, " or ");
		strbuf_adds(out, names[i]);
		any = true;
	}
	if (!any)
		strbuf_adds(out, "N/A");
}

static void add_op(struct strbuf *out, u64 v)
{
	static const char *const ops[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };

	strbuf_adds(out, "|OP ");
	add_names(out, bits(v, 0, 5), ops, ARRAY_SIZE(ops));
}

static void add_level(struct strbuf *out, u64 v)
{
	enum { NA = 1, HIT = 2, MISS = 4 };
	static const char *const levels[] = {
		"N/A", "HIT", "MISS", "L1", "LFB/MAB", "L2", "L3", "Local RAM",
		"Remote RAM (1 hop)", "Remote RAM (2 hops)", "Remote Cache (1 hop)",
		"Remote Cache (2 hops)", "I/O", "Uncached",
	};
	static const char *const numbers[16] = {
		[1] = "L1", [2] = "L2", [3] = "L3", [4] = "L4", [9] = "CXL", [10] = "I/O",
		[11] = "Any cache", [12] = "LFB/MAB", [13] = "RAM", [14] = "PMEM", [15] = "N/A",
	};
	static const char *const hops[] = { "N/A", "core, same node", "node, same socket",
					    "socket, same board", "board" };
	unsigned int level = bits(v, 5, 14);
	unsigned int number = bits(v, 33, 4);
	unsigned int hop = bits(v, 43, 3);
	bool remote = bits(v, 37, 1);
	bool any = false;

	strbuf_adds(out, "|LVL ");
	if (level & NA)
		level = 0;
	unsigned int where = level & ~(unsigned int)(HIT | MISS);

	if (remote) {
		strbuf_adds(out, "Remote ");
	}
	if (hop && hop < ARRAY_SIZE(hops)) {
		strbuf_adds(out, hops[hop]);
		any = true;
	}
	if (where || !any) {
		if (any)
			strbuf_adds(out, " ");
		add_names(out, where, levels, ARRAY_SIZE(levels));
		any = true;
	}
	if (number) {
		strbuf_adds(out, any ? " or " : "");
		if (numbers[number])
			strbuf_adds(out, numbers[number]);
		else
			strbuf_addf(out, "L%d", (int)number);
	}
	if (level & HIT)
		strbuf_adds(out, " hit");
	if (level & MISS)
		strbuf_adds(out, " miss");
}

static void add_snoop(struct strbuf *out, u64 v)
{
	static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	unsigned int snoop = bits(v, 19, 5);
	unsigned int x = bits(v, 38, 2);

	strbuf_adds(out, "|SNP ");
	if (snoop || !x)
		add_names(out, snoop, snoops, ARRAY_SIZE(snoops));
	if (x) {
		if (snoop)
			strbuf_adds(out, " or ");
		add_names(out, x, more, ARRAY_SIZE(more));
	}
}

static void add_tlb(struct strbuf *out, u64 v)
{
	enum { NA = 1, HIT = 2, MISS = 4 };
	static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };
	unsigned int tlb = bits(v, 26, 7);

	strbuf_adds(out, "|TLB ");
	if (tlb & NA)
		tlb = 0;
	add_names(out, tlb & ~(unsigned int)(HIT | MISS), tlbs, ARRAY_SIZE(tlbs));
	if (tlb & HIT)
		strbuf_adds(out, " hit");
	if (tlb & MISS)
		strbuf_adds(out, " miss");
}

void script_add_data_src(struct strbuf *out, u64 v)
{
	enum { LOCK_NA = 1, LOCKED = 2, BLK_NA = 1, BLK_DATA = 2, BLK_ADDR = 4 };
	unsigned int lock = bits(v, 24, 2);
	unsigned int blk = bits(v, 40, 3);

	add_op(out, v);
	add_level(out, v);
	add_snoop(out, v);
	add_tlb(out, v);
	strbuf_adds(out, "|LCK ");
	strbuf_adds(out, lock & LOCK_NA ? "N/A" : lock & LOCKED ? "Yes" : "No");
	strbuf_adds(out, "|BLK ");
	if (!blk || blk & BLK_NA)
		strbuf_adds(out, " N/A");
	if (blk & BLK_DATA)
		strbuf_adds(out, " Data");
	if (blk & BLK_ADDR)
		strbuf_adds(out, " Addr");
}
