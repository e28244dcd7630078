/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf doctor: what this machine, a program or a recording lacks for whole, named stacks, and the
 * one command that mends each.
 */
#include "cmd/doctor/doctor.h"

#include <errno.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/commands.h"
#include "perfdata/perfdata.h"

enum { EXIT_WRONG = 1, EXIT_FAILED = 255 };

static const struct opt doctor_table[] = {
	RECORDING_FORCE(struct doctor_opts, rec),
	OPT_STR('i', "input", struct doctor_opts, rec.opts.input.path, "file",
		"look at a recording"),
	OPT_BOOL('j', "json", struct doctor_opts, json, "print JSON"),
	OPT_STR('p', "pid", struct doctor_opts, pid, "pid[,pid...]", "look at processes that run"),
	OPT_STR(0, "symfs", struct doctor_opts, rec.opts.dso.symfs, "directory",
		"look for files with symbols relative to this directory"),
	OPT_INCR('v', "verbose", struct doctor_opts, verbose, "explain also what is in order"),
	OPT_END
};

static const char *const doctor_usage[] = { "perf doctor [<options>]",
					    "perf doctor [<options>] <file>",
					    "perf doctor [<options>] -p <pid>",
					    "perf doctor [<options>] -- <command> [<arguments>]",
					    NULL };

static bool is_recording(const char *path)
{
	struct perfdata_opts opts = { .path = path, .force = true, .no_events_ok = true };
	struct perfdata *f;

	if (perfdata_open(&f, &opts, NULL) < 0)
		return false;
	perfdata_close(f);
	return true;
}

static int look(struct doctor_opts *o, int argc, const char **argv, struct findings *out,
		struct err *e)
{
	const char **input = &o->rec.opts.input.path;
	struct machine_facts facts;

	if (*input && (argc || o->pid))
		return err_set(e, EINVAL, "-i, -p and a command exclude each other");
	if (o->pid && argc)
		return err_set(e, EINVAL, "-p and a command exclude each other");
	/* A word that is the name of a recording is one. */
	if (argc == 1 && is_recording(argv[0]))
		*input = argv[0];
	if (*input)
		return doctor_capture(o, out, e);
	machine_facts_read(&facts, o->debugfs_dir);
	facts.buildid_dir = o->rec.opts.dso.buildid_dir;
	if (o->pid)
		return doctor_processes(o->pid, &facts, out, e);
	if (argc)
		return doctor_command(argc, argv, &facts, out, e);
	out->mode = "machine";
	machine_check(&facts, out);
	return 0;
}

static int doctor_run(const struct config *config, int argc, const char **argv)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct doctor_opts opts = { .debugfs_dir = config->debugfs_dir };
	struct findings found = { .mode = "machine" };
	struct err e = ERR_INIT;
	int code = 0;

	if (recording_configure(&opts.rec, config))
		return EXIT_FAILED;
	argc = opts_parse(doctor_table, &opts, argc, argv, doctor_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (look(&opts, argc, argv, &found, &e) < 0) {
		err_print(&e);
		code = EXIT_FAILED;
	} else {
		if (opts.json)
			findings_print_json(&found, &text);
		else
			findings_print_text(&found, opts.verbose > 0, &text);
		fwrite(text.buf, 1, text.len, stdout);
		code = findings_count(&found, FINDING_WRONG) ? EXIT_WRONG : 0;
	}
	recording_close(&opts.rec);
	findings_release(&found);
	return code;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "tell what a machine, a program or a recording lacks for whole, named stacks",
	.usage = doctor_usage,
	.opts = doctor_table,
	.run = doctor_run,
};
