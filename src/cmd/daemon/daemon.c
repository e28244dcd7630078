/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf daemon: starts the daemon of record sessions, and talks to it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/similar.h"
#include "cli/command.h"
#include "cmd/commands.h"
#include "cmd/daemon/message.h"
#include "cmd/daemon/server.h"
#include "program/command_line.h"

enum { EXIT_REFUSED = 255 };

struct daemon_opts {
	const char *base, *config, *session;
	char separator; /* 0: text for people */
	int verbose;
	bool foreground;
};

static int parse_separator(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			   struct err *e)
{
	char *sep = target;

	if (arg && (!arg[0] || arg[1]))
		return err_set(e, EINVAL, "the separator is one character, not '%s'", arg);
	*sep = arg ? arg[0] : ',';
	if (unset)
		*sep = '\0';
	return 0;
}

/* The options that go before and behind the subcommand; -h of that shows only its own. */
#define GENERIC_ROWS(hidden)                                                                       \
	OPT_ROW(OPT_TYPE_INCR, 'v', "verbose", struct daemon_opts, verbose, "", "be more verbose", \
		NULL, hidden),                                                                     \
		OPT_ROW(OPT_TYPE_CALL, 'x', "field-separator", struct daemon_opts, separator,      \
			"field separator", "print counts with custom separator", parse_separator,  \
			OPT_OPTARG | (hidden)),                                                    \
		OPT_ROW(OPT_TYPE_STR, 0, "base", struct daemon_opts, base, "directory",            \
			"base directory", NULL, hidden),                                           \
		OPT_ROW(OPT_TYPE_STR, 0, "config", struct daemon_opts, config, "config file",      \
			"config file path", NULL, hidden),                                         \
		OPT_END

static const struct opt daemon_table[] = { GENERIC_ROWS(0) };
static const struct opt start_table[] = { OPT_BOOL('f', "foreground", struct daemon_opts,
						   foreground, "stay on console"),
					  GENERIC_ROWS(OPT_HIDDEN) };
static const struct opt stop_table[] = { GENERIC_ROWS(OPT_HIDDEN) };
static const struct opt signal_table[] = { OPT_STR(0, "session", struct daemon_opts, session,
						   "session", "Sent signal to specific session"),
					   GENERIC_ROWS(OPT_HIDDEN) };
static const struct opt ping_table[] = { OPT_STR(0, "session", struct daemon_opts, session,
						 "session", "Ping to specific session"),
					 GENERIC_ROWS(OPT_HIDDEN) };

static const char *const daemon_usage[] = { "perf daemon start [<options>]",
					    "perf daemon [<options>]", NULL };

/* Scripts look for perf's "failed:". */
static int fail(const struct err *e)
{
	fflush(stdout);
	fprintf(stderr, "failed: %s\n", e->text);
	if (e->hint[0])
		log_hint("%s", e->hint);
	return EXIT_REFUSED;
}

/* ---- start ---- */

/* Files of whoever starts us are not kept open for days. (Ours close on exec.) */
static void drop_foreign_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		int fd = (int)strtol(d->d_name, NULL, 10), flags = fcntl(fd, F_GETFD);

		if (fd > STDERR_FILENO && flags >= 0 && !(flags & FD_CLOEXEC))
			close(fd);
	}
	if (dir)
		closedir(dir);
}

static int become_daemon(struct server_opts *o)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), code = 0;
	struct err e = ERR_INIT;

	drop_foreign_files();
	setsid();
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (daemon_serve(o, &e))
		code = fail(&e);
	return code;
}

/* Returns twice, as fork() does: in the daemon when it has ended. */
static int start_in_background(struct server_opts *o)
{
	_cleanup_(mem_closep) int from = -1;
	struct err e = ERR_INIT;
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC)) {
		err_sys(&e, errno, "pipe");
		return fail(&e);
	}
	from = ends[0];
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		err_sys(&e, errno, "fork");
		close(ends[1]);
		return fail(&e);
	}
	if (!pid) {
		o->ready_fd = ends[1];
		return become_daemon(o);
	}
	close(ends[1]);
	/* Why it did not begin, it has said itself. */
	return read(from, &byte, 1) == 1 ? 0 : EXIT_REFUSED;
}

static int start_daemon(const struct daemon_opts *opts, struct base_dir *b,
			const struct daemon_files *files, struct daemon_settings *settings)
{
	_cleanup_(mem_freep) const char **self = command_line_words(0, NULL);
	struct server_opts o = {
		.base = b,
		.files = files,
		.settings = settings,
		.perf = self[0],
		.ready_fd = -1,
		.fixed_base = opts->base != NULL,
		.background = !opts->foreground,
	};
	struct err e = ERR_INIT;

	if (o.background)
		return start_in_background(&o);
	return daemon_serve(&o, &e) ? fail(&e) : 0;
}

static int do_start(const struct daemon_opts *opts)
{
	struct daemon_settings settings = { .base = NULL };
	struct daemon_files files;
	struct base_dir b = { .fd = -1, .lock_fd = -1 };
	struct err e = ERR_INIT;
	int code = EXIT_REFUSED;
	const char *base;

	if (daemon_files_find(&files, opts->config, &e))
		return fail(&e);
	if (daemon_settings_read(&settings, &files, &e)) {
		fail(&e);
	} else {
		base = opts->base ? opts->base : settings.base;
		if (!base)
			err_set(&e, EINVAL, "base not defined");
		if (!base || base_dir_open(&b, base, &e))
			fail(&e);
		else
			code = start_daemon(opts, &b, &files, &settings);
	}
	base_dir_close(&b);
	daemon_settings_release(&settings);
	daemon_files_release(&files);
	return code;
}

/* ---- requests ---- */

/* --base, or what the configuration says, which need not be right elsewhere. */
static int find_base(const struct daemon_opts *opts, struct base_dir *b, struct err *e)
{
	struct daemon_settings settings = { .base = NULL };
	struct daemon_files files;
	struct err wrong = ERR_INIT;
	int r;

	if (opts->base && !opts->config)
		return base_dir_open(b, opts->base, e);
	if (daemon_files_find(&files, opts->config, e))
		return -1;
	if (daemon_settings_read(&settings, &files, &wrong))
		fprintf(stderr, "%s\n", wrong.text);
	if (opts->base || settings.base)
		r = base_dir_open(b, opts->base ? opts->base : settings.base, e);
	else
		r = err_set(e, EINVAL, "base not defined");
	daemon_settings_release(&settings);
	daemon_files_release(&files);
	return r;
}

static int request(const struct daemon_opts *opts, const struct daemon_message *m)
{
	struct base_dir b = { .fd = -1, .lock_fd = -1 };
	struct err e = ERR_INIT;
	int r = find_base(opts, &b, &e);

	if (!r)
		r = daemon_request_send(&b, m, &e);
	base_dir_close(&b);
	if (r < 0)
		return fail(&e);
	return r ? EXIT_REFUSED : 0;
}

/* A name that is too long stays one that no session has. */
static void put_name(char *to, const char *name)
{
	snprintf(to, DAEMON_NAME_SIZE, "%s", name ? name : DAEMON_ALL);
}

static int do_list(const struct daemon_opts *opts)
{
	struct daemon_message m = {
		.request = DAEMON_LIST,
		.list = { .verbose = opts->verbose > 0, .separator = opts->separator },
	};

	return request(opts, &m);
}

static int do_stop(const struct daemon_opts *opts)
{
	struct daemon_message m = { .request = DAEMON_STOP };

	return request(opts, &m);
}

static int do_signal(const struct daemon_opts *opts)
{
	struct daemon_message m = { .request = DAEMON_SIGNAL, .signal = { .number = SIGUSR2 } };

	put_name(m.signal.name, opts->session);
	return request(opts, &m);
}

static int do_ping(const struct daemon_opts *opts)
{
	struct daemon_message m = { .request = DAEMON_PING };

	put_name(m.ping.name, opts->session);
	return request(opts, &m);
}

/* ---- the command ---- */

static const struct subcommand {
	const char *name;
	const struct opt *table;
	int (*run)(const struct daemon_opts *opts);
} subcommands[] = {
	{ "start", start_table, do_start },
	{ "signal", signal_table, do_signal },
	{ "stop", stop_table, do_stop },
	{ "ping", ping_table, do_ping },
};

static int run_subcommand(const struct subcommand *sub, struct daemon_opts *opts, int argc,
			  const char **argv)
{
	argc = opts_parse(sub->table, opts, argc, argv, daemon_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc) {
		opts_print_usage(sub->table, daemon_usage, NULL);
		return EXIT_USAGE;
	}
	return sub->run(opts);
}

static int daemon_run(const struct config *config UNUSED, int argc, const char **argv)
{
	struct daemon_opts opts = { .base = NULL };
	struct err e = ERR_INIT;

	argc = opts_parse(daemon_table, &opts, argc, argv, daemon_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (!argc)
		return do_list(&opts);
	for (size_t i = 0; i < ARRAY_SIZE(subcommands); i++) {
		if (!strcmp(subcommands[i].name, argv[0]))
			return run_subcommand(&subcommands[i], &opts, argc, argv);
	}
	const char *names[ARRAY_SIZE(subcommands)];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		names[i] = subcommands[i].name;
	err_set(&e, EINVAL, "unknown command '%s'", argv[0]);
	similar_hint_of(argv[0], names, ARRAY_SIZE(names), &e);
	return fail(&e);
}

/* For completion: what stands behind `perf daemon`. */
static const char *daemon_value(const char *option, size_t i)
{
	bool words = !strcmp(option, "words");

	return words && i < ARRAY_SIZE(subcommands) ? subcommands[i].name : NULL;
}

const struct command cmd_daemon = {
	.name = "daemon",
	.summary = "run record sessions in the background",
	.usage = daemon_usage,
	.opts = daemon_table,
	.run = daemon_run,
	.flags = CMD_NO_CONFIG,
	.value = daemon_value,
};
