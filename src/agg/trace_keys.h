/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_keys: sort keys that are fields of tracepoints, made for one recording: every event that
 * has the field adds its own column, headed by the field's name.
 *
 * Samples are told apart by the field's bytes. What is shown is the field's value as the event's
 * text has it ("prev_state=S"), or the plain value where the text does not name it.
 */
#ifndef AGG_TRACE_KEYS_H
#define AGG_TRACE_KEYS_H

#include "agg/keys.h"
#include "base/vec.h"

struct agg_trace_key;
struct agg_trace_keys {
	VEC(struct agg_trace_key *) v;
};

/*
 * The keys of a word: FIELD, EVENT.FIELD, EVENT.* (EVENT: a part of its name, or SYSTEM:NAME), each
 * with "/raw" behind it for plain values, or "trace_fields". raw: plain values in any case. At most
 * max into out, which stay until agg_trace_keys_release(). Returns how many; 0 = the word is none.
 */
size_t agg_trace_keys_add(struct agg_trace_keys *k, struct session *s, const char *word, size_t len,
			  bool raw, const struct agg_key **out, size_t max);
void agg_trace_keys_release(struct agg_trace_keys *k);

#endif
