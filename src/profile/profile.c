/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/profile.h"

#include <stdlib.h>

#include "base/mem.h"
#include "perfdata/info.h"
#include "profile/section.h"

enum { MAX_FACTS = 24 };

struct profile {
	const struct profile_opts *o;
	const struct profile_columns *cols;
	struct session *s;
	struct agg *a;
	const struct blocks *blocks;
	struct section section;
	size_t nr_rows;
	struct view_profile head;
	struct view_fact facts[MAX_FACTS];
	struct view_only only[PROFILE_MAX_ONLY];
	struct view_branch_kind kinds[BRANCH_NR_KINDS];
	struct strbuf cmdline;
};

struct profile *profile_new(const struct profile_opts *o, const struct profile_columns *cols,
			    struct session *s, struct agg *a, const struct blocks *blocks)
{
	struct profile *p = XNEW(struct profile);

	*p = (struct profile){
		.o = o, .cols = cols, .s = s, .a = a, .blocks = blocks, .cmdline = STRBUF_INIT
	};
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	section_close(&p->section);
	strbuf_release(&p->cmdline);
	free(p);
}

static void add_text_fact(struct profile *p, const char *name, const char *text)
{
	if (text)
		p->facts[p->head.nr_facts++] = (struct view_fact){ .name = name, .text = text };
}

static void add_number_fact(struct profile *p, const char *name, u64 number)
{
	if (number)
		p->facts[p->head.nr_facts++] = (struct view_fact){ .name = name, .number = number };
}

static void add_time_fact(struct profile *p, const char *name, u64 ns)
{
	if (ns)
		p->facts[p->head.nr_facts++] =
			(struct view_fact){ .name = name, .number = ns, .time = true };
}

/* Facts from the header, as far as the recording has them. */
static void add_facts(struct profile *p)
{
	const struct perfdata_info *info = perfdata_info(session_file(p->s));

	for (u32 i = 0; i < info->cmdline.nr; i++)
		strbuf_addf(&p->cmdline, "%s%s", i ? " " : "", info->cmdline.v[i]);
	add_text_fact(p, "file", perfdata_name(session_file(p->s)));
	add_number_fact(p, "captured", info->captured);
	add_text_fact(p, "hostname", info->hostname);
	add_text_fact(p, "os_release", info->osrelease);
	add_text_fact(p, "perf_version", info->perf_version);
	add_text_fact(p, "arch", info->arch);
	add_text_fact(p, "cpudesc", info->cpudesc);
	add_text_fact(p, "cpuid", info->cpuid);
	add_number_fact(p, "cpus_online", info->cpus_online);
	add_number_fact(p, "cpus_available", info->cpus_avail);
	add_number_fact(p, "total_memory_kb", info->total_mem_kb);
	add_text_fact(p, "cmdline", info->cmdline.nr ? p->cmdline.buf : NULL);
	add_time_fact(p, "first_sample_time", session_stats(p->s)->first_time);
	add_time_fact(p, "last_sample_time", session_stats(p->s)->last_time);
	p->head.facts = p->facts;
}

/* Counts of branches by kind. As in perf, all branches of a row count as being of the kinds of
 * its first one. */
static void add_branch_kinds(struct profile *p)
{
	static const u8 order[] = { BRANCH_COND_FWD, BRANCH_COND_BWD, BRANCH_CROSS_4K,
				    BRANCH_CROSS_2M };
	u64 nr[BRANCH_NR_KINDS] = { 0 };
	struct view_branch_kind *out = p->kinds;

	for (size_t i = 0; i < agg_nr_sections(p->a); i++) {
		const struct agg_section *s = agg_section(p->a, i);

		for (size_t r = 0; r < s->nr_rows; r++)
			for (u32 k = 0; k < BRANCH_NR_KINDS; k++)
				if (s->rows[r]->code.kinds & 1U << k)
					nr[k] += agg_value(p->a, s->rows[r], 0, AGG_SAMPLES);
	}
	for (u32 k = 0; k < BRANCH_NR_KINDS; k++)
		p->head.nr_branches += k == BRANCH_CROSS_4K || k == BRANCH_CROSS_2M ? 0 : nr[k];
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		*out++ = (struct view_branch_kind){ branch_kind_name(order[i]), nr[order[i]] };
	*out++ = (struct view_branch_kind){ "COND", nr[BRANCH_COND_FWD] + nr[BRANCH_COND_BWD] };
	for (enum branch_kind k = BRANCH_COND_FWD + 1; k < BRANCH_COND_BWD; k++)
		*out++ = (struct view_branch_kind){ branch_kind_name(k), nr[k] };
	p->head.branch_kinds = p->kinds;
	p->head.nr_branch_kinds = (size_t)(out - p->kinds);
}

const struct view_profile *profile_head(struct profile *p)
{
	const struct session_stats *st = session_stats(p->s);

	if (p->head.facts)
		return &p->head;
	add_facts(p);
	p->head.only = p->only;
	p->head.nr_only = profile_only(p->o, p->cols, p->only);
	p->head.samples = st->nr_samples;
	p->head.lost_events = st->lost_events;
	p->head.lost_chunks = st->lost_chunks;
	p->head.lost_samples = st->lost_samples;
	p->head.throttled = st->throttled;
	p->head.bad_samples = st->bad_samples;
	p->head.unknown_samples = st->unknown_id;
	return &p->head;
}

const struct view_profile *profile_tail(struct profile *p)
{
	profile_head(p);
	if (p->o->agg.branches && !p->head.branch_kinds)
		add_branch_kinds(p);
	return &p->head;
}

size_t profile_nr_sections(const struct profile *p)
{
	return agg_nr_sections(p->a);
}

static u64 section_samples(const struct agg_section *s)
{
	u64 nr = 0;

	for (u32 m = 0; m < s->nr_members; m++)
		nr += s->nr[m];
	return nr;
}

const struct view_section *profile_section(struct profile *p, size_t i)
{
	const struct agg_section *s = agg_section(p->a, i);

	section_close(&p->section);
	if (p->o->skip_empty && !section_samples(s))
		return NULL;
	p->section = (struct section){ .o = p->o, .a = p->a, .s = s };
	section_open(&p->section, p->cols, p->s, p->blocks);
	p->nr_rows += p->section.nr_rows;
	return &p->section.view;
}

const struct agg_entry *profile_row(const struct profile *p, size_t row)
{
	return p->section.cycles ? NULL : p->section.rows[row];
}

size_t profile_nr_rows(const struct profile *p)
{
	return p->nr_rows;
}
