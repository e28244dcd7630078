/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running a compiled print fmt over a record. Integers are zero-extended 64-bit values until a cast
 * or the conversion's own length narrows them, as the reference computes them; strings are appended
 * to the output without a copy in between.
 */
#include <ctype.h>

#include "base/digits.h"
#include "tracefmt/operators.h"

struct print_run {
	const struct tracefmt *t;
	const u8 *raw;
	size_t size;
	const struct tracefmt_print_ctx *ctx;
	struct strbuf *out;
};

struct bytes {
	const u8 *p;
	size_t len; /* bytes that may be read at p */
};

/* ------------------------------------------------------------------ values */

static bool field_bytes(const struct print_run *r, const struct tracefmt_field *f, struct bytes *b)
{
	const char *p;

	if (f->size == 0 && !(f->flags & TRACEFMT_DYNAMIC)) { /* the rest of the record */
		if (f->offset > r->size)
			return false;
		*b = (struct bytes){ r->raw + f->offset, r->size - f->offset };
		return true;
	}
	if (!tracefmt_bytes(f, r->raw, r->size, &p, &b->len))
		return false;
	b->p = (const u8 *)p;
	return true;
}

/* What an array expression points to. */
static bool node_bytes(const struct print_run *r, u32 n, struct bytes *b)
{
	const struct print_node *x = &r->t->nodes[n];

	while (x->type == NODE_CAST)
		x = &r->t->nodes[x->a];
	switch (x->type) {
	case NODE_FIELD:
	case NODE_GET_STR:
	case NODE_DYNAMIC:
	case NODE_BITMASK:
		return field_bytes(r, x->field, b);
	default:
		return false;
	}
}

static u64 eval(const struct print_run *r, u32 n);

/* The elements are those of the field, or of what dynamic data is cast to. */
static u64 eval_index(const struct print_run *r, const struct print_node *x)
{
	const struct print_node *array = &r->t->nodes[x->a];
	u64 index = eval(r, x->b);
	u32 size = 0;
	struct bytes b;

	while (array->type == NODE_CAST) {
		size = array->len;
		array = &r->t->nodes[array->a];
	}
	if (!node_bytes(r, x->a, &b) || array->type == NODE_GET_STR)
		return 0;
	if (array->type == NODE_FIELD || !size)
		size = array->field->element_size;
	if (!size || index >= b.len / size)
		return 0;
	return program_load(r->t->set->swap, b.p + index * size, size);
}

static u64 eval_field(const struct print_run *r, const struct tracefmt_field *f)
{
	if (f->offset > r->size || f->size > r->size - f->offset)
		return 0;
	return program_load(f->flags & TRACEFMT_SWAPPED, r->raw + f->offset, f->size);
}

static u64 eval(const struct print_run *r, u32 n)
{
	const struct print_node *x = &r->t->nodes[n];
	struct bytes b;

	switch (x->type) {
	case NODE_NUM:
		return x->num;
	case NODE_FIELD:
		return eval_field(r, x->field);
	case NODE_INDEX:
		return eval_index(r, x);
	case NODE_UNARY:
		return program_unary(x->op, eval(r, x->a));
	case NODE_BINARY:
		return program_binary(x->op, eval(r, x->a), eval(r, x->b));
	case NODE_COND:
		return eval(r, eval(r, x->a) ? x->b : x->c);
	case NODE_CAST:
		return program_cast(x, eval(r, x->a));
	case NODE_DYNAMIC_LEN:
		return field_bytes(r, x->field, &b) ? b.len : 0;
	default:
		return 0;
	}
}

/* ------------------------------------------------------------------ strings */

static void add_0x(struct strbuf *out, u64 v)
{
	strbuf_add(out, "0x", 2);
	strbuf_add_hex(out, v);
}

/* Width and precision of a %s; they apply to some of what it can print. */
struct print_layout {
	s32 width, prec;
	bool left;
};

static void add_laid_out(struct strbuf *out, const struct print_layout *l, const char *s,
			 size_t len)
{
	if (l->prec >= 0 && len > (size_t)l->prec)
		len = (size_t)l->prec;
	size_t fill = l->width > 0 && (size_t)l->width > len ? (size_t)l->width - len : 0;

	if (!l->left)
		strbuf_pad(out, ' ', fill);
	strbuf_add(out, s, len);
	if (l->left)
		strbuf_pad(out, ' ', fill);
}

static void print_flags(const struct print_run *r, const struct print_node *x,
			const struct print_layout *l)
{
	u64 v = eval(r, x->a);
	bool any = false;

	for (u32 i = 0; i < x->nr_pairs; i++) {
		const struct node_pair *p = &x->pairs[i];

		if (!v && p->value < 0) {
			add_laid_out(r->out, l, p->str, p->len);
			return;
		}
		if (p->value > 0 && (v & (u64)p->value) == (u64)p->value) {
			if (any)
				strbuf_add(r->out, x->str, x->len);
			add_laid_out(r->out, l, p->str, p->len);
			any = true;
			v &= ~(u64)p->value;
		}
	}
	if (v) {
		if (any)
			strbuf_add(r->out, x->str, x->len);
		add_0x(r->out, v);
	}
}

static void print_symbolic(const struct print_run *r, const struct print_node *x,
			   const struct print_layout *l)
{
	u64 v = eval(r, x->a);

	for (u32 i = 0; i < x->nr_pairs; i++)
		if ((u64)x->pairs[i].value == v) {
			add_laid_out(r->out, l, x->pairs[i].str, x->pairs[i].len);
			return;
		}
	add_0x(r->out, v);
}

static void add_hex_bytes(struct strbuf *out, struct bytes b, char separator)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < b.len; i++) {
		if (i && separator)
			strbuf_addch(out, separator);
		strbuf_addch(out, digits[b.p[i] >> 4]);
		strbuf_addch(out, digits[b.p[i] & 15]);
	}
}

static void print_hex(const struct print_run *r, const struct print_node *x)
{
	struct bytes b;
	u64 len = eval(r, x->b);

	if (!node_bytes(r, x->a, &b))
		return;
	b.len = MIN(b.len, len);
	add_hex_bytes(r->out, b, x->type == NODE_HEX ? ' ' : '\0');
}

static void print_array(const struct print_run *r, const struct print_node *x)
{
	u64 count = eval(r, x->b);
	u64 size = eval(r, x->c);
	struct bytes b;

	if (!node_bytes(r, x->a, &b) || (size != 1 && size != 2 && size != 4 && size != 8))
		return;
	for (u64 i = 0; i < MIN(count, b.len / size); i++) {
		if (i)
			strbuf_addch(r->out, ' ');
		strbuf_add_u64(r->out, program_load(r->t->set->swap, b.p + i * size, (u32)size));
	}
}

/*
 * 32 bits of a set, those with the lowest numbers first. It consists of longs of the recorded
 * machine: where the higher byte comes first, so does the higher half of a long of 64 bits.
 */
static u32 load_mask(const struct print_run *r, struct bytes b, u64 word)
{
	const struct tracefmt_set *set = r->t->set;
	bool big_endian = set->swap != (__BYTE_ORDER == __BIG_ENDIAN);

	if (big_endian && set->long_size == 8 && (word ^ 1) < b.len / 4)
		word ^= 1;
	return (u32)program_load(set->swap, b.p + word * 4, 4);
}

static bool has_bit(const struct print_run *r, struct bytes b, u64 bit)
{
	return load_mask(r, b, bit / 32) >> bit % 32 & 1;
}

/* "0-2,5" */
static void add_bit_list(const struct print_run *r, struct bytes b, struct strbuf *out)
{
	u64 bits = b.len / 4 * 32;
	const char *between = "";

	for (u64 bit = 0, end; bit < bits && out->len < TRACEFMT_MAX_PRINT; bit = end) {
		end = bit + 1;
		if (!has_bit(r, b, bit))
			continue;
		while (end < bits && has_bit(r, b, end))
			end++;
		strbuf_adds(out, between);
		strbuf_add_u64(out, bit);
		if (end > bit + 1) {
			strbuf_addch(out, '-');
			strbuf_add_u64(out, end - 1);
		}
		between = ",";
	}
}

static void print_bitmask(const struct print_run *r, const struct print_node *x,
			  const struct print_layout *l)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	bool list = r->ctx && r->ctx->bit_lists;
	struct bytes b;

	if (!field_bytes(r, x->field, &b))
		return;
	if (list)
		add_bit_list(r, b, &text);
	for (size_t word = list ? 0 : b.len / 4; word-- > 0;) {
		strbuf_add_hex_width(&text, load_mask(r, b, word), 8, '0');
		if (word)
			strbuf_addch(&text, ',');
	}
	add_laid_out(r->out, l, text.buf, text.len);
}

static const char *find_addr(const struct tracefmt_addr *v, size_t nr, u64 addr, bool exact)
{
	size_t lo = 0;
	size_t hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || (exact && v[lo - 1].addr != addr))
		return NULL;
	return v[lo - 1].name;
}

static size_t cstring_len(struct bytes b)
{
	return strnlen((const char *)b.p, b.len);
}

/* %s of a plain field: characters, or a pointer to a string of the kernel. */
static void print_field_string(const struct print_run *r, const struct tracefmt_field *f,
			       const struct print_layout *l)
{
	const struct tracefmt_set *s = r->t->set;
	struct bytes b;

	if (!(f->flags & TRACEFMT_ARRAY) && f->size == s->long_size) {
		u64 addr = eval_field(r, f);
		const char *name = find_addr(s->printk.v, s->printk.nr, addr, true);

		if (name)
			strbuf_adds(r->out, name);
		else
			strbuf_add_hex(r->out, addr);
		return;
	}
	if (field_bytes(r, f, &b))
		add_laid_out(r->out, l, (const char *)b.p, cstring_len(b));
}

static void print_string(const struct print_run *r, u32 n, const struct print_layout *l)
{
	const struct print_node *x = &r->t->nodes[n];
	struct bytes b;

	switch (x->type) {
	case NODE_STRING:
	case NODE_NAME:
	case NODE_NUM:
		add_laid_out(r->out, l, x->str, x->len);
		break;
	case NODE_FIELD:
		print_field_string(r, x->field, l);
		break;
	case NODE_FLAGS:
		print_flags(r, x, l);
		break;
	case NODE_SYMBOLIC:
		print_symbolic(r, x, l);
		break;
	case NODE_HEX:
	case NODE_HEX_STR:
		print_hex(r, x);
		break;
	case NODE_ARRAY:
		print_array(r, x);
		break;
	case NODE_BITMASK:
		print_bitmask(r, x, l);
		break;
	case NODE_GET_STR:
		if (field_bytes(r, x->field, &b))
			add_laid_out(r->out, l, (const char *)b.p, cstring_len(b));
		break;
	case NODE_COND:
		print_string(r, eval(r, x->a) ? x->b : x->c, l);
		break;
	default:
		break;
	}
}

/* ------------------------------------------------------------------ conversions */

static s32 star(const struct print_run *r, u32 node, s32 fixed)
{
	if (!node)
		return fixed;
	s64 v = (s32)eval(r, node);

	return (s32)(v < -TRACEFMT_MAX_WIDTH  ? -TRACEFMT_MAX_WIDTH
		     : v > TRACEFMT_MAX_WIDTH ? TRACEFMT_MAX_WIDTH
					      : v);
}

static u64 narrow(u8 size, char conv, u64 v)
{
	unsigned int unused_bits = 64U - 8U * size;

	if (conv == 'd')
		return (u64)((s64)(v << unused_bits) >> unused_bits);
	return v << unused_bits >> unused_bits;
}

/* Digits of v in reverse order of writing; returns their start in buf. */
static char *digits_of(char *end, u64 v, char conv)
{
	const char *set = conv == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	unsigned int base = conv == 'o' ? 8 : conv == 'x' || conv == 'X' ? 16 : 10;

	for (; v; v /= base)
		*--end = set[v % base];
	return end;
}

static void print_int_full(const struct print_run *r, const struct print_piece *p, u64 v)
{
	char digits[32];
	char *end = digits + sizeof(digits);
	s32 width = star(r, p->width_node, p->width);
	s32 prec = star(r, p->prec_node, p->prec);
	bool left = p->flags & PIECE_LEFT || width < 0;
	const char *prefix = "";

	if (p->conv == 'd' && (s64)v < 0) {
		prefix = "-";
		v = (u64)0 - v;
	} else if (p->flags & PIECE_ALT && v && (p->conv | 0x20) == 'x') {
		prefix = p->conv == 'x' ? "0x" : "0X";
	}
	char *d = digits_of(end, v, p->conv);
	size_t nr = (size_t)(end - d);
	size_t zeros = 0;
	size_t prefix_len = strlen(prefix);

	width = width < -1 ? -width : width;
	if (prec < 0 && nr == 0)
		zeros = 1;
	else if (prec > (s32)nr)
		zeros = (size_t)prec - nr;
	if (p->flags & PIECE_ALT && p->conv == 'o' && !zeros)
		zeros = 1;
	size_t len = prefix_len + zeros + nr;
	size_t fill = width > 0 && (size_t)width > len ? (size_t)width - len : 0;

	if (p->flags & PIECE_ZERO && !left && prec < 0) {
		zeros += fill;
		fill = 0;
	}
	if (!left)
		strbuf_pad(r->out, ' ', fill);
	strbuf_add(r->out, prefix, prefix_len);
	strbuf_pad(r->out, '0', zeros);
	strbuf_add(r->out, d, nr);
	if (left)
		strbuf_pad(r->out, ' ', fill);
}

static u64 piece_value(const struct print_run *r, const struct print_piece *p)
{
	if (!p->load_size)
		return eval(r, p->node);
	if (p->load_offset + p->load_size > r->size)
		return 0;
	return program_load(p->load_swap, r->raw + p->load_offset, p->load_size);
}

static void print_int(const struct print_run *r, const struct print_piece *p)
{
	u64 v = piece_value(r, p);

	v = narrow(p->size, p->conv, v);
	if (!(p->flags & PIECE_PLAIN) || p->conv == 'o' || p->conv == 'X') {
		print_int_full(r, p, v);
		return;
	}
	if (p->conv == 'x') {
		strbuf_add_hex(r->out, v);
		return;
	}
	if (p->conv == 'd' && (s64)v < 0) {
		strbuf_addch(r->out, '-');
		v = (u64)0 - v;
	}
	strbuf_add_u64(r->out, v);
}

static void print_piece_string(const struct print_run *r, const struct print_piece *p)
{
	struct print_layout l = { -1, -1, false };

	if (!(p->flags & PIECE_PLAIN)) {
		l.width = star(r, p->width_node, p->width);
		l.prec = star(r, p->prec_node, p->prec);
		l.left = p->flags & PIECE_LEFT || l.width < -1;
		if (l.width < -1)
			l.width = -l.width;
	}
	print_string(r, p->node, &l);
}

static void print_sym(const struct print_run *r, const struct print_piece *p)
{
	u64 addr = piece_value(r, p);
	bool with_offset = p->conv == 'S' || p->conv == 'F';

	if (r->ctx && r->ctx->sym && r->ctx->sym(r->ctx->sym_ctx, addr, with_offset, r->out))
		return;
	add_0x(r->out, addr);
}

static void print_ptr(const struct print_run *r, const struct print_piece *p)
{
	u64 v = piece_value(r, p);

	if (v)
		add_0x(r->out, v);
	else
		strbuf_add(r->out, "(nil)", 5);
}

/* The bytes of an address of a fixed size, or a note that they are something else. */
static const u8 *fixed_bytes(const struct print_run *r, const struct print_piece *p, size_t size,
			     const char *what)
{
	struct bytes b;

	if (node_bytes(r, p->node, &b) && b.len == size)
		return b.p;
	strbuf_adds(r->out, "INVALID");
	strbuf_adds(r->out, what);
	return NULL;
}

static void print_mac(const struct print_run *r, const struct print_piece *p)
{
	const u8 *b = fixed_bytes(r, p, 6, "MAC");
	bool reverse = strchr(p->text, 'R');
	char separator = p->text[0] == 'm' ? '\0' : strchr(p->text, 'F') ? '-' : ':';
	u8 mac[6];

	if (!b)
		return;
	for (size_t i = 0; i < sizeof(mac); i++)
		mac[i] = b[reverse ? 5 - i : i];
	add_hex_bytes(r->out, (struct bytes){ mac, sizeof(mac) }, separator);
}

static void print_ip4(struct strbuf *out, const u8 *p, bool zeros, bool reverse)
{
	for (int i = 0; i < 4; i++) {
		if (i)
			strbuf_addch(out, '.');
		if (zeros)
			strbuf_add_u64_width(out, p[reverse ? 3 - i : i], 3, '0');
		else
			strbuf_add_u64(out, p[reverse ? 3 - i : i]);
	}
}

/* RFC 5952: the longest run of at least two zero words, the first of equals, becomes "::". */
static void print_ip6_short(struct strbuf *out, const u8 *p)
{
	static const u8 mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
	bool v4 = !memcmp(p, mapped, sizeof(mapped));
	int words = v4 ? 6 : 8;
	int best = -1;
	int best_len = 1;

	for (int i = 0; i < words; i++) {
		int n = 0;

		while (i + n < words && !p[(i + n) * 2] && !p[(i + n) * 2 + 1])
			n++;
		if (n > best_len) {
			best = i;
			best_len = n;
		}
	}
	bool colon = false;

	for (int i = 0; i < words;) {
		if (i == best) {
			strbuf_add(out, i ? ":" : "::", i ? 1 : 2);
			i += best_len;
			colon = false;
			continue;
		}
		if (colon)
			strbuf_addch(out, ':');
		strbuf_add_hex(out, (u64)p[i * 2] << 8 | p[i * 2 + 1]);
		colon = true;
		i++;
		if (i == best) {
			strbuf_addch(out, ':');
			colon = false;
		}
	}
	if (v4) {
		if (colon)
			strbuf_addch(out, ':');
		print_ip4(out, p + 12, false, false);
	}
}

static void print_ip6(struct strbuf *out, const u8 *p, const struct print_piece *x)
{
	if (x->conv == 'I' && strchr(x->text, 'c')) {
		print_ip6_short(out, p);
		return;
	}
	for (int i = 0; i < 8; i++) {
		if (i && x->conv == 'I')
			strbuf_addch(out, ':');
		strbuf_add_hex_width(out, (u64)p[i * 2] << 8 | p[i * 2 + 1], 4, '0');
	}
}

static void print_sockaddr(struct strbuf *out, struct bytes b, const struct print_piece *p)
{
	enum { FAMILY_INET = 2, FAMILY_INET6 = 10 };
	bool port = strchr(p->text, 'p');

	if (b.len < 8)
		return;
	u32 family = bits_u16(b.p);

	if (family == FAMILY_INET) {
		print_ip4(out, b.p + 4, p->conv == 'i', false);
	} else if (family == FAMILY_INET6 && b.len >= 24) {
		if (port)
			strbuf_addch(out, '[');
		print_ip6(out, b.p + 8, p);
		if (port)
			strbuf_addch(out, ']');
	} else {
		return;
	}
	if (port) {
		strbuf_addch(out, ':');
		strbuf_add_u64(out, (u64)b.p[2] << 8 | b.p[3]);
	}
}

static void print_ip(const struct print_run *r, const struct print_piece *p)
{
	struct bytes b;
	const u8 *addr;

	switch (p->text[0]) {
	case '4':
		addr = fixed_bytes(r, p, 4, "IPv4");
		if (addr)
			print_ip4(r->out, addr, p->conv == 'i',
				  p->text[1] == 'h' || p->text[1] == 'l');
		break;
	case '6':
		addr = fixed_bytes(r, p, 16, "IPv6");
		if (addr)
			print_ip6(r->out, addr, p);
		break;
	case 'S':
		if (node_bytes(r, p->node, &b))
			print_sockaddr(r->out, b, p);
		break;
	default:
		break;
	}
}

static void print_uuid(const struct print_run *r, const struct print_piece *p)
{
	static const u8 little[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	char kind = p->text[0];
	bool is_little = kind == 'l' || kind == 'L';
	const char *digits = kind == 'B' || kind == 'L' ? "0123456789ABCDEF" : "0123456789abcdef";
	const u8 *b = fixed_bytes(r, p, 16, "UUID");

	for (int i = 0; b && i < 16; i++) {
		u8 v = b[is_little ? little[i] : i];

		if (i == 4 || i == 6 || i == 8 || i == 10)
			strbuf_addch(r->out, '-');
		strbuf_addch(r->out, digits[v >> 4]);
		strbuf_addch(r->out, digits[v & 15]);
	}
}

static void print_raw_bytes(const struct print_run *r, const struct print_piece *p)
{
	s32 width = star(r, p->width_node, p->width);
	char separator = p->text[0] == 'C'   ? ':'
			 : p->text[0] == 'D' ? '-'
			 : p->text[0] == 'N' ? '\0'
					     : ' ';
	struct bytes b;

	if (!node_bytes(r, p->node, &b))
		return;
	b.len = MIN(b.len, width > 0 ? (size_t)width : 1);
	add_hex_bytes(r->out, b, separator);
}

static void print_piece(const struct print_run *r, const struct print_piece *p)
{
	switch (p->kind) {
	case PIECE_TEXT:
		strbuf_add(r->out, p->text, p->len);
		break;
	case PIECE_INT:
		print_int(r, p);
		break;
	case PIECE_STR:
		print_piece_string(r, p);
		break;
	case PIECE_PTR:
		print_ptr(r, p);
		break;
	case PIECE_SYM:
		print_sym(r, p);
		break;
	case PIECE_MAC:
		print_mac(r, p);
		break;
	case PIECE_IP:
		print_ip(r, p);
		break;
	case PIECE_UUID:
		print_uuid(r, p);
		break;
	case PIECE_RAW:
		print_raw_bytes(r, p);
		break;
	default:
		break;
	}
}

static char *put_signed(char *p, s64 v)
{
	if (v >= 0)
		return digits_put(p, (u64)v);
	*p = '-';
	return digits_put(p + 1, (u64)0 - (u64)v);
}

static char *put_integer(const struct print_run *r, const struct step *s, char *p)
{
	u64 v = 0;

	if (s->load_offset + s->load_size <= r->size)
		v = program_load(s->load_swap, r->raw + s->load_offset, s->load_size);
	v = narrow(s->size, s->conv, v);
	if (s->conv == 'x')
		return digits_put_hex(p, v);
	return s->conv == 'd' ? put_signed(p, (s64)v) : digits_put(p, v);
}

static inline char *put_step(const struct print_run *r, const struct step *s,
			     enum step_number number, char *p)
{
	const u8 *field = r->raw + s->load_offset;

	memcpy(p, s->text, STEP_PADDING);
	for (u32 i = STEP_PADDING; i < s->len; i += STEP_PADDING)
		memcpy(p + i, s->text + i, STEP_PADDING);
	p += s->len;
	switch (number) {
	case STEP_TEXT:
		return p;
	case STEP_HEX4:
		return digits_put_hex(p, bits_u32(field));
	case STEP_HEX8:
		return digits_put_hex(p, bits_u64(field));
	case STEP_UNSIGNED4:
		return digits_put(p, bits_u32(field));
	case STEP_UNSIGNED8:
		return digits_put(p, bits_u64(field));
	case STEP_SIGNED4:
		return put_signed(p, (s32)bits_u32(field));
	case STEP_SIGNED8:
		return put_signed(p, (s64)bits_u64(field));
	default:
		return put_integer(r, s, p);
	}
}

static void print_row(const struct print_run *r, const struct step *first)
{
	struct strbuf *out = r->out;
	bool whole = first->row_load <= r->size;

	if (out->cap < out->len + first->row_room)
		strbuf_grow(out, first->row_room);
	char *p = out->buf + out->len;

	for (const struct step *s = first; s < first + first->row; s++)
		p = put_step(r, s, whole || !s->load_size ? s->number : STEP_OTHER, p);
	*p = '\0';
	out->len = (size_t)(p - out->buf);
}

/* ------------------------------------------------------------------ without a print fmt */

static bool is_printable(struct bytes b)
{
	size_t i = 0;

	if (!b.len)
		return false;
	for (; i < b.len && b.p[i]; i++)
		if (!isprint(b.p[i]) && !isspace(b.p[i]))
			return false;
	for (; i < b.len; i++)
		if (b.p[i])
			return false;
	return true;
}

static void print_raw_array(const struct print_run *r, const struct tracefmt_field *f)
{
	static const char digits[] = "0123456789abcdef";
	struct bytes b;

	if (!field_bytes(r, f, &b))
		return;
	if (f->flags & TRACEFMT_STRING && is_printable(b)) {
		strbuf_add(r->out, b.p, cstring_len(b));
		return;
	}
	strbuf_adds(r->out, "ARRAY[");
	for (size_t i = 0; i < b.len; i++) {
		if (i)
			strbuf_add(r->out, ", ", 2);
		strbuf_addch(r->out, digits[b.p[i] >> 4]);
		strbuf_addch(r->out, digits[b.p[i] & 15]);
	}
	strbuf_addch(r->out, ']');
}

static void print_raw_field(const struct print_run *r, const struct tracefmt_field *f)
{
	u64 v;

	if (f->flags & TRACEFMT_ARRAY) {
		print_raw_array(r, f);
		return;
	}
	if (!tracefmt_u64(f, r->raw, r->size, &v))
		v = 0;
	if (f->flags & TRACEFMT_POINTER ||
	    (f->flags & TRACEFMT_LONG && !(f->flags & TRACEFMT_SIGNED))) {
		add_0x(r->out, v);
		return;
	}
	if (f->flags & TRACEFMT_SIGNED && (s64)v < 0) {
		strbuf_addch(r->out, '-');
		v = (u64)0 - v;
	} else if (f->flags & TRACEFMT_SIGNED && f->size == 2 && v < 10) {
		strbuf_addch(r->out, ' ');
	}
	strbuf_add_u64(r->out, v);
}

static void print_raw_fields(const struct print_run *r)
{
	size_t limit = r->out->len + TRACEFMT_MAX_PRINT;

	for (u32 i = r->t->nr_common; i < r->t->nr_fields && r->out->len < limit; i++) {
		strbuf_addch(r->out, ' ');
		strbuf_adds(r->out, r->t->fields[i].name);
		strbuf_addch(r->out, '=');
		print_raw_field(r, &r->t->fields[i]);
	}
}

bool tracefmt_is_plain(const struct tracefmt *t)
{
	for (u32 i = 0; i < t->nr_steps; i++) {
		const struct step *s = &t->steps[i];

		if (s->piece)
			return false;
		for (u32 j = 0; j < s->len; j++)
			if (s->text[j] < 0x20 || s->text[j] > 0x7e)
				return false;
	}
	return !t->failed;
}

void tracefmt_print(const struct tracefmt *t, const void *raw, size_t size,
		    const struct tracefmt_print_ctx *ctx, struct strbuf *out)
{
	struct print_run r = { .t = t, .raw = raw, .size = size, .ctx = ctx, .out = out };
	size_t limit = out->len + TRACEFMT_MAX_PRINT;

	if (t->failed) {
		strbuf_adds(out, "[FAILED TO PARSE]");
		print_raw_fields(&r);
		return;
	}
	for (u32 i = 0; i < t->nr_steps && out->len < limit; i += t->steps[i].row)
		if (t->steps[i].piece)
			print_piece(&r, &t->pieces[t->steps[i].piece - 1]);
		else
			print_row(&r, &t->steps[i]);
}

void tracefmt_print_fields(const struct tracefmt *t, const void *raw, size_t size,
			   struct strbuf *out)
{
	const struct print_run r = { .t = t, .raw = raw, .size = size, .out = out };

	print_raw_fields(&r);
}

bool tracefmt_print_bit_list(const struct tracefmt *t, const struct tracefmt_field *f,
			     const void *raw, size_t size, struct strbuf *out)
{
	const struct print_run r = { .t = t, .raw = raw, .size = size, .out = out };
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct bytes b;
	bool is_set = false;

	for (u32 i = 0; i < t->nr_nodes && !is_set; i++)
		is_set = t->nodes[i].type == NODE_BITMASK && t->nodes[i].field == f;
	if (!is_set)
		return false;
	if (field_bytes(&r, f, &b))
		add_bit_list(&r, b, &text);
	strbuf_adds(out, text.buf);
	return true;
}

void tracefmt_print_field(const struct tracefmt *t, const struct tracefmt_field *f, const void *raw,
			  size_t size, struct strbuf *out)
{
	const struct print_run r = { .t = t, .raw = raw, .size = size, .out = out };

	print_raw_field(&r, f);
}
