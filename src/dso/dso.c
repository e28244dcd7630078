/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dso.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/jit/jitdump.h"

/* Last part of a path, without slashes behind it, as basename(3) has it. */
static const char *base_name(struct dso_table *t, const char *path)
{
	size_t len = strlen(path);
	size_t from;

	while (len > 1 && path[len - 1] == '/')
		len--;
	if (!len)
		return ".";
	for (from = len; from > 0 && path[from - 1] != '/'; from--)
		;
	if (from == len)
		return "/";
	return path[len] ? arena_strndup(&t->arena, path + from, len - from) : path + from;
}

/* "[name]" from "/lib/modules/.../some-name.ko.xz". */
static const char *module_short_name(struct dso_table *t, const char *path)
{
	const char *base = base_name(t, path);
	const char *ko = strstr(base, ".ko");
	size_t len = ko ? (size_t)(ko - base) : strlen(base);
	char *name;

	if (base[0] == '[')
		return arena_strdup(&t->arena, base);
	name = arena_alloc(&t->arena, len + 3);
	name[0] = '[';
	for (size_t i = 0; i < len; i++)
		name[i + 1] = base[i] == '-' ? '_' : base[i];
	name[len + 1] = ']';
	name[len + 2] = '\0';
	return name;
}

static void set_names(struct dso_table *t, struct dso *d, const char *name)
{
	char buf[64];
	u32 pid;
	int end = 0;

	switch (d->kind) {
	case DSO_KERNEL:
	case DSO_GUEST_KERNEL: {
		/* The mapping is called [kernel.kallsyms]_text, after its reference symbol. */
		const char *close = name[0] == '[' ? strchr(name, ']') : NULL;

		if (d->kind == DSO_KERNEL && t->of_kernel)
			d->long_name = t->of_kernel->name;
		else
			d->long_name = close ? arena_strndup(&t->arena, name,
							     (size_t)(close - name) + 1)
					     : arena_strdup(&t->arena, name);
		d->short_name = base_name(t, d->long_name);
		if (strncmp(d->short_name, "vmlinux", strlen("vmlinux")) == 0)
			d->short_name = "[kernel.vmlinux]";
		break;
	}
	case DSO_MODULE:
	case DSO_GUEST_MODULE:
		d->long_name = arena_strdup(&t->arena, name);
		d->short_name = module_short_name(t, name);
		break;
	case DSO_PERF_MAP:
		snprintf(buf, sizeof(buf), "/tmp/perf-%u.map", d->pid);
		d->long_name = arena_strdup(&t->arena, buf);
		snprintf(buf, sizeof(buf), "[JIT] tid %u", d->pid);
		d->short_name = arena_strdup(&t->arena, buf);
		break;
	case DSO_VDSO:
		d->long_name = d->short_name = d->is32 ? "[vdso32]" : "[vdso]";
		break;
	default:
		d->long_name = arena_strdup(&t->arena, name);
		d->short_name = base_name(t, d->long_name);
		/* Somebody mapped such a file itself, or a tool renamed the mapping. */
		if (sscanf(d->short_name, "perf-%u.map%n", &pid, &end) == 1 &&
		    !d->short_name[end]) {
			snprintf(buf, sizeof(buf), "[JIT] tid %u", pid);
			d->short_name = arena_strdup(&t->arena, buf);
		}
		break;
	}
}

enum dso_kind dso_kind_of_name(const char *name)
{
	static const struct {
		const char *prefix;
		enum dso_kind kind;
	} kinds[] = {
		{ "//anon", DSO_PERF_MAP },
		{ "/dev/zero", DSO_PERF_MAP },
		{ "/anon_hugepage", DSO_PERF_MAP },
		{ "/SYSV", DSO_PERF_MAP },
		{ "[stack", DSO_PERF_MAP },
		{ "[heap]", DSO_PERF_MAP },
		{ "[vdso]", DSO_VDSO },
		{ "[", DSO_UNKNOWN_CODE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
			return kinds[i].kind;
	return DSO_USER;
}

static u64 key_hash(const struct dso_key *key)
{
	u64 h = hash_bytes(key->name, strlen(key->name), key->kind);

	h = hash_bytes(key->build_id.bytes, MIN(key->build_id.size, DSO_BUILD_ID_MAX), h);
	return key->kind == DSO_PERF_MAP ? hash_u64(key->pid) : h;
}

static bool key_equal(const struct dso *d, const struct dso_key *key)
{
	if (d->kind != key->kind)
		return false;
	if (key->kind == DSO_PERF_MAP)
		return d->pid == key->pid;
	if (key->kind == DSO_GUEST_MODULE && d->pid != key->pid)
		return false;
	return d->is32 == key->is32 && strcmp(d->key_name, key->name) == 0 &&
	       build_id_equal(&d->key_build_id, &key->build_id);
}

static struct named_build_id *find_build_id(const struct dso_table *t, const char *name, u64 hash)
{
	u32 i;

	for (struct map_probe p = map_first(&t->by_name, hash); map_next(&t->by_name, &p, &i);)
		if (strcmp(t->build_ids.v[i]->name, name) == 0)
			return t->build_ids.v[i];
	return NULL;
}

/* What the header's table has for this object, NULL = nothing. */
static struct named_build_id *named_build_id_of(const struct dso *d)
{
	/* the table has one vdso: that of 64-bit processes, which tells of the kernel */
	const char *const names[] = { d->long_name, d->is32 ? "[vdso]" : d->short_name };
	struct named_build_id *b = d->kind == DSO_KERNEL ? d->table->of_kernel : NULL;

	for (size_t i = 0; !b && i < ARRAY_SIZE(names); i++)
		b = find_build_id(d->table, names[i], hash_bytes(names[i], strlen(names[i]), 0));
	return b;
}

static u32 seniority(const struct dso *d)
{
	const struct named_build_id *b = named_build_id_of(d);

	return b ? b->place + 1 : DSO_NOT_IN_HEADER + (u32)d->table->dsos.nr;
}

static struct dso *new_dso(struct dso_table *t, const struct dso_key *key)
{
	struct dso *d = XNEW(struct dso);

	d->table = t;
	d->jit_frames = (struct strbuf)STRBUF_INIT;
	d->kind = key->kind;
	d->is32 = key->is32;
	d->key_build_id = key->build_id;
	d->key_build_id.size = MIN(d->key_build_id.size, DSO_BUILD_ID_MAX);
	d->pid = key->pid;
	d->last_pid = key->pid;
	d->start = key->start;
	d->len = key->len;
	pthread_mutex_init(&d->lock, NULL);
	pthread_mutex_init(&d->debug_lock, NULL);
	set_names(t, d, key->name);
	if (d->kind == DSO_KERNEL && !t->kernel)
		t->kernel = d;
	d->seniority = seniority(d);
	*VEC_PUSH(&t->dsos) = d;
	return d;
}

struct dso *dso_table_kernel(const struct dso_table *t)
{
	return t->kernel;
}

dso_id dso_table_add(struct dso_table *t, const struct dso_key *key)
{
	u64 h = key_hash(key);
	u32 i;

	for (struct map_probe p = map_first(&t->by_key, h); map_next(&t->by_key, &p, &i);)
		if (key_equal(t->dsos.v[i], key)) {
			t->dsos.v[i]->last_pid = key->pid;
			return i + 1;
		}
	i = (u32)t->dsos.nr;
	new_dso(t, key)->key_name = arena_strdup(&t->arena, key->name);
	map_add(&t->by_key, h, i);
	return i + 1;
}

dso_id dso_table_add_ksymbol(struct dso_table *t, const char *name, u64 start, u64 len)
{
	struct dso_key key = { .name = name, .kind = DSO_BPF, .start = start, .len = len };
	struct dso *d = new_dso(t, &key);

	d->key_name = d->long_name;
	return (dso_id)t->dsos.nr;
}

dso_id dso_table_add_jit(struct dso_table *t, u32 pid, const char *name, struct jitdump *j)
{
	struct dso_key key = { .name = name, .kind = DSO_JITDUMP, .pid = pid };
	struct dso *d = new_dso(t, &key);

	d->key_name = d->long_name;
	d->jit = XNEW(struct jitdump);
	*d->jit = *j;
	*j = (struct jitdump)JITDUMP_INIT;
	return (dso_id)t->dsos.nr;
}

/* "/lib/modules/.../name.ko.xz" or "[name]", among names of the kernel's side. */
static bool is_module_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	if (name[0] == '[')
		return strncmp(name, "[kernel.", strlen("[kernel.")) != 0;
	return strstr(slash ? slash : name, ".ko") != NULL;
}

void dso_table_set_build_id(struct dso_table *t, const char *name, const struct build_id *id,
			    bool in_kernel)
{
	u64 hash = hash_bytes(name, strlen(name), 0);
	struct named_build_id *b = find_build_id(t, name, hash);

	/* Kept by name: the mappings that will add the objects may come later. */
	if (!b) {
		b = arena_zalloc(&t->arena, sizeof(*b));
		b->name = arena_strdup(&t->arena, name);
		b->place = (u32)t->build_ids.nr;
		map_add(&t->by_name, hash, (u32)t->build_ids.nr);
		*VEC_PUSH(&t->build_ids) = b;
	}
	b->id = *id;
	b->id.size = MIN(b->id.size, DSO_BUILD_ID_MAX);
	if (in_kernel && !t->of_kernel && !is_module_name(name))
		t->of_kernel = b;
}

void dso_table_set_kernel_ref(struct dso_table *t, const char *symbol, u64 addr)
{
	t->ref_symbol = arena_strdup(&t->arena, symbol);
	t->ref_addr = addr;
}

void dso_table_set_guest_ref(struct dso_table *t, dso_id guest_kernel, const char *symbol, u64 addr)
{
	struct dso *d = dso_table_get(t, guest_kernel);

	d->ref_symbol = arena_strdup(&t->arena, symbol);
	d->ref_addr = addr;
}

const struct dso_config *dso_table_config(const struct dso_table *t)
{
	return &t->config;
}

const struct dso_config *dso_table_guests(const struct dso_table *t)
{
	const struct dso_guest *g = &t->config.guest;

	return g->mount || g->kallsyms || g->vmlinux || g->code ? &t->config : NULL;
}

u32 dso_table_count(const struct dso_table *t)
{
	return (u32)t->dsos.nr;
}

struct dso *dso_table_get(const struct dso_table *t, dso_id id)
{
	return id && id <= t->dsos.nr ? t->dsos.v[id - 1] : NULL;
}

const char *dso_long_name(const struct dso *d)
{
	return d->long_name;
}

const char *dso_short_name(const struct dso *d)
{
	return d->short_name;
}

enum dso_kind dso_kind(const struct dso *d)
{
	return d->kind;
}

const struct build_id *dso_build_id(const struct dso *d)
{
	struct named_build_id *b = d->key_build_id.size ? NULL : named_build_id_of(d);

	return b ? &b->id : &d->key_build_id;
}

u32 dso_pid(const struct dso *d)
{
	return d->pid;
}

u32 dso_seniority(const struct dso *d)
{
	return d ? d->seniority : 0;
}

bool dso_is_kernel(const struct dso *d)
{
	return d->kind == DSO_KERNEL || d->kind == DSO_MODULE || d->kind == DSO_BPF ||
	       d->kind == DSO_GUEST_KERNEL || d->kind == DSO_GUEST_MODULE;
}

unsigned int dso_symtab_flags(const struct dso_table *t, bool kernel)
{
	unsigned int flags = 0;

	if (!t->config.no_demangle && (!kernel || t->config.demangle_kernel))
		flags |= SYMTAB_DEMANGLE;
	if (t->config.demangle_params)
		flags |= SYMTAB_PARAMS;
	return flags;
}

const char *dso_keep_text(struct dso_table *t, const char *text)
{
	const char *kept;

	pthread_mutex_lock(&t->problems_lock);
	kept = arena_strdup(&t->problems, text);
	pthread_mutex_unlock(&t->problems_lock);
	return kept;
}

const char *dso_kernel_file(const struct dso *d)
{
	return d->kernel_file;
}

void dso_problem(struct dso *d, const char *fmt, ...)
{
	char buf[600];
	va_list ap;

	if (d->problem)
		return;
	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	d->problem = dso_keep_text(d->table, buf);
}
