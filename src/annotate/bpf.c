/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/bpf.h"

#include <string.h>

#include "base/compare.h"
#include "base/search.h"

enum {
	LINES_MAX = 1 << 16, /* of source of a program; further ones are not looked at */
	PLACES_MAX = 1 << 20,
	TAG_DIGITS = 16,
};
static const char prefix[] = "bpf_prog_";

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
	VEC_SORT(&c->places, by_u64);
}

void bpf_code_release(struct bpf_programs_code *c)
{
	vec_free(&c->places);
	arena_release(&c->names);
}

const struct bpf_place *bpf_code_find(const struct bpf_programs_code *c, u64 addr, const char *name)
{
	const struct bpf_place *found = NULL;
	size_t nr = search_up_to(c->places.v, c->places.nr, sizeof(*c->places.v), addr);

	for (; nr && c->places.v[nr - 1].at.addr == addr; nr--) {
		const struct bpf_place *p = &c->places.v[nr - 1];

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
	VEC_SORT(&s->lines, by_u64);
}

const struct bpf_line *bpf_source_find(const struct bpf_source *s, u64 addr)
{
	size_t nr = search_up_to(s->lines.v, s->lines.nr, sizeof(*s->lines.v), addr);

	return nr ? &s->lines.v[nr - 1] : NULL;
}

void bpf_source_release(struct bpf_source *s)
{
	vec_free(&s->lines);
}
