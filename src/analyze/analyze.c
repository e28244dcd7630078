/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A row is made as soon as its sample is read: an extract of the session's, which takes the place
 * of the sample until it is due. Where callchains are wanted it is made by whatever worker has the
 * sample when it is due, and appended to the text of its slice, which may be any bytes.
 */
#include "analyze/analyze.h"

#include <errno.h>
#include <stdlib.h>

#include "base/vec.h"
#include "perfdata/record.h"

/* A field of the table, in the format of an event of the file. */
struct bound_field {
	const struct tracefmt_field *field; /* NULL = absent */
	enum analyze_kind kind;
	u32 offset;
	u8 load; /* bytes of a plain integer; 0 = to be asked of tracefmt */
	bool is_signed;
};

/* An event of the file. */
struct bound_event {
	const struct analyze_event *event; /* NULL = none of the table's */
	const struct tracefmt *format;
	u16 kind;
	u8 nr;
	struct bound_field fields[ANALYZE_FIELDS];
};

struct analyze {
	struct session *session;
	struct analyze_opts o;
	bool stream; /* events are told while it is read */
	VEC(struct bound_event) bound; /* by index of the file's event */
	const struct tracefmt **formats; /* by event of the table: of the first in the file */
	const struct analyze_event *by_record[PERF_RECORD_HEADER_MAX];
	bool has_records;
	struct err err; /* found while a stream is read */
};

/* ------------------------------------------------------------------ events of the file */

static const struct analyze_event *find_event(const struct analyze *a, const struct tracefmt *t,
					      u16 *kind)
{
	const struct analyze_machine *m = a->o.machine;
	const char *system = tracefmt_system(t);
	size_t len = strlen(system);

	for (size_t i = 0; i < m->nr; i++) {
		for (u16 k = 0; k < ANALYZE_NAMES && m->events[i].names[k]; k++) {
			const char *name = m->events[i].names[k];

			if (strncmp(name, system, len) != 0 || name[len] != ':' ||
			    strcmp(name + len + 1, tracefmt_name(t)) != 0)
				continue;
			*kind = k;
			return &m->events[i];
		}
	}
	return NULL;
}

static void bind_field(struct bound_field *b, const struct analyze_field *want,
		       const struct tracefmt *t)
{
	const unsigned int other = TRACEFMT_ARRAY | TRACEFMT_DYNAMIC | TRACEFMT_REL_DYNAMIC |
				   TRACEFMT_STRING | TRACEFMT_SWAPPED;
	const struct tracefmt_field *f = NULL;

	for (size_t i = 0; i < ANALYZE_NAMES && want->names[i] && !f; i++)
		f = tracefmt_find_field(t, want->names[i]);
	*b = (struct bound_field){ .field = f, .kind = want->kind };
	if (!f || want->kind == ANALYZE_STRING || (f->flags & other))
		return;
	b->offset = f->offset;
	b->is_signed = f->flags & TRACEFMT_SIGNED;
	b->load = f->size == 4 || f->size == 8 ? (u8)f->size : 0;
}

static int bind_event(struct analyze *a, const struct perfdata_event *ev, struct bound_event *b,
		      struct err *e)
{
	const struct tracefmt_set *formats = session_tracefmt(a->session);

	*b = (struct bound_event){ .event = NULL };
	if (ev->attr.type != PERF_TYPE_TRACEPOINT || !formats)
		return 0;
	b->format = tracefmt_by_id(formats, ev->attr.config);
	if (b->format)
		b->event = find_event(a, b->format, &b->kind);
	if (!b->event || !b->event->fields)
		return 0;
	for (const struct analyze_field *f = b->event->fields; f->names[0]; f++) {
		if (b->nr == ANALYZE_FIELDS)
			return err_set(e, EINVAL, "%s has too many fields in the analyser's table",
				       b->event->names[0]);
		bind_field(&b->fields[b->nr], f, b->format);
		if (!b->fields[b->nr++].field && !f->optional)
			return err_set(e, EINVAL, "%s:%s of '%s' has no field '%s'",
				       tracefmt_system(b->format), tracefmt_name(b->format),
				       perfdata_name(session_file(a->session)), f->names[0]);
	}
	return 0;
}

static int bind_events(struct analyze *a, struct err *e)
{
	const struct perfdata *file = session_file(a->session);

	for (size_t i = a->bound.nr; i < perfdata_nr_events(file); i++) {
		struct bound_event *b = VEC_PUSH(&a->bound);

		if (bind_event(a, perfdata_event(file, i), b, e))
			return -1;
		if (b->event && !a->formats[b->event - a->o.machine->events])
			a->formats[b->event - a->o.machine->events] = b->format;
	}
	return 0;
}

bool analyze_has(const struct analyze *a, size_t event)
{
	return a->formats[event] != NULL;
}

const struct tracefmt *analyze_format(const struct analyze *a, size_t event)
{
	return a->formats[event];
}

/* Whether the file has what the event is taken instead of. */
static bool is_replaced(const struct analyze *a, const struct analyze_event *ev)
{
	const struct analyze_event *first = ev;

	while (first->instead && first > a->o.machine->events)
		first--;
	return first != ev && !first->instead &&
	       analyze_has(a, (size_t)(first - a->o.machine->events));
}

static int check_events(const struct analyze *a, struct err *e)
{
	const struct analyze_machine *m = a->o.machine;
	const char *damage = perfdata_damage(session_file(a->session))->first;

	for (size_t i = 0; i < m->nr; i++) {
		if (!m->events[i].needed || analyze_has(a, i) || is_replaced(a, &m->events[i]))
			continue;
		err_set(e, EINVAL, "'%s' has no samples of %s",
			perfdata_name(session_file(a->session)), m->events[i].names[0]);
		/* (names of events stand at the end of a file, which may be what it lacks) */
		if (*damage)
			err_hint(e, "%s", damage);
		else if (m->hint)
			err_hint(e, "%s", m->hint);
		return -1;
	}
	return 0;
}

int analyze_new(struct analyze **out, struct session *s, const struct analyze_opts *o,
		struct err *e)
{
	struct analyze *a = XNEW(struct analyze);

	a->session = s;
	a->o = *o;
	a->formats = XNEW_ARRAY(const struct tracefmt *, o->machine->nr);
	a->stream = perfdata_is_pipe(session_file(s));
	for (size_t i = 0; i < o->machine->nr; i++) {
		const struct analyze_event *ev = &o->machine->events[i];

		if (ev->record < PERF_RECORD_HEADER_MAX && !ev->names[0]) {
			a->by_record[ev->record] = ev;
			a->has_records = true;
		}
	}
	if (bind_events(a, e) || (!a->stream && check_events(a, e))) {
		analyze_free(a);
		return -1;
	}
	*out = a;
	return 0;
}

void analyze_free(struct analyze *a)
{
	if (!a)
		return;
	vec_free(&a->bound);
	free(a->formats);
	free(a);
}

/* ------------------------------------------------------------------ rows */

/* What rows are made of. */
struct row_source {
	const u8 *raw;
	u32 raw_size;
	u64 time;
	u32 cpu, pid, tid;
};

static inline u64 load_number(const struct bound_field *b, const struct row_source *smp)
{
	u64 value = 0;

	if (!b->field)
		return 0;
	if (LIKELY(b->load && b->offset <= smp->raw_size && b->load <= smp->raw_size - b->offset)) {
		const u8 *p = smp->raw + b->offset;

		if (b->load == 8)
			return bits_u64(p);
		return b->is_signed ? (u64)(s64)(s32)bits_u32(p) : bits_u32(p);
	}
	tracefmt_u64(b->field, smp->raw, smp->raw_size, &value);
	return value;
}

/* Puts the characters at the end of the row. */
static u64 add_text(struct analyze_row *row, const char *text, size_t len)
{
	u32 at = row->size;

	len = strnlen(text, MIN(len, (size_t)ANALYZE_TEXT));
	memcpy((char *)row + at, text, len);
	((char *)row)[at + len] = '\0';
	row->size += (u32)len + 1;
	return at;
}

static u64 load_text(struct analyze_row *row, const struct bound_field *b,
		     const struct row_source *smp)
{
	const char *text;
	size_t len;

	if (!b->field || !tracefmt_bytes(b->field, smp->raw, smp->raw_size, &text, &len))
		return add_text(row, "", 0);
	return add_text(row, text, len);
}

enum { ROW_MAX = sizeof(struct analyze_row) + ANALYZE_FIELDS * (sizeof(u64) + ANALYZE_TEXT + 1) };
_Static_assert((size_t)ROW_MAX <= SESSION_EXTRACT_MAX, "a row is an extract");

/* Events that a stream has told of since. */
static const struct bound_event *bound_of(struct analyze *a, const struct perfdata_event *ev)
{
	if (!ev)
		return NULL;
	if (ev->index >= a->bound.nr) {
		if (!a->stream || a->err.code || bind_events(a, &a->err))
			return NULL;
	}
	return ev->index < a->bound.nr ? &a->bound.v[ev->index] : NULL;
}

static bool is_wanted(const struct analyze *a, const struct bound_event *b)
{
	return b->event && !is_replaced(a, b->event);
}

static bool is_of_wanted(const struct analyze *a, const struct bound_event *b, u32 pid, u32 tid)
{
	return !b->event->own || session_wants_task(a->session, pid, tid);
}

static void fill_row(const struct analyze *a, const struct bound_event *b,
		     const struct row_source *from, struct analyze_row *row)
{
	*row = (struct analyze_row){
		.size = (u32)(sizeof(*row) + b->nr * sizeof(u64)),
		.event = (u16)(b->event - a->o.machine->events),
		.kind = b->kind,
		.time = from->time,
		.cpu = from->cpu,
		.pid = from->pid,
		.tid = from->tid,
	};
	for (u8 i = 0; i < b->nr; i++)
		row->values[i] = b->fields[i].kind == ANALYZE_NUMBER
					 ? load_number(&b->fields[i], from)
					 : load_text(row, &b->fields[i], from);
}

static bool make_sample_row(struct analyze *a, struct session_worker *w,
			    const struct session_record *r, struct analyze_row *row)
{
	const struct bound_event *b = bound_of(a, r->event);
	const struct sample *smp = r->sample;

	if (!b || !smp || r->again || !is_wanted(a, b) || !is_of_wanted(a, b, smp->pid, smp->tid))
		return false;
	fill_row(a, b,
		 &(struct row_source){ .raw = smp->raw,
				       .raw_size = smp->raw_size,
				       .time = r->time,
				       .cpu = smp->cpu,
				       .pid = smp->pid,
				       .tid = smp->tid },
		 row);
	if (a->o.chains && b->event->chain)
		row->chain = session_chain(w, &r->site, smp);
	return true;
}

/* The row of a sample that was just read. */
static enum session_extract extract_row(void *ctx, const struct perfdata_event *ev,
					const struct perf_event_header *h, void *room)
{
	const struct analyze *a = ctx;
	const struct bound_event *b = &a->bound.v[ev->index];
	const struct sample_layout *l = &ev->layout;
	const u8 *at = (const u8 *)h;
	struct analyze_row *row = room;
	struct row_source from;

	if (!sample_find_raw(l, h, &from.raw, &from.raw_size))
		return EXTRACT_WHOLE;
	if (!is_wanted(a, b))
		return EXTRACT_NOTHING;
	from.time = bits_u64(at + l->time);
	from.cpu = l->cpu ? bits_u32(at + l->cpu) : (u32)-1;
	from.pid = bits_u32(at + l->tid);
	from.tid = bits_u32(at + l->tid + 4);
	if (!is_of_wanted(a, b, from.pid, from.tid))
		return EXTRACT_NOTHING;
	fill_row(a, b, &from, row);
	row->size = (u32)ALIGN_UP((size_t)row->size, sizeof(u64));
	return EXTRACT_KEPT;
}

/* ------------------------------------------------------------------ records that are no samples */

static bool make_fork(const struct record_task *r, struct analyze_row *row)
{
	row->values[FORK_PID] = row->pid = r->pid;
	row->values[FORK_PARENT_PID] = r->ppid;
	row->values[FORK_TID] = row->tid = r->tid;
	row->values[FORK_PARENT_TID] = r->ptid;
	row->size += 4 * sizeof(u64);
	return true;
}

static bool make_comm(const struct record_comm *r, u16 misc, struct analyze_row *row)
{
	row->values[COMM_PID] = row->pid = r->pid;
	row->values[COMM_TID] = row->tid = r->tid;
	row->values[COMM_EXEC] = !!(misc & PERF_RECORD_MISC_COMM_EXEC);
	row->size += 4 * sizeof(u64);
	row->values[COMM_NAME] = add_text(row, r->name.text, r->name.len);
	return true;
}

static bool make_switch(const struct session_record *r, const struct record_switch *other,
			struct analyze_row *row)
{
	struct sample_id id;

	if (!r->event || !sample_id_decode(&r->event->layout, r->h, &id))
		return false;
	row->pid = id.pid;
	row->tid = id.tid;
	row->cpu = id.cpu;
	row->values[SWITCH_OUT] = !!(r->h->misc & PERF_RECORD_MISC_SWITCH_OUT);
	row->values[SWITCH_PREEMPTED] = !!(r->h->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	row->values[SWITCH_OTHER_PID] = other ? other->pid : (u32)-1;
	row->values[SWITCH_OTHER_TID] = other ? other->tid : (u32)-1;
	row->size += 4 * sizeof(u64);
	return true;
}

static bool make_lost(u64 number, struct analyze_row *row)
{
	row->values[LOST_NUMBER] = number;
	row->size += sizeof(u64);
	return true;
}

static bool make_other_row(const struct analyze *a, const struct session_record *r,
			   struct analyze_row *row)
{
	const struct analyze_event *ev = r->h->type < PERF_RECORD_HEADER_MAX
						 ? a->by_record[r->h->type]
						 : NULL;

	union record_view v;
	bool whole;

	if (!ev)
		return false;
	whole = record_view(r->h, 0, &v);
	*row = (struct analyze_row){ .size = sizeof(*row),
				     .event = (u16)(ev - a->o.machine->events),
				     .time = r->time,
				     .cpu = (u32)-1,
				     .pid = (u32)-1,
				     .tid = (u32)-1 };
	switch (r->h->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return whole && make_fork(&v.task, row);
	case PERF_RECORD_COMM:
		return whole && make_comm(&v.comm, r->h->misc, row);
	case PERF_RECORD_SWITCH:
		return make_switch(r, NULL, row);
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return whole && make_switch(r, &v.other, row);
	case PERF_RECORD_LOST:
		return whole && make_lost(v.lost.lost, row);
	case PERF_RECORD_LOST_SAMPLES:
		return whole && make_lost(v.lost_samples, row);
	default:
		return false;
	}
}

static bool make_row(struct analyze *a, struct session_worker *w, const struct session_record *r,
		     struct analyze_row *row)
{
	return r->h->type == PERF_RECORD_SAMPLE ? make_sample_row(a, w, r, row)
						: make_other_row(a, r, row);
}

/* ------------------------------------------------------------------ the run */

static void hand_over(const struct analyze *a, const struct analyze_row *row)
{
	a->o.machine->events[row->event].take(a->o.ctx, row);
}

bool analyze_record(struct analyze *a, struct session_worker *w, const struct session_record *r)
{
	union {
		struct analyze_row row;
		u8 bytes[ROW_MAX];
	} room;

	if (!make_row(a, w, r, &room.row))
		return false;
	hand_over(a, &room.row);
	return true;
}

static bool take_row(void *ctx, const void *row)
{
	hand_over(ctx, row);
	return true;
}

static void row_comes_soon(void *ctx, const void *row)
{
	const struct analyze *a = ctx;
	const struct analyze_row *r = row;
	const struct analyze_event *ev = &a->o.machine->events[r->event];

	if (ev->soon)
		ev->soon(a->o.ctx, r);
}

static bool prefetches(const struct analyze_machine *m)
{
	for (size_t i = 0; i < m->nr; i++)
		if (m->events[i].soon)
			return true;
	return false;
}

/* Serial: at once. */
static bool take_record(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
			const struct session_record *r, struct strbuf *out UNUSED)
{
	struct analyze *a = ctx;

	analyze_record(a, w, r);
	return !a->err.code;
}

static bool add_row(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
		    const struct session_record *r, struct strbuf *out)
{
	struct analyze *a = ctx;

	if (UNLIKELY(out->cap < out->len + ROW_MAX + 1))
		strbuf_grow(out, ROW_MAX);

	struct analyze_row *row = (void *)(out->buf + out->len);

	if (make_row(a, w, r, row)) {
		row->size = (u32)ALIGN_UP((size_t)row->size, sizeof(u64));
		out->len += row->size;
	}
	return !a->err.code;
}

static bool take_rows(void *ctx, const char *rows, size_t len)
{
	const struct analyze *a = ctx;

	for (const char *end = rows + len; rows < end;) {
		const struct analyze_row *row = (const void *)rows;

		hand_over(a, row);
		rows += row->size;
	}
	return true;
}

static void renew(void *ctx, struct session_renewal *r)
{
	const struct analyze *a = ctx;

	if (a->o.machine->renew)
		a->o.machine->renew(a->o.ctx, r);
}

static bool end_round(void *ctx, const struct session_round *r)
{
	const struct analyze *a = ctx;

	return !a->o.machine->round || a->o.machine->round(a->o.ctx, r->until);
}

int analyze_run(struct analyze *a, struct err *e)
{
	/* callchains are resolved side by side, of which more is to be had than of reading once */
	const struct session_consumer with_chains = { .order = SESSION_ORDERED,
						      .all_records = a->has_records,
						      .ctx = a,
						      .record = add_row,
						      .emit = take_rows,
						      .round = end_round,
						      .renew = renew };
	const struct session_consumer serial = { .order = SESSION_ORDERED,
						 .all_records = a->has_records,
						 .serial = true,
						 .ctx = a,
						 .record = take_record,
						 .extract = extract_row,
						 .take = take_row,
						 .soon = prefetches(a->o.machine) ? row_comes_soon
										  : NULL,
						 .round = end_round,
						 .renew = renew };

	if (session_run(a->session, a->o.chains && !a->stream ? &with_chains : &serial, e))
		return -1;
	if (a->err.code) {
		*e = a->err;
		return -1;
	}
	return check_events(a, e);
}
