/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong with a recording: the first of it in words, the rest in numbers. */
#include <stdarg.h>
#include <stdio.h>

#include "perfdata/reader.h"
#include "perfdata/record.h"

const char *perfdata_directory(const struct perfdata *f)
{
	return f->directory;
}

const char *perfdata_path(const struct perfdata *f)
{
	return f->directory ? f->directory : f->path;
}

const char *perfdata_name(const struct perfdata *f)
{
	const char *path = perfdata_path(f);

	return strcmp(path, "-") ? path : "standard input";
}

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

void damage_unknown_record(struct perfdata *f, const struct perf_event_header *h)
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
	if (f->first_is_end)
		f->damage.first[0] = '\0';
	reader_damage(f, "the record at offset 0x%llx: %s (%u) event of %u bytes is broken%s: %s",
		      (unsigned long long)m->pos, record_type_name(h->type), h->type, h->size,
		      others, why);
}

const struct perfdata_damage *perfdata_damage(const struct perfdata *f)
{
	return &f->damage;
}

bool perfdata_is_cut(const struct perfdata *f)
{
	return f->damage.truncated_bytes && !f->damage.unfinished;
}
