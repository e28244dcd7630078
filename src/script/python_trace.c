/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls the handlers for tracepoint samples: the event's own, with the fields as arguments, or
 * trace_unhandled(). */
#include <ctype.h>
#include <stdlib.h>

#include "script/python.h"

enum { NS_PER_SEC = 1000000000, FIRST_FIELD = 8, UNHANDLED_ARGS = 3 };

/* ------------------------------------------------------------------ once for each event */

struct definer {
	struct script_engine *x;
	py_object *event;
};

static void call_definer(struct definer *d, const char *function, py_object *args)
{
	py_object *f = py.PyDict_GetItemString(d->x->main, function);
	py_object *result = f && py.PyCallable_Check(f) ? py.PyObject_CallObject(f, args) : NULL;

	py.Py_DecRef(args);
	if (result)
		py.Py_DecRef(result);
	else if (py.PyErr_Occurred())
		py.PyErr_Print();
}

static py_object *definition(struct definer *d, const struct tracefmt_field *f, py_size nr)
{
	py_object *args = py.PyTuple_New(nr);

	py.Py_IncRef(d->event);
	py.PyTuple_SetItem(args, 0, d->event);
	py.PyTuple_SetItem(args, 1, python_strs(f->name));
	return args;
}

/* Gives the script the names of a field's values, by calling functions of its module Core. */
static void define(void *ctx, const struct tracefmt_names *n)
{
	struct definer *d = ctx;
	py_object *args;

	if (n->kind == TRACEFMT_NAMES_BEGIN) {
		args = definition(d, n->field, n->flags ? 3 : 2);
		if (n->flags)
			py.PyTuple_SetItem(args, 2, python_str(n->text, n->len));
		call_definer(d, n->flags ? "define_flag_field" : "define_symbolic_field", args);
		return;
	}
	args = definition(d, n->field, 4);
	py.PyTuple_SetItem(args, 2, python_s64(n->value));
	py.PyTuple_SetItem(args, 3, python_str(n->text, n->len));
	call_definer(d, n->flags ? "define_flag_value" : "define_symbolic_value", args);
}

static void init_fields(struct script_engine *x, struct python_event *ev)
{
	size_t nr = tracefmt_nr_fields(ev->format);
	const struct python_keys *k = &x->key;
	py_object *const common[] = { k->common_cpu, k->common_s,    k->common_ns,
				      k->common_pid, k->common_comm, k->common_callchain };

	ev->fields = XNEW_ARRAY(struct python_field, nr + 1);
	ev->shape = py.PyDict_New();
	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		py.PyDict_SetItem(ev->shape, common[i], py.none);
	for (size_t i = 0; i < nr; i++) {
		const struct tracefmt_field *f = tracefmt_field(ev->format, i);

		if (f->flags & TRACEFMT_COMMON)
			continue;
		ev->fields[ev->nr_fields++] = (struct python_field){
			.f = f,
			.key = python_interned(f->name),
			.as_bytes = !(f->flags & TRACEFMT_STRING),
		};
		py.PyDict_SetItem(ev->shape, ev->fields[ev->nr_fields - 1].key, py.none);
	}
}

void python_trace_init(struct script_engine *x, struct python_event *ev,
		       const struct tracefmt *format)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct definer d = { .x = x };

	ev->format = format;
	strbuf_addf(&name, "%s__%s", tracefmt_system(format), tracefmt_name(format));
	ev->full_name = python_interned(name.buf);
	strbuf_reset(&x->scratch);
	python_add_identifier(&x->scratch, name.buf);
	ev->handler.name = python_interned(x->scratch.buf);
	ev->handler_text = xstrdup(x->scratch.buf);
	ev->common_pid = tracefmt_find_field(format, "common_pid");
	ev->common_flags = tracefmt_find_field(format, "common_flags");
	ev->common_pc = tracefmt_find_field(format, "common_preempt_count");
	ev->common_lock_depth = tracefmt_find_field(format, "common_lock_depth");
	init_fields(x, ev);
	d.event = ev->full_name;
	if (py.PyDict_GetItemString(x->main, "define_flag_value") ||
	    py.PyDict_GetItemString(x->main, "define_symbolic_value"))
		tracefmt_each_name(format, define, &d);
}

/* ------------------------------------------------------------------ values */

/* Whether data is empty or a C string of printable characters and white space, with a NUL as its
 * last byte. */
static bool is_text(const char *data, size_t len)
{
	if (!len || data[len - 1])
		return !len;
	for (const char *p = data; *p; p++)
		if (!isprint((unsigned char)*p) && !isspace((unsigned char)*p))
			return false;
	return true;
}

static py_object *array_value(struct python_field *field, const struct sample *smp)
{
	const char *data = NULL;
	size_t len = 0;

	if (!smp->raw || !tracefmt_bytes(field->f, smp->raw, smp->raw_size, &data, &len))
		return field->as_bytes ? py.PyByteArray_FromStringAndSize(NULL, 0)
				       : python_str("", 0);
	if (!field->as_bytes && is_text(data, len))
		return python_str(data, strnlen(data, len));
	field->as_bytes = true;
	return py.PyByteArray_FromStringAndSize(data, (py_size)len);
}

static py_object *field_value(struct python_field *field, const struct sample *smp)
{
	const struct tracefmt_field *f = field->f;
	u64 v = 0;

	if (f->flags & (TRACEFMT_ARRAY | TRACEFMT_DYNAMIC | TRACEFMT_REL_DYNAMIC | TRACEFMT_STRING))
		return array_value(field, smp);
	if (!smp->raw || !tracefmt_u64(f, smp->raw, smp->raw_size, &v))
		return py.PyLong_FromLong(0);
	/* as in perf, only fields of 8 bytes can be negative */
	if (f->size < 8)
		return python_u64(v & ((1ULL << (8 * f->size)) - 1));
	return f->flags & TRACEFMT_SIGNED ? python_s64((s64)v) : python_u64(v);
}

static u64 common_value(const struct tracefmt_field *f, const struct sample *smp)
{
	u64 v;

	return f && smp->raw && tracefmt_u64(f, smp->raw, smp->raw_size, &v) ? v : 0;
}

static py_object *comm_of(struct script_engine *x)
{
	const char *name = python_comm(x, x->record, &x->scratch);

	return x->record->site.comm ? python_name(x, name) : python_strs(name);
}

/* ------------------------------------------------------------------ calls */

static int call_handler(struct script_engine *x, struct python_event *ev, py_object *f,
			struct err *e)
{
	const struct sample *smp = x->record->sample;
	py_size nr = FIRST_FIELD + (py_size)ev->nr_fields;
	bool wants_sample = ev->handler.arity > nr;
	py_object *args = py.PyTuple_New(nr + wants_sample);
	py_object *chain = python_callchain(x);

	py.Py_IncRef(ev->full_name);
	py.Py_IncRef(x->context);
	py.PyTuple_SetItem(args, 0, ev->full_name);
	py.PyTuple_SetItem(args, 1, x->context);
	py.PyTuple_SetItem(args, 2, python_s64((s32)smp->cpu));
	py.PyTuple_SetItem(args, 3, python_u64(x->record->time / NS_PER_SEC));
	py.PyTuple_SetItem(args, 4, python_u64(x->record->time % NS_PER_SEC));
	py.PyTuple_SetItem(args, 5, python_s64((s32)common_value(ev->common_pid, smp)));
	py.PyTuple_SetItem(args, 6, comm_of(x));
	py.PyTuple_SetItem(args, 7, chain);
	for (u32 i = 0; i < ev->nr_fields; i++)
		py.PyTuple_SetItem(args, FIRST_FIELD + (py_size)i,
				   field_value(&ev->fields[i], smp));
	if (wants_sample) {
		py.Py_IncRef(chain);
		py.PyTuple_SetItem(args, nr, python_sample(x, ev, chain));
	}
	return python_call(f, args, ev->handler_text, e);
}

static int call_unhandled(struct script_engine *x, struct python_event *ev, py_object *f,
			  struct err *e)
{
	const struct sample *smp = x->record->sample;
	const struct python_keys *k = &x->key;
	bool wants_sample = x->trace_unhandled.arity > UNHANDLED_ARGS;
	py_object *args = py.PyTuple_New(UNHANDLED_ARGS + wants_sample);
	py_object *d = py.PyDict_Copy(ev->shape); /* the copy has all keys already, so setting
						     values does not make it grow */
	py_object *chain = python_callchain(x);

	python_put(d, k->common_cpu, python_s64((s32)smp->cpu));
	python_put(d, k->common_s, python_u64(x->record->time / NS_PER_SEC));
	python_put(d, k->common_ns, python_u64(x->record->time % NS_PER_SEC));
	python_put(d, k->common_pid, python_s64((s32)common_value(ev->common_pid, smp)));
	python_put(d, k->common_comm, comm_of(x));
	py.PyDict_SetItem(d, k->common_callchain, chain);
	for (u32 i = 0; i < ev->nr_fields; i++)
		python_put(d, ev->fields[i].key, field_value(&ev->fields[i], smp));
	py.Py_IncRef(ev->full_name);
	py.Py_IncRef(x->context);
	py.PyTuple_SetItem(args, 0, ev->full_name);
	py.PyTuple_SetItem(args, 1, x->context);
	py.PyTuple_SetItem(args, 2, d);
	if (wants_sample)
		py.PyTuple_SetItem(args, UNHANDLED_ARGS, python_sample(x, ev, chain));
	else
		py.Py_DecRef(chain);
	return python_call(f, args, "trace_unhandled", e);
}

int python_trace_sample(struct script_engine *x, struct python_event *ev, struct err *e)
{
	py_object *f = python_handler(x, &ev->handler);

	if (f)
		return call_handler(x, ev, f, e);
	f = python_handler(x, &x->trace_unhandled);
	return f ? call_unhandled(x, ev, f, e) : 0;
}
