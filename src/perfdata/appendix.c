/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/appendix.h"

#include "base/bits.h"
#include "base/rw.h"

#define APPENDIX_MAGIC 0x45524f4d46524550ULL /* "PERFMORE" */

struct appendix_end {
	u64 nr, magic;
};

static bool is_inside(const struct appendix_entry *e, u64 end)
{
	return appendix_has((unsigned int)e->feature) && e->feature < FEAT_BITS &&
	       e->offset <= end && e->size <= end - e->offset;
}

void appendix_read(struct appendix *a, int fd, u64 file_size, bool swap)
{
	struct appendix_end end;
	u64 table;

	a->nr = 0;
	a->start = file_size;
	if (file_size < sizeof(end) ||
	    rw_pread_full(fd, &end, sizeof(end), file_size - sizeof(end)) != sizeof(end))
		return;
	if (swap)
		bits_swap64(&end, sizeof(end) / 8);
	if (end.magic != APPENDIX_MAGIC || !end.nr || end.nr > FEAT_BITS ||
	    end.nr * sizeof(a->entries[0]) > file_size - sizeof(end))
		return;
	table = file_size - sizeof(end) - end.nr * sizeof(a->entries[0]);
	if (rw_pread_full(fd, a->entries, end.nr * sizeof(a->entries[0]), table) !=
	    (ssize_t)(end.nr * sizeof(a->entries[0])))
		return;
	if (swap)
		bits_swap64(a->entries, end.nr * sizeof(a->entries[0]) / 8);
	for (size_t i = 0; i < end.nr; i++)
		if (!is_inside(&a->entries[i], table))
			return;
	a->nr = end.nr;
	a->start = a->entries[0].offset;
}

void appendix_add(struct appendix *a, struct strbuf *out, u64 base, unsigned int feature,
		  const void *body, size_t len)
{
	if (!a->nr)
		a->start = base + out->len;
	a->entries[a->nr++] = (struct appendix_entry){ feature, base + out->len, len };
	strbuf_add(out, len ? body : "", len);
}

void appendix_finish(const struct appendix *a, struct strbuf *out)
{
	struct appendix_end end = { a->nr, APPENDIX_MAGIC };

	if (!a->nr)
		return;
	strbuf_add(out, a->entries, a->nr * sizeof(a->entries[0]));
	strbuf_add(out, &end, sizeof(end));
}
