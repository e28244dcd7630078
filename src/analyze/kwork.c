/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/kwork.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "perfdata/info.h"

/* Asked for, and not begun yet. */
struct kwork_wish {
	u64 id;
	u64 since; /* 0 = nobody asks now */
	/* Asked for again before it began. Perhaps the kernel had taken the first wish already,
	 * then it begins twice in a row; if somebody asks anew before that, it had not. 0 = no */
	u64 again;
	bool left; /* since is what was `again` when it began */
	u32 cpu; /* of softirqs; else 0 */
	enum kwork_class class;
};

/* Name of a softirq. */
struct softirq_name {
	s64 number;
	const char *text; /* in the format */
	u32 len;
};

/* Rows of the table of events. */
enum {
	IRQ_ENTRY,
	IRQ_EXIT,
	SOFTIRQ_RAISE,
	SOFTIRQ_ENTRY,
	SOFTIRQ_EXIT,
	WORK_RAISE,
	WORK_ENTRY,
	WORK_EXIT
};

struct kwork {
	struct kwork_opts o;
	struct session *session;
	struct analyze *analyze;
	VEC(struct kwork_row) rows;
	struct map by_key;
	VEC(struct kwork_wish) wishes;
	struct map by_wish;
	VEC(struct softirq_name) softirqs;
	bool named; /* they are read */
	struct intern names;
	struct kwork_totals totals;
};

static u64 hash_of(enum kwork_class class, u32 cpu, u64 id)
{
	return hash_u64(id ^ (u64)cpu << 48 ^ (u64) class << 62);
}

static struct kwork_row *find_row(struct kwork *k, enum kwork_class class, u32 cpu, u64 id)
{
	u64 hash = hash_of(class, cpu, id);
	struct kwork_row *row;
	u32 i;

	for (struct map_probe p = map_first(&k->by_key, hash); map_next(&k->by_key, &p, &i);) {
		row = &k->rows.v[i];
		if (row->class == class && row->cpu == cpu && row->id == id)
			return row;
	}
	map_add(&k->by_key, hash, (u32)k->rows.nr);
	row = VEC_PUSH(&k->rows);
	*row = (struct kwork_row){
		.class = class, .cpu = cpu, .id = id, .number = (u32)k->rows.nr - 1
	};
	return row;
}

static struct kwork_wish *find_wish(struct kwork *k, enum kwork_class class, u32 cpu, u64 id)
{
	u32 of = class == KWORK_SOFTIRQ ? cpu : 0, i;
	u64 hash = hash_of(class, of, id);
	struct kwork_wish *wish;

	for (struct map_probe p = map_first(&k->by_wish, hash); map_next(&k->by_wish, &p, &i);) {
		wish = &k->wishes.v[i];
		if (wish->class == class && wish->cpu == of && wish->id == id)
			return wish;
	}
	map_add(&k->by_wish, hash, (u32)k->wishes.nr);
	wish = VEC_PUSH(&k->wishes);
	*wish = (struct kwork_wish){ .class = class, .cpu = of, .id = id };
	return wish;
}

static void add_length(struct kwork_sums *s, u64 from, u64 until)
{
	u64 ns = until - from;

	s->nr++;
	s->total += ns;
	if (ns <= s->max && s->nr > 1)
		return;
	s->max = ns;
	s->max_start = from;
	s->max_end = until;
}

/* Whether an event counts at all. */
static bool is_wanted(struct kwork *k, enum kwork_class class, const struct analyze_row *r)
{
	if (!k->o.classes[class] || r->time < k->o.from || (k->o.until && r->time > k->o.until))
		return false;
	if (!k->totals.first)
		k->totals.first = r->time;
	k->totals.last = MAX(k->totals.last, r->time);
	return true;
}

/* Only who looks at waits is told that a wish had no effect. */
static void take_raise(struct kwork *k, enum kwork_class class, const struct analyze_row *r, u64 id)
{
	struct kwork_wish *wish;

	if (!is_wanted(k, class, r))
		return;
	wish = find_wish(k, class, r->cpu, id);
	if (wish->since && !wish->left) {
		k->totals.raises += k->o.waits && wish->again;
		wish->again = r->time;
		return;
	}
	k->totals.raises += k->o.waits && wish->left;
	wish->since = r->time;
	wish->left = false;
}

/* It begins. */
static void end_wish(struct kwork_wish *wish)
{
	wish->since = wish->again;
	wish->left = wish->again != 0;
	wish->again = 0;
}

static struct kwork_row *take_entry(struct kwork *k, enum kwork_class class,
				    const struct analyze_row *r, u64 id)
{
	struct kwork_wish *wish;
	struct kwork_row *row;

	if (!is_wanted(k, class, r))
		return NULL;
	if (!session_wants_task(k->session, r->pid, r->tid)) {
		if (class != KWORK_IRQ)
			end_wish(find_wish(k, class, r->cpu, id));
		return NULL;
	}
	row = find_row(k, class, r->cpu, id);
	wish = class == KWORK_IRQ ? NULL : find_wish(k, class, r->cpu, id);
	if (row->began && !k->o.waits)
		k->totals.entries++;
	row->began = r->time;
	row->chain = r->chain;
	row->waited = KWORK_UNKNOWN;
	if (wish && wish->since && wish->since <= r->time) {
		row->waited = r->time - wish->since;
		add_length(&row->waits, wish->since, r->time);
	} else if (k->o.waits) {
		k->totals.entries++;
	}
	if (wish)
		end_wish(wish);
	return row;
}

static void take_exit(struct kwork *k, enum kwork_class class, const struct analyze_row *r, u64 id)
{
	struct kwork_row *row;

	if (!is_wanted(k, class, r) || !session_wants_task(k->session, r->pid, r->tid))
		return;
	row = find_row(k, class, r->cpu, id);
	if (!row->began || r->time < row->began) {
		k->totals.exits += !k->o.waits;
		return;
	}
	add_length(&row->runs, row->began, r->time);
	if (k->o.on_run)
		k->o.on_run(k->o.ctx, row, r->time);
	row->began = 0;
}

/* ------------------------------------------------------------------ events */

enum { IRQ_NUMBER, IRQ_NAME };

static void take_irq_entry(void *ctx, const struct analyze_row *r)
{
	struct kwork *k = ctx;
	struct kwork_row *row = take_entry(k, KWORK_IRQ, r, r->values[IRQ_NUMBER]);
	const char *name = analyze_text(r, IRQ_NAME);

	if (row && !row->name)
		row->name = intern_adds(&k->names, name);
}

static void take_irq_exit(void *ctx, const struct analyze_row *r)
{
	take_exit(ctx, KWORK_IRQ, r, r->values[IRQ_NUMBER]);
}

enum { SOFTIRQ_NUMBER };

static void take_softirq_raise(void *ctx, const struct analyze_row *r)
{
	take_raise(ctx, KWORK_SOFTIRQ, r, r->values[SOFTIRQ_NUMBER]);
}

static void take_softirq_entry(void *ctx, const struct analyze_row *r)
{
	take_entry(ctx, KWORK_SOFTIRQ, r, r->values[SOFTIRQ_NUMBER]);
}

static void take_softirq_exit(void *ctx, const struct analyze_row *r)
{
	take_exit(ctx, KWORK_SOFTIRQ, r, r->values[SOFTIRQ_NUMBER]);
}

enum { WORK_ADDRESS, WORK_FUNCTION };

static void take_work_raise(void *ctx, const struct analyze_row *r)
{
	take_raise(ctx, KWORK_WORKQUEUE, r, r->values[WORK_ADDRESS]);
}

static void take_work_entry(void *ctx, const struct analyze_row *r)
{
	struct kwork_row *row = take_entry(ctx, KWORK_WORKQUEUE, r, r->values[WORK_ADDRESS]);

	if (row)
		row->function = r->values[WORK_FUNCTION];
}

static void take_work_exit(void *ctx, const struct analyze_row *r)
{
	take_exit(ctx, KWORK_WORKQUEUE, r, r->values[WORK_ADDRESS]);
}

static const struct analyze_field irq_entry_fields[] = {
	[IRQ_NUMBER] = { .names = { "irq" } },
	[IRQ_NAME] = { .names = { "name" }, .kind = ANALYZE_STRING },
	{ .names = { NULL } },
};
static const struct analyze_field irq_exit_fields[] = {
	[IRQ_NUMBER] = { .names = { "irq" } },
	{ .names = { NULL } },
};
static const struct analyze_field softirq_fields[] = {
	[SOFTIRQ_NUMBER] = { .names = { "vec" } },
	{ .names = { NULL } },
};
static const struct analyze_field work_fields[] = {
	[WORK_ADDRESS] = { .names = { "work" } },
	{ .names = { NULL } },
};
static const struct analyze_field work_start_fields[] = {
	[WORK_ADDRESS] = { .names = { "work" } },
	[WORK_FUNCTION] = { .names = { "function" } },
	{ .names = { NULL } },
};

/* clang-format off */
static const struct analyze_event kwork_events[] = {
	[IRQ_ENTRY] = { .names = { "irq:irq_handler_entry" }, .chain = true, .fields = irq_entry_fields, .take = take_irq_entry },
	[IRQ_EXIT] = { .names = { "irq:irq_handler_exit" }, .fields = irq_exit_fields, .take = take_irq_exit },
	[SOFTIRQ_RAISE] = { .names = { "irq:softirq_raise" }, .fields = softirq_fields, .take = take_softirq_raise },
	[SOFTIRQ_ENTRY] = { .names = { "irq:softirq_entry" }, .chain = true, .fields = softirq_fields, .take = take_softirq_entry },
	[SOFTIRQ_EXIT] = { .names = { "irq:softirq_exit" }, .fields = softirq_fields, .take = take_softirq_exit },
	[WORK_RAISE] = { .names = { "workqueue:workqueue_activate_work" }, .fields = work_fields, .take = take_work_raise },
	[WORK_ENTRY] = { .names = { "workqueue:workqueue_execute_start" }, .chain = true, .fields = work_start_fields, .take = take_work_entry },
	[WORK_EXIT] = { .names = { "workqueue:workqueue_execute_end" }, .fields = work_fields, .take = take_work_exit },
};
/* clang-format on */

static void renew_chains(void *ctx, struct session_renewal *r)
{
	struct kwork *k = ctx;

	VEC_FOR(&k->rows, row)
		row->chain = session_renewed_chain(r, row->chain);
	if (k->o.on_renew)
		k->o.on_renew(k->o.ctx);
}

static const struct analyze_machine kwork_machine = {
	.events = kwork_events,
	.nr = ARRAY_SIZE(kwork_events),
	.renew = renew_chains,
};

static int check_events(const struct kwork *k, struct err *e)
{
	static const u8 entries[KWORK_ITSELF] = { IRQ_ENTRY, SOFTIRQ_ENTRY, WORK_ENTRY };

	for (size_t i = 0; i < KWORK_ITSELF; i++)
		if (k->o.classes[i] && analyze_has(k->analyze, entries[i]))
			return 0;
	err_set(e, EINVAL, "'%s' has no events of the work that is asked for",
		perfdata_name(session_file(k->session)));
	err_hint(e, "perf kwork record COMMAND records what is needed");
	return -1;
}

int kwork_new(struct kwork **out, struct session *s, const struct kwork_opts *o, struct err *e)
{
	struct kwork *k = XNEW(struct kwork);
	struct analyze_opts ao = { .machine = &kwork_machine, .ctx = k, .chains = o->chains };

	k->o = *o;
	k->session = s;
	if (analyze_new(&k->analyze, s, &ao, e) ||
	    (!perfdata_is_pipe(session_file(s)) && check_events(k, e))) {
		kwork_free(k);
		return -1;
	}
	*out = k;
	return 0;
}

void kwork_free(struct kwork *k)
{
	if (!k)
		return;
	analyze_free(k->analyze);
	vec_free(&k->rows);
	map_release(&k->by_key);
	vec_free(&k->wishes);
	map_release(&k->by_wish);
	vec_free(&k->softirqs);
	intern_release(&k->names);
	free(k);
}

/* What had no end within the recording. */
static void count_open(struct kwork *k)
{
	VEC_FOR(&k->rows, row)
		k->totals.entries += !k->o.waits && row->began;
	VEC_FOR(&k->wishes, wish)
		k->totals.raises += k->o.waits && wish->since;
}

int kwork_run(struct kwork *k, struct err *e)
{
	if (analyze_run(k->analyze, e) || check_events(k, e))
		return -1;
	count_open(k);
	return 0;
}

struct kwork_row *kwork_rows(struct kwork *k, size_t *nr)
{
	*nr = k->rows.nr;
	return k->rows.v;
}

struct kwork_totals kwork_totals(const struct kwork *k)
{
	return k->totals;
}

static void note_softirq(void *ctx, const struct tracefmt_names *n)
{
	struct kwork *k = ctx;

	if (n->kind == TRACEFMT_NAMES_VALUE && !n->flags && !strcmp(n->field->name, "vec"))
		*VEC_PUSH(&k->softirqs) = (struct softirq_name){ n->value, n->text, n->len };
}

static void add_softirq(struct kwork *k, u64 number, struct strbuf *out)
{
	const struct tracefmt *t = analyze_format(k->analyze, SOFTIRQ_ENTRY);

	if (!k->named && t) {
		tracefmt_each_name(t, note_softirq, k);
		k->named = true;
	}
	VEC_FOR(&k->softirqs, s) {
		if ((u64)s->number != number)
			continue;
		for (u32 i = 0; i < s->len; i++)
			strbuf_addch(out, s->text[i] > ' ' && s->text[i] < 127 ? s->text[i] : '?');
		return;
	}
}

void kwork_add_name(struct kwork *k, const struct kwork_row *row, struct strbuf *out)
{
	if (row->class == KWORK_IRQ)
		strbuf_adds(out, intern_str(&k->names, row->name));
	else if (row->class == KWORK_SOFTIRQ)
		add_softirq(k, row->id, out);
}
