/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_outline: rows below rows as perf's --hierarchy prints them: numbers in columns, then the
 * names of each level further to the right.
 */
#ifndef RENDER_TEXT_OUTLINE_H
#define RENDER_TEXT_OUTLINE_H

#include "render/text_table.h"
#include "view/outline.h"

void text_outline_print(const struct view_outline *v, const struct text_table_opts *o);

#endif
