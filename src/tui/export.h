/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export: what the key P writes: a view's lines as a file of the directory that perf was started
 * in.
 */
#ifndef TUI_EXPORT_H
#define TUI_EXPORT_H

#include "tui/tui.h"

/* Lines as a new file "NAME.N", N the first number that is free; characters that could drive a
 * terminal are escaped. The message line says which file it became, or why not. */
void tui_export(struct tui *t, const char *name, const char *lines);

#endif
