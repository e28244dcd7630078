/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/note_id.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/rw.h"

enum {
	NOTE_HEADER = 12, /* name size, desc size, type */
	NOTE_GNU_BUILD_ID = 3,
	HEAD_BYTES = 4096, /* ELF header and program headers are nearly always within */
	MAX_NOTES = 1 << 16,
	MAX_PHDRS = 512,
};

bool note_id_from_notes(const void *notes, size_t len, size_t align, struct note_id *id)
{
	const u8 *p = notes;

	if (align != 8)
		align = 4;
	while (len >= NOTE_HEADER) {
		u32 name = bits_u32(p), desc = bits_u32(p + 4), type = bits_u32(p + 8);
		u64 desc_at = NOTE_HEADER + ALIGN_UP((u64)name, align);
		u64 next = desc_at + ALIGN_UP((u64)desc, align);

		if (desc_at + desc > len)
			return false;
		if (type == NOTE_GNU_BUILD_ID && name == 4 && !memcmp(p + NOTE_HEADER, "GNU", 4)) {
			id->size = (u8)MIN(desc, (u32)NOTE_ID_MAX);
			memset(id->data, 0, sizeof(id->data));
			memcpy(id->data, p + desc_at, id->size);
			return id->size != 0;
		}
		if (next > len)
			return false;
		p += next;
		len -= next;
	}
	return false;
}

struct note_segment {
	u64 offset, size, align;
	bool is_note;
};

static struct note_segment segment_at(const u8 *ph, bool is64)
{
	struct note_segment s;

	if (is64) {
		Elf64_Phdr p;

		memcpy(&p, ph, sizeof(p));
		s = (struct note_segment){ p.p_offset, p.p_filesz, p.p_align, p.p_type == PT_NOTE };
	} else {
		Elf32_Phdr p;

		memcpy(&p, ph, sizeof(p));
		s = (struct note_segment){ p.p_offset, p.p_filesz, p.p_align, p.p_type == PT_NOTE };
	}
	return s;
}

static bool id_in_segment(int fd, const u8 *head, size_t head_len, const struct note_segment *s,
			  struct note_id *id)
{
	_cleanup_(mem_freep) u8 *buf = NULL;

	if (!s->size || s->size > MAX_NOTES)
		return false;
	if (s->offset <= head_len && s->size <= head_len - s->offset)
		return note_id_from_notes(head + s->offset, s->size, s->align, id);
	buf = xmalloc(s->size);
	if (rw_pread_full(fd, buf, s->size, s->offset) != (ssize_t)s->size)
		return false;
	return note_id_from_notes(buf, s->size, s->align, id);
}

bool note_id_from_fd(int fd, struct note_id *id)
{
	u8 head[HEAD_BYTES];
	ssize_t n = rw_pread_full(fd, head, sizeof(head), 0);
	u64 phoff, phnum, phsize;
	bool is64;

	id->size = 0;
	if (n < (ssize_t)sizeof(Elf32_Ehdr) || memcmp(head, ELFMAG, SELFMAG) ||
	    head[EI_DATA] !=
		    (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB))
		return false;
	is64 = head[EI_CLASS] == ELFCLASS64;
	if (is64) {
		Elf64_Ehdr eh;

		memcpy(&eh, head, sizeof(eh));
		phoff = eh.e_phoff;
		phnum = eh.e_phnum;
		phsize = sizeof(Elf64_Phdr);
	} else {
		Elf32_Ehdr eh;

		memcpy(&eh, head, sizeof(eh));
		phoff = eh.e_phoff;
		phnum = eh.e_phnum;
		phsize = sizeof(Elf32_Phdr);
	}
	for (u64 i = 0; i < phnum && i < MAX_PHDRS; i++) {
		u64 at = phoff + i * phsize;
		struct note_segment s;

		if (at > (u64)n || phsize > (u64)n - at)
			return false;
		s = segment_at(head + at, is64);
		if (s.is_note && id_in_segment(fd, head, (size_t)n, &s, id))
			return true;
	}
	return false;
}

static bool from_file(const char *path, u64 ino, struct note_id *id)
{
	_cleanup_(mem_closep) int fd = input_open(path, 0, NULL);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || (ino && st.st_ino != ino))
		return false;
	return note_id_from_fd(fd, id);
}

bool note_id_from_path(const char *path, s32 pid, u64 ino, struct note_id *id)
{
	char rooted[PATH_MAX + 64];

	id->size = 0;
	if (path[0] != '/')
		return false;
	if (from_file(path, ino, id))
		return true;
	if (pid <= 0)
		return false;
	snprintf(rooted, sizeof(rooted), "/proc/%d/root%s", pid, path);
	return from_file(rooted, ino, id);
}

static bool from_notes_file(const char *path, struct note_id *id)
{
	struct strbuf sb = STRBUF_INIT;
	bool ok = !rw_slurp(path, &sb, NULL) && note_id_from_notes(sb.buf, sb.len, 4, id);

	strbuf_release(&sb);
	return ok;
}

bool note_id_of_vdso(struct note_id *id)
{
	const u8 *base = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	ElfW(Ehdr) eh;

	id->size = 0;
	if (!base)
		return false;
	memcpy(&eh, base, sizeof(eh));
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		ElfW(Phdr) ph;

		memcpy(&ph, base + eh.e_phoff + i * sizeof(ph), sizeof(ph));
		if (ph.p_type == PT_NOTE &&
		    note_id_from_notes(base + ph.p_offset, ph.p_filesz, ph.p_align, id))
			return true;
	}
	return false;
}

bool note_id_of_kernel(const char *sysfs, struct note_id *id)
{
	char path[PATH_MAX];

	id->size = 0;
	snprintf(path, sizeof(path), "%s/kernel/notes", sysfs ? sysfs : "/sys");
	return from_notes_file(path, id);
}

bool note_id_of_module(const char *sysfs, const char *name, struct note_id *id)
{
	char path[PATH_MAX];

	id->size = 0;
	snprintf(path, sizeof(path), "%s/module/%s/notes/.note.gnu.build-id",
		 sysfs ? sysfs : "/sys", name);
	return from_notes_file(path, id);
}
