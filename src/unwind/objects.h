/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects: the call frame information of all objects of a dso table, each read when it is first
 * needed, and what a thread remembers of the code at the addresses it met. Shared by the reader of
 * recordings and the recorder: they differ in how they find out what is mapped at an address.
 *
 * struct unwind_objects: any thread. struct unwind_cache: one thread.
 */
#ifndef UNWIND_OBJECTS_H
#define UNWIND_OBJECTS_H

#include "dso/dso.h"
#include "unwind/walk.h"

struct unwind_objects;

struct unwind_objects *unwind_objects_new(void);
void unwind_objects_free(struct unwind_objects *o);

/* What is mapped at an address. */
struct unwind_place {
	dso_id dso;
	struct dso *object; /* of that number; NULL: one without call frame information */
	u64 addr; /* in the object */
	u64 start, len; /* addresses around it for which that holds as well: those of one mapping */
};
/* At the source's time. False: nothing is mapped there. */
typedef bool unwind_find_fn(void *ctx, u64 pc, struct unwind_place *out);

/* Read the object's call frame information now; any thread. */
void unwind_objects_open(struct unwind_objects *o, const struct unwind_place *place);

/*
 * What the object's tables say of an address in it, step included (zeros: nothing); no trampolines.
 * Nothing is remembered: for a question, not for walks. Any thread; the rule lives as long as the
 * objects.
 */
struct unwind_rule unwind_objects_ask(struct unwind_objects *o, const struct unwind_place *place,
				      struct cfi_step *step);

struct unwind_cache;
struct unwind_cache *unwind_cache_new(void);
/* Forget everything: when the objects are others. */
void unwind_cache_clear(struct unwind_cache *c);
void unwind_cache_free(struct unwind_cache *c);

/* Whose stack is walked: an address space at a time. A walk asks for the mapping of an address when
 * it has left the one before. */
struct unwind_source {
	struct unwind_objects *objects;
	struct unwind_cache *cache;
	unwind_find_fn *find;
	void *ctx;
	u32 tid; /* of the thread */
	/* of the walk: the mapping that was found last */
	struct unwind_span span;
	struct dso *object;
	/* Memory of the process, for code that is in no file: bytes from an address on, and how
	 * many there are. NULL: memory cannot be read. ctx is that of find. */
	size_t (*memory)(void *ctx, u64 addr, void *into, size_t size);
	/* NULL: objects are read when they are needed. Else a walk ends at the first one that has
	 * not been read, as if nothing were mapped there, and tells which it is; its frames mean
	 * nothing then. */
	struct unwind_place *unread;
};

/* An unwind_lookup_fn; ctx is a struct unwind_source. */
void unwind_source_lookup(void *ctx, u64 pc, struct unwind_code *out);
/* Sets what a job needs to walk a stack of the source's process. */
void unwind_source_give(struct unwind_source *src, struct unwind_job *job);

#endif
