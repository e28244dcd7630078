/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/attr.h"

#include "capture/aux_kinds.h"
#include "capture/off_cpu_samples.h"
#include "sys/limits.h"

#if defined(__x86_64__)
/* ax..r15 without the segment registers ds es fs gs, which the kernel refuses for 64-bit tasks */
#define ALL_USER_REGS 0xff0fffULL
#define UNWIND_REGS (1ULL << 7 | 1ULL << 8) /* sp, ip */
#define TOP_REGS (1ULL << 6 | UNWIND_REGS) /* bp */
#elif defined(__aarch64__)
#define ALL_USER_REGS ((1ULL << 33) - 1) /* x0..x30, sp, pc */
#define UNWIND_REGS (1ULL << 31 | 1ULL << 32)
#define LEAF_REGS (1ULL << 30) /* lr: the caller of a function without a frame */
#else
#define ALL_USER_REGS 0ULL
#define UNWIND_REGS 0ULL
#endif
#ifndef TOP_REGS
#define TOP_REGS 0ULL
#endif
#ifndef LEAF_REGS
#define LEAF_REGS 0ULL
#endif

enum { NO_PERIOD_GIVEN = 0, TOP_SIZE = 64 };

/* What one call works with. */
struct attr_ctx {
	const struct capture_config *cfg;
	const struct capture_target *target;
	const struct event *tracking;
};

u64 capture_all_user_regs(void)
{
	return ALL_USER_REGS;
}

static bool is_dummy(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_DUMMY;
}

static bool is_bpf_output(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}

/* Every one of these events matters: they are recorded one by one unless told otherwise. */
static u64 own_period(const struct event *ev)
{
	if (ev->attr.sample_period && !ev->attr.freq)
		return ev->attr.sample_period;
	if (ev->kind == EVENT_TRACEPOINT || ev->kind == EVENT_BREAKPOINT || is_bpf_output(ev) ||
	    ev->is_dummy_sideband)
		return 1;
	return NO_PERIOD_GIVEN;
}

static void set_rate(struct perf_event_attr *attr, u64 freq, u64 period)
{
	attr->freq = freq != 0;
	if (freq) {
		attr->sample_freq = freq;
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	} else {
		attr->sample_period = period;
	}
}

static void config_rate(struct event *ev, const struct capture_config *cfg)
{
	struct perf_event_attr *attr = &ev->attr;
	u64 own = own_period(ev);

	ev->keeps_rate = cfg->strict_freq || ev->terms.has_freq;

	if (ev->kind == EVENT_TRACEPOINT || is_bpf_output(ev))
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
				     PERF_SAMPLE_PERIOD;
	if (own && !cfg->rate_given)
		set_rate(attr, 0, own);
	else
		set_rate(attr, cfg->period ? 0 : cfg->freq, cfg->period);
	if (cfg->period_field)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
	if (cfg->no_samples)
		attr->sample_period = 0;
}

/* What the kernel follows by itself; it refuses more than the administrator allows. */
static u16 kernel_frames(u16 wanted)
{
	struct sys_limits limits;

	sys_limits_read(&limits, NULL);
	return (u16)MIN((u32)wanted, MAX(limits.max_stack, 1U));
}

static void config_callgraph(struct event *ev, const struct event_stacks *cg,
			     const struct capture_config *cfg)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = cg->max_stack;
	attr->exclude_callchain_user = cfg->only_kernel_chain;
	attr->exclude_callchain_kernel = cfg->only_user_chain;
	attr->defer_callchain = attr->defer_output = cg->mode == EVENT_CG_FP && cg->defer &&
						     !cfg->only_kernel_chain;
	if (cg->mode == EVENT_CG_FP && LEAF_REGS != 0 && !cfg->only_kernel_chain && !is_dummy(ev)) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
		attr->sample_regs_user |= LEAF_REGS;
	}
	if (cg->mode == EVENT_CG_FP && cg->watched && !attr->exclude_callchain_user &&
	    !is_dummy(ev) && ALL_USER_REGS != 0)
		ev->watched = cg->grows ? EVENT_STACK_COPY_MAX : cg->stack_size;
	ev->copies_top = ev->watched && TOP_REGS != 0;
	if (ev->copies_top) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr->sample_regs_user |= TOP_REGS;
		attr->sample_stack_user = TOP_SIZE;
	}
	if (cg->max_stack && (cg->mode == EVENT_CG_DWARF || cg->watched)) {
		attr->sample_max_stack = kernel_frames(cg->max_stack);
		ev->max_frames = cg->max_stack;
	}
	/* no branch records on software events: the kernel refuses */
	if (cg->mode == EVENT_CG_LBR && !is_dummy(ev)) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					   PERF_SAMPLE_BRANCH_NO_CYCLES |
					   PERF_SAMPLE_BRANCH_NO_FLAGS |
					   PERF_SAMPLE_BRANCH_HW_INDEX;
	}
	if (cg->mode == EVENT_CG_DWARF) {
		/* as perf asks for it */
		attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
				     PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
		ev->keeps_copies = cg->raw || cfg->no_unwind;
		if (cg->grows && !ev->keeps_copies && !cfg->only_kernel_chain)
			ev->watched = EVENT_STACK_COPY_MAX;
		attr->sample_regs_user |= cfg->user_regs ? (cfg->user_regs | UNWIND_REGS)
							 : ALL_USER_REGS;
		attr->sample_stack_user = cg->stack_size;
		/* the user part comes from the stack copy */
		attr->exclude_callchain_user = !cg->frame_pointers || cfg->only_kernel_chain;
	}
}

/* The per-event terms say more than the command line. */
static void config_event_callgraph(struct event *ev, const struct capture_config *cfg)
{
	const struct event_terms *t = &ev->terms;
	struct event_stacks cg = t->stacks.mode == EVENT_CG_UNSET ? cfg->callgraph : t->stacks;

	if (t->stacks.mode == EVENT_CG_NONE)
		return;
	if (t->has_max_stack) {
		if (cg.mode == EVENT_CG_UNSET || cg.mode == EVENT_CG_NONE)
			cg.mode = EVENT_CG_FP;
		cg.max_stack = t->max_stack;
	}
	/* a size asks for no copies by itself */
	if (t->has_stack_size && t->stack_size) {
		cg.stack_size = (u32)ALIGN_UP(t->stack_size, 8);
		cg.grows = false;
	}
	ev->fits_copies = cg.grows;
	if (cg.mode != EVENT_CG_UNSET && cg.mode != EVENT_CG_NONE &&
	    (!ev->system_wide || ev->by_program))
		config_callgraph(ev, &cg, cfg);
}

static void config_fields(struct event *ev, const struct attr_ctx *ctx)
{
	const struct capture_config *cfg = ctx->cfg;
	struct perf_event_attr *attr = &ev->attr;
	const struct {
		bool on;
		u32 bits;
	} fields[] = {
		{ cfg->addr, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC },
		{ cfg->data_src, PERF_SAMPLE_DATA_SRC },
		{ cfg->phys_addr, PERF_SAMPLE_PHYS_ADDR },
		{ cfg->data_page_size, PERF_SAMPLE_DATA_PAGE_SIZE },
		{ cfg->code_page_size, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ cfg->weight, PERF_SAMPLE_WEIGHT_STRUCT },
		{ cfg->transaction, PERF_SAMPLE_TRANSACTION },
		{ cfg->raw, PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU },
		{ cfg->cgroups, PERF_SAMPLE_CGROUP },
		{ cfg->cpu_field || ctx->target->cpu_wide, PERF_SAMPLE_CPU },
		{ !cfg->no_time && (!ctx->target->per_thread || cfg->time_given),
		  PERF_SAMPLE_TIME },
	};

	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (fields[i].on)
			attr->sample_type |= fields[i].bits;
	}
	if (cfg->branch && !is_dummy(ev)) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = cfg->branch;
	}
	if (cfg->intr_regs && !is_dummy(ev)) {
		attr->sample_regs_intr = cfg->intr_regs;
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
	}
	if (cfg->user_regs && !is_dummy(ev)) {
		attr->sample_regs_user |= cfg->user_regs;
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
	}
}

/* The records about tasks, maps and the rest that belong to no sample. */
static void config_side_records(struct event *ev, const struct capture_config *cfg, bool data_maps)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->ksymbol = 1;
	attr->bpf_event = !cfg->no_bpf;
	attr->build_id = cfg->build_ids;
	attr->namespaces = cfg->namespaces;
	attr->cgroup = cfg->cgroups;
	attr->context_switch |= cfg->switch_events;
	attr->mmap_data = data_maps;
}

static void config_start(struct event *ev, const struct attr_ctx *ctx)
{
	const struct capture_target *t = ctx->target;
	struct perf_event_attr *attr = &ev->attr;
	bool delayed = ctx->cfg->delay_ms != 0;
	bool leader = ev->leader == ev;

	attr->disabled = leader;
	attr->enable_on_exec = leader && t->workload && !t->cpu_wide && !delayed;
	if (ev->by_program) {
		/* BPF programs take no inherited events */
		attr->inherit = 0;
		attr->disabled = delayed;
		attr->enable_on_exec = 0;
		return;
	}
	if (!is_dummy(ev) || (ev != ctx->tracking && !ev->system_wide))
		return;
	/* Side records are wanted from the very beginning. */
	if (t->cpu_wide || ev->system_wide) {
		attr->disabled = 0;
		attr->enable_on_exec = 0;
	} else if (delayed) {
		attr->enable_on_exec = t->workload;
		attr->disabled = t->workload;
	}
}

static void apply_terms(struct event *ev)
{
	const struct event_terms *t = &ev->terms;
	struct perf_event_attr *attr = &ev->attr;

	if (t->has_period) {
		attr->freq = 0;
		attr->sample_period = t->period;
		attr->sample_type &= ~(u64)PERF_SAMPLE_PERIOD;
	}
	if (t->has_freq)
		set_rate(attr, t->freq, 0);
	if (t->has_time) {
		attr->sample_type &= ~(u64)PERF_SAMPLE_TIME;
		if (t->time)
			attr->sample_type |= PERF_SAMPLE_TIME;
	}
	if (t->has_branch_type && t->branch_type) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = t->branch_type;
	} else if (t->has_branch_type) {
		attr->sample_type &= ~(u64)PERF_SAMPLE_BRANCH_STACK;
	}
	if (t->has_inherit)
		attr->inherit = t->inherit;
}

static void config_event(struct event *ev, const struct attr_ctx *ctx)
{
	const struct capture_config *cfg = ctx->cfg;
	struct perf_event_attr *attr = &ev->attr;

	attr->sample_id_all = 1;
	attr->inherit = !cfg->no_inherit && !ctx->target->by_tid && !ctx->target->per_thread;
	attr->read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	config_rate(ev, cfg);
	config_fields(ev, ctx);
	config_event_callgraph(ev, cfg);
	if (cfg->stat)
		attr->inherit_stat = 1;
	if (cfg->stat || cfg->running_time)
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (cfg->no_buffering)
		attr->wakeup_events = 1;
	if (cfg->use_clockid) {
		attr->use_clockid = 1;
		attr->clockid = cfg->clockid;
	}
	if (cfg->all_user) {
		attr->exclude_kernel = 1;
		attr->exclude_user = 0;
	}
	if (cfg->all_kernel) {
		attr->exclude_kernel = 0;
		attr->exclude_user = 1;
	}
	attr->write_backward = ev->terms.has_overwrite ? ev->terms.overwrite : cfg->overwrite;
	/* without the mappings of now no sample of a live source would have a name */
	if (cfg->round_ms && ev == ctx->tracking)
		attr->write_backward = 0;
	config_start(ev, ctx);
	apply_terms(ev);
}

/*
 * {a,b}:S : only the leader samples, and members that have a rate as a term; each sample carries
 * all values. :S at one of the members means the group. Without a group, each sample of the event
 * carries its value.
 */
static void config_leader_sampling(struct event *ev)
{
	struct perf_event_attr *attr = &ev->attr;
	const struct event *leader = ev->leader;

	if (!leader->sample_read)
		return;
	attr->sample_type |= PERF_SAMPLE_READ;
	if (leader->nr_members < 2)
		return;
	attr->inherit = 0;
	attr->read_format |= PERF_FORMAT_GROUP;
	if (ev == leader)
		return;
	if (!ev->terms.has_period && !ev->terms.has_freq) {
		attr->freq = 0;
		attr->sample_period = 0;
	}
	attr->sample_type = leader->attr.sample_type;
}

/* A value says whose it is. */
static bool values_in_samples(const struct event_list *l)
{
	VEC_FOR(&l->events, ev) {
		if ((*ev)->attr.sample_type & PERF_SAMPLE_READ)
			return true;
	}
	return false;
}

static bool sample_types_differ(const struct event_list *l)
{
	for (size_t i = 1; i < l->events.nr; i++) {
		if (l->events.v[i]->attr.sample_type != l->events.v[0]->attr.sample_type)
			return true;
	}
	return false;
}

/* Others may take over, whose samples have other fields. */
static bool any_watched(const struct event_list *l)
{
	VEC_FOR(&l->events, ev)
		if ((*ev)->watched && !event_copies_stacks(*ev))
			return true;
	return false;
}

/* How records are told apart: nothing for one event, ID at a common place, else IDENTIFIER. */
static void config_ids(struct event_list *l, const struct capture_config *cfg)
{
	u64 bit = 0;

	if (cfg->identifier || any_watched(l) || aux_event_of(l) ||
	    (l->events.nr > 1 && sample_types_differ(l)))
		bit = PERF_SAMPLE_IDENTIFIER;
	else if (l->events.nr > 1 || cfg->to_pipe || values_in_samples(l))
		bit = PERF_SAMPLE_ID;
	VEC_FOR(&l->events, ev)
		(*ev)->attr.sample_type |= bit;
}

static struct event *add_dummy(struct event_list *l, const char *name)
{
	struct event *ev = event_list_add(l, name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	ev->is_dummy_sideband = true;
	ev->attr.exclude_kernel = 1;
	ev->attr.exclude_hv = 1;
	ev->attr.exclude_guest = 1;
	return ev;
}

/*
 * The event that gets the records about mappings, names and forks. They come where it counts: one
 * that is not for all CPUs (of one kind of cores, of a unit outside the cores) would miss what
 * happens elsewhere.
 */
static struct event *choose_tracking(struct event_list *l, const struct capture_config *cfg,
				     const struct capture_target *target)
{
	struct event *first = l->events.v[0];
	struct event *dummy;

	if (aux_event_of(l))
		return add_dummy(l, "dummy:u");
	if (!target->cpu_wide && !cfg->delay_ms && !first->nr_cpus && !first->system_wide &&
	    !(cfg->round_ms && cfg->overwrite))
		return first;
	if (is_dummy(first))
		return first;
	dummy = event_list_add(l, "dummy:HG", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	dummy->is_dummy_sideband = true;
	return dummy;
}

/* What changes the kernel's code is of all tasks. */
static struct event *add_text_poke(struct event_list *l)
{
	struct event *ev = add_dummy(l, "dummy:u");

	ev->system_wide = true;
	return ev;
}

/* Decoders of what the kernel does need its code as it was then. (With a ring per task there is
 * none for it.) */
static bool wants_text_poke(const struct event *aux, const struct capture_config *cfg,
			    const struct capture_target *target)
{
	struct sys_limits limits;

	if (target->per_thread || cfg->text_poke)
		return !target->per_thread;
	if (!aux || !aux_wants_text_poke(aux) || aux->attr.exclude_kernel || cfg->all_user)
		return false;
	sys_limits_read(&limits, NULL);
	return sys_may_profile_cpus(&limits);
}

/* Decoders follow tasks over all CPUs; the event that is about all tasks anyway tells of their
 * switches, too. */
static struct event *add_switches(struct event_list *l, const struct capture_config *cfg,
				  const struct capture_target *target)
{
	struct sys_limits limits;
	struct event *ev;

	sys_limits_read(&limits, NULL);
	if (cfg->no_switch_events || target->per_thread || target->cpu_wide ||
	    !sys_may_profile_cpus(&limits))
		return NULL;
	ev = add_dummy(l, "dummy:u");
	ev->system_wide = true;
	return ev;
}

/* The times and CPUs of records are what decoders go by. */
static void configure_aux(struct event_list *l, struct event *aux, struct event *switches,
			  struct event *tracking, const struct attr_ctx *ctx)
{
	aux_configure(aux, tracking, ctx->cfg, ctx->target);
	if (switches)
		switches->attr.sample_type |= aux->attr.sample_type & PERF_SAMPLE_CPU;
	VEC_FOR(&l->events, ev) {
		if ((*ev)->attr.aux_sample_size)
			(*ev)->attr.sample_type |= PERF_SAMPLE_AUX;
	}
}

struct event *capture_configure(struct event_list *l, const struct capture_config *cfg,
				const struct capture_target *target)
{
	struct event *aux = aux_event_of(l);
	bool pokes = wants_text_poke(aux, cfg, target);
	struct event *poke = pokes && !aux ? add_text_poke(l) : NULL;
	struct event *switches = aux && aux_wants_switches(aux) ? add_switches(l, cfg, target)
								: NULL;
	struct event *off_cpu = cfg->off_cpu ? off_cpu_samples_add_event(l) : NULL;
	struct event *tracking = choose_tracking(l, cfg, target);
	struct attr_ctx ctx = { .cfg = cfg, .target = target, .tracking = tracking };
	bool data_maps;

	if (pokes && aux)
		poke = add_text_poke(l);
	VEC_FOR(&l->events, ev) {
		config_event(*ev, &ctx);
		(*ev)->leader->sample_read |= (*ev)->sample_read;
	}
	VEC_FOR(&l->events, ev)
		config_leader_sampling(*ev);
	if (off_cpu)
		off_cpu_samples_configure(off_cpu, cfg);
	if (aux)
		configure_aux(l, aux, switches, tracking, &ctx);
	if (switches)
		switches->attr.context_switch = 1;
	else if (aux && aux_wants_switches(aux))
		tracking->attr.context_switch = target->cpu_wide && !cfg->no_switch_events;
	data_maps = cfg->data_maps || tracking->attr.sample_type & PERF_SAMPLE_ADDR;
	config_side_records(tracking, cfg, data_maps);
	if (poke) {
		tracking->attr.ksymbol = 0;
		poke->attr.ksymbol = 1;
		poke->attr.text_poke = 1;
	}
	config_ids(l, cfg);
	return tracking;
}

void capture_configure_triggers(struct event_list *l)
{
	VEC_FOR(&l->events, p) {
		struct event *ev = *p;
		const struct event_terms *t = &ev->terms;

		ev->attr.sample_type = PERF_SAMPLE_TIME;
		ev->attr.wakeup_events = 1;
		set_rate(&ev->attr, 0, t->has_period ? t->period : MAX(own_period(ev), (u64)1));
		if (t->has_freq)
			set_rate(&ev->attr, t->freq, 0);
	}
}
