/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/hwmon.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

enum { SENSORS_MAX = 65536, TEXT_MAX = 256 };

static const struct hwmon_kind kinds[] = {
	{ "curr", "A", 1e-3, "Current" },
	{ "energy", "J", 1e-6, "Cumulative energy use" },
	{ "fan", "rpm", 1, "Fan" },
	{ "freq", "Hz", 1, "Frequency" },
	{ "humidity", "%", 1e-3, "Humidity" },
	{ "in", "V", 1e-3, "Voltage" },
	{ "power", "W", 1e-6, "Power use" },
	{ "temp", "'C", 1e-3, "Temperature" },
};

/* The kind and number that "temp2_input" begins with; NULL, or *rest is "_input". */
static const struct hwmon_kind *read_name(const char *s, u32 *number, const char **rest)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i].prefix);
		char *end;
		unsigned long v;

		if (strncmp(s, kinds[i].prefix, n) != 0 || !isdigit((unsigned char)s[n]))
			continue;
		v = strtoul(s + n, &end, 10);
		if (v > UINT32_MAX)
			return NULL;
		*number = (u32)v;
		*rest = end;
		return &kinds[i];
	}
	return NULL;
}

bool hwmon_is_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = strlen(kinds[i].prefix);

		if (!strncasecmp(name, kinds[i].prefix, n) &&
		    (name[n] == '_' || isdigit((unsigned char)name[n])))
			return true;
	}
	return false;
}

/* What can be written behind -e. */
static char *event_word(const char *prefix, const char *text)
{
	char *word = xasprintf("%s_%s", prefix, text);

	for (char *s = word; *s; s++) {
		*s = (char)tolower((unsigned char)*s);
		if (!isalnum((unsigned char)*s) && !strchr("_.-", *s))
			*s = '_';
	}
	return word;
}

/* A file beside the one with the value: "label", "max". */
static bool read_beside(const struct hwmon_sensor *s, const char *what, char *buf, size_t size)
{
	char path[PATH_MAX];
	int dir = (int)(strrchr(s->path, '/') - s->path);

	return (size_t)snprintf(path, sizeof(path), "%.*s/%s_%s", dir, s->path, s->name, what) <
		       sizeof(path) &&
	       !rw_read_line(path, buf, size) && buf[0];
}

static void add_sensor(struct hwmon_sensors *out, const struct hwmon_sensor *device,
		       const char *dir, const char *file)
{
	struct hwmon_sensor s = { .device_number = device->device_number };
	char label[TEXT_MAX], input[PATH_MAX];
	const char *rest;

	s.kind = read_name(file, &s.number, &rest);
	if (!s.kind || (strcmp(rest, "_input") != 0 && strcmp(rest, "_average") != 0))
		return;
	s.name = xasprintf("%s%u", s.kind->prefix, s.number);
	/* the mean of some time is what there is where no present value is */
	if (!strcmp(rest, "_average") &&
	    ((size_t)snprintf(input, sizeof(input), "%s/%s_input", dir, s.name) >= sizeof(input) ||
	     !access(input, F_OK))) {
		free(s.name);
		return;
	}
	s.device = xstrdup(device->device);
	s.path = xasprintf("%s/%s", dir, file);
	if (read_beside(&s, "label", label, sizeof(label))) {
		s.label = xstrdup(label);
		s.alias = event_word(s.kind->prefix, label);
	}
	*VEC_PUSH(out) = s;
}

static void scan_device(struct hwmon_sensors *out, const char *path, u32 number)
{
	struct hwmon_sensor device = { .device_number = number };
	char file[PATH_MAX], name[TEXT_MAX];
	DIR *dir;

	if ((size_t)snprintf(file, sizeof(file), "%s/name", path) >= sizeof(file) ||
	    rw_read_line(file, name, sizeof(name)) || !name[0])
		return;
	dir = opendir(path);
	if (!dir)
		return;
	device.device = event_word("hwmon", name);
	for (struct dirent *d; (d = readdir(dir)) && out->nr < SENSORS_MAX;)
		add_sensor(out, &device, path, d->d_name);
	closedir(dir);
	free(device.device);
}

static int compare_sensors(const void *a, const void *b)
{
	const struct hwmon_sensor *x = a, *y = b;

	if (x->device_number != y->device_number)
		return x->device_number < y->device_number ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

void hwmon_scan(const char *sysfs, struct hwmon_sensors *out)
{
	_cleanup_(mem_freep) char *path = xasprintf("%s/class/hwmon", sysfs ? sysfs : "/sys");
	DIR *dir = opendir(path);

	if (!dir)
		return;
	for (struct dirent *d; (d = readdir(dir)) && out->nr < SENSORS_MAX;) {
		char *end;
		unsigned long number;

		if (strncmp(d->d_name, "hwmon", 5) != 0 || !isdigit((unsigned char)d->d_name[5]))
			continue;
		number = strtoul(d->d_name + 5, &end, 10);
		if (!*end && number <= UINT32_MAX) {
			_cleanup_(mem_freep) char *sub = xasprintf("%s/%s", path, d->d_name);

			scan_device(out, sub, (u32)number);
		}
	}
	closedir(dir);
	VEC_SORT(out, compare_sensors);
}

void hwmon_sensors_release(struct hwmon_sensors *l)
{
	VEC_FOR(l, s) {
		free(s->device);
		free(s->name);
		free(s->alias);
		free(s->label);
		free(s->path);
	}
	vec_free(l);
}

bool hwmon_sensor_matches(const struct hwmon_sensor *s, const char *device, const char *name)
{
	if (device && fnmatch(device, s->device, FNM_CASEFOLD) != 0)
		return false;
	return !strcasecmp(s->name, name) || (s->alias && !strcasecmp(s->alias, name));
}

void hwmon_sensor_describe(const struct hwmon_sensor *s, struct strbuf *out)
{
	static const char *const limits[] = { "crit", "emergency", "lcrit", "max", "min" };
	char text[TEXT_MAX];
	bool any = false;

	strbuf_addf(out, "%s in unit %s named %s.", s->kind->what, s->device + strlen("hwmon_"),
		    s->label ? s->label : s->name);
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		if (!read_beside(s, limits[i], text, sizeof(text)))
			continue;
		strbuf_addf(out, "%s %s=%g%s", any ? "," : "", limits[i],
			    (double)strtoll(text, NULL, 10) * s->kind->scale, s->kind->unit);
		any = true;
	}
}
