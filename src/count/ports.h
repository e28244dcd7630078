/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ports: traffic of the PCIe root ports of Intel servers. Each I/O stack has a unit uncore_iio_N
 * that counts; on each die it serves one root port, which the unit's file dieN names
 * (Documentation/ABI/testing/sysfs-devices-mapping).
 */
#ifndef COUNT_PORTS_H
#define COUNT_PORTS_H

#include "base/arena.h"
#include "count/measurement.h"
#include "view/counters.h"

struct count_ports;

/* Those of this machine into o->ports. */
int count_ports_read(struct count_opts *o, struct err *e);
/* Keeps those that a list "0000:17,0:3a" names. told: lines about those that are wrong. -1: nothing
 * is left. */
int count_ports_select(struct count_opts *o, const char *list, struct strbuf *told, struct err *e);
/* A line for each. */
void count_ports_list(const struct count_ports *ports, struct strbuf *out);
/* The events that count their traffic, as text for event_parse(). */
void count_ports_events(const struct count_ports *ports, struct strbuf *text);
/* Their rows, count_ports_nr() of them, which borrow from the arena. */
size_t count_ports_nr(const struct count_ports *ports);
void count_ports_rows(const struct measurement *m, struct arena *a, struct view_count *rows);
void count_ports_free(struct count_ports *ports);

#endif
