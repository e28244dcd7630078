/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "event/parser.h"

enum { PRECISE_MAX = 3 };

size_t modifiers_span(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] && strchr("ukhpPGHSDIWebRX", s[n]))
		n++;
	return n;
}

/* The flag of a letter, NULL for 'p'. */
static bool *flag_of(struct modifiers *m, char c)
{
	switch (c) {
	case 'u':
		return &m->user;
	case 'k':
		return &m->kernel;
	case 'h':
		return &m->hv;
	case 'I':
		return &m->idle;
	case 'G':
		return &m->guest;
	case 'H':
		return &m->host;
	case 'D':
		return &m->pinned;
	case 'e':
		return &m->exclusive;
	case 'S':
		return &m->sample_read;
	case 'W':
		return &m->weak;
	case 'P':
		return &m->precise_max;
	case 'b':
		return &m->bpf;
	case 'R':
		return &m->retire_lat;
	case 'X':
		return &m->dont_regroup;
	default:
		return NULL;
	}
}

int modifiers_parse(const char *s, size_t len, struct modifiers *m)
{
	*m = (struct modifiers){ .given = len > 0 };
	for (size_t i = 0; i < len; i++) {
		bool *flag = flag_of(m, s[i]);

		if (!flag) {
			if (++m->precise > PRECISE_MAX)
				return -1;
			continue;
		}
		if (*flag)
			return -1;
		*flag = true;
	}
	return 0;
}

int modifiers_apply(const struct modifiers *m, struct event *ev, bool in_group)
{
	struct perf_event_attr *a = &ev->attr;
	bool host_or_guest = in_group && ev->guest_given;
	int precise = m->precise + (in_group ? (int)a->precise_ip : 0);

	if (!m->given)
		return 0;
	if (precise > PRECISE_MAX)
		return -1;
	if (!in_group)
		a->exclude_guest = 0;
	if (m->user || m->kernel || m->hv) {
		if (!a->exclude_user && !a->exclude_kernel && !a->exclude_hv)
			a->exclude_user = a->exclude_kernel = a->exclude_hv = 1;
		a->exclude_user &= !m->user;
		a->exclude_kernel &= !m->kernel;
		a->exclude_hv &= !m->hv;
	}
	/* User code and precise samples of a guest cannot be told from the host's. */
	if (!host_or_guest && !m->guest && !m->host && (m->user || m->precise))
		a->exclude_guest = 1;
	if (m->guest || m->host) {
		if (!host_or_guest)
			a->exclude_guest = a->exclude_host = 1;
		if (m->guest)
			a->exclude_guest = 0;
		if (m->host)
			a->exclude_host = 0;
		ev->guest_given = true;
	}
	a->precise_ip = (u64)precise & 3;
	a->exclude_idle |= m->idle;
	ev->sample_read |= m->sample_read;
	ev->precise_max |= m->precise_max;
	ev->bpf_counter |= m->bpf;
	if (ev->leader == ev) {
		a->pinned |= m->pinned;
		a->exclusive |= m->exclusive;
		ev->weak_group |= m->weak;
	}
	return 0;
}
