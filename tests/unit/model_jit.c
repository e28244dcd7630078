/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code of a JIT compiler: an address has the name that it had at the time that is asked for. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dso/jit/jitdump.h"
#include "model/model.h"

enum { PID = 4194999, CODE = 0x10000 }; /* no process: more than pid_max can be */

static char path[64];
static FILE *file;
static struct dso_table *jit_dsos;

static void word32(u32 v)
{
	fwrite(&v, sizeof(v), 1, file);
}

static void word64(u64 v)
{
	fwrite(&v, sizeof(v), 1, file);
}

static void begin(u32 magic)
{
	file = fopen(path, "w");
	word32(magic);
	word32(1);
	word32(40);
	word32(62);
	word32(0);
	word32(PID);
	word64(0);
	word64(0);
}

static void load(u64 time, u64 addr, u32 size, u64 index, const char *name)
{
	word32(0);
	word32((u32)(16 + 40 + strlen(name) + 1 + size));
	word64(time);
	word32(PID);
	word32(PID);
	word64(addr);
	word64(addr);
	word64(size);
	word64(index);
	fwrite(name, strlen(name) + 1, 1, file);
	for (u32 i = 0; i < size; i++)
		putc(0x90, file);
}

static void move(u64 time, u64 from, u64 to, u64 size, u64 index)
{
	word32(1);
	word32(16 + 48);
	word64(time);
	word32(PID);
	word32(PID);
	word64(to);
	word64(from);
	word64(to);
	word64(size);
	word64(index);
}

static void map_at(struct model *m, u64 start, u64 len, const char *name, u64 time)
{
	union {
		struct perf_event_header h;
		u8 b[256];
	} r = { .h = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER, .size = 200 } };
	u32 pid = PID;
	u32 prot = 5;

	memcpy(r.b + 8, &pid, 4);
	memcpy(r.b + 12, &pid, 4);
	memcpy(r.b + 16, &start, 8);
	memcpy(r.b + 24, &len, 8);
	memcpy(r.b + 64, &prot, 4);
	snprintf((char *)r.b + 72, 100, "%s", name);
	model_apply(m, &r.h, time);
}

static const char *name_at(struct model *m, u64 addr, u64 time)
{
	u32 thread = model_thread_at(m, PID, PID, time);
	const struct model_map *map = model_find_map(m, thread, PERF_RECORD_MISC_USER, addr, time);
	const struct symtab *st;
	u32 sym;

	if (!map)
		return "unmapped";
	st = dso_symtab(dso_table_get(jit_dsos, map->dso));
	sym = symtab_find(st, model_map_ip(map, addr));
	return sym == SYM_NONE ? "unnamed" : symtab_name(st, sym);
}

struct fixture {
	struct dso_config config;
	struct model *m;
};

static void open_model(struct fixture *f, bool monotonic)
{
	*f = (struct fixture){ .config = { .force = true } };
	jit_dsos = dso_table_new(&f->config);
	f->m = model_new(jit_dsos);
	model_set_jit_times(f->m, monotonic);
}

static void close_model(struct fixture *f)
{
	model_free(f->m);
	dso_table_free(jit_dsos);
}

static void write_history(void)
{
	begin(0x4a695444);
	load(1000, CODE, 0x100, 1, "first");
	load(1000, CODE + 0x100, 0x80, 2, "second");
	load(2000, CODE + 0x40, 0x40, 3, "replacement");
	move(3000, CODE + 0x100, CODE + 0x800, 0x80, 2);
	fclose(file);
}

static void names_have_times(void **state)
{
	struct fixture f;

	(void)state;
	write_history();
	open_model(&f, true);
	map_at(f.m, 0x400000, 0x1000, path, 500);
	map_at(f.m, CODE, 0x1000, "//anon", 600);
	map_at(f.m, 0x500000, 0x1000, "/bin/true", 2500);
	model_freeze(f.m);
	assert_string_equal(name_at(f.m, CODE + 0x10, 700), "unnamed");
	assert_string_equal(name_at(f.m, CODE + 0x10, 1500), "first");
	assert_string_equal(name_at(f.m, CODE + 0x50, 1500), "first");
	assert_string_equal(name_at(f.m, CODE + 0x50, 2400), "replacement");
	assert_string_equal(name_at(f.m, CODE + 0x90, 2400), "first");
	model_advance(f.m, UINT64_MAX);
	model_freeze(f.m);
	assert_string_equal(name_at(f.m, CODE + 0x50, 1500), "first");
	assert_string_equal(name_at(f.m, CODE + 0x110, 2400), "second");
	assert_string_equal(name_at(f.m, CODE + 0x810, 2400), "unnamed");
	assert_string_equal(name_at(f.m, CODE + 0x810, 3500), "second");
	assert_int_equal(model_jits(f.m).read, 1);
	assert_int_equal(model_jits(f.m).timeless, 0);
	close_model(&f);
}

/* Another clock: the first code belongs to when the file was mapped. */
static void another_clock(void **state)
{
	struct fixture f;

	(void)state;
	write_history();
	open_model(&f, false);
	map_at(f.m, 0x400000, 0x1000, path, 901000);
	map_at(f.m, CODE, 0x1000, "//anon", 901000);
	model_advance(f.m, UINT64_MAX);
	model_freeze(f.m);
	assert_string_equal(name_at(f.m, CODE + 0x50, 901500), "first");
	assert_string_equal(name_at(f.m, CODE + 0x50, 902500), "replacement");
	assert_int_equal(model_jits(f.m).timeless, 0);
	close_model(&f);
}

/* Mapped before the recording began: the newest names, always. */
static void no_clock(void **state)
{
	struct fixture f;

	(void)state;
	write_history();
	open_model(&f, false);
	map_at(f.m, 0x400000, 0x1000, path, 0);
	map_at(f.m, CODE, 0x1000, "//anon", 0);
	model_advance(f.m, UINT64_MAX);
	model_freeze(f.m);
	assert_string_equal(name_at(f.m, CODE + 0x50, 1), "replacement");
	assert_string_equal(name_at(f.m, CODE + 0x10, 1), "first");
	assert_int_equal(model_jits(f.m).timeless, 1);
	close_model(&f);
}

static void broken_files(void **state)
{
	struct fixture f;

	(void)state;
	begin(0x12345678);
	fclose(file);
	open_model(&f, true);
	map_at(f.m, 0x400000, 0x1000, path, 500);
	model_advance(f.m, UINT64_MAX);
	assert_int_equal(model_jits(f.m).unreadable, 1);
	assert_non_null(strstr(model_jits(f.m).reason, "not a jitdump"));
	close_model(&f);
	/* cut in the middle of the second record */
	write_history();
	assert_int_equal(truncate(path, 40 + 16 + 40 + 6 + 0x100 + 20), 0);
	open_model(&f, true);
	map_at(f.m, 0x400000, 0x1000, path, 500);
	map_at(f.m, CODE, 0x1000, "//anon", 600);
	model_advance(f.m, UINT64_MAX);
	model_freeze(f.m);
	assert_string_equal(name_at(f.m, CODE + 0x50, 4000), "first");
	assert_string_equal(name_at(f.m, CODE + 0x110, 4000), "unnamed");
	close_model(&f);
}

/* Whoever may write to the folder could put another file there between two looks. */
static void replaced_file(void **state)
{
	struct jitdump j = JITDUMP_INIT;
	struct err e = ERR_INIT;
	char other[sizeof(path) + 8];

	(void)state;
	write_history();
	assert_int_equal(jitdump_read(&j, path, 0, false, &e), 0);
	int fd = jitdump_open(&j, &e);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	snprintf(other, sizeof(other), "%s.other", path);
	assert_int_equal(rename(path, other), 0);
	write_history();
	assert_int_equal(jitdump_open(&j, &e), -1);
	assert_int_equal(e.code, ESTALE);
	assert_int_equal(unlink(other), 0);
	jitdump_release(&j);
}

/* A record in the middle that makes no sense is told; space for more, and one that is not complete
 * yet, are not. */
static void damaged_files(void **state)
{
	enum { SECOND = 40 + 16 + 40 + 6 + 0x100 };
	static const struct {
		u32 id, size;
		u64 place;
	} cases[] = { { 0, 0, 0 },
		      { 0, 15, SECOND },
		      { 7, 0, SECOND },
		      { 0, UINT32_MAX, SECOND },
		      { 0, 5000, 0 } };
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		begin(0x4a695444);
		load(1000, CODE, 0x100, 1, "first");
		word32(cases[i].id);
		word32(cases[i].size);
		word64(0);
		word64(0);
		fclose(file);
		open_model(&f, true);
		map_at(f.m, 0x400000, 0x1000, path, 500);
		map_at(f.m, CODE, 0x1000, "//anon", 600);
		model_advance(f.m, UINT64_MAX);
		model_freeze(f.m);
		assert_string_equal(name_at(f.m, CODE + 0x50, 4000), "first");
		assert_int_equal(model_jits(f.m).damaged, cases[i].place != 0);
		assert_int_equal(model_jits(f.m).damaged_at, cases[i].place);
		close_model(&f);
	}
}

/*
 * Some compilers number nothing: all functions have the same index. What takes time by the square
 * of their number runs into the test's limit of time here.
 */
static void one_index(void **state)
{
	enum { CODES = 600000, STEP = 16 };
	struct fixture f;

	(void)state;
	begin(0x4a695444);
	for (int i = 0; i < CODES; i++)
		load(1000, CODE + (u64)i * STEP, STEP, 0, i == CODES - 1 ? "last" : "f");
	move(3000, CODE, 0x10, STEP, 0);
	fclose(file);
	open_model(&f, true);
	map_at(f.m, 0x10000000, 0x1000, path, 500);
	model_advance(f.m, UINT64_MAX);
	model_freeze(f.m);
	assert_string_equal(name_at(f.m, CODE + 0x10, 2000), "f");
	assert_string_equal(name_at(f.m, 0x10, 3500), "last");
	close_model(&f);
}

/* Call frame information of the next function; what is in it does not matter here. */
static void unwinding_info(u64 time)
{
	enum { SIZE = 32, HDR = 20 };

	word32(4);
	word32(16 + 24 + SIZE);
	word64(time);
	word64(SIZE);
	word64(HDR);
	word64(SIZE);
	for (int i = 0; i < SIZE; i++)
		putc(0, file);
}

/* Where in the file's objects an address is, as object * 0x10000 + place; 0 = nowhere. */
static u64 place_at(struct model *m, u64 addr, u64 time)
{
	u32 thread = model_thread_at(m, PID, PID, time);
	const struct model_map *map = model_find_map(m, thread, PERF_RECORD_MISC_USER, addr, time);

	return map && map->start >= CODE ? map->dso * 0x10000ULL + model_map_ip(map, addr) : 0;
}

/* While the file is being written: code that was read before is found where it moved to, by what is
 * said of it in the piece that it came with; also after everything that ended was forgotten. */
static void moves_in_pieces(void **state)
{
	struct fixture f;
	struct model *old;
	u64 first, second;

	(void)state;
	open_model(&f, true);
	model_follow_jits(f.m, MODEL_JITS_LIVE);
	begin(0x4a695444);
	unwinding_info(1000);
	load(1000, CODE, 0x100, 1, "first");
	unwinding_info(1000);
	load(1000, CODE + 0x100, 0x80, 2, "second");
	load(1000, CODE + 0x180, 0x80, 3, "without frames");
	fflush(file);
	map_at(f.m, 0x4000, 0x1000, path, 500);
	assert_true(model_read_jits(f.m));
	model_freeze(f.m);
	first = place_at(f.m, CODE + 0x10, 1500);
	second = place_at(f.m, CODE + 0x110, 1500);
	assert_true(first && second && first != second);
	assert_false(model_read_jits(f.m));

	/* to where other code was; to where new code comes later; of nothing; of code that nobody
	 * can unwind */
	move(3000, CODE + 0x100, CODE + 0x20, 0x80, 2);
	move(3000, CODE, CODE + 0x1000, 0x100, 1);
	move(3000, CODE, CODE + 0x5000, 0x100, 99);
	move(3000, CODE + 0x180, CODE + 0x6000, 0x100, 3);
	unwinding_info(4000);
	load(4000, CODE + 0x1000, 0x40, 1, "again");
	fflush(file);
	assert_true(model_read_jits(f.m));
	model_freeze(f.m);
	assert_int_equal(place_at(f.m, CODE + 0x30, 2500), first + 0x20);
	assert_int_equal(place_at(f.m, CODE + 0x30, 3500), second);
	assert_int_equal(place_at(f.m, CODE + 0x1010, 2500), 0);
	assert_int_equal(place_at(f.m, CODE + 0x1010, 3500), first);
	assert_int_not_equal(place_at(f.m, CODE + 0x1010, 4500), first);
	assert_int_equal(place_at(f.m, CODE + 0x1050, 4500), first + 0x40);
	assert_int_equal(place_at(f.m, CODE + 0x5010, 4500), 0);
	assert_int_equal(place_at(f.m, CODE + 0x6010, 4500), 0);

	old = f.m;
	f.m = model_survivors(old, 0, 0);
	model_free(old);
	/* nothing but a move */
	move(5000, CODE + 0x20, CODE + 0x2000, 0x80, 2);
	fclose(file);
	assert_true(model_read_jits(f.m));
	model_freeze(f.m);
	assert_int_equal(place_at(f.m, CODE + 0x2000, 5500), second - 0x10);
	assert_false(model_read_jits(f.m));
	close_model(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_have_times), cmocka_unit_test(another_clock),
		cmocka_unit_test(no_clock),         cmocka_unit_test(broken_files),
		cmocka_unit_test(replaced_file),    cmocka_unit_test(damaged_files),
		cmocka_unit_test(one_index),        cmocka_unit_test(moves_in_pieces),
	};
	char dir[] = "/tmp/unit-jit-XXXXXX";
	int ret;

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/jit-%d.dump", dir, PID);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(dir);
	return ret;
}
