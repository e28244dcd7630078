/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libdw_stacks FILE [COMM]: unwinds every copied stack of a recording (--call-graph dwarf,SIZE,raw) with
 * libdw as well, and compares. Prints "FRAMES EQUAL STACKS SAME LONGER SHORTER OTHER": libdw's frames, those
 * of them that are also ours (same address, counted from the innermost up to the first difference), stacks,
 * and how ours are to libdw's; then a line "COUNT KIND FUNCTION OURS THEIRS" for each way to differ.
 * With libdw_stacks -v all stacks that differ are printed. For developers and for tests/live.
 */
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/files.h"
#include "dso/symbols/symtab.h"
#include "session/session.h"
#include "unwind/abi.h"

enum { FRAMES_MAX = 512, KINDS_MAX = 256, PLACES_MAX = 4096 };
enum relation { SAME, LONGER, SHORTER, OTHER, NR_RELATIONS };
static const char *const relations[] = { "same", "longer", "shorter", "other" };

/* A way to differ, with how often it was seen. */
struct kind {
	char *text;
	u64 count;
};

struct oracle {
	struct session *s;
	const char *comm; /* NULL = all */
	bool verbose;
	Dwfl *dwfl; /* of one address space; NULL = none yet */
	bool reported, attached; /* libdw knows some object, and by it the machine */
	u32 space;
	u64 places[PLACES_MAX]; /* beginnings of mappings that were looked at */
	dso_id objects[PLACES_MAX]; /* of places, what libdw was told; 0 = nothing */
	u32 nr_places;
	const struct session_record *r; /* the sample that is looked at */
	struct session_worker *w;
	const struct unwind_abi *abi;
	struct unwind_regs regs;
	struct unwind_reg_words reg_words;
	u64 pcs[FRAMES_MAX]; /* what libdw found */
	size_t nr;
	u64 frames, equal, relation[NR_RELATIONS];
	struct kind kinds[KINDS_MAX];
	u32 nr_kinds;
};

/* ---- libdw's questions ---- */

/* Where the beginning of an object is in memory, by the mapping of its code; false: it does not fit. */
static bool base_of(const struct elf_file *f, const struct model_map *map, u64 *base)
{
	for (u32 i = 0; i < f->nr_segments; i++) {
		const struct elf_segment *seg = &f->segments[i];
		u64 page = seg->offset / 4096 * 4096;

		if (seg->type != PT_LOAD || !(seg->flags & PF_X) || map->pgoff < page ||
		    map->pgoff >= seg->offset + seg->filesz)
			continue;
		*base = f->type == ET_EXEC ? 0 : map->start - (seg->vaddr - seg->offset + map->pgoff);
		return true;
	}
	return false;
}

/* What libdw reads must be a file; the vdso is none. */
static int file_of(const struct elf_file *f)
{
	FILE *copy;

	if (f->fd >= 0)
		return dup(f->fd);
	copy = tmpfile();
	return copy && fwrite(f->mem, 1, f->size, copy) == f->size && !fflush(copy) ? fileno(copy) : -1;
}

/* The object of an address; libdw wants to be told before it looks for its unwind tables. */
static void report(struct oracle *o, u64 pc)
{
	const struct model_map *map = model_find_map(session_model(o->s), o->r->site.thread,
						     PERF_RECORD_MISC_USER, pc, o->r->site.time);
	struct elf_file f = ELF_FILE_INIT;
	struct dso *d;
	u64 base;
	int fd;

	if (!map || o->nr_places == PLACES_MAX)
		return;
	/* It is told once of an object: the second time it forgets the first one. */
	for (u32 i = 0; i < o->nr_places; i++)
		if (o->places[i] == map->start || o->objects[i] == map->dso)
			return;
	o->objects[o->nr_places] = 0;
	o->places[o->nr_places++] = map->start;
	d = dso_table_get(session_dsos(o->s), map->dso);
	if (!d || !dso_open_runtime(d, &f))
		return;
	if (base_of(&f, map, &base) && (fd = file_of(&f)) >= 0) {
		o->objects[o->nr_places - 1] = map->dso;
		dwfl_report_begin_add(o->dwfl);
		o->reported |= !!dwfl_report_elf(o->dwfl, dso_long_name(d), dso_long_name(d), fd, base, false);
		dwfl_report_end(o->dwfl, NULL, NULL);
	}
	elf_close(&f);
}

static pid_t next_thread(Dwfl *dwfl UNUSED, void *arg, void **thread_arg)
{
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return 1;
}

static bool read_word(Dwfl *dwfl UNUSED, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
	struct oracle *o = arg;
	const struct sample *smp = o->r->sample;
	u64 at = addr - o->regs.v[o->abi->sp];

	if (at >= smp->user_stack_size || smp->user_stack_size - at < o->abi->word)
		return false;
	*result = 0;
	memcpy(result, smp->user_stack + at, o->abi->word);
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	struct oracle *o = arg;
	Dwarf_Word words[UNWIND_REGS];

	for (unsigned int i = 0; i < o->abi->nr_regs; i++)
		words[i] = o->regs.valid >> i & 1 ? o->regs.v[i] : 0;
	dwfl_thread_state_register_pc(thread, o->regs.pc);
	return dwfl_thread_state_registers(thread, 0, o->abi->nr_regs, words);
}

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct oracle *o = arg;
	bool exact;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, &exact) || o->nr == FRAMES_MAX || !pc)
		return DWARF_CB_ABORT;
	pc -= exact ? 0 : 1;
	report(o, pc);
	o->pcs[o->nr++] = pc;
	return DWARF_CB_OK;
}

/* ---- comparing ---- */

static void unwind(struct oracle *o)
{
	static const Dwfl_Thread_Callbacks callbacks = { .next_thread = next_thread, .memory_read = read_word,
							 .set_initial_registers = set_registers };
	static char *debug_path;
	static const Dwfl_Callbacks objects = { .find_elf = dwfl_build_id_find_elf,
					.find_debuginfo = dwfl_standard_find_debuginfo, .debuginfo_path = &debug_path };

	if (!o->dwfl || o->space != o->r->site.space) {
		if (o->dwfl)
			dwfl_end(o->dwfl);
		o->dwfl = dwfl_begin(&objects);
		o->space = o->r->site.space;
		o->nr_places = 0;
		o->reported = o->attached = false;
	}
	o->nr = 0;
	report(o, o->regs.pc);
	/* In take_frame() it is late: libdw has looked for the frame's object already. */
	for (u64 i = 0; i < o->r->sample->nr_chain; i++)
		report(o, o->r->sample->chain[i]);
	if (o->reported && !o->attached)
		o->attached = dwfl_attach_state(o->dwfl, NULL, 1, &callbacks, o);
	if (o->attached)
		dwfl_getthread_frames(o->dwfl, 1, take_frame, o);
}

static void place_text(struct oracle *o, u64 pc, char *out, size_t size)
{
	const struct symtab *st;
	struct location l;
	struct dso *d;

	session_resolve(o->w, &o->r->site, PERF_RECORD_MISC_USER, pc, &l);
	d = dso_table_get(session_dsos(o->s), l.dso);
	if (!d) {
		snprintf(out, size, "[nowhere]");
		return;
	}
	st = dso_symtab(d);
	if (l.sym == SYM_NONE)
		snprintf(out, size, "%s+0x%" PRIx64, dso_short_name(d), l.addr);
	else if (o->verbose)
		snprintf(out, size, "%s+0x%" PRIx64, symtab_name(st, l.sym), l.addr - symtab_start(st, l.sym));
	else
		snprintf(out, size, "%s", symtab_name(st, l.sym));
}

static void count_kind(struct oracle *o, enum relation how, const u64 *ours, size_t nr, size_t same)
{
	char place[3][512] = { "-", "-", "-" };
	char text[2048];

	if (same)
		place_text(o, ours[same - 1], place[0], sizeof(place[0]));
	if (same < nr)
		place_text(o, ours[same], place[1], sizeof(place[1]));
	if (same < o->nr)
		place_text(o, o->pcs[same], place[2], sizeof(place[2]));
	snprintf(text, sizeof(text), "%s | %s | %s | %s", relations[how], place[0], place[1], place[2]);
	if (o->verbose) {
		printf("%s\n", text);
		for (size_t i = 0; i < MAX(nr, o->nr); i++) {
			for (int k = 0; k < 2; k++) {
				const u64 *v = k ? o->pcs : ours;

				snprintf(place[k], sizeof(place[k]), "-");
				if (i < (k ? o->nr : nr))
					place_text(o, v[i], place[k], sizeof(place[k]));
			}
			printf("  %-50s %s\n", place[0], place[1]);
		}
	}
	for (u32 i = 0; i < o->nr_kinds; i++) {
		if (!strcmp(o->kinds[i].text, text)) {
			o->kinds[i].count++;
			return;
		}
	}
	if (o->nr_kinds < KINDS_MAX)
		o->kinds[o->nr_kinds++] = (struct kind){ xstrdup(text), 1 };
}

static void compare(struct oracle *o)
{
	const struct sample *smp = o->r->sample;
	enum relation how;
	size_t first = 0, nr, same = 0;

	while (first < smp->nr_chain && smp->chain[first] != PERF_CONTEXT_USER)
		first++;
	first += first < smp->nr_chain;
	nr = smp->nr_chain - first;
	/* the mark of a stack that is longer than its copy */
	nr -= nr && smp->chain[first + nr - 1] == PERF_CONTEXT_USER;
	while (same < nr && same < o->nr && smp->chain[first + same] == o->pcs[same])
		same++;
	how = same < o->nr ? same < nr ? OTHER : SHORTER : same < nr ? LONGER : SAME;
	o->frames += o->nr;
	o->equal += same;
	o->relation[how]++;
	if (how != SAME)
		count_kind(o, how, smp->chain + first, nr, same);
}

static bool take_sample(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
			const struct session_record *r, struct strbuf *out UNUSED)
{
	struct oracle *o = ctx;
	const struct sample *smp = r->sample;

	if (!smp || !smp->user_regs || !smp->user_stack_size)
		return true;
	if (o->comm && strcmp(o->comm, model_str(session_model(o->s), r->site.comm)) != 0)
		return true;
	o->abi = unwind_abi_find("x86_64", smp->user_abi == PERF_SAMPLE_REGS_ABI_32);
	o->r = r;
	o->w = w;
	if (!o->abi || !unwind_regs_from_sample(&o->reg_words, o->abi, r->event->layout.regs_user, smp->user_regs, &o->regs))
		return true;
	unwind(o);
	compare(o);
	return true;
}

static bool take_text(void *ctx UNUSED, const char *text UNUSED, size_t len UNUSED)
{
	return true;
}

static int kind_cmp(const void *a, const void *b)
{
	const struct kind *x = a;
	const struct kind *y = b;

	return x->count == y->count ? strcmp(x->text, y->text) : x->count < y->count ? 1 : -1;
}

int main(int argc, char **argv)
{
	struct oracle *o = XNEW(struct oracle);
	struct session_opts opts = { .unwind = true, .max_stack = FRAMES_MAX };
	struct session_consumer c = { .order = SESSION_ORDERED, .serial = true, .ctx = o, .record = take_sample,
				      .emit = take_text };
	struct err e = { 0 };

	o->verbose = argc > 1 && !strcmp(argv[1], "-v");
	argv += o->verbose;
	if (!argv[1]) {
		fprintf(stderr, "usage: libdw_stacks [-v] FILE [COMM]\n");
		return 129;
	}
	opts.input.path = argv[1];
	o->comm = argv[2];
	if (session_open(&o->s, &opts, &e) < 0 || session_run(o->s, &c, &e) < 0) {
		fprintf(stderr, "error: %s\n", e.text);
		return 255;
	}
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", o->frames,
	       o->equal, o->relation[SAME] + o->relation[LONGER] + o->relation[SHORTER] + o->relation[OTHER],
	       o->relation[SAME], o->relation[LONGER], o->relation[SHORTER], o->relation[OTHER]);
	qsort(o->kinds, o->nr_kinds, sizeof(*o->kinds), kind_cmp);
	for (u32 i = 0; i < o->nr_kinds; i++) {
		printf("%" PRIu64 " %s\n", o->kinds[i].count, o->kinds[i].text);
		free(o->kinds[i].text);
	}
	session_close(o->s);
	if (o->dwfl)
		dwfl_end(o->dwfl);
	free(o);
	return 0;
}
