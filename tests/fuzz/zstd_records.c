/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as compressed records, once as the compressed form and once as what was compressed, cut
 * into records of a length that the first byte chooses.
 */
#include <stdint.h>
#include <zstd.h>

#include "abi/features.h"
#include "base/mem.h"
#include "stream_file.h"

static void read_as(const void *compressed, size_t size, size_t step)
{
	static const struct {
		u64 feature;
		u32 version, type, level, ratio, mmap_len;
	} __attribute__((packed)) compression = { FEAT_COMPRESSED, 1, 1, 1, 3, 1 << 16 };
	_cleanup_(strbuf_releasep) struct strbuf s = STRBUF_INIT;

	stream_begin(&s);
	stream_record(&s, PERF_RECORD_HEADER_FEATURE, &compression, sizeof(compression));
	for (size_t at = 0; at < size; at += step)
		stream_record(&s, PERF_RECORD_COMPRESSED, (const u8 *)compressed + at,
			      MIN(step, size - at));
	stream_read(&s, 4 << 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	size_t step = 8 + (size_t)data[0] * 16;
	size_t bound = ZSTD_compressBound(size);
	_cleanup_(mem_freep) void *packed = xmalloc(bound);
	size_t len = ZSTD_compress(packed, bound, data + 1, size - 1, 1);

	read_as(data + 1, size - 1, step);
	if (!ZSTD_isError(len))
		read_as(packed, len, step);
	return 0;
}
