/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream: the records of an open perf.data, one chunk after the other. Inside of this module only;
 * the entry is perfdata_read().
 */
#ifndef PERFDATA_STREAM_H
#define PERFDATA_STREAM_H

#include "perfdata/reader.h"

/* Read [at, end) from the beginning; end ~0 = until the input ends. */
void stream_start(struct perfdata *f, u64 at, u64 end);
void stream_release(struct perfdata *f);

#endif
