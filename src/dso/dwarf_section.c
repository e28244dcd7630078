/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dwarf_section.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/unpack.h"

enum { PAGE = 4096, UNPACK_STEP = 1 << 16, NAME_MAX_LEN = 32 };

/* Append what the sections of that name hold: in an unlinked .dwo, each type unit has one of its own. Returns
 * their size in the file. */
static u64 append_sections(struct dwarf_section *out, const struct elf_file *f, const char *name, u64 *room)
{
	u64 in_file = 0;

	for (u32 i = 0; i < f->nr_sections; i++) {
		size_t size;
		u8 *data;

		if (strcmp(f->sections[i].name, name) != 0)
			continue;
		/* Sections that overlap would make much out of little. */
		in_file += f->sections[i].size;
		if (in_file > f->size)
			break;
		data = unpack_section(f, &f->sections[i], room, &size);
		if (!data)
			continue;
		if (out->data) {
			out->data = xrealloc_array(out->data, out->size + size + 1, 1);
			memcpy(out->data + out->size, data, size);
			free(data);
		} else {
			out->data = data;
		}
		out->size += size;
	}
	out->ready = out->text = out->size;
	while (out->text && out->data[out->text - 1])
		out->text--;
	return in_file;
}

/* The only section of that name; NULL: there is none, or several. */
static const struct elf_section *only_section(const struct elf_file *f, const char *name)
{
	const struct elf_section *found = NULL;

	for (u32 i = 0; i < f->nr_sections; i++) {
		if (strcmp(f->sections[i].name, name) != 0)
			continue;
		if (found)
			return NULL;
		found = &f->sections[i];
	}
	return found;
}

/* To be read in pieces; false: not of a kind that can be. */
static bool open_lazily(struct dwarf_section *s, const struct elf_file *f, int fd, const struct elf_section *from,
			u64 *room)
{
	if (unpack_is_packed(from)) {
		s->stream = unpack_begin(f, from, room, &s->size);
		if (!s->stream)
			return false;
	} else {
		if (!elf_section_present(f, from))
			return false;
		s->size = from->size;
		s->offset = from->offset;
		s->pages = xcalloc(s->size / PAGE / 64 + 1, sizeof(*s->pages));
	}
	s->fd = fd;
	s->data = xmalloc(s->size + 1);
	return true;
}

u64 dwarf_section_open(struct dwarf_section *s, const struct elf_file *f, int fd, const char *name,
		       const char *suffix, u64 *room)
{
	static const char *const prefixes[] = { ".debug_", ".zdebug_" };
	u64 in_file = 0;

	*s = (struct dwarf_section){ .fd = -1 };
	for (size_t i = 0; i < ARRAY_SIZE(prefixes) && !s->data; i++) {
		const struct elf_section *only;
		char full[NAME_MAX_LEN];

		snprintf(full, sizeof(full), "%s%s%s", prefixes[i], name, suffix);
		only = fd >= 0 ? only_section(f, full) : NULL;
		if (only && open_lazily(s, f, fd, only, room))
			in_file = only->size;
		else
			in_file = append_sections(s, f, full, room);
	}
	if (!s->data)
		s->data = xcalloc(1, 1); /* so that cursors have a place to stand */
	return in_file;
}

static bool is_here(const struct dwarf_section *s, u64 page)
{
	return s->pages[page / 64] >> page % 64 & 1;
}

static bool read_pages(struct dwarf_section *s, u64 first, u64 last)
{
	for (u64 page = first; page <= last; page++) {
		u64 from = page;
		u64 bytes;

		if (is_here(s, page))
			continue;
		while (page < last && !is_here(s, page + 1))
			page++;
		bytes = MIN((page + 1) * PAGE, (u64)s->size) - from * PAGE;
		if (rw_pread_full(s->fd, s->data + from * PAGE, bytes, s->offset + from * PAGE) != (ssize_t)bytes)
			return false;
		for (u64 i = from; i <= page; i++)
			s->pages[i / 64] |= 1ULL << i % 64;
	}
	return true;
}

bool dwarf_section_read(struct dwarf_section *s, u64 offset, u64 size)
{
	u64 end = size < s->size - MIN(offset, (u64)s->size) ? offset + size : s->size;

	if (offset >= s->size)
		return false;
	if (end <= s->ready)
		return true;
	if (s->pages)
		return end == offset || read_pages(s, offset / PAGE, (end - 1) / PAGE);
	if (!s->stream)
		return false;
	s->ready = unpack_upto(s->stream, s->fd, s->data, MIN(ALIGN_UP(end, UNPACK_STEP), (u64)s->size));
	return end <= s->ready;
}

bool dwarf_section_copy(const struct dwarf_section *s, u64 offset, void *buf, size_t size)
{
	return rw_pread_full(s->fd, buf, size, s->offset + offset) == (ssize_t)size;
}

void dwarf_section_close(struct dwarf_section *s)
{
	free(s->data);
	free(s->pages);
	unpack_end(s->stream);
	*s = (struct dwarf_section){ .fd = -1 };
}
