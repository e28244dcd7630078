/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * python_api: the functions of CPython that are used, found in the library when it is loaded.
 *
 * All of them belong to the stable ABI, which is the same for every Python 3 since 3.2 (PEP 384,
 * and the list in CPython's Doc/data/stable_abi.dat), so one program works with any of them and
 * nothing of Python is needed to build it. Objects are opaque; the layout of none is known here but
 * PyMethodDef's, which is part of that ABI.
 */
#ifndef SCRIPT_PYTHON_API_H
#define SCRIPT_PYTHON_API_H

#include <stddef.h>
#include <wchar.h>

#include "base/err.h"

typedef struct py_object py_object;
typedef ptrdiff_t py_size;
typedef py_object *(*py_function)(py_object *self, py_object *args);

struct py_method_def {
	const char *name;
	py_function function;
	int flags;
	const char *doc;
};

enum { PY_METH_VARARGS = 1, PY_FILE_INPUT = 257 };

/* X(result, name, parameters) */
#define PY_FUNCTIONS(X)                                                                            \
	X(void, Py_SetProgramName, (const wchar_t *))                                              \
	X(void, Py_InitializeEx, (int))                                                            \
	X(int, Py_FinalizeEx, (void))                                                              \
	X(wchar_t *, Py_DecodeLocale, (const char *, size_t *))                                    \
	X(void, PyMem_RawFree, (void *))                                                           \
	X(void, Py_IncRef, (py_object *))                                                          \
	X(void, Py_DecRef, (py_object *))                                                          \
	X(py_object *, PyImport_AddModule, (const char *))                                         \
	X(py_object *, PyModule_GetDict, (py_object *))                                            \
	X(py_object *, PyEval_GetBuiltins, (void))                                                 \
	X(py_object *, Py_CompileString, (const char *, const char *, int))                        \
	X(py_object *, PyEval_EvalCode, (py_object *, py_object *, py_object *))                   \
	X(py_object *, PySys_GetObject, (const char *))                                            \
	X(int, PySys_SetObject, (const char *, py_object *))                                       \
	X(py_object *, PyObject_GetAttrString, (py_object *, const char *))                        \
	X(int, PyObject_SetAttrString, (py_object *, const char *, py_object *))                   \
	X(py_object *, PyObject_CallObject, (py_object *, py_object *))                            \
	X(int, PyCallable_Check, (py_object *))                                                    \
	X(py_object *, PyDict_New, (void))                                                         \
	X(py_object *, PyDict_Copy, (py_object *))                                                 \
	X(int, PyDict_SetItem, (py_object *, py_object *, py_object *))                            \
	X(int, PyDict_SetItemString, (py_object *, const char *, py_object *))                     \
	X(py_object *, PyDict_GetItemString, (py_object *, const char *))                          \
	X(py_object *, PyDict_GetItem, (py_object *, py_object *))                                 \
	X(py_object *, PyList_New, (py_size))                                                      \
	X(int, PyList_Append, (py_object *, py_object *))                                          \
	X(int, PyList_Insert, (py_object *, py_size, py_object *))                                 \
	X(py_object *, PyTuple_New, (py_size))                                                     \
	X(int, PyTuple_SetItem, (py_object *, py_size, py_object *))                               \
	X(py_size, PyTuple_Size, (py_object *))                                                    \
	X(py_object *, PyTuple_GetItem, (py_object *, py_size))                                    \
	X(py_object *, PyLong_FromLong, (long))                                                    \
	X(py_object *, PyLong_FromLongLong, (long long))                                           \
	X(py_object *, PyLong_FromUnsignedLongLong, (unsigned long long))                          \
	X(long, PyLong_AsLong, (py_object *))                                                      \
	X(py_object *, PyBool_FromLong, (long))                                                    \
	X(py_object *, PyUnicode_DecodeUTF8, (const char *, py_size, const char *))                \
	X(py_object *, PyUnicode_DecodeFSDefault, (const char *))                                  \
	X(py_object *, PyUnicode_AsUTF8String, (py_object *))                                      \
	X(void, PyUnicode_InternInPlace, (py_object **))                                           \
	X(py_object *, PyBytes_FromStringAndSize, (const char *, py_size))                         \
	X(char *, PyBytes_AsString, (py_object *))                                                 \
	X(py_object *, PyByteArray_FromStringAndSize, (const char *, py_size))                     \
	X(py_object *, PyCapsule_New, (void *, const char *, void (*)(py_object *)))               \
	X(void *, PyCapsule_GetPointer, (py_object *, const char *))                               \
	X(py_object *, PyCFunction_NewEx, (struct py_method_def *, py_object *, py_object *))      \
	X(py_object *, PyErr_Occurred, (void))                                                     \
	X(void, PyErr_Print, (void))                                                               \
	X(void, PyErr_Clear, (void))                                                               \
	X(void, PyErr_SetString, (py_object *, const char *))

struct python_api {
#define PY_POINTER(result, name, parameters) result(*name) parameters;
	PY_FUNCTIONS(PY_POINTER)
#undef PY_POINTER
	py_object *none;
	py_object **type_error, **value_error; /* where the exceptions' objects stand */
};

/* Filled once by python_load(). */
extern struct python_api py;

/*
 * Finds the library of a Python 3 and takes its functions: that of $PERF_PYTHON (an interpreter, or
 * a library libpythonX.Y.so), of the python3 in PATH, else the newest that the dynamic loader
 * knows. -1 with *e and what to install: there is none, or this program cannot load libraries.
 */
int python_load(struct err *e);
/* The interpreter that the library belongs to, for sys.executable and the places of modules; "" =
 * not known. */
const char *python_program(void);

#endif
