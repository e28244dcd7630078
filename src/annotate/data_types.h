/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate/data_types: samples by address as samples by the types of variables that instructions
 * there access (types/types.h), as views: `perf annotate --data-type`. One thread at a time.
 */
#ifndef ANNOTATE_DATA_TYPES_H
#define ANNOTATE_DATA_TYPES_H

#include "agg/addresses.h"
#include "types/types.h"
#include "view/type_profile.h"

struct data_types;

/* Looks at all addresses; counts and types outlive it. */
struct data_types *data_types_new(struct session *s, const struct addresses *counts,
				  struct types *types);
void data_types_free(struct data_types *d); /* NULL is allowed */

/*
 * The types that the leader (and nr_events - 1 behind it) have samples of. name: the only one, with
 * or without "struct "; NULL = all. Valid until the next call.
 */
const struct view_types *data_types_view(struct data_types *d, u32 leader, u32 nr_events,
					 const char *name);
const struct view_type_stats *data_types_stats(const struct data_types *d);

#endif
