/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config_apply: settings into a command's options, by its table of rows.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/config.h"

bool config_parse_bool(const char *value, bool *result)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = { { "true", true }, { "yes", true },  { "on", true }, { "false", false },
		      { "no", false },  { "off", false }, { "", false } };
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcasecmp(value, words[i].word)) {
			*result = words[i].value;
			return true;
		}
	}
	char *end;
	errno = 0;
	long v = strtol(value, &end, 0);
	if (end == value || *end || errno)
		return false;
	*result = v != 0;
	return true;
}

static int apply_row(const struct config_row *row, const char *value, void *target)
{
	void *field = (char *)target + row->offset;
	struct err e = ERR_INIT;
	switch (row->type) {
	case CONFIG_BOOL:
		if (!config_parse_bool(value, field))
			fprintf(stderr, "bad config value for '%s', ignoring...\n", row->key);
		return 0;
	case CONFIG_STR:
		*(const char **)field = value;
		return 0;
	case CONFIG_CALL:
		break;
	}
	if (!row->parse(value, field, &e))
		return 0;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	strbuf_add_escaped(&text, value);
	if (e.text[0])
		fprintf(stderr, "%s\n", e.text);
	if (e.hint[0])
		log_hint("%s", e.hint);
	fprintf(stderr, "Error in the given config file: wrong config key-value pair %s=%s\n",
		row->key, text.buf);
	return -1;
}

int config_check(const struct config_row *rows, size_t size, const char *key, const char *value,
		 struct err *e)
{
	_cleanup_(mem_freep) char *scratch = xcalloc(1, size);
	bool on;
	for (const struct config_row *row = rows; row && row->key; row++) {
		if (strcmp(row->key, key))
			continue;
		if (row->type == CONFIG_BOOL && !config_parse_bool(value, &on))
			return err_set(e, EINVAL, "'%s' is neither yes nor no", value);
		if (row->type == CONFIG_CALL && row->parse(value, scratch + row->offset, e)) {
			if (!e->text[0])
				snprintf(e->text, sizeof(e->text),
					 "'%s' is no value that it can have", value);
			return -1;
		}
		return 1;
	}
	return 0;
}

int config_apply(const struct config *c, const struct config_row *rows, void *target)
{
	for (const struct config_row *row = rows; row->key; row++) {
		const char *value = config_get(c, row->key);
		if (value && apply_row(row, value, target))
			return -1;
	}
	return 0;
}
