/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/filters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/aux_kinds.h"
#include "sys/perf_open.h"

static int load(struct capture_filters *f, const struct event *ev, size_t index, size_t nr_events,
		struct err *e)
{
	struct sample_filter filter;

	if (!f->of_event) {
		f->of_event = XNEW_ARRAY(struct sample_filter_program *, nr_events);
		f->told = XNEW_ARRAY(u64, nr_events);
		f->nr = nr_events;
	}
	if (sample_filter_parse(&filter, ev->filter, e) < 0)
		return -1;
	f->of_event[index] = sample_filter_load(&filter, ev->attr.sample_type, ev->name, e);
	return f->of_event[index] ? 0 : -1;
}

int capture_filters_set(struct capture_filters *f, const struct capture_fds *fds,
			const struct event_list *l, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	size_t per_event = fds->nr_cpus * fds->nr_tasks;

	for (size_t i = 0; i < fds->nr_events; i++) {
		struct event *ev = l->events.v[i];
		bool sampled = ev->kind != EVENT_TRACEPOINT && !aux_kind_of(ev);

		if (!ev->filter)
			continue;
		if (sampled && load(f, ev, i, fds->nr_events, e) < 0)
			return -1;
		strbuf_reset(&text);
		event_filter_text(ev, &text);
		for (size_t n = 0; n < per_event; n++) {
			int fd = fds->fd[i * per_event + n];
			int r = fd < 0    ? 0
				: sampled ? sample_filter_attach(f->of_event[i], fd)
					  : sys_perf_ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text.buf);

			if (!r)
				continue;
			return event_filter_refused(ev, -r, e);
		}
	}
	return 0;
}

u64 capture_filters_dropped(struct capture_filters *f, size_t event)
{
	bool has = f->of_event && f->of_event[event];
	u64 all = has ? sample_filter_dropped(f->of_event[event]) : 0;
	u64 since;

	if (!all)
		return 0;
	since = all - f->told[event];
	f->told[event] = all;
	return since;
}

void capture_filters_release(struct capture_filters *f)
{
	for (size_t i = 0; i < f->nr; i++)
		sample_filter_free(f->of_event[i]);
	free(f->of_event);
	free(f->told);
	*f = (struct capture_filters){ 0 };
}
