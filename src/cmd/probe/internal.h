/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe/internal: what the parts of `perf probe` share.
 */
#ifndef CMD_PROBE_INTERNAL_H
#define CMD_PROBE_INTERNAL_H

#include "base/vec.h"
#include "cli/options.h"
#include "probe/events.h"
#include "probe/filter.h"
#include "probe/kept.h"
#include "probe/point.h"
#include "probe/resolve.h"

/* What is to be done: the letter of its option. */
enum probe_action {
	PROBE_NOTHING = 0,
	PROBE_ADD = 'a',
	PROBE_DEFINE = 'D',
	PROBE_DELETE = 'd',
	PROBE_SHOW_LIST = 'l',
	PROBE_SHOW_LINES = 'L',
	PROBE_SHOW_VARS = 'V',
	PROBE_SHOW_FUNCS = 'F',
};

/* Of -x or -m. */
struct probe_target {
	enum probe_kind kind;
	char *path; /* NULL: the kernel */
	struct probe_resolver *resolver; /* made when it is needed */
};

/* A definition of the command line, and what it is for. */
struct probe_request {
	struct probe_definition d;
	size_t target; /* in targets */
	char *text; /* as it was given */
};

struct probe_opts {
	enum probe_action action;
	char conflict; /* the letter of an action that excludes it */
	VEC(struct probe_target)
	targets; /* the first is the kernel; the last counts for what follows */
	VEC(struct probe_request) requests;
	VEC(struct probe_filter *) deleted;
	VEC(const char *) deleted_texts;
	struct probe_filter *filter; /* NULL: the default of the action */
	struct probe_line_range lines;
	bool has_lines, target_unused;
	const char *vmlinux, *source_dir, *symfs;
	const char *debugfs_dir; /* see sys_tracefs_find() */
	int verbose, target_ns, max_probes;
	bool quiet, force, dry_run, externs, range, no_inlines, cache, bootconfig, demangle,
		demangle_kernel;
	struct dso_fetch fetch;
	char cache_dir[4096]; /* the build-id cache, "" = none */
};

/* How many places a definition may have, unless --max-probes tells. */
enum { PROBE_MAX_PLACES = 128 };

/* On stderr, unless -q says otherwise. */
void probe_say(const struct probe_opts *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The last line, "  Error: Failed to add events.", behind what e says; the exit code. */
int probe_fail(const struct probe_opts *o, const char *what, const struct err *e);

struct probe_resolver *probe_resolver_of(struct probe_opts *o, size_t target);
/* Where tracefs is; -1: not mounted. */
enum { PROBE_TRACEFS_MAX = 256 };
int probe_find_tracefs(const struct probe_opts *o, char buf[PROBE_TRACEFS_MAX], struct err *e);
/* What perf says when a list cannot be opened to be read or written. */
void probe_explain_list(const char *root, enum probe_list list, bool writing, struct err *e);

int probe_add(struct probe_opts *o);
int probe_delete(struct probe_opts *o);
int probe_show_list(struct probe_opts *o);
int probe_show_lines(struct probe_opts *o);
int probe_show_vars(struct probe_opts *o);
int probe_show_funcs(struct probe_opts *o);

/* --cache: the points that are kept with objects in the build-id cache. */
int probe_cache_list(struct probe_opts *o);
int probe_cache_delete(struct probe_opts *o);
/* Adds one to those of an object (NULL: the kernel), in place of one of the same text. */
int probe_cache_keep(struct probe_opts *o, const char *object, const struct probe_kept *kept,
		     struct err *e);

/* One line of a list: "  GROUP:NAME   (on POINT in TARGET with ARGS)". args: words,
 * NULL-terminated. */
struct probe_line {
	const char *group, *name, *target; /* target NULL: the kernel */
	const struct probe_point *point;
	const struct strbuf *args; /* with a blank in front of each */
};
void probe_line_text(const struct probe_line *l, struct strbuf *out);

#endif
