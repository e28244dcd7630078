/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Location expressions (DWARF 5 sections 2.5 and 2.6) as what can be looked at: they are run on
 * values that are a register and a number, or memory that these lead to.
 */
#include <errno.h>
#include <string.h>

#include "dso/dwarf/forms.h"
#include "dso/symbols/symtab.h"
#include "debug/debug.h"
#include "unwind/cfi.h"

enum { STACK_MAX = 16, STEPS_MAX = 256 };

enum {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S,
	OP_CONST2U,
	OP_CONST2S,
	OP_CONST4U,
	OP_CONST4S,
	OP_CONST8U,
	OP_CONST8S,
	OP_CONSTU,
	OP_CONSTS,
	OP_MINUS = 0x1c,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_REG0 = 0x50,
	OP_REG31 = 0x6f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_REGX = 0x90,
	OP_FBREG = 0x91,
	OP_BREGX = 0x92,
	OP_PIECE = 0x93,
	OP_NOP = 0x96,
	OP_CALL_FRAME_CFA = 0x9c,
	OP_IMPLICIT_VALUE = 0x9e,
	OP_STACK_VALUE = 0x9f,
	OP_IMPLICIT_POINTER = 0xa0,
	OP_ADDRX = 0xa1,
	OP_GNU_IMPLICIT_POINTER = 0xf2,
	OP_CONSTX = 0xa2,
	OP_GNU_ADDR_INDEX = 0xfb,
	OP_GNU_CONST_INDEX = 0xfc,
};

struct location_machine {
	const struct debug_context *c;
	const struct dwarf_entry *of; /* whose expression it is */
	struct dwarf_reader r;
	struct debug_value stack[STACK_MAX];
	u32 nr;
	bool in_frame_base;
	bool is_value; /* the result is the object itself */
	u64 piece;
};

static int run(struct location_machine *m);

/* ---- the frame ---- */

/* As the unwinder's rule has it: a register and a number. */
static int canonical_frame(struct location_machine *m, struct debug_value *out)
{
	struct debug_info *g = m->c->g;
	const struct elf_file *object = elf_file_is_open(&g->files.object) ? &g->files.object
									   : &g->files.debug;
	const struct cfi_rule *rule;
	u64 offset;

	if (m->c->by_frame) {
		*out = (struct debug_value){ .base = DEBUG_FRAME };
		return 0;
	}
	if (!g->cfi_tried) {
		g->cfi_tried = true;
		g->cfi = cfi_open(object,
				  elf_file_is_open(&g->files.debug) ? &g->files.debug : NULL);
	}
	if (!g->cfi || !elf_file_offset(object, m->c->addr, &offset))
		return -ENOTSUP;
	rule = cfi_find(g->cfi, offset);
	if (!rule || rule->cfa.kind != CFI_REGISTER)
		return -ENOTSUP;
	*out = (struct debug_value){ .base = DEBUG_REGISTER,
				     .v = rule->cfa.reg,
				     .add = rule->cfa.value };
	return 0;
}

struct location_choice {
	u64 addr;
	const u8 *code;
	size_t len;
};

static bool choose(void *ctx, u64 lo, u64 hi, const u8 *code, size_t len)
{
	struct location_choice *ch = ctx;

	if (ch->addr < lo || ch->addr >= hi || !len)
		return true;
	ch->code = code;
	ch->len = len;
	return false;
}

static int frame_base(struct location_machine *m, struct debug_value *out)
{
	const struct dwarf_entry *f = &m->c->scopes[0];
	struct location_choice ch = { .addr = m->c->addr };
	struct location_machine inner = { .c = m->c, .of = f, .in_frame_base = true };
	int ret;

	if (m->in_frame_base || !m->c->nr_scopes ||
	    (m->c->by_frame && f->frame_base.class != DWARF_BLOCK) ||
	    !dwarf_locations(f, &f->frame_base, choose, &ch) || !ch.code)
		return -ENOTSUP;
	inner.r =
		(struct dwarf_reader){ .p = ch.code, .end = ch.code + ch.len, .swap = f->d->swap };
	ret = run(&inner);
	if (ret < 0)
		return ret;
	if (!inner.nr || inner.piece)
		return -ENOTSUP;
	*out = inner.stack[inner.nr - 1];
	return 0;
}

/* ---- instructions ---- */

static int push(struct location_machine *m, const struct debug_value *v)
{
	if (m->nr == STACK_MAX)
		return -ENOTSUP;
	m->stack[m->nr++] = *v;
	return 0;
}

static int push_number(struct location_machine *m, u64 v)
{
	return push(m, &(struct debug_value){ .base = DEBUG_NUMBER, .v = v });
}

static int push_register(struct location_machine *m, u64 nr, s64 add)
{
	return push(m, &(struct debug_value){ .base = DEBUG_REGISTER, .v = nr, .add = add });
}

/* Numbers that are added to something that is none. */
static int add(struct location_machine *m, bool subtract)
{
	struct debug_value *a = m->nr >= 2 ? &m->stack[m->nr - 2] : NULL;
	struct debug_value *b = a ? a + 1 : NULL;

	if (!a)
		return -ENOTSUP;
	if (a->base == DEBUG_NUMBER && !a->nr_derefs && !subtract) {
		struct debug_value swap = *a;

		*a = *b;
		*b = swap;
	}
	if (b->base != DEBUG_NUMBER || b->nr_derefs)
		return -ENOTSUP;
	a->add = debug_plus(a->add, subtract ? 0 - (b->v + (u64)b->add) : b->v + (u64)b->add);
	m->nr--;
	return 0;
}

static int deref(struct location_machine *m)
{
	struct debug_value *v = m->nr ? &m->stack[m->nr - 1] : NULL;

	if (!v || v->nr_derefs == DEBUG_DEREFS_MAX || v->base == DEBUG_NUMBER)
		return -ENOTSUP;
	v->derefs[v->nr_derefs++] = v->add;
	v->add = 0;
	return 0;
}

/* Forms of numbers: bytes, and whether they have a sign. */
static int run_constant(struct location_machine *m, u8 op)
{
	unsigned int size = 1U << ((op - OP_CONST1U) / 2);

	if (op == OP_CONSTU)
		return push_number(m, dwarf_uleb(&m->r));
	if (op == OP_CONSTS)
		return push_number(m, (u64)dwarf_sleb(&m->r));
	if ((op - OP_CONST1U) % 2)
		return push_number(m, (u64)dwarf_signed(&m->r, size));
	return push_number(m, dwarf_bytes(&m->r, size));
}

static int run_implicit(struct location_machine *m)
{
	u64 size = dwarf_uleb(&m->r);

	if (!size || size > sizeof(u64))
		return -ENOTSUP;
	m->is_value = true;
	return push_number(m, dwarf_bytes(&m->r, (unsigned int)size));
}

static int run_indexed(struct location_machine *m, u8 op)
{
	u64 addr;

	if (!dwarf_address(m->of->d, m->of->u, dwarf_uleb(&m->r), &addr))
		return -ENOTSUP;
	if (op == OP_CONSTX || op == OP_GNU_CONST_INDEX)
		return push_number(m, addr);
	return push(m, &(struct debug_value){ .base = DEBUG_ADDRESS, .v = addr });
}

static int run_frame(struct location_machine *m, u8 op)
{
	struct debug_value v;
	s64 offset = op == OP_FBREG ? dwarf_sleb(&m->r) : 0;
	int ret = op == OP_FBREG ? frame_base(m, &v) : canonical_frame(m, &v);

	if (ret < 0)
		return ret;
	v.add = debug_plus(v.add, (u64)offset);
	return push(m, &v);
}

static int run_register(struct location_machine *m, u8 op)
{
	if (op >= OP_BREG0 && op <= OP_BREG31)
		return push_register(m, op - OP_BREG0, dwarf_sleb(&m->r));
	if (op == OP_BREGX) {
		u64 nr = dwarf_uleb(&m->r);

		return push_register(m, nr, dwarf_sleb(&m->r));
	}
	m->is_value = true;
	return push_register(m, op == OP_REGX ? dwarf_uleb(&m->r) : (u64)op - OP_REG0, 0);
}

static int step(struct location_machine *m, u8 op)
{
	if (op >= OP_LIT0 && op <= OP_LIT31)
		return push_number(m, op - OP_LIT0);
	if ((op >= OP_REG0 && op <= OP_BREG31) || op == OP_REGX || op == OP_BREGX)
		return run_register(m, op);
	if (op >= OP_CONST1U && op <= OP_CONSTS)
		return run_constant(m, op);
	switch (op) {
	case OP_NOP:
		return 0;
	case OP_ADDR:
		return push(m,
			    &(struct debug_value){ .base = DEBUG_ADDRESS,
						   .v = dwarf_bytes(&m->r, m->of->u->addr_size) });
	case OP_ADDRX:
	case OP_GNU_ADDR_INDEX:
	case OP_CONSTX:
	case OP_GNU_CONST_INDEX:
		return run_indexed(m, op);
	case OP_FBREG:
	case OP_CALL_FRAME_CFA:
		return run_frame(m, op);
	case OP_PLUS:
	case OP_MINUS:
		return add(m, op == OP_MINUS);
	case OP_PLUS_UCONST:
		return push_number(m, dwarf_uleb(&m->r)) < 0 ? -ENOTSUP : add(m, false);
	case OP_DEREF:
		return deref(m);
	case OP_IMPLICIT_VALUE:
		return run_implicit(m);
	case OP_STACK_VALUE:
		m->is_value = true;
		return 0;
	case OP_PIECE:
		m->piece = dwarf_uleb(&m->r);
		/* Of what is in several places, the first is enough where it is a whole word. */
		if (!m->nr || m->piece < sizeof(u64) || m->r.bad)
			return -ENOTSUP;
		m->r.p = m->r.end;
		return 0;
	default:
		return -ENOTSUP;
	}
}

static int run(struct location_machine *m)
{
	for (int steps = 0; m->r.p < m->r.end; steps++) {
		u8 op = (u8)dwarf_bytes(&m->r, 1);
		int ret = steps < STEPS_MAX ? step(m, op) : -ENOTSUP;

		if (ret < 0 || m->r.bad)
			return ret < 0 ? ret : -ENOTSUP;
	}
	return 0;
}

/* ---- variables ---- */

static int locate_constant(const struct dwarf_entry *var, struct debug_value *out)
{
	const struct dwarf_value *v = &var->const_value;
	struct dwarf_reader r = { .swap = var->d->swap };

	*out = (struct debug_value){ .base = DEBUG_NUMBER };
	if (v->class == DWARF_CONSTANT) {
		out->v = v->v;
		return 0;
	}
	if (v->class != DWARF_BLOCK || !v->v || v->v > sizeof(u64))
		return v->class == DWARF_NOTHING ? -ENOENT : -ENOTSUP;
	r.p = (const u8 *)v->s;
	r.end = r.p + v->v;
	out->v = dwarf_bytes(&r, (unsigned int)v->v);
	return 0;
}

/* A variable of another unit, by the symbol that the linker found. */
static int locate_external(const struct debug_context *c, const struct dwarf_entry *var,
			   struct debug_value *out)
{
	const struct symtab *st = debug_info_symbols(c->g);
	const char *name = dwarf_function_name(var->d, var->u, &var->die);
	u32 i = name ? symtab_find_name(st, name) : SYM_NONE;

	if (i == SYM_NONE)
		return -ENOENT;
	*out = (struct debug_value){ .base = DEBUG_ADDRESS,
				     .v = symtab_start(st, i),
				     .is_place = true };
	return 0;
}

static int evaluate(const struct debug_context *c, const struct dwarf_entry *var, const u8 *code,
		    size_t len, struct debug_value *out)
{
	struct location_machine m = { .c = c, .of = var };
	int ret;

	m.r = (struct dwarf_reader){ .p = code, .end = code + len, .swap = var->d->swap };
	ret = run(&m);
	if (ret < 0)
		return ret;
	if (!m.nr)
		return -ENOENT;
	*out = m.stack[m.nr - 1];
	out->is_place = !m.is_value;
	out->in_pieces = m.piece != 0;
	/* A number that would be an address: of what each thread has. */
	return out->is_place && out->base == DEBUG_NUMBER ? -ENOTSUP : 0;
}

int debug_locate(const struct debug_context *c, const struct dwarf_entry *var,
		 struct debug_value *out)
{
	struct location_choice ch = { .addr = c->addr };

	if (!var->location.class)
		return var->external && var->declaration ? locate_external(c, var, out)
							 : locate_constant(var, out);
	if (!dwarf_locations(var, &var->location, choose, &ch) || !ch.code)
		return -ENOENT;
	return evaluate(c, var, ch.code, ch.len, out);
}

struct all_places {
	struct debug_context *c;
	const struct dwarf_entry *var;
	u64 lo, hi;
	debug_place_fn *fn;
	void *ctx;
};

static bool hand_out_place(void *ctx, u64 lo, u64 hi, const u8 *code, size_t len)
{
	struct all_places *a = ctx;
	struct debug_value v;

	lo = MAX(lo, a->lo);
	hi = MIN(hi, a->hi);
	if (lo >= hi || !len)
		return true;
	a->c->addr = lo;
	if (evaluate(a->c, a->var, code, len, &v) == 0)
		a->fn(a->ctx, lo, hi, &v);
	return true;
}

void debug_locate_all(struct debug_context *c, const struct dwarf_entry *var, u64 lo, u64 hi,
		      debug_place_fn *fn, void *ctx)
{
	struct all_places a = { c, var, lo, hi, fn, ctx };

	c->by_frame = true;
	if (var->location.class)
		dwarf_locations(var, &var->location, hand_out_place, &a);
	c->by_frame = false;
}

bool debug_expression_is_somewhere(const u8 *code, size_t len)
{
	return len && code[0] != OP_IMPLICIT_POINTER && code[0] != OP_GNU_IMPLICIT_POINTER;
}

bool debug_context_init(struct debug_context *c, struct debug_info *g, u64 addr,
			const struct dwarf_entry *function)
{
	c->g = g;
	c->addr = addr;
	c->own = 0;
	c->nr_scopes = debug_scopes_at(g, addr, c->scopes, DEBUG_SCOPES_MAX - 1);
	for (size_t i = 0; i < c->nr_scopes; i++) {
		const struct dwarf_entry *e = &c->scopes[i];

		if (function ? e->d == function->d && e->offset == function->offset
			     : e->die.tag == DW_TAG_inlined_subroutine)
			c->own = i;
	}
	if (!c->nr_scopes)
		return false;
	/* Where something inlined is entered, it may have no code. */
	if (function && function->die.tag == DW_TAG_inlined_subroutine &&
	    c->scopes[c->own].offset != function->offset) {
		c->own = c->nr_scopes;
		c->scopes[c->nr_scopes++] = *function;
	}
	return true;
}
