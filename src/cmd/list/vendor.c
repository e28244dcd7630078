/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by the names of the CPU's vendor. */
#include <fnmatch.h>
#include <string.h>

#include "cmd/list/list.h"
#include "event/pfm.h"

static void show_event(void *ctx, const struct pfm_event *ev)
{
	struct list_query *q = ctx;
	const struct list_opts *o = q->out->opts;

	if ((q->glob && fnmatch(q->glob, ev->name, FNM_CASEFOLD)) ||
	    (o->unit && strcmp(o->unit, ev->pmu) != 0))
		return;
	list_item(q->out, &(struct list_item){ .name = ev->name,
					       .type = "Vendor event",
					       .unit = ev->pmu,
					       .topic = ev->pmu_desc,
					       .desc = ev->desc });
}

void list_vendor(struct list_query *q)
{
	pfm_each(show_event, q);
	list_section(q->out);
}

static bool has_core_pmu(struct list_query *q)
{
	pmu_catalog_scan(&q->pmus);
	VEC_FOR(&q->pmus.pmus, p)
		if ((*p)->core)
			return true;
	return false;
}

void list_vendor_countable(struct list_query *q)
{
	if (has_core_pmu(q))
		list_vendor(q);
}
