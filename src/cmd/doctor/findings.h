/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor/findings: what perf doctor has to say: one row per thing looked at, with what it means and
 * the one command that mends it. Shown as text or JSON by findings_print().
 */
#ifndef CMD_DOCTOR_FINDINGS_H
#define CMD_DOCTOR_FINDINGS_H

#include "base/strbuf.h"
#include "base/vec.h"

enum finding_state {
	FINDING_OK,
	FINDING_NOTE, /* a limit worth knowing that nothing here can or need mend */
	FINDING_WRONG, /* profiles will miss, or do miss, something */
};

struct finding {
	const char *check; /* stable key: lower case, dashes */
	enum finding_state state;
	char *about; /* which object, event, thread; NULL = the whole */
	char *value; /* what is */
	char *means; /* what it means for profiles; NULL where the value says it */
	char *mend; /* the one command or setting that mends it; NULL = none is needed or known */
	const char *group; /* what many rows of the check may have in common, as they are shown in
			      one line; NULL = nothing */
};

/* A number for programs. */
struct measure {
	const char *key;
	double value;
};

struct findings {
	const char *mode; /* "machine", "target", "capture" */
	char *subject; /* the command, process or file that was looked at; NULL = this machine */
	VEC(struct finding) rows;
	VEC(struct measure) measures;
	bool partly; /* what does the work may be something that was not looked at */
	char *record; /* the command line that will work; NULL = not asked for */
};

/* Further rows of a check have the same key. The pointer is valid until the next row. */
struct finding *findings_add(struct findings *f, const char *check, enum finding_state state,
			     const char *fmt, ...) PRINTF_LIKE(4, 5);
void finding_about(struct finding *row, const char *text);
void finding_means(struct finding *row, const char *fmt, ...) PRINTF_LIKE(2, 3);
void finding_mend(struct finding *row, const char *fmt, ...) PRINTF_LIKE(2, 3);
void findings_measure(struct findings *f, const char *key, double value);
size_t findings_count(const struct findings *f, enum finding_state state);
void findings_release(struct findings *f);

/* verbose: also what is in order gets its explanation, and groups of rows are shown row by row. */
void findings_print_text(const struct findings *f, bool verbose, struct strbuf *out);
void findings_print_json(const struct findings *f, struct strbuf *out);

#endif
