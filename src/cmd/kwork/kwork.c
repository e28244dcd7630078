/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kwork: interrupts, softirqs and work of the kernel. */
#include "cmd/kwork/kwork.h"

#include <errno.h>
#include <string.h>

#include "cli/pager.h"
#include "cmd/commands.h"
#include "cmd/run_other.h"

static int parse_list(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		      struct err *e)
{
	bool classes[KWORK_CLASSES];
	const char *word;

	*(const char **)target = arg;
	if (kwork_parse_classes(arg, classes, &word))
		return 0;
	return err_set(e, EINVAL, "  Error: Unknown --event key: `%.*s'\n",
		       (int)strcspn(word, ", "), word);
}

static const struct opt kwork_table[] = {
	RECORDING_VERBOSE(struct kwork_cmd, rec),
	OPT_BOOL('D', "dump-raw-trace", struct kwork_cmd, dump, "dump raw trace in ASCII"),
	RECORDING_FORCE(struct kwork_cmd, rec),
	OPT_CALL_F('k', "kwork", struct kwork_cmd, list, "kwork",
		   "list of kwork to profile (irq, softirq, workqueue, sched)", parse_list,
		   OPT_NONEG),
	OPT_END,
};
static const char *const kwork_usage[] = {
	"perf kwork [<options>] {record|report|latency|timehist|top}", NULL
};
static const struct kwork_subcommand {
	const char *name;
	size_t at_least; /* so many letters of it are enough */
	const struct opt *table;
	const char *const *usage;
	int (*run)(struct kwork_cmd *c);
} subcommands[] = {
	{ "report", 3, kwork_report_table, kwork_report_usage, kwork_report_main },
	{ "latency", 3, kwork_latency_table, kwork_latency_usage, kwork_latency_main },
	{ "timehist", 8, kwork_timehist_table, kwork_timehist_usage, kwork_timehist_main },
	{ "top", 3, kwork_top_table, kwork_top_usage, kwork_top_main },
};

static int run_recorder(const struct config *config, const struct kwork_cmd *c, int argc,
			const char **argv)
{
	static const char *const begin[] = { "-a", "-R", "-m", "1024", "-c", "1", NULL };
	static const struct {
		enum kwork_class class;
		struct recorded_event event;
	} all[] = {
		{ KWORK_IRQ, { { "irq:irq_handler_entry" }, true } },
		{ KWORK_IRQ, { { "irq:irq_handler_exit" }, true } },
		{ KWORK_SOFTIRQ, { { "irq:softirq_raise" }, true } },
		{ KWORK_SOFTIRQ, { { "irq:softirq_entry" }, true } },
		{ KWORK_SOFTIRQ, { { "irq:softirq_exit" }, true } },
		{ KWORK_WORKQUEUE, { { "workqueue:workqueue_activate_work" }, true } },
		{ KWORK_WORKQUEUE, { { "workqueue:workqueue_execute_start" }, true } },
		{ KWORK_WORKQUEUE, { { "workqueue:workqueue_execute_end" }, true } },
		{ KWORK_SCHED, { { "sched:sched_switch" }, true } },
	};
	struct recorded_event events[ARRAY_SIZE(all) + 1];
	bool classes[KWORK_CLASSES];
	const char *word;
	size_t nr = 0;

	kwork_parse_classes(c->list, classes, &word);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (classes[all[i].class])
			events[nr++] = all[i].event;
	events[nr] = (struct recorded_event){ .needed = false };
	return run_record(config, begin, events, argc, argv);
}

static int run_subcommand(const struct config *config, const struct kwork_subcommand *sub,
			  struct kwork_cmd *c, int argc, const char **argv)
{
	argc = opts_parse(sub->table, c, argc, argv, sub->usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	c->command = argc ? argv : NULL;
	if (argc && !c->use_bpf) {
		opts_print_usage(sub->table, sub->usage, NULL);
		return EXIT_USAGE;
	}
	if (!c->use_bpf)
		pager_start();
	if (c->dump)
		run_other_dump(config, &c->rec);
	int status = sub->run(c), cut = recording_close(&c->rec);

	return status ? status : cut;
}

static int kwork_run_command(const struct config *config, int argc, const char **argv)
{
	struct kwork_cmd c = { .max_stack = 5 };

	if (recording_configure(&c.rec, config))
		return KWORK_FAILED;
	argc = opts_parse(kwork_table, &c, argc, argv, kwork_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc && !strncmp(argv[0], "rec", 3))
		return run_recorder(config, &c, argc, argv);
	for (size_t i = 0; argc && i < ARRAY_SIZE(subcommands); i++)
		if (!strncmp(subcommands[i].name, argv[0],
			     MAX(strlen(argv[0]), subcommands[i].at_least)))
			return run_subcommand(config, &subcommands[i], &c, argc, argv);
	if (argc)
		command_tell_unknown(&cmd_kwork, argv[0]);
	opts_print_usage(kwork_table, kwork_usage, NULL);
	return EXIT_USAGE;
}

const struct command cmd_kwork = {
	.name = "kwork",
	.summary = "interrupts, softirqs and work of the kernel: how long they run and wait",
	.usage = kwork_usage,
	.opts = kwork_table,
	.run = kwork_run_command,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = recording_settings,
	.settings_size = sizeof(struct recording),
};
