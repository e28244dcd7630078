/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/bpf.h"

#include <string.h>

enum {
	LINES_MAX = 1 << 16, /* of a program that are looked at */
	PLACES_MAX = 1 << 20,
	TAG_DIGITS = 16,
};
static const char prefix[] = "bpf_prog_";

static int by_address(const void *x, const void *y)
{
	const struct bpf_place *a = x, *b = y;

	return a->at.addr < b->at.addr ? -1 : a->at.addr > b->at.addr;
}

/* Whether both names begin with "bpf_prog_TAG". */
static bool is_same_program(const char *a, const char *b)
{
	size_t len = strlen(prefix) + TAG_DIGITS;

	return strlen(a) >= len && !strncmp(a, prefix, strlen(prefix)) && !strncmp(a, b, len);
}

static void add_program(struct bpf_programs_code *c, const struct info_bpf_prog *p)
{
	u32 nr = bpf_info_functions(p);
	u64 from = 0;

	for (u32 i = 0; i < nr && c->places.nr < PLACES_MAX; i++) {
		struct strbuf name = STRBUF_INIT;
		struct bpf_place place = { .program = p };

		if (!bpf_info_function(p, NULL, i, &place.at, &name)) {
			strbuf_release(&name);
			return;
		}
		place.name = arena_strdup(&c->names, name.buf);
		place.code = bpf_info_code(p, from, place.at.size);
		from += place.at.size;
		if (place.code && place.at.size)
			*VEC_PUSH(&c->places) = place;
		strbuf_release(&name);
	}
}

void bpf_code_read(struct bpf_programs_code *c, const struct perfdata_info *info)
{
	if (c->read)
		return;
	c->read = true;
	for (u32 i = 0; i < info->nr_bpf_progs; i++)
		add_program(c, &info->bpf_progs[i]);
	VEC_SORT(&c->places, by_address);
}

void bpf_code_release(struct bpf_programs_code *c)
{
	vec_free(&c->places);
	arena_release(&c->names);
}

const struct bpf_place *bpf_code_find(const struct bpf_programs_code *c, u64 addr, const char *name)
{
	const struct bpf_place *found = NULL;
	size_t lo = 0, hi = c->places.nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (c->places.v[mid].at.addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < c->places.nr && c->places.v[lo].at.addr == addr; lo++) {
		const struct bpf_place *p = &c->places.v[lo];

		if (!is_same_program(p->name, name))
			continue;
		if (found &&
		    (found->at.size != p->at.size || memcmp(found->code, p->code, p->at.size) != 0))
			return NULL;
		found = p;
	}
	return found;
}

/* ------------------------------------------------------------------ source */

static int line_by_address(const void *x, const void *y)
{
	const struct bpf_line *a = x, *b = y;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

void bpf_source_read(struct bpf_source *s, const struct perfdata_info *info,
		     const struct bpf_place *place)
{
	const struct info_btf *types = NULL;
	u32 nr = MIN(bpf_info_lines(place->program), (u32)LINES_MAX);
	struct bpf_line line;

	for (u32 i = 0; i < info->nr_btfs && !types; i++)
		if (info->btfs[i].id == bpf_info_types(place->program))
			types = &info->btfs[i];
	for (u32 i = 0; types && i < nr; i++)
		if (bpf_info_line(place->program, types, i, &line) &&
		    line.addr - place->at.addr < place->at.size)
			*VEC_PUSH(&s->lines) = line;
	VEC_SORT(&s->lines, line_by_address);
}

const struct bpf_line *bpf_source_find(const struct bpf_source *s, u64 addr)
{
	size_t lo = 0, hi = s->lines.nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->lines.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &s->lines.v[lo - 1] : NULL;
}

void bpf_source_release(struct bpf_source *s)
{
	vec_free(&s->lines);
}
