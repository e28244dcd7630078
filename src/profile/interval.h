/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interval: how sure the difference of two means is, by B. L. Welch (Biometrika 34, 1947): it lies
 * with 95 % confidence within this much of the difference of the means of measurements. Variances
 * may differ; degrees of freedom are Welch and Satterthwaite's, rounded down.
 */
#ifndef PROFILE_INTERVAL_H
#define PROFILE_INTERVAL_H

#include <stddef.h>

/* Variances are those of single measurements, of which there are so many. NAN: one has less than 2.
 */
double interval_welch(double variance_a, size_t nr_a, double variance_b, size_t nr_b);

#endif
