/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kmem: options of perf kmem, and what its files have in common. The state machine is in
 * analyze/kmem_slab. */
#ifndef CMD_KMEM_KMEM_H
#define CMD_KMEM_KMEM_H

#include "analyze/kmem_slab.h"
#include "cli/command.h"
#include "recording/recording.h"

typedef int (*kmem_compare)(const struct kmem_slab_row *a, const struct kmem_slab_row *b);

/* How one of the tables is shown. */
struct kmem_table {
	bool shown;
	int lines; /* less than 0: all */
	size_t nr;
	kmem_compare by[8]; /* nr 0: as perf does */
};

enum kmem_which { KMEM_CALLERS, KMEM_OBJECTS, KMEM_TABLES };

struct kmem_opts {
	struct recording rec;
	struct kmem_table tables[KMEM_TABLES];
	bool slab;
	bool raw_ip;
	/* what -l and -s are for: those from here to before there */
	enum kmem_which from, until;
};

/* "frag,hit": -1 with *e, a key is unknown. What is named twice counts once. */
int kmem_parse_sort(struct kmem_table *t, const char *keys, struct err *e);
/* Both print; what the command returns. argv[0] of record is "record". */
int kmem_stat_main(struct kmem_opts *o);
int kmem_record_main(const struct config *config, int argc, const char **argv);

#endif
