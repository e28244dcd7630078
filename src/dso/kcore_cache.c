/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/kcore_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "base/vec.h"

static const char top_name[] = "[kernel.kcore]";

VEC_TYPE(name_list, char *);

static void name_list_release(struct name_list *names)
{
	VEC_FOR(names, n)
		free(*n);
	vec_free(names);
}

static int newest_first(const void *a, const void *b)
{
	return strcmp(*(char *const *)b, *(char *const *)a);
}

/* Names of hexadecimal digits (ids, times) in a folder, the greatest first. */
static void list_names(int folder, struct name_list *out)
{
	int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = own < 0 ? NULL : fdopendir(own);

	if (!d) {
		if (own >= 0)
			close(own);
		return;
	}
	for (struct dirent *ent; (ent = readdir(d));)
		if (!ent->d_name[strspn(ent->d_name, "0123456789abcdef")])
			*VEC_PUSH(out) = xstrdup(ent->d_name);
	closedir(d);
	VEC_SORT(out, newest_first);
}

static int open_folder(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void kernel_folder(struct strbuf *out, const char *dir, const struct build_id *id)
{
	strbuf_reset(out);
	strbuf_addf(out, "%s/%s/", dir, top_name);
	fmt_build_id(out, id->bytes, id->size);
}

bool kcore_cache_newest(const char *dir, const struct build_id *id, struct strbuf *path)
{
	struct name_list names = { 0 };
	int folder;
	bool found;

	kernel_folder(path, dir, id);
	folder = id->size ? open_folder(AT_FDCWD, path->buf) : -1;
	if (folder < 0)
		return false;
	list_names(folder, &names);
	close(folder);
	found = names.nr > 0;
	if (found)
		strbuf_addf(path, "/%s", names.v[0]);
	name_list_release(&names);
	return found;
}

/* "NAME ADDRESS" of each module, and where the kernel's text begins. */
static bool read_places(int folder, const char *proc, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(mem_freep) char *kallsyms = xasprintf("%s%skallsyms", proc, *proc ? "/" : "");
	_cleanup_(mem_freep) char *modules = xasprintf("%s%smodules", proc, *proc ? "/" : "");
	const char *stext;
	char *rest = NULL;

	if (rw_slurp_at(folder, kallsyms, &text, NULL))
		return false;
	stext = strstr(text.buf, " T _stext\n");
	if (!stext || stext - text.buf < 16)
		return false;
	strbuf_add(out, stext - 16, 16);
	strbuf_reset(&text);
	/* Not there where the kernel has no loadable modules. */
	rw_slurp_at(folder, modules, &text, NULL);
	if (!text.len)
		return true;
	for (char *line = strtok_r(text.buf, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char name[128];
		unsigned long long start;

		if (sscanf(line, "%127s %*s %*s %*s %*s %llx", name, &start) == 2)
			strbuf_addf(out, " %s %llx", name, start);
	}
	return true;
}

static bool is_same(int kernel, const char *name, const struct strbuf *now)
{
	_cleanup_(strbuf_releasep) struct strbuf then = STRBUF_INIT;
	_cleanup_(mem_closep) int copy = open_folder(kernel, name);

	return copy >= 0 && read_places(copy, "", &then) && !strcmp(then.buf, now->buf);
}

bool kcore_cache_find(const char *dir, const struct build_id *id, const char *proc,
		      struct strbuf *path)
{
	_cleanup_(strbuf_releasep) struct strbuf now = STRBUF_INIT;
	_cleanup_(mem_closep) int kernel = -1;
	struct name_list names = { 0 };
	bool found = false;

	kernel_folder(path, dir, id);
	kernel = open_folder(AT_FDCWD, path->buf);
	if (kernel < 0 || !read_places(AT_FDCWD, proc, &now))
		return false;
	list_names(kernel, &names);
	for (size_t i = 0; i < names.nr && !found; i++) {
		found = is_same(kernel, names.v[i], &now);
		if (found)
			strbuf_addf(path, "/%s", names.v[i]);
	}
	name_list_release(&names);
	return found;
}

int kcore_cache_place(const char *dir, const struct build_id *id, struct strbuf *path,
		      struct err *e)
{
	struct timeval now;
	char when[32];
	struct tm tm;

	kernel_folder(path, dir, id);
	_cleanup_(mem_closep) int top = folder_trusted(dir, true, e);
	_cleanup_(mem_closep) int kernel =
		top < 0 ? -1 : folder_below(top, path->buf + strlen(dir), true);

	if (top < 0)
		return -1;
	if (kernel < 0)
		return err_sys(e, errno, "cannot make '%s'", path->buf);
	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &tm);
	strftime(when, sizeof(when), "%Y%m%d%H%M%S", &tm);
	strbuf_addf(path, "/%s%02u", when, (unsigned int)(now.tv_usec / 10000));
	return 0;
}

static bool remove_copy(int kernel, const char *name)
{
	static const char *const files[] = { "kcore", "kallsyms", "modules" };
	_cleanup_(mem_closep) int copy = open_folder(kernel, name);

	for (size_t i = 0; copy >= 0 && i < ARRAY_SIZE(files); i++)
		unlinkat(copy, files[i], 0);
	return copy >= 0 && !unlinkat(kernel, name, AT_REMOVEDIR);
}

int kcore_cache_purge(const char *dir, struct err *e)
{
	_cleanup_(mem_closep) int cache = folder_trusted(dir, false, NULL);
	_cleanup_(mem_closep) int top = cache < 0 ? -1 : open_folder(cache, top_name);
	struct name_list kernels = { 0 };
	int failed = 0;

	if (top < 0)
		return 0;
	list_names(top, &kernels);
	VEC_FOR(&kernels, k) {
		_cleanup_(mem_closep) int kernel = open_folder(top, *k);
		struct name_list copies = { 0 };

		if (kernel < 0)
			continue;
		list_names(kernel, &copies);
		VEC_FOR(&copies, c)
			failed += !remove_copy(kernel, *c);
		name_list_release(&copies);
		unlinkat(top, *k, AT_REMOVEDIR);
	}
	name_list_release(&kernels);
	return failed ? err_set(e, EPERM, "cannot remove everything in '%s/%s'", dir, top_name) : 0;
}
