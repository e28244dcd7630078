/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of the script's functions. */
#include <errno.h>

#include "script/python.h"

/* The number of positional parameters; 0 if it takes any number. */
static long arity_of(py_object *function)
{
	py_object *code = py.PyObject_GetAttrString(function, "__code__");
	py_object *count = code ? py.PyObject_GetAttrString(code, "co_argcount") : NULL;
	long n = count ? py.PyLong_AsLong(count) : 0;

	if (code)
		py.Py_DecRef(code);
	if (count)
		py.Py_DecRef(count);
	py.PyErr_Clear();
	return n;
}

py_object *python_handler(struct script_engine *x, struct python_handler *h)
{
	py_object *f = py.PyDict_GetItem(x->main, h->name);

	if (f == h->function)
		return f;
	if (f && !py.PyCallable_Check(f))
		f = NULL;
	if (f)
		py.Py_IncRef(f);
	if (h->function)
		py.Py_DecRef(h->function);
	h->function = f;
	h->arity = f ? arity_of(f) : 0;
	return f;
}

int python_call(py_object *function, py_object *args, const char *name, struct err *e)
{
	py_object *result;

	py.Py_IncRef(
		function); /* the script may assign another function to the name during the call */
	result = args ? py.PyObject_CallObject(function, args) : NULL;
	py.Py_DecRef(function);
	if (args)
		py.Py_DecRef(args);
	if (result) {
		py.Py_DecRef(result);
		return 0;
	}
	py.PyErr_Print(); /* for SystemExit, PyErr_Print() ends the program */
	return err_set(e, EINVAL, "the script's %s() failed", name);
}
