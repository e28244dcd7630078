/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/debug.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/rw.h"
#include "dso/elf/unpack.h"

char *elf_debuglink(const struct elf_file *f, u32 *crc)
{
	const struct elf_section *s = elf_section_by_name(f, ".gnu_debuglink");
	_cleanup_(mem_freep) char *data = NULL;
	size_t len;

	if (!s || s->size < 8 || s->size > LIMIT_LINK_SECTION)
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

static bool is_same_file(const struct elf_file *a, const struct elf_file *b)
{
	struct stat x, y;

	return a->fd >= 0 && b->fd >= 0 && !fstat(a->fd, &x) && !fstat(b->fd, &y) &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether it is what was taken out of f: many links have the name of the file that they are in. */
static bool belongs_to(const struct elf_file *found, const struct elf_file *f, u32 crc)
{
	struct build_id a, b;

	if (is_same_file(found, f))
		return false;
	if (elf_build_id(f, &a) && elf_build_id(found, &b))
		return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
	return elf_file_has_crc(found, crc);
}

bool elf_open_debuglink(const struct elf_file *f, const char *path, struct elf_file *found,
			struct strbuf *where)
{
	static const struct {
		const char *before, *behind;
	} dirs[] = { { "", "" }, { "", ".debug/" }, { "/usr/lib/debug", "" } };
	const char *slash = strrchr(path, '/');
	int dir_len = slash ? (int)(slash + 1 - path) : 0;
	_cleanup_(mem_freep) char *link = NULL;
	u32 crc;

	link = elf_debuglink(f, &crc);
	for (size_t i = 0; link && i < ARRAY_SIZE(dirs); i++) {
		if (dirs[i].before[0] && path[0] != '/')
			continue;
		strbuf_reset(where);
		strbuf_addf(where, "%s%.*s%s%s", dirs[i].before, dir_len, path, dirs[i].behind,
			    link);
		if (elf_open(found, where->buf, NULL) == 0 && belongs_to(found, f, crc))
			return true;
		elf_close(found);
	}
	return false;
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
