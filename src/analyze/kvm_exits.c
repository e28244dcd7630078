/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/kvm_exits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "perfdata/info.h"

struct vcpu {
	u32 tid, number;
	bool left; /* something began at `since` */
	bool named; /* and it is known what: key */
	u64 since, key;
};

/* A reason of an exit: the group counts the tables of names that the format has for the field. */
struct reason {
	u32 group;
	bool class; /* of the field esr_ec */
	u64 value;
	const char *text;
	u32 len;
};

/* Rows of events. */
enum { EVENT_EXIT, EVENT_ENTRY, EVENT_USE, NR_EVENTS };

struct kvm_exits {
	struct kvm_exits_opts o;
	struct session *session;
	struct analyze_event events[NR_EVENTS];
	struct analyze_machine machine;
	struct analyze *analyze;
	VEC(struct vcpu) vcpus;
	struct map by_tid;
	VEC(struct kvm_exits_row) rows;
	struct map by_key;
	VEC(struct reason) reasons;
	bool named; /* reasons are read */
};

/* x86: reason and the instruction set of virtualisation (1: VMX, 2: SVM); arm64: ret, esr_ec. */
enum { EXIT_REASON, EXIT_ISA, EXIT_CLASS };
static const struct analyze_field exit_fields[] = {
	[EXIT_REASON] = { .names = { "exit_reason", "ret" } },
	[EXIT_ISA] = { .names = { "isa" }, .optional = true },
	[EXIT_CLASS] = { .names = { "esr_ec" }, .optional = true },
	{ .names = { NULL } },
};
enum { ENTRY_VCPU };
static const struct analyze_field entry_fields[] = {
	/* arm64 does not tell it */
	[ENTRY_VCPU] = { .names = { "vcpu_id" }, .optional = true },
	{ .names = { NULL } },
};
enum { USE_KIND, USE_WHERE };

/* ------------------------------------------------------------------ keys */

/* A reason: its number, and behind it the instruction set or the class. Else where, and in the
 * highest bit whether it was written. */
#define KEY_WRITE (1ULL << 63)
#define ARM64_TRAP 2 /* the value of ret that has a class */

static u64 exit_key(const struct analyze_row *r)
{
	u64 reason = (u32)r->values[EXIT_REASON];
	u64 more = r->values[EXIT_ISA] ? r->values[EXIT_ISA] : r->values[EXIT_CLASS];

	return more << 32 | reason;
}

static void note_name(void *ctx, const struct tracefmt_names *n)
{
	struct kvm_exits *k = ctx;
	struct reason last = k->reasons.nr ? k->reasons.v[k->reasons.nr - 1]
					   : (struct reason){ .group = 0 };
	bool class = !strcmp(n->field->name, "esr_ec");

	if (n->flags || (!class && strcmp(n->field->name, "exit_reason") != 0 &&
			 strcmp(n->field->name, "ret") != 0))
		return;
	if (n->kind == TRACEFMT_NAMES_BEGIN) {
		/* a row without a text stands for the beginning of a table */
		*VEC_PUSH(&k->reasons) = (struct reason){ .group = last.group + 1, .class = class };
		return;
	}
	*VEC_PUSH(&k->reasons) = (struct reason){ .group = last.group,
						  .class = class,
						  .value = (u64)n->value,
						  .text = n->text,
						  .len = n->len };
}

/* group 0: of the field's only table. */
static bool add_reason(const struct kvm_exits *k, bool class, u32 group, u64 value,
		       struct strbuf *out)
{
	VEC_FOR(&k->reasons, r) {
		if (!r->text || r->class != class || (group && r->group != group) ||
		    r->value != value)
			continue;
		for (u32 i = 0; i < r->len; i++)
			strbuf_addch(out, r->text[i] > ' ' && r->text[i] < 127 ? r->text[i] : '?');
		return true;
	}
	return false;
}

static void add_exit_name(const struct kvm_exits *k, u64 key, struct strbuf *out)
{
	const struct tracefmt *t = analyze_format(k->analyze, EVENT_EXIT);
	u32 reason = (u32)key, more = (u32)(key >> 32);
	bool x86 = t && tracefmt_find_field(t, "isa");

	if (x86 ? add_reason(k, false, more, more == 1 ? reason & 0xffff : reason, out)
		: (reason == ARM64_TRAP && add_reason(k, true, 0, more, out)) ||
			    add_reason(k, false, 0, reason, out))
		return;
	strbuf_addf(out, "%#x", reason);
}

void kvm_exits_add_name(const struct kvm_exits *k, u64 key, struct strbuf *out)
{
	static const char *const ways[][2] = { [KVM_MMIO] = { "R", "W" },
					       [KVM_IOPORT] = { "PIN", "POUT" },
					       [KVM_MSR] = { "R", "W" } };

	if (k->o.what == KVM_VMEXIT)
		add_exit_name(k, key, out);
	else
		strbuf_addf(out, "%#llx:%s", (unsigned long long)(key & ~KEY_WRITE),
			    ways[k->o.what][!!(key & KEY_WRITE)]);
}

/* ------------------------------------------------------------------ the machine */

static struct vcpu *find_vcpu(struct kvm_exits *k, u32 tid)
{
	u32 i;

	for (struct map_probe p = map_first(&k->by_tid, hash_u64(tid));
	     map_next(&k->by_tid, &p, &i);)
		if (k->vcpus.v[i].tid == tid)
			return &k->vcpus.v[i];
	return NULL;
}

static struct kvm_exits_row *find_row(struct kvm_exits *k, u64 key)
{
	u64 hash = hash_u64(key);
	struct kvm_exits_row *row;
	u32 i;

	for (struct map_probe p = map_first(&k->by_key, hash); map_next(&k->by_key, &p, &i);)
		if (k->rows.v[i].key == key)
			return &k->rows.v[i];
	map_add(&k->by_key, hash, (u32)k->rows.nr);
	row = VEC_PUSH(&k->rows);
	*row = (struct kvm_exits_row){ .key = key, .min = UINT64_MAX };
	return row;
}

static bool is_of_interest(const struct kvm_exits *k, const struct vcpu *v)
{
	return k->o.vcpu < 0 || v->number == k->o.vcpu;
}

static void begin(struct vcpu *v, u64 time)
{
	v->left = true;
	v->named = false;
	v->since = time;
}

static void begin_known(struct vcpu *v, u64 time, u64 key)
{
	begin(v, time);
	v->named = true;
	v->key = key;
}

/* What began, if it is known by now. Times of one thread that go backwards are no times. */
static void end(struct kvm_exits *k, struct vcpu *v, const struct analyze_row *r)
{
	struct kvm_exits_row *row;
	double off;
	u64 ns;

	if (!v->left)
		return;
	v->left = false;
	if (!v->named || r->time < v->since || !is_of_interest(k, v))
		return;
	ns = r->time - v->since;
	row = find_row(k, v->key);
	row->nr++;
	row->total += ns;
	row->min = MIN(row->min, ns);
	row->max = MAX(row->max, ns);
	off = (double)ns - row->mean;
	row->mean += off / (double)row->nr;
	row->squares += off * ((double)ns - row->mean);
	if (k->o.on_long && ns > k->o.longer)
		k->o.on_long(k->o.ctx, &(struct kvm_long){ .time = r->time,
							   .length = ns,
							   .key = v->key,
							   .pid = r->pid,
							   .vcpu = v->number });
}

static void take_exit(void *ctx, const struct analyze_row *r)
{
	struct kvm_exits *k = ctx;
	struct vcpu *v = find_vcpu(k, r->tid);

	if (v && k->o.what == KVM_VMEXIT)
		begin_known(v, r->time, exit_key(r));
	else if (v)
		begin(v, r->time);
}

static void take_entry(void *ctx, const struct analyze_row *r)
{
	struct kvm_exits *k = ctx;
	struct vcpu *v = find_vcpu(k, r->tid);

	if (!v) {
		map_add(&k->by_tid, hash_u64(r->tid), (u32)k->vcpus.nr);
		v = VEC_PUSH(&k->vcpus);
		*v = (struct vcpu){ .tid = r->tid };
	}
	v->number = (u32)r->values[ENTRY_VCPU];
	end(k, v, r);
}

/* KVM_TRACE_MMIO_* of the kernel's include/trace/events/kvm.h. */
enum { MMIO_READ_UNSATISFIED, MMIO_READ, MMIO_WRITE };

static void take_mmio(void *ctx, const struct analyze_row *r)
{
	struct kvm_exits *k = ctx;
	struct vcpu *v = find_vcpu(k, r->tid);
	u64 where = r->values[USE_WHERE] & ~KEY_WRITE;

	if (v && r->values[USE_KIND] == MMIO_WRITE) {
		begin_known(v, r->time, where | KEY_WRITE);
	} else if (v && r->values[USE_KIND] == MMIO_READ) {
		v->named = true;
		v->key = where;
		end(k, v, r);
	}
}

/* Ports and model specific registers. */
static void take_use(void *ctx, const struct analyze_row *r)
{
	struct vcpu *v = find_vcpu(ctx, r->tid);
	u64 where = r->values[USE_WHERE] & ~KEY_WRITE;

	if (v)
		begin_known(v, r->time, where | (r->values[USE_KIND] ? KEY_WRITE : 0));
}

#define USE_FIELDS(kind, where)                                                                    \
	{                                                                                          \
		{ .names = { kind } }, { .names = { where } },                                     \
		{                                                                                  \
			.names = { NULL }                                                          \
		}                                                                                  \
	}
static const struct analyze_field mmio_fields[] = USE_FIELDS("type", "gpa");
static const struct analyze_field pio_fields[] = USE_FIELDS("rw", "port");
static const struct analyze_field msr_fields[] = USE_FIELDS("write", "ecx");

static const struct analyze_event uses[] = {
	[KVM_MMIO] = { .names = { "kvm:kvm_mmio" },
		       .own = true,
		       .fields = mmio_fields,
		       .take = take_mmio },
	[KVM_IOPORT] = { .names = { "kvm:kvm_pio" },
			 .own = true,
			 .fields = pio_fields,
			 .take = take_use },
	[KVM_MSR] = { .names = { "kvm:kvm_msr" },
		      .own = true,
		      .fields = msr_fields,
		      .take = take_use },
};

static bool on_round(void *ctx, u64 until)
{
	struct kvm_exits *k = ctx;

	return k->o.on_round(k->o.ctx, until);
}

int kvm_exits_new(struct kvm_exits **out, struct session *s, const struct kvm_exits_opts *o,
		  struct err *e)
{
	struct kvm_exits *k = XNEW(struct kvm_exits);
	struct analyze_opts ao = { .machine = &k->machine, .ctx = k };

	k->o = *o;
	k->session = s;
	k->events[EVENT_EXIT] = (struct analyze_event){
		.names = { "kvm:kvm_exit" }, .own = true, .fields = exit_fields, .take = take_exit
	};
	k->events[EVENT_ENTRY] = (struct analyze_event){ .names = { "kvm:kvm_entry" },
							 .own = true,
							 .fields = entry_fields,
							 .take = take_entry };
	/* a machine that runs may be quiet */
	k->events[EVENT_EXIT].needed = k->events[EVENT_ENTRY].needed = !o->on_round;
	if (o->what != KVM_VMEXIT)
		k->events[EVENT_USE] = uses[o->what];
	k->machine = (struct analyze_machine){
		.events = k->events,
		.nr = o->what == KVM_VMEXIT ? EVENT_USE : NR_EVENTS,
		.hint = "perf kvm stat record COMMAND records what is needed",
		.round = o->on_round ? on_round : NULL,
	};
	if (analyze_new(&k->analyze, s, &ao, e)) {
		kvm_exits_free(k);
		return -1;
	}
	*out = k;
	return 0;
}

void kvm_exits_free(struct kvm_exits *k)
{
	if (!k)
		return;
	analyze_free(k->analyze);
	vec_free(&k->vcpus);
	map_release(&k->by_tid);
	vec_free(&k->rows);
	map_release(&k->by_key);
	vec_free(&k->reasons);
	free(k);
}

int kvm_exits_run(struct kvm_exits *k, struct err *e)
{
	return analyze_run(k->analyze, e);
}

const struct kvm_exits_row *kvm_exits_rows(struct kvm_exits *k, size_t *nr)
{
	const struct tracefmt *t = analyze_format(k->analyze, EVENT_EXIT);

	if (!k->named && t) {
		tracefmt_each_name(t, note_name, k);
		k->named = true;
	}
	*nr = k->rows.nr;
	return k->rows.v;
}

void kvm_exits_choose_vcpu(struct kvm_exits *k, s64 vcpu)
{
	k->o.vcpu = vcpu;
}

void kvm_exits_begin_lap(struct kvm_exits *k)
{
	k->rows.nr = 0;
	map_release(&k->by_key);
	k->by_key = (struct map){ .nr = 0 };
}

double kvm_exits_uncertainty(const struct kvm_exits_row *r)
{
	double variance = r->nr > 1 ? r->squares / (double)(r->nr - 1) : 0;

	return r->mean > 0 ? 100 * sqrt(variance / (double)r->nr) / r->mean : 0;
}

int kvm_exits_compare_keys(u64 a, u64 b)
{
	u64 x = a & ~KEY_WRITE, y = b & ~KEY_WRITE;

	return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}
