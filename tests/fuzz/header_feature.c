/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first byte chooses a header feature, the rest is its body. */
#include <stdint.h>

#include "abi/features.h"
#include "base/mem.h"
#include "stream_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_releasep) struct strbuf s = STRBUF_INIT, body = STRBUF_INIT;
	u64 feature = size ? data[0] % 41 : 0;

	if (feature == 40)
		feature = FEAT_SYMBOLS;
	strbuf_add(&body, &feature, sizeof(feature));
	if (size)
		strbuf_add(&body, data + 1, size - 1);
	stream_begin(&s);
	stream_record(&s, PERF_RECORD_HEADER_FEATURE, body.buf, body.len);
	stream_read(&s, 1 << 20);
	return 0;
}
