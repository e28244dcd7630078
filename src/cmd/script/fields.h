/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields: which columns `perf script` prints for which type of event: defaults, -F, and what the
 * samples of a file can provide.
 */
#ifndef CMD_SCRIPT_FIELDS_H
#define CMD_SCRIPT_FIELDS_H

#include "perfdata/perfdata.h"

enum script_field {
	FIELD_COMM,
	FIELD_TID,
	FIELD_PID,
	FIELD_TIME,
	FIELD_CPU,
	FIELD_EVENT,
	FIELD_TRACE,
	FIELD_IP,
	FIELD_SYM,
	FIELD_DSO,
	FIELD_ADDR,
	FIELD_SYMOFF,
	FIELD_SRCLINE,
	FIELD_PERIOD,
	FIELD_IREGS,
	FIELD_UREGS,
	FIELD_BRSTACK,
	FIELD_BRSTACKSYM,
	FIELD_FLAGS,
	FIELD_DATA_SRC,
	FIELD_WEIGHT,
	FIELD_BPF_OUTPUT,
	FIELD_BRSTACKINSN,
	FIELD_BRSTACKINSNLEN,
	FIELD_BRSTACKOFF,
	FIELD_CALLINDENT,
	FIELD_INSN,
	FIELD_INSNLEN,
	FIELD_SYNTH,
	FIELD_PHYS_ADDR,
	FIELD_METRIC,
	FIELD_MISC,
	FIELD_SRCCODE,
	FIELD_IPC,
	FIELD_TOD,
	FIELD_DATA_PAGE_SIZE,
	FIELD_CODE_PAGE_SIZE,
	FIELD_INS_LAT,
	FIELD_RETIRE_LAT,
	FIELD_CGROUP,
	FIELD_DSOFF,
	FIELD_MACHINE_PID,
	FIELD_VCPU,
	FIELD_MAX,
};

/* The name of the i-th field that can be printed, for completion; NULL at the end. */
const char *script_field_name(size_t i);

#define FIELD_BIT(f) (1ULL << FIELD_##f)
/* What tells of virtual machines. */
#define MACHINE_FIELDS (FIELD_BIT(MACHINE_PID) | FIELD_BIT(VCPU))

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
/* One -F argument. Warnings go to stderr; -1 with the message in *e. */
int fields_parse(struct field_set *s, const char *text, struct err *e);
/* Whether text is a comma list of known field names, as old scripts give it to -f. */
bool fields_is_list(const char *text);
unsigned int fields_type(const struct perf_event_attr *attr);
/*
 * Drop what the samples cannot show; -1 with *e when it was asked for by name. has_clock: the file
 * relates its clock to the time of day. no_chain: -G.
 */
int fields_check(struct field_set *s, const struct perfdata *f, bool has_clock, bool no_chain,
		 struct err *e);

#endif
