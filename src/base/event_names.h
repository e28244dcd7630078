/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base/event_names: what the kernel's own events are called, by the numbers in their attr.
 */
#ifndef BASE_EVENT_NAMES_H
#define BASE_EVENT_NAMES_H

#include "base/types.h"

/* Name of PERF_COUNT_HW_* or PERF_COUNT_SW_*, NULL if unknown. */
const char *event_hw_name(u64 id);
const char *event_sw_name(u64 id);
/* Does this cache have this operation at all? */
bool event_cache_op_valid(u32 cache, u32 op);
/* perf's canonical name of a cache config ("L1-dcache-load-misses") into buf; false: no such. */
bool event_cache_name(u64 config, char *buf, size_t size);

#endif
