/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "probe/point.h"

enum rule_kind {
	RULE_WORD,
	RULE_NOT, /* of left */
	RULE_AND,
	RULE_OR,
};

struct filter_rule {
	enum rule_kind kind;
	char *word;
	u32 left, right; /* rules */
};

struct probe_filter {
	VEC(struct filter_rule) rules;
	u32 root;
};

enum { DEPTH_MAX = 200 };

struct filter_reader {
	struct probe_filter *f;
	const char *start, *p;
	unsigned int depth;
};

static const char marks[] = "!&|()";

static void skip_blanks(struct filter_reader *r)
{
	while (isspace((unsigned char)*r->p))
		r->p++;
}

static u32 add_rule(struct filter_reader *r, enum rule_kind kind, u32 left, u32 right)
{
	*VEC_PUSH(
		&r->f->rules) = (struct filter_rule){ .kind = kind, .left = left, .right = right };
	return (u32)r->f->rules.nr - 1;
}

static bool read_any(struct filter_reader *r, u32 *out);

static bool read_word(struct filter_reader *r, u32 *out)
{
	const char *start = r->p;

	while (*r->p && !isspace((unsigned char)*r->p) && !strchr(marks, *r->p)) {
		/* the "!" of a class is none of ours */
		bool class = *r->p == '[' && r->p[1] == '!';
		bool escape = *r->p == '\\' && r->p[1];

		r->p += 1 + (class || escape);
	}
	if (r->p == start)
		return false;
	*out = add_rule(r, RULE_WORD, 0, 0);
	r->f->rules.v[*out].word = xstrndup(start, (size_t)(r->p - start));
	return true;
}

static bool read_one(struct filter_reader *r, u32 *out)
{
	bool ok;

	skip_blanks(r);
	if (*r->p != '!' && *r->p != '(')
		return read_word(r, out);
	if (++r->depth > DEPTH_MAX)
		return false;
	if (*r->p++ == '!') {
		ok = read_one(r, out);
		if (ok)
			*out = add_rule(r, RULE_NOT, *out, 0);
	} else {
		ok = read_any(r, out) && *r->p == ')';
		r->p += ok;
	}
	r->depth--;
	return ok;
}

static bool read_all(struct filter_reader *r, u32 *out)
{
	u32 right;

	if (!read_one(r, out))
		return false;
	for (skip_blanks(r); *r->p == '&'; skip_blanks(r)) {
		r->p++;
		if (!read_one(r, &right))
			return false;
		*out = add_rule(r, RULE_AND, *out, right);
	}
	return true;
}

static bool read_any(struct filter_reader *r, u32 *out)
{
	u32 right;

	if (!read_all(r, out))
		return false;
	while (*r->p == '|') {
		r->p++;
		if (!read_all(r, &right))
			return false;
		*out = add_rule(r, RULE_OR, *out, right);
	}
	return true;
}

struct probe_filter *probe_filter_new(const char *text, size_t *at)
{
	struct probe_filter *f = XNEW(struct probe_filter);
	struct filter_reader r = { .f = f, .start = text, .p = text };

	if (read_any(&r, &f->root) && !*r.p)
		return f;
	*at = (size_t)(r.p - text);
	probe_filter_free(f);
	return NULL;
}

void probe_filter_free(struct probe_filter *f)
{
	if (!f)
		return;
	VEC_FOR(&f->rules, r)
		free(r->word);
	vec_free(&f->rules);
	free(f);
}

/* Rules refer to earlier ones alone, and stand in the order in which they were read. */
bool probe_filter_match(const struct probe_filter *f, const char *name)
{
	_cleanup_(mem_freep) bool *holds = XNEW_ARRAY(bool, f->rules.nr);

	for (size_t i = 0; i < f->rules.nr; i++) {
		const struct filter_rule *r = &f->rules.v[i];

		switch (r->kind) {
		case RULE_WORD:
			holds[i] = probe_match(r->word, name);
			break;
		case RULE_NOT:
			holds[i] = !holds[r->left];
			break;
		case RULE_AND:
			holds[i] = holds[r->left] && holds[r->right];
			break;
		default:
			holds[i] = holds[r->left] || holds[r->right];
		}
	}
	return holds[f->root];
}
