/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view/type_profile: types of variables that samples' instructions accessed, with what fell on each
 * member; and how far that could be told. All strings are borrowed from the maker and not escaped.
 */
#ifndef VIEW_TYPE_PROFILE_H
#define VIEW_TYPE_PROFILE_H

#include "view/annotation.h"

struct view_type_field {
	u32 depth; /* 0: the type itself, whose members follow with larger ones */
	u64 offset, size; /* bytes; size 0 = unknown */
	const char *type, *name; /* "" = it has none */
	bool has_members;
	const struct view_line_count
		*counts; /* of each event: accesses that begin in it; of the type itself: all */
};

struct view_type {
	const char *name, *dso;
	const struct view_type_field *fields; /* the first is the type itself */
	size_t nr_fields;
};

/* An event or a group. */
struct view_types {
	const struct view_annotation_event *events; /* nr, period: of types that are known */
	u32 nr_events;
	const struct view_type *types; /* by samples of the first event */
	size_t nr_types;
};

/* Addresses of samples, by what could be told of them. */
struct view_type_stats {
	u64 total, good;
	const struct view_type_reason {
		const char *name; /* "no_dbginfo" */
		u64 nr;
	} * reasons; /* why not, those there are */
	size_t nr_reasons;
	const struct view_type_insn {
		const char *name; /* "mov" */
		u64 good, bad; /* addresses where it accesses memory */
	} * insns; /* the most frequent first */
	size_t nr_insns;
};

#endif
