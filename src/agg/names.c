/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: what objects, symbols and words are called, and the pieces of text that keys share.
 */
#include "agg/private.h"

enum { VERBOSE_ADDRESS = 18 };

void agg_add_left(struct strbuf *out, const char *s, u32 width)
{
	size_t len = strlen(s);

	if (width && len > width)
		len = width;
	strbuf_add(out, s, len);
	if (len < width)
		strbuf_pad(out, ' ', width - len);
}

const char *agg_dso_name(struct agg *a, dso_id d)
{
	const struct dso *dso = dso_table_get(session_dsos(a->s), d);

	if (!d)
		return "[unknown]";
	if (a->c.short_kernel && dso_kind(dso) == DSO_KERNEL)
		return "[kernel]";
	return a->c.verbose ? dso_long_name(dso) : dso_short_name(dso);
}

bool agg_is_data(struct agg *a, const struct frame *f)
{
	return f->sym != SYM_NONE && !f->inlined &&
	       symtab_is_data(dso_symtab(dso_table_get(session_dsos(a->s), f->dso)), f->sym);
}

const char *agg_symbol_name(struct agg *a, const struct frame *f)
{
	if (f->inlined)
		return f->inlined;
	return symtab_name(dso_symtab(dso_table_get(session_dsos(a->s), f->dso)), f->sym);
}

/* The function itself before what is inlined into it, that by name. */
int agg_compare_inlined(const struct frame *f, const struct frame *g)
{
	if (!f->inlined || !g->inlined)
		return (f->inlined != NULL) - (g->inlined != NULL);
	return strcmp(f->inlined, g->inlined);
}

char agg_level_letter(u8 cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_USER:
		return '.';
	case PERF_RECORD_MISC_GUEST_KERNEL:
		return 'g';
	case PERF_RECORD_MISC_GUEST_USER:
		return 'u';
	default:
		return 'H';
	}
}

void agg_add_verbose(u64 addr, char letter, struct strbuf *out)
{
	strbuf_addf(out, "%-#*llx %c ", VERBOSE_ADDRESS, (unsigned long long)addr, letter);
}

/* The kernel's mapping ends with its code, its symbols go on. */
u64 agg_kernel_size(struct agg *a, const struct model_map *map)
{
	struct dso *d = dso_table_get(session_dsos(a->s), map->dso);
	const struct symtab *st = dso_kind(d) == DSO_KERNEL ? dso_symtab(d) : NULL;
	u32 nr = st ? symtab_count(st) : 0;

	if (!nr || symtab_end(st, nr - 1) <= map->end)
		return map->end - map->start > INT32_MAX ? 0 : map->end - map->start;
	return symtab_end(st, nr - 1) - map->start;
}

void agg_text_page_size(struct agg *a UNUSED, const struct agg_entry *e UNUSED, u64 word, u32 width,
			struct strbuf *out)
{
	static const char units[] = "BKMGT";
	size_t from = out->len;
	int unit = 0;

	if (!word) {
		agg_add_left(out, "N/A", width);
		return;
	}
	while (word >= 1024 && word % 1024 == 0 && units[unit + 1]) {
		word /= 1024;
		unit++;
	}
	strbuf_add_u64(out, word);
	strbuf_addch(out, units[unit]);
	strbuf_pad_from(out, from, width);
}

str_id agg_text(struct agg *a, const char *s, size_t len)
{
	str_id id;

	pthread_mutex_lock(&a->text_lock);
	id = intern_add(a->texts, s, len);
	pthread_mutex_unlock(&a->text_lock);
	return id;
}
