/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/note_id: GNU build ids of mapped files, the kernel and its modules, without any ELF
 * library: only the note headers are read. Thread-safe.
 *
 * Source: elf(5), "GNU build id" note (type 3, name "GNU").
 */
#ifndef CAPTURE_NOTE_ID_H
#define CAPTURE_NOTE_ID_H

#include "base/types.h"

enum { NOTE_ID_MAX = 20 };

struct note_id {
	u8 size; /* 0 = none */
	u8 data[NOTE_ID_MAX];
};

/* From a note section's bytes. */
bool note_id_from_notes(const void *notes, size_t len, size_t align, struct note_id *id);
/* From an ELF file's PT_NOTE segments (native byte order, 32 or 64 bit). */
bool note_id_from_fd(int fd, struct note_id *id);
/* path as the process pid sees it; dev/ino 0 = any, else the file must be that one. */
bool note_id_from_path(const char *path, s32 pid, u64 ino, struct note_id *id);
/* sysfs NULL = /sys. */
bool note_id_of_kernel(const char *sysfs, struct note_id *id);
/* The one mapped into this process. */
bool note_id_of_vdso(struct note_id *id);
bool note_id_of_module(const char *sysfs, const char *name, struct note_id *id);

#endif
