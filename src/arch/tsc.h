/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arch/tsc: the counter that the processor's clock is read from. Thread-safe.
 *
 * Sources: Intel SDM vol. 3 (CPUID leaves 15H and 16H), Arm ARM (CNTFRQ_EL0).
 */
#ifndef ARCH_TSC_H
#define ARCH_TSC_H

#include "base/types.h"

/* Its frequency as the processor tells it, in Hz; 0 = it does not. */
u64 arch_tsc_hz(void);

#endif
