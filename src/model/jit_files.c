/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of JIT compilers that are still being written: what was appended becomes mappings of the
 * process, a piece at a time. Only code with call frame information: it is for unwinding.
 */
#include "model/private.h"

enum { FILES_MAX = 1 << 16, PROT_READ_EXEC = 5 };

void jit_files_add(struct model *m, u32 pid, u32 proc, const char *name, u64 time)
{
	str_id s = intern_adds(&m->strs, name);

	VEC_FOR(&m->jit_files, known)
		if (known->proc == proc && known->name == s)
			return;
	if (m->jit_files.nr < FILES_MAX)
		*VEC_PUSH(&m->jit_files) = (struct jit_file){ .pid = pid, .proc = proc, .name = s, .mapped = time };
}

static void set_clock(const struct model *m, struct jit_file *f, const struct jitdump *j)
{
	f->clock = m->live_jits == MODEL_JITS_TIMELESS ?
			   (struct jit_clock){ .since = f->mapped, .timeless = true } :
			   jit_clock_of(j, f->mapped, m->jit_times);
	f->has_clock = true;
}

static u32 count_frames(const struct jitdump *j)
{
	u32 n = 0;

	VEC_FOR(&j->codes, c)
		n += c->unwind_size != 0;
	return n;
}

static void map_codes(struct model *m, const struct jit_file *f, dso_id dso)
{
	const struct jitdump *j = dso_jitdump(dso_table_get(m->dsos, dso));

	for (size_t i = 0; j && i < j->codes.nr; i++) {
		const struct jit_code *c = &j->codes.v[i];
		struct model_map map = { .start = c->addr, .end = c->addr + c->size, .pgoff = c->place,
					 .t0 = jit_clock_time(&f->clock, c), .t1 = UINT64_MAX, .dso = dso,
					 .prot = PROT_READ_EXEC };

		if (c->unwind_size)
			proc_add_map(m, &m->procs.v[f->proc], &map);
	}
}

static bool read_more(struct model *m, struct jit_file *f)
{
	const char *name = model_str(m, f->name);
	struct jitdump j = JITDUMP_INIT;
	u32 named_pid;
	bool more = dso_table_read_jit(m->dsos, f->pid, name, f->read_to, &j) && j.end > f->read_to &&
		    jitdump_is_name(name, &named_pid) && j.pid == named_pid;

	if (more && !f->has_clock && j.first_time)
		set_clock(m, f, &j);
	if (more)
		f->read_to = j.end;
	if (!more || !f->has_clock || !count_frames(&j)) {
		jitdump_release(&j);
		return false;
	}
	map_codes(m, f, dso_table_add_jit(m->dsos, f->pid, name, &j));
	return true;
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
