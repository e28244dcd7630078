/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which samples are shown: lists of names and numbers, checked cheapest first. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "cmd/script/script.h"

static void parse_names(struct name_list *l, const char *text)
{
	VEC(char *) names = { 0 };

	for (const char *p = text, *end; text && *p; p = *end ? end + 1 : end) {
		end = strchrnul(p, ',');
		*VEC_PUSH(&names) = xstrndup(p, (size_t)(end - p));
	}
	VEC_SORT(&names, by_string);
	l->v = names.v;
	l->nr = names.nr;
}

static bool has_name(const struct name_list *l, const char *name)
{
	return bsearch(&name, l->v, l->nr, sizeof(name), by_string) != NULL;
}

static void free_names(struct name_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->v[i]);
	free(l->v);
}

static int parse_ids(struct id_list *l, const char *text, const char *what, struct err *e)
{
	VEC(u32) ids = { 0 };

	for (const char *p = text, *end; text && *p; p = *end ? end + 1 : end) {
		_cleanup_(mem_freep) char *word = NULL;
		u64 v;

		end = strchrnul(p, ',');
		word = xstrndup(p, (size_t)(end - p));
		if (!fmt_parse_u64(word, &v) || v > UINT32_MAX) {
			vec_free(&ids);
			return err_set(e, EINVAL, "Invalid %s list '%s'", what, text);
		}
		*VEC_PUSH(&ids) = (u32)v;
	}
	VEC_SORT(&ids, by_u32);
	l->v = ids.v;
	l->nr = ids.nr;
	return 0;
}

static bool has_id(const struct id_list *l, u32 id)
{
	return bsearch(&id, l->v, l->nr, sizeof(id), by_u32) != NULL;
}

/* -S takes names and addresses; a word of hexadecimal digits is an address too. */
static void split_symbols(struct script *s)
{
	VEC(u64) addrs = { 0 };

	for (size_t i = 0; i < s->symbol_names.nr; i++) {
		char *end;
		u64 v = strtoull(s->symbol_names.v[i], &end, 16);

		if (end != s->symbol_names.v[i] && !*end)
			*VEC_PUSH(&addrs) = v;
	}
	s->symbol_addrs = addrs.v;
	s->nr_symbol_addrs = addrs.nr;
}

int script_filters_init(struct script *s, struct err *e)
{
	parse_names(&s->comms, s->o.comms);
	parse_names(&s->dso_names, s->o.dsos);
	parse_names(&s->symbol_names, s->o.symbols);
	parse_names(&s->stop_names, s->o.stop_bt);
	split_symbols(s);
	if (s->o.addr_range && !fmt_parse_u64(s->o.addr_range, &s->addr_range))
		return err_set(e, EINVAL, "'%s' is no address range", s->o.addr_range);
	s->filter_symbols = s->symbol_names.nr || s->dso_names.nr;
	if (parse_ids(&s->pids, s->o.pids, "pid", e) < 0 ||
	    parse_ids(&s->tids, s->o.tids, "tid", e) < 0)
		return -1;
	return 0;
}

void script_filters_release(struct script *s)
{
	free_names(&s->comms);
	free_names(&s->dso_names);
	free_names(&s->symbol_names);
	free_names(&s->stop_names);
	free(s->symbol_addrs);
	free(s->pids.v);
	free(s->tids.v);
}

bool script_has_filters(const struct script *s)
{
	return s->pids.nr || s->tids.nr || s->comms.nr || s->filter_symbols ||
	       event_switch_used(&s->o.switches);
}

bool script_pass_thread(const struct script *s, const struct session_record *r)
{
	if (s->pids.nr && !has_id(&s->pids, r->sample->pid))
		return false;
	if (s->tids.nr && !has_id(&s->tids, r->sample->tid))
		return false;
	if (s->comms.nr) {
		const char *comm = model_str(s->model, r->site.comm);

		if (!has_name(&s->comms, comm))
			return false;
	}
	return true;
}

static bool pass_symbol(const struct script *s, const struct location *loc)
{
	if (loc->sym != SYM_NONE) {
		const struct symtab *st = dso_symtab(dso_table_get(s->dsos, loc->dso));

		if (has_name(&s->symbol_names, symtab_name(st, loc->sym)))
			return true;
		/* an address means the symbol that starts there, as mapped */
		u64 start = loc->ip - (loc->addr - symtab_start(st, loc->sym));

		for (size_t i = 0; i < s->nr_symbol_addrs && !s->addr_range; i++)
			if (s->symbol_addrs[i] == start)
				return true;
	}
	for (size_t i = 0; i < s->nr_symbol_addrs; i++)
		if (loc->ip - s->symbol_addrs[i] <= s->addr_range)
			return true;
	return false;
}

bool script_pass_code(struct script *s, struct session_worker *w, const struct session_record *r)
{
	if (!s->filter_symbols)
		return true;
	struct location loc;

	if (s->text)
		sample_text_locate(s->text, w, r, &loc);
	else
		session_locate(w, &r->site, r->sample->cpumode, r->sample->ip, &loc);
	if (s->dso_names.nr) {
		const struct dso *d = dso_table_get(s->dsos, loc.dso);

		if (!d || (!has_name(&s->dso_names, dso_short_name(d)) &&
			   !has_name(&s->dso_names, dso_long_name(d))))
			return false;
	}
	return !s->symbol_names.nr || pass_symbol(s, &loc);
}
