/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf probe: defines, lists and removes dynamic tracepoints. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "recording/fetching.h"
#include "cmd/probe/internal.h"
#include "dso/build_id_cache.h"
#include "sys/mount_ns.h"

enum { EXIT_WRONG = 256 - EINVAL };

static const char *const probe_usage[] = {
	"perf probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]",
	"perf probe [<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]",
	"perf probe [<options>] --del '[GROUP:]EVENT' ...",
	"perf probe --list [GROUP:]EVENT ...",
	"perf probe [<options>] --line 'LINEDESC'",
	"perf probe [<options>] --vars 'PROBEPOINT'",
	"perf probe [<options>] --funcs",
	NULL
};

static struct probe_opts *opts_of(const struct opt *o, void *target)
{
	return (void *)((char *)target - o->offset);
}

/* Actions exclude each other: what follows the first that does not fit is not looked at. */
static bool set_action(struct probe_opts *p, enum probe_action action)
{
	if (p->action && p->action != action && !p->conflict)
		p->conflict = (char)action;
	p->action = p->conflict ? p->action : action;
	return !p->conflict;
}

static int add_request(struct probe_opts *p, const char *text, struct err *e)
{
	struct probe_request r = { .target = p->targets.nr - 1 };

	if (p->verbose)
		probe_say(p, "probe-definition(%zu): %s", p->requests.nr, text);
	if (probe_definition_parse(text, &r.d, e))
		return -1;
	r.text = xstrdup(text);
	*VEC_PUSH(&p->requests) = r;
	p->target_unused = false;
	if (p->verbose) {
		const struct probe_point *at = &r.d.point;

		if (!r.d.kept)
			probe_say(p, "symbol:%s file:%s line:%d offset:%lu return:%d lazy:%s",
				  at->function ? at->function : "(null)",
				  at->file ? at->file : "(null)", at->line,
				  (unsigned long)at->offset, at->is_return,
				  at->lazy ? at->lazy : "(null)");
		probe_say(p, "%zu arguments", r.d.args.nr);
	}
	return 0;
}

static int parse_definition(const struct opt *o, void *target, const char *arg, bool unset UNUSED,
			    struct err *e)
{
	struct probe_opts *p = opts_of(o, target);

	if (!set_action(p, (enum probe_action)o->short_name))
		return 0;
	if (!*arg)
		return err_set(e, EINVAL, "%s", "");
	if (add_request(p, arg, e))
		return -1;
	if (p->action == PROBE_SHOW_VARS && VEC_LAST(&p->requests)->d.args.nr)
		return err_set(e, EINVAL, "  Error: '--vars' doesn't accept arguments.");
	return 0;
}

static struct probe_filter *new_filter(const char *text, struct err *e)
{
	size_t at = 0;
	struct probe_filter *f = probe_filter_new(text, &at);

	if (!f)
		err_set(e, EINVAL, "Filter parse error at %zu.\nSource: \"%s\"\n%*s", at + 1, text,
			(int)at + 10, "^");
	return f;
}

static int set_filter(struct probe_opts *p, const char *text, struct err *e)
{
	struct probe_filter *f = new_filter(text, e);

	if (!f)
		return -1;
	probe_filter_free(p->filter);
	p->filter = f;
	return 0;
}

static int parse_filter(const struct opt *o, void *target, const char *arg, bool unset UNUSED,
			struct err *e)
{
	return set_filter(opts_of(o, target), arg, e);
}

/* -l and -F, with a filter that may be left out. */
static int parse_show(const struct opt *o, void *target, const char *arg, bool unset UNUSED,
		      struct err *e)
{
	struct probe_opts *p = opts_of(o, target);

	if (!set_action(p, (enum probe_action)o->short_name))
		return 0;
	return arg ? set_filter(p, arg, e) : 0;
}

/* Patterns with commas between them. */
static int parse_delete(const struct opt *o, void *target, const char *arg, bool unset UNUSED,
			struct err *e)
{
	struct probe_opts *p = opts_of(o, target);

	if (!set_action(p, PROBE_DELETE))
		return 0;
	do {
		size_t len = strcspn(arg, ",");
		_cleanup_(mem_freep) char *one = xstrndup(arg, len);
		struct probe_filter *f = new_filter(one, e);

		if (!f)
			return -1;
		*VEC_PUSH(&p->deleted) = f;
		*VEC_PUSH(&p->deleted_texts) = xstrdup(one);
		arg += len;
	} while (*arg++);
	return 0;
}

static int parse_lines(const struct opt *o, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct probe_opts *p = opts_of(o, target);

	if (!set_action(p, PROBE_SHOW_LINES))
		return 0;
	if (p->has_lines) {
		probe_say(
			p,
			"Warning: more than one --line options are detected. Only the first one is valid.");
		return 0;
	}
	if (probe_line_range_parse(arg, &p->lines, e))
		return -1;
	p->has_lines = true;
	return 0;
}

static int absolute_path(const struct probe_opts *p, const char *path, char **out, struct err *e)
{
	struct mount_ns ns;
	int code;

	if (mount_ns_enter(&ns, p->target_ns, e))
		return -1;
	*out = realpath(path, NULL);
	code = errno;
	if (mount_ns_leave(&ns, e))
		return -1;
	return *out ? 0
		    : err_set(e, code, "Failed to get the absolute path of %s: %s", path,
			      strerror(code));
}

static int add_target(struct probe_opts *p, enum probe_kind kind, const char *path, struct err *e)
{
	struct probe_target t = { .kind = kind };

	if (kind == PROBE_MODULE && !strchr(path, '/'))
		t.path = xstrdup(path);
	else if (absolute_path(p, path, &t.path, e))
		return -1;
	*VEC_PUSH(&p->targets) = t;
	p->target_unused = p->requests.nr > 0;
	return 0;
}

static int parse_target(const struct opt *o, void *target, const char *arg, bool unset UNUSED,
			struct err *e)
{
	return add_target(opts_of(o, target), o->short_name == 'x' ? PROBE_USER : PROBE_MODULE, arg,
			  e);
}

#define DEFINITION "[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT"
#define O struct probe_opts
static const struct opt probe_table[] = {
	OPT_CALL_F(
		'a', "add", O, action, DEFINITION " [[NAME=]ARG ...]",
		"probe point definition, where\n"
		"\t\tGROUP:\tGroup name (optional)\n\t\tEVENT:\tEvent name\n\t\tFUNC:\tFunction name\n"
		"\t\tOFF:\tOffset from function entry (in byte)\n"
		"\t\t%return:\tPut the probe at function return\n\t\tSRC:\tSource code path\n"
		"\t\tRL:\tRelative line number from function entry.\n"
		"\t\tAL:\tAbsolute line number in file.\n\t\tPT:\tLazy expression of line code.\n"
		"\t\tARG:\tProbe argument (local variable name or\n\t\t\tkprobe-tracer argument format.)\n",
		parse_definition, OPT_NONEG),
	OPT_CALL_F('D', "definition", O, action, DEFINITION " [[NAME=]ARG ...]",
		   "Show trace event definition of given traceevent for k/uprobe_events.",
		   parse_definition, OPT_NONEG),
	OPT_CALL_F('d', "del", O, action, "[GROUP:]EVENT", "delete a probe event.", parse_delete,
		   OPT_NONEG),
	OPT_BOOL('f', "force", O, force, "forcibly add events with existing name"),
	OPT_CALL_F('F', "funcs", O, action, "[FILTER]", "Show potential probe-able functions.",
		   parse_show, OPT_NONEG | OPT_OPTARG | OPT_LASTARG_OPT),
	OPT_STR('k', "vmlinux", O, vmlinux, "file", "vmlinux pathname"),
	OPT_CALL_F('L', "line", O, action, "FUNC[:RLN[+NUM|-RLN2]]|SRC:ALN[+NUM|-ALN2]",
		   "Show source code lines.", parse_lines, OPT_NONEG),
	OPT_CALL_F('l', "list", O, action, "[GROUP:]EVENT", "list up probe events", parse_show,
		   OPT_NONEG | OPT_OPTARG | OPT_LASTARG_OPT),
	OPT_CALL_F('m', "module", O, action, "modname|path",
		   "target module name (for online) or path (for offline)", parse_target,
		   OPT_NONEG),
	OPT_BOOL('n', "dry-run", O, dry_run, "dry run"),
	OPT_BOOL('q', "quiet", O, quiet, "be quiet (do not show any warnings or messages)"),
	OPT_STR('s', "source", O, source_dir, "directory", "path to kernel source"),
	OPT_CALL_F('V', "vars", O, action, "FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT",
		   "Show accessible variables on PROBEDEF", parse_definition, OPT_NONEG),
	OPT_INCR('v', "verbose", O, verbose, "be more verbose (show parsed arguments, etc)"),
	OPT_CALL_F('x', "exec", O, action, "executable|path", "target executable name or path",
		   parse_target, OPT_NONEG),
	OPT_BOOL(0, "bootconfig", O, bootconfig, "Output probe definition with bootconfig format"),
	OPT_BOOL(0, "cache", O, cache, "Manipulate probe cache"),
	OPT_BOOL(0, "demangle", O, demangle, "Enable symbol demangling"),
	OPT_BOOL(0, "demangle-kernel", O, demangle_kernel, "Enable kernel symbol demangling"),
	OPT_BOOL(0, "externs", O, externs, "Show external variables too (with --vars only)"),
	OPT_CALL_F(0, "filter", O, action, "[!]FILTER",
		   "Set a filter (with --vars/funcs only)\n"
		   "\t\t\t(default: \"!__k\?\?\?tab_* & !__crc_*\" for --vars,\n"
		   "\t\t\t \"!_* & !*@plt\" for --funcs)",
		   parse_filter, OPT_NONEG),
	OPT_INT(0, "max-probes", O, max_probes, "n",
		"Set how many probe points can be found for a probe."),
	OPT_BOOL(0, "no-inlines", O, no_inlines, "Don't search inlined functions"),
	OPT_BOOL(0, "range", O, range, "Show variables location range in scope (with --vars only)"),
	OPT_STR(0, "symfs", O, symfs, "directory",
		"Look for files with symbols relative to this directory"),
	OPT_INT(0, "target-ns", O, target_ns, "pid", "target pid for namespace contexts"),
	OPT_END
};
#undef O

static int tell_conflict(const struct probe_opts *p)
{
	const char new_name[] = { p->conflict, '\0' };
	const char name[] = { (char)p->action, '\0' };

	opts_usage_error(probe_table, probe_usage, new_name,
			 " Error: switch `%c' cannot be used with switch `%c'", p->conflict,
			 (char)p->action);
	return opts_usage_error(probe_table, NULL, name, "%s", "");
}

/* Words without an option are one definition; an absolute path in front of it is the target. */
static int take_words(struct probe_opts *o, int argc, const char **argv)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	int i = 0;

	if (argc && o->action)
		return opts_usage_error(probe_table, probe_usage, NULL,
					"  Error: another command except --add is set.\n\n");
	if (argc && argv[0][0] == '/' && o->targets.nr == 1) {
		const char *dot = strrchr(argv[0], '.');
		enum probe_kind kind = dot && !strncmp(dot, ".ko", 3) ? PROBE_MODULE : PROBE_USER;

		if (add_target(o, kind, argv[0], &e))
			return opts_usage_error(probe_table, probe_usage, NULL, "%s", e.text);
		i = 1;
	}
	for (; i < argc; i++)
		strbuf_addf(&text, "%s%s", text.len ? " " : "", argv[i]);
	if (!text.len && !o->action) {
		opts_print_usage(probe_table, probe_usage, NULL);
		return EXIT_USAGE;
	}
	if (!text.len)
		return 0;
	o->action = PROBE_ADD;
	if (!add_request(o, text.buf, &e))
		return 0;
	probe_say(o, "%s", e.text);
	probe_say(o, "  Error: Command Parse Error.");
	return EXIT_WRONG;
}

static int check(const struct probe_opts *o)
{
	if (o->quiet && o->verbose) {
		fprintf(stderr, "  Error: -v and -q are exclusive.\n");
		return EXIT_WRONG;
	}
	if (o->max_probes < 0) {
		probe_say(o, "--max-probes is a number of places, or 0 for %d.", PROBE_MAX_PLACES);
		return EXIT_WRONG;
	}
	if (o->vmlinux && access(o->vmlinux, R_OK)) {
		probe_say(o, "Invalid file: %s", o->vmlinux);
		return EXIT_WRONG;
	}
	if (o->action == PROBE_SHOW_LIST && VEC_LAST(&o->targets)->kind == PROBE_USER) {
		opts_usage_error(probe_table, probe_usage, "l",
				 "  Error: Don't use --list with --exec.\n\n");
		opts_usage_error(probe_table, NULL, "x", "%s", "");
		return EXIT_WRONG;
	}
	if (o->target_unused && (o->action == PROBE_ADD || o->action == PROBE_DEFINE)) {
		opts_usage_error(probe_table, probe_usage, "m",
				 "  Error: -x/-m must follow the probe definitions.\n\n");
		opts_usage_error(probe_table, NULL, "x", "%s", "");
		return EXIT_WRONG;
	}
	if (o->bootconfig && VEC_LAST(&o->targets)->kind == PROBE_USER) {
		probe_say(o, "  Error: --bootconfig doesn't support uprobes.");
		return EXIT_WRONG;
	}
	return 0;
}

static int work(struct probe_opts *o)
{
	int r = check(o);

	if (r)
		return r;
	switch (o->action) {
	case PROBE_DELETE:
		return o->cache ? probe_cache_delete(o) : probe_delete(o);
	case PROBE_SHOW_LIST:
		return o->cache ? probe_cache_list(o) : probe_show_list(o);
	case PROBE_SHOW_LINES:
		return probe_show_lines(o);
	case PROBE_SHOW_VARS:
		return probe_show_vars(o);
	case PROBE_SHOW_FUNCS:
		return probe_show_funcs(o);
	default:
		return probe_add(o);
	}
}

static void release(struct probe_opts *o)
{
	VEC_FOR(&o->targets, t) {
		probe_resolver_free(t->resolver);
		free(t->path);
	}
	vec_free(&o->targets);
	VEC_FOR(&o->requests, r) {
		probe_definition_release(&r->d);
		free(r->text);
	}
	vec_free(&o->requests);
	VEC_FOR(&o->deleted, f)
		probe_filter_free(*f);
	vec_free(&o->deleted);
	VEC_FOR(&o->deleted_texts, t)
		free((char *)*t);
	vec_free(&o->deleted_texts);
	probe_filter_free(o->filter);
	probe_line_range_release(&o->lines);
}

/* What is kept there decides where the kernel puts probes. */
static void find_cache(struct probe_opts *o, const char *given)
{
	struct err e = ERR_INIT;

	if (build_id_cache_dir(given, o->cache_dir, sizeof(o->cache_dir)) &&
	    !build_id_cache_check(o->cache_dir, &e))
		return;
	o->cache_dir[0] = '\0';
	if (e.code && o->cache) {
		log_warn("%s", e.text);
		log_hint("%s", e.hint);
	} else if (e.code) {
		log_info("%s", e.text);
	}
}

static int probe_run(const struct config *config, int argc, const char **argv)
{
	struct probe_opts o = { .max_probes = PROBE_MAX_PLACES,
				.demangle = true,
				.debugfs_dir = config->debugfs_dir };
	struct fetching fetching;
	int r = EXIT_USAGE;

	*VEC_PUSH(&o.targets) = (struct probe_target){ .kind = PROBE_KERNEL };
	fetching_init(&fetching, "system", &o.fetch);
	argc = opts_parse(probe_table, &o, argc, argv, probe_usage, 0);
	find_cache(&o, config_get(config, "buildid.dir"));
	if (argc >= 0 && o.conflict)
		r = tell_conflict(&o);
	else if (argc >= 0)
		r = take_words(&o, argc, argv);
	if (!r)
		r = work(&o);
	fetching_finish(&fetching);
	release(&o);
	return r;
}

const struct command cmd_probe = {
	.name = "probe",
	.summary = "define dynamic tracepoints",
	.usage = probe_usage,
	.opts = probe_table,
	.run = probe_run,
};
