/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables of a made-up function: where expressions lead, what types come to, and what makes no
 * sense. */
/* clang-format off */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "dso/dwarf/dwarf.h"
#include "probe/debug.h"

enum { START = 0x1000, SIZE = 0x100 };
enum { CHILDREN = 1 };
enum {
	AT_LOCATION = 0x02, AT_NAME = 0x03, AT_BYTE_SIZE = 0x0b, AT_BIT_SIZE = 0x0d, AT_LOW_PC = 0x11, AT_HIGH_PC = 0x12,
	AT_UPPER_BOUND = 0x2f, AT_MEMBER_LOCATION = 0x38, AT_ENCODING = 0x3e, AT_FRAME_BASE = 0x40, AT_TYPE = 0x49,
	AT_DATA_BIT_OFFSET = 0x6b,
};
enum { FORM_ADDR = 0x01, FORM_DATA4 = 0x06, FORM_STRING = 0x08, FORM_DATA1 = 0x0b, FORM_REF4 = 0x13, FORM_EXPRLOC = 0x18 };
enum { UNIT = 1, FUNCTION, VARIABLE, BASE, POINTER, STRUCT, MEMBER, NAMELESS, TYPEDEF, ARRAY, RANGE, BITS };

/* code, tag, children, attributes and forms, 0 0 */
static const u8 abbrevs[] = {
	UNIT, DW_TAG_compile_unit, CHILDREN, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4, 0, 0,
	FUNCTION, DW_TAG_subprogram, CHILDREN, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA4,
	AT_FRAME_BASE, FORM_EXPRLOC, 0, 0,
	VARIABLE, DW_TAG_variable, 0, AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, AT_LOCATION, FORM_EXPRLOC, 0, 0,
	BASE, DW_TAG_base_type, 0, AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_DATA1, AT_ENCODING, FORM_DATA1, 0, 0,
	POINTER, DW_TAG_pointer_type, 0, AT_TYPE, FORM_REF4, AT_BYTE_SIZE, FORM_DATA1, 0, 0,
	STRUCT, DW_TAG_structure_type, CHILDREN, AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_DATA1, 0, 0,
	MEMBER, DW_TAG_member, 0, AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, AT_MEMBER_LOCATION, FORM_DATA1, 0, 0,
	NAMELESS, DW_TAG_member, 0, AT_TYPE, FORM_REF4, AT_MEMBER_LOCATION, FORM_DATA1, 0, 0,
	TYPEDEF, DW_TAG_typedef, 0, AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, 0, 0,
	ARRAY, DW_TAG_array_type, CHILDREN, AT_TYPE, FORM_REF4, 0, 0,
	RANGE, DW_TAG_subrange_type, 0, AT_UPPER_BOUND, FORM_DATA4, 0, 0,
	BITS, DW_TAG_member, 0, AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, AT_BIT_SIZE, FORM_DATA1, AT_DATA_BIT_OFFSET,
	FORM_DATA1, 0, 0, 0,
};

/* Types, by the names that variables give. */
enum { T_INT, T_CHAR, T_LOOP, T_LOOP2, T_NODE, T_NODE_P, T_NEST, T_GRID, T_CHARS, T_SELF_P, T_NOWHERE, NR_TYPES };

struct made {
	struct strbuf info;
	u32 types[NR_TYPES];
	u32 holes[NR_TYPES]; /* a reference that was written before its type */
};

static void add8(struct made *m, unsigned int v)
{
	strbuf_addch(&m->info, (char)v);
}

static void add32(struct made *m, u32 v)
{
	strbuf_add(&m->info, &v, sizeof(v));
}

static void add64(struct made *m, u64 v)
{
	strbuf_add(&m->info, &v, sizeof(v));
}

static void add_name(struct made *m, unsigned int abbrev, const char *name)
{
	add8(m, abbrev);
	strbuf_add(&m->info, name, strlen(name) + 1);
}

static void refer(struct made *m, int type)
{
	if (type == T_NOWHERE) {
		add32(m, 0x7fffffff);
		return;
	}
	if (!m->types[type])
		m->holes[type] = (u32)m->info.len;
	add32(m, m->types[type]);
}

static void define(struct made *m, int type)
{
	m->types[type] = (u32)m->info.len;
	if (m->holes[type])
		memcpy(m->info.buf + m->holes[type], &m->types[type], sizeof(u32));
}

static void add_base(struct made *m, int type, const char *name, u8 size, u8 encoding)
{
	define(m, type);
	add_name(m, BASE, name);
	add8(m, size);
	add8(m, encoding);
}

static void add_member(struct made *m, const char *name, int type, u8 at)
{
	if (name)
		add_name(m, MEMBER, name);
	else
		add8(m, NAMELESS);
	refer(m, type);
	add8(m, at);
}

static void add_array(struct made *m, int type, int element, u32 outer, u32 inner)
{
	define(m, type);
	add8(m, ARRAY);
	refer(m, element);
	add8(m, RANGE);
	add32(m, outer - 1);
	if (inner) {
		add8(m, RANGE);
		add32(m, inner - 1);
	}
	add8(m, 0);
}

static void add_types(struct made *m)
{
	add_base(m, T_INT, "int", 4, 5);
	add_base(m, T_CHAR, "char", 1, 6);
	define(m, T_LOOP);
	add_name(m, TYPEDEF, "loop");
	refer(m, T_LOOP2);
	define(m, T_LOOP2);
	add_name(m, TYPEDEF, "loop2");
	refer(m, T_LOOP);
	define(m, T_NODE);
	add_name(m, STRUCT, "node");
	add8(m, 32);
	add_member(m, "value", T_INT, 8);
	add_member(m, "next", T_NODE_P, 16);
	add_name(m, BITS, "bits");
	refer(m, T_INT);
	add8(m, 5);
	add8(m, 3);
	add_name(m, BITS, "across");
	refer(m, T_INT);
	add8(m, 20);
	add8(m, 30);
	add8(m, 0);
	define(m, T_NODE_P);
	add8(m, POINTER);
	refer(m, T_NODE);
	add8(m, 8);
	/* contains itself, many times */
	define(m, T_NEST);
	add_name(m, STRUCT, "nest");
	add8(m, 8);
	for (u8 i = 0; i < 40; i++)
		add_member(m, NULL, T_NEST, i);
	add8(m, 0);
	add_array(m, T_GRID, T_INT, 3, 4);
	add_array(m, T_CHARS, T_CHAR, 8, 0);
	define(m, T_SELF_P);
	add8(m, POINTER);
	refer(m, T_SELF_P);
	add8(m, 8);
}

struct variable {
	const char *name;
	int type;
	u8 len, code[16];
};

/* The unit: types, and a function with one variable. */
static void make_info(struct made *m, const struct variable *v)
{
	static const u8 frame[] = { 1, 0x56 }; /* register 6 */
	u32 len;

	add32(m, 0);
	add8(m, 4);
	add8(m, 0);
	add32(m, 0);
	add8(m, 8);
	add_name(m, UNIT, "x.c");
	add64(m, START);
	add32(m, SIZE);
	add_types(m);
	add_name(m, FUNCTION, "fn");
	add64(m, START);
	add32(m, SIZE);
	strbuf_add(&m->info, frame, sizeof(frame));
	add_name(m, VARIABLE, v->name);
	refer(m, v->type);
	add8(m, v->len);
	strbuf_add(&m->info, v->code, v->len);
	add8(m, 0);
	add8(m, 0);
	len = (u32)m->info.len - 4;
	memcpy(m->info.buf, &len, sizeof(len));
}

/* An object of these sections, in a file without a name; its descriptor. */
static int make_object(const struct strbuf *info)
{
	static const char names[] = "\0.debug_info\0.debug_abbrev\0.shstrtab";
	Elf64_Ehdr eh = { .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_ehsize = sizeof(eh),
			  .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4, .e_shstrndx = 3, .e_phnum = 1,
			  .e_phentsize = sizeof(Elf64_Phdr), .e_phoff = sizeof(eh) };
	Elf64_Phdr ph = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = START, .p_filesz = SIZE, .p_memsz = SIZE };
	Elf64_Shdr sh[4] = { { 0 } };
	struct strbuf out = STRBUF_INIT;
	int fd = memfd_create("made", MFD_CLOEXEC);

	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_ident[EI_VERSION] = EV_CURRENT;
	eh.e_shoff = sizeof(eh) + sizeof(ph) + SIZE + info->len + sizeof(abbrevs) + sizeof(names);
	ph.p_offset = sizeof(eh) + sizeof(ph);
	sh[1] = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = ph.p_offset + SIZE, .sh_size = info->len };
	sh[2] = (Elf64_Shdr){ .sh_name = 13, .sh_type = SHT_PROGBITS, .sh_offset = sh[1].sh_offset + info->len,
			      .sh_size = sizeof(abbrevs) };
	sh[3] = (Elf64_Shdr){ .sh_name = 27, .sh_type = SHT_STRTAB, .sh_offset = sh[2].sh_offset + sizeof(abbrevs),
			      .sh_size = sizeof(names) };
	strbuf_add(&out, &eh, sizeof(eh));
	strbuf_add(&out, &ph, sizeof(ph));
	strbuf_pad(&out, '\0', SIZE);
	strbuf_add(&out, info->buf, info->len);
	strbuf_add(&out, abbrevs, sizeof(abbrevs));
	strbuf_add(&out, names, sizeof(names));
	strbuf_add(&out, sh, sizeof(sh));
	assert_int_equal(write(fd, out.buf, out.len), out.len);
	strbuf_release(&out);
	return fd;
}

/* What an argument becomes: what is fetched, or "!" and the first line of why not. */
static void check(const struct variable *v, const char *arg, const char *expected)
{
	const struct dso_config c = { .buildid_dir = "/nonexistent" };
	const struct probe_debug_opts o = { .max_places = 4 };
	struct dso_table *t = dso_table_new(&c);
	struct dso_key key = { .kind = DSO_USER };
	struct made m = { .info = STRBUF_INIT };
	struct probe_debug_places places;
	struct probe_definition d;
	char path[64], point[512], got[512];
	struct debug_info *g;
	int fd;

	make_info(&m, v);
	fd = make_object(&m.info);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	key.name = path;
	g = debug_info_open(dso_table_get(t, dso_table_add(t, &key)), NULL);
	assert_non_null(g);
	snprintf(point, sizeof(point), "fn+1 %s", arg);
	assert_int_equal(probe_definition_parse(point, &d, NULL), 0);
	assert_int_equal(probe_debug_find(g, &d.point, &d.args, &o, &places, NULL), 0);
	assert_int_equal(places.v.nr, 1);
	assert_int_equal(places.v.v[0].addr, START + 1);
	assert_string_equal(places.v.v[0].function, "fn");
	assert_int_equal(places.v.v[0].args.nr, 1);
	if (places.v.v[0].args.v[0].fetch)
		snprintf(got, sizeof(got), "%s=%s", places.v.v[0].args.v[0].name, places.v.v[0].args.v[0].fetch);
	else
		snprintf(got, sizeof(got), "!%.*s", (int)strcspn(places.v.v[0].args.v[0].problem, "\n"),
			 places.v.v[0].args.v[0].problem);
	assert_string_equal(got, expected);
	probe_debug_places_release(&places);
	probe_definition_release(&d);
	debug_info_close(g);
	dso_table_free(t);
	strbuf_release(&m.info);
	close(fd);
}

static const char unsupported[] = "!Sorry, we don't support this variable location yet.";

static void locations(void **state)
{
	static const struct {
		struct variable v;
		const char *expected;
	} cases[] = {
		{ { "v", T_INT, 1, { 0x55 } }, "v=%di:s32" },
		{ { "v", T_INT, 2, { 0x77, 8 } }, "v=+8(%sp):s32" },
		{ { "v", T_INT, 2, { 0x91, 0x6c } }, "v=-20(%bp):s32" },
		{ { "v", T_INT, 3, { 0x91, 0x78, 0x06 } }, "v=+0(-8(%bp)):s32" },
		{ { "v", T_INT, 4, { 0x91, 0x78, 0x23, 4 } }, "v=-4(%bp):s32" },
		{ { "v", T_INT, 5, { 0x76, 16, 0x09, 0xf0, 0x22 } }, "v=+0(%bp):s32" },
		{ { "v", T_INT, 4, { 0x77, 8, 0x33, 0x1c } }, "v=+5(%sp):s32" },
		{ { "v", T_INT, 2, { 0x35, 0x9f } }, "v=\\5:s32" },
		{ { "v", T_INT, 6, { 0x9e, 4, 0xff, 0xff, 0, 0 } }, "v=\\65535:s32" },
		{ { "v", T_INT, 3, { 0x75, 0, 0x9f } }, "v=%di:s32" },
		{ { "v", T_INT, 3, { 0x55, 0x93, 8 } }, "v=%di:s32" },
		{ { "v", T_INT, 3, { 0x92, 0x0c, 4 } }, "v=+4(%r12):s32" },
		{ { "v", T_INT, 9, { 0x03, 0x00, 0x20, 0, 0, 0, 0, 0, 0 } }, "v=@+0x1078:s32" },
		/* more than a number holds */
		{ { "v", T_INT, 13, { 0x77, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0x31, 0x22 } },
		  "v=-9223372036854775808(%sp):s32" },
		/* computed, in parts, of the caller, of a thread, cut off, without sense */
		{ { "v", T_INT, 3, { 0x75, 4, 0x9f } }, unsupported },
		{ { "v", T_INT, 3, { 0x55, 0x93, 4 } }, unsupported },
		{ { "v", T_INT, 4, { 0xa3, 1, 0x55, 0x9f } }, unsupported },
		{ { "v", T_INT, 3, { 0x08, 8, 0xe0 } }, unsupported },
		{ { "v", T_INT, 3, { 0x0e, 1, 2 } }, unsupported },
		{ { "v", T_INT, 1, { 0x22 } }, unsupported },
		{ { "v", T_INT, 1, { 0x06 } }, unsupported },
		{ { "v", T_INT, 1, { 0x35 } }, unsupported },
		{ { "v", T_INT, 1, { 0xff } }, unsupported },
		{ { "v", T_INT, 1, { 0x61 } }, "!Mapping for the register number 17 missing on this architecture." },
		{ { "v", T_INT, 0, { 0 } }, "!Failed to find the location of the 'v' variable at this address." },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i].v, "v", cases[i].expected);
}

static void types(void **state)
{
	static const struct variable node = { "n", T_NODE_P, 1, { 0x55 } }, grid = { "g", T_GRID, 2, { 0x77, 0 } },
				     chars = { "c", T_CHARS, 2, { 0x77, 8 } }, whole = { "w", T_NODE, 1, { 0x55 } };

	(void)state;
	check(&node, "n->value", "value=+8(%di):s32");
	check(&node, "n->next->next->value:x", "value=+8(+16(+16(%di))):x32");
	check(&node, "n->bits", "bits=+0(%di):b5@3/32");
	check(&node, "n->across", "across=+3(%di):b20@6/32");
	check(&node, "n->next@user", "next=+u16(%di):x64");
	check(&node, "mine=n[2].value", "mine=+72(%di):s32");
	check(&node, "n.value", "!Semantic error: value must be referred by '->'");
	check(&node, "n->other", "!n(type:node) has no member other.");
	check(&node, "n->value->x", "!value is not a data structure nor a union.");
	check(&node, "n:string", "!Failed to cast into string: n is not (unsigned) char *.");
	check(&whole, "w.value", "!Structure on a register is not supported yet.");
	check(&grid, "g[1][2]", "g=+24(%sp):s32");
	check(&grid, "g[1]", "g=+16(%sp)");
	check(&grid, "g[1][2][3]", "!g is not a data structure nor a union.");
	check(&chars, "c:string", "c_string=+8(%sp):string");
	check(&chars, "c[3]", "c=+11(%sp):s8");
	check(&chars, "d", "!Failed to find the location of the 'd' variable at this address.");
}

/* Types that lead back to themselves, or nowhere. */
static void circles(void **state)
{
	static const struct variable loop = { "v", T_LOOP, 1, { 0x55 } }, nest = { "v", T_NEST, 2, { 0x77, 0 } },
				     self = { "v", T_SELF_P, 1, { 0x55 } }, nowhere = { "v", T_NOWHERE, 1, { 0x55 } },
				     node = { "v", T_NODE_P, 1, { 0x55 } };
	struct strbuf deep = STRBUF_INIT;

	(void)state;
	check(&loop, "v", "v=%di");
	check(&loop, "v.x", "!Failed to get the type of v.");
	check(&nest, "v.x", "!v(type:nest) has no member x.");
	check(&self, "v[1]", "v=+8(%di):x64");
	check(&self, "v->x", "!v is not a data structure nor a union.");
	check(&nowhere, "v", "v=%di");
	check(&nowhere, "v->x", "!Failed to get the type of v.");
	strbuf_adds(&deep, "v");
	for (int i = 0; i < 40; i++)
		strbuf_adds(&deep, "->next");
	check(&node, deep.buf, unsupported);
	strbuf_release(&deep);
}

/* Debug information may name a fifo that nobody writes to, or a device without end. */
static void sources(void **state)
{
	char dir[] = "/tmp/probe_debug.XXXXXX", path[64];
	struct err e = ERR_INIT;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.c", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(probe_debug_open_source(path, &e));
	assert_non_null(strstr(e.text, "is not a regular file"));
	assert_null(probe_debug_open_source("/dev/zero", &e));
	assert_null(probe_debug_open_source(dir, &e));
	assert_int_equal(unlink(path), 0);
	assert_null(probe_debug_open_source(path, &e));
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	f = probe_debug_open_source(path, &e);
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

/* "@" alone is a function that is not named, in a file that is not. */
static void no_lines(void **state)
{
	static const struct variable v = { "v", T_INT, 1, { 0x55 } };
	static const char *const texts[] = { "@", "@:3", "fn@", "other", "y.c" };
	const struct dso_config c = { .buildid_dir = "/nonexistent" };
	struct dso_table *t = dso_table_new(&c);
	struct dso_key key = { .kind = DSO_USER };
	struct made m = { .info = STRBUF_INIT };
	struct debug_info *g;
	char path[64];
	int fd;

	(void)state;
	make_info(&m, &v);
	fd = make_object(&m.info);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	key.name = path;
	g = debug_info_open(dso_table_get(t, dso_table_add(t, &key)), NULL);
	assert_non_null(g);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct probe_debug_lines lines;
		struct probe_line_range r;

		assert_int_equal(probe_line_range_parse(texts[i], &r, NULL), 0);
		assert_int_equal(probe_debug_lines(g, &r, &lines, NULL), -1);
		probe_debug_lines_release(&lines);
		probe_line_range_release(&r);
	}
	debug_info_close(g);
	dso_table_free(t);
	strbuf_release(&m.info);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locations),
		cmocka_unit_test(types),
		cmocka_unit_test(circles),
		cmocka_unit_test(sources),
		cmocka_unit_test(no_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
