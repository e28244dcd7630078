/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "dso/symbols/kallsyms.h"
#include "dso/jit/perf_map.h"
#include "dso/symbols/symtab.h"

static const char *name_at(const struct symtab *st, u64 addr)
{
	u32 i = symtab_find(st, addr);

	return i == SYM_NONE ? "-" : symtab_name(st, i);
}

static void find_and_order(void **state)
{
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct symtab *st;

	(void)state;
	symtab_builder_add(&b, 0x3000, 0x3010, "c", 'g');
	symtab_builder_add(&b, 0x1000, 0x1010, "a", 'g');
	symtab_builder_add(&b, 0x2000, 0x2000, "b", 'l');
	st = symtab_build(&b, 0);
	assert_int_equal(symtab_count(st), 3);
	assert_string_equal(name_at(st, 0xfff), "-");
	assert_string_equal(name_at(st, 0x1000), "a");
	assert_string_equal(name_at(st, 0x100f), "a");
	assert_string_equal(name_at(st, 0x1010), "-");
	/* No size: up to the next symbol. */
	assert_string_equal(name_at(st, 0x2fff), "b");
	assert_string_equal(name_at(st, 0x3010), "-");
	symtab_free(st);
}

static void nested_symbols(void **state)
{
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct symtab *st;

	(void)state;
	symtab_builder_add(&b, 0x100, 0x200, "outer", 'g');
	symtab_builder_add(&b, 0x110, 0x120, "in1", 'g');
	symtab_builder_add(&b, 0x130, 0x140, "in2", 'g');
	symtab_builder_add(&b, 0x300, 0x310, "far", 'g');
	st = symtab_build(&b, 0);
	assert_string_equal(name_at(st, 0x118), "in1");
	assert_string_equal(name_at(st, 0x128), "outer");
	assert_string_equal(name_at(st, 0x1ff), "outer");
	assert_string_equal(name_at(st, 0x200), "-");
	assert_string_equal(name_at(st, 0x305), "far");
	symtab_free(st);
}

static void labels_inside(void **state)
{
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct symtab *st;

	(void)state;
	symtab_builder_add(&b, 0x100, 0x200, "function", 'g');
	symtab_builder_add(&b, 0x120, 0x120, "label", 'l');
	symtab_builder_add(&b, 0x180, 0x180, "tail", 'l');
	symtab_builder_add(&b, 0x300, 0x310, "next", 'g');
	/* OCaml's mark where the code of a module begins, which is a function's begin. */
	symtab_builder_add(&b, 0x400, 0x410, "work", 'g');
	symtab_builder_add(&b, 0x400, 0x400, "the_begin_of_code", 'g');
	st = symtab_build(&b, 0);
	assert_string_equal(name_at(st, 0x11f), "function");
	assert_string_equal(name_at(st, 0x120), "function");
	assert_string_equal(name_at(st, 0x1ff), "function");
	/* Behind the function's end, where the last label goes on. */
	assert_string_equal(name_at(st, 0x200), "tail");
	assert_string_equal(name_at(st, 0x300), "next");
	assert_string_equal(name_at(st, 0x408), "work");
	symtab_free(st);
}

/* The same names, as the string table of a file. */
static void leave_in_file(struct symtab_builder *b)
{
	FILE *f = tmpfile();

	assert_non_null(f);
	assert_int_equal(fwrite("head", 1, 4, f), 4);
	assert_int_equal(fwrite(b->names.buf, 1, b->names.len, f), b->names.len);
	assert_int_equal(fflush(f), 0);
	b->file = (struct sym_name_file){ dup(fileno(f)), 4, (u32)b->names.len };
	assert_true(b->file.fd >= 0);
	strbuf_reset(&b->names);
	fclose(f);
}

static const char *winner(const struct sym_row *rows, const char *const *names, size_t nr,
			  bool in_file)
{
	static char found[64];
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct symtab *st;

	for (size_t i = 0; i < nr; i++)
		symtab_builder_add(&b, 0x1000, rows[i].end, names[i], rows[i].binding);
	if (in_file)
		leave_in_file(&b);
	symtab_builder_add(&b, 0x2000, 0x2010, "next", 'g');
	st = symtab_build(&b, SYMTAB_DEMANGLE);
	assert_int_equal(symtab_count(st), 2);
	assert_string_equal(symtab_name(st, 1), "next");
	snprintf(found, sizeof(found), "%s", symtab_name(st, 0));
	assert_string_equal(symtab_name(st, 0), found);
	symtab_free(st);
	return found;
}

static void aliases(void **state)
{
	enum { NONE = 0x1000, SIZED = 0x1010 };
	static const struct {
		const char *names[3];
		struct sym_row rows[3];
		const char *wins;
	} cases[] = {
		{ { "local", "global", "weak_one" },
		  { { .end = SIZED, .binding = 'l' },
		    { .end = SIZED, .binding = 'g' },
		    { .end = SIZED, .binding = 'w' } },
		  "global" },
		{ { "weak_one", "loc" },
		  { { .end = SIZED, .binding = 'w' }, { .end = SIZED, .binding = 'l' } },
		  "loc" },
		{ { "label", "_sized" },
		  { { .end = NONE, .binding = 'g' }, { .end = SIZED, .binding = 'l' } },
		  "_sized" },
		{ { "__longer_name", "_name" },
		  { { .end = SIZED, .binding = 'g' }, { .end = SIZED, .binding = 'g' } },
		  "_name" },
		{ { "read", "longer", "second" },
		  { { .end = SIZED, .binding = 'g' },
		    { .end = SIZED, .binding = 'g' },
		    { .end = SIZED, .binding = 'g' } },
		  "longer" },
		/* Sizes that differ: the name decides on the size, too. */
		{ { "short", "much_longer", "_longest_of_them" },
		  { { .end = SIZED, .binding = 'g' },
		    { .end = SIZED + 8, .binding = 'g' },
		    { .end = SIZED, .binding = 'g' } },
		  "much_longer" },
		/* As in kallsyms: the last of several without size gets one, and so wins. */
		{ { "first_text", "__text_end" },
		  { { .end = NONE, .binding = 'g' }, { .end = NONE, .binding = 'l' } },
		  "__text_end" },
#ifdef HAVE_LIBIBERTY
		/* The demangled length counts: a::longer against a::b<int>. */
		{ { "_ZN1a1bIiEEvPKcS2_S2_", "_ZN1a6longerEv" },
		  { { .end = SIZED, .binding = 'g' }, { .end = SIZED, .binding = 'g' } },
		  "a::b<int>" },
		{ { "_ZN1a1bEPKcS1_S1_", "_ZN1a6longerEv" },
		  { { .end = SIZED, .binding = 'g' }, { .end = SIZED, .binding = 'g' } },
		  "a::longer" },
#endif
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t nr = cases[i].names[2] ? 3 : 2;

		assert_string_equal(winner(cases[i].rows, cases[i].names, nr, false),
				    cases[i].wins);
		assert_string_equal(winner(cases[i].rows, cases[i].names, nr, true), cases[i].wins);
	}
}

/* A name alone is looked for in a file: whole, wherever the buffer ends. */
static void kallsyms_names(void **state)
{
	static const char tail[] =
		"ffffffff81000010 t walk_list\nffffffffc0000000 t in_module\t[mod]\n"
		"ffffffff81000020 T last";
	char path[] = "/tmp/unit-kallsyms-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	for (int i = 0; i < 20000; i++)
		assert_true(dprintf(fd, "ffffffff8100%04x t filler_%x\n", i, i) > 0);
	assert_int_equal(write(fd, tail, sizeof(tail) - 1), sizeof(tail) - 1);
	close(fd);
	for (int i = 0; i < 20000; i += 97) {
		char name[32];

		snprintf(name, sizeof(name), "filler_%x", i);
		assert_true(kallsyms_may_have(path, name));
	}
	assert_true(kallsyms_may_have(path, "walk_list"));
	assert_true(kallsyms_may_have(path, "in_module"));
	assert_true(kallsyms_may_have(path, "last"));
	assert_false(kallsyms_may_have(path, "walk"));
	assert_false(kallsyms_may_have(path, "list"));
	assert_false(kallsyms_may_have(path, "filler_zz"));
	unlink(path);
	/* of what cannot be read, nothing is known */
	assert_true(kallsyms_may_have(path, "walk"));
}

static void check_kallsyms(struct kallsyms *k)
{
	struct symtab *kernel, *module;

	assert_false(k->all_zero);
	assert_int_equal(k->parts.nr, 2);
	assert_string_equal(k->parts.v[1].module, "my_mod");
	VEC_FOR(&k->parts, part)
		kallsyms_lend_names(k, part);
	kernel = symtab_build(&k->parts.v[0].rows, 0);
	module = symtab_build(&k->parts.v[1].rows, 0);
	assert_string_equal(name_at(kernel, 0xffffffff81000005), "_stext");
	assert_string_equal(name_at(kernel, 0xffffffff81000025), "second");
	assert_string_equal(name_at(kernel, 0xffffffff81000031), "last");
	assert_int_equal(symtab_symbol(kernel, 1).binding, 'l');
	assert_string_equal(name_at(module, 0xffffffffc0000010), "mod_init");
	assert_string_equal(name_at(module, 0xffffffffc0000110), "mod_fn");
	symtab_free(kernel);
	symtab_free(module);
	kallsyms_release(k);
}

/* From a pipe, and from a file in which the names stay. */
static void kallsyms_columns(void **state)
{
	static const char text[] = "ffffffff81000000 T _stext\n"
				   "ffffffff81000010 t is_not_the_last_here\n"
				   "ffffffff81000010 t second\n"
				   "garbage\n"
				   "ffffffff81000020 r rodata\n"
				   "ffffffffc0000000 t mod_init\t[my_mod]\n"
				   "ffffffffc0000100 T mod_fn\t[my_mod]\n"
				   "ffffffff81000030 W last";
	char path[] = "/tmp/dso_symtab-XXXXXX";
	char from_pipe[32];
	int fd = mkstemp(path), ends[2];
	struct kallsyms k;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, sizeof(text) - 1), sizeof(text) - 1);
	close(ends[1]);
	snprintf(from_pipe, sizeof(from_pipe), "/proc/self/fd/%d", ends[0]);
	assert_int_equal(kallsyms_read(&k, from_pipe, true, NULL), 0);
	close(ends[0]);
	assert_int_equal(k.file.size, 0);
	check_kallsyms(&k);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	assert_int_equal(kallsyms_read(&k, path, false, NULL), 0);
	unlink(path);
	assert_int_equal(k.file.size, sizeof(text) - 1);
	check_kallsyms(&k);
}

static void perf_map_lines(void **state)
{
	static const char text[] =
		"1000 10 first name\n"
		"bad line\n"
		"0x2000 0x20 hex\n"
		"1000 8 newer\n"
		"ffffffffffffff00 1000 wraps\n"
		"4000 20 Lorg/app/Main$Inner;::run->Ljava/lang/Math;::max\n"
		"0x00007F12B2D3C080 0x0000000000000118 void java.lang.Object.<init>()\n"
		"00007F12B2D3D000 2c instance void [System.Linq] A.B+<>c::Go(int32)[Tier0]\n"
		"5000\t10  tabs and blanks\r\n"
		"6000 10\n"
		"7000 10 \n"
		"3000 10 end";
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct symtab *st;

	(void)state;
	perf_map_parse(&b, text, sizeof(text) - 1);
	st = symtab_build(&b, SYMTAB_LAST_WINS);
	assert_string_equal(name_at(st, 0x1004), "newer");
	assert_string_equal(name_at(st, 0x2010), "hex");
	assert_string_equal(name_at(st, 0x3000), "end");
	/* perf-map-agent (unfolded), Java's own, .NET */
	assert_string_equal(name_at(st, 0x401f),
			    "Lorg/app/Main$Inner;::run->Ljava/lang/Math;::max");
	assert_string_equal(name_at(st, 0x7f12b2d3c197), "void java.lang.Object.<init>()");
	assert_string_equal(name_at(st, 0x7f12b2d3d000),
			    "instance void [System.Linq] A.B+<>c::Go(int32)[Tier0]");
	assert_string_equal(name_at(st, 0x5000), "tabs and blanks");
	assert_string_equal(name_at(st, 0x6000), "-");
	assert_string_equal(name_at(st, 0x7000), "-");
	assert_string_equal(name_at(st, 0xffffffffffffff80), "wraps");
	symtab_free(st);
}

static void own_symbols(void **state)
{
	static const struct dso_config config = { 0 };
	struct dso_table *t = dso_table_new(&config);
	struct dso_key key = { .name = "/proc/self/exe", .kind = DSO_USER };
	dso_id id = dso_table_add(t, &key);
	const struct symtab *st;
	bool found = false;

	(void)state;
	assert_int_equal(dso_table_add(t, &key), id);
	st = dso_symtab(dso_table_get(t, id));
	for (u32 i = 0; i < symtab_count(st); i++)
		found |= strcmp(symtab_name(st, i), "own_symbols") == 0;
	assert_true(found);
	dso_table_free(t);
}

/* The definition of symtab_find(): the last symbol that starts at or before addr and is not over,
 * or one around it. */
static u32 find_slowly(const struct symtab *st, u64 addr)
{
	for (u32 i = symtab_count(st); i-- > 0;)
		if (symtab_start(st, i) <= addr && addr < symtab_end(st, i))
			return i;
	return SYM_NONE;
}

/* Many symbols in several places of the address space, some nested, some longer than 4 GiB. */
static void found_as_defined(void **state)
{
	static const u64 places[] = { 0, 0xffffff00ULL, 0x7fff00000000ULL, 0xffffffff81000000ULL };
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct symtab *st;
	u64 seed = 1;

	(void)state;
	for (u32 i = 0; i < 600; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		u64 start = places[i % 4] + (seed >> 40) % 0x2000;
		u64 len = i % 97 == 5 && i % 4 != 3 ? 0x180000000ULL
			  : i % 13 == 0             ? 0x800
						    : 1 + (seed >> 33) % 32;

		symtab_builder_add(&b, start, start + len, "f", 'g');
	}
	st = symtab_build(&b, 0);
	for (u32 i = 1; i < symtab_count(st); i++)
		assert_true(symtab_start(st, i - 1) < symtab_start(st, i));
	for (u32 p = 0; p < 4; p++)
		for (u64 at = 0; at < 0x3000; at += 3)
			assert_int_equal(symtab_find(st, places[p] + at),
					 find_slowly(st, places[p] + at));
	assert_int_equal(symtab_find(st, 0x100000000ULL), find_slowly(st, 0x100000000ULL));
	assert_int_equal(symtab_find(st, 0x5fff00000000ULL), find_slowly(st, 0x5fff00000000ULL));
	symtab_free(st);
}

/* More names than the first table of shown ones has room for. */
static void demangled_names_stay(void **state)
{
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	const char *first[300];
	struct symtab *st;
	char name[32];

	(void)state;
#ifndef HAVE_LIBIBERTY
	skip();
#endif
	for (u32 i = 0; i < ARRAY_SIZE(first); i++) {
		snprintf(name, sizeof(name), "_Z4f%03uv", i);
		symtab_builder_add(&b, 0x1000 + i * 16, 0x1010 + i * 16, name, 'g');
	}
	st = symtab_build(&b, SYMTAB_DEMANGLE);
	for (u32 i = 0; i < ARRAY_SIZE(first); i++)
		first[i] = symtab_name(st, i);
	for (u32 i = 0; i < ARRAY_SIZE(first); i++) {
		snprintf(name, sizeof(name), "f%03u", i);
		assert_string_equal(symtab_name(st, i), name);
		assert_ptr_equal(symtab_name(st, i), first[i]);
	}
	symtab_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_and_order),       cmocka_unit_test(nested_symbols),
		cmocka_unit_test(kallsyms_columns),     cmocka_unit_test(perf_map_lines),
		cmocka_unit_test(own_symbols),          cmocka_unit_test(aliases),
		cmocka_unit_test(labels_inside),        cmocka_unit_test(found_as_defined),
		cmocka_unit_test(demangled_names_stay), cmocka_unit_test(kallsyms_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
