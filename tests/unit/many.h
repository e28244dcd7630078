/* SPDX-License-Identifier: GPL-2.0-or-later */
/* many: sizes of inputs that are made large. The sanitizers look for wrong accesses, which a
 * quarter has as well, and are ten times slower. */
#ifndef UNIT_MANY_H
#define UNIT_MANY_H

#ifdef __has_feature /* clang */
#if __has_feature(address_sanitizer)
#define UNIT_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) /* gcc */
#define UNIT_SANITIZED
#endif

#ifdef UNIT_SANITIZED
#define MANY_OF(n) ((n) / 4)
#else
#define MANY_OF(n) (n)
#endif

#endif
