/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve: where the points of a definition are, and what the kernel is told to put a tracepoint
 * there:
 *
 *	p:GROUP/NAME _text+3566048 arg=%di:u64		kernel
 *	p:GROUP/NAME MODULE:FUNCTION+4			module
 *	p:GROUP/NAME /path/of/object:0x1139(0x4010) ...	user space; in parentheses the semaphore
 *
 * By debug information where there is some, by symbols otherwise. A target is loaded when it is
 * first needed, and used for all definitions. One thread at a time.
 *
 * Errors: code is what perf's exit code is made of, text (one line or several) what perf says; ""
 * where it says nothing of its own.
 */
#ifndef PROBE_RESOLVE_H
#define PROBE_RESOLVE_H

#include "base/err.h"
#include "base/vec.h"
#include "dso/dso.h"
#include "probe/events.h"
#include "probe/kept.h"
#include "probe/point.h"

enum probe_kind {
	PROBE_KERNEL,
	PROBE_MODULE,
	PROBE_USER,
};

struct probe_resolve_opts {
	enum probe_kind kind;
	const char *path; /* user: absolute, as its processes know it; module: its name or file;
			     else NULL */
	pid_t target_ns; /* a process that knows path, 0 = we do */
	const char *vmlinux; /* -k, NULL = none */
	const char *btf_dir; /* of the kernel's types, NULL = the usual one */
	const char *symfs; /* NULL = none */
	const char *source_dir;
	bool demangle, demangle_kernel;
	bool no_inlines;
	const char *cache_dir; /* the build-id cache, NULL = none */
	u32 max_places;
	struct dso_fetch fetch;
	/* Told what is no error. */
	void (*warn)(void *ctx, const char *text);
	void *ctx;
};

/* Where one tracepoint is put. Strings belong to the place. */
struct probe_place {
	char *symbol; /* that it is in, NULL = unknown */
	char *called; /* the function that was meant, which may be inlined in symbol; NULL = unknown
		       */
	u64 offset; /* from its start */
	char *where; /* as the kernel is told, "_text+12", "/bin/x:0x1139" */
	bool is_return;
	char *group, *name; /* of what was kept: decided already; else NULL */
	char *object; /* the same, where the user did not name it; else NULL */
	VEC(char *) args; /* "name=fetch:type" */
};
VEC_TYPE(probe_places, struct probe_place);

struct probe_resolver;

struct probe_resolver *probe_resolver_new(
	const struct probe_resolve_opts *o); /* borrows the strings */
void probe_resolver_free(struct probe_resolver *r);
/* One place at least, or -1. out is to be released either way. */
int probe_resolve(struct probe_resolver *r, const struct probe_definition *d,
		  struct probe_places *out, struct err *e);
void probe_places_release(struct probe_places *places);
/* -1: the places are in a program of another architecture, where the kernel would never stop. */
int probe_places_run_here(struct probe_resolver *r, const struct probe_places *places,
			  struct err *e);

/*
 * The function that debug information knows by another name: of an alias, which only the symbols
 * know. Fresh memory; NULL: there is none.
 */
char *probe_resolver_alias(struct probe_resolver *r, const char *function);

struct debug_info;
struct probe_symbols;
/* For those who show what is there: of the target; NULL: none, e says why. */
struct debug_info *probe_resolver_debug(struct probe_resolver *r, struct err *e);
const struct probe_symbols *probe_resolver_symbols(struct probe_resolver *r, struct err *e);

/* The static points that the target, an object, has itself. */
void probe_resolver_static_points(struct probe_resolver *r, struct probe_kept_vec *out);

/*
 * Where an event of the kernel's list is, as a list shows it; in user space the target is the
 * event's object. p is to be released.
 */
void probe_resolver_point_of(struct probe_resolver *r, const struct probe_event *event,
			     struct probe_point *p);

/* "p:GROUP/NAME WHERE ARGS" appended to out. */
void probe_place_text(const struct probe_place *place, const char *group, const char *name,
		      struct strbuf *out);

#endif
