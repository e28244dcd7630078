/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fmt: parsing and printing of the quantities that perf's command lines and texts use. No locale.
 */
#ifndef BASE_FMT_H
#define BASE_FMT_H

#include "base/strbuf.h"

/* "12", "4K", "2M", "1G" (suffixes BKMGT, any case, powers of 1024) to bytes. */
bool fmt_parse_size(const char *s, u64 *bytes);
/* Unsigned decimal or 0x number filling the whole string. */
bool fmt_parse_u64(const char *s, u64 *value);
/* "SEC[.FRACTION]" to ns, blanks in front of it; what is too large: UINT64_MAX. */
bool fmt_parse_time_ns(const char *s, u64 *ns);
/*
 * "0-3,5" to a sorted list without repeats; one comma may stand at the end. The caller frees *list.
 * false: bad syntax.
 */
bool fmt_parse_cpu_list(const char *s, u32 **list, size_t *nr);
/* Sorted numbers as "0-3,5". */
void fmt_cpu_list(struct strbuf *out, const u32 *list, size_t nr);
/* perf's "SECONDS.USECS" (digits 6) or with ns (digits 9) of a sample time. */
void fmt_time(struct strbuf *out, u64 ns, int digits);
/* Build id bytes as lower-case hex. */
void fmt_build_id(struct strbuf *out, const u8 *id, size_t size);

#endif
