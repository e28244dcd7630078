/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack: members of an archive become files below one folder, whatever the archive says: names
 * that are absolute or have a part ".." are refused, no symbolic link on the way is followed,
 * nothing is written through an existing file, and symbolic links are made only where the caller
 * allows them. Hard links lead only to files that were made in the same run: of what lay there
 * before, nobody knows what else it is.
 */
#ifndef ARCHIVE_UNPACK_H
#define ARCHIVE_UNPACK_H

#include <sys/stat.h>

#include "archive/tar.h"
#include "base/map.h"
#include "base/vec.h"

struct unpack_rules {
	/* Whether a symbolic link may be made; NULL = none. */
	bool (*link_allowed)(const char *name, const char *target);
	bool replace; /* existing files give way; else they are an error (EEXIST) */
	bool hidden; /* names may have parts that begin with a dot */
	u32 mode; /* bits that files may have */
};

/* Unpacking into one folder. Zero it, set the first two, release it at the end. */
struct unpacking {
	int folder; /* borrowed */
	u32 max_made; /* files, links and folders; more are an error */
	u32 made;
	struct map by_file; /* files */
	VEC(struct unpacked_file {
		dev_t dev;
		ino_t ino;
	})
	files;
};

/*
 * Make the member that `from` stands at. 1: done; 0: left out by the rules, *e
 * says why; -1: it could not be made.
 */
int unpack_member(struct unpacking *u, struct tar_reader *from, const struct tar_member *m,
		  const struct unpack_rules *rules, struct err *e);
void unpacking_release(struct unpacking *u);

#endif
