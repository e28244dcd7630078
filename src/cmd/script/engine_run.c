/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/engine_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "perfdata/info.h"
#include "program/exec_path.h"
#include "recording/losses.h"

/* Ctrl-C ends the recording's samples, not the script, which shows what it has. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig UNUSED)
{
	interrupted = 1;
}

static void catch_interrupts(void)
{
	struct sigaction sa = { .sa_handler = on_interrupt };

	interrupted = 0;
	sigaction(SIGINT, &sa, NULL);
}

void engine_list_languages(void)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	script_languages_add_list(&text);
	fputs(text.buf, stderr);
}

/* ------------------------------------------------------------------ which script */

static int check_supported(const struct script_language *l, struct err *e)
{
	if (l->start)
		return 0;
	err_set(e, ENOTSUP, "scripts in %s are not supported", l->name);
	err_hint(
		e,
		"write it in Python (perf script -g python), or read the text: perf script | ./your-parser");
	return -1;
}

const struct script_language *engine_generated_language(const char *name, struct err *e)
{
	const struct script_language *l = script_language_find(name, strlen(name));
	const char *dot = strrchr(name, '.');

	if (!l && dot && dot[1])
		l = script_language_find(dot + 1, strlen(dot + 1));
	if (!l) {
		err_set(e, EINVAL, "'%s' is no language for scripts, and no file of one", name);
		err_hint(e, "perf script -g python, perf script -g FILE.py");
		return NULL;
	}
	return check_supported(l, e) < 0 ? NULL : l;
}

const struct script_language *engine_script_language(const char *spec, struct err *e)
{
	const char *colon = strchr(spec, ':');
	const char *dot = strrchr(spec, '.');
	const struct script_language *l = NULL;

	if (colon)
		l = script_language_find(spec, (size_t)(colon - spec));
	else if (dot)
		l = script_language_find(dot + 1, strlen(dot + 1));
	if (!l) {
		err_set(e, EINVAL,
			colon ? "'%s': invalid language specifier"
			      : "'%s': invalid script extension",
			spec);
		err_hint(e, "perf script -s lang lists the languages");
	}
	return l;
}

int engine_find_script(struct engine_script *out, const char *spec, struct err *e)
{
	const char *colon = strchr(spec, ':');
	const char *file = colon ? colon + 1 : spec;

	*out = (struct engine_script){ .language = engine_script_language(spec, e) };
	if (!out->language || check_supported(out->language, e) < 0)
		return -1;
	out->path = xstrdup(file);
	if (access(file, F_OK) == 0 || strchr(file, '/'))
		return 0;
	char *installed = xasprintf("%s/scripts/python/%s", program_exec_path(), file);

	if (access(installed, R_OK) == 0) {
		free(out->path);
		out->path = installed;
	} else {
		free(installed);
	}
	return 0;
}

/* ------------------------------------------------------------------ -g */

int engine_generate(struct script *s, const struct script_language *l, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const char *name = s->o.gen_script;
	bool is_language = script_language_find(name, strlen(name)) && !strchr(name, '.');
	_cleanup_(mem_freep) char *path = is_language
						  ? xasprintf("perf-script.%s", l->extensions[0])
						  : xstrdup(name);

	l->generate(session_tracefmt(s->session), &text);
	int fd = output_file_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666, e);

	if (fd < 0)
		return -1;
	int ret = rw_write_full(fd, text.buf, text.len);

	if (close(fd) < 0 || ret < 0)
		return err_sys(e, errno, "cannot write '%s'", path);
	fprintf(stderr, "generated %s script: %s\n", l->name, path);
	return 0;
}

/* ------------------------------------------------------------------ -s */

struct engine_ctx {
	struct script *s;
	const struct script_language *language;
	struct script_engine *engine;
	u64 time; /* of the counts */
};

static int give_count(void *ctx, const struct count_row *row)
{
	struct engine_ctx *c = ctx;
	const struct script_count count = {
		.event = row->event,
		.cpu = row->cpu,
		.tid = row->task,
		.time = c->time,
		.value = row->value,
		.enabled = row->enabled,
		.running = row->running,
	};

	return c->language->count(c->engine, &count, &c->s->failure);
}

static int give_counts(struct engine_ctx *c, const struct session_record *r)
{
	struct script *s = c->s;
	int ret = counts_take(&s->counts, s->file, r->h, &c->time, &s->failure);

	if (ret <= 0)
		return ret;
	if (counts_each_row(s->counts, s->file, give_count, c) < 0)
		return -1;
	return c->language->interval(c->engine, c->time, &s->failure);
}

static bool is_wanted(struct script *s, struct session_worker *w, const struct session_record *r)
{
	return !r->left_out &&
	       (!s->filters || (script_pass_thread(s, r) && script_pass_code(s, w, r) &&
				!event_switch_skips(&s->o.switches, r->event)));
}

static bool on_record(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
		      const struct session_record *r, struct strbuf *out UNUSED)
{
	struct engine_ctx *c = ctx;
	struct script *s = c->s;
	int ret = 0;

	if (interrupted)
		return false;
	if (r->sample)
		ret = is_wanted(s, w, r) ? c->language->record(c->engine, w, r, &s->failure) : 0;
	else if (!r->again)
		ret = s->has_counts && give_counts(c, r) < 0
			      ? -1
			      : c->language->record(c->engine, w, r, &s->failure);
	s->failed = ret < 0;
	return ret >= 0;
}

static bool on_text(void *ctx UNUSED, const char *text UNUSED, size_t len UNUSED)
{
	return true;
}

/* The recording's samples, between the script's beginning and its end. */
static int run_samples(struct engine_ctx *c, struct err *e)
{
	struct script *s = c->s;
	struct session_consumer consumer = {
		.order = SESSION_ORDERED,
		.serial = true,
		.all_records = true,
		.ctx = c,
		.record = on_record,
		.emit = on_text,
	};

	if (c->language->begin(c->engine, e) < 0)
		return -1;
	catch_interrupts();
	if (session_run(s->session, &consumer, e) < 0)
		return -1;
	if (s->failed) {
		*e = s->failure;
		return -1;
	}
	return c->language->end(c->engine, e);
}

int engine_run(struct script *s, const struct engine_script *script, int argc, const char **argv,
	       struct err *e)
{
	struct engine_ctx c = { .s = s, .language = script->language };
	const struct script_setup setup = {
		.session = s->session,
		.path = script->path,
		.argc = argc,
		.argv = argv,
		.exec_path = program_exec_path(),
		.max_stack = s->max_stack,
		.no_inline = s->o.inlines == INLINES_OF_NONE,
		.all_inlines = s->o.inlines == INLINES_OF_ALL,
		.full_source_path = s->o.full_source_path,
	};
	int ret = -1;

	setenv("PERF_EXEC_PATH", program_exec_path(), 1);
	s->has_counts = perfdata_is_pipe(s->file) || info_has(perfdata_info(s->file), FEAT_STAT);
	if (event_switch_start(&s->o.switches, s->file, e) == 0 &&
	    c.language->start(&c.engine, &setup, e) == 0)
		ret = run_samples(&c, e);
	c.language->finish(c.engine);
	if (ret == 0)
		losses_tell(s->session);
	return ret;
}
