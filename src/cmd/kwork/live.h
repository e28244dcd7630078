/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live: perf kwork -b: the running machine in place of a recording. One thread. */
#ifndef CMD_KWORK_LIVE_H
#define CMD_KWORK_LIVE_H

#include "analyze/kwork_top.h"
#include "base/err.h"

struct kwork_live_opts {
	bool classes[KWORK_CLASSES];
	bool waits; /* see struct kwork_times_opts */
	bool by_task; /* time of CPUs in place of rows */
	const char *cpus; /* NULL = all */
	const char *const *command; /* NULL = until a signal comes */
	const struct dso_config *dso;
};

struct kwork_live;

/* The options are borrowed until it returns. Watches until the command ends or a signal comes.
 * Needs kwork_live_free() in any case. */
int kwork_live_run(struct kwork_live **out, const struct kwork_live_opts *o, struct err *e);
void kwork_live_free(struct kwork_live *l);

/* What was seen. Rows belong to l; the caller may put them into another order. */
struct kwork_row *kwork_live_rows(struct kwork_live *l, size_t *nr);
struct kwork_totals kwork_live_totals(const struct kwork_live *l);
/* How many events, and of these those for which there was no room. */
u64 kwork_live_events(const struct kwork_live *l, u64 *lost);
/* Of by_task. */
const struct kwork_top_part *kwork_live_parts(const struct kwork_live *l, size_t *nr);
const struct kwork_top_cpu *kwork_live_cpus(const struct kwork_live *l, size_t *nr);
const struct tasks *kwork_live_tasks(const struct kwork_live *l);
/* The name of an interrupt, softirq or function, as it is. */
void kwork_live_add_name(const struct kwork_live *l, const struct kwork_row *row,
			 struct strbuf *out);

#endif
