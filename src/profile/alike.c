/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/alike.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

/* ---- names ---- */

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(s + len - n, end, n);
}

static size_t count_hex(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && isxdigit((unsigned char)s[n]))
		n++;
	return n;
}

/* Without ".constprop.0", ".cold", " [clone .isra.1]"; len: there is none. */
static size_t without_clone(const char *s, size_t len)
{
	static const char *const words[] = { ".constprop", ".isra",  ".part",  ".cold",
					     ".lto_priv",  ".llvm",  ".clone", ".localalias",
					     ".__uniq",    ".split", ".warm" };
	size_t end = len;

	if (len && s[len - 1] == ']') {
		for (size_t i = len; i-- > 1;)
			if (s[i] == '[')
				return strncmp(s + i, "[clone ", 7) || s[i - 1] != ' ' ? len
										       : i - 1;
	}
	while (end && isdigit((unsigned char)s[end - 1]))
		end--;
	end = end && end < len && s[end - 1] == '.' ? end - 1 : len;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (ends_with(s, end, words[i]))
			return end - strlen(words[i]);
	return len;
}

/* Without "::h0123456789abcdef", and the same as Rust's older names have it. */
static size_t without_hash(const char *s, size_t len)
{
	enum { DIGITS = 16, PLAIN = DIGITS + 3, MANGLED = DIGITS + 4 };

	if (len > PLAIN && !memcmp(s + len - PLAIN, "::h", 3) &&
	    count_hex(s + len - DIGITS, DIGITS) == DIGITS)
		return len - PLAIN;
	if (len > MANGLED && s[len - 1] == 'E' && !memcmp(s + len - MANGLED, "17h", 3) &&
	    count_hex(s + len - DIGITS - 1, DIGITS) == DIGITS)
		return len - MANGLED;
	return len;
}

void alike_add_symbol(const char *name, size_t len, struct strbuf *out)
{
	enum { LEAST = 8, MOST = 16 }; /* digits of a crate's hash */
	size_t before;

	do {
		before = len;
		len = without_clone(name, len);
		len = without_hash(name, len);
	} while (len < before);
	for (size_t i = 0; i < len; i++) {
		size_t n = name[i] == '[' ? count_hex(name + i + 1, len - i - 1) : 0;

		if (n >= LEAST && n <= MOST && i + 1 + n < len && name[i + 1 + n] == ']')
			i += n + 1;
		else
			strbuf_addch(out, name[i]);
	}
}

/* How long a version is that begins here, with what leads to it: "-1.2.3"; 0 = none does. */
static size_t version_at(const char *s, size_t len)
{
	size_t n = 0, end = 0;

	for (;;) {
		size_t from = n + (n < len && strchr("-_.+~", s[n]) && s[n]);

		from += from > n && from + 1 < len && s[from] == 'v' &&
			isdigit((unsigned char)s[from + 1]);
		n = from;
		while (n < len && isdigit((unsigned char)s[n]))
			n++;
		if (n == from)
			return end;
		end = n;
	}
}

void alike_add_object(const char *name, size_t len, struct strbuf *out)
{
	static const char store[] = "/nix/store/", debug[] = ".debug";
	enum { STORE_HASH = 33 }; /* with the '-' behind it */
	size_t from = 0;

	if (ends_with(name, len, debug))
		len -= strlen(debug);
	if (len > strlen(store) + STORE_HASH && !memcmp(name, store, strlen(store)))
		from = strlen(store) + STORE_HASH;
	while (from < len) {
		size_t n = version_at(name + from, len - from);

		if (!n)
			strbuf_addch(out, name[from]);
		from += n ? n : 1;
	}
}

/* ---- groups of names ---- */

struct name_line {
	const char *at;
	size_t len;
};

static struct name_line line_of(const char *name, size_t nr)
{
	struct name_line l;

	for (; nr; nr--)
		name = strchr(name, '\n') + 1;
	l.at = name;
	l.len = strcspn(name, "\n");
	return l;
}

struct joining {
	struct joined *j;
	const struct alike_input *in;
	struct alike_list *out;
	struct intern objects; /* their names */
	u32 *object_of; /* by row */
	u32 *first_of; /* by object: the one that stands for it */
	u32 *told; /* by object: its place in the list + 1 */
	bool some_joined; /* objects, so that names may be equal that were not */
};

enum { MOST_NAMES = 8 }; /* that are told of one symbol */

static bool has_side(const struct joining *x, const struct joined_row *r, u32 side)
{
	for (size_t i = 0; i < x->in->nr; i++)
		if (x->in->side_of[i] == side && r->from[i] < r->from[i + 1])
			return true;
	return false;
}

/* One more of the names that stand for one thing. */
static void add_alternative(struct strbuf *out, const char *name, size_t len)
{
	if (out->len)
		strbuf_addch(out, '\n');
	strbuf_add(out, name, len);
}

static u32 add_alike(struct alike_list *out, bool object, const struct strbuf *names)
{
	*VEC_PUSH(&out->v) = (struct alike){ .object = object, .names = xstrdup(names->buf) };
	return (u32)out->v.nr;
}

static void find_objects(struct joining *x)
{
	x->object_of = xcalloc(x->j->nr + 1, sizeof(*x->object_of));
	for (size_t i = 0; i < x->j->nr; i++) {
		struct name_line l = line_of(x->j->rows[i].name, x->in->object_line);

		x->object_of[i] = intern_add(&x->objects, l.at, l.len);
	}
}

/* sides[object * nr_sides + side] */
static bool *sides_of_objects(const struct joining *x, u32 nr)
{
	bool *sides = xcalloc(((size_t)nr + 1) * x->in->nr_sides, sizeof(*sides));

	for (size_t i = 0; i < x->j->nr; i++)
		for (u32 s = 0; s < x->in->nr_sides; s++)
			if (has_side(x, &x->j->rows[i], s))
				sides[(size_t)x->object_of[i] * x->in->nr_sides + s] = true;
	return sides;
}

/* Objects of one plain name: the first stands for all unless a side has two of them. */
static void join_objects_of(struct joining *x, const u32 *members, size_t nr, const bool *sides)
{
	_cleanup_(strbuf_releasep) struct strbuf names = STRBUF_INIT;

	for (u32 s = 0; s < x->in->nr_sides; s++) {
		size_t there = 0;

		for (size_t i = 0; i < nr; i++)
			there += sides[(size_t)members[i] * x->in->nr_sides + s];
		if (there > 1)
			return;
	}
	for (size_t i = 0; i < nr; i++) {
		const char *name = intern_str(&x->objects, members[i]);

		add_alternative(&names, name, strlen(name));
		x->first_of[members[i]] = members[0];
	}
	x->told[members[0]] = add_alike(x->out, true, &names);
	x->some_joined = true;
}

static void join_objects(struct joining *x, u32 nr)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct intern plain = { 0 };
	u32 *last = xcalloc((size_t)nr + 1, sizeof(*last)); /* by plain name: its latest object */
	u32 *before = xcalloc((size_t)nr + 1,
			      sizeof(*before)); /* by object: one of its plain name */
	u32 *members = xcalloc((size_t)nr + 1, sizeof(*members));
	bool *sides = sides_of_objects(x, nr);

	for (u32 i = 1; i <= nr; i++) {
		const char *name = intern_str(&x->objects, i);
		u32 p;

		strbuf_reset(&text);
		alike_add_object(name, strlen(name), &text);
		p = intern_add(&plain, text.buf, text.len);
		before[i] = last[p];
		last[p] = i;
	}
	for (u32 p = 1; p <= nr && last[p]; p++) {
		size_t n = 0;

		for (u32 i = last[p]; i; i = before[i])
			n++;
		for (u32 i = last[p], k = (u32)n; i; i = before[i])
			members[--k] = i;
		if (n > 1)
			join_objects_of(x, members, n, sides);
	}
	free(sides);
	free(members);
	free(before);
	free(last);
	intern_release(&plain);
}

static void choose_objects(struct joining *x)
{
	u32 nr = 0;

	if (x->in->object_line < x->in->nr_keys)
		find_objects(x);
	for (size_t i = 0; x->object_of && i < x->j->nr; i++)
		nr = MAX(nr, x->object_of[i]);
	x->first_of = xcalloc((size_t)nr + 1, sizeof(*x->first_of));
	x->told = xcalloc((size_t)nr + 1, sizeof(*x->told));
	for (u32 i = 1; i <= nr; i++)
		x->first_of[i] = i;
	if (nr)
		join_objects(x, nr);
}

/* Functions with ';' between them. */
static void add_path(struct name_line l, struct strbuf *out)
{
	while (l.len) {
		const char *end = memchr(l.at, ';', l.len);
		size_t n = end ? (size_t)(end - l.at) : l.len;

		alike_add_symbol(l.at, n, out);
		strbuf_addch(out, ';');
		n += end != NULL;
		l.at += n;
		l.len -= n;
	}
}

/* The row's name with the object that stands for it; plain: the symbol without what differs. */
static void add_name(const struct joining *x, size_t row, bool plain, struct strbuf *out)
{
	const char *name = x->j->rows[row].name;

	for (size_t k = 0; k < x->in->nr_keys; k++) {
		struct name_line l = line_of(name, k);

		if (k == x->in->object_line)
			strbuf_adds(out, intern_str(&x->objects, x->first_of[x->object_of[row]]));
		else if (k == x->in->symbol_line && plain)
			alike_add_symbol(l.at, l.len, out);
		else if (k == x->in->path_line && plain)
			add_path(l, out);
		else
			strbuf_add(out, l.at, l.len);
		strbuf_addch(out, '\n');
	}
}

/* The first row that is known by a name, `otherwise` = none; room: for its name. */
static u32 find_name(const struct joining *x, bool plain, const struct map *by_name,
		     const struct strbuf *name, struct strbuf *room, u32 otherwise)
{
	u64 hash = hash_bytes(name->buf, name->len, 0);
	u32 row;

	for (struct map_probe p = map_first(by_name, hash); map_next(by_name, &p, &row);) {
		strbuf_reset(room);
		add_name(x, row, plain, room);
		if (room->len == name->len && !memcmp(room->buf, name->buf, name->len))
			return row;
	}
	return otherwise;
}

/*
 * Numbers by row of names that are equal then; how many. Names are made again where they are
 * compared, which few are: all of them would be the largest part of a comparison's memory.
 */
static u32 number_rows(const struct joining *x, bool plain, u32 *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT, room = STRBUF_INIT;
	struct map by_name = { 0 };
	u32 nr = 0;

	for (u32 i = 0; i < x->j->nr; i++) {
		u32 first;

		strbuf_reset(&text);
		add_name(x, i, plain, &text);
		first = find_name(x, plain, &by_name, &text, &room, i);
		if (first != i) {
			out[i] = out[first];
			continue;
		}
		map_add(&by_name, hash_bytes(text.buf, text.len, 0), i);
		out[i] = ++nr;
	}
	map_release(&by_name);
	return nr;
}

/* The same of whole names: where no objects were joined, no two are equal. */
static u32 number_exact(const struct joining *x, u32 *out)
{
	if (x->some_joined)
		return number_rows(x, false, out);
	for (u32 i = 0; i < x->j->nr; i++)
		out[i] = i + 1;
	return (u32)x->j->nr;
}

/*
 * Whether a side lacks one of the names that are the same when they are plain, by plain name.
 * exact: the rows' names with their objects joined.
 */
static bool *find_gaps(const struct joining *x, const u32 *exact, u32 nr_exact, const u32 *plain,
		       u32 nr_plain)
{
	size_t sides = x->in->nr_sides;
	bool *has = xcalloc(((size_t)nr_exact + 1) * sides, sizeof(*has));
	bool *gaps = xcalloc((size_t)nr_plain + 1, sizeof(*gaps));

	for (size_t i = 0; i < x->j->nr; i++)
		for (u32 s = 0; s < sides; s++)
			if (has_side(x, &x->j->rows[i], s))
				has[exact[i] * sides + s] = true;
	for (size_t i = 0; i < x->j->nr; i++)
		for (u32 s = 0; s < sides; s++)
			if (!has[exact[i] * sides + s])
				gaps[plain[i]] = true;
	free(has);
	return gaps;
}

/* Each row's number in the result, from 0 on in order of their first rows. */
static u32 *find_targets(const struct joining *x, u32 *nr_out)
{
	size_t nr = x->j->nr;
	u32 *exact = xcalloc(nr + 1, sizeof(*exact)), *plain = xcalloc(nr + 1, sizeof(*plain));
	u32 nr_exact = number_exact(x, exact), nr_plain = number_rows(x, true, plain);
	bool *gaps = find_gaps(x, exact, nr_exact, plain, nr_plain);
	u32 *of = xcalloc((size_t)nr_exact + nr_plain + 2, sizeof(*of));
	u32 *targets = xcalloc(nr + 1, sizeof(*targets));

	*nr_out = 0;
	for (size_t i = 0; i < nr; i++) {
		u32 *t = &of[gaps[plain[i]] ? nr_exact + plain[i] : exact[i]];

		if (!*t)
			*t = ++*nr_out;
		targets[i] = *t - 1;
	}
	free(of);
	free(gaps);
	free(exact);
	free(plain);
	return targets;
}

/* ---- the result ---- */

/* The rows of each target, one behind the other: first[t] .. first[t + 1]. */
static u32 *sort_by_target(const struct joining *x, const u32 *targets, u32 nr, u32 **first)
{
	u32 *rows = xcalloc(x->j->nr + 1, sizeof(*rows)), *at;

	*first = xcalloc((size_t)nr + 2, sizeof(**first));
	at = *first + 1;
	for (size_t i = 0; i < x->j->nr; i++)
		at[targets[i] + 1]++;
	for (u32 t = 0; t < nr; t++)
		at[t + 1] += at[t];
	for (size_t i = 0; i < x->j->nr; i++)
		rows[at[targets[i]]++] = (u32)i;
	return rows;
}

static void tell_symbols(const struct joining *x, const u32 *rows, size_t nr, u32 target)
{
	_cleanup_(strbuf_releasep) struct strbuf names = STRBUF_INIT;
	size_t different = 0;

	for (size_t i = 0; x->in->symbol_line < x->in->nr_keys && i < nr && different < MOST_NAMES;
	     i++) {
		struct name_line l = line_of(x->j->rows[rows[i]].name, x->in->symbol_line);
		bool known = false;

		for (size_t k = i > MOST_NAMES ? i - MOST_NAMES : 0; k < i && !known; k++) {
			struct name_line m = line_of(x->j->rows[rows[k]].name, x->in->symbol_line);

			known = l.len == m.len && !memcmp(l.at, m.at, l.len);
		}
		if (known)
			continue;
		add_alternative(&names, l.at, l.len);
		different++;
	}
	if (different == MOST_NAMES)
		strbuf_adds(&names, "\n...");
	if (different > 1)
		x->out->of_row[target] = add_alike(x->out, false, &names);
	if (x->object_of)
		x->out->object_of_row[target] = x->told[x->first_of[x->object_of[rows[0]]]];
}

static void make_rows(struct joining *x, const u32 *targets, u32 nr)
{
	struct joined *j = x->j;
	size_t inputs = x->in->nr, n = 0;
	u32 *first, *rows = sort_by_target(x, targets, nr, &first);
	struct joined_row *to = XNEW_ARRAY(struct joined_row, (size_t)nr + 1);
	const struct agg_entry **entries = xcalloc(j->from[j->nr * inputs] + 1, sizeof(*entries));
	u32 *from = xcalloc((size_t)nr * inputs + 1, sizeof(*from));

	for (u32 t = 0; t < nr; t++) {
		size_t count = first[t + 1] - first[t];

		tell_symbols(x, rows + first[t], count, t);
		to[t] = (struct joined_row){ .name = j->rows[rows[first[t]]].name,
					     .from = from + (size_t)t * inputs };
		for (size_t i = 0; i < inputs; i++) {
			from[(size_t)t * inputs + i] = (u32)n;
			for (u32 k = first[t]; k < first[t + 1]; k++) {
				const u32 *f = j->rows[rows[k]].from;

				for (u32 e = f[i]; e < f[i + 1]; e++)
					entries[n++] = j->entries[e];
			}
		}
	}
	from[(size_t)nr * inputs] = (u32)n;
	free(first);
	free(rows);
	free(j->rows);
	free((void *)j->entries);
	free(j->from);
	j->rows = to;
	j->entries = entries;
	j->from = from;
	j->nr = nr;
}

void alike_join(struct joined *j, const struct alike_input *in, struct alike_list *out)
{
	struct joining x = { .j = j, .in = in, .out = out };
	u32 nr, *targets;

	*out = (struct alike_list){ 0 };
	choose_objects(&x);
	targets = find_targets(&x, &nr);
	out->of_row = xcalloc((size_t)nr + 1, sizeof(*out->of_row));
	out->object_of_row = xcalloc((size_t)nr + 1, sizeof(*out->object_of_row));
	if (nr < j->nr) {
		j->row_of_name = targets;
		make_rows(&x, targets, nr);
	} else {
		free(targets);
	}
	free(x.object_of);
	free(x.first_of);
	free(x.told);
	intern_release(&x.objects);
}

void alike_release(struct alike_list *a)
{
	VEC_FOR(&a->v, n)
		free(n->names);
	vec_free(&a->v);
	free(a->of_row);
	free(a->object_of_row);
	*a = (struct alike_list){ 0 };
}

struct view_match *alike_matches(const struct alike_list *list, const bool *shown, size_t *nr)
{
	struct view_match *matches = XNEW_ARRAY(struct view_match, list->v.nr + 1);
	struct intern symbols = { 0 }, objects = { 0 }; /* those told */

	*nr = 0;
	for (size_t i = 0; i < list->v.nr; i++) {
		const struct alike *a = &list->v.v[i];
		struct intern *told = a->object ? &objects : &symbols;

		/* rows that differ by other keys have the same symbol */
		if (!shown[i + 1] || intern_find(told, a->names))
			continue;
		intern_adds(told, a->names);
		matches[(*nr)++] = (struct view_match){ .object = a->object, .names = a->names };
	}
	intern_release(&symbols);
	intern_release(&objects);
	return matches;
}
