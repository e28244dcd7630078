/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/object_bytes: whether bytes are an object file of BPF programs, before anything else looks at
 * them. Thread-safe.
 *
 * Source: the System V ABI (elf.h).
 */
#ifndef BPF_OBJECT_BYTES_H
#define BPF_OBJECT_BYTES_H

#include "base/strbuf.h"

/*
 * NULL: they are. The table of sections lies in them, and so does each section that has bytes, none
 * over another or over the table: what is written to one changes no other. Tables of strings end
 * with a 0, and sections refer to sections that there are. Else what is wrong, constant text.
 */
const char *object_bytes_wrong(const struct strbuf *elf);

#endif
