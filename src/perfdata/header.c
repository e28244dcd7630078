/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * header: the fixed header of a perf.data file, its attrs and ids.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/rw.h"
#include "perfdata/feature_load.h"
#include "perfdata/reader.h"
#include "perfdata/stream.h"
#include "perfdata/swap.h"

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
	return events_add(f, entry, own, ids, nr, e);
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
	events_find_names(f);
	return 0;
}
