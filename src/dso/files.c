/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the files behind objects are: the mapped ones, the vdso, separate debug information. */
#include "dso/files.h"

#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/rw.h"
#include "dso/dso_internal.h"
#include "dso/elf/debug.h"
#include "dso/elf/symbols.h"
#include "dso/elf/vdso32.h"

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

bool dso_other_root(u32 pid, struct strbuf *out)
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

bool dso_find_runtime(struct dso *d, struct elf_file *f)
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
		if (!dso_other_root(pids[i], &path))
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

bool dso_fetch_runtime(struct dso *d, struct elf_file *f)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	return debuginfod_find(d->table->remote, &d->build_id, DEBUGINFOD_PROGRAM, d->long_name,
			       &path) &&
	       dso_open_checked(d, &d->build_id, f, path.buf);
}

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

char debug_search_find(struct debug_search *s)
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

bool debug_search_fetch(struct debug_search *s)
{
	return debuginfod_find(s->d->table->remote, &s->id, DEBUGINFOD_DEBUG, s->d->long_name,
			       &s->path) &&
	       try_path(s);
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

bool dso_find_vdso(struct dso *d, struct elf_file *f)
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

bool dso_open_runtime(struct dso *d, struct elf_file *f)
{
	bool found = false;

	pthread_mutex_lock(&d->lock);
	d->build_id = *dso_build_id(d);
	if (d->kind == DSO_USER)
		found = dso_find_runtime(d, f) || dso_fetch_runtime(d, f);
	else if (d->kind == DSO_VDSO)
		found = dso_find_vdso(d, f);
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
	found = debug_search_find(&s) || debug_search_fetch(&s);
	pthread_mutex_unlock(&d->lock);
	if (found && path) {
		strbuf_reset(path);
		strbuf_adds(path, s.path.buf);
	}
	strbuf_release(&s.path);
	return found;
}
