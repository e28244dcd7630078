/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names that a format has for values of fields. */
#include "tracefmt/operators.h"

struct names_walk {
	const struct tracefmt *t;
	tracefmt_name_fn fn;
	void *ctx;
	const struct tracefmt_field *field; /* that an expression was about last */
	const struct tracefmt_field *flags; /* that has had names of bits */
	bool plain; /* those were of the field as it stands */
};

/* Whether an expression is a field, perhaps cast, or (some_bits) a part of its bits. */
static bool is_plain(const struct tracefmt *t, u32 at, bool some_bits)
{
	const struct print_node *x = &t->nodes[at];

	while (x->type == NODE_CAST || (some_bits && x->type == NODE_BINARY && x->op == OP_BAND)) {
		if (x->type == NODE_BINARY && t->nodes[x->b].type != NODE_NUM)
			return false;
		x = &t->nodes[x->a];
	}
	return x->type == NODE_FIELD;
}

static void tell(struct names_walk *w, const struct print_node *x)
{
	struct tracefmt_names n = {
		.kind = TRACEFMT_NAMES_BEGIN,
		.field = w->field,
		.flags = x->type == NODE_FLAGS,
		.plain = is_plain(w->t, x->a, x->type == NODE_FLAGS),
		.text = x->str ? x->str : "",
		.len = x->str ? x->len : 0,
	};

	if (!w->field)
		return;
	if (n.flags) {
		w->flags = w->field;
		w->plain = n.plain;
	}
	w->fn(w->ctx, &n);
	n.kind = TRACEFMT_NAMES_VALUE;
	for (u32 i = 0; i < x->nr_pairs; i++) {
		n.value = x->pairs[i].value;
		n.text = x->pairs[i].str;
		n.len = x->pairs[i].len;
		w->fn(w->ctx, &n);
	}
}

/* A text in place of names of bits: what is shown when there is none. */
static void tell_none(struct names_walk *w, const struct print_node *x)
{
	const struct tracefmt_names n = {
		.kind = TRACEFMT_NAMES_VALUE,
		.field = w->field,
		.flags = true,
		.plain = w->plain,
		.text = x->str,
		.len = x->len,
	};

	if (x->type == NODE_STRING && w->field && w->field == w->flags)
		w->fn(w->ctx, &n);
}

static void walk(struct names_walk *w, u32 at)
{
	const struct print_node *x = &w->t->nodes[at];

	if (!at || at >= w->t->nr_nodes)
		return;
	if (x->type == NODE_FIELD)
		w->field = x->field;
	walk(w, x->a);
	if (x->type == NODE_FLAGS || x->type == NODE_SYMBOLIC) {
		tell(w, x);
		return;
	}
	walk(w, x->b);
	if (x->type == NODE_COND && x->b)
		tell_none(w, &w->t->nodes[x->b]);
	walk(w, x->c);
	if (x->type == NODE_COND && x->c)
		tell_none(w, &w->t->nodes[x->c]);
}

void tracefmt_each_name(const struct tracefmt *t, tracefmt_name_fn fn, void *ctx)
{
	struct names_walk w = { .t = t, .fn = fn, .ctx = ctx };

	for (u32 i = 0; !t->failed && i < t->nr_pieces; i++)
		if (t->pieces[i].kind != PIECE_TEXT)
			walk(&w, t->pieces[i].node);
}
