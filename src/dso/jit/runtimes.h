/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit/runtimes: runtimes that compile while they run: how they are recognised, and what they must
 * be told so that their code has names.
 */
#ifndef DSO_JIT_RUNTIMES_H
#define DSO_JIT_RUNTIMES_H

#include "base/types.h"

struct jit_runtime {
	const char *name;
	const char *files[2]; /* how the name of its program begins, and that of its library, which
			       * other programs map; one may be all, NULL behind it */
	const char *told_by[6]; /* words in the command line or environment that make it tell; NULL
				 * = the rest. None: it has no way */
	const char *mend; /* the command line that makes it tell */
	const char *means; /* what its callers need, NULL = nothing special */
	bool jitdump; /* told that way it writes jit-PID.dump: record -k mono */
	const char *flags; /* words of `mend` that follow the program's name; NULL = the user must
			      see where */
	const char *variable; /* one of the environment that does the same; NULL = none */
	u8 since; /* it can since 3.SINCE; 0 = always */
	const char *frames; /* the word without which its code keeps no frame pointers; NULL = none
			       is needed */
};

/* By the path of a mapped file; NULL: none of those that are known. */
const struct jit_runtime *jit_of_file(const char *path);
/* The word that makes it tell, among the words of a command line or environment: size bytes with a
 * NUL behind each. NULL: none is there. */
const char *jit_told_by(const struct jit_runtime *jit, const char *words, size_t size);
/* Whether the version that the name of a mapped file tells is too old to name its code. */
bool jit_is_too_old(const struct jit_runtime *jit, const char *path);
/* Whether it was told to keep frame pointers, where it must be, or the words are in a file that is
 * not read (@FILE). */
bool jit_keeps_frames(const struct jit_runtime *jit, const char *words, size_t size);
/* By the name of a thread (comm), NULL = unknown. */
const struct jit_runtime *jit_of_comm(const char *comm);

#endif
