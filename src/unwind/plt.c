/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/plt.h"

enum { PLT_ENTRY = 16, PUSH_BYTES = 5, HEAD_PUSH_BYTES = 6 };

/* So many words lie on the stack, the uppermost is the return address; nothing else has changed. */
#define PUSHED(name, sp, ra, word, words)                                                          \
	static const struct cfi_rule name = {                                                      \
		.cfa = { .kind = CFI_REGISTER, .reg = (sp), .nr = 1, .value = (word) * (words) },  \
		.regs = { { (ra), CFI_OFFSET, 0, -(word) } },                                      \
	}

PUSHED(x86_64_entry, 7, 16, 8, 1);
PUSHED(x86_64_pushed, 7, 16, 8, 2);
PUSHED(x86_64_head, 7, 16, 8, 3);
PUSHED(i386_entry, 4, 8, 4, 1);
PUSHED(i386_pushed, 4, 8, 4, 2);
PUSHED(i386_head, 4, 8, 4, 3);
/* The return address is in its register. (The head, which saves it, is code of a moment.) */
static const struct cfi_rule arm64_entry = { .cfa = { .kind = CFI_REGISTER, .reg = 31 } };

static const struct plt_machine {
	u16 machine;
	const struct cfi_rule *rules[3]; /* by how many words were pushed */
} machines[] = {
	{ EM_X86_64, { &x86_64_entry, &x86_64_pushed, &x86_64_head } },
	{ EM_386, { &i386_entry, &i386_pushed, &i386_head } },
	{ EM_AARCH64, { &arm64_entry, &arm64_entry, &arm64_entry } },
};

/* A table whose head pushes what the loader put into the second word of the GOT has lazy entries:
 * find where the push of the first one ends. */
static void read_lazy(struct plt_section *out, const struct elf_file *f,
		      const struct elf_section *s)
{
	static const u8 places[] = { 0, 4, 6 }; /* alone; behind endbr64; behind jmp *slot(%rip) */
	u8 code[2 * PLT_ENTRY];

	out->pushed = PLT_ENTRY;
	if (s->size < sizeof(code) || !elf_read(f, s->offset, code, sizeof(code)))
		return;
	/* to an address, or on i386 from %ebx */
	out->lazy = code[0] == 0xff && (code[1] == 0x35 || code[1] == 0xb3);
	for (size_t i = 0; i < sizeof(places) && out->pushed == PLT_ENTRY; i++)
		if (code[PLT_ENTRY + places[i]] == 0x68)
			out->pushed = places[i] + PUSH_BYTES;
}

void plt_read(struct plt *p, const struct elf_file *f)
{
	static const char *const names[PLT_SECTIONS] = { ".plt", ".plt.sec", ".plt.got", ".iplt" };

	*p = (struct plt){ .machine = f->machine };
	for (size_t i = 0; i < PLT_SECTIONS; i++) {
		const struct elf_section *s = elf_section_by_name(f, names[i]);
		struct plt_section *out = &p->sections[p->nr];

		if (!s || !(s->flags & SHF_EXECINSTR) || !elf_section_present(f, s))
			continue;
		*out = (struct plt_section){ .start = s->addr, .end = s->addr + s->size };
		if (f->machine != EM_AARCH64)
			read_lazy(out, f, s);
		p->nr++;
	}
}

/* By entries, less the return address. */
static size_t words_pushed(const struct plt_section *s, u64 addr)
{
	u64 at = addr - s->start;

	if (!s->lazy)
		return 0;
	if (at < PLT_ENTRY)
		return at < HEAD_PUSH_BYTES ? 1 : 2;
	return at % PLT_ENTRY < s->pushed ? 0 : 1;
}

const struct cfi_rule *plt_find(const struct plt *p, u64 addr)
{
	const struct plt_section *s = NULL;

	for (u32 i = 0; i < p->nr && !s; i++)
		if (addr >= p->sections[i].start && addr < p->sections[i].end)
			s = &p->sections[i];
	for (size_t i = 0; s && i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == p->machine)
			return machines[i].rules[words_pushed(s, addr)];
	return NULL;
}
