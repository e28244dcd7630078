/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit: a recording is read and written again with something more in it, or less: records into
 * records. One thread calls; what is worth telling though it is no error goes to base/log.
 */
#ifndef EDIT_EDIT_H
#define EDIT_EDIT_H

#include "edit/embed.h"
#include "session/session.h"

/* Which MMAP records become MMAP2 with a build id: none; those of mappings with samples, while the
 * others are left out; all. */
enum map_ids { MAP_IDS_NONE, MAP_IDS_HIT, MAP_IDS_ALL };

struct edit_opts {
	struct session_opts session; /* of the input, which some edits read more than once */
	const char *output; /* NULL and "-": stdout */
	bool build_ids, build_id_all; /* written for objects with samples, or for all */
	const char *known_build_ids; /* "ID PATH[,ID PATH...]" or file://PATH, NULL = none */
	bool sched_stat; /* sleeping times are moved to the samples where tasks went to sleep */
	bool jit; /* code of JIT compilers becomes ELF objects: */
	bool one_object; /* one for each process, else one for each function */
	enum embed_what embed;
	bool convert_chains; /* copies of stacks become callchains */
	enum map_ids map_ids;
	bool aslr; /* addresses are replaced, so that none tells where memory was */
	bool vm_times; /* times of guests' traces are changed in place */
	bool itrace, strip; /* traces are decoded; samples are left out */
	/* asked at the end of a reading with callers or names; may be NULL */
	void (*tell_losses)(struct session *s);
};

/*
 * The output is a file if the input is one, else a stream. A signal that ends programs completes an
 * output file first. 0; 1: the input is cut, which was logged, and the output has what was there;
 * -1.
 */
int edit_recording(const struct edit_opts *o, struct err *e);

#endif
