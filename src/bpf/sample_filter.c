/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/sample_filter.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/perf_event.h"
#include "base/mem.h"
#include "bpf/sample_filter_program.h"
#include "sys/cgroup.h"

struct filter_name {
	const char *name;
	u64 value;
};

/* width 0 = all bits; of the second ones: none */
struct filter_bits {
	u8 shift, width;
};

struct filter_term {
	const char *name;
	enum filter_field field;
	struct filter_bits bits[2]; /* the second ones stand above the first */
	const struct filter_name *names; /* of values, ends with NULL; NULL = numbers alone */
	u64 needs; /* one of these bits of sample_type, 0 = always there */
	const char *needed, *option; /* the bit's name, and what to add to the command line */
};

/* Values of the parts of a memory access (PERF_MEM_*). */
static const struct filter_name ops[] = {
	{ "na", 1 }, { "load", 2 }, { "store", 4 }, { "pfetch", 8 }, { "exec", 16 }, { NULL, 0 },
};
static const struct filter_name levels[] = {
	{ "na", 0xf },  { "l1", 1 },    { "l2", 2 },     { "l3", 3 },
	{ "l4", 4 },    { "cxl", 9 },   { "io", 0xa },   { "any_cache", 0xb },
	{ "lfb", 0xc }, { "ram", 0xd }, { "pmem", 0xe }, { NULL, 0 },
};
static const struct filter_name snoops[] = {
	{ "na", 1 },    { "none", 2 },     { "hit", 4 },       { "miss", 8 },
	{ "hitm", 16 }, { "fwd", 1 << 5 }, { "peer", 2 << 5 }, { NULL, 0 },
};
static const struct filter_name remotes[] = { { "remote", 1 }, { NULL, 0 } };
static const struct filter_name locks[] = { { "na", 1 }, { "locked", 2 }, { NULL, 0 } };
static const struct filter_name tlbs[] = {
	{ "na", 1 },           { "l1_hit", 8 | 2 }, { "l1_miss", 8 | 4 }, { "l2_hit", 16 | 2 },
	{ "l2_miss", 16 | 4 }, { "any_hit", 2 },    { "any_miss", 4 },    { "walk", 32 },
	{ "fault", 64 },       { NULL, 0 },
};
static const struct filter_name blocks[] = {
	{ "na", 1 }, { "by_data", 2 }, { "by_addr", 4 }, { NULL, 0 }
};
static const struct filter_name hops[] = {
	{ "hops0", 1 }, { "hops1", 2 }, { "hops2", 3 }, { "hops3", 4 }, { NULL, 0 },
};

#define FIELD(n, f, bit, opt)                                                                      \
	{                                                                                          \
		.name = (n), .field = FILTER_##f, .needs = PERF_SAMPLE_##bit, .needed = #bit,      \
		.option = (opt)                                                                    \
	}
#define WEIGHT(n, s, w, any_of)                                                                    \
	{                                                                                          \
		.name = (n), .field = FILTER_WEIGHT, .bits = { { (s), (w) } }, .needs = (any_of),  \
		.needed = "WEIGHT", .option = "-W"                                                 \
	}
#define MEMORY(n, s, w, s2, w2, v)                                                                 \
	{                                                                                          \
		.name = (n), .field = FILTER_DATA_SRC, .bits = { { (s), (w) }, { (s2), (w2) } },   \
		.names = (v), .needs = PERF_SAMPLE_DATA_SRC, .needed = "DATA_SRC", .option = "-d"  \
	}
#define WEIGHTS (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)

static const struct filter_term terms[] = {
	FIELD("ip", IP, IP, NULL),
	{ .name = "id",
	  .field = FILTER_ID,
	  .needs = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER,
	  .needed = "ID",
	  .option = "--sample-identifier" },
	FIELD("pid", PID, TID, NULL),
	FIELD("tid", TID, TID, NULL),
	FIELD("cpu", CPU, CPU, "--sample-cpu"),
	FIELD("time", TIME, TIME, "-T"),
	FIELD("addr", ADDR, ADDR, "-d"),
	{ .name = "period", .field = FILTER_PERIOD },
	FIELD("txn", TXN, TRANSACTION, "--transaction"),
	WEIGHT("weight", 0, 0, PERF_SAMPLE_WEIGHT),
	WEIGHT("weight", 0, 32, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("weight1", 0, 32, WEIGHTS),
	WEIGHT("weight2", 32, 16, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("weight3", 48, 16, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("ins_lat", 32, 16, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("retire_lat", 48, 16, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("p_stage_cyc", 48, 16, PERF_SAMPLE_WEIGHT_STRUCT),
	FIELD("phys_addr", PHYS_ADDR, PHYS_ADDR, "--phys-data"),
	FIELD("code_pgsz", CODE_PAGE_SIZE, CODE_PAGE_SIZE, "--code-page-size"),
	FIELD("code_page_size", CODE_PAGE_SIZE, CODE_PAGE_SIZE, "--code-page-size"),
	FIELD("data_pgsz", DATA_PAGE_SIZE, DATA_PAGE_SIZE, "--data-page-size"),
	FIELD("data_page_size", DATA_PAGE_SIZE, DATA_PAGE_SIZE, "--data-page-size"),
	FIELD("cgroup", CGROUP, CGROUP, "--all-cgroups"),
	MEMORY("mem_op", 0, 5, 0, 0, ops),
	MEMORY("mem_lvl", 33, 4, 0, 0, levels),
	MEMORY("mem_snoop", 19, 5, 38, 2, snoops),
	MEMORY("mem_remote", 37, 1, 0, 0, remotes),
	MEMORY("mem_lock", 24, 2, 0, 0, locks),
	MEMORY("mem_dtlb", 26, 7, 0, 0, tlbs),
	MEMORY("mem_blk", 40, 3, 0, 0, blocks),
	MEMORY("mem_hops", 43, 3, 0, 0, hops),
	{ .name = "uid", .field = FILTER_UID },
	{ .name = "gid", .field = FILTER_GID },
};

/* Longer spellings first. */
static const struct {
	const char *text;
	u8 op;
} operators[] = {
	{ "==", FILTER_EQ }, { "!=", FILTER_NE }, { ">=", FILTER_GE }, { "<=", FILTER_LE },
	{ ">", FILTER_GT },  { "<", FILTER_LT },  { "&", FILTER_AND },
};

struct filter_text {
	const char *text, *at;
	struct err *e;
};

static const char *skip_blanks(struct filter_text *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
	return p->at;
}

static int wrong(struct filter_text *p, const char *what, int len, const char *word)
{
	return err_set(p->e, EINVAL, "wrong filter '%s': %s '%.*s'", p->text, what, len, word);
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static bool same_word(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !memcmp(name, word, len);
}

static int parse_term(struct filter_text *p, u8 *term)
{
	const char *word = skip_blanks(p);
	size_t len = word_length(word);

	p->at += len;
	for (u8 i = 0; i < ARRAY_SIZE(terms); i++) {
		if (same_word(terms[i].name, word, len)) {
			*term = i;
			return 0;
		}
	}
	err_hint(p->e, "see the terms in 'perf help record'");
	return wrong(p, "no such term", (int)(len ? len : strlen(word)), word);
}

static int parse_operator(struct filter_text *p, u8 *op)
{
	skip_blanks(p);
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		size_t len = strlen(operators[i].text);

		if (!strncmp(p->at, operators[i].text, len)) {
			*op = operators[i].op;
			p->at += len;
			return 0;
		}
	}
	return wrong(p, "==, !=, >, >=, <, <= or & is missing before", (int)strlen(p->at), p->at);
}

/* "/path" of a control group: its id */
static int parse_cgroup(struct filter_text *p, u64 *value)
{
	size_t len = strcspn(p->at, " \t,|&");
	char mount[PATH_MAX], path[PATH_MAX];
	bool v2;

	if (!sys_cgroup_mount(NULL, mount, sizeof(mount), &v2) ||
	    snprintf(path, sizeof(path), "%s%.*s", mount, (int)len, p->at) >= (int)sizeof(path) ||
	    !sys_cgroup_id(path, value))
		return wrong(p, "no such control group", (int)len, p->at);
	p->at += len;
	return 0;
}

static int parse_value(struct filter_text *p, const struct filter_term *t, u64 *value)
{
	const char *word = skip_blanks(p);
	size_t len = word_length(word);
	char *end = NULL;

	if (*word == '/' && !strcmp(t->name, "cgroup"))
		return parse_cgroup(p, value);
	for (const struct filter_name *n = t->names; n && n->name; n++) {
		if (same_word(n->name, word, len)) {
			*value = n->value;
			p->at += len;
			return 0;
		}
	}
	errno = 0;
	*value = isdigit((unsigned char)*word) ? strtoull(word, &end, 0) : 0;
	if (!isdigit((unsigned char)*word) || end != word + len || errno)
		return wrong(p, "no number or known value", (int)(len ? len : strlen(word)), word);
	p->at = end;
	return 0;
}

/* *more: another condition follows. *ands, *ors: "&&" and "||" were seen. */
static int parse_joint(struct filter_text *p, bool *more, bool *or_next, unsigned int *seen)
{
	enum { AND = 1, OR = 2 };
	const char *at = skip_blanks(p);
	size_t len = *at == ',' ? 1 : 2;

	*more = *at != '\0';
	*or_next = !strncmp(at, "||", 2);
	if (!*more)
		return 0;
	if (*at != ',' && !*or_next && strncmp(at, "&&", 2) != 0)
		return wrong(p, "',' or '||' is missing before", (int)strlen(at), at);
	*seen |= *or_next ? OR : *at == '&' ? AND : 0;
	if (*seen == (AND | OR)) {
		err_hint(p->e, "write ',' for 'and': 'a || b, c' is '(a || b) and c'");
		return wrong(p, "'&&' beside '||' in", (int)strlen(p->text), p->text);
	}
	p->at += len;
	return 0;
}

int sample_filter_parse(struct sample_filter *f, const char *text, struct err *e)
{
	struct filter_text p = { .text = text, .at = text, .e = e };
	unsigned int seen = 0;
	bool more = true;

	*f = (struct sample_filter){ 0 };
	while (more) {
		struct sample_filter_condition *c = &f->conditions[f->nr];

		if (f->nr == SAMPLE_FILTER_CONDITIONS)
			return err_set(e, E2BIG, "a filter has at most %d conditions",
				       SAMPLE_FILTER_CONDITIONS);
		if (parse_term(&p, &c->term) < 0 || parse_operator(&p, &c->op) < 0 ||
		    parse_value(&p, &terms[c->term], &c->value) < 0 ||
		    parse_joint(&p, &more, &c->or_next, &seen) < 0)
			return -1;
		f->nr++;
	}
	return 0;
}

/* The row of that name that fits the fields of the samples. */
static const struct filter_term *choose_term(u8 term, u64 sample_type, const char *event,
					     struct err *e)
{
	const char *name = terms[term].name;

	for (size_t i = term; i < ARRAY_SIZE(terms) && !strcmp(terms[i].name, name); i++) {
		if (!terms[i].needs || terms[i].needs & sample_type)
			return &terms[i];
	}
	err_set(e, EINVAL,
		"the samples of '%s' do not have PERF_SAMPLE_%s, which the filter's '%s' is about",
		event, terms[term].needed, name);
	if (terms[term].option)
		err_hint(e, "add %s", terms[term].option);
	return NULL;
}

static u64 mask_of(unsigned int width)
{
	return width ? (1ULL << width) - 1 : ~0ULL;
}

int sample_filter_table(struct filter_table *table, const struct sample_filter *f, u64 sample_type,
			const char *event, struct err *e)
{
	*table = (struct filter_table){ .nr = (u32)f->nr };
	for (size_t i = 0; i < f->nr; i++) {
		const struct sample_filter_condition *c = &f->conditions[i];
		const struct filter_term *t = choose_term(c->term, sample_type, event, e);

		if (!t)
			return -1;
		table->tests[i] = (struct filter_test){
			.value = c->value,
			.mask = { mask_of(t->bits[0].width),
				  t->bits[1].width ? mask_of(t->bits[1].width) : 0 },
			.shift = { t->bits[0].shift, t->bits[1].shift },
			.above = t->bits[0].width,
			.field = (u8)t->field,
			.op = c->op,
			.or_next = c->or_next,
		};
	}
	return 0;
}
