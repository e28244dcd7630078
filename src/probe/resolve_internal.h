/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve_internal: what the two ways to find a point share.
 */
#ifndef PROBE_RESOLVE_INTERNAL_H
#define PROBE_RESOLVE_INTERNAL_H

#include "base/strbuf.h"
#include "probe/btf.h"
#include "probe/resolve.h"
#include "probe/symbols.h"

struct probe_resolver {
	struct probe_resolve_opts o;
	struct dso_config config;
	struct dso_table *dsos;
	struct dso *dso;
	char *module_name;
	struct probe_symbols symbols; /* once symbols_read, unless symbols_problem.code */
	struct err symbols_problem;
	struct btf_types *btf; /* once btf_opened; NULL: there is none */
	struct debug_info *debug; /* once debug_opened; NULL: there is none */
	struct err debug_problem;
	bool symbols_read, debug_opened, btf_opened, blacklist_read, text_known;
	u64 linked_text; /* of the kernel's file */
	struct strbuf blacklist;
};

void resolve_warn(struct probe_resolver *r, const char *text);
/* Told where a symbol's code chooses another function. */
void resolve_warn_indirect(struct probe_resolver *r, const struct probe_symbol *sym);
const char *resolve_target(const struct probe_resolver *r);
/* A place without arguments; takes where over. */
struct probe_place *resolve_add(const struct probe_definition *d, const char *symbol, char *where,
				struct probe_places *out);
/* Adds the arguments as the user wrote them. */
void resolve_raw_args(const struct probe_definition *d, struct probe_place *p);
/* The kernel's own types; NULL: there are none, or they cannot help with such a definition. */
struct btf_types *resolve_btf(struct probe_resolver *r, const struct probe_definition *d);
/* As the kernel is told of a place `offset` behind `address`; fresh memory. s: of the kernel. */
char *resolve_where(const struct probe_resolver *r, const struct probe_symbols *s,
		    const char *symbol, u64 address, u64 offset);
/* Whether a kprobe can be there; the user is told when not. */
bool resolve_is_probeable(struct probe_resolver *r, const struct probe_symbols *s, const char *name,
			  u64 address);
int resolve_by_symbols(struct probe_resolver *r, const struct probe_definition *d, bool plt_too,
		       struct probe_places *out, struct err *e);
int resolve_by_debug(struct probe_resolver *r, struct debug_info *debug,
		     const struct probe_definition *d, struct probe_places *out, struct err *e);
int resolve_kept(struct probe_resolver *r, const struct probe_definition *d,
		 struct probe_places *out, struct err *e);
/* False: debug information knows nothing there, and p is as it was. */
bool resolve_point_by_debug(struct probe_resolver *r, u64 address, bool is_return,
			    struct probe_point *p);

#endif
