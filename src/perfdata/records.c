/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records: what records that describe the file do to its tables. All are in native byte order here,
 * except the bodies of features, which feature_load.c swaps as it reads them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/limits.h"
#include "perfdata/feature_load.h"
#include "perfdata/reader.h"
#include "perfdata/record.h"
#include "perfdata/tool_records.h"

/* attr, then ids to the end of the record */
static void apply_attr(struct perfdata *f, const struct record_bytes *b)
{
	const u8 *body = b->at;
	size_t len = b->len;
	bool swap = f->swap;
	u64 *ids = NULL;
	size_t nr;
	u32 size;

	if (len < PERF_ATTR_SIZE_VER0) {
		f->damage.skipped_records++;
		return;
	}
	size = bits_u32(body + offsetof(struct perf_event_attr, size));
	if (size < PERF_ATTR_SIZE_VER0 || size > len || size % 8)
		size = PERF_ATTR_SIZE_VER0;
	nr = (len - size) / 8;
	if (nr) {
		ids = XNEW_ARRAY(u64, nr);
		memcpy(ids, body + size, nr * 8);
	}
	/* swap_record() has put the attr in order already */
	f->swap = false;
	if (events_add(f, body, size, ids, nr, NULL))
		f->damage.skipped_records++;
	f->swap = swap;
	f->tables_dirty = true;
}

static void replace(char **own, const char **shown, const char *text, size_t len)
{
	free(*own);
	*own = xstrndup(text, len);
	*shown = *own;
}

static struct event_box *box_by_id(struct perfdata *f, u64 id)
{
	const struct perfdata_event *ev = perfdata_event_by_id(f, id);

	return ev ? f->events.v[ev->index] : NULL;
}

/* u64 size of the whole, u64 offset of this piece, the piece, padded. */
static void apply_symbols(struct perfdata *f, const struct record_bytes *b)
{
	u64 size = record_word(b, 0), offset = record_word(b, 1);

	if (b->len < 16) {
		f->damage.skipped_records++;
		return;
	}
	if (!size)
		f->symbols_follow = true;
	if (!size || info_has(&f->info, FEAT_SYMBOLS))
		return;
	if (size > LIMIT_FEATURE || offset != f->symbols.len ||
	    (offset && size != f->symbols_size)) {
		f->damage.skipped_records++;
		return;
	}
	f->symbols_size = size;
	strbuf_add(&f->symbols, b->at + 16, (size_t)MIN((u64)b->len - 16, size - offset));
	if (f->symbols.len < size)
		return;
	features_apply(f, FEAT_SYMBOLS, f->symbols.buf, f->symbols.len);
	strbuf_release(&f->symbols);
}

void records_apply_symbols(struct perfdata *f, const struct perf_event_header *h)
{
	union record_view v;

	if (record_view(h, 0, &v) && v.event_update.type == UPDATE_SYMBOLS)
		apply_symbols(f, &v.event_update.body);
}

static void apply_event_update(struct perfdata *f, const struct record_event_update *r)
{
	const char *text = (const char *)r->body.at;
	size_t len = r->body.len;
	struct event_box *b;

	if (r->type == UPDATE_SYMBOLS) {
		apply_symbols(f, &r->body);
		return;
	}
	b = box_by_id(f, r->id);
	if (!b)
		return;
	if (r->type == UPDATE_UNIT) {
		replace(&b->unit, &b->ev.unit, text, len);
	} else if (r->type == UPDATE_SCALE && len >= 8) {
		memcpy(&b->ev.scale, text, 8);
	} else if (r->type == UPDATE_NAME) {
		_cleanup_(mem_freep) char *name = xstrndup(text, len);

		events_set_name(b, name);
	} else if (r->type == UPDATE_CPUS) {
		struct strbuf list = STRBUF_INIT;

		if (record_cpu_map_text(&list, text, len))
			replace(&b->cpus, &b->ev.cpus, list.buf, list.len);
		strbuf_release(&list);
	}
}

static void apply_feature(struct perfdata *f, const struct record_feature *r)
{
	/* The list ends with a number beyond all features of its writer and no body. */
	if (r->feature < FEAT_BITS && (r->body.len || r->feature < FEAT_KNOWN_MAX))
		features_apply(f, (unsigned int)r->feature, r->body.at, r->body.len);
}

void records_apply(struct perfdata *f, const struct perf_event_header *h)
{
	union record_view v;
	bool whole = record_view(h, 0, &v);

	switch (h->type) {
	case PERF_RECORD_HEADER_ATTR:
		apply_attr(f, &v.bytes);
		break;
	case PERF_RECORD_EVENT_UPDATE:
		f->damage.skipped_records += !whole;
		if (whole)
			apply_event_update(f, &v.event_update);
		break;
	case PERF_RECORD_HEADER_FEATURE:
		f->damage.skipped_records += !whole;
		if (whole)
			apply_feature(f, &v.feature);
		break;
	case PERF_RECORD_HEADER_BUILD_ID:
		bits_set(f->info.present, FEAT_BUILD_ID);
		features_add_build_id(f, h->misc, (const u8 *)(h + 1), h->size - sizeof(*h), false);
		break;
	default:
		if (h->type >= PERF_RECORD_HEADER_MAX)
			damage_unknown_record(f, h);
		break;
	}
}
