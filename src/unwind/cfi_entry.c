/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/cfi_entry.h"

#include "base/mem.h"
#include "dso/dwarf/reader.h"

/* Pointer encodings of the LSB. */
enum {
	PE_ABSPTR = 0x00,
	PE_ULEB = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_FORMAT = 0x0f,
	PE_PCREL = 0x10,
	PE_RELATION = 0x70,
	PE_INDIRECT = 0x80,
	PE_OMIT = 0xff,
};

enum { LETTERS_MAX = 32, LENGTHS = 12 /* bytes that tell the length of an entry */ };

static bool need(const struct cfi_section *s, u64 offset, u64 size)
{
	return !s->pages || dwarf_section_need(s->pages, offset, size);
}

bool cfi_entry_at(const struct cfi_section *s, u64 offset, struct cfi_entry *out)
{
	struct dwarf_reader r = { .p = s->data + offset,
				  .end = s->data + s->size,
				  .swap = s->swap };
	unsigned int id_size = 4;
	const u8 *id_at;
	u64 len;
	u64 id;

	if (offset >= s->size || !need(s, offset, LENGTHS))
		return false;
	len = dwarf_bytes(&r, 4);
	if (len == 0xffffffff) {
		len = dwarf_bytes(&r, 8);
		id_size = s->debug ? 8 : 4;
	}
	if (r.bad || len < id_size || len > (u64)(r.end - r.p) ||
	    !need(s, (u64)(r.p - s->data), len))
		return false; /* also the terminator, whose length is 0 */
	id_at = r.p;
	*out = (struct cfi_entry){ .offset = offset, .end = r.p + len };
	out->next = (u64)(out->end - s->data);
	id = dwarf_bytes(&r, id_size);
	out->body = r.p;
	if (s->debug) {
		out->is_cie = id == (id_size == 8 ? ~0ULL : 0xffffffff);
		out->cie = id;
		return true;
	}
	out->is_cie = id == 0;
	/* The distance back from the field itself. */
	if (id > (u64)(id_at - s->data))
		return false;
	out->cie = (u64)(id_at - s->data) - id;
	return true;
}

/* An encoded pointer; for what is relative to anything but its own place: false. */
static bool read_pointer(const struct cfi_section *s, struct dwarf_reader *r, u8 encoding, u8 word,
			 u64 *value)
{
	u64 at = s->addr + (u64)(r->p - s->data);

	if (encoding == PE_OMIT || encoding & PE_INDIRECT)
		return false;
	switch (encoding & PE_FORMAT) {
	case PE_ABSPTR:
		*value = dwarf_bytes(r, word);
		break;
	case PE_ULEB:
		*value = dwarf_uleb(r);
		break;
	case PE_UDATA2:
	case PE_UDATA4:
	case PE_UDATA8:
		*value = dwarf_bytes(r, 1U << ((encoding & PE_FORMAT) - 1));
		break;
	case PE_SLEB:
		*value = (u64)dwarf_sleb(r);
		break;
	case PE_SDATA2:
	case PE_SDATA4:
	case PE_SDATA8:
		*value = (u64)dwarf_signed(r, 1U << ((encoding & PE_FORMAT) - PE_SLEB));
		break;
	default:
		return false;
	}
	if ((encoding & PE_RELATION) == PE_PCREL)
		*value += at;
	else if (encoding & PE_RELATION)
		return false;
	if (word == 4)
		*value &= 0xffffffff;
	return !r->bad;
}

/* The letters of a 'z' augmentation, each with its data. */
static bool read_augmentation(const struct cfi_section *s, struct dwarf_reader *r,
			      const char *letters, struct cfi_cie *out)
{
	u64 len = dwarf_uleb(r);
	struct dwarf_reader data = *r;
	u64 personality;

	if (len > (u64)(r->end - r->p))
		return false;
	data.end = r->p + len;
	for (; *letters; letters++) {
		u8 encoding;

		switch (*letters) {
		case 'L':
			dwarf_bytes(&data, 1);
			break;
		case 'P':
			encoding = (u8)dwarf_bytes(&data, 1);
			/* Only its size matters. */
			if (!read_pointer(s, &data, encoding & PE_FORMAT, out->word, &personality))
				return false;
			break;
		case 'R':
			out->encoding = (u8)dwarf_bytes(&data, 1);
			break;
		case 'S':
			out->signal = true;
			break;
		case 'B': /* which key signs return addresses */
		case 'G': /* memory tagging */
			break;
		default:
			/* Unknown data follows: what was read so far counts. */
			letters += strlen(letters) - 1;
			break;
		}
	}
	r->p += len;
	return !data.bad;
}

bool cfi_cie_read(const struct cfi_section *s, const struct cfi_entry *entry, struct cfi_cie *out)
{
	struct dwarf_reader r = { .p = entry->body, .end = entry->end, .swap = s->swap };
	u8 version = (u8)dwarf_bytes(&r, 1);
	const char *letters = (const char *)r.p;
	/* Letters; more than a few would only cost time. */
	const u8 *nul = memchr(r.p, '\0', MIN((size_t)(r.end - r.p), (size_t)LETTERS_MAX));

	*out = (struct cfi_cie){ .word = s->word, .end = entry->end };
	if (!nul || (version != 1 && version != 3 && version != 4))
		return false;
	r.p = nul + 1;
	if (!strncmp(letters, "eh", 2)) {
		dwarf_skip(&r, s->word);
		letters += 2;
	}
	if (version == 4) {
		out->word = (u8)dwarf_bytes(&r, 1);
		if (dwarf_bytes(&r, 1)) /* segment selectors */
			return false;
	}
	if (out->word != 4 && out->word != 8)
		return false;
	out->code_align = dwarf_uleb(&r);
	out->data_align = dwarf_sleb(&r);
	out->ra = version == 1 ? dwarf_bytes(&r, 1) : dwarf_uleb(&r);
	if (*letters == 'z') {
		out->has_augmentation = true;
		if (!read_augmentation(s, &r, letters + 1, out))
			return false;
	} else if (*letters) {
		return false;
	}
	out->program = r.p;
	return !r.bad;
}

bool cfi_fde_range(const struct cfi_section *s, const struct cfi_entry *entry,
		   const struct cfi_cie *cie, struct cfi_fde *out)
{
	struct dwarf_reader r = { .p = entry->body, .end = entry->end, .swap = s->swap };

	*out = (struct cfi_fde){ .cie = *cie, .end = entry->end };
	if (!read_pointer(s, &r, cie->encoding, cie->word, &out->start) ||
	    !read_pointer(s, &r, cie->encoding & PE_FORMAT, cie->word, &out->len))
		return false;
	if (cie->has_augmentation)
		dwarf_skip(&r, dwarf_uleb(&r));
	out->program = r.p;
	return !r.bad && out->len && out->start + out->len > out->start;
}

bool cfi_fde_read(const struct cfi_section *s, const struct cfi_entry *entry, struct cfi_fde *out)
{
	struct cfi_entry cie_entry;
	struct cfi_cie cie;

	return !entry->is_cie && cfi_entry_at(s, entry->cie, &cie_entry) && cie_entry.is_cie &&
	       cfi_cie_read(s, &cie_entry, &cie) && cfi_fde_range(s, entry, &cie, out);
}
