/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_id_cache: keeping copies of files by build id, in perf's layout, so that they are found
 * when the originals have been replaced:
 *
 *	DIR/PATH/ID/elf           the file (kallsyms, vdso for the special ones)
 *	DIR/PATH/ID/debug         its separate debug information, where there is some
 *	DIR/PATH/ID/probes        its statically defined trace points, see sdt_notes.h
 *	DIR/.build-id/xx/yyyy...  symbolic link to ../../PATH/ID
 *
 * Links of a cache are read, never followed: what is written or removed lies below DIR. Files are
 * made under new names and renamed: nothing that lies there is ever written to. Root writes and
 * removes only in a cache that nobody else can change (folder_trusted() in base/safe_file.h; else
 * EPERM). Thread-safe.
 */
#ifndef DSO_BUILD_ID_CACHE_H
#define DSO_BUILD_ID_CACHE_H

#include "base/vec.h"
#include "dso/dso.h"

/* The folder that is given, NULL = ~/.debug, into buf; false: there is no home. */
bool build_id_cache_dir(const char *given, char *buf, size_t size);

struct build_id_cache_object {
	const char *name; /* a path, "[kernel.kallsyms]", "[vdso]" */
	struct build_id id;
	int fd; /* open for reading; -1: by name */
	pid_t pid; /* without fd: a process whose mount namespace may know the path, 0 = none */
	struct debuginfod
		*remote; /* asked for debug information that is not in the usual place; NULL */
};

/*
 * Keep an object. When its id is there already, nothing is done but to ask
 * remote for its debug information, where that is missing. -1 when the file is not there or does
 * not have that id (any more). A file of our own on the same file system is linked, others are
 * copied.
 */
int build_id_cache_add(const char *dir, const struct build_id_cache_object *o, struct err *e);
/* Whether something is kept under that id. */
bool build_id_cache_has(const char *dir, const struct build_id *id);
/* The folder of what is kept under an id, open; *path: "PATH/ID", fresh memory. -1: there is none.
 */
int build_id_cache_open(const char *dir, const struct build_id *id, char **path);
/* The same for what is to be trusted, or written to: -1 also where somebody else can change the
 * cache (EPERM). */
int build_id_cache_open_own(const char *dir, const struct build_id *id, char **path, struct err *e);
/* A file that has this id, open: what is looked at is what is read. -1; *code (errno) says why:
 * ESTALE, it is another object. */
int build_id_open_file(const char *path, const struct build_id *id, int *code);
/* -1: a cache may be there, but this user (root) must not use it, since somebody else can change
 * it; says what to do. */
int build_id_cache_check(const char *dir, struct err *e);
/* Whether a symbolic link is one of a cache: name ".build-id/xx/yyyy", target "../../PATH/xxyyyy".
 */
bool build_id_cache_link_is_sane(const char *name, const char *target);
/* Remove what is kept under an id. -1, ENOENT: nothing is. */
int build_id_cache_remove(const char *dir, const struct build_id *id, struct err *e);

struct build_id_cache_entry {
	char *name; /* as added; a path begins with '/' */
	struct build_id id;
};
VEC_TYPE(build_id_cache_entries, struct build_id_cache_entry);

/* All that is kept, by id. What is no entry is left out. */
void build_id_cache_list(const char *dir, struct build_id_cache_entries *out);
void build_id_cache_entries_release(struct build_id_cache_entries *entries);
/* Whether the original still has that id. */
bool build_id_cache_entry_is_current(const struct build_id_cache_entry *entry);

/* "0123ab..." to a build id; false: it is none. */
bool build_id_parse(const char *hex, struct build_id *id);

#endif
