/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regs: names of the registers in samples (bits of sample_regs_user and sample_regs_intr), as perf
 * prints them. Numbers: the kernel's asm/perf_regs.h of each architecture, part of its ABI.
 */
#ifndef ARCH_REGS_H
#define ARCH_REGS_H

/* arch as in uname -m or the header feature ARCH; NULL = this machine. "unknown" for no name. */
const char *arch_reg_name(const char *arch, unsigned int reg);

#endif
