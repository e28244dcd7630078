/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields: which columns samples have for which type of event: defaults, -F, and what the samples of
 * a file can provide. To add a field: a constant here, a row and its function in fields.c's table.
 */
#ifndef TEXT_FIELDS_H
#define TEXT_FIELDS_H

#include "base/strbuf.h"
#include "perfdata/perfdata.h"

/* In the order in which they are printed. */
enum sample_field {
	FIELD_MACHINE_PID,
	FIELD_VCPU,
	FIELD_COMM,
	FIELD_PID,
	FIELD_TID,
	FIELD_CPU,
	FIELD_MISC,
	FIELD_TOD,
	FIELD_TIME,
	FIELD_METRIC,
	FIELD_PERIOD,
	FIELD_EVENT,
	FIELD_FLAGS,
	FIELD_TRACE,
	FIELD_ADDR,
	FIELD_DATA_SRC,
	FIELD_WEIGHT,
	FIELD_INS_LAT,
	FIELD_RETIRE_LAT,
	FIELD_IP,
	FIELD_SYM,
	FIELD_SYMOFF,
	FIELD_DSO,
	FIELD_DSOFF,
	FIELD_SRCLINE,
	FIELD_CALLINDENT,
	FIELD_SYNTH,
	FIELD_IPC,
	FIELD_IREGS,
	FIELD_UREGS,
	FIELD_BRSTACK,
	FIELD_BRSTACKSYM,
	FIELD_BRSTACKOFF,
	FIELD_BPF_OUTPUT,
	FIELD_INSN,
	FIELD_INSNLEN,
	FIELD_BRSTACKINSN,
	FIELD_BRSTACKINSNLEN,
	FIELD_PHYS_ADDR,
	FIELD_DATA_PAGE_SIZE,
	FIELD_CODE_PAGE_SIZE,
	FIELD_CGROUP,
	FIELD_SRCCODE,
	FIELD_MAX,
	FIELD_FRONT_END = FIELD_METRIC, /* what records that are no samples have stands before it */
	FIELD_LINE_END = FIELD_SRCCODE, /* and the line before it ends */
};

/* The name of the i-th field that can be printed, for completion; NULL at the end. */
const char *fields_name(size_t i);

#define FIELD_BIT(f) (1ULL << FIELD_##f)
/* What tells of virtual machines. */
#define MACHINE_FIELDS (FIELD_BIT(MACHINE_PID) | FIELD_BIT(VCPU))
/* What depends on the samples before. */
#define ORDERED_FIELDS (FIELD_BIT(DATA_SRC) | FIELD_BIT(SRCCODE) | FIELD_BIT(METRIC))

/* Kinds of events that have their own list: the attr's types, then everything else. */
enum { TYPE_OTHER = PERF_TYPE_MAX, TYPE_SYNTH, TYPE_NR };

struct field_list {
	u64 fields;
	u64 user; /* asked for by name */
	u64 user_off; /* taken away by name */
	bool user_set;
	bool none; /* "sw:" alone: events of this type are not shown */
};

struct field_set {
	struct field_list type[TYPE_NR];
};

void fields_init(struct field_set *s);
/* One -F argument. Lines for the user are appended to warnings; -1 with the message in *e. */
int fields_parse(struct field_set *s, const char *text, struct strbuf *warnings, struct err *e);
/* Whether any type of event has any of these fields. */
bool fields_have(const struct field_set *s, u64 fields);
/* Whether text is a comma list of known field names, as old scripts give it to -f. */
bool fields_is_list(const char *text);
unsigned int fields_type(const struct perf_event_attr *attr);
/*
 * Drop what the samples cannot show; -1 with *e when it was asked for by name. has_clock: the file
 * relates its clock to the time of day. no_chain: -G.
 */
int fields_check(struct field_set *s, const struct perfdata *f, bool has_clock, bool no_chain,
		 struct err *e);

struct sample_plan;
/* What fields show of code addresses: enum frame_form. */
unsigned int fields_form(u64 fields);
/* Fills in the steps of a plan by its fields. */
void fields_steps(struct sample_plan *p);

#endif
