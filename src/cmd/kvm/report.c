/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kvm stat report: a table of why virtual machines were left. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "cli/print_err.h"
#include "cmd/kvm/kvm.h"

enum { NAME_WIDTH = 20 };

static int compare_u64(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

static int by_number(const struct kvm_exits_row *a, const struct kvm_exits_row *b)
{
	return compare_u64(a->nr, b->nr);
}

/* Largest first; those alike by their reasons or places. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct kvm_exits_row *x = a, *y = b;
	const struct kvm_opts *o = ctx;
	int r = o->by ? o->by(x, y) : by_number(x, y);

	return r ? -r : kvm_exits_compare_keys(x->key, y->key);
}

static double us(u64 ns)
{
	return (double)ns / 1e3;
}

static double share(u64 part, u64 of)
{
	return of ? 100.0 * (double)part / (double)of : 0;
}

static void add_numbers(struct strbuf *out, const char *title, const char *numbers)
{
	strbuf_adds(out, title);
	strbuf_add_escaped(out, numbers);
}

static void add_head(struct strbuf *out, const struct kvm_opts *o)
{
	static const char *const names[] = { [KVM_VMEXIT] = "VM-EXIT",
					     [KVM_MMIO] = "MMIO Access",
					     [KVM_IOPORT] = "IO Port Access",
					     [KVM_MSR] = "MSR Access" };

	strbuf_adds(out, "\n\nAnalyze events for ");
	if (o->rec.pids)
		add_numbers(out, "pid(s) ", o->rec.pids);
	if (o->rec.tids)
		add_numbers(out, o->rec.pids ? ", tid(s) " : "tid(s) ", o->rec.tids);
	if (!o->rec.pids && !o->rec.tids)
		strbuf_adds(out, "all VMs");
	strbuf_adds(out, ", ");
	if (o->vcpu < 0)
		strbuf_adds(out, "all VCPUs:\n\n");
	else
		strbuf_addf(out, "VCPU %d:\n\n", o->vcpu);
	strbuf_addf(out, "%*s %10s %9s %9s %11s %11s %16s \n\n", NAME_WIDTH, names[o->what],
		    "Samples", "Samples%", "Time%", "Min Time", "Max Time", "Avg time");
}

struct sums {
	u64 nr, total;
};

static struct sums sum_up(const struct kvm_exits_row *rows, size_t nr)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < nr; i++) {
		sums.nr += rows[i].nr;
		sums.total += rows[i].total;
	}
	return sums;
}

static void add_text(struct strbuf *out, const struct kvm_opts *o, const struct kvm_exits *k,
		     const struct kvm_exits_row *rows, size_t nr, struct sums sums)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	add_head(out, o);
	for (size_t i = 0; i < nr; i++) {
		const struct kvm_exits_row *r = &rows[i];

		strbuf_reset(&name);
		kvm_exits_add_name(k, r->key, &name);
		strbuf_addf(out,
			    "%*s %10llu %8.2f%% %8.2f%% %9.2fus %9.2fus %9.2fus ( +-%7.2f%% )\n",
			    NAME_WIDTH, name.buf, (unsigned long long)r->nr, share(r->nr, sums.nr),
			    share(r->total, sums.total), us(r->min), us(r->max), r->mean / 1e3,
			    kvm_exits_uncertainty(r));
	}
	strbuf_addf(out, "\nTotal Samples:%llu, Total events handled time:%.2fus.\n\n",
		    (unsigned long long)sums.nr, us(sums.total));
}

static const char *const words[] = {
	[KVM_VMEXIT] = "vmexit", [KVM_MMIO] = "mmio", [KVM_IOPORT] = "ioport", [KVM_MSR] = "msr"
};

static void put_sums(struct row_writer *w, struct sums sums)
{
	row_u64(w, "nr", sums.nr);
	row_u64(w, "total_ns", sums.total);
}

/* --json and -x */
static void add_values(struct strbuf *out, const struct kvm_opts *o, const struct kvm_exits *k,
		       const struct kvm_exits_row *rows, size_t nr, struct sums sums)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(row_writer_release) struct row_writer w;

	row_document_init(&w, out, o->separator, "perf kvm stat");
	if (o->json) {
		row_string(&w, "event", words[o->what]);
		put_sums(&w, sums);
	}
	row_array(&w, "rows");
	for (size_t i = 0; i < nr; i++) {
		const struct kvm_exits_row *r = &rows[i];

		strbuf_reset(&name);
		kvm_exits_add_name(k, r->key, &name);
		row_begin(&w, words[o->what]);
		row_string(&w, "name", name.buf);
		row_u64(&w, "nr", r->nr);
		row_u64(&w, "total_ns", r->total);
		row_u64(&w, "min_ns", r->min);
		row_u64(&w, "max_ns", r->max);
		row_fixed(&w, "mean_ns", r->mean, 1);
		row_fixed(&w, "uncertainty_percent", kvm_exits_uncertainty(r), 2);
		row_end(&w);
	}
	if (!o->json) {
		row_begin(&w, "total");
		put_sums(&w, sums);
		row_end(&w);
	}
	row_document_end(&w);
}

void kvm_add_table(struct strbuf *out, const struct kvm_opts *o, struct kvm_exits *k)
{
	size_t nr;
	const struct kvm_exits_row *found = kvm_exits_rows(k, &nr);
	struct sums sums = sum_up(found, nr);
	_cleanup_(mem_freep) struct kvm_exits_row *rows = xmalloc(nr * sizeof(*rows) + 1);

	if (nr) {
		memcpy(rows, found, nr * sizeof(*rows));
		qsort_r(rows, nr, sizeof(*rows), compare_rows, (void *)o);
	}
	if (o->json || o->separator)
		add_values(out, o, k, rows, nr, sums);
	else
		add_text(out, o, k, rows, nr, sums);
}

int kvm_report_main(struct kvm_opts *o)
{
	struct kvm_exits_opts ko = { .what = o->what, .vcpu = o->vcpu };
	struct strbuf out = STRBUF_INIT;
	struct kvm_exits *k = NULL;
	struct err e = ERR_INIT;
	int r;

	o->rec.nameless = true;
	if (!o->rec.opts.input.path || !*o->rec.opts.input.path)
		o->rec.opts.input.path = kvm_file(o);
	r = recording_open(&o->rec, &e);
	if (!r)
		r = kvm_exits_new(&k, o->rec.session, &ko, &e);
	if (!r)
		r = kvm_exits_run(k, &e);
	if (r) {
		err_print(&e);
	} else {
		kvm_add_table(&out, o, k);
		fwrite(out.buf, 1, out.len, stdout);
		losses_tell_events(o->rec.session, "sums are");
	}
	strbuf_release(&out);
	kvm_exits_free(k);
	return r ? KVM_FAILED : 0;
}
