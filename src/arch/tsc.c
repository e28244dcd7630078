/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/tsc.h"

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

enum { LEAF_CRYSTAL = 0x15, LEAF_FREQUENCY = 0x16, MHZ = 1000000 };

u64 arch_tsc_hz(void)
{
	unsigned int a, b, c, d;

	/* TSC = crystal * b / a */
	if (__get_cpuid(LEAF_CRYSTAL, &a, &b, &c, &d) && a && b && c)
		return (u64)c * b / a;
	if (__get_cpuid(LEAF_FREQUENCY, &a, &b, &c, &d))
		return (u64)(a & 0xffff) * MHZ;
	return 0;
}

#elif defined(__aarch64__)

u64 arch_tsc_hz(void)
{
	u64 hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}

#else

u64 arch_tsc_hz(void)
{
	return 0;
}

#endif
