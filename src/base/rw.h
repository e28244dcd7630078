/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rw: whole reads and writes on file descriptors, restarted on EINTR. Thread-safe.
 */
#ifndef BASE_RW_H
#define BASE_RW_H

#include "base/err.h"
#include "base/strbuf.h"

/* Bytes read: less than n only at the end of the file; -1 with errno on failure. */
ssize_t rw_read_full(int fd, void *buf, size_t n);
ssize_t rw_pread_full(int fd, void *buf, size_t n, u64 offset);
/* Append the string at offset, which ends at a NUL or after max bytes; false: it could not be read.
 */
bool rw_pread_string(int fd, u64 offset, size_t max, struct strbuf *out);
/* 0, or -1 with errno. */
int rw_write_full(int fd, const void *buf, size_t n);
int rw_pwrite_full(int fd, const void *buf, size_t n, u64 offset);

/*
 * Append a whole file of the kernel's or ours (/proc, /sys) to out, at most LIMIT_SMALL_FILE bytes.
 * dirfd may be AT_FDCWD. -1 and *e on failure. What somebody else may have put there is opened by
 * base/input.h, for rw_slurp_fd() to read; `what` names it in errors.
 */
int rw_slurp_fd(int fd, const char *what, struct strbuf *out, struct err *e);
int rw_slurp_at(int dirfd, const char *path, struct strbuf *out, struct err *e);
int rw_slurp(const char *path, struct strbuf *out, struct err *e);
/* First line of a small file without its newline into buf; -1 if it cannot be read. */
int rw_read_line(const char *path, char *buf, size_t size);
/* A decimal or 0x number from a small file; false if absent or no number. */
bool rw_read_u64(const char *path, u64 *value);

#endif
