/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and loads the shared library of a Python. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/run.h"
#include "base/strbuf.h"
#include "script/python_api.h"

enum { NEWEST_MINOR = 40, OLDEST_MINOR = 8, ANSWER_MAX = 16384 };

struct python_api py;
static char program[PATH_MAX];

const char *python_program(void)
{
	return program;
}

static bool take_functions(void *lib)
{
#define TAKE(result, name, parameters)                                                             \
	*(void **)&py.name = dlsym(lib, #name);                                                    \
	if (!py.name)                                                                              \
		return false;
	PY_FUNCTIONS(TAKE)
#undef TAKE
	py.none = dlsym(lib, "_Py_NoneStruct");
	py.type_error = dlsym(lib, "PyExc_TypeError");
	py.value_error = dlsym(lib, "PyExc_ValueError");
	return py.none && py.type_error && py.value_error;
}

/* RTLD_GLOBAL, since extension modules expect Python's functions among the global symbols. */
static bool open_library(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW | RTLD_GLOBAL);

	if (!lib)
		return false;
	if (take_functions(lib))
		return true;
	dlclose(lib);
	return false;
}

/*
 * A program for the interpreter: it prints its own path and the places where its library may be,
 * one a line. It is run with -I, so that neither the current folder nor the environment can change
 * what runs.
 */
static const char question[] =
	"import sys, sysconfig, os\n"
	"v = sysconfig.get_config_var\n"
	"assert sys.version_info >= (3, 8)\n"
	"print(sys.executable)\n"
	"names = [v('INSTSONAME'), v('LDLIBRARY'), 'libpython%d.%d.so.1.0' % sys.version_info[:2]]\n"
	"libdir = v('LIBDIR') or ''\n"
	"for d in (libdir, os.path.join(libdir, v('MULTIARCH') or ''), v('LIBPL') or ''):\n"
	"    for n in names:\n"
	"        p = os.path.join(d, n or '')\n"
	"        if d and n and '.so' in n and os.path.isfile(p): print(p)\n";

static bool load_of(const char *interpreter)
{
	_cleanup_(strbuf_releasep) struct strbuf answer = STRBUF_INIT;
	const char *const argv[] = { interpreter, "-I", "-c", question, NULL };
	const struct run_opts o = { .max = ANSWER_MAX };
	const char *executable;
	char *rest;

	if (run_for_output(argv, &o, &answer) || !answer.len)
		return false;
	rest = answer.buf;
	executable = strsep(&rest, "\n");

	while (rest && *rest) {
		const char *path = strsep(&rest, "\n");

		if (open_library(path)) {
			snprintf(program, sizeof(program), "%s", executable);
			return true;
		}
	}
	return false;
}

/* Tries library names, newest version first. The interpreter of the same version, if it is
 * installed, tells where the modules are. */
static bool load_any(void)
{
	for (int minor = NEWEST_MINOR; minor >= OLDEST_MINOR; minor--) {
		char name[32];

		snprintf(name, sizeof(name), "libpython3.%d.so.1.0", minor);
		if (!open_library(name))
			continue;
		snprintf(program, sizeof(program), "/usr/bin/python3.%d", minor);
		if (access(program, X_OK) < 0)
			program[0] = '\0';
		return true;
	}
	return false;
}

int python_load(struct err *e)
{
	const char *wanted = getenv("PERF_PYTHON");

	if (py.none)
		return 0;
#ifdef PERF_STATIC
	err_set(e, ENOTSUP,
		"this perf is a static program, which cannot load Python: scripts do not run");
	err_hint(e,
		 "use a perf that is built with shared libraries, or: perf script | ./your-parser");
	return -1;
#endif
	if (wanted && *wanted) {
		if (strstr(wanted, ".so") ? open_library(wanted) : load_of(wanted))
			return 0;
		err_set(e, ENOENT, "PERF_PYTHON: '%s' is no Python 3 with a shared library",
			wanted);
		err_hint(
			e,
			"name an interpreter or a libpython3.N.so.1.0 (Debian's package: libpython3.N), "
			"or unset PERF_PYTHON");
		return -1;
	}
	if (load_of("python3") || load_any())
		return 0;
	err_set(e, ENOENT,
		"Python scripts need a shared library of Python 3.8 or newer, and there is none");
	err_hint(
		e,
		"install it: apt install libpython3-dev (or libpython3.N), dnf install python3-libs; "
		"or set PERF_PYTHON to a libpython3.N.so.1.0");
	return -1;
}
