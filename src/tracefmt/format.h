/* SPDX-License-Identifier: GPL-2.0-or-later */
/* format: reading one format file into a set; for the files of this module only. */
#ifndef TRACEFMT_FORMAT_H
#define TRACEFMT_FORMAT_H

#include <errno.h>

#include "tracefmt/program.h"

/* Parse, compile and insert one event. -1 with *e when it is no format at all. */
int format_parse(struct tracefmt_set *s, const char *system, const char *text, size_t len,
		 struct err *e);
void set_insert(struct tracefmt_set *s, struct tracefmt *t);
/* Bytes of one element of a type by its name, 0 = unknown. */
u32 format_type_size(const char *type, u8 long_size);

#endif
