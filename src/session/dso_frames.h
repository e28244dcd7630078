/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/dso_frames: a table of frames by object and address in it.
 */
#ifndef SESSION_DSO_FRAMES_H
#define SESSION_DSO_FRAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "session/session.h"

/* Shared by all workers; any thread, except where it says so. */
struct dso_frames {
	pthread_mutex_t lock; /* while it is made larger */
	_Atomic(u32) thrown_out; /* of the table as it is now */
	u32 most; /* sets that it may have */
	u8 apart[56]; /* what changes is in another cache line */
	struct frame_sets *_Atomic now;
};

/* Limits of its size, in sets of 64 bytes. */
enum { DSO_FRAMES_FEW = 1 << 13, DSO_FRAMES_MANY = 1 << 16 };
void dso_frames_init(struct dso_frames *p, u32 most);
/* The key of frames in an object whose addresses in the process are its own less shift; 0 = they
 * cannot be kept. */
u64 dso_frame_key(dso_id dso, bool kernel, u64 shift);
/* The key of frames of addresses that lie in no object, by level. */
u64 dso_frame_key_of_none(u8 cpumode);
/* These bits of a key, for frames that are the same wherever the object lies. */
enum { DSO_FRAME_SHIFT_BITS = 40 };
#define DSO_FRAME_ANY_SHIFT ((1ULL << DSO_FRAME_SHIFT_BITS) - 1)
/* Hash of a key and an address in the object, for the functions below. */
static inline u32 dso_frame_hash(u64 key, u64 addr)
{
	return (u32)hash_finish(addr ^ (key | DSO_FRAME_ANY_SHIFT));
}
/* 0 = not known, or being added. *nameless: it is known that the address has no symbol, from
 * another place of the object in memory. */
frame_id dso_frame_find(const struct dso_frames *p, u32 hash, u64 key, u64 addr, bool *nameless);
void dso_frame_prefetch(const struct dso_frames *p, u32 hash);
/* named: it has a symbol, so the frame is the same wherever the object lies. */
void dso_frame_add(struct dso_frames *p, u64 key, u64 addr, bool named, frame_id frame);
/* While no other thread uses it: smaller tables that it grew out of. */
void dso_frames_drop_old(struct dso_frames *p);
void dso_frames_release(struct dso_frames *p);

#endif
