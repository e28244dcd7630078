/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kmem: what the kernel's allocators were asked for. */
#include "cmd/kmem/kmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "cli/pager.h"
#include "cmd/commands.h"
#include "cmd/row_form.h"

/* -l and -s behind --caller or --alloc are for that table, before both of them for both. */
static int parse_which(const struct opt *o, void *target, const char *arg UNUSED, bool unset,
		       struct err *e UNUSED)
{
	struct kmem_opts *k = target;
	enum kmem_which which = strcmp(o->long_name, "caller") == 0 ? KMEM_CALLERS : KMEM_OBJECTS;

	k->tables[which].shown = !unset;
	if (unset)
		return 0;
	k->from = which;
	k->until = which + 1;
	return 0;
}

static int parse_lines(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct kmem_opts *k = target;
	char *end;
	long lines;

	errno = 0;
	lines = strtol(arg, &end, 10);
	if (errno || end == arg || *end || lines > INT32_MAX)
		return err_set(e, EINVAL, "cannot read the number of lines '%s'", arg);
	for (enum kmem_which i = k->from; i < k->until; i++)
		k->tables[i].lines = lines < 0 ? -1 : (int)lines;
	return 0;
}

static int parse_sort(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		      struct err *e)
{
	struct kmem_opts *k = target;

	for (enum kmem_which i = k->from; i < k->until; i++)
		if (k->for_pages ? kmem_parse_page_sort(&k->tables[i], arg, e)
				 : kmem_parse_sort(&k->tables[i], arg, e))
			return -1;
	return 0;
}

/* -s behind one of these is for that allocator. */
static int parse_allocator(const struct opt *o, void *target, const char *arg UNUSED,
			   bool unset UNUSED, struct err *e UNUSED)
{
	struct kmem_opts *k = target;

	k->for_pages = !strcmp(o->long_name, "page");
	*(k->for_pages ? &k->page : &k->slab) = true;
	return 0;
}

/* The option's target is all of them. */
#define ALL_OF rec
_Static_assert(offsetof(struct kmem_opts, ALL_OF) == 0, "parsers get the options themselves");
#define K struct kmem_opts
static const struct opt kmem_table[] = {
	RECORDING_FILE(K, rec),
	RECORDING_VERBOSE(K, rec),
	RECORDING_FORCE(K, rec),
	OPT_CALL_F(0, "caller", K, ALL_OF, "", "show per-callsite statistics", parse_which,
		   OPT_NOARG),
	OPT_CALL_F(0, "alloc", K, ALL_OF, "", "show per-allocation statistics", parse_which,
		   OPT_NOARG),
	OPT_CALL_F(
		's', "sort", K, ALL_OF, "key[,key2...]",
		"sort by keys: ptr, callsite, bytes, hit, pingpong, frag, page, order, migtype, gfp",
		parse_sort, OPT_NONEG),
	OPT_CALL_F('l', "line", K, ALL_OF, "num", "show n lines", parse_lines, OPT_NONEG),
	OPT_BOOL(0, "raw-ip", K, raw_ip, "show raw ip instead of symbol"),
	OPT_CALL_F(0, "slab", K, ALL_OF, "", "Analyze slab allocator", parse_allocator,
		   OPT_NOARG | OPT_NONEG),
	OPT_CALL_F(0, "page", K, ALL_OF, "", "Analyze page allocator", parse_allocator,
		   OPT_NOARG | OPT_NONEG),
	OPT_BOOL(0, "live", K, live, "Show live page stat"),
	OPT_BOOL(0, "json", K, json, "print JSON"),
	OPT_STR('x', "field-separator", K, separator, "separator",
		"print values with this between them (doc/cmd/kmem.md)"),
	OPT_STR('C', "cpu", K, rec.opts.cpus, "cpu", "only events of these CPUs"),
	OPT_STR(0, "kallsyms", K, rec.opts.dso.kallsyms, "file", "kallsyms pathname"),
	RECORDING_TASKS(K, rec),
	RECORDING_TIME(K, rec),
	OPT_END,
};
static int parse_default(const char *value, void *target, struct err *e)
{
	bool *page = target;

	*page = !strcmp(value, "page");
	if (*page || !strcmp(value, "slab"))
		return 0;
	return err_set(e, EINVAL, "'%s' is no allocator: slab, page", value);
}

static const struct config_row kmem_settings[] = {
	CONFIG_ROW("kmem.default", CONFIG_CALL, K, by_default_page, parse_default), CONFIG_END
};
static const char *const kmem_usage[] = { "perf kmem [<options>] {record|stat}", NULL };

static int analyse(struct kmem_opts *o)
{
	struct recording unread = o->rec;
	int status = 0, cut = 0;

	if (!o->slab && !o->page)
		*(o->by_default_page ? &o->page : &o->slab) = true;
	if (o->slab) {
		status = kmem_slab_main(o);
		cut = recording_close(&o->rec);
	}
	if (!status && o->page) {
		o->rec = unread;
		status = kmem_pages_main(o);
		cut = recording_close(&o->rec);
	}
	return status ? status : cut;
}

static int run_stat(struct kmem_opts *o, int argc, const char **argv)
{
	argc = opts_parse(kmem_table, o, argc, argv, kmem_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc) {
		opts_print_usage(kmem_table, kmem_usage, NULL);
		return EXIT_USAGE;
	}
	if (row_form_check(o->json, o->separator, kmem_table, kmem_usage))
		return EXIT_USAGE;
	pager_start();
	return analyse(o);
}

static int kmem_run(const struct config *config, int argc, const char **argv)
{
	struct kmem_opts o = { .tables = { { .lines = -1 }, { .lines = -1 } },
			       .until = KMEM_TABLES };

	if (recording_configure(&o.rec, config) || config_apply(config, kmem_settings, &o))
		return 255;
	o.for_pages = o.by_default_page;
	argc = opts_parse(kmem_table, &o, argc, argv, kmem_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc && !strncmp(argv[0], "rec", 3))
		return kmem_record_main(config, &o, argc, argv);
	if (argc && !strcmp(argv[0], "stat"))
		return run_stat(&o, argc, argv);
	if (argc)
		command_tell_unknown(&cmd_kmem, argv[0]);
	opts_print_usage(kmem_table, kmem_usage, NULL);
	return EXIT_USAGE;
}

const struct command cmd_kmem = {
	.name = "kmem",
	.summary = "what the kernel's allocators of memory were asked for",
	.usage = kmem_usage,
	.opts = kmem_table,
	.run = kmem_run,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = kmem_settings,
	.settings_size = sizeof(struct kmem_opts),
};
