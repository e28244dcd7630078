/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Archives, plain or compressed, into a folder of their own: nothing may appear beside it. */
#include <dirent.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/bzip.h"
#include "archive/tar.h"
#include "archive/unpack.h"
#include "base/mem.h"
#include "dso/build_id_cache.h"

enum { UNPACKED_MAX = 1 << 22 };

struct memory_source {
	struct byte_source source;
	const uint8_t *data;
	size_t left;
};

static ssize_t memory_read(struct byte_source *source, void *buf, size_t n, struct err *e UNUSED)
{
	struct memory_source *s = (struct memory_source *)source;

	n = MIN(n, s->left);
	memcpy(buf, s->data, n);
	s->data += n;
	s->left -= n;
	return (ssize_t)n;
}

static int remove_one(const char *path, const struct stat *st UNUSED, int type UNUSED,
		      struct FTW *ftw UNUSED)
{
	return remove(path);
}

static void unpack(struct tar_reader *t, int dir)
{
	const struct unpack_rules rules = {
		.link_allowed = build_id_cache_link_is_sane,
		.replace = true,
		.hidden = true,
		.mode = 0755,
	};
	struct unpacking u = { .folder = dir, .max_made = UINT32_MAX };
	struct tar_member m;
	u64 total = 0;

	while (tar_next(t, &m, NULL) > 0) {
		/* Some bytes of bzip2 make gigabytes. */
		total += m.size + 512;
		if (total > UNPACKED_MAX || strlen(m.name) > 8192 + 256)
			break;
		unpack_member(&u, t, &m, &rules, NULL);
	}
	unpacking_release(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_source from = { .source.read = memory_read, .data = data, .left = size };
	struct bzip_reader *b = bzip_reader_new(&from.source);
	char top[] = "/dev/shm/fuzz_tar.XXXXXX";
	unsigned int beside = 0;
	struct tar_reader t;
	int top_fd, dir;
	DIR *d;

	if (!mkdtemp(top))
		abort();
	top_fd = open(top, O_RDONLY | O_DIRECTORY);
	if (mkdirat(top_fd, "in", 0700))
		abort();
	dir = openat(top_fd, "in", O_RDONLY | O_DIRECTORY);
	tar_reader_init(&t, bzip_reader_source(b));
	unpack(&t, dir);
	tar_reader_release(&t);
	bzip_reader_free(b);
	d = fdopendir(top_fd);
	while (readdir(d))
		beside++;
	if (beside != 3) /* ".", "..", "in" */
		abort();
	closedir(d);
	close(dir);
	nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}
