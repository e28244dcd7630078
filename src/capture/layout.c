/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/layout.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fmt.h"

static bool has(const struct layout_cpus *c, u32 cpu)
{
	for (size_t i = 0; i < c->nr; i++) {
		if (c->v[i] == cpu)
			return true;
	}
	return false;
}

static void add(struct layout_cpus *c, u32 cpu)
{
	c->v = xrealloc_array(c->v, c->nr + 1, sizeof(*c->v));
	c->v[c->nr++] = cpu;
}

static bool meet(const struct layout_cpus *a, const struct layout_cpus *b)
{
	for (size_t i = 0; i < a->nr; i++) {
		if (has(b, a->v[i]))
			return true;
	}
	return false;
}

/* What CPUs must have in common to be read by one thread. */
static u64 key_cpu(const struct sys_cpu *c)
{
	return c->cpu;
}

static u64 key_core(const struct sys_cpu *c)
{
	return (u64)(u32)c->socket << 32 | (u32)c->core;
}

static u64 key_package(const struct sys_cpu *c)
{
	return (u32)c->socket;
}

static u64 key_node(const struct sys_cpu *c)
{
	return (u32)c->node;
}

static const struct named_layout {
	const char *name;
	u64 (*key)(const struct sys_cpu *c);
} named[] = {
	{ "cpu", key_cpu },
	{ "core", key_core },
	{ "package", key_package },
	{ "numa", key_node },
};

/* One thread for each distinct key, in the order of the CPUs; it runs where it reads. */
static void group_cpus(struct layout *l, const struct named_layout *n, const struct sys_topology *t,
		       const struct layout_cpus *measured)
{
	VEC(u64) keys = { 0 };

	for (size_t i = 0; i < measured->nr; i++) {
		struct sys_cpu unknown = { .cpu = measured->v[i] };
		const struct sys_cpu *cpu = sys_topology_cpu(t, measured->v[i]);
		u64 key = n->key(cpu ? cpu : &unknown);
		size_t at = 0;

		while (at < keys.nr && keys.v[at] != key)
			at++;
		if (at == keys.nr) {
			*VEC_PUSH(&keys) = key;
			*VEC_PUSH(&l->threads) = (struct layout_thread){ 0 };
		}
		add(&l->threads.v[at].reads, measured->v[i]);
		add(&l->threads.v[at].runs_on, measured->v[i]);
	}
	vec_free(&keys);
}

/* "0,2-4" among allowed. */
static int parse_mask(const char *text, size_t len, const struct layout_cpus *allowed,
		      const char *what, struct layout_cpus *out, struct err *e)
{
	_cleanup_(mem_freep) char *list = xstrndup(text, len);
	u32 *cpus = NULL;
	size_t nr = 0;

	if (!fmt_parse_cpu_list(list, &cpus, &nr))
		return err_set(e, EINVAL, "Failed to initialize %s thread mask", what);
	for (size_t i = 0; i < nr; i++) {
		if (has(allowed, cpus[i]) && !has(out, cpus[i]))
			add(out, cpus[i]);
	}
	free(cpus);
	return out->nr ? 0 : err_set(e, ENODEV, "Empty %s mask: %s", what, list);
}

static int add_masks(struct layout *l, const char *spec, size_t len,
		     const struct layout_cpus *measured, const struct layout_cpus *online,
		     struct err *e)
{
	const char *slash = memchr(spec, '/', len);
	struct layout_thread *new;
	size_t left = slash ? (size_t)(slash - spec) : 0;

	if (!left || left + 1 == len)
		return err_set(e, EINVAL, "Invalid thread maps or affinity specs");
	new = VEC_PUSH(&l->threads);
	*new = (struct layout_thread){ 0 };
	if (parse_mask(spec, left, measured, "maps", &new->reads, e) < 0 ||
	    parse_mask(slash + 1, len - left - 1, online, "affinity", &new->runs_on, e) < 0)
		return -1;
	for (size_t i = 0; i + 1 < l->threads.nr; i++) {
		const struct layout_thread *other = &l->threads.v[i];

		if (meet(&other->reads, &new->reads))
			return err_set(e, EINVAL, "Intersecting maps mask: %.*s", (int)left, spec);
		if (meet(&other->runs_on, &new->runs_on))
			return err_set(e, EINVAL, "Intersecting affinity mask: %.*s",
				       (int)(len - left - 1), slash + 1);
	}
	return 0;
}

static int parse_masks(struct layout *l, const char *spec, const struct layout_cpus *measured,
		       const struct layout_cpus *online, struct err *e)
{
	for (const char *p = spec;;) {
		size_t len = strcspn(p, ":");

		if (add_masks(l, p, len, measured, online, e) < 0)
			return -1;
		if (!p[len])
			return 0;
		p += len + 1;
	}
}

int layout_parse(struct layout *l, const char *spec, const struct sys_topology *t, const u32 *cpus,
		 size_t nr, struct err *e)
{
	struct layout_cpus measured = { .v = (u32 *)(uintptr_t)cpus, .nr = nr };
	struct layout_cpus online = { 0 };
	int r;

	*l = (struct layout){ 0 };
	if (!spec || !*spec)
		spec = named[0].name;
	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		if (!strcmp(spec, named[i].name)) {
			group_cpus(l, &named[i], t, &measured);
			return 0;
		}
	}
	VEC_FOR(&t->cpus, cpu) {
		if (cpu->online)
			add(&online, cpu->cpu);
	}
	r = parse_masks(l, spec, &measured, &online, e);
	free(online.v);
	if (r < 0)
		layout_release(l);
	return r;
}

void layout_release(struct layout *l)
{
	VEC_FOR(&l->threads, t) {
		free(t->reads.v);
		free(t->runs_on.v);
	}
	vec_free(&l->threads);
}

size_t layout_reader_of(const struct layout *l, s32 cpu)
{
	for (size_t i = 0; i < l->threads.nr && cpu >= 0; i++) {
		if (has(&l->threads.v[i].reads, (u32)cpu))
			return i;
	}
	return 0;
}
