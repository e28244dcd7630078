/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysfs_tree: a made-up /sys for tests, unpacked from tests/data/sysfs/NAME.tree.
 */
#ifndef TESTS_SYSFS_TREE_H
#define TESTS_SYSFS_TREE_H

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"

static inline void tree_mkdirs(char *path)
{
	for (char *s = strchr(path + 1, '/'); s; s = strchr(s + 1, '/')) {
		*s = '\0';
		mkdir(path, 0700);
		*s = '/';
	}
}

static inline void tree_write(const char *root, const char *path, const char *content)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	tree_mkdirs(full);
	int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(rw_write_full(fd, content, strlen(content)), 0);
	assert_int_equal(rw_write_full(fd, "\n", 1), 0);
	close(fd);
}

/* Root directory of the unpacked tree; the caller frees it with tree_remove(). NULL name: empty. */
static inline char *tree_unpack(const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
	const char *data = getenv("TEST_DATA");
	char path[PATH_MAX];
	char *root = xstrdup("/tmp/perf-tree-XXXXXX");

	assert_non_null(mkdtemp(root));
	if (!name)
		return root;
	snprintf(path, sizeof(path), "%s/sysfs/%s.tree", data ? data : "tests/data", name);
	assert_int_equal(rw_slurp(path, &sb, NULL), 0);
	for (char *line = sb.buf; *line;) {
		char *end = strchrnul(line, '\n');
		char *next = *end ? end + 1 : end;
		char *tab;

		*end = '\0';
		tab = strchr(line, '\t');
		if (line[0] != '#' && tab) {
			*tab = '\0';
			tree_write(root, line, tab + 1);
		}
		line = next;
	}
	return root;
}

static inline int tree_unlink(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_remove(char *root)
{
	nftw(root, tree_unlink, 16, FTW_DEPTH | FTW_PHYS);
	free(root);
}

#endif
