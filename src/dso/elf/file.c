/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rw.h"

enum {
	MAX_SECTIONS = 1 << 20,
	MAX_SEGMENTS = 1 << 16,
	MAX_NOTES = 1 << 20, /* bytes of one note section looked at */
	MAX_NOTE_SECTIONS = 64, /* note sections or segments looked at */
};

#define MAX_RANGE (1ULL << 31) /* bytes of one section */

static bool in_file(const struct elf_file *f, u64 offset, u64 size)
{
	return offset <= f->size && size <= f->size - offset;
}

bool elf_read(const struct elf_file *f, u64 offset, void *buf, size_t size)
{
	if (!in_file(f, offset, size))
		return false;
	if (!f->mem)
		return rw_pread_full(f->fd, buf, size, offset) == (ssize_t)size;
	memcpy(buf, f->mem + offset, size);
	return true;
}

/* size bytes at offset in fresh memory with a NUL behind; NULL if they are not in the file. */
static void *read_range(const struct elf_file *f, u64 offset, u64 size)
{
	u8 *buf;

	if (!in_file(f, offset, size) || size > MAX_RANGE)
		return NULL;
	buf = xmalloc(size + 1);
	if (!elf_read(f, offset, buf, size)) {
		free(buf);
		return NULL;
	}
	buf[size] = '\0';
	return buf;
}

static void decode_section(const struct elf_file *f, const u8 *p, struct elf_section *s)
{
	s->type = elf_u32(f, p + 4);
	if (f->is64) {
		s->flags = elf_u64(f, p + offsetof(Elf64_Shdr, sh_flags));
		s->addr = elf_u64(f, p + offsetof(Elf64_Shdr, sh_addr));
		s->offset = elf_u64(f, p + offsetof(Elf64_Shdr, sh_offset));
		s->size = elf_u64(f, p + offsetof(Elf64_Shdr, sh_size));
		s->link = elf_u32(f, p + offsetof(Elf64_Shdr, sh_link));
		s->info = elf_u32(f, p + offsetof(Elf64_Shdr, sh_info));
		s->entsize = elf_u64(f, p + offsetof(Elf64_Shdr, sh_entsize));
	} else {
		s->flags = elf_u32(f, p + offsetof(Elf32_Shdr, sh_flags));
		s->addr = elf_u32(f, p + offsetof(Elf32_Shdr, sh_addr));
		s->offset = elf_u32(f, p + offsetof(Elf32_Shdr, sh_offset));
		s->size = elf_u32(f, p + offsetof(Elf32_Shdr, sh_size));
		s->link = elf_u32(f, p + offsetof(Elf32_Shdr, sh_link));
		s->info = elf_u32(f, p + offsetof(Elf32_Shdr, sh_info));
		s->entsize = elf_u32(f, p + offsetof(Elf32_Shdr, sh_entsize));
	}
}

static void name_sections(struct elf_file *f, const u8 *table, size_t entsize, u32 strndx)
{
	u64 size;

	if (strndx >= f->nr_sections || f->sections[strndx].type == SHT_NOBITS)
		return;
	size = f->sections[strndx].size;
	f->section_names = read_range(f, f->sections[strndx].offset, size);
	if (!f->section_names)
		return;
	for (u32 i = 0; i < f->nr_sections; i++) {
		u32 name = elf_u32(f, table + i * entsize);

		if (name < size)
			f->sections[i].name = f->section_names + name;
	}
}

static int read_sections(struct elf_file *f, const u8 *ehdr, struct err *e)
{
	size_t entsize = f->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	u64 shoff = f->is64 ? elf_u64(f, ehdr + offsetof(Elf64_Ehdr, e_shoff))
			    : elf_u32(f, ehdr + offsetof(Elf32_Ehdr, e_shoff));
	u16 given = f->is64 ? elf_u16(f, ehdr + offsetof(Elf64_Ehdr, e_shentsize))
			    : elf_u16(f, ehdr + offsetof(Elf32_Ehdr, e_shentsize));
	u64 nr = f->is64 ? elf_u16(f, ehdr + offsetof(Elf64_Ehdr, e_shnum))
			 : elf_u16(f, ehdr + offsetof(Elf32_Ehdr, e_shnum));
	u32 strndx = f->is64 ? elf_u16(f, ehdr + offsetof(Elf64_Ehdr, e_shstrndx))
			     : elf_u16(f, ehdr + offsetof(Elf32_Ehdr, e_shstrndx));
	_cleanup_(mem_freep) u8 *table = NULL;

	if (!shoff || given != entsize)
		return 0;
	table = read_range(f, shoff, entsize);
	if (!table)
		return 0;
	if (!nr || strndx == SHN_XINDEX) {
		/* Too many for the header: the first section holds the true numbers. */
		struct elf_section first = { 0 };

		decode_section(f, table, &first);
		nr = nr ? nr : first.size;
		strndx = strndx == SHN_XINDEX ? first.link : strndx;
	}
	if (nr > MAX_SECTIONS)
		return err_set(e, EINVAL, "%llu sections", (unsigned long long)nr);
	free(table);
	table = read_range(f, shoff, nr * entsize);
	if (!table)
		return 0;
	f->sections = XNEW_ARRAY(struct elf_section, nr);
	f->nr_sections = (u32)nr;
	for (u32 i = 0; i < f->nr_sections; i++) {
		f->sections[i].name = "";
		decode_section(f, table + i * entsize, &f->sections[i]);
	}
	name_sections(f, table, entsize, strndx);
	return 0;
}

static void decode_segment(const struct elf_file *f, const u8 *p, struct elf_segment *s)
{
	s->type = elf_u32(f, p);
	if (f->is64) {
		s->flags = elf_u32(f, p + offsetof(Elf64_Phdr, p_flags));
		s->offset = elf_u64(f, p + offsetof(Elf64_Phdr, p_offset));
		s->vaddr = elf_u64(f, p + offsetof(Elf64_Phdr, p_vaddr));
		s->filesz = elf_u64(f, p + offsetof(Elf64_Phdr, p_filesz));
		s->memsz = elf_u64(f, p + offsetof(Elf64_Phdr, p_memsz));
	} else {
		s->flags = elf_u32(f, p + offsetof(Elf32_Phdr, p_flags));
		s->offset = elf_u32(f, p + offsetof(Elf32_Phdr, p_offset));
		s->vaddr = elf_u32(f, p + offsetof(Elf32_Phdr, p_vaddr));
		s->filesz = elf_u32(f, p + offsetof(Elf32_Phdr, p_filesz));
		s->memsz = elf_u32(f, p + offsetof(Elf32_Phdr, p_memsz));
	}
}

static void read_segments(struct elf_file *f, const u8 *ehdr)
{
	size_t entsize = f->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	u64 phoff = f->is64 ? elf_u64(f, ehdr + offsetof(Elf64_Ehdr, e_phoff))
			    : elf_u32(f, ehdr + offsetof(Elf32_Ehdr, e_phoff));
	u16 given = f->is64 ? elf_u16(f, ehdr + offsetof(Elf64_Ehdr, e_phentsize))
			    : elf_u16(f, ehdr + offsetof(Elf32_Ehdr, e_phentsize));
	u32 nr = f->is64 ? elf_u16(f, ehdr + offsetof(Elf64_Ehdr, e_phnum))
			 : elf_u16(f, ehdr + offsetof(Elf32_Ehdr, e_phnum));
	_cleanup_(mem_freep) u8 *table = NULL;

	if (nr == PN_XNUM && f->nr_sections)
		nr = f->sections[0].info;
	if (!phoff || !nr || nr > MAX_SEGMENTS || given != entsize)
		return;
	table = read_range(f, phoff, nr * entsize);
	if (!table)
		return;
	f->segments = XNEW_ARRAY(struct elf_segment, nr);
	f->nr_segments = nr;
	for (u32 i = 0; i < nr; i++)
		decode_segment(f, table + i * entsize, &f->segments[i]);
}

/* The rest of opening, once fd or mem and the size are there. */
static int read_headers(struct elf_file *f, struct err *e)
{
	_cleanup_(mem_freep) u8 *ehdr = read_range(f, 0, MIN(f->size, sizeof(Elf64_Ehdr)));
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	if (!ehdr || f->size < sizeof(Elf32_Ehdr) || memcmp(ehdr, ELFMAG, SELFMAG) != 0)
		return err_set(e, ENOEXEC, "not an ELF file");
	f->is64 = ehdr[EI_CLASS] == ELFCLASS64;
	if (f->is64 ? f->size < sizeof(Elf64_Ehdr) : ehdr[EI_CLASS] != ELFCLASS32)
		return err_set(e, ENOEXEC, "bad ELF header");
	if (ehdr[EI_DATA] != ELFDATA2LSB && ehdr[EI_DATA] != ELFDATA2MSB)
		return err_set(e, ENOEXEC, "bad ELF byte order");
	f->swap = (ehdr[EI_DATA] == ELFDATA2LSB) != little;
	f->type = elf_u16(f, ehdr + offsetof(Elf64_Ehdr, e_type));
	f->machine = elf_u16(f, ehdr + offsetof(Elf64_Ehdr, e_machine));
	if (read_sections(f, ehdr, e) < 0)
		return -1;
	read_segments(f, ehdr);
	return 0;
}

int elf_open_fd(struct elf_file *f, int fd, const char *what, struct err *e)
{
	struct stat st;

	*f = (struct elf_file){ .fd = fd };
	if (fstat(fd, &st) < 0) {
		err_sys(e, errno, "cannot read '%s'", what);
		goto fail;
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(e, EINVAL, "'%s' is not a regular file", what);
		goto fail;
	}
	f->size = (u64)st.st_size;
	if (read_headers(f, e) < 0) {
		err_prefix(e, "'%s'", what);
		goto fail;
	}
	return 0;
fail:
	elf_close(f);
	return -1;
}

int elf_open(struct elf_file *f, const char *path, struct err *e)
{
	int fd = input_open(path, 0, e);

	*f = (struct elf_file)ELF_FILE_INIT;
	return fd < 0 ? -1 : elf_open_fd(f, fd, path, e);
}

int elf_open_memory(struct elf_file *f, const void *data, size_t size, struct err *e)
{
	*f = (struct elf_file){ .fd = -1, .mem = data, .size = size };
	if (read_headers(f, e) < 0) {
		elf_close(f);
		return -1;
	}
	return 0;
}

void elf_close(struct elf_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->sections);
	free(f->section_names);
	free(f->segments);
	*f = (struct elf_file)ELF_FILE_INIT;
}

const struct elf_section *elf_section_by_name(const struct elf_file *f, const char *name)
{
	for (u32 i = 0; i < f->nr_sections; i++)
		if (strcmp(f->sections[i].name, name) == 0)
			return &f->sections[i];
	return NULL;
}

const struct elf_section *elf_section_by_type(const struct elf_file *f, u32 type)
{
	for (u32 i = 0; i < f->nr_sections; i++)
		if (f->sections[i].type == type)
			return &f->sections[i];
	return NULL;
}

void *elf_section_data(const struct elf_file *f, const struct elf_section *s)
{
	if (s->type == SHT_NOBITS || s->flags & SHF_COMPRESSED || s->size > LIMIT_SECTION_READ)
		return NULL;
	return read_range(f, s->offset, s->size);
}

bool elf_section_present(const struct elf_file *f, const struct elf_section *s)
{
	return s->type != SHT_NOBITS && !(s->flags & SHF_COMPRESSED) &&
	       in_file(f, s->offset, s->size) && s->size <= MAX_RANGE;
}

bool elf_string(const struct elf_file *f, const struct elf_section *s, u64 offset,
		struct strbuf *out)
{
	if (!elf_section_present(f, s) || offset >= s->size)
		return false;
	if (!f->mem)
		return rw_pread_string(f->fd, s->offset + offset, s->size - offset, out);
	strbuf_add(out, f->mem + s->offset + offset,
		   strnlen((const char *)f->mem + s->offset + offset, s->size - offset));
	return true;
}

bool elf_file_offset(const struct elf_file *f, u64 vaddr, u64 *offset)
{
	for (u32 i = 0; i < f->nr_segments; i++) {
		const struct elf_segment *s = &f->segments[i];

		if (s->type == PT_LOAD && vaddr >= s->vaddr && vaddr - s->vaddr < s->memsz) {
			*offset = vaddr - s->vaddr + s->offset;
			return true;
		}
	}
	return false;
}

bool elf_segments_vaddr(const struct elf_segment *segments, u32 nr, u64 offset, u64 *vaddr)
{
	for (u32 i = 0; i < nr; i++) {
		const struct elf_segment *s = &segments[i];

		if (s->type == PT_LOAD && s->flags & PF_X && offset >= s->offset &&
		    offset - s->offset < s->filesz) {
			*vaddr = offset - s->offset + s->vaddr;
			return true;
		}
	}
	return false;
}

/* A GNU build id among notes in the file's byte order. */
static bool build_id_in(const struct elf_file *f, const u8 *p, size_t size, struct build_id *id)
{
	while (size >= sizeof(Elf64_Nhdr)) {
		u32 namesz = elf_u32(f, p);
		u32 descsz = elf_u32(f, p + 4);
		u32 type = elf_u32(f, p + 8);
		u64 name = sizeof(Elf64_Nhdr);
		u64 desc = name + ALIGN_UP((u64)namesz, 4);
		u64 next = desc + ALIGN_UP((u64)descsz, 4);

		if (desc + descsz > size)
			return false;
		if (type == NT_GNU_BUILD_ID && namesz == 4 && memcmp(p + name, "GNU", 4) == 0 &&
		    descsz && descsz <= DSO_BUILD_ID_MAX) {
			id->size = (u8)descsz;
			memcpy(id->bytes, p + desc, descsz);
			return true;
		}
		if (next > size)
			return false;
		p += next;
		size -= next;
	}
	return false;
}

bool build_id_from_notes(const void *notes, size_t size, struct build_id *id)
{
	const struct elf_file native = ELF_FILE_INIT;

	*id = (struct build_id){ 0 };
	return build_id_in(&native, notes, size, id);
}

bool elf_build_id(const struct elf_file *f, struct build_id *id)
{
	u32 left = MAX_NOTE_SECTIONS;

	*id = (struct build_id){ 0 };
	for (u32 i = 0; i < f->nr_sections && left; i++) {
		const struct elf_section *s = &f->sections[i];
		_cleanup_(mem_freep) u8 *data = NULL;

		if (s->type != SHT_NOTE || s->size > MAX_NOTES)
			continue;
		left--;
		data = elf_section_data(f, s);
		if (data && build_id_in(f, data, s->size, id))
			return true;
	}
	for (u32 i = 0; i < f->nr_segments && left; i++) {
		const struct elf_segment *s = &f->segments[i];
		_cleanup_(mem_freep) u8 *data = NULL;

		if (s->type != PT_NOTE || s->filesz > MAX_NOTES)
			continue;
		left--;
		data = read_range(f, s->offset, s->filesz);
		if (data && build_id_in(f, data, s->filesz, id))
			return true;
	}
	return false;
}

int build_id_of_file(const char *path, struct build_id *id, struct err *e)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;

	*id = (struct build_id){ 0 };
	if (elf_open(&f, path, e) < 0)
		return -1;
	elf_build_id(&f, id);
	return 0;
}

void elf_symbol_decode(const struct elf_file *f, const u8 *p, struct elf_symbol *out)
{
	out->name = elf_u32(f, p);
	if (f->is64) {
		out->info = p[offsetof(Elf64_Sym, st_info)];
		out->other = p[offsetof(Elf64_Sym, st_other)];
		out->shndx = elf_u16(f, p + offsetof(Elf64_Sym, st_shndx));
		out->value = elf_u64(f, p + offsetof(Elf64_Sym, st_value));
		out->size = elf_u64(f, p + offsetof(Elf64_Sym, st_size));
	} else {
		out->value = elf_u32(f, p + offsetof(Elf32_Sym, st_value));
		out->size = elf_u32(f, p + offsetof(Elf32_Sym, st_size));
		out->info = p[offsetof(Elf32_Sym, st_info)];
		out->other = p[offsetof(Elf32_Sym, st_other)];
		out->shndx = elf_u16(f, p + offsetof(Elf32_Sym, st_shndx));
	}
}
