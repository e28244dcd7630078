/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digits: numbers written straight into memory, for the hottest paths. Every function returns where
 * the text ends, writes no NUL, and may write up to DIGITS_ROOM bytes whatever the number is.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <string.h>

#include "base/types.h"

enum { DIGITS_ROOM = 24 };

typedef u8 digits_vec __attribute__((vector_size(16)));

/* Sixteen hexadecimal digits. */
static inline digits_vec digits_hex16(u64 v)
{
	const u64 x = __builtin_bswap64(v);
	const digits_vec bytes = (digits_vec)(u64 __attribute__((vector_size(16)))){ x, 0 };
	const digits_vec upper = bytes >> 4;
	const digits_vec lower = bytes & 15;
	/* a byte for each half of a byte, the upper half first */
	const digits_vec halves = __builtin_shufflevector(upper, lower, 0, 16, 1, 17, 2, 18, 3, 19,
							  4, 20, 5, 21, 6, 22, 7, 23);

	return halves + '0' + ((digits_vec)(halves > 9) & ('a' - '0' - 10));
}

/* As "%llx". */
static inline char *digits_put_hex(char *p, u64 v)
{
	u64 text[2];

	if (v < 16) {
		*p = "0123456789abcdef"[v];
		return p + 1;
	}
	digits_vec all = digits_hex16(v);
	unsigned int n = (unsigned int)(67 - __builtin_clzll(v)) / 4;

	memcpy(text, &all, sizeof(text));
	if (n <= 8) {
		text[1] >>= 8 * (8 - n);
		memcpy(p, &text[1], 8);
		return p + n;
	}
	text[0] >>= 8 * (16 - n);
	memcpy(p, &text[0], 8);
	memcpy(p + n - 8, &text[1], 8);
	return p + n;
}

/* As "%16llx". */
static inline char *digits_put_hex16(char *p, u64 v)
{
	/* 15 blanks at most, then digits */
	static const u8 shown[31] __attribute__((aligned(32))) = {
		[15] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	const unsigned int blanks = (unsigned int)__builtin_clzll(v | 1) / 4;
	digits_vec mask, text;

	memcpy(&mask, shown + 15 - blanks, sizeof(mask));
	text = (digits_hex16(v) & mask) | (' ' & ~mask);
	memcpy(p, &text, sizeof(text));
	return p + 16;
}

/* Two decimal digits of v below 100. */
static inline char *digits_put2(char *p, u32 v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	memcpy(p, pairs + v * 2, 2);
	return p + 2;
}

/* As "%06u", of v below 1000000. */
static inline char *digits_put6(char *p, u32 v)
{
	p = digits_put2(p, v / 10000);
	p = digits_put2(p, v / 100 % 100);
	return digits_put2(p, v % 100);
}

/* Decimal digits that a number has, at least 1. */
static inline unsigned int digits_count(u64 v)
{
	static const u64 powers[] = {
		0,
		10ULL,
		100ULL,
		1000ULL,
		10000ULL,
		100000ULL,
		1000000ULL,
		10000000ULL,
		100000000ULL,
		1000000000ULL,
		10000000000ULL,
		100000000000ULL,
		1000000000000ULL,
		10000000000000ULL,
		100000000000000ULL,
		1000000000000000ULL,
		10000000000000000ULL,
		100000000000000000ULL,
		1000000000000000000ULL,
		10000000000000000000ULL,
	};
	/* 1233 / 4096 is log10(2), a little less */
	unsigned int n = (unsigned int)(64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return n + 1 - (v < powers[n]);
}

/* The digits of v, ending before end. */
static inline void digits_put_before(char *end, u64 v)
{
	while (v >= 100) {
		end -= 2;
		digits_put2(end, (u32)(v % 100));
		v /= 100;
	}
	if (v >= 10)
		digits_put2(end - 2, (u32)v);
	else
		end[-1] = (char)('0' + v);
}

/* As "%*llu" with a width of up to 16. */
static inline char *digits_put_width(char *p, u64 v, unsigned int width)
{
	unsigned int n = digits_count(v);

	memset(p, ' ', 16);
	p += MAX(n, width);
	digits_put_before(p, v);
	return p;
}

/* As "%llu". */
static inline char *digits_put(char *p, u64 v)
{
	if (v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	p += digits_count(v);
	digits_put_before(p, v);
	return p;
}

#endif
