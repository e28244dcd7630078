/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads: -T: what each thread counted, from the READ records that `record -s` leaves behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "cmd/report/report.h"
#include "perfdata/record.h"

struct thread_row {
	u32 pid, tid;
	u64 *values; /* by event */
};

struct thread_counts {
	size_t nr_events;
	VEC(struct thread_row) rows; /* in the order of their first record */
};

struct thread_counts *thread_counts_new(struct session *s)
{
	struct thread_counts *t = XNEW(struct thread_counts);

	t->nr_events = perfdata_nr_events(session_file(s));
	return t;
}

void thread_counts_free(struct thread_counts *t)
{
	if (!t)
		return;
	VEC_FOR(&t->rows, r)
		free(r->values);
	vec_free(&t->rows);
	free(t);
}

static struct thread_row *row_of(struct thread_counts *t, u32 pid, u32 tid)
{
	VEC_FOR(&t->rows, r)
		if (r->pid == pid && r->tid == tid)
			return r;
	*VEC_PUSH(&t->rows) = (struct thread_row){ .pid = pid,
						   .tid = tid,
						   .values = XNEW_ARRAY(u64, t->nr_events + 1) };
	return VEC_LAST(&t->rows);
}

void thread_counts_add(struct thread_counts *t, const struct session_record *r)
{
	union record_view v;

	if (r->h->type != PERF_RECORD_READ || !r->event || r->event->index >= t->nr_events ||
	    !record_view(r->h, 0, &v) || !v.read.counts.len)
		return;
	row_of(t, v.read.pid, v.read.tid)->values[r->event->index] += record_word(&v.read.counts,
										  0);
}

static int digits(u64 v)
{
	char text[24];

	return snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
}

void thread_counts_add_text(const struct thread_counts *t, struct session *s, struct strbuf *out)
{
	int pid_width = 3, tid_width = 3;
	_cleanup_(mem_freep) int *widths = XNEW_ARRAY(int, t->nr_events + 1);

	for (size_t i = 0; i < t->nr_events; i++)
		widths[i] = (int)strlen(perfdata_event(session_file(s), i)->name);
	VEC_FOR(&t->rows, r) {
		pid_width = MAX(pid_width, digits(r->pid));
		tid_width = MAX(tid_width, digits(r->tid));
		for (size_t i = 0; i < t->nr_events; i++)
			widths[i] = MAX(widths[i], digits(r->values[i]));
	}
	strbuf_addf(out, "# %*s  %*s", pid_width, "PID", tid_width, "TID");
	for (size_t i = 0; t->rows.nr && i < t->nr_events; i++)
		strbuf_addf(out, "  %*s", widths[i], perfdata_event(session_file(s), i)->name);
	strbuf_addch(out, '\n');
	VEC_FOR(&t->rows, r) {
		strbuf_addf(out, "  %*u  %*u", pid_width, r->pid, tid_width, r->tid);
		for (size_t i = 0; i < t->nr_events; i++)
			strbuf_addf(out, "  %*llu", widths[i], (unsigned long long)r->values[i]);
		strbuf_addch(out, '\n');
	}
}
