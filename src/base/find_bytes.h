/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find_bytes: where some bytes are among others, as memmem(), at a fraction of a cycle per byte:
 * for string tables of megabytes that are looked through for one name. Thread-safe (no state).
 */
#ifndef BASE_FIND_BYTES_H
#define BASE_FIND_BYTES_H

#include <stddef.h>

/* The first place of `what` in text; NULL: it is not there. what_len 0 is found at once. */
const char *find_bytes(const char *text, size_t len, const char *what, size_t what_len);

#endif
