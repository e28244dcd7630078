/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swap: records whose shape is no list of fields, from foreign to native byte order, in place. */
#ifndef PERFDATA_SWAP_H
#define PERFDATA_SWAP_H

#include "perfdata/record.h"

void swap_mmap2(struct swap_body *b, u16 misc);
void swap_attr(struct swap_body *b, u16 misc);
void swap_event_update(struct swap_body *b, u16 misc);
void swap_cpu_map(struct swap_body *b, u16 misc);

#endif
