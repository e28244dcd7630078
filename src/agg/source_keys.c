/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_keys: rows by source line, by source file, by offset in a symbol and by the type of
 * variable that an instruction accesses. A sample's word is
 * its frame, which stands for an address (KEY_ADDRESS); after all samples each distinct one becomes
 * a text, once.
 */
#include "agg/private.h"
#include "base/hash.h"
#include "dso/source.h"

bool agg_place_of(struct dso *d, const struct frame *f, struct source_frame *place)
{
	struct source_frame places[SOURCE_FRAMES_MAX];
	size_t nr = d && f->at ? dso_source(d, f->at, places, MIN(f->depth + 1, SOURCE_FRAMES_MAX))
			       : 0;

	if (nr <= f->depth || !places[f->depth].file)
		return false;
	*place = places[f->depth];
	return true;
}

/* "file.c:12", else where the address is in its symbol or object. */
static void add_line(struct agg *a, const struct frame *f, struct strbuf *out)
{
	struct dso *d = dso_table_get(session_dsos(a->s), f->dso);
	struct source_frame place;

	if (agg_place_of(d, f, &place))
		source_add_place(out, &place, a->c.full_source_path);
	else if (f->sym != SYM_NONE)
		strbuf_addf(out, "%s+%llu", agg_symbol_name(a, f),
			    (unsigned long long)(f->at - f->addr));
	else if (d)
		strbuf_addf(out, "%s[%llx]", dso_short_name(d), (unsigned long long)f->addr);
	else
		strbuf_adds(out, "??:0");
}

static void add_file(struct agg *a, const struct frame *f, struct strbuf *out)
{
	struct dso *d = dso_table_get(session_dsos(a->s), f->dso);
	struct source_frame place;

	if (agg_place_of(d, f, &place))
		source_add_file(out, &place, a->c.full_source_path);
}

/* The text of a frame, made when it is first asked for; known: by frame, 0 = not yet. */
static u64 text_of_frame(struct agg *a, str_id **known, u64 frame,
			 void (*add)(struct agg *a, const struct frame *f, struct strbuf *out))
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!*known)
		*known = XNEW_ARRAY(str_id, a->nr_frames + 1);
	if (frame > a->nr_frames)
		return 0;
	if (!(*known)[frame]) {
		add(a, session_frame_get(a->s, (frame_id)frame), &text);
		(*known)[frame] = agg_text(a, text.buf ? text.buf : "", text.len);
	}
	return (*known)[frame];
}

u64 agg_srcline_of(struct agg *a, u64 frame)
{
	return text_of_frame(a, &a->srclines, frame, add_line);
}

u64 agg_srcfile_of(struct agg *a, u64 frame)
{
	return text_of_frame(a, &a->srcfiles, frame, add_file);
}

/* What ends a text that is told apart from an equal one of another object. */
#define OBJECT_SIGN '\1'

/* "name+0x12", or the address where there is no symbol. */
static void add_offset(struct agg *a, const struct frame *f, struct strbuf *out)
{
	if (f->sym != SYM_NONE || f->inlined)
		strbuf_addf(out, "%s+0x%llx", agg_symbol_name(a, f),
			    (unsigned long long)(f->at - f->addr));
	else
		strbuf_addf(out, "0x%016llx", (unsigned long long)f->addr);
	if (!a->has_dso_key)
		strbuf_addf(out, "%c%08x", OBJECT_SIGN, f->dso);
}

u64 agg_symbol_offset_of(struct agg *a, u64 frame)
{
	return text_of_frame(a, &a->offsets, frame, add_offset);
}

void agg_symbol_offset_text(struct agg *a, const struct agg_entry *e, u64 word, u32 width,
			    struct strbuf *out)
{
	const char *text = intern_str(a->texts, (str_id)word);
	const char *end = a->has_dso_key ? NULL : strrchr(text, OBJECT_SIGN);
	size_t from = out->len;

	strbuf_add(out, (const char[]){ '[', agg_level_letter(e->level), ']', ' ' }, 4);
	strbuf_add(out, text, end ? (size_t)(end - text) : strlen(text));
	if (width && out->len - from > width) {
		out->len = from + width;
		out->buf[out->len] = '\0';
	}
}

/* The line that tells frames of a function apart, 0 = unknown or not asked for. */
static u64 joined_line(struct agg *a, frame_id i)
{
	const struct frame *f = session_frame_get(a->s, i);
	struct dso *d = dso_table_get(session_dsos(a->s), f->dso);
	struct source_frame place;

	if (!a->c.join_lines || !agg_place_of(d, f, &place))
		return 0;
	return agg_srcline_of(a, i);
}

static int address_cmp(const void *x, const void *y, void *arg)
{
	struct agg *a = arg;
	const struct frame *f = session_frame_get(a->s, *(const frame_id *)x);
	const struct frame *g = session_frame_get(a->s, *(const frame_id *)y);

	if (f->at != g->at)
		return f->at < g->at ? -1 : 1;
	return f->depth < g->depth ? -1 : f->depth > g->depth;
}

/* By address, so that the one that stands for others does not depend on who came first. */
static frame_id *frames_in_order(struct agg *a)
{
	frame_id *order = XNEW_ARRAY(frame_id, a->nr_frames + 1);

	for (frame_id i = 1; i <= a->nr_frames; i++)
		order[i - 1] = i;
	if (a->c.join_lines && a->nr_frames)
		qsort_r(order, a->nr_frames, sizeof(*order), address_cmp, a);
	return order;
}

void agg_join_addresses(struct agg *a)
{
	frame_id *order = frames_in_order(a);
	u64 *lines = XNEW_ARRAY(u64, a->nr_frames + 1);
	struct map by_symbol = { 0 };

	a->function_of = XNEW_ARRAY(frame_id, a->nr_frames + 1);
	for (u32 n = 0; n < a->nr_frames; n++) {
		frame_id i = order[n];
		const struct frame *f = session_frame_get(a->s, i);
		u32 other;
		u64 h;

		a->function_of[i] = i;
		if (f->sym == SYM_NONE || !f->at)
			continue;
		lines[i] = joined_line(a, i);
		h = hash_mix((u64)f->dso << 32 | f->sym, lines[i]);
		for (struct map_probe p = map_first(&by_symbol, h);
		     map_next(&by_symbol, &p, &other);) {
			const struct frame *g = session_frame_get(a->s, other);

			if (g->dso == f->dso && g->sym == f->sym && lines[other] == lines[i] &&
			    !agg_compare_inlined(f, g)) {
				a->function_of[i] = other;
				break;
			}
		}
		if (a->function_of[i] == i)
			map_add(&by_symbol, h, i);
	}
	map_release(&by_symbol);
	free(lines);
	free(order);
}

/* ------------------------------------------------------------------ types of memory */

/* What the instruction at a frame accesses; callers access what their call does. */
static void access_of(struct agg *a, const struct frame *f, struct types_access *out)
{
	if (!a->types)
		a->types = types_new(session_dsos(a->s));
	types_of(a->types, f->at ? f->dso : 0, f->at, out);
}

static void add_type(struct agg *a, const struct frame *f, struct strbuf *out)
{
	struct types_access access;

	access_of(a, f, &access);
	strbuf_adds(out, types_name(a->types, &access));
}

static void add_type_offset(struct agg *a, const struct frame *f, struct strbuf *out)
{
	struct types_access access;

	access_of(a, f, &access);
	types_add_place(a->types, &access, out);
}

/* As if the type began with a line of the cache. */
static void add_type_line(struct agg *a, const struct frame *f, struct strbuf *out)
{
	enum { CACHE_LINE = 64 };
	struct types_access access;

	access_of(a, f, &access);
	if (access.vague)
		strbuf_addf(out, "%s: cache-line ?", types_name(a->types, &access));
	else
		strbuf_addf(out, "%s: cache-line %llu", types_name(a->types, &access),
			    (unsigned long long)access.offset / CACHE_LINE);
}

u64 agg_type_of(struct agg *a, u64 frame)
{
	return text_of_frame(a, &a->type_names, frame, add_type);
}

u64 agg_type_offset_of(struct agg *a, u64 frame)
{
	return text_of_frame(a, &a->type_offsets, frame, add_type_offset);
}

u64 agg_type_line_of(struct agg *a, u64 frame)
{
	return text_of_frame(a, &a->type_lines, frame, add_type_line);
}
