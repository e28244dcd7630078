/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/expr.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum { TEXT_MAX = 1 << 14, DEPTH_MAX = 200 };

enum node_kind {
	NODE_NUMBER,
	NODE_NAME,
	NODE_LITERAL,
	NODE_BINARY,
	NODE_NEGATE,
	NODE_IF,
	NODE_MIN,
	NODE_MAX,
	NODE_RATIO,
	NODE_SOURCES,
	NODE_HAS_EVENT,
	NODE_IS_CPU,
};

struct expr_node {
	enum node_kind kind;
	char op; /* NODE_BINARY */
	double number;
	char *name;
	u32 a, b, c; /* operands; NODE_IF: then, condition, else */
};

struct expr {
	VEC(struct expr_node) nodes;
	u32 root;
};

struct expr_reader {
	const char *text;
	size_t pos;
	struct expr *x;
	struct err *e;
	int depth;
	bool failed;
};

static const struct {
	const char *name;
	enum node_kind kind;
	bool two; /* two values as arguments; else one name */
} functions[] = {
	{ "min", NODE_MIN, true },
	{ "max", NODE_MAX, true },
	{ "d_ratio", NODE_RATIO, true },
	{ "source_count", NODE_SOURCES, false },
	{ "has_event", NODE_HAS_EVENT, false },
	{ "strcmp_cpuid_str", NODE_IS_CPU, false },
};

/* Binary operators by strength, weakest first. */
static const char *const levels[] = { "|", "^", "&", "<>", "+-", "*/%" };

static u32 read_condition(struct expr_reader *r);

static u32 fail(struct expr_reader *r, const char *what)
{
	if (!r->failed)
		err_set(r->e, EINVAL, "%s at column %zu of '%.200s'", what, r->pos + 1, r->text);
	r->failed = true;
	return 0;
}

static u32 add(struct expr_reader *r, struct expr_node n)
{
	*VEC_PUSH(&r->x->nodes) = n;
	return (u32)r->x->nodes.nr - 1;
}

static char peek(struct expr_reader *r)
{
	r->pos += strspn(r->text + r->pos, " \t\n\r");
	return r->text[r->pos];
}

static bool take(struct expr_reader *r, char c)
{
	if (peek(r) != c)
		return false;
	r->pos++;
	return true;
}

/* A keyword, not the beginning of a name. */
static bool take_word(struct expr_reader *r, const char *word)
{
	size_t n = strlen(word);
	char after;

	peek(r);
	if (strncmp(r->text + r->pos, word, n) != 0)
		return false;
	after = r->text[r->pos + n];
	if (isalnum((unsigned char)after) || (after && strchr("_.:@\\", after)))
		return false;
	r->pos += n;
	return true;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.:@?", c));
}

/* NULL: no name here. The caller frees it. */
static char *read_name(struct expr_reader *r)
{
	struct strbuf name = STRBUF_INIT;
	const char *s = r->text + r->pos;

	for (; in_name(*s) || (*s == '\\' && s[1]); s++) {
		if (*s == '\\')
			s++;
		else if (*s == '@') {
			strbuf_addch(&name, '/');
			continue;
		}
		strbuf_addch(&name, *s);
	}
	r->pos = (size_t)(s - r->text);
	if (!name.len) {
		strbuf_release(&name);
		return NULL;
	}
	return strbuf_detach(&name);
}

static u32 read_function(struct expr_reader *r, size_t f)
{
	struct expr_node n = { .kind = functions[f].kind };

	if (functions[f].two) {
		n.a = read_condition(r);
		if (!take(r, ','))
			return fail(r, "',' is missing");
		n.b = read_condition(r);
	} else {
		peek(r);
		n.name = read_name(r);
		if (!n.name)
			return fail(r, "a name is missing");
	}
	if (!take(r, ')')) {
		free(n.name);
		return fail(r, "')' is missing");
	}
	return add(r, n);
}

static u32 read_number(struct expr_reader *r)
{
	char digits[64];
	size_t n = strspn(r->text + r->pos, "0123456789.");
	const char *rest = r->text + r->pos + n;
	char *end;
	double value;

	if ((*rest == 'e' || *rest == 'E') &&
	    (isdigit((unsigned char)rest[1]) ||
	     (strchr("+-", rest[1]) && rest[1] && isdigit((unsigned char)rest[2]))))
		n += 2 + strspn(rest + 2, "0123456789");
	if (n >= sizeof(digits))
		return fail(r, "too long a number");
	memcpy(digits, r->text + r->pos, n);
	digits[n] = '\0';
	value = strtod(digits, &end);
	if (end == digits || *end || in_name(r->text[r->pos + n]))
		return fail(r, "no number");
	r->pos += n;
	return add(r, (struct expr_node){ .kind = NODE_NUMBER, .number = value });
}

static u32 read_primary(struct expr_reader *r)
{
	char c = peek(r);
	char *name;
	u32 n;

	if (take(r, '(')) {
		n = read_condition(r);
		return take(r, ')') ? n : fail(r, "')' is missing");
	}
	if (isdigit((unsigned char)c) || c == '.')
		return read_number(r);
	if (c == '#') {
		r->pos++;
		name = read_name(r);
		if (!name)
			return fail(r, "a name is missing");
		return add(r, (struct expr_node){ .kind = NODE_LITERAL, .name = name });
	}
	name = read_name(r);
	if (!name)
		return fail(r, c ? "unexpected character" : "unexpected end");
	for (size_t f = 0; f < ARRAY_SIZE(functions); f++) {
		if (!strcmp(name, functions[f].name) && take(r, '(')) {
			free(name);
			return read_function(r, f);
		}
	}
	return add(r, (struct expr_node){ .kind = NODE_NAME, .name = name });
}

static u32 read_unary(struct expr_reader *r)
{
	u32 n;

	if (++r->depth > DEPTH_MAX)
		return fail(r, "too deep");
	if (take(r, '-')) {
		n = read_unary(r);
		n = r->failed ? 0 : add(r, (struct expr_node){ .kind = NODE_NEGATE, .a = n });
	} else {
		n = read_primary(r);
	}
	r->depth--;
	return n;
}

static u32 read_binary(struct expr_reader *r, size_t level)
{
	u32 left;

	if (level == ARRAY_SIZE(levels))
		return read_unary(r);
	left = read_binary(r, level + 1);
	for (;;) {
		char c = peek(r);
		u32 right;

		if (r->failed || !c || !strchr(levels[level], c))
			return left;
		r->pos++;
		right = read_binary(r, level + 1);
		if (!r->failed)
			left = add(r,
				   (struct expr_node){
					   .kind = NODE_BINARY, .op = c, .a = left, .b = right });
	}
}

static u32 read_condition(struct expr_reader *r)
{
	struct expr_node n = { .kind = NODE_IF };

	if (++r->depth > DEPTH_MAX)
		return fail(r, "too deep");
	n.a = read_binary(r, 0);
	if (!r->failed && take_word(r, "if")) {
		n.b = read_binary(r, 0);
		if (!take_word(r, "else"))
			return fail(r, "'else' is missing");
		n.c = read_condition(r);
		n.a = r->failed ? 0 : add(r, n);
	}
	r->depth--;
	return n.a;
}

struct expr *expr_parse(const char *text, struct err *e)
{
	struct expr *x;
	struct expr_reader r = { .text = text, .e = e };

	if (strlen(text) > TEXT_MAX) {
		err_set(e, EINVAL, "a formula is longer than %d bytes", TEXT_MAX);
		return NULL;
	}
	x = XNEW(struct expr);
	r.x = x;
	x->root = read_condition(&r);
	if (!r.failed && peek(&r))
		fail(&r, "unexpected character");
	if (r.failed) {
		expr_free(x);
		return NULL;
	}
	return x;
}

void expr_free(struct expr *x)
{
	if (!x)
		return;
	VEC_FOR(&x->nodes, n)
		free(n->name);
	vec_free(&x->nodes);
	free(x);
}

/* Of a value that bits are taken from; what does not fit has none. */
static s64 whole(double v)
{
	return v > -9e18 && v < 9e18 ? (s64)v : 0;
}

/* fmod() for counts, without the library that it would need at every start. */
static double rest_of(double a, double b)
{
	double q = a / b;

	return fabs(q) < 0x1p53 ? a - b * (double)(s64)q : 0;
}

static bool apply(char op, double a, double b, double *out)
{
	switch (op) {
	case '|':
		*out = (double)(whole(a) | whole(b));
		return true;
	case '^':
		*out = (double)(whole(a) ^ whole(b));
		return true;
	case '&':
		*out = (double)(whole(a) & whole(b));
		return true;
	case '<':
		*out = a < b;
		return true;
	case '>':
		*out = a > b;
		return true;
	case '+':
		*out = a + b;
		return true;
	case '-':
		*out = a - b;
		return true;
	case '*':
		*out = a * b;
		return true;
	case '/':
		*out = b != 0 ? a / b : 0;
		return b != 0;
	default:
		*out = b != 0 ? rest_of(a, b) : 0;
		return b != 0;
	}
}

static bool eval(const struct expr *x, u32 at, const struct expr_env *env, double *out);

static bool eval_two(const struct expr *x, const struct expr_node *n, const struct expr_env *env,
		     double *out)
{
	double a;
	double b;

	if (!eval(x, n->a, env, &a) || !eval(x, n->b, env, &b))
		return false;
	switch (n->kind) {
	case NODE_MIN:
		*out = a < b ? a : b;
		return true;
	case NODE_MAX:
		*out = a > b ? a : b;
		return true;
	case NODE_RATIO:
		*out = b != 0 ? a / b : 0;
		return true;
	default:
		return apply(n->op, a, b, out);
	}
}

static bool eval(const struct expr *x, u32 at, const struct expr_env *env, double *out)
{
	const struct expr_node *n = &x->nodes.v[at];

	switch (n->kind) {
	case NODE_NUMBER:
		*out = n->number;
		return true;
	case NODE_NAME:
		return env->value && env->value(env->ctx, n->name, out);
	case NODE_LITERAL:
		return env->literal && env->literal(env->ctx, n->name, out);
	case NODE_SOURCES:
		return env->sources && env->sources(env->ctx, n->name, out);
	case NODE_HAS_EVENT:
		*out = env->has_event && env->has_event(env->ctx, n->name);
		return true;
	case NODE_IS_CPU:
		*out = env->is_cpu && env->is_cpu(env->ctx, n->name);
		return true;
	case NODE_NEGATE:
		if (!eval(x, n->a, env, out))
			return false;
		*out = -*out;
		return true;
	case NODE_IF:
		if (!eval(x, n->b, env, out))
			return false;
		return eval(x, *out != 0 ? n->a : n->c, env, out);
	default:
		return eval_two(x, n, env, out);
	}
}

bool expr_eval(const struct expr *x, const struct expr_env *env, double *out)
{
	return eval(x, x->root, env, out) && isfinite(*out);
}

struct visitor {
	const struct expr *x;
	const struct expr_env *env;
	bool (*visit)(void *ctx, const char *name);
	void *ctx;
};

static bool visit_node(const struct visitor *v, u32 at);

/* Only the side that is taken, where that does not depend on a count. */
static bool visit_if(const struct visitor *v, const struct expr_node *n)
{
	struct expr_env uncounted = *v->env;
	double value;

	uncounted.value = NULL;
	uncounted.sources = NULL;
	if (eval(v->x, n->b, &uncounted, &value))
		return visit_node(v, value != 0 ? n->a : n->c);
	return visit_node(v, n->a) && visit_node(v, n->b) && visit_node(v, n->c);
}

static bool visit_node(const struct visitor *v, u32 at)
{
	const struct expr_node *n = &v->x->nodes.v[at];

	switch (n->kind) {
	case NODE_NAME:
	case NODE_SOURCES:
		return v->visit(v->ctx, n->name);
	case NODE_NEGATE:
		return visit_node(v, n->a);
	case NODE_IF:
		return visit_if(v, n);
	case NODE_BINARY:
	case NODE_MIN:
	case NODE_MAX:
	case NODE_RATIO:
		return visit_node(v, n->a) && visit_node(v, n->b);
	default:
		return true;
	}
}

void expr_names(const struct expr *x, const struct expr_env *env,
		bool (*visit)(void *ctx, const char *name), void *ctx)
{
	struct visitor v = { x, env, visit, ctx };

	visit_node(&v, x->root);
}
