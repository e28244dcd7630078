/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Python engine: from the script's file to calls of its handlers. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/limits.h"
#include "base/rw.h"
#include "script/python.h"
#include "text/insn.h"

static int call_plain(struct script_engine *x, const char *name, struct err *e)
{
	py_object *f = py.PyDict_GetItemString(x->main, name);

	if (!f || !py.PyCallable_Check(f))
		return 0;
	return python_call(f, py.PyTuple_New(0), name, e);
}

static int begin(struct script_engine *x, struct err *e)
{
	return call_plain(x, "trace_begin", e);
}

static int end(struct script_engine *x, struct err *e)
{
	return call_plain(x, "trace_end", e);
}

/* ------------------------------------------------------------------ events */

static void init_event(struct script_engine *x, struct python_event *ev,
		       const struct perfdata_event *from)
{
	enum {
		ATTR_SIZE = 128
	}; /* scripts get so many bytes of an event's attr, as from perf 6.1 */
	const struct tracefmt_set *formats;

	ev->seen = true;
	ev->name = python_strs(from->name);
	ev->attr = py.PyBytes_FromStringAndSize((const char *)&from->attr, ATTR_SIZE);
	if (from->attr.type != PERF_TYPE_TRACEPOINT)
		return;
	formats = session_tracefmt(x->setup.session);
	const struct tracefmt *format = formats ? tracefmt_by_id(formats, from->attr.config) : NULL;

	if (format)
		python_trace_init(x, ev, format);
}

static struct python_event *event_of(struct script_engine *x, const struct perfdata_event *from)
{
	if (UNLIKELY(from->index >= x->nr_events)) {
		size_t nr = MAX((size_t)from->index + 1, perfdata_nr_events(x->file));

		x->events = xrealloc_array(x->events, nr, sizeof(*x->events));
		memset(x->events + x->nr_events, 0, (nr - x->nr_events) * sizeof(*x->events));
		x->nr_events = nr;
	}
	struct python_event *ev = &x->events[from->index];

	if (UNLIKELY(!ev->seen))
		init_event(x, ev, from);
	return ev;
}

static int call_for(struct script_engine *x, const struct session_record *r, struct err *e)
{
	if (!r->sample)
		return python_other_record(x, r, e);
	struct python_event *ev = event_of(x, r->event);

	x->event = ev;
	if (ev->format)
		return python_trace_sample(x, ev, e);
	py_object *f = r->event->attr.type == PERF_TYPE_TRACEPOINT
			       ? NULL
			       : python_handler(x, &x->process_event);

	if (!f)
		return 0;
	py_object *args = py.PyTuple_New(1);

	py.PyTuple_SetItem(args, 0, python_sample(x, ev, python_callchain(x)));
	return python_call(f, args, "process_event", e);
}

/* A script may ask for values of the record after the handler has returned (in a thread, at
 * exit). The record is gone then, so x->record is reset and it gets no values. */
static int record(struct script_engine *x, struct session_worker *w, const struct session_record *r,
		  struct err *e)
{
	int ret;

	x->worker = w;
	x->record = r;
	ret = call_for(x, r, e);
	x->worker = NULL;
	x->record = NULL;
	x->event = NULL;
	return ret;
}

static int count(struct script_engine *x, const struct script_count *c, struct err *e)
{
	struct strbuf *name = &x->scratch;

	strbuf_reset(name);
	strbuf_adds(name, "stat__");
	strbuf_adds(name, c->event);
	for (char *p = name->buf; *p; p++)
		if (*p == ':')
			*p = '_';
	py_object *f = py.PyDict_GetItemString(x->main, name->buf);

	if (!f || !py.PyCallable_Check(f))
		return 0;
	py_object *args = py.PyTuple_New(6);

	py.PyTuple_SetItem(args, 0, python_s64(c->cpu));
	py.PyTuple_SetItem(args, 1, python_s64(c->tid));
	py.PyTuple_SetItem(args, 2, python_u64(c->time));
	py.PyTuple_SetItem(args, 3, python_u64(c->value));
	py.PyTuple_SetItem(args, 4, python_u64(c->enabled));
	py.PyTuple_SetItem(args, 5, python_u64(c->running));
	_cleanup_(mem_freep) char *copy = xstrdup(name->buf);

	return python_call(f, args, copy, e);
}

static int interval(struct script_engine *x, u64 time, struct err *e)
{
	py_object *f = python_handler(x, &x->interval);

	if (!f)
		return 0;
	py_object *args = py.PyTuple_New(1);

	py.PyTuple_SetItem(args, 0, python_u64(time));
	return python_call(f, args, "stat__interval", e);
}

/* ------------------------------------------------------------------ start and end */

static void set_program(void)
{
	wchar_t *wide = *python_program() ? py.Py_DecodeLocale(python_program(), NULL) : NULL;

	/* not freed: Python keeps the pointer */
	if (wide)
		py.Py_SetProgramName(wide);
}

/* sys.argv, and in front of sys.path the folder of the script, as `python3 FILE` has them. */
static void set_arguments(const struct script_setup *s)
{
	_cleanup_(mem_freep) char *real = realpath(s->path, NULL);
	py_object *argv = py.PyList_New(0);
	py_object *path = py.PySys_GetObject("path");
	char *slash = real ? strrchr(real, '/') : NULL;

	python_append(argv, py.PyUnicode_DecodeFSDefault(s->path));
	for (int i = 0; i < s->argc; i++)
		python_append(argv, py.PyUnicode_DecodeFSDefault(s->argv[i]));
	py.PySys_SetObject("argv", argv);
	py.Py_DecRef(argv);
	if (!slash || !path)
		return;
	slash[slash == real] = '\0';
	py_object *dir = py.PyUnicode_DecodeFSDefault(real);

	if (!dir)
		return;
	py.PyList_Insert(path, 0, dir);
	py.Py_DecRef(dir);
}

static struct script_engine *new_engine(const struct script_setup *setup)
{
	struct script_engine *x = XNEW(struct script_engine);

	x->setup = *setup;
	x->file = session_file(setup->session);
	x->model = session_model(setup->session);
	x->dsos = session_dsos(setup->session);
	x->insns = insns_new();
	x->scratch = (struct strbuf)STRBUF_INIT;
	x->setup.max_stack = MIN(
		setup->max_stack,
		(u32)(LIMIT_CHAIN / sizeof(u64))); /* no callchain of a recording is longer */
	x->chain = XNEW_ARRAY(struct location, (size_t)x->setup.max_stack + 1);
	return x;
}

static void make_names(struct script_engine *x)
{
#define MAKE(word) x->key.word = python_interned(#word);
	PYTHON_KEYS(MAKE)
#undef MAKE
	x->process_event.name = python_interned("process_event");
	x->trace_unhandled.name = python_interned("trace_unhandled");
	x->context_switch.name = python_interned("context_switch");
	x->throttle.name = python_interned("throttle");
	x->unthrottle.name = python_interned("unthrottle");
	x->auxtrace_error.name = python_interned("auxtrace_error");
	x->interval.name = python_interned("stat__interval");
}

static int run_file(struct script_engine *x, const char *text, struct err *e)
{
	const char *path = x->setup.path;
	py_object *name = py.PyUnicode_DecodeFSDefault(path);

	if (name)
		py.PyDict_SetItemString(x->main, "__file__", name);
	py_object *code = py.Py_CompileString(text, path, PY_FILE_INPUT);
	py_object *result = code ? py.PyEval_EvalCode(code, x->main, x->main) : NULL;

	if (name)
		py.Py_DecRef(name);
	if (code)
		py.Py_DecRef(code);
	if (result) {
		py.Py_DecRef(result);
		return 0;
	}
	py.PyErr_Print();
	return err_set(e, EINVAL, "cannot run the Python script '%s'", path);
}

static void finish(struct script_engine *x)
{
	if (!x)
		return;
	py.Py_FinalizeEx();
	for (size_t i = 0; i < x->nr_events; i++) {
		free(x->events[i].fields);
		free(x->events[i].handler_text);
	}
	free(x->events);
	map_release(&x->name_index);
	vec_free(&x->names);
	vec_free(&x->build_ids);
	strbuf_release(&x->scratch);
	insns_free(x->insns);
	free(x->chain);
	free(x);
}

static int start(struct script_engine **out, const struct script_setup *setup, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	*out = NULL;
	if (input_slurp(setup->path, INPUT_PIPE, &text, e) < 0)
		return -1;
	if (memchr(text.buf, '\0', text.len))
		return err_set(e, EINVAL, "'%s' is no Python script: it has a byte 0", setup->path);
	if (python_load(e) < 0)
		return -1;
	fflush(stdout);
	set_program();
	py.Py_InitializeEx(0);
	struct script_engine *x = new_engine(setup);

	x->main = py.PyModule_GetDict(py.PyImport_AddModule("__main__"));
	x->context = py.PyCapsule_New(x, NULL, NULL);
	make_names(x);
	set_arguments(setup);
	if (python_add_modules(x, e) < 0 || run_file(x, text.buf, e) < 0) {
		finish(x);
		return -1;
	}
	*out = x;
	return 0;
}

static const char *const extensions[] = { "py", NULL };

const struct script_language script_python = {
	.name = "Python",
	.extensions = extensions,
	.generate = python_generate,
	.start = start,
	.begin = begin,
	.record = record,
	.count = count,
	.interval = interval,
	.end = end,
	.finish = finish,
};
