/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After a recording: whether stacks that were followed by frame pointers are broken, which the
 * recorder does not see while it records. A part of the recording is read.
 */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/similar.h"
#include "cli/words.h"
#include "cmd/record/record.h"
#include "perfdata/info.h"
#include "session/diagnosis.h"

enum {
	SAMPLES_MIN = 20, /* fewer tell nothing */
	SAMPLES_FEW = 500, /* fewer must tell it clearly */
	SLEEPS_MIN = 4, /* each stands for many */
	LOOKED_AT = 2000,
	BYTES_MAX = 64 << 20, /* a larger recording's first piece is too much to read here */
	BROKEN_PERCENT = 10,
	BROKEN_PERCENT_OF_FEW = 50,
};

/* Whether the kernel followed frame pointers for stacks of an event. */
static bool by_frame_pointers(const struct event_list *events)
{
	bool chains = false;

	VEC_FOR(&events->events, p) {
		const struct perf_event_attr *attr = &(*p)->attr;

		if ((*p)->off_cpu) {
			chains |= attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
				  !attr->sample_stack_user;
			continue;
		}
		/* copies of stacks have lines of their own */
		if ((attr->sample_stack_user && !(*p)->copies_top) || attr->exclude_callchain_user)
			return false;
		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
			return false;
		chains |= attr->sample_type & PERF_SAMPLE_CALLCHAIN && !attr->exclude_user;
	}
	return chains;
}

/* The object that most of them end behind, NULL = none in particular. */
static const char *worst_object(struct session *s, const struct diagnosis *d)
{
	const struct diagnosis_object *worst = NULL;

	VEC_FOR(&d->objects, o)
		if (o->breaks && (!worst || o->breaks > worst->breaks))
			worst = o;
	return worst ? dso_long_name(dso_table_get(session_dsos(s), worst->dso)) : NULL;
}

static bool is_bundle(const char *word)
{
	return word[0] == '-' && word[1] != '-';
}

/* The words of the command line with another way to follow stacks, without the word at left_out (0
 * = all of them). false: the way is not among its options. */
static bool add_command(const struct record_opts *opts, const char *way, size_t left_out,
			struct strbuf *out)
{
	bool replaced = false;

	for (size_t i = 0; opts->line && opts->line[i]; i++) {
		const char *word = opts->line[i];
		bool option = i && i < opts->nr_options;

		if (i && i == left_out)
			continue;
		strbuf_adds(out, i ? " " : "");
		if (option && (!strcmp(word, "-g") || !strcmp(word, "--call-graph") ||
			       !strncmp(word, "--call-graph=", 13))) {
			i += !strcmp(word, "--call-graph") && opts->line[i + 1];
			strbuf_addf(out, "--call-graph %s", way);
			replaced = true;
		} else {
			words_quote(out, i ? word : "perf");
		}
		if (option && is_bundle(word) && strlen(word) > 2 &&
		    word[strlen(word) - 1] == 'g') {
			strbuf_addf(out, " --call-graph %s", way);
			replaced = true;
		}
	}
	return replaced;
}

void record_hint_mode(const struct record_opts *opts)
{
	size_t at = opts->nr_options;
	const char *before = at && opts->line ? opts->line[at - 1] : "";
	_cleanup_(strbuf_releasep) struct strbuf command = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf way = STRBUF_INIT;
	struct similar near;

	if (!is_bundle(before) || before[strlen(before) - 1] != 'g' || !opts->line[at])
		return;
	const char *rest = opts->line[at] + strcspn(opts->line[at], ",");
	_cleanup_(mem_freep) char *typed = xstrndup(opts->line[at],
						    (size_t)(rest - opts->line[at]));

	similar_init(&near, typed);
	for (size_t i = 0; event_stacks_word(i); i++)
		similar_offer(&near, event_stacks_word(i));
	if (!near.nr)
		return;
	strbuf_addf(&way, "%s%s", near.names[0], rest);
	if (add_command(opts, way.buf, at, &command))
		fprintf(stderr, "hint: did you mean '%s'?\n", command.buf);
}

/* By frame pointers, which the C library in which tasks sleep seldom keeps. */
static bool sleeps_broken(const struct diagnosis *d)
{
	const struct diagnosis_asleep *a = &d->asleep;

	return !a->unwound && a->stacks >= SLEEPS_MIN &&
	       (a->stacks - a->complete) * 100 > a->stacks * BROKEN_PERCENT_OF_FEW;
}

static void print_sleeps_broken(const struct record_opts *opts, const struct diagnosis *d)
{
	_cleanup_(strbuf_releasep) struct strbuf command = STRBUF_INIT;
	const struct diagnosis_asleep *a = &d->asleep;

	fprintf(stderr,
		"warning: %llu %% of the stacks with which tasks went to sleep are broken, in code without frame pointers: "
		"--call-graph dwarf mends that, perf doctor tells more\n",
		(unsigned long long)((a->stacks - a->complete) * 100 / a->stacks));
	if (add_command(opts, "dwarf", 0, &command))
		fprintf(stderr, "hint: %s\n", command.buf);
}

static void print_broken(const struct record_opts *opts, struct session *s,
			 const struct diagnosis *d)
{
	_cleanup_(strbuf_releasep) struct strbuf where = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf command = STRBUF_INIT;
	const char *object = opts->sampling.judged ? worst_object(s, d) : NULL;
	/* what judged the code would judge it so again */
	const char *way = opts->sampling.judged ? "dwarf" : "auto";

	if (object) {
		strbuf_adds(&where, " that was taken to keep them, most in '");
		strbuf_add_escaped(&where, object);
		strbuf_adds(&where, "'");
	}
	fprintf(stderr,
		"warning: %llu %% of stacks are broken, in code without frame pointers%s: "
		"--call-graph %s mends that, perf doctor tells more\n",
		(unsigned long long)(d->broken * 100 / d->stacks), where.buf ? where.buf : "", way);
	if (add_command(opts, way, 0, &command))
		fprintf(stderr, "hint: %s\n", command.buf);
}

void record_print_verdict(const struct record_opts *o, const struct capture_result *r,
			  const struct record_output *out, const struct event_list *events)
{
	struct session_opts opts = { .input = { .path = out->path, .force = true },
				     .dso = { .buildid_dir = o->sampling.cfg.buildid_dir },
				     .max_stack = LIMIT_CHAIN,
				     .workers = 1 };
	u64 percent = r->stats.samples < SAMPLES_FEW ? BROKEN_PERCENT_OF_FEW : BROKEN_PERCENT;
	struct session *s = NULL;
	struct diagnosis d;

	if (record_print_runtime(o, r))
		return;
	if (r->stats.samples < SLEEPS_MIN || r->bytes > BYTES_MAX || out->stamped ||
	    !by_frame_pointers(events))
		return;
	if (session_open(&s, &opts, NULL) < 0)
		return;
	if (session_diagnose(s, LOOKED_AT, &d, NULL) == 0) {
		/* the way that mends these mends the others, too */
		if (sleeps_broken(&d))
			print_sleeps_broken(o, &d);
		else if (d.stacks >= SAMPLES_MIN && d.broken * 100 > d.stacks * percent)
			print_broken(o, s, &d);
	}
	diagnosis_release(&d);
	session_close(s);
}
