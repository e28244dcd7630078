/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls the handlers for records other than samples. */
#include "perfdata/info.h"
#include "perfdata/record.h"
#include "script/python.h"

static void id_of(const struct session_record *r, struct sample_id *id)
{
	if (!r->event || !sample_id_decode(&r->event->layout, r->h, id))
		*id = (struct sample_id){ .pid = (u32)-1, .tid = (u32)-1, .cpu = (u32)-1 };
}

static int call_switch(struct script_engine *x, const struct session_record *r, struct err *e)
{
	py_object *f = python_handler(x, &x->context_switch);
	bool wide = r->h->type == PERF_RECORD_SWITCH_CPU_WIDE;
	bool out = r->h->misc & PERF_RECORD_MISC_SWITCH_OUT;
	union record_view v;
	struct sample_id id;

	if (!f)
		return 0;
	id_of(r, &id);
	record_view(r->h, 0, &v);
	py_object *t = py.PyTuple_New(11);

	py.PyTuple_SetItem(t, 0, python_u64(r->time));
	py.PyTuple_SetItem(t, 1, python_s64((s32)id.cpu));
	py.PyTuple_SetItem(t, 2, python_s64((s32)id.pid));
	py.PyTuple_SetItem(t, 3, python_s64((s32)id.tid));
	py.PyTuple_SetItem(t, 4, python_s64(wide ? (s32)v.other.pid : -1));
	py.PyTuple_SetItem(t, 5, python_s64(wide ? (s32)v.other.tid : -1));
	py.PyTuple_SetItem(t, 6, python_s64(-1)); /* machine_pid: -1 is the host */
	py.PyTuple_SetItem(t, 7, python_bool(out));
	py.PyTuple_SetItem(t, 8,
			   python_bool(out && r->h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT));
	py.PyTuple_SetItem(t, 9, python_s64(0));
	py.PyTuple_SetItem(t, 10, python_s64(-1));
	return python_call(f, t, "context_switch", e);
}

static int call_throttle(struct script_engine *x, const struct session_record *r, struct err *e)
{
	bool begins = r->h->type == PERF_RECORD_THROTTLE;
	py_object *f = python_handler(x, begins ? &x->throttle : &x->unthrottle);
	union record_view v;
	struct sample_id id;

	if (!f)
		return 0;
	id_of(r, &id);
	record_view(r->h, 0, &v);
	py_object *t = py.PyTuple_New(6);

	py.PyTuple_SetItem(t, 0, python_u64(v.throttle.time));
	py.PyTuple_SetItem(t, 1, python_u64(v.throttle.id));
	py.PyTuple_SetItem(t, 2, python_u64(v.throttle.stream_id));
	py.PyTuple_SetItem(t, 3, python_s64((s32)id.cpu));
	py.PyTuple_SetItem(t, 4, python_s64((s32)id.pid));
	py.PyTuple_SetItem(t, 5, python_s64((s32)id.tid));
	return python_call(f, t, begins ? "throttle" : "unthrottle", e);
}

static int call_error(struct script_engine *x, const struct session_record *r, struct err *e)
{
	py_object *f = python_handler(x, &x->auxtrace_error);
	union record_view v;
	const struct record_auxtrace_error *a = &v.auxtrace_error;
	bool guest;

	if (!f)
		return 0;
	record_view(r->h, 0, &v);
	guest = a->format >= 2 && a->has_machine;
	py_object *t = py.PyTuple_New(11);

	py.PyTuple_SetItem(t, 0, python_u64(a->type));
	py.PyTuple_SetItem(t, 1, python_u64(a->code));
	py.PyTuple_SetItem(t, 2, python_s64(a->cpu));
	py.PyTuple_SetItem(t, 3, python_s64(a->pid));
	py.PyTuple_SetItem(t, 4, python_s64(a->tid));
	py.PyTuple_SetItem(t, 5, python_u64(a->ip));
	py.PyTuple_SetItem(t, 6, python_u64(a->format ? a->time : 0));
	py.PyTuple_SetItem(t, 7, python_str(a->message, strnlen(a->message, sizeof(a->message))));
	py.PyTuple_SetItem(t, 8, python_u64(r->h->misc & PERF_RECORD_MISC_CPUMODE_MASK));
	py.PyTuple_SetItem(t, 9, python_u64(guest ? a->machine_pid : 0));
	py.PyTuple_SetItem(t, 10, python_s64(guest ? a->vcpu : -1));
	return python_call(f, t, "auxtrace_error", e);
}

int python_other_record(struct script_engine *x, const struct session_record *r, struct err *e)
{
	switch (r->h->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return call_switch(x, r, e);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return call_throttle(x, r, e);
	case PERF_RECORD_AUXTRACE_ERROR:
		return call_error(x, r, e);
	default:
		return 0;
	}
}
