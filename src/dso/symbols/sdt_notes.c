/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/sdt_notes.h"

#include <ctype.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

enum {
	NOTE_TYPE = 3,
	NOTES_MAX = 16 << 20, /* bytes of the section */
	PROBES_MAX = 1 << 16,
	NAME_MAX_LEN = 256,
	PLACES_MAX = 1024, /* of one name */
	ARGS_MAX = 40, /* of one probe; a mangled file has more */
	ARG_MAX_LEN = 128,
};

static const char owner[] = "stapsdt";

struct sdt_note {
	const char *provider, *name, *args; /* in the section's bytes */
	u64 offset; /* in the file */
	u64 semaphore; /* offset in the file, 0 = none */
	u32 same; /* the next place of that name, 0 = none: the first is nobody's next */
	bool first;
};

struct sdt_notes {
	const struct elf_file *f;
	VEC(struct sdt_note) v;
	struct map by_name;
};

static bool is_identifier(const char *s)
{
	size_t n = 0;

	if (isdigit((unsigned char)s[0]))
		return false;
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n && n <= NAME_MAX_LEN && !s[n];
}

static u64 note_word(const struct elf_file *f, const u8 *p)
{
	return f->is64 ? elf_u64(f, p) : elf_u32(f, p);
}

static void link_note(struct sdt_notes *n, u32 added)
{
	struct sdt_note *v = n->v.v;
	u64 h = hash_bytes(v[added].name, strlen(v[added].name), 0);
	u32 i;

	h = hash_bytes(v[added].provider, strlen(v[added].provider), h);
	for (struct map_probe p = map_first(&n->by_name, h); map_next(&n->by_name, &p, &i);) {
		if (strcmp(v[i].name, v[added].name) || strcmp(v[i].provider, v[added].provider))
			continue;
		/* The same place again (an inlined function that was cloned) is no other probe. */
		for (u32 places = 1; places < PLACES_MAX; places++) {
			if (v[i].offset == v[added].offset)
				return;
			if (!v[i].same) {
				v[i].same = added;
				return;
			}
			i = v[i].same;
		}
		return;
	}
	v[added].first = true;
	map_add(&n->by_name, h, added);
}

/* desc: location, base, semaphore; then three strings. size bytes, and a NUL behind. */
static void add_note(struct sdt_notes *n, const u8 *desc, size_t size, u64 base_now)
{
	const struct elf_file *f = n->f;
	size_t word = f->is64 ? 8 : 4;
	struct sdt_note note = { 0 };
	const char *end = (const char *)desc + size;
	u64 location, base, semaphore;

	if (size < 3 * word + 3 || desc[size - 1] || n->v.nr == PROBES_MAX)
		return;
	location = note_word(f, desc);
	base = note_word(f, desc + word);
	semaphore = note_word(f, desc + 2 * word);
	note.provider = (const char *)desc + 3 * word;
	note.name = note.provider + strlen(note.provider) + 1;
	if (note.name >= end)
		return;
	note.args = note.name + strlen(note.name) + 1;
	if (note.args >= end || !is_identifier(note.provider) || !is_identifier(note.name))
		return;
	/* prelink moves code and leaves notes as they are; the section tells how far it went. */
	if (base && base_now) {
		location += base_now - base;
		semaphore += semaphore ? base_now - base : 0;
	}
	if (!elf_file_offset(f, location, &note.offset))
		return;
	if (semaphore && !elf_file_offset(f, semaphore, &note.semaphore))
		note.semaphore = 0;
	*VEC_PUSH(&n->v) = note;
	link_note(n, (u32)n->v.nr - 1);
}

static void read_notes(struct sdt_notes *n, const u8 *data, size_t size)
{
	const struct elf_section *base = elf_section_by_name(n->f, ".stapsdt.base");

	for (size_t at = 0; at + 12 <= size;) {
		u64 name_size = elf_u32(n->f, data + at);
		u64 desc_size = elf_u32(n->f, data + at + 4);
		u32 type = elf_u32(n->f, data + at + 8);
		u64 desc = at + 12 + ALIGN_UP(name_size, 4);

		if (desc > size || desc_size > size - desc)
			return;
		if (type == NOTE_TYPE && name_size == sizeof(owner) &&
		    !memcmp(data + at + 12, owner, sizeof(owner)))
			add_note(n, data + desc, desc_size, base ? base->addr : 0);
		at = desc + ALIGN_UP(desc_size, 4);
	}
}

/* Registers: as the assembler writes them and as the kernel names them. */

/* "rax", "eax", "ax", "al" are ax; "r8d" is r8; false: none that a uprobe can fetch, as "ah". */
static bool x86_register(struct strbuf *out, const char *s, size_t len)
{
	static const char *const names[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", "sp" };

	if (len > 1 && s[0] == 'r' && isdigit((unsigned char)s[1])) {
		size_t digits = s[1] == '1' && len > 2 && s[2] >= '0' && s[2] <= '5' ? 2 : 1;
		const char *size = s + 1 + digits;
		size_t rest = len - 1 - digits;

		if ((digits == 1 && s[1] < '8') || rest > 1 || (rest && !strchr("bwd", *size)))
			return false;
		strbuf_addch(out, '%');
		strbuf_add(out, s, 1 + digits);
		return true;
	}
	if (len == 3 && (s[0] == 'r' || s[0] == 'e')) {
		s++;
		len--;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *n = names[i];
		/* al, bl, ...; sil, dil, bpl, spl */
		bool byte = i < 4 ? len == 2 && s[0] == n[0] && s[1] == 'l'
				  : len == 3 && !memcmp(s, n, 2) && s[2] == 'l';

		if (byte || (len == 2 && !memcmp(s, n, 2))) {
			strbuf_addf(out, "%%%s", n);
			return true;
		}
	}
	return false;
}

/* "x0" to "x30", "w0"..., "sp". */
static bool arm64_register(struct strbuf *out, const char *s, size_t len)
{
	unsigned int number = 0;

	if (len == 2 && !memcmp(s, "sp", 2)) {
		strbuf_adds(out, "%sp");
		return true;
	}
	if (len < 2 || len > 3 || (s[0] != 'x' && s[0] != 'w'))
		return false;
	for (size_t i = 1; i < len; i++) {
		if (!isdigit((unsigned char)s[i]))
			return false;
		number = number * 10 + (unsigned int)(s[i] - '0');
	}
	if (number > 30)
		return false;
	strbuf_addf(out, "%%x%u", number);
	return true;
}

/* A decimal number with a sign in front of it, as the kernel wants an offset. */
static bool add_offset(struct strbuf *out, const char *s, size_t len)
{
	size_t digits = len && (s[0] == '-' || s[0] == '+') ? 1 : 0;

	if (len > 11 || digits == len)
		return false;
	for (size_t i = digits; i < len; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	if (!digits)
		strbuf_addch(out, '+');
	strbuf_add(out, s, len);
	return true;
}

/* "$-5": as the kernel writes numbers (Linux 5.4). */
static bool add_number(struct strbuf *out, const char *s, size_t len)
{
	size_t sign = len && s[0] == '-';

	if (len > 20 || sign == len)
		return false;
	for (size_t i = sign; i < len; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	strbuf_addch(out, '\\');
	strbuf_add(out, s, len);
	return true;
}

/* %rdi, 8(%rsp), (%rax), $3. */
static bool x86_operand(struct strbuf *out, const char *s, size_t len)
{
	const char *open = memchr(s, '(', len);
	size_t head = open ? (size_t)(open - s) : 0;

	if (s[0] == '%')
		return x86_register(out, s + 1, len - 1);
	if (s[0] == '$')
		return add_number(out, s + 1, len - 1);
	if (!open || s[len - 1] != ')' || len - head < 4 || open[1] != '%')
		return false;
	if (!head)
		strbuf_adds(out, "+0");
	else if (!add_offset(out, s, head))
		return false;
	strbuf_addch(out, '(');
	if (!x86_register(out, open + 2, len - head - 3))
		return false;
	strbuf_addch(out, ')');
	return true;
}

/* x0, [sp], [x29, -8], 3. */
static bool arm64_operand(struct strbuf *out, const char *s, size_t len)
{
	const char *comma = memchr(s, ',', len);
	size_t reg;

	if (isdigit((unsigned char)s[0]) || s[0] == '-')
		return add_number(out, s, len);
	if (s[0] != '[')
		return arm64_register(out, s, len);
	if (s[len - 1] != ']')
		return false;
	reg = comma ? (size_t)(comma - s) : len - 1;
	if (comma) {
		const char *number = comma + 1 + (comma + 1 < s + len && comma[1] == ' ');

		if (!add_offset(out, number, (size_t)(s + len - 1 - number)))
			return false;
	} else {
		strbuf_adds(out, "+0");
	}
	strbuf_addch(out, '(');
	if (!arm64_register(out, s + 1, reg - 1))
		return false;
	strbuf_addch(out, ')');
	return true;
}

/* "-4@": how the value is read; "" when the size is none that a uprobe knows. */
static const char *arg_type(const char *s, size_t len)
{
	static const struct {
		const char *size, *type;
	} types[] = {
		{ "1", ":u8" },  { "-1", ":s8" },  { "2", ":u16" }, { "-2", ":s16" },
		{ "4", ":u32" }, { "-4", ":s32" }, { "8", ":u64" }, { "-8", ":s64" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strlen(types[i].size) == len && !memcmp(types[i].size, s, len))
			return types[i].type;
	return "";
}

/* An argument as the kernel fetches it; false: it cannot. */
static bool add_arg(struct strbuf *out, const struct elf_file *f, unsigned int number,
		    const char *s, size_t len)
{
	_cleanup_(strbuf_releasep) struct strbuf operand = STRBUF_INIT;
	const char *at = memchr(s, '@', len);
	const char *value = at ? at + 1 : s;
	size_t value_len = (size_t)(s + len - value);
	bool ok;

	if (!value_len || len > ARG_MAX_LEN)
		return false;
	if (f->machine == EM_X86_64 || f->machine == EM_386)
		ok = x86_operand(&operand, value, value_len);
	else
		ok = f->machine == EM_AARCH64 && arm64_operand(&operand, value, value_len);
	if (ok)
		strbuf_addf(out, " arg%u=%s%s", number, operand.buf,
			    at ? arg_type(s, (size_t)(at - s)) : "");
	return ok;
}

/* One that is told once, although the point has several places. */
static void leave_out(struct strbuf *out, unsigned int number, const char *s, size_t len)
{
	_cleanup_(mem_freep) char *text = xasprintf("arg%u (%.*s)", number, (int)len, s);

	if (!strstr(out->buf, text))
		strbuf_addf(out, "%s%s", out->len ? ", " : "", text);
}

/*
 * Arguments are numbered as the program has them, also those that are left out, which are put into
 * left_out if that is not NULL.
 */
static void add_args(struct strbuf *out, const struct elf_file *f, const char *args,
		     struct strbuf *left_out)
{
	unsigned int number = 0;

	for (;;) {
		size_t len;

		args += strspn(args, " ");
		len = strcspn(args, " ");
		/* arm64 writes [sp, 8]: the blank does not end it. */
		if (memchr(args, '[', len) && !memchr(args, ']', len))
			len = strcspn(args, "]") + (strchr(args, ']') != NULL);
		if (!len || ++number > ARGS_MAX)
			return;
		if (!add_arg(out, f, number, args, len) && left_out)
			leave_out(left_out, number, args, len < ARG_MAX_LEN ? len : ARG_MAX_LEN);
		args += len;
	}
}

static void add_place(struct strbuf *out, const struct sdt_notes *n, const struct sdt_note *note,
		      const char *path)
{
	strbuf_addf(out, "p:sdt_%s/%s %s:0x%llx", note->provider, note->name, path,
		    (unsigned long long)note->offset);
	if (note->semaphore)
		strbuf_addf(out, "(0x%llx)", (unsigned long long)note->semaphore);
	add_args(out, n->f, note->args, NULL);
	strbuf_addch(out, '\n');
}

/* The notes of a file; its section's bytes, which they point into and the caller frees. */
static u8 *read_file(struct sdt_notes *n)
{
	const struct elf_section *s = elf_section_by_name(n->f, ".note.stapsdt");
	u8 *data = s && s->size <= NOTES_MAX ? elf_section_data(n->f, s) : NULL;

	if (data)
		read_notes(n, data, s->size);
	return data;
}

static void release(struct sdt_notes *n)
{
	map_release(&n->by_name);
	vec_free(&n->v);
}

void sdt_notes_probes(const struct elf_file *f, const char *path, struct strbuf *out)
{
	struct sdt_notes n = { .f = f };
	_cleanup_(mem_freep) u8 *data = NULL;

	/* A path with a line break would make lines of its own. */
	if (strpbrk(path, " \n"))
		return;
	data = read_file(&n);
	VEC_FOR(&n.v, note) {
		if (!note->first)
			continue;
		strbuf_addf(out, "%%sdt_%s:%s=%s\n", note->provider, note->name, note->name);
		add_place(out, &n, note, path);
		for (u32 i = note->same; i; i = n.v.v[i].same)
			add_place(out, &n, &n.v.v[i], path);
	}
	release(&n);
}

void sdt_notes_left_out(const struct elf_file *f, const char *provider, const char *name,
			struct strbuf *out)
{
	struct sdt_notes n = { .f = f };
	_cleanup_(strbuf_releasep) struct strbuf fetched = STRBUF_INIT;
	u8 *data = read_file(&n);

	VEC_FOR(&n.v, note)
		if (!strcmp(note->provider, provider) && !strcmp(note->name, name))
			add_args(&fetched, f, note->args, out);
	release(&n);
	free(data);
}
