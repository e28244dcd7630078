/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/bpf_info.h"

#include "abi/btf.h"
#include "base/bits.h"

/* Fields of struct bpf_prog_info. */
enum {
	INFO_CODE_SIZE = 16,
	INFO_CODE = 24,
	INFO_NR_SYMBOLS = 104,
	INFO_NR_LENGTHS = 108,
	INFO_SYMBOLS = 112,
	INFO_LENGTHS = 120,
	INFO_BTF_ID = 128,
	INFO_FUNC_SIZE = 132,
	INFO_FUNCS = 136,
	INFO_NR_FUNCS = 144,
	INFO_NR_LINES = 148,
	INFO_LINES = 152,
	INFO_JITED_LINES = 160,
	INFO_NR_JITED_LINES = 168,
	INFO_LINE_SIZE = 172,
	INFO_JITED_LINE_SIZE = 176,
	INFO_NR_TAGS = 180,
	INFO_TAGS = 184,
	INFO_END = 192,
	TAG_SIZE = 8,
	FUNC_TYPE = 4, /* offset in a func_info */
	/* offsets in a line_info; what is above the column's bits of the last is the line */
	LINE_FILE = 4,
	LINE_TEXT = 8,
	LINE_COLUMN = 12,
	LINE_INFO_MIN = 16,
	COLUMN_BITS = 10,
};
/* Arrays that are in the file, where a pointer's place is an offset into them. */
enum { HAS_CODE = 1 << 0, HAS_LINES = 1 << 6 | 1 << 7 };
/* Fields of struct btf_header: where a part begins behind the header; its length follows. */
enum { BTF_TYPES = 8, BTF_STRINGS = 16 };

/* Entry index of an array whose offset and length are fields of the info; NULL: not there. */
static const u8 *entry(const struct info_bpf_prog *p, u32 pointer, u32 count, u32 size, u32 index)
{
	u64 at = bits_u64(p->info + pointer);
	u64 nr = bits_u32(p->info + count);

	if (index >= nr || !size || at > p->data_size || (p->data_size - at) / size <= index)
		return NULL;
	return p->info + p->info_size + at + (u64)index * size;
}

u32 bpf_info_functions(const struct info_bpf_prog *p)
{
	return p->info && p->info_size >= INFO_END ? bits_u32(p->info + INFO_NR_SYMBOLS) : 0;
}

u32 bpf_info_types(const struct info_bpf_prog *p)
{
	return p->info && p->info_size >= INFO_END ? bits_u32(p->info + INFO_BTF_ID) : 0;
}

/*
 * A part of the BTF, whose place and length are in a field of the header: its bytes [at, end);
 * false: they are not there.
 */
static bool find_part(const struct info_btf *btf, u32 field, u64 *at, u64 *end)
{
	const u8 *b = btf->data;

	if (btf->size < sizeof(struct btf_header) || bits_u16(b) != BTF_MAGIC)
		return false;
	*at = (u64)bits_u32(b + 4) + bits_u32(b + field);
	*end = *at + bits_u32(b + field + 4);
	return *end <= btf->size;
}

/* A string by its place; NULL: there is none. */
static const char *btf_string(const struct info_btf *btf, u32 place)
{
	const char *b = (const char *)btf->data;
	u64 at, end;

	if (!find_part(btf, BTF_STRINGS, &at, &end) || place >= end - at || b[end - 1])
		return NULL;
	return b + at + place;
}

/* Name of a type; NULL: there is none. */
static const char *btf_name(const struct info_btf *btf, u32 type)
{
	const u8 *b = btf->data;
	u64 at, end;

	if (!find_part(btf, BTF_TYPES, &at, &end))
		return NULL;
	/* numbers begin at 1 */
	for (u32 i = 1; at + sizeof(struct btf_type) <= end; i++) {
		u32 info = bits_u32(b + at + 4);
		long tail = btf_tail(BTF_INFO_KIND(info), BTF_INFO_VLEN(info));

		if (i == type)
			break;
		if (tail < 0)
			return NULL;
		at += sizeof(struct btf_type) + (u64)tail;
	}
	return at + sizeof(struct btf_type) <= end ? btf_string(btf, bits_u32(b + at)) : NULL;
}

static const char *function_name(const struct info_bpf_prog *p, const struct info_btf *types,
				 u32 index)
{
	u32 size = bits_u32(p->info + INFO_FUNC_SIZE);
	const u8 *func = entry(p, INFO_FUNCS, INFO_NR_FUNCS, size, index);

	if (!types || !func || size < FUNC_TYPE + 4)
		return NULL;
	return btf_name(types, bits_u32(func + FUNC_TYPE));
}

bool bpf_info_function(const struct info_bpf_prog *p, const struct info_btf *types, u32 index,
		       struct bpf_function *out, struct strbuf *name)
{
	const u8 *addr, *length, *tag;
	const char *own;

	if (index >= bpf_info_functions(p))
		return false;
	addr = entry(p, INFO_SYMBOLS, INFO_NR_SYMBOLS, sizeof(u64), index);
	length = entry(p, INFO_LENGTHS, INFO_NR_LENGTHS, sizeof(u32), index);
	tag = entry(p, INFO_TAGS, INFO_NR_TAGS, TAG_SIZE, index);
	if (!addr || !length)
		return false;
	*out = (struct bpf_function){ .addr = bits_u64(addr), .size = bits_u32(length) };
	if (!tag)
		tag = p->tag;
	strbuf_adds(name, "bpf_prog_");
	for (u32 i = 0; i < TAG_SIZE; i++)
		strbuf_addf(name, "%02x", tag[i]);
	own = function_name(p, types, index);
	if (!own)
		own = bpf_info_functions(p) > 1 ? "F" : p->name;
	if (*own) {
		strbuf_addch(name, '_');
		strbuf_adds(name, own);
	}
	return true;
}

const u8 *bpf_info_code(const struct info_bpf_prog *p, u64 from, u32 size)
{
	u64 at, all;

	if (!bpf_info_functions(p) || !(p->arrays & HAS_CODE))
		return NULL;
	at = bits_u64(p->info + INFO_CODE);
	all = bits_u32(p->info + INFO_CODE_SIZE);
	if (at > p->data_size || all > p->data_size - at || from > all || size > all - from)
		return NULL;
	return p->info + p->info_size + at + from;
}

u32 bpf_info_lines(const struct info_bpf_prog *p)
{
	return bpf_info_functions(p) && (p->arrays & HAS_LINES) == HAS_LINES
		       ? bits_u32(p->info + INFO_NR_LINES)
		       : 0;
}

bool bpf_info_line(const struct info_bpf_prog *p, const struct info_btf *types, u32 index,
		   struct bpf_line *out)
{
	u32 size = bits_u32(p->info + INFO_LINE_SIZE);
	u32 addr_size = bits_u32(p->info + INFO_JITED_LINE_SIZE);
	const u8 *line = entry(p, INFO_LINES, INFO_NR_LINES, size, index);
	const u8 *addr = entry(p, INFO_JITED_LINES, INFO_NR_JITED_LINES, addr_size, index);

	if (!line || !addr || size < LINE_INFO_MIN || addr_size < sizeof(u64))
		return false;
	*out = (struct bpf_line){ .addr = bits_u64(addr),
				  .file = btf_string(types, bits_u32(line + LINE_FILE)),
				  .text = btf_string(types, bits_u32(line + LINE_TEXT)),
				  .line = bits_u32(line + LINE_COLUMN) >> COLUMN_BITS };
	return out->file && out->text;
}
