/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where symbols come from: files below a made-up root, so nothing of this machine matters. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/bits.h"
#include "base/rw.h"
#include "dso/code.h"
#include "dso/symbols/demangle.h"
#include "dso/dso.h"

static const struct build_id tiny_id = {
	.size = 20,
	.bytes = { 0xd2, 0x23, 0x8c, 0x07, 0xb9, 0xfa, 0x2c, 0x67, 0x36, 0xa0,
		   0xef, 0xd2, 0x38, 0xab, 0x6c, 0x68, 0x7d, 0xe6, 0xaf, 0x64 },
};
#define TINY_CACHE "d2/238c07b9fa2c6736a0efd238ab6c687de6af64"

static char root[] = "/tmp/perf-unit-dso-XXXXXX";

static int make_root(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

static int drop_root(void **state)
{
	_cleanup_(mem_freep) char *cmd = xasprintf("rm -rf '%s'", root);

	(void)state;
	return system(cmd);
}

static void write_file(const char *path, const void *data, size_t size)
{
	_cleanup_(mem_freep) char *full = xasprintf("%s%s", root, path);
	_cleanup_(mem_fclosep) FILE *f = NULL;

	for (char *p = strchr(full + strlen(root) + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	f = fopen(full, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
}

/* A file of tests/data/elf under another name below the root. */
static void install(const char *name, const char *path)
{
	_cleanup_(mem_freep) char *from = xasprintf("%s/elf/%s", getenv("TEST_DATA"), name);
	_cleanup_(strbuf_releasep) struct strbuf data = STRBUF_INIT;

	assert_int_equal(rw_slurp(from, &data, NULL), 0);
	write_file(path, data.buf, data.len);
}

static void remove_file(const char *path)
{
	_cleanup_(mem_freep) char *full = xasprintf("%s%s", root, path);

	unlink(full);
}

/* dso_symtab_origin() of the object that was asked for last. */
static char last_origin;
/* The function that alone is asked for; NULL = all. */
static const char *only_function;

/* The name at an address of a user object recorded as `name`; "-" without one. */
static const char *user_symbol(const char *name, const struct build_id *id, u64 addr,
			       const char **problem)
{
	static char found[256];
	const struct dso_config config = { .symfs = root, .only_function = only_function };
	struct dso_table *t = dso_table_new(&config);
	struct dso_key key = { .name = name, .kind = DSO_USER };
	const struct symtab *st;
	struct dso *d;
	u32 i;

	if (id)
		key.build_id = *id;
	d = dso_table_get(t, dso_table_add(t, &key));
	st = dso_symtab(d);
	i = symtab_find(st, addr);
	snprintf(found, sizeof(found), "%s", i == SYM_NONE ? "-" : symtab_name(st, i));
	if (problem)
		*problem = dso_symtab_problem(d) ? "yes" : NULL;
	last_origin = dso_symtab_origin(d);
	dso_table_free(t);
	return found;
}

/* Where a file cannot have the one function that is asked for, its symbols are not read. */
static void one_function(void **state)
{
	static const struct {
		const char *name;
		bool read;
	} cases[] = {
		{ "impl", true },    { "foo", true }, /* of _Z3fooi */
		{ "mpl", true }, /* strings may share their ends */
		{ "imp", false },    { "impl2", false }, { "oo", false },
		{ "printf", false }, { "f@plt", true }, /* not a plain word: all is read */
		{ "", true },
	};
	const char *problem;

	(void)state;
	install("tiny64.so", "/lib/one.so");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		only_function = cases[i].name;
		assert_string_equal(user_symbol("/lib/one.so", &tiny_id, 0x3b1, &problem),
				    cases[i].read ? "impl" : "-");
		assert_null(problem);
	}
	only_function = NULL;
	remove_file("/lib/one.so");
}

static void binary_itself(void **state)
{
#ifdef HAVE_LIBIBERTY
	const char *foo = "foo";
#else
	const char *foo = "_Z3fooi";
#endif
	struct build_id other = tiny_id;
	const char *problem;

	(void)state;
	install("tiny64.so", "/lib/a.so");
	assert_string_equal(user_symbol("/lib/a.so", NULL, 0x3b1, &problem), "impl");
	assert_null(problem);
	assert_int_equal(last_origin, 'd');
	assert_string_equal(user_symbol("/lib/a.so", &tiny_id, 0x3b1, NULL), "impl");
	/* Mangled aliases: the first of equally long ones, demangled. */
	assert_string_equal(user_symbol("/lib/a.so", &tiny_id, 0x3c0, NULL), foo);
	assert_string_equal(user_symbol("/lib/a.so", &tiny_id, 0x375, NULL), "ext@plt");
	assert_string_equal(user_symbol("/lib/a.so", &tiny_id, 0x3a0, NULL), "ifn@plt");
	assert_string_equal(user_symbol("/lib/a.so", &tiny_id, 0x365, NULL), ".plt");
	/* Another version of the file: no names are better than wrong ones. */
	other.bytes[0] ^= 1;
	assert_string_equal(user_symbol("/lib/a.so", &other, 0x3b1, &problem), "-");
	assert_non_null(problem);
	assert_string_equal(user_symbol("/lib/absent.so", NULL, 0x3b1, &problem), "-");
	assert_int_equal(last_origin, '!');
	assert_non_null(problem);
}

static void other_machines(void **state)
{
	(void)state;
	install("tiny32.so", "/lib/b.so");
	assert_string_equal(user_symbol("/lib/b.so", NULL, 0x291, NULL), "impl");
	assert_string_equal(user_symbol("/lib/b.so", NULL, 0x255, NULL), "ext@plt");
	assert_string_equal(user_symbol("/lib/b.so", NULL, 0x285, NULL), "ifn@plt");
	install("tinyibt.so", "/lib/c.so");
	assert_string_equal(user_symbol("/lib/c.so", NULL, 0x401, NULL), ".plt");
	assert_string_equal(user_symbol("/lib/c.so", NULL, 0x461, NULL), "ext2@plt");
}

static void separate_debug_files(void **state)
{
	static const char origins[] = "lllfubD";
	static const char *const places[] = {
		"/lib/tiny64.debug",
		"/lib/.debug/tiny64.debug",
		"/usr/lib/debug/lib/tiny64.debug",
		"/usr/lib/debug/lib/d.so.debug",
		"/usr/lib/debug/lib/d.so",
		"/usr/lib/debug/.build-id/" TINY_CACHE ".debug",
		"/.debug/.build-id/" TINY_CACHE "/debug",
	};

	(void)state;
	install("tinylink.so", "/lib/d.so");
	assert_string_equal(user_symbol("/lib/d.so", NULL, 0x3b1, NULL), "-");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		install("tiny64.debug", places[i]);
		assert_string_equal(user_symbol("/lib/d.so", NULL, 0x3b1, NULL), "impl");
		assert_int_equal(last_origin, origins[i]);
		/* Addresses come from the mapped file's segments, and so do PLT entries. */
		assert_string_equal(user_symbol("/lib/d.so", NULL, 0x375, NULL), "ext@plt");
		remove_file(places[i]);
		/* A file that does not belong to it. */
		install("tiny32.so", places[i]);
		assert_string_equal(user_symbol("/lib/d.so", NULL, 0x3b1, NULL), "-");
		remove_file(places[i]);
	}
}

static void cached_binary(void **state)
{
	(void)state;
	install("tiny64.so", "/.debug/.build-id/" TINY_CACHE "/elf");
	assert_string_equal(user_symbol("/gone/e.so", &tiny_id, 0x3b1, NULL), "impl");
	assert_int_equal(last_origin, 'B');
	assert_string_equal(user_symbol("/gone/e.so", NULL, 0x3b1, NULL), "-");
	remove_file("/.debug/.build-id/" TINY_CACHE "/elf");
}

static void mini_debug_information(void **state)
{
#ifdef HAVE_LZMA
	const char *local = "impl";
#else
	const char *local = "-";
#endif
#ifdef HAVE_LIBIBERTY
	const char *foo = "foo";
#else
	const char *foo = "_Z3fooi";
#endif
	(void)state;
	install("tinymini.so", "/lib/f.so");
	assert_string_equal(user_symbol("/lib/f.so", NULL, 0x3b1, NULL), local);
	assert_string_equal(user_symbol("/lib/f.so", NULL, 0x3c0, NULL), foo);
}

/* Stripped Go programs: see tests/data/elf/go_tables.py. */
static void go_tables(void **state)
{
	static const char *const files[] = { "go102", "go116", "go118", "go120" };
	_cleanup_(mem_freep) char *whole = xasprintf("%s/elf/go118", getenv("TEST_DATA"));
	_cleanup_(strbuf_releasep) struct strbuf data = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		install(files[i], "/bin/go");
		assert_string_equal(user_symbol("/bin/go", NULL, 0x1050, NULL), "main.first");
		assert_string_equal(user_symbol("/bin/go", NULL, 0x105f, NULL), "main.first");
		assert_string_equal(user_symbol("/bin/go", NULL, 0x1060, NULL), "main.(*T).Second");
		assert_string_equal(user_symbol("/bin/go", NULL, 0x10bf, NULL), "runtime.third");
		/* In front of its code, and behind. */
		assert_string_equal(user_symbol("/bin/go", NULL, 0x104f, NULL), "-");
		assert_string_equal(user_symbol("/bin/go", NULL, 0x10c0, NULL), "-");
		assert_int_equal(last_origin, 'd');
	}
	/* Ten times as many functions as there are: those whose names lie outside have none. */
	assert_int_equal(rw_slurp(whole, &data, NULL), 0);
	data.buf[0x1200 + 15] = 30;
	write_file("/bin/go", data.buf, data.len);
	assert_string_equal(user_symbol("/bin/go", NULL, 0x1060, NULL), "main.(*T).Second");
	/* Another alignment than there can be: no table. */
	data.buf[0x1200 + 6] = 3;
	write_file("/bin/go", data.buf, data.len);
	assert_string_equal(user_symbol("/bin/go", NULL, 0x1060, NULL), "-");
}

/* Relocations in sections that all lie over each other: they are not read 60000 times. */
static void go_many_sections(void **state)
{
	enum { SECTIONS = 60000, BYTES = 4 << 20, HEADER = sizeof(Elf64_Shdr) };
	_cleanup_(mem_freep) char *path = xasprintf("%s/elf/go120", getenv("TEST_DATA"));
	_cleanup_(strbuf_releasep) struct strbuf data = STRBUF_INIT;
	Elf64_Ehdr head;
	Elf64_Shdr known[7], more = { .sh_type = SHT_RELA, .sh_size = BYTES };

	(void)state;
	assert_int_equal(rw_slurp(path, &data, NULL), 0);
	memcpy(&head, data.buf, sizeof(head));
	assert_int_equal(head.e_shnum, ARRAY_SIZE(known));
	memcpy(known, data.buf + head.e_shoff, sizeof(known));
	more.sh_offset = data.len;
	strbuf_pad(&data, 'x', BYTES);
	head.e_shoff = data.len;
	head.e_shnum = 0;
	known[0].sh_size = SECTIONS;
	known[4].sh_type = SHT_PROGBITS;
	strbuf_add(&data, known, sizeof(known));
	for (size_t i = ARRAY_SIZE(known); i < SECTIONS; i++)
		strbuf_add(&data, &more, HEADER);
	memcpy(data.buf, &head, sizeof(head));
	write_file("/bin/go", data.buf, data.len);
	assert_string_equal(user_symbol("/bin/go", NULL, 0x1010, NULL), "main.first");
}

static void removed_files(void **state)
{
	(void)state;
	install("tiny64.so", "/lib/g.so");
	assert_string_equal(user_symbol("/lib/g.so (deleted)", &tiny_id, 0x3b1, NULL), "impl");
	assert_string_equal(user_symbol("/lib/g.so (deleted)", NULL, 0x3b1, NULL), "-");
}

static const char *kernel_symbol(const char *text, const char *ref, u64 ref_addr,
				 enum dso_kind kind, const char *name, u64 addr)
{
	static char found[600];
	_cleanup_(mem_freep) char *path = xasprintf("%s/kallsyms", root);
	const struct dso_config config = { .kallsyms = path };
	struct dso_table *t = dso_table_new(&config);
	struct dso_key kernel = { .name = "[kernel.kallsyms]_text", .kind = DSO_KERNEL };
	struct dso_key key = { .name = name, .kind = kind };
	dso_id id = dso_table_add(t, &kernel);
	struct dso *d;
	u32 i;

	write_file("/kallsyms", text, strlen(text));
	if (ref)
		dso_table_set_kernel_ref(t, ref, ref_addr);
	if (name)
		id = dso_table_add(t, &key);
	d = dso_table_get(t, id);
	i = symtab_find(dso_symtab(d), addr);
	if (i == SYM_NONE)
		snprintf(found, sizeof(found), "- %s",
			 dso_symtab_problem(d) ? dso_symtab_problem(d) : "");
	else
		snprintf(found, sizeof(found), "%s", symtab_name(dso_symtab(d), i));
	last_origin = dso_symtab_origin(d);
	dso_table_free(t);
	return found;
}

static void kernel_and_modules(void **state)
{
	static const char text[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000100 T schedule\n"
				   "ffffffff81000200 t _end\n"
				   "ffffffffc0000000 t mod_init\t[my_mod]\n"
				   "ffffffffc0000100 T mod_fn\t[my_mod]\n";
	static const char hidden[] = "0000000000000000 T _text\n0000000000000000 T schedule\n";

	(void)state;
	assert_string_equal(kernel_symbol(text, NULL, 0, 0, NULL, 0xffffffff81000123), "schedule");
	assert_int_equal(last_origin, 'k');
	/* Another boot: the recorded reference symbol stood 0x1000000 higher. */
	assert_string_equal(
		kernel_symbol(text, "_text", 0xffffffff82000000, 0, NULL, 0xffffffff82000123),
		"schedule");
	assert_string_equal(
		kernel_symbol(text, NULL, 0, DSO_MODULE, "[my_mod]", 0xffffffffc0000111), "mod_fn");
	assert_string_equal(kernel_symbol(text, NULL, 0, DSO_MODULE,
					  "/lib/modules/6.1/kernel/my-mod.ko.xz",
					  0xffffffffc0000011),
			    "mod_init");
	assert_non_null(strstr(kernel_symbol(hidden, NULL, 0, 0, NULL, 0xffffffff81000123),
			       "kptr_restrict"));
}

static void identity_and_names(void **state)
{
	static const struct {
		const char *name, *shown;
		enum dso_kind kind;
	} cases[] = {
		{ "/usr/bin/a", "a", DSO_USER },
		{ "/usr/bin/a (deleted)", "a (deleted)", DSO_USER },
		{ "/foo/", "foo", DSO_USER },
		{ "/", "/", DSO_USER },
		{ "", ".", DSO_USER },
		{ "/memfd:jit (deleted)", "memfd:jit (deleted)", DSO_USER },
		{ "/tmp/perf-77.map", "[JIT] tid 77", DSO_USER },
		{ "//anon", "[JIT] tid 7", DSO_PERF_MAP },
		{ "[heap]", "[JIT] tid 7", DSO_PERF_MAP },
		{ "[stack:5]", "[JIT] tid 7", DSO_PERF_MAP },
		{ "/SYSV00000000 (deleted)", "[JIT] tid 7", DSO_PERF_MAP },
		{ "/dev/zero (deleted)", "[JIT] tid 7", DSO_PERF_MAP },
		{ "[vdso]", "[vdso]", DSO_VDSO },
		{ "[vsyscall]", "[vsyscall]", DSO_UNKNOWN_CODE },
		{ "[anon:x]", "[anon:x]", DSO_UNKNOWN_CODE },
	};
	static const struct dso_config config = { 0 };
	struct dso_table *t = dso_table_new(&config);
	struct dso_key key = { .name = "/usr/bin/a", .kind = DSO_USER };
	dso_id a;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dso_key k = { .name = cases[i].name, .pid = 7 };
		struct dso *d;

		k.kind = dso_kind_of_name(k.name);
		assert_int_equal(k.kind, cases[i].kind);
		d = dso_table_get(t, dso_table_add(t, &k));
		assert_string_equal(dso_short_name(d), cases[i].shown);
	}
	a = dso_table_add(t, &key);
	key.build_id = tiny_id;
	assert_int_not_equal(dso_table_add(t, &key), a);
	/* A build id told for the name holds for the one that had none. */
	dso_table_set_build_id(t, "/usr/bin/a", &tiny_id, false);
	assert_int_equal(dso_build_id(dso_table_get(t, a))->size, 20);
	key.build_id.size = 0;
	assert_int_equal(dso_table_add(t, &key), a);
	assert_null(dso_table_get(t, 0));
	assert_null(dso_table_get(t, dso_table_count(t) + 1));
	a = dso_table_add_ksymbol(t, "bpf_prog_1", 0x1000, 0x100);
	assert_int_equal(symtab_find(dso_symtab(dso_table_get(t, a)), 0x10ff), 0);
	assert_int_equal(symtab_find(dso_symtab(dso_table_get(t, a)), 0x1100), SYM_NONE);
	assert_true(dso_is_kernel(dso_table_get(t, a)));
	dso_table_free(t);
}

static void demangled_names(void **state)
{
	static const struct {
		const char *mangled, *shown;
	} cases[] = {
#ifdef HAVE_LIBIBERTY
		{ "_ZN1a1bEv", "a::b" },
		{ "_ZN1a1bEv.isra.0", "a::b" },
		{ "_ZdlPv@plt", "operator delete@plt" },
		{ "_ZTV3foo", "vtable for foo" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		  "core::fmt::Write::write_fmt" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_D4test3fooFiZi", "test.foo(int)" },
#endif
		{ "_Z", NULL },
		{ "main", NULL },
		{ "camlStdlib__List__map_123", "Stdlib.List.map_123" },
		{ "camlFoo__$2b$2b_12", "Foo.++_12" },
		{ "caml_main", NULL },
		{ "Ljava/lang/String;f(I[JLa/B;)V", "java.lang.String.f(int, long[], a.B)" },
		{ "La/B;<init>()V", "a.B<init>()" },
		{ "La/B;m(I", NULL },
		{ "Lxyz", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(mem_freep) char *shown = demangle(cases[i].mangled, false);

		if (cases[i].shown) {
			assert_non_null(shown);
			assert_string_equal(shown, cases[i].shown);
		} else {
			assert_null(shown);
		}
	}
}

/* 300 bytes that stand for a gigabyte of text are shown as they are. */
static void exponential_name(void **state)
{
	_cleanup_(mem_freep) char *path = xasprintf(
		"%s/../fuzz/corpus/text_symbols/exponential_rust", getenv("TEST_DATA"));
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	(void)state;
	assert_int_equal(rw_slurp(path, &name, NULL), 0);
	assert_null(demangle(name.buf, false));
}

static void build_ids(void **state)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/elf/tiny64.so", getenv("TEST_DATA"));
	static const u8 notes[] = { 4, 0, 0, 0, 4,   0,   0,   0, 1,    0,    0,    0, 'X', 0,
				    0, 0, 9, 9, 9,   9,   4,   0, 0,    0,    2,    0, 0,   0,
				    3, 0, 0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0 };
	struct build_id id;

	(void)state;
	assert_int_equal(build_id_of_file(path, &id, NULL), 0);
	assert_int_equal(id.size, 20);
	assert_memory_equal(id.bytes, tiny_id.bytes, 20);
	assert_int_equal(build_id_of_file("/nonexistent", &id, NULL), -1);
	/* Behind another note, with a length of its own; then with its end cut off. */
	assert_true(build_id_from_notes(notes, sizeof(notes), &id));
	assert_int_equal(id.size, 2);
	assert_int_equal(id.bytes[1], 0xcd);
	assert_false(build_id_from_notes(notes, sizeof(notes) - 3, &id));
}

/* Where the call at an address of code leads. */
static u64 call_target(const struct dso_code *c, u64 at)
{
	u8 insn[5];

	assert_int_equal(dso_code_read(c, at, insn, sizeof(insn)), sizeof(insn));
	assert_int_equal(insn[0], 0xe8);
	return at + sizeof(insn) + (u64)(s32)bits_u32(insn + 1);
}

/* A module's file, laid out as the list of the kernel's symbols says. */
static void code_of_modules(void **state)
{
	static const char head[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000100 T outside\n"
				   "ffffffff81000200 t _end\n";
	static const char placed[] = "ffffffffc0001000 t mod_inner\t[tinymod]\n"
				     "ffffffffc000100a T mod_fn\t[tinymod]\n"
				     "ffffffffc0005000 t mod_cold\t[tinymod]\n"
				     "ffffffffc0009000 D state\t[tinymod]\n";
	/* (two symbols of a section that is in one piece are not so far apart) */
	static const char torn[] = "ffffffffc0001000 t mod_inner\t[tinymod]\n"
				   "ffffffffc0002000 T mod_fn\t[tinymod]\n"
				   "ffffffffc0005000 t mod_cold\t[tinymod]\n";
	static const struct build_id right = {
		.size = 20, .bytes = { 0x07, 0x9e, 0x93, 0x1d, 0x1c, 0x22, 0xdb, 0xcb, 0x62, 0x82,
				       0xba, 0x5f, 0xa5, 0x85, 0x28, 0x6a, 0x2d, 0x8d, 0xa4, 0x14 }
	};
	static const struct {
		const char *own;
		bool wrong_id, no_id;
		enum dso_code_problem problem;
	} cases[] = {
		{ placed, false, false, DSO_CODE_THERE },
		{ placed, true, false, DSO_CODE_REPLACED },
		{ placed, false, true, DSO_CODE_REPLACED },
		{ torn, false, false, DSO_CODE_THERE },
	};

	(void)state;
	install("tinymod.ko", "/lib/modules/6.1/kernel/tinymod.ko");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(mem_freep) char *list = xasprintf("%s/kallsyms", root);
		_cleanup_(mem_freep) char *text = xasprintf("%s%s", head, cases[i].own);
		const struct dso_config config = { .kallsyms = list, .symfs = root };
		struct dso_table *t = dso_table_new(&config);
		struct dso_key kernel = { .name = "[kernel.kallsyms]_text", .kind = DSO_KERNEL };
		struct dso_key key = { .name = "/lib/modules/6.1/kernel/tinymod.ko",
				       .kind = DSO_MODULE };
		struct dso_code c = DSO_CODE_INIT;
		u8 byte;

		write_file("/kallsyms", text, strlen(text));
		if (!cases[i].no_id)
			key.build_id = right;
		key.build_id.bytes[3] ^= cases[i].wrong_id;
		dso_table_add(t, &kernel);
		assert_int_equal(dso_code_open(dso_table_get(t, dso_table_add(t, &key)), &c),
				 cases[i].problem);
		if (cases[i].own == torn) {
			/* its place is not known, that of the other is */
			assert_int_equal(dso_code_read(&c, 0xffffffffc0001000, &byte, 1), 0);
			assert_int_equal(call_target(&c, 0xffffffffc0005000), 0);
		} else if (!cases[i].problem) {
			assert_int_equal(call_target(&c, 0xffffffffc0001012), 0xffffffff81000100);
			assert_int_equal(call_target(&c, 0xffffffffc0001024), 0xffffffffc0005000);
			assert_int_equal(call_target(&c, 0xffffffffc0005000), 0xffffffffc0001000);
			assert_string_equal(dso_code_section(&c, 0xffffffffc0005001),
					    ".text.unlikely");
			assert_string_equal(dso_code_function(&c, 0xffffffff81000100), "outside");
			assert_int_equal(dso_code_read(&c, 0xffffffffc0001032, &byte, 1), 0);
		}
		dso_code_close(&c);
		dso_table_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_function),     cmocka_unit_test(binary_itself),
		cmocka_unit_test(other_machines),   cmocka_unit_test(separate_debug_files),
		cmocka_unit_test(cached_binary),    cmocka_unit_test(mini_debug_information),
		cmocka_unit_test(removed_files),    cmocka_unit_test(kernel_and_modules),
		cmocka_unit_test(code_of_modules),  cmocka_unit_test(identity_and_names),
		cmocka_unit_test(demangled_names),  cmocka_unit_test(exponential_name),
		cmocka_unit_test(build_ids),        cmocka_unit_test(go_tables),
		cmocka_unit_test(go_many_sections),
	};

	return cmocka_run_group_tests(tests, make_root, drop_root);
}
