/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_numbers: rows sorted by numbers. Comparing rows means to follow their words to names all over
 * memory. So every row gets numbers first: values, the ranks of words that are small numbers, and
 * the place of one that is not. What is sorted, digit by digit, are the places of the rows; those
 * whose numbers are all equal are sorted by the rest of their names, eight bytes at a time, and
 * only what is equal then is compared in full.
 */
#include "agg/order.h"

enum {
	LANES = 7,
	LANE_RANKS = 4,
	FEW = 1 << 16,
	DIGIT_BITS = 11,
	DIGITS = 1 << DIGIT_BITS,
	SLICE = 4096,
	PREFETCH = 8,
	FEW_TIES = 8 /* so many are compared in full at once */
};

/* Of a key whose words are small numbers: the words that occur, and the rank of each. */
struct ranks {
	VEC(u32) words;
	u32 *seen; /* by word: its rank + 1 */
};

struct row_numbers {
	struct agg *a;
	const struct agg_entry *const *rows;
	size_t nr;
	u64 *lanes[LANES]; /* by row; more important ones first */
	size_t lane, used; /* being filled, with so many ranks in it */
	const struct agg_key *key;
	const u64 *places; /* a lane: of the key with the number last_key; NULL = there is none */
	size_t last_key;
};

/* What is put into a lane, for every row. */
struct fill {
	const struct row_numbers *n;
	u64 *lane;
	u64 (*number)(const struct fill *f, size_t row);
	size_t key;
	enum agg_value value;
	const u32 *ranks; /* by word, + 1 */
	int shift;
	const u64 *place;
	bool of_code; /* numbers are those of what the rows' code is */
};

static void fill_slice(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	const struct fill *f = ctx;

	for (size_t i = from; i < to; i++) {
		if (i + 3 * PREFETCH < f->n->nr)
			__builtin_prefetch(f->n->rows[i + 3 * PREFETCH]);
		if (i + 2 * PREFETCH < f->n->nr)
			agg_prefetch(f->n->a, f->n->rows[i + 2 * PREFETCH]);
		if (f->of_code && i + PREFETCH < f->n->nr)
			agg_prefetch_code(f->n->a, f->n->rows[i + PREFETCH]);
		f->lane[i] |= f->number(f, i);
	}
}

/* Into the current lane. */
static void fill_lane(struct row_numbers *n, struct fill *f)
{
	if (!n->lanes[n->lane])
		n->lanes[n->lane] = XNEW_ARRAY(u64, n->nr + 1);
	f->n = n;
	f->lane = n->lanes[n->lane];
	par_for(session_par(n->a->s), n->nr, SLICE, fill_slice, f);
}

static u64 number_of_rank(const struct fill *f, size_t row)
{
	return (u64)(f->ranks[f->n->rows[row]->words[f->key]] - 1) << f->shift;
}

static u64 number_of_place(const struct fill *f, size_t row)
{
	return f->n->key->place(f->n->a, f->n->rows[row]->words[f->key], false);
}

/* The order of order_compare_depths(). */
static u64 number_of_depth(const struct fill *f, size_t row)
{
	u64 depth = f->n->rows[row]->max_depth;

	return f->n->a->c.caller_first ? ~depth : depth;
}

/* Larger values first. */
static u64 number_of_value(const struct fill *f, size_t row)
{
	return ~agg_value(f->n->a, f->n->rows[row], 0, f->value);
}

static u64 number_of_place_before(const struct fill *f, size_t row)
{
	if (f->place[row] < KEY_PLACE_SAME)
		return 0;
	return f->n->key->place(f->n->a, f->n->rows[row]->words[f->key], true);
}

/* Room for one more lane, and one behind it. */
static bool next_lane(struct row_numbers *n)
{
	n->lane += n->used != 0;
	n->used = 0;
	return n->lane + 1 < LANES;
}

static int compare_rank_words(const void *p, const void *q, void *arg)
{
	const struct row_numbers *o = arg;

	return order_compare_words(o->a, o->key, *(const u32 *)p, *(const u32 *)q, false);
}

/* False: some words are no small numbers. */
static bool collect_words(const struct row_numbers *n, size_t k, struct ranks *r)
{
	for (size_t i = 0; i < n->nr; i++) {
		u64 word = n->rows[i]->words[k];

		if (word >= FEW)
			return false;
		if (r->seen[word])
			continue;
		r->seen[word] = 1;
		*VEC_PUSH(&r->words) = (u32)word;
	}
	return true;
}

static void rank_words(struct row_numbers *n, struct ranks *r)
{
	u32 rank = 1;

	if (!r->words.nr)
		return;
	qsort_r(r->words.v, r->words.nr, sizeof(*r->words.v), compare_rank_words, n);
	for (size_t i = 0; i < r->words.nr; i++) {
		rank += i && compare_rank_words(&r->words.v[i - 1], &r->words.v[i], n);
		r->seen[r->words.v[i]] = rank;
	}
}

/* The next rank in the rows' numbers; false: the key has words of another kind. */
static bool add_ranks(struct row_numbers *n, size_t k)
{
	struct ranks r = { .seen = XNEW_ARRAY(u32, FEW) };
	bool few = collect_words(n, k, &r);

	if (few && (n->used < LANE_RANKS || next_lane(n))) {
		rank_words(n, &r);
		fill_lane(n, &(struct fill){ .number = number_of_rank,
					     .key = k,
					     .ranks = r.seen,
					     .shift = 48 - 16 * (int)n->used });
		n->used++;
	}
	vec_free(&r.words);
	free(r.seen);
	return few;
}

/* False: nothing can be added behind this key. ranked: by rank, if it can be. */
static bool add_key(struct row_numbers *n, size_t k, bool ranked)
{
	n->key = n->a->c.keys[k];
	if (n->lane + 1 >= LANES)
		return false;
	if (ranked && add_ranks(n, k))
		return true;
	if (!n->key->place || !next_lane(n))
		return false;
	fill_lane(n, &(struct fill){ .number = number_of_place, .key = k, .of_code = true });
	n->places = n->lanes[n->lane];
	n->last_key = k;
	return false;
}

static bool add_value(struct row_numbers *n, enum agg_value v)
{
	if (!next_lane(n))
		return false;
	fill_lane(n, &(struct fill){ .number = number_of_value, .value = v });
	n->lane++;
	if (!agg_is_accumulated(v) || !order_by_depth(n->a))
		return true;
	if (!next_lane(n))
		return false;
	fill_lane(n, &(struct fill){ .number = number_of_depth });
	n->lane++;
	return true;
}

/* Whether a step decides last, by a key that has places, and all keys are among the steps. */
static bool is_last_place(const struct agg_config *c, size_t step)
{
	size_t keys = 0;

	for (size_t i = 0; i < c->nr_sort; i++)
		keys += c->sort[i].is_key;
	return step + 1 == c->nr_sort && keys == c->nr_keys && c->sort[step].is_key &&
	       c->keys[c->sort[step].index]->place;
}

/*
 * The key is that of the last step, and its place the lane filled last. Very many rows are equally
 * heavy and without a symbol: the key is the same for them too, and the lane behind it has its
 * place in the order before, as all other keys are the same.
 */
static void add_last(struct row_numbers *n, size_t k)
{
	const u64 *place = n->lanes[n->lane];

	if (!place || !n->lane || n->lane + 1 >= LANES)
		return;
	n->lane++;
	fill_lane(n, &(struct fill){ .number = number_of_place_before,
				     .key = k,
				     .place = place,
				     .of_code = true });
}

static void number_rows(struct row_numbers *n)
{
	const struct agg_config *c = &n->a->c;
	bool go_on = true;

	for (size_t i = 0; i < c->nr_sort && go_on; i++) {
		bool last = is_last_place(c, i);

		go_on = c->sort[i].is_key ? add_key(n, c->sort[i].index, !last)
					  : add_value(n, c->sort[i].index);
		if (last)
			add_last(n, c->sort[i].index);
	}
}

static int compare_numbers(const struct row_numbers *n, u32 x, u32 y)
{
	for (size_t l = 0; l < LANES; l++)
		if (n->lanes[l] && n->lanes[l][x] != n->lanes[l][y])
			return n->lanes[l][x] < n->lanes[l][y] ? -1 : 1;
	return 0;
}

/* Rows of the same numbers: equal ones stay as they are. */
static int compare_places(const void *p, const void *q, void *arg)
{
	const struct row_numbers *n = arg;
	u32 x = *(const u32 *)p, y = *(const u32 *)q;
	int d = order_compare(n->a, n->rows[x], n->rows[y]);

	return d ? d : x < y ? -1 : x > y;
}

static void compare_in_full(const struct row_numbers *n, u32 *order, size_t nr)
{
	if (nr > 1)
		qsort_r(order, nr, sizeof(*order), compare_places, (void *)n);
}

/* Eight bytes of a row's name. */
struct name_part {
	u64 bytes;
	u32 row;
};

static int compare_parts(const void *p, const void *q)
{
	const struct name_part *x = p, *y = q;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* A part of each row's name; whether all are the same, and names go on. */
static bool take_parts(const struct row_numbers *n, const u32 *order, size_t nr, size_t skip,
		       struct name_part *parts)
{
	const struct agg_key *key = n->a->c.keys[n->last_key];
	bool same = true;

	for (size_t i = 0; i < nr; i++) {
		u64 word = n->rows[order[i]]->words[n->last_key];

		parts[i] = (struct name_part){ key->place_behind(n->a, word, skip), order[i] };
		same = same && parts[i].bytes == parts[0].bytes;
	}
	return same && (parts[0].bytes & 0xff);
}

/* Rows [from, to). */
struct tie {
	size_t from, to;
};

static void sort_by_name(const struct row_numbers *n, u32 *order, size_t nr, size_t skip);

/*
 * Sorted by a part of their names: those with the same, by what stands behind it. The largest of
 * these groups whose names go on is left to the caller.
 */
static struct tie sort_parts(const struct row_numbers *n, u32 *order, const struct name_part *parts,
			     size_t nr, size_t skip)
{
	struct tie largest = { 0, 0 };
	size_t to;

	for (size_t i = 0; i < nr; i++)
		order[i] = parts[i].row;
	for (size_t from = 0; from < nr; from = to) {
		struct tie t = { from, from + 1 };

		while (t.to < nr && parts[t.to].bytes == parts[from].bytes)
			t.to++;
		to = t.to;
		/* (a byte of 0: the names end there) */
		if ((parts[from].bytes & 0xff) == 0) {
			compare_in_full(n, order + from, to - from);
			continue;
		}
		if (to - from > largest.to - largest.from) {
			struct tie smaller = largest;

			largest = t;
			t = smaller;
		}
		sort_by_name(n, order + t.from, t.to - t.from, skip);
	}
	return largest;
}

/* Rows whose names have their first `skip` bytes in common. Names may be long, and each the
 * beginning of another: recursion is for groups of half the rows at most. */
static void sort_by_name(const struct row_numbers *n, u32 *order, size_t nr, size_t skip)
{
	while (nr > FEW_TIES) {
		struct name_part *parts = XNEW_ARRAY(struct name_part, nr);
		struct tie rest = { 0, nr };

		if (!take_parts(n, order, nr, skip, parts)) {
			qsort(parts, nr, sizeof(*parts), compare_parts);
			rest = sort_parts(n, order, parts, nr, skip + sizeof(u64));
		}
		free(parts);
		skip += sizeof(u64);
		order += rest.from;
		nr = rest.to - rest.from;
	}
	compare_in_full(n, order, nr);
}

/* Rows whose numbers are all equal. */
static void sort_ties(const struct row_numbers *n, u32 *order, size_t nr)
{
	u64 place = n->places ? n->places[order[0]] : KEY_PLACE_SAME;
	bool goes_on = place < KEY_PLACE_SAME && (place >> 7 & 0xff) &&
		       n->a->c.keys[n->last_key]->place_behind;

	if (goes_on)
		sort_by_name(n, order, nr, AGG_PLACE_BYTES);
	else
		compare_in_full(n, order, nr);
}

/* Sort *order by a digit of the lane, into *other, which it becomes. */
static void sort_by_digit(const u64 *lane, int shift, u32 **order, u32 **other, size_t nr)
{
	u32 from[DIGITS] = { 0 };
	u32 *swap = *other;
	u32 sum = 0;

	for (size_t i = 0; i < nr; i++)
		from[lane[i] >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		u32 count = from[d];

		from[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < nr; i++)
		swap[from[lane[(*order)[i]] >> shift & (DIGITS - 1)]++] = (*order)[i];
	*other = *order;
	*order = swap;
}

static void sort_by_lane(const u64 *lane, u32 **order, u32 **other, size_t nr)
{
	u64 differ = 0;

	for (size_t i = 1; i < nr; i++)
		differ |= lane[i] ^ lane[0];
	while (differ) {
		int shift = __builtin_ctzll(differ);

		sort_by_digit(lane, shift, order, other, nr);
		differ &= shift + DIGIT_BITS < 64 ? ~0ULL << (shift + DIGIT_BITS) : 0;
	}
}

u32 *row_numbers_sort(const struct row_numbers *n)
{
	u32 *order = XNEW_ARRAY(u32, n->nr + 1);
	u32 *other = XNEW_ARRAY(u32, n->nr + 1);
	size_t to;

	for (u32 i = 0; i < n->nr; i++)
		order[i] = i;
	for (size_t l = LANES; l-- > 0;)
		if (n->lanes[l])
			sort_by_lane(n->lanes[l], &order, &other, n->nr);
	free(other);
	for (size_t from = 0; from < n->nr; from = to) {
		for (to = from + 1; to < n->nr && !compare_numbers(n, order[from], order[to]);)
			to++;
		sort_ties(n, order + from, to - from);
	}
	return order;
}

struct row_numbers *row_numbers_new(struct agg *a, const struct agg_entry *const *rows, size_t nr)
{
	struct row_numbers *n = XNEW(struct row_numbers);

	*n = (struct row_numbers){ .a = a, .rows = rows, .nr = nr };
	number_rows(n);
	return n;
}

void row_numbers_free(struct row_numbers *n)
{
	for (size_t l = 0; l < LANES; l++)
		free(n->lanes[l]);
	free(n);
}
