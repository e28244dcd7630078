/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code of a sample: its address or stack, its branches, its instruction, its source. */
#include "text/print.h"

/* ------------------------------------------------------------------ stacks */

void text_chain(const struct sample_print *x, struct strbuf *out)
{
	chains_add(x->tw->chains, x->w, x->r, x->plan->form | (x->plan->inlines ? FORM_INLINE : 0),
		   out);
}

/* In place of the user part that stands in a record of its own. */
static void add_cookie(const struct sample *smp, unsigned int form, struct strbuf *out)
{
	if (!smp->deferred)
		return;
	strbuf_addch(out, '\t');
	strbuf_add_hex_width(out, smp->chain[smp->nr_chain + 1], 16, ' ');
	if (form & FORM_SYM)
		strbuf_adds(out, " (cookie)");
	if (form & FORM_DSO)
		strbuf_adds(out, " ([unknown])");
	strbuf_addch(out, '\n');
}

void text_code(const struct sample_print *x, struct strbuf *out)
{
	const struct sample *smp = x->r->sample;

	if (x->plan->chain && smp->chain) {
		strbuf_addch(out, '\n');
		text_chain(x, out);
		add_cookie(smp, x->plan->form, out);
		/* the line break behind the last frame is the sample's own */
		if (out->buf[out->len - 1] == '\n')
			out->len--;
		strbuf_addch(out, '\n');
		return;
	}
	strbuf_addch(out, ' ');
	strbuf_add_hex_width(out, smp->ip, 16, ' ');
	frames_add(x->tw->frames, x->w, &x->r->site, smp->cpumode, smp->ip, x->plan->form, out);
}

/* ------------------------------------------------------------------ branches */

const char *branch_type(u64 flags)
{
	static const char *const names[] = {
		"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
	};
	u64 type = flags >> 20 & 15;

	return type < ARRAY_SIZE(names) ? names[type] : "";
}

static void add_branch_flags(u64 flags, struct strbuf *out)
{
	enum { MISPRED = 1, PREDICTED = 2, IN_TX = 4, ABORT = 8 };

	strbuf_addch(out, '/');
	strbuf_addch(out, flags & MISPRED ? 'M' : flags & PREDICTED ? 'P' : '-');
	strbuf_adds(out, flags & IN_TX ? "/X" : "/-");
	strbuf_adds(out, flags & ABORT ? "/A/" : "/-/");
	strbuf_add_u64(out, flags >> 4 & 0xffff);
	strbuf_addch(out, '/');
	strbuf_adds(out, branch_type(flags));
	strbuf_addch(out, ' ');
}

static void add_branch_end(const struct sample_print *x, enum sample_field how, u64 ip,
			   struct strbuf *out)
{
	bool wants_dso = x->plan->fields & (FIELD_BIT(DSO) | FIELD_BIT(DSOFF));
	unsigned int escape = x->t->o.escape ? FORM_ESCAPE : 0;
	struct location loc;

	if (wants_dso || how != FIELD_BRSTACK)
		frames_locate(x->tw->frames, x->w, &x->r->site, level_of(ip), ip, &loc);
	if (how == FIELD_BRSTACKSYM) {
		frame_add_symbol(out, x->t->dsos, &loc, FORM_SYMOFF | escape);
	} else {
		u64 shown = ip;

		if (how == FIELD_BRSTACKOFF && loc.map)
			shown = loc.map->kernel ? ip - loc.map->start : loc.addr;
		strbuf_adds(out, "0x");
		strbuf_add_hex(out, shown);
	}
	if (wants_dso)
		frame_add_dso(out, x->t->dsos, &loc, escape);
}

/* Their ends as addresses, symbols or offsets: the first that was asked for. */
void text_branches(const struct sample_print *x, struct strbuf *out)
{
	enum sample_field how = HAS(x, BRSTACK)      ? FIELD_BRSTACK
				: HAS(x, BRSTACKSYM) ? FIELD_BRSTACKSYM
						     : FIELD_BRSTACKOFF;
	const u64 *b = x->r->sample->branch;

	for (u64 i = 0; b && i < x->r->sample->nr_branch; i++, b += 3) {
		if (how != FIELD_BRSTACKSYM)
			strbuf_addch(out, ' ');
		add_branch_end(x, how, b[0], out);
		strbuf_addch(out, '/');
		add_branch_end(x, how, b[1], out);
		add_branch_flags(b[2], out);
	}
}

/* ------------------------------------------------------------------ instructions */

/* " ilen: 3 insn: 48 31 ca" */
void text_insn(const struct sample_print *x, struct strbuf *out)
{
	u8 bytes[INSN_MAX];
	struct location loc;

	locate_ip(x, &loc);
	size_t n = insns_read(x->tw->insns, x->t->dsos, &loc, bytes);

	if (HAS(x, INSNLEN)) {
		strbuf_adds(out, " ilen: ");
		strbuf_add_u64(out, n);
	}
	if (!HAS(x, INSN) || !n)
		return;
	strbuf_adds(out, " insn:");
	for (size_t i = 0; i < n; i++) {
		strbuf_addch(out, ' ');
		strbuf_add_hex_width(out, bytes[i], 2, '0');
	}
}

void text_source_code(const struct sample_print *x, struct strbuf *out)
{
	struct location loc;

	locate_ip(x, &loc);
	source_code_add(x->t->source_code, x->t->dsos, x->r->site.thread, &loc, x->t->o.escape,
			out);
}
