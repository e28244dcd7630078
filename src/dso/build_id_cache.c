/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/build_id_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "dso/dso_internal.h"
#include "dso/elf/file.h"
#include "dso/symbols/sdt_notes.h"

static const char links_name[] = ".build-id";

enum { COPY_CHUNK = 1 << 16, VDSO_MAX = 1 << 20, KALLSYMS_HEAD = 4096, ENTRIES_MAX = 1 << 20 };

bool build_id_cache_dir(const char *given, char *buf, size_t size)
{
	const char *home = getenv("HOME");

	if (given)
		return snprintf(buf, size, "%s", given) < (int)size;
	return home && home[0] && snprintf(buf, size, "%s/.debug", home) < (int)size;
}

static void build_id_hex(const struct build_id *id, char hex[2 * DSO_BUILD_ID_MAX + 1])
{
	for (size_t i = 0; i < id->size; i++)
		snprintf(hex + 2 * i, 3, "%02x", id->bytes[i]);
	hex[2 * id->size] = '\0';
}

/* The bytes at `at`, as many as there are up to `end`. */
static bool copy_range(int from, int to, u64 at, u64 end)
{
	_cleanup_(mem_freep) char *buf = xmalloc(COPY_CHUNK);

	while (at < end) {
		ssize_t n = rw_pread_full(from, buf, (size_t)MIN(end - at, COPY_CHUNK), at);

		if (n < 0 || rw_pwrite_full(to, buf, (size_t)n, at) < 0)
			return false;
		if (!n)
			return true;
		at += (u64)n;
	}
	return true;
}

/* As large as it is now, however it grows meanwhile; holes stay holes. */
static bool copy_fd(int from, int to)
{
	off_t at = 0, end;
	struct stat st;

	if (fstat(from, &st))
		return false;
	if (!st.st_size) /* the kernel's text, /proc/kallsyms */
		return copy_range(from, to, 0, LIMIT_SMALL_FILE);
	if ((u64)st.st_size >= LIMIT_OBJECT) {
		errno = EFBIG;
		return false;
	}
	if (ftruncate(to, st.st_size))
		return false;
	while ((at = lseek(from, at, SEEK_DATA)) >= 0 && at < st.st_size) {
		end = lseek(from, at, SEEK_HOLE);
		end = end < 0 ? st.st_size : MIN(end, st.st_size);
		if (!copy_range(from, to, (u64)at, (u64)end))
			return false;
		at = end;
	}
	return at >= 0 || errno == ENXIO;
}

static bool copy_file(int in, int entry, const char *name)
{
	struct new_file f;

	if (new_file_open(&f, entry, name, 0755))
		return false;
	if (copy_fd(in, f.fd))
		return !new_file_keep(&f);
	new_file_drop(&f);
	return false;
}

/*
 * The opened file itself, whatever its name means by now. Only what its owner alone can change, and
 * what is safe to keep after its name is gone: not a program with the rights of its owner, which an
 * update is to replace.
 */
static bool link_file(int in, int entry, const char *name)
{
	char self[64];
	struct stat st;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", in);
	return !fstat(in, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_ISUID | S_ISGID | S_IWOTH)) &&
	       !linkat(AT_FDCWD, self, entry, name, AT_SYMLINK_FOLLOW);
}

static bool link_or_copy(int in, int entry, const char *name)
{
	return link_file(in, entry, name) || copy_file(in, entry, name);
}

static bool write_text(int entry, const char *name, const void *text, size_t len)
{
	struct new_file f;

	if (new_file_open(&f, entry, name, 0644))
		return false;
	if (!rw_write_full(f.fd, text, len))
		return !new_file_keep(&f);
	new_file_drop(&f);
	return false;
}

static bool has_id(int fd, const struct build_id *id)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct build_id found;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return own >= 0 && !elf_open_fd(&f, own, "", NULL) && elf_build_id(&f, &found) &&
	       build_id_equal(&found, id);
}

int build_id_open_file(const char *path, const struct build_id *id, int *code)
{
	int fd = input_open(path, 0, NULL);

	if (fd < 0) {
		*code = errno;
		return -1;
	}
	if (has_id(fd, id))
		return fd;
	close(fd);
	*code = ESTALE;
	return -1;
}

static int open_named(const struct build_id_cache_object *o, int *code)
{
	char rooted[PATH_MAX];
	int fd;

	if (o->fd >= 0) {
		*code = ESTALE;
		return has_id(o->fd, &o->id) ? fcntl(o->fd, F_DUPFD_CLOEXEC, 0) : -1;
	}
	fd = build_id_open_file(o->name, &o->id, code);
	if (fd >= 0 || o->pid <= 0 ||
	    snprintf(rooted, sizeof(rooted), "/proc/%d/root%s", o->pid, o->name) >=
		    (int)sizeof(rooted))
		return fd;
	return build_id_open_file(rooted, &o->id, code);
}

/* Best effort: an object without them is worth keeping as well. */
static void store_debug(const struct build_id_cache_object *o, int entry)
{
	_cleanup_(strbuf_releasep) struct strbuf from = STRBUF_INIT;
	int code;

	dso_build_id_path(&o->id, "/usr/lib/debug/.build-id", ".debug", &from);
	_cleanup_(mem_closep) int fd = build_id_open_file(from.buf, &o->id, &code);

	if (fd < 0 && debuginfod_find(o->remote, &o->id, DEBUGINFOD_DEBUG, o->name, &from))
		fd = build_id_open_file(from.buf, &o->id, &code);
	if (fd >= 0)
		link_or_copy(fd, entry, "debug");
}

static void store_probes(int fd, const char *name, int entry)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (own < 0 || elf_open_fd(&f, own, "", NULL))
		return;
	sdt_notes_probes(&f, name, &text);
	write_text(entry, "probes", text.buf, text.len);
}

static bool store_file(const struct build_id_cache_object *o, int entry, int *code)
{
	_cleanup_(mem_closep) int fd = open_named(o, code);

	if (fd < 0)
		return false;
	if (!link_or_copy(fd, entry, "elf")) {
		*code = errno;
		return false;
	}
	store_probes(fd, o->name, entry);
	store_debug(o, entry);
	return true;
}

static bool has_addresses(const char *lines)
{
	static const char hidden[] = "0000000000000000 ";

	for (const char *s = lines; *s; s += *s == '\n') {
		if (strlen(s) > strlen(hidden) && strncmp(s, hidden, strlen(hidden)) != 0)
			return true;
		s += strcspn(s, "\n");
	}
	return false;
}

static bool store_kallsyms(int entry, int *code)
{
	_cleanup_(mem_closep) int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	char head[KALLSYMS_HEAD];
	ssize_t n = fd < 0 ? -1 : rw_read_full(fd, head, sizeof(head) - 1);

	*code = EPERM;
	if (n <= 0)
		return false;
	head[n] = '\0';
	/* Without addresses the table is worth nothing. (Variables of CPUs, which older kernels
	 * list first, have small ones.) */
	if (!has_addresses(head))
		return false;
	*code = EIO;
	return copy_file(fd, entry, "kallsyms");
}

static bool store_vdso(int entry, int *code)
{
	const u8 *base = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	_cleanup_(mem_closep) int fd = -1;
	ElfW(Ehdr) eh;
	size_t size;

	*code = ENOENT;
	if (!base)
		return false;
	/* its section headers are its end */
	memcpy(&eh, base, sizeof(eh));
	size = eh.e_shoff + (size_t)eh.e_shnum * eh.e_shentsize;
	if (size > VDSO_MAX)
		return false;
	if (!write_text(entry, "vdso", base, size)) {
		*code = errno;
		return false;
	}
	fd = openat(entry, "vdso", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		store_probes(fd, "[vdso]", entry);
	return true;
}

/* No way out of the cache by a hostile name: no part of it is "..". */
static bool stays_inside(const char *name)
{
	for (const char *at = name; (at = strstr(at, "..")); at += 2) {
		if ((at == name || at[-1] == '/') && (!at[2] || at[2] == '/'))
			return false;
	}
	return name[0] && strlen(name) <= PATH_MAX / 2;
}

static bool store(const struct build_id_cache_object *o, int entry, int *code)
{
	*code = EINVAL;
	if (o->name[0] == '/')
		return store_file(o, entry, code);
	if (!strcmp(o->name, "[vdso]"))
		return store_vdso(entry, code);
	return !strcmp(o->name, "[kernel.kallsyms]") && store_kallsyms(entry, code);
}

/* ".build-id/xx/yyyy", to the entry PATH/ID. */
static int make_link(int top, const char *hex, const char *entry)
{
	_cleanup_(mem_freep) char *target = xasprintf("../../%s", entry);
	char above[] = ".build-id/xx";
	_cleanup_(mem_closep) int links = -1;

	memcpy(above + sizeof(above) - 3, hex, 2);
	links = folder_below(top, above, true);
	if (links < 0)
		return -1;
	/* a link of old that dangles or leads elsewhere gives way */
	unlinkat(links, hex + 2, 0);
	return symlinkat(target, links, hex + 2);
}

/* A link's text "../../PATH/ID" without its dots; NULL: it is no entry of a cache. */
static const char *entry_of_text(const char *text, const char *head, const char *tail)
{
	const char *slash;

	if (strncmp(text, "../../", 6) != 0)
		return NULL;
	text += 6;
	slash = strrchr(text, '/');
	/* Its last part is the id itself. */
	if (!slash || slash == text || !stays_inside(text) || strncmp(slash + 1, head, 2) ||
	    strcmp(slash + 3, tail))
		return NULL;
	return text;
}

/* The entry that a link leads to, in buf (of PATH_MAX); NULL: none. */
static const char *entry_of_link(int links, const char *head, const char *tail, char *buf)
{
	char name[2 * DSO_BUILD_ID_MAX + 4];
	ssize_t n;

	if (snprintf(name, sizeof(name), "%s/%s", head, tail) >= (int)sizeof(name))
		return NULL;
	n = readlinkat(links, name, buf, PATH_MAX - 1);
	if (n <= 0)
		return NULL;
	buf[n] = '\0';
	return entry_of_text(buf, head, tail);
}

bool build_id_cache_link_is_sane(const char *name, const char *target)
{
	static const char top[] = ".build-id/";
	const char *id = name + strlen(top);
	char head[3];

	if (strncmp(name, top, strlen(top)) || strlen(id) < 4 || id[2] != '/' ||
	    strchr(id + 3, '/'))
		return false;
	snprintf(head, sizeof(head), "%s", id);
	return entry_of_text(target, head, id + 3) != NULL;
}

/* The files in a folder, not what lies deeper. Closes it. */
static void remove_files(int folder)
{
	DIR *d = fdopendir(folder);

	if (!d) {
		close(folder);
		return;
	}
	for (struct dirent *ent; (ent = readdir(d));)
		unlinkat(folder, ent->d_name, 0);
	closedir(d);
}

/* dir: for errors. */
static int remove_entry(int top, const char *dir, const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	_cleanup_(mem_freep) char *above = xstrndup(path, (size_t)(slash - path));
	_cleanup_(mem_closep) int parent = folder_below(top, above, false);
	int entry;

	if (parent < 0 && errno == ENOENT)
		return 0;
	entry = parent < 0 ? -1
			   : openat(parent, slash + 1,
				    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (entry < 0 && errno == ENOENT)
		return 0;
	if (entry < 0)
		return err_sys(e, errno, "cannot open '%s/%s'", dir, path);
	remove_files(entry);
	/* The kernel core's folders lie deeper and stay. */
	if (unlinkat(parent, slash + 1, AT_REMOVEDIR) && errno != ENOTEMPTY)
		return err_sys(e, errno, "cannot remove '%s/%s'", dir, path);
	return 0;
}

/* The link of an id below links_name, and in buf (of PATH_MAX) where it leads; NULL: there is none.
 */
static const char *find_entry(int top, const struct build_id *id,
			      char link[2 * DSO_BUILD_ID_MAX + 2], char *buf)
{
	_cleanup_(mem_closep) int links = folder_below(top, links_name, false);
	char hex[2 * DSO_BUILD_ID_MAX + 1], head[3];

	build_id_hex(id, hex);
	snprintf(head, sizeof(head), "%s", hex);
	snprintf(link, 2 * DSO_BUILD_ID_MAX + 2, "%s/%s", head, hex + strlen(head));
	return links < 0 || id->size < 2 ? NULL : entry_of_link(links, head, hex + 2, buf);
}

int build_id_cache_remove(const char *dir, const struct build_id *id, struct err *e)
{
	_cleanup_(mem_closep) int top = -1, links = -1;
	char hex[2 * DSO_BUILD_ID_MAX + 1], link[2 * DSO_BUILD_ID_MAX + 2], buf[PATH_MAX];
	struct err why = ERR_INIT;
	const char *path;

	build_id_hex(id, hex);
	top = folder_trusted(dir, false, &why);
	if (top < 0 && why.code == EPERM) {
		*e = why;
		return -1;
	}
	path = top < 0 ? NULL : find_entry(top, id, link, buf);
	if (!path)
		return err_set(e, ENOENT, "nothing with the build id %s is in '%s'", hex, dir);
	if (remove_entry(top, dir, path, e))
		return -1;
	links = folder_below(top, links_name, false);
	if (unlinkat(links, link, 0))
		return err_sys(e, errno, "cannot remove '%s/%s/%s'", dir, links_name, link);
	return 0;
}

/* The folder of what is kept under an id, as build_id_cache_open(). */
static int open_entry(int top, const struct build_id *id, char **path)
{
	char link[2 * DSO_BUILD_ID_MAX + 2], buf[PATH_MAX];
	const char *entry = find_entry(top, id, link, buf);
	int fd = entry ? folder_below(top, entry, false) : -1;

	if (fd >= 0)
		*path = xstrdup(entry);
	return fd;
}

int build_id_cache_check(const char *dir, struct err *e)
{
	struct err why = ERR_INIT;
	_cleanup_(mem_closep) int top = folder_trusted(dir, false, &why);

	if (top >= 0 || why.code != EPERM)
		return 0;
	*e = why;
	err_prefix(e, "the build-id cache is not used by root");
	err_hint(
		e,
		"name a folder of root's own: --buildid-dir DIR, PERF_BUILDID_DIR=DIR, or HOME=/root");
	return -1;
}

int build_id_cache_open(const char *dir, const struct build_id *id, char **path)
{
	_cleanup_(mem_closep) int top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return open_entry(top, id, path);
}

int build_id_cache_open_own(const char *dir, const struct build_id *id, char **path, struct err *e)
{
	_cleanup_(mem_closep) int top = folder_trusted(dir, false, e);
	int entry = top < 0 ? -1 : open_entry(top, id, path);

	if (top >= 0 && entry < 0)
		err_set(e, ENOENT, "the object is not in the build-id cache '%s'", dir);
	return entry;
}

/* What lies there has none yet, maybe since nobody was asked. */
static void complete_entry(int entry, const struct build_id_cache_object *o)
{
	if (o->remote && o->name[0] == '/' && faccessat(entry, "debug", F_OK, 0))
		store_debug(o, entry);
}

static int add_new(int top, const char *dir, const struct build_id_cache_object *o, struct err *e)
{
	_cleanup_(mem_freep) char *below = NULL;
	_cleanup_(mem_closep) int entry = -1;
	char hex[2 * DSO_BUILD_ID_MAX + 1];
	int code;

	build_id_hex(&o->id, hex);
	below = xasprintf("%s/%s", o->name + (o->name[0] == '/'), hex);
	entry = folder_below(top, below, true);
	if (entry < 0)
		return err_sys(e, errno, "cannot make '%s/%s'", dir, below);
	if (!store(o, entry, &code)) {
		_cleanup_(mem_freep) char *outer = xstrndup(below, strlen(below) - strlen(hex) - 1);
		_cleanup_(mem_closep) int above = folder_below(top, outer, false);

		/* A file that lay here before stays: it is not ours. */
		unlinkat(above, hex, AT_REMOVEDIR);
		if (code == ESTALE)
			return err_set(e, code, "'%s' has another build id by now", o->name);
		return err_sys(e, code, "cannot copy '%s'", o->name);
	}
	if (make_link(top, hex, below) < 0)
		return err_sys(e, errno, "cannot make '%s/.build-id/%.2s/%s'", dir, hex, hex + 2);
	return 0;
}

int build_id_cache_add(const char *dir, const struct build_id_cache_object *o, struct err *e)
{
	_cleanup_(mem_closep) int top = -1, entry = -1;
	_cleanup_(mem_freep) char *path = NULL;

	if (o->id.size < 2 || !stays_inside(o->name))
		return err_set(e, EINVAL, "'%s' cannot be kept", o->name);
	top = folder_trusted(dir, true, e);
	if (top < 0)
		return -1;
	entry = open_entry(top, &o->id, &path);
	if (entry < 0)
		return add_new(top, dir, o, e);
	complete_entry(entry, o);
	return 0;
}

bool build_id_cache_has(const char *dir, const struct build_id *id)
{
	_cleanup_(mem_freep) char *path = NULL;
	int entry = build_id_cache_open(dir, id, &path);

	if (entry >= 0)
		close(entry);
	return entry >= 0;
}

bool build_id_parse(const char *hex, struct build_id *id)
{
	size_t len = strspn(hex, "0123456789abcdef");

	*id = (struct build_id){ 0 };
	if (hex[len] || len < 4 || len % 2 || len > 2 * DSO_BUILD_ID_MAX)
		return false;
	id->size = (u8)(len / 2);
	for (size_t i = 0; i < id->size; i++) {
		const char two[] = { hex[2 * i], hex[2 * i + 1], '\0' };

		id->bytes[i] = (u8)strtoul(two, NULL, 16);
	}
	return true;
}

static void list_folder(int links, const char *head, struct build_id_cache_entries *out)
{
	int fd = openat(links, head, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	char buf[PATH_MAX];

	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	for (struct dirent *ent; out->nr < ENTRIES_MAX && (ent = readdir(d));) {
		const char *path = entry_of_link(links, head, ent->d_name, buf);
		char hex[2 * DSO_BUILD_ID_MAX + 1];
		struct build_id id;

		if (!path ||
		    snprintf(hex, sizeof(hex), "%s%s", head, ent->d_name) >= (int)sizeof(hex) ||
		    !build_id_parse(hex, &id))
			continue;
		*strrchr(buf, '/') = '\0';
		*VEC_PUSH(out) = (struct build_id_cache_entry){
			.name = xasprintf("%s%s", path[0] == '[' ? "" : "/", path),
			.id = id,
		};
	}
	closedir(d);
}

static int compare_entries(const void *a, const void *b)
{
	const struct build_id *x = &((const struct build_id_cache_entry *)a)->id;
	const struct build_id *y = &((const struct build_id_cache_entry *)b)->id;
	int c = memcmp(x->bytes, y->bytes, MIN(x->size, y->size));

	return c ? c : (x->size > y->size) - (x->size < y->size);
}

void build_id_cache_list(const char *dir, struct build_id_cache_entries *out)
{
	_cleanup_(mem_freep) char *top = xasprintf("%s/.build-id", dir);
	_cleanup_(mem_closep) int links = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int own = links < 0 ? -1 : fcntl(links, F_DUPFD_CLOEXEC, 0);
	DIR *d = own < 0 ? NULL : fdopendir(own);

	for (struct dirent *ent; d && (ent = readdir(d));)
		if (strlen(ent->d_name) == 2 && ent->d_name[0] != '.')
			list_folder(links, ent->d_name, out);
	if (d)
		closedir(d);
	VEC_SORT(out, compare_entries);
}

void build_id_cache_entries_release(struct build_id_cache_entries *entries)
{
	VEC_FOR(entries, entry)
		free(entry->name);
	vec_free(entries);
}

bool build_id_cache_entry_is_current(const struct build_id_cache_entry *entry)
{
	struct build_id id = { 0 };

	if (!strcmp(entry->name, "[kernel.kallsyms]")) {
		if (!build_id_of_kernel(&id))
			return false;
	} else if (entry->name[0] != '/' || build_id_of_file(entry->name, &id, NULL)) {
		return false;
	}
	return build_id_equal(&id, &entry->id);
}
