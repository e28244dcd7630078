/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/quote: bytes of a program's memory as a string of C, as strace has it: \n, \", \0, other
 * characters that do not print as \NNN (octal).
 */
#ifndef TRACE_QUOTE_H
#define TRACE_QUOTE_H

#include "base/strbuf.h"

/* text: characters beyond ASCII stand as they are, if they are UTF-8 and drive no terminal. */
void trace_quote(struct strbuf *out, const char *data, size_t len, bool text);

#endif
