/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat report: which metrics a recording was made for. The file does not say it but in the
 * words of its command line, which may be those of another version: what is unknown is stepped
 * over.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/stat/stat.h"

/* Words of a command line that are read as options of a table. */
struct recorded_line {
	struct stat_opts *o;
	const struct opt *table;
};

/* What is taken over. */
static const size_t wanted[] = {
	offsetof(struct stat_opts, count.metrics),
	offsetof(struct stat_opts, count.topdown),
	offsetof(struct stat_opts, count.td_level),
	offsetof(struct stat_opts, count.metric_no_merge),
};

/* arg NULL = none, or negated */
static void apply(struct stat_opts *o, const struct opt *row, const char *arg)
{
	void *field = (char *)o + row->offset;
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		known = known || (row->offset == wanted[i] && row->type != OPT_TYPE_CALL);
	if (!known)
		return;
	if (row->type == OPT_TYPE_BOOL)
		*(bool *)field = true;
	else if (row->type == OPT_TYPE_STR)
		*(const char **)field = arg;
	else if (row->type == OPT_TYPE_INT && arg)
		*(int *)field = (int)strtol(arg, NULL, 0);
}

/* The name itself, or the first that begins like it: recorded words were not ambiguous. */
static const struct opt *find_long(const struct opt *table, const char *name, size_t len)
{
	const struct opt *found = NULL;

	for (const struct opt *row = table; row->type != OPT_TYPE_END; row++) {
		if (!*row->long_name || strncmp(row->long_name, name, len) != 0)
			continue;
		if (!row->long_name[len])
			return row;
		found = found ? found : row;
	}
	return found;
}

/* Both return how many words the option has. */
static size_t read_long(const struct recorded_line *l, const char *word, const char *next)
{
	size_t len = strcspn(word, "=");
	const struct opt *row = find_long(l->table, word, len);

	if (!row)
		return 1; /* a negation, or unknown */
	if (word[len] || !opt_takes_word(row)) {
		apply(l->o, row, word[len] ? word + len + 1 : NULL);
		return 1;
	}
	apply(l->o, row, next);
	return 2;
}

static size_t read_short(const struct recorded_line *l, const char *word, const char *next)
{
	for (; *word; word++) {
		const struct opt *row = opts_find_short(l->table, *word);

		if (!row)
			return 1;
		if (row->flags & OPT_OPTARG)
			return 1;
		if (opt_takes_word(row)) {
			apply(l->o, row, word[1] ? word + 1 : next);
			return word[1] ? 1 : 2;
		}
		apply(l->o, row, NULL);
	}
	return 1;
}

/* From words[i] to the first that is no option. */
static size_t read_options(const struct recorded_line *l, const char *const *words, size_t i,
			   size_t nr)
{
	while (i < nr && words[i][0] == '-' && words[i][1] && strcmp(words[i], "--") != 0) {
		const char *next = i + 1 < nr ? words[i + 1] : NULL;

		i += words[i][1] == '-' ? read_long(l, words[i] + 2, next)
					: read_short(l, words[i] + 1, next);
	}
	return MIN(i, nr);
}

void stat_options_recorded(struct stat_opts *o, const struct opt *table, const char *const *words,
			   size_t nr)
{
	const struct recorded_line l = { .o = o, .table = table };
	size_t i = 0;

	o->count.td_level = 1;
	while (i < nr && strcmp(words[i], "stat") != 0)
		i++;
	if (i == nr)
		return;
	i = read_options(&l, words, i + 1, nr);
	if (i < nr && !strncmp(words[i], "rec", 3))
		read_options(&l, words, i + 1, nr);
	if (o->count.td_level < 0 || o->count.td_level > STAT_TOPDOWN_LEVELS)
		o->count.td_level = 1;
}
