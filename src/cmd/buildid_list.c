/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf buildid-list: the build ids of the objects in a recording, of a file or of the kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/fmt.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rw.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "recording/recorded_ids.h"
#include "recording/recording.h"

struct buildid_opts {
	struct recording rec;
	bool with_hits, kernel, kernel_maps;
};

static const struct opt buildid_table[] = {
	OPT_BOOL('H', "with-hits", struct buildid_opts, with_hits, "Show only DSOs with hits"),
	RECORDING_INPUT(struct buildid_opts, rec),
	OPT_BOOL('k', "kernel", struct buildid_opts, kernel, "Show current kernel build id"),
	OPT_BOOL('m', "kernel-maps", struct buildid_opts, kernel_maps,
		 "Show build id of current kernel + modules"),
	OPT_INCR('v', "verbose", struct buildid_opts, rec.verbose, "be more verbose"),
	OPT_END
};

static const char *const buildid_usage[] = { "perf buildid-list [<options>]", NULL };

enum { HEX_WIDTH = 40 };

static void print_id(const u8 *id, size_t size, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	fmt_build_id(&out, id, size);
	strbuf_pad(&out, ' ', MAX(out.len, (size_t)HEX_WIDTH) - out.len + 1);
	strbuf_add_escaped(&out, name);
	puts(out.buf);
}

/* The running kernel */

static int show_kernel(void)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct build_id id;

	if (!build_id_of_kernel(&id)) {
		log_error(
			"cannot read the build id of the running kernel from '/sys/kernel/notes'");
		return 255;
	}
	fmt_build_id(&out, id.bytes, id.size);
	puts(out.buf);
	return 0;
}

/* Address of a symbol of kallsyms' text, 0 when it is not there or hidden. */
static u64 kallsyms_address(const char *text, const char *name)
{
	_cleanup_(mem_freep) char *key = xasprintf(" %s\n", name);
	const char *p = strstr(text, key);

	if (!p)
		return 0;
	while (p > text && p[-1] != '\n')
		p--;
	return strtoull(p, NULL, 16);
}

static void print_range(const struct build_id *id, u64 start, u64 end, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	fmt_build_id(&out, id->bytes, id->size);
	strbuf_addf(&out, " %16llx %16llx %s", (unsigned long long)start, (unsigned long long)end,
		    name);
	puts(out.buf);
}

static void show_modules(void)
{
	_cleanup_(strbuf_releasep) struct strbuf modules = STRBUF_INIT;
	char *rest;

	/* Absent where the kernel has no loadable modules. */
	if (rw_slurp("/proc/modules", &modules, NULL))
		return;
	for (char *line = strtok_r(modules.buf, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		_cleanup_(strbuf_releasep) struct strbuf notes = STRBUF_INIT;
		_cleanup_(mem_freep) char *path = NULL;
		unsigned long long size, start;
		struct build_id id = { 0 };
		char name[128], shown[sizeof(name) + 2];

		if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &size, &start) != 3)
			continue;
		path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id", name);
		if (!rw_slurp(path, &notes, NULL))
			build_id_from_notes(notes.buf, notes.len, &id);
		snprintf(shown, sizeof(shown), "[%s]", name);
		print_range(&id, start, start + size, shown);
	}
}

static int show_kernel_maps(void)
{
	_cleanup_(strbuf_releasep) struct strbuf kallsyms = STRBUF_INIT;
	struct build_id id = { 0 };
	struct err e = ERR_INIT;

	build_id_of_kernel(&id);
	if (rw_slurp("/proc/kallsyms", &kallsyms, &e)) {
		err_print(&e);
		return 255;
	}
	print_range(&id, kallsyms_address(kallsyms.buf, "_stext"),
		    kallsyms_address(kallsyms.buf, "_etext"), "[kernel.kallsyms]");
	show_modules();
	return 0;
}

/* A recording */

static int show_recording(struct buildid_opts *o, struct err *e)
{
	struct recorded_ids ids = { 0 };
	int r;

	if (recording_open(&o->rec, e))
		return -1;
	r = recorded_ids_read(o->rec.session, o->with_hits, &ids, e);
	VEC_FOR(&ids, i)
		print_id(i->id.bytes, i->id.size, i->path);
	recorded_ids_release(&ids);
	return r;
}

static int show_elf(const char *path)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct build_id id = { 0 };

	if (!path || build_id_of_file(path, &id, NULL) || !id.size)
		return -1;
	fmt_build_id(&out, id.bytes, id.size);
	puts(out.buf);
	return 0;
}

static int show_file(struct buildid_opts *o)
{
	struct err e = ERR_INIT;
	int r;

	if (!show_elf(o->rec.opts.input.path))
		return 0;
	r = show_recording(o, &e);
	if (r)
		err_print(&e);
	if (o->rec.session)
		losses_tell_damage(session_file(o->rec.session));
	int cut = recording_close(&o->rec);

	return r ? 255 : cut;
}

static int buildid_run(const struct config *config, int argc, const char **argv)
{
	struct buildid_opts o = { .rec.nameless = true };

	if (recording_configure(&o.rec, config))
		return 255;
	argc = opts_parse(buildid_table, &o, argc, argv, buildid_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (o.kernel)
		return show_kernel();
	if (o.kernel_maps)
		return show_kernel_maps();
	return show_file(&o);
}

const struct command cmd_buildid_list = {
	.name = "buildid-list",
	.summary = "list the buildids in a perf.data file",
	.usage = buildid_usage,
	.opts = buildid_table,
	.run = buildid_run,
};
