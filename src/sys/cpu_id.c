/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/cpu_id.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rw.h"

#if defined(__x86_64__)
bool sys_cpu_id_x86(struct sys_cpu_id *id)
{
	unsigned int level, a, b, c, d;

	*id = (struct sys_cpu_id){ .vendor = "" };
	if (!__get_cpuid(0, &level, &b, &c, &d))
		return false;
	memcpy(id->vendor, &b, 4);
	memcpy(id->vendor + 4, &d, 4);
	memcpy(id->vendor + 8, &c, 4);
	if (!__get_cpuid(1, &a, &b, &c, &d))
		return false;
	id->family = a >> 8 & 0xf;
	id->model = a >> 4 & 0xf;
	id->stepping = a & 0xf;
	if (id->family == 0xf)
		id->family += a >> 20 & 0xff;
	if (id->family >= 6)
		id->model |= (a >> 16 & 0xf) << 4;
	return true;
}
#else
bool sys_cpu_id_x86(struct sys_cpu_id *id UNUSED)
{
	return false;
}
#endif

bool sys_cpu_id_midr(char *buf, size_t size)
{
	return !rw_read_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", buf,
			     size);
}

u64 sys_cpu_midr(const char *sysfs, u32 cpu)
{
	char path[512];
	u64 midr;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%u/regs/identification/midr_el1",
		 sysfs ? sysfs : "/sys", cpu);
	return rw_read_u64(path, &midr) ? midr : 0;
}

static bool is_full(const char *id)
{
	int dashes = 0;

	for (const char *s = id; *s; s++)
		dashes += *s == '-';
	return dashes == 3 || !strncmp(id, "0x", 2);
}

bool sys_cpu_id_of_header(const char *text, char *buf, size_t size)
{
	enum { MIDR_VARIANT = 0xf << 20, MIDR_REVISION = 0xf };
	unsigned int family, model, stepping;
	char vendor[16];

	if (!strncmp(text, "0x", 2)) {
		snprintf(buf, size, "0x%016llx",
			 strtoull(text, NULL, 16) &
				 ~(unsigned long long)(MIDR_VARIANT | MIDR_REVISION));
		return true;
	}
	if (sscanf(text, "%15[^,],%9u,%9u,%9u", vendor, &family, &model, &stepping) != 4)
		return false;
	snprintf(buf, size, "%s-%u-%X-%X", vendor, family, model, stepping);
	return true;
}

bool sys_cpu_id(char *buf, size_t size)
{
	const char *given = getenv("PERF_CPUID");
	struct sys_cpu_id id;
	char midr[64];

	if (given) {
		snprintf(buf, size, "%s", given);
		return is_full(given);
	}
	if (sys_cpu_id_x86(&id)) {
		snprintf(buf, size, "%s-%u-%X-%X", id.vendor, id.family, id.model, id.stepping);
		return true;
	}
	return sys_cpu_id_midr(midr, sizeof(midr)) && sys_cpu_id_of_header(midr, buf, size);
}
