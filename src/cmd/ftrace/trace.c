/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf ftrace trace: the kernel's text of what its tracer records. And the functions it knows. */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/rw.h"
#include "cli/print_err.h"
#include "cmd/ftrace/ftrace.h"
#include "sys/tracefs.h"

static bool write_text(void *ctx UNUSED, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len;
}

static bool flush_text(void *ctx UNUSED, u64 until UNUSED)
{
	return !fflush(stdout);
}

/* The heading that an empty buffer has. */
static int write_heading(struct ftrace_job *job UNUSED, const struct ftrace_instance *t,
			 struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(mem_closep) int fd = ftrace_instance_open_file(t, "trace", e);

	if (fd < 0 || rw_slurp_fd(fd, "trace", &text, e))
		return -1;
	fwrite(text.buf, 1, text.len, stdout);
	fflush(stdout);
	return 0;
}

/* Filters of a tracer choose it. */
static const char *tracer_of(const struct ftrace_opts *o)
{
	const struct ftrace_settings *s = &o->settings;

	if (s->graphs.nr || s->not_graphs.nr)
		return "function_graph";
	if (s->functions.nr || s->not_functions.nr)
		return "function";
	if (s->tracer)
		return s->tracer;
	return o->config_tracer ? o->config_tracer : "function_graph";
}

int ftrace_trace(struct ftrace_opts *o, const char *const *command)
{
	struct ftrace_job job = { .o = o,
				  .tracer = tracer_of(o),
				  .as_text = true,
				  .sink = { .text = write_text },
				  .begin = write_heading,
				  .round = flush_text };

	if (strcmp(job.tracer, "function") != 0 && strcmp(job.tracer, "function_graph") != 0) {
		log_error("'%s' is no tracer that perf ftrace has: function_graph or function",
			  job.tracer);
		return FTRACE_FAILED;
	}
	log_info("%s tracer is used", job.tracer);
	return ftrace_run(&job, command);
}

int ftrace_list(const struct ftrace_opts *o)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	char root[PATH_MAX];

	if (!sys_tracefs_find(o->debugfs, NULL, root, sizeof(root)))
		err_set(&e, ENOENT, "the kernel's tracer is not there: tracefs is not mounted");
	else if (!sys_tracefs_read(root, "available_filter_functions", &text, &e))
		e.code = 0;
	else if (e.code == ENOENT)
		err_set(&e, ENOTSUP, "this kernel has no function tracer");
	if (e.code) {
		err_print(&e);
		return FTRACE_FAILED;
	}
	for (char *line = text.buf, *end; *line; line = end) {
		end = strchrnul(line, '\n');
		if (*end)
			*end++ = '\0';
		if (o->list_glob) {
			/* "name [module]" */
			char *blank = strchr(line, ' ');

			if (blank)
				*blank = '\0';
			if (fnmatch(o->list_glob, line, 0) != 0)
				continue;
			if (blank)
				*blank = ' ';
		}
		puts(line);
	}
	return 0;
}
