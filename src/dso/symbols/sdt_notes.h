/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sdt_notes: the statically defined trace points of an ELF file (notes "stapsdt" of type 3, as
 * <sys/sdt.h> of SystemTap makes them), written as definitions of uprobes.
 *
 * Sources: https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation and the kernel's
 * Documentation/trace/uprobetracer.rst.
 */
#ifndef DSO_SDT_NOTES_H
#define DSO_SDT_NOTES_H

#include "base/strbuf.h"
#include "dso/elf/file.h"

/*
 * Append the text of perf's file "probes" of an object: for each name
 *
 *	%sdt_PROVIDER:NAME=NAME
 *	p:sdt_PROVIDER/NAME PATH:0xOFFSET(0xSEMAPHORE) arg1=%di:s32 arg3=-8(%bp):u64
 *
 * with one more line "p:" per further place of that name. path: as which the object is mapped.
 * Names that are no identifiers are left out, and arguments that a uprobe cannot fetch. Nothing
 * when the file has no such notes.
 */
void sdt_notes_probes(const struct elf_file *f, const char *path, struct strbuf *out);

/*
 * The arguments that were left out of one point's: append "arg3 (8@(%rdx,%rcx,8))" for each, with
 * commas between, those of places that have the same once. Nothing: all can be fetched.
 */
void sdt_notes_left_out(const struct elf_file *f, const char *provider, const char *name,
			struct strbuf *out);

#endif
