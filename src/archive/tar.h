/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tar: archives in the ustar form of POSIX.1-1988 with GNU's records for long names; read are also
 * the extended headers of POSIX.1-2001 (path, linkpath, size).
 *
 * Source: pax(1), "ustar Interchange Format" and "pax Header Block"; the GNU tar manual, "Basic Tar
 * Format".
 */
#ifndef ARCHIVE_TAR_H
#define ARCHIVE_TAR_H

#include "archive/bytes.h"
#include "base/strbuf.h"

enum tar_kind {
	TAR_FILE,
	TAR_FOLDER,
	TAR_SYMLINK,
	TAR_HARDLINK, /* another name of an earlier member */
	TAR_OTHER, /* devices and the like */
};

struct tar_member {
	enum tar_kind kind;
	const char *name; /* as it stands there: any bytes, may lead anywhere */
	const char *target; /* of links, "" otherwise */
	u64 size; /* of files */
	u32 mode; /* 0777 at most */
	s64 mtime; /* s since 1970 */
};

/* Writing. Members belong to root. */
int tar_write_member(struct byte_sink *to, const struct tar_member *m, struct err *e);
/* The member and the bytes of fd, from its beginning: size must be what they are, or it is an
 * error. */
int tar_write_file(struct byte_sink *to, const struct tar_member *m, int fd, struct err *e);
int tar_write_bytes(struct byte_sink *to, const struct tar_member *m, const void *data,
		    struct err *e);
int tar_write_end(struct byte_sink *to, struct err *e);

/* Reading. */
struct tar_reader {
	struct byte_source data; /* the bytes of the current member; what is not read is skipped */
	struct byte_source *from;
	struct strbuf name, target;
	u64 left; /* bytes of the current member */
	u32 pad; /* behind them */
};

void tar_reader_init(struct tar_reader *t, struct byte_source *from);
void tar_reader_release(struct tar_reader *t);
/* 1 and the next member, whose strings live until the next call; 0 at the end; -1 with *e. */
int tar_next(struct tar_reader *t, struct tar_member *m, struct err *e);

#endif
