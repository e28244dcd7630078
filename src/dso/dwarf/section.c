/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dwarf/section.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/elf/unpack.h"

enum { PAGE = 4096, UNPACK_STEP = 1 << 16, NAME_MAX_LEN = 32, FILES_MAX = 256 };
/* How often a section may be unpacked before it is kept. */
enum { UNPACK_TIMES = 1 };
/* Up to this size they are read as a whole when they are needed, for what finds the way in them
 * takes as much. */
enum { UNPACK_WHOLE = 1 << 16 };

/* Nothing more will be read. */
static void all_is_ready(struct dwarf_section *s, size_t ready)
{
	s->ready = s->text = ready;
	while (s->text && s->data[s->text - 1])
		s->text--;
}

/* Append what the sections of that name hold: in an unlinked .dwo, each type unit has one of its
 * own. Returns their size in the file. */
static u64 append_sections(struct dwarf_section *out, const struct elf_file *f, const char *name,
			   u64 *room)
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
	all_is_ready(out, out->size);
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

static void begin_pages(struct dwarf_section *s, int fd)
{
	s->pages = xcalloc(s->size / PAGE / 64 + 1, sizeof(*s->pages));
	s->fd = fd;
	s->data = xmalloc(s->size + 1);
}

bool dwarf_section_open_plain(struct dwarf_section *s, const struct elf_file *f, int fd,
			      const struct elf_section *from)
{
	*s = (struct dwarf_section){ .fd = -1 };
	if (unpack_is_packed(from) || !elf_section_present(f, from))
		return false;
	s->size = from->size;
	s->offset = from->offset;
	begin_pages(s, fd);
	return true;
}

/* To be read in pieces; false: not of a kind that can be. */
static bool open_lazily(struct dwarf_section *s, const struct elf_file *f, int fd,
			const struct elf_section *from, u64 *room)
{
	if (!unpack_is_packed(from))
		return dwarf_section_open_plain(s, f, fd, from);
	s->stream = unpack_begin(f, from, room, &s->size);
	if (!s->stream)
		return false;
	begin_pages(s, fd);
	return true;
}

int dwarf_section_file(const struct elf_file *f)
{
	int fd = f->mem ? -1 : fcntl(f->fd, F_DUPFD_CLOEXEC, 0);

	if (fd < FILES_MAX)
		return fd;
	close(fd);
	return -1;
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

/* Whether a section is not forgotten: it was unpacked too often, or is too large for that. */
static bool is_kept(const struct dwarf_section *s)
{
	return s->stream &&
	       (s->size > UNPACK_ONCE || unpack_work(s->stream) > (u64)s->size * UNPACK_TIMES);
}

static void mark(struct dwarf_section *s, u64 first, u64 last)
{
	for (u64 page = first; page <= last; page++) {
		s->kept += !is_here(s, page);
		s->pages[page / 64] |= 1ULL << page % 64;
	}
}

static bool read_pages(struct dwarf_section *s, u64 first, u64 last)
{
	u64 from = first * PAGE;
	u64 upto = MIN((last + 1) * PAGE, (u64)s->size);

	if (!s->stream) {
		if (rw_pread_full(s->fd, s->data + from, upto - from, s->offset + from) !=
		    (ssize_t)(upto - from))
			return false;
		mark(s, first, last);
		return true;
	}
	if (s->size <= UNPACK_WHOLE) {
		all_is_ready(s, unpack_range(s->stream, s->fd, s->data, 0, s->size));
		unpack_end(s->stream);
		free(s->pages);
		s->stream = NULL;
		s->pages = NULL;
		return upto <= s->ready;
	}
	from = from / UNPACK_STEP * UNPACK_STEP;
	if (is_kept(s))
		from = MIN(from, ALIGN_UP(unpack_start(s->stream, from), UNPACK_STEP));
	upto = MIN(ALIGN_UP(upto, UNPACK_STEP), (u64)s->size);
	upto = unpack_range(s->stream, s->fd, s->data + from, from, upto);
	if (upto == s->size)
		upto = ALIGN_UP(upto, PAGE);
	if (upto / PAGE > from / PAGE)
		mark(s, from / PAGE, upto / PAGE - 1);
	return last < upto / PAGE;
}

bool dwarf_section_read(struct dwarf_section *s, u64 offset, u64 size)
{
	u64 end = size < s->size - MIN(offset, (u64)s->size) ? offset + size : s->size;
	u64 last;

	if (offset >= s->size)
		return false;
	if (end <= s->ready || end == offset)
		return true;
	if (!s->pages)
		return false;
	last = (end - 1) / PAGE;
	for (u64 page = offset / PAGE; page <= last; page++) {
		u64 from = page;

		if (is_here(s, page))
			continue;
		while (page < last && !is_here(s, page + 1))
			page++;
		if (!read_pages(s, from, page))
			return false;
		if (end <= s->ready)
			return true;
	}
	return true;
}

void dwarf_section_forget(struct dwarf_section *s)
{
	uintptr_t from = ALIGN_UP((uintptr_t)s->data, PAGE);
	uintptr_t end = ((uintptr_t)s->data + s->size) / PAGE * PAGE;

	if (!s->kept || is_kept(s))
		return;
	if (end > from)
		madvise((void *)from, end - from, MADV_DONTNEED);
	memset(s->pages, 0, (s->size / PAGE / 64 + 1) * sizeof(*s->pages));
	s->kept = 0;
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
