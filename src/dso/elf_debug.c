/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf_debug.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/unpack.h"

char *elf_debuglink(const struct elf_file *f, u32 *crc)
{
	const struct elf_section *s = elf_section_by_name(f, ".gnu_debuglink");
	_cleanup_(mem_freep) char *data = NULL;
	size_t len;

	if (!s || s->size < 8 || s->size > 8192)
		return NULL;
	data = elf_section_data(f, s);
	if (!data)
		return NULL;
	len = strlen(data);
	/* A name, not a path: it must not lead out of the folders that are searched. */
	if (!len || ALIGN_UP(len + 1, 4) + 4 > s->size || strchr(data, '/'))
		return NULL;
	*crc = elf_u32(f, data + ALIGN_UP(len + 1, 4));
	return xstrdup(data);
}

bool elf_file_has_crc(const struct elf_file *f, u32 crc)
{
	enum { CHUNK = 1 << 16 };
	_cleanup_(mem_freep) u8 *buf = xmalloc(CHUNK);
	uLong sum = crc32(0, NULL, 0);

	if (f->fd < 0)
		return false;
	for (u64 at = 0; at < f->size;) {
		ssize_t got = rw_pread_full(f->fd, buf, CHUNK, at);

		if (got <= 0)
			return false;
		sum = crc32(sum, buf, (uInt)got);
		at += (u64)got;
	}
	return (u32)sum == crc;
}

bool elf_mini_debug(const struct elf_file *f, struct elf_file *inner, void **data)
{
	const struct elf_section *s = elf_section_by_name(f, ".gnu_debugdata");
	_cleanup_(mem_freep) u8 *packed = NULL;
	size_t size;

	*data = NULL;
	if (!s)
		return false;
	packed = elf_section_data(f, s);
	if (!packed)
		return false;
	*data = unpack_xz(packed, s->size, &size);
	return *data && elf_open_memory(inner, *data, size, NULL) == 0;
}
