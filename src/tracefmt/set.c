/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of formats. */
#include "base/hash.h"
#include "tracefmt/program.h"

struct tracefmt_set *tracefmt_set_new(void)
{
	struct tracefmt_set *s = XNEW(struct tracefmt_set);

	s->long_size = 8;
	return s;
}

void tracefmt_set_free(struct tracefmt_set *s)
{
	if (!s)
		return;
	vec_free(&s->events);
	vec_free(&s->printk);
	vec_free(&s->symbols);
	map_release(&s->by_id);
	map_release(&s->by_name);
	arena_release(&s->arena);
	free(s);
}

static u64 name_hash(const char *system, const char *name)
{
	return hash_bytes(name, strlen(name), hash_bytes(system, strlen(system), 0));
}

const struct tracefmt *tracefmt_by_id(const struct tracefmt_set *s, u64 id)
{
	u32 i;

	for (struct map_probe p = map_first(&s->by_id, hash_u64(id)); map_next(&s->by_id, &p, &i);)
		if (s->events.v[i]->id == id)
			return s->events.v[i];
	return NULL;
}

const struct tracefmt *tracefmt_by_name(const struct tracefmt_set *s, const char *system,
					const char *name)
{
	u64 h = name_hash(system, name);
	u32 i;

	for (struct map_probe p = map_first(&s->by_name, h); map_next(&s->by_name, &p, &i);)
		if (!strcmp(s->events.v[i]->name, name) && !strcmp(s->events.v[i]->system, system))
			return s->events.v[i];
	return NULL;
}

void set_insert(struct tracefmt_set *s, struct tracefmt *t)
{
	if (s->events.nr >= TRACEFMT_MAX_EVENTS || tracefmt_by_id(s, t->id))
		return;
	u32 i = (u32)s->events.nr;

	*VEC_PUSH(&s->events) = t;
	map_add(&s->by_id, hash_u64(t->id), i);
	if (!tracefmt_by_name(s, t->system, t->name))
		map_add(&s->by_name, name_hash(t->system, t->name), i);
}

size_t tracefmt_set_count(const struct tracefmt_set *s)
{
	return s->events.nr;
}

const struct tracefmt *tracefmt_set_at(const struct tracefmt_set *s, size_t i)
{
	return s->events.v[i];
}

const char *tracefmt_system(const struct tracefmt *t)
{
	return t->system;
}

u64 tracefmt_id(const struct tracefmt *t)
{
	return t->id;
}

const char *tracefmt_name(const struct tracefmt *t)
{
	return t->name;
}
