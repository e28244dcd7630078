/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/mem.h"

enum { LOG_BYTES = 1 << 20 };

static int call(enum bpf_cmd cmd, union bpf_attr *attr)
{
	long r;

	do
		r = syscall(SYS_bpf, cmd, attr, sizeof(*attr));
	while (r < 0 && errno == EAGAIN && cmd == BPF_PROG_LOAD);
	return r < 0 ? -errno : (int)r;
}

int bpf_map_create(const struct bpf_map_spec *spec)
{
	union bpf_attr attr = { .map_type = spec->type,
				.key_size = spec->key,
				.value_size = spec->value,
				.max_entries = spec->entries,
				.map_flags = spec->flags };

	snprintf(attr.map_name, sizeof(attr.map_name), "%s", spec->name);
	return call(BPF_MAP_CREATE, &attr);
}

int bpf_map_set(int map, const void *key, const void *value)
{
	union bpf_attr attr = { .map_fd = (u32)map,
				.key = (u64)(uintptr_t)key,
				.value = (u64)(uintptr_t)value };

	return call(BPF_MAP_UPDATE_ELEM, &attr);
}

bool bpf_map_get(int map, const void *key, void *value)
{
	union bpf_attr attr = { .map_fd = (u32)map,
				.key = (u64)(uintptr_t)key,
				.value = (u64)(uintptr_t)value };

	return call(BPF_MAP_LOOKUP_ELEM, &attr) >= 0;
}

bool bpf_map_next(int map, const void *key, void *next)
{
	union bpf_attr attr = { .map_fd = (u32)map,
				.key = (u64)(uintptr_t)key,
				.next_key = (u64)(uintptr_t)next };

	return call(BPF_MAP_GET_NEXT_KEY, &attr) >= 0;
}

static bool batch(enum bpf_cmd what, int map, void *from, void *cursor, void *keys, void *values,
		  u32 *nr)
{
	union bpf_attr attr = { .batch = {
					.in_batch = (u64)(uintptr_t)from,
					.out_batch = (u64)(uintptr_t)cursor,
					.keys = (u64)(uintptr_t)keys,
					.values = (u64)(uintptr_t)values,
					.count = *nr,
					.map_fd = (u32)map,
				} };
	int r = call(what, &attr);

	/* what came before the end is there as well */
	*nr = r >= 0 || r == -ENOENT ? attr.batch.count : 0;
	return r >= 0;
}

bool bpf_map_take(int map, bool first, void *cursor, void *keys, void *values, u32 *nr)
{
	return batch(BPF_MAP_LOOKUP_AND_DELETE_BATCH, map, first ? NULL : cursor, cursor, keys,
		     values, nr);
}

bool bpf_map_look(int map, bool first, void *cursor, void *keys, void *values, u32 *nr)
{
	return batch(BPF_MAP_LOOKUP_BATCH, map, first ? NULL : cursor, cursor, keys, values, nr);
}

int bpf_program_load(const struct bpf_program *p, char *why, size_t size)
{
	union bpf_attr attr = { .prog_type = p->type,
				.insn_cnt = (u32)p->nr,
				.insns = (u64)(uintptr_t)p->insns,
				.license = (u64)(uintptr_t) "GPL" };
	char *log;
	int r;

	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", p->name);
	why[0] = '\0';
	r = call(BPF_PROG_LOAD, &attr);
	if (r >= 0 || r == -EPERM)
		return r;
	log = xcalloc(1, LOG_BYTES);
	attr.log_level = 1;
	attr.log_buf = (u64)(uintptr_t)log;
	attr.log_size = LOG_BYTES;
	r = call(BPF_PROG_LOAD, &attr);
	if (r < 0) {
		size_t len = strlen(log);

		snprintf(why, size, "%s", log + (len >= size ? len - size + 1 : 0));
	}
	free(log);
	return r;
}

u64 bpf_program_missed(int program)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = (u32)program,
					  .info_len = sizeof(info),
					  .info = (u64)(uintptr_t)&info } };

	return call(BPF_OBJ_GET_INFO_BY_FD, &attr) < 0 ? 0 : info.recursion_misses;
}

int bpf_attach(int program, const char *tracepoint)
{
	union bpf_attr attr = { .raw_tracepoint = { .name = (u64)(uintptr_t)tracepoint,
						    .prog_fd = (u32)program } };

	return call(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int bpf_ring_map(struct bpf_ring *r, int map, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *consumer, *rest;

	consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (consumer == MAP_FAILED)
		return -errno;
	rest = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, map, (off_t)page);
	if (rest == MAP_FAILED) {
		int err = errno;

		munmap(consumer, page);
		return -err;
	}
	*r = (struct bpf_ring){ .consumer = consumer,
				.producer = rest,
				.mask = size - 1,
				.data = (const u8 *)rest + page,
				.page = page };
	return 0;
}

void bpf_ring_unmap(struct bpf_ring *r)
{
	if (!r->consumer)
		return;
	munmap(r->consumer, r->page);
	munmap((void *)(uintptr_t)r->producer, r->page + 2 * (r->mask + 1));
	*r = (struct bpf_ring){ 0 };
}

bool bpf_ring_take(struct bpf_ring *r, void *record, u32 size)
{
	u64 at = *r->consumer;
	bool found = false;

	while (!found && at != __atomic_load_n(r->producer, __ATOMIC_ACQUIRE)) {
		const u8 *p = r->data + (at & r->mask);
		u32 head = __atomic_load_n((const u32 *)(const void *)p, __ATOMIC_ACQUIRE);
		u32 len = head & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		/* still being written */
		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		found = !(head & BPF_RINGBUF_DISCARD_BIT) && len == size;
		if (found)
			memcpy(record, p + BPF_RINGBUF_HDR_SZ, size);
		at += ALIGN_UP(len + BPF_RINGBUF_HDR_SZ, 8);
		__atomic_store_n(r->consumer, at, __ATOMIC_RELEASE);
	}
	return found;
}
