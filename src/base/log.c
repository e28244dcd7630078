/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/strbuf.h"

enum { MAX_ONCE = 256 };

static int verbosity;
static FILE *detail_file; /* NULL = stderr */
static bool shown[LOG_KEYS + 1]; /* by subject */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static u64 seen[MAX_ONCE];
static unsigned int nr_seen;

void log_set_verbosity(int level)
{
	verbosity = level;
}

void log_set_file(void *file)
{
	detail_file = file;
}

void *log_file(void)
{
	return detail_file ? detail_file : stderr;
}

int log_verbosity(void)
{
	return verbosity;
}

void log_show(enum log_subject subject)
{
	shown[subject] = true;
}

bool log_shows(enum log_subject subject)
{
	return shown[subject] || (subject == LOG_OPENING && verbosity >= 2);
}

/* Texts hold names from files and command lines, which must not drive a terminal, nor look like
 * another line: only errors have several. */
static void emit_to(FILE *file, const char *tag, const char *text, bool lines)
{
	struct strbuf safe = STRBUF_INIT;

	if (lines)
		strbuf_add_escaped_lines(&safe, text);
	else
		strbuf_add_escaped(&safe, text);
	pthread_mutex_lock(&lock);
	fprintf(file, "%s%s\n", tag, safe.buf);
	pthread_mutex_unlock(&lock);
	strbuf_release(&safe);
}

static void emit(const char *tag, const char *text)
{
	emit_to(stderr, tag, text, false);
}

static void emit_detail(const char *text)
{
	emit_to(log_file(), "", text, false);
}

/* True the first time a text is seen; after MAX_ONCE distinct ones everything is printed. */
static bool first_time(const char *text)
{
	u64 h = hash_bytes(text, strlen(text), 0);
	bool fresh = true;

	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; i < nr_seen && fresh; i++)
		fresh = seen[i] != h;
	if (fresh && nr_seen < MAX_ONCE)
		seen[nr_seen++] = h;
	pthread_mutex_unlock(&lock);
	return fresh;
}

#define FORMAT(buf, fmt)                                                                           \
	do {                                                                                       \
		va_list ap_;                                                                       \
		va_start(ap_, fmt);                                                                \
		vsnprintf((buf), sizeof(buf), (fmt), ap_);                                         \
		va_end(ap_);                                                                       \
	} while (0)

void log_error(const char *fmt, ...)
{
	char buf[2048];

	FORMAT(buf, fmt);
	emit_to(stderr, "error: ", buf, true);
}

void log_warn(const char *fmt, ...)
{
	char buf[2048];

	if (verbosity < 0)
		return;
	FORMAT(buf, fmt);
	if (first_time(buf))
		emit("warning: ", buf);
}

void log_info(const char *fmt, ...)
{
	char buf[2048];

	if (verbosity < 1)
		return;
	FORMAT(buf, fmt);
	emit_detail(buf);
}

void log_debug(const char *fmt, ...)
{
	char buf[2048];

	if (verbosity < 2)
		return;
	FORMAT(buf, fmt);
	emit_detail(buf);
}

void log_subject(enum log_subject subject, const char *fmt, ...)
{
	char buf[2048];

	if (!log_shows(subject))
		return;
	FORMAT(buf, fmt);
	emit_detail(buf);
}

void log_hint(const char *fmt, ...)
{
	char buf[2048];

	if (verbosity < 0)
		return;
	FORMAT(buf, fmt);
	emit("hint: ", buf);
}
