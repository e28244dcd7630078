/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any words (one per line) as the command line of a recording of perf stat. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/commands.h"
#include "cmd/stat/stat.h"

enum { MAX_WORDS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	struct stat_opts o = { 0 };
	const char *words[MAX_WORDS];
	char *rest = text;
	size_t nr = 0;

	for (char *word; nr < MAX_WORDS && (word = strsep(&rest, "\n"));)
		words[nr++] = word;
	stat_options_recorded(&o, cmd_stat.opts, words, nr);
	if (o.count.td_level < 0 || o.count.td_level > STAT_TOPDOWN_LEVELS)
		abort();
	/* a list is one of the words, or their end */
	if (o.count.metrics && (o.count.metrics < text || o.count.metrics > text + size))
		abort();
	return 0;
}
