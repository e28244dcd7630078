/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack: members of an archive become files below one folder, whatever the archive says: names that
 * are absolute or have a part ".." are refused, no symbolic link on the way is followed, nothing is
 * written through an existing file, and links are made only where the caller allows them.
 */
#ifndef ARCHIVE_UNPACK_H
#define ARCHIVE_UNPACK_H

#include "archive/tar.h"

struct unpack_rules {
	/* Whether a symbolic link may be made; NULL = none. */
	bool (*link_allowed)(const char *name, const char *target);
	bool replace; /* existing files give way; else they are an error (EEXIST) */
	bool hidden;  /* names may have parts that begin with a dot */
	u32 mode;     /* bits that files may have */
};

/*
 * Make the member that `from` stands at, below the folder `dir`. 1: done; 0: left out by the rules, *e
 * says why; -1: it could not be made.
 */
int unpack_member(int dir, struct tar_reader *from, const struct tar_member *m,
		  const struct unpack_rules *rules, struct err *e);

#endif
