/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as a tracepoint's format file, any bytes behind a NUL as a record printed by it. */
#include <stdint.h>

#include "base/mem.h"
#include "tracefmt/tracefmt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t len = strnlen(text, size);
	size_t raw_size = len < size ? size - len - 1 : 0;
	_cleanup_(mem_freep) u8 *raw = xmalloc(raw_size + 1);
	if (raw_size)
		memcpy(raw, data + len + 1, raw_size);
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct tracefmt_print_ctx ctx = { .sym = NULL };
	struct err e = ERR_INIT;
	struct tracefmt_set *set = tracefmt_set_new();
	(void)tracefmt_set_add(set, "fuzz", text, len, &e);
	for (size_t i = 0; i < tracefmt_set_count(set); i++)
		tracefmt_print(tracefmt_set_at(set, i), raw, raw_size, &ctx, &out);
	tracefmt_set_free(set);
	/* The same bytes as the blob of a file. */
	if (!tracefmt_set_from_blob(&set, data, size, &e))
		tracefmt_set_free(set);
	return 0;
}
