/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/elf/module_code.h"
#include "dso/elf/plt.h"
#include "dso/files.h"
#include "dso/jit/jitdump.h"
#include "dso/kcore_cache.h"
#include "dso/symbols/demangle.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { WE_ARE_BIG = false };
#else
enum { WE_ARE_BIG = true };
#endif

static void set_machine(struct dso_code *c)
{
	c->machine = c->file.machine;
	c->is64 = c->file.is64;
	c->big_endian = c->file.swap != WE_ARE_BIG;
}

/* Where an open file is, for a disassembler that is run. */
static void set_path(struct dso_code *c)
{
	char link[64], path[4096];
	ssize_t n;

	if (c->file.fd < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", c->file.fd);
	n = readlink(link, path, sizeof(path));
	if (n > 0 && (size_t)n < sizeof(path))
		strbuf_add(&c->path, path, (size_t)n);
}

static enum dso_code_problem open_user(struct dso_code *c)
{
	if (!dso_open_runtime(c->d, &c->file))
		return dso_is_replaced(c->d) ? DSO_CODE_REPLACED : DSO_CODE_NO_FILE;
	set_machine(c);
	set_path(c);
	c->got = elf_got_new();
	return DSO_CODE_THERE;
}

/* ------------------------------------------------------------------ kernel */

static bool holds(const struct elf_file *f, u64 vaddr)
{
	u64 offset;

	return elf_file_offset(f, vaddr, &offset);
}

static const char running_memory[] = "/proc/kcore";

/* (elf_open() opens no file that the kernel makes.) */
static int open_running(struct elf_file *f)
{
	int fd = open(running_memory, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -1 : elf_open_fd(f, fd, running_memory, NULL);
}

/* Memory of a kernel that holds an address of the object. */
static bool try_memory(struct dso_code *c, const char *path, u64 start)
{
	if (path == running_memory ? open_running(&c->file) < 0
				   : elf_open(&c->file, path, NULL) < 0)
		return false;
	if (holds(&c->file, start)) {
		strbuf_adds(&c->path, path);
		return true;
	}
	elf_close(&c->file);
	return false;
}

/* A function's: variables of CPUs have numbers of their own for addresses. */
static u64 address_in(struct dso *d)
{
	const struct symtab *st = dso_symtab(d);
	u32 nr = symtab_count(st);

	for (u32 i = 0; i < nr; i++)
		if (!symtab_is_data(st, i) && symtab_start(st, i) >> 63)
			return symtab_start(st, i);
	return d->start;
}

/* The copy beside the list of symbols that is used (record --kcore). */
static bool copy_beside(const char *kallsyms, struct strbuf *path)
{
	static const char name[] = "kallsyms";
	const char *slash = kallsyms ? strrchr(kallsyms, '/') : NULL;

	if (!slash || strcmp(slash + 1, name) != 0)
		return false;
	strbuf_add(path, kallsyms, (size_t)(slash + 1 - kallsyms));
	strbuf_adds(path, "kcore");
	return true;
}

static bool open_memory(struct dso_code *c)
{
	struct dso_table *t = c->d->table;
	struct strbuf path = STRBUF_INIT;
	const struct build_id *id = dso_kernel_id(t);
	u64 start = address_in(c->d);
	bool found = copy_beside(t->config.kallsyms, &path) && try_memory(c, path.buf, start);

	strbuf_reset(&path);
	if (!found && id->size) {
		_cleanup_(mem_freep) char *cache = xasprintf("%s/..", t->cache_dir);

		if (kcore_cache_newest(cache, id, &path)) {
			strbuf_adds(&path, "/kcore");
			found = try_memory(c, path.buf, start);
		}
	}
	if (!found && !t->foreign && dso_is_running_kernel(t, id))
		found = try_memory(c, running_memory, start);
	strbuf_release(&path);
	return found;
}

static void add_names(const struct symtab *st, struct module_names *names, bool enter)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	u32 nr = symtab_count(st);

	for (u32 i = 0; i < nr && (enter || names->v.nr); i++) {
		struct module_name *found;

		symtab_raw_name(st, i, &name);
		found = enter ? module_names_enter(names, name.buf)
			      : module_names_find(names, name.buf);
		if (found)
			module_name_is_at(found, symtab_start(st, i));
	}
}

static void find_in_kernel(void *ctx, struct module_names *others)
{
	struct dso *kernel = dso_table_kernel(ctx);

	if (kernel)
		add_names(dso_symtab(kernel), others, false);
}

static enum dso_code_problem open_module_file(struct dso_code *c)
{
	_cleanup_(module_names_release) struct module_names own = MODULE_NAMES_INIT;
	struct module_code_opts o = { .want = *dso_build_id(c->d),
				      .own = &own,
				      .find_others = find_in_kernel,
				      .ctx = c->d->table };
	enum module_code_problem problem = MODULE_CODE_NONE;

	add_names(dso_symtab(c->d), &own, true);
	for (int i = 0; i < DSO_MODULE_PLACES && problem != MODULE_CODE_OPEN; i++) {
		if (!dso_module_place(c->d, i, &c->path))
			continue;
		elf_close(&c->file);
		free(c->data);
		problem = module_code_open(&c->file, &c->data, c->path.buf, &o);
	}
	if (problem == MODULE_CODE_OPEN)
		return DSO_CODE_THERE;
	elf_close(&c->file);
	return problem == MODULE_CODE_OTHER ? DSO_CODE_REPLACED : DSO_CODE_NO_KERNEL;
}

static bool open_vmlinux(struct dso_code *c)
{
	const char *vmlinux = dso_kernel_file(c->d);

	c->moved = c->d->kernel_moved;
	if (!vmlinux || elf_open(&c->file, vmlinux, NULL) < 0)
		return false;
	strbuf_adds(&c->path, vmlinux);
	return true;
}

static enum dso_code_problem open_kernel(struct dso_code *c)
{
	bool module = c->d->kind == DSO_MODULE;
	enum dso_code_problem problem = DSO_CODE_THERE;

	dso_symtab(c->d);
	if (!(!module && open_vmlinux(c)) && !open_memory(c)) {
		c->moved = 0;
		if (module)
			problem = open_module_file(c);
		else if (!dso_open_stripped_kernel(c->d, &c->file, &c->path, &c->moved))
			problem = DSO_CODE_NO_KERNEL;
	}
	set_machine(c);
	return problem;
}

/* ------------------------------------------------------------------ JIT compilers */

static enum dso_code_problem open_jitdump(struct dso_code *c)
{
	const struct jitdump *j = dso_jitdump(c->d);

	c->fd = j ? jitdump_open(j, NULL) : -1;
	if (c->fd < 0)
		return DSO_CODE_NO_FILE;
	c->machine = (u16)j->machine;
	c->is64 = c->machine != EM_386 && c->machine != EM_ARM;
	c->big_endian = j->swap != WE_ARE_BIG;
	return DSO_CODE_THERE;
}

static size_t read_jitdump(const struct dso_code *c, u64 place, void *buf, size_t n)
{
	const struct jitdump *j = dso_jitdump(c->d);
	ssize_t got;

	VEC_FOR(&j->codes, code) {
		u64 in = place - code->place;

		if (!code->bytes || place < code->place || in >= code->size)
			continue;
		got = pread(c->fd, buf, (size_t)MIN((u64)n, code->size - in),
			    (off_t)(code->bytes + in));
		return got > 0 ? (size_t)got : 0;
	}
	return 0;
}

/* What a compiler that only tells names (perf-PID.map) has in memory now. */
static enum dso_code_problem open_process(struct dso_code *c)
{
	const struct dso_table *t = c->d->table;
	struct elf_file program = ELF_FILE_INIT;
	u32 pid = c->d->pid;
	char path[64];
	bool known;

	if (!pid || t->foreign || !dso_may_be_local(c->d) || dso_is_later_process(t, pid))
		return DSO_CODE_ENDED;
	snprintf(path, sizeof(path), "/proc/%u/mem", pid);
	c->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (c->fd < 0)
		return errno == ENOENT || errno == ESRCH ? DSO_CODE_ENDED : DSO_CODE_NO_ACCESS;
	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	known = elf_open(&program, path, NULL) == 0;
	c->machine = program.machine;
	c->is64 = program.is64;
	c->big_endian = program.swap != WE_ARE_BIG;
	c->process = pid;
	elf_close(&program);
	return known ? DSO_CODE_THERE : DSO_CODE_NO_ACCESS;
}

static size_t read_process(const struct dso_code *c, u64 addr, void *buf, size_t n)
{
	ssize_t got = addr <= INT64_MAX ? pread(c->fd, buf, n, (off_t)addr) : 0;

	return got > 0 ? (size_t)got : 0;
}

/* ------------------------------------------------------------------ lent */

void dso_code_lend(struct dso *d, struct dso_code *c, const struct dso_code_bytes *bytes)
{
	c->d = d;
	c->lent = *bytes;
	c->machine = dso_kernel_machine(d->table);
	c->is64 = true;
	c->big_endian = WE_ARE_BIG;
}

static size_t read_lent(const struct dso_code *c, u64 addr, void *buf, size_t n)
{
	u64 in = addr - c->lent.addr;

	if (in >= c->lent.size)
		return 0;
	n = MIN(n, c->lent.size - (size_t)in);
	memcpy(buf, c->lent.bytes + in, n);
	return n;
}

/* ------------------------------------------------------------------ all */

enum dso_code_problem dso_code_open(struct dso *d, struct dso_code *c)
{
	c->d = d;
	switch (d->kind) {
	case DSO_USER:
	case DSO_VDSO:
		return open_user(c);
	case DSO_KERNEL:
	case DSO_MODULE:
		return open_kernel(c);
	case DSO_JITDUMP:
		return open_jitdump(c);
	case DSO_PERF_MAP:
		return open_process(c);
	default:
		return DSO_CODE_NOT_RECORDED;
	}
}

static bool is_by_memory(const struct dso_code *c)
{
	return !elf_file_is_open(&c->file) || c->d->kind == DSO_KERNEL || c->d->kind == DSO_MODULE;
}

bool dso_code_shown(const struct dso_code *c, u64 addr, u64 *shown)
{
	if (!is_by_memory(c))
		return elf_segments_vaddr(c->file.segments, c->file.nr_segments, addr, shown);
	*shown = addr - c->moved;
	return true;
}

bool dso_code_addr(const struct dso_code *c, u64 shown, u64 *addr)
{
	if (!is_by_memory(c))
		return elf_file_offset(&c->file, shown, addr);
	*addr = shown + c->moved;
	return true;
}

/* How much of the file follows in the segment of a shown address. */
static u64 rest_of_segment(const struct elf_file *f, u64 shown)
{
	for (u32 i = 0; i < f->nr_segments; i++) {
		const struct elf_segment *s = &f->segments[i];

		if (s->type == PT_LOAD && shown >= s->vaddr && shown - s->vaddr < s->filesz)
			return s->filesz - (shown - s->vaddr);
	}
	return 0;
}

size_t dso_code_read(const struct dso_code *c, u64 shown, void *buf, size_t n)
{
	u64 offset;

	if (c->lent.bytes)
		return read_lent(c, shown, buf, n);
	if (c->process)
		return read_process(c, shown, buf, n);
	if (c->fd >= 0)
		return read_jitdump(c, shown, buf, n);
	if (!elf_file_offset(&c->file, shown, &offset))
		return 0;
	n = (size_t)MIN((u64)n, rest_of_segment(&c->file, shown));
	if (offset < c->file.size)
		n = (size_t)MIN((u64)n, c->file.size - offset);
	return n && elf_read(&c->file, offset, buf, n) ? n : 0;
}

static const struct elf_section *section_at(const struct dso_code *c, u64 shown)
{
	for (u32 i = 0; i < c->file.nr_sections; i++) {
		const struct elf_section *s = &c->file.sections[i];

		/* (thread-local variables that are 0 have no place) */
		if (s->flags & SHF_ALLOC && shown >= s->addr && shown - s->addr < s->size &&
		    !(s->flags & SHF_TLS && s->type == SHT_NOBITS))
			return s;
	}
	return NULL;
}

const char *dso_code_section(const struct dso_code *c, u64 shown)
{
	const struct elf_section *s = section_at(c, shown);

	return s && s->name[0] ? s->name : ".text";
}

/* Whether a symbol is in the section of a shown address, which it may be before. */
static bool is_one_section(const struct dso_code *c, u64 symbol, u64 shown)
{
	const struct elf_section *s = section_at(c, shown);
	u64 addr;

	return !s || !dso_code_addr(c, s->addr, &addr) || symbol >= addr;
}

/*
 * The symbols for a shown address, and where it lies among them; NULL: it has no place. Modules and
 * what is lent refer to the kernel, whose code they are.
 */
static const struct symtab *symbols_at(const struct dso_code *c, u64 shown, u64 *addr)
{
	struct dso *kernel = dso_table_kernel(c->d->table);
	const struct symtab *st;

	if (!dso_code_addr(c, shown, addr))
		return NULL;
	st = dso_symtab(c->d);
	if ((symtab_count(st) && *addr >= symtab_start(st, 0) && *addr < dso_symbols_end(c->d)) ||
	    !kernel || (!c->lent.bytes && c->d->kind != DSO_MODULE))
		return st;
	return dso_symtab(kernel);
}

const char *dso_code_function(const struct dso_code *c, u64 shown)
{
	u64 addr;
	const struct symtab *st = symbols_at(c, shown, &addr);
	u32 i = st ? symtab_find(st, addr) : SYM_NONE;

	return i != SYM_NONE && symtab_start(st, i) == addr ? symtab_name(st, i) : NULL;
}

static bool name_slot(const struct dso_code *c, u64 shown, struct strbuf *name)
{
	const struct elf_section *s = c->got ? section_at(c, shown) : NULL;

	return s && !strncmp(s->name, ".got", 4) && elf_got_name(c->got, &c->file, shown, name);
}

/* Names by symbol, direct-mapped: code refers to the same ones again and again. */
enum { CODE_NAMES = 1 << 8 };

struct code_name {
	const struct symtab *st; /* NULL = empty */
	u32 symbol;
	char *name;
};

static char *read_name(const struct dso_code *c, const struct symtab *st, u32 symbol)
{
	struct strbuf raw = STRBUF_INIT;
	char *plain = NULL;

	symtab_raw_name(st, symbol, &raw);
	if (is_mangled(raw.buf) && !c->d->table->config.no_demangle)
		plain = demangle(raw.buf, true);
	if (!plain)
		return strbuf_detach(&raw);
	strbuf_release(&raw);
	return plain;
}

static const char *name_of(struct dso_code *c, const struct symtab *st, u32 symbol)
{
	struct code_name *n;

	if (!c->names)
		c->names = XNEW_ARRAY(struct code_name, CODE_NAMES);
	n = &c->names[symbol % CODE_NAMES];
	if (n->st == st && n->symbol == symbol)
		return n->name;
	free(n->name);
	*n = (struct code_name){ st, symbol, read_name(c, st, symbol) };
	return n->name;
}

void dso_code_forget_names(struct dso_code *c)
{
	for (size_t i = 0; c->names && i < CODE_NAMES; i++)
		free(c->names[i].name);
	free(c->names);
	c->names = NULL;
}

bool dso_code_name(struct dso_code *c, u64 shown, struct strbuf *name, u64 *offset)
{
	u64 addr;

	if (name_slot(c, shown, name)) {
		*offset = 0;
		return true;
	}

	const struct symtab *st = symbols_at(c, shown, &addr);
	u32 i = st ? symtab_find_before(st, addr) : SYM_NONE;

	/* (0 stands for what a module's file refers to and has no known place) */
	if (i == SYM_NONE || (!shown && c->data) || !is_one_section(c, symtab_start(st, i), shown))
		return false;
	*offset = addr - symtab_start(st, i);
	strbuf_adds(name, name_of(c, st, i));
	return true;
}

void dso_code_close(struct dso_code *c)
{
	elf_close(&c->file);
	elf_got_free(c->got);
	c->got = NULL;
	free(c->data);
	dso_code_forget_names(c);
	strbuf_release(&c->path);
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}
