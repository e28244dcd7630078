/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/aux_coresight: what is special about the PMU of CoreSight (cs_etm): the sink that the
 * trace goes to, what every CPU's trace unit must be able to do, and the registers that a decoder
 * needs. One thread.
 *
 * Sources: Documentation/trace/coresight/coresight-perf.rst;
 * Documentation/ABI/testing/sysfs-bus-coresight-devices- etm3x and -etm4x; the Arm Architecture
 * Reference Manual (TRCIDR0, TRCIDR2, TRCCONFIGR, TRCDEVARCH); the layout of the description: files
 * that perf 6.1 and 7.3 for arm64 record of a made-up PMU, and what they print of them.
 */
#ifndef CAPTURE_AUX_CORESIGHT_H
#define CAPTURE_AUX_CORESIGHT_H

#include "capture/aux_kinds.h"

/* Into attr.config2, from the event's driver_config (nothing: the driver chooses). -1: there is no
 * such sink. */
int coresight_choose_sink(struct event *ev, struct pmu_catalog *pmus, const struct pmu *pmu,
			  struct err *e);
/* Can every CPU's unit do what the event asks for? -1 with perf's line. */
int coresight_check(const struct aux_facts *f, struct err *e);
/* The private words of AUXTRACE_INFO. */
int coresight_describe(const struct aux_facts *f, struct strbuf *words, struct err *e);

#endif
