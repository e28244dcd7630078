/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hash.h"
#include "script/python.h"

py_object *python_str(const char *s, size_t len)
{
	return py.PyUnicode_DecodeUTF8(s, (py_size)len, "backslashreplace");
}

py_object *python_strs(const char *s)
{
	return python_str(s, strlen(s));
}

py_object *python_s64(s64 v)
{
	return py.PyLong_FromLongLong(v);
}

py_object *python_u64(u64 v)
{
	return py.PyLong_FromUnsignedLongLong(v);
}

py_object *python_bool(bool v)
{
	return py.PyBool_FromLong(v);
}

py_object *python_interned(const char *s)
{
	py_object *o = python_strs(s);

	if (o)
		py.PyUnicode_InternInPlace(&o);
	return o;
}

py_object *python_name(struct script_engine *x, const char *s)
{
	u64 hash = hash_u64((u64)(uintptr_t)s);
	u32 i;

	if (x->name_index.slots)
		for (struct map_probe p = map_first(&x->name_index, hash);
		     map_next(&x->name_index, &p, &i);)
			if (x->names.v[i].text == s) {
				py.Py_IncRef(x->names.v[i].object);
				return x->names.v[i].object;
			}
	py_object *o = python_strs(s);

	if (!o)
		return NULL;
	map_add(&x->name_index, hash, (u32)x->names.nr);
	*VEC_PUSH(&x->names) = (struct python_name){ s, o };
	py.Py_IncRef(o);
	return o;
}

void python_put(py_object *dict, py_object *key, py_object *value)
{
	if (!value)
		return;
	py.PyDict_SetItem(dict, key, value);
	py.Py_DecRef(value);
}

void python_append(py_object *list, py_object *value)
{
	if (!value)
		return;
	py.PyList_Append(list, value);
	py.Py_DecRef(value);
}
