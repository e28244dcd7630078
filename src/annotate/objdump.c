/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/objdump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/run.h"
#include "base/rw.h"

enum {
	OUTPUT_MAX = 256 << 20,
	WORDS_MAX = 16,
};

/* Names of machines for -m of objdump: bytes without a file do not tell theirs. */
static const struct {
	u16 elf;
	bool is64;
	const char *name;
} machines[] = {
	{ EM_X86_64, true, "i386:x86-64" }, { EM_X86_64, false, "i386:x64-32" },
	{ EM_386, false, "i386" },          { EM_AARCH64, true, "aarch64" },
	{ EM_ARM, false, "arm" },           { EM_PPC64, true, "powerpc:common64" },
	{ EM_S390, true, "s390:64-bit" },   { EM_RISCV, true, "riscv:rv64" },
};

struct objdump_words {
	char *v[WORDS_MAX + 1];
	u32 nr;
};

static void add_word(struct objdump_words *w, char *word)
{
	w->v[w->nr++] = word;
}

static void release_words(struct objdump_words *w)
{
	for (u32 i = 0; i < w->nr; i++)
		free(w->v[i]);
}

static bool has_sections(const struct dso_code *c)
{
	return c->file.fd >= 0 && c->file.nr_sections > 1 && c->file.type != ET_REL;
}

/* The bytes as a file; -1 with errno. */
static int file_of_bytes(const struct objdump_code *c)
{
	int fd = memfd_create("code", MFD_CLOEXEC);

	if (fd >= 0 && rw_write_full(fd, c->bytes, c->size) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static const char *machine_name(const struct dso_code *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == c->machine && machines[i].is64 == c->is64)
			return machines[i].name;
	return NULL;
}

static int set_words(struct objdump_words *w, const struct annotate_opts *o,
		     const struct objdump_code *c, struct err *e)
{
	const char *machine = machine_name(c->code);

	add_word(w, xstrdup(o->objdump));
	add_word(w, xstrdup("--no-show-raw-insn"));
	add_word(w, xstrdup("-z")); /* else it leaves out what is zero, and samples there */
	if (o->style)
		add_word(w, xasprintf("-M%s", o->style));
	add_word(w, xasprintf("--start-address=0x%llx", (unsigned long long)c->start));
	add_word(w, xasprintf("--stop-address=0x%llx", (unsigned long long)(c->start + c->size)));
	if (has_sections(c->code)) {
		add_word(w, xstrdup("-d"));
		add_word(w, xstrdup("-C"));
	} else if (machine) {
		add_word(w, xstrdup("-D"));
		add_word(w, xstrdup("-bbinary"));
		add_word(w, xasprintf("-m%s", machine));
		add_word(w, xstrdup(c->code->big_endian ? "-EB" : "-EL"));
		add_word(w, xasprintf("--adjust-vma=0x%llx", (unsigned long long)c->start));
	} else {
		return err_set(e, ENOTSUP, "no name of objdump is known for the machine %u",
			       c->code->machine);
	}
	add_word(w, xasprintf("/proc/self/fd/%d", RUN_FD));
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "  401000:\tmov    ..." */
static bool parse_line(const char *line, size_t len, u64 *addr, const char **text)
{
	const char *end = line + len;
	char *colon;

	while (line < end && is_blank(*line))
		line++;
	*addr = strtoull(line, &colon, 16);
	if (colon == line || colon >= end || *colon != ':' || colon + 1 >= end ||
	    !is_blank(colon[1]))
		return false;
	for (*text = colon + 1; *text < end && is_blank(**text);)
		++*text;
	return *text < end;
}

void objdump_parse(struct objdump *d, const char *out, const struct objdump_code *c)
{
	for (const char *line = out; *line;) {
		size_t len = strcspn(line, "\n");
		const char *text;
		u64 addr, last = d->insns.nr ? VEC_LAST(&d->insns)->addr : 0;

		/* an address that is not behind the one before is no instruction's */
		if (parse_line(line, len, &addr, &text) && addr - c->start < c->size &&
		    (!d->insns.nr || addr > last)) {
			*VEC_PUSH(&d->insns) = (struct objdump_insn){ addr, d->text.len };
			strbuf_add(&d->text, text, (size_t)(line + len - text));
			strbuf_addch(&d->text, '\0');
		}
		line += len + (line[len] == '\n');
	}
}

static int run_program(struct objdump *d, const struct objdump_words *w,
		       const struct objdump_code *c, struct err *e)
{
	struct strbuf out = STRBUF_INIT;
	struct run_opts o = { .max = OUTPUT_MAX,
			      .fd = has_sections(c->code)
					    ? fcntl(c->code->file.fd, F_DUPFD_CLOEXEC, RUN_FD)
					    : file_of_bytes(c) };
	int status;

	if (o.fd < 0)
		return err_set(e, errno, "cannot hand code to '%s': %m", w->v[0]);
	status = run_for_output((const char *const *)w->v, &o, &out);
	if (status < 0) {
		err_set(e, errno, "cannot run '%s': %m", w->v[0]);
		err_hint(e, "name the program with --objdump, or leave that away");
	} else {
		objdump_parse(d, out.buf, c);
	}
	close(o.fd);
	strbuf_release(&out);
	if (status > 0 || (!status && !d->insns.nr))
		return err_set(e, EIO, "'%s' printed %s (exit status %d)", w->v[0],
			       d->insns.nr ? "instructions, but failed" : "no instruction", status);
	return status;
}

int objdump_run(struct objdump *d, const struct annotate_opts *o, const struct objdump_code *c,
		struct err *e)
{
	struct objdump_words w = { 0 };
	int ret = set_words(&w, o, c, e);

	if (!ret)
		ret = run_program(d, &w, c, e);
	release_words(&w);
	return ret;
}

void objdump_release(struct objdump *d)
{
	vec_free(&d->insns);
	strbuf_release(&d->text);
}
