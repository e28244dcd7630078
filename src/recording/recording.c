/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording/recording.h"

#include <errno.h>
#include <string.h>

#include "base/fmt.h"
#include "base/log.h"

#define R struct recording
const struct config_row recording_settings[] = {
	CONFIG_ROW("core.moved-text", CONFIG_BOOL, R, moved_text, NULL),
	CONFIG_ROW("buildid-cache.debuginfod", CONFIG_STR, R, debuginfod, NULL),
	CONFIG_ROW("buildid.dir", CONFIG_STR, R, opts.dso.buildid_dir, NULL),
	CONFIG_END,
};

int recording_configure(struct recording *r, const struct config *c)
{
	r->moved_text = true;
	if (config_apply(c, recording_settings, r))
		return -1;
	r->opts.dso.plain_maps = !r->moved_text;
	return 0;
}

void recording_prepare(struct recording *r)
{
	struct session_opts *o = &r->opts;

	o->dso.force = o->input.force;
	if (o->input.path && !*o->input.path)
		o->input.path = NULL;
	fetching_init(&r->fetching,
		      r->nameless     ? NULL
		      : r->debuginfod ? r->debuginfod
				      : "system",
		      &o->dso.fetch);
	r->prepared = true;
	if (r->verbose || r->quiet)
		log_set_verbosity(r->quiet ? -1 : r->verbose);
	if (r->progress && !r->quiet) {
		progress_init(&r->bar, r->progress);
		o->progress = progress_update;
		o->progress_ctx = &r->bar;
	}
}

int recording_choose_tasks(struct recording *r, struct err *e)
{
	return task_choice_is_all(&r->tasks) ? task_choice_parse(&r->tasks, r->pids, r->tids, e)
					     : 0;
}

static bool wants_task(const void *ctx, u32 pid, u32 tid)
{
	return task_choice_has(ctx, pid, tid);
}

int recording_open(struct recording *r, struct err *e)
{
	recording_prepare(r);
	if (recording_choose_tasks(r, e))
		return -1;
	if (!task_choice_is_all(&r->tasks)) {
		r->opts.wants_task = wants_task;
		r->opts.wants_task_ctx = &r->tasks;
	}
	return session_open(&r->session, &r->opts, e);
}

int recording_open_addresses(struct recording *r, const struct recording *unread, struct err *e)
{
	*r = *unread;
	r->progress = NULL;
	r->opts.progress = NULL;
	r->opts.by_address = true;
	r->opts.unwind = r->opts.branches = r->opts.branch_notes = false;
	r->opts.stitch_lbr = r->opts.ref_chains = false;
	return recording_open(r, e);
}

int recording_check_cpus(const struct recording *r, const char *option, struct err *e)
{
	struct perfdata *f = session_file(r->session);

	if (!r->opts.cpus || perfdata_is_pipe(f))
		return 0;
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->attr.sample_type & PERF_SAMPLE_CPU)
			return 0;
	err_set(e, EINVAL, "the samples of this file do not say their CPU: %s cannot choose",
		option);
	err_hint(e, "record with -a, -C or --sample-cpu");
	return -1;
}

void recording_tell(struct recording *r)
{
	losses_tell_damage(session_file(r->session));
	losses_tell(r->session);
}

int recording_close(struct recording *r)
{
	int status = 0;

	task_choice_release(&r->tasks);
	if (!r->prepared)
		return 0;
	if (r->session && perfdata_is_cut(session_file(r->session)))
		status = RECORDING_CUT;
	fetching_finish(&r->fetching);
	session_close(r->session);
	return status;
}

/* Whether a word of len bytes is in a list "a, b". */
static bool is_known(const char *list, const char *word, size_t len)
{
	for (const char *p = list; *p; p += strspn(p, ", ")) {
		size_t n = strcspn(p, ",");

		if (n == len && !strncmp(p, word, len))
			return true;
		p += n;
	}
	return false;
}

/* Words with commas. */
static int check_styles(const char *what, const char *known, const char *arg, struct err *e)
{
	for (const char *word = arg; *word;
	     word += strcspn(word, ",") + (strchr(word, ',') != NULL)) {
		size_t len = strcspn(word, ",");

		if (!is_known(known, word, len))
			return err_set(e, EINVAL, "unknown %s style: %.*s (%s)", what, (int)len,
				       word, known);
	}
	return 0;
}

int recording_parse_lines(const struct opt *o UNUSED, void *target UNUSED, const char *arg,
			  bool unset, struct err *e)
{
	return unset ? 0 : check_styles("addr2line", "libdw, llvm, libbfd, addr2line", arg, e);
}

int recording_parse_unwind(const struct opt *o UNUSED, void *target UNUSED, const char *arg,
			   bool unset, struct err *e)
{
	return unset ? 0 : check_styles("unwind", "libdw, libunwind", arg, e);
}

int recording_parse_window(const char *text, u64 *from, u64 *until, struct err *e)
{
	const char *comma = text ? strchr(text, ',') : NULL;
	_cleanup_(mem_freep) char *start = NULL;

	if (!text)
		return 0;
	start = comma ? xstrndup(text, (size_t)(comma - text)) : xstrdup(text);
	if ((*start && !fmt_parse_time_ns(start, from)) ||
	    (comma && comma[1] && !fmt_parse_time_ns(comma + 1, until)) ||
	    (*until && *until < *from))
		return err_set(e, EINVAL, "Invalid time string");
	return 0;
}
