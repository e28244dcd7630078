/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/fields.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/similar.h"
#include "base/strbuf.h"

#define EVERY_TYPE 0xffffU

/* In the order that the help text lists them; types: for which the field has a meaning. */
static const struct field_row {
	const char *name;
	enum script_field field;
	unsigned int types; /* bit set */
} rows[] = {
	{ "comm", FIELD_COMM, EVERY_TYPE },
	{ "tid", FIELD_TID, EVERY_TYPE },
	{ "pid", FIELD_PID, EVERY_TYPE },
	{ "time", FIELD_TIME, EVERY_TYPE },
	{ "cpu", FIELD_CPU, EVERY_TYPE },
	{ "event", FIELD_EVENT, EVERY_TYPE },
	{ "trace", FIELD_TRACE, 1U << PERF_TYPE_TRACEPOINT },
	{ "ip", FIELD_IP, EVERY_TYPE },
	{ "sym", FIELD_SYM, EVERY_TYPE },
	{ "dso", FIELD_DSO, EVERY_TYPE },
	{ "dsoff", FIELD_DSOFF, EVERY_TYPE },
	{ "addr", FIELD_ADDR, EVERY_TYPE },
	{ "symoff", FIELD_SYMOFF, EVERY_TYPE },
	{ "srcline", FIELD_SRCLINE, EVERY_TYPE },
	{ "period", FIELD_PERIOD, EVERY_TYPE },
	{ "iregs", FIELD_IREGS, EVERY_TYPE },
	{ "uregs", FIELD_UREGS, EVERY_TYPE },
	{ "brstack", FIELD_BRSTACK, EVERY_TYPE },
	{ "brstacksym", FIELD_BRSTACKSYM, EVERY_TYPE },
	{ "flags", FIELD_FLAGS, EVERY_TYPE },
	{ "data_src", FIELD_DATA_SRC, EVERY_TYPE },
	{ "weight", FIELD_WEIGHT, EVERY_TYPE },
	{ "bpf-output", FIELD_BPF_OUTPUT, 1U << PERF_TYPE_SOFTWARE },
	{ "brstackinsn", FIELD_BRSTACKINSN, EVERY_TYPE },
	{ "brstackinsnlen", FIELD_BRSTACKINSNLEN, EVERY_TYPE },
	{ "brstackoff", FIELD_BRSTACKOFF, EVERY_TYPE },
	{ "callindent", FIELD_CALLINDENT, EVERY_TYPE },
	{ "insn", FIELD_INSN, EVERY_TYPE },
	{ "insnlen", FIELD_INSNLEN, EVERY_TYPE },
	{ "synth", FIELD_SYNTH, EVERY_TYPE },
	{ "phys_addr", FIELD_PHYS_ADDR, EVERY_TYPE },
	{ "metric", FIELD_METRIC, EVERY_TYPE },
	{ "misc", FIELD_MISC, EVERY_TYPE },
	{ "srccode", FIELD_SRCCODE, EVERY_TYPE },
	{ "ipc", FIELD_IPC, EVERY_TYPE },
	{ "tod", FIELD_TOD, EVERY_TYPE },
	{ "data_page_size", FIELD_DATA_PAGE_SIZE, EVERY_TYPE },
	{ "code_page_size", FIELD_CODE_PAGE_SIZE, EVERY_TYPE },
	{ "ins_lat", FIELD_INS_LAT, EVERY_TYPE },
	{ "retire_lat", FIELD_RETIRE_LAT, EVERY_TYPE },
	{ "cgroup", FIELD_CGROUP, EVERY_TYPE },
	{ "machine_pid", FIELD_MACHINE_PID, EVERY_TYPE },
	{ "vcpu", FIELD_VCPU, EVERY_TYPE },
};

static const struct {
	const char *prefix, *name;
	unsigned int type;
} types[] = {
	{ "hw:", "hardware", PERF_TYPE_HARDWARE },        { "sw:", "software", PERF_TYPE_SOFTWARE },
	{ "trace:", "tracepoint", PERF_TYPE_TRACEPOINT }, { "raw:", "raw", PERF_TYPE_RAW },
	{ "break:", "breakpoint", PERF_TYPE_BREAKPOINT }, { "synth:", "synth", TYPE_SYNTH },
};

#define COMMON_FIELDS                                                                              \
	(FIELD_BIT(COMM) | FIELD_BIT(TID) | FIELD_BIT(CPU) | FIELD_BIT(TIME) | FIELD_BIT(EVENT))
#define CODE_FIELDS (FIELD_BIT(IP) | FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) | FIELD_BIT(DSO))

void fields_init(struct field_set *s)
{
	const u64 sampled = COMMON_FIELDS | CODE_FIELDS | FIELD_BIT(PERIOD);

	*s = (struct field_set){ 0 };
	for (unsigned int i = 0; i < TYPE_NR; i++)
		s->type[i].fields = sampled;
	s->type[PERF_TYPE_SOFTWARE].fields |= FIELD_BIT(BPF_OUTPUT);
	s->type[PERF_TYPE_TRACEPOINT].fields = COMMON_FIELDS | FIELD_BIT(TRACE);
	s->type[PERF_TYPE_RAW].fields |= FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC) | FIELD_BIT(WEIGHT) |
					 FIELD_BIT(PHYS_ADDR) | FIELD_BIT(DATA_PAGE_SIZE) |
					 FIELD_BIT(CODE_PAGE_SIZE) | FIELD_BIT(INS_LAT);
	s->type[TYPE_SYNTH].fields = COMMON_FIELDS | CODE_FIELDS | FIELD_BIT(SYNTH);
}

unsigned int fields_type(const struct perf_event_attr *attr)
{
	return attr->type < PERF_TYPE_MAX ? attr->type : TYPE_OTHER;
}

static const struct field_row *find_row(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strlen(rows[i].name) == len && !memcmp(rows[i].name, name, len))
			return &rows[i];
	return NULL;
}

static const char *type_name(unsigned int type)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].type == type)
			return types[i].name;
	return type == PERF_TYPE_HW_CACHE ? "hardware-cache" : "unknown";
}

/* The reference has its own idea of which types it can name in this warning. */
static const char *warned_name(unsigned int type)
{
	return type <= PERF_TYPE_HW_CACHE ? type_name(type) : "unknown";
}

bool fields_is_list(const char *text)
{
	bool comma = false;

	for (const char *p = text, *end; *p; p = *end ? end + 1 : end) {
		end = strchrnul(p, ',');
		comma |= *end == ',';
		if (!find_row(p, (size_t)(end - p)))
			return false;
	}
	return comma || find_row(text, strlen(text));
}

static void change(struct field_list *l, u64 bit, char sign)
{
	if (sign == '-') {
		l->fields &= ~bit;
		l->user_off |= bit;
		l->user &= ~bit;
		return;
	}
	l->fields |= bit;
	l->user |= bit;
}

static int fail_unknown(const char *name, size_t len, struct err *e)
{
	_cleanup_(mem_freep) char *typed = xstrndup(name, len);
	const char *names[ARRAY_SIZE(rows)];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		names[i] = rows[i].name;
	err_set(e, EINVAL, "Invalid field requested.");
	similar_hint_of(typed, names, ARRAY_SIZE(names), e);
	return -1;
}

/* Apply one name to one type, or to all (type -1). */
static int apply_name(struct field_set *s, int type, const char *name, size_t len, char sign,
		      struct err *e)
{
	const struct field_row *row = find_row(name, len);

	if (!row)
		return fail_unknown(name, len, e);
	u64 bit = 1ULL << row->field;

	if (type >= 0) {
		if (!(row->types & (1U << type)))
			return err_set(e, EINVAL, "'%s' not valid for %s events.", row->name,
				       type_name((unsigned int)type));
		change(&s->type[type], bit, sign);
		/* as perf: what is asked of one type is left out where it was not recorded */
		s->type[type].user &= ~bit;
		return 0;
	}
	for (unsigned int j = 0; j < TYPE_NR; j++) {
		if (!(row->types & (1U << j)))
			fprintf(stderr, "'%s' not valid for %s events. Ignoring.\n", row->name,
				warned_name(j));
		else
			change(&s->type[j], bit, sign);
	}
	return 0;
}

static int parse_names(struct field_set *s, int type, const char *p, struct err *e)
{
	bool changes = *p == '+' || *p == '-';
	bool others = false; /* than flags, which leave everything else as it is */
	char sign = 0;

	if (!changes)
		for (unsigned int j = 0; j < TYPE_NR; j++)
			if (type < 0 || (int)j == type)
				s->type[j].fields = s->type[j].user = 0;
	while (*p) {
		if (*p == '+' || *p == '-') {
			if (!changes)
				return err_set(e, EINVAL,
					       "Cannot mix +-field with overridden fields");
			sign = *p++;
		} else {
			sign = changes ? '+' : 0;
		}
		const char *end = strchrnul(p, ',');

		if (apply_name(s, type, p, (size_t)(end - p), sign, e) < 0)
			return -1;
		others |= !changes || strncmp(p, "flags", (size_t)(end - p)) != 0;
		p = *end ? end + 1 : end;
	}
	for (unsigned int j = 0; j < TYPE_NR; j++)
		if (type < 0 || (int)j == type)
			s->type[j].user_set |= others;
	return 0;
}

int fields_parse(struct field_set *s, const char *text, struct err *e)
{
	if (strchr(text, ':')) {
		for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
			size_t n = strlen(types[i].prefix);

			if (strncmp(text, types[i].prefix, n))
				continue;
			if (s->type[types[i].type].user_set && text[n] != '+' && text[n] != '-')
				fprintf(stderr,
					"Overriding previous field request for %s events.\n",
					types[i].name);
			s->type[types[i].type].none = !text[n];
			return parse_names(s, (int)types[i].type, text + n, e);
		}
		return err_set(e, EINVAL, "Invalid event type in field string.");
	}
	if (!*text)
		return err_set(e, EINVAL, "Cannot set fields to 'none' for all event types.");
	if (s->type[0].user_set && *text != '+' && *text != '-')
		fprintf(stderr, "Overriding previous field request for all events.\n");
	return parse_names(s, -1, text, e);
}

/* ------------------------------------------------------------------ what the samples have */

/* Fields that need a bit of sample_type; name: as the message calls it. */
static const struct {
	enum script_field field;
	u64 sample_type;
	const char *attribute, *name;
} needs[] = {
	{ FIELD_IP, PERF_SAMPLE_IP, "IP", "ip" },
	{ FIELD_ADDR, PERF_SAMPLE_ADDR, "ADDR", "addr" },
	{ FIELD_DATA_SRC, PERF_SAMPLE_DATA_SRC, "DATA_SRC", "data_src" },
	{ FIELD_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT", "weight" },
	{ FIELD_TID, PERF_SAMPLE_TID, "TID", "tid" },
	{ FIELD_PID, PERF_SAMPLE_TID, "TID", "pid" },
	{ FIELD_TIME, PERF_SAMPLE_TIME, "TIME", "time" },
	{ FIELD_CPU, PERF_SAMPLE_CPU, "CPU", "cpu" },
	{ FIELD_IREGS, PERF_SAMPLE_REGS_INTR, "IREGS", "iregs" },
	{ FIELD_UREGS, PERF_SAMPLE_REGS_USER, "UREGS", "uregs" },
	{ FIELD_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR", "phys_addr" },
	{ FIELD_DATA_PAGE_SIZE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE", "data_page_size" },
	{ FIELD_CODE_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE", "code_page_size" },
	{ FIELD_INS_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "ins_lat" },
	{ FIELD_RETIRE_LAT, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "retire_lat" },
	{ FIELD_CGROUP, PERF_SAMPLE_CGROUP, "CGROUP", "cgroup" },
};

static int check_needs(struct field_list *l, const struct perfdata_event *ev, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		u64 bit = 1ULL << needs[i].field;

		if (!(l->fields & bit) || ev->attr.sample_type & needs[i].sample_type)
			continue;
		if (l->user & bit)
			return err_set(e, EINVAL,
				       "Samples for '%s' event do not have %s attribute set. "
				       "Cannot print '%s' field.",
				       ev->name, needs[i].attribute, needs[i].name);
		l->fields &= ~bit;
	}
	return 0;
}

static int check_list(struct field_list *l, const struct perfdata_event *ev, bool has_clock,
		      struct err *e)
{
	if (check_needs(l, ev, e) < 0)
		return -1;
	if (l->fields & FIELD_BIT(SYMOFF) && !(l->fields & FIELD_BIT(SYM)))
		return err_set(e, EINVAL,
			       "Display of offsets requested but symbol is not"
			       "selected.");
	if (l->fields & (FIELD_BIT(SRCLINE) | FIELD_BIT(SRCCODE)) && !(l->fields & FIELD_BIT(IP)))
		return err_set(e, EINVAL,
			       "Display of source line number requested but sample IP is not\n"
			       "selected. Hence, no address to lookup the source line number.");
	if (l->fields & (FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN)) &&
	    !(ev->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY))
		return err_set(e, EINVAL,
			       "Display of branch stack assembler requested, but non all-branch "
			       "filter set\nHint: run 'perf record -b ...'");
	if (l->fields & FIELD_BIT(TOD) && !has_clock)
		return err_set(e, EINVAL,
			       "Can't provide 'tod' time, missing clock data. "
			       "Please record with -k/--clockid option.");
	return 0;
}

int fields_check(struct field_set *s, const struct perfdata *f, bool has_clock, bool no_chain,
		 struct err *e)
{
	bool seen[TYPE_NR] = { false };

	u64 flags = 0;

	/* as perf: flags are shown of all events as soon as one type has them */
	for (unsigned int j = 0; j < TYPE_NR; j++)
		flags |= s->type[j].fields & FIELD_BIT(FLAGS);
	for (unsigned int j = 0; j < TYPE_NR; j++)
		s->type[j].fields = (s->type[j].fields | flags) & ~s->type[j].user_off;
	for (size_t i = 0; i < perfdata_nr_events(f); i++) {
		const struct perfdata_event *ev = perfdata_event(f, i);
		unsigned int type = fields_type(&ev->attr);
		struct field_list *l = &s->type[type];

		/* only carries records of the system */
		if (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_DUMMY &&
		    perfdata_nr_events(f) > 1)
			continue;
		/* stacks show their symbols without being asked: of any event in a stream, else of
		 * tracepoints */
		if (perfdata_is_pipe(f) && !no_chain &&
		    ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			l->fields |= (FIELD_BIT(IP) | FIELD_BIT(SYM)) & ~l->user_off;
		else if (type == PERF_TYPE_TRACEPOINT && !l->user_set && !no_chain &&
			 ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			l->fields |= CODE_FIELDS;
		if (seen[type])
			continue;
		seen[type] = true;
		if (check_list(l, ev, has_clock, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		const struct field_list *l = &s->type[types[i].type];

		if (types[i].type < PERF_TYPE_MAX && l->none && !seen[types[i].type])
			return err_set(e, EINVAL,
				       "%s events do not exist. Remove corresponding -F option to "
				       "proceed.",
				       types[i].name);
	}
	return 0;
}

const char *script_field_name(size_t i)
{
	for (size_t at = 0; at < ARRAY_SIZE(rows); at++) {
		if (!i--)
			return rows[at].name;
	}
	return NULL;
}
