/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dwarf/forms.h"

enum {
	FORM_ADDR = 0x01,
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_FLAG = 0x0c,
	FORM_SDATA = 0x0d,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_REF_ADDR = 0x10,
	FORM_REF1 = 0x11,
	FORM_REF2 = 0x12,
	FORM_REF4 = 0x13,
	FORM_REF8 = 0x14,
	FORM_REF_UDATA = 0x15,
	FORM_INDIRECT = 0x16,
	FORM_SEC_OFFSET = 0x17,
	FORM_EXPRLOC = 0x18,
	FORM_FLAG_PRESENT = 0x19,
	FORM_STRX = 0x1a,
	FORM_ADDRX = 0x1b,
	FORM_REF_SUP4 = 0x1c,
	FORM_STRP_SUP = 0x1d,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
	FORM_REF_SIG8 = 0x20,
	FORM_IMPLICIT_CONST = 0x21,
	FORM_LOCLISTX = 0x22,
	FORM_RNGLISTX = 0x23,
	FORM_REF_SUP8 = 0x24,
	FORM_STRX1 = 0x25,
	FORM_STRX2 = 0x26,
	FORM_STRX3 = 0x27,
	FORM_STRX4 = 0x28,
	FORM_ADDRX1 = 0x29,
	FORM_ADDRX2 = 0x2a,
	FORM_ADDRX3 = 0x2b,
	FORM_ADDRX4 = 0x2c,
	FORM_GNU_ADDR_INDEX = 0x1f01,
	FORM_GNU_STR_INDEX = 0x1f02,
	FORM_GNU_REF_ALT = 0x1f20,
	FORM_GNU_STRP_ALT = 0x1f21,
};

/* NUL-terminated string at an offset; NULL when it does not end inside the section. */
static const char *dwarf_string(struct dwarf *d, enum dwarf_section_nr nr, u64 offset)
{
	enum { STEP = 256, STEP_COST = 4 };
	struct dwarf_section *s = &d->sections[nr];

	if (offset < s->text)
		return (const char *)s->data + offset;
	if (!s->pages && !s->stream)
		return NULL;
	for (u64 at = offset; dwarf_section_need(s, at, STEP) && dwarf_spend(d, STEP_COST);
	     at += STEP)
		if (memchr(s->data + at, '\0', MIN((u64)STEP, s->size - at)))
			return (const char *)s->data + offset;
	return NULL;
}

static bool word_at(struct dwarf *d, enum dwarf_section_nr nr, u64 base, u64 i, unsigned int size,
		    u64 *value)
{
	struct dwarf_section *s = &d->sections[nr];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };

	if (base > s->size || i >= (s->size - base) / size ||
	    !dwarf_section_need(s, base + i * size, size))
		return false;
	r.p = s->data + base + i * size;
	*value = dwarf_bytes(&r, size);
	return true;
}

bool dwarf_address(struct dwarf *d, const struct dwarf_unit *u, u64 i, u64 *addr)
{
	/* Addresses are relocated by the linker: those of split units are in the main file. */
	return word_at(d->main ? d->main : d, DWARF_ADDR, u->addr_base, i, u->addr_size, addr);
}

/* Where in a section the string of a value stands; false: it is none of those. */
static bool string_place(struct dwarf **d, const struct dwarf_unit *u, const struct dwarf_value *v,
			 enum dwarf_section_nr *nr, u64 *offset)
{
	*nr = DWARF_STR;
	*offset = v->v;
	switch (v->class) {
	case DWARF_STRING_AT:
		return true;
	case DWARF_LINE_STRING_AT:
		*nr = DWARF_LINE_STR;
		return true;
	case DWARF_TABLE_STRING_AT:
		*nr = DWARF_LINE;
		return true;
	case DWARF_STRING_AT_ALT:
		*d = (*d)->alt;
		return *d != NULL;
	case DWARF_STRING_INDEX:
		return word_at(*d, DWARF_STR_OFFSETS, u->str_offsets_base, v->v, u->offset_size,
			       offset);
	default:
		return false;
	}
}

const char *dwarf_value_string(struct dwarf *d, const struct dwarf_unit *u,
			       const struct dwarf_value *v)
{
	enum dwarf_section_nr nr;
	u64 offset;

	if (v->class == DWARF_STRING)
		return v->s;
	return string_place(&d, u, v, &nr, &offset) ? dwarf_string(d, nr, offset) : NULL;
}

const char *dwarf_keep(struct dwarf *d, const char *s)
{
	return s ? intern_str(&d->names, intern_adds(&d->names, s)) : NULL;
}

const char *dwarf_keep_value(struct dwarf *keeper, struct dwarf *d, const struct dwarf_unit *u,
			     const struct dwarf_value *v)
{
	const struct dwarf_section *s;
	enum dwarf_section_nr nr;
	char buf[256];
	size_t size;
	u64 offset;

	if (v->class == DWARF_STRING)
		return dwarf_keep(keeper, v->s);
	if (!string_place(&d, u, v, &nr, &offset))
		return NULL;
	/* Nearly all are short, and far from each other. */
	s = &d->sections[nr];
	size = (size_t)MIN((u64)sizeof(buf), s->size - MIN(offset, (u64)s->size));
	if (size && dwarf_section_can_copy(s) && dwarf_section_copy(s, offset, buf, size) &&
	    memchr(buf, '\0', size))
		return dwarf_keep(keeper, buf);
	return dwarf_keep(keeper, dwarf_string(d, nr, offset));
}

static bool read_string(struct dwarf_reader *r, struct dwarf_value *out)
{
	const u8 *nul = memchr(r->p, '\0', (size_t)(r->end - r->p));

	if (!nul)
		return false;
	*out = (struct dwarf_value){ .class = DWARF_STRING, .s = (const char *)r->p };
	r->p = nul + 1;
	return true;
}

static void set(struct dwarf_value *out, enum dwarf_class class, u64 v)
{
	*out = (struct dwarf_value){ .class = class, .v = v };
}

/* Forms whose size is fixed, as classes and bytes; size 0: another form. */
enum { SIZE_OFFSET = 0xff, SIZE_ADDRESS = 0xfe };

static const struct fixed_form {
	u8 class, size;
} fixed_forms[] = {
	[FORM_ADDR] = { DWARF_ADDRESS, SIZE_ADDRESS },
	[FORM_DATA1] = { DWARF_CONSTANT, 1 },
	[FORM_DATA2] = { DWARF_CONSTANT, 2 },
	[FORM_DATA4] = { DWARF_CONSTANT, 4 },
	[FORM_DATA8] = { DWARF_CONSTANT, 8 },
	[FORM_FLAG] = { DWARF_CONSTANT, 1 },
	[FORM_SEC_OFFSET] = { DWARF_OFFSET, SIZE_OFFSET },
	[FORM_REF_SIG8] = { DWARF_SIGNATURE, 8 },
	[FORM_REF_SUP4] = { DWARF_REFERENCE_ALT, 4 },
	[FORM_REF_SUP8] = { DWARF_REFERENCE_ALT, 8 },
	[FORM_STRX1] = { DWARF_STRING_INDEX, 1 },
	[FORM_STRX2] = { DWARF_STRING_INDEX, 2 },
	[FORM_STRX3] = { DWARF_STRING_INDEX, 3 },
	[FORM_STRX4] = { DWARF_STRING_INDEX, 4 },
	[FORM_ADDRX1] = { DWARF_ADDRESS_INDEX, 1 },
	[FORM_ADDRX2] = { DWARF_ADDRESS_INDEX, 2 },
	[FORM_ADDRX3] = { DWARF_ADDRESS_INDEX, 3 },
	[FORM_ADDRX4] = { DWARF_ADDRESS_INDEX, 4 },
};

static unsigned int fixed_size(const struct dwarf_unit *u, u16 form)
{
	unsigned int size = form < ARRAY_SIZE(fixed_forms) ? fixed_forms[form].size : 0;

	return size == SIZE_OFFSET ? u->offset_size : size == SIZE_ADDRESS ? u->addr_size : size;
}

u16 dwarf_form_size(const struct dwarf_unit *u, u16 form)
{
	unsigned int size = fixed_size(u, form);

	if (size)
		return (u16)size;
	switch (form) {
	case FORM_REF1:
	case FORM_REF2:
	case FORM_REF4:
	case FORM_REF8:
		return (u16)(1U << (form - FORM_REF1));
	case FORM_REF_ADDR:
		return u->version == 2 ? u->addr_size : u->offset_size;
	case FORM_STRP:
	case FORM_LINE_STRP:
	case FORM_STRP_SUP:
	case FORM_GNU_STRP_ALT:
	case FORM_GNU_REF_ALT:
		return u->offset_size;
	case FORM_DATA16:
		return 16;
	case FORM_FLAG_PRESENT:
	case FORM_IMPLICIT_CONST:
		return 0;
	default:
		return DWARF_SIZE_VARIES;
	}
}

static bool read_fixed(const struct dwarf_unit *u, struct dwarf_reader *r, u16 form,
		       struct dwarf_value *out)
{
	unsigned int size = fixed_size(u, form);

	if (!size)
		return false;
	set(out, fixed_forms[form].class, dwarf_bytes(r, size));
	return true;
}

static bool read_reference(const struct dwarf_unit *u, struct dwarf_reader *r, u16 form,
			   struct dwarf_value *out)
{
	switch (form) {
	case FORM_REF1:
	case FORM_REF2:
	case FORM_REF4:
	case FORM_REF8:
		set(out, DWARF_REFERENCE, u->offset + dwarf_bytes(r, 1U << (form - FORM_REF1)));
		return true;
	case FORM_REF_UDATA:
		set(out, DWARF_REFERENCE, u->offset + dwarf_uleb(r));
		return true;
	case FORM_REF_ADDR:
		set(out, DWARF_REFERENCE,
		    dwarf_bytes(r, u->version == 2 ? u->addr_size : u->offset_size));
		return true;
	default:
		return false;
	}
}

static bool read_block(struct dwarf_reader *r, u16 form, struct dwarf_value *out)
{
	u64 size;

	switch (form) {
	case FORM_BLOCK1:
		size = dwarf_bytes(r, 1);
		break;
	case FORM_BLOCK2:
		size = dwarf_bytes(r, 2);
		break;
	case FORM_BLOCK4:
		size = dwarf_bytes(r, 4);
		break;
	case FORM_BLOCK:
	case FORM_EXPRLOC:
		size = dwarf_uleb(r);
		break;
	case FORM_DATA16:
		size = 16;
		break;
	default:
		return false;
	}
	*out = (struct dwarf_value){ .class = DWARF_BLOCK, .v = size, .s = (const char *)r->p };
	dwarf_skip(r, size);
	return true;
}

bool dwarf_form_read(struct dwarf *d, const struct dwarf_unit *u, struct dwarf_reader *r, u16 form,
		     s64 implicit, struct dwarf_value *out)
{
	if (read_fixed(u, r, form, out) || read_reference(u, r, form, out) ||
	    read_block(r, form, out))
		return !r->bad;
	switch (form) {
	case FORM_STRING:
		return read_string(r, out);
	case FORM_STRP:
		set(out, DWARF_STRING_AT, dwarf_bytes(r, u->offset_size));
		break;
	case FORM_LINE_STRP:
		set(out, DWARF_LINE_STRING_AT, dwarf_bytes(r, u->offset_size));
		break;
	case FORM_STRP_SUP:
	case FORM_GNU_STRP_ALT:
		set(out, DWARF_STRING_AT_ALT, dwarf_bytes(r, u->offset_size));
		break;
	case FORM_GNU_REF_ALT:
		set(out, DWARF_REFERENCE_ALT, dwarf_bytes(r, u->offset_size));
		break;
	case FORM_SDATA:
		set(out, DWARF_CONSTANT, (u64)dwarf_sleb(r));
		break;
	case FORM_UDATA:
		set(out, DWARF_CONSTANT, dwarf_uleb(r));
		break;
	case FORM_FLAG_PRESENT:
		set(out, DWARF_CONSTANT, 1);
		break;
	case FORM_IMPLICIT_CONST:
		set(out, DWARF_CONSTANT, (u64)implicit);
		break;
	case FORM_STRX:
	case FORM_GNU_STR_INDEX:
		set(out, DWARF_STRING_INDEX, dwarf_uleb(r));
		break;
	case FORM_ADDRX:
	case FORM_GNU_ADDR_INDEX:
		set(out, DWARF_ADDRESS_INDEX, dwarf_uleb(r));
		break;
	case FORM_RNGLISTX:
		set(out, DWARF_LIST_INDEX, dwarf_uleb(r));
		break;
	case FORM_LOCLISTX:
		set(out, DWARF_LOCATION_INDEX, dwarf_uleb(r));
		break;
	case FORM_INDIRECT: {
		u64 actual = dwarf_uleb(r);

		return actual != FORM_INDIRECT && actual != FORM_IMPLICIT_CONST &&
		       actual <= UINT16_MAX && dwarf_form_read(d, u, r, (u16)actual, 0, out);
	}
	default:
		return false;
	}
	return !r->bad;
}
