/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/sample_filter.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "abi/perf_event.h"
#include "base/mem.h"
#include "base/rw.h"
#include "bpf/btf.h"
#include "bpf/kernel.h"
#include "bpf/sample_filter_program.h"
#include "sys/cgroup.h"

enum { MAX_INSNS = 16 + SAMPLE_FILTER_CONDITIONS * 16 };

/* Values of the parts of a memory access (PERF_MEM_*). */
static const struct filter_name ops[] = {
	{ "na", 1 }, { "load", 2 }, { "store", 4 }, { "pfetch", 8 }, { "exec", 16 }, { NULL, 0 },
};
static const struct filter_name levels[] = {
	{ "na", 0xf },  { "l1", 1 },    { "l2", 2 },     { "l3", 3 },
	{ "l4", 4 },    { "cxl", 9 },   { "io", 0xa },   { "any_cache", 0xb },
	{ "lfb", 0xc }, { "ram", 0xd }, { "pmem", 0xe }, { NULL, 0 },
};
static const struct filter_name snoops[] = {
	{ "na", 1 },    { "none", 2 },     { "hit", 4 },       { "miss", 8 },
	{ "hitm", 16 }, { "fwd", 1 << 5 }, { "peer", 2 << 5 }, { NULL, 0 },
};
static const struct filter_name remotes[] = { { "remote", 1 }, { NULL, 0 } };
static const struct filter_name locks[] = { { "na", 1 }, { "locked", 2 }, { NULL, 0 } };
static const struct filter_name tlbs[] = {
	{ "na", 1 },           { "l1_hit", 8 | 2 }, { "l1_miss", 8 | 4 }, { "l2_hit", 16 | 2 },
	{ "l2_miss", 16 | 4 }, { "any_hit", 2 },    { "any_miss", 4 },    { "walk", 32 },
	{ "fault", 64 },       { NULL, 0 },
};
static const struct filter_name blocks[] = {
	{ "na", 1 }, { "by_data", 2 }, { "by_addr", 4 }, { NULL, 0 }
};
static const struct filter_name hops[] = {
	{ "hops0", 1 }, { "hops1", 2 }, { "hops2", 3 }, { "hops3", 4 }, { NULL, 0 },
};

#define FIELD(n, m, o, s, bit, opt)                                                                \
	{                                                                                          \
		.name = (n), .member = (m), .at = (o), .size = (s), .needs = PERF_SAMPLE_##bit,    \
		.needed = #bit, .option = (opt)                                                    \
	}
#define WEIGHT(n, o, s, bits)                                                                      \
	{                                                                                          \
		.name = (n), .member = "weight", .at = (o), .size = (s), .needs = (bits),          \
		.needed = "WEIGHT", .option = "-W"                                                 \
	}
#define MEMORY(n, s, w, s2, w2, v)                                                                 \
	{                                                                                          \
		.name = (n), .member = "data_src", .size = 8,                                      \
		.bits = { { (s), (w) }, { (s2), (w2) } }, .names = (v),                            \
		.needs = PERF_SAMPLE_DATA_SRC, .needed = "DATA_SRC", .option = "-d"                \
	}
#define WEIGHTS (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)

static const struct filter_term terms[] = {
	FIELD("ip", "ip", 0, 8, IP, NULL),
	{ .name = "id",
	  .member = "id",
	  .size = 8,
	  .needs = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER,
	  .needed = "ID",
	  .option = "--sample-identifier" },
	FIELD("pid", "tid_entry", 0, 4, TID, NULL),
	FIELD("tid", "tid_entry", 4, 4, TID, NULL),
	FIELD("cpu", "cpu_entry", 0, 4, CPU, "--sample-cpu"),
	FIELD("time", "time", 0, 8, TIME, "-T"),
	FIELD("addr", "addr", 0, 8, ADDR, "-d"),
	{ .name = "period", .member = "period", .size = 8 },
	FIELD("txn", "txn", 0, 8, TRANSACTION, "--transaction"),
	WEIGHT("weight", 0, 8, PERF_SAMPLE_WEIGHT),
	WEIGHT("weight", 0, 4, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("weight1", 0, 4, WEIGHTS),
	WEIGHT("weight2", 4, 2, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("weight3", 6, 2, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("ins_lat", 4, 2, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("retire_lat", 6, 2, PERF_SAMPLE_WEIGHT_STRUCT),
	WEIGHT("p_stage_cyc", 6, 2, PERF_SAMPLE_WEIGHT_STRUCT),
	FIELD("phys_addr", "phys_addr", 0, 8, PHYS_ADDR, "--phys-data"),
	FIELD("code_pgsz", "code_page_size", 0, 8, CODE_PAGE_SIZE, "--code-page-size"),
	FIELD("code_page_size", "code_page_size", 0, 8, CODE_PAGE_SIZE, "--code-page-size"),
	FIELD("data_pgsz", "data_page_size", 0, 8, DATA_PAGE_SIZE, "--data-page-size"),
	FIELD("data_page_size", "data_page_size", 0, 8, DATA_PAGE_SIZE, "--data-page-size"),
	FIELD("cgroup", "cgroup", 0, 8, CGROUP, "--all-cgroups"),
	MEMORY("mem_op", 0, 5, 0, 0, ops),
	MEMORY("mem_lvl", 33, 4, 0, 0, levels),
	MEMORY("mem_snoop", 19, 5, 38, 2, snoops),
	MEMORY("mem_remote", 37, 1, 0, 0, remotes),
	MEMORY("mem_lock", 24, 2, 0, 0, locks),
	MEMORY("mem_dtlb", 26, 7, 0, 0, tlbs),
	MEMORY("mem_blk", 40, 3, 0, 0, blocks),
	MEMORY("mem_hops", 43, 3, 0, 0, hops),
	{ .name = "uid", .source = FILTER_UID },
	{ .name = "gid", .source = FILTER_GID },
};

/* Longer spellings first. */
static const struct {
	const char *text;
	u8 op;
} operators[] = {
	{ "==", BPF_JEQ }, { "!=", BPF_JNE }, { ">=", BPF_JGE }, { "<=", BPF_JLE },
	{ ">", BPF_JGT },  { "<", BPF_JLT },  { "&", BPF_JSET },
};

struct parser {
	const char *text, *at;
	struct err *e;
};

static const char *skip_blanks(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
	return p->at;
}

static int wrong(struct parser *p, const char *what, int len, const char *word)
{
	return err_set(p->e, EINVAL, "wrong filter '%s': %s '%.*s'", p->text, what, len, word);
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static bool same_word(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !memcmp(name, word, len);
}

static int parse_term(struct parser *p, u8 *term)
{
	const char *word = skip_blanks(p);
	size_t len = word_length(word);

	p->at += len;
	for (u8 i = 0; i < ARRAY_SIZE(terms); i++) {
		if (same_word(terms[i].name, word, len)) {
			*term = i;
			return 0;
		}
	}
	err_hint(p->e, "see the terms in 'perf help record'");
	return wrong(p, "no such term", (int)(len ? len : strlen(word)), word);
}

static int parse_operator(struct parser *p, u8 *op)
{
	skip_blanks(p);
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		size_t len = strlen(operators[i].text);

		if (!strncmp(p->at, operators[i].text, len)) {
			*op = operators[i].op;
			p->at += len;
			return 0;
		}
	}
	return wrong(p, "==, !=, >, >=, <, <= or & is missing before", (int)strlen(p->at), p->at);
}

/* "/path" of a control group: its id */
static int parse_cgroup(struct parser *p, u64 *value)
{
	size_t len = strcspn(p->at, " \t,|&");
	char mount[PATH_MAX], path[PATH_MAX];
	bool v2;

	if (!sys_cgroup_mount(NULL, mount, sizeof(mount), &v2) ||
	    snprintf(path, sizeof(path), "%s%.*s", mount, (int)len, p->at) >= (int)sizeof(path) ||
	    !sys_cgroup_id(path, value))
		return wrong(p, "no such control group", (int)len, p->at);
	p->at += len;
	return 0;
}

static int parse_value(struct parser *p, const struct filter_term *t, u64 *value)
{
	const char *word = skip_blanks(p);
	size_t len = word_length(word);
	char *end = NULL;

	if (*word == '/' && !strcmp(t->name, "cgroup"))
		return parse_cgroup(p, value);
	for (const struct filter_name *n = t->names; n && n->name; n++) {
		if (same_word(n->name, word, len)) {
			*value = n->value;
			p->at += len;
			return 0;
		}
	}
	errno = 0;
	*value = isdigit((unsigned char)*word) ? strtoull(word, &end, 0) : 0;
	if (!isdigit((unsigned char)*word) || end != word + len || errno)
		return wrong(p, "no number or known value", (int)(len ? len : strlen(word)), word);
	p->at = end;
	return 0;
}

/* *more: another condition follows. *ands, *ors: "&&" and "||" were seen. */
static int parse_joint(struct parser *p, bool *more, bool *or_next, unsigned int *seen)
{
	enum { AND = 1, OR = 2 };
	const char *at = skip_blanks(p);
	size_t len = *at == ',' ? 1 : 2;

	*more = *at != '\0';
	*or_next = !strncmp(at, "||", 2);
	if (!*more)
		return 0;
	if (*at != ',' && !*or_next && strncmp(at, "&&", 2) != 0)
		return wrong(p, "',' or '||' is missing before", (int)strlen(at), at);
	*seen |= *or_next ? OR : *at == '&' ? AND : 0;
	if (*seen == (AND | OR)) {
		err_hint(p->e, "write ',' for 'and': 'a || b, c' is '(a || b) and c'");
		return wrong(p, "'&&' beside '||' in", (int)strlen(p->text), p->text);
	}
	p->at += len;
	return 0;
}

int sample_filter_parse(struct sample_filter *f, const char *text, struct err *e)
{
	struct parser p = { .text = text, .at = text, .e = e };
	unsigned int seen = 0;
	bool more = true;

	*f = (struct sample_filter){ 0 };
	while (more) {
		struct sample_filter_condition *c = &f->conditions[f->nr];

		if (f->nr == SAMPLE_FILTER_CONDITIONS)
			return err_set(e, E2BIG, "a filter has at most %d conditions",
				       SAMPLE_FILTER_CONDITIONS);
		if (parse_term(&p, &c->term) < 0 || parse_operator(&p, &c->op) < 0 ||
		    parse_value(&p, &terms[c->term], &c->value) < 0 ||
		    parse_joint(&p, &more, &c->or_next, &seen) < 0)
			return -1;
		f->nr++;
	}
	return 0;
}

/* The row of that name that fits the fields of the samples. */
static const struct filter_term *choose_term(u8 term, u64 sample_type, const char *event,
					     struct err *e)
{
	const char *name = terms[term].name;

	for (size_t i = term; i < ARRAY_SIZE(terms) && !strcmp(terms[i].name, name); i++) {
		if (!terms[i].needs || terms[i].needs & sample_type)
			return &terms[i];
	}
	err_set(e, EINVAL,
		"the samples of '%s' do not have PERF_SAMPLE_%s, which the filter's '%s' is about",
		event, terms[term].needed, name);
	if (terms[term].option)
		err_hint(e, "add %s", terms[term].option);
	return NULL;
}

static int refuse(struct err *e, int code, const char *what)
{
	err_sys(e, code, "cannot filter samples: %s", what);
	if (code == EPERM || code == EACCES)
		err_hint(e, "it needs root, or the capabilities CAP_BPF and CAP_PERFMON");
	else
		err_hint(e, "it needs Linux 6.2 or newer, with BPF");
	return -1;
}

static int find_members(const struct filter_term *const *chosen, size_t nr, struct filter_kernel *k,
			u32 *members, struct err *e)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	_cleanup_(strbuf_releasep) struct strbuf btf = STRBUF_INIT;
	bool wanted = false;

	for (size_t i = 0; i < nr; i++)
		wanted |= chosen[i]->source == FILTER_SAMPLE;
	if (!wanted)
		return 0;
	if (rw_slurp(path, &btf, e) < 0) {
		err_prefix(e, "cannot filter samples");
		err_hint(e, "it needs a kernel with type information (CONFIG_DEBUG_INFO_BTF)");
		return -1;
	}
	if (!btf_function(btf.buf, btf.len, "bpf_cast_to_kern_ctx", &k->cast) ||
	    !btf_member(btf.buf, btf.len, "bpf_perf_event_data_kern", "data", &k->data))
		return refuse(e, ENOTSUP, "the kernel has no bpf_cast_to_kern_ctx()");
	for (size_t i = 0; i < nr; i++) {
		if (chosen[i]->source == FILTER_SAMPLE &&
		    (!btf_member(btf.buf, btf.len, "perf_sample_data", chosen[i]->member,
				 &members[i]) ||
		     members[i] > INT16_MAX - 8))
			return refuse(e, ENOTSUP, "the kernel's samples have no such field");
	}
	return 0;
}

static int load(struct sample_filter_program *p, const struct bpf_line *lines, size_t nr_lines,
		const u64 *values, struct err *e)
{
	static const struct bpf_map_spec dropped = { "dropped", BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0 };
	struct bpf_insn insns[MAX_INSNS];
	struct bpf_program program = { .name = "sample_filter",
				       .type = BPF_PROG_TYPE_PERF_EVENT,
				       .insns = insns };
	const struct bpf_meanings m = { .maps = &p->dropped, .values = values };
	char why[256];

	p->dropped = bpf_map_create(&dropped);
	if (p->dropped < 0)
		return refuse(e, -p->dropped, "no BPF map");
	if (bpf_assemble(lines, nr_lines, &m, insns, MAX_INSNS, &program.nr) < 0)
		return err_set(e, EINVAL, "the program of the filter cannot be put together");
	p->program = bpf_program_load(&program, why, sizeof(why));
	if (p->program >= 0)
		return 0;
	refuse(e, -p->program, "the kernel does not take the BPF program");
	if (why[0])
		err_hint(e, "the kernel says: %s", why);
	return -1;
}

int sample_filter_load(struct sample_filter_program *p, const struct sample_filter *f,
		       u64 sample_type, const char *event, struct err *e)
{
	const struct filter_term *chosen[SAMPLE_FILTER_CONDITIONS];
	u32 members[SAMPLE_FILTER_CONDITIONS] = { 0 };
	u64 values[SAMPLE_FILTER_CONDITIONS];
	struct filter_kernel k = { .members = members };
	struct bpf_line lines[FILTER_LINES_MAX];
	size_t nr;

	*p = (struct sample_filter_program){ -1, -1 };
	for (size_t i = 0; i < f->nr; i++) {
		values[i] = f->conditions[i].value;
		chosen[i] = choose_term(f->conditions[i].term, sample_type, event, e);
		if (!chosen[i])
			return -1;
	}
	if (find_members(chosen, f->nr, &k, members, e) < 0)
		return -1;
	nr = filter_lines(lines, f, chosen, &k);
	if (load(p, lines, nr, values, e) == 0)
		return 0;
	sample_filter_close(p);
	return -1;
}

int sample_filter_attach(const struct sample_filter_program *p, int event_fd)
{
	return ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, p->program) < 0 ? -errno : 0;
}

u64 sample_filter_dropped(const struct sample_filter_program *p)
{
	const u32 first = 0;
	u64 n = 0;

	return p->dropped >= 0 && bpf_map_get(p->dropped, &first, &n) ? n : 0;
}

void sample_filter_close(struct sample_filter_program *p)
{
	mem_closep(&p->program);
	mem_closep(&p->dropped);
}
