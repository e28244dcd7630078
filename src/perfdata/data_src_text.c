/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/data_src_text.h"

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

	add_names(out, bits(v, 0, 5), ops, ARRAY_SIZE(ops));
}

void data_src_add_level(struct strbuf *out, u64 v)
{
	enum { NA = 1, HIT = 2, MISS = 4 };
	static const char *const levels[] = {
		"N/A",
		"HIT",
		"MISS",
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	static const char *const numbers[16] = {
		[1] = "L1",   [2] = "L2",    [3] = "L3",         [4] = "L4",
		[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
		[13] = "RAM", [14] = "PMEM", [15] = "N/A",
	};
	static const char *const hops[] = { "N/A", "core, same node", "node, same socket",
					    "socket, same board", "board" };
	unsigned int level = bits(v, 5, 14);
	unsigned int number = bits(v, 33, 4);
	unsigned int hop = bits(v, 43, 3);
	bool remote = bits(v, 37, 1);
	bool any = false;

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

void data_src_add_snoop(struct strbuf *out, u64 v)
{
	static const char *const snoops[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	unsigned int snoop = bits(v, 19, 5);
	unsigned int x = bits(v, 38, 2);

	if (snoop || !x)
		add_names(out, snoop, snoops, ARRAY_SIZE(snoops));
	if (x) {
		if (snoop)
			strbuf_adds(out, " or ");
		add_names(out, x, more, ARRAY_SIZE(more));
	}
}

void data_src_add_tlb(struct strbuf *out, u64 v)
{
	enum { NA = 1, HIT = 2, MISS = 4 };
	static const char *const tlbs[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };
	unsigned int tlb = bits(v, 26, 7);

	if (tlb & NA)
		tlb = 0;
	add_names(out, tlb & ~(unsigned int)(HIT | MISS), tlbs, ARRAY_SIZE(tlbs));
	if (tlb & HIT)
		strbuf_adds(out, " hit");
	if (tlb & MISS)
		strbuf_adds(out, " miss");
}

void data_src_add_lock(struct strbuf *out, u64 v)
{
	enum { NA = 1, LOCKED = 2 };
	unsigned int lock = bits(v, 24, 2);

	strbuf_adds(out, lock & NA ? "N/A" : lock & LOCKED ? "Yes" : "No");
}

void data_src_add_block(struct strbuf *out, u64 v)
{
	enum { NA = 1, DATA = 2, ADDR = 4 };
	unsigned int blk = bits(v, 40, 3);

	if (!blk || blk & NA)
		strbuf_adds(out, " N/A");
	if (blk & DATA)
		strbuf_adds(out, " Data");
	if (blk & ADDR)
		strbuf_adds(out, " Addr");
}

void data_src_add_all(struct strbuf *out, u64 data_src)
{
	static const struct {
		const char *label;
		void (*add)(struct strbuf *out, u64 data_src);
	} parts[] = {
		{ "|OP ", add_op },
		{ "|LVL ", data_src_add_level },
		{ "|SNP ", data_src_add_snoop },
		{ "|TLB ", data_src_add_tlb },
		{ "|LCK ", data_src_add_lock },
		{ "|BLK ", data_src_add_block },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		strbuf_adds(out, parts[i].label);
		parts[i].add(out, data_src);
	}
}
