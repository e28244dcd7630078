/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the sampled registers, numbered as in the kernel's asm/perf_regs.h of each machine. */
#include <string.h>

#include "cmd/script/script.h"

static const char *const x86[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS",
	"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};

static const char *const x86_xmm[] = {
	"XMM0", "XMM1", "XMM2",  "XMM3",  "XMM4",  "XMM5",  "XMM6",  "XMM7",
	"XMM8", "XMM9", "XMM10", "XMM11", "XMM12", "XMM13", "XMM14", "XMM15",
};

static const char *const arm64[] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",
};

static const char *const arm[] = {
	"r0", "r1", "r2",  "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc",
};

const char *script_reg_name(const char *arch, unsigned int reg)
{
	if (!arch || !strncmp(arch, "x86", 3) || (arch[0] == 'i' && strstr(arch, "86"))) {
		if (reg < ARRAY_SIZE(x86))
			return x86[reg];
		/* XMM registers count twice: two words each */
		return reg >= 32 && reg < 64 ? x86_xmm[(reg - 32) / 2] : NULL;
	}
	if (!strcmp(arch, "aarch64") || !strcmp(arch, "arm64"))
		return reg < ARRAY_SIZE(arm64) ? arm64[reg] : reg == 46 ? "vg" : NULL;
	if (!strncmp(arch, "arm", 3))
		return reg < ARRAY_SIZE(arm) ? arm[reg] : NULL;
	return NULL;
}
