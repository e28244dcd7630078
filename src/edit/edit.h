/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit: a recording is read and written again with something more in it, or less: records into
 * records. One thread calls; what is worth telling though it is no error goes to base/log.
 */
#ifndef EDIT_EDIT_H
#define EDIT_EDIT_H

#include "edit/embed.h"
#include "session/session.h"

/* Records of mappings get build ids: not, those of mappings that were used (the others go), all. */
enum map_ids { MAP_IDS_NONE, MAP_IDS_HIT, MAP_IDS_ALL };

struct edit_opts {
	struct session_opts
		session; /* how the input is read, more than once where that is needed */
	const char *output; /* NULL and "-": stdout */
	bool build_ids, build_id_all; /* those of objects that samples hit, or of all, are told */
	const char *known_build_ids; /* "ID PATH[,ID PATH...]" or file://PATH, NULL = none */
	bool sched_stat; /* times of sleeps go to where tasks went to sleep */
	bool jit, one_object; /* code of JIT compilers becomes ELF objects; one for each process */
	enum embed_what embed;
	bool convert_chains; /* copies of stacks become callchains */
	enum map_ids map_ids;
	bool aslr; /* other addresses */
	bool vm_times; /* times of guests' traces are changed in place */
	bool itrace, strip; /* traces are decoded; samples are left out */
	/* asked at the end of a reading with callers or names; may be NULL */
	void (*tell_losses)(struct session *s);
};

/*
 * Input and output are of one kind, file or stream. A signal that asks for the end ends a file well
 * and then the program. 0, 1 where the input is cut (told; the output has what was there), or -1.
 */
int edit_recording(const struct edit_opts *o, struct err *e);

#endif
