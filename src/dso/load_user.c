/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of what processes map: files, the vdso, code made by JIT compilers. */
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/rw.h"
#include "dso/elf/vdso32.h"
#include "dso/dso_internal.h"
#include "dso/elf/debug.h"
#include "dso/elf/file.h"
#include "dso/elf/plt.h"
#include "dso/elf/symbols.h"
#include "dso/files.h"
#include "dso/symbols/go_symbols.h"
#include "dso/symbols/embedded.h"
#include "dso/jit/jitdump.h"
#include "dso/jit/perf_map.h"

/* Opens a candidate and makes sure that it is the recorded object, where its build id is known. */
bool dso_open_checked(struct dso *d, const struct build_id *want, struct elf_file *f,
		      const char *path)
{
	struct build_id id;

	if (elf_open(f, path, NULL) < 0)
		return false;
	if (!want->size && dso_machine_runs(d->table, f->machine))
		return true;
	if (want->size && elf_build_id(f, &id) && build_id_equal(&id, want))
		return true;
	if (want->size) {
		d->replaced = true;
		dso_problem(d, "build id of '%s' differs from the recorded one", path);
	} else {
		dso_problem(d, "'%s' is of another architecture than the recording", path);
	}
	elf_close(f);
	return false;
}

static void add_id_path(const struct build_id *id, const char *dir, const char *tail,
			struct strbuf *out)
{
	strbuf_reset(out);
	strbuf_adds(out, dir);
	strbuf_addch(out, '/');
	fmt_build_id(out, id->bytes, 1);
	strbuf_addch(out, '/');
	fmt_build_id(out, id->bytes + 1, id->size - 1U);
	strbuf_adds(out, tail);
}

bool dso_build_id_path(const struct build_id *id, const char *dir, const char *tail,
		       struct strbuf *out)
{
	struct build_id own = build_id_unpadded(id);

	if (!id->size)
		return false;
	add_id_path(&own, dir, tail, out);
	if (own.size != id->size && access(out->buf, F_OK) < 0)
		add_id_path(id, dir, tail, out);
	return true;
}

/* File `name` of an object in the build-id cache. */
bool dso_cache_path(const struct dso_table *t, const struct build_id *id, const char *name,
		    struct strbuf *out)
{
	return dso_build_id_path(id, t->cache_dir, name, out);
}

static bool has_other_mounts(u32 pid)
{
	char path[64];
	char theirs[64];
	char ours[64];
	ssize_t n;
	ssize_t m;

	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	n = readlink(path, theirs, sizeof(theirs));
	m = readlink("/proc/self/ns/mnt", ours, sizeof(ours));
	return n > 0 && m > 0 && (n != m || memcmp(theirs, ours, (size_t)n) != 0);
}

/* As by chroot(): the kernel tells names as seen from there. */
static bool is_below_our_root(u32 pid)
{
	struct stat theirs;
	struct stat ours;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/root/.", pid);
	return !stat(path, &theirs) && !stat("/", &ours) &&
	       (theirs.st_ino != ours.st_ino || theirs.st_dev != ours.st_dev);
}

/* The root folder of a process that has other files than we; false: it is ours or gone. */
static bool other_root(u32 pid, struct strbuf *out)
{
	if (!pid || (!has_other_mounts(pid) && !is_below_our_root(pid)))
		return false;
	strbuf_reset(out);
	strbuf_addf(out, "/proc/%u/root", pid);
	return true;
}

/* The name without the mark of a file that has been removed since; false if it has none. */
static bool undeleted_name(const char *name, struct strbuf *out)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(name);

	if (len < sizeof(mark) || strcmp(name + len - strlen(mark), mark) != 0)
		return false;
	strbuf_add(out, name, len - strlen(mark));
	return true;
}

/* "ADDR-ADDR" of a mapping of that file in a line of /proc/PID/maps; 0 = another file. */
static size_t maps_range(const char *line, const char *name)
{
	enum { FIELDS_BEFORE_NAME = 5 };
	static const char mark[] = " (deleted)";
	const char *p = line;
	size_t len = strlen(name);

	for (int i = 0; i < FIELDS_BEFORE_NAME; i++) {
		p += strcspn(p, " \n");
		p += strspn(p, " ");
	}
	if (strncmp(p, name, len) != 0)
		return 0;
	p += len;
	if (strncmp(p, mark, strlen(mark)) == 0)
		p += strlen(mark);
	return *p == '\n' ? strcspn(line, " ") : 0;
}

/* Whether the link /proc/PID/exe is to that file. */
static bool is_program(const char *link, const char *name)
{
	static const char mark[] = " (deleted)";
	char target[4096];
	size_t len = strlen(name);
	ssize_t n = readlink(link, target, sizeof(target) - 1);

	if (n < 0)
		return false;
	target[n] = '\0';
	return strncmp(target, name, len) == 0 && (!target[len] || strcmp(target + len, mark) == 0);
}

/*
 * A file that a running process has mapped, whatever became of its name: it was removed or
 * replaced, or belongs to other mounts.
 */
static bool open_mapped(struct dso *d, struct elf_file *f, u32 pid)
{
	_cleanup_(strbuf_releasep) struct strbuf maps = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	char proc[64];
	size_t range = 0;
	const char *line;

	snprintf(proc, sizeof(proc), "/proc/%u/maps", pid);
	if (!pid || rw_slurp(proc, &maps, NULL) < 0)
		return false;
	line = maps.buf;
	while (*line && !(range = maps_range(line, d->long_name))) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (!range)
		return false;
	strbuf_addf(&path, "/proc/%u/map_files/%.*s", pid, (int)range, line);
	if (dso_open_checked(d, &d->build_id, f, path.buf))
		return true;
	/* that needs privileges; one's own program does not */
	strbuf_reset(&path);
	strbuf_addf(&path, "/proc/%u/exe", pid);
	return is_program(path.buf, d->long_name) && dso_open_checked(d, &d->build_id, f, path.buf);
}

/* The mapped file itself: in the target's own root, below --symfs, in the build-id cache. */
static bool open_runtime(struct dso *d, struct elf_file *f)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf plain = STRBUF_INIT;
	u32 pids[] = { d->pid, d->last_pid };

	d->origin = 'd';
	/* A removed file's name may be in use again: by another file, unless the build id says so.
	 */
	if (!undeleted_name(d->long_name, &plain) || !d->build_id.size) {
		strbuf_reset(&plain);
		strbuf_adds(&plain, d->long_name);
	}
	/* (Numbers of processes mean others on another machine.) */
	for (size_t i = 0; !d->table->foreign && (d->build_id.size || dso_may_be_local(d)) &&
			   i < ARRAY_SIZE(pids);
	     i++) {
		if (!other_root(pids[i], &path))
			continue;
		strbuf_adds(&path, plain.buf);
		if (dso_open_checked(d, &d->build_id, f, path.buf))
			return true;
	}
	strbuf_reset(&path);
	strbuf_adds(&path, d->table->symfs);
	strbuf_adds(&path, plain.buf);
	if (dso_open_checked(d, &d->build_id, f, path.buf))
		return true;
	for (size_t i = 0; d->table->config.live && i < ARRAY_SIZE(pids); i++) {
		if (open_mapped(d, f, pids[i]))
			return true;
	}
	d->origin = 'B';
	if (dso_cache_path(d->table, &d->build_id, "/elf", &path) &&
	    dso_open_checked(d, &d->build_id, f, path.buf))
		return true;
	d->origin = 'd';
	/* It may still run, with a file that has lost its name. */
	for (size_t i = 0; !d->table->foreign && d->build_id.size && i < ARRAY_SIZE(pids); i++) {
		if (open_mapped(d, f, pids[i]))
			return true;
	}
	return false;
}

static bool fetch_runtime(struct dso *d, struct elf_file *f)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	return debuginfod_find(d->table->remote, &d->build_id, DEBUGINFOD_PROGRAM, d->long_name,
			       &path) &&
	       dso_open_checked(d, &d->build_id, f, path.buf);
}

/* What is known while separate debug information is looked for. */
struct debug_search {
	struct dso *d;
	const struct elf_file *runtime; /* NULL = not there */
	struct build_id id;
	struct strbuf path;
	struct elf_file *found;
};

/* A candidate counts only if it has a full symbol table. */
static bool try_path(struct debug_search *s)
{
	if (!dso_open_checked(s->d, &s->id, s->found, s->path.buf))
		return false;
	if (elf_symbols_kind(s->found) == ELF_SYMBOLS_SYMTAB)
		return true;
	elf_close(s->found);
	return false;
}

/* Equal build ids are proof enough; where a side has none the sum must fit. */
static bool try_link(struct debug_search *s, u32 crc)
{
	struct build_id id;

	if (elf_open(s->found, s->path.buf, NULL) < 0)
		return false;
	if (elf_symbols_kind(s->found) == ELF_SYMBOLS_SYMTAB &&
	    (s->id.size && elf_build_id(s->found, &id) ? build_id_equal(&id, &s->id)
						       : elf_file_has_crc(s->found, crc)))
		return true;
	elf_close(s->found);
	return false;
}

static bool try_debuglink(struct debug_search *s)
{
	static const char *const dirs[] = { "", ".debug/" };
	_cleanup_(mem_freep) char *link = NULL;
	const char *name = s->d->long_name;
	const char *symfs = s->d->table->symfs;
	int dir_len;
	u32 crc;

	if (!s->runtime || name[0] != '/')
		return false;
	link = elf_debuglink(s->runtime, &crc);
	if (!link)
		return false;
	dir_len = (int)(strrchr(name, '/') + 1 - name);
	for (size_t i = 0; i <= ARRAY_SIZE(dirs); i++) {
		strbuf_reset(&s->path);
		if (i < ARRAY_SIZE(dirs))
			strbuf_addf(&s->path, "%s%.*s%s%s", symfs, dir_len, name, dirs[i], link);
		else
			strbuf_addf(&s->path, "%s/usr/lib/debug%.*s%s", symfs, dir_len, name, link);
		if (try_link(s, crc))
			return true;
	}
	return false;
}

/* Separate files with symbols, in perf's order: the letter of dso_symtab_origin(), 0 = none found.
 */
static char find_debug(struct debug_search *s)
{
	const char *symfs = s->d->table->symfs;
	_cleanup_(strbuf_releasep) struct strbuf dir = STRBUF_INIT;

	if (try_debuglink(s))
		return 'l';
	if (dso_cache_path(s->d->table, &s->id, "/debug", &s->path) && try_path(s))
		return 'D';
	strbuf_reset(&s->path);
	strbuf_addf(&s->path, "%s/usr/lib/debug%s.debug", symfs, s->d->long_name);
	if (try_path(s))
		return 'f';
	strbuf_reset(&s->path);
	strbuf_addf(&s->path, "%s/usr/lib/debug%s", symfs, s->d->long_name);
	if (try_path(s))
		return 'u';
	strbuf_addf(&dir, "%s/usr/lib/debug/.build-id", symfs);
	return dso_build_id_path(&s->id, dir.buf, ".debug", &s->path) && try_path(s) ? 'b' : 0;
}

static bool fetch_debug(struct debug_search *s)
{
	return debuginfod_find(s->d->table->remote, &s->id, DEBUGINFOD_DEBUG, s->d->long_name,
			       &s->path) &&
	       try_path(s);
}

static void read_runtime_symbols(const struct elf_file *runtime, enum elf_symbols_kind kind,
				 struct symtab_builder *b)
{
	_cleanup_(elf_close) struct elf_file inner = ELF_FILE_INIT;
	_cleanup_(mem_freep) void *data = NULL;

	elf_symbols_read(runtime, kind, runtime, ELF_SPACE_FILE, b);
	if (kind != ELF_SYMBOLS_SYMTAB && elf_mini_debug(runtime, &inner, &data))
		elf_symbols_read(&inner, elf_symbols_kind(&inner), runtime, ELF_SPACE_FILE, b);
	if (kind != ELF_SYMBOLS_SYMTAB)
		go_symbols_read(runtime, b);
}

/* The object's names that came with the recording. */
static void add_embedded(const struct embedded_object *o, struct symtab_builder *b)
{
	VEC_FOR(&o->symbols, s) {
		struct sym_row *row;
		size_t before = b->rows.nr;

		symtab_builder_add(b, s->start, s->end, s->name, (char)s->binding);
		if (b->rows.nr == before)
			return;
		row = VEC_LAST(&b->rows);
		row->data = s->flags & EMBEDDED_DATA;
		row->sizeless = s->flags & EMBEDDED_LABEL;
	}
}

struct symtab *dso_load_embedded(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	bool kernel = d->kind == DSO_KERNEL || d->kind == DSO_MODULE;

	d->origin = 'e';
	add_embedded(dso_embedded(d), &b);
	return symtab_build(&b, d->kind == DSO_PERF_MAP ? 0 : dso_symtab_flags(d->table, kernel));
}

/* There are symbols: whether they are those of the recorded object. */
static void trust(struct dso *d, const struct elf_file *runtime)
{
	struct stat st;

	d->problem = NULL;
	d->replaced = false;
	if (d->build_id.size)
		return;
	dso_assume(d);
	if (runtime && runtime->fd >= 0 && !fstat(runtime->fd, &st))
		d->unproven_time = st.st_mtime;
}

struct symtab *dso_load_user(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct debug_search s = { .d = d, .id = d->build_id, .path = STRBUF_INIT, .found = &debug };
	enum elf_symbols_kind kind = ELF_SYMBOLS_NONE;
	char debug_origin = 0;

	if (open_runtime(d, &runtime)) {
		s.runtime = &runtime;
		kind = elf_symbols_kind(&runtime);
		if (!s.id.size)
			elf_build_id(&runtime, &s.id);
	}
	if (kind != ELF_SYMBOLS_SYMTAB)
		debug_origin = find_debug(&s);
	/* The object itself, with all its names, is better; one that may be another is not. */
	if (dso_embedded(d) &&
	    !(d->build_id.size && (kind == ELF_SYMBOLS_SYMTAB || debug_origin))) {
		strbuf_release(&s.path);
		d->replaced = false;
		return dso_load_embedded(d);
	}
	if (debug_origin || (kind != ELF_SYMBOLS_SYMTAB && fetch_debug(&s))) {
		d->origin = debug_origin ? debug_origin : 'D';
		elf_symbols_read(&debug, ELF_SYMBOLS_SYMTAB, s.runtime ? s.runtime : &debug,
				 ELF_SPACE_FILE, &b);
	} else {
		if (!s.runtime && fetch_runtime(d, &runtime)) {
			d->origin = 'B';
			s.runtime = &runtime;
			kind = elf_symbols_kind(&runtime);
		}
		if (s.runtime)
			read_runtime_symbols(&runtime, kind, &b);
	}
	if (s.runtime)
		elf_plt_read(&runtime, &b);
	strbuf_release(&s.path);
	if (b.rows.nr)
		trust(d, s.runtime);
	else if (s.runtime)
		dso_problem(d, "no symbols in '%s'", d->long_name);
	else
		dso_problem(d, "cannot open '%s'", d->long_name);
	return symtab_build(&b, dso_symtab_flags(d->table, false));
}

/* That of this kernel. The recorded build id is that of the vdso which 64-bit programs have: the
 * same one tells that the kernel is the same. */
static bool open_vdso32(struct dso *d, const struct build_id *of_64, struct elf_file *f)
{
	struct dso_table *t = d->table;

	d->origin = 'd';
	if (d->build_id.size ? !build_id_equal(&d->build_id, of_64)
			     : !dso_is_running_kernel(t, dso_kernel_id(t)))
		return false;
	pthread_mutex_lock(&t->vdso32_lock);
	if (!t->vdso32_tried)
		vdso32_read(&t->vdso32);
	t->vdso32_tried = true;
	pthread_mutex_unlock(&t->vdso32_lock);
	return t->vdso32.len && elf_open_memory(f, t->vdso32.buf, t->vdso32.len, NULL) == 0;
}

/* This kernel's vdso, if it is the recorded one, else that of the build-id cache. */
static bool open_vdso(struct dso *d, struct elf_file *f)
{
	const ElfW(Ehdr) *vdso = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct build_id id = { 0 };
	size_t size = 0;
	bool own;

	/* Nothing tells the size of ours, but the section headers stand at its end. */
	if (vdso)
		size = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	d->origin = 'd';
	if (vdso && !d->table->foreign && elf_open_memory(f, vdso, size, NULL) == 0) {
		own = d->build_id.size && elf_build_id(f, &id)
			      ? build_id_equal(&id, &d->build_id)
			      : dso_is_running_kernel(d->table, dso_kernel_id(d->table));
		if (own && !d->is32)
			return true;
		elf_close(f);
	}
	if (d->is32)
		return open_vdso32(d, &id, f);
	d->origin = 'B';
	return dso_cache_path(d->table, &d->build_id, "/vdso", &path) &&
	       dso_open_checked(d, &d->build_id, f, path.buf);
}

struct symtab *dso_load_vdso(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;

	if (open_vdso(d, &f))
		elf_symbols_read(&f, elf_symbols_kind(&f), &f, ELF_SPACE_FILE, &b);
	if (!b.rows.nr)
		dso_problem(d, "the recorded vdso is not the running kernel's");
	else if (!d->build_id.size && !dso_kernel_id(d->table)->size)
		dso_assume(d);
	return symtab_build(&b, dso_symtab_flags(d->table, false));
}

bool dso_open_runtime(struct dso *d, struct elf_file *f)
{
	bool found = false;

	pthread_mutex_lock(&d->lock);
	d->build_id = *dso_build_id(d);
	if (d->kind == DSO_USER)
		found = open_runtime(d, f) || fetch_runtime(d, f);
	else if (d->kind == DSO_VDSO)
		found = open_vdso(d, f);
	pthread_mutex_unlock(&d->lock);
	return found;
}

u64 dso_entry(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	u64 vaddr = 0, offset = 0;
	u32 vaddr32 = 0;
	bool read = false;

	if (d->kind == DSO_USER && dso_open_runtime(d, &f) && !f.swap)
		read = f.is64 ? elf_read(&f, offsetof(Elf64_Ehdr, e_entry), &vaddr, sizeof(vaddr))
			      : elf_read(&f, offsetof(Elf32_Ehdr, e_entry), &vaddr32,
					 sizeof(vaddr32));
	vaddr += vaddr32;
	return read && vaddr && elf_file_offset(&f, vaddr, &offset) ? offset : 0;
}

bool dso_open_debug(struct dso *d, const struct elf_file *runtime, struct elf_file *f,
		    struct strbuf *path)
{
	struct debug_search s = { .d = d, .path = STRBUF_INIT, .found = f, .runtime = runtime };
	bool found;

	if (d->kind != DSO_USER)
		return false;
	pthread_mutex_lock(&d->lock);
	s.id = *dso_build_id(d);
	if (!s.id.size && runtime)
		elf_build_id(runtime, &s.id);
	found = find_debug(&s) || fetch_debug(&s);
	pthread_mutex_unlock(&d->lock);
	if (found && path) {
		strbuf_reset(path);
		strbuf_adds(path, s.path.buf);
	}
	strbuf_release(&s.path);
	return found;
}

/* The pid that a process has in its own namespace, 0 = unknown. */
static u32 inner_pid(u32 pid)
{
	_cleanup_(strbuf_releasep) struct strbuf status = STRBUF_INIT;
	char path[64];
	const char *line;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (!pid || rw_slurp(path, &status, NULL) < 0)
		return 0;
	line = strstr(status.buf, "\nNSpid:");
	if (!line)
		return 0;
	/* One number per nested namespace, the innermost last. */
	len = strcspn(line + 1, "\n") + 1;
	while (len > 0 && line[len - 1] >= '0' && line[len - 1] <= '9')
		len--;
	return (u32)strtoul(line + len, NULL, 10);
}

/* Of a running process in a container; false: it has it where all others have theirs. */
static bool inner_perf_map(u32 pid, struct strbuf *path)
{
	u32 inner = inner_pid(pid);

	if (!other_root(pid, path) && (!inner || inner == pid))
		return false;
	strbuf_addf(path, "/tmp/perf-%u.map", inner ? inner : pid);
	return true;
}

static bool has_perf_map(const struct dso_table *t, u32 pid)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	if (embedded_has_perf_map(t, pid) ||
	    (inner_perf_map(pid, &path) && access(path.buf, F_OK) == 0))
		return true;
	strbuf_reset(&path);
	strbuf_addf(&path, "/tmp/perf-%u.map", pid);
	return access(path.buf, F_OK) == 0;
}

bool dso_table_is_jit_memory(const struct dso_table *t, const char *name, u32 pid)
{
	if (strncmp(name, "/memfd:", 7) != 0 && strncmp(name, "[anon", 5) != 0)
		return false;
	return has_perf_map(t, pid);
}

bool dso_table_wants_moved_text(const struct dso_table *t)
{
	return !t->config.plain_maps;
}

/* Embedded names are those of sampled code alone: one is enough. */
static bool embeds_code_in(const struct embedded_object *o, u64 start, u64 end)
{
	VEC_FOR(&o->symbols, sym)
		if (sym->start < end && sym->end > start)
			return true;
	return false;
}

bool dso_table_has_jit_code(struct dso_table *t, u32 pid, u64 start, u64 end)
{
	enum { PROBES = 64 };
	struct dso_key key = { .name = "//anon", .kind = DSO_PERF_MAP, .pid = pid };
	const struct symtab *st;
	struct dso *d;
	u32 found = 0;

	if (t->config.live || !has_perf_map(t, pid))
		return false;
	d = dso_table_get(t, dso_table_add(t, &key));
	if (dso_embedded(d))
		return embeds_code_in(dso_embedded(d), start, end);
	st = dso_symtab(d);
	for (u64 i = 0; i < PROBES; i++)
		found += symtab_find(st, start + (end - start) / PROBES * i) != SYM_NONE;
	return found >= PROBES / 2;
}

static int read_perf_map(const struct dso *d, const char *path, struct symtab_builder *b,
			 struct err *e)
{
	const char *objection = dso_map_objection(d->table, d->pid, path);

	if (objection)
		return err_set(e, EPERM, "'%s' %s", path, objection);
	return perf_map_read(b, path, d->table->config.force, e);
}

struct symtab *dso_load_perf_map(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct err e = ERR_INIT;

	d->origin = 'j';
	if (dso_may_be_local(d) && !dso_is_later_process(d->table, d->pid))
		inner_perf_map(d->pid, &path);
	if (!path.len || read_perf_map(d, path.buf, &b, &e) < 0) {
		e = (struct err)ERR_INIT;
		if (read_perf_map(d, d->long_name, &b, &e) < 0) {
			dso_problem(d, "%s", e.text);
			d->refused = e.code == EPERM;
		}
	}
	if (b.rows.nr)
		dso_assume(d);
	return symtab_build(&b, SYMTAB_LAST_WINS);
}

/* As if only the recorded functions had been made. */
static void embedded_jitdump(const struct dso *d, const struct embedded_object *o,
			     struct jitdump *j)
{
	jitdump_is_name(d->long_name, &j->pid);
	j->first_time = o->first_time;
	j->tsc = o->tsc;
	VEC_FOR(&o->codes, c) {
		struct jit_code *code;

		if (j->names.len > UINT32_MAX / 2)
			return;
		code = VEC_PUSH(&j->codes);
		*code = *c;
		code->name = (u32)j->names.len;
		strbuf_add(&j->names, o->code_names.v[c->name],
			   strlen(o->code_names.v[c->name]) + 1);
	}
}

/* Under lock. */
static const struct jitdump *read_jitdump(struct dso *d)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (d->jit)
		return d->jit;
	d->jit = XNEW(struct jitdump);
	*d->jit = (struct jitdump)JITDUMP_INIT;
	if (dso_embedded(d)) {
		embedded_jitdump(d, dso_embedded(d), d->jit);
		return d->jit;
	}
	if (!d->table->foreign && dso_may_be_local(d) && other_root(d->pid, &path))
		strbuf_adds(&path, d->long_name);
	if (!path.len || jitdump_read(d->jit, path.buf, 0, d->table->config.force, NULL) < 0) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s", d->table->symfs, d->long_name);
		if (jitdump_read(d->jit, path.buf, 0, d->table->config.force, &e) < 0)
			dso_problem(d, "%s", e.text);
	}
	return d->jit;
}

bool dso_table_read_jit(const struct dso_table *t, u32 pid, const char *name, u64 from,
			struct jitdump *out)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct stat st;

	if (!other_root(pid, &path))
		strbuf_reset(&path);
	strbuf_adds(&path, name);
	return stat(path.buf, &st) == 0 && (u64)st.st_size > from &&
	       jitdump_read(out, path.buf, from, t->config.force, NULL) == 0;
}

const struct jitdump *dso_jitdump(struct dso *d)
{
	const struct jitdump *j;

	if (d->kind != DSO_JITDUMP)
		return NULL;
	pthread_mutex_lock(&d->lock);
	j = read_jitdump(d);
	pthread_mutex_unlock(&d->lock);
	return j->codes.nr ? j : NULL;
}

struct symtab *dso_load_jitdump(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	const struct jitdump *j = read_jitdump(d);

	d->origin = 'j';
	/* Code that moved has its place twice. */
	VEC_FOR(&j->codes, c)
		symtab_builder_add(&b, c->place, c->place + c->size, j->names.buf + c->name, 'g');
	return symtab_build(&b, SYMTAB_LAST_WINS);
}

bool dso_file_build_id(struct dso *d, struct build_id *out)
{
	struct elf_file f = ELF_FILE_INIT;

	*out = d->build_id;
	if (out->size || d->kind != DSO_USER)
		return out->size > 0;
	dso_symtab(d); /* what follows must not be taken for a part of loading it */
	pthread_mutex_lock(&d->lock);
	char origin = d->origin;

	if (open_runtime(d, &f)) {
		if (!elf_build_id(&f, out))
			out->size = 0;
		elf_close(&f);
	}
	d->origin = origin;
	pthread_mutex_unlock(&d->lock);
	return out->size > 0;
}
