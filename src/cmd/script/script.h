/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script: what the files of the command share: options, filters, the state of a run.
 */
#ifndef CMD_SCRIPT_SCRIPT_H
#define CMD_SCRIPT_SCRIPT_H

#include <pthread.h>
#include <stdio.h>

#include "base/vec.h"
#include "recording/event_switch.h"
#include "cmd/script/counts.h"
#include "cmd/script/metric.h"
#include "recording/recording.h"
#include "text/sample.h"

struct name_list {
	char **v; /* sorted */
	size_t nr;
};

struct id_list {
	u32 *v; /* sorted */
	size_t nr;
};

struct script_opts {
	struct recording rec;
	struct field_set fields;
	bool latency, ns, reltime, deltatime, hide_chain, header, header_only, show_info;
	bool json, dump, per_event_dump, kernel_path, full_source_path, list_scripts;
	bool show_task, show_mmap, show_switch, show_namespace, show_lost, show_round, show_bpf;
	bool show_cgroup, show_text_poke, all_cpus, debug_mode;
	enum text_inlines inlines;
	bool merge_chains; /* deferred user callchains belong to their samples */
	int max_stack;
	u64 max_blocks; /* 0 = all */
	const char *comms, *symbols, *pids, *tids, *dsos, *stop_bt;
	struct event_switch switches;
	const char *addr_range, *script_name, *gen_script, *itrace;
	const char *traces; /* the option that wants traces of the CPU decoded */
	const char *graph_function; /* of what only traces tell: no sample is shown */
	bool xed;
};

/* The file of an event with --per-event-dump. */
struct event_dump {
	FILE *file; /* NULL = not open yet */
	char *path;
	u64 nr;
};

struct script {
	struct script_opts o;
	struct session *session;
	struct perfdata *file;
	struct model *model;
	struct dso_table *dsos;
	bool terminal; /* names are escaped */
	u32 max_stack;
	struct name_list comms, dso_names, symbol_names, stop_names;
	struct id_list pids, tids;
	u64 *symbol_addrs;
	size_t nr_symbol_addrs;
	u64 addr_range;
	bool filter_symbols;
	bool filters; /* any: on tasks, code, or by events that switch */
	unsigned int show; /* enum record_show: --show-* */
	pthread_mutex_t lock; /* of failure */
	bool header_due; /* --header of a stream, not printed yet */
	struct sample_text *text; /* NULL with -s */
	VEC(struct event_dump) dumps; /* by event */
	struct script_metric *metric; /* NULL: no event has the field */
	bool has_counts; /* of perf stat record, or a stream that may have some */
	struct counts *counts;
	struct err failure; /* of a worker; first one wins */
	bool failed;
};

/* filter.c */
int script_filters_init(struct script *s, struct err *e);
void script_filters_release(struct script *s);
/* Whether samples must be looked at: by task, code, or events that switch. */
bool script_has_filters(const struct script *s);
bool script_pass_thread(const struct script *s, const struct session_record *r);
bool script_pass_code(struct script *s, struct session_worker *w, const struct session_record *r);

#endif
