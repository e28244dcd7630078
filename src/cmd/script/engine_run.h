/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_run: perf script with a script in Python instead of the text: -s, -g. */
#ifndef CMD_SCRIPT_ENGINE_RUN_H
#define CMD_SCRIPT_ENGINE_RUN_H

#include "cmd/script/script.h"
#include "script/engine.h"

/* What -s names. */
struct engine_script {
	const struct script_language *language;
	char *path;
};

/* Prints the list of languages. */
void engine_list_languages(void);
/* The language of [lang:]FILE; NULL (*e): no such language. */
const struct script_language *engine_script_language(const char *spec, struct err *e);
/*
 * [lang:]FILE: the file, or one of that name among the installed scripts. -1: the language is not
 * known (*e), or not supported. A file that is not there is found out when it is run.
 */
int engine_find_script(struct engine_script *out, const char *spec, struct err *e);
/* The language of -g LANG or -g FILE.EXT, which can be generated; NULL with *e. */
const struct script_language *engine_generated_language(const char *name, struct err *e);
/* -g: writes FILE, or perf-script.EXT for the name of a language; s->file is open. */
int engine_generate(struct script *s, const struct script_language *l, struct err *e);
/* -s: runs the script with the recording's samples; argc, argv are the script's. */
int engine_run(struct script *s, const struct engine_script *script, int argc, const char **argv,
	       struct err *e);

#endif
