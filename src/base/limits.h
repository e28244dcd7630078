/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits: caps on sizes that come from input, checked before anything is allocated from them.
 */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

enum {
	LIMIT_ATTR_SIZE = 4096, /* bytes of one perf_event_attr */
	LIMIT_EVENTS = 65536, /* events (attrs) in a file */
	LIMIT_IDS = 1 << 24, /* ids of one event */
	LIMIT_STRING = 1 << 20, /* bytes of one string in a header feature */
	LIMIT_STRINGS = 1 << 16, /* strings in a list, entries of a feature table */
	LIMIT_FEATURE = 1 << 28, /* bytes of one header feature section */
	LIMIT_CPUS = 1 << 20, /* CPU numbers */
	LIMIT_CHAIN = 1 << 16, /* frames of one callchain (a record is at most 64 KiB) */
	LIMIT_SMALL_FILE = 64 << 20, /* bytes read whole from /proc, /sys, tracefs */
	LIMIT_PERF_MAP = 1 << 30, /* bytes of a perf-PID.map: 90 a function */
	LIMIT_SYMBOLS = 1 << 25, /* symbols of one object */
	LIMIT_SYMBOL_NAME = 1 << 16, /* bytes of a symbol's name that are read */
	LIMIT_SECTION_READ = 1 << 29, /* bytes of a section that is read whole; a hole in a file may
					 be of any size */
	LIMIT_LINK_SECTION = 1 << 13, /* bytes of a section that holds the name of another file */
	/*
	 * What compressed records may become, beside so much per compressed byte. Copies of one
	 * deep stack, over and over, become 3,000 times as much; but the records of a recorder have
	 * times that differ, so that each takes bytes.
	 */
	LIMIT_INFLATED = 64 << 20, /* bytes */
	LIMIT_INFLATED_RATIO = 4096,
	LIMIT_INFLATED_RECORDS = 1 << 20,
	LIMIT_RECORDS_RATIO = 16,
};

/*
 * An object that is kept in the build-id cache, put into an archive or fetched has fewer bytes:
 * anybody can run a program whose file has a hole of any size. A browser with debug information has
 * 5 GB; a member of an archive cannot have more.
 */
#define LIMIT_OBJECT (8ULL << 30)

#endif
