/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui: views on a screen, one above the other, and what they share: the loop that draws the
 * uppermost ones and gives it the keys, the last line with messages and questions, help.
 *
 *     tui_open()
 *     tui_push(t, &some_view_ops, view)     any number; the uppermost has the keys
 *     tui_run()                             until somebody quits or asks for something else
 *     tui_close()
 *
 * What takes long asks tui_step() now and then in place of tui_run(): keys are answered meanwhile.
 * Or it is work that is done beside the loop, see tui_work(). All else is of one thread.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "base/vec.h"
#include "tui/keys.h"

struct tui_view_ops {
	const char *title; /* above its keys on the help page */
	const struct key_row *keys; /* besides those that all have; may be NULL */
	const struct key_row *more_keys; /* and besides these; may be NULL */
	/* Lines 0 .. height - 2; the last belongs to the tui. */
	void (*draw)(struct tui *t, void *view);
	/* Keys before the tables: false, it does not take this one. May be NULL. */
	bool (*take)(struct tui *t, void *view, const struct key *k);
	/* Something to do while no key is there, for some ms: true, there is more. May be NULL. */
	bool (*idle)(struct tui *t, void *view);
	/* Another view above it was closed, or the data changed. May be NULL. */
	void (*changed)(struct tui *t, void *view);
	void (*close)(struct tui *t, void *view); /* frees it */
	bool over; /* only a part of the screen: the one below is drawn, too */
};

struct tui_layer {
	const struct tui_view_ops *ops;
	void *view;
};

/* Why the loop ends: the caller knows what they mean. */
enum tui_end { TUI_GOES_ON, TUI_QUIT, TUI_TERMINAL_GONE, TUI_AGAIN };

struct tui_job; /* tui/work.c */

struct tui {
	struct screen *screen;
	VEC(struct tui_layer) layers;
	size_t front; /* where there are no more of them, q leaves perf; otherwise it closes one */
	enum tui_end end;
	bool redraw;
	struct strbuf message; /* on the last line until the next key */
	bool message_is_wrong;
	struct tui_job *job; /* NULL = there is no work */
	VEC(struct key) later; /* keys that wait for its end */
};

enum { TUI_MIN_HEIGHT = 5, TUI_MIN_WIDTH = 20 };

int tui_open(struct tui *t, const struct screen_colours *colours, struct err *e);
void tui_close(struct tui *t);
void tui_push(struct tui *t, const struct tui_view_ops *ops, void *view);
/* Closes the uppermost view; the last one: the loop ends. */
void tui_pop(struct tui *t);
/* The same by ESC or LEFT, of which LEFT, which scrolls back, too, does not leave perf. */
void tui_go_back(struct tui *t, const struct key *k);
/* All views hear that the data changed. */
void tui_changed(struct tui *t);
enum tui_end tui_run(struct tui *t);
/* Answers keys for so long as there are some. */
enum tui_end tui_step(struct tui *t);
/* Beside tui_step(): does a bit of what is to be done while no key is there; true: there is more.
 */
bool tui_idle(struct tui *t);

void tui_say(struct tui *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void tui_complain(struct tui *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void tui_complain_err(struct tui *t, const struct err *e);

/* ---- work ---- */

/*
 * What takes so long that keys would wait for it: run() is called in a thread of its own, then
 * done() in the loop. Until then keys move in what is shown, ESC, LEFT and u give the work up, and
 * others wait. run() changes nothing that is drawn, and may look now and then whether the work is
 * still wanted.
 */
struct tui_work {
	const char *what; /* as users read it: "zooming" */
	void (*run)(void *ctx, const bool *unwanted);
	void (*done)(struct tui *t, void *ctx, bool wanted); /* frees ctx */
	void *ctx;
	bool at_once; /* it is so little that it is done before tui_work() returns */
};
void tui_work(struct tui *t, const struct tui_work *w);
/* Ends it where it is finished; false: it goes on. */
bool tui_work_ended(struct tui *t);
/* Nobody wants it any more; false: nobody did. */
bool tui_work_give_up(struct tui *t);
/* Waits for its end; nothing where there is none. */
void tui_work_wait(struct tui *t);
/* "zooming ..."; NULL: there is none. */
const char *tui_work_text(const struct tui *t);

/* ---- views for all ---- */

/* A page of text, which is copied. */
void tui_page(struct tui *t, const char *title, const char *text);

/*
 * A question on the last line. changed(): while typing, may be NULL; done(): the answer, NULL =
 * none was given (ESC).
 */
struct tui_question {
	const char *text;
	const char *answer; /* to begin with; NULL = empty */
	void (*changed)(struct tui *t, void *ctx, const char *answer);
	void (*done)(struct tui *t, void *ctx, const char *answer);
	void *ctx;
};
void tui_ask(struct tui *t, const struct tui_question *q);

/* A choice; texts are copied. chosen(): not called when nothing is chosen. */
struct menu_entry {
	const char *text;
	void (*chosen)(struct tui *t, void *ctx, size_t number);
	size_t number;
};
void tui_menu(struct tui *t, const char *title, const struct menu_entry *entries, size_t nr,
	      void *ctx);

/* A menu whose entries come one after the other; those beyond MENU_MAX are left out. */
enum { MENU_MAX = 32 };
struct menu_maker {
	struct menu_entry entries[MENU_MAX];
	size_t nr;
};
/* The text is the maker's from now on. */
void menu_add(struct menu_maker *m, char *text,
	      void (*chosen)(struct tui *t, void *ctx, size_t number), size_t number);
/* Opens it and frees the texts. */
void menu_show(struct tui *t, const char *title, struct menu_maker *m, void *ctx);

#endif
