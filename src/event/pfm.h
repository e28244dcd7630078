/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/pfm: the vendors' names of events, from libpfm4, which has tables of the CPU models of the
 * architecture it was built for. Not in every build: pfm_available() tells.
 *
 * The library keeps its state in globals, so: one thread. The model is this CPU, or the one that
 * $PERF_CPUID names; it is chosen at the first use.
 */
#ifndef EVENT_PFM_H
#define EVENT_PFM_H

#include "base/err.h"

bool pfm_available(void);

/* What an event is for perf_event_open. */
struct pfm_code {
	u32 type;
	u64 config, config1, config2;
	bool exclude_user, exclude_kernel, exclude_hv, exclude_guest, exclude_host;
	bool pinned, exclusive;
	u32 precise;
	u64 period, freq; /* 0 = not given */
	s32 cpu; /* -1 = not given */
};

/*
 * One event in libpfm's form: [PMU::]EVENT[:UMASK][:MODIFIER[=VALUE]]..., in any case. -1 and *e:
 * no such event, or a wrong part of it.
 */
int pfm_encode(const char *text, struct pfm_code *out, struct err *e);

struct pfm_event {
	const char *pmu, *pmu_desc;
	const char *name, *desc;
};
/* All events of the model with their unit masks ("EVENT:UMASK"), by PMU; strings live during visit.
 */
void pfm_each(void (*visit)(void *ctx, const struct pfm_event *ev), void *ctx);

#endif
