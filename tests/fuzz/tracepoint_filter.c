/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a filter, behind a 0 byte, of any tracepoint's format, in front of it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tracefmt/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data + len + (len < size),
						   size - len - (len < size));
	struct tracefmt_set *s = tracefmt_set_new();
	struct strbuf out = STRBUF_INIT;
	struct tracefmt_filter_error e;

	if (!tracefmt_set_add(s, "sys", (const char *)data, len, NULL) && tracefmt_set_count(s) &&
	    !tracefmt_filter(tracefmt_set_at(s, 0), text, NULL, &out, &e)) {
		/* what is not understood is passed on, and its place lies in it */
		if (strcmp(out.buf, text) != 0 || e.at > strlen(text) || !e.text[0])
			abort();
	}
	strbuf_release(&out);
	tracefmt_set_free(s);
	return 0;
}
