/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/regs.h"
#include "base/bits.h"
#include "base/mem.h"
#include "text/dump.h"
#include "perfdata/info.h"

typedef unsigned long long ull;

static void dump_chain(struct strbuf *out, const struct sample *s)
{
	strbuf_addf(out, "... FP chain: nr:%llu\n", (ull)s->nr_chain);
	for (u64 i = 0; i < s->nr_chain; i++)
		strbuf_addf(out, "..... %2llu: %016llx\n", (ull)i, (ull)s->chain[i]);
}

/* What the callchain becomes with the records of a call stack. */
static void dump_lbr_chain(struct strbuf *out, const struct sample *s)
{
	const struct perf_branch_entry *b = (const struct perf_branch_entry *)s->branch;
	u64 nr = 0;

	while (nr < s->nr_chain && s->chain[nr] != PERF_CONTEXT_USER)
		nr++;
	if (nr++ == s->nr_chain || !s->nr_branch)
		return;
	strbuf_addf(out, "... LBR call chain: nr:%llu\n", (ull)nr + 1 + s->nr_branch);
	for (u64 i = 0; i < nr; i++)
		strbuf_addf(out, "..... %2llu: %016llx\n", (ull)i, (ull)s->chain[i]);
	strbuf_addf(out, "..... %2llu: %016llx\n", (ull)nr, (ull)b[0].to);
	for (u64 i = 0; i < s->nr_branch; i++)
		strbuf_addf(out, "..... %2llu: %016llx\n", (ull)nr + 1 + i, (ull)b[i].from);
}

static const char *branch_type(u64 flags)
{
	static const char *const types[] = {
		"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
	};
	static const char *const more_types[] = {
		"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
		"ARCH_2",     "ARCH_3",     "ARCH_4",     "ARCH_5",
	};
	u64 type = flags >> 20 & 15, more = flags >> 26 & 15;

	if (type < ARRAY_SIZE(types))
		return types[type];
	return more < ARRAY_SIZE(more_types) ? more_types[more] : "(null)";
}

static void dump_branches(struct strbuf *out, const struct perfdata_event *ev,
			  const struct sample *s)
{
	const struct perf_branch_entry *b = (const struct perf_branch_entry *)s->branch;

	if (ev->layout.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) {
		/* as a chain: the place of the newest call, then where each was made from */
		strbuf_addf(out, "... branch callstack: nr:%llu\n", (ull)s->nr_branch + 1);
		if (s->nr_branch)
			strbuf_addf(out, "..... %2d: %016llx\n", 0, (ull)b[0].to);
		for (u64 i = 0; i < s->nr_branch; i++)
			strbuf_addf(out, "..... %2llu: %016llx\n", (ull)i + 1, (ull)b[i].from);
		return;
	}
	strbuf_addf(out, "... branch stack: nr:%llu\n", (ull)s->nr_branch);
	for (u64 i = 0; i < s->nr_branch; i++) {
		u64 fl = b[i].flags;

		strbuf_addf(out, "..... %2llu: %016llx -> %016llx %u cycles %c%c%c%c %x %s\n",
			    (ull)i, (ull)b[i].from, (ull)b[i].to, (unsigned int)(fl >> 4 & 0xffff),
			    fl & PERF_BR_MISPRED ? 'M' : ' ', fl & PERF_BR_PREDICTED ? 'P' : ' ',
			    fl & PERF_BR_ABORT ? 'A' : ' ', fl & PERF_BR_IN_TX ? 'T' : ' ',
			    (unsigned int)(fl >> 33), branch_type(fl));
	}
}

static void dump_regs(struct strbuf *out, const char *arch, const char *what, u64 mask, u64 abi,
		      const u64 *regs)
{
	unsigned int i = 0;

	if (!regs)
		return;
	strbuf_addf(out, "... %s regs: mask 0x%llx ABI %s\n", what, (ull)mask,
		    abi == PERF_SAMPLE_REGS_ABI_64   ? "64-bit"
		    : abi == PERF_SAMPLE_REGS_ABI_32 ? "32-bit"
						     : "none");
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		strbuf_addf(out, ".... %-5s 0x%016llx\n", arch_reg_name(arch, bit), (ull)regs[i++]);
	}
}

/* Whole units; the next larger one only from two of it on. */
static void dump_page_size(struct strbuf *out, const char *what, u64 size)
{
	static const char units[] = "BKMG";
	unsigned int u = 0;

	for (; u + 2 < sizeof(units) && size / 1024 > 1; u++)
		size /= 1024;
	if (size)
		strbuf_addf(out, " .. %s page size: %llu%c\n", what, (ull)size, units[u]);
	else
		strbuf_addf(out, " .. %s page size: N/A\n", what);
}

static void dump_read(struct strbuf *out, const struct perfdata_event *ev, const struct sample *s)
{
	u64 f = ev->layout.read_format;

	strbuf_adds(out, "... sample_read:\n");
	if (f & PERF_FORMAT_TOTAL_TIME_ENABLED)
		strbuf_addf(out, "...... time enabled %016llx\n", (ull)s->time_enabled);
	if (f & PERF_FORMAT_TOTAL_TIME_RUNNING)
		strbuf_addf(out, "...... time running %016llx\n", (ull)s->time_running);
	if (f & PERF_FORMAT_GROUP)
		strbuf_addf(out, ".... group nr %llu\n", (ull)s->nr_read);
	for (u64 i = 0; i < s->nr_read; i++) {
		struct sample_read_value v = sample_read_at(&ev->layout, s, i);

		strbuf_addf(out, "..... id %016llx, value %016llx", (ull)v.id, (ull)v.value);
		if (f & PERF_FORMAT_LOST)
			strbuf_addf(out, ", lost %llu", (ull)v.lost);
		strbuf_addch(out, '\n');
	}
}

static void dump_weight(struct strbuf *out, u64 type, const struct sample *s)
{
	strbuf_addf(out, "... weight: %llu", (ull)s->weight);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		strbuf_addf(out, ",0x%x,0x%x", s->ins_lat, 0);
	strbuf_addch(out, '\n');
}

void dump_sample(struct strbuf *out, const struct perfdata *f, const struct dump_input *in)
{
	const struct perfdata_event *ev = in->event;
	const struct sample *s = in->sample;
	const char *arch = perfdata_info(f)->arch;
	u64 t = ev->layout.sample_type;

	strbuf_addf(out, "(IP, 0x%x): %d/%d: %#llx period: %llu addr: %#llx\n", s->misc,
		    (s32)s->pid, (s32)s->tid, (ull)s->ip, (ull)s->period, (ull)s->addr);
	if (t & PERF_SAMPLE_CALLCHAIN &&
	    ev->layout.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK)
		dump_lbr_chain(out, s);
	if (t & PERF_SAMPLE_CALLCHAIN)
		dump_chain(out, s);
	if (t & PERF_SAMPLE_BRANCH_STACK)
		dump_branches(out, ev, s);
	if (t & PERF_SAMPLE_REGS_USER)
		dump_regs(out, arch, "user", ev->layout.regs_user, s->user_abi, s->user_regs);
	if (t & PERF_SAMPLE_REGS_INTR)
		dump_regs(out, arch, "intr", ev->layout.regs_intr, s->intr_abi, s->intr_regs);
	if (t & PERF_SAMPLE_STACK_USER && s->user_stack)
		strbuf_addf(out, "... ustack: size %llu, offset 0x%llx\n", (ull)s->user_stack_size,
			    (ull)(s->user_stack - (const u8 *)(in->h + 1)));
	if (t & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		dump_weight(out, t, s);
	if (t & PERF_SAMPLE_DATA_SRC)
		strbuf_addf(out, " . data_src: 0x%llx\n", (ull)s->data_src);
	if (t & PERF_SAMPLE_PHYS_ADDR)
		strbuf_addf(out, " .. phys_addr: 0x%llx\n", (ull)s->phys_addr);
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE)
		dump_page_size(out, "data", s->data_page_size);
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE)
		dump_page_size(out, "code", s->code_page_size);
	if (t & PERF_SAMPLE_TRANSACTION)
		strbuf_addf(out, "... transaction: %llx\n", (ull)s->transaction);
	if (t & PERF_SAMPLE_READ)
		dump_read(out, ev, s);
}

void dump_site(struct strbuf *out, const char *comm, u32 tid, const char *dso)
{
	strbuf_adds(out, " ... thread: ");
	strbuf_add_escaped(out, comm);
	strbuf_addf(out, ":%d\n ...... dso: ", (s32)tid);
	strbuf_add_escaped(out, dso ? dso : "<not found>");
	strbuf_addch(out, '\n');
}
