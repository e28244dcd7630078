/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kvm: other commands, for what virtual machines do, and why they are left. */
#include "cmd/kvm/kvm.h"

#include <string.h>

#include "cli/pager.h"
#include "cmd/commands.h"
#include "cmd/row_form.h"
#include "cmd/run_other.h"

static const struct opt kvm_table[] = {
	RECORDING_FILE(struct kvm_opts, rec),
	OPT_STR('o', "output", struct kvm_opts, output, "file", "Output file name"),
	OPT_BOOL(0, "guest", struct kvm_opts, guest, "Collect guest os data"),
	OPT_BOOL(0, "host", struct kvm_opts, host, "Collect host os data"),
	RECORDING_GUESTS(struct kvm_opts, rec.opts.dso),
	RECORDING_VERBOSE(struct kvm_opts, rec),
	OPT_END,
};
static const char *const kvm_usage[] = {
	"perf kvm [<options>] {top|record|report|diff|buildid-list|stat}", NULL
};

/* ------------------------------------------------------------------ other commands */

/* What the guests' names are read from, for commands that show names. */
static void add_guests(struct words *line, const struct kvm_opts *o)
{
	const struct dso_guest *g = &o->rec.opts.dso.guest;
	const struct {
		const char *option, *value;
	} rows[] = {
		{ "--guestmount", g->mount },
		{ "--guestkallsyms", g->kallsyms },
		{ "--guestmodules", g->modules },
		{ "--guestvmlinux", g->vmlinux },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!rows[i].value)
			continue;
		words_add(line, rows[i].option);
		words_add(line, rows[i].value);
	}
	if (g->code)
		words_add(line, "--guest-code");
}

static void add_events_of(struct words *line, const struct kvm_opts *o)
{
	words_add(line, "--guests");
	words_add(line, !o->host ? "only" : o->guest ? "too" : "no");
}

/* perf kvm COMMAND is perf COMMAND with some more options. */
static int run_wrapped(const struct config *config, const struct kvm_opts *o, int argc,
		       const char **argv)
{
	struct words line = { .v = NULL };
	bool watches = !strcmp(argv[0], "top"), records = !strcmp(argv[0], "record");
	bool counts = !strcmp(argv[0], "stat");
	bool diff = !strcmp(argv[0], "diff");
	_cleanup_(strbuf_releasep) struct strbuf old = STRBUF_INIT;

	words_add(&line, argv[0]);
	if (watches || records || counts)
		add_events_of(&line, o);
	if (records) {
		words_add(&line, "-o");
		words_add(&line, kvm_file(o));
	} else if (!watches && !diff && !counts) {
		words_add(&line, "-i");
		words_add(&line, kvm_file(o));
	}
	if (watches || diff || !strcmp(argv[0], "report"))
		add_guests(&line, o);
	for (int i = 1; i < argc; i++)
		words_add(&line, argv[i]);
	/* what record leaves when it is run twice */
	strbuf_addf(&old, "%s.old", kvm_file(o));
	if (diff && argc == 1) {
		words_add(&line, old.buf);
		words_add(&line, kvm_file(o));
	}
	return run_other(config, &line);
}

/* ------------------------------------------------------------------ stat */

static int run_stat_record(const struct config *config, const struct kvm_opts *o, int argc,
			   const char **argv)
{
	const char *begin[] = { "-R", "-m", "1024", "-c", "1", "-o", kvm_file(o), NULL };
	static const struct recorded_event events[] = {
		{ { "kvm:kvm_entry" }, true }, { { "kvm:kvm_exit" }, true },
		{ { "kvm:kvm_mmio" }, false }, { { "kvm:kvm_pio" }, false },
		{ { "kvm:kvm_msr" }, false },  { { NULL }, false },
	};

	return run_record(config, begin, events, argc, argv);
}

static int run_stat(const struct config *config, struct kvm_opts *o, int argc, const char **argv)
{
	static const char *const usage[] = {
		"perf kvm stat {record|report|live} [<options>]",
		"perf kvm [--host] [--guest] stat [<options of perf stat>] [<command>]", NULL
	};
	const char *word = argc > 1 ? argv[1] : "";
	bool live = !strcmp(word, "live"), report = !strncmp(word, "rep", 3);
	const struct opt *table = live ? kvm_live_table : kvm_report_table;
	const char *const *of = live ? kvm_live_usage : kvm_report_usage;
	struct words line = { .v = NULL };
	int r;

	if (!strncmp(word, "rec", 3))
		return run_stat_record(config, o, argc - 1, argv + 1);
	if (argc < 2)
		return opts_usage_error(kvm_table, usage, NULL, "%s", "");
	if (!live && !report)
		return run_wrapped(config, o, argc, argv);
	words_add(&line, "kvm");
	for (int i = 0; i < argc; i++)
		words_add(&line, argv[i]);
	r = opts_parse(table, o, argc - 1, argv + 1, of, 0);
	if (!live)
		pager_start();
	if (r > 0)
		opts_print_usage(table, of, NULL);
	if (r || row_form_check(o->json, o->separator, table, of))
		r = EXIT_USAGE;
	else
		r = live ? kvm_live_main(config, o, line.v) : kvm_report_main(o);
	words_release(&line);
	return r;
}

static int kvm_run(const struct config *config, int argc, const char **argv)
{
	struct kvm_opts o = { .vcpu = -1, .delay = 1, .guest = true };
	char word[COMMAND_WORD];
	int status, cut;

	if (recording_configure(&o.rec, config))
		return KVM_FAILED;
	argc = opts_parse(kvm_table, &o, argc, argv, kvm_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc && !strncmp(argv[0], "rec", 3))
		argv[0] = "record";
	if (argc && !strncmp(argv[0], "rep", 3))
		argv[0] = "report";
	for (size_t i = 0; argc && command_word(&cmd_kvm, i, word); i++) {
		if (strcmp(word, argv[0]) != 0)
			continue;
		if (strcmp(word, "stat") != 0)
			return run_wrapped(config, &o, argc, argv);
		status = run_stat(config, &o, argc, argv);
		cut = recording_close(&o.rec);
		return status ? status : cut;
	}
	if (argc)
		command_tell_unknown(&cmd_kvm, argv[0]);
	opts_print_usage(kvm_table, kvm_usage, NULL);
	return EXIT_USAGE;
}

const struct command cmd_kvm = {
	.name = "kvm",
	.summary = "virtual machines: why they are left, and profiles of what they do",
	.usage = kvm_usage,
	.opts = kvm_table,
	.run = kvm_run,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = recording_settings,
	.settings_size = sizeof(struct recording),
};
