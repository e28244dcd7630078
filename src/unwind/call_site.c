/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/call_site.h"

#include <string.h>

enum {
	CALL_REL = 0xe8,
	CALL_REL_BYTES = 5,
	GROUP_5 = 0xff,
	NEAR_CALL = 2,
	HAS_SIB = 4,
	NO_BASE = 5
};

/* Bytes of an instruction of one byte, ModR/M and what that asks for. */
static size_t length_with_modrm(u8 modrm, u8 sib)
{
	size_t length = (modrm & 7) == HAS_SIB ? 3 : 2;

	switch (modrm >> 6) {
	case 0:
		return (modrm & 7) == NO_BASE || ((modrm & 7) == HAS_SIB && (sib & 7) == NO_BASE)
			       ? length + 4
			       : length;
	case 1:
		return length + 1;
	case 2:
		return length + 4;
	default:
		return 2;
	}
}

struct call_site call_site_before(const u8 code[CALL_SITE_BYTES])
{
	struct call_site c = { .kind = CALL_DIRECT };

	memcpy(&c.target, code + CALL_SITE_BYTES - sizeof(c.target), sizeof(c.target));
	if (code[CALL_SITE_BYTES - CALL_REL_BYTES] == CALL_REL)
		return c;
	for (size_t length = 2; length <= CALL_SITE_BYTES; length++) {
		const u8 *p = code + CALL_SITE_BYTES - length;

		if (p[0] == GROUP_5 && (p[1] >> 3 & 7) == NEAR_CALL &&
		    length_with_modrm(p[1], length > 2 ? p[2] : 0) == length)
			return (struct call_site){ .kind = CALL_INDIRECT };
	}
	return (struct call_site){ .kind = CALL_NONE };
}
