/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as the argument of -e. */
#include <stdint.h>

#include "base/mem.h"
#include "event/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	/* No trees: the search in the machine's own would make the run depend on it, and slow. */
	struct event_env env = { .sysfs = "/nonexistent", .tracefs = "/nonexistent" };
	struct event_error error = { .column = 0 };
	struct event_list list;
	event_list_init(&list);
	if (event_parse(&list, text, &env, &error))
		event_error_print(text, &error, &out);
	event_list_release(&list);
	return 0;
}
