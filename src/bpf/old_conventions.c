/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/old_conventions.h"

#include <elf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "bpf/library.h"

struct elf_view {
	char *bytes;
	Elf64_Ehdr head;
};

static Elf64_Shdr section(const struct elf_view *v, size_t i)
{
	Elf64_Shdr s;

	memcpy(&s, v->bytes + v->head.e_shoff + i * sizeof(s), sizeof(s));
	return s;
}

static void put_section(const struct elf_view *v, size_t i, const Elf64_Shdr *s)
{
	memcpy(v->bytes + v->head.e_shoff + i * sizeof(*s), s, sizeof(*s));
}

/* Ends in its table, which ends with 0; "" for what is no place of it. */
static const char *string_of(const struct elf_view *v, size_t table, u32 at)
{
	Elf64_Shdr s = section(v, table);

	return s.sh_type == SHT_STRTAB && at < s.sh_size ? v->bytes + s.sh_offset + at : "";
}

static bool is_called(const struct elf_view *v, size_t i, const char *name)
{
	return !strcmp(string_of(v, v->head.e_shstrndx, section(v, i).sh_name), name);
}

/* 0: there is none. */
static size_t find_section(const struct elf_view *v, const char *name)
{
	for (size_t i = 1; i < v->head.e_shnum; i++)
		if (is_called(v, i, name))
			return i;
	return 0;
}

/* The first string of a table is "". */
static void hide_section(const struct elf_view *v, size_t i)
{
	Elf64_Shdr s = section(v, i);

	s.sh_name = 0;
	put_section(v, i, &s);
}

/* Of the header in front of .BTF.ext: where its parts are. */
struct btf_ext {
	u16 magic;
	u8 version, flags;
	u32 header_bytes, functions, functions_bytes, lines, lines_bytes, core, core_bytes;
};

static bool read_btf_ext(const struct elf_view *v, size_t i, struct btf_ext *x)
{
	Elf64_Shdr s = section(v, i);

	*x = (struct btf_ext){ 0 };
	if (!i || s.sh_type != SHT_PROGBITS || s.sh_size < offsetof(struct btf_ext, core))
		return false;
	memcpy(x, v->bytes + s.sh_offset, MIN(s.sh_size, sizeof(*x)));
	if (x->header_bytes < sizeof(*x))
		x->core_bytes = 0;
	return true;
}

static void forget_places(const struct elf_view *v)
{
	size_t ext = find_section(v, ".BTF.ext");
	struct btf_ext x;

	if (!read_btf_ext(v, ext, &x))
		return;
	x.functions_bytes = x.lines_bytes = 0;
	memcpy(v->bytes + section(v, ext).sh_offset, &x, offsetof(struct btf_ext, core));
}

static bool has_arguments(const struct elf_view *v)
{
	for (size_t i = 1; i < v->head.e_shnum; i++) {
		Elf64_Shdr s = section(v, i);

		if (s.sh_flags & SHF_EXECINSTR &&
		    strchr(string_of(v, v->head.e_shstrndx, s.sh_name), ' '))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------ descriptions */

static u64 symbols_of(const Elf64_Shdr *table)
{
	return table->sh_type == SHT_SYMTAB ? table->sh_size / sizeof(Elf64_Sym) : 0;
}

static Elf64_Sym symbol(const struct elf_view *v, const Elf64_Shdr *table, u64 i)
{
	Elf64_Sym s;

	memcpy(&s, v->bytes + table->sh_offset + i * sizeof(s), sizeof(s));
	return s;
}

static bool is_map(const Elf64_Sym *s, size_t maps)
{
	return s->st_shndx == maps && ELF64_ST_TYPE(s->st_info) != STT_SECTION;
}

/* each: bytes of a description. */
static int read_map(const struct elf_view *v, const Elf64_Shdr *maps, u64 at, u64 each,
		    struct old_map *m)
{
	enum { WORDS = 5, NEEDED = 4 };
	u32 word[WORDS] = { 0 };
	const char *from;

	if (each < NEEDED * sizeof(u32) || at > maps->sh_size || each > maps->sh_size - at)
		return -1;
	from = v->bytes + maps->sh_offset + at;
	memcpy(word, from, MIN(each, sizeof(word)));
	for (u64 i = sizeof(word); i < each; i++)
		if (from[i])
			return -1;
	m->map.type = word[0];
	m->map.key_size = word[1];
	m->map.value_size = word[2];
	m->map.max_entries = word[3];
	m->flags = word[4];
	m->at = at;
	return 0;
}

static int read_maps(const struct elf_view *v, size_t at, struct old_maps *out, struct err *e)
{
	Elf64_Shdr maps = section(v, at);
	size_t table = 0;
	u64 nr = 0;

	for (size_t i = 1; i < v->head.e_shnum; i++)
		if (section(v, i).sh_type == SHT_SYMTAB)
			table = i;
	Elf64_Shdr symbols = section(v, table);

	for (u64 i = 0; i < symbols_of(&symbols); i++) {
		Elf64_Sym s = symbol(v, &symbols, i);

		nr += is_map(&s, at);
	}
	if (maps.sh_type != SHT_PROGBITS || !nr || maps.sh_size % nr)
		return err_set(e, EINVAL, "the section 'maps' does not hold maps of one kind");
	if (nr > BPF_FILE_PARTS)
		return err_set(e, E2BIG, "it has more than %d maps", BPF_FILE_PARTS);
	for (u64 i = 0; i < symbols_of(&symbols); i++) {
		Elf64_Sym s = symbol(v, &symbols, i);
		struct old_map *m;

		if (!is_map(&s, at))
			continue;
		m = VEC_PUSH(out);
		*m = (struct old_map){ .map.fd = -1 };
		m->map.name = xstrdup(string_of(v, symbols.sh_link, s.st_name));
		if (read_map(v, &maps, s.st_value, maps.sh_size / nr, m))
			return err_set(e, EINVAL,
				       "its map '%s' is described by more than type, sizes, "
				       "entries and flags",
				       m->map.name);
	}
	return 0;
}

static int make_map(struct old_map *m, struct err *e)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = m->flags);
	struct bpf_file_map *map = &m->map;

	if (map->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY && !map->max_entries)
		map->max_entries = (u32)sysconf(_SC_NPROCESSORS_CONF);
	map->fd = bpf_map_create(map->type, NULL, map->key_size, map->value_size, map->max_entries,
				 &opts);
	if (map->fd >= 0)
		return 0;
	err_sys(e, errno, "the kernel does not make its map '%s'", map->name);
	if (errno == EPERM)
		err_hint(e, "it needs root, or the capabilities CAP_BPF and CAP_PERFMON");
	return -1;
}

/* ------------------------------------------------------------------ instructions */

static const struct old_map *map_at(const struct old_maps *maps, u64 at)
{
	VEC_FOR(maps, m)
		if (m->at == at)
			return m;
	return NULL;
}

/* The instruction gets the descriptor of the map that is at an address of the section; where it
 * names the section, its number is the distance from there. */
static int put_map(const struct elf_view *v, const Elf64_Shdr *code, u64 at, const Elf64_Sym *s,
		   const struct old_maps *maps)
{
	struct bpf_insn insn;
	const struct old_map *m;

	if (at % sizeof(insn) || at > code->sh_size || 2 * sizeof(insn) > code->sh_size - at)
		return -1;
	memcpy(&insn, v->bytes + code->sh_offset + at, sizeof(insn));
	m = map_at(maps,
		   s->st_value + (ELF64_ST_TYPE(s->st_info) == STT_SECTION ? (u32)insn.imm : 0));
	if (insn.code != (BPF_LD | BPF_IMM | BPF_DW) || !m)
		return -1;
	insn.src_reg = BPF_PSEUDO_MAP_FD;
	insn.imm = m->map.fd;
	memcpy(v->bytes + code->sh_offset + at, &insn, sizeof(insn));
	return 0;
}

/* What refers to maps is done and taken out of a list of references. */
static int put_maps_of(const struct elf_view *v, size_t list, size_t maps_at,
		       const struct old_maps *maps)
{
	Elf64_Shdr refs = section(v, list);
	u64 nr = refs.sh_size / sizeof(Elf64_Rel), kept = 0;

	if (refs.sh_info >= v->head.e_shnum)
		return -1;
	Elf64_Shdr code = section(v, refs.sh_info), symbols = section(v, refs.sh_link);
	bool is_code = code.sh_type == SHT_PROGBITS && code.sh_flags & SHF_EXECINSTR;

	for (u64 i = 0; is_code && i < nr; i++) {
		Elf64_Rel r;
		Elf64_Sym s;
		char *to = v->bytes + refs.sh_offset + kept * sizeof(r);

		memcpy(&r, v->bytes + refs.sh_offset + i * sizeof(r), sizeof(r));
		if (ELF64_R_SYM(r.r_info) >= symbols_of(&symbols))
			return -1;
		s = symbol(v, &symbols, ELF64_R_SYM(r.r_info));
		if (s.st_shndx != maps_at) {
			memcpy(to, &r, sizeof(r));
			kept++;
		} else if (put_map(v, &code, r.r_offset, &s, maps)) {
			return -1;
		}
	}
	if (!is_code)
		return 0;
	refs.sh_size = kept * sizeof(Elf64_Rel);
	if (!kept)
		refs.sh_type = SHT_NULL;
	put_section(v, list, &refs);
	return 0;
}

static int take_maps(const struct elf_view *v, size_t maps, struct old_maps *out, struct err *e)
{
	size_t ext = find_section(v, ".BTF.ext"), types = find_section(v, ".BTF");
	struct btf_ext x;

	if (read_btf_ext(v, ext, &x) && x.core_bytes)
		return err_set(e, ENOTSUP,
			       "it has maps of old (SEC(\"maps\")) and finds members by type "
			       "information (CO-RE)");
	if (read_maps(v, maps, out, e))
		return -1;
	VEC_FOR(out, m)
		if (make_map(m, e))
			return -1;
	for (size_t i = 1; i < v->head.e_shnum; i++)
		if (section(v, i).sh_type == SHT_REL && put_maps_of(v, i, maps, out))
			return err_set(e, EINVAL, "the file is damaged");
	/* the types describe the section, too, which libbpf would look for */
	hide_section(v, maps);
	if (ext)
		hide_section(v, ext);
	if (types)
		hide_section(v, types);
	return 0;
}

int old_conventions_take(struct strbuf *elf, struct old_maps *out, struct err *e)
{
	struct elf_view v = { .bytes = elf->buf };
	size_t maps;

	memcpy(&v.head, elf->buf, sizeof(v.head));
	if (has_arguments(&v))
		forget_places(&v);
	maps = find_section(&v, "maps");
	return maps ? take_maps(&v, maps, out, e) : 0;
}

void old_maps_release(struct old_maps *maps)
{
	VEC_FOR(maps, m) {
		free((void *)(uintptr_t)m->map.name);
		if (m->map.fd >= 0)
			close(m->map.fd);
	}
	vec_free(maps);
}
