/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_zoom: what the rows of a report lead to: zooms, other events and recordings, a file with
 * them, the menu of all that.
 */
#ifndef TUI_REPORT_ZOOM_H
#define TUI_REPORT_ZOOM_H

#include "tui/report_rows.h"

/* Shows what a work makes, with the work in a thread if it is much. */
void report_work(struct tui *t, struct browse_work *w, const char *what);
/* False: it is told why not. */
bool report_may_read_again(struct tui *t, struct browse *b);
/* Into what the chosen row has of a key. */
void report_zoom(struct tui *t, struct report_view *v, const char *key_name);
/* The thread, or the command, by which key rows have. */
void report_zoom_thread(struct tui *t, struct report_view *v);
void report_zoom_kernel(struct tui *t, struct report_view *v);
void report_unzoom(struct tui *t, struct report_view *v);
/* The code of the chosen row. */
void report_annotate(struct tui *t, struct report_view *v);
void report_sandwich(struct tui *t, struct report_view *v);
void report_export(struct tui *t, struct report_view *v);
void report_choose_event(struct tui *t, struct browse *b);
void report_switch_file(struct tui *t, struct report_view *v);
void report_menu_open(struct tui *t, struct report_view *v);

#endif
