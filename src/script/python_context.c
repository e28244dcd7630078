/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module perf_trace_context: what a handler can ask about the sample it was called for. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "dso/source.h"
#include "perfdata/info.h"
#include "script/python.h"
#include "script/python_modules.h"
#include "text/insn.h"

enum { LINES_MAX = 1 << 22 };

static py_object *raise(py_object **exception, const char *text)
{
	py.PyErr_SetString(*exception, text);
	return NULL;
}

/* The engine, which the first argument (a capsule) points to; NULL with an exception set. */
static struct script_engine *context_of(py_object *args, py_size most)
{
	py_size nr = py.PyTuple_Size(args);

	if (nr < 1 || nr > most) {
		char text[64];

		snprintf(text, sizeof(text), "context expected %d argument%s, got %d", (int)most,
			 most == 1 ? "" : "s", (int)nr);
		raise(py.type_error, text);
		return NULL;
	}
	return py.PyCapsule_GetPointer(py.PyTuple_GetItem(args, 0), NULL);
}

static py_object *none(void)
{
	py.Py_IncRef(py.none);
	return py.none;
}

/* ------------------------------------------------------------------ fields that all tracepoints
 * have */

static py_object *common_field(const struct script_engine *x, const struct tracefmt_field *f)
{
	const struct sample *smp = x->record ? x->record->sample : NULL;
	u64 v = 0;

	if (!f || !smp || !smp->raw || !tracefmt_u64(f, smp->raw, smp->raw_size, &v))
		v = 0;
	return python_s64((s32)v);
}

static py_object *common_pc(py_object *self UNUSED, py_object *args)
{
	struct script_engine *x = context_of(args, 1);

	return x ? common_field(x, x->event ? x->event->common_pc : NULL) : NULL;
}

static py_object *common_flags(py_object *self UNUSED, py_object *args)
{
	struct script_engine *x = context_of(args, 1);

	return x ? common_field(x, x->event ? x->event->common_flags : NULL) : NULL;
}

static py_object *common_lock_depth(py_object *self UNUSED, py_object *args)
{
	struct script_engine *x = context_of(args, 1);

	return x ? common_field(x, x->event ? x->event->common_lock_depth : NULL) : NULL;
}

/* ------------------------------------------------------------------ the place */

static bool locate(struct script_engine *x, struct location *loc)
{
	const struct session_record *r = x->record;

	if (!r || !r->sample)
		return false;
	session_locate(x->worker, &r->site, r->sample->cpumode, r->sample->ip, loc);
	return true;
}

static py_object *perf_sample_insn(py_object *self UNUSED, py_object *args)
{
	struct script_engine *x = context_of(args, 1);
	struct location loc;
	u8 bytes[INSN_MAX];

	if (!x)
		return NULL;
	size_t n = locate(x, &loc) ? insns_read(x->insns, x->dsos, &loc, bytes) : 0;

	return n ? py.PyBytes_FromStringAndSize((const char *)bytes, (py_size)n) : none();
}

/* The source line of the sample's address, with the full path; false: unknown. */
static bool source_of(struct script_engine *x, struct source_frame *f)
{
	struct source_frame places[SOURCE_FRAMES_MAX];
	struct location loc;

	if (!locate(x, &loc))
		return false;
	struct dso *d = dso_table_get(x->dsos, loc.dso);
	size_t nr = d ? dso_source(d, loc.addr, places, ARRAY_SIZE(places)) : 0;

	if (!nr || !places[0].file || !places[0].line)
		return false;
	*f = places[0];
	strbuf_reset(&x->scratch);
	source_add_file(&x->scratch, f, true);
	return true;
}

static py_object *tuple_of(py_object *a, py_object *b, py_object *c)
{
	py_object *t = py.PyTuple_New(c ? 3 : 2);

	py.PyTuple_SetItem(t, 0, a);
	py.PyTuple_SetItem(t, 1, b);
	if (c)
		py.PyTuple_SetItem(t, 2, c);
	return t;
}

static py_object *perf_sample_srcline(py_object *self UNUSED, py_object *args)
{
	struct script_engine *x = context_of(args, 1);
	struct source_frame f;

	if (!x)
		return NULL;
	if (!source_of(x, &f))
		return tuple_of(none(), python_s64(0), NULL);
	return tuple_of(python_str(x->scratch.buf, x->scratch.len), python_u64(f.line), NULL);
}

/* The text of a source line. Debug information may name any file, so only regular files are
 * read. */
static py_object *line_of(const char *path, u32 line)
{
	int fd = input_open(path, 0, NULL);
	char *text = NULL;
	size_t size = 0;
	ssize_t n = -1;

	if (fd < 0)
		return none();
	if (line > LINES_MAX) {
		close(fd);
		return none();
	}
	FILE *file = fdopen(fd, "r");

	for (u32 i = 0; file && i < line; i++) {
		n = getline(&text, &size, file);
		if (n < 0)
			break;
	}
	while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		n--;
	py_object *found = n >= 0 ? python_str(text, (size_t)n) : none();

	free(text);
	if (file)
		fclose(file);
	return found;
}

static py_object *perf_sample_srccode(py_object *self UNUSED, py_object *args)
{
	struct script_engine *x = context_of(args, 1);
	struct source_frame f;

	if (!x)
		return NULL;
	if (!source_of(x, &f))
		return tuple_of(none(), python_s64(0), none());
	return tuple_of(python_str(x->scratch.buf, x->scratch.len), python_u64(f.line),
			line_of(x->scratch.buf, f.line));
}

/* Hardware traces cannot be decoded yet: returns 0 if the recording has none, else -1. */
static py_object *perf_set_itrace_options(py_object *self UNUSED, py_object *args)
{
	py_size nr = py.PyTuple_Size(args);

	if (nr != 2)
		return raise(py.type_error, "itrace_options expected 2 arguments");
	const struct script_engine *x = py.PyCapsule_GetPointer(py.PyTuple_GetItem(args, 0), NULL);

	return x ? py.PyLong_FromLong(info_has(perfdata_info(x->file), FEAT_AUXTRACE) ? -1 : 0)
		 : NULL;
}

static struct py_method_def methods[] = {
	{ "common_pc", common_pc, PY_METH_VARARGS,
	  "Get the common preempt count event field value." },
	{ "common_flags", common_flags, PY_METH_VARARGS,
	  "Get the common flags event field value." },
	{ "common_lock_depth", common_lock_depth, PY_METH_VARARGS,
	  "Get the common lock depth event field value." },
	{ "perf_sample_insn", perf_sample_insn, PY_METH_VARARGS,
	  "Get the machine code instruction." },
	{ "perf_sample_srcline", perf_sample_srcline, PY_METH_VARARGS,
	  "Get source file name and line number." },
	{ "perf_sample_srccode", perf_sample_srccode, PY_METH_VARARGS,
	  "Get source file name, line number and the line." },
	{ "perf_set_itrace_options", perf_set_itrace_options, PY_METH_VARARGS,
	  "Set options for hardware traces; -1 = they are not decoded." },
};

/* ------------------------------------------------------------------ modules */

/* Imports perf's own modules from the program itself when no file on sys.path has them, so that
 * scripts run without an installed perf. */
static const char finder[] =
	"def _install(sources):\n"
	"    import sys\n"
	"    from _frozen_importlib import ModuleSpec\n"
	"    class PerfModules:\n"
	"        @staticmethod\n"
	"        def find_spec(name, path=None, target=None):\n"
	"            return ModuleSpec(name, PerfModules, origin='perf') if name in sources else None\n"
	"        @staticmethod\n"
	"        def create_module(spec):\n"
	"            return None\n"
	"        @staticmethod\n"
	"        def exec_module(module):\n"
	"            n = module.__name__\n"
	"            exec(compile(sources[n], '<perf>/' + n + '.py', 'exec'), module.__dict__)\n"
	"    sys.meta_path.append(PerfModules)\n";

static int add_context(struct script_engine *x)
{
	py_object *module = py.PyImport_AddModule("perf_trace_context");
	py_object *dict = module ? py.PyModule_GetDict(module) : NULL;

	for (size_t i = 0; dict && i < ARRAY_SIZE(methods); i++) {
		py_object *f = py.PyCFunction_NewEx(&methods[i], NULL, NULL);

		if (!f)
			return -1;
		py.PyDict_SetItemString(dict, methods[i].name, f);
		py.Py_DecRef(f);
	}
	if (!dict || py.PyDict_SetItemString(dict, "perf_script_context", x->context) < 0)
		return -1;
	return py.PyDict_SetItemString(x->main, "perf_script_context", x->context);
}

static int add_finder(void)
{
	py_object *scope = py.PyDict_New();
	py_object *sources = py.PyDict_New();
	py_object *args = py.PyTuple_New(1);
	py_object *code = py.Py_CompileString(finder, "<perf>", PY_FILE_INPUT);
	py_object *done = NULL;

	py.PyDict_SetItemString(scope, "__builtins__", py.PyEval_GetBuiltins());
	for (const struct python_module *m = python_modules; m->name; m++) {
		py_object *text = python_strs(m->text);

		py.PyDict_SetItemString(sources, m->name, text);
		py.Py_DecRef(text);
	}
	py.PyTuple_SetItem(args, 0, sources);
	py_object *defined = code ? py.PyEval_EvalCode(code, scope, scope) : NULL;

	if (defined)
		done = py.PyObject_CallObject(py.PyDict_GetItemString(scope, "_install"), args);
	return done ? 0 : -1;
}

int python_add_modules(struct script_engine *x, struct err *e)
{
	if (add_context(x) == 0 && add_finder() == 0)
		return 0;
	py.PyErr_Print();
	return err_set(e, EINVAL, "cannot make the modules of perf known to Python");
}
