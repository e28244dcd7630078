/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/bpf_programs.h"

#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "perfdata/writer.h"

enum { PROG_LOAD = 1 }; /* type of a BPF_EVENT record */
enum { ENTRY_HEAD = 16, MAX_PROGRAMS = 4096, MAX_ONE = 16 << 20, MAX_ALL = 64 << 20 };

/* The arrays that are kept, in the order in which they stand in the file. */
static const struct info_array {
	unsigned int bit;
	size_t pointer, count; /* fields of struct bpf_prog_info */
	size_t size_field; /* the field with the size of an element, or 0 ... */
	u32 size; /* ... and this is it */
} arrays[] = {
#define FIELD(f) offsetof(struct bpf_prog_info, f)
	{ 0, FIELD(jited_prog_insns), FIELD(jited_prog_len), 0, 1 },
	{ 3, FIELD(jited_ksyms), FIELD(nr_jited_ksyms), 0, 8 },
	{ 4, FIELD(jited_func_lens), FIELD(nr_jited_func_lens), 0, 4 },
	{ 5, FIELD(func_info), FIELD(nr_func_info), FIELD(func_info_rec_size), 0 },
	{ 6, FIELD(line_info), FIELD(nr_line_info), FIELD(line_info_rec_size), 0 },
	{ 7, FIELD(jited_line_info), FIELD(nr_jited_line_info), FIELD(jited_line_info_rec_size),
	  0 },
	{ 8, FIELD(prog_tags), FIELD(nr_prog_tags), 0, 8 },
#undef FIELD
};

static u32 get_u32(const struct bpf_prog_info *info, size_t at)
{
	u32 v;

	memcpy(&v, (const u8 *)info + at, sizeof(v));
	return v;
}

static void set_u64(struct bpf_prog_info *info, size_t at, u64 v)
{
	memcpy((u8 *)info + at, &v, sizeof(v));
}

static void set_u32(struct bpf_prog_info *info, size_t at, u32 v)
{
	memcpy((u8 *)info + at, &v, sizeof(v));
}

static long call(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

bool bpf_programs_next(u32 *id)
{
	union bpf_attr attr = { .start_id = *id };

	if (call(BPF_PROG_GET_NEXT_ID, &attr) < 0)
		return false;
	*id = attr.next_id;
	return true;
}

static bool get_info(int fd, void *info, u32 len)
{
	union bpf_attr attr = {
		.info = { .bpf_fd = (u32)fd, .info_len = len, .info = (u64)(uintptr_t)info }
	};

	return !call(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static u64 array_bytes(const struct info_array *a, const struct bpf_prog_info *info)
{
	u64 size = a->size_field ? get_u32(info, a->size_field) : a->size;

	return ALIGN_UP(size * get_u32(info, a->count), 8);
}

/* data holds all arrays, one behind the other; info's pointers become offsets into it. */
static bool read_program(int fd, struct bpf_prog_info *info, u64 *kept, u8 **data, size_t *len)
{
	struct bpf_prog_info seen = { 0 };
	u64 total = 0, at = 0;

	if (!get_info(fd, &seen, sizeof(seen)))
		return false;
	*info = (struct bpf_prog_info){ 0 };
	*kept = 0;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
		total += array_bytes(&arrays[i], &seen);
	if (total > MAX_ONE)
		return false;
	*data = xcalloc(total ? total : 1, 1);
	*len = total;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct info_array *a = &arrays[i];

		*kept |= 1ULL << a->bit;
		set_u32(info, a->count, get_u32(&seen, a->count));
		if (a->size_field)
			set_u32(info, a->size_field, get_u32(&seen, a->size_field));
		set_u64(info, a->pointer, (u64)(uintptr_t)(*data + at));
		at += array_bytes(a, &seen);
	}
	if (!get_info(fd, info, sizeof(*info)))
		return false;
	at = 0;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		set_u64(info, arrays[i].pointer, at);
		at += array_bytes(&arrays[i], &seen);
	}
	/* what was not asked for is not there */
	info->xlated_prog_insns = 0;
	info->xlated_prog_len = 0;
	info->map_ids = 0;
	info->nr_map_ids = 0;
	return true;
}

/* Where the entry of that number is, or belongs. */
static size_t place_of(const bpf_entries *l, u32 id)
{
	size_t i = l->nr;

	/* numbers rise: mostly it is the last */
	while (i && l->v[i - 1].id >= id)
		i--;
	return i;
}

static bool is_known(const bpf_entries *l, u32 id)
{
	size_t i = place_of(l, id);

	return i < l->nr && l->v[i].id == id;
}

static void insert(bpf_entries *l, struct bpf_entry entry)
{
	size_t i = place_of(l, entry.id);

	VEC_PUSH(l);
	memmove(l->v + i + 1, l->v + i, (l->nr - 1 - i) * sizeof(*l->v));
	l->v[i] = entry;
}

/* The program's type information, once for all programs that share it. */
static void keep_types(struct bpf_programs *p, u32 id)
{
	union bpf_attr attr = { .btf_id = id };
	struct bpf_btf_info info = { 0 };
	struct bpf_entry entry = { .id = id };
	long fd;
	bool ok;

	if (!id || is_known(&p->types, id))
		return;
	fd = call(BPF_BTF_GET_FD_BY_ID, &attr);
	if (fd < 0)
		return;
	ok = get_info((int)fd, &info, sizeof(info)) && info.btf_size <= MAX_ONE;
	if (ok) {
		entry.len = info.btf_size;
		entry.bytes = xcalloc(entry.len ? entry.len : 1, 1);
		info = (struct bpf_btf_info){ .btf_size = (u32)entry.len,
					      .btf = (u64)(uintptr_t)entry.bytes };
		ok = get_info((int)fd, &info, sizeof(info));
	}
	close((int)fd);
	if (!ok) {
		free(entry.bytes);
		return;
	}
	insert(&p->types, entry);
	p->bytes += entry.len;
}

static void keep_program(struct bpf_programs *p, u32 id, int fd)
{
	struct strbuf body = STRBUF_INIT;
	struct bpf_entry entry = { .id = id };
	struct bpf_prog_info info;
	u8 *data = NULL;
	size_t len = 0;
	u64 kept;

	if (read_program(fd, &info, &kept, &data, &len)) {
		feature_add_u32(&body, sizeof(info));
		feature_add_u32(&body, (u32)len);
		feature_add_u64(&body, kept);
		strbuf_add(&body, &info, sizeof(info));
		strbuf_add(&body, data, len);
		entry.len = body.len;
		entry.bytes = xmalloc(body.len);
		memcpy(entry.bytes, body.buf, body.len);
		insert(&p->programs, entry);
		p->bytes += entry.len;
		keep_types(p, info.btf_id);
	}
	strbuf_release(&body);
	free(data);
}

/* Ask the kernel about one program, unless it is known. */
static void bpf_programs_keep(struct bpf_programs *p, u32 id)
{
	union bpf_attr attr = { .prog_id = id };
	long fd;

	if (is_known(&p->programs, id) || p->programs.nr >= MAX_PROGRAMS || p->bytes >= MAX_ALL)
		return;
	fd = call(BPF_PROG_GET_FD_BY_ID, &attr);
	if (fd < 0)
		return;
	keep_program(p, id, (int)fd);
	close((int)fd);
}

void bpf_programs_keep_loaded(struct bpf_programs *p)
{
	u32 id = 0;

	for (unsigned int i = 0; i < MAX_PROGRAMS && bpf_programs_next(&id); i++)
		bpf_programs_keep(p, id);
}

bool bpf_programs_find(const struct bpf_programs *p, u32 id, struct info_bpf_prog *out,
		       struct info_btf *types)
{
	size_t i = place_of(&p->programs, id);
	const struct bpf_prog_info *info;
	const u8 *bytes;

	if (!is_known(&p->programs, id))
		return false;
	/* two lengths and the set of arrays, the info, the arrays */
	bytes = p->programs.v[i].bytes;
	info = (const void *)(bytes + ENTRY_HEAD);
	*out = (struct info_bpf_prog){ .id = id,
				       .info = bytes + ENTRY_HEAD,
				       .name = info->name,
				       .info_size = sizeof(*info),
				       .data_size = (u32)(p->programs.v[i].len - ENTRY_HEAD -
							  sizeof(*info)) };
	memcpy(out->tag, info->tag, sizeof(out->tag));
	*types = (struct info_btf){ .id = info->btf_id };
	i = place_of(&p->types, info->btf_id);
	if (is_known(&p->types, info->btf_id)) {
		types->data = p->types.v[i].bytes;
		types->size = (u32)p->types.v[i].len;
	}
	return true;
}

void bpf_programs_keep_told(struct bpf_programs *p, struct ring *r)
{
	u64 head = ring_head(r);

	for (u64 at = r->tail; at < head;) {
		struct perf_event_header h;
		u64 w = ring_word(r, at);

		memcpy(&h, &w, sizeof(h));
		if (h.size < sizeof(h) || h.size % 8 || h.size > head - at)
			break;
		/* u16 type, u16 flags, u32 id */
		w = h.type == PERF_RECORD_BPF_EVENT && h.size >= 16 ? ring_word(r, at + 8) : 0;
		if ((u16)w == PROG_LOAD)
			bpf_programs_keep(p, (u32)(w >> 32));
		at += h.size;
	}
	ring_consume(r, head);
}

static void release(bpf_entries *l)
{
	VEC_FOR(l, entry)
		free(entry->bytes);
	vec_free(l);
}

void bpf_programs_release(struct bpf_programs *p)
{
	release(&p->programs);
	release(&p->types);
	p->bytes = 0;
}

void bpf_programs_write(const struct bpf_programs *p, struct strbuf *body)
{
	feature_add_u32(body, (u32)p->programs.nr);
	VEC_FOR(&p->programs, entry)
		strbuf_add(body, entry->bytes, entry->len);
}

void bpf_programs_write_types(const struct bpf_programs *p, struct strbuf *body)
{
	feature_add_u32(body, (u32)p->types.nr);
	VEC_FOR(&p->types, entry) {
		feature_add_u32(body, entry->id);
		feature_add_u32(body, (u32)entry->len);
		strbuf_add(body, entry->bytes, entry->len);
	}
}
