/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/cpu_id: which model of CPU this is. Thread-safe.
 *
 * Sources: the CPUID instruction; Documentation/arch/arm64/cpu-feature-registers.rst.
 */
#ifndef SYS_CPU_ID_H
#define SYS_CPU_ID_H

#include "base/types.h"

struct sys_cpu_id {
	char vendor[16];
	u32 family, model, stepping;
};

/* x86 only; false elsewhere. */
bool sys_cpu_id_x86(struct sys_cpu_id *id);
/* Text of MIDR_EL1 ("0x00000000410fd490"); arm64 only. */
bool sys_cpu_id_midr(char *buf, size_t size);
/* MIDR_EL1 of one CPU, 0 = not known. sysfs NULL = /sys. */
u64 sys_cpu_midr(const char *sysfs, u32 cpu);
/*
 * The id by which tables are chosen: $PERF_CPUID, else "VENDOR-FAMILY-MODEL-STEPPING" with model
 * and stepping hexadecimal (GenuineIntel-6-8F-8), or MIDR_EL1 without variant and revision. false:
 * not known, or $PERF_CPUID is neither form.
 */
bool sys_cpu_id(char *buf, size_t size);
/* The same form of what the header of a recording has: "VENDOR,FAMILY,MODEL,STEPPING", decimal, or
 * the whole MIDR_EL1. false: neither. */
bool sys_cpu_id_of_header(const char *text, char *buf, size_t size);

#endif
