/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -F brstackinsn: a stack of taken branches tells all instructions that were executed between the
 * oldest of them and the sample, as far as the object is here.
 */
#include "arch/x86_insn.h"
#include "dso/source.h"
#include "text/print.h"

enum {
	BLOCK_MAX = 16384, /* bytes between two branches, and an instruction */
	TAIL_MAX = 128, /* bytes that are searched for the branch to a sample elsewhere */
	INSN_COLUMNS = 24, /* of an instruction's bytes in front of what is known of its branch */
	FLAG_MISPREDICTED = 1,
	FLAG_PREDICTED = 2,
	FLAG_IN_TX = 4,
	FLAG_ABORT = 8,
};

struct branch_code {
	const struct sample_print *x;
	struct strbuf *out;
	dso_id dso; /* whose symbol was named last, with */
	u32 sym;
	u64 cycles; /* so far */
	bool is64;
	size_t len;
	u8 bytes[BLOCK_MAX];
};

static void locate(struct branch_code *c, u64 ip, struct location *loc)
{
	frames_locate(c->x->tw->frames, c->x->w, &c->x->r->site, level_of(ip), ip, loc);
}

/* The code from start up to the instruction at end; false: it is not here, or they belong to no
 * block. */
static bool read_block(struct branch_code *c, u64 start, u64 end)
{
	struct location loc;

	c->len = 0;
	if (!start || end < start || end - start > BLOCK_MAX - X86_INSN_MAX ||
	    level_of(start) != level_of(end))
		return false;
	locate(c, start, &loc);
	c->len = insns_read_block(c->x->tw->insns, c->x->t->dsos, &loc, c->bytes,
				  end - start + X86_INSN_MAX, &c->is64);
	return c->len;
}

/* "name+12:" in front of the first instruction of a symbol, with the line of that. */
static void add_symbol(struct branch_code *c, u64 ip)
{
	struct source_frame place;
	struct location loc;
	struct dso *d;

	locate(c, ip, &loc);
	if (loc.sym == SYM_NONE || (loc.dso == c->dso && loc.sym == c->sym))
		return;
	c->dso = loc.dso;
	c->sym = loc.sym;
	d = dso_table_get(c->x->t->dsos, loc.dso);
	strbuf_addch(c->out, '\t');
	frame_add_symbol(c->out, c->x->t->dsos, &loc, c->x->t->o.escape ? FORM_ESCAPE : 0);
	u64 offset = loc.addr - symtab_start(dso_symtab(d), loc.sym);

	if (offset) {
		strbuf_addch(c->out, '+');
		strbuf_add_u64(c->out, offset);
	}
	strbuf_addch(c->out, ':');
	if (c->x->plan->fields & FIELD_BIT(SRCLINE)) {
		strbuf_addch(c->out, '\t');
		if (dso_source(d, loc.addr, &place, 1) && place.file)
			source_add_place(c->out, &place, c->x->t->o.full_source_path);
		else
			strbuf_addf(c->out, "%s[%llx]", dso_short_name(d),
				    (unsigned long long)loc.addr);
	}
	strbuf_addch(c->out, '\n');
}

/* "	00000000004010a0	insn: e8 86 ff ff ff " */
static void add_insn(struct branch_code *c, u64 ip, const u8 *bytes, unsigned int n, bool padded)
{
	strbuf_addch(c->out, '\t');
	strbuf_add_hex_width(c->out, ip, 16, '0');
	strbuf_adds(c->out, "\tinsn: ");
	for (unsigned int i = 0; i < n; i++) {
		strbuf_add_hex_width(c->out, bytes[i], 2, '0');
		strbuf_addch(c->out, ' ');
	}
	if (padded && 3 * n < INSN_COLUMNS)
		strbuf_pad(c->out, ' ', INSN_COLUMNS - 3 * n);
	if (c->x->plan->fields & FIELD_BIT(BRSTACKINSNLEN))
		strbuf_addf(c->out, "\tilen: %u", n);
}

/* "	# PRED 3 cycles [8] 2.33 IPC"; nr: instructions since the branch before, 0 = not known. */
static void add_branch(struct branch_code *c, u64 flags, u64 nr)
{
	static const struct {
		u64 flag;
		const char *text;
	} texts[] = {
		{ FLAG_PREDICTED, " PRED" },
		{ FLAG_MISPREDICTED, " MISPRED" },
		{ FLAG_IN_TX, " INTX" },
		{ FLAG_ABORT, " ABORT" },
	};
	u64 cycles = flags >> 4 & 0xffff;

	strbuf_adds(c->out, "\t#");
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (flags & texts[i].flag)
			strbuf_adds(c->out, texts[i].text);
	if (cycles) {
		c->cycles += cycles;
		strbuf_addf(c->out, " %llu cycles [%llu]", (unsigned long long)cycles,
			    (unsigned long long)c->cycles);
		if (nr)
			/* (single precision rounds as perf does) */
			strbuf_addf(c->out, " %.2f IPC", (double)((float)nr / (float)cycles));
	}
	strbuf_addch(c->out, '\n');
}

static unsigned int length_at(const struct branch_code *c, u64 at)
{
	return x86_insn_length(c->bytes + at, c->len - at, c->is64);
}

/* The instructions from where a branch went to up to the next one. */
static void add_block(struct branch_code *c, u64 start, const u64 *branch)
{
	u64 end = branch[0], at = 0;
	unsigned int n;

	if (!read_block(c, start, end))
		return;
	for (u64 nr = 1; at < c->len; nr++, at += n) {
		n = length_at(c, at);
		add_symbol(c, start + at);
		if (!n) {
			strbuf_addch(c->out, '\t');
			strbuf_add_hex_width(c->out, start + at, 16, '0');
			strbuf_adds(c->out, "\t<bad>\n");
			break;
		}
		add_insn(c, start + at, c->bytes + at, n, start + at == end);
		if (start + at == end) {
			add_branch(c, branch[2], nr);
			return;
		}
		strbuf_addch(c->out, '\n');
	}
	strbuf_adds(c->out, "\tmismatch of LBR data and executable\n");
}

/* From where the latest branch went to up to the sample; where that is not known, up to a branch.
 */
static void add_tail(struct branch_code *c, u64 start, u64 ip)
{
	u64 end = ip < start ? start + TAIL_MAX : ip;
	unsigned int n;

	add_symbol(c, start);
	if (!read_block(c, start, end)) {
		if (read_block(c, ip, ip)) {
			add_insn(c, ip, c->bytes, length_at(c, 0), false);
			strbuf_addch(c->out, '\n');
		}
		return;
	}
	for (u64 at = 0; at <= end - start && at < c->len; at += n) {
		n = length_at(c, at);
		if (!n)
			return;
		add_symbol(c, start + at);
		add_insn(c, start + at, c->bytes + at, n, false);
		strbuf_addch(c->out, '\n');
		if (start + at != ip && x86_insn_is_branch(c->bytes + at, c->len - at, c->is64)) {
			strbuf_adds(c->out, "\t... not reaching sample ...\n");
			return;
		}
	}
}

void text_branch_code(const struct sample_print *x, struct strbuf *out)
{
	struct branch_code c = { .x = x, .out = out };
	const struct sample *smp = x->r->sample;
	u64 max = x->t->o.max_blocks;
	const u64 *b = smp->branch;
	u64 nr = b ? smp->nr_branch : 0;
	unsigned int n;

	if (max && nr > max)
		nr = max + 1;
	if (!nr)
		return;
	strbuf_addch(out, '\n');
	/* of the block before the oldest branch only the end is known */
	const u64 *oldest = b + 3 * (nr - 1);

	if (read_block(&c, oldest[0], oldest[0])) {
		n = length_at(&c, 0);
		add_symbol(&c, oldest[0]);
		add_insn(&c, oldest[0], c.bytes, n, true);
		add_branch(&c, oldest[2], 0);
	}
	for (const u64 *next = oldest; next > b; next -= 3)
		add_block(&c, next[1], next - 3);
	/* nothing is behind a sample at the branch itself, nor known behind an abort */
	if (b[0] != smp->ip && !(b[2] & FLAG_ABORT))
		add_tail(&c, b[1], smp->ip);
}
