/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A build-id cache as somebody else made it: links with any text, entries that are links
 * themselves. It is listed, searched, added to and emptied; nothing beside it may change. Input:
 * how to treat it (1 byte), the link's text, NUL, a name to add under, NUL, where a link lies (a
 * path below the cache), NUL, where that leads.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/build_id_cache.h"

enum { PARTS = 3, PART_MAX = 512 };

static const char canary[] = "nothing but this";

static void write_file(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);

	if (fd >= 0 && write(fd, text, strlen(text)) >= 0)
		close(fd);
}

static int nr_found;

static int count_one(const char *path UNUSED, const struct stat *st UNUSED, int type UNUSED,
		     struct FTW *ftw UNUSED)
{
	nr_found++;
	return 0;
}

static int remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
		      struct FTW *ftw UNUSED)
{
	return remove(path);
}

/* The files beside the cache are as they were made. */
static void check_beside(const char *top)
{
	char beside[64], text[sizeof(canary)] = "";
	int fd;

	snprintf(beside, sizeof(beside), "%s/beside", top);
	nr_found = 0;
	nftw(beside, count_one, 16, FTW_PHYS);
	if (nr_found != 5) /* beside, ID, ID/elf, ID/debug, elf */
		abort();
	snprintf(beside, sizeof(beside), "%s/beside/elf", top);
	fd = open(beside, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text)) != (ssize_t)strlen(canary) ||
	    strcmp(text, canary) != 0)
		abort();
	close(fd);
	nr_found = 0;
	nftw(top, count_one, 1, FTW_PHYS);
}

static void make_beside(int top)
{
	mkdirat(top, "beside", 0700);
	mkdirat(top, "beside/0123456789", 0700);
	write_file(top, "beside/elf", canary);
	write_file(top, "beside/0123456789/elf", canary);
	write_file(top, "beside/0123456789/debug", canary);
	mkdirat(top, "cache", 0700);
	mkdirat(top, "cache/.build-id", 0700);
	mkdirat(top, "cache/.build-id/01", 0700);
	mkdirat(top, "cache/usr", 0700);
	mkdirat(top, "cache/usr/0123456789", 0700);
	write_file(top, "cache/usr/0123456789/elf", canary);
}

/* A link somewhere in the cache, as an archive or a user may have put it there. */
static void put_link(int top, const char *where, const char *to)
{
	char path[PART_MAX + 8];

	snprintf(path, sizeof(path), "cache/%s", where);
	if (*where && *to && !strstr(where, ".."))
		symlinkat(to, top, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char top[] = "/dev/shm/fuzz_cache.XXXXXX";
	char part[PARTS + 1][PART_MAX] = { "" };
	char cache[64];
	struct build_id_cache_entries list = { 0 };
	struct build_id_cache_object o = { .fd = -1 };
	_cleanup_(mem_freep) char *path = NULL;
	const uint8_t *at = data + 1;
	int top_fd, found;

	if (!size || !mkdtemp(top))
		return 0;
	for (int i = 0; i <= PARTS && at < data + size; i++) {
		const uint8_t *end = memchr(at, 0, (size_t)(data + size - at));
		size_t len = (size_t)((end ? end : data + size) - at);

		memcpy(part[i], at, MIN(len, (size_t)PART_MAX - 1));
		at += len + 1;
	}
	top_fd = open(top, O_RDONLY | O_DIRECTORY);
	make_beside(top_fd);
	put_link(top_fd, part[2], part[3]);
	if (part[0][0])
		symlinkat(part[0], top_fd, "cache/.build-id/01/23456789");
	snprintf(cache, sizeof(cache), "%s/cache", top);
	build_id_parse("0123456789", &o.id);
	o.name = part[1];
	found = build_id_cache_open(cache, &o.id, &path);
	if (found >= 0)
		close(found);
	build_id_cache_link_is_sane(part[2], part[3]);
	build_id_cache_list(cache, &list);
	build_id_cache_entries_release(&list);
	if (data[0] & 1)
		build_id_cache_add(cache, &o, NULL);
	if (data[0] & 2)
		build_id_cache_remove(cache, &o.id, NULL);
	check_beside(top);
	close(top_fd);
	nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}
