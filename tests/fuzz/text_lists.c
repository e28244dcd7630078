/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a list of CPUs, a size, a time, a number, and as /proc/PID/maps. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "sys/proc.h"

/* What a list prints as must be the same list. */
static void cpu_list(const char *text)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	u32 *list, *again = NULL;
	size_t nr, nr_again = 0;

	if (!fmt_parse_cpu_list(text, &list, &nr))
		return;
	fmt_cpu_list(&out, list, nr);
	if (nr && (!fmt_parse_cpu_list(out.buf, &again, &nr_again) || nr != nr_again ||
		   memcmp(list, again, nr * sizeof(*list))))
		abort();
	if (nr)
		free(again);
	free(list);
}

static void maps(char *text)
{
	struct sys_maps_iter it = { .at = text };
	struct sys_map m;
	size_t length = 0;

	while (sys_maps_next(&it, &m))
		length += strlen(m.path);
	if (length > 1U << 30)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	u64 value;

	cpu_list(text);
	(void)fmt_parse_size(text, &value);
	(void)fmt_parse_u64(text, &value);
	(void)fmt_parse_time_ns(text, &value);
	maps(text);
	return 0;
}
