/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/order: an entry of the order in which records are handed out: where a record is, and
 * when.
 */
#ifndef SESSION_ORDER_H
#define SESSION_ORDER_H

#include "base/types.h"
#include "base/vec.h"

/* A record of the order: a sample that was left in the file, or any record that was kept. */
struct rec_index {
	u64 time; /* first: searched by it. Key of the order: the record's time, or that of the last
		     safe point */
	u64 at : 39; /* position in the file; kept: number in the batch's kept */
	u64 kept : 1;
	u64 member : 24; /* of threads; kept: of counters.members, + 1; 0 = the record as it is;
			  * MEMBER_EXTRACT: `at` is the place of an extract */
};

enum { MEMBERS_MAX = (1 << 24) - 1, MEMBER_EXTRACT = MEMBERS_MAX };
#define AT_MAX ((1ULL << 39) - 1)

VEC_TYPE(index_vec, struct rec_index);

#endif
