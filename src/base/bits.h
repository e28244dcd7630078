/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bits: unaligned little helpers over bytes: native loads, byte swaps, bit sets.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <string.h>

#include "base/types.h"

static inline u16 bits_u16(const void *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline u32 bits_u32(const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline u64 bits_u64(const void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void bits_swap64(void *p, size_t words)
{
	u8 *b = p;

	for (size_t i = 0; i < words; i++, b += 8) {
		u64 v = __builtin_bswap64(bits_u64(b));

		memcpy(b, &v, 8);
	}
}

static inline void bits_swap32(void *p, size_t words)
{
	u8 *b = p;

	for (size_t i = 0; i < words; i++, b += 4) {
		u32 v = __builtin_bswap32(bits_u32(b));

		memcpy(b, &v, 4);
	}
}

static inline void bits_swap16(void *p, size_t words)
{
	u8 *b = p;

	for (size_t i = 0; i < words; i++, b += 2) {
		u16 v = __builtin_bswap16(bits_u16(b));

		memcpy(b, &v, 2);
	}
}

static inline bool bits_test(const u64 *set, unsigned int bit)
{
	return set[bit / 64] >> (bit % 64) & 1;
}

static inline void bits_set(u64 *set, unsigned int bit)
{
	set[bit / 64] |= 1ULL << (bit % 64);
}

static inline unsigned int bits_count(u64 v)
{
	return (unsigned int)__builtin_popcountll(v);
}

#endif
