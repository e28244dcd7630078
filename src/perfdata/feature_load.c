/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feature_load: the header features that there are, a row for each: its name and how it is read.
 */
#include "perfdata/appendix.h"
#include "perfdata/feature_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/rw.h"
#include "perfdata/feature_view.h"
#include "perfdata/swap.h"

/* Room for n entries of which each takes at least min bytes of the section. */
static void *entries(struct perfdata *f, struct feature_view *v, u64 n, u64 min, size_t size)
{
	if (v->bad || n > view_left(v) / min) {
		v->bad = true;
		return NULL;
	}
	return n ? arena_zalloc(&f->arena, n * size) : NULL;
}

static void get_string_list(struct perfdata *f, struct feature_view *v, struct info_string_list *l)
{
	u32 nr = view_u32(v);
	const char **list = entries(f, v, nr, 4, sizeof(*list));

	for (u32 i = 0; i < nr && !v->bad; i++)
		list[i] = view_string(v);
	if (v->bad)
		return;
	l->v = list;
	l->nr = nr;
}

#define STRING_FEATURE(name)                                                                       \
	static void get_##name(struct perfdata *f, struct feature_view *v)                         \
	{                                                                                          \
		f->info.name = view_string(v);                                                     \
	}

STRING_FEATURE(hostname)
STRING_FEATURE(osrelease)
STRING_FEATURE(perf_version)
STRING_FEATURE(arch)
STRING_FEATURE(cpudesc)
STRING_FEATURE(cpuid)

static void get_nrcpus(struct perfdata *f, struct feature_view *v)
{
	f->info.cpus_avail = view_u32(v);
	f->info.cpus_online = view_u32(v);
}

static void get_total_mem(struct perfdata *f, struct feature_view *v)
{
	f->info.total_mem_kb = view_u64(v);
}

static void get_cmdline(struct perfdata *f, struct feature_view *v)
{
	get_string_list(f, v, &f->info.cmdline);
}

static void get_one_event(struct perfdata *f, struct feature_view *v, struct info_event_desc *d,
			  u32 attr_size)
{
	const void *attr = view_bytes(v, attr_size);
	u32 nr = view_u32(v);
	const char *name = view_string(v);
	const u8 *ids = view_bytes(v, (u64)nr * 8);
	u64 *own;

	if (v->bad)
		return;
	own = arena_alloc(&f->arena, (size_t)nr * 8 + 8);
	memcpy(own, ids, (size_t)nr * 8);
	if (v->swap)
		bits_swap64(own, nr);
	attr_from_file(&d->attr, attr, attr_size, v->swap);
	d->attr_size = attr_size;
	d->name = name;
	d->ids = own;
	d->nr_ids = nr;
}

static void get_event_desc(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	u32 attr_size = view_u32(v);
	struct info_event_desc *d;

	if (attr_size < PERF_ATTR_SIZE_VER0 || attr_size > LIMIT_ATTR_SIZE || nr > LIMIT_EVENTS) {
		v->bad = true;
		return;
	}
	d = entries(f, v, nr, attr_size + 8, sizeof(*d));
	f->info.events = d;
	for (u32 i = 0; i < nr && !v->bad; i++) {
		get_one_event(f, v, &d[i], attr_size);
		if (!v->bad)
			f->info.nr_events = i + 1;
	}
}

static void get_cpu_topology(struct perfdata *f, struct feature_view *v)
{
	struct perfdata_info *info = &f->info;
	u32 nr = info->cpus_avail;
	struct info_cpu *cpus;

	get_string_list(f, v, &info->core_siblings);
	get_string_list(f, v, &info->thread_siblings);
	/* Old files end here. */
	if (v->bad || !view_left(v) || !nr || nr > LIMIT_CPUS)
		return;
	cpus = entries(f, v, nr, 8, sizeof(*cpus));
	if (!cpus)
		return;
	for (u32 i = 0; i < nr; i++) {
		cpus[i].core = view_u32(v);
		cpus[i].socket = view_u32(v);
	}
	info->cpus = cpus;
	if (!view_left(v))
		return;
	get_string_list(f, v, &info->die_siblings);
	for (u32 i = 0; i < nr && !v->bad; i++)
		cpus[i].die = view_u32(v);
	info->has_die = !v->bad;
}

static void get_numa_topology(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	struct info_numa_node *n = entries(f, v, nr, 24, sizeof(*n));

	for (u32 i = 0; i < nr && !v->bad; i++) {
		n[i].node = view_u32(v);
		n[i].total_kb = view_u64(v);
		n[i].free_kb = view_u64(v);
		n[i].cpus = view_string(v);
	}
	if (v->bad)
		return;
	f->info.numa = n;
	f->info.nr_numa = nr;
}

static void get_flag(struct perfdata *f, struct feature_view *v)
{
	(void)f;
	(void)v;
}

static void get_pmu_mappings(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	struct info_pmu *p = entries(f, v, nr, 8, sizeof(*p));

	for (u32 i = 0; i < nr && !v->bad; i++) {
		p[i].type = view_u32(v);
		p[i].name = view_string(v);
	}
	if (v->bad)
		return;
	f->info.pmus = p;
	f->info.nr_pmus = nr;
}

/* Perf 6.1 counts groups that it has dissolved while it opened the events, but does not write them.
 */
static void get_group_desc(struct perfdata *f, struct feature_view *v)
{
	u32 announced = view_u32(v), nr = 0;
	u32 most = (u32)MIN(announced, view_left(v) / 12);
	struct info_group *g = entries(f, v, most, 12, sizeof(*g));

	for (; nr < most && view_left(v) && !v->bad; nr++) {
		g[nr].name = view_string(v);
		g[nr].leader = view_u32(v);
		g[nr].nr_members = view_u32(v);
	}
	if (nr < announced && view_left(v))
		v->bad = true;
	if (v->bad)
		return;
	f->info.groups = g;
	f->info.nr_groups = nr;
}

/* The index of traces is not needed: their records are found as they come. */
static void get_auxtrace(struct perfdata *f UNUSED, struct feature_view *v)
{
	view_u64(v);
}

static void get_cache(struct perfdata *f, struct feature_view *v)
{
	u32 version = view_u32(v);
	u32 nr = view_u32(v);
	struct info_cache *c;

	if (version != 1)
		return;
	c = entries(f, v, nr, 28, sizeof(*c));
	for (u32 i = 0; i < nr && !v->bad; i++) {
		c[i].level = view_u32(v);
		c[i].line_size = view_u32(v);
		c[i].sets = view_u32(v);
		c[i].ways = view_u32(v);
		c[i].type = view_string(v);
		c[i].size = view_string(v);
		c[i].map = view_string(v);
	}
	if (v->bad)
		return;
	f->info.caches = c;
	f->info.nr_caches = nr;
}

static void get_sample_time(struct perfdata *f, struct feature_view *v)
{
	f->info.first_sample_time = view_u64(v);
	f->info.last_sample_time = view_u64(v);
}

static void get_mem_topology(struct perfdata *f, struct feature_view *v)
{
	u64 version = view_u64(v);
	u64 block = view_u64(v);
	u64 nr = view_u64(v);
	struct info_mem_node *n;

	if (version != 1)
		return;
	n = entries(f, v, nr, 24, sizeof(*n));
	for (u64 i = 0; i < nr && !v->bad; i++) {
		n[i].node = view_u64(v);
		view_u64(v); /* the size once more */
		n[i].bits = view_u64(v);

		u64 words = n[i].bits / 64 + !!(n[i].bits % 64);
		const u8 *set = words <= LIMIT_FEATURE / 8 ? view_bytes(v, words * 8) : NULL;
		u64 *own;

		if (!set) {
			v->bad = true;
			return;
		}
		own = arena_alloc(&f->arena, words * 8 + 8);
		memcpy(own, set, words * 8);
		if (v->swap)
			bits_swap64(own, words);
		n[i].set = own;
	}
	if (v->bad)
		return;
	f->info.mem_block_size = block;
	f->info.mem_nodes = n;
	f->info.nr_mem_nodes = nr;
}

static void get_clockid(struct perfdata *f, struct feature_view *v)
{
	f->info.clockid_res_ns = view_u64(v);
}

static void get_dir_format(struct perfdata *f, struct feature_view *v)
{
	f->info.dir_version = view_u64(v);
}

/* The head of a struct bpf_prog_info: type, id, tag, lengths and pointers, load time, name. */
enum { BPF_INFO_TAG = 8, BPF_INFO_NAME = 64, BPF_INFO_MIN = 80 };

static void get_bpf_prog_info(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	struct info_bpf_prog *p = entries(f, v, nr, 16, sizeof(*p));

	for (u32 i = 0; i < nr && !v->bad; i++) {
		p[i].info_size = view_u32(v);
		p[i].data_size = view_u32(v);
		p[i].arrays = view_u64(v);
		p[i].info = view_bytes(v, (u64)p[i].info_size + p[i].data_size);
		p[i].name = "";
		if (v->bad || p[i].info_size < BPF_INFO_MIN) {
			p[i].info = NULL;
			continue;
		}
		struct feature_view head = { .at = p[i].info,
					     .end = p[i].info + BPF_INFO_MIN,
					     .swap = v->swap };

		p[i].type = view_u32(&head);
		p[i].id = view_u32(&head);
		memcpy(p[i].tag, p[i].info + BPF_INFO_TAG, 8);
		p[i].name = arena_strndup(&f->arena, (const char *)p[i].info + BPF_INFO_NAME, 16);
		if (v->swap)
			p[i].info = NULL;
	}
	if (v->bad)
		return;
	f->info.bpf_progs = p;
	f->info.nr_bpf_progs = nr;
}

static void get_bpf_btf(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	struct info_btf *b = entries(f, v, nr, 8, sizeof(*b));

	for (u32 i = 0; i < nr && !v->bad; i++) {
		b[i].id = view_u32(v);
		b[i].size = view_u32(v);
		b[i].data = view_bytes(v, b[i].size);
	}
	if (v->bad)
		return;
	f->info.btfs = b;
	f->info.nr_btfs = nr;
}

static void get_compressed(struct perfdata *f, struct feature_view *v)
{
	view_u32(v); /* version */
	f->info.comp_type = view_u32(v);
	f->info.comp_level = view_u32(v);
	f->info.comp_ratio = view_u32(v);
	view_u32(v); /* length of the writer's ring */
}

static struct info_pair *get_pairs(struct perfdata *f, struct feature_view *v, u32 nr)
{
	struct info_pair *p = entries(f, v, nr, 8, sizeof(*p));

	for (u32 i = 0; i < nr && !v->bad; i++) {
		p[i].name = view_string(v);
		p[i].value = view_string(v);
	}
	return p;
}

static void get_cpu_pmu_caps(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	struct info_pair *p = get_pairs(f, v, nr);

	if (!v->bad)
		f->info.cpu_caps = (struct info_pmu_caps){ .pmu = "cpu", .v = p, .nr = nr };
}

static void get_pmu_caps(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	struct info_pmu_caps *c = entries(f, v, nr, 8, sizeof(*c));

	for (u32 i = 0; i < nr && !v->bad; i++) {
		c[i].nr = view_u32(v);
		c[i].v = get_pairs(f, v, c[i].nr);
		c[i].pmu = view_string(v);
	}
	if (v->bad)
		return;
	f->info.caps = c;
	f->info.nr_caps = nr;
}

static void get_clock_data(struct perfdata *f, struct feature_view *v)
{
	view_u32(v); /* version */
	f->info.clockid = view_u32(v);
	f->info.wall_clock_ns = view_u64(v);
	f->info.clock_ns = view_u64(v);
}

static void get_hybrid_topology(struct perfdata *f, struct feature_view *v)
{
	u32 nr = view_u32(v);
	struct info_pair *p = get_pairs(f, v, nr);

	if (v->bad)
		return;
	f->info.hybrid = p;
	f->info.nr_hybrid = nr;
}

static void get_e_machine(struct perfdata *f, struct feature_view *v)
{
	f->info.e_machine.machine = view_u32(v);
	f->info.e_machine.flags = view_u32(v);
}

static void get_cln_size(struct perfdata *f, struct feature_view *v)
{
	f->info.cln_size = view_u32(v);
}

void features_add_build_id(struct perfdata *f, u16 misc, const u8 *body, size_t size, bool swap)
{
	enum { ID_AT = 4, SIZE_AT = 24, PATH_AT = 28 };
	struct info_build_id b = { .misc = misc, .size = 20 };

	if (size <= PATH_AT || f->build_ids.nr >= LIMIT_STRINGS * 16) {
		f->damage.skipped_records++;
		return;
	}
	b.pid = (s32)(swap ? __builtin_bswap32(bits_u32(body)) : bits_u32(body));
	memcpy(b.id, body + ID_AT, sizeof(b.id));
	/* Writers before 5.10 have zeros where the size is now. */
	if (misc & PERF_RECORD_MISC_BUILD_ID_SIZE)
		b.size = MIN(body[SIZE_AT], (u8)sizeof(b.id));
	b.path = arena_strndup(&f->arena, (const char *)body + PATH_AT, size - PATH_AT);
	*VEC_PUSH(&f->build_ids) = b;
	f->info.build_ids = f->build_ids.v;
	f->info.nr_build_ids = (u32)f->build_ids.nr;
}

static void get_build_ids(struct perfdata *f, struct feature_view *v)
{
	while (view_left(v) >= sizeof(struct perf_event_header)) {
		struct perf_event_header h;
		const void *body;

		memcpy(&h, view_bytes(v, sizeof(h)), sizeof(h));
		if (v->swap)
			swap_header(&h);
		if (h.size < sizeof(h)) {
			v->bad = true;
			return;
		}
		body = view_bytes(v, h.size - sizeof(h));
		if (!body)
			return;
		features_add_build_id(f, h.misc, body, h.size - sizeof(h), v->swap);
	}
}

/* Only how much there is: dso/symbols/embedded.h reads the rest. */
static void get_symbols(struct perfdata *f, struct feature_view *v)
{
	view_u32(v); /* version */
	f->info.symbols.objects = view_u32(v);
	f->info.symbols.symbols = view_u32(v);
	f->info.symbols.places = view_u32(v);
}

const char *info_stacks_way(const struct info_stacks *s)
{
	for (u32 i = 0; i < s->code.nr; i++)
		if (strncmp(s->code.v[i], INFO_STACKS_JIT, strlen(INFO_STACKS_JIT)) != 0 &&
		    strncmp(s->code.v[i], INFO_STACKS_DWARF, strlen(INFO_STACKS_DWARF)) != 0)
			return "auto";
	return "dwarf";
}

enum info_larger info_stacks_larger(const struct info_stacks *s)
{
	for (u32 i = 0; i < s->code.nr; i++)
		if (strstr(s->code.v[i], INFO_STACKS_BACK))
			return strstr(s->code.v[i], INFO_STACKS_NO_ROOM) ? INFO_LARGER_NO_ROOM
									 : INFO_LARGER_NO_BETTER;
	return INFO_LARGER_UNTRIED;
}

static void get_stacks(struct perfdata *f, struct feature_view *v)
{
	struct info_stacks *s = &f->info.stacks;
	u32 version = view_u32(v);

	s->size = view_u32(v);
	s->stacks = view_u64(v);
	s->cut = view_u64(v);
	s->full = view_u64(v);
	s->incomplete = view_u64(v);
	s->mended = view_u64(v);
	get_string_list(f, v, &s->code);
	if (version < 2)
		return;
	s->first_copy_id = view_u64(v);
	s->last_copy_id = view_u64(v);
	if (version >= 3)
		s->guessed = view_u64(v);
}

/* clang-format off */
static const struct feature_type {
	u8 feature;
	const char *name; /* without FEAT_ */
	void (*load)(struct perfdata *f, struct feature_view *v); /* NULL: read when it is needed */
} types[] = {
	{ FEAT_TRACING_DATA, "TRACING_DATA" },
	{ FEAT_BUILD_ID, "BUILD_ID", get_build_ids },
	{ FEAT_HOSTNAME, "HOSTNAME", get_hostname },
	{ FEAT_OSRELEASE, "OSRELEASE", get_osrelease },
	{ FEAT_VERSION, "VERSION", get_perf_version },
	{ FEAT_ARCH, "ARCH", get_arch },
	{ FEAT_NRCPUS, "NRCPUS", get_nrcpus },
	{ FEAT_CPUDESC, "CPUDESC", get_cpudesc },
	{ FEAT_CPUID, "CPUID", get_cpuid },
	{ FEAT_TOTAL_MEM, "TOTAL_MEM", get_total_mem },
	{ FEAT_CMDLINE, "CMDLINE", get_cmdline },
	{ FEAT_EVENT_DESC, "EVENT_DESC", get_event_desc },
	{ FEAT_CPU_TOPOLOGY, "CPU_TOPOLOGY", get_cpu_topology },
	{ FEAT_NUMA_TOPOLOGY, "NUMA_TOPOLOGY", get_numa_topology },
	{ FEAT_BRANCH_STACK, "BRANCH_STACK", get_flag },
	{ FEAT_PMU_MAPPINGS, "PMU_MAPPINGS", get_pmu_mappings },
	{ FEAT_GROUP_DESC, "GROUP_DESC", get_group_desc },
	{ FEAT_AUXTRACE, "AUXTRACE", get_auxtrace },
	{ FEAT_STAT, "STAT", get_flag },
	{ FEAT_CACHE, "CACHE", get_cache },
	{ FEAT_SAMPLE_TIME, "SAMPLE_TIME", get_sample_time },
	{ FEAT_MEM_TOPOLOGY, "MEM_TOPOLOGY", get_mem_topology },
	{ FEAT_CLOCKID, "CLOCKID", get_clockid },
	{ FEAT_DIR_FORMAT, "DIR_FORMAT", get_dir_format },
	{ FEAT_BPF_PROG_INFO, "BPF_PROG_INFO", get_bpf_prog_info },
	{ FEAT_BPF_BTF, "BPF_BTF", get_bpf_btf },
	{ FEAT_COMPRESSED, "COMPRESSED", get_compressed },
	{ FEAT_CPU_PMU_CAPS, "CPU_PMU_CAPS", get_cpu_pmu_caps },
	{ FEAT_CLOCK_DATA, "CLOCK_DATA", get_clock_data },
	{ FEAT_HYBRID_TOPOLOGY, "HYBRID_TOPOLOGY", get_hybrid_topology },
	{ FEAT_PMU_CAPS, "PMU_CAPS", get_pmu_caps },
	{ FEAT_CPU_DOMAIN_INFO, "CPU_DOMAIN_INFO", get_flag },
	{ FEAT_E_MACHINE, "E_MACHINE", get_e_machine },
	{ FEAT_CLN_SIZE, "CLN_SIZE", get_cln_size },
	{ FEAT_STACKS, "STACKS", get_stacks },
	{ FEAT_SYMBOLS, "SYMBOLS", get_symbols },
};
/* clang-format on */

/* NULL: there is no such feature. */
static const struct feature_type *type_of(unsigned int feature)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].feature == feature)
			return &types[i];
	return NULL;
}

const char *perfdata_feature_name(unsigned int feature)
{
	const struct feature_type *type = type_of(feature);

	return type ? type->name : NULL;
}

static void add_broken(struct perfdata *f, unsigned int feature, const char *what)
{
	const struct feature_type *type = type_of(feature);

	if (type)
		reader_damage(f, "header feature %s %s", type->name, what);
	else
		reader_damage(f, "header feature %u %s", feature, what);
}

/* body stays where it is: what is decoded points into it. */
static void decode(struct perfdata *f, unsigned int feature, const void *body, size_t size)
{
	struct feature_view v = { .at = body, .end = (const u8 *)body + size, .swap = f->swap };
	const struct feature_type *type = type_of(feature);

	bits_set(f->info.present, feature);
	if (!type || !type->load)
		return;
	type->load(f, &v);
	/* An empty section says that there is nothing. */
	if (v.bad && size)
		add_broken(f, feature, "is broken");
}

void features_apply(struct perfdata *f, unsigned int feature, const void *body, size_t size)
{
	if (feature >= FEAT_BITS || feature == FEAT_TRACING_DATA || info_has(&f->info, feature))
		return;
	body = arena_dup(&f->arena, body, size);
	f->places[feature] = (struct feature_place){ .size = size, .body = body };
	decode(f, feature, body, size);
	if (feature == FEAT_EVENT_DESC || feature == FEAT_GROUP_DESC)
		f->tables_dirty = true;
}

static void load_section(struct perfdata *f, unsigned int feature, struct file_section s)
{
	const struct feature_type *type = type_of(feature);
	void *body;

	if (s.offset > f->file_size || s.size > f->file_size - s.offset || s.size > LIMIT_FEATURE) {
		add_broken(f, feature, "lies outside of the file");
		return;
	}
	f->places[feature] = (struct feature_place){ .offset = s.offset, .size = s.size };
	if (!type || !type->load) {
		bits_set(f->info.present, feature);
		if (feature == FEAT_TRACING_DATA)
			f->trace_section = s; /* big, and only needed for tracepoints */
		return;
	}
	body = arena_alloc(&f->arena, s.size + 8);
	if (rw_pread_full(f->fd, body, s.size, s.offset) != (ssize_t)s.size) {
		add_broken(f, feature, "cannot be read");
		return;
	}
	decode(f, feature, body, s.size);
}

static void load_appendix(struct perfdata *f)
{
	_cleanup_(mem_freep) struct appendix *more = XNEW(struct appendix);

	appendix_read(more, f->fd, f->file_size, f->swap);
	for (size_t i = 0; more->start >= f->info.feat_offset && i < more->nr; i++) {
		const struct appendix_entry *a = &more->entries[i];

		if (!info_has(&f->info, (unsigned int)a->feature))
			load_section(f, (unsigned int)a->feature,
				     (struct file_section){ a->offset, a->size });
	}
}

/* By bits of the header: those up to PMU_CAPS, and of other programs any. */
static void load_table(struct perfdata *f)
{
	u64 at = f->info.feat_offset;

	for (unsigned int i = 0; i < FEAT_BITS; i++) {
		struct file_section s;

		if (!bits_test(f->header.features, i))
			continue;
		if (at < f->info.data_offset || at > f->file_size ||
		    rw_pread_full(f->fd, &s, sizeof(s), at) != sizeof(s)) {
			reader_damage(f, "the table of header features is cut");
			return;
		}
		if (f->swap)
			bits_swap64(&s, 2);
		if (!info_has(&f->info, i))
			load_section(f, i, s);
		at += sizeof(s);
	}
}

void features_load(struct perfdata *f)
{
	load_appendix(f);
	load_table(f);
}

bool perfdata_feature_body(const struct perfdata *f, unsigned int feature, struct strbuf *out)
{
	const struct feature_place *p = feature < FEAT_BITS ? &f->places[feature] : NULL;

	strbuf_reset(out);
	if (!p || !info_has(&f->info, feature))
		return false;
	if (p->body || !p->size) {
		strbuf_add(out, p->body, p->size);
		return true;
	}
	strbuf_pad(out, '\0', p->size);
	return rw_pread_full(f->fd, out->buf, p->size, p->offset) == (ssize_t)p->size;
}

void perfdata_tracing_data(struct perfdata *f, const void **blob, size_t *size)
{
	struct file_section s = f->trace_section;

	if (!f->trace_blob && s.size) {
		u8 *own = xmalloc(s.size);

		f->trace_section = (struct file_section){ 0 };
		if (rw_pread_full(f->fd, own, s.size, s.offset) == (ssize_t)s.size) {
			f->trace_blob = own;
			f->trace_size = s.size;
		} else {
			free(own);
			reader_damage(f, "the tracing data cannot be read");
		}
	}
	*blob = f->trace_blob;
	*size = f->trace_size;
}
