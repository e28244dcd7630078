/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiling "print fmt": a tokenizer, a parser for the C-like expressions of the arguments, and the
 * split of the format string into pieces. Anything outside the known language marks the format as
 * failed; it then prints its raw fields.
 *
 * The texts are compatible with what existing scripts parse, so the expressions have the
 * reference's meaning, found by experiment (doc/compatibility.md), which is not always C's:
 * operators of equal rank group to the right; a parenthesis does not protect its content from a
 * tighter operator on its left (`a & (b | c)` is `(a & b) | c`); the third operand of ?: is a
 * single operand; all arithmetic is unsigned 64-bit; xor is not known.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/digits.h"
#include "tracefmt/operators.h"

enum token {
	TOK_END,
	TOK_IDENT,
	TOK_NUMBER,
	TOK_STRING,
	TOK_CHAR,
	TOK_OP,
};

struct compiler {
	struct tracefmt *t;
	struct arena *arena;
	const char *p, *end;
	enum token tok;
	const char *s; /* text of the token, without quotes */
	size_t len;
	VEC(struct print_node) nodes;
	VEC(struct print_piece) pieces;
	VEC(u32) args;
	unsigned int depth;
	bool failed;
};

/* ------------------------------------------------------------------ tokens */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void lex_quoted(struct compiler *c, char quote)
{
	const char *p = c->p + 1;

	c->s = p;
	while (p < c->end && *p != quote) {
		if (*p == '\\' && p + 1 < c->end)
			p++;
		p++;
	}
	if (p >= c->end) {
		c->failed = true;
		c->tok = TOK_END;
		return;
	}
	c->len = (size_t)(p - c->s);
	c->p = p + 1;
	c->tok = quote == '"' ? TOK_STRING : TOK_CHAR;
}

static void lex_operator(struct compiler *c)
{
	static const char *const pairs[] = { "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };

	c->tok = TOK_OP;
	c->s = c->p;
	c->len = 1;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (c->end - c->p >= 2 && c->p[0] == pairs[i][0] && c->p[1] == pairs[i][1])
			c->len = 2;
	c->p += c->len;
}

static void next(struct compiler *c)
{
	while (c->p < c->end && isspace((unsigned char)*c->p))
		c->p++;
	if (c->p >= c->end) {
		c->tok = TOK_END;
		c->s = c->end;
		c->len = 0;
		return;
	}
	char ch = *c->p;

	if (ch == '"' || ch == '\'') {
		lex_quoted(c, ch);
	} else if (is_word(ch)) {
		c->tok = isdigit((unsigned char)ch) ? TOK_NUMBER : TOK_IDENT;
		c->s = c->p;
		while (c->p < c->end && is_word(*c->p))
			c->p++;
		c->len = (size_t)(c->p - c->s);
	} else {
		lex_operator(c);
	}
}

static bool is(const struct compiler *c, const char *text)
{
	return (c->tok == TOK_OP || c->tok == TOK_IDENT) && strlen(text) == c->len &&
	       !memcmp(c->s, text, c->len);
}

static bool accept(struct compiler *c, const char *op)
{
	if (c->tok != TOK_OP || !is(c, op))
		return false;
	next(c);
	return true;
}

static bool expect(struct compiler *c, const char *op)
{
	if (accept(c, op))
		return true;
	c->failed = true;
	return false;
}

/* ------------------------------------------------------------------ nodes */

static u32 add_node(struct compiler *c, u8 type)
{
	if (c->nodes.nr >= TRACEFMT_MAX_NODES) {
		c->failed = true;
		return 0;
	}
	*VEC_PUSH(&c->nodes) = (struct print_node){ .type = type };
	return (u32)c->nodes.nr - 1;
}

static u32 fail(struct compiler *c)
{
	c->failed = true;
	return 0;
}

static u32 parse_operand(struct compiler *c);
static u32 parse_full(struct compiler *c);
static u32 fold(struct compiler *c, u32 n);
static s64 constant_of(struct compiler *c, u32 n);

/* Adjacent literals are one string. Escapes stay as they are: only format strings have them. */
static const char *parse_string(struct compiler *c, u32 *len)
{
	struct strbuf sb = STRBUF_INIT;

	while (c->tok == TOK_STRING) {
		strbuf_add(&sb, c->s, c->len);
		next(c);
	}
	const char *s = arena_dup(c->arena, sb.buf, sb.len + 1);

	*len = (u32)sb.len;
	strbuf_release(&sb);
	return s;
}

static const struct tracefmt_field *find_field(struct compiler *c, const char *s, size_t len)
{
	for (u32 i = 0; i < c->t->nr_fields; i++) {
		const struct tracefmt_field *f = &c->t->fields[i];

		if (strlen(f->name) == len && !memcmp(f->name, s, len))
			return f;
	}
	return NULL;
}

/* ------------------------------------------------------------------ calls */

static u32 parse_field_arg(struct compiler *c, u8 type)
{
	if (c->tok != TOK_IDENT)
		return fail(c);
	const struct tracefmt_field *f = find_field(c, c->s, c->len);
	u32 n = add_node(c, type);

	if (!f)
		return fail(c);
	c->nodes.v[n].field = f;
	next(c);
	expect(c, ")");
	return n;
}

/* { value, "text" }, ... up to the closing parenthesis. */
static void parse_pairs(struct compiler *c, u32 n)
{
	VEC(struct node_pair) pairs = { 0 };

	while (!c->failed && !is(c, ")")) {
		struct node_pair pair = { .str = "" };

		if (!expect(c, "{"))
			break;
		u32 value = parse_full(c);

		if (!expect(c, ","))
			break;
		if (c->tok == TOK_STRING)
			pair.str = parse_string(c, &pair.len);
		else
			parse_full(c); /* a null pointer ends some tables */
		pair.value = constant_of(c, value);
		*VEC_PUSH(&pairs) = pair;
		if (!expect(c, "}") || pairs.nr >= TRACEFMT_MAX_NODES || !accept(c, ","))
			break;
	}
	expect(c, ")");
	c->nodes.v[n].nr_pairs = (u32)pairs.nr;
	c->nodes.v[n].pairs = arena_dup(c->arena, pairs.v ? (const void *)pairs.v : "",
					pairs.nr * sizeof(*pairs.v));
	vec_free(&pairs);
}

static u32 parse_flags(struct compiler *c, bool symbolic)
{
	u32 value = fold(c, parse_full(c));
	u32 n = add_node(c, symbolic ? NODE_SYMBOLIC : NODE_FLAGS);

	c->nodes.v[n].a = value;
	if (!expect(c, ","))
		return n;
	if (!symbolic) {
		u32 delimiter = parse_operand(c);

		c->nodes.v[n].str = c->nodes.v[delimiter].str;
		c->nodes.v[n].len = c->nodes.v[delimiter].len;
		if (!expect(c, ","))
			return n;
	}
	parse_pairs(c, n);
	return n;
}

/* The arguments are single operands: `len / 4` is not understood here. */
static u32 parse_array(struct compiler *c, u8 type)
{
	u32 a = parse_operand(c);
	u32 b = 0;
	u32 size = 0;

	expect(c, ",");
	b = parse_operand(c);
	if (type == NODE_ARRAY) {
		expect(c, ",");
		size = parse_operand(c);
	}
	expect(c, ")");
	u32 n = add_node(c, type);

	c->nodes.v[n].a = a;
	c->nodes.v[n].b = b;
	c->nodes.v[n].c = size;
	return n;
}

/* __builtin_expect(value, hint): the value. */
static u32 parse_builtin_expect(struct compiler *c)
{
	u32 n = parse_full(c);

	expect(c, ",");
	parse_full(c);
	expect(c, ")");
	return n;
}

static u32 parse_call(struct compiler *c, const char *name, size_t len)
{
	static const struct {
		const char *name;
		u8 type;
	} calls[] = {
		{ "__print_flags", NODE_FLAGS },
		{ "__print_symbolic", NODE_SYMBOLIC },
		{ "__print_hex", NODE_HEX },
		{ "__print_hex_str", NODE_HEX_STR },
		{ "__print_array", NODE_ARRAY },
		{ "__get_str", NODE_GET_STR },
		{ "__get_rel_str", NODE_GET_STR },
		{ "__get_dynamic_array", NODE_DYNAMIC },
		{ "__get_rel_dynamic_array", NODE_DYNAMIC },
		{ "__get_dynamic_array_len", NODE_DYNAMIC_LEN },
		{ "__get_rel_dynamic_array_len", NODE_DYNAMIC_LEN },
		{ "__get_bitmask", NODE_BITMASK },
		{ "__get_rel_bitmask", NODE_BITMASK },
		{ "__get_cpumask", NODE_BITMASK },
		{ "__get_rel_cpumask", NODE_BITMASK },
		{ "__builtin_expect", NODE_NUM },
	};
	u8 type = NODE_NONE;

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (strlen(calls[i].name) == len && !memcmp(calls[i].name, name, len))
			type = calls[i].type;
	switch (type) {
	case NODE_FLAGS:
		return parse_flags(c, false);
	case NODE_SYMBOLIC:
		return parse_flags(c, true);
	case NODE_HEX:
	case NODE_HEX_STR:
	case NODE_ARRAY:
		return parse_array(c, type);
	case NODE_GET_STR:
	case NODE_DYNAMIC:
	case NODE_DYNAMIC_LEN:
	case NODE_BITMASK:
		return parse_field_arg(c, type);
	case NODE_NUM:
		return parse_builtin_expect(c);
	default:
		return fail(c); /* a function we do not know */
	}
}

/* ------------------------------------------------------------------ expressions */

static const struct operator
{
	const char *text;
	u8 op;
	u8 rank; /* greater binds less */
}
operators[] = {
	{ "*", OP_MUL, 6 },   { "/", OP_DIV, 6 },   { "%", OP_MOD, 6 },   { "+", OP_ADD, 7 },
	{ "-", OP_SUB, 7 },   { "<<", OP_SHL, 8 },  { ">>", OP_SHR, 8 },  { "<", OP_LT, 9 },
	{ ">", OP_GT, 9 },    { "<=", OP_LE, 10 },  { ">=", OP_GE, 10 },  { "==", OP_EQ, 10 },
	{ "!=", OP_NE, 10 },  { "&", OP_BAND, 11 }, { "^", OP_BXOR, 12 }, { "|", OP_BOR, 13 },
	{ "&&", OP_AND, 14 }, { "||", OP_OR, 15 },
};

enum { RANK_UNARY = 4, RANK_MINUS = 7, RANK_COND = 16 };

static const struct operator* current_operator(const struct compiler *c)
{
	if (c->tok != TOK_OP)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (is(c, operators[i].text))
			return &operators[i];
	return NULL;
}

/* Rank of the token that follows an operand: 0 = an index, -1 = no operator. */
static int next_rank(const struct compiler *c)
{
	const struct operator* op = current_operator(c);

	if (op)
		return op->rank;
	if (c->tok != TOK_OP)
		return -1;
	return is(c, "?") ? RANK_COND : is(c, "[") ? 0 : -1;
}

/* How loosely a node binds when it stands right of an operator; 0 = not an operation. */
static int node_rank(const struct print_node *x)
{
	if (x->type == NODE_COND)
		return RANK_COND;
	if (x->type == NODE_UNARY)
		return x->op == OP_NEG ? RANK_MINUS : RANK_UNARY;
	if (x->type == NODE_BINARY)
		for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
			if (operators[i].op == x->op)
				return operators[i].rank;
	return 0;
}

static u64 parse_number(const char *s, size_t len)
{
	u64 v = 0;
	unsigned int base = 10;
	size_t i = 0;

	if (len > 1 && s[0] == '0') {
		base = 8;
		i = 1;
		if (s[1] == 'x' || s[1] == 'X') {
			base = 16;
			i = 2;
		}
	}
	for (; i < len && isxdigit((unsigned char)s[i]); i++) {
		unsigned int d = isdigit((unsigned char)s[i])
					 ? (unsigned int)(s[i] - '0')
					 : (unsigned int)((s[i] | 0x20) - 'a' + 10);

		if (d >= base)
			break;
		v = v * base + d;
	}
	return v;
}

static bool is_const(const struct print_node *x)
{
	return x->type == NODE_NUM || x->type == NODE_NAME || x->type == NODE_NONE;
}

/* Compute what does not depend on the record. A bare name stays: it has no value. */
static u32 fold(struct compiler *c, u32 n)
{
	struct print_node *nodes = c->nodes.v;
	struct print_node *x = &nodes[n];
	switch (x->type) {
	case NODE_BINARY:
		fold(c, x->a);
		fold(c, x->b);
		if (is_const(&nodes[x->a]) && is_const(&nodes[x->b]))
			*x = (struct print_node){ .type = NODE_NUM,
						  .str = "",
						  .num = program_binary(x->op, nodes[x->a].num,
									nodes[x->b].num) };
		break;
	case NODE_UNARY:
		fold(c, x->a);
		if (is_const(&nodes[x->a]))
			*x = (struct print_node){ .type = NODE_NUM,
						  .str = "",
						  .num = program_unary(x->op, nodes[x->a].num) };
		break;
	case NODE_CAST:
		fold(c, x->a);
		if (is_const(&nodes[x->a]))
			*x = (struct print_node){ .type = NODE_NUM,
						  .str = "",
						  .num = program_cast(x, nodes[x->a].num) };
		break;
	case NODE_COND:
		fold(c, x->a);
		fold(c, x->b);
		fold(c, x->c);
		break;
	default:
		break;
	}
	return n;
}

/* Names that stand for numbers in flag tables of old kernels. */
static s64 named_constant(const struct print_node *x)
{
	static const struct {
		const char *name;
		u8 value;
	} names[] = {
		{ "HI_SOFTIRQ", 0 },      { "TIMER_SOFTIRQ", 1 },     { "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },  { "BLOCK_SOFTIRQ", 4 },     { "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 }, { "SCHED_SOFTIRQ", 7 },     { "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },     { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == x->len && !memcmp(names[i].name, x->str, x->len))
			return names[i].value;
	return -1;
}

static s64 constant_of(struct compiler *c, u32 n)
{
	const struct print_node *x = &c->nodes.v[fold(c, n)];

	if (x->type == NODE_NAME)
		return named_constant(x);
	if (x->type != NODE_NUM || (s64)x->num < 0)
		return -1;
	return (s64)x->num;
}

/* The width of a cast by the names that are known; others do not change the value. */
static void cast_of(struct compiler *c, const char *type, struct print_node *n)
{
	static const struct {
		const char *name;
		u8 size;
	} casts[] = {
		{ "u8", 1 },  { "unsigned char", 1 },  { "s8", 1 },  { "char", 1 },
		{ "u16", 2 }, { "unsigned short", 2 }, { "s16", 2 }, { "short", 2 },
		{ "u32", 4 }, { "unsigned int", 4 },   { "s32", 4 }, { "int", 4 },
	};
	size_t len = strlen(type);

	if (len && type[len - 1] == '*') {
		char element[64];
		size_t cut = MIN(len - 1, sizeof(element) - 1);

		memcpy(element, type, cut);
		element[cut] = '\0';
		n->len = type_size(element, c->t->set->long_size);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(casts); i++)
		if (!strcmp(type, casts[i].name))
			n->size = casts[i].size;
}

static u32 parse_rec(struct compiler *c)
{
	next(c);
	if (!expect(c, "->") || c->tok != TOK_IDENT)
		return fail(c);
	u32 n = add_node(c, NODE_FIELD);

	c->nodes.v[n].field = find_field(c, c->s, c->len); /* NULL: reads as 0 */
	if (!c->nodes.v[n].field)
		c->nodes.v[n].type = NODE_NONE;
	next(c);
	return n;
}

static u32 atom_node(struct compiler *c, u8 type, const char *s, size_t len)
{
	u32 n = add_node(c, type);

	c->nodes.v[n].str = arena_strndup(c->arena, s, len);
	c->nodes.v[n].len = (u32)len;
	return n;
}

/* Words and stars up to ')' as a type, joined by blanks in out; false when it is none. */
static bool parse_type(struct compiler *c, struct strbuf *out)
{
	while (c->tok == TOK_IDENT || is(c, "*")) {
		if (out->len)
			strbuf_addch(out, ' ');
		strbuf_add(out, c->s, c->len);
		next(c);
		if (out->len > 256)
			return false;
	}
	return out->len && is(c, ")");
}

/* After '(': a cast when only a type's words stand before ')' and an operand follows it. */
static u32 parse_paren(struct compiler *c)
{
	const char *p = c->p;
	const char *s = c->s;
	size_t len = c->len;
	enum token tok = c->tok;
	_cleanup_(strbuf_releasep) struct strbuf type = STRBUF_INIT;

	if (c->tok == TOK_IDENT && !is(c, "REC") && parse_type(c, &type)) {
		next(c);
		if (c->tok != TOK_IDENT && c->tok != TOK_NUMBER && !is(c, "("))
			return atom_node(c, NODE_NAME, type.buf, type.len);
		u32 a = parse_operand(c);
		u32 n = add_node(c, NODE_CAST);

		c->nodes.v[n].a = a;
		cast_of(c, type.buf, &c->nodes.v[n]);
		return n;
	}
	c->p = p;
	c->tok = tok;
	c->s = s;
	c->len = len;
	u32 n = parse_full(c);

	expect(c, ")");
	if (c->tok == TOK_IDENT || c->tok == TOK_NUMBER || is(c, "("))
		c->failed = true; /* looks like a cast to something that is no type */
	return n;
}

static u32 apply(struct compiler *c, u32 l);

/* A prefix operator takes all that follows: its operand is one operand, the rest applies to it. */
static u32 parse_unary(struct compiler *c)
{
	u8 op = is(c, "!") ? OP_NOT : is(c, "~") ? OP_INV : is(c, "-") ? OP_NEG : OP_ADD;

	if (op == OP_ADD && !is(c, "+"))
		return fail(c);
	next(c);
	u32 a = parse_operand(c);

	while (!c->failed && next_rank(c) == 0)
		a = apply(c, a);
	u32 n = add_node(c, NODE_UNARY);

	c->nodes.v[n].op = op;
	c->nodes.v[n].a = a;
	return !c->failed && next_rank(c) > 0 ? apply(c, n) : n;
}

static u32 parse_operand_token(struct compiler *c)
{
	const char *s = c->s;
	size_t len = c->len;
	u32 n;

	switch (c->tok) {
	case TOK_NUMBER:
		n = atom_node(c, NODE_NUM, s, len);
		c->nodes.v[n].num = parse_number(s, len);
		next(c);
		return n;
	case TOK_CHAR:
		n = atom_node(c, NODE_NUM, s, len); /* has the value 0 in the reference */
		next(c);
		return n;
	case TOK_STRING: {
		u32 text_len;
		const char *text = parse_string(c, &text_len);

		return atom_node(c, NODE_STRING, text, text_len);
	}
	case TOK_IDENT:
		if (is(c, "REC"))
			return parse_rec(c);
		next(c);
		if (accept(c, "("))
			return parse_call(c, s, len);
		return atom_node(c, NODE_NAME, s, len);
	case TOK_OP:
		if (accept(c, "("))
			return parse_paren(c);
		return parse_unary(c);
	default:
		return fail(c);
	}
}

static u32 parse_operand(struct compiler *c)
{
	if (c->failed || c->depth >= TRACEFMT_MAX_DEPTH)
		return fail(c);
	c->depth++;
	u32 n = parse_operand_token(c);

	c->depth--;
	return n;
}

/* An operand and every operator behind it. */
static u32 parse_full(struct compiler *c)
{
	u32 n = parse_operand(c);

	while (!c->failed && next_rank(c) >= 0)
		n = apply(c, n);
	return n;
}

static u32 apply_cond(struct compiler *c, u32 l)
{
	next(c);
	u32 yes = parse_full(c);

	expect(c, ":");
	u32 no = parse_operand(c);

	while (!c->failed && next_rank(c) == 0)
		no = apply(c, no);
	u32 n = add_node(c, NODE_COND);

	c->nodes.v[n].a = l;
	c->nodes.v[n].b = yes;
	c->nodes.v[n].c = no;
	return n;
}

static u32 apply_index(struct compiler *c, u32 l)
{
	next(c);
	u32 index = parse_operand(c);
	u32 n = add_node(c, NODE_INDEX);

	expect(c, "]");
	c->nodes.v[n].a = l;
	c->nodes.v[n].b = index;
	return n;
}

/*
 * l OP operand. When the operand is itself an operation that binds less (it stood in parentheses),
 * the tree turns: the operation's left side is taken by OP. *rank: of the result; *inner: the node
 * that operators of this or a tighter rank go on with.
 */
static u32 apply_binary(struct compiler *c, u32 l, const struct operator* op, int *rank, u32 *inner)
{
	next(c);
	u32 r = parse_operand(c);
	u32 n = add_node(c, NODE_BINARY);

	if (c->failed)
		return 0;
	struct print_node *x = &c->nodes.v[n];
	struct print_node *right = &c->nodes.v[r];

	x->op = op->op;
	x->a = l;
	x->b = r;
	*rank = op->rank;
	*inner = r;
	if (op->rank >= node_rank(right))
		return n;
	*inner = n;
	*rank = right->type == NODE_BINARY ? node_rank(right) : 0;
	if (right->type == NODE_UNARY) { /* its missing left side is filled */
		right->type = NODE_BINARY;
		right->op = OP_SUB;
		right->b = right->a;
		x->b = 0;
	} else {
		x->b = right->a;
	}
	right->a = n;
	return r;
}

/* Apply the operator that is the current token to l, and all that follow. */
static u32 apply(struct compiler *c, u32 l)
{
	const struct operator* op = current_operator(c);
	u32 inner = 0;
	int rank = 0;
	u32 n;

	if (c->failed || c->depth >= TRACEFMT_MAX_DEPTH)
		return fail(c);
	c->depth++;
	if (op)
		n = apply_binary(c, l, op, &rank, &inner);
	else
		n = is(c, "?") ? apply_cond(c, l) : apply_index(c, l);
	int following = c->failed ? -1 : next_rank(c);

	if (following > rank) {
		n = apply(c, n);
	} else if (following >= 0 && inner) {
		bool turned = c->nodes.v[n].a == inner;
		u32 sub = apply(c, inner);

		if (turned)
			c->nodes.v[n].a = sub;
		else
			c->nodes.v[n].b = sub;
	}
	c->depth--;
	return c->failed ? 0 : n;
}

/* ------------------------------------------------------------------ format string */

struct formatter {
	struct compiler *c;
	const char *p, *end;
	size_t arg; /* next argument */
	struct strbuf text;
};

static u32 next_arg(struct formatter *f)
{
	if (f->arg >= f->c->args.nr) {
		f->c->failed = true;
		return 0;
	}
	return f->c->args.v[f->arg++];
}

static const char *padded_text(struct arena *a, const char *text, size_t len)
{
	char *p = arena_zalloc(a, len + STEP_PADDING);

	memcpy(p, text, len);
	return p;
}

static void flush_text(struct formatter *f)
{
	if (!f->text.len)
		return;
	*VEC_PUSH(&f->c->pieces) = (struct print_piece){
		.kind = PIECE_TEXT,
		.text = padded_text(f->c->arena, f->text.buf, f->text.len),
		.len = (u32)f->text.len,
	};
	strbuf_reset(&f->text);
}

static s32 small_number(struct formatter *f)
{
	s32 v = 0;

	while (f->p < f->end && isdigit((unsigned char)*f->p)) {
		if (v < TRACEFMT_MAX_WIDTH)
			v = v * 10 + (*f->p - '0');
		f->p++;
	}
	return MIN(v, TRACEFMT_MAX_WIDTH);
}

static void parse_flags_and_width(struct formatter *f, struct print_piece *x)
{
	static const char letters[] = "-0#";
	static const u8 bits[] = { PIECE_LEFT, PIECE_ZERO, PIECE_ALT };
	const char *at;

	while (f->p < f->end && *f->p && (at = strchr(letters, *f->p))) {
		x->flags |= bits[at - letters];
		f->p++;
	}
	if (f->p < f->end && *f->p == '*') {
		f->p++;
		x->width_node = next_arg(f);
	} else if (f->p < f->end && isdigit((unsigned char)*f->p)) {
		x->width = small_number(f);
	}
	if (f->p < f->end && *f->p == '.') {
		f->p++;
		if (f->p < f->end && *f->p == '*') {
			f->p++;
			x->prec_node = next_arg(f);
		} else {
			x->prec = small_number(f);
		}
	}
}

/* Bytes of the integer; "z" is an unsigned int, as in the reference. */
static u8 parse_length(struct formatter *f, bool *is_size)
{
	u8 size = 4;

	for (; f->p < f->end; f->p++) {
		if (*f->p == 'l')
			size = size == 4 ? f->c->t->set->long_size : 8;
		else if (*f->p == 'h')
			size = size == 4 ? 2 : 1;
		else if (*f->p == 'L')
			size = 8;
		else if (*f->p == 'z')
			*is_size = true;
		else
			break;
	}
	return size;
}

static const char *take_letters(struct formatter *f, const char *set)
{
	const char *start = f->p;

	while (f->p < f->end && *f->p && strchr(set, *f->p))
		f->p++;
	return arena_strndup(f->c->arena, start, (size_t)(f->p - start));
}

static void parse_pointer(struct formatter *f, struct print_piece *x)
{
	char k = f->p < f->end ? *f->p : '\0';

	x->kind = PIECE_PTR;
	switch (k) {
	case 'F':
	case 'f':
	case 'S':
	case 's':
		f->p++;
		x->kind = PIECE_SYM;
		x->conv = k;
		if (f->p < f->end && *f->p == 'R')
			f->p++;
		break;
	case 'M':
	case 'm':
		x->kind = PIECE_MAC;
		x->text = take_letters(f, k == 'M' ? "MFR" : "mR");
		break;
	case 'I':
	case 'i':
		f->p++;
		x->kind = PIECE_IP;
		x->conv = k;
		x->text = take_letters(f, "46Scpfshnbl");
		break;
	case 'U':
		f->p++;
		x->kind = PIECE_UUID;
		x->text = take_letters(f, "bBlL");
		break;
	case 'h':
		f->p++;
		x->kind = PIECE_RAW;
		x->text = take_letters(f, "CDN");
		break;
	default:
		break;
	}
}

/* Most arguments are a field or a constant element of one: those are read without a detour. */
static void find_load(const struct compiler *c, struct print_piece *x)
{
	const struct print_node *n = &c->nodes.v[x->node];
	const struct tracefmt_field *field = n->field;
	u64 offset = 0;
	u32 size;

	if (n->type == NODE_INDEX) {
		const struct print_node *array = &c->nodes.v[n->a];

		field = array->field;
		if (array->type != NODE_FIELD || c->nodes.v[n->b].type != NODE_NUM ||
		    field->flags & TRACEFMT_DYNAMIC || !field->element_size)
			return;
		size = field->element_size;
		if (c->nodes.v[n->b].num >= field->size / size)
			return;
		offset = c->nodes.v[n->b].num * size;
	} else if (n->type == NODE_FIELD) {
		size = field->size;
	} else {
		return;
	}
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return;
	x->load_size = (u8)size;
	x->load_swap = field->flags & TRACEFMT_SWAPPED;
	x->load_offset = field->offset + (u32)offset;
}

static void parse_conversion(struct formatter *f)
{
	struct print_piece x = { .kind = PIECE_INT, .width = -1, .prec = -1 };

	parse_flags_and_width(f, &x);
	bool is_size = false;

	x.size = parse_length(f, &is_size);
	if (f->p >= f->end)
		return;
	char conv = *f->p++;

	x.conv = conv;
	if (!x.flags && x.width < 0 && x.prec < 0 && !x.width_node && !x.prec_node)
		x.flags = PIECE_PLAIN;
	switch (conv) {
	case 'd':
	case 'i':
		x.conv = is_size ? 'u' : 'd';
		break;
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		break;
	case 's':
		x.kind = PIECE_STR;
		break;
	case 'p':
		parse_pointer(f, &x);
		break;
	default: /* shown, without an argument */
		strbuf_addch(&f->text, '>');
		strbuf_addch(&f->text, conv);
		strbuf_addch(&f->text, '<');
		return;
	}
	flush_text(f);
	x.node = next_arg(f);
	find_load(f->c, &x);
	*VEC_PUSH(&f->c->pieces) = x;
}

static void compile_format(struct compiler *c, const char *text, size_t len)
{
	struct formatter f = { .c = c, .p = text, .end = text + len, .text = STRBUF_INIT };

	while (f.p < f.end && !c->failed) {
		char ch = *f.p++;

		if (ch == '\\' && f.p < f.end) {
			char e = *f.p++;

			strbuf_addch(&f.text, e == 'n'   ? '\n'
					      : e == 't' ? '\t'
					      : e == 'r' ? '\r'
							 : e);
		} else if (ch == '%' && f.p < f.end && *f.p == '%') {
			strbuf_addch(&f.text, '%');
			f.p++;
		} else if (ch == '%') {
			parse_conversion(&f);
		} else {
			strbuf_addch(&f.text, ch);
		}
	}
	flush_text(&f);
	strbuf_release(&f.text);
}

static bool is_plain_integer(const struct print_piece *x)
{
	return x->kind == PIECE_INT && x->flags & PIECE_PLAIN && x->load_size &&
	       (x->conv == 'd' || x->conv == 'u' || x->conv == 'x');
}

static enum step_number step_number(const struct step *s)
{
	if (!s->load_size)
		return STEP_TEXT;
	if (s->load_swap || s->size != s->load_size || s->size < 4)
		return STEP_OTHER;
	switch (s->conv) {
	case 'x':
		return s->size == 8 ? STEP_HEX8 : STEP_HEX4;
	case 'u':
		return s->size == 8 ? STEP_UNSIGNED8 : STEP_UNSIGNED4;
	default:
		return s->size == 8 ? STEP_SIGNED8 : STEP_SIGNED4;
	}
}

/* Tells the first steps of rows what the others need. */
static void make_rows(struct tracefmt *t)
{
	for (u32 i = 0; i < t->nr_steps; i += t->steps[i].row) {
		struct step *first = &t->steps[i];

		first->row = 1;
		if (first->piece)
			continue;
		for (struct step *s = first; s < t->steps + t->nr_steps && !s->piece; s++) {
			first->row = (u32)(s - first) + 1;
			first->row_room += s->len + STEP_PADDING + DIGITS_ROOM + 1;
			if (s->load_size)
				first->row_load = MAX(first->row_load,
						      s->load_offset + s->load_size);
		}
	}
}

static void make_steps(struct tracefmt *t, struct arena *a)
{
	static const char nothing[STEP_PADDING];

	t->steps = arena_zalloc(a, t->nr_pieces * sizeof(*t->steps));
	for (u32 i = 0; i < t->nr_pieces; i++) {
		const struct print_piece *x = &t->pieces[i];
		struct step *s = &t->steps[t->nr_steps++];

		s->text = nothing;
		if (x->kind == PIECE_TEXT) {
			s->text = x->text;
			s->len = x->len;
			if (i + 1 < t->nr_pieces && is_plain_integer(x + 1)) {
				x++;
				i++;
			}
		}
		if (is_plain_integer(x)) {
			s->load_offset = x->load_offset;
			s->load_size = x->load_size;
			s->load_swap = x->load_swap;
			s->size = x->size;
			s->conv = x->conv;
			s->number = (u8)step_number(s);
		} else if (x->kind != PIECE_TEXT) {
			s->piece = i + 1;
		}
	}
	make_rows(t);
}

void program_compile(struct tracefmt *t, const char *text, size_t len)
{
	struct compiler c = {
		.t = t,
		.arena = &t->set->arena,
		.p = text,
		.end = text + len,
	};
	u32 format_len = 0;

	add_node(&c, NODE_NONE); /* number 0 */
	next(&c);
	if (c.tok != TOK_STRING)
		c.failed = true;
	const char *format = c.failed ? "" : parse_string(&c, &format_len);

	while (!c.failed && accept(&c, ",")) {
		u32 n = fold(&c, parse_full(&c));

		*VEC_PUSH(&c.args) = n;
	}
	if (c.tok != TOK_END)
		c.failed = true;
	if (!c.failed)
		compile_format(&c, format, format_len);
	t->failed = c.failed;
	if (!c.failed) {
		t->nr_nodes = (u32)c.nodes.nr;
		t->nodes = arena_dup(c.arena, c.nodes.v, c.nodes.nr * sizeof(*c.nodes.v));
		t->nr_pieces = (u32)c.pieces.nr;
		t->pieces = arena_dup(c.arena, c.pieces.v ? (const void *)c.pieces.v : "",
				      c.pieces.nr * sizeof(*c.pieces.v));
		make_steps(t, c.arena);
	}
	vec_free(&c.nodes);
	vec_free(&c.pieces);
	vec_free(&c.args);
}
