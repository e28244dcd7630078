/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rows of a report lead to: its menu, zooms, other events, recordings, a file with them.
 */
#include "tui/report_zoom.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/mem.h"
#include "base/rw.h"
#include "tui/code.h"
#include "tui/sandwich.h"

enum {
	FILES_MAX = 200,
	MAGIC_SIZE = 8,
};

/* ---- other rows ---- */

static void rows_made(struct tui *t, void *work, bool wanted)
{
	struct err e = ERR_INIT;

	if (browse_work_take(work, wanted, &e) < 0)
		tui_complain_err(t, &e);
	else if (wanted)
		tui_changed(t);
}

void report_work(struct tui *t, struct browse_work *w, const char *what)
{
	struct tui_work work = { .what = what,
				 .run = browse_work_run,
				 .done = rows_made,
				 .ctx = w,
				 .at_once = browse_work_is_little(w) };

	tui_work(t, &work);
}

bool report_may_read_again(struct tui *t, struct browse *b)
{
	struct err e = ERR_INIT;

	if (browse_may_read_again(b, &e) == 0)
		return true;
	tui_complain_err(t, &e);
	return false;
}

/* ---- zooms ---- */

static void zoomed(struct tui *t, struct report_view *v, const struct snapshot_condition *c,
		   const char *what)
{
	report_work(t, browse_zoom(v->b, c, what), "zooming");
}

/* "object: libc.so.6" */
static void name_zoom(struct report_view *v, const struct agg_key *key, u64 word,
		      struct strbuf *out)
{
	strbuf_addf(out, "%s: ", key->name);
	key->text(v->b->shown.rows, report_row(v), word, 0, out);
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

void report_zoom(struct tui *t, struct report_view *v, const char *key_name)
{
	_cleanup_(strbuf_releasep) struct strbuf what = STRBUF_INIT;
	struct snapshot_condition c = { 0 };

	if (!report_chosen(v, key_name, &c.key, &c.word)) {
		tui_complain(t, "rows do not tell their %s: sort by it, too (o)", key_name);
		return;
	}
	name_zoom(v, c.key, c.word, &what);
	zoomed(t, v, &c, what.buf);
}

static const char *thread_key(const struct report_view *v)
{
	const struct agg_key *key;
	u8 place;

	return browse_key(v->b, "tid", &key, &place)   ? "tid"
	       : browse_key(v->b, "pid", &key, &place) ? "pid"
						       : "comm";
}

void report_zoom_thread(struct tui *t, struct report_view *v)
{
	report_zoom(t, v, thread_key(v));
}

/* All kernel code has one object; modules are apart, as in perf. */
void report_zoom_kernel(struct tui *t, struct report_view *v)
{
	struct snapshot_condition c = { .text = "[kernel.kallsyms]" };
	u8 place;

	if (!browse_key(v->b, "dso", &c.key, &place)) {
		tui_complain(t, "rows do not tell their dso: sort by it, too (o)");
		return;
	}
	if (v->b->source.opts->agg.short_kernel)
		c.text = "[kernel]";
	zoomed(t, v, &c, "kernel");
}

void report_unzoom(struct tui *t, struct report_view *v)
{
	if (!v->b->zooms.nr && v->b->source.time_undoes) {
		free(v->b->wish.time);
		v->b->wish.time = xstrdup("");
		t->end = TUI_AGAIN;
		return;
	}
	if (!v->b->zooms.nr) {
		tui_say(t, "nothing is zoomed");
		return;
	}
	report_work(t, browse_unzoom(v->b), "zooming out");
}

/* ---- code ---- */

void report_annotate(struct tui *t, struct report_view *v)
{
	struct session *s = v->b->source.session;
	const struct code_source *code;
	const struct agg_key *key;
	const struct frame *f;
	const struct agg_section *section;
	struct err e = ERR_INIT;
	struct dso *d;
	u64 word;

	if (!report_chosen_symbol(v, &key, &word)) {
		tui_complain(t, "rows do not tell their symbol: sort by it, too (o)");
		return;
	}
	f = session_frame_get(s, (frame_id)word);
	d = dso_table_get(session_dsos(s), f->dso);
	if (f->sym == SYM_NONE || !d) {
		tui_complain(t, "the line is no function: its address has no symbol");
		return;
	}
	section = agg_section(v->b->shown.rows, v->b->shown.look.event);
	code = v->b->source.code(v->b->source.ctx, &e);
	if (!code)
		tui_complain_err(t, &e);
	else
		code_view_open_named(t, code, dso_long_name(d), symtab_name(dso_symtab(d), f->sym),
				     (struct code_events){ section->event, section->nr_members });
}

void report_sandwich(struct tui *t, struct report_view *v)
{
	_cleanup_(strbuf_releasep) struct strbuf what = STRBUF_INIT;
	struct snapshot_condition c = { 0 };

	if (!report_chosen_symbol(v, &c.key, &c.word)) {
		tui_complain(t, "rows do not tell their symbol: sort by it, too (o)");
		return;
	}
	name_zoom(v, c.key, c.word, &what);
	sandwich_view_open(t, v->b, &c, what.buf);
}

/* ---- events ---- */

static void event_chosen(struct tui *t, void *ctx, size_t number)
{
	struct browse *b = ctx;
	struct browse_look look = b->shown.look;

	look.event = number;
	report_work(t, browse_show(b, &look), "looking at the event");
}

void report_choose_event(struct tui *t, struct browse *b)
{
	size_t nr = b->shown.rows ? agg_nr_sections(b->shown.rows) : 0, n = 0;
	struct menu_entry *entries = XNEW_ARRAY(struct menu_entry, nr + 1);

	for (size_t i = 0; i < nr; i++) {
		struct view_event ev;

		if (browse_event(b, i, &ev))
			entries[n++] = (struct menu_entry){
				.text = xasprintf("%10llu samples  %s",
						  (unsigned long long)ev.samples, ev.name),
				.chosen = event_chosen,
				.number = i,
			};
	}
	tui_menu(t, "Available samples", entries, n, b);
	for (size_t i = 0; i < n; i++)
		free((char *)entries[i].text);
	free(entries);
}

void report_export(struct tui *t, struct report_view *v)
{
	report_follow(v);
	row_list_export(t, &v->rows,
			v->b->complete ? ""
				       : "# a part of the recording: it is still being read\n");
}

/* ---- other recordings ---- */

static bool is_recording(const char *name)
{
	_cleanup_(mem_closep) int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
							  O_NOFOLLOW);
	char magic[MAGIC_SIZE];

	return fd >= 0 && read(fd, magic, sizeof(magic)) == MAGIC_SIZE &&
	       (!memcmp(magic, "PERFILE2", MAGIC_SIZE) || !memcmp(magic, "2ELIFREP", MAGIC_SIZE));
}

struct files {
	struct browse *b;
	char *names[FILES_MAX];
	size_t nr;
};

static void free_files(struct files *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->names[i]);
	free(f);
}

static struct files *find_files(struct browse *b)
{
	struct files *f = XNEW(struct files);
	DIR *dir = opendir(".");
	struct dirent *d;

	f->b = b;
	while (dir && f->nr < FILES_MAX && (d = readdir(dir)))
		if (is_recording(d->d_name))
			f->names[f->nr++] = xstrdup(d->d_name);
	if (dir)
		closedir(dir);
	qsort(f->names, f->nr, sizeof(*f->names), by_string);
	return f;
}

static void file_chosen(struct tui *t, void *ctx, size_t number)
{
	struct browse *b = ctx;
	struct files *f = find_files(b);

	if (number < f->nr) {
		free(b->wish.path);
		b->wish.path = xstrdup(f->names[number]);
		t->end = TUI_AGAIN;
	}
	free_files(f);
}

void report_switch_file(struct tui *t, struct report_view *v)
{
	struct files *f = find_files(v->b);
	struct menu_entry entries[FILES_MAX];

	for (size_t i = 0; i < f->nr; i++)
		entries[i] = (struct menu_entry){ f->names[i], file_chosen, i };
	if (!f->nr)
		tui_say(t, "no recording is in this folder");
	tui_menu(t, "Recordings", entries, f->nr, f->b);
	free_files(f);
}

/* ---- the menu ---- */

static void menu_annotate(struct tui *t, void *ctx, size_t number UNUSED)
{
	report_annotate(t, ctx);
}

static void menu_zoom_thread(struct tui *t, void *ctx, size_t number UNUSED)
{
	report_zoom_thread(t, ctx);
}

static void menu_zoom_dso(struct tui *t, void *ctx, size_t number UNUSED)
{
	report_zoom(t, ctx, "dso");
}

static void menu_zoom_symbol(struct tui *t, void *ctx, size_t number UNUSED)
{
	report_zoom(t, ctx, "symbol");
}

static void menu_unzoom(struct tui *t, void *ctx, size_t number UNUSED)
{
	report_unzoom(t, ctx);
}

static void menu_fold(struct tui *t, void *ctx, size_t number UNUSED)
{
	row_list_fold(t, &((struct report_view *)ctx)->rows, FOLD_TOGGLE);
}

static void menu_threads(struct tui *t, void *ctx, size_t number UNUSED)
{
	struct browse *b = ((struct report_view *)ctx)->b;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	b->source.add_threads(b->source.ctx, &text);
	tui_page(t, "What each thread counted", text.buf);
}

static void menu_export(struct tui *t, void *ctx, size_t number UNUSED)
{
	report_export(t, ctx);
}

static void menu_switch(struct tui *t, void *ctx, size_t number UNUSED)
{
	report_switch_file(t, ctx);
}

static void add_zoom(struct report_view *v, struct menu_maker *m, const char *key_name,
		     void (*chosen)(struct tui *t, void *ctx, size_t number))
{
	struct strbuf what = STRBUF_INIT;
	const struct agg_key *key;
	u64 word;

	if (!report_chosen(v, key_name, &key, &word))
		return;
	strbuf_adds(&what, "Zoom into ");
	name_zoom(v, key, word, &what);
	menu_add(m, strbuf_detach(&what), chosen, 0);
}

void report_menu_open(struct tui *t, struct report_view *v)
{
	struct menu_maker m = { .nr = 0 };
	const struct browse *b = v->b;
	const struct agg_key *key;
	u8 place;

	if (browse_key(b, "symbol", &key, &place))
		menu_add(&m, xstrdup("Code of the function, with its samples"), menu_annotate, 0);
	if (b->shown.view && row_list_listed(&v->rows)->tree)
		menu_add(&m, xstrdup("Fold or unfold the call graph"), menu_fold, 0);
	add_zoom(v, &m, thread_key(v), menu_zoom_thread);
	add_zoom(v, &m, "dso", menu_zoom_dso);
	add_zoom(v, &m, "symbol", menu_zoom_symbol);
	if (b->zooms.nr)
		menu_add(&m, xasprintf("Zoom out of %s", VEC_LAST(&b->zooms)->text), menu_unzoom,
			 0);
	if (b->complete && b->source.add_threads)
		menu_add(&m, xstrdup("What each thread counted"), menu_threads, 0);
	menu_add(&m, xstrdup("Write the rows to a file"), menu_export, 0);
	menu_add(&m, xstrdup("Switch to another recording"), menu_switch, 0);
	menu_show(t, "What next?", &m, v);
}
