/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/jit/jitdump.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "dso/owned_file.h"

enum { MAGIC = 0x4a695444, VERSION = 1, FLAG_ARCH_TIMESTAMP = 1 };
enum { HEADER_SIZE = 40, RECORD_SIZE = 16, LOAD_SIZE = 40, MOVE_SIZE = 48, NAME_MAX_BYTES = 4096 };
enum { JIT_CODE_LOAD, JIT_CODE_MOVE, JIT_CODE_DEBUG_INFO, JIT_CODE_CLOSE, JIT_CODE_UNWINDING_INFO };
/* No record is as long: of a file that a compiler still writes, the last one ends behind it. */
enum { CODES_MAX = 1 << 24, RECORD_MAX = 64 << 20 };

#if defined(__x86_64__)
enum { HOST_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { HOST_MACHINE = EM_AARCH64 };
#else
enum { HOST_MACHINE = EM_NONE };
#endif

struct jitdump_reader {
	FILE *f;
	bool swap;
	bool goes_on; /* where another reading ended */
	u64 place;
	struct jit_code extra; /* what the last records say about the next function */
	struct map by_index; /* of the compiler: code_index -> a place in `last` */
	VEC(u32) last; /* the last jit_code of each code_index */
};

static u32 get32(const struct jitdump_reader *r, const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return r->swap ? __builtin_bswap32(v) : v;
}

static u64 get64(const struct jitdump_reader *r, const u8 *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return r->swap ? __builtin_bswap64(v) : v;
}

bool jitdump_is_name(const char *path, u32 *pid)
{
	const char *base = strrchr(path, '/');
	char *end;
	unsigned long v;

	base = base ? base + 1 : path;
	if (strncmp(base, "jit-", 4) != 0 || base[4] < '0' || base[4] > '9')
		return false;
	errno = 0;
	v = strtoul(base + 4, &end, 10);
	*pid = (u32)v;
	return !errno && v <= INT32_MAX && !strcmp(end, ".dump");
}

/* Where the last code of an index is kept. */
static u32 *find_last(const struct jitdump *j, const struct jitdump_reader *r, u64 index)
{
	u32 i;

	for (struct map_probe p = map_first(&r->by_index, hash_u64(index));
	     map_next(&r->by_index, &p, &i);)
		if (j->codes.v[r->last.v[i]].index == index)
			return &r->last.v[i];
	return NULL;
}

static void add_code(struct jitdump *j, struct jitdump_reader *r, const struct jit_code *c)
{
	u32 *last = find_last(j, r, c->index);

	if (j->codes.nr >= CODES_MAX)
		return;
	if (!last) {
		map_add(&r->by_index, hash_u64(c->index), (u32)r->last.nr);
		last = VEC_PUSH(&r->last);
	}
	*last = (u32)j->codes.nr;
	*VEC_PUSH(&j->codes) = *c;
}

static void read_load(struct jitdump *j, struct jitdump_reader *r, u64 time, u64 left, u64 file_at)
{
	u8 b[LOAD_SIZE];
	struct jit_code c = r->extra;
	size_t at = j->names.len;
	int ch = 0;

	r->extra = (struct jit_code){ 0 };
	c.time = time;

	if (left < sizeof(b) || fread(b, sizeof(b), 1, r->f) != 1)
		return;
	left -= sizeof(b);
	file_at += sizeof(b);
	c.addr = get64(r, b + 16);
	c.size = get64(r, b + 24);
	for (ch = -1; left && ch && (ch = getc(r->f)) != EOF; left--, file_at++)
		if (ch && j->names.len - at < NAME_MAX_BYTES)
			strbuf_addch(&j->names, (char)ch);
	strbuf_addch(&j->names, '\0');
	if (ch || !c.size || c.addr + c.size < c.addr || c.size > UINT32_MAX || at > UINT32_MAX)
		return;
	c.name = (u32)at;
	c.bytes = c.size <= left ? file_at : 0;
	c.place = r->place;
	r->place += c.size;
	c.index = get64(r, b + 32);
	add_code(j, r, &c);
}

/* Source lines of the next function. */
static void read_debug_info(struct jitdump_reader *r, u64 left, u64 file_at)
{
	enum { FIXED = 16, ENTRY_MIN = 17 };
	u8 b[FIXED];
	u64 nr;

	if (left < sizeof(b) || left > UINT32_MAX || fread(b, sizeof(b), 1, r->f) != 1)
		return;
	nr = get64(r, b + 8);
	if (nr > (left - sizeof(b)) / ENTRY_MIN)
		return;
	r->extra.lines = file_at + sizeof(b);
	r->extra.lines_addr = get64(r, b);
	r->extra.lines_size = (u32)(left - sizeof(b));
	r->extra.nr_lines = (u32)nr;
}

/* Call frame information of the next function. */
static void read_unwinding_info(struct jitdump_reader *r, u64 left, u64 file_at)
{
	enum { FIXED = 24, SIZE_MAX_BYTES = 1 << 20 };
	u8 b[FIXED];
	u64 size, hdr;

	if (left < sizeof(b) || fread(b, sizeof(b), 1, r->f) != 1)
		return;
	size = get64(r, b);
	hdr = get64(r, b + 8);
	if (size > left - sizeof(b) || size > SIZE_MAX_BYTES || hdr >= size)
		return;
	r->extra.unwind = file_at + sizeof(b);
	r->extra.unwind_size = (u32)size;
	r->extra.unwind_hdr = (u32)hdr;
}

/* The same code at another address. */
static void read_move(struct jitdump *j, struct jitdump_reader *r, u64 time, u64 left)
{
	u8 b[MOVE_SIZE];
	const u32 *last;
	struct jit_move move;
	struct jit_code c;

	if (left < sizeof(b) || fread(b, sizeof(b), 1, r->f) != 1)
		return;
	move = (struct jit_move){ .time = time,
				  .addr = get64(r, b + 24),
				  .index = get64(r, b + 40) };
	last = find_last(j, r, move.index);
	if (!last && r->goes_on && j->moves.nr < CODES_MAX)
		*VEC_PUSH(&j->moves) = move;
	if (!last)
		return;
	c = j->codes.v[*last];
	c.time = time;
	c.addr = move.addr;
	if (c.addr + c.size > c.addr)
		add_code(j, r, &c);
}

static int cmp_time(const void *a, const void *b)
{
	const struct jit_code *x = a;
	const struct jit_code *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Space that was made for more records is no damage. */
static bool is_empty(const u8 *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (b[i])
			return false;
	return true;
}

static void read_records(struct jitdump *j, struct jitdump_reader *r, u64 size)
{
	u8 b[RECORD_SIZE];
	u64 at = (u64)ftello(r->f);

	while (at < size && fread(b, sizeof(b), 1, r->f) == 1) {
		u32 id = get32(r, b);
		u64 next = at + get32(r, b + 4);
		u64 time = get64(r, b + 8);

		if (!j->first_time)
			j->first_time = time;
		if ((next < at + sizeof(b) && !is_empty(b, sizeof(b))) || next > at + RECORD_MAX)
			j->damaged = at;
		if (next < at + sizeof(b) || next > size || id == JIT_CODE_CLOSE)
			break;
		if (id == JIT_CODE_LOAD)
			read_load(j, r, time, next - at - sizeof(b), at + sizeof(b));
		else if (id == JIT_CODE_DEBUG_INFO)
			read_debug_info(r, next - at - sizeof(b), at + sizeof(b));
		else if (id == JIT_CODE_UNWINDING_INFO)
			read_unwinding_info(r, next - at - sizeof(b), at + sizeof(b));
		else if (id == JIT_CODE_MOVE)
			read_move(j, r, time, next - at - sizeof(b));
		if (fseeko(r->f, (off_t)next, SEEK_SET))
			break;
		at = next;
		/* what is said of the next function belongs to that */
		if (!r->extra.unwind && !r->extra.lines)
			j->end = at;
	}
	if (j->codes.nr)
		qsort(j->codes.v, j->codes.nr, sizeof(*j->codes.v), cmp_time);
}

static int read_header(struct jitdump *j, struct jitdump_reader *r, const char *path, struct err *e)
{
	u8 b[HEADER_SIZE];
	u32 size;

	if (fread(b, sizeof(b), 1, r->f) != 1)
		return err_set(e, EINVAL, "'%s' is too short for a jitdump", path);
	r->swap = get32(r, b) == __builtin_bswap32(MAGIC);
	if (get32(r, b) != MAGIC || get32(r, b + 4) != VERSION)
		return err_set(e, EINVAL, "'%s' is not a jitdump of version %d", path, VERSION);
	size = get32(r, b + 8);
	j->machine = get32(r, b + 12);
	if (!j->machine) /* CPython does not say */
		j->machine = HOST_MACHINE;
	j->swap = r->swap;
	j->pid = get32(r, b + 20);
	j->tsc = get64(r, b + 32) & FLAG_ARCH_TIMESTAMP;
	if (size < sizeof(b) || fseeko(r->f, size, SEEK_SET))
		return err_set(e, EINVAL, "'%s' has a broken header", path);
	return 0;
}

static void note_file(struct jitdump *j, int fd, const char *path, bool force)
{
	struct stat st = { 0 };

	(void)fstat(fd, &st);
	free(j->path);
	j->path = xstrdup(path);
	j->dev = st.st_dev;
	j->ino = st.st_ino;
	j->any_owner = force;
}

int jitdump_open(const struct jitdump *j, struct err *e)
{
	u64 size;
	int fd = j->path ? owned_file_open(j->path, j->any_owner, &size, e) : -1;
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && st.st_dev == j->dev && st.st_ino == j->ino))
		return fd;
	close(fd);
	return err_set(e, ESTALE, "'%s' is another file now than the one that was read", j->path);
}

int jitdump_read(struct jitdump *j, const char *path, u64 from, bool force, struct err *e)
{
	_cleanup_(mem_fclosep) FILE *f = NULL;
	struct jitdump_reader r = { 0 };
	u64 size = 0;
	int fd = owned_file_open(path, force, &size, e);
	int ret;

	if (fd < 0)
		return -1;
	f = fdopen(fd, "r");
	if (!f) {
		close(fd);
		return err_sys(e, ENOMEM, "cannot read '%s'", path);
	}
	r.f = f;
	r.goes_on = from != 0;
	note_file(j, fd, path, force);
	ret = read_header(j, &r, path, e);
	if (!ret && from && fseeko(f, (off_t)MIN(from, size), SEEK_SET))
		ret = err_sys(e, errno, "cannot read '%s'", path);
	if (!ret)
		read_records(j, &r, size);
	map_release(&r.by_index);
	vec_free(&r.last);
	return ret;
}

void jitdump_release(struct jitdump *j)
{
	vec_free(&j->codes);
	vec_free(&j->moves);
	strbuf_release(&j->names);
	free(j->path);
	j->path = NULL;
}

struct jit_clock jit_clock_of(const struct jitdump *j, u64 mapped, bool comparable)
{
	struct jit_clock c = { .since = mapped };

	if (comparable)
		return c;
	if (j->tsc || !mapped || !j->first_time)
		c.timeless = true;
	else
		c.shift = mapped - j->first_time;
	return c;
}

u64 jit_clock_time(const struct jit_clock *clock, const struct jit_code *c)
{
	return clock->timeless ? clock->since : MAX(c->time + clock->shift, clock->since);
}
