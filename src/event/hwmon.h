/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event/hwmon: the sensors of the machine (temperatures, fans, voltages ...) that the kernel
 * describes in /sys/class/hwmon, as events hwmon_DEVICE/NAME/. They need no counter: a value is
 * what their file says at that moment. One thread.
 *
 * Source: Documentation/hwmon/sysfs-interface.rst.
 */
#ifndef EVENT_HWMON_H
#define EVENT_HWMON_H

#include "base/strbuf.h"
#include "base/vec.h"

struct hwmon_kind {
	const char *prefix; /* "temp" */
	const char *unit; /* as newer perf writes it: "'C" */
	double scale; /* from what the file says */
	const char *what; /* "Temperature" */
};

struct hwmon_sensor {
	const struct hwmon_kind *kind;
	u32 device_number, number; /* of hwmon1/temp2_input: 1, 2 */
	char *device; /* "hwmon_coretemp"; several may have the same */
	char *name; /* "temp2" */
	char *alias; /* by its label: "temp_core_0", NULL = none */
	char *label; /* "Core 0", NULL = none */
	char *path; /* of the file with the value */
};
VEC_TYPE(hwmon_sensors, struct hwmon_sensor);

/* Append all, by number of the device, kind and number. sysfs NULL = /sys. */
void hwmon_scan(const char *sysfs, struct hwmon_sensors *out);
void hwmon_sensors_release(struct hwmon_sensors *l);
/* Could a sensor be called so? Cheap, reads nothing. */
bool hwmon_is_name(const char *name);
/* Does it fit a device (glob, NULL = any) and a name or alias, in any case of letters? */
bool hwmon_sensor_matches(const struct hwmon_sensor *s, const char *device, const char *name);
/* "Temperature in unit coretemp named Core 0. crit=100'C, max=80'C" */
void hwmon_sensor_describe(const struct hwmon_sensor *s, struct strbuf *out);

#endif
