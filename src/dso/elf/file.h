/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_file: reads headers and sections of an ELF file, 32 or 64 bits, either byte order, from a
 * file or from memory. Every offset and size is checked against the size of the file, so the
 * callers may trust what they get; a section that lies outside of the file has no data.
 *
 * Sections are read with pread() into fresh memory rather than mapped: a file that a linker
 * rewrites meanwhile gives wrong names at worst, never SIGBUS. Source: System V gABI, chapters 4
 * and 5. One thread at a time per object.
 */
#ifndef DSO_ELF_FILE_H
#define DSO_ELF_FILE_H

#include <elf.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/types.h"
#include "dso/dso.h"

struct elf_section {
	const char *name; /* "" when unknown; lives as long as the file */
	u32 type, link, info;
	u64 flags, addr, offset, size, entsize;
};

struct elf_segment {
	u32 type, flags;
	u64 offset, vaddr, filesz, memsz;
};

struct elf_file {
	int fd; /* -1 when mem is used */
	const u8 *mem;
	u64 size;
	bool is64, swap;
	u16 type, machine;
	struct elf_section *sections;
	u32 nr_sections;
	char *section_names;
	struct elf_segment *segments;
	u32 nr_segments;
};

#define ELF_FILE_INIT                                                                              \
	{                                                                                          \
		.fd = -1                                                                           \
	}

int elf_open(struct elf_file *f, const char *path, struct err *e);
/* Takes the descriptor over, also on failure; what names it in errors. */
int elf_open_fd(struct elf_file *f, int fd, const char *what, struct err *e);
/* The bytes stay the caller's and must outlive f. */
int elf_open_memory(struct elf_file *f, const void *data, size_t size, struct err *e);
void elf_close(struct elf_file *f); /* also for _cleanup_ */
static inline bool elf_file_is_open(const struct elf_file *f)
{
	return f->fd >= 0 || f->mem;
}

/* First section of that name or type; NULL if there is none. */
const struct elf_section *elf_section_by_name(const struct elf_file *f, const char *name);
const struct elf_section *elf_section_by_type(const struct elf_file *f, u32 type);
/* A copy of the section's bytes plus one NUL behind; NULL when it has none in the file, or more
 * than LIMIT_SECTION_READ. */
void *elf_section_data(const struct elf_file *f, const struct elf_section *s);
/* Whether the section's bytes are in the file as they are. */
bool elf_section_present(const struct elf_file *f, const struct elf_section *s);
/* Append the string at an offset of a section; false: there is none. */
bool elf_string(const struct elf_file *f, const struct elf_section *s, u64 offset,
		struct strbuf *out);
/* size bytes at an offset; false if they are not all in the file. */
bool elf_read(const struct elf_file *f, u64 offset, void *buf, size_t size);

/* Position in the file of a virtual address; false when no segment or section holds it. */
bool elf_file_offset(const struct elf_file *f, u64 vaddr, u64 *offset);
/* Virtual address of a place in executable segments; false when none has it. */
bool elf_segments_vaddr(const struct elf_segment *segments, u32 nr, u64 offset, u64 *vaddr);
/* Build id from the notes; false when there is none. */
bool elf_build_id(const struct elf_file *f, struct build_id *id);

/* Values in the byte order of the file. */
static inline u16 elf_u16(const struct elf_file *f, const void *p)
{
	u16 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return f->swap ? __builtin_bswap16(v) : v;
}

static inline u32 elf_u32(const struct elf_file *f, const void *p)
{
	u32 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return f->swap ? __builtin_bswap32(v) : v;
}

static inline u64 elf_u64(const struct elf_file *f, const void *p)
{
	u64 v;

	__builtin_memcpy(&v, p, sizeof(v));
	return f->swap ? __builtin_bswap64(v) : v;
}

/* One symbol in host form. */
struct elf_symbol {
	u64 value, size;
	u32 name; /* offset in the string table */
	u32 shndx;
	u8 info, other;
};
static inline size_t elf_symbol_size(const struct elf_file *f)
{
	return f->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}
void elf_symbol_decode(const struct elf_file *f, const u8 *p, struct elf_symbol *out);

#endif
