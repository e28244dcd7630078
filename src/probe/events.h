/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events: the kernel's list of dynamic tracepoints, the files kprobe_events and uprobe_events of
 * tracefs.
 *
 * Sources: the kernel's Documentation/trace/kprobetrace.rst and uprobetracer.rst. What the kernel
 * gives is read as far as it is understood: other kinds of events are left out.
 */
#ifndef PROBE_EVENTS_H
#define PROBE_EVENTS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum probe_list {
	PROBE_LIST_KERNEL, /* kprobe_events */
	PROBE_LIST_USER, /* uprobe_events */
};

/* One line of a list. Strings belong to the event. */
struct probe_event {
	char *line;
	enum probe_list list;
	bool is_return;
	char *group, *name;
	char *path; /* user: the object; kernel: the module, NULL = the kernel itself */
	char *symbol; /* kernel; NULL where there is an address alone */
	u64 address; /* user: the place in the file; kernel: address, or bytes behind symbol */
	u64 counter; /* user: place of the semaphore in the file, 0 = none */
	VEC(char *) args; /* "name=fetch" */
};
VEC_TYPE(probe_events, struct probe_event);

/* False: it is none of the kinds that perf makes. out is to be released either way. */
bool probe_event_parse(const char *line, enum probe_list list, struct probe_event *out);
void probe_event_release(struct probe_event *event);

/*
 * Append all events of a list, sorted by their lines. root: of tracefs. ENOENT: this kernel has no
 * such list; EACCES: it may not be read.
 */
int probe_events_read(const char *root, enum probe_list list, struct probe_events *out,
		      struct err *e);
void probe_events_release(struct probe_events *events);
bool probe_events_have(const struct probe_events *events, const char *group, const char *name);

/* The path of a list, for messages. */
void probe_list_path(const char *root, enum probe_list list, struct strbuf *out);
/* Open for changes: a descriptor, the caller's. -1 with ENOENT, EACCES, EPERM, ... */
int probe_list_open(const char *root, enum probe_list list, struct err *e);
/* Have the kernel take a line, "p:GROUP/NAME ..." or "-:GROUP/NAME". e->code: what it says against
 * it. */
int probe_list_write(int fd, const char *line, struct err *e);
/* Whether that is said of the place: no probe can be there, but elsewhere. */
bool probe_list_refuses_place(int code);
/* Or of the list: there is no room for more. */
bool probe_list_is_full(int code);

#endif
