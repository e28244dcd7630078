/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/fields.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "text/print.h"

#define EVERY_TYPE 0xffffU

/*
 * A field: what it needs of an event, and how it prints. The rows stand in the order in which they
 * are checked, as perf does: the first one that is missing is told. The order of a line is that of
 * enum sample_field.
 */
static const struct field_row {
	const char *name;
	enum sample_field field;
	unsigned int types; /* bit set of the types of events for which it has a meaning */
	u64 needs; /* one of these bits of sample_type, 0 = nothing */
	const char *attribute; /* how messages call them */
	unsigned int form; /* what it adds to code addresses; these print it */
	/* Fields with the same function that follow each other are printed by one call. NULL: with
	 * another field, by the command (metric), or nothing: known only from traces. */
	field_fn *text;
	field_json_fn *json; /* the same, as a member of an object */
} rows[] = {
	/* clang-format off */
	{ "comm", FIELD_COMM, EVERY_TYPE, 0, NULL, 0, text_task, json_comm },
	{ "tid", FIELD_TID, EVERY_TYPE, PERF_SAMPLE_TID, "TID", 0, text_task, json_tid },
	{ "pid", FIELD_PID, EVERY_TYPE, PERF_SAMPLE_TID, "TID", 0, text_task, json_pid },
	{ "time", FIELD_TIME, EVERY_TYPE, PERF_SAMPLE_TIME, "TIME", 0, text_time, json_time },
	{ "cpu", FIELD_CPU, EVERY_TYPE, PERF_SAMPLE_CPU, "CPU", 0, text_task, json_cpu },
	{ "event", FIELD_EVENT, EVERY_TYPE, 0, NULL, 0, text_event, json_event },
	{ "trace", FIELD_TRACE, 1U << PERF_TYPE_TRACEPOINT, 0, NULL, 0, text_trace, json_trace },
	{ "ip", FIELD_IP, EVERY_TYPE, PERF_SAMPLE_IP, "IP", 0, text_code, json_code },
	{ "sym", FIELD_SYM, EVERY_TYPE, 0, NULL, FORM_SYM, NULL, NULL },
	{ "dso", FIELD_DSO, EVERY_TYPE, 0, NULL, FORM_DSO, NULL, NULL },
	{ "dsoff", FIELD_DSOFF, EVERY_TYPE, 0, NULL, FORM_DSOFF, NULL, NULL },
	{ "addr", FIELD_ADDR, EVERY_TYPE, PERF_SAMPLE_ADDR, "ADDR", 0, text_addr, json_addr },
	{ "symoff", FIELD_SYMOFF, EVERY_TYPE, 0, NULL, FORM_SYMOFF, NULL, NULL },
	{ "srcline", FIELD_SRCLINE, EVERY_TYPE, 0, NULL, FORM_SRCLINE, NULL, NULL },
	{ "period", FIELD_PERIOD, EVERY_TYPE, 0, NULL, 0, text_period, json_period },
	{ "iregs", FIELD_IREGS, EVERY_TYPE, PERF_SAMPLE_REGS_INTR, "IREGS", 0, text_intr_regs, json_intr_regs },
	{ "uregs", FIELD_UREGS, EVERY_TYPE, PERF_SAMPLE_REGS_USER, "UREGS", 0, text_user_regs, json_user_regs },
	{ "brstack", FIELD_BRSTACK, EVERY_TYPE, 0, NULL, 0, text_branches, json_branches },
	{ "brstacksym", FIELD_BRSTACKSYM, EVERY_TYPE, 0, NULL, 0, text_branches, json_branches },
	{ "flags", FIELD_FLAGS, EVERY_TYPE, 0, NULL, 0, text_flags, NULL },
	{ "data_src", FIELD_DATA_SRC, EVERY_TYPE, PERF_SAMPLE_DATA_SRC, "DATA_SRC", 0, text_data_src, json_data_src },
	{ "weight", FIELD_WEIGHT, EVERY_TYPE, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT", 0, text_weight, json_weight },
	{ "bpf-output", FIELD_BPF_OUTPUT, 1U << PERF_TYPE_SOFTWARE, 0, NULL, 0, text_bpf_output, json_bpf_output },
	{ "brstackinsn", FIELD_BRSTACKINSN, EVERY_TYPE, 0, NULL, 0, text_branch_code, json_branch_code },
	{ "brstackinsnlen", FIELD_BRSTACKINSNLEN, EVERY_TYPE, 0, NULL, 0, text_branch_code, json_branch_code },
	{ "brstackoff", FIELD_BRSTACKOFF, EVERY_TYPE, 0, NULL, 0, text_branches, json_branches },
	{ "callindent", FIELD_CALLINDENT, EVERY_TYPE, 0, NULL, 0, NULL, NULL },
	{ "insn", FIELD_INSN, EVERY_TYPE, 0, NULL, 0, text_insn, json_insn },
	{ "insnlen", FIELD_INSNLEN, EVERY_TYPE, 0, NULL, 0, text_insn, json_insn },
	{ "synth", FIELD_SYNTH, EVERY_TYPE, 0, NULL, 0, NULL, NULL },
	{ "phys_addr", FIELD_PHYS_ADDR, EVERY_TYPE, PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR", 0, text_phys_addr, json_phys_addr },
	{ "metric", FIELD_METRIC, EVERY_TYPE, 0, NULL, 0, NULL },
	{ "misc", FIELD_MISC, EVERY_TYPE, 0, NULL, 0, text_misc, json_misc },
	{ "srccode", FIELD_SRCCODE, EVERY_TYPE, 0, NULL, 0, text_source_code, json_source_code },
	{ "ipc", FIELD_IPC, EVERY_TYPE, 0, NULL, 0, NULL, NULL },
	{ "tod", FIELD_TOD, EVERY_TYPE, 0, NULL, 0, text_time_of_day, json_time_of_day },
	{ "data_page_size", FIELD_DATA_PAGE_SIZE, EVERY_TYPE, PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE", 0, text_data_page_size, json_data_page_size },
	{ "code_page_size", FIELD_CODE_PAGE_SIZE, EVERY_TYPE, PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE", 0, text_code_page_size, json_code_page_size },
	{ "ins_lat", FIELD_INS_LAT, EVERY_TYPE, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", 0, text_ins_lat, json_ins_lat },
	{ "retire_lat", FIELD_RETIRE_LAT, EVERY_TYPE, PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", 0, text_retire_lat, json_retire_lat },
	{ "cgroup", FIELD_CGROUP, EVERY_TYPE, PERF_SAMPLE_CGROUP, "CGROUP", 0, text_cgroup, json_cgroup },
	{ "machine_pid", FIELD_MACHINE_PID, EVERY_TYPE, 0, NULL, 0, text_machine, json_machine_pid },
	{ "vcpu", FIELD_VCPU, EVERY_TYPE, 0, NULL, 0, text_machine, json_vcpu },
	/* clang-format on */
};
_Static_assert((int)FIELD_MAX <= (int)PLAN_STEPS_MAX, "a step for each field");

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

/* Where a -F argument tells what is wrong with it. */
struct field_told {
	struct strbuf *warnings;
	struct err *e;
};

/* Apply one name to one type, or to all (type -1). */
static int apply_name(struct field_set *s, int type, const char *name, size_t len, char sign,
		      struct field_told *told)
{
	const struct field_row *row = find_row(name, len);

	if (!row)
		return fail_unknown(name, len, told->e);
	u64 bit = 1ULL << row->field;

	if (type >= 0) {
		if (!(row->types & (1U << type)))
			return err_set(told->e, EINVAL, "'%s' not valid for %s events.", row->name,
				       type_name((unsigned int)type));
		change(&s->type[type], bit, sign);
		/* as perf: what is asked of one type is left out where it was not recorded */
		s->type[type].user &= ~bit;
		return 0;
	}
	for (unsigned int j = 0; j < TYPE_NR; j++) {
		if (!(row->types & (1U << j)))
			strbuf_addf(told->warnings, "'%s' not valid for %s events. Ignoring.\n",
				    row->name, warned_name(j));
		else
			change(&s->type[j], bit, sign);
	}
	return 0;
}

static int parse_names(struct field_set *s, int type, const char *p, struct field_told *told)
{
	bool changes = *p == '+' || *p == '-';
	bool others = false; /* a field but flags is named (flags alone change no other) */
	char sign = 0;

	if (!changes)
		for (unsigned int j = 0; j < TYPE_NR; j++)
			if (type < 0 || (int)j == type)
				s->type[j].fields = s->type[j].user = 0;
	while (*p) {
		if (*p == '+' || *p == '-') {
			if (!changes)
				return err_set(told->e, EINVAL,
					       "Cannot mix +-field with overridden fields");
			sign = *p++;
		} else {
			sign = changes ? '+' : 0;
		}
		const char *end = strchrnul(p, ',');

		if (apply_name(s, type, p, (size_t)(end - p), sign, told) < 0)
			return -1;
		others |= !changes || strncmp(p, "flags", (size_t)(end - p)) != 0;
		p = *end ? end + 1 : end;
	}
	for (unsigned int j = 0; j < TYPE_NR; j++)
		if (type < 0 || (int)j == type)
			s->type[j].user_set |= others;
	return 0;
}

int fields_parse(struct field_set *s, const char *text, struct strbuf *warnings, struct err *e)
{
	struct field_told told = { .warnings = warnings, .e = e };

	if (strchr(text, ':')) {
		for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
			size_t n = strlen(types[i].prefix);

			if (strncmp(text, types[i].prefix, n))
				continue;
			if (s->type[types[i].type].user_set && text[n] != '+' && text[n] != '-')
				strbuf_addf(warnings,
					    "Overriding previous field request for %s events.\n",
					    types[i].name);
			s->type[types[i].type].none = !text[n];
			return parse_names(s, (int)types[i].type, text + n, &told);
		}
		return err_set(e, EINVAL, "Invalid event type in field string.");
	}
	if (!*text)
		return err_set(e, EINVAL, "Cannot set fields to 'none' for all event types.");
	if (s->type[0].user_set && *text != '+' && *text != '-')
		strbuf_adds(warnings, "Overriding previous field request for all events.\n");
	return parse_names(s, -1, text, &told);
}

/* ------------------------------------------------------------------ what the samples have */

/* As perf: of several that are missing, the first of these is told. */
#define CHECKED_FIRST (FIELD_BIT(IP) | FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC) | FIELD_BIT(WEIGHT))

/* Drops those of some fields that the event's samples do not have. */
static int check_needs(struct field_list *l, u64 of, const struct perfdata_event *ev, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct field_row *row = &rows[i];
		u64 bit = 1ULL << row->field;

		if (!(l->fields & of & bit) || !row->needs || ev->attr.sample_type & row->needs)
			continue;
		if (l->user & bit)
			return err_set(e, EINVAL,
				       "Samples for '%s' event do not have %s attribute set. "
				       "Cannot print '%s' field.",
				       ev->name, row->attribute, row->name);
		l->fields &= ~bit;
	}
	return 0;
}

static int check_list(struct field_list *l, const struct perfdata_event *ev, bool has_clock,
		      struct err *e)
{
	if (check_needs(l, CHECKED_FIRST, ev, e) < 0 || check_needs(l, ~CHECKED_FIRST, ev, e) < 0)
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

		/* a dummy event beside others has no samples, only records of the system */
		if (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_DUMMY &&
		    perfdata_nr_events(f) > 1)
			continue;
		/* frames of stacks have symbols although -F named none: for any event of a
		 * stream, else for tracepoints */
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

const char *fields_name(size_t i)
{
	return i < ARRAY_SIZE(rows) ? rows[i].name : NULL;
}

bool fields_have(const struct field_set *s, u64 fields)
{
	for (unsigned int i = 0; i < TYPE_NR; i++)
		if (s->type[i].fields & fields)
			return true;
	return false;
}

/* ------------------------------------------------------------------ how they print */

unsigned int fields_form(u64 fields)
{
	unsigned int form = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		form |= fields >> rows[i].field & 1 ? rows[i].form : 0;
	return form;
}

static const struct field_row *row_of(unsigned int field)
{
	const struct field_row *row = rows;

	while (row->field != field)
		row++;
	return row;
}

static void add_steps(struct sample_plan *p, const struct field_row *row)
{
	if (row->text && (!p->nr_steps || p->steps[p->nr_steps - 1] != row->text))
		p->steps[p->nr_steps++] = row->text;
	if (row->json && (!p->nr_json || p->json[p->nr_json - 1] != row->json))
		p->json[p->nr_json++] = row->json;
}

void fields_steps(struct sample_plan *p)
{
	for (unsigned int f = 0; f < FIELD_MAX; f++) {
		if (f == FIELD_FRONT_END) {
			p->nr_front = p->nr_steps;
			p->nr_json_front = p->nr_json;
		}
		if (f == FIELD_LINE_END)
			p->nr_line = p->nr_steps;
		if (p->fields >> f & 1)
			add_steps(p, row_of(f));
	}
}
