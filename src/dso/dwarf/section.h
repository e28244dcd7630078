/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_section: the bytes of one section of debug information. Most of a large program's are never
 * looked at, so what is asked for is read when it is, page by page: from the file, or, of a section
 * that is compressed with zlib, unpacked from the last place before that is known. Such pages can
 * be forgotten again. Other sections are read as a whole when they are opened.
 */
#ifndef DSO_DWARF_SECTION_H
#define DSO_DWARF_SECTION_H

#include "dso/elf/file.h"

struct unpack_stream;

struct dwarf_section {
	u8 *data; /* never NULL once it is open; holds what dwarf_section_need() was asked for */
	size_t size; /* 0 = not there */
	size_t ready; /* all bytes before this are there, always */
	size_t text; /* of what was read at once: strings that begin before this end in the section
		      */
	int fd; /* the file, not ours; meaningless when all is there */
	u64 offset; /* in the file */
	u64 *pages; /* those that are there, a bit each; NULL = it was read at once */
	size_t kept; /* how many these are */
	struct unpack_stream *stream; /* NULL = not compressed, or read at once */
};

/*
 * Opens .debug_NAME and SUFFIX. fd: of f's file, open until dwarf_section_close(); -1 = read
 * everything now. room: as for unpack_section(). Returns how many bytes it has in the file.
 */
u64 dwarf_section_open(struct dwarf_section *s, const struct elf_file *f, int fd, const char *name,
		       const char *suffix, u64 *room);
/* The same of any section, without room: false where it is compressed or not in the file. */
bool dwarf_section_open_plain(struct dwarf_section *s, const struct elf_file *f, int fd,
			      const struct elf_section *from);
/* A descriptor of f's file for the above, the caller's; -1: there is none, or too many are
 * open. */
int dwarf_section_file(const struct elf_file *f);
void dwarf_section_close(struct dwarf_section *s);
/* Give back the memory of pages that can be read again; what was read at once stays, and a section
 * that was large, or unpacked so often, that it is better kept. */
void dwarf_section_forget(struct dwarf_section *s);

/* Whether pieces can be copied, too, by those who look at much once. */
static inline bool dwarf_section_can_copy(const struct dwarf_section *s)
{
	return s->pages != NULL && !s->stream;
}
/* Copy bytes that are in the section, without keeping them; false: they cannot be read. */
bool dwarf_section_copy(const struct dwarf_section *s, u64 offset, void *buf, size_t size);
/* For the function below. */
bool dwarf_section_read(struct dwarf_section *s, u64 offset, u64 size);
/*
 * Have size bytes at an offset, or those of them that are in the section. False: they cannot be
 * read, or the section ends before. They are there until dwarf_section_forget().
 */
static inline bool dwarf_section_need(struct dwarf_section *s, u64 offset, u64 size)
{
	return (offset < s->ready && size <= s->ready - offset) ||
	       dwarf_section_read(s, offset, size);
}

#endif
