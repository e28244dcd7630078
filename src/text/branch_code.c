/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -F brstackinsn: a stack of taken branches tells all instructions that were executed between the
 * oldest of them and the sample, as far as the object is here. They come in blocks, from where a
 * branch went to up to the next branch; what is found is handed to a form, text or JSON.
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

/* How a block can end other than with its branch. */
enum block_end { END_BAD_INSN, END_MISMATCH, END_BEFORE_SAMPLE };

struct branch_code;
struct code_form {
	void (*block)(struct branch_code *c, bool begins);
	/* Names the function whose instructions follow, unless it was the last one named. */
	void (*symbol)(struct branch_code *c, u64 ip);
	void (*insn)(struct branch_code *c, u64 ip, const u8 *bytes, unsigned int n);
	/* The branch that the last instruction made; nr: instructions since the branch before
	 * it, 0 = not known. */
	void (*branch)(struct branch_code *c, u64 flags, u64 nr);
	void (*end)(struct branch_code *c, enum block_end why, u64 ip);
};

struct branch_code {
	const struct code_form *form;
	const struct sample_print *x;
	struct json *json;
	struct strbuf *out;
	u64 branch_at; /* the block's; 0 = it has none */
	bool ended; /* all instructions of the block are there */
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
		c->form->symbol(c, start + at);
		if (!n) {
			c->form->end(c, END_BAD_INSN, start + at);
			break;
		}
		c->form->insn(c, start + at, c->bytes + at, n);
		if (start + at == end) {
			c->form->branch(c, branch[2], nr);
			return;
		}
	}
	c->form->end(c, END_MISMATCH, end);
}

/* From where the latest branch went to up to the sample; where that is not known, up to a branch.
 */
static void add_tail(struct branch_code *c, u64 start, u64 ip)
{
	u64 end = ip < start ? start + TAIL_MAX : ip;
	unsigned int n;

	c->branch_at = 0;
	c->form->symbol(c, start);
	if (!read_block(c, start, end)) {
		if (read_block(c, ip, ip))
			c->form->insn(c, ip, c->bytes, length_at(c, 0));
		return;
	}
	for (u64 at = 0; at <= end - start && at < c->len; at += n) {
		n = length_at(c, at);
		if (!n)
			return;
		c->form->symbol(c, start + at);
		c->form->insn(c, start + at, c->bytes + at, n);
		if (start + at != ip && x86_insn_is_branch(c->bytes + at, c->len - at, c->is64)) {
			c->form->end(c, END_BEFORE_SAMPLE, ip);
			return;
		}
	}
}

/* Of the block before the oldest branch only the end is known. */
static void add_first(struct branch_code *c, const u64 *branch)
{
	if (!read_block(c, branch[0], branch[0]))
		return;
	c->form->symbol(c, branch[0]);
	c->form->insn(c, branch[0], c->bytes, length_at(c, 0));
	c->form->branch(c, branch[2], 0);
}

static void add_blocks(struct branch_code *c, const u64 *newest, u64 nr)
{
	const struct sample *smp = c->x->r->sample;

	for (const u64 *b = newest + 3 * (nr - 1); b >= newest; b -= 3) {
		c->branch_at = b[0];
		c->form->block(c, true);
		if (b == newest + 3 * (nr - 1))
			add_first(c, b);
		else
			add_block(c, b[4], b);
		c->form->block(c, false);
	}
	/* nothing is behind a sample at the branch itself, nor known behind an abort */
	if (newest[0] == smp->ip || newest[2] & FLAG_ABORT)
		return;
	c->form->block(c, true);
	add_tail(c, newest[1], smp->ip);
	c->form->block(c, false);
}

/* How many branches are looked at. */
static u64 branches_of(const struct sample_print *x)
{
	u64 max = x->t->o.max_blocks, nr = x->r->sample->branch ? x->r->sample->nr_branch : 0;

	return max && nr > max ? max + 1 : nr;
}

/* ------------------------------------------------------------------ text */

static void text_block(struct branch_code *c UNUSED, bool begins UNUSED)
{
}

/* "name+12:" in front of the first instruction of a symbol, with the line of that. */
static void text_symbol(struct branch_code *c, u64 ip)
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
static void text_one_insn(struct branch_code *c, u64 ip, const u8 *bytes, unsigned int n)
{
	strbuf_addch(c->out, '\t');
	strbuf_add_hex_width(c->out, ip, 16, '0');
	strbuf_adds(c->out, "\tinsn: ");
	for (unsigned int i = 0; i < n; i++) {
		strbuf_add_hex_width(c->out, bytes[i], 2, '0');
		strbuf_addch(c->out, ' ');
	}
	if (ip == c->branch_at && 3 * n < INSN_COLUMNS)
		strbuf_pad(c->out, ' ', INSN_COLUMNS - 3 * n);
	if (c->x->plan->fields & FIELD_BIT(BRSTACKINSNLEN))
		strbuf_addf(c->out, "\tilen: %u", n);
	if (ip != c->branch_at)
		strbuf_addch(c->out, '\n');
}

/* "	# PRED 3 cycles [8] 2.33 IPC" */
static void text_branch(struct branch_code *c, u64 flags, u64 nr)
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

static void text_end(struct branch_code *c, enum block_end why, u64 ip)
{
	if (why == END_BAD_INSN) {
		strbuf_addch(c->out, '\t');
		strbuf_add_hex_width(c->out, ip, 16, '0');
		strbuf_adds(c->out, "\t<bad>\n");
	} else {
		strbuf_adds(c->out, why == END_MISMATCH ? "\tmismatch of LBR data and executable\n"
							: "\t... not reaching sample ...\n");
	}
}

static const struct code_form text_form = {
	text_block, text_symbol, text_one_insn, text_branch, text_end,
};

void text_branch_code(const struct sample_print *x, struct strbuf *out)
{
	struct branch_code c = { .form = &text_form, .x = x, .out = out };
	u64 nr = branches_of(x);

	if (!nr)
		return;
	strbuf_addch(out, '\n');
	add_blocks(&c, x->r->sample->branch, nr);
}

/* ------------------------------------------------------------------ JSON */

static void json_block(struct branch_code *c, bool begins)
{
	if (begins) {
		json_object(c->json, NULL, JSON_TIGHT);
		json_array(c->json, "insns", JSON_TIGHT);
		c->ended = false;
		return;
	}
	if (!c->ended)
		json_end(c->json);
	json_end(c->json);
}

/* In JSON each instruction has a symbol of its own. */
static void json_symbol(struct branch_code *c UNUSED, u64 ip UNUSED)
{
}

static void json_one_insn(struct branch_code *c, u64 ip, const u8 *bytes, unsigned int n)
{
	const struct sample_print *x = c->x;
	unsigned int form = FORM_SYM | FORM_SYMOFF | (x->plan->form & (FORM_DSO | FORM_SRCLINE));

	json_object(c->json, NULL, JSON_TIGHT);
	frames_add_json(x->tw->frames, x->w, &x->r->site, level_of(ip), ip, form, "at", c->json);
	json_bytes(x, "insn", bytes, n, c->json);
	if (HAS(x, BRSTACKINSNLEN))
		json_u64(c->json, "insnlen", n);
	json_end(c->json);
}

/* Members of the block, behind its instructions. */
static void end_insns(struct branch_code *c)
{
	if (!c->ended)
		json_end(c->json);
	c->ended = true;
}

static void json_code_branch(struct branch_code *c, u64 flags, u64 nr)
{
	u64 cycles = flags >> 4 & 0xffff;

	end_insns(c);
	json_branch_flags(flags, c->json);
	if (cycles && nr)
		json_fixed(c->json, "ipc", (double)((float)nr / (float)cycles), 2);
}

static void json_code_end(struct branch_code *c, enum block_end why, u64 ip UNUSED)
{
	end_insns(c);
	if (why != END_BAD_INSN) /* a mismatch follows */
		json_bool(c->json, why == END_MISMATCH ? "mismatch" : "unreached", true);
}

static const struct code_form json_form = {
	json_block, json_symbol, json_one_insn, json_code_branch, json_code_end,
};

void json_branch_code(const struct sample_print *x, struct json *j)
{
	struct branch_code c = { .form = &json_form, .x = x, .json = j };
	u64 nr = branches_of(x);

	if (!nr)
		return;
	json_array(j, "brstackinsn", JSON_TIGHT);
	add_blocks(&c, x->r->sample->branch, nr);
	json_end(j);
}
