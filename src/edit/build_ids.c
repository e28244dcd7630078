/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build ids of objects: as recorded, else those of the files that exist now. */
#include <errno.h>
#include <stdlib.h>

#include "base/fmt.h"
#include "base/input.h"
#include "base/rw.h"
#include "capture/note_id.h"
#include "edit/pass.h"
#include "perfdata/tool_records.h"

enum { HOST = -1 };

static bool parse_hex(const char *s, size_t len, struct build_id *id)
{
	if (!len || len % 2 || len / 2 > DSO_BUILD_ID_MAX)
		return false;
	for (size_t i = 0; i < len; i += 2) {
		char two[3] = { s[i], s[i + 1], 0 };
		char *end;

		id->bytes[i / 2] = (u8)strtoul(two, &end, 16);
		if (*end || two[0] == '-' || two[0] == '+' || two[0] == ' ')
			return false;
	}
	id->size = (u8)(len / 2);
	return true;
}

/* "ID PATH" */
static int add_known(struct edit_ids *ids, char *pair, struct err *e)
{
	size_t len;
	struct build_id id = { 0 };

	pair += strspn(pair, " \t");
	len = strcspn(pair, " \t");
	if (!*pair)
		return 0;
	if (!pair[len] || !parse_hex(pair, len, &id))
		return err_set(e, EINVAL, "'%s' is not a build id and a path", pair);
	pair += len;
	pair += strspn(pair, " \t");
	*VEC_PUSH(&ids->known) = (struct edit_id){ .name = xstrdup(pair), .id = id };
	return 0;
}

int ids_read_known(struct edit_ids *ids, const char *text, struct err *e)
{
	static const char scheme[] = "file://";
	bool in_file = !strncmp(text, scheme, strlen(scheme));
	_cleanup_(strbuf_releasep) struct strbuf all = STRBUF_INIT;
	const char *separators = in_file ? "\n" : ",";
	char *rest;

	if (!in_file)
		strbuf_adds(&all, text);
	else if (input_slurp(text + strlen(scheme), INPUT_PIPE, &all, e))
		return -1;
	for (char *pair = strtok_r(all.buf, separators, &rest); all.len && pair;
	     pair = strtok_r(NULL, separators, &rest))
		if (add_known(ids, pair, e))
			return -1;
	return 0;
}

bool ids_set(struct edit_ids *ids, const char *name, u16 misc, const struct build_id *id)
{
	str_id known = intern_find(&ids->names, name);

	if (known) {
		ids->ids.v[known - 1].id = *id;
		return false;
	}
	if (!*name)
		return false;
	intern_adds(&ids->names, name);
	*VEC_PUSH(&ids->ids) = (struct edit_id){ .name = xstrdup(name), .misc = misc, .id = *id };
	return true;
}

void ids_take_header(struct edit *in)
{
	const struct perfdata_info *info = perfdata_info(in->file);

	for (u32 i = 0; i < info->nr_build_ids; i++) {
		const struct info_build_id *b = &info->build_ids[i];
		struct build_id id = { .size = MIN(b->size, (u8)DSO_BUILD_ID_MAX) };

		memcpy(id.bytes, b->id, id.size);
		if (!intern_find(&in->ids.names, b->path))
			ids_set(&in->ids, b->path, b->misc & PERF_RECORD_MISC_CPUMODE_MASK, &id);
	}
}

static bool from_note(const struct note_id *n, struct build_id *id)
{
	id->size = MIN(n->size, (u8)DSO_BUILD_ID_MAX);
	memcpy(id->bytes, n->data, id->size);
	return id->size != 0;
}

/* The id of a module "[name]", from sysfs. */
static bool module_id(const struct dso *d, struct build_id *id)
{
	const char *shown = dso_short_name(d);
	size_t len = strlen(shown);
	_cleanup_(mem_freep) char *name = NULL;
	struct note_id n;

	if (len < 3 || shown[0] != '[')
		return false;
	name = xstrdup(shown + 1);
	name[len - 2] = '\0';
	return note_id_of_module(NULL, name, &n) && from_note(&n, id);
}

/* The id of the file that exists now, for an object without a recorded one. */
static bool find_id(const struct dso *d, struct build_id *id)
{
	struct note_id n;

	*id = *dso_build_id(d);
	if (id->size)
		return true;
	if (!dso_may_be_local(d))
		return false;
	switch (dso_kind(d)) {
	case DSO_KERNEL:
		return note_id_of_kernel(NULL, &n) && from_note(&n, id);
	case DSO_MODULE:
		return module_id(d, id);
	case DSO_VDSO:
		return note_id_of_vdso(&n) && from_note(&n, id);
	case DSO_USER:
		return note_id_from_path(dso_long_name(d), (s32)dso_pid(d), 0, &n) &&
		       from_note(&n, id);
	default:
		return false;
	}
}

static bool is_known(const struct edit_ids *ids, const char *name, struct build_id *id)
{
	VEC_FOR(&ids->known, k)
		if (!strcmp(k->name, name)) {
			*id = k->id;
			return true;
		}
	return false;
}

bool ids_lookup(const struct edit *in, const char *name, struct build_id *id)
{
	const struct perfdata_info *info = perfdata_info(in->file);
	struct note_id n;

	if (is_known(&in->ids, name, id))
		return true;
	for (u32 i = 0; i < info->nr_build_ids; i++) {
		const struct info_build_id *b = &info->build_ids[i];

		if (strcmp(b->path, name) != 0 || !b->size)
			continue;
		id->size = MIN(b->size, (u8)DSO_BUILD_ID_MAX);
		memcpy(id->bytes, b->id, id->size);
		return true;
	}
	if (!strcmp(name, "[vdso]"))
		return note_id_of_vdso(&n) && from_note(&n, id);
	return *name == '/' && note_id_from_path(name, HOST, 0, &n) && from_note(&n, id);
}

void ids_mark(struct edit *in, dso_id number, struct strbuf *out)
{
	const struct dso *d;
	struct edit_ids *ids = &in->ids;
	struct build_id id;
	u16 misc;

	while (ids->seen.nr <= number)
		*VEC_PUSH(&ids->seen) = false;
	if (!number || ids->seen.v[number])
		return;
	ids->seen.v[number] = true;
	d = dso_table_get(session_dsos(in->s), number);
	if (!is_known(ids, dso_long_name(d), &id) && !find_id(d, &id))
		return;
	misc = dso_is_kernel(d) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	if (ids_set(ids, dso_long_name(d), misc, &id) && in->to_stream && out) {
		size_t at = out->len;
		struct perf_event_header h;

		feature_add_build_id(out, misc, HOST, id.bytes, id.size, dso_long_name(d));
		memcpy(&h, out->buf + at, sizeof(h));
		h.type = PERF_RECORD_HEADER_BUILD_ID;
		memcpy(out->buf + at, &h, sizeof(h));
	}
}

void dso_seen_add(struct dso_seen *seen, dso_id dso)
{
	while (seen->nr <= dso)
		*VEC_PUSH(seen) = false;
	seen->v[dso] = true;
}

static bool note_hit(void *ctx, struct session_worker *w, unsigned int worker,
		     const struct session_record *r)
{
	struct dso_seen *seen = ctx;

	dso_seen_add(&seen[worker], session_dso(w, &r->site, r->sample->cpumode, r->sample->ip));
	return true;
}

static bool ignore(void *ctx UNUSED, const struct session_record *r UNUSED)
{
	return true;
}

/* Objects that have a file or stand for one: not memory, nor code of JIT compilers. */
static bool has_id(const struct dso *d)
{
	return dso_kind(d) != DSO_PERF_MAP && dso_kind(d) != DSO_JITDUMP &&
	       dso_kind(d) != DSO_BPF && dso_kind(d) != DSO_UNKNOWN_CODE;
}

int ids_find(struct edit *in, bool all, struct err *e)
{
	unsigned int workers = session_workers(in->s);
	struct dso_seen *hit = XNEW_ARRAY(struct dso_seen, workers);
	struct session_consumer c = { .order = SESSION_UNORDERED,
				      .ctx = hit,
				      .all_records = all,
				      .sample = all ? NULL : note_hit,
				      .other = all ? ignore : NULL };
	struct dso_table *t = session_dsos(in->s);
	int r = session_run(in->s, &c, e);

	ids_take_header(in);
	for (dso_id i = 1; !r && i <= dso_table_count(t); i++) {
		bool wanted = all && has_id(dso_table_get(t, i));

		for (unsigned int w = 0; w < workers && !wanted; w++)
			wanted = i < hit[w].nr && hit[w].v[i];
		if (wanted)
			ids_mark(in, i, NULL);
	}
	for (unsigned int w = 0; w < workers; w++)
		vec_free(&hit[w]);
	free(hit);
	vec_free(&in->ids.seen); /* by number in this reading */
	return r;
}

void ids_feature(const struct edit_ids *ids, struct strbuf *body)
{
	VEC_FOR(&ids->ids, i)
		feature_add_build_id(body, i->misc, HOST, i->id.bytes, i->id.size, i->name);
}

void ids_release(struct edit_ids *ids)
{
	VEC_FOR(&ids->ids, i)
		free(i->name);
	VEC_FOR(&ids->known, k)
		free(k->name);
	vec_free(&ids->ids);
	vec_free(&ids->known);
	vec_free(&ids->seen);
	intern_release(&ids->names);
}
