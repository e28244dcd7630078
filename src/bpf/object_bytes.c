/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/object_bytes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "bpf/object.h"

enum { MACHINE_BPF = 247, MAX_SECTIONS = 4096 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { OUR_ORDER = ELFDATA2LSB };
#else
enum { OUR_ORDER = ELFDATA2MSB };
#endif

struct byte_span {
	u64 at, size;
};

VEC_TYPE(byte_spans, struct byte_span);

static bool lie_apart(struct byte_spans *all)
{
	VEC_SORT(all, by_u64);
	for (size_t i = 1; i < all->nr; i++)
		if (all->v[i - 1].size > all->v[i].at - all->v[i - 1].at)
			return false;
	return true;
}

static bool section_fits(const struct strbuf *elf, const Elf64_Shdr *s, u32 nr)
{
	if (s->sh_link >= nr)
		return false;
	if (s->sh_type == SHT_NULL || s->sh_type == SHT_NOBITS)
		return s->sh_size <= BPF_FILE_BYTES;
	if (s->sh_offset > elf->len || s->sh_size > elf->len - s->sh_offset)
		return false;
	return s->sh_type != SHT_STRTAB || (s->sh_size && !elf->buf[s->sh_offset + s->sh_size - 1]);
}

static bool sections_fit(const struct strbuf *elf, const Elf64_Ehdr *h)
{
	u64 table = (u64)h->e_shnum * sizeof(Elf64_Shdr);
	struct byte_spans spans = { 0 };
	bool fit = true;

	if (h->e_shentsize != sizeof(Elf64_Shdr) || !h->e_shnum || h->e_shnum > MAX_SECTIONS ||
	    h->e_shstrndx >= h->e_shnum || h->e_shoff > elf->len || elf->len - h->e_shoff < table)
		return false;
	*VEC_PUSH(&spans) = (struct byte_span){ 0, sizeof(*h) };
	*VEC_PUSH(&spans) = (struct byte_span){ h->e_shoff, table };
	for (size_t i = 0; fit && i < h->e_shnum; i++) {
		Elf64_Shdr s;

		memcpy(&s, elf->buf + h->e_shoff + i * sizeof(s), sizeof(s));
		fit = section_fits(elf, &s, h->e_shnum);
		if (fit && s.sh_size && s.sh_type != SHT_NULL && s.sh_type != SHT_NOBITS)
			*VEC_PUSH(&spans) = (struct byte_span){ s.sh_offset, s.sh_size };
	}
	fit = fit && lie_apart(&spans);
	vec_free(&spans);
	return fit;
}

const char *object_bytes_wrong(const struct strbuf *elf)
{
	Elf64_Ehdr h;

	if (elf->len < EI_NIDENT || memcmp(elf->buf, ELFMAG, SELFMAG) != 0)
		return "it is not an object file (ELF)";
	if (elf->buf[EI_CLASS] != ELFCLASS64 || elf->len < sizeof(h))
		return "it is no object file of BPF programs";
	memcpy(&h, elf->buf, sizeof(h));
	if (h.e_ident[EI_DATA] != OUR_ORDER)
		return "it is for machines of the other byte order";
	if (h.e_machine != MACHINE_BPF)
		return "it is compiled for another machine than the kernel's BPF";
	if (h.e_type != ET_REL)
		return "it is no object file of BPF programs";
	return sections_fit(elf, &h) ? NULL : "the file is damaged";
}
