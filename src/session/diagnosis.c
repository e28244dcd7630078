/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workers count samples by callchain and by frame; each distinct chain is judged once, at the end.
 */
#include "session/diagnosis.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "dso/files.h"
#include "perfdata/info.h"
#include "perfdata/record.h"
#include "session/opened.h"

enum { DEFAULT_MAX_STACK = 127, UNWOUND_MAX_STACK = 1024, EVENT_MASK = 0xfff };
#define NOT_READ UINT64_MAX

/* How a stack was made. BY_NAME: only the name of its outermost frame tells whether it is complete.
 */
enum trail { BY_NAME, UNWOUND_COMPLETE, UNWOUND_TRUNCATED, UNWOUND_ABSENT, UNWOUND_GUESSED };

struct tally {
	u64 key;
	u64 count;
};

struct tallies {
	struct map map;
	VEC(struct tally) v;
};

struct PER_THREAD worker_part {
	struct tallies chains; /* chain << 16 | way << 15 | event << 3 | trail */
	struct tallies leaves; /* frame */
	u64 samples, bytes, timeless;
};

struct diagnosing {
	struct session *s;
	struct diagnosis *out;
	struct worker_part *parts;
	u64 max_per_worker; /* 0 = all */
	VEC(struct diagnosis_object) by_dso; /* index = dso */
	VEC(u64) entries; /* likewise: dso_entry(), NOT_READ = not looked at */
	const struct info_stacks *copies;
};

static void tally_add(struct tallies *t, u64 key, u64 count)
{
	u64 h = hash_u64(key);
	u32 i;

	for (struct map_probe p = map_first(&t->map, h); map_next(&t->map, &p, &i);) {
		if (t->v.v[i].key == key) {
			t->v.v[i].count += count;
			return;
		}
	}
	map_add(&t->map, h, (u32)t->v.nr);
	*VEC_PUSH(&t->v) = (struct tally){ key, count };
}

static enum trail trail_of(const struct sample *smp)
{
	if (!smp->unwound)
		return BY_NAME;
	if (smp->guessed)
		return UNWOUND_GUESSED;
	if (smp->cut)
		return smp->absent ? UNWOUND_ABSENT : UNWOUND_TRUNCATED;
	/* A stack that record has unwound has nothing but its frames to judge it by. */
	return smp->whole ? UNWOUND_COMPLETE : BY_NAME;
}

static bool is_copy(const struct diagnosing *d, u64 id)
{
	return id && id >= d->copies->first_copy_id && id <= d->copies->last_copy_id;
}

static bool take_sample(void *ctx, struct session_worker *w, unsigned int worker,
			const struct session_record *r)
{
	struct diagnosing *d = ctx;
	struct worker_part *part = &d->parts[worker];
	const struct sample *smp = r->sample;
	chain_id chain;

	part->samples++;
	part->bytes += r->h->size;
	part->timeless += !r->event->layout.time;
	if (r->event->layout.ip)
		tally_add(&part->leaves, session_frame(w, &r->site, smp->cpumode, smp->ip), 1);
	chain = session_chain(w, &r->site, smp);
	if (chain)
		tally_add(&part->chains,
			  (u64)chain << 16 | (u64)is_copy(d, smp->id) << 15 |
				  (r->event->index & EVENT_MASK) << 3 | trail_of(smp),
			  1);
	return !d->max_per_worker || part->samples < d->max_per_worker;
}

/* ---- losses ---- */

static void add_loss(struct diagnosis *out, const struct perfdata_event *event, u32 cpu, u64 lost)
{
	struct diagnosis_loss *at = NULL;

	out->lost += lost;
	out->worst_loss = MAX(out->worst_loss, lost);
	VEC_FOR(&out->losses, l)
		if (l->event == event && l->cpu == cpu)
			at = l;
	if (!at) {
		at = VEC_PUSH(&out->losses);
		*at = (struct diagnosis_loss){ .event = event, .cpu = cpu };
	}
	at->lost += lost;
	at->records++;
}

static bool take_other(void *ctx, const struct session_record *r)
{
	struct diagnosing *d = ctx;
	struct sample_id id = { .cpu = (u32)-1 };
	bool samples = r->h->type == PERF_RECORD_LOST_SAMPLES;
	union record_view v;

	if ((r->h->type != PERF_RECORD_LOST && !samples) || !record_view(r->h, 0, &v))
		return true;
	if (r->event)
		sample_id_decode(&r->event->layout, r->h, &id);
	add_loss(d->out, r->event, id.cpu, samples ? v.lost_samples : v.lost.lost);
	return true;
}

/* ---- judging ---- */

static struct diagnosis_object *object_of(struct diagnosing *d, dso_id dso)
{
	while (d->by_dso.nr <= dso) {
		dso_id next = (dso_id)d->by_dso.nr;

		*VEC_PUSH(&d->by_dso) = (struct diagnosis_object){ .dso = next };
	}
	return &d->by_dso.v[dso];
}

/* Whether one of the patterns is the name; "*" at the end: or what begins so. */
static bool is_one_of(const char *name, const char *const *patterns, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		size_t len = strlen(patterns[i]);

		if (patterns[i][len - 1] == '*' ? strncmp(name, patterns[i], len - 1) == 0
						: strcmp(name, patterns[i]) == 0)
			return true;
	}
	return false;
}

/* Functions that are where threads start. */
static bool is_start(const char *name)
{
	static const char *const starts[] = {
		"_start",
		"_start_c",
		"__start",
		"__libc_start_main*",
		"__libc_start_call_main*",
		"generic_start_main*",
		"libc_start_main_stage2",
		"clone",
		"clone3",
		"__clone",
		"__clone3",
		"__clone_internal*",
		"start_thread",
		"thread_start",
		"__bionic_clone",
		"__pthread_start*",
		"__libc_init",
		"_dl_start_user",
		"_dl_start",
		"runtime.goexit*",
		"runtime.rt0_go*",
		"_rt0_*",
		"runtime.mstart*",
		"runtime.gogo*",
		"__start_context",
		"erts_beamasm:normal_exit*", /* what processes of Erlang return to */
	};

	/* how newer symbol tables of glibc call what is hidden */
	if (strncmp(name, "__GI_", strlen("__GI_")) == 0)
		name += strlen("__GI_");
	return is_one_of(name, starts, ARRAY_SIZE(starts));
}

/* Functions that switch to another stack: the frames above them are of an earlier call. */
static bool is_switch(const char *name)
{
	static const char *const switches[] = {
		"runtime.mcall*",
		"runtime.systemstack*",
		"runtime.asmcgocall*",
		"runtime.morestack*",
	};

	return is_one_of(name, switches, ARRAY_SIZE(switches));
}

static const char *name_of(struct diagnosing *d, frame_id id)
{
	const struct frame *f = session_frame_get(d->s, id);
	struct dso *dso = dso_table_get(session_dsos(d->s), f->dso);

	return dso && f->sym != SYM_NONE ? symtab_name(dso_symtab(dso), f->sym) : "";
}

/* The C library and the loader, which start the program and its threads. */
static bool is_libc(const struct dso *dso)
{
	static const char *const names[] = { "libc.so",   "libc-2",  "ld-linux",
					     "ld-musl",   "ld-2",    "libpthread",
					     "libc.musl", "ld64.so", "ld.so" };
	const char *name = dso_short_name(dso);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* The loader, which the kernel starts; its first code has no unwind tables. */
static bool is_loader(const struct dso *dso)
{
	return strncmp(dso_short_name(dso), "ld", 2) == 0 && is_libc(dso);
}

static bool in_kernel(const struct frame *f)
{
	return f->cpumode == PERF_RECORD_MISC_KERNEL ||
	       f->cpumode == PERF_RECORD_MISC_GUEST_KERNEL ||
	       f->cpumode == PERF_RECORD_MISC_HYPERVISOR;
}

/* In the function that its program begins in; without symbols, near that place. */
static bool is_entry(struct diagnosing *d, const struct frame *f)
{
	struct dso *dso = f->dso ? dso_table_get(session_dsos(d->s), f->dso) : NULL;
	u64 entry;

	if (!dso || in_kernel(f))
		return false;
	while (d->entries.nr <= f->dso)
		*VEC_PUSH(&d->entries) = NOT_READ;
	if (d->entries.v[f->dso] == NOT_READ)
		d->entries.v[f->dso] = dso_entry(dso);
	entry = d->entries.v[f->dso];
	if (!entry || f->addr < entry || f->addr - entry >= DSO_ENTRY_SIZE)
		return false;
	return f->sym == SYM_NONE || symtab_find(dso_symtab(dso), entry) == f->sym;
}

/* Behind where a program begins is what it was given (the number of its arguments), not a return
 * address. */
static size_t without_arguments(struct diagnosing *d, const frame_id *frames, size_t nr)
{
	const struct frame *last = session_frame_get(d->s, frames[nr - 1]);
	const struct frame *before = nr > 1 ? session_frame_get(d->s, frames[nr - 2]) : NULL;

	return before && !last->dso && !in_kernel(last) &&
			       (is_start(name_of(d, frames[nr - 2])) || is_entry(d, before))
		       ? nr - 1
		       : nr;
}

static bool reaches_start(struct diagnosing *d, const frame_id *frames, size_t nr_all)
{
	size_t nr = without_arguments(d, frames, nr_all);
	const struct frame *last = session_frame_get(d->s, frames[nr - 1]);
	const struct frame *before = nr > 1 ? session_frame_get(d->s, frames[nr - 2]) : NULL;
	struct dso *dso = dso_table_get(session_dsos(d->s), last->dso);

	/* The kernel's own walk ends where it was entered. */
	if (in_kernel(last))
		return true;
	if (is_start(name_of(d, frames[nr - 1])) || is_entry(d, last))
		return true;
	for (size_t i = 0; i < nr; i++)
		if (is_switch(name_of(d, frames[i])))
			return true;
	if (!dso)
		return false;
	/*
	 * The function that calls main is local: a stripped C library has no name for it. One
	 * without unwind tables (musl) ends stacks everywhere, in qsort() too.
	 */
	if (before && !in_kernel(before) && before->dso != last->dso && is_libc(dso))
		return strcmp(name_of(d, frames[nr - 2]), "main") == 0 ||
		       stacks_has_tables(&d->s->stacks, last->dso, last->addr) ||
		       stacks_is_planted(&d->s->stacks, last->dso, last->addr);
	/* musl's threads */
	if (before && strcmp(name_of(d, frames[nr - 1]), "start") == 0 &&
	    !stacks_has_tables(&d->s->stacks, last->dso, last->at ? last->at : last->addr))
		return true;
	if (last->sym != SYM_NONE)
		return false;
	return stacks_is_outermost(&d->s->stacks, last->dso, last->addr) ||
	       stacks_is_planted(&d->s->stacks, last->dso, last->addr) ||
	       (before && is_loader(dso) &&
		!stacks_has_tables(&d->s->stacks, last->dso, last->addr));
}

static u32 stack_limit(const struct diagnosing *d, u32 event)
{
	const struct perfdata *f = d->s->file;
	const struct perf_event_attr *attr = event < perfdata_nr_events(f)
						     ? &perfdata_event(f, event)->attr
						     : NULL;

	if (attr && attr->sample_max_stack)
		return attr->sample_max_stack;
	/* what was unwound while it was recorded; the kernel's own walk stops earlier */
	return attr && attr->sample_stack_user ? UNWOUND_MAX_STACK : DEFAULT_MAX_STACK;
}

/* What handlers of signals return to; some of it has no unwind tables. */
static bool is_signal_return(struct diagnosing *d, frame_id id)
{
	static const char *const returns[] = {
		"__restore_rt",       "__restore",          "__kernel_rt_sigreturn",
		"__kernel_sigreturn", "runtime.sigreturn*",
	};
	const struct frame *f = session_frame_get(d->s, id);

	return is_one_of(name_of(d, id), returns, ARRAY_SIZE(returns)) ||
	       (f->dso && stacks_is_signal_return(&d->s->stacks, f->dso, f->addr));
}

static void judge_broken(struct diagnosing *d, const frame_id *frames, size_t nr, u64 count)
{
	d->out->broken += count;
	if (nr > 1 && is_signal_return(d, frames[nr - 2]))
		d->out->elsewhere += count;
	for (; nr; nr--) {
		dso_id dso = session_frame_get(d->s, frames[nr - 1])->dso;

		if (dso) {
			object_of(d, dso)->breaks += count;
			return;
		}
	}
}

bool diagnosis_is_asleep(const struct perfdata_event *event)
{
	return strcmp(event->name, "offcpu-time") == 0;
}

static bool is_complete(struct diagnosing *d, enum trail trail, const frame_id *frames, size_t nr)
{
	return trail == UNWOUND_COMPLETE || (trail == BY_NAME && reaches_start(d, frames, nr));
}

/* Judges a stack with which a task went to sleep; false: it is one of a task that ran. */
static bool judge_asleep(struct diagnosing *d, const struct tally *t, const frame_id *frames,
			 size_t nr)
{
	const struct perfdata *f = d->s->file;
	u32 event = t->key >> 3 & EVENT_MASK;
	struct diagnosis_asleep *asleep = &d->out->asleep;

	if (event >= perfdata_nr_events(f) || !diagnosis_is_asleep(perfdata_event(f, event)))
		return false;
	asleep->stacks += t->count;
	asleep->complete += is_complete(d, t->key & 7, frames, nr) ? t->count : 0;
	asleep->unwound |= perfdata_event(f, event)->attr.sample_stack_user != 0;
	return true;
}

static void judge_stack(struct diagnosing *d, const struct tally *t, const frame_id *frames,
			size_t nr)
{
	enum trail trail = t->key & 7;
	u32 limit = stack_limit(d, t->key >> 3 & EVENT_MASK);
	struct diagnosis_way before = { d->out->stacks, d->out->complete, d->out->broken };
	struct diagnosis_way *by = &d->out->by[t->key >> 15 & 1];

	d->out->stacks += t->count;
	if (is_complete(d, trail, frames, nr)) {
		d->out->complete += t->count;
	} else if (trail == UNWOUND_TRUNCATED || trail == UNWOUND_ABSENT) {
		d->out->truncated += t->count;
		d->out->absent += trail == UNWOUND_ABSENT ? t->count : 0;
	} else if (trail == UNWOUND_GUESSED) {
		d->out->guessed += t->count;
	} else if (nr >= limit) {
		d->out->cut += t->count;
		d->out->cut_limit = limit;
	} else {
		judge_broken(d, frames, nr, t->count);
	}
	by->stacks += d->out->stacks - before.stacks;
	by->complete += d->out->complete - before.complete;
	by->broken += d->out->broken - before.broken;
}

static void judge_chain(struct diagnosing *d, const struct tally *t)
{
	enum { SEEN_MAX = 32 };
	dso_id seen[SEEN_MAX];
	size_t nr_seen = 0;
	size_t nr;
	const frame_id *frames = session_chain_frames(d->s, (chain_id)(t->key >> 16), &nr);

	if (!nr)
		return;
	if (!judge_asleep(d, t, frames, nr))
		judge_stack(d, t, frames, nr);
	for (size_t i = 0; i < nr && nr_seen < SEEN_MAX; i++) {
		const struct frame *f = session_frame_get(d->s, frames[i]);
		bool known = !f->dso || f->sym != SYM_NONE;

		for (size_t k = 0; k < nr_seen && !known; k++)
			known = seen[k] == f->dso;
		if (known)
			continue;
		seen[nr_seen++] = f->dso;
		object_of(d, f->dso)->frames += t->count;
	}
}

static void judge_leaf(struct diagnosing *d, const struct tally *t)
{
	const struct frame *f = t->key ? session_frame_get(d->s, (frame_id)t->key) : NULL;

	if (!f || f->sym != SYM_NONE)
		return;
	d->out->unresolved += t->count;
	if (f->dso)
		object_of(d, f->dso)->leaves += t->count;
	else
		d->out->unmapped += t->count;
}

static u64 weight(const struct diagnosis_object *o)
{
	return MAX(o->leaves, o->frames) + o->breaks;
}

static int object_cmp(const void *a, const void *b)
{
	const struct diagnosis_object *x = a;
	const struct diagnosis_object *y = b;

	if (weight(x) != weight(y))
		return weight(x) > weight(y) ? -1 : 1;
	return x->dso < y->dso ? -1 : x->dso > y->dso;
}

static int loss_cmp(const void *a, const void *b)
{
	const struct diagnosis_loss *x = a;
	const struct diagnosis_loss *y = b;

	if (x->lost != y->lost)
		return x->lost > y->lost ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void judge(struct diagnosing *d)
{
	for (unsigned int i = 0; i < session_workers(d->s); i++) {
		struct worker_part *part = &d->parts[i];

		d->out->samples += part->samples;
		d->out->bytes += part->bytes;
		d->out->timeless += part->timeless;
		VEC_FOR(&part->leaves.v, t)
			judge_leaf(d, t);
		VEC_FOR(&part->chains.v, t)
			judge_chain(d, t);
	}
	VEC_FOR(&d->by_dso, o)
		if (weight(o))
			*VEC_PUSH(&d->out->objects) = *o;
	VEC_SORT(&d->out->objects, object_cmp);
	VEC_SORT(&d->out->losses, loss_cmp);
}

int session_diagnose(struct session *s, u64 max_samples, struct diagnosis *out, struct err *e)
{
	unsigned int workers = session_workers(s);
	struct diagnosing d = { .s = s,
				.out = out,
				.max_per_worker = max_samples,
				.copies = &perfdata_info(s->file)->stacks };
	struct session_consumer c = { .order = SESSION_UNORDERED,
				      .all_records = true,
				      .ctx = &d,
				      .sample = take_sample,
				      .other = take_other };
	int r;

	*out = (struct diagnosis){ 0 };
	d.parts = XNEW_PER_THREAD(struct worker_part, workers);
	r = session_run(s, &c, e);
	if (r == 0)
		judge(&d);
	for (unsigned int i = 0; i < workers; i++) {
		out->stopped |= max_samples && d.parts[i].samples >= max_samples;
		map_release(&d.parts[i].chains.map);
		map_release(&d.parts[i].leaves.map);
		vec_free(&d.parts[i].chains.v);
		vec_free(&d.parts[i].leaves.v);
	}
	free(d.parts);
	vec_free(&d.by_dso);
	vec_free(&d.entries);
	if (!d.copies->last_copy_id)
		memset(out->by, 0, sizeof(out->by));
	return r;
}

void diagnosis_release(struct diagnosis *d)
{
	vec_free(&d->objects);
	vec_free(&d->losses);
}
