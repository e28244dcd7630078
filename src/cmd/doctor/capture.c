/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict on a recording. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/fmt.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cmd/doctor/doctor.h"
#include "cmd/doctor/object.h"
#include "dso/jit/runtimes.h"
#include "event/event.h"
#include "perfdata/info.h"
#include "session/diagnosis.h"
#include "sys/distribution.h"

enum { OBJECTS_SHOWN = 10, LOSSES_SHOWN = 4, DEFAULT_RING = 512 << 10 };

struct capture_verdict {
	struct session *s;
	const struct diagnosis *d;
	struct findings *out;
	const char *path;
	bool copies; /* stacks were copied */
	u32 copy_size; /* bytes of each */
	bool chains; /* callchains were recorded */
	bool elsewhere; /* recorded on another machine, or under another kernel */
	bool judged; /* --call-graph auto found frame pointers to be enough */
	int changes; /* of its choice, while it recorded */
};

static double percent(u64 part, u64 all)
{
	return all ? (double)part * 100.0 / (double)all : 0.0;
}

/* This much of all and more is wrong; less is worth a note. */
static enum finding_state weigh(u64 part, u64 all, unsigned int per_mille)
{
	return part && part * 1000 >= all * per_mille ? FINDING_WRONG : FINDING_NOTE;
}

/* ---- stacks ---- */

/* Of a line that is not --call-graph auto's. */
static bool is_of_others(const char *note)
{
	return strncmp(note, INFO_STACKS_JIT, strlen(INFO_STACKS_JIT)) == 0 ||
	       strncmp(note, INFO_STACKS_DWARF, strlen(INFO_STACKS_DWARF)) == 0;
}

static void look_at_header(struct capture_verdict *v)
{
	struct perfdata *f = session_file(v->s);
	const struct perfdata_info *info = perfdata_info(f);
	struct utsname host;

	for (size_t i = 0; i < perfdata_nr_events(f); i++) {
		const struct perf_event_attr *attr = &perfdata_event(f, i)->attr;

		if (diagnosis_is_asleep(perfdata_event(f, i)))
			continue;
		v->chains |= (attr->sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
		/* also those that became callchains while recording */
		v->copies |= attr->sample_stack_user != 0;
		v->copy_size = MAX(v->copy_size, attr->sample_stack_user);
	}
	/* copies took over, or became chains */
	v->copies |= info->stacks.stacks != 0;
	v->copy_size = MAX(v->copy_size, info->stacks.size);
	for (u32 i = 0; i < info->stacks.code.nr && !v->copies; i++)
		v->judged |= !is_of_others(info->stacks.code.v[i]);
	for (u32 i = 0; v->d->by[DIAGNOSIS_COPIES].stacks && i < info->stacks.code.nr; i++)
		v->changes += strncmp(info->stacks.code.v[i], "switched ", 9) == 0;
	if (!uname(&host))
		v->elsewhere = (info->hostname && strcmp(info->hostname, host.nodename) != 0) ||
			       (info->osrelease && strcmp(info->osrelease, host.release) != 0);
}

/* A stack whose outer callers are not there is no whole one, however many others are: this much is
 * wrong. */
enum { CUT_PER_MILLE = 10 };

/* Of two causes that make this much together the larger one is wrong. */
static enum finding_state weigh_cut(const struct diagnosis *d, u64 part)
{
	return part * 2 >= d->truncated ? weigh(d->truncated, d->stacks, CUT_PER_MILLE)
					: FINDING_NOTE;
}

static void tell_truncated(const struct capture_verdict *v)
{
	const struct info_stacks *stacks = &perfdata_info(session_file(v->s))->stacks;
	enum info_larger larger = info_stacks_larger(stacks);
	const struct diagnosis *d = v->d;
	struct finding *row;

	if (d->absent) {
		row = findings_add(
			v->out, "truncated", weigh_cut(d, d->absent),
			"%.1f %% of stacks were copied in part: the rest was not in memory",
			percent(d->absent, d->stacks));
		finding_means(
			row,
			"the kernel copies up to the first page that was never used, as in large frames of "
			"which little is used, or that is swapped out");
	}
	if (d->truncated == d->absent)
		return;
	row = findings_add(v->out, "truncated", weigh_cut(d, d->truncated - d->absent),
			   "%.1f %% of stacks are longer than the %u bytes that were copied",
			   percent(d->truncated - d->absent, d->stacks), v->copy_size);
	if (larger == INFO_LARGER_NO_BETTER)
		finding_means(
			row,
			"larger copies were tried while it was recorded, and were hardly better: frame pointers "
			"(-g) have no such limit");
	else if (v->copy_size < EVENT_STACK_COPY_MAX)
		finding_mend(row, "perf record %s--call-graph %s,%d ...",
			     larger == INFO_LARGER_NO_ROOM ? "-m 64M " : "",
			     info_stacks_way(stacks), EVENT_STACK_COPY_MAX);
	else
		finding_means(
			row,
			"no larger copy fits into a record: frame pointers (-g) have no such limit");
}

static void tell_cut(const struct capture_verdict *v)
{
	const struct diagnosis *d = v->d;
	struct finding *row;

	if (!d->cut)
		return;
	row = findings_add(v->out, "cut", weigh(d->cut, d->stacks, CUT_PER_MILLE),
			   "%.1f %% of stacks have more than the "
			   "%llu frames that were kept",
			   percent(d->cut, d->stacks), (unsigned long long)d->cut_limit);
	finding_mend(row,
		     "sudo sysctl kernel.perf_event_max_stack=1024 (before the next recording)");
}

static void tell_guessed(const struct capture_verdict *v)
{
	struct finding *row;

	if (!v->d->guessed)
		return;
	row = findings_add(v->out, "guessed", weigh(v->d->guessed, v->d->stacks, CUT_PER_MILLE),
			   "%.1f %% of stacks have callers that are guesses",
			   percent(v->d->guessed, v->d->stacks));
	finding_means(
		row,
		"they came through code without unwind tables that does not tell where its caller is; "
		"perf script marks them with [guess], perf report leaves them out");
}

/* Code of a JIT compiler that a process of the recording has, by the name of a file in /tmp. */
static const struct jit_runtime *jit_of_map(const struct capture_verdict *v, struct dso *dso)
{
	struct model *model = session_model(v->s);
	unsigned int pid;
	u32 thread;

	if (sscanf(dso_long_name(dso), "/tmp/perf-%u.map", &pid) != 1)
		return NULL;
	thread = model_thread_at(model, pid, pid, UINT64_MAX);
	return thread ? jit_of_comm(model_str(model, model_thread_comm(model, thread))) : NULL;
}

/* Why stacks end behind a program's or library's code, and what mends it. */
static void explain_break(const struct capture_verdict *v, struct dso *dso, struct finding *row)
{
	_cleanup_(strbuf_releasep) struct strbuf mend = STRBUF_INIT;
	const struct jit_runtime *jit = jit_of_map(v, dso);
	struct object_facts o;
	bool kept;

	if (jit && jit->mend)
		finding_mend(row, "%s", jit->mend);
	if (dso_kind(dso) != DSO_USER || v->elsewhere)
		return;
	object_facts_read(dso, &o);
	kept = frame_pointers_verdict(&o.fp) == FP_KEPT;
	if (!o.readable)
		return;
	if (!v->copies && object_has_tables(&o)) {
		if (kept)
			finding_means(
				row,
				"%u %% of its functions keep frame pointers, these stacks tell otherwise",
				frame_pointers_percent(&o.fp));
		finding_mend(row, "perf record --call-graph dwarf ... (it has unwind tables)");
	} else if (!kept && !object_has_tables(&o)) {
		finding_means(row, "it has neither frame pointers nor unwind tables");
		if (!o.debug_path[0] && sys_debug_package_command(NULL, dso_long_name(dso), &mend))
			finding_mend(row, "%s (debug information has tables, too)", mend.buf);
		else
			finding_mend(
				row,
				"build it with -fno-omit-frame-pointer or -fasynchronous-unwind-tables");
	}
}

static void tell_broken(const struct capture_verdict *v)
{
	const struct diagnosis *d = v->d;
	struct dso_table *dsos = session_dsos(v->s);
	struct finding *row = NULL;
	size_t shown = 0;
	u64 early = v->changes == 1 ? d->by[DIAGNOSIS_FRAME_POINTERS].broken : 0;

	if (!d->broken)
		return;
	if (early) {
		row = findings_add(v->out, "broken", FINDING_NOTE,
				   "%.1f %% of stacks end before their thread's start: "
				   "by frame pointers, before the change",
				   percent(early, d->stacks));
		finding_mend(row, "perf record --call-graph dwarf ... (copies from the beginning)");
	}
	if (d->broken > early)
		row = findings_add(v->out, "broken", FINDING_NOTE,
				   "%.1f %% of stacks end before their thread's start",
				   percent(d->broken - early, d->stacks));
	if (d->broken > early && v->copies && d->broken - early > d->elsewhere) {
		finding_means(
			row, "code without unwind tables, or its file is not there or another one");
	} else if (!v->copies) {
		finding_means(row, "frame pointers were followed into code that keeps none");
		/* what judged the code to keep them would do so again */
		finding_mend(row, "perf record --call-graph %s ...", v->judged ? "dwarf" : "auto");
	}
	if (d->elsewhere) {
		row = findings_add(v->out, "broken", FINDING_NOTE,
				   "%.1f %% of stacks end where a signal handler with "
				   "a stack of its own interrupted a function",
				   percent(d->elsewhere, d->stacks));
		finding_means(row, "only the stack that is in use is copied");
	}
	VEC_FOR(&d->objects, o) {
		if (o->breaks * 100 < d->stacks || shown++ == OBJECTS_SHOWN)
			continue;
		row = findings_add(v->out, "broken", FINDING_NOTE,
				   "%.1f %% of stacks end behind its code",
				   percent(o->breaks, d->stacks));
		finding_about(row, dso_long_name(dso_table_get(dsos, o->dso)));
		explain_break(v, dso_table_get(dsos, o->dso), row);
	}
}

/* What --call-graph auto found out while it recorded. */
static void tell_choice(const struct capture_verdict *v)
{
	const struct info_string_list *code = &perfdata_info(session_file(v->s))->stacks.code;

	for (u32 i = 0; i < code->nr; i++) {
		const char *text = code->v[i];

		if (strncmp(text, "switched", 8) == 0 || strstr(text, "both ways"))
			findings_add(v->out, "choice", FINDING_NOTE, "--call-graph auto: %s", text);
	}
}

/* A runtime whose code keeps no frame pointers: where they were followed, callers are missing or
 * others. */
static void tell_runtimes(const struct capture_verdict *v)
{
	const struct info_string_list *code = &perfdata_info(session_file(v->s))->stacks.code;
	const struct diagnosis *d = v->d;
	struct finding *row;

	for (u32 i = 0; i < code->nr; i++) {
		const char *flag = strstr(code->v[i], "-XX:");

		if (!is_of_others(code->v[i]))
			continue;
		row = findings_add(v->out, "jit-frames",
				   v->copies ? weigh(d->stacks - d->complete, d->stacks, 100)
					     : FINDING_WRONG,
				   "%s", code->v[i] + strlen(INFO_STACKS_JIT));
		finding_means(
			row,
			v->copies
				? "its code has neither frame pointers nor unwind tables"
				: "its code keeps no frame pointers: callers are missing or others");
		if (flag)
			finding_mend(row, "java %s ...", flag);
	}
}

static enum finding_state judge_share(u64 complete, u64 stacks)
{
	return stacks && complete * 100 < stacks * 97 ? FINDING_WRONG : FINDING_OK;
}

/* The way to follow stacks changed while they were recorded: the one that was kept counts. */
static void tell_ways(const struct capture_verdict *v)
{
	static const char *const names[] = { "frame pointers", "copies of stacks" };
	int kept = v->changes > 1 ? DIAGNOSIS_FRAME_POINTERS : DIAGNOSIS_COPIES;
	const struct diagnosis_way *is = &v->d->by[kept], *was = &v->d->by[!kept];

	findings_add(
		v->out, "stacks", judge_share(is->complete, is->stacks),
		"%.1f %% of %llu reach their thread's start by %s, to which --call-graph auto changed",
		percent(is->complete, is->stacks), (unsigned long long)is->stacks, names[kept]);
	findings_add(v->out, "stacks", FINDING_NOTE, "%.1f %% of %llu did by %s before that",
		     percent(was->complete, was->stacks), (unsigned long long)was->stacks,
		     names[!kept]);
}

/* Sleeps are few, and in the C library: by frame pointers their stacks end where those of running
 * code do not. */
static void tell_asleep(const struct capture_verdict *v)
{
	const struct diagnosis_asleep *a = &v->d->asleep;
	enum finding_state state;
	struct finding *row;

	if (!a->stacks)
		return;
	/* what sleeps were too short for nothing mends */
	state = judge_share(a->complete, a->stacks);
	row = findings_add(
		v->out, "stacks-asleep",
		state == FINDING_WRONG && a->unwound ? FINDING_NOTE : state,
		"%.1f %% of %llu with which tasks went to sleep reach their thread's start",
		percent(a->complete, a->stacks), (unsigned long long)a->stacks);
	if (row->state == FINDING_OK)
		return;
	if (a->unwound) {
		finding_means(
			row,
			"of sleeps of a few milliseconds only the innermost function is known, and of code "
			"without unwind tables no caller");
	} else {
		finding_means(
			row,
			"the kernel followed frame pointers, which most C libraries do not keep: callers are "
			"missing");
		finding_mend(row, "perf record --off-cpu --call-graph dwarf ...");
	}
}

static void tell_stacks(const struct capture_verdict *v)
{
	const struct diagnosis *d = v->d;
	struct finding *row;

	tell_asleep(v);
	if (!d->stacks && d->asleep.stacks)
		return;
	if (!v->chains && !v->copies) {
		row = findings_add(v->out, "stacks", FINDING_NOTE, "no callchains were recorded");
		finding_mend(
			row,
			"perf record -g ... (perf doctor -- CMD tells which way fits the program)");
		return;
	}
	if (v->changes)
		tell_ways(v);
	else
		findings_add(v->out, "stacks", judge_share(d->complete, d->stacks),
			     "%.1f %% of %llu reach their thread's start",
			     percent(d->complete, d->stacks), (unsigned long long)d->stacks);
	tell_choice(v);
	tell_runtimes(v);
	tell_truncated(v);
	tell_cut(v);
	tell_guessed(v);
	tell_broken(v);
}

/* ---- names ---- */

/* Why an object's addresses have no names, and what mends it. */
static void explain_object(const struct capture_verdict *v, struct dso *dso, struct finding *row)
{
	_cleanup_(strbuf_releasep) struct strbuf mend = STRBUF_INIT;
	const char *problem = dso_symtab_problem(dso);
	const struct jit_runtime *jit = jit_of_map(v, dso);

	if (v->elsewhere && dso_kind(dso) != DSO_PERF_MAP) {
		finding_means(row, "recorded on another machine or kernel: %s",
			      problem ? problem : "no symbols");
		finding_mend(row, "perf archive %s (on the machine that recorded it)", v->path);
		return;
	}
	switch (dso_kind(dso)) {
	case DSO_KERNEL:
	case DSO_MODULE:
	case DSO_BPF:
		finding_means(row, "%s",
			      problem ? problem : "the kernel's symbols were not readable");
		finding_mend(row, "sudo sysctl kernel.kptr_restrict=0 (then record again)");
		return;
	case DSO_PERF_MAP:
	case DSO_JITDUMP:
		finding_means(row, "code made while the program ran; %s",
			      problem ? problem
			      : jit   ? jit->name
				      : "its compiler wrote no names for it");
		if (jit && jit->mend)
			finding_mend(row, "%s", jit->mend);
		return;
	case DSO_USER:
		finding_means(row, "%s",
			      problem ? problem
				      : "it is stripped: only exported functions have names");
		if (object_mend_symbols(dso_long_name(dso), dso_build_id(dso), &mend))
			finding_mend(row, "%s", mend.buf);
		return;
	default:
		if (problem)
			finding_means(row, "%s", problem);
		return;
	}
}

static void tell_names(const struct capture_verdict *v)
{
	const struct diagnosis *d = v->d;
	struct dso_table *dsos = session_dsos(v->s);
	struct finding *row;
	size_t shown = 0;

	findings_add(
		v->out, "names",
		weigh(d->unresolved, d->samples, 20) == FINDING_WRONG ? FINDING_WRONG : FINDING_OK,
		"%.1f %% of %llu samples have a function's name",
		percent(d->samples - d->unresolved, d->samples), (unsigned long long)d->samples);
	VEC_FOR(&d->objects, o) {
		struct dso *dso = dso_table_get(dsos, o->dso);

		if (MAX(o->leaves, o->frames) * 100 < d->samples || shown++ >= OBJECTS_SHOWN)
			continue;
		row = findings_add(
			v->out, "unresolved", FINDING_NOTE,
			"%.1f %% of samples are in it, %.1f %% have callers in it, without a name",
			percent(o->leaves, d->samples), percent(o->frames, d->samples));
		finding_about(row, dso_long_name(dso));
		explain_object(v, dso, row);
	}
	if (d->unmapped * 1000 > d->samples) {
		row = findings_add(v->out, "unmapped", weigh(d->unmapped, d->samples, 10),
				   "%.1f %% of samples are at addresses in no known mapping",
				   percent(d->unmapped, d->samples));
		finding_means(row,
			      "mappings were lost, or the process had ended when it was looked at");
	}
}

/* ---- the recording ---- */

/* The -m that would have held what was lost: the ring plus the worst loss and a quarter more. */
static u64 ring_wanted(const struct capture_verdict *v)
{
	const struct diagnosis *d = v->d;
	const struct info_string_list *words = &perfdata_info(session_file(v->s))->cmdline;
	u64 average = d->samples ? d->bytes / d->samples : 64;
	u64 size = DEFAULT_RING;
	u64 want;

	for (u32 i = 0; i + 1 < words->nr; i++) {
		u64 pages;

		if (strcmp(words->v[i], "-m") == 0 && fmt_parse_size(words->v[i + 1], &pages))
			size = strpbrk(words->v[i + 1], "BKMGbkmg") ? pages : pages * 4096;
	}
	for (want = DEFAULT_RING;
	     want < (1ULL << 30) && want < size + d->worst_loss * MAX(average, (u64)16) * 5 / 4;)
		want *= 2;
	return want <= size ? size * 2 : want;
}

static void tell_lost(const struct capture_verdict *v)
{
	const struct diagnosis *d = v->d;
	struct finding *row;
	size_t shown = 0;
	u64 kb;

	if (!d->lost) {
		findings_add(v->out, "lost", FINDING_OK, "no events were lost");
		return;
	}
	row = findings_add(v->out, "lost", weigh(d->lost, d->samples + d->lost, 1),
			   "%llu events were lost, %.1f %%", (unsigned long long)d->lost,
			   percent(d->lost, d->samples + d->lost));
	finding_means(row, "the rings were full before they were read");
	kb = ring_wanted(v) >> 10;
	finding_mend(row, "perf record -m %llu%c ...",
		     (unsigned long long)(kb % 1024 ? kb : kb / 1024), kb % 1024 ? 'K' : 'M');
	VEC_FOR(&d->losses, l) {
		char about[128] = "";

		if (shown++ == LOSSES_SHOWN || (!l->event && l->cpu == (u32)-1))
			break;
		row = findings_add(v->out, "lost", FINDING_NOTE, "%llu in %llu records",
				   (unsigned long long)l->lost, (unsigned long long)l->records);
		if (l->cpu != (u32)-1)
			snprintf(about, sizeof(about), "%s on CPU %u",
				 l->event ? l->event->name : "events", l->cpu);
		else
			snprintf(about, sizeof(about), "%s", l->event->name);
		finding_about(row, about);
	}
}

static void tell_throttled(const struct capture_verdict *v)
{
	const struct session_stats *st = session_stats(v->s);
	struct finding *row;

	if (!st->throttled) {
		findings_add(v->out, "throttled", FINDING_OK, "sampling was never held back");
		return;
	}
	row = findings_add(
		v->out, "throttled", FINDING_WRONG, "the kernel held sampling back %llu %s",
		(unsigned long long)st->throttled, st->throttled == 1 ? "time" : "times");
	finding_means(row, "what ran then is missing in the profile");
	finding_mend(row, "perf record -F 999 ... (or any lower rate than was asked for)");
}

static void tell_clock(const struct capture_verdict *v)
{
	const struct session_stats *st = session_stats(v->s);
	struct model_jits jits = model_jits(session_model(v->s));
	struct finding *row;

	if (v->d->timeless) {
		row = findings_add(v->out, "clock", FINDING_NOTE, "%.1f %% of samples have no time",
				   percent(v->d->timeless, v->d->samples));
		finding_means(row, "names of code that was unloaded or replaced may be wrong");
		finding_mend(row, "perf record -T ...");
	}
	if (st->out_of_order) {
		row = findings_add(v->out, "clock", FINDING_WRONG,
				   "%llu records are older than what was written "
				   "before them",
				   (unsigned long long)st->out_of_order);
		finding_means(row, "clocks of CPUs differ, or the file was put together");
		finding_mend(row, "perf record -k mono ...");
	}
	if (jits.timeless) {
		row = findings_add(v->out, "clock", FINDING_WRONG,
				   "the times of %u jit-PID.dump files are of another "
				   "clock",
				   jits.timeless);
		finding_means(row, "code that was replaced may be named wrongly");
		finding_mend(row, "perf record -k mono ...");
	}
	if (jits.unreadable) {
		row = findings_add(v->out, "jit", FINDING_WRONG,
				   "the code of %u JIT compilers has no names", jits.unreadable);
		finding_means(row, "%s", jits.reason);
	}
	if (jits.damaged) {
		row = findings_add(v->out, "jit", FINDING_WRONG,
				   "%u jit-PID.dump files are damaged", jits.damaged);
		finding_means(row, "code behind byte %llu of '%s' has no names",
			      (unsigned long long)jits.damaged_at, jits.damaged_file);
	}
}

static void tell_damage(const struct capture_verdict *v)
{
	const struct perfdata_damage *damage = perfdata_damage(session_file(v->s));
	const struct session_stats *st = session_stats(v->s);
	struct finding *row;

	if (damage->first[0] && !damage->truncated_bytes && !damage->skipped_records &&
	    damage->unknown_records) {
		row = findings_add(v->out, "damage", FINDING_NOTE, "%s", damage->first);
		finding_means(row,
			      "%llu records of another program or of a newer perf are not shown",
			      (unsigned long long)damage->unknown_records);
	} else if (damage->first[0]) {
		row = findings_add(v->out, "damage", FINDING_WRONG, "%s", damage->first);
		finding_means(row, "%llu bytes are missing, %llu records could not be read",
			      (unsigned long long)damage->truncated_bytes,
			      (unsigned long long)damage->skipped_records);
	}
	if (st->bad_samples || st->unknown_id)
		findings_add(v->out, "damage", FINDING_WRONG,
			     "%llu samples could not be read, %llu belong to no "
			     "event of the file",
			     (unsigned long long)st->bad_samples,
			     (unsigned long long)st->unknown_id);
}

static void tell_measures(const struct capture_verdict *v)
{
	const struct diagnosis *d = v->d;
	const struct session_stats *st = session_stats(v->s);
	const struct measure all[] = {
		{ "samples", (double)d->samples },
		{ "stacks", (double)d->stacks },
		{ "stacks-complete", (double)d->complete },
		{ "stacks-truncated", (double)d->truncated },
		{ "stacks-cut", (double)d->cut },
		{ "stacks-broken", (double)d->broken },
		{ "stacks-guessed", (double)d->guessed },
		{ "stacks-asleep", (double)d->asleep.stacks },
		{ "stacks-asleep-complete", (double)d->asleep.complete },
		{ "samples-unresolved", (double)d->unresolved },
		{ "samples-unmapped", (double)d->unmapped },
		{ "samples-without-time", (double)d->timeless },
		{ "lost", (double)d->lost },
		{ "throttled", (double)st->throttled },
		{ "out-of-order", (double)st->out_of_order },
		{ "stacks-by-copies", (double)d->by[DIAGNOSIS_COPIES].stacks },
		{ "stacks-by-copies-complete", (double)d->by[DIAGNOSIS_COPIES].complete },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		findings_measure(v->out, all[i].key, all[i].value);
}

static void tell_all(struct capture_verdict *v)
{
	look_at_header(v);
	tell_measures(v);
	if (!v->d->samples) {
		struct finding *row = findings_add(v->out, "samples", FINDING_WRONG,
						   "the recording has no samples");

		finding_means(
			row,
			"the program ended too soon, slept, or ran elsewhere than was measured");
		tell_damage(v);
		return;
	}
	tell_stacks(v);
	tell_names(v);
	tell_lost(v);
	tell_throttled(v);
	tell_clock(v);
	tell_damage(v);
}

int doctor_capture(struct doctor_opts *o, struct findings *out, struct err *e)
{
	struct session_opts *opts = &o->rec.opts;
	const char *path = opts->input.path;
	struct session *s;
	struct diagnosis d;
	int r;

	opts->max_stack = LIMIT_CHAIN;
	opts->unwind = opts->lbr = true;
	if (recording_open(&o->rec, e) < 0)
		return -1;
	s = o->rec.session;
	r = session_diagnose(s, 0, &d, e);
	if (r == 0) {
		struct capture_verdict v = { .s = s, .d = &d, .out = out, .path = path };

		tell_all(&v);
		out->mode = "capture";
		out->subject = xstrdup(path);
	}
	diagnosis_release(&d);
	return r;
}
