/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/header.h"

#include "base/bits.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "perfdata/attr_text.h"
#include "perfdata/bpf_info.h"
#include "perfdata/info.h"

struct header_text {
	const struct perfdata *f;
	const struct perfdata_info *info;
	struct strbuf *out;
	bool escape;
};

/* A string from the file. */
static void name(const struct header_text *t, const char *s)
{
	if (t->escape)
		strbuf_add_escaped(t->out, s ? s : "");
	else
		strbuf_add_one_line(t->out, s ? s : "");
}

static void string_line(const struct header_text *t, const char *title, const char *s)
{
	strbuf_addf(t->out, "# %s : ", title);
	name(t, s);
	strbuf_addch(t->out, '\n');
}

static void put_nrcpus(const struct header_text *t)
{
	strbuf_addf(t->out, "# nrcpus online : %u\n# nrcpus avail : %u\n", t->info->cpus_online,
		    t->info->cpus_avail);
}

static void put_total_mem(const struct header_text *t)
{
	strbuf_addf(t->out, "# total memory : %llu kB\n",
		    (unsigned long long)t->info->total_mem_kb);
}

static void put_cmdline(const struct header_text *t)
{
	strbuf_adds(t->out, "# cmdline : ");
	for (u32 i = 0; i < t->info->cmdline.nr; i++) {
		_cleanup_(strbuf_releasep) struct strbuf arg = STRBUF_INIT;

		for (const char *p = t->info->cmdline.v[i]; p && *p; p++) {
			if (*p == '\'')
				strbuf_addch(&arg, '\\');
			strbuf_addch(&arg, *p);
		}
		name(t, arg.buf);
		strbuf_addch(t->out, ' ');
	}
	strbuf_addch(t->out, '\n');
}

static void put_event_desc(const struct header_text *t)
{
	for (u32 i = 0; i < t->info->nr_events; i++) {
		const struct info_event_desc *d = &t->info->events[i];

		strbuf_adds(t->out, "# event : name = ");
		name(t, d->name);
		strbuf_adds(t->out, ", ");
		for (u32 j = 0; j < d->nr_ids; j++) {
			strbuf_adds(t->out, j ? ", " : ", id = { ");
			strbuf_add_u64(t->out, d->ids[j]);
		}
		if (d->nr_ids)
			strbuf_adds(t->out, " }");
		strbuf_adds(t->out, ", ");
		attr_text_line(t->out, &d->attr, " = ");
		strbuf_addch(t->out, '\n');
	}
}

static void sibling_lines(const struct header_text *t, const char *title,
			  const struct info_string_list *l)
{
	for (u32 i = 0; i < l->nr; i++)
		string_line(t, title, l->v[i]);
}

static void put_cpu_topology(const struct header_text *t)
{
	const struct perfdata_info *info = t->info;

	sibling_lines(t, "sibling sockets", &info->core_siblings);
	if (info->has_die)
		sibling_lines(t, "sibling dies   ", &info->die_siblings);
	sibling_lines(t, "sibling threads", &info->thread_siblings);
	if (!info->cpus) {
		strbuf_adds(t->out, "# Core ID and Socket ID information is not available\n");
		return;
	}
	for (u32 i = 0; i < info->cpus_avail; i++) {
		strbuf_addf(t->out, "# CPU %u: Core ID %u, ", i, info->cpus[i].core);
		if (info->has_die)
			strbuf_addf(t->out, "Die ID %u, ", info->cpus[i].die);
		strbuf_addf(t->out, "Socket ID %u\n", info->cpus[i].socket);
	}
}

static void put_numa_topology(const struct header_text *t)
{
	for (u32 i = 0; i < t->info->nr_numa; i++) {
		const struct info_numa_node *n = &t->info->numa[i];

		strbuf_addf(t->out, "# node%u meminfo  : total = %llu kB, free = %llu kB\n",
			    n->node, (unsigned long long)n->total_kb,
			    (unsigned long long)n->free_kb);
		strbuf_addf(t->out, "# node%u cpu list : ", n->node);
		name(t, n->cpus);
		strbuf_addch(t->out, '\n');
	}
}

static void put_branch_stack(const struct header_text *t)
{
	strbuf_adds(t->out, "# contains samples with branch stack\n");
}

static void put_pmu_mappings(const struct header_text *t)
{
	if (!t->info->nr_pmus) {
		strbuf_adds(t->out, "# pmu mappings: not available\n");
		return;
	}
	for (u32 i = 0; i < t->info->nr_pmus; i++) {
		strbuf_adds(t->out, i ? ", " : "# pmu mappings: ");
		name(t, t->info->pmus[i].name);
		strbuf_addf(t->out, " = %u", t->info->pmus[i].type);
	}
	strbuf_addch(t->out, '\n');
}

static void put_group_desc(const struct header_text *t)
{
	for (size_t i = 0; i < perfdata_nr_events(t->f); i++) {
		const struct perfdata_event *ev = perfdata_event(t->f, i);

		if (ev->leader != ev->index || ev->nr_members < 2)
			continue;
		strbuf_adds(t->out, "# group: ");
		if (ev->group_name && strcmp(ev->group_name, "{anon_group}") != 0)
			name(t, ev->group_name);
		strbuf_addch(t->out, '{');
		for (u32 m = 0; m < ev->nr_members; m++) {
			if (m)
				strbuf_addch(t->out, ',');
			name(t, perfdata_event(t->f, i + m)->name);
		}
		strbuf_adds(t->out, "}\n");
	}
}

static void put_auxtrace(const struct header_text *t)
{
	strbuf_adds(t->out, "# contains AUX area data (e.g. instruction trace)\n");
}

static void put_stat(const struct header_text *t)
{
	strbuf_adds(t->out, "# contains stat data\n");
}

static void put_cache(const struct header_text *t)
{
	strbuf_adds(t->out, "# CPU cache info:\n");
	for (u32 i = 0; i < t->info->nr_caches; i++) {
		const struct info_cache *c = &t->info->caches[i];

		strbuf_addf(t->out, "#  L%u ", c->level);
		strbuf_add_aligned(t->out, c->type, -15);
		strbuf_addch(t->out, ' ');
		strbuf_add_aligned(t->out, c->size, 8);
		strbuf_addf(t->out, " [%s]\n", c->map);
	}
}

static void put_sample_time(const struct header_text *t)
{
	u64 first = t->info->first_sample_time, last = t->info->last_sample_time;

	strbuf_adds(t->out, "# time of first sample : ");
	fmt_time(t->out, first, 6);
	strbuf_adds(t->out, "\n# time of last sample : ");
	fmt_time(t->out, last, 6);
	strbuf_addf(t->out, "\n# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

/* Whole units; the next larger one only from two of it on. */
static void size_with_unit(struct strbuf *out, u64 n)
{
	static const char units[] = "BKMG";
	unsigned int u = 0;

	for (; u + 2 < sizeof(units) && n / 1024 > 1; u++)
		n /= 1024;
	strbuf_addf(out, "%llu%c", (unsigned long long)n, units[u]);
}

static void put_mem_topology(const struct header_text *t)
{
	const struct perfdata_info *info = t->info;

	strbuf_addf(t->out, "# memory nodes (nr %llu, block size 0x%llx):\n",
		    (unsigned long long)info->nr_mem_nodes,
		    (unsigned long long)info->mem_block_size);
	for (u64 i = 0; i < info->nr_mem_nodes; i++) {
		const struct info_mem_node *n = &info->mem_nodes[i];
		u64 count = 0;
		bool first = true;

		for (u64 w = 0; w < (n->bits + 63) / 64; w++)
			count += bits_count(n->set[w]);
		strbuf_addf(t->out, "# %4llu [", (unsigned long long)n->node);
		size_with_unit(t->out, info->mem_block_size * count);
		strbuf_adds(t->out, "]: ");
		for (u64 b = 0; b < n->bits; b++) {
			u64 end = b;

			if (!(n->set[b / 64] >> (b % 64) & 1))
				continue;
			while (end + 1 < n->bits && n->set[(end + 1) / 64] >> ((end + 1) % 64) & 1)
				end++;
			strbuf_addf(t->out, "%s%llu", first ? "" : ",", (unsigned long long)b);
			if (end > b)
				strbuf_addf(t->out, "-%llu", (unsigned long long)end);
			first = false;
			b = end;
		}
		strbuf_addch(t->out, '\n');
	}
}

static void put_clockid(const struct header_text *t)
{
	strbuf_addf(t->out, "# clockid frequency: %llu MHz\n",
		    (unsigned long long)t->info->clockid_res_ns * 1000);
}

static void put_dir_format(const struct header_text *t)
{
	strbuf_addf(t->out, "# directory data version : %llu\n",
		    (unsigned long long)t->info->dir_version);
}

/* false: the program's bytes end before it. */
static bool put_bpf_function(const struct header_text *t, const struct info_bpf_prog *p, u32 index)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	const struct info_btf *types = NULL;
	struct bpf_function f;

	for (u32 i = 0; i < t->info->nr_btfs && !types; i++) {
		if (t->info->btfs[i].id == bpf_info_types(p))
			types = &t->info->btfs[i];
	}
	if (!bpf_info_function(p, types, index, &f, &name))
		return false;
	strbuf_addch(t->out, ' ');
	strbuf_add_escaped(t->out, name.buf);
	strbuf_addf(t->out, " addr 0x%llx size %u", (unsigned long long)f.addr, f.size);
	return true;
}

static void put_bpf_prog_info(const struct header_text *t)
{
	for (u32 i = 0; i < t->info->nr_bpf_progs; i++) {
		const struct info_bpf_prog *p = &t->info->bpf_progs[i];
		u32 nr = bpf_info_functions(p);
		bool more = true;

		strbuf_addf(t->out, "# bpf_prog_info %u:", p->id);
		if (nr == 1)
			put_bpf_function(t, p, 0);
		strbuf_addch(t->out, '\n');
		for (u32 k = 0; k < nr && nr > 1 && more; k++) {
			strbuf_addf(t->out, "# \tsub_prog %u:", k);
			more = put_bpf_function(t, p, k);
			strbuf_addch(t->out, '\n');
		}
	}
}

static void put_bpf_btf(const struct header_text *t)
{
	for (u32 i = 0; i < t->info->nr_btfs; i++)
		strbuf_addf(t->out, "# btf info of id %u\n", t->info->btfs[i].id);
}

static void put_compressed(const struct header_text *t)
{
	strbuf_addf(t->out, "# compressed : %s, level = %u, ratio = %u\n",
		    t->info->comp_type == 1 ? "Zstd" : "Unknown", t->info->comp_level,
		    t->info->comp_ratio);
}

static void caps_line(const struct header_text *t, const struct info_pmu_caps *c)
{
	strbuf_adds(t->out, "# ");
	name(t, c->pmu);
	strbuf_adds(t->out, " pmu capabilities: ");
	if (!c->nr)
		strbuf_adds(t->out, "not available");
	for (u32 i = 0; i < c->nr; i++) {
		if (i)
			strbuf_adds(t->out, ", ");
		name(t, c->v[i].name);
		strbuf_addch(t->out, '=');
		name(t, c->v[i].value);
	}
	strbuf_addch(t->out, '\n');
}

static void put_cpu_pmu_caps(const struct header_text *t)
{
	struct info_pmu_caps c = t->info->cpu_caps;

	c.pmu = "cpu";
	caps_line(t, &c);
}

static void put_pmu_caps(const struct header_text *t)
{
	for (u32 i = 0; i < t->info->nr_caps; i++)
		caps_line(t, &t->info->caps[i]);
}

static const char *clock_name(u32 clockid)
{
	static const char *const names[] = {
		[0] = "realtime", [1] = "monotonic", [4] = "monotonic_raw",
		[7] = "boottime", [11] = "tai",
	};

	if (clockid < ARRAY_SIZE(names) && names[clockid])
		return names[clockid];
	return "(not found)";
}

static void put_clock_data(const struct header_text *t)
{
	u64 wall = t->info->wall_clock_ns, clock = t->info->clock_ns;
	const char *clock_text = clock_name(t->info->clockid);
	time_t sec = (time_t)(wall / 1000000000);
	char date[64] = "";
	struct tm tm;

	if (localtime_r(&sec, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	strbuf_addf(t->out, "# clockid: %s (%u)\n# reference time: %s.%06llu = ", clock_text,
		    t->info->clockid, date, (unsigned long long)(wall % 1000000000 / 1000));
	fmt_time(t->out, wall, 6);
	strbuf_adds(t->out, " (TOD) = ");
	fmt_time(t->out, clock, 9);
	strbuf_addf(t->out, " (%s)\n", clock_text);
}

static void put_hybrid_topology(const struct header_text *t)
{
	strbuf_adds(t->out, "# hybrid cpu system:\n");
	for (u32 i = 0; i < t->info->nr_hybrid; i++) {
		strbuf_adds(t->out, "# ");
		name(t, t->info->hybrid[i].name);
		strbuf_adds(t->out, " cpu list : ");
		name(t, t->info->hybrid[i].value);
		strbuf_addch(t->out, '\n');
	}
}

static void put_e_machine(const struct header_text *t)
{
	strbuf_addf(t->out, "# e_machine : %u\n#   e_flags : %u\n", t->info->e_machine.machine,
		    t->info->e_machine.flags);
}

static void put_cln_size(const struct header_text *t)
{
	strbuf_addf(t->out, "# cacheline size: %u\n", t->info->cln_size);
}

static void put_symbols(const struct header_text *t)
{
	const struct info_symbols *s = &t->info->symbols;

	strbuf_addf(t->out, "# embedded symbols : %u of %u objects", s->symbols, s->objects);
	if (s->places)
		strbuf_addf(t->out, ", source lines of %u addresses", s->places);
	strbuf_addch(t->out, '\n');
}

static void put_stacks(const struct header_text *t)
{
	const struct info_stacks *s = &t->info->stacks;
	const struct {
		u64 nr;
		const char *text;
	} parts[] = {
		{ s->cut, "longer than their copy" },
		{ s->full, "with more frames than are kept" },
		{ s->guessed, "with callers that are guesses" },
		{ s->incomplete, "that end early" },
		{ s->mended, "continued by frame pointers" },
	};

	if (s->stacks)
		strbuf_addf(t->out, "# stacks : %llu unwound while recording, of %u bytes",
			    (unsigned long long)s->stacks, s->size);
	for (size_t i = 0; s->stacks && i < ARRAY_SIZE(parts); i++) {
		if (parts[i].nr)
			strbuf_addf(t->out, ", %llu %s", (unsigned long long)parts[i].nr,
				    parts[i].text);
	}
	if (s->stacks)
		strbuf_addch(t->out, '\n');
	for (u32 i = 0; i < s->code.nr; i++) {
		static const struct {
			const char *prefix, *text;
		} kinds[] = { { INFO_STACKS_JIT, "# call-graph : " },
			      { INFO_STACKS_DWARF, "# call-graph dwarf : " },
			      { "", "# call-graph auto : " } };
		const char *line = s->code.v[i];
		size_t k = 0;

		while (strncmp(line, kinds[k].prefix, strlen(kinds[k].prefix)) != 0)
			k++;
		strbuf_adds(t->out, kinds[k].text);
		name(t, line + strlen(kinds[k].prefix));
		strbuf_addch(t->out, '\n');
	}
}

/* In the order of the feature numbers. */
static const struct feature_row {
	u8 feature;
	bool full_only;
	void (*put)(const struct header_text *t); /* NULL: it is one text */
	const char *title;
	size_t text; /* where it is in a struct perfdata_info */
} rows[] = {
	{ FEAT_HOSTNAME, false, NULL, "hostname", offsetof(struct perfdata_info, hostname) },
	{ FEAT_OSRELEASE, false, NULL, "os release", offsetof(struct perfdata_info, osrelease) },
	{ FEAT_VERSION, false, NULL, "perf version", offsetof(struct perfdata_info, perf_version) },
	{ FEAT_ARCH, false, NULL, "arch", offsetof(struct perfdata_info, arch) },
	{ FEAT_NRCPUS, false, put_nrcpus },
	{ FEAT_CPUDESC, false, NULL, "cpudesc", offsetof(struct perfdata_info, cpudesc) },
	{ FEAT_CPUID, false, NULL, "cpuid", offsetof(struct perfdata_info, cpuid) },
	{ FEAT_TOTAL_MEM, false, put_total_mem },
	{ FEAT_CMDLINE, false, put_cmdline },
	{ FEAT_EVENT_DESC, false, put_event_desc },
	{ FEAT_CPU_TOPOLOGY, true, put_cpu_topology },
	{ FEAT_NUMA_TOPOLOGY, true, put_numa_topology },
	{ FEAT_BRANCH_STACK, false, put_branch_stack },
	{ FEAT_PMU_MAPPINGS, false, put_pmu_mappings },
	{ FEAT_GROUP_DESC, false, put_group_desc },
	{ FEAT_AUXTRACE, false, put_auxtrace },
	{ FEAT_STAT, false, put_stat },
	{ FEAT_CACHE, true, put_cache },
	{ FEAT_SAMPLE_TIME, false, put_sample_time },
	{ FEAT_MEM_TOPOLOGY, true, put_mem_topology },
	{ FEAT_CLOCKID, false, put_clockid },
	{ FEAT_DIR_FORMAT, false, put_dir_format },
	{ FEAT_BPF_PROG_INFO, false, put_bpf_prog_info },
	{ FEAT_BPF_BTF, false, put_bpf_btf },
	{ FEAT_COMPRESSED, false, put_compressed },
	{ FEAT_CPU_PMU_CAPS, false, put_cpu_pmu_caps },
	{ FEAT_CLOCK_DATA, false, put_clock_data },
	{ FEAT_HYBRID_TOPOLOGY, true, put_hybrid_topology },
	{ FEAT_PMU_CAPS, false, put_pmu_caps },
	{ FEAT_E_MACHINE, false, put_e_machine },
	{ FEAT_CLN_SIZE, false, put_cln_size },
	{ FEAT_STACKS, false, put_stacks },
	{ FEAT_SYMBOLS, false, put_symbols },
};

static void put_feature(const struct header_text *t, const struct feature_row *r, bool full)
{
	if (!info_has(t->info, r->feature))
		return;
	if (r->full_only && !full)
		strbuf_addf(t->out, "# %s info available, use -I to display\n",
			    perfdata_feature_name(r->feature));
	else if (r->put)
		r->put(t);
	else
		string_line(t, r->title,
			    *(char *const *)(const void *)((const char *)t->info + r->text));
}

static void put_file(const struct header_text *t)
{
	const struct perfdata_info *info = t->info;
	time_t captured = (time_t)info->captured;
	char date[64] = "";
	struct tm tm;

	if (localtime_r(&captured, &tm))
		strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &tm);
	strbuf_addf(t->out, "# ========\n# captured on    : %s\n# header version : %u\n", date,
		    info->version);
	strbuf_addf(t->out, "# data offset    : %llu\n", (unsigned long long)info->data_offset);
	strbuf_addf(t->out, "# data size      : %llu\n", (unsigned long long)info->data_size);
	strbuf_addf(t->out, "# feat offset    : %llu\n", (unsigned long long)info->feat_offset);
}

void header_text(const struct perfdata *f, bool full, bool escape, struct strbuf *out)
{
	struct header_text t = { .f = f, .info = perfdata_info(f), .out = out, .escape = escape };
	bool missing = false;

	put_file(&t);
	/* A stream brings its features later, and never tells which ones it has not. */
	if (perfdata_is_pipe(f))
		strbuf_adds(out, "# ========\n#\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		put_feature(&t, &rows[i], full);
	if (perfdata_is_pipe(f))
		return;
	/* perf 6.1 knows no others, nor that they are missing */
	for (unsigned int i = 1; i <= FEAT_PMU_CAPS; i++) {
		if (info_has(t.info, i))
			continue;
		strbuf_addf(out, "%s%s ",
			    missing ? "" : "# missing features: ", perfdata_feature_name(i));
		missing = true;
	}
	strbuf_addf(out, "%s# ========\n#\n", missing ? "\n" : "");
}
