/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/parser: what the parts of the event grammar share. Internal to event/.
 *
 * Columns in errors follow perf's, which reports the token before the one it could not use; hence
 * the two columns that parser_take() moves along.
 */
#ifndef EVENT_PARSER_H
#define EVENT_PARSER_H

#include <limits.h>

#include "base/similar.h"
#include "event/event.h"
#include "event/pmu.h"

struct parser {
	const char *text;
	size_t len;
	size_t pos;
	size_t first; /* column of the token taken last, 1 = none yet (as perf counts) */
	size_t last; /* column of the one before */
	const struct event_env *env;
	struct event_error *ee;
	struct event_list *out; /* events of this text so far */
	const struct event_list *before; /* and those of the texts before it */
	struct pmu_catalog *pmus;
	char tracefs[PATH_MAX]; /* "" = not looked for */
	struct {
		size_t word_len; /* of the event at work, 0 = no bare word */
		size_t terms, terms_len; /* what stands between its slashes */
	} span;
};

/* A word or number begins at pos and is n bytes long: step over it. */
void parser_take(struct parser *p, size_t n);
/* The character at pos, '\0' at the end. */
char parser_peek(const struct parser *p);
void parser_skip_blanks(struct parser *p);
/* Report why at column; returns -1. */
int parser_fail(struct parser *p, long column, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Fills p->tracefs with the place where tracefs is mounted. False: it is nowhere. */
bool parser_find_tracefs(struct parser *p);
/* Adds a hint to the error: which known names are similar to the one that is not known. False: none
 * is. */
bool parser_suggest(struct parser *p, const struct similar *near);
/* "parser error" at perf's column for a bad token at pos. */
int parser_syntax(struct parser *p);
struct event *parser_add(struct parser *p, enum event_kind kind, u32 type, u64 config);

/* Letters behind ':' or the closing '/' or '}' */
struct modifiers {
	bool given;
	bool user, kernel, hv; /* levels to count */
	bool idle, guest, host;
	bool pinned, exclusive, sample_read, weak, precise_max, bpf, retire_lat, dont_regroup;
	int precise;
};
/* Number of modifier letters at s. */
size_t modifiers_span(const char *s, size_t len);
/* -1: a letter twice or too many p; *m is filled for the len letters at s. */
int modifiers_parse(const char *s, size_t len, struct modifiers *m);
/* in_group: written behind the '}', adds to what the member has. -1: more than ppp altogether. */
int modifiers_apply(const struct modifiers *m, struct event *ev, bool in_group);

enum term_kind { TERM_NO_VALUE, TERM_NUMBER, TERM_STRING };
struct term {
	char *name;
	enum term_kind kind;
	u64 num;
	char *str;
	size_t col, val_col;
};
VEC_TYPE(term_vec, struct term);
void terms_release(struct term_vec *terms);
/* Parse from behind the opening '/' through the closing one. */
int terms_parse(struct parser *p, struct term_vec *out);
/* Terms that every kind of event takes; unknown names are an error. */
int terms_apply(struct parser *p, const struct term_vec *terms, struct event *ev);
/* The few a tracepoint takes. */
int terms_apply_tracepoint(struct parser *p, const struct term_vec *terms, struct event *ev);
/* The terms of a PMU event into ev->attr, ev->unit ...: formats, named events, common terms. */
int terms_apply_pmu(struct parser *p, const struct term_vec *terms, struct pmu *pmu,
		    struct event *ev);
/* A named event of a PMU without any term text. */
int terms_apply_pmu_event(struct parser *p, struct pmu *pmu, const struct pmu_event *pe,
			  struct event *ev);

/* SYSTEM:NAME[/terms/] at pos; sys_len and name_len bytes, ':' between. */
int tracepoint_parse(struct parser *p, size_t sys_len, size_t name_len);
/* uprobe: kprobe: usdt: ... Length of such a word without its colon, 0 = none. */
size_t probe_word_span(const char *s);
/* The same at pos, with what follows. */
int probe_parse(struct parser *p);
/* Where the error of one that makes events for the parser lies, and its hint below; returns -1. */
int parser_fail_made(struct parser *p, size_t col, const struct err *e);
/* mem:... at pos */
int breakpoint_parse(struct parser *p);

#endif
