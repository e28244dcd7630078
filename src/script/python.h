/* SPDX-License-Identifier: GPL-2.0-or-later */
/* python: what the files of the Python engine share. */
#ifndef SCRIPT_PYTHON_H
#define SCRIPT_PYTHON_H

#include "base/map.h"
#include "base/vec.h"
#include "script/engine.h"
#include "script/python_api.h"

/* Keys of dictionaries, made once. The six from dso and from addr_dso on belong together. */
/* clang-format off */
#define PYTHON_KEYS(X) \
	X(ev_name) X(attr) X(sample) X(raw_buf) X(comm) X(dso) X(dso_bid) X(dso_map_start) X(dso_map_end) \
	X(symbol) X(symoff) X(callchain) X(brstack) X(brstacksym) X(iregs) X(uregs) \
	X(pid) X(tid) X(cpu) X(ip) X(time) X(period) X(phys_addr) X(addr) X(time_enabled) X(time_running) X(values) X(weight) X(ins_lat) \
	X(transaction) X(datasrc) X(datasrc_decode) X(cpumode) X(addr_correlates_sym) \
	X(addr_dso) X(addr_dso_bid) X(addr_dso_map_start) X(addr_dso_map_end) X(addr_symbol) X(addr_symoff) \
	 X(data_page_size) X(code_page_size) X(cgroup) \
	X(sym) X(start) X(end) X(binding) X(name) X(sym_off) X(sym_srcline) \
	X(from) X(to) X(mispred) X(predicted) X(in_tx) X(abort) X(cycles) X(from_dsoname) X(to_dsoname) X(pred) \
	X(common_cpu) X(common_s) X(common_ns) X(common_pid) X(common_comm) X(common_callchain)
/* clang-format on */

struct python_keys {
#define PYTHON_KEY(word) py_object *word;
	PYTHON_KEYS(PYTHON_KEY)
#undef PYTHON_KEY
};

struct python_field {
	const struct tracefmt_field *f;
	py_object *key;
	bool as_bytes; /* a value was no printable text once: as in perf, it and all later ones are
			  bytes */
};

/* A function of the script and how many arguments it takes. */
struct python_handler {
	py_object *name;
	py_object *function; /* the function that had the name at the last call; a reference is
				held, so that no other object can get its address; NULL = none */
	long arity;
};

/* What is known of one event. */
struct python_event {
	bool seen;
	const struct tracefmt
		*format; /* NULL: not a tracepoint, or the recording has no format of it */
	py_object *name; /* the event's name */
	py_object *attr; /* struct perf_event_attr as bytes */
	py_object *full_name; /* "subsystem__event" */
	struct python_handler handler; /* the function called full_name, where "_" stands for what
					  an identifier cannot have */
	char *handler_text; /* its name, for errors */
	const struct tracefmt_field *common_pid, *common_flags, *common_pc, *common_lock_depth;
	struct python_field *fields;
	u32 nr_fields;
	py_object *shape; /* the dictionary of fields with all keys, without values */
};

/* The Python object of a string that lives as long as the engine, found by the string's address. */
struct python_name {
	const char *text;
	py_object *object;
};

struct script_engine {
	struct script_setup setup;
	struct perfdata *file;
	struct model *model;
	struct dso_table *dsos;
	struct insns *insns;
	py_object *main; /* the dictionary of the script's global names */
	py_object *context;
	struct python_keys key;
	struct python_handler process_event, trace_unhandled, context_switch, throttle, unthrottle;
	struct python_handler auxtrace_error, interval;
	struct python_event *events; /* by event index */
	size_t nr_events;
	struct map name_index;
	VEC(struct python_name) names;
	VEC(py_object *) build_ids; /* by dso; NULL = not asked for yet */
	struct strbuf scratch;
	struct location *chain; /* max_stack elements */
	/* worker that handles the current record; perf_trace_context needs it */
	struct session_worker *worker;
	const struct session_record *record;
	const struct python_event *event;
};

/* python_object.c. Objects are new references; dictionaries and tuples take them over. */
py_object *python_str(const char *s, size_t len);
py_object *python_strs(const char *s);
py_object *python_s64(s64 v);
py_object *python_u64(u64 v);
py_object *python_bool(bool v);
/* The same object for the same string, which lives as long as the engine. */
py_object *python_name(struct script_engine *x, const char *s);
void python_put(py_object *dict, py_object *key, py_object *value);
void python_append(py_object *list, py_object *value);
py_object *python_interned(const char *s);

/* python_call.c: the function of that name now, borrowed; NULL = none. */
py_object *python_handler(struct script_engine *x, struct python_handler *h);
/* Calls a function, which must not be NULL, and releases args. name: for the error. */
int python_call(py_object *function, py_object *args, const char *name, struct err *e);

/* python_sample.c: the dictionary of a sample; its callchain as a list. */
py_object *python_sample(struct script_engine *x, const struct python_event *ev,
			 py_object *callchain);
py_object *python_callchain(struct script_engine *x);
const char *python_comm(const struct script_engine *x, const struct session_record *r,
			struct strbuf *tmp);

/* python_trace.c: samples of tracepoints. */
void python_trace_init(struct script_engine *x, struct python_event *ev,
		       const struct tracefmt *format);
int python_trace_sample(struct script_engine *x, struct python_event *ev, struct err *e);

/* python_records.c: records other than samples. */
int python_other_record(struct script_engine *x, const struct session_record *r, struct err *e);

/* python_context.c: the module perf_trace_context, and perf's own modules where they are not
 * installed. */
int python_add_modules(struct script_engine *x, struct err *e);

/* python_generate.c */
void python_generate(const struct tracefmt_set *formats, struct strbuf *out);
/* A name of the recording as an identifier of Python. */
void python_add_identifier(struct strbuf *out, const char *name);

#endif
