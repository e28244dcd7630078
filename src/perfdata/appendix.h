/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * appendix: the header features that perf 6.1 does not know. Bits for them in a file's header would
 * crash its `inject`, so they stand behind everything else: the bodies, a table, and an end by
 * which it is found. Format: doc/format/perf.data.md.
 */
#ifndef PERFDATA_APPENDIX_H
#define PERFDATA_APPENDIX_H

#include "abi/features.h"
#include "base/strbuf.h"
#include "base/types.h"

/* Whether a feature is written there instead of being told by a bit of the header. A recording of
 * sched stats, which perf 6.1 does not have, is nothing without the names of domains. */
static inline bool appendix_has(unsigned int feature)
{
	return feature > FEAT_PMU_CAPS && feature != FEAT_CPU_DOMAIN_INFO;
}

struct appendix_entry {
	u64 feature;
	u64 offset, size; /* of the body in the file */
};

struct appendix {
	struct appendix_entry entries[FEAT_BITS];
	size_t nr;
	u64 start; /* of the first body; without an appendix the file's end */
};

/* Of a file of that size. One that is not well formed is none. */
void appendix_read(struct appendix *a, int fd, u64 file_size, bool swap);
/* A body and its entry, for a file position base + out->len. */
void appendix_add(struct appendix *a, struct strbuf *out, u64 base, unsigned int feature,
		  const void *body, size_t len);
/* Table and end; nothing if nothing was added. */
void appendix_finish(const struct appendix *a, struct strbuf *out);

#endif
