/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording that perf kwork reads, and the names of work. */
#include <string.h>

#include "cmd/kwork/kwork.h"
#include "dso/dso.h"
#include "model/model.h"

bool kwork_parse_classes(const char *list, bool classes[KWORK_CLASSES], const char **word)
{
	static const char *const names[KWORK_CLASSES] = {
		[KWORK_IRQ] = "irq", [KWORK_SOFTIRQ] = "softirq", [KWORK_WORKQUEUE] = "workqueue"
	};

	for (size_t i = 0; i < KWORK_CLASSES; i++)
		classes[i] = !list;
	while (list && *list) {
		size_t len = strcspn(list, ", "), i = 0;

		while (i < KWORK_CLASSES &&
		       (strlen(names[i]) != len || strncmp(names[i], list, len) != 0))
			i++;
		if (len && i == KWORK_CLASSES) {
			*word = list;
			return false;
		}
		if (len)
			classes[i] = true;
		list += len + (list[len] != '\0');
	}
	return true;
}

struct kwork *kwork_open(struct kwork_cmd *c, struct kwork_opts *o, struct err *e)
{
	struct kwork *k = NULL;
	const char *word;

	kwork_parse_classes(c->list, o->classes, &word);
	c->rec.opts.cpus = c->cpus;
	if (recording_parse_window(c->time, &o->from, &o->until, e) || recording_open(&c->rec, e) ||
	    recording_check_cpus(&c->rec, "-C", e) || kwork_new(&k, c->rec.session, o, e))
		return NULL;
	return k;
}

/* A function of the kernel, by its address. */
static void add_function(struct session *s, u64 function, struct strbuf *out)
{
	const struct model_map *map = model_find_map(session_model(s), 0, PERF_RECORD_MISC_KERNEL,
						     function, UINT64_MAX);
	const struct symtab *st = map ? dso_symtab(dso_table_get(session_dsos(s), map->dso)) : NULL;
	u32 sym = st ? symtab_find(st, model_map_ip(map, function)) : SYM_NONE;

	if (sym == SYM_NONE)
		strbuf_addf(out, "%#llx", (unsigned long long)function);
	else
		strbuf_add_escaped(out, symtab_name(st, sym));
}

static void add_bare_name(const struct kwork_cmd *c, struct kwork *k, const struct kwork_row *row,
			  struct strbuf *out)
{
	if (row->class == KWORK_WORKQUEUE)
		add_function(c->rec.session, row->function, out);
	else
		kwork_add_name(k, row, out);
}

void kwork_add_work(const struct kwork_cmd *c, struct kwork *k, const struct kwork_row *row,
		    struct strbuf *out)
{
	static const char *const marks[KWORK_CLASSES] = { "", "(s)", "(w)" };

	strbuf_adds(out, marks[row->class]);
	add_bare_name(c, k, row, out);
	if (row->class != KWORK_WORKQUEUE)
		strbuf_addf(out, ":%llu", (unsigned long long)row->id);
}

bool kwork_is_named(const struct kwork_cmd *c, struct kwork *k, const struct kwork_row *row)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	if (!c->name)
		return true;
	add_bare_name(c, k, row, &name);
	return name.buf && !strcmp(name.buf, c->name);
}
