/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/debug.h"

static void release_args(struct probe_debug_args *args)
{
	VEC_FOR(args, a) {
		free(a->name);
		free(a->fetch);
		free(a->problem);
		free(a->type);
	}
	vec_free(args);
}

void probe_debug_places_release(struct probe_debug_places *p)
{
	VEC_FOR(&p->v, place) {
		free(place->function);
		free(place->symbol);
		free(place->asked);
		free(place->file);
		release_args(&place->args);
	}
	vec_free(&p->v);
	*p = (struct probe_debug_places){ 0 };
}

void probe_debug_vars_release(struct probe_debug_vars_vec *v)
{
	VEC_FOR(v, place) {
		free(place->function);
		VEC_FOR(&place->lines, line)
			free(*line);
		vec_free(&place->lines);
	}
	vec_free(v);
}

void probe_debug_lines_release(struct probe_debug_lines *l)
{
	free(l->function);
	free(l->file);
	free(l->comp_dir);
	vec_free(&l->lines);
	*l = (struct probe_debug_lines){ 0 };
}
