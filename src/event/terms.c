/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "event/names.h"
#include "event/parser.h"

enum { TERMS_MAX = 1024, NAMED_TERMS_MAX = 4 * TERMS_MAX, ALIAS_DEPTH = 4 };

void terms_release(struct term_vec *terms)
{
	VEC_FOR(terms, t) {
		free(t->name);
		free(t->str);
	}
	vec_free(terms);
}

/* Lexing */

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || (c && strchr("_*?[]!@", c));
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_*?[]!.-:", c));
}

static size_t name_span(const char *s)
{
	size_t n = 0;

	if (!is_name_start(s[0]))
		return 0;
	while (is_name_char(s[n]) || (!n && s[n]))
		n++;
	return n;
}

/* Decimal or 0x number at s; 0 = none or too big. */
static size_t number_span(const char *s, u64 *value)
{
	bool hex = s[0] == '0' && s[1] == 'x' && isxdigit((unsigned char)s[2]);
	char *end;

	if (!isdigit((unsigned char)s[0]))
		return 0;
	errno = 0;
	*value = strtoull(s, &end, hex ? 16 : 10);
	return errno ? 0 : (size_t)(end - s);
}

/* 'text in quotes' or a bare word; a missing closing quote is forgiven, as perf does. */
static bool parse_string(struct parser *p, struct term *t)
{
	const char *s = p->text + p->pos;
	size_t n;

	if (*s == '\'') {
		const char *end = strchr(s + 1, '\'');

		n = end ? (size_t)(end - s - 1) : name_span(s + 1);
		if (!n)
			return false;
		t->str = xstrndup(s + 1, n);
		parser_take(p, n + (end ? 2 : 1));
	} else {
		n = name_span(s);
		if (!n)
			return false;
		t->str = xstrndup(s, n);
		parser_take(p, n);
	}
	t->kind = TERM_STRING;
	return true;
}

/* CPU lists (cpu=0-3) begin as numbers. */
static bool parse_cpu_list(struct parser *p, struct term *t)
{
	const char *s = p->text + p->pos;
	size_t n = strspn(s, "0123456789-");

	if (strcmp(t->name, "cpu") != 0 || !n || !memchr(s, '-', n))
		return false;
	t->str = xstrndup(s, n);
	t->kind = TERM_STRING;
	parser_take(p, n);
	return true;
}

static int parse_value(struct parser *p, struct term *t)
{
	size_t n;

	parser_skip_blanks(p);
	t->val_col = p->pos;
	n = number_span(p->text + p->pos, &t->num);
	if (n && !parse_cpu_list(p, t)) {
		t->kind = TERM_NUMBER;
		parser_take(p, n);
	} else if (t->kind == TERM_NO_VALUE && !parse_string(p, t)) {
		return parser_syntax(p);
	}
	return 0;
}

static int parse_term(struct parser *p, struct term_vec *out)
{
	size_t n = name_span(p->text + p->pos);

	if (!n || out->nr >= TERMS_MAX)
		return parser_syntax(p);

	struct term *t = VEC_PUSH(out);

	*t = (struct term){ .col = p->pos, .val_col = p->pos, .num = 1 };
	t->name = xstrndup(p->text + p->pos, n);
	parser_take(p, n);
	parser_skip_blanks(p);
	if (parser_peek(p) != '=')
		return 0;
	parser_take(p, 1);
	return parse_value(p, t);
}

/* term{,term}, up to a character that is neither. */
static int parse_list(struct parser *p, struct term_vec *out)
{
	for (;;) {
		parser_skip_blanks(p);
		if (parse_term(p, out))
			return -1;
		parser_skip_blanks(p);
		if (parser_peek(p) != ',')
			return 0;
		parser_take(p, 1);
	}
}

int terms_parse(struct parser *p, struct term_vec *out)
{
	parser_skip_blanks(p);
	if (parser_peek(p) != '/' && parse_list(p, out))
		return -1;
	if (parser_peek(p) != '/')
		return parser_syntax(p);
	parser_take(p, 1);
	return 0;
}

/* Meaning */

enum term_id {
	TERM_CONFIG,
	TERM_CONFIG1,
	TERM_CONFIG2,
	TERM_CONFIG3,
	TERM_CONFIG4,
	TERM_NAME,
	TERM_PERIOD,
	TERM_FREQ,
	TERM_BRANCH_TYPE,
	TERM_TIME,
	TERM_CALL_GRAPH,
	TERM_STACK_SIZE,
	TERM_DEFER,
	TERM_RAW,
	TERM_NO_INHERIT,
	TERM_INHERIT,
	TERM_MAX_STACK,
	TERM_NR,
	TERM_NO_OVERWRITE,
	TERM_OVERWRITE,
	TERM_DRIVER_CONFIG,
	TERM_PERCORE,
	TERM_AUX_OUTPUT,
	TERM_AUX_ACTION,
	TERM_AUX_SAMPLE_SIZE,
	TERM_METRIC_ID,
	TERM_CPU,
};

enum term_type { TYPE_NUM, TYPE_BOOL, TYPE_STR };

static const struct term_desc {
	const char *name;
	enum term_id id;
	enum term_type type;
	bool counting; /* of use without samples */
	bool tracepoint; /* taken by tracepoints */
} term_descs[] = {
	{ "config", TERM_CONFIG, TYPE_NUM, true, false },
	{ "config1", TERM_CONFIG1, TYPE_NUM, true, false },
	{ "config2", TERM_CONFIG2, TYPE_NUM, true, false },
	{ "config3", TERM_CONFIG3, TYPE_NUM, true, false },
	{ "config4", TERM_CONFIG4, TYPE_NUM, true, false },
	{ "name", TERM_NAME, TYPE_STR, true, false },
	{ "period", TERM_PERIOD, TYPE_NUM, true, false },
	{ "freq", TERM_FREQ, TYPE_NUM, false, false },
	{ "branch_type", TERM_BRANCH_TYPE, TYPE_STR, false, false },
	{ "time", TERM_TIME, TYPE_BOOL, false, false },
	{ "call-graph", TERM_CALL_GRAPH, TYPE_STR, false, true },
	{ "stack-size", TERM_STACK_SIZE, TYPE_NUM, false, true },
	{ "defer", TERM_DEFER, TYPE_BOOL, false, true },
	{ "raw", TERM_RAW, TYPE_BOOL, false, true },
	{ "no-inherit", TERM_NO_INHERIT, TYPE_NUM, false, true },
	{ "inherit", TERM_INHERIT, TYPE_NUM, false, true },
	{ "max-stack", TERM_MAX_STACK, TYPE_NUM, false, true },
	{ "nr", TERM_NR, TYPE_NUM, false, true },
	{ "no-overwrite", TERM_NO_OVERWRITE, TYPE_NUM, false, true },
	{ "overwrite", TERM_OVERWRITE, TYPE_NUM, false, true },
	{ "driver-config", TERM_DRIVER_CONFIG, TYPE_STR, false, false },
	{ "percore", TERM_PERCORE, TYPE_BOOL, true, false },
	{ "aux-output", TERM_AUX_OUTPUT, TYPE_NUM, false, true },
	{ "aux-action", TERM_AUX_ACTION, TYPE_STR, false, true },
	{ "aux-sample-size", TERM_AUX_SAMPLE_SIZE, TYPE_NUM, false, true },
	{ "metric-id", TERM_METRIC_ID, TYPE_STR, true, false },
	{ "cpu", TERM_CPU, TYPE_STR, true, false },
};

static const struct term_desc *find_desc(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(term_descs); i++)
		if (!strcmp(term_descs[i].name, name))
			return &term_descs[i];
	return NULL;
}

static bool is_counting(const struct parser *p)
{
	return p->env && p->env->counting_command;
}

/* "valid terms: ..." into the help, behind the formats of a PMU if given. */
static void help_valid_terms(struct parser *p, const struct pmu *pmu, const char *typed)
{
	struct strbuf sb = STRBUF_INIT;
	struct similar near;

	similar_init(&near, typed);

	strbuf_adds(&sb, "valid terms: ");
	if (pmu)
		for (size_t i = 0; i < pmu->formats.nr; i++) {
			strbuf_addf(&sb, "%s,", pmu->formats.v[i].name);
			similar_offer(&near, pmu->formats.v[i].name);
		}
	for (size_t i = 0; pmu && i < pmu->events.nr; i++)
		similar_offer(&near, pmu->events.v[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(term_descs); i++)
		if (!is_counting(p) || term_descs[i].counting) {
			strbuf_addf(&sb, "%s%s", i ? "," : "", term_descs[i].name);
			similar_offer(&near, term_descs[i].name);
		}
	strbuf_addch(&sb, '\n');
	snprintf(p->ee->help, sizeof(p->ee->help), "%s", sb.buf);
	parser_suggest(p, &near);
	p->ee->help[strlen(p->ee->help) - 1] = '\0';
	strbuf_release(&sb);
}

/* A sampling term given to a command that only counts: refused. */
static int check_usable(struct parser *p, const struct term_desc *d)
{
	if (!is_counting(p) || d->counting)
		return 0;
	return parser_fail(p, -1, "'%s' is not usable in '%s'", d->name, p->env->counting_command);
}

static int check_value(struct parser *p, const struct term *t, const struct term_desc *d)
{
	if (d->id == TERM_CPU)
		return t->kind == TERM_NO_VALUE
			       ? parser_fail(p, (long)t->col, "expected a CPU number or range")
			       : 0;
	if (d->type == TYPE_STR && t->kind != TERM_STRING)
		return parser_fail(p, t->kind == TERM_NO_VALUE ? 0 : (long)t->val_col,
				   "expected string value");
	if (d->type != TYPE_STR && t->kind == TERM_STRING)
		return parser_fail(p, (long)t->val_col, "expected numeric value");
	if (d->type == TYPE_BOOL && t->num > 1)
		return parser_fail(p, (long)t->val_col, "expected 0 or 1");
	return 0;
}

static const struct {
	const char *name;
	u64 bit;
} branch_filters[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER },
	{ "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "call_stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },
	{ "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
	{ "counter", PERF_SAMPLE_BRANCH_COUNTERS },
};

static void hint_branch_filters(const char *text, size_t n, struct err *e)
{
	_cleanup_(mem_freep) char *word = xstrndup(text, n);
	const char *names[ARRAY_SIZE(branch_filters)];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		names[i] = branch_filters[i].name;
	similar_hint_of(word, names, ARRAY_SIZE(names), e);
}

bool event_branch_filter_parse(const char *text, u64 *mask, struct err *e)
{
	const u64 levels = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL |
			   PERF_SAMPLE_BRANCH_HV;

	*mask = 0;
	for (;;) {
		size_t n = strcspn(text, ",");
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(branch_filters); i++) {
			if (strlen(branch_filters[i].name) == n &&
			    !memcmp(branch_filters[i].name, text, n)) {
				*mask |= branch_filters[i].bit;
				found = true;
			}
		}
		if (!found) {
			hint_branch_filters(text, n, e);
			return false;
		}
		if (!text[n])
			break;
		text += n + 1;
	}
	if (!(*mask & ~levels))
		*mask |= PERF_SAMPLE_BRANCH_ANY;
	return true;
}

static int apply_callgraph(struct parser *p, const struct term *t, struct event_terms *et)
{
	struct err e = ERR_INIT;

	return event_stacks_parse(t->str, &et->stacks, &e) < 0
		       ? parser_fail(p, (long)t->val_col, "%s", e.text)
		       : 0;
}

/* defer, raw: a word behind the mode of call-graph=. */
static int apply_stack_word(struct parser *p, const struct term *t, enum event_callgraph mode,
			    enum event_callgraph needed, bool *word)
{
	*word = t->num;
	if (mode == needed)
		return 0;
	return parser_fail(p, (long)t->col, "'%s' stands behind call-graph=%s", t->name,
			   needed == EVENT_CG_FP ? "fp" : "dwarf");
}

static int apply_aux_action(struct parser *p, const struct term *t, struct event *ev)
{
	static const char *const actions[] = { "start-paused", "pause", "resume" };

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (!strcmp(actions[i], t->str)) {
			ev->attr.aux_action = 1U << i;
			return 0;
		}
	}
	return parser_fail(p, (long)t->val_col, "aux-action is start-paused, pause or resume");
}

static int apply_cpu(struct parser *p, const struct term *t, struct event *ev)
{
	u32 *list;
	size_t nr;

	if (t->kind == TERM_NUMBER) {
		if (t->num > UINT16_MAX)
			return parser_fail(p, (long)t->val_col, "no such CPU");
		list = XNEW_ARRAY(u32, 1);
		list[0] = (u32)t->num;
		nr = 1;
	} else if (!fmt_parse_cpu_list(t->str, &list, &nr)) {
		return parser_fail(p, (long)t->val_col, "expected a CPU number or range");
	}
	free(ev->cpus);
	ev->cpus = list;
	ev->nr_cpus = nr;
	return 0;
}

static int check_max(struct parser *p, const struct term *t, u64 max)
{
	return t->num <= max ? 0
			     : parser_fail(p, (long)t->val_col, "value too big, maximum is %llu",
					   (unsigned long long)max);
}

static int apply_number(struct parser *p, const struct term *t, enum term_id id, struct event *ev)
{
	struct event_terms *et = &ev->terms;

	switch (id) {
	case TERM_CONFIG:
		/* the kind of cores stands in the upper half */
		if (ev->kind == EVENT_HARDWARE || ev->kind == EVENT_CACHE)
			ev->attr.config = t->num | (ev->attr.config & ~(u64)UINT32_MAX);
		else
			ev->attr.config = t->num;
		ev->config_given = ~0ULL;
		return 0;
	case TERM_CONFIG1:
		ev->attr.config1 = t->num;
		return 0;
	case TERM_CONFIG2:
		ev->attr.config2 = t->num;
		return 0;
	case TERM_CONFIG3:
		ev->attr.config3 = t->num;
		return 0;
	case TERM_CONFIG4:
		ev->attr.config4 = t->num;
		return 0;
	case TERM_PERIOD:
		et->has_period = true;
		et->period = t->num;
		return 0;
	case TERM_FREQ:
		et->has_freq = true;
		et->freq = t->num;
		return 0;
	case TERM_TIME:
		et->has_time = true;
		et->time = t->num;
		return 0;
	case TERM_STACK_SIZE:
		et->has_stack_size = true;
		et->stack_size = (u32)t->num;
		return check_max(p, t, EVENT_STACK_COPY_MAX);
	case TERM_INHERIT:
	case TERM_NO_INHERIT:
		et->has_inherit = true;
		et->inherit = (id == TERM_INHERIT) == (t->num != 0);
		return 0;
	case TERM_MAX_STACK:
		et->has_max_stack = true;
		et->max_stack = (u16)t->num;
		return check_max(p, t, UINT16_MAX);
	case TERM_NR:
		et->nr = (u32)t->num;
		return check_max(p, t, UINT32_MAX);
	case TERM_OVERWRITE:
	case TERM_NO_OVERWRITE:
		et->has_overwrite = true;
		et->overwrite = (id == TERM_OVERWRITE) == (t->num != 0);
		return 0;
	case TERM_PERCORE:
		et->percore = t->num;
		return 0;
	case TERM_AUX_OUTPUT:
		et->aux_output = t->num != 0;
		ev->attr.aux_output = et->aux_output;
		return 0;
	case TERM_AUX_SAMPLE_SIZE:
		et->has_aux_sample_size = true;
		et->aux_sample_size = (u32)t->num;
		return check_max(p, t, UINT32_MAX);
	default:
		return 0;
	}
}

static int apply_one(struct parser *p, const struct term *t, const struct term_desc *d,
		     struct event *ev)
{
	if (check_value(p, t, d) || check_usable(p, d))
		return -1;
	switch (d->id) {
	case TERM_NAME:
		free(ev->name);
		ev->name = xstrdup(t->str);
		return 0;
	case TERM_BRANCH_TYPE:
		ev->terms.has_branch_type = true;
		ev->terms.branch_type = 0;
		if (strcmp(t->str, "no") != 0 &&
		    !event_branch_filter_parse(t->str, &ev->terms.branch_type, NULL))
			return parser_fail(p, (long)t->val_col, "invalid branch sample type");
		return 0;
	case TERM_CALL_GRAPH:
		return apply_callgraph(p, t, &ev->terms);
	case TERM_DEFER:
		return apply_stack_word(p, t, ev->terms.stacks.mode, EVENT_CG_FP,
					&ev->terms.stacks.defer);
	case TERM_RAW:
		return apply_stack_word(p, t, ev->terms.stacks.mode, EVENT_CG_DWARF,
					&ev->terms.stacks.raw);
	case TERM_AUX_ACTION:
		return apply_aux_action(p, t, ev);
	case TERM_CPU:
		return apply_cpu(p, t, ev);
	case TERM_METRIC_ID: /* metrics find their events by it; nothing to open differently */
		return 0;
	default:
		return apply_number(p, t, d->id, ev);
	}
}

int terms_apply(struct parser *p, const struct term_vec *terms, struct event *ev)
{
	for (size_t i = 0; i < terms->nr; i++) {
		const struct term *t = &terms->v[i];
		const struct term_desc *d = find_desc(t->name);

		if (!d || d->id == TERM_DRIVER_CONFIG) {
			help_valid_terms(p, NULL, t->name);
			return parser_fail(p, (long)t->col, "unknown term");
		}
		if (apply_one(p, t, d, ev))
			return -1;
	}
	return 0;
}

int terms_apply_tracepoint(struct parser *p, const struct term_vec *terms, struct event *ev)
{
	for (size_t i = 0; i < terms->nr; i++) {
		const struct term *t = &terms->v[i];
		const struct term_desc *d = find_desc(t->name);

		if (!d || !d->tracepoint) {
			snprintf(p->ee->help, sizeof(p->ee->help),
				 "valid terms: call-graph,stack-size\n");
			return parser_fail(p, (long)t->col, "unknown term");
		}
		if (apply_one(p, t, d, ev))
			return -1;
	}
	return 0;
}

/* PMU terms */

struct pmu_terms {
	struct parser *p;
	struct pmu *pmu;
	struct event *ev;
	const struct term_vec *given; /* what the user wrote, NULL = nothing */
	const struct term *origin; /* the one of them at work */
	const char *measured; /* named event that has told its unit or scale */
	int depth;
	u32 nr_terms; /* worked off, those of named events included */
};

static int pmu_term(struct pmu_terms *c, const struct term *t);

/* What a named event's numbers mean. Two that the user names cannot both say it of one count. */
static int take_measure(struct pmu_terms *c, const struct pmu_event *pe)
{
	struct event *ev = c->ev;

	if (!c->depth && (pe->unit || pe->scale != 1.0)) {
		if (c->measured)
			return parser_fail(
				c->p, c->origin ? (long)c->origin->col : 0,
				"'%s' has another unit or scale than '%s': count them one by one",
				pe->name, c->measured);
		c->measured = pe->name;
	}
	if (pe->unit) {
		free(ev->unit);
		ev->unit = xstrdup(pe->unit);
	}
	if (pe->scale != 1.0)
		ev->scale = pe->scale;
	ev->per_pkg |= pe->per_pkg;
	ev->snapshot |= pe->snapshot;
	return 0;
}

/* The terms of a named event, as if they stood in its place. */
static int pmu_named(struct pmu_terms *c, const struct pmu_event *pe)
{
	struct event_error ignored = { 0 };
	struct parser sub = { .text = pe->terms, .len = strlen(pe->terms), .ee = &ignored };
	struct term_vec terms = { 0 };
	int rc = 0;

	if (++c->depth > ALIAS_DEPTH || c->nr_terms > NAMED_TERMS_MAX)
		return parser_fail(c->p, c->origin ? (long)c->origin->col : 0,
				   "event '%s' of pmu '%s' refers to itself", pe->name,
				   c->pmu->name);
	if (sub.len && (parse_list(&sub, &terms) || sub.pos < sub.len))
		rc = parser_fail(c->p, c->origin ? (long)c->origin->col : 0,
				 "cannot read event '%s' of pmu '%s'", pe->name, c->pmu->name);
	for (size_t i = 0; !rc && i < terms.nr; i++)
		rc = pmu_term(c, &terms.v[i]);
	terms_release(&terms);
	c->depth--;
	return rc ? rc : take_measure(c, pe);
}

static bool was_given(const struct pmu_terms *c, const char *name)
{
	for (size_t i = 0; c->given && i < c->given->nr; i++)
		if (!strcmp(c->given->v[i].name, name) && c->given->v[i].kind == TERM_NUMBER)
			return true;
	return false;
}

static int pmu_format_term(struct pmu_terms *c, const struct term *t, const struct pmu_format *f)
{
	u64 max = pmu_format_max(f);

	if (t->kind == TERM_STRING) {
		if (t->str[0] == '?' && was_given(c, t->name))
			return 0; /* the user's own term follows */
		if (t->str[0] == '?')
			return parser_fail(c->p, (long)c->origin->col,
					   "Required parameter '%s' not specified", t->name);
		return parser_fail(c->p, (long)c->origin->val_col, "expected numeric value");
	}
	if (t->num > max)
		return parser_fail(c->p, (long)c->origin->val_col,
				   "value too big for format, maximum is %llu",
				   (unsigned long long)max);
	pmu_format_set(f, t->num, &c->ev->attr);
	if (f->word == PMU_CONFIG)
		c->ev->config_given |= f->mask;
	return 0;
}

/* rNNN inside a PMU's terms is the whole config word. */
static bool raw_term(const struct term *t, u64 *config)
{
	char *end;

	if (t->name[0] != 'r' || !isxdigit((unsigned char)t->name[1]) || strlen(t->name) > 17 ||
	    t->kind != TERM_NO_VALUE)
		return false;
	*config = strtoull(t->name + 1, &end, 16);
	return !*end;
}

/* cycles, L1-dcache-loads inside a core PMU: that generic event on these cores. */
static bool legacy_term(struct pmu_terms *c, const struct term *t)
{
	struct perf_event_attr *a = &c->ev->attr;
	size_t len = strlen(t->name);
	size_t bad;
	u32 type;
	u64 config;

	if (!c->pmu->core || t->kind != TERM_NO_VALUE)
		return false;
	if (event_symbol_find(t->name, len, &type, &config)) {
		if (type != PERF_TYPE_HARDWARE)
			return false;
	} else if (event_cache_find(t->name, len, &config, &bad) == EVENT_CACHE_OK) {
		type = PERF_TYPE_HW_CACHE;
	} else {
		return false;
	}
	a->type = type;
	a->config = config;
	if (pmu_is_hybrid(c->p->pmus))
		a->config |= (u64)c->pmu->type << 32;
	return true;
}

/* What no attribute holds: where CoreSight's trace goes. */
static int driver_config(struct pmu_terms *c, const struct term *t)
{
	if (strcmp(c->pmu->name, "cs_etm") != 0 || t->kind != TERM_NO_VALUE || !t->name[1])
		return parser_fail(c->p, (long)c->origin->col,
				   "driver configuration '%s' is not supported by '%s'", t->name,
				   c->pmu->name);
	free(c->ev->driver_config);
	c->ev->driver_config = xstrdup(t->name + 1);
	return 0;
}

static int pmu_term(struct pmu_terms *c, const struct term *t)
{
	const struct term_desc *d = find_desc(t->name);
	const struct pmu_format *f = pmu_find_format(c->pmu, t->name);
	const struct pmu_event *pe;
	const struct term *outer = c->origin;
	u64 config;
	int rc;

	c->nr_terms++;
	if (!c->depth || !c->origin)
		c->origin = t;
	pe = t->kind == TERM_NO_VALUE ? pmu_find_event(c->pmu, t->name) : NULL;
	if (f) {
		rc = pmu_format_term(c, t, f);
	} else if (d && d->id != TERM_DRIVER_CONFIG) {
		rc = apply_one(c->p, t, d, c->ev);
	} else if (pe) {
		rc = pmu_named(c, pe);
	} else if (raw_term(t, &config)) {
		c->ev->attr.config |= config;
		c->ev->config_given = ~0ULL;
		rc = 0;
	} else if (legacy_term(c, t)) {
		rc = 0;
	} else if (t->name[0] == '@') {
		rc = driver_config(c, t);
	} else {
		help_valid_terms(c->p, c->pmu, t->name);
		rc = parser_fail(c->p, (long)c->origin->col, "unknown term '%s' for pmu '%s'",
				 t->name, c->pmu->name);
	}
	c->origin = outer;
	return rc;
}

int terms_apply_pmu(struct parser *p, const struct term_vec *terms, struct pmu *pmu,
		    struct event *ev)
{
	struct pmu_terms c = { .p = p, .pmu = pmu, .ev = ev, .given = terms };

	pmu_load(p->pmus, pmu);
	for (size_t i = 0; i < terms->nr; i++)
		if (pmu_term(&c, &terms->v[i]))
			return -1;
	return 0;
}

int terms_apply_pmu_event(struct parser *p, struct pmu *pmu, const struct pmu_event *pe,
			  struct event *ev)
{
	struct pmu_terms c = { .p = p, .pmu = pmu, .ev = ev };

	return pmu_named(&c, pe);
}
