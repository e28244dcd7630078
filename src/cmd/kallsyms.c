/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kallsyms: where the running kernel has its symbols. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rw.h"
#include "cli/command.h"
#include "dso/dso.h"

struct kallsyms_opts {
	int verbose;
};

static const struct opt kallsyms_table[] = {
	OPT_INCR('v', "verbose", struct kallsyms_opts, verbose,
		 "be more verbose (show counter open errors, etc)"),
	OPT_END
};

static const char *const kallsyms_usage[] = { "perf kallsyms [<options>] symbol_name", NULL };

static void add_object(struct dso_table *t, enum dso_kind kind, const char *name)
{
	struct dso_key key = { .name = name, .kind = kind };

	dso_table_add(t, &key);
}

/* The kernel first, then the modules as /proc/modules lists them. */
static void add_objects(struct dso_table *t)
{
	_cleanup_(strbuf_releasep) struct strbuf modules = STRBUF_INIT;
	char *line;
	char *rest;

	add_object(t, DSO_KERNEL, "[kernel.kallsyms]");
	/* Absent where the kernel has no loadable modules. */
	if (rw_slurp("/proc/modules", &modules, NULL) < 0)
		return;
	for (line = modules.buf; *line; line = rest) {
		char name[256];

		rest = line + strcspn(line, "\n");
		rest += *rest == '\n';
		snprintf(name, sizeof(name), "[%.*s]", (int)strcspn(line, " \n"), line);
		add_object(t, DSO_MODULE, name);
	}
}

static bool print_symbol(struct dso *d, const char *name)
{
	const struct symtab *st = dso_symtab(d);
	u32 i = symtab_find_name(st, name);
	u64 start;
	u64 end;

	if (i == SYM_NONE)
		return false;
	start = symtab_start(st, i);
	end = symtab_end(st, i);
	printf("%s: %s %s %#" PRIx64 "-%#" PRIx64 " (%#" PRIx64 "-%#" PRIx64 ")\n", name,
	       dso_kind(d) == DSO_KERNEL ? "[kernel]" : dso_short_name(d), dso_long_name(d), start,
	       end, start, end);
	return true;
}

static int kallsyms_run(const struct config *config, int argc, const char **argv)
{
	const struct dso_config named = { .ignore_vmlinux = true,
					  .buildid_dir = config_get(config, "buildid.dir") };
	struct kallsyms_opts opts = { 0 };
	struct dso_table *t;

	argc = opts_parse(kallsyms_table, &opts, argc, argv, kallsyms_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (!argc) {
		opts_print_usage(kallsyms_table, kallsyms_usage, NULL);
		return EXIT_USAGE;
	}
	t = dso_table_new(&named);
	add_objects(t);
	if (!symtab_count(dso_symtab(dso_table_get(t, 1)))) {
		log_error("%s", dso_symtab_problem(dso_table_get(t, 1)));
		dso_table_free(t);
		return 255;
	}
	for (int i = 0; i < argc; i++) {
		bool found = false;

		for (dso_id id = 1; id <= dso_table_count(t) && !found; id++)
			found = print_symbol(dso_table_get(t, id), argv[i]);
		if (!found)
			printf("%s: not found\n", argv[i]);
	}
	dso_table_free(t);
	return 0;
}

const struct command cmd_kallsyms = {
	.name = "kallsyms",
	.summary = "search the running kernel for symbols",
	.usage = kallsyms_usage,
	.opts = kallsyms_table,
	.run = kallsyms_run,
};
