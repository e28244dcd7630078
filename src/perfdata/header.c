/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * header: the fixed header of a perf.data file, its attrs and ids, the names of its events.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/rw.h"
#include "perfdata/feature_load.h"
#include "perfdata/reader.h"
#include "perfdata/record.h"
#include "perfdata/stream.h"

void reader_damage(struct perfdata *f, const char *fmt, ...)
{
	size_t n;
	va_list ap;

	if (f->damage.first[0] && !f->only_unknown)
		return;
	f->only_unknown = false;
	snprintf(f->damage.first, sizeof(f->damage.first), "'%.100s': ", perfdata_name(f));
	n = strlen(f->damage.first);
	va_start(ap, fmt);
	vsnprintf(f->damage.first + n, sizeof(f->damage.first) - n, fmt, ap);
	va_end(ap);
}

void reader_unknown_record(struct perfdata *f, const struct perf_event_header *h)
{
	if (f->damage.unknown_records++ || f->damage.first[0])
		return;
	reader_damage(f, "records of type %u, unknown to this version, are passed over", h->type);
	f->only_unknown = true;
}

void perfdata_add_malformed(struct perfdata *f, const struct perfdata_malformed *m)
{
	const struct perf_event_header *h = &m->first;
	size_t least = record_least_size(h);
	char why[48] = "its last field has no end";
	char others[48] = "";

	if (!m->nr)
		return;
	f->damage.skipped_records += m->nr;
	if (h->size < least)
		snprintf(why, sizeof(why), "the least size is %zu", least);
	if (m->nr > 1)
		snprintf(others, sizeof(others), ", and %llu more are",
			 (unsigned long long)m->nr - 1);
	reader_damage(f, "the %s record at offset 0x%llx (type %u, size %u) is broken%s: %s",
		      record_type_name(h->type), (unsigned long long)m->pos, h->type, h->size,
		      others, why);
}

/* ids */

static struct id_slot *id_find(const struct id_map *m, u64 id)
{
	u32 i = (u32)hash_u64(id) & m->mask;

	while (m->slots[i].event1 && m->slots[i].id != id)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

static void id_add(struct id_map *m, u64 id, u32 event)
{
	struct id_slot *s;

	if (!m->slots || m->nr + m->nr / 2 >= m->mask) {
		struct id_map old = *m;

		m->mask = old.slots ? old.mask * 2 + 1 : 63;
		m->slots = XNEW_ARRAY(struct id_slot, (size_t)m->mask + 1);
		for (u32 i = 0; old.slots && i <= old.mask; i++)
			if (old.slots[i].event1)
				*id_find(m, old.slots[i].id) = old.slots[i];
		free(old.slots);
	}
	s = id_find(m, id);
	if (s->event1)
		return; /* the first owner keeps it */
	*s = (struct id_slot){ .id = id, .event1 = event + 1 };
	m->nr++;
}

const struct perfdata_event *perfdata_event_by_id(const struct perfdata *f, u64 id)
{
	const struct id_slot *s;

	if (!f->ids.slots)
		return NULL;
	s = id_find(&f->ids, id);
	return s->event1 ? &f->events.v[s->event1 - 1]->ev : NULL;
}

/* Records made by the tool carry id 0 and belong to nobody in particular. */
static const struct perfdata_event *event_of_id(const struct perfdata *f, u64 id)
{
	return id ? perfdata_event_by_id(f, id) : &f->events.v[0]->ev;
}

/* (Apart, so that samples do not pay for its frame.) */
static __attribute__((noinline)) const struct perfdata_event *event_of_other(
	const struct perfdata *f, const struct perf_event_header *h)
{
	const struct sample_layout *l = &f->events.v[0]->ev.layout;
	struct sample_id tail;

	return event_of_id(f, l->tail_id && sample_id_decode(l, h, &tail) ? tail.id : 0);
}

const struct perfdata_event *perfdata_event_of(const struct perfdata *f,
					       const struct perf_event_header *h)
{
	const struct perfdata_event *first;

	if (UNLIKELY(!f->events.nr))
		return NULL;
	first = &f->events.v[0]->ev;
	if (f->events.nr == 1)
		return first;
	if (h->type != PERF_RECORD_SAMPLE)
		return event_of_other(f, h);
	if (!first->layout.id_pos || h->size < first->layout.id_pos + 8U)
		return first;
	return event_of_id(f, bits_u64((const u8 *)h + first->layout.id_pos));
}

/* attrs */

static u64 swap_bits_per_byte(u64 v)
{
	v = (v >> 1 & 0x5555555555555555ULL) | (v & 0x5555555555555555ULL) << 1;
	v = (v >> 2 & 0x3333333333333333ULL) | (v & 0x3333333333333333ULL) << 2;
	return (v >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (v & 0x0f0f0f0f0f0f0f0fULL) << 4;
}

/* Big-endian writers number the bits of a bit field from the other end of each byte. */
static u64 swap_flags(u64 raw)
{
	u64 v = swap_bits_per_byte(raw);
	u64 precise = v >> 15 & 3;

	/* the only field of two bits came out with them exchanged */
	v &= ~(3ULL << 15);
	return v | ((precise >> 1 | (precise & 1) << 1) << 15);
}

/* Words of one size that follow each other in an attribute; behind type, size and flags. */
static const struct attr_words {
	size_t offset, size, nr;
} attr_words[] = {
	{ offsetof(struct perf_event_attr, config), 8, 4 },
	{ offsetof(struct perf_event_attr, wakeup_events), 4, 2 },
	{ offsetof(struct perf_event_attr, bp_addr), 8, 4 },
	{ offsetof(struct perf_event_attr, sample_stack_user), 4, 2 },
	{ offsetof(struct perf_event_attr, sample_regs_intr), 8, 1 },
	{ offsetof(struct perf_event_attr, aux_watermark), 4, 1 },
	{ offsetof(struct perf_event_attr, sample_max_stack), 2, 2 },
	{ offsetof(struct perf_event_attr, aux_sample_size), 4, 2 },
	{ offsetof(struct perf_event_attr, sig_data), 8, 3 },
};

void attr_from_file(struct perf_event_attr *out, const void *raw, u32 size, bool swap)
{
	memset(out, 0, sizeof(*out));
	memcpy(out, raw, MIN(size, sizeof(*out)));
	if (!swap)
		return;
	bits_swap32(out, 2);
	out->flags = swap_flags(out->flags);
	for (size_t i = 0; i < ARRAY_SIZE(attr_words); i++) {
		const struct attr_words *w = &attr_words[i];
		u8 *first = (u8 *)out + w->offset;

		if (w->size == 8)
			bits_swap64(first, w->nr);
		else if (w->size == 4)
			bits_swap32(first, w->nr);
		else
			bits_swap16(first, w->nr);
	}
}

int reader_add_event(struct perfdata *f, const void *attr, u32 attr_size, u64 *ids, size_t nr_ids,
		     struct err *e)
{
	struct event_box *b;

	if (f->events.nr >= LIMIT_EVENTS) {
		free(ids);
		return err_set(e, E2BIG, "'%s' has more than %d events", f->path, LIMIT_EVENTS);
	}
	b = XNEW(struct event_box);
	attr_from_file(&b->ev.attr, attr, attr_size, f->swap);
	b->ev.index = (u32)f->events.nr;
	b->ev.attr_size = attr_size;
	sample_layout_init(&b->ev.layout, &b->ev.attr);
	b->name = event_name_derive(&b->ev.attr);
	b->ev.name = b->name;
	b->ev.scale = 1.0;
	b->ev.ids = b->ids = ids;
	b->ev.nr_ids = nr_ids;
	b->ev.leader = b->ev.index;
	b->ev.nr_members = 1;
	*VEC_PUSH(&f->events) = b;
	for (size_t i = 0; i < nr_ids; i++)
		id_add(&f->ids, ids[i], b->ev.index);
	return 0;
}

static bool section_ok(const struct perfdata *f, const struct file_section *s)
{
	return s->offset <= f->file_size && s->size <= f->file_size - s->offset;
}

static void swap_section(struct file_section *s)
{
	bits_swap64(s, 2);
}

/* The place of the ids stands behind the attr: at its own size or at the end of the entry. */
static struct file_section ids_section(const struct perfdata *f, const u8 *entry, u64 entry_size,
				       u32 own_size)
{
	struct file_section at_end, at_own;

	memcpy(&at_end, entry + entry_size - sizeof(at_end), sizeof(at_end));
	if (f->swap)
		swap_section(&at_end);
	if (own_size + sizeof(at_own) >= entry_size || (section_ok(f, &at_end) && at_end.offset))
		return at_end;
	memcpy(&at_own, entry + own_size, sizeof(at_own));
	if (f->swap)
		swap_section(&at_own);
	return at_own;
}

static int read_attr(struct perfdata *f, const u8 *entry, u64 entry_size, struct err *e)
{
	u64 room = entry_size - sizeof(struct file_section);
	u32 own = bits_u32(entry + offsetof(struct perf_event_attr, size));
	struct file_section s;
	u64 *ids = NULL;
	size_t nr = 0;

	if (f->swap)
		own = __builtin_bswap32(own);
	if (own < PERF_ATTR_SIZE_VER0 || own > room)
		own = (u32)room;
	s = ids_section(f, entry, entry_size, own);
	if (!section_ok(f, &s) || s.size / 8 > LIMIT_IDS)
		reader_damage(f, "ids of event %zu lie outside of the file", f->events.nr);
	else if (s.size)
		nr = s.size / 8;
	if (nr) {
		ids = XNEW_ARRAY(u64, nr);
		if (rw_pread_full(f->fd, ids, nr * 8, s.offset) != (ssize_t)(nr * 8)) {
			free(ids);
			return err_sys(e, errno, "cannot read '%s'", f->path);
		}
		if (f->swap)
			bits_swap64(ids, nr);
	}
	return reader_add_event(f, entry, own, ids, nr, e);
}

static int read_attrs(struct perfdata *f, struct err *e)
{
	const struct file_header *h = &f->header;
	struct file_section attrs = h->attrs;
	_cleanup_(mem_freep) u8 *buf = NULL;
	u64 nr;

	if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct file_section) ||
	    h->attr_size > LIMIT_ATTR_SIZE)
		return err_set(e, EINVAL, "'%s' is broken: its attrs have %llu bytes", f->path,
			       (unsigned long long)h->attr_size);
	if (attrs.offset > f->file_size)
		return err_set(e, EINVAL, "'%s' is broken: its attrs lie outside of the file",
			       f->path);
	if (!section_ok(f, &attrs)) {
		reader_damage(f, "the list of events is cut");
		attrs.size = f->file_size - attrs.offset;
	}
	nr = attrs.size / h->attr_size;
	if (nr > LIMIT_EVENTS)
		return err_set(e, E2BIG, "'%s' has more than %d events", f->path, LIMIT_EVENTS);
	if (!nr && f->no_events_ok)
		return 0;
	if (!nr)
		return err_set(e, EINVAL, "'%s' is broken: it has no events", f->path);
	buf = xmalloc(nr * h->attr_size);
	if (rw_pread_full(f->fd, buf, nr * h->attr_size, attrs.offset) !=
	    (ssize_t)(nr * h->attr_size))
		return err_sys(e, errno, "cannot read '%s'", f->path);
	for (u64 i = 0; i < nr; i++)
		if (read_attr(f, buf + i * h->attr_size, h->attr_size, e))
			return -1;
	return 0;
}

/* Old foreign writers swapped the feature bits in words of 32; HOSTNAME tells, it is always set. */
static void swap_feature_bits(u64 *bits)
{
	static const u64 none[FEAT_BITS / 64];
	u64 plain[FEAT_BITS / 64];

	if (!memcmp(bits, none, sizeof(none)))
		return;
	memcpy(plain, bits, sizeof(plain));
	bits_swap64(bits, FEAT_BITS / 64);
	if (bits_test(bits, FEAT_HOSTNAME))
		return;
	memcpy(bits, plain, sizeof(plain));
	bits_swap32(bits, FEAT_BITS / 32);
	if (bits_test(bits, FEAT_HOSTNAME))
		return;
	memset(bits, 0, sizeof(plain));
	bits_set(bits, FEAT_BUILD_ID);
}

static void clip_data(struct perfdata *f)
{
	struct file_section *d = &f->header.data;

	if (d->offset > f->file_size) {
		f->damage.truncated_bytes += d->size;
		reader_damage(f, "the data lies behind the end of the file");
		d->offset = f->file_size;
		d->size = 0;
	} else if (!d->size) {
		f->damage.unfinished = f->file_size > d->offset;
		if (f->damage.unfinished)
			reader_damage(f, "the recording was not finished: data size is 0");
		d->size = f->file_size - d->offset;
	} else if (!section_ok(f, d)) {
		u64 there = f->file_size - d->offset;

		f->damage.truncated_bytes += d->size - there;
		reader_damage(f, "the file is cut: %llu of %llu bytes of data are there",
			      (unsigned long long)there, (unsigned long long)d->size);
		d->size = there;
	}
	stream_start(f, d->offset, d->offset + d->size);
	f->all_size += d->size;
}

/* f->fd is at a regular file whose magic has been seen; the order of bytes is found here. */
int header_read(struct perfdata *f, struct err *e)
{
	struct file_header *h = &f->header;
	ssize_t got = rw_pread_full(f->fd, h, sizeof(*h), 0);

	if (got < 0)
		return err_sys(e, errno, "cannot read '%s'", f->path);
	if (got < (ssize_t)sizeof(*h))
		return err_set(e, EINVAL, "'%s' is too short to be a perf.data file", f->path);
	if (h->magic == PERFDATA_MAGIC2 || h->magic == PERFDATA_MAGIC1)
		f->swap = false;
	else
		f->swap = true;
	/* The first format wrote its magic as text, so only the sizes tell the order of bytes. */
	if ((h->magic == PERFDATA_MAGIC1 || __builtin_bswap64(h->magic) == PERFDATA_MAGIC1))
		f->swap = h->attr_size > LIMIT_ATTR_SIZE;
	if (f->swap) {
		bits_swap64(h, offsetof(struct file_header, features) / 8);
		swap_feature_bits(h->features);
	}
	f->info.version = h->magic == PERFDATA_MAGIC2;
	f->info.data_offset = h->data.offset;
	f->info.data_size = h->data.size;
	f->info.feat_offset = h->data.offset + h->data.size;
	if (h->size < offsetof(struct file_header, features))
		return err_set(e, EINVAL, "'%s' is broken: header size is %llu", f->path,
			       (unsigned long long)h->size);
	if (h->size < sizeof(*h))
		memset(h->features, 0, sizeof(h->features));
	if (read_attrs(f, e))
		return -1;

	bool finished = h->data.size != 0;

	clip_data(f);
	if (finished)
		features_load(f);
	header_name_events(f);
	return 0;
}

void header_name_event(struct event_box *b, const char *name)
{
	struct strbuf shown = STRBUF_INIT;

	strbuf_add_escaped(&shown, name);
	free(b->name);
	b->name = strbuf_detach(&shown);
	b->ev.name = b->name;
	b->named = true;
}

static void name_event(struct perfdata *f, struct event_box *b)
{
	const struct perfdata_info *info = &f->info;
	const char *name = NULL;

	if (b->ev.index < info->nr_events)
		name = info->events[b->ev.index].name;
	if (!name && b->ev.attr.type == PERF_TYPE_TRACEPOINT) {
		if (!f->trace_names && info_has(info, FEAT_TRACING_DATA)) {
			const void *blob;
			size_t size;

			perfdata_tracing_data(f, &blob, &size);
			f->trace_names = trace_names_from_blob(blob, size);
		}
		name = trace_names_find(f->trace_names, b->ev.attr.config);
	}
	if (name)
		header_name_event(b, name);
}

/* Names from the file win over names derived from the attr. */
void header_name_events(struct perfdata *f)
{
	const struct perfdata_info *info = &f->info;

	f->tables_dirty = false;
	for (size_t i = 0; i < f->events.nr; i++)
		if (!f->events.v[i]->named)
			name_event(f, f->events.v[i]);
	for (u32 g = 0; g < info->nr_groups; g++) {
		const struct info_group *gr = &info->groups[g];

		if (gr->leader >= f->events.nr || gr->nr_members > f->events.nr - gr->leader ||
		    gr->nr_members < 2)
			continue;
		for (u32 m = 0; m < gr->nr_members; m++) {
			f->events.v[gr->leader + m]->ev.leader = gr->leader;
			f->events.v[gr->leader + m]->ev.nr_members = gr->nr_members;
		}
		f->events.v[gr->leader]->ev.group_name = gr->name;
	}
}
