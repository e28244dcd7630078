/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The features about BPF programs: what is loaded when they are written, with the code that runs
 * and its line tables, and the type information that belongs to it. Without the privilege to ask
 * for them the lists are empty.
 *
 * Source: bpf(2), linux/bpf.h; the numbers of the arrays are those of enum bpf_prog_info_array in
 * the header of libbpf 0.x.
 */
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/features.h"

enum { MAX_PROGRAMS = 4096, MAX_ONE = 16 << 20, MAX_ALL = 64 << 20 };

/* The arrays that are kept, in the order in which they stand in the file. */
static const struct info_array {
	unsigned int bit;
	size_t pointer, count; /* fields of struct bpf_prog_info */
	size_t size_field;     /* the field with the size of an element, or 0 ... */
	u32 size;              /* ... and this is it */
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

static bool next_program(u32 *id)
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

/* Calls take() with a descriptor of each loaded program, by id. */
static void each_program(bool (*take)(int fd, struct strbuf *body, void *ctx), struct strbuf *body,
			 void *ctx)
{
	u32 id = 0, nr = 0;

	feature_add_u32(body, 0);
	for (unsigned int i = 0; i < MAX_PROGRAMS && body->len < MAX_ALL && next_program(&id);
	     i++) {
		union bpf_attr attr = { .prog_id = id };
		long fd = call(BPF_PROG_GET_FD_BY_ID, &attr);

		if (fd < 0)
			continue;
		nr += take((int)fd, body, ctx);
		close((int)fd);
	}
	memcpy(body->buf, &nr, sizeof(nr));
}

static bool add_program(int fd, struct strbuf *body, void *ctx UNUSED)
{
	struct bpf_prog_info info;
	u8 *data = NULL;
	size_t len = 0;
	u64 kept;
	bool ok = read_program(fd, &info, &kept, &data, &len);

	if (ok) {
		feature_add_u32(body, sizeof(info));
		feature_add_u32(body, (u32)len);
		feature_add_u64(body, kept);
		strbuf_add(body, &info, sizeof(info));
		strbuf_add(body, data, len);
	}
	free(data);
	return ok;
}

bool feature_bpf_prog_info(struct feature_ctx *ctx, struct strbuf *body)
{
	if (ctx->cfg->no_bpf)
		feature_add_u32(body, 0);
	else
		each_program(add_program, body, NULL);
	return true;
}

typedef VEC(u32) seen_ids;

/* The program's type information, once for all programs that share it. */
static bool add_btf(int prog_fd, struct strbuf *body, void *ctx)
{
	seen_ids *seen = ctx;
	struct bpf_prog_info prog = { 0 };
	struct bpf_btf_info info = { 0 };
	union bpf_attr attr = { 0 };
	size_t at = body->len;
	long fd;
	bool ok;

	if (!get_info(prog_fd, &prog, sizeof(prog)) || !prog.btf_id)
		return false;
	VEC_FOR (seen, id) {
		if (*id == prog.btf_id)
			return false;
	}
	attr.btf_id = prog.btf_id;
	fd = call(BPF_BTF_GET_FD_BY_ID, &attr);
	if (fd < 0)
		return false;
	ok = get_info((int)fd, &info, sizeof(info)) && info.btf_size <= MAX_ONE;
	if (ok) {
		u32 size = info.btf_size;

		feature_add_u32(body, prog.btf_id);
		feature_add_u32(body, size);
		strbuf_pad(body, '\0', size);
		info = (struct bpf_btf_info){
			.btf_size = size, .btf = (u64)(uintptr_t)(body->buf + body->len - size)
		};
		ok = get_info((int)fd, &info, sizeof(info));
	}
	close((int)fd);
	if (ok)
		*VEC_PUSH(seen) = prog.btf_id;
	else
		body->len = at;
	return ok;
}

bool feature_bpf_btf(struct feature_ctx *ctx, struct strbuf *body)
{
	seen_ids seen = { 0 };

	if (ctx->cfg->no_bpf)
		feature_add_u32(body, 0);
	else
		each_program(add_btf, body, &seen);
	vec_free(&seen);
	return true;
}
