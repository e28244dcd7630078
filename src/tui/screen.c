/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "tui/terminal_library.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "cli/colour.h"

enum {
	ESCAPE_MS = 25, /* a key that begins with ESC has come as a whole by then */
	LINE_MAX_CELLS = 4096,
};

struct screen {
	const struct curses *lib;
	SCREEN *terminal;
	FILE *keys; /* stdin, or the terminal itself where a recording comes from there */
	WINDOW *window;
	bool utf8, coloured;
	char *locale; /* as it was */
	attr_t attrs[NR_STYLES];
	short pairs[NR_STYLES];
};

/* ---- the terminal as it was, for signals, which can ask nobody ---- */

static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV,
			     SIGBUS, SIGABRT, SIGFPE, SIGILL,  SIGSYS };

static struct {
	int keys; /* where they come from */
	struct termios modes;
	char text[512]; /* that leaves the screen */
	size_t len;
	struct sigaction before[ARRAY_SIZE(fatal)];
	int errors, kept; /* standard error; the file that has its place meanwhile; -1 = not kept */
} left = { .errors = -1, .kept = -1 };

/* Messages would tear the screen: they are kept until it is closed. */
static void keep_messages(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	left.kept = memfd_create("messages", MFD_CLOEXEC);
	left.errors = left.kept < 0 ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (left.errors >= 0)
		dup2(left.kept, STDERR_FILENO);
}

/* In a signal handler, too. */
static void give_messages(void)
{
	char buf[4096];
	ssize_t got;

	if (left.errors < 0)
		return;
	dup2(left.errors, STDERR_FILENO);
	close(left.errors);
	left.errors = -1;
	lseek(left.kept, 0, SEEK_SET);
	while ((got = read(left.kept, buf, sizeof(buf))) > 0)
		if (write(STDERR_FILENO, buf, (size_t)got) < 0)
			break;
	close(left.kept);
}

static void put_back(void)
{
	ssize_t written = write(STDOUT_FILENO, left.text, left.len);

	(void)written;
	tcsetattr(left.keys, TCSANOW, &left.modes);
	give_messages();
}

static void die(int sig)
{
	put_back();
	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		if (fatal[i] == sig)
			sigaction(sig, &left.before[i], NULL);
	raise(sig);
}

static void add_sequence(const char *text)
{
	size_t len = text && text != (char *)-1 ? strlen(text) : 0;

	if (!len || left.len + len > sizeof(left.text))
		return;
	memcpy(left.text + left.len, text, len);
	left.len += len;
}

static const char *capability(const struct curses *lib, const char *name)
{
	return lib->tigetstr((char *)name);
}

static void note_way_back(const struct screen *s, bool mouse)
{
	left.len = 0;
	add_sequence(capability(s->lib, "sgr0"));
	if (mouse)
		add_sequence("\033[?1006l\033[?1000l");
	add_sequence(capability(s->lib, "rmkx"));
	add_sequence(capability(s->lib, "cnorm"));
	add_sequence(capability(s->lib, "rmcup"));
}

static void watch_signals(void)
{
	struct sigaction act = { .sa_handler = die, .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &act, &left.before[i]);
}

static void forget_signals(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &left.before[i], NULL);
}

/* ---- opening and closing ---- */

struct look {
	short fore256, back256, fore8, back8;
	attr_t attrs, plain_attrs; /* with colours; without */
};

/* clang-format off */
static const struct look looks[NR_STYLES] = {
	[STYLE_PLAIN] =    { -1, -1, -1, -1, A_NORMAL, A_NORMAL },
	[STYLE_TITLE] =    { 231, 24, COLOR_WHITE, COLOR_BLUE, A_BOLD, A_REVERSE },
	[STYLE_HEADER] =   { 110, -1, COLOR_CYAN, -1, A_BOLD, A_UNDERLINE },
	[STYLE_SELECTED] = { 16, 153, COLOR_BLACK, COLOR_CYAN, A_NORMAL, A_REVERSE },
	[STYLE_STATUS] =   { 252, 238, COLOR_WHITE, COLOR_BLUE, A_NORMAL, A_REVERSE },
	[STYLE_DIM] =      { 245, -1, -1, -1, A_NORMAL, A_NORMAL },
	[STYLE_WARM] =     { 71, -1, COLOR_GREEN, -1, A_NORMAL, A_NORMAL },
	[STYLE_HOT] =      { 167, -1, COLOR_RED, -1, A_BOLD, A_BOLD },
	[STYLE_JUMP] =     { 74, -1, COLOR_BLUE, -1, A_NORMAL, A_NORMAL },
	[STYLE_ADDRESS] =  { 139, -1, COLOR_MAGENTA, -1, A_NORMAL, A_NORMAL },
	[STYLE_SOURCE] =   { 179, -1, COLOR_YELLOW, -1, A_NORMAL, A_NORMAL },
	[STYLE_MATCH] =    { 16, 221, COLOR_BLACK, COLOR_YELLOW, A_NORMAL, A_BOLD },
	[STYLE_FLAME] =    { 16, 208, COLOR_BLACK, COLOR_YELLOW, A_NORMAL, A_REVERSE },
	[STYLE_FLAME + 1] = { 16, 214, COLOR_BLACK, COLOR_RED, A_NORMAL, A_NORMAL },
	[STYLE_FLAME + 2] = { 16, 220, COLOR_BLACK, COLOR_YELLOW, A_NORMAL, A_REVERSE },
	[STYLE_FLAME + 3] = { 16, 209, COLOR_BLACK, COLOR_RED, A_NORMAL, A_NORMAL },
	[STYLE_FLAME + 4] = { 16, 216, COLOR_BLACK, COLOR_YELLOW, A_NORMAL, A_REVERSE },
	[STYLE_FLAME + 5] = { 16, 222, COLOR_BLACK, COLOR_RED, A_NORMAL, A_NORMAL },
};
/* clang-format on */

/* Of 16 colours as many as there are: bright ones are those of 8. */
static short colour_of(const struct screen *s, short number)
{
	return number >= 8 && *s->lib->nr_colours < 16 ? COLOR_WHITE : number;
}

static void choose_colour(struct screen *s, short style, const struct screen_colour *c)
{
	/* (nothing can be made of pair 0) */
	s->pairs[style] = style ? style : NR_STYLES;
	s->attrs[style] = A_NORMAL;
	s->lib->init_pair(s->pairs[style], colour_of(s, c->fore), colour_of(s, c->back));
}

static void make_styles(struct screen *s, const struct screen_colours *colours)
{
	const struct curses *lib = s->lib;

	s->coloured = colour_terminal(STDOUT_FILENO) && lib->has_colors();
	if (s->coloured) {
		lib->start_color();
		lib->use_default_colors();
	}
	for (short i = 0; i < NR_STYLES; i++) {
		const struct look *k = &looks[i];
		bool many = s->coloured && *lib->nr_colours >= 256;

		s->attrs[i] = s->coloured ? k->attrs : k->plain_attrs;
		if (s->coloured && colours->of[i].given)
			choose_colour(s, i, &colours->of[i]);
		if (!s->coloured || !i || colours->of[i].given)
			continue;
		s->pairs[i] = i;
		lib->init_pair(i, many ? k->fore256 : k->fore8, many ? k->back256 : k->back8);
	}
}

static bool terminal_possible(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0 &&
	       strcmp(term, "unknown") != 0;
}

bool screen_possible(void)
{
	return isatty(STDIN_FILENO) && terminal_possible();
}

/* Where standard input is something else, the terminal that the process belongs to. */
static FILE *open_keys(struct err *e)
{
	FILE *keys = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "re");

	if (!keys) {
		err_set(e, errno, "there is no terminal to read keys from");
		err_hint(e, "use --stdio");
	}
	return keys;
}

static int refuse_terminal(struct err *e)
{
	const char *term = getenv("TERM");

	err_set(e, ENOTSUP, "the terminal '%s' cannot be drawn on", term ? term : "");
	err_hint(e, "set TERM to what the terminal is, or use --stdio");
	return -1;
}

static void set_up(struct screen *s, const struct screen_colours *colours)
{
	const struct curses *lib = s->lib;
	bool mouse = lib->mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED |
					    BUTTON4_PRESSED | BUTTON5_PRESSED,
				    NULL) != 0;

	s->window = *lib->window;
	lib->cbreak();
	lib->noecho();
	lib->keypad(s->window, TRUE);
	lib->curs_set(0);
	lib->set_escdelay(ESCAPE_MS);
	lib->mouseinterval(0);
	make_styles(s, colours);
	note_way_back(s, mouse);
}

static void release(struct screen *s)
{
	setlocale(LC_CTYPE, s->locale);
	free(s->locale);
	if (s->keys != stdin)
		fclose(s->keys);
	free(s);
}

int screen_open(struct screen **out, const struct screen_colours *colours, struct err *e)
{
	const struct curses *lib;
	struct screen *s;
	FILE *keys;

	if (!terminal_possible())
		return refuse_terminal(e);
	lib = curses_load(e);
	if (!lib)
		return -1;
	keys = open_keys(e);
	if (!keys)
		return -1;
	left.keys = fileno(keys);
	tcgetattr(left.keys, &left.modes);
	s = XNEW(struct screen);
	s->lib = lib;
	s->keys = keys;
	s->locale = xstrdup(setlocale(LC_CTYPE, NULL));
	setlocale(LC_CTYPE, "");
	s->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	fflush(stdout);
	left.len = 0;
	watch_signals(); /* (what has a handler gets none from ncurses) */
	lib->use_tioctl(TRUE);
	s->terminal = lib->newterm(NULL, stdout, s->keys);
	if (s->terminal && capability(lib, "cup") && capability(lib, "cup") != (char *)-1) {
		set_up(s, colours);
		keep_messages();
		*out = s;
		return 0;
	}
	forget_signals();
	if (s->terminal) {
		lib->endwin();
		lib->delscreen(s->terminal);
	}
	release(s);
	return refuse_terminal(e);
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	s->lib->endwin();
	forget_signals();
	give_messages();
	s->lib->delscreen(s->terminal);
	release(s);
}

/* ---- drawing ---- */

u32 screen_height(const struct screen *s)
{
	return (u32)MAX(s->lib->getmaxy(s->window), 0);
}

u32 screen_width(const struct screen *s)
{
	return (u32)MAX(s->lib->getmaxx(s->window), 0);
}

void screen_clear(struct screen *s)
{
	s->lib->wattr_set(s->window, A_NORMAL, 0, NULL);
	s->lib->werase(s->window);
}

/* A line's part while it is put together. */
struct cells {
	wchar_t v[LINE_MAX_CELLS];
	u32 nr, columns, room;
};

static bool add_cell(struct cells *c, wchar_t code, u32 columns)
{
	if (c->columns + columns > c->room || c->nr == LINE_MAX_CELLS)
		return false;
	c->v[c->nr++] = code;
	c->columns += columns;
	return true;
}

static bool add_ascii(struct cells *c, const char *text)
{
	for (; *text; text++)
		if (!add_cell(c, (u8)*text, 1))
			return false;
	return true;
}

/* What ASCII has for a character that we draw ourselves. */
static wchar_t in_ascii(u32 code)
{
	static const char arrows[] = { '<', '^', '>', 'v' };

	return code >= 0x2190 && code < 0x2190 + sizeof(arrows) ? arrows[code - 0x2190] : '?';
}

/* One character of a text that may be anything. */
static bool add_glyph(const struct screen *s, struct cells *c, const struct glyph *g)
{
	char escaped[12];
	int width;

	if (g->code == '\t')
		return add_cell(c, ' ', 1);
	if (g->control || g->wrong) {
		snprintf(escaped, sizeof(escaped), g->code < 0x100 ? "\\x%02x" : "\\u%04x",
			 g->code);
		return add_ascii(c, escaped);
	}
	if (g->code < 0x80)
		return add_cell(c, (wchar_t)g->code, 1);
	width = s->utf8 ? wcwidth((wchar_t)g->code) : -1;
	if (width > 0)
		return add_cell(c, (wchar_t)g->code, (u32)width);
	/* (what stands above or below another character would move what follows) */
	return add_cell(c, (s->utf8 ? '?' : in_ascii(g->code)), 1);
}

static void add_text(const struct screen *s, struct cells *c, const char *text, size_t len)
{
	for (size_t i = 0; i < len && text[i];) {
		struct glyph g = glyph_at(text + i);

		if (!add_glyph(s, c, &g))
			return;
		i += g.len;
	}
}

static void put_cells(struct screen *s, u32 y, u32 x, enum style style, const struct cells *c)
{
	if (s->lib->wmove(s->window, (int)y, (int)x) == ERR)
		return;
	s->lib->wattr_set(s->window, s->attrs[style], s->pairs[style], NULL);
	s->lib->waddnwstr(s->window, c->v, (int)c->nr);
}

u32 screen_text_n(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text,
		  size_t len)
{
	struct cells c;
	u32 used;

	if (y >= screen_height(s) || x >= screen_width(s))
		return 0;
	c.nr = c.columns = 0;
	c.room = MIN(MIN(width, screen_width(s) - x), LINE_MAX_CELLS);
	add_text(s, &c, text, len);
	used = c.columns;
	while (add_cell(&c, ' ', 1))
		;
	put_cells(s, y, x, style, &c);
	return used;
}

u32 screen_text(struct screen *s, u32 y, u32 x, u32 width, enum style style, const char *text)
{
	return screen_text_n(s, y, x, width, style, text, SIZE_MAX);
}

void screen_fill(struct screen *s, u32 y, u32 x, u32 width, enum style style)
{
	screen_text(s, y, x, width, style, "");
}

void screen_mark(struct screen *s, u32 y, u32 x, enum style style, enum mark mark)
{
	static const struct {
		wchar_t wide;
		char plain;
	} marks[NR_MARKS] = {
		[MARK_DOWN] = { 0x2502, '|' },        [MARK_FROM_TOP] = { 0x250c, '+' },
		[MARK_FROM_BOTTOM] = { 0x2514, '+' }, [MARK_ARROW_RIGHT] = { 0x2192, '>' },
		[MARK_BAR] = { 0x2581, '.' },         [MARK_BAR + 1] = { 0x2582, '.' },
		[MARK_BAR + 2] = { 0x2583, ':' },     [MARK_BAR + 3] = { 0x2584, ':' },
		[MARK_BAR + 4] = { 0x2585, '+' },     [MARK_BAR + 5] = { 0x2586, '+' },
		[MARK_BAR + 6] = { 0x2587, '#' },     [MARK_BAR + 7] = { 0x2588, '#' },
	};
	struct cells c;

	if (y >= screen_height(s) || x >= screen_width(s))
		return;
	c.nr = c.columns = 0;
	c.room = 1;
	add_cell(&c, s->utf8 ? marks[mark].wide : (wchar_t)marks[mark].plain, 1);
	put_cells(s, y, x, style, &c);
}

u32 screen_columns(const struct screen *s, const char *text)
{
	struct cells c;

	c.nr = c.columns = 0;
	c.room = LINE_MAX_CELLS;
	add_text(s, &c, text, SIZE_MAX);
	return c.columns;
}

void screen_show(struct screen *s)
{
	s->lib->wrefresh(s->window);
}

/* ---- keys ---- */

static const struct {
	wint_t curses;
	u32 code;
} special[] = {
	{ KEY_UP, KEY_OF_UP },
	{ KEY_DOWN, KEY_OF_DOWN },
	{ KEY_LEFT, KEY_OF_LEFT },
	{ KEY_RIGHT, KEY_OF_RIGHT },
	{ KEY_PPAGE, KEY_OF_PAGE_UP },
	{ KEY_NPAGE, KEY_OF_PAGE_DOWN },
	{ KEY_HOME, KEY_OF_HOME },
	{ KEY_END, KEY_OF_END },
	{ KEY_BACKSPACE, KEY_OF_BACKSPACE },
	{ KEY_BTAB, KEY_OF_UNTAB },
	{ KEY_ENTER, KEY_OF_ENTER },
	{ KEY_F(1), KEY_OF_F1 },
	{ KEY_RESIZE, KEY_OF_RESIZE },
};

static u32 mouse_key(const struct screen *s, struct key *out)
{
	MEVENT m;

	if (s->lib->getmouse(&m) != OK)
		return 0;
	out->x = m.x;
	out->y = m.y;
	if (m.bstate & BUTTON1_DOUBLE_CLICKED)
		return KEY_OF_DOUBLE_CLICK;
	if (m.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
		return KEY_OF_CLICK;
	if (m.bstate & BUTTON4_PRESSED)
		return KEY_OF_WHEEL_UP;
	return m.bstate & BUTTON5_PRESSED ? KEY_OF_WHEEL_DOWN : 0;
}

static u32 special_key(const struct screen *s, wint_t code, struct key *out)
{
	if (code == KEY_MOUSE)
		return mouse_key(s, out);
	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (special[i].curses == code)
			return special[i].code;
	return 0;
}

static bool input_is_over(void)
{
	struct pollfd p = { .fd = left.keys, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR | POLLNVAL);
}

bool screen_key(struct screen *s, int timeout_ms, struct key *out)
{
	wint_t code;
	int kind;

	*out = (struct key){ 0 };
	s->lib->wtimeout(s->window, timeout_ms);
	kind = s->lib->wget_wch(s->window, &code);
	if (kind == KEY_CODE_YES) {
		out->code = special_key(s, code, out);
	} else if (kind == OK) {
		out->code = code == '\r'                  ? KEY_OF_ENTER
			    : code == 127 || code == '\b' ? KEY_OF_BACKSPACE
							  : code;
	} else if (input_is_over()) {
		out->code = KEY_OF_END_OF_INPUT;
	}
	return out->code != 0;
}
