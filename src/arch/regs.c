/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
#include "arch/regs.h"

#include <string.h>
#include <sys/utsname.h>

#include "base/types.h"

static const char *const x86_names[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS", "ES",
	"FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
	/* each half of an XMM register has a number */
	[32] = "XMM0", "XMM0", "XMM1", "XMM1", "XMM2", "XMM2", "XMM3", "XMM3",
	"XMM4", "XMM4", "XMM5", "XMM5", "XMM6", "XMM6", "XMM7", "XMM7",
	"XMM8", "XMM8", "XMM9", "XMM9", "XMM10", "XMM10", "XMM11", "XMM11",
	"XMM12", "XMM12", "XMM13", "XMM13", "XMM14", "XMM14", "XMM15", "XMM15",
};

static const char *const arm64_names[] = {
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
	"x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
	"x27", "x28", "x29", "lr", "sp", "pc", [46] = "vg",
};

static const char *const arm_names[] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "fp", "ip", "sp", "lr",
	"pc",
};

static const struct arch_regs {
	const char *prefix; /* of the machine's name */
	const char *const *names;
	unsigned int nr;
} tables[] = {
	{ "x86", x86_names, ARRAY_SIZE(x86_names) },
	{ "i386", x86_names, ARRAY_SIZE(x86_names) },
	{ "i486", x86_names, ARRAY_SIZE(x86_names) },
	{ "i586", x86_names, ARRAY_SIZE(x86_names) },
	{ "i686", x86_names, ARRAY_SIZE(x86_names) },
	{ "aarch64", arm64_names, ARRAY_SIZE(arm64_names) },
	{ "arm64", arm64_names, ARRAY_SIZE(arm64_names) },
	{ "arm", arm_names, ARRAY_SIZE(arm_names) },
};

const char *arch_reg_name(const char *arch, unsigned int reg)
{
	struct utsname host;

	if (!arch && !uname(&host))
		arch = host.machine;
	for (size_t i = 0; arch && i < ARRAY_SIZE(tables); i++) {
		const struct arch_regs *t = &tables[i];

		if (strncmp(arch, t->prefix, strlen(t->prefix)) != 0)
			continue;
		if (reg < t->nr && t->names[reg])
			return t->names[reg];
		break;
	}
	return "unknown";
}
