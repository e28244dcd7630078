/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of code made by JIT compilers: perf-PID.map and jitdump files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/dso_internal.h"
#include "dso/jit/jitdump.h"
#include "dso/jit/perf_map.h"
#include "dso/symbols/embedded.h"

/* The pid that a process has in its own namespace, 0 = unknown. */
static u32 inner_pid(u32 pid)
{
	_cleanup_(strbuf_releasep) struct strbuf status = STRBUF_INIT;
	char path[64];
	const char *line;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (!pid || rw_slurp(path, &status, NULL) < 0)
		return 0;
	line = strstr(status.buf, "\nNSpid:");
	if (!line)
		return 0;
	/* One number per nested namespace, the innermost last. */
	len = strcspn(line + 1, "\n") + 1;
	while (len > 0 && line[len - 1] >= '0' && line[len - 1] <= '9')
		len--;
	return (u32)strtoul(line + len, NULL, 10);
}

/* Of a running process in a container; false: it has it where all others have theirs. */
static bool inner_perf_map(u32 pid, struct strbuf *path)
{
	u32 inner = inner_pid(pid);

	if (!dso_other_root(pid, path) && (!inner || inner == pid))
		return false;
	strbuf_addf(path, "/tmp/perf-%u.map", inner ? inner : pid);
	return true;
}

bool dso_has_perf_map(const struct dso_table *t, u32 pid)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	if (embedded_has_perf_map(t, pid) ||
	    (inner_perf_map(pid, &path) && access(path.buf, F_OK) == 0))
		return true;
	strbuf_reset(&path);
	strbuf_addf(&path, "/tmp/perf-%u.map", pid);
	return access(path.buf, F_OK) == 0;
}

bool dso_table_is_jit_memory(const struct dso_table *t, const char *name, u32 pid)
{
	if (strncmp(name, "/memfd:", 7) != 0 && strncmp(name, "[anon", 5) != 0)
		return false;
	return dso_has_perf_map(t, pid);
}

bool dso_table_wants_moved_text(const struct dso_table *t)
{
	return !t->config.plain_maps;
}

static int read_perf_map(const struct dso *d, const char *path, struct symtab_builder *b,
			 struct err *e)
{
	const char *objection = dso_map_objection(d->table, d->pid, path);

	if (objection)
		return err_set(e, EPERM, "'%s' %s", path, objection);
	return perf_map_read(b, path, d->table->config.force, e);
}

static struct jit_file_state state_of(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return (struct jit_file_state){ 0 };
	return (struct jit_file_state){ .ino = st.st_ino,
					.size = (u64)st.st_size,
					.changed = st.st_mtim };
}

/* Of what will be read; the map is the process's own, or else the one under the object's name. */
static struct jit_state jit_state_of(const struct dso *d, const struct strbuf *own)
{
	_cleanup_(strbuf_releasep) struct strbuf dump = STRBUF_INIT;
	struct jit_state s = { .map = state_of(own->buf) };

	if (!s.map.ino)
		s.map = state_of(d->long_name);
	if (!d->dump)
		return s;
	if (!dso_other_root(d->pid, &dump))
		strbuf_reset(&dump);
	strbuf_adds(&dump, d->dump);
	s.dump = state_of(dump.buf);
	return s;
}

static void own_perf_map(const struct dso *d, struct strbuf *path)
{
	if (dso_may_be_local(d) && !dso_is_later_process(d->table, d->pid))
		inner_perf_map(d->pid, path);
}

/* What lies where now: the last word that the compiler wrote of an address. */
static void add_dump(const struct dso *d, struct symtab_builder *b)
{
	struct jitdump j = JITDUMP_INIT;
	u32 named_pid;

	if (dso_table_read_jit(d->table, d->pid, d->dump, 0, &j) &&
	    jitdump_is_name(d->dump, &named_pid) && j.pid == named_pid)
		VEC_FOR(&j.codes, c)
			symtab_builder_add(b, c->addr, c->addr + c->size, j.names.buf + c->name,
					   'g');
	jitdump_release(&j);
}

struct symtab *dso_load_perf_map(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct err e = ERR_INIT;

	d->origin = 'j';
	own_perf_map(d, &path);
	d->jit_state = jit_state_of(d, &path);
	if (!path.len || read_perf_map(d, path.buf, &b, &e) < 0) {
		e = (struct err)ERR_INIT;
		if (read_perf_map(d, d->long_name, &b, &e) < 0) {
			dso_problem(d, "%s", e.text);
			d->refused = e.code == EPERM;
		}
	}
	if (d->dump)
		add_dump(d, &b);
	if (b.rows.nr)
		dso_assume(d);
	return symtab_build(&b, SYMTAB_LAST_WINS);
}

/* ---- while the compiler goes on ---- */

void dso_note_nameless(struct dso *d)
{
	struct dso_table *t = d->table;

	if (d->kind != DSO_PERF_MAP || atomic_exchange(&d->nameless, true))
		return;
	pthread_mutex_lock(&t->nameless_lock);
	*VEC_PUSH(&t->nameless) = d;
	pthread_mutex_unlock(&t->nameless_lock);
}

void dso_forget_nameless(struct dso *d)
{
	struct dso_table *t = d->table;

	if (!atomic_exchange(&d->nameless, false))
		return;
	for (size_t i = 0; i < t->nameless.nr; i++)
		if (t->nameless.v[i] == d)
			t->nameless.v[i--] = t->nameless.v[--t->nameless.nr];
}

void dso_table_follow_dump(struct dso_table *t, u32 pid, const char *name)
{
	const struct dso_key key = { .name = "//anon", .kind = DSO_PERF_MAP, .pid = pid };
	struct dso *d = dso_table_get(t, dso_table_add(t, &key));

	if (!d->dump || strcmp(d->dump, name) != 0)
		d->dump = arena_strdup(&t->arena, name);
}

static bool is_new(const struct jit_file_state *now, const struct jit_file_state *was)
{
	return now->size && (now->ino != was->ino || now->size != was->size ||
			     now->changed.tv_sec != was->changed.tv_sec ||
			     now->changed.tv_nsec != was->changed.tv_nsec);
}

static bool has_grown(const struct dso *d)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct jit_state now;

	/* what is not to be trusted, or came with a recording, stays */
	if (d->refused || dso_embedded(d) || !atomic_load(&d->symtab))
		return false;
	own_perf_map(d, &path);
	now = jit_state_of(d, &path);
	return is_new(&now.map, &d->jit_state.map) || is_new(&now.dump, &d->jit_state.dump);
}

size_t dso_table_grown(struct dso_table *t, struct dso **out, size_t max)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nameless.nr && nr < max; i++)
		if (has_grown(t->nameless.v[i]))
			out[nr++] = t->nameless.v[i];
	return nr;
}

struct symtab *dso_load_again(struct dso *d)
{
	struct symtab *before = atomic_load(&d->symtab);

	dso_forget_nameless(d);
	d->problem = NULL;
	atomic_store(&d->symtab, dso_load_perf_map(d));
	return before;
}

/* As if only the recorded functions had been made. */
static void embedded_jitdump(const struct dso *d, const struct embedded_object *o,
			     struct jitdump *j)
{
	jitdump_is_name(d->long_name, &j->pid);
	j->first_time = o->first_time;
	j->tsc = o->tsc;
	VEC_FOR(&o->codes, c) {
		struct jit_code *code;

		if (j->names.len > UINT32_MAX / 2)
			return;
		code = VEC_PUSH(&j->codes);
		*code = *c;
		code->name = (u32)j->names.len;
		strbuf_add(&j->names, o->code_names.v[c->name],
			   strlen(o->code_names.v[c->name]) + 1);
	}
}

/* Under lock. */
static const struct jitdump *read_jitdump(struct dso *d)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct err e = ERR_INIT;

	if (d->jit)
		return d->jit;
	d->jit = XNEW(struct jitdump);
	*d->jit = (struct jitdump)JITDUMP_INIT;
	if (dso_embedded(d)) {
		embedded_jitdump(d, dso_embedded(d), d->jit);
		return d->jit;
	}
	if (!d->table->foreign && dso_may_be_local(d) && dso_other_root(d->pid, &path))
		strbuf_adds(&path, d->long_name);
	if (!path.len || jitdump_read(d->jit, path.buf, 0, d->table->config.force, NULL) < 0) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s", d->table->symfs, d->long_name);
		if (jitdump_read(d->jit, path.buf, 0, d->table->config.force, &e) < 0)
			dso_problem(d, "%s", e.text);
	}
	return d->jit;
}

bool dso_table_read_jit(const struct dso_table *t, u32 pid, const char *name, u64 from,
			struct jitdump *out)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	struct stat st;

	if (!dso_other_root(pid, &path))
		strbuf_reset(&path);
	strbuf_adds(&path, name);
	return stat(path.buf, &st) == 0 && (u64)st.st_size > from &&
	       jitdump_read(out, path.buf, from, t->config.force, NULL) == 0;
}

const struct jitdump *dso_jitdump(struct dso *d)
{
	const struct jitdump *j;

	if (d->kind != DSO_JITDUMP)
		return NULL;
	pthread_mutex_lock(&d->lock);
	j = read_jitdump(d);
	pthread_mutex_unlock(&d->lock);
	return j->codes.nr ? j : NULL;
}

struct symtab *dso_load_jitdump(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	const struct jitdump *j = read_jitdump(d);

	d->origin = 'j';
	/* Code that moved has its place twice. */
	VEC_FOR(&j->codes, c)
		symtab_builder_add(&b, c->place, c->place + c->size, j->names.buf + c->name, 'g');
	return symtab_build(&b, SYMTAB_LAST_WINS);
}
