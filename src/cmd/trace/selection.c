/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf trace -e: which system calls, and which other events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/trace/trace.h"
#include "sys/proc.h"

/* The kernel takes a page of text at most. */
enum { MAX_FILTER = 3500 };

void trace_selection_release(struct trace_selection *sel)
{
	VEC_FOR(&sel->texts, t)
		free(*t);
	vec_free(&sel->texts);
	vec_free(&sel->words);
	vec_free(&sel->known);
}

static void add_event_text(struct strbuf *events, const char *word)
{
	if (events->len)
		strbuf_addch(events, ',');
	strbuf_adds(events, word);
}

int trace_select(struct trace_opts *o, const char *text, struct err *e)
{
	struct trace_selection *sel = &o->selection;
	_cleanup_(strbuf_releasep) struct strbuf events = STRBUF_INIT;
	bool others = *text == '!', last = false;
	char *copy = xstrdup(text + others);

	*VEC_PUSH(&sel->texts) = copy;
	if (sel->words.nr && others != sel->others)
		return err_set(e, EINVAL,
			       "-e cannot name both calls to be traced and, with '!', calls "
			       "to be left out");
	for (char *word = copy; !last;) {
		char *end = word + event_span(word);

		last = !*end;
		*end = '\0';
		if (trace_word_is_call(o->syscalls, word) ||
		    (o->compat && trace_word_is_call(o->compat, word))) {
			*VEC_PUSH(&sel->words) = word;
			sel->others = others;
		} else if (others) {
			return err_set(e, EINVAL,
				       "'%s' is no system call: behind '!' are their "
				       "names, globs and groups",
				       word);
		} else {
			add_event_text(&events, word);
		}
		word = end + 1;
	}
	if (!events.len)
		return 0;
	/* the events keep pieces of the text */
	*VEC_PUSH(&sel->texts) = xstrdup(events.buf);
	return event_args_add(&o->sampling.event_args, &o->sampling.events, &o->sampling.env,
			      *VEC_LAST(&sel->texts), e);
}

static bool is_named(const struct trace_selection *sel, const struct trace_syscall *s)
{
	for (size_t i = 0; i < sel->words.nr; i++)
		if (trace_call_is(s, sel->words.v[i]))
			return true;
	return false;
}

bool trace_selection_wants(struct trace_selection *sel, const struct trace_syscall *s)
{
	enum { MAX_KNOWN = 4096 };
	u32 at = s->nr * TRACE_NR_ARCHES + s->arch;

	if (!sel->words.nr)
		return true;
	if (s->nr >= MAX_KNOWN)
		return is_named(sel, s) != sel->others;
	while (sel->known.nr <= at)
		*VEC_PUSH(&sel->known) = 0;
	if (!sel->known.v[at])
		sel->known.v[at] = is_named(sel, s) != sel->others ? 1 : 2;
	return sel->known.v[at] == 1;
}

bool trace_sees_processes(const struct trace_opts *o)
{
	const struct sampling *s = &o->sampling;

	return o->trace_syscalls && !event_switch_used(&o->switches) && !s->tids && !s->cpus &&
	       !s->cfg.no_inherit && !o->cgroup;
}

static void add_calls(const struct trace_opts *o, struct strbuf *out)
{
	const struct trace_selection *sel = &o->selection;
	const struct trace_syscall *s;

	for (size_t i = 0; sel->words.nr && (s = trace_syscall_at(o->syscalls, i)) != NULL; i++) {
		if (!is_named(sel, s))
			continue;
		strbuf_adds(out, !out->len ? "" : sel->others ? " && " : " || ");
		strbuf_addf(out, "id %s %u", sel->others ? "!=" : "==", s->nr);
	}
	if (out->len > MAX_FILTER)
		strbuf_reset(out);
}

/* The program that shows what is traced here, an emulator or a server: the first one up from this
 * that has another terminal. What is printed would be traced, printed, and so on. */
static u32 terminal_program(void)
{
	u32 pid = (u32)getpid(), parent;
	s32 tty, mine;

	if (!isatty(STDERR_FILENO) || !sys_proc_terminal(NULL, pid, &parent, &mine) || !mine)
		return 0;
	for (unsigned int up = 0; parent > 1 && up < 64; up++) {
		pid = parent;
		if (!sys_proc_terminal(NULL, pid, &parent, &tty))
			return 0;
		if (tty != mine)
			return pid;
	}
	return 0;
}

void trace_left_out(const struct trace_opts *o, bool everybody, trace_tids *out)
{
	u32 terminal;

	if (everybody && !o->filter_pids) {
		*VEC_PUSH(out) = (u32)getpid();
		terminal = terminal_program();
		if (terminal)
			*VEC_PUSH(out) = terminal;
	}
	for (const char *p = o->filter_pids; p && *p; p += strspn(p, ",")) {
		char *end;
		unsigned long pid = strtoul(p, &end, 10);

		if (end == p)
			break;
		*VEC_PUSH(out) = (u32)pid;
		p = end;
	}
}

void trace_selection_filter(const struct trace_opts *o, bool everybody, struct strbuf *out)
{
	trace_tids left_out = { 0 };
	char *calls;

	add_calls(o, out);
	trace_left_out(o, everybody, &left_out);
	if (left_out.nr && out->len && !o->selection.others) {
		calls = strbuf_detach(out);
		strbuf_addf(out, "(%s)", calls);
		free(calls);
	}
	VEC_FOR(&left_out, tid)
		strbuf_addf(out, "%scommon_pid != %u", out->len ? " && " : "", *tid);
	vec_free(&left_out);
}
