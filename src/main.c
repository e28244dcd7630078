/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf: global options, then the command. What a command is stands in cli/command.h; which there
 * are, in cmd/commands.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/safe_file.h"
#include "base/secure.h"
#include "cli/alias.h"
#include "cli/pager.h"
#include "cli/print_err.h"
#include "cmd/commands.h"
#include "cmd/help.h"
#include "program/build_config.h"

enum {
	RUN_ON = -1, /* no exit code yet */
	ALIAS_DEPTH = 20,
};

struct globals {
	bool pager_off, pager_on;
	const char *exec_path;
	const char *buildid_dir; /* NULL = not given */
	const char *debugfs_dir; /* likewise */
	FILE *debug_file;
};

static int fail_usage(const char *what, const char *subject)
{
	fprintf(stderr, "%s%s\n\n Usage: %s\n", what, subject, help_perf_usage);
	return EXIT_USAGE;
}

static int set_pager(struct globals *g, const char *value UNUSED)
{
	g->pager_on = true;
	return RUN_ON;
}

static int set_no_pager(struct globals *g, const char *value UNUSED)
{
	g->pager_off = true;
	return RUN_ON;
}

static int set_buildid_dir(struct globals *g, const char *value)
{
	g->buildid_dir = value;
	return RUN_ON;
}

static int set_debugfs_dir(struct globals *g, const char *value)
{
	g->debugfs_dir = value;
	return RUN_ON;
}

static int exec_path(struct globals *g, const char *value)
{
	if (value) {
		g->exec_path = value;
		return RUN_ON;
	}
	puts(g->exec_path);
	return 0;
}

static int html_path(struct globals *g UNUSED, const char *value UNUSED)
{
	puts(PERF_HTML_PATH);
	return 0;
}

static int set_debug_key(const char *key, int level)
{
	/* of the kernel's perf: what they show there does not exist here */
	static const char *const silent[] = { "ordered-events", "data-convert", "stderr" };
	static const struct {
		const char *key;
		enum log_subject subject;
	} subjects[] = { { "perf-event-open", LOG_OPENING }, { "tui-keys", LOG_KEYS } };

	if (!strcmp(key, "verbose")) {
		log_set_verbosity(level);
		return RUN_ON;
	}
	for (size_t i = 0; i < ARRAY_SIZE(subjects); i++) {
		if (strcmp(subjects[i].key, key) != 0)
			continue;
		if (level)
			log_show(subjects[i].subject);
		return RUN_ON;
	}
	for (size_t i = 0; i < ARRAY_SIZE(silent); i++) {
		if (strcmp(silent[i], key) != 0)
			continue;
		log_warn("--debug %s shows nothing here", key);
		log_hint("keys that do: verbose, perf-event-open, tui-keys");
		return RUN_ON;
	}
	log_error("unknown debug key '%s'", key);
	return fail_usage("", "Keys: verbose, perf-event-open, tui-keys");
}

/* KEY[=N][,KEY...] */
static int set_debug(struct globals *g UNUSED, const char *value)
{
	_cleanup_(mem_freep) char *list = xstrdup(value);
	for (char *key = list, *next; key; key = next) {
		next = strchr(key, ',');
		if (next)
			*next++ = '\0';
		char *level = strchr(key, '=');
		if (level)
			*level++ = '\0';
		char *end = level;
		long n = level ? strtol(level, &end, 10) : 1;
		if (level && (end == level || *end || n < -1 || n > INT_MAX)) {
			log_error("--debug %s: '%s' is not a number", key, level);
			return fail_usage("", "Keys: verbose=N, perf-event-open, tui-keys");
		}
		int ret = set_debug_key(key, (int)n);
		if (ret != RUN_ON)
			return ret;
	}
	return RUN_ON;
}

static int set_debug_file(struct globals *g, const char *value)
{
	struct err e = ERR_INIT;

	g->debug_file = output_file_stream(value, &e);
	if (!g->debug_file) {
		err_prefix(&e, "no debug file");
		err_print(&e);
		return 1;
	}
	setvbuf(g->debug_file, NULL, _IOLBF, 0);
	log_set_file(g->debug_file);
	return RUN_ON;
}

static int list_commands(struct globals *g UNUSED, const char *value UNUSED)
{
	for (size_t i = 0; commands[i]; i++) {
		if (!(commands[i]->flags & CMD_HIDDEN))
			printf("%s ", commands[i]->name);
	}
	putchar('\n');
	return 0;
}

static int list_options(struct globals *g, const char *value);

static const struct global {
	const char *name;
	const char *alias; /* second spelling, NULL = none */
	const char
		*missing; /* error without a value; NULL = takes none, "" = optional, glued only */
	/* RUN_ON, or the exit code */
	int (*apply)(struct globals *g, const char *value);
} globals[] = {
	{ "--help", "-h", NULL, NULL },
	{ "--version", "-v", NULL, NULL },
	{ "--exec-path", NULL, "", exec_path },
	{ "--html-path", NULL, NULL, html_path },
	{ "--paginate", "-p", NULL, set_pager },
	{ "--no-pager", NULL, NULL, set_no_pager },
	{ "--debugfs-dir", NULL, "No directory given for --debugfs-dir.", set_debugfs_dir },
	{ "--buildid-dir", NULL, "No directory given for --buildid-dir.", set_buildid_dir },
	{ "--list-cmds", NULL, NULL, list_commands },
	{ "--list-opts", NULL, NULL, list_options },
	{ "--debug", NULL, "No variable specified for --debug.", set_debug },
	{ "--debug-file", NULL, "No path given for --debug-file.", set_debug_file },
};

static int list_options(struct globals *g UNUSED, const char *value UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(globals); i++)
		printf("%s ", globals[i].name);
	putchar('\n');
	return 0;
}

static const struct global *find_global(const char *word, const char **glued)
{
	size_t len = strcspn(word, "=");
	*glued = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(globals); i++) {
		const struct global *o = &globals[i];
		if (!strcmp(o->name, word) || (o->alias && !strcmp(o->alias, word)))
			return o;
		if (word[len] && o->missing && !strncmp(o->name, word, len) && !o->name[len]) {
			*glued = word + len + 1;
			return o;
		}
	}
	return NULL;
}

static int fail_unknown(const char *word)
{
	struct similar near;
	fprintf(stderr, "Unknown option: %s\n", word);
	similar_init(&near, word);
	for (size_t i = 0; i < ARRAY_SIZE(globals); i++)
		similar_offer(&near, globals[i].name);
	print_similar(&near);
	fprintf(stderr, "\n Usage: %s\n", help_perf_usage);
	return EXIT_USAGE;
}

/*
 * Read the options before the command; *argv then begins with the command, which -h, -v and -vv are
 * rewritten to. Returns RUN_ON or the exit code.
 */
static int parse_globals(struct globals *g, int *argc, const char ***argv)
{
	while (*argc > 0 && (*argv)[0][0] == '-') {
		const char *word = (*argv)[0], *value;
		const struct global *o = find_global(word, &value);
		if (!strcmp(word, "-vv") || (o && !strcmp(o->name, "--version"))) {
			static const char *verbose[] = { "version", "-v", NULL };
			if (!strcmp(word, "-vv")) {
				*argv = verbose;
				*argc = 2;
			}
			(*argv)[0] = "version";
			return RUN_ON;
		}
		if (!o)
			return fail_unknown(word);
		if (!o->apply) {
			(*argv)[0] = "help";
			return RUN_ON;
		}
		if (o->missing && o->missing[0] && !value) {
			if (*argc < 2)
				return fail_usage("", o->missing);
			value = *++*argv;
			--*argc;
		}
		int ret = o->apply(g, value);
		if (ret != RUN_ON)
			return ret;
		++*argv;
		--*argc;
	}
	return RUN_ON;
}

/* perf-NAME from the exec path, then from PATH; returns only if there is none. */
static void run_external(const char *dir, const char *name, const char **argv)
{
	if (strchr(name, '/') || !name[0])
		return;
	_cleanup_(mem_freep) char *inside = xasprintf("%s/perf-%s", dir, name);
	const char *program = strrchr(inside, '/') + 1;
	argv[0] = program;
	execv(inside, (char *const *)argv);
	execvp(program, (char *const *)argv);
	argv[0] = name;
}

/* pager.CMD: whether to start one, or the program to start. */
static bool wants_pager(const struct globals *g, const struct config *config,
			const struct command *c)
{
	_cleanup_(mem_freep) char *key = xasprintf("pager.%s", c->name);
	const char *value = config_get(config, key);
	bool wanted = c->flags & CMD_PAGER;
	if (value && !config_parse_bool(value, &wanted)) {
		pager_use(value);
		wanted = true;
	}
	return !g->pager_off && (g->pager_on || wanted);
}

/* Where the build-id cache is: the command line says it, else the environment, else a file. Perf
 * programs that this one starts (scripts, recorders of the daemon) have only the environment. */
static void settle_buildid_dir(const struct globals *g, struct config *config)
{
	const char *env = getenv("PERF_BUILDID_DIR"), *home = getenv("HOME");
	const char *dir = g->buildid_dir ? g->buildid_dir
			  : env && *env  ? env
					 : config_get(config, "buildid.dir");
	bool in_home = !g->buildid_dir && dir != env && dir && !strncmp(dir, "~/", 2) && home;
	_cleanup_(mem_freep) char *full = dir && *dir ? xasprintf("%s%s", in_home ? home : "",
								  in_home ? dir + 1 : dir)
						      : NULL;

	if (full)
		config_set(config, "buildid.dir", full);
	if (g->buildid_dir)
		setenv("PERF_BUILDID_DIR", g->buildid_dir, 1);
}

/* Likewise. */
static void settle_debugfs_dir(const struct globals *g, struct config *config)
{
	config->debugfs_dir = g->debugfs_dir ? g->debugfs_dir : getenv("PERF_DEBUGFS_DIR");
	if (g->debugfs_dir)
		setenv("PERF_DEBUGFS_DIR", g->debugfs_dir, 1);
}

/* For completion: what an option of a command may be followed by, or the command ("words"), blanks
 * between. */
static void list_values(const struct command *c, const char *option)
{
	bool words = !strcmp(option, "words");
	char buf[COMMAND_WORD];
	const char *word;
	for (size_t i = 0; words || c->value; i++) {
		word = words ? command_word(c, i, buf) : c->value(option, i);
		if (!word)
			break;
		printf("%s ", word);
	}
	putchar('\n');
}

static int run_command(const struct globals *g, const struct config *config,
		       const struct command *c, int argc, const char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--list-opts")) {
		opts_list(c->opts);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "--list-values")) {
		list_values(c, argv[2]);
		return 0;
	}
	/* `perf CMD --help` is `perf help CMD`. */
	if (argc > 1 && !strcmp(argv[1], "--help")) {
		const char *help[] = { "help", c->name, NULL };
		return cmd_help.run(config, 2, help);
	}
	if (!wants_pager(g, config, c)) {
		if (c->flags & CMD_PAGER_LATER)
			pager_turn_off();
	} else if (g->pager_on || !(c->flags & CMD_PAGER_LATER)) {
		pager_start();
	}
	return c->run(config, argc, argv);
}

static int unknown_command(const struct globals *g, const struct config *config, int argc,
			   const char **argv)
{
	if (opts_dash_error(argv[0]))
		return EXIT_USAGE;
	run_external(g->exec_path, argv[0], argv);
	if (help_print_missing(argv[0]))
		return 1;
	const struct command *guess = help_autocorrect(config, argv[0]);
	if (guess) {
		argv[0] = guess->name;
		return run_command(g, config, guess, argc, argv);
	}
	fprintf(stderr, "perf: '%s' is not a perf-command. See 'perf --help'.\n", argv[0]);
	help_print_similar(argv[0]);
	return 1;
}

static int run_shell_alias(const char **argv)
{
	fflush(NULL);
	execvp(argv[1], (char *const *)(argv + 1));
	log_error("cannot run '%s': %s", argv[1], strerror(errno));
	return 255;
}

static int run(struct globals *g, const struct config *config, int argc, const char **argv,
	       int depth)
{
	int ret = parse_globals(g, &argc, &argv);
	if (ret != RUN_ON)
		return ret;
	if (argc < 1) {
		help_print_commands(stdout);
		return 1;
	}
	if (g->pager_off)
		pager_turn_off();
	const struct command *c = command_find(argv[0]);
	if (c)
		return run_command(g, config, c, argc, argv);
	struct alias_line line;
	struct err e = ERR_INIT;
	int found = depth < ALIAS_DEPTH ? alias_expand(config, argc, argv, &line, &e)
					: err_set(&e, ELOOP, "alias '%s' leads to itself", argv[0]);
	if (found < 0) {
		err_print(&e);
		return 255;
	}
	if (!found)
		return unknown_command(g, config, argc, argv);
	if (!strcmp(line.words.v[0], "!"))
		ret = run_shell_alias(line.words.v);
	else
		ret = run(g, config, line.words.nr, line.words.v, depth + 1);
	alias_line_release(&line);
	return ret;
}

/* A closed standard descriptor must not become the number of a file that is opened later. */
static void keep_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		/* Read-only, so that writing to a closed stdout is an error and not silence. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) < 0)
			_exit(255);
	}
}

/* Whoever starts us may have no interest in the ends of his children, and we inherit that: then the
 * kernel tells nobody when a workload has ended. */
static void hear_of_children(void)
{
	signal(SIGCHLD, SIG_DFL);
}

/* Global options come first: they say nothing about the configuration. */
static int start(struct globals *g, int argc, const char **argv)
{
	int ret = parse_globals(g, &argc, &argv);
	if (ret != RUN_ON)
		return ret;
	struct config config = { .nr = 0 };
	const struct command *c = argc ? command_find(argv[0]) : NULL;
	if (!c || !(c->flags & CMD_NO_CONFIG))
		config_load(&config, CONFIG_DEFAULT, PERF_SYSTEM_CONFIG);
	settle_buildid_dir(g, &config);
	settle_debugfs_dir(g, &config);
	ret = run(g, &config, argc, argv, 0);
	config_release(&config);
	return ret;
}

int main(int argc, char **argv)
{
	struct err e = ERR_INIT;
	mem_setup();
	keep_standard_descriptors();
	if (secure_start(&e)) {
		err_print(&e);
		return 255;
	}
	const char *env = getenv("PERF_EXEC_PATH");
	struct globals g = { .exec_path = env && env[0] ? env : PERF_EXEC_PATH };
	hear_of_children();
	int code = start(&g, argc - 1, (const char **)argv + 1);
	code = print_finish_stdout(code);
	pager_wait();
	if (g.debug_file)
		fclose(g.debug_file);
	return code;
}
