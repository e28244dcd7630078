/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "dso/symbols/kallsyms.h"

enum {
	KCORE_PAGE = 4096,
	GAP = 1 << 20, /* modules that are no farther apart are copied in one piece */
	PIECE = 256 << 10,
	MAX_SEGMENTS = 4096,
};

/* Addresses [from, to). */
struct kcore_range {
	u64 from, to;
};
typedef VEC(struct kcore_range) ranges;

static const char *const file_names[] = { "kallsyms", "modules", "kcore" };

static u64 page_down(u64 addr)
{
	return addr & ~(u64)(KCORE_PAGE - 1);
}

static u64 page_up(u64 addr)
{
	return page_down(addr + KCORE_PAGE - 1);
}

static void take_symbol(const char *line, struct kcore_range *kernel, ranges *modules)
{
	struct kallsyms_line l;

	if (!kallsyms_parse_line(line, line + strlen(line), &l) || !l.addr)
		return;
	if (kallsyms_line_is(&l, "_stext"))
		kernel->from = page_down(l.addr);
	else if (kallsyms_line_is(&l, "_etext"))
		kernel->to = page_up(l.addr);
	else if (strchr("tTwW", l.type) && l.module)
		*VEC_PUSH(modules) = (struct kcore_range){ page_down(l.addr),
							   page_down(l.addr) + KCORE_PAGE };
}

static void join_near(ranges *r)
{
	size_t n = 0;

	if (!r->nr)
		return;
	qsort(r->v, r->nr, sizeof(*r->v), by_u64);
	for (size_t i = 1; i < r->nr; i++) {
		if (r->v[i].from > r->v[n].to + GAP)
			r->v[++n] = r->v[i];
		else
			r->v[n].to = MAX(r->v[n].to, r->v[i].to);
	}
	r->nr = n + 1;
}

/* Where code is: the kernel's text first, then that of the modules. */
static int find_ranges(ranges *out, char *kallsyms, struct err *e)
{
	struct kcore_range kernel = { 0 };
	ranges modules = { 0 };
	char *next;

	for (char *line = strtok_r(kallsyms, "\n", &next); line; line = strtok_r(NULL, "\n", &next))
		take_symbol(line, &kernel, &modules);
	if (kernel.from >= kernel.to) {
		vec_free(&modules);
		err_set(e, EACCES, "kallsyms shows no addresses of the kernel's text");
		err_hint(e, "see sysctl kernel.kptr_restrict");
		return -1;
	}
	join_near(&modules);
	*VEC_PUSH(out) = kernel;
	VEC_FOR(&modules, m)
		*VEC_PUSH(out) = *m;
	vec_free(&modules);
	return 0;
}

struct core {
	int fd;
	Elf64_Ehdr head;
	Elf64_Phdr *segments;
};

static int core_open(struct core *c, const char *proc, struct err *e)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/kcore", proc);
	size_t size;

	*c = (struct core){ .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (c->fd < 0) {
		err_sys(e, errno, "cannot read '%s'", path);
		if (errno != ENOENT)
			err_hint(e, "--kcore is for root, and not for kernels in lockdown");
		else
			err_hint(e, "this kernel is built without it (CONFIG_PROC_KCORE)");
		return -1;
	}
	if (rw_pread_full(c->fd, &c->head, sizeof(c->head), 0) != sizeof(c->head) ||
	    memcmp(c->head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    c->head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    c->head.e_phentsize != sizeof(*c->segments) || c->head.e_phnum > MAX_SEGMENTS)
		return err_set(e, ENOEXEC, "'%s' is no core file of 64 bits", path);
	size = c->head.e_phnum * sizeof(*c->segments);
	c->segments = xmalloc(size + 1);
	if (rw_pread_full(c->fd, c->segments, size, c->head.e_phoff) != (ssize_t)size)
		return err_sys(e, errno, "cannot read '%s'", path);
	return 0;
}

static void core_close(struct core *c)
{
	free(c->segments);
	mem_closep(&c->fd);
}

int kcore_check(const char *proc, struct err *e)
{
	_cleanup_(core_close) struct core c = { .fd = -1 };

	return core_open(&c, proc, e);
}

/* Where an address is in the file; *room: how many bytes are there. */
static bool core_find(const struct core *c, u64 addr, u64 *offset, u64 *room)
{
	for (u32 i = 0; i < c->head.e_phnum; i++) {
		const Elf64_Phdr *s = &c->segments[i];

		if (s->p_type != PT_LOAD || addr < s->p_vaddr || addr - s->p_vaddr >= s->p_filesz)
			continue;
		*room = s->p_filesz - (addr - s->p_vaddr);
		*offset = s->p_offset + (addr - s->p_vaddr);
		return true;
	}
	return false;
}

static int copy_bytes(const struct core *c, int to, const Elf64_Phdr *s, u64 from, struct err *e)
{
	_cleanup_(mem_freep) u8 *piece = xmalloc(PIECE);

	for (u64 at = 0; at < s->p_filesz;) {
		size_t n = (size_t)MIN(s->p_filesz - at, (u64)PIECE);

		if (rw_pread_full(c->fd, piece, n, from + at) != (ssize_t)n)
			return err_sys(e, errno, "cannot copy the kernel's text");
		if (rw_pwrite_full(to, piece, n, s->p_offset + at))
			return err_sys(e, errno, "cannot write the copy of the kernel's text");
		at += n;
	}
	return 0;
}

/* Headers on the first page, then the ranges one behind the other. */
static int write_core(const struct core *c, int to, const ranges *r, struct err *e)
{
	size_t head_size = sizeof(c->head) + r->nr * sizeof(Elf64_Phdr);
	_cleanup_(mem_freep) u8 *head = xcalloc(1, head_size);
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)head;
	Elf64_Phdr *s = (Elf64_Phdr *)(void *)(head + sizeof(*h));
	u64 at = page_up(head_size);

	*h = c->head;
	h->e_type = ET_CORE;
	h->e_phoff = sizeof(*h);
	h->e_phnum = 0;
	h->e_entry = h->e_shoff = 0;
	h->e_shentsize = h->e_shnum = h->e_shstrndx = h->e_flags = 0;
	VEC_FOR(r, range) {
		u64 from, room;

		if (!core_find(c, range->from, &from, &room))
			continue;
		room = MIN(room, range->to - range->from);
		s[h->e_phnum] = (Elf64_Phdr){ .p_type = PT_LOAD,
					      .p_flags = PF_R | PF_W | PF_X,
					      .p_offset = at,
					      .p_vaddr = range->from,
					      .p_filesz = room,
					      .p_memsz = room,
					      .p_align = KCORE_PAGE };
		if (copy_bytes(c, to, &s[h->e_phnum], from, e) < 0)
			return -1;
		h->e_phnum++;
		at += page_up(room);
	}
	if (!h->e_phnum)
		return err_set(e, ENOENT, "kcore does not hold the kernel's text");
	return rw_pwrite_full(to, head, head_size, 0)
		       ? err_sys(e, errno, "cannot write the copy of the kernel's text")
		       : 0;
}

static int create(int dir, const char *name, struct err *e)
{
	int fd = openat(dir, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0400);

	if (fd < 0)
		err_sys(e, errno, "cannot make '%s'", name);
	return fd;
}

static int write_text(int dir, const char *name, const struct strbuf *text, struct err *e)
{
	_cleanup_(mem_closep) int fd = create(dir, name, e);

	if (fd < 0)
		return -1;
	return rw_write_full(fd, text->buf, text->len)
		       ? err_sys(e, errno, "cannot write '%s'", name)
		       : 0;
}

static int fill(const char *proc, int dir, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf kallsyms = STRBUF_INIT, modules = STRBUF_INIT;
	_cleanup_(mem_freep) char *kallsyms_path = xasprintf("%s/kallsyms", proc);
	_cleanup_(mem_freep) char *modules_path = xasprintf("%s/modules", proc);
	_cleanup_(core_close) struct core core = { .fd = -1 };
	_cleanup_(mem_closep) int fd = -1;
	ranges r = { 0 };
	int ret = -1;

	if (core_open(&core, proc, e) < 0 || rw_slurp(kallsyms_path, &kallsyms, e) < 0)
		return -1;
	/* a kernel that loads no modules has no list of them either */
	rw_slurp(modules_path, &modules, NULL);
	if (write_text(dir, file_names[0], &kallsyms, e) < 0 ||
	    write_text(dir, file_names[1], &modules, e) < 0)
		return -1;
	fd = create(dir, file_names[2], e);
	if (fd >= 0 && find_ranges(&r, kallsyms.buf, e) == 0)
		ret = write_core(&core, fd, &r, e);
	vec_free(&r);
	return ret;
}

int kcore_copy_to(const char *proc, const char *folder, struct err *e)
{
	_cleanup_(mem_closep) int fd = -1;

	if (mkdir(folder, 0700))
		return err_sys(e, errno, "cannot make directory '%s'", folder);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && fill(proc, fd, e) == 0)
		return 0;
	for (size_t i = 0; fd >= 0 && i < ARRAY_SIZE(file_names); i++)
		unlinkat(fd, file_names[i], 0);
	rmdir(folder);
	return -1;
}

int kcore_copy(const char *proc, const char *dir, struct err *e)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/kcore_dir", dir);

	return kcore_copy_to(proc, path, e);
}
