/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a filter of samples. */
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bpf/sample_filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	struct err e = ERR_INIT;
	struct sample_filter f;

	if (sample_filter_parse(&f, text, &e) < 0)
		return 0;
	if (!f.nr || f.nr > SAMPLE_FILTER_CONDITIONS || f.conditions[f.nr - 1].or_next)
		abort();
	return 0;
}
