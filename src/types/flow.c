/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What registers hold along the ways through a function. Each block of instructions begins with
 * what all ways that lead to it agree on; where nobody knows which ways those are (behind a jump
 * whose target is computed), with nothing. The rest is told by variables whose place is known at an
 * instruction, and by the rules of unwinding, which tell where the frame is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "types/internal.h"
#include "unwind/cfi.h"

enum { CANDIDATES = 8, PASSES_MAX = 64, INSNS_MAX = 1 << 18 };

/* What a register holds. */
struct held {
	enum { HELD_NOTHING, HELD_POINTER, HELD_FRAME, HELD_ADDRESS } kind;
	s64 at; /* the address of an object + at; the CFA + at; the number, as tools show addresses
		 */
	struct type_ref type; /* HELD_POINTER */
	bool indexed; /* something unknown was added, times scale */
	u8 scale;
};

struct flow_state {
	bool reached;
	struct held regs[EFFECT_REGS];
};

struct insn_flow {
	struct effect e;
	bool known; /* the effect is */
	bool leads; /* a block begins here */
	bool entered; /* also from code of the function that is elsewhere */
	u32 block; /* of those that begin: its number */
};

struct flow {
	struct types_function *f;
	struct insn_flow *insns;
	size_t nr;
	struct flow_state *blocks; /* how they begin */
	u32 nr_blocks;
	bool computed; /* some jump's target is computed */
	bool all_reached; /* blocks that nothing is seen to lead to are looked at, too */
	u64 vaddr; /* of the instruction that is looked at */
	size_t next_place; /* places before it do not end before vaddr, or have been left behind */
	size_t *open; /* places that hold at vaddr */
	size_t nr_open;
};

/* ------------------------------------------------------------------ instructions and blocks */

static void decode(struct flow *w)
{
	struct types_function *f = w->f;
	size_t at = 0, cap = 0;

	while (at < f->size && w->nr < INSNS_MAX) {
		struct insn_flow *in;

		if (w->nr == cap) {
			cap = cap ? cap * 2 : 64;
			w->insns = xrealloc_array(w->insns, cap, sizeof(*w->insns));
		}
		in = &w->insns[w->nr++];
		*in = (struct insn_flow){ 0 };
		in->known = effect_of(f->disasm, f->bytes + at, f->size - at, f->shown + at,
				      &in->e);
		at += in->e.insn.len;
	}
}

/* (an instruction's address is the first of what is known of it) */
static size_t insn_at(const struct flow *w, u64 shown)
{
	size_t up_to = search_up_to(w->insns, w->nr, sizeof(*w->insns), shown);

	return up_to && w->insns[up_to - 1].e.insn.addr == shown ? up_to - 1 : w->nr;
}

static bool goes_on(const struct insn *in)
{
	return !in->bad && in->kind != INSN_RETURN && (in->kind != INSN_JUMP || in->conditional);
}

/* What compilers moved out of the way jumps back to where it came from. */
static void enter_from(struct flow *w, const struct types_part *part)
{
	_cleanup_(mem_freep) u8 *bytes = xmalloc(part->size);
	size_t size = dso_code_read(w->f->code, part->shown, bytes, part->size);
	struct effect e;

	w->computed |= size < part->size;
	for (size_t at = 0; at < size; at += e.insn.len) {
		size_t to;

		effect_of(w->f->disasm, bytes + at, size - at, part->shown + at, &e);
		to = e.insn.kind == INSN_JUMP && e.insn.has_target ? insn_at(w, e.insn.target)
								   : w->nr;
		w->computed |= e.insn.kind == INSN_JUMP && !e.insn.has_target;
		if (to < w->nr)
			w->insns[to].leads = w->insns[to].entered = true;
	}
}

static void find_blocks(struct flow *w)
{
	if (w->nr)
		w->insns[0].leads = true;
	for (size_t i = 0; i < w->nr; i++) {
		const struct insn *in = &w->insns[i].e.insn;
		size_t to;

		if (in->kind == INSN_JUMP && !in->has_target)
			w->computed = true;
		to = in->kind == INSN_JUMP && in->has_target ? insn_at(w, in->target) : w->nr;
		if (to < w->nr)
			w->insns[to].leads = true;
		if ((in->kind == INSN_JUMP || !goes_on(in)) && i + 1 < w->nr)
			w->insns[i + 1].leads = true;
	}
	for (u32 i = 0; i < w->f->nr_parts; i++)
		enter_from(w, &w->f->parts[i]);
	for (size_t i = 0; i < w->nr; i++)
		if (w->insns[i].leads)
			w->insns[i].block = w->nr_blocks++;
	w->blocks = XNEW_ARRAY(struct flow_state, w->nr_blocks + 1);
}

/* ------------------------------------------------------------------ states */

static bool same(const struct held *a, const struct held *b)
{
	return a->kind == b->kind && a->at == b->at && a->indexed == b->indexed &&
	       a->scale == b->scale &&
	       (a->kind != HELD_POINTER || type_ref_equal(a->type, b->type));
}

/* One more way leads to a block; whether that changes how it begins. */
static bool join(struct flow_state *to, const struct flow_state *from)
{
	bool changed = false;

	if (!to->reached) {
		*to = *from;
		to->reached = true;
		return true;
	}
	for (int r = 0; r < EFFECT_REGS; r++) {
		if (to->regs[r].kind == HELD_NOTHING || same(&to->regs[r], &from->regs[r]))
			continue;
		to->regs[r] = (struct held){ 0 };
		changed = true;
	}
	return changed;
}

/* Where the frame is, as the rules of unwinding have it. */
static void seed_frame(struct flow *w, struct flow_state *s)
{
	const struct types_function *f = w->f;
	struct cfi_step step;
	const struct unwind_abi *abi = f->cfi ? cfi_abi(f->cfi) : NULL;
	s8 reg;
	u64 offset;

	if (!abi || (s->regs[abi->sp].kind && s->regs[abi->fp].kind) ||
	    !dso_code_addr(f->code, f->shown + (w->vaddr - f->vaddr), &offset) ||
	    !cfi_find_step(f->cfi, offset, &step))
		return;
	if (step.kind == CFI_STEP_SP)
		reg = (s8)abi->sp;
	else if (step.kind == CFI_STEP_FP)
		reg = (s8)abi->fp;
	else
		return;
	if (reg >= 0 && reg < EFFECT_REGS && s->regs[reg].kind == HELD_NOTHING)
		s->regs[reg] = (struct held){ .kind = HELD_FRAME, .at = -(s64)step.cfa };
}

/* ------------------------------------------------------------------ variables at an instruction */

/* Places are by where they begin; those that hold at vaddr are kept open. */
static void move_to(struct flow *w, u64 vaddr)
{
	const struct types_places *p = &w->f->places;
	size_t kept = 0;

	if (vaddr < w->vaddr) {
		w->next_place = 0;
		w->nr_open = 0;
	}
	w->vaddr = vaddr;
	for (; w->next_place < p->nr && p->v[w->next_place].lo <= vaddr; w->next_place++)
		w->open[w->nr_open++] = w->next_place;
	for (size_t i = 0; i < w->nr_open; i++)
		if (p->v[w->open[i]].hi > vaddr)
			w->open[kept++] = w->open[i];
	w->nr_open = kept;
}

struct held_candidates {
	struct {
		struct held held;
		u16 depth;
	} v[CANDIDATES];
	size_t nr;
};

static void add_candidate(struct held_candidates *c, const struct held *held, u16 depth)
{
	size_t i = c->nr < CANDIDATES ? c->nr++ : CANDIDATES;

	if (i == CANDIDATES)
		return;
	/* innermost scopes first */
	for (; i && c->v[i - 1].depth < depth; i--)
		c->v[i] = c->v[i - 1];
	c->v[i].held = *held;
	c->v[i].depth = depth;
}

/* What a register holds at the instruction: as variables tell, then as the code does. */
static void candidates_of(const struct flow *w, const struct flow_state *s, s8 reg,
			  struct held_candidates *out)
{
	out->nr = 0;
	if (reg < 0 || reg >= EFFECT_REGS)
		return;
	for (size_t i = 0; i < w->nr_open; i++) {
		const struct types_place *p = &w->f->places.v[w->open[i]];
		struct held held = { .kind = HELD_POINTER, .at = p->at, .type = p->type };

		if (p->kind == PLACE_POINTER && p->reg == reg)
			add_candidate(out, &held, p->depth);
	}
	if (s->regs[reg].kind != HELD_NOTHING && out->nr < CANDIDATES) {
		out->v[out->nr].depth = 0;
		out->v[out->nr++].held = s->regs[reg];
	}
}

/* ------------------------------------------------------------------ accesses */

struct access_question {
	const struct flow *w;
	const struct flow_state *s;
	const struct effect_memory *m;
	bool indexed;
	u8 scale;
	struct type_place place; /* the answer */
};

/*
 * h: what the address is made of, beside what the instruction adds; NULL: a fixed one. With an
 * index, only what a pointer leads to is known: a variable's own place would have to be the number
 * in the code, and compilers make one number of it and of what they add to the index, which for
 * a[i - 1], or for loops that count up to 0, lies in the variable before or behind.
 */
static enum types_found try_place(struct access_question *q, const struct held *h,
				  struct type_ref type, s64 at, bool by_pointer)
{
	bool twice = h && h->indexed && q->indexed;
	struct type_place p = { .type = type,
				.at = at,
				.indexed = q->indexed || (h && h->indexed),
				.scale = h && h->indexed ? h->scale : q->scale,
				.size = q->m->size,
				.by_pointer = by_pointer };

	if (twice || (p.indexed && !by_pointer) || !type_settle(&p))
		return TYPES_OUTSIDE;
	q->place = p;
	return TYPES_KNOWN;
}

static s64 plus(s64 a, s64 b)
{
	return debug_plus(a, (u64)b);
}

/* How far an access is from the start of a variable; false: nothing tells. */
static bool offset_in(const struct access_question *q, const struct types_place *p,
		      const struct held *h, s8 reg, s64 *offset)
{
	const struct held *own = &q->s->regs[p->reg];

	if (p->kind == PLACE_BY_REGISTER && p->reg == reg) {
		*offset = plus(q->m->disp, -p->at);
		return true;
	}
	if (h->kind != HELD_FRAME || p->kind == PLACE_POINTER)
		return false;
	*offset = plus(plus(h->at, q->m->disp), -p->at);
	if (p->kind == PLACE_IN_FRAME)
		return true;
	*offset = plus(*offset, -own->at);
	return own->kind == HELD_FRAME && !own->indexed;
}

/* Variables by a register, or in the frame that it points to; of those that share a place, that of
 * the innermost scope. */
static enum types_found try_variables(struct access_question *q, s8 reg)
{
	const struct flow *w = q->w;
	const struct held *h = &q->s->regs[reg];
	enum types_found best = h->kind == HELD_FRAME ? TYPES_NO_VARIABLE : TYPES_NO_TYPE;
	u16 depth = 0;
	s64 offset;

	for (size_t i = 0; i < w->nr_open; i++) {
		const struct types_place *p = &w->f->places.v[w->open[i]];
		struct type_place before = q->place;

		if ((best == TYPES_KNOWN && p->depth < depth) ||
		    !offset_in(q, p, h, reg, &offset) || offset < 0)
			continue;
		if (try_place(q, h, p->type, offset, false) == TYPES_KNOWN) {
			best = TYPES_KNOWN;
			depth = p->depth;
		} else {
			q->place = before;
		}
	}
	return best;
}

static enum types_found try_global(struct access_question *q, const struct held *h, u64 shown)
{
	const struct types_function *f = q->w->f;
	const struct types_global *g;
	u64 vaddr = shown + (f->vaddr - f->shown);

	if (!f->has_globals)
		return TYPES_NO_VARIABLE;
	g = types_globals_find(f->globals, vaddr);
	return g ? try_place(q, h, g->type, (s64)(vaddr - g->addr), false) : TYPES_NO_VARIABLE;
}

static enum types_found try_held(struct access_question *q, const struct held *h)
{
	switch (h->kind) {
	case HELD_POINTER:
		return try_place(q, h, h->type, plus(h->at, q->m->disp), true);
	case HELD_ADDRESS:
		return try_global(q, h, (u64)plus(h->at, q->m->disp));
	case HELD_FRAME:
	case HELD_NOTHING:
		break;
	}
	return TYPES_NO_TYPE;
}

static enum types_found try_register(struct access_question *q, s8 reg)
{
	enum types_found best = try_variables(q, reg);
	struct held_candidates c;

	candidates_of(q->w, q->s, reg, &c);
	for (size_t i = 0; i < c.nr && best != TYPES_KNOWN; i++) {
		enum types_found found = try_held(q, &c.v[i].held);

		if (found == TYPES_KNOWN || best == TYPES_NO_TYPE)
			best = found;
	}
	return best;
}

static bool is_known(const struct flow *w, const struct flow_state *s, s8 reg)
{
	struct held_candidates c;

	candidates_of(w, s, reg, &c);
	return c.nr;
}

/* The register of an address that is a pointer: of two, one. EFFECT_NO_REG: none, or both. */
static s8 pointer_of(const struct flow *w, const struct flow_state *s,
		     const struct effect_memory *m)
{
	bool index = m->index >= 0 && m->scale == 1 && is_known(w, s, m->index);

	if (index && is_known(w, s, m->base))
		return EFFECT_NO_REG;
	return index ? m->index : m->base;
}

/* The place in memory that an instruction names, in what the state says. */
static enum types_found find_memory(struct access_question *q)
{
	const struct effect_memory *m = q->m;
	if (m->several)
		return TYPES_SEVERAL;
	if (m->segment)
		return TYPES_SEGMENT;
	if (!q->w->f->g)
		return TYPES_NO_DEBUG;
	if (!q->w->f->known)
		return TYPES_NO_FUNCTION;
	if (m->other)
		return TYPES_NO_TYPE;
	q->indexed = m->index >= 0;
	q->scale = m->scale;
	if (m->base < 0)
		return try_global(q, NULL, (u64)m->disp);
	return pointer_of(q->w, q->s, m) < 0 ? TYPES_NO_TYPE
					     : try_register(q, pointer_of(q->w, q->s, m));
}

/* What memory is at the instruction; *place where it is known. */
static enum types_found find_access(const struct flow *w, const struct flow_state *s,
				    const struct insn_flow *in, struct type_place *place)
{
	struct access_question q = { .w = w, .s = s, .m = &in->e.memory };
	enum types_found found;

	if (!in->known)
		return TYPES_NO_INSN;
	if (in->e.kind == EFFECT_ADDRESS)
		return TYPES_NO_MEMORY;
	if (!in->e.memory.there)
		return in->e.stack ? TYPES_STACK : TYPES_NO_MEMORY;
	found = find_memory(&q);
	if (found == TYPES_KNOWN)
		*place = q.place;
	return found;
}

/* ------------------------------------------------------------------ effects */

/* What is in a register + number, of what variables tell or the code. */
static struct held held_of(const struct flow *w, const struct flow_state *s, s8 reg, s64 number)
{
	struct held h = { 0 };
	struct held_candidates c;

	if (reg < 0)
		return h;
	h = s->regs[reg];
	candidates_of(w, s, reg, &c);
	/* (the code knows of the frame what variables in it do not) */
	if (c.nr && h.kind != HELD_FRAME)
		h = c.v[0].held;
	if (h.kind != HELD_NOTHING)
		h.at = plus(h.at, number);
	return h;
}

static struct held loaded(const struct flow *w, const struct flow_state *s,
			  const struct insn_flow *in)
{
	struct held h = { .kind = HELD_POINTER };
	struct type_place place;

	if (find_access(w, s, in, &place) != TYPES_KNOWN ||
	    !type_pointer_at(&place, w->f->machine->word, &h.type))
		return (struct held){ 0 };
	return h;
}

static struct held address_of(const struct flow *w, const struct flow_state *s,
			      const struct effect_memory *m)
{
	struct held h;

	if (m->segment || m->other)
		return (struct held){ 0 };
	if (m->base < 0)
		h = (struct held){ .kind = HELD_ADDRESS, .at = m->disp };
	else
		h = held_of(w, s, pointer_of(w, s, m), m->disp);
	if (m->index < 0 || h.kind == HELD_NOTHING)
		return h;
	if (h.indexed || pointer_of(w, s, m) == EFFECT_NO_REG)
		return (struct held){ 0 };
	h.indexed = true;
	h.scale = m->scale;
	return h;
}

static struct held result_of(const struct flow *w, const struct flow_state *s,
			     const struct insn_flow *in)
{
	const struct effect *e = &in->e;

	switch (e->kind) {
	case EFFECT_COPY:
		return held_of(w, s, e->src, 0);
	case EFFECT_ADD:
		return held_of(w, s, e->src, e->number);
	case EFFECT_PUSH:
		return held_of(w, s, e->dst, -e->number);
	case EFFECT_CONSTANT:
		return (struct held){ .kind = HELD_ADDRESS, .at = e->number };
	case EFFECT_ADDRESS:
		return address_of(w, s, &e->memory);
	case EFFECT_LOAD:
		return loaded(w, s, in);
	case EFFECT_NONE:
		break;
	}
	return (struct held){ 0 };
}

/* What a function that is called by its address returns. */
static struct held returned(const struct flow *w, const struct insn *in)
{
	const struct types_function *f = w->f;
	u64 vaddr = in->target + (f->vaddr - f->shown);
	struct held h = { .kind = HELD_POINTER };
	struct dwarf_entry e, type;
	struct debug_unit *u;
	u64 start;

	if (!f->g || !f->has_globals || !in->has_target)
		return (struct held){ 0 };
	u = debug_info_unit_of(f->g, vaddr);
	if (!u || !debug_function_at(u, vaddr, &e) || !debug_entry_start(&e, &start) ||
	    start != vaddr || !dwarf_entry_type(&e, &type) || !type_pointee(&type, &h.type))
		return (struct held){ 0 };
	return h;
}

static void apply(const struct flow *w, struct flow_state *s, const struct insn_flow *in)
{
	struct held dst = result_of(w, s, in);

	for (int r = 0; r < EFFECT_REGS; r++)
		if (in->e.written >> r & 1)
			s->regs[r] = (struct held){ 0 };
	if (in->e.kind != EFFECT_NONE && in->e.dst >= 0)
		s->regs[in->e.dst] = dst;
	if (in->known && in->e.insn.kind == INSN_CALL)
		s->regs[w->f->machine->result] = returned(w, &in->e.insn);
}

/* ------------------------------------------------------------------ passes */

/* Variables may be known by their places in code that nobody knows the ways to. */
static void begin_block(struct flow *w, struct flow_state *s, const struct insn_flow *in)
{
	*s = w->blocks[in->block];
	if ((!s->reached && w->all_reached) || w->computed || in->entered)
		*s = (struct flow_state){ .reached = true };
}

/* A case of a switch begins with a line of its own. */
static bool may_be_entered(struct flow *w, u64 vaddr, struct dwarf_place *line)
{
	struct dwarf_unit *u = w->f->g ? dwarf_unit_of(w->f->g->dwarf, vaddr) : NULL;
	struct dwarf_place here = { 0 };
	bool other;

	if (!w->computed)
		return false;
	if (!u || !dwarf_line_find(w->f->g->dwarf, u, vaddr, &here))
		return true;
	other = here.line != line->line || here.file != line->file ||
		here.discriminator != line->discriminator;
	*line = here;
	return other;
}

static bool lead_on(struct flow *w, const struct flow_state *s, size_t i)
{
	const struct insn *in = &w->insns[i].e.insn;
	bool changed = false;
	size_t to = in->kind == INSN_JUMP && in->has_target ? insn_at(w, in->target) : w->nr;

	if (to < w->nr)
		changed |= join(&w->blocks[w->insns[to].block], s);
	if (goes_on(in) && i + 1 < w->nr && w->insns[i + 1].leads)
		changed |= join(&w->blocks[w->insns[i + 1].block], s);
	return changed;
}

/* CPUs execute a comparison and the jump behind it as one, and tell the jump's address. */
static bool is_fused(const struct flow *w, size_t i)
{
	const struct insn_flow *in = &w->insns[i], *before = i ? in - 1 : in;

	return i && in->known && in->e.insn.kind == INSN_JUMP && in->e.insn.conditional &&
	       !in->leads && before->e.memory.there &&
	       (!strcmp(before->e.name, "cmp") || !strcmp(before->e.name, "test"));
}

static void add_insn(const struct flow *w, const struct flow_state *s, size_t i,
		     struct types_insns *out)
{
	const struct insn_flow *in = &w->insns[i];
	struct types_insn *o = VEC_PUSH(out);

	if (is_fused(w, i)) {
		*o = o[-1];
		o->access.fused = true;
	} else {
		*o = (struct types_insn){ 0 };
		o->access.insn = in->e.name;
		o->access.size = in->e.memory.size;
		o->access.found = find_access(w, s, in, &o->place);
	}
	o->addr = w->f->start + (in->e.insn.addr - w->f->shown);
}

/* Through all instructions once. out NULL: only how blocks begin is found out. */
static bool pass(struct flow *w, struct types_insns *out)
{
	const struct types_function *f = w->f;
	struct dwarf_place line = { 0 };
	struct flow_state s = { 0 };
	bool changed = false;

	for (size_t i = 0; i < w->nr; i++) {
		const struct insn_flow *in = &w->insns[i];
		u64 at = in->e.insn.addr - f->shown;

		move_to(w, f->vaddr + at);
		if (in->leads)
			begin_block(w, &s, in);
		if (may_be_entered(w, f->vaddr + at, &line))
			s = (struct flow_state){ .reached = true };
		if (!s.reached)
			continue;
		if (i)
			seed_frame(w, &s);
		if (out)
			add_insn(w, &s, i, out);
		apply(w, &s, in);
		if (!out &&
		    (in->e.insn.kind == INSN_JUMP || (i + 1 < w->nr && w->insns[i + 1].leads)))
			changed |= lead_on(w, &s, i);
	}
	return changed;
}

static void begin(struct flow *w)
{
	const struct effect_machine *m = w->f->machine;

	w->blocks[0] = (struct flow_state){ .reached = true };
	if (w->f->is_entry)
		w->blocks[0].regs[m->stack] = (struct held){ .kind = HELD_FRAME,
							     .at = -(s64)m->entry_frame };
}

/*
 * Until nothing changes; then once more with the blocks that nothing is seen to lead to. Each pass
 * takes something away: who needs more of them than that gets nothing.
 */
static void solve(struct flow *w)
{
	int passes = 0;

	begin(w);
	for (int round = 0; round < 2; round++) {
		w->all_reached = round == 1;
		while (pass(w, NULL) && passes < PASSES_MAX)
			passes++;
	}
	w->computed |= passes == PASSES_MAX;
}

void types_flow(struct types_function *f, struct types_insns *out)
{
	struct flow w = { .f = f };

	decode(&w);
	find_blocks(&w);
	w.open = XNEW_ARRAY(size_t, f->places.nr + 1);
	if (w.nr && f->known)
		solve(&w);
	w.all_reached = true;
	pass(&w, out);
	free(w.open);
	free(w.blocks);
	free(w.insns);
}
