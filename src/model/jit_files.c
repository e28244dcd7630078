/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of JIT compilers that are still being written: code that was appended becomes mappings of
 * the process. Only code with call frame information is mapped, since only unwinding needs it.
 */
#include "base/hash.h"
#include "model/private.h"

enum { FILES_MAX = 1 << 16, FRAMES_MAX = 1 << 22, PROT_READ_EXEC = 5 };

void jit_files_add(struct model *m, u32 pid, u32 proc, const char *name, u64 time)
{
	str_id s = intern_adds(&m->strs, name);

	VEC_FOR(&m->jit_files, known)
		if (known->proc == proc && known->name == s)
			return;
	if (m->jit_files.nr < FILES_MAX)
		*VEC_PUSH(&m->jit_files) =
			(struct live_jit){ .pid = pid, .proc = proc, .name = s, .mapped = time };
}

static void set_clock(const struct model *m, struct live_jit *f, const struct jitdump *j)
{
	f->clock = m->live_jits == MODEL_JITS_TIMELESS
			   ? (struct jit_clock){ .since = f->mapped, .timeless = true }
			   : jit_clock_of(j, f->mapped, m->jit_times);
	f->has_clock = true;
}

static struct jit_frames *find_frames(const struct live_jit *f, u64 index)
{
	u32 i;

	for (struct map_probe p = map_first(&f->by_index, hash_u64(index));
	     map_next(&f->by_index, &p, &i);)
		if (f->frames.v[i].index == index)
			return &f->frames.v[i];
	return NULL;
}

static void keep_frames(struct live_jit *f, const struct jit_frames *new)
{
	struct jit_frames *known = find_frames(f, new->index);

	if (!known) {
		if (f->frames.nr >= FRAMES_MAX)
			return;
		map_add(&f->by_index, hash_u64(new->index), (u32)f->frames.nr);
		known = VEC_PUSH(&f->frames);
	}
	*known = *new;
}

void jit_file_release(struct live_jit *f)
{
	vec_free(&f->frames);
	map_release(&f->by_index);
}

struct live_jit jit_file_copy(const struct live_jit *f, u32 proc, str_id name)
{
	struct live_jit copy = { .proc = proc,
				 .pid = f->pid,
				 .name = name,
				 .mapped = f->mapped,
				 .read_to = f->read_to,
				 .clock = f->clock,
				 .has_clock = f->has_clock };

	VEC_FOR(&f->frames, known)
		keep_frames(&copy, known);
	return copy;
}

static u32 count_frames(const struct jitdump *j)
{
	u32 n = 0;

	VEC_FOR(&j->codes, c)
		n += c->unwind_size != 0;
	return n;
}

static struct model_map map_of(const struct jit_frames *code, u64 addr, u64 t0)
{
	return (struct model_map){ .start = addr,
				   .end = addr + code->size,
				   .pgoff = code->place,
				   .t0 = t0,
				   .t1 = UINT64_MAX,
				   .dso = code->dso,
				   .prot = PROT_READ_EXEC };
}

static int by_begin(const void *a, const void *b)
{
	const struct model_map *x = a, *y = b;

	if (x->t0 != y->t0)
		return x->t0 < y->t0 ? -1 : 1;
	return (x->pgoff > y->pgoff) - (x->pgoff < y->pgoff);
}

/* What was appended, as the object dso; 0: nothing but moves of what was read before. */
static bool map_codes(struct model *m, struct live_jit *f, const struct jitdump *j, dso_id dso)
{
	VEC(struct model_map) maps = { 0 };
	bool any;

	/* first: the numbers of code may be used again */
	VEC_FOR(&j->moves, move) {
		struct jit_code when = { .time = move->time };
		const struct jit_frames *code = find_frames(f, move->index);

		if (code && move->addr + code->size > move->addr)
			*VEC_PUSH(&maps) = map_of(code, move->addr,
						  jit_clock_time(&f->clock, &when));
	}
	VEC_FOR(&j->codes, c) {
		struct jit_frames code = {
			.index = c->index, .size = c->size, .place = c->place, .dso = dso
		};

		if (!c->unwind_size || !dso)
			continue;
		keep_frames(f, &code);
		*VEC_PUSH(&maps) = map_of(&code, c->addr, jit_clock_time(&f->clock, c));
	}
	if (j->moves.nr)
		VEC_SORT(&maps, by_begin);
	VEC_FOR(&maps, map)
		proc_add_map(m, &m->procs.v[f->proc], map);
	any = maps.nr != 0;
	vec_free(&maps);
	return any;
}

static bool read_more(struct model *m, struct live_jit *f)
{
	const char *name = intern_str(&m->strs, f->name);
	struct jitdump j = JITDUMP_INIT;
	u32 named_pid;
	bool more = dso_table_read_jit(m->dsos, f->pid, name, f->read_to, &j) &&
		    j.end > f->read_to && jitdump_is_name(name, &named_pid) && j.pid == named_pid;
	bool any = false;

	if (more && !f->has_clock && j.first_time)
		set_clock(m, f, &j);
	if (more)
		f->read_to = j.end;
	if (more && f->has_clock && count_frames(&j)) {
		dso_id dso = dso_table_add_jit(m->dsos, f->pid, name, &j);
		const struct jitdump *kept = dso_jitdump(dso_table_get(m->dsos, dso));

		any = kept && map_codes(m, f, kept, dso);
	} else if (more && f->has_clock) {
		any = map_codes(m, f, &j, 0);
	}
	jitdump_release(&j);
	return any;
}

bool model_read_jits(struct model *m)
{
	bool any = false;

	VEC_FOR(&m->jit_files, f)
		any |= read_more(m, f);
	return any;
}

bool model_has_jits(const struct model *m)
{
	return m->jit_files.nr != 0;
}

void model_follow_jits(struct model *m, enum model_live_jits how)
{
	m->live_jits = how;
}
