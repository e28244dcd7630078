/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: --comms, --dsos, --symbols, --pid, --tid, --socket-filter and the parent of a sample.
 *
 * Names are compared once per number: the answers are kept by number and worker.
 */
#include <errno.h>

#include "agg/private.h"
#include "base/fmt.h"
#include "perfdata/info.h"

static const char default_parent[] = "^sys_|^do_page_fault";

static void split(struct agg_name_list *l, const char *text)
{
	char *save = NULL;

	if (!text)
		return;
	l->text = xstrdup(text);
	l->v = XNEW_ARRAY(const char *, strlen(text) + 1);
	for (char *p = strtok_r(l->text, ",", &save); p; p = strtok_r(NULL, ",", &save))
		l->v[l->nr++] = p;
}

static int parse_ids(const char *text, u32 **v, size_t *nr, struct err *e)
{
	struct agg_name_list l = { 0 };
	u64 id;
	int ret = 0;

	split(&l, text);
	*v = XNEW_ARRAY(u32, l.nr + 1);
	for (size_t i = 0; i < l.nr && !ret; i++) {
		if (fmt_parse_u64(l.v[i], &id) && id <= INT32_MAX)
			(*v)[(*nr)++] = (u32)id;
		else
			ret = err_set(e, EINVAL, "'%s' is not a process or thread number", l.v[i]);
	}
	free((void *)l.v);
	free(l.text);
	return ret;
}

static int compile(regex_t *r, bool *done, const char *expr, struct err *e)
{
	char text[128];
	int rc = regcomp(r, expr, REG_EXTENDED);

	if (rc) {
		regerror(rc, r, text, sizeof(text));
		return err_set(e, EINVAL, "Invalid regex: %s\n%s", expr, text);
	}
	*done = true;
	return 0;
}

static int parse_parallelism(struct agg *a, struct err *e)
{
	_cleanup_(mem_freep) u32 *levels = NULL;
	size_t nr;

	if (!a->c.parallelism)
		return 0;
	if (!fmt_parse_cpu_list(a->c.parallelism, &levels, &nr))
		return err_set(e, EINVAL,
			       "failed to parse parallelism filter list '%s': numbers as in 1-2,4",
			       a->c.parallelism);
	a->parallelism = XNEW_ARRAY(u64, PARALLELISM_MAX / 64 + 1);
	for (size_t i = 0; i < nr; i++) {
		if (!levels[i] || levels[i] > PARALLELISM_MAX)
			return err_set(e, EINVAL, "Requested parallelism level %u is invalid.",
				       levels[i]);
		a->parallelism[levels[i] / 64] |= 1ULL << levels[i] % 64;
	}
	return 0;
}

int agg_filter_init(struct agg *a, struct err *e)
{
	if (compile(&a->parent, &a->has_parent, a->c.parent ? a->c.parent : default_parent, e) < 0)
		return -1;
	if (a->c.ignore_callees &&
	    compile(&a->ignored, &a->has_ignored, a->c.ignore_callees, e) < 0)
		return -1;
	if (parse_parallelism(a, e) < 0)
		return -1;
	split(&a->comms, a->c.comms);
	split(&a->dsos, a->c.dsos);
	split(&a->symbols, a->c.symbols);
	if (parse_ids(a->c.pids, &a->pids, &a->nr_pids, e) < 0)
		return -1;
	return parse_ids(a->c.tids, &a->tids, &a->nr_tids, e);
}

static void release_list(struct agg_name_list *l)
{
	free((void *)l->v);
	free(l->text);
}

void agg_filter_release(struct agg *a)
{
	release_list(&a->comms);
	release_list(&a->dsos);
	release_list(&a->symbols);
	free(a->pids);
	free(a->tids);
	free(a->parallelism);
	if (a->has_parent)
		regfree(&a->parent);
	if (a->has_ignored)
		regfree(&a->ignored);
}

static bool in_list(const struct agg_name_list *l, const char *name)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->v[i], name))
			return true;
	return false;
}

static bool has_id(const u32 *v, size_t nr, u32 id)
{
	for (size_t i = 0; i < nr; i++)
		if (v[i] == id)
			return true;
	return false;
}

static bool comm_passes(struct agg *a, struct agg_worker *aw, str_id comm)
{
	u8 *memo = memo_at(&aw->comms, comm);

	if (!*memo)
		*memo = 1 + in_list(&a->comms, model_str(session_model(a->s), comm));
	return *memo == 2;
}

static bool dso_passes(struct agg *a, struct agg_worker *aw, dso_id dso)
{
	u8 *memo = memo_at(&aw->dsos, dso);

	if (!*memo) {
		struct dso *d = dso_table_get(session_dsos(a->s), dso);

		*memo = 1 + (d && (in_list(&a->dsos, dso_short_name(d)) ||
				   in_list(&a->dsos, dso_long_name(d))));
	}
	return *memo == 2;
}

static bool symbol_passes(struct agg *a, struct agg_worker *aw, frame_id frame)
{
	u8 *memo = memo_at(&aw->symbols, frame);

	if (!*memo) {
		const struct frame *f = session_frame_get(a->s, frame);

		*memo = 1 + (f->sym != SYM_NONE && in_list(&a->symbols, agg_symbol_name(a, f)));
	}
	return *memo == 2;
}

static bool socket_passes(struct agg *a, u32 cpu)
{
	const struct perfdata_info *info = perfdata_info(session_file(a->s));

	return info->cpus && cpu < info->cpus_avail && info->cpus[cpu].socket == a->c.socket;
}

/* Branches pass with the sample that has them. */
static frame_id sampled_frame(struct agg_sample_ctx *c)
{
	const struct sample *s = c->r->sample;

	return c->branch ? session_frame(c->w, &c->r->site, s->cpumode, s->ip) : agg_frame_of(c);
}

static dso_id sampled_dso(struct agg *a, struct agg_sample_ctx *c)
{
	const struct sample *s = c->r->sample;

	return a->needs_frame ? session_frame_get(a->s, sampled_frame(c))->dso
			      : session_dso(c->w, &c->r->site, s->cpumode, s->ip);
}

bool agg_filter_pass(struct agg *a, struct agg_worker *aw, struct agg_sample_ctx *c)
{
	const struct sample *s = c->r->sample;

	if (a->c.exclude_other && !agg_parent_of(a, aw, c))
		return false;
	if (a->comms.text && !comm_passes(a, aw, c->r->site.comm))
		return false;
	if (a->c.pids && !has_id(a->pids, a->nr_pids, s->pid))
		return false;
	if (a->c.tids && !has_id(a->tids, a->nr_tids, s->tid))
		return false;
	if (a->c.socket >= 0 && !socket_passes(a, s->cpu))
		return false;
	if (a->dsos.text && !dso_passes(a, aw, sampled_dso(a, c)))
		return false;
	return !a->symbols.text || symbol_passes(a, aw, sampled_frame(c));
}
