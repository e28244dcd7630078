/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config: perf's configuration files, read into a list of settings that main.c hands to the
 * command; there is no global.
 *
 * The format (perf-config(1), "CONFIGURATION FILE"; the same as git's older one):
 *
 *	# comment, also with ';'
 *	[section]                    names of sections and keys in any case
 *		key = value          # comment
 *	[section "sub.Name"]         \" and \\ inside; the case is kept
 *		other = "text # with; any characters" \n \t \b \\ \"
 *		long = one \
 *			value
 *
 * Outside of quotes, blanks around a value are dropped and runs of blanks inside it become one.
 * Later settings replace earlier ones: the user's file is read after the system's. Reading stops at
 * the first wrong line of a file; what stands before it counts.
 *
 * Keys are "section.key" or "section.sub.key". All strings belong to the struct config, which is
 * constant once loaded.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "base/err.h"
#include "base/strbuf.h"

enum {
	CONFIG_MAX_FILE = 1 << 20, /* bytes of a configuration file */
	CONFIG_MAX_SETTINGS = 10000,
};

struct config_setting {
	char *key; /* "report.children": section and name in lower case, the part between as written
		    */
	char *value; /* never NULL */
};

struct config {
	struct config_setting *settings; /* in the files' order, each key once */
	size_t nr;
	/* from --debugfs-dir or PERF_DEBUGFS_DIR, not from a file; NULL = neither; borrowed */
	const char *debugfs_dir;
};

void config_release(struct config *c);
/* The value, or NULL when it is not set. key in lower case. */
const char *config_get(const struct config *c, const char *key);
/* Set or replace. */
void config_set(struct config *c, const char *key, const char *value);
/*
 * Add the settings of a text to c. -1 and "bad config file line N in PATH" in *e; what stands
 * before that line has been added.
 */
int config_parse(struct config *c, const char *text, size_t len, const char *path, struct err *e);
/*
 * Add the settings of a file; one that is not there has none. check_owner: only a file of ours or
 * root's. -1 and *e when it cannot be read, or not as a whole: what stands before the wrong line
 * has been added.
 */
int config_read(struct config *c, const char *path, bool check_owner, struct err *e);
enum config_files {
	CONFIG_DEFAULT, /* the file that $PERF_CONFIG names, else the system's and the user's */
	CONFIG_SYSTEM,
	CONFIG_USER,
};

/*
 * Read the configuration. system_path: PERF_SYSTEM_CONFIG of the build, an argument for tests.
 * Files that cannot be read are told on stderr and left out. By default the user's file is read
 * only if the user or root owns it: who can write to a home directory must not choose what root's
 * perf runs.
 */
void config_load(struct config *c, enum config_files which, const char *system_path);
/* The file that a change goes to: $PERF_CONFIG or the user's by default. Fresh memory, NULL: no
 * home. */
char *config_path(enum config_files which, const char *system_path);

/*
 * Change one setting of a text (config_edit, appends the new text to out) or a file (config_write)
 * and keep everything else in it: comments, order, layout. A missing file is made. The key is
 * valid, the value any text. The file is replaced as a whole; a link stays one. A file with a wrong
 * line is not touched.
 */
int config_edit(struct strbuf *out, const char *text, size_t len, const char *path, const char *key,
		const char *value, struct err *e);
int config_write(const char *path, const char *key, const char *value, struct err *e);

/*
 * Whether a text is a key that the format can hold: "section.name" or "section.sub.name", where sub
 * is what stands between the first and the last dot.
 */
bool config_key_valid(const char *key);
/* The key as config_get() wants it: section and name in lower case. Fresh memory. */
char *config_key_normal(const char *key);

/* ---- what a command takes from the configuration ---- */

enum config_type {
	CONFIG_BOOL, /* bool: true yes on N>0, false no off 0; anything else is told and left out */
	CONFIG_STR, /* const char *, borrowed from the config */
	CONFIG_CALL, /* parse() decides */
};

struct config_row {
	const char *key;
	enum config_type type;
	size_t offset; /* in the command's options struct */
	/* 0, or -1 with *e saying what is wrong (a text may be missing). */
	int (*parse)(const char *value, void *target, struct err *e);
};

#define CONFIG_ROW(k, t, st, m, p)                                                                 \
	{                                                                                          \
		.key = (k), .type = (t), .offset = offsetof(st, m), .parse = (p)                   \
	}
#define CONFIG_END                                                                                 \
	{                                                                                          \
		.key = NULL                                                                        \
	}

bool config_parse_bool(const char *value, bool *result);
/*
 * Put the settings that rows name into the command's options, before its command line is read. 0,
 * or -1 after telling on stderr which setting is wrong; the command then exits with 255.
 */
int config_apply(const struct config *c, const struct config_row *rows, void *target);
/*
 * Would the command take this value? 1 yes, 0 no row has the key, -1 no and *e says why. size: of
 * the options struct that the rows are for; the command's own is not touched.
 */
int config_check(const struct config_row *rows, size_t size, const char *key, const char *value,
		 struct err *e);

#endif
