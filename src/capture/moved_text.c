/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/moved_text.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dso/elf/file.h"

/* Segments that share a page; a made file has tens of thousands, each of which would be held
 * against all. */
enum { SHOWN_MAX = 8 };

static u64 page_down(u64 addr)
{
	return addr & ~((u64)sysconf(_SC_PAGESIZE) - 1);
}

static u64 page_up(u64 addr)
{
	return page_down(addr + (u64)sysconf(_SC_PAGESIZE) - 1);
}

static bool is_plain_memory(const struct sys_map *m)
{
	static const char *const names[] = { "/anon_hugepage", "/memfd:", "[anon" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(m->path, names[i], strlen(names[i])))
			return true;
	return !*m->path;
}

static bool open_file(const struct sys_map *m, s32 pid, struct elf_file *f)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, m->path);
	return elf_open(f, path, NULL) == 0;
}

/* The address that the file's address 0 has, if the mapping shows this segment. */
static u64 bias_of(const struct elf_segment *s, const struct sys_map *m)
{
	return m->start - (m->pgoff - s->offset + s->vaddr);
}

static bool shows(const struct elf_segment *s, const struct sys_map *m)
{
	return s->type == PT_LOAD && m->pgoff >= page_down(s->offset) &&
	       m->pgoff < s->offset + s->filesz;
}

/* Whether the memory lies in the code of the file that a mapping shows another part of. */
static bool find_part(const struct elf_file *f, const struct sys_map *file, const struct sys_map *m,
		      u64 *pgoff)
{
	u32 tries = SHOWN_MAX;

	for (u32 i = 0; i < f->nr_segments && tries; i++) {
		u64 bias = bias_of(&f->segments[i], file);

		if (!shows(&f->segments[i], file) || page_down(bias) != bias)
			continue;
		tries--;
		for (u32 k = 0; k < f->nr_segments; k++) {
			const struct elf_segment *code = &f->segments[k];
			u64 start = bias + code->vaddr;

			if (code->type != PT_LOAD || !(code->flags & PF_X) ||
			    m->start < page_down(start) || m->end > page_up(start + code->filesz))
				continue;
			*pgoff = m->start - start + code->offset;
			return true;
		}
	}
	return false;
}

bool moved_text_next(struct moved_text *t, s32 pid, const struct sys_map *m, struct sys_map *was)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;

	if (m->path[0] == '/' && m->ino && !is_plain_memory(m)) {
		t->file = *m;
		t->end = m->end;
		return false;
	}
	if (!t->end || m->start != t->end || !(m->prot & SYS_MAP_EXEC) || !is_plain_memory(m) ||
	    !open_file(&t->file, pid, &f)) {
		t->end = 0;
		return false;
	}
	*was = t->file;
	was->start = m->start;
	was->end = t->end = m->end;
	was->prot = SYS_MAP_READ | SYS_MAP_EXEC;
	if (find_part(&f, &t->file, m, &was->pgoff))
		return true;
	t->end = 0;
	return false;
}
