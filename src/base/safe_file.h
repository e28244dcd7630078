/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * safe_file: writing where other users have a say: in /tmp, in somebody's home under sudo, in
 * folders with links. What is behind a name may have been put there by another user, and may be
 * replaced at any moment; so what counts is what was opened, never what a path led to before.
 * doc/security.md tells the rules. Thread-safe.
 */
#ifndef BASE_SAFE_FILE_H
#define BASE_SAFE_FILE_H

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"

/* The folder of a path below the folder `at`, walked without following a link; make: parts that are
 * missing are made. Open; -1 with errno. */
int folder_below(int at, const char *path, bool make);
/* The folder that a path's last part lies in, open (O_PATH); *leaf: that part. -1 with errno. */
int folder_of(int at, const char *path, const char **leaf);
/*
 * A folder that keeps what we trust later, such as the build-id cache. For root: nobody else can
 * change what lies in it, nor what its path means: it and each folder above it belong to root and
 * are not writable to others (those above may be sticky). make: made where it is missing. Open; -1:
 * EPERM, somebody else can; ENOENT, there is none.
 */
int folder_trusted(const char *path, bool make, struct err *e);

/* A new file that appears under its name when it is whole. What had the name before is replaced,
 * not written to. */
struct new_file {
	int folder; /* borrowed */
	const char *name;
	char temp[256]; /* its name until then */
	int fd;
};

/* -1 with errno, also (unchanged) if there is no folder (-1). A name without '/', which must live
 * as long as the file. */
int new_file_open(struct new_file *f, int folder, const char *name, mode_t mode);
/* Gives it its name, and closes it. -1 with errno: it is gone. */
int new_file_keep(struct new_file *f);
/* Removes it; nothing after new_file_keep(). */
void new_file_drop(struct new_file *f);

/*
 * The file that a user named for output, as open(path, flags, mode) gives it: with O_CREAT, and
 * O_TRUNC or O_APPEND.
 * - A symbolic link is followed only if root or we made it (at the end of the path; before it, the
 * kernel decides).
 * - A file of ours with no second name, a device, a fifo of ours is opened as it is.
 * - Any other file is replaced by one of ours where it is to be empty (O_TRUNC), or refused where
 * it is to be kept. Never blocks on what is no fifo of ours. -1 with *e and errno.
 */
int output_file_open(const char *path, int flags, mode_t mode, struct err *e);
/* The same as fopen(path, "w"). */
FILE *output_file_stream(const char *path, struct err *e);
/*
 * Where a file is to be replaced by a new one (struct new_file) by what a user named: symbolic
 * links at its end that root or we made are followed, those of others refused. Its folder, open
 * (O_PATH); *leaf: its name there, in fresh memory. -1 with *e and errno.
 */
int output_file_place(const char *path, char **leaf, struct err *e);
/* Whether what a path names itself, links not followed, was put there by another user than us or
 * root. */
bool is_foreign(const struct stat *st);

#endif
