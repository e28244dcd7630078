/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording that perf kwork reads, and the names of work. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "cmd/kwork/kwork.h"
#include "dso/dso.h"
#include "model/model.h"

static const char *const class_names[KWORK_CLASSES] = {
	[KWORK_IRQ] = "irq",
	[KWORK_SOFTIRQ] = "softirq",
	[KWORK_WORKQUEUE] = "workqueue",
	[KWORK_SCHED] = "sched",
};

bool kwork_parse_classes(const char *list, bool classes[KWORK_CLASSES], const char **word)
{
	for (size_t i = 0; i < KWORK_CLASSES; i++)
		classes[i] = !list && i < KWORK_ITSELF;
	while (list && *list) {
		size_t len = strcspn(list, ", "), i = 0;

		while (i < KWORK_CLASSES &&
		       (strlen(class_names[i]) != len || strncmp(class_names[i], list, len) != 0))
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

int kwork_parse_sort(struct kwork_keys *keys, const char *text, const char *const *names, size_t nr,
		     struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(text);
	char *save = NULL;

	for (char *word = strtok_r(copy, ", ", &save); word; word = strtok_r(NULL, ", ", &save)) {
		size_t i = 0;

		while (i < nr && strcmp(names[i], word) != 0)
			i++;
		if (i == nr || keys->nr == ARRAY_SIZE(keys->v))
			return err_set(e, EINVAL, "  Error: Unknown --sort key: `%s'\n", word);
		keys->v[keys->nr++] = (u8)i;
	}
	return 0;
}

int kwork_open_recording(struct kwork_cmd *c, u64 *from, u64 *until, struct err *e)
{
	c->rec.opts.cpus = c->cpus;
	return recording_parse_window(c->time, from, until, e) || recording_open(&c->rec, e) ||
			       recording_check_cpus(&c->rec, "-C", e)
		       ? -1
		       : 0;
}

struct kwork *kwork_open(struct kwork_cmd *c, struct kwork_opts *o, struct err *e)
{
	struct kwork *k = NULL;
	const char *word;

	kwork_parse_classes(c->list, o->classes, &word);
	if (kwork_open_recording(c, &o->from, &o->until, e) || kwork_new(&k, c->rec.session, o, e))
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
		strbuf_adds(out, symtab_name(st, sym));
}

static void add_bare_name(const struct kwork_source *s, const struct kwork_row *row,
			  struct strbuf *out)
{
	if (s->live)
		kwork_live_add_name(s->live, row, out);
	else if (row->class == KWORK_WORKQUEUE)
		add_function(s->session, row->function, out);
	else
		kwork_add_name(s->k, row, out);
}

void kwork_add_work(const struct kwork_source *s, const struct kwork_row *row, struct strbuf *out)
{
	static const char *const marks[KWORK_ITSELF] = { "", "(s)", "(w)" };
	size_t from = out->len;

	strbuf_adds(out, marks[row->class]);
	add_bare_name(s, row, out);
	strbuf_escape(out, from);
	if (row->class != KWORK_WORKQUEUE)
		strbuf_addf(out, ":%llu", (unsigned long long)row->id);
}

static u64 nr_events(const struct kwork_source *s, u64 *lost)
{
	const struct session_stats *st;
	u64 nr = 0;

	if (s->live)
		return kwork_live_events(s->live, lost);
	st = session_stats(s->session);
	for (size_t i = 0; i < ARRAY_SIZE(st->nr_type); i++)
		nr += st->nr_type[i];
	*lost = st->lost_events;
	return nr;
}

void kwork_add_losses(struct strbuf *out, const struct kwork_source *s)
{
	const struct kwork_totals *t = &s->totals;
	u64 lost, nr = nr_events(s, &lost), skipped = t->raises + t->entries + t->exits;

	if (skipped && nr)
		strbuf_addf(out,
			    "  INFO: %.3f%% skipped events (%llu including %llu raise, %llu entry, "
			    "%llu exit)\n",
			    100.0 * (double)skipped / (double)nr, (unsigned long long)skipped,
			    (unsigned long long)t->raises, (unsigned long long)t->entries,
			    (unsigned long long)t->exits);
	if (!s->live)
		losses_add_events(out, s->session);
}

void kwork_tell_losses(const struct kwork_source *s)
{
	u64 lost;

	if (!s->live) {
		losses_tell_events(s->session, "times are");
		return;
	}
	kwork_live_events(s->live, &lost);
	if (lost)
		log_warn("%llu events are not counted: there was no room for them",
			 (unsigned long long)lost);
}

void kwork_put_work(const struct kwork_source *s, const struct kwork_row *row, struct row_writer *w)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	add_bare_name(s, row, &name);
	row_string(w, "kind", class_names[row->class]);
	row_string(w, "name", name.buf);
	if (row->class != KWORK_WORKQUEUE)
		row_u64(w, "number", row->id);
	else if (!w->document)
		row_null(w, "number");
	row_u64(w, "cpu", row->cpu);
}

void kwork_put_total(struct row_writer *w, const struct kwork_source *s)
{
	const struct kwork_totals *t = &s->totals;
	u64 lost;

	nr_events(s, &lost);
	row_array(w, NULL);
	if (w->document) {
		json_object(&w->json, "skipped", JSON_TIGHT);
		row_u64(w, "raises", t->raises);
		row_u64(w, "entries", t->entries);
		row_u64(w, "exits", t->exits);
		json_end(&w->json);
		row_u64(w, "lost", lost);
		row_document_end(w);
		return;
	}
	row_begin(w, "total");
	if (t->last)
		row_u64(w, "span_ns", t->last - t->first);
	row_u64(w, "skipped_raises", t->raises);
	row_u64(w, "skipped_entries", t->entries);
	row_u64(w, "skipped_exits", t->exits);
	row_u64(w, "lost_events", lost);
	row_end(w);
}

int kwork_watch(struct kwork_source *s, const struct kwork_cmd *c, bool waits, bool by_task,
		struct err *e)
{
	struct kwork_live_opts o = { .waits = waits,
				     .by_task = by_task,
				     .cpus = c->cpus,
				     .command = c->command,
				     .dso = &c->rec.opts.dso };
	const char *word;

	if (c->rec.opts.input.path)
		return err_set(e, EINVAL, "-b watches the running machine: it takes no -i");
	if (c->time)
		return err_set(e, EINVAL, "-b sums up in the kernel: it takes no --time");
	if (c->rec.pids || c->rec.tids)
		return err_set(e, EINVAL, "-b sums up in the kernel: it takes no -p and -t");
	kwork_parse_classes(c->list, o.classes, &word);
	if (kwork_live_run(&s->live, &o, e))
		return -1;
	s->totals = kwork_live_totals(s->live);
	return 0;
}

bool kwork_is_named(const struct kwork_cmd *c, const struct kwork_source *s,
		    const struct kwork_row *row)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	if (!c->name)
		return true;
	add_bare_name(s, row, &name);
	return !strcmp(name.buf, c->name);
}
