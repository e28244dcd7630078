/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ansi: classes of text as colours of a terminal, by escape sequences.
 */
#ifndef RENDER_ANSI_H
#define RENDER_ANSI_H

#include "view/table.h"

/* Colours what out has from `from` on. */
void ansi_colour(struct strbuf *out, size_t from, enum view_class class);
/* Appends text[0..len), with its marks, whose places count from text's beginning. */
void ansi_add_marked(struct strbuf *out, const char *text, size_t len,
		     const struct view_marks *marks);

#endif
