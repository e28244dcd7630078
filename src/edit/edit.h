/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit: copies a recording with more in it, or less. One thread; notes that are no errors go to
 * base/log.
 */
#ifndef EDIT_EDIT_H
#define EDIT_EDIT_H

#include "edit/embed.h"
#include "session/session.h"

/* Which MMAP records become MMAP2 records with a build id: none; those of mappings with samples,
 * and the others are left out; all. */
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
	/* called at the end of each reading that resolved callers or names; may be NULL */
	void (*tell_losses)(struct session *s);
};

/*
 * The output is a file if the input is one, else a stream. A signal that would end the program
 * completes an output file first. 0; 1: the input was cut, which was logged, and the output has
 * what there was; -1.
 */
int edit_recording(const struct edit_opts *o, struct err *e);

#endif
