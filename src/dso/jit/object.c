/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/jit/object.h"

#include <elf.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"

enum {
	TEXT_AT = 0x80, /* where perf has it: offsets are shown */
	TEXT_MAX = 1 << 30,
	CODE_ALIGN = 16,
	FRAMES_ALIGN = 8,
	NAMES_MAX = 1 << 30,
};

enum { DW_EH_PE_PCREL_SDATA4 = 0x1b };

/* One record of call frame information. */
struct cfi_record {
	size_t at, end; /* in the bytes, its length in front included */
	u32 id; /* 0 = common, else the distance back to the common one */
};

static bool next_record(const u8 *p, size_t size, size_t at, struct cfi_record *r)
{
	u32 len;

	if (size - at < 8)
		return false;
	len = bits_u32(p + at);
	if (len < 4 || len > size - at - 4) /* also the end, and the form of 64 bits */
		return false;
	*r = (struct cfi_record){ .at = at, .end = at + 4 + len, .id = bits_u32(p + at + 4) };
	return true;
}

static bool skip_leb(const u8 *p, size_t end, size_t *at)
{
	while (*at < end)
		if (!(p[(*at)++] & 0x80))
			return true;
	return false;
}

/* How a common record says that addresses are written; -1: something unusual. */
static int address_encoding(const u8 *p, const struct cfi_record *r)
{
	size_t at = r->at + 9;
	const char *letters = (const char *)p + at;
	const u8 *nul = at < r->end ? memchr(p + at, 0, r->end - at) : NULL;

	if (!nul || letters[0] != 'z')
		return -1;
	at = (size_t)(nul - p) + 1;
	/* Alignments, the return address's column, the length of what the letters mean. */
	for (int i = 0; i < 4; i++)
		if (!skip_leb(p, r->end, &at))
			return -1;
	for (letters++; *letters; letters++) {
		if (*letters != 'L' && *letters != 'R')
			return -1;
		if (at >= r->end)
			return -1;
		if (*letters == 'R')
			return p[at];
		at++;
	}
	return -1;
}

/* Call frame information that lay `by` bytes before: the addresses of functions in it. */
static bool move_frames(u8 *p, size_t size, u64 by)
{
	struct cfi_record r;
	struct cfi_record common;

	for (size_t at = 0; next_record(p, size, at, &r); at = r.end) {
		u32 pc;

		if (!r.id)
			continue;
		if (r.id > r.at + 4 || r.end - r.at < 16 ||
		    !next_record(p, size, r.at + 4 - r.id, &common) || common.id ||
		    address_encoding(p, &common) != DW_EH_PE_PCREL_SDATA4)
			return false;
		pc = bits_u32(p + r.at + 8) - (u32)by;
		memcpy(p + r.at + 8, &pc, sizeof(pc));
	}
	return true;
}

/* Bytes of whole records, without the mark of the end. */
static size_t records_size(const u8 *p, size_t size)
{
	struct cfi_record r = { .end = 0 };

	while (next_record(p, size, r.end, &r))
		;
	return r.end;
}

/*
 * The place of the frames is known when all code is: they are kept as if they followed the first
 * byte of the object and moved again at the end.
 */
static void add_frames(struct jit_object *o, const struct jit_object_code *c, u64 place)
{
	size_t size = c->unwind_size - c->hdr_size;
	u64 lay = place + ALIGN_UP(c->size, FRAMES_ALIGN); /* functions begin aligned */
	size_t at = o->moved_frames.len;

	if (o->symbols.nr == 1) {
		strbuf_add(&o->frames, c->unwind, size);
		strbuf_add(&o->frames_hdr, (const u8 *)c->unwind + size, c->hdr_size);
	}
	size = records_size(c->unwind, size);
	strbuf_add(&o->moved_frames, c->unwind, size);
	if (!move_frames((u8 *)o->moved_frames.buf + at, size, at - lay))
		o->moved_frames.len = at;
}

u64 jit_object_add(struct jit_object *o, const struct jit_object_code *c)
{
	u64 place;

	if (o->frames_only) {
		o->end = MAX(o->end, c->place + c->size);
		if (c->unwind_size > c->hdr_size)
			add_frames(o, c, c->place);
		return c->place;
	}
	strbuf_pad(&o->text, '\0', (size_t)(ALIGN_UP(o->text.len, CODE_ALIGN) - o->text.len));
	if (c->size > TEXT_MAX - o->text.len || o->names.len > NAMES_MAX)
		return 0;
	place = TEXT_AT + o->text.len;
	if (c->code)
		strbuf_add(&o->text, c->code, c->size);
	else
		strbuf_pad(&o->text, '\0', c->size);
	if (!o->names.len)
		strbuf_addch(&o->names, '\0');
	*VEC_PUSH(&o->symbols) = (struct jit_object_symbol){ place, c->size, (u32)o->names.len };
	strbuf_add(&o->names, c->name, strlen(c->name) + 1);
	if (c->unwind_size > c->hdr_size)
		add_frames(o, c, place);
	if (c->nr_lines)
		jit_debug_add(&o->debug,
			      &(struct jit_debug_function){ .name = c->name,
							    .start = place,
							    .size = c->size,
							    .lines = c->lines,
							    .lines_size = c->lines_size,
							    .nr_lines = c->nr_lines,
							    .lines_addr = c->lines_addr });
	return place;
}

enum object_section {
	SEC_NULL,
	SEC_TEXT,
	SEC_FRAMES,
	SEC_FRAMES_HDR,
	SEC_NOTE,
	SEC_SYMTAB,
	SEC_STRTAB,
	SEC_NAMES,
	/* only where something is known */
	SEC_ABBREV,
	SEC_INFO,
	SEC_LINE,
	NR_SECTIONS,
	NR_WITHOUT_DEBUG = SEC_ABBREV,
};

static const struct section_kind {
	const char *name;
	u32 type;
	u64 flags, align;
} kinds[NR_SECTIONS] = {
	[SEC_NULL] = { "", SHT_NULL, 0, 0 },
	[SEC_TEXT] = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE_ALIGN },
	[SEC_FRAMES] = { ".eh_frame", SHT_PROGBITS, SHF_ALLOC, FRAMES_ALIGN },
	[SEC_FRAMES_HDR] = { ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 4 },
	[SEC_NOTE] = { ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4 },
	[SEC_SYMTAB] = { ".symtab", SHT_SYMTAB, 0, 8 },
	[SEC_STRTAB] = { ".strtab", SHT_STRTAB, 0, 1 },
	[SEC_NAMES] = { ".shstrtab", SHT_STRTAB, 0, 1 },
	[SEC_ABBREV] = { ".debug_abbrev", SHT_PROGBITS, 0, 1 },
	[SEC_INFO] = { ".debug_info", SHT_PROGBITS, 0, 1 },
	[SEC_LINE] = { ".debug_line", SHT_PROGBITS, 0, 1 },
};

struct image {
	struct strbuf *out;
	Elf64_Shdr sections[NR_SECTIONS];
};

static void add_section(struct image *im, enum object_section nr, const void *data, size_t size)
{
	Elf64_Shdr *s = &im->sections[nr];
	u64 align = kinds[nr].align;

	strbuf_pad(im->out, '\0', (size_t)(ALIGN_UP(im->out->len, align) - im->out->len));
	*s = (Elf64_Shdr){ .sh_type = kinds[nr].type,
			   .sh_flags = kinds[nr].flags,
			   .sh_size = size,
			   .sh_offset = im->out->len,
			   .sh_addralign = align };
	if (s->sh_flags & SHF_ALLOC)
		s->sh_addr = s->sh_offset;
	strbuf_add(im->out, data, size);
}

static void add_symbols(struct image *im, const struct jit_object *o)
{
	struct strbuf table = STRBUF_INIT;
	Elf64_Sym none = { 0 };

	strbuf_add(&table, &none, sizeof(none));
	VEC_FOR(&o->symbols, s) {
		Elf64_Sym sym = { .st_name = s->name,
				  .st_value = s->place,
				  .st_size = s->size,
				  .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
				  .st_shndx = SEC_TEXT };

		strbuf_add(&table, &sym, sizeof(sym));
	}
	add_section(im, SEC_SYMTAB, table.buf, table.len);
	im->sections[SEC_SYMTAB].sh_link = SEC_STRTAB;
	im->sections[SEC_SYMTAB].sh_info = (u32)o->symbols.nr + 1; /* all are local */
	im->sections[SEC_SYMTAB].sh_entsize = sizeof(none);
	add_section(im, SEC_STRTAB, o->names.buf, o->names.len);
	strbuf_release(&table);
}

static void add_note(struct image *im, const struct build_id *id)
{
	struct {
		Elf64_Nhdr h;
		char name[4];
		u8 id[DSO_BUILD_ID_MAX];
	} note = { .h = { .n_namesz = 4, .n_descsz = id->size, .n_type = NT_GNU_BUILD_ID },
		   .name = "GNU" };

	memcpy(note.id, id->bytes, id->size);
	add_section(im, SEC_NOTE, &note, sizeof(note));
}

/* The tables of segments and of sections, and the header in front. */
static void add_headers(struct image *im, const struct jit_object *o, u32 machine)
{
	struct strbuf names = STRBUF_INIT;
	const Elf64_Shdr *text = &im->sections[SEC_TEXT], *hdr = &im->sections[SEC_FRAMES_HDR];
	const Elf64_Shdr *note = &im->sections[SEC_NOTE];
	u64 loaded = hdr->sh_offset + hdr->sh_size - text->sh_offset;
	Elf64_Phdr segments[3] = {
		{ .p_type = PT_LOAD,
		  .p_flags = PF_R | PF_X,
		  .p_offset = text->sh_offset,
		  .p_vaddr = text->sh_offset,
		  .p_paddr = text->sh_offset,
		  .p_filesz = loaded,
		  .p_memsz = loaded,
		  .p_align = 8 },
		{ .p_type = PT_NOTE,
		  .p_flags = PF_R,
		  .p_offset = note->sh_offset,
		  .p_vaddr = note->sh_offset,
		  .p_paddr = note->sh_offset,
		  .p_filesz = note->sh_size,
		  .p_memsz = note->sh_size,
		  .p_align = 4 },
		{ .p_type = PT_GNU_EH_FRAME,
		  .p_flags = PF_R,
		  .p_offset = hdr->sh_offset,
		  .p_vaddr = hdr->sh_offset,
		  .p_paddr = hdr->sh_offset,
		  .p_filesz = hdr->sh_size,
		  .p_memsz = hdr->sh_size,
		  .p_align = 4 },
	};
	Elf64_Ehdr eh = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = (u16)machine,
		.e_version = EV_CURRENT,
		.e_entry = TEXT_AT,
		.e_ehsize = sizeof(eh),
		.e_phentsize = sizeof(segments[0]),
		.e_phnum = hdr->sh_size ? 3 : 2,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = o->debug.info.len ? NR_SECTIONS : NR_WITHOUT_DEBUG,
		.e_shstrndx = SEC_NAMES,
	};
	u32 name_at[NR_SECTIONS];

	if (o->frames_only) {
		segments[0].p_offset = segments[0].p_vaddr = segments[0].p_paddr = 0;
		segments[0].p_filesz = segments[0].p_memsz = o->end;
	}
	for (int i = 0; i < NR_SECTIONS; i++) {
		name_at[i] = (u32)names.len;
		strbuf_add(&names, kinds[i].name, strlen(kinds[i].name) + 1);
	}
	add_section(im, SEC_NAMES, names.buf, names.len);
	for (int i = 0; i < NR_SECTIONS; i++)
		im->sections[i].sh_name = name_at[i];
	strbuf_pad(im->out, '\0', (size_t)(ALIGN_UP(im->out->len, 8) - im->out->len));
	eh.e_phoff = im->out->len;
	strbuf_add(im->out, segments, eh.e_phnum * sizeof(segments[0]));
	eh.e_shoff = im->out->len;
	strbuf_add(im->out, im->sections, eh.e_shnum * sizeof(im->sections[0]));
	memcpy(im->out->buf, &eh, sizeof(eh));
	strbuf_release(&names);
}

/* Equal contents, equal id. */
static void make_id(const struct jit_object *o, struct build_id *id)
{
	u64 h[3];

	for (u64 i = 0; i < ARRAY_SIZE(h); i++) {
		h[i] = hash_bytes(o->text.buf, o->text.len, i + 1);
		h[i] = hash_bytes(o->names.buf, o->names.len, h[i]);
		h[i] = hash_bytes(o->frames.buf, o->frames.len, h[i]);
		h[i] = hash_bytes(o->debug.line.buf, o->debug.line.len, h[i]);
	}
	id->size = DSO_BUILD_ID_MAX;
	memcpy(id->bytes, h, DSO_BUILD_ID_MAX);
}

void jit_object_write(struct jit_object *o, u32 machine, struct strbuf *out, struct build_id *id)
{
	struct image im = { .out = out };
	bool several = o->symbols.nr != 1;

	strbuf_reset(out);
	strbuf_pad(out, '\0', TEXT_AT);
	make_id(o, id);
	add_section(&im, SEC_TEXT, o->text.buf, o->text.len);
	if (several) {
		/* A mark of the end stands behind the records. */
		static const u8 end_mark[4];

		strbuf_add(&o->moved_frames, end_mark, sizeof(end_mark));
		move_frames((u8 *)o->moved_frames.buf, o->moved_frames.len,
			    ALIGN_UP(out->len, FRAMES_ALIGN));
		add_section(&im, SEC_FRAMES, o->moved_frames.buf, o->moved_frames.len);
		add_section(&im, SEC_FRAMES_HDR, NULL, 0);
	} else {
		add_section(&im, SEC_FRAMES, o->frames.buf, o->frames.len);
		add_section(&im, SEC_FRAMES_HDR, o->frames_hdr.buf, o->frames_hdr.len);
	}
	add_note(&im, id);
	add_symbols(&im, o);
	if (o->debug.info.len) {
		add_section(&im, SEC_ABBREV, o->debug.abbrev.buf, o->debug.abbrev.len);
		add_section(&im, SEC_INFO, o->debug.info.buf, o->debug.info.len);
		add_section(&im, SEC_LINE, o->debug.line.buf, o->debug.line.len);
	}
	add_headers(&im, o, machine);
}

void jit_object_release(struct jit_object *o)
{
	strbuf_release(&o->text);
	strbuf_release(&o->names);
	strbuf_release(&o->frames);
	strbuf_release(&o->frames_hdr);
	strbuf_release(&o->moved_frames);
	jit_debug_release(&o->debug);
	vec_free(&o->symbols);
}
