/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feature_load: header feature sections to struct perfdata_info. Inside of this module only.
 */
#ifndef PERFDATA_FEATURE_LOAD_H
#define PERFDATA_FEATURE_LOAD_H

#include "perfdata/reader.h"

/* Read the feature table of a file and decode every section. Broken ones become damage. */
void features_load(struct perfdata *f);
/* Decode one section body (a pipe's HEADER_FEATURE); it is copied. */
void features_apply(struct perfdata *f, unsigned int feature, const void *body, size_t size);
/* One entry of the build-id list, its header taken off. */
void features_add_build_id(struct perfdata *f, u16 misc, const u8 *body, size_t size, bool swap);

#endif
