/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/opened: what an open session consists of.
 */
#ifndef SESSION_OPENED_H
#define SESSION_OPENED_H

#include "base/par.h"
#include "session/deferred.h"
#include "session/filter.h"
#include "session/worker.h"

/* A resolver as the session's options want it. */
struct resolver *session_new_resolver(struct session *s);
/* Take over what the header tells (in a pipe: has told by now): build ids, tracepoint formats. */
void session_learn(struct session *s);

struct session {
	struct session_opts opts;
	struct source *source;
	struct perfdata *file; /* its tables */
	char *recorded_kallsyms; /* beside the data, NULL = none */
	struct dso_table *dsos;
	struct model *model;
	struct resolver *resolver;
	struct stacks stacks;
	struct lbr_stacks *lbr; /* NULL = none are stitched together */
	struct ref_chains *ref_chains; /* NULL = samples without a chain have none */
	struct par *par;
	struct session_worker *workers;
	unsigned int nr_workers;
	struct tracefmt_set *formats;
	bool formats_tried;
	bool embedded_tried;
	struct err embedded_error; /* code 0 = none */
	u32 nr_build_ids; /* of the header's, known to the dso table */
	struct session_stats stats;
	struct filter filter;
	struct deferred deferred;
	bool running; /* workers may be adding chains */
	bool had_heads; /* the run that was last kept heads of samples */
	struct perfdata_malformed malformed; /* of side-band records */
};

#endif
