/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash: 64-bit hashes of integers and byte strings. Not cryptographic; values may change between
 * versions, so they never reach a file or the order of output.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <string.h>

#include "base/types.h"

/* Finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline u64 hash_u64(u64 x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ULL;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebULL;
	x ^= x >> 31;
	return x;
}

/* One multiply per word; good enough for table slots after hash_finish(). */
static inline u64 hash_mix(u64 h, u64 x)
{
	__uint128_t m = (__uint128_t)(h ^ x ^ 0x9e3779b97f4a7c15ULL) * 0xa0761d6478bd642fULL;

	return (u64)m ^ (u64)(m >> 64);
}

static inline u64 hash_finish(u64 h)
{
	return hash_u64(h);
}

/*
 * 128 bits over n 64-bit words (callchains), enough to tell chains apart without comparing them:
 * two lanes take alternate words and are crossed at the end, each with both lengths and seeds in
 * it.
 */
static inline void hash_words2(const u64 *w, size_t n, u64 seed, u64 *h1, u64 *h2)
{
	u64 a = hash_u64(seed ^ n);
	u64 b = hash_u64(~seed + n);
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		a = hash_mix(a, w[i]) + w[i + 1];
		b = hash_mix(b, w[i + 1]) ^ w[i];
	}
	if (i < n) {
		a = hash_mix(a, w[i]);
		b = hash_mix(b, ~w[i]);
	}
	*h1 = hash_u64(a ^ (b << 1 | b >> 63));
	*h2 = hash_u64(b + hash_u64(a));
}

static inline u64 hash_bytes(const void *data, size_t len, u64 seed)
{
	const u8 *p = data;
	u64 h = seed ^ len;
	u64 w;

	while (len >= 8) {
		memcpy(&w, p, 8);
		h = hash_mix(h, w);
		p += 8;
		len -= 8;
	}
	if (len) {
		w = 0;
		memcpy(&w, p, len);
		h = hash_mix(h, w ^ ((u64)len << 56));
	}
	return hash_finish(h);
}

#endif
