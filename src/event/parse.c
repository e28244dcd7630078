/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The top of the event grammar:
 *
 *	list     = item {"," item}
 *	item     = event | [NAME] "{" event {"," event} "}" [":" MODIFIERS]
 *	event    = SYMBOL [":" MODIFIERS] | SYMBOL "/" terms "/" [MODIFIERS]
 *	         | PMU "/" terms "/" [MODIFIERS] | SYSTEM ":" NAME ["/" terms "/"] [":" MODIFIERS]
 *	         | ("uprobe" | "uretprobe" | "usdt") ":" PATH ":" POINT [ARGS] [":" MODIFIERS]
 *	         | ("kprobe" | "kretprobe") ":" [MODULE ":"] POINT [ARGS] [":" MODIFIERS]
 *	         | FILE(".c" | ".o") ["/" settings "/"]
 *	         | "r" HEX ... | "mem:" ADDRESS ["/" LENGTH] [":" ACCESS] [":" MODIFIERS]
 *
 * SYMBOL is a hardware, software or cache name or the name of an event that a PMU describes.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "event/hwmon.h"
#include "event/names.h"
#include "event/parser.h"
#include "event/pfm.h"

enum { TEXT_MAX = 1 << 20, RAW_DIGITS_MAX = 16 };

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_*?[]!.-", c));
}

static size_t word_span(const char *s)
{
	size_t n = 0;

	if (*s == '-' || *s == '.')
		return 0;
	while (is_word_char(s[n]))
		n++;
	return n;
}

/* What a word means. */
struct word_meaning {
	enum event_kind kind; /* not TRACEPOINT, BREAKPOINT */
	u32 type;
	u64 config;
	enum event_tool tool;
};

static bool is_raw(const char *s, size_t len, u64 *config)
{
	char digits[RAW_DIGITS_MAX + 1];
	char *end;

	if (len < 2 || len > RAW_DIGITS_MAX + 1 || s[0] != 'r')
		return false;
	memcpy(digits, s + 1, len - 1);
	digits[len - 1] = '\0';
	if (!isxdigit((unsigned char)digits[0]) || strpbrk(digits, "xX"))
		return false;
	*config = strtoull(digits, &end, 16);
	return !*end;
}

static void suggest_names(struct parser *p, const char *word)
{
	struct similar near;

	similar_init(&near, word);
	event_offer_names(&near, p->pmus, parser_find_tracefs(p) ? p->tracefs : NULL);
	parser_suggest(p, &near);
}

/* 1: found, 0: no such symbol, -1: error told. */
static int find_symbol(struct parser *p, const char *s, size_t len, struct word_meaning *sym)
{
	size_t bad = 0;

	*sym = (struct word_meaning){ 0 };
	if (event_symbol_find(s, len, &sym->type, &sym->config)) {
		sym->kind = sym->type == PERF_TYPE_HARDWARE ? EVENT_HARDWARE : EVENT_SOFTWARE;
		return 1;
	}
	sym->tool = event_tool_find(s, len);
	if (sym->tool) {
		sym->kind = EVENT_TOOL;
		sym->type = PERF_TYPE_SOFTWARE;
		sym->config = PERF_COUNT_SW_DUMMY;
		return 1;
	}
	if (is_raw(s, len, &sym->config)) {
		sym->kind = EVENT_RAW;
		sym->type = PERF_TYPE_RAW;
		return 1;
	}
	switch (event_cache_find(s, len, &sym->config, &bad)) {
	case EVENT_CACHE_OK:
		sym->kind = EVENT_CACHE;
		sym->type = PERF_TYPE_HW_CACHE;
		return 1;
	case EVENT_CACHE_BAD_OP:
		return parser_fail(p, (long)p->pos, "no such operation on this cache");
	case EVENT_CACHE_BAD_PART:
		suggest_names(p, s);
		return parser_fail(p, (long)(bad + 1 < len ? p->pos + bad : p->pos),
				   "parser error");
	default:
		return 0;
	}
}

/* An event that counts on the CPUs of one PMU. */
static struct event *add_on_pmu(struct parser *p, enum event_kind kind, const struct pmu *pmu,
				u32 type, u64 config)
{
	struct event *ev = parser_add(p, kind, type, config);

	ev->pmu_name = xstrdup(pmu->name);
	if (pmu->nr_cpus) {
		ev->cpus = XNEW_ARRAY(u32, pmu->nr_cpus);
		ev->nr_cpus = pmu->nr_cpus;
		memcpy(ev->cpus, pmu->cpus, pmu->nr_cpus * sizeof(u32));
	}
	return ev;
}

static struct event *add_pmu_event(struct parser *p, const struct pmu *pmu)
{
	return add_on_pmu(p, EVENT_PMU, pmu, pmu->type, 0);
}

/* One event for the symbol; on machines with several kinds of cores, one per kind. */
static void add_symbol(struct parser *p, const struct word_meaning *sym)
{
	bool per_core = sym->kind == EVENT_HARDWARE || sym->kind == EVENT_CACHE ||
			sym->kind == EVENT_RAW;

	if (!per_core || !pmu_is_hybrid(p->pmus)) {
		struct event *ev = parser_add(p, sym->kind, sym->type, sym->config);

		ev->tool = sym->tool;
		ev->snapshot = event_tool_is_level(sym->tool);
		return;
	}
	pmu_catalog_scan(p->pmus);
	VEC_FOR(&p->pmus->pmus, it) {
		const struct pmu *pmu = *it;

		if (pmu->core && sym->kind == EVENT_RAW)
			add_on_pmu(p, sym->kind, pmu, pmu->type, sym->config);
		else if (pmu->core)
			add_on_pmu(p, sym->kind, pmu, sym->type,
				   sym->config | (u64)pmu->type << 32);
	}
}

/* A word that some PMU's events/ knows. 1: added, 0: nowhere, -1: error told. */
static int add_pmu_word(struct parser *p, const char *word)
{
	int found = 0;

	pmu_catalog_scan(p->pmus);
	VEC_FOR(&p->pmus->pmus, it) {
		const struct pmu_event *pe;

		pmu_load(p->pmus, *it);
		pe = pmu_find_event(*it, word);
		if (!pe)
			continue;
		if (terms_apply_pmu_event(p, *it, pe, add_pmu_event(p, *it)))
			return -1;
		found = 1;
	}
	return found;
}

/* A vendor's name, EVENT[.UMASK]. */
static bool add_vendor_word(struct parser *p, const char *word)
{
	_cleanup_(mem_freep) char *name = xstrdup(word);
	char *dot = strchr(name, '.');

	if (!pfm_available() || strpbrk(word, "*?[]!"))
		return false;
	if (dot)
		*dot = ':';
	if (event_add_pfm(p->out, name, NULL))
		return false;
	free(VEC_LAST(&p->out->events)[0]->name);
	VEC_LAST(&p->out->events)[0]->name = NULL; /* as it was written */
	return true;
}

/* tool/NAME/: what the tool itself measures, written as if a PMU did. */
static int add_tool(struct parser *p, size_t col, const struct term_vec *terms)
{
	const struct term *t = terms->nr == 1 ? terms->v : NULL;
	enum event_tool tool = t && t->kind == TERM_NO_VALUE
				       ? event_tool_find(t->name, strlen(t->name))
				       : EVENT_TOOL_NONE;

	if (!tool)
		return parser_fail(p, (long)(t ? t->col : col), "unknown tool event");
	parser_add(p, EVENT_TOOL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY)->tool = tool;
	return 0;
}

/* Sensors of a device (glob, NULL = any) by name; told apart when there are several. Returns how
 * many. */
static size_t add_sensors(struct parser *p, const char *device, const char *name)
{
	struct hwmon_sensors all = { 0 };
	size_t nr = 0;

	hwmon_scan(p->env ? p->env->sysfs : NULL, &all);
	VEC_FOR(&all, s)
		nr += hwmon_sensor_matches(s, device, name);
	VEC_FOR(&all, s) {
		struct event *ev;

		if (!hwmon_sensor_matches(s, device, name))
			continue;
		ev = parser_add(p, EVENT_TOOL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
		ev->tool = EVENT_TOOL_SENSOR;
		ev->snapshot = true;
		ev->sensor = xstrdup(s->path);
		ev->unit = xstrdup(s->kind->unit);
		ev->scale = s->kind->scale;
		if (nr > 1)
			ev->name = xasprintf("%s/%s/", s->device, s->name);
	}
	hwmon_sensors_release(&all);
	return nr;
}

/* hwmon_DEVICE/NAME/ */
static int add_hwmon(struct parser *p, const char *device, size_t col, const struct term_vec *terms)
{
	const struct term *t = terms->nr == 1 ? terms->v : NULL;

	if (t && t->kind == TERM_NO_VALUE && add_sensors(p, device, t->name))
		return 0;
	return parser_fail(p, (long)(t ? t->col : col), "unknown sensor");
}

/* PMU/terms/: that PMU, or all that the name fits (uncore_imc for uncore_imc_0 ...). */
static int add_pmu(struct parser *p, const char *name, size_t col, const struct term_vec *terms)
{
	struct pmu *exact = pmu_find(p->pmus, name);
	bool met = false;
	bool taken = false;

	if (exact) {
		int rc = terms_apply_pmu(p, terms, exact, add_pmu_event(p, exact));
		p->ee->repeated = rc != 0;
		return rc;
	}
	if (!strcmp(name, "tool"))
		return add_tool(p, col, terms);
	if (!strncmp(name, "hwmon_", 6))
		return add_hwmon(p, name, col, terms);
	pmu_catalog_scan(p->pmus);
	VEC_FOR(&p->pmus->pmus, it) {
		if (!pmu_name_matches((*it)->name, name))
			continue;
		met = true;
		if (!terms_apply_pmu(p, terms, *it, add_pmu_event(p, *it)))
			taken = true;
		else /* several kinds of units may fit a glob, with different events */
			event_free(p->out->events.v[--p->out->events.nr]);
	}
	if (!met) {
		/* a virtual machine without counters has none of that name, which is no slip */
		if (strcmp(name, "cpu"))
			suggest_names(p, name);
		return parser_fail(p, (long)col, "Cannot find PMU `%s'. Missing kernel support?",
				   name);
	}
	return taken ? 0 : -1;
}

/* WORD/terms/ with pos behind the word. */
static int parse_with_terms(struct parser *p, const char *word, size_t col,
			    const struct word_meaning *sym, bool known)
{
	size_t before = p->out->events.nr;
	struct term_vec terms = { 0 };
	int rc;

	parser_take(p, 1);
	p->span.terms = p->pos;
	rc = terms_parse(p, &terms);
	p->span.terms_len = p->pos - p->span.terms - (rc ? 0 : 1);
	if (!rc && !known)
		rc = add_pmu(p, word, col, &terms);
	if (!rc && known)
		add_symbol(p, sym);
	for (size_t i = before; known && !rc && i < p->out->events.nr; i++)
		rc = terms_apply(p, &terms, p->out->events.v[i]);
	terms_release(&terms);
	return rc;
}

/* PROG.c or PROG.o, with more behind a '/' or without: length of the path, 0 = none. */
static size_t program_span(const char *s)
{
	size_t n = strcspn(s, "/,{} \t=");

	for (;;) {
		if (n > 2 && s[n - 2] == '.' && (s[n - 1] == 'c' || s[n - 1] == 'o') && s[n] != '=')
			return n;
		if (s[n] != '/')
			return 0;
		n += 1 + strcspn(s + n + 1, "/,{} \t=");
	}
}

/* PATH["/" SETTINGS "/"]: an event for each program of the file. */
static int parse_program(struct parser *p, size_t n)
{
	size_t col = p->pos;
	_cleanup_(mem_freep) char *path = xstrndup(p->text + col, n);
	_cleanup_(mem_freep) char *settings = NULL;
	struct err e = ERR_INIT;
	size_t len;

	if (!p->env || !p->env->load_programs)
		return parser_fail(p, (long)col, "files of BPF programs are no events here");
	parser_take(p, n);
	if (parser_peek(p) == '/') {
		parser_take(p, 1);
		len = strcspn(p->text + p->pos, "/");
		settings = xstrndup(p->text + p->pos, len);
		parser_take(p, len);
		if (parser_peek(p) != '/')
			return parser_fail(p, (long)col, "the closing '/' is missing");
		parser_take(p, 1);
	}
	return p->env->load_programs(p->env, path, settings ? settings : "", p->out, &e)
		       ? parser_fail_made(p, col, &e)
		       : 0;
}

/* Is WORD:REST a tracepoint? REST is n bytes long. */
static bool is_tracepoint(bool known, const char *rest, size_t n)
{
	return !known && n && (modifiers_span(rest, n) < n);
}

/* The n letters at pos. */
static int check_modifiers(struct parser *p, size_t n, struct modifiers *m)
{
	if (modifiers_parse(p->text + p->pos, n, m))
		return parser_fail(p, (long)p->pos, "Bad modifier");
	if (m->retire_lat)
		return parser_fail(p, (long)p->pos,
				   "modifier R (retirement latency) is not supported yet");
	return 0;
}

static int parse_modifiers(struct parser *p, size_t first_event)
{
	size_t n = modifiers_span(p->text + p->pos, p->len - p->pos);
	struct modifiers m;

	if (is_word_char(p->text[p->pos + n]))
		return parser_syntax(p);
	if (!n)
		return 0;
	if (check_modifiers(p, n, &m))
		return -1;
	parser_take(p, n);
	for (size_t i = first_event; i < p->out->events.nr; i++)
		modifiers_apply(&m, p->out->events.v[i], false);
	return 0;
}

/* [":" MODIFIERS], or MODIFIERS right behind terms. */
static int parse_event_tail(struct parser *p, size_t first_event, bool after_terms)
{
	if (after_terms)
		return parse_modifiers(p, first_event);
	if (parser_peek(p) != ':')
		return 0;
	parser_take(p, 1);
	return parse_modifiers(p, first_event);
}

static int parse_word(struct parser *p, bool *after_terms)
{
	size_t col = p->pos;
	size_t n = word_span(p->text + p->pos);
	_cleanup_(mem_freep) char *word = xstrndup(p->text + p->pos, n);
	const char *rest = p->text + p->pos + n + 1;
	struct word_meaning sym;
	int known = find_symbol(p, word, n, &sym);

	if (known < 0)
		return -1;
	if (p->text[p->pos + n] == ':') {
		size_t name_len = word_span(rest);

		if (is_tracepoint(known, rest, name_len)) {
			if (tracepoint_parse(p, n, name_len))
				return -1;
			return 0;
		}
	}
	parser_take(p, n);
	if (parser_peek(p) == '/') {
		*after_terms = true;
		p->span.word_len = known ? n : 0;
		return parse_with_terms(p, word, col, &sym, known);
	}
	p->span.word_len = n;
	if (known) {
		add_symbol(p, &sym);
		return 0;
	}

	int found = add_pmu_word(p, word);

	if (found)
		return found < 0 ? -1 : 0;
	if (hwmon_is_name(word) && add_sensors(p, NULL, word))
		return 0;
	if (add_vendor_word(p, word))
		return 0;
	suggest_names(p, word);
	/* perf points behind a word that could have been an event with modifiers */
	if ((parser_peek(p) == ':' && modifiers_span(rest, strlen(rest))) || parser_peek(p) == '@')
		return parser_fail(p, (long)p->pos, "parser error");
	return parser_fail(p, (long)col, "parser error");
}

static bool is_core_of_several(struct parser *p, const char *pmu_name)
{
	struct pmu *pmu = pmu_is_hybrid(p->pmus) ? pmu_find(p->pmus, pmu_name) : NULL;

	return pmu && pmu->core;
}

/*
 * The text from start to pos, as written. Where one word became one event per kind of core, they
 * are told apart: cycles:u is cpu_core/cycles/u and cpu_atom/cycles/u.
 */
static void name_event(struct parser *p, struct event *ev, size_t start)
{
	const char *s = p->text + start;
	size_t len = p->pos - start;
	size_t blanks = strspn(s, " \t\n\r");

	if (!p->span.word_len || !ev->pmu_name || !is_core_of_several(p, ev->pmu_name)) {
		ev->name = xstrndup(s, len);
		return;
	}

	const char *mods = p->span.terms_len ? p->text + p->span.terms + p->span.terms_len + 1
					     : s + blanks + p->span.word_len;
	size_t skip = strspn(mods, ":/");

	ev->name = xasprintf("%s/%.*s%s%.*s/%.*s", ev->pmu_name, (int)p->span.word_len, s + blanks,
			     p->span.terms_len ? "," : "", (int)p->span.terms_len,
			     p->text + p->span.terms, (int)modifiers_span(mods + skip, p->len),
			     mods + skip);
}

static int parse_event(struct parser *p)
{
	size_t start = p->pos;
	size_t before = p->out->events.nr;
	bool after_terms = false;
	size_t n;
	int rc;

	memset(&p->span, 0, sizeof(p->span));
	parser_skip_blanks(p);
	n = probe_word_span(p->text + p->pos) ? 0 : program_span(p->text + p->pos);
	if (n)
		rc = parse_program(p, n);
	else if (!strncmp(p->text + p->pos, "mem:", 4))
		rc = breakpoint_parse(p);
	else if (probe_word_span(p->text + p->pos))
		rc = probe_parse(p);
	else if (word_span(p->text + p->pos))
		rc = parse_word(p, &after_terms);
	else if (!p->text[p->pos] || strchr(",}", p->text[p->pos]))
		rc = parser_syntax(p);
	else
		rc = parser_fail(p, (long)p->pos, "parser error");
	if (!rc)
		rc = parse_event_tail(p, before, after_terms);
	if (rc)
		return -1;
	parser_skip_blanks(p);
	for (size_t i = before; i < p->out->events.nr; i++) {
		struct event *ev = p->out->events.v[i];

		if (!ev->name)
			name_event(p, ev, start);
	}
	return p->out->events.nr > LIMIT_EVENTS
		       ? parser_fail(p, (long)start, "more than %d events", LIMIT_EVENTS)
		       : 0;
}

static int parse_group_tail(struct parser *p, size_t first)
{
	size_t n;
	size_t col;
	struct modifiers m;

	if (parser_peek(p) != ':')
		return 0;
	parser_take(p, 1);
	col = p->pos;
	n = modifiers_span(p->text + p->pos, p->len - p->pos);
	if (!n || is_word_char(p->text[p->pos + n]))
		return parser_syntax(p);
	if (check_modifiers(p, n, &m))
		return -1;
	parser_take(p, n);
	for (size_t i = first; i < p->out->events.nr; i++)
		if (modifiers_apply(&m, p->out->events.v[i], true))
			return parser_fail(p, (long)col, "Bad modifier");
	return 0;
}

/*
 * A group counts on one PMU. On machines with several kinds of cores the members of each kind
 * become a group of their own, in the order of their first appearance; events of no core stay with
 * the first.
 */
static void group_by_core(struct parser *p, size_t first, const char *name)
{
	struct event **v = p->out->events.v + first;
	size_t nr = p->out->events.nr - first;
	size_t begin = 0;

	if (!pmu_is_hybrid(p->pmus)) {
		event_list_group(p->out, first, nr, name);
		return;
	}
	while (begin < nr) {
		const char *core = NULL;
		size_t end = begin;

		for (size_t i = begin; i < nr; i++) {
			struct event *ev = v[i];
			bool is_core = ev->pmu_name && is_core_of_several(p, ev->pmu_name);

			if (is_core && !core)
				core = ev->pmu_name;
			if (is_core && strcmp(core, ev->pmu_name) != 0)
				continue;
			/* stable: shift those that wait for the next group */
			memmove(&v[end + 1], &v[end], (i - end) * sizeof(*v));
			v[end++] = ev;
		}
		event_list_group(p->out, first + begin, end - begin, name);
		begin = end;
	}
}

/* pos is at '{', name_len bytes of name before it. */
static int parse_group(struct parser *p, const char *name, size_t name_len)
{
	size_t first = p->out->events.nr;
	size_t open = p->pos;

	parser_take(p, 1);
	for (;;) {
		if (parse_event(p))
			return -1;
		if (parser_peek(p) != ',')
			break;
		parser_take(p, 1);
	}
	if (!p->text[p->pos])
		return parser_fail(p, (long)open, "missing '}'");
	if (parser_peek(p) != '}')
		return parser_syntax(p);
	parser_take(p, 1);

	_cleanup_(mem_freep) char *group = name_len ? xstrndup(name, name_len) : NULL;

	group_by_core(p, first, group);
	return parse_group_tail(p, first);
}

static int parse_item(struct parser *p)
{
	const char *s = p->text + p->pos;
	size_t blanks = strspn(s, " \t\n\r");
	size_t n = word_span(s + blanks);

	if (s[blanks + n] == '{') {
		if (blanks)
			parser_take(p, blanks);
		if (n)
			parser_take(p, n);
		return parse_group(p, s + blanks, n);
	}
	return parse_event(p);
}

/* Something behind a complete event that cannot follow one. */
static int fail_behind_event(struct parser *p)
{
	char c = parser_peek(p);

	if (is_word_char(c) || strchr(":/{}", c))
		return parser_syntax(p);
	return parser_fail(p, (long)p->pos, "parser error");
}

static int parse_list(struct parser *p)
{
	for (;;) {
		if (parse_item(p))
			return -1;
		parser_skip_blanks(p);
		if (!p->text[p->pos])
			return 0;
		if (parser_peek(p) != ',')
			return fail_behind_event(p);
		parser_take(p, 1);
	}
}

int event_parse(struct event_list *l, const char *text, const struct event_env *env,
		struct event_error *ee)
{
	struct event_list out;
	struct pmu_catalog pmus;
	struct parser *p = XNEW(struct parser);
	int rc;

	*ee = (struct event_error){ 0 };
	event_list_init(&out);
	pmu_catalog_init(&pmus, env ? env->sysfs : NULL);
	*p = (struct parser){ .text = text,
			      .len = strlen(text),
			      .first = 1,
			      .last = 1,
			      .env = env,
			      .ee = ee,
			      .out = &out,
			      .before = l,
			      .pmus = &pmus };
	rc = p->len > TEXT_MAX ? parser_fail(p, 0, "text is too long") : parse_list(p);
	for (size_t i = 0; !rc && i < out.events.nr; i++) {
		out.events.v[i]->index = (u32)l->events.nr;
		*VEC_PUSH(&l->events) = out.events.v[i];
	}
	if (!rc)
		out.events.nr = 0;
	event_list_release(&out);
	pmu_catalog_release(&pmus);
	free(p);
	return rc;
}
