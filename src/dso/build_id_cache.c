/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/build_id_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/rw.h"

enum { COPY_CHUNK = 1 << 16, VDSO_MAX = 1 << 20, KALLSYMS_HEAD = 4096 };

bool build_id_cache_dir(char *buf, size_t size)
{
	const char *dir = getenv("PERF_BUILDID_DIR");
	const char *home = getenv("HOME");

	if (dir && dir[0])
		return snprintf(buf, size, "%s", dir) < (int)size;
	return home && home[0] && snprintf(buf, size, "%s/.debug", home) < (int)size;
}

/* mkdir -p; path is changed and restored. */
static bool make_dirs(char *path)
{
	for (char *p = path + 1; *p; p++) {
		int r;

		if (*p != '/')
			continue;
		*p = '\0';
		r = mkdir(path, 0755);
		*p = '/';
		if (r < 0 && errno != EEXIST)
			return false;
	}
	return !mkdir(path, 0755) || errno == EEXIST;
}

static bool copy_fd(int from, int to)
{
	_cleanup_(mem_freep) char *buf = xmalloc(COPY_CHUNK);

	for (;;) {
		ssize_t n = rw_read_full(from, buf, COPY_CHUNK);

		if (n < 0 || (n && rw_write_full(to, buf, (size_t)n) < 0))
			return false;
		if (n < COPY_CHUNK)
			return true;
	}
}

/* Under a name of our own first, so that nobody sees half a file. */
static bool copy_file(const char *from, const char *to)
{
	_cleanup_(mem_closep) int in = open(from, O_RDONLY | O_CLOEXEC);
	_cleanup_(mem_freep) char *temp = xasprintf("%s.%d", to, getpid());
	int out;
	bool ok;

	if (in < 0)
		return false;
	out = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (out < 0)
		return false;
	ok = copy_fd(in, out);
	ok = !close(out) && ok && !rename(temp, to);
	if (!ok)
		unlink(temp);
	return ok;
}

static bool has_id(const char *path, const struct build_id *id)
{
	struct build_id found = { 0 };

	return !build_id_of_file(path, &found, NULL) && found.size == id->size &&
	       !memcmp(found.bytes, id->bytes, id->size);
}

static bool store_file(const char *name, const char *to, const struct build_id *id, pid_t pid)
{
	char rooted[PATH_MAX];

	if (!has_id(name, id)) {
		if (pid <= 0 || snprintf(rooted, sizeof(rooted), "/proc/%d/root%s", pid, name) >=
					(int)sizeof(rooted))
			return false;
		name = rooted;
		if (!has_id(name, id))
			return false;
	}
	return !link(name, to) || errno == EEXIST || copy_file(name, to);
}

/* Without addresses the table is worth nothing. */
static bool kallsyms_readable(void)
{
	char head[KALLSYMS_HEAD];
	_cleanup_(mem_closep) int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : rw_read_full(fd, head, sizeof(head) - 1);

	if (n <= 0)
		return false;
	head[n] = '\0';
	return strncmp(head, "0000000000000000 ", 17) != 0 || strstr(head, "\nffff");
}

static bool store_vdso(const char *to)
{
	const u8 *base = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	ElfW(Ehdr) eh;
	size_t size;
	int fd;
	bool ok;

	if (!base)
		return false;
	/* its section headers are its end */
	memcpy(&eh, base, sizeof(eh));
	size = eh.e_shoff + (size_t)eh.e_shnum * eh.e_shentsize;
	if (size > VDSO_MAX)
		return false;
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	ok = !rw_write_full(fd, base, size);
	close(fd);
	return ok;
}

static bool store(const char *name, const char *entry, const struct build_id *id, pid_t pid)
{
	char to[PATH_MAX];
	const char *leaf = !strcmp(name, "[kernel.kallsyms]") ? "kallsyms"
			   : !strcmp(name, "[vdso]")	      ? "vdso"
							      : "elf";

	if (snprintf(to, sizeof(to), "%s/%s", entry, leaf) >= (int)sizeof(to))
		return false;
	if (!access(to, F_OK))
		return true;
	if (name[0] == '/')
		return store_file(name, to, id, pid);
	if (!strcmp(leaf, "vdso"))
		return store_vdso(to);
	return !strcmp(leaf, "kallsyms") && kallsyms_readable() && copy_file("/proc/kallsyms", to);
}

/* No way out of the cache by a hostile name: no part of it is "..". */
static bool stays_inside(const char *name)
{
	for (const char *at = name; (at = strstr(at, "..")); at += 2) {
		if ((at == name || at[-1] == '/') && (!at[2] || at[2] == '/'))
			return false;
	}
	return strlen(name) <= PATH_MAX / 2;
}

void build_id_cache_add(const char *dir, const char *name, const struct build_id *id, pid_t pid)
{
	_cleanup_(strbuf_releasep) struct strbuf hex = STRBUF_INIT;
	_cleanup_(mem_freep) char *link = NULL, *entry = NULL, *target = NULL;
	char *slash;

	if (id->size < 2 || !stays_inside(name))
		return;
	fmt_build_id(&hex, id->bytes, id->size);
	link = xasprintf("%s/.build-id/%.2s/%s", dir, hex.buf, hex.buf + 2);
	if (!access(link, F_OK))
		return;
	entry = xasprintf("%s/%s/%s", dir, name[0] == '/' ? name + 1 : name, hex.buf);
	if (!make_dirs(entry))
		return;
	if (!store(name, entry, id, pid)) {
		rmdir(entry);
		return;
	}
	slash = strrchr(link, '/');
	*slash = '\0';
	make_dirs(link);
	*slash = '/';
	target = xasprintf("../../%s/%s", name[0] == '/' ? name + 1 : name, hex.buf);
	/* a dangling link of old gives way */
	unlink(link);
	if (symlink(target, link) < 0)
		return;
}
