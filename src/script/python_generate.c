/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script that `perf script -g python` writes. Names come from the recording, which may be
 * anybody's: in the script they are identifiers, or escaped in literals, whatever they are in the
 * file.
 */
#include <ctype.h>
#include <stdlib.h>

#include "script/python.h"

static const char head[] =
	"# A script for perf, written by `perf script -g python`: change it, then run\n"
	"#     perf script -s perf-script.py\n"
	"#\n"
	"# Every tracepoint of the recording has a function below, which is called for each of its\n"
	"# samples. It gets what all of them have (common_*), then the event's own fields. What else\n"
	"# is known of a sample is in perf_sample_dict; what few need is told by functions of context,\n"
	"# like common_pc(context). See perf help script.\n"
	"\n"
	"from __future__ import print_function\n"
	"\n"
	"import os\n"
	"import sys\n"
	"\n"
	"sys.path.append(os.environ['PERF_EXEC_PATH'] + \\\n"
	"\t'/scripts/python/Perf-Trace-Util/lib/Perf/Trace')\n"
	"\n"
	"from perf_trace_context import *\n"
	"from Core import *\n"
	"\n"
	"\n"
	"def trace_begin():\n"
	"\tprint(\"in trace_begin\")\n"
	"\n"
	"def trace_end():\n"
	"\tprint(\"in trace_end\")\n"
	"\n";

static const char show_rest[] =
	"\t\tprint('Sample: {'+get_dict_as_string(perf_sample_dict['sample'], ', ')+'}')\n"
	"\n"
	"\t\tfor node in common_callchain:\n"
	"\t\t\tif 'sym' in node:\n"
	"\t\t\t\tprint(\"\t[%x] %s%s%s%s\" % (\n"
	"\t\t\t\t\tnode['ip'], node['sym']['name'],\n"
	"\t\t\t\t\t\"+0x{:x}\".format(node['sym_off']) if 'sym_off' in node else \"\",\n"
	"\t\t\t\t\t\" ({})\".format(node['dso']) if 'dso' in node else \"\",\n"
	"\t\t\t\t\t\" \" + node['sym_srcline'] if 'sym_srcline' in node else \"\"))\n"
	"\t\t\telse:\n"
	"\t\t\t\tprint(\"\t[%x]\" % (node['ip']))\n"
	"\n"
	"\t\tprint()\n"
	"\n";

static const char tail[] =
	"def trace_unhandled(event_name, context, event_fields_dict, perf_sample_dict):\n"
	"\t\tprint(get_dict_as_string(event_fields_dict))\n"
	"\t\tprint('Sample: {'+get_dict_as_string(perf_sample_dict['sample'], ', ')+'}')\n"
	"\n"
	"def print_header(event_name, cpu, secs, nsecs, pid, comm):\n"
	"\tprint(\"%-20s %5u %05u.%09u %8u %-20s \" % \\\n"
	"\t(event_name, cpu, secs, nsecs, pid, comm), end=\"\")\n"
	"\n"
	"def get_dict_as_string(a_dict, delimiter=' '):\n"
	"\treturn delimiter.join(['%s=%s'%(k,str(v))for k,v in sorted(a_dict.items())])\n";

/* Names that a parameter cannot have: Python's keywords and names that the generated functions
 * use. */
static const char *const taken[] = {
	"False",
	"None",
	"True",
	"and",
	"as",
	"assert",
	"async",
	"await",
	"break",
	"class",
	"continue",
	"def",
	"del",
	"elif",
	"else",
	"except",
	"finally",
	"for",
	"from",
	"global",
	"if",
	"import",
	"in",
	"is",
	"lambda",
	"nonlocal",
	"not",
	"or",
	"pass",
	"raise",
	"return",
	"try",
	"while",
	"with",
	"yield",
	"event_name",
	"context",
	"common_cpu",
	"common_secs",
	"common_nsecs",
	"common_pid",
	"common_comm",
	"common_callchain",
	"perf_sample_dict",
	"print",
	"print_header",
	"flag_str",
	"symbol_str",
	"get_dict_as_string",
	"__debug__",
};

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

void python_add_identifier(struct strbuf *out, const char *name)
{
	if (!*name || (*name >= '0' && *name <= '9'))
		strbuf_addch(out, '_');
	for (const char *p = name; *p; p++)
		strbuf_addch(out, is_plain(*p) ? *p : '_');
}

/* A Python string literal. */
static void add_literal(struct strbuf *out, const char *name)
{
	for (const char *p = name; *p; p++)
		if (is_plain(*p))
			strbuf_addch(out, *p);
		else
			strbuf_addf(out, "\\x%02x", (unsigned char)*p);
}

/* A field of a tracepoint as a parameter of its handler. */
struct parameter {
	const struct tracefmt_field *f;
	char *name;
	enum {
		NAMES_NONE,
		NAMES_FLAGS,
		NAMES_SYMBOLS
	} names; /* how the print format names its values */
};

struct handler {
	const struct tracefmt *t;
	struct parameter *v;
	size_t nr;
};

static bool is_taken(const struct handler *h, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (!strcmp(taken[i], name))
			return true;
	for (size_t i = 0; i < h->nr; i++)
		if (!strcmp(h->v[i].name, name))
			return true;
	return false;
}

static void add_parameter(struct handler *h, const struct tracefmt_field *f)
{
	struct strbuf name = STRBUF_INIT;

	python_add_identifier(&name, f->name);
	for (size_t len = name.len, n = 2; is_taken(h, name.buf); n++) {
		name.len = len;
		strbuf_addf(&name, "_%zu", n);
	}
	h->v[h->nr++] = (struct parameter){ .f = f, .name = strbuf_detach(&name) };
}

static void note_names(void *ctx, const struct tracefmt_names *n)
{
	struct handler *h = ctx;

	if (n->kind != TRACEFMT_NAMES_BEGIN)
		return;
	for (size_t i = 0; i < h->nr; i++)
		if (h->v[i].f == n->field)
			h->v[i].names = n->flags ? NAMES_FLAGS : NAMES_SYMBOLS;
}

static const char *conversion(const struct parameter *p)
{
	if (p->names != NAMES_NONE || p->f->flags & (TRACEFMT_ARRAY | TRACEFMT_STRING))
		return "%s";
	return p->f->flags & TRACEFMT_SIGNED && !(p->f->flags & TRACEFMT_POINTER) ? "%d" : "%u";
}

enum { NAMES_PER_LINE = 5, FORMATS_PER_LINE = 3 };

static void add_function(const struct handler *h, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, "%s__%s", tracefmt_system(h->t), tracefmt_name(h->t));
	strbuf_adds(out, "def ");
	python_add_identifier(out, name.buf);
	strbuf_adds(out, "(event_name, context, common_cpu,\n"
			 "\tcommon_secs, common_nsecs, common_pid, common_comm,\n"
			 "\tcommon_callchain, ");
	for (size_t i = 0; i < h->nr; i++) {
		if (i && (i + 1) % NAMES_PER_LINE == 0)
			strbuf_adds(out, "\n\t");
		strbuf_addf(out, "%s, ", h->v[i].name);
	}
	if (h->nr && (h->nr + 1) % NAMES_PER_LINE == 0)
		strbuf_adds(out, "\n\t\t");
	strbuf_adds(out, "perf_sample_dict):\n"
			 "\t\tprint_header(event_name, common_cpu, common_secs, common_nsecs,\n"
			 "\t\t\tcommon_pid, common_comm)\n\n");
}

/* The arguments of the print statement: each field, or a call that gives the name of its value. */
static void add_values(const struct handler *h, struct strbuf *out)
{
	size_t at = 0;

	for (size_t i = 0; i < h->nr; i++) {
		const struct parameter *p = &h->v[i];

		if (i)
			strbuf_adds(out, ", ");
		if (++at % NAMES_PER_LINE == 0)
			strbuf_adds(out, "\n\t\t");
		if (p->names == NAMES_NONE) {
			strbuf_adds(out, p->name);
			continue;
		}
		if ((at - 1) % NAMES_PER_LINE) {
			strbuf_adds(out, "\n\t\t");
			at = NAMES_PER_LINE - 1;
		} else {
			at++;
		}
		strbuf_adds(out, p->names == NAMES_FLAGS ? "flag_str(\"" : "symbol_str(\"");
		add_literal(out, tracefmt_system(h->t));
		strbuf_adds(out, "__");
		add_literal(out, tracefmt_name(h->t));
		strbuf_adds(out, "\", \"");
		add_literal(out, p->f->name);
		strbuf_addf(out, "\", %s)", p->name);
	}
}

static void add_handler(const struct tracefmt *t, struct strbuf *out)
{
	size_t nr = tracefmt_nr_fields(t);
	struct handler h = { .t = t, .v = XNEW_ARRAY(struct parameter, nr + 1) };

	for (size_t i = 0; i < nr; i++)
		if (!(tracefmt_field(t, i)->flags & TRACEFMT_COMMON))
			add_parameter(&h, tracefmt_field(t, i));
	tracefmt_each_name(t, note_names, &h);
	add_function(&h, out);
	strbuf_adds(out, "\t\tprint(\"");
	for (size_t i = 0; i < h.nr; i++) {
		if (i)
			strbuf_adds(out, ", ");
		if (i && i % FORMATS_PER_LINE == 0)
			strbuf_adds(out, "\" \\\n\t\t\"");
		strbuf_addf(out, "%s=%s", h.v[i].name, conversion(&h.v[i]));
	}
	strbuf_adds(out, "\" % \\\n\t\t(");
	add_values(&h, out);
	strbuf_adds(out, "))\n\n");
	strbuf_adds(out, show_rest);
	for (size_t i = 0; i < h.nr; i++)
		free(h.v[i].name);
	free(h.v);
}

static int by_id(const void *a, const void *b)
{
	u64 x = tracefmt_id(*(const struct tracefmt *const *)a);
	u64 y = tracefmt_id(*(const struct tracefmt *const *)b);

	return (x > y) - (x < y);
}

void python_generate(const struct tracefmt_set *formats, struct strbuf *out)
{
	size_t nr = formats ? tracefmt_set_count(formats) : 0;
	const struct tracefmt **v = XNEW_ARRAY(const struct tracefmt *, nr + 1);

	for (size_t i = 0; i < nr; i++)
		v[i] = tracefmt_set_at(formats, i);
	qsort(v, nr, sizeof(*v), by_id);
	strbuf_adds(out, head);
	for (size_t i = 0; i < nr; i++)
		if (strcmp(tracefmt_system(v[i]), "ftrace"))
			add_handler(v[i], out);
	strbuf_adds(out, tail);
	free(v);
}
