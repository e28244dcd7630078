/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum {
	CHAIN_SLOTS = 64,
	WORDS_MAX = 160,      /* of a stack that is kept: frames and markers */
	TEXT_MAX = 64 << 10,  /* bytes of text that are kept of a stack */
	AHEAD = 6,            /* frames whose cache entries are fetched early */
};

/* A word of a stack: what it is, and what stood in front of it and behind it. */
struct word {
	u64 value;
	u32 text; /* bytes from here to the end of the stack's text */
	u8 mode;  /* level in force before the word */
};

/* The last stack of a thread. Counted from its outer end: word 0 is the outermost. */
struct last {
	u32 tid, space;
	unsigned int form;
	u32 batch; /* 0 = holds always, else only in this one: a frame is in no mapping */
	u64 valid_from;
	u32 nr; /* words, 0 = empty */
	struct word words[WORDS_MAX];
	char *text; /* its end is the end of the memory */
	u32 cap;
};

struct chains {
	struct frames *frames;
	u32 max_stack;
	struct last *slots;
	struct word fresh[WORDS_MAX]; /* of the sample; text: bytes from the beginning */
};

struct chains *chains_new(struct frames *f, u32 max_stack)
{
	struct chains *c = XNEW(struct chains);

	c->frames = f;
	c->max_stack = max_stack;
	c->slots = XNEW_ARRAY(struct last, CHAIN_SLOTS);
	return c;
}

void chains_free(struct chains *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < CHAIN_SLOTS; i++)
		free(c->slots[i].text);
	free(c->slots);
	free(c);
}

/* The level that a marker in a stack switches to; false = the stack is not understood. */
static bool context_level(u64 marker, u8 *mode)
{
	switch (marker) {
	case PERF_CONTEXT_HV:
		*mode = PERF_RECORD_MISC_HYPERVISOR;
		return true;
	case PERF_CONTEXT_KERNEL:
		*mode = PERF_RECORD_MISC_KERNEL;
		return true;
	case PERF_CONTEXT_USER:
	case PERF_CONTEXT_USER_DEFERRED:
		*mode = PERF_RECORD_MISC_USER;
		return true;
	case PERF_CONTEXT_GUEST_KERNEL:
		*mode = PERF_RECORD_MISC_GUEST_KERNEL;
		return true;
	case PERF_CONTEXT_GUEST_USER:
		*mode = PERF_RECORD_MISC_GUEST_USER;
		return true;
	default:
		return false;
	}
}

/* The upper half of addresses is the kernel's: good enough for a hint. */
static u8 level_of(u64 addr)
{
	return (s64)addr < 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* Words at the outer end that the sample has in common with the kept stack. */
static u32 common_words(const struct last *l, const struct sample *smp)
{
	u32 most = (u32)MIN((u64)l->nr, smp->nr_chain);
	u32 n = 0;

	while (n < most && l->words[n].value == smp->chain[smp->nr_chain - 1 - n])
		n++;
	return n;
}

static bool is_kept(const struct last *l, const struct session_record *r, unsigned int form,
		    u32 batch)
{
	return l->nr && l->tid == r->sample->tid && l->space == r->site.space && l->form == form &&
	       r->time >= l->valid_from && (!l->batch || l->batch == batch);
}

static void forget(struct last *l, const struct session_record *r, unsigned int form)
{
	l->tid = r->sample->tid;
	l->space = r->site.space;
	l->form = form;
	l->batch = 0;
	l->valid_from = 0;
	l->nr = 0;
}

/* Makes the words before the common ones, and their text, part of the kept stack. */
static void keep(struct last *l, const struct word *fresh, u32 nr_fresh, u32 common,
		 const char *text, u32 len)
{
	u32 old = common ? l->words[common - 1].text : 0;
	u32 all = old + len;

	if (all > TEXT_MAX) {
		l->nr = 0;
		return;
	}
	if (all > l->cap) {
		u32 cap = MAX(all + all / 2, 2048U);
		char *bigger = xmalloc(cap);

		if (old)
			memcpy(bigger + cap - old, l->text + l->cap - old, old);
		free(l->text);
		l->text = bigger;
		l->cap = cap;
	}
	if (len)
		memcpy(l->text + l->cap - all, text, len);
	for (u32 i = 0; i < nr_fresh; i++) {
		l->words[common + nr_fresh - 1 - i] = (struct word){
			fresh[i].value, all - fresh[i].text, fresh[i].mode
		};
	}
	l->nr = common + nr_fresh;
}

/* Functions inlined in the kernel are not shown, as in the reference. */
static unsigned int form_at(unsigned int form, u8 mode)
{
	return mode == PERF_RECORD_MISC_USER ? form : form & ~(unsigned int)FORM_INLINE;
}

/* What is added up while the frames of a stack are written. */
struct writing {
	u8 mode;
	u32 nr; /* frames */
	bool stop;
	bool unmapped;
	u64 valid_from;
};

/* One word of a stack; false: it is not understood. */
static bool add_word(struct chains *c, struct session_worker *w, const struct session_record *r,
		     unsigned int form, u64 i, struct writing *wr, struct strbuf *out)
{
	const struct sample *smp = r->sample;
	const struct frame_text *t;

	if (i + AHEAD < smp->nr_chain)
		frames_prefetch(c->frames, &r->site, level_of(smp->chain[i + AHEAD]),
				smp->chain[i + AHEAD],
				form_at(form, level_of(smp->chain[i + AHEAD])));
	if (smp->chain[i] >= PERF_CONTEXT_MAX)
		return context_level(smp->chain[i], &wr->mode);
	wr->nr++;
	t = frames_get(c->frames, w, &r->site, wr->mode, smp->chain[i],
		       form_at(form, wr->mode));
	strbuf_add(out, t->text, t->len);
	wr->stop = t->stop;
	wr->unmapped |= !t->loc.map;
	wr->valid_from = MAX(wr->valid_from, t->loc.valid_from);
	return true;
}

/* Whether there are more frames than are shown. */
static bool is_cut(const struct chains *c, const struct sample *smp)
{
	u64 nr = 0;

	for (u64 i = 0; i < smp->nr_chain && smp->nr_chain > c->max_stack; i++)
		nr += smp->chain[i] < PERF_CONTEXT_MAX;
	return nr > c->max_stack;
}

/* A stack that is too long to be kept, or will be cut. */
static void add_long(struct chains *c, struct session_worker *w, const struct session_record *r,
		     unsigned int form, struct strbuf *out)
{
	struct writing wr = { .mode = r->sample->cpumode };
	size_t start = out->len;

	for (u64 i = 0; i < r->sample->nr_chain && wr.nr < c->max_stack && !wr.stop; i++) {
		if (!add_word(c, w, r, form, i, &wr, out)) {
			out->len = start;
			return;
		}
	}
}

void chains_add(struct chains *c, struct session_worker *w, const struct session_record *r,
		unsigned int form, struct strbuf *out)
{
	const struct sample *smp = r->sample;
	struct writing wr = { .mode = smp->cpumode };
	struct last *l = &c->slots[hash_u64(smp->tid) % CHAIN_SLOTS];
	u32 batch = (u32)session_batch_number(w);
	size_t start = out->len;
	u32 common = 0;
	u32 i;

	form |= FORM_CHAIN;
	if (smp->nr_chain > WORDS_MAX || is_cut(c, smp) || frames_may_stop(c->frames)) {
		add_long(c, w, r, form, out);
		return;
	}
	if (is_kept(l, r, form, batch))
		common = common_words(l, smp);
	else
		forget(l, r, form);
	for (i = 0; i < smp->nr_chain; i++) {
		/* The same words mean the same only after the same marker. */
		if (i + common == smp->nr_chain && common) {
			if (l->words[common - 1].mode == wr.mode)
				break;
			common = 0;
		}
		c->fresh[i] = (struct word){ smp->chain[i], (u32)(out->len - start), wr.mode };
		if (!add_word(c, w, r, form, i, &wr, out)) {
			out->len = start;
			l->nr = 0;
			return;
		}
	}
	u32 len = (u32)(out->len - start);

	if (common) {
		u32 rest = l->words[common - 1].text;

		strbuf_add(out, l->text + l->cap - rest, rest);
	}
	l->valid_from = MAX(l->valid_from, wr.valid_from);
	if (wr.unmapped)
		l->batch = batch;
	keep(l, c->fresh, i, common, out->buf + start, len);
}
