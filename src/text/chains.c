/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum {
	CHAIN_SLOTS = 64,
	WORDS_MAX = 160, /* of a stack that is kept: frames and markers */
	TEXT_MAX = 64 << 10, /* bytes of text that are kept of a stack */
};

/* A word of a stack: what it is, and what stood in front of it and behind it. */
struct word {
	u64 value;
	u32 text; /* bytes from here to the end of the stack's text */
	u8 mode; /* level in force before the word, and whether it is a guess */
};

/* The last stack of a thread. Counted from its outer end: word 0 is the outermost. */
struct last {
	u32 tid, space;
	unsigned int form;
	u32 batch; /* that it holds in */
	u64 from, until; /* times for which it holds */
	struct code_place kernel, user; /* of the last words of that level; len 0 = none */
	u32 nr; /* words, 0 = empty */
	struct word words[WORDS_MAX];
	char *text; /* its end is the end of the memory */
	u32 cap;
};

struct chains {
	struct frames *frames;
	u32 max_stack;
	struct last *slots;
	struct code_line
		fresh[WORDS_MAX]; /* words that the last stack does not have at their place */
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
	       l->batch == batch && r->time >= l->from && r->time < l->until;
}

static void forget(struct last *l, const struct session_record *r, unsigned int form, u32 batch)
{
	l->tid = r->sample->tid;
	l->space = r->site.space;
	l->form = form;
	l->batch = batch;
	l->from = 0;
	l->until = UINT64_MAX;
	l->kernel.len = l->user.len = 0;
	l->nr = 0;
}

/* Makes the words before the common ones, and their text, part of the kept stack. */
static void keep(struct last *l, const struct code_line *fresh, u32 nr_fresh, u32 common,
		 const char *text, u32 len)
{
	u32 old = common ? l->words[common - 1].text : 0;
	u32 all = old + len;

	if (all > TEXT_MAX) {
		l->nr = 0;
		return;
	}
	if (all > l->cap) {
		u32 cap = MAX(all + all / 4, 2048U);
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
		l->words[common + nr_fresh - 1 - i] =
			(struct word){ fresh[i].value, all - fresh[i].text, fresh[i].mode };
	}
	l->nr = common + nr_fresh;
}

/* Or'ed to a level: the frames from here on are guesses. */
enum { GUESS = 0x80 };

/* Functions inlined in the kernel are not shown, as in the reference. */
static unsigned int form_at(unsigned int form, u8 mode)
{
	if (mode & GUESS)
		return (form | FORM_GUESS) & ~(unsigned int)FORM_INLINE;
	return mode == PERF_RECORD_MISC_USER ? form : form & ~(unsigned int)FORM_INLINE;
}

/* A word that is a marker: the level behind it. False: the stack is not understood. */
static bool read_marker(const struct sample *smp, u64 at, u8 *mode)
{
	bool guess = smp->guess_at && at == smp->guess_at;

	if (!context_level(smp->chain[at], mode))
		return false;
	*mode |= guess ? GUESS : 0;
	return true;
}

/* Whether there are more frames than are shown. */
static bool is_cut(const struct chains *c, const struct sample *smp)
{
	u64 nr = 0;

	for (u64 i = 0; i < smp->nr_chain && smp->nr_chain > c->max_stack && !smp->made; i++)
		nr += smp->chain[i] < PERF_CONTEXT_MAX;
	return nr > c->max_stack;
}

/* Adds a stack that is not kept: it is too long, or some of its frames will not be shown. */
static void add_long(struct chains *c, struct session_worker *w, const struct session_record *r,
		     unsigned int form, struct strbuf *out)
{
	const struct sample *smp = r->sample;
	size_t start = out->len;
	u8 mode = smp->cpumode;
	u32 nr = 0;

	for (u64 i = 0; i < smp->nr_chain && (nr < c->max_stack || smp->made); i++) {
		u64 ip = smp->chain[i];

		if (ip >= PERF_CONTEXT_MAX) {
			if (read_marker(smp, i, &mode))
				continue;
			out->len = start;
			return;
		}
		nr++;
		if (frames_add(c->frames, w, &r->site, mode & ~GUESS, ip, form_at(form, mode), out))
			return;
	}
}

/* Where the address of a line is, which mostly is where the last one of its level was. */
static inline void place_line(struct chains *c, struct session_worker *w,
			      const struct session_record *r, struct last *l,
			      struct code_line *line, u8 level)
{
	struct code_place other = { .len = 0 };
	struct code_place *place = level == PERF_RECORD_MISC_USER     ? &l->user
				   : level == PERF_RECORD_MISC_KERNEL ? &l->kernel
								      : &other;

	if (line->value - place->start >= place->len || r->site.time < place->from ||
	    r->site.time >= place->until)
		session_place(w, &r->site, level, line->value, place);
	l->from = MAX(l->from, place->from);
	l->until = MIN(l->until, place->until);
	line->dso = place->dso;
	if (!place->dso)
		return;
	line->addr = line->value + place->shift;
	frames_find(c->frames, line);
}

/*
 * Splits a stack into what is new in it and what the last one has, too: *common words of nr. The
 * same words mean the same only after the same marker. Says where the new words are, and for which
 * times that holds. false: it is not understood.
 */
static bool split(struct chains *c, struct session_worker *w, const struct session_record *r,
		  unsigned int form, struct last *l, u32 *common)
{
	const struct sample *smp = r->sample;
	u8 mode = smp->cpumode;

	for (u32 i = 0; i < smp->nr_chain; i++) {
		if (i + *common == smp->nr_chain && *common) {
			if (l->words[*common - 1].mode == mode)
				break;
			*common = 0;
		}
		struct code_line *line = &c->fresh[i];

		*line = (struct code_line){ .value = smp->chain[i], .mode = mode };
		if (line->value >= PERF_CONTEXT_MAX) {
			if (!read_marker(smp, i, &mode))
				return false;
			continue;
		}
		line->form = form_at(form, mode);
		place_line(c, w, r, l, line, mode & ~GUESS);
	}
	return true;
}

static void add_frames(struct chains *c, struct session_worker *w, const struct session_record *r,
		       unsigned int form, struct strbuf *out)
{
	const struct sample *smp = r->sample;
	struct last *l = &c->slots[hash_u64(smp->tid) % CHAIN_SLOTS];
	u32 batch = (u32)session_batch_number(w);
	size_t start = out->len;
	u32 common = 0;

	form |= FORM_CHAIN;
	if (smp->nr_chain > WORDS_MAX || is_cut(c, smp) || frames_may_stop(c->frames)) {
		add_long(c, w, r, form, out);
		return;
	}
	if (is_kept(l, r, form, batch))
		common = common_words(l, smp);
	else
		forget(l, r, form, batch);
	if (!split(c, w, r, form, l, &common))
		return;
	u32 nr = (u32)smp->nr_chain - common;

	frames_add_lines(c->frames, c->fresh, nr, out);

	u32 len = (u32)(out->len - start);

	if (common) {
		u32 rest = l->words[common - 1].text;

		strbuf_add(out, l->text + l->cap - rest, rest);
	}
	keep(l, c->fresh, nr, common, out->buf + start, len);
}

void chains_add(struct chains *c, struct session_worker *w, const struct session_record *r,
		unsigned int form, struct strbuf *out)
{
	add_frames(c, w, r, form, out);
	/* with '#', so that scripts that read the frames' lines take it for a comment */
	if (chains_is_cut(c, r->sample))
		strbuf_adds(out, "# stack cut\n");
}

bool chains_is_cut(const struct chains *c, const struct sample *smp)
{
	return smp->cut && !is_cut(c, smp) && !frames_may_stop(c->frames);
}

void chains_add_json(struct chains *c, struct session_worker *w, const struct session_record *r,
		     unsigned int form, struct json *j)
{
	const struct sample *smp = r->sample;
	u8 mode = smp->cpumode;
	bool stop = false;
	u32 nr = 0;

	for (u64 i = 0; i < smp->nr_chain; i++)
		if (smp->chain[i] >= PERF_CONTEXT_MAX && !read_marker(smp, i, &mode))
			return;
	mode = smp->cpumode;
	json_array(j, "chain", JSON_TIGHT);
	for (u64 i = 0; i < smp->nr_chain && (nr < c->max_stack || smp->made) && !stop; i++) {
		u64 ip = smp->chain[i];

		if (ip >= PERF_CONTEXT_MAX) {
			read_marker(smp, i, &mode);
			continue;
		}
		nr++;
		stop = frames_add_json(c->frames, w, &r->site, mode & ~GUESS, ip,
				       form_at(form, mode), NULL, j);
	}
	json_end(j);
}
