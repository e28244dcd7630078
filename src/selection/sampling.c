/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/sampling.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "cli/print_err.h"
#include "sys/limits.h"

/* What perf does when nothing else is asked for: CPU cycles, as precisely as possible. */
int sampling_add_default(struct sampling *s)
{
	struct event_error ee = { 0 };

	if (s->events.events.nr)
		return 0;
	if (event_parse(&s->events, "cycles:P", &s->env, &ee) < 0)
		return -1;
	s->events.events.v[0]->attr.exclude_guest = 0;
	return 0;
}

/* Nobody asked for a rate: the usual one, or what the kernel allows. */
static void set_usual_rate(struct sampling *s, u32 max)
{
	s->cfg.freq = CAPTURE_DEFAULT_FREQ;
	if (s->user_count || max >= CAPTURE_DEFAULT_FREQ)
		return;
	s->cfg.freq = max;
	if (!s->quiet)
		fprintf(stderr,
			"Lowering default frequency rate from %u to %u.\n"
			"Please consider tweaking /proc/sys/kernel/perf_event_max_sample_rate.\n",
			CAPTURE_DEFAULT_FREQ, max);
}

/* -F above what the kernel allows. 0, or an exit code with --strict-freq. */
static int lower_rate(struct sampling *s, u32 max)
{
	if (s->strict_freq) {
		fprintf(stderr,
			"error: Maximum frequency rate (%u Hz) exceeded.\n"
			"       Please use -F freq option with a lower value or consider\n"
			"       tweaking /proc/sys/kernel/perf_event_max_sample_rate.\n",
			max);
		return SAMPLING_FAILED;
	}
	fprintf(stderr,
		"warning: Maximum frequency rate (%u Hz) exceeded, throttling from %llu Hz "
		"to %u Hz.\n"
		"         The limit can be raised via "
		"/proc/sys/kernel/perf_event_max_sample_rate.\n"
		"         The kernel will lower it when perf's interrupts take too long.\n"
		"         Use --strict-freq to disable this throttling, refusing to record.\n",
		max, (unsigned long long)s->freq, max);
	s->freq = max;
	return 0;
}

int sampling_set_rate(struct sampling *s)
{
	struct capture_config *cfg = &s->cfg;
	struct sys_limits limits;
	int rc;

	cfg->rate_given = s->user_freq || s->user_count;
	cfg->strict_freq = s->strict_freq;
	cfg->period = s->user_count ? s->count : 0;
	if (s->user_freq && s->user_count) {
		fprintf(stderr, "cannot set frequency and period at the same time\n");
		return SAMPLING_FAILED;
	}
	sys_limits_read(&limits, NULL);
	if (!s->user_freq) {
		set_usual_rate(s, limits.max_sample_rate);
		return 0;
	}
	if (s->freq_max) {
		s->freq = limits.max_sample_rate;
		if (!s->quiet)
			fprintf(stderr, "info: Using a maximum frequency rate of %u Hz\n",
				limits.max_sample_rate);
	}
	if (!s->freq) {
		fprintf(stderr, "frequency and count are zero, aborting\n");
		return SAMPLING_FAILED;
	}
	if (s->freq > limits.max_sample_rate) {
		rc = lower_rate(s, limits.max_sample_rate);
		if (rc)
			return rc;
	}
	cfg->freq = s->freq;
	return 0;
}

const char *const *sampling_code_notes(struct sampling *s)
{
	if (s->code_notes.nr)
		*VEC_PUSH(&s->code_notes) = NULL;
	return (const char *const *)s->code_notes.v;
}

void sampling_release(struct sampling *s)
{
	event_list_release(&s->events);
	VEC_FOR(&s->code_notes, note)
		free(*note);
	vec_free(&s->code_notes);
}

static void warn_override(const struct sampling *s, bool overridden, const char *what)
{
	if (overridden && !s->quiet)
		fprintf(stderr, "Warning:\n%s\n", what);
}

void sampling_choose_target(struct sampling *s, bool has_command, struct capture_target *t)
{
	warn_override(s, s->pids && s->tids, "PID switch overriding TID");
	if (s->pids)
		s->tids = NULL;
	warn_override(s, (s->pids || s->tids) && s->uid, "PID/TID switch overriding UID");
	if (s->pids || s->tids)
		s->uid = NULL;
	warn_override(s, s->uid && s->cpus, "UID switch overriding CPU");
	warn_override(s, s->uid && s->system_wide, "UID switch overriding SYSTEM");
	if (s->uid) {
		s->cpus = NULL;
		s->system_wide = false;
	}
	if (s->pids || s->tids) {
		warn_override(s, s->cpus != NULL, "PID/TID switch overriding CPU");
		warn_override(s, s->system_wide, "PID/TID switch overriding SYSTEM");
		s->cpus = NULL;
		s->system_wide = false;
	}
	if (!s->pids && !s->tids && !s->uid && !has_command)
		s->system_wide = true;
	if (s->system_wide || s->cpus) {
		warn_override(s, s->per_thread, "SYSTEM/CPU switch overriding PER-THREAD");
		s->per_thread = false;
	}
	t->cpu_wide = s->system_wide || s->cpus;
	t->per_thread = s->per_thread;
}

/* Name or number; a number needs no entry in the user database. */
static int target_uid(const struct sampling *s, struct capture_target *t, struct err *e)
{
	const char *name = s->uid;
	const struct passwd *pw = getpwnam(name);
	u64 uid = 0;

	if (pw)
		uid = pw->pw_uid;
	else if (!fmt_parse_u64(name, &uid) || uid >= UINT32_MAX)
		return err_set(e, EINVAL, "Invalid User: %s", name);
	return capture_target_uid(t, (u32)uid, e);
}

int sampling_resolve_target(struct sampling *s, struct capture_target *t, struct workload *w,
			    const char *const *command, bool to_pipe, struct err *e)
{
	bool own_tasks = s->pids || s->tids || s->uid;

	event_list_set_guests(&s->events, s->guests);
	if (capture_target_cpus(t, s->cpus, e) < 0)
		return -1;
	if (s->pids && capture_target_pids(t, s->pids, e) < 0)
		return -1;
	if (s->tids && capture_target_tids(t, s->tids, e) < 0)
		return -1;
	if (command && workload_fork(w, command, to_pipe, e) < 0)
		return -1;
	/* (the command already exists and waits, so -u may find it among the user's processes) */
	if (s->uid && target_uid(s, t, e) < 0)
		return -1;
	if (command && !own_tasks && !t->cpu_wide) {
		*VEC_PUSH(&t->tasks) = w->pid;
		t->workload = true;
	}
	return 0;
}

void sampling_print_target_error(const struct sampling *s, const struct err *e)
{
	if (e->code == ESRCH && !s->uid)
		fprintf(stderr, "Couldn't create thread/CPU maps: %c%s\n", toupper((u8)e->text[0]),
			e->text + 1);
	else
		err_print(e);
}

static void print_mmap_error(const struct sampling *s, const struct err *e)
{
	struct sys_limits limits;

	if (e->code != EPERM) {
		fprintf(stderr, "failed to mmap with %d (%s)\n", e->code, strerror(e->code));
		return;
	}
	sys_limits_read(&limits, NULL);
	fprintf(stderr,
		"Permission error mapping pages.\n"
		"Consider increasing /proc/sys/kernel/perf_event_mlock_kb,\n"
		"or try again with a smaller value of -m/--mmap_pages.\n"
		"(current value: %u,%u)\n",
		s->cfg.mmap_pages, s->cfg.aux_pages);
}

void sampling_print_prepare_error(const struct sampling *s, const struct capture *c,
				  const struct strbuf *why, const struct err *e)
{
	if (why->len)
		fprintf(stderr, "Error:\n%s", why->buf);
	else if (!capture_ring_size(c))
		err_print(e);
	else
		print_mmap_error(s, e);
}
