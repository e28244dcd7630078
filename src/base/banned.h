/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * banned: library functions that have no place in this project become compile errors.
 * Included last by base/mem.h, which every .c file includes directly or through another header.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncat sprintf vsprintf strtok gets gmtime localtime ctime asctime
#pragma GCC poison tmpnam tempnam mktemp atoi atol atoll

#endif
