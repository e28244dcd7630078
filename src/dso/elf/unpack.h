/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack: ELF files as they stand on disk: plain, or packed with xz, gzip or zstd (kernel modules).
 */
#ifndef DSO_UNPACK_H
#define DSO_UNPACK_H

#include "dso/elf/file.h"

/*
 * An xz stream in fresh memory; NULL when it is broken, gives an unreasonable amount, or the
 * program was built without liblzma.
 */
void *unpack_xz(const void *in, size_t in_size, size_t *out_size);
/* Opens a file by what its first bytes say; *data is memory that must outlive f, NULL if none. */
int unpack_elf_file(const char *path, struct elf_file *f, void **data);

/* Bytes of all unpacked sections of one object. */
enum { UNPACK_ROOM = 1 << 30 };
/*
 * The bytes of a section, unpacked where it is compressed (gABI: SHF_COMPRESSED; .zdebug of old GNU
 * tools), in fresh memory; NULL when it has none, is broken, uses a method that is not built in or
 * needs more than *room, from which its size is taken if it was compressed.
 */
void *unpack_section(const struct elf_file *f, const struct elf_section *s, u64 *room,
		     size_t *size);
/* Whether a section is compressed. */
bool unpack_is_packed(const struct elf_section *s);

/* How far places are from each other from which unpacking can go on, in bytes of what comes out. */
enum { UNPACK_POINTS = 1 << 18 };
/* Of what becomes larger there are none: to unpack much of it twice takes too long. */
enum { UNPACK_ONCE = 8 << 20 };

/*
 * The same in pieces: only of zlib and of files with a descriptor; NULL for the others. What is
 * unpacked is not checked by its sum. A state of 40 kB is kept every UNPACK_POINTS bytes that
 * unpacking has come by, so that it can go back there.
 */
struct unpack_stream *unpack_begin(const struct elf_file *f, const struct elf_section *s, u64 *room,
				   size_t *size);
/* Unpack the bytes in [from, upto), to out; returns where those end that are there: less than upto
 * where the stream is broken. */
size_t unpack_range(struct unpack_stream *u, int fd, u8 *out, size_t from, size_t upto);
/* Where it would begin to unpack for a byte. */
size_t unpack_start(struct unpack_stream *u, size_t from);
/* Bytes that were unpacked so far, some of them again and again. */
u64 unpack_work(const struct unpack_stream *u);
void unpack_end(struct unpack_stream *u); /* NULL is allowed */

#endif
