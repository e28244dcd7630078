/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config: `perf config`, shows and changes the settings of the configuration files.
 */
#include "cli/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/similar.h"
#include "cli/print_err.h"
#include "cmd/commands.h"
#include "program/build_config.h"

enum { EXIT_REFUSED = 255 };

struct config_opts {
	bool list, system, user;
};

static const struct opt config_table[] = {
	OPT_BOOL('l', "list", struct config_opts, list, "show current config variables"),
	OPT_BOOL(0, "system", struct config_opts, system, "use system config file"),
	OPT_BOOL(0, "user", struct config_opts, user, "use user config file"), OPT_END
};

static const char *const config_usage[] = {
	"perf config [<file-option>] [options] [section.name[=value] ...]", NULL
};

static void print_setting(const char *key, const char *value)
{
	_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;
	strbuf_add_escaped(&line, key);
	strbuf_addch(&line, '=');
	strbuf_add_escaped(&line, value);
	puts(line.buf);
}

static int list_all(const struct config *c)
{
	for (size_t i = 0; i < c->nr; i++)
		print_setting(c->settings[i].key, c->settings[i].value);
	return 0;
}

/* Why a word is neither a key nor a setting; perf's texts where it has one. */
static int fail_word(const char *word, const char *key)
{
	const char *dot = strchr(key, '.');
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	strbuf_add_escaped(&text, word);
	if (!dot || dot == key)
		fprintf(stderr, "The config variable does not contain a section name: %s\n",
			text.buf);
	else if (!strrchr(key, '.')[1])
		fprintf(stderr, "The config variable does not contain a variable name: %s\n",
			text.buf);
	else
		fprintf(stderr,
			"The config variable has a character that does not fit: %s\n"
			"hint: names are letters, digits, '-' and '_', a name begins with a letter\n",
			text.buf);
	return EXIT_REFUSED;
}

/* Keys that are read by name, not by a command's table. */
static const char *const other_keys[] = { "buildid.dir", "daemon.base" };

static bool section_is(const char *key, const char *known)
{
	size_t len = strcspn(known, ".");

	return strcspn(key, ".") == len && !strncmp(key, known, len);
}

/* Sections where anything goes, or that only the kernel's perf reads; its files are ours. */
static bool is_foreign(const char *key)
{
	static const char *const sections[] = {
		"alias",    "annotate", "c2c",  "colors", "convert", "ftrace", "gtk",
		"intel-pt", "llvm",     "lock", "man",    "mem",     "pager",  "samples",
		"sched",    "scripts",  "top",  "trace",  "tui",
	};

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (section_is(key, sections[i]))
			return true;
	return section_is(key, "daemon") || strchr(key, '.') != strrchr(key, '.');
}

/* A key that nothing reads is set all the same, as perf does, but told if it looks like a slip. */
static void warn_unknown(const char *key)
{
	struct similar near;
	similar_init(&near, key);
	similar_offer_all(&near, other_keys, ARRAY_SIZE(other_keys));
	for (size_t i = 0; i < ARRAY_SIZE(other_keys); i++)
		if (!strcmp(other_keys[i], key))
			return;
	for (size_t i = 0; commands[i]; i++)
		for (const struct config_row *row = commands[i]->settings; row && row->key; row++)
			similar_offer(&near, row->key);
	if (is_foreign(key) || !near.nr)
		return;
	log_warn("no command reads '%s'", key);
	print_similar(&near);
}

/* What the commands would say about the value. */
static int check_setting(const char *key, const char *value, struct err *e)
{
	int known = 0;
	for (size_t i = 0; commands[i]; i++) {
		int ret = config_check(commands[i]->settings, commands[i]->settings_size, key,
				       value, e);
		if (ret < 0) {
			err_prefix(e, "%s is not set", key);
			return -1;
		}
		known |= ret;
	}
	if (!known)
		warn_unknown(key);
	return 0;
}

/* Section.name shows a setting, section.name=value changes it. */
static int use_word(const struct config *c, const char *path, const char *word)
{
	const char *equals = strchr(word, '=');
	_cleanup_(mem_freep) char *raw = xstrndup(word,
						  equals ? (size_t)(equals - word) : strlen(word));
	if (!config_key_valid(raw))
		return fail_word(word, raw);
	_cleanup_(mem_freep) char *key = config_key_normal(raw);
	if (!equals) {
		const char *value = config_get(c, key);
		if (value)
			print_setting(key, value);
		return 0;
	}
	if (!equals[1]) {
		fprintf(stderr, "The config variable does not contain a value: %s\n", word);
		return EXIT_REFUSED;
	}
	struct err e = ERR_INIT;
	if (!path) {
		err_set(&e, 0, "no file to write to: HOME is not set");
		err_hint(&e, "use --system, or name a file in PERF_CONFIG");
	}
	if (!path || check_setting(key, equals + 1, &e) ||
	    config_write(path, raw, equals + 1, &e)) {
		err_print(&e);
		return EXIT_REFUSED;
	}
	return 0;
}

static int use_files(const struct config_opts *o, int argc, const char **argv)
{
	enum config_files which = CONFIG_DEFAULT;
	if (o->system || o->user)
		which = o->system ? CONFIG_SYSTEM : CONFIG_USER;
	_cleanup_(mem_freep) char *path = config_path(which, PERF_SYSTEM_CONFIG);
	struct config c = { .nr = 0 };
	config_load(&c, which, PERF_SYSTEM_CONFIG);
	int ret = argc ? 0 : list_all(&c);
	for (int i = 0; i < argc && !ret; i++)
		ret = use_word(&c, path, argv[i]);
	config_release(&c);
	return ret;
}

static int config_run(const struct config *config UNUSED, int argc, const char **argv)
{
	struct config_opts opts = { .list = false };
	argc = opts_parse(config_table, &opts, argc, argv, config_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (opts.system && opts.user) {
		opts_usage_error(config_table, config_usage, "user",
				 "Error: only one config file at a time\n\n");
		return opts_usage_error(config_table, NULL, "system", "%s", "");
	}
	if (opts.list && argc)
		return opts_usage_error(config_table, config_usage, "list",
					"Error: takes no arguments\n\n");
	return use_files(&opts, argc, argv);
}

const struct command cmd_config = {
	.name = "config",
	.summary = "get and set variables in a configuration file",
	.usage = config_usage,
	.opts = config_table,
	.run = config_run,
	.flags = CMD_NO_CONFIG,
};
