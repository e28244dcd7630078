/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that are no samples, for the handlers that want them. */
#include "perfdata/info.h"
#include "perfdata/record.h"
#include "script/python.h"

/* What a record has from byte `at` behind its head on; 0 where it ends before. */
static u64 word64(const struct perf_event_header *h, size_t at)
{
	return sizeof(*h) + at + 8 <= h->size ? bits_u64((const u8 *)(h + 1) + at) : 0;
}

static u32 word32(const struct perf_event_header *h, size_t at)
{
	return sizeof(*h) + at + 4 <= h->size ? bits_u32((const u8 *)(h + 1) + at) : 0;
}

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
	py.PyTuple_SetItem(t, 6, python_s64(-1)); /* of the host's machine */
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

/*
 * AUXTRACE_ERROR: u32 type, code, cpu, pid, tid, fmt; u64 ip, time; char msg[64]; with fmt 2 also
 * u32 machine_pid, vcpu.
 */
static int call_error(struct script_engine *x, const struct session_record *r, struct err *e)
{
	enum { MESSAGE = 40, MESSAGE_SIZE = 64, MACHINE = MESSAGE + MESSAGE_SIZE };
	py_object *f = python_handler(x, &x->auxtrace_error);
	const struct perf_event_header *h = r->h;
	size_t len = h->size - sizeof(*h);
	const char *msg = (const char *)(h + 1) + MESSAGE;
	bool guest = word32(h, 20) >= 2 && len >= MACHINE + 8;

	if (!f)
		return 0;
	py_object *t = py.PyTuple_New(11);

	for (py_size i = 0; i < 2; i++)
		py.PyTuple_SetItem(t, i, python_u64(word32(h, 4 * (size_t)i)));
	for (py_size i = 2; i < 5; i++)
		py.PyTuple_SetItem(t, i, python_s64((s32)word32(h, 4 * (size_t)i)));
	py.PyTuple_SetItem(t, 5, python_u64(word64(h, 24)));
	py.PyTuple_SetItem(t, 6, python_u64(word32(h, 20) ? word64(h, 32) : 0));
	py.PyTuple_SetItem(t, 7,
			   len > MESSAGE ? python_str(msg, strnlen(msg, MIN(len - MESSAGE,
									    (size_t)MESSAGE_SIZE)))
					 : python_str("", 0));
	py.PyTuple_SetItem(t, 8, python_u64(h->misc & PERF_RECORD_MISC_CPUMODE_MASK));
	py.PyTuple_SetItem(t, 9, python_u64(guest ? word32(h, MACHINE) : 0));
	py.PyTuple_SetItem(t, 10, python_s64(guest ? (s32)word32(h, MACHINE + 4) : -1));
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
