/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/counts.h"

#include <math.h>

double count_scale(u64 value, u64 enabled, u64 running)
{
	if (!running)
		return 0;
	if (running >= enabled)
		return (double)value;
	/* whole events, as perf counts them */
	return floor((double)value * (double)enabled / (double)running);
}

u64 count_delta(u64 later, u64 earlier)
{
	return later > earlier ? later - earlier : 0;
}

void moments_add(struct moments *m, double value)
{
	double delta = value - m->mean;

	m->n++;
	m->mean += delta / (double)m->n;
	m->m2 += delta * (value - m->mean);
}

double moments_deviation(const struct moments *m)
{
	if (m->n < 2)
		return 0;
	return sqrt(m->m2 / (double)(m->n - 1) / (double)m->n);
}

double moments_percent(const struct moments *m)
{
	return m->mean != 0 ? 100.0 * moments_deviation(m) / fabs(m->mean) : 0;
}

struct count_place count_place_of(const struct count_place *cpu, enum count_aggr aggr)
{
	struct count_place p = { -1, -1, -1, -1, -1, -1, -1 };

	switch (aggr) {
	case COUNT_GLOBAL:
	case COUNT_THREAD:
		break;
	case COUNT_CPU:
		p.cpu = cpu->cpu;
		break;
	case COUNT_NODE:
		p.node = cpu->node;
		break;
	case COUNT_CORE:
		p.core = cpu->core;
		p.die = cpu->die;
		p.socket = cpu->socket;
		break;
	case COUNT_CLUSTER:
		p.cluster = cpu->cluster;
		p.die = cpu->die;
		p.socket = cpu->socket;
		break;
	case COUNT_CACHE:
		p.cache = cpu->cache;
		p.die = cpu->die;
		p.socket = cpu->socket;
		break;
	case COUNT_DIE:
		p.die = cpu->die;
		p.socket = cpu->socket;
		break;
	case COUNT_SOCKET:
		p.socket = cpu->socket;
		break;
	}
	return p;
}

int count_place_compare(const struct count_place *a, const struct count_place *b)
{
	const s32 x[] = { a->socket, a->die, a->cluster, a->cache, a->core, a->node, a->cpu };
	const s32 y[] = { b->socket, b->die, b->cluster, b->cache, b->core, b->node, b->cpu };

	for (size_t i = 0; i < ARRAY_SIZE(x); i++) {
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	}
	return 0;
}
