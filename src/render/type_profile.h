/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render/type_profile: types of variables with what fell on their members, as perf annotate
 * --data-type prints them, and as JSON. They append to out->text, as annotations do; columns and
 * percentages are those of out.
 */
#ifndef RENDER_TYPE_PROFILE_H
#define RENDER_TYPE_PROFILE_H

#include "render/annotation.h"
#include "view/type_profile.h"

struct type_profile_ops {
	void (*begin)(struct annotation_out *out);
	/* NULL = is not wanted */
	void (*stats)(struct annotation_out *out, const struct view_type_stats *types,
		      const struct view_type_stats *insns);
	/* of an event or group */
	void (*types)(struct annotation_out *out, const struct view_types *v);
	void (*end)(struct annotation_out *out);
};

extern const struct type_profile_ops type_profile_text_ops;
extern const struct type_profile_ops type_profile_json_ops;

#endif
