/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/object: object files with BPF programs that somebody else has compiled (clang -target bpf),
 * loaded when perf runs: their programs at the places that their sections name, their maps for
 * whoever reads them. The file is not trusted further than its user, who could load it by any other
 * means: it is read whole, its head and the room of its maps are checked here, the rest by libbpf
 * and the kernel's verifier. Nothing outlives the object: maps that ask for a name in the BPF file
 * system get none. One thread.
 *
 * Source: the System V ABI (elf.h), libbpf's documentation of sections' names.
 */
#ifndef BPF_OBJECT_H
#define BPF_OBJECT_H

#include "base/err.h"
#include "base/types.h"
#include "bpf/arguments.h"

struct bpf_file;

enum {
	BPF_FILE_BYTES = 16 << 20, /* of a file */
	BPF_FILE_PARTS = 256, /* programs, and maps */
	BPF_FILE_MAP_MB = 1024, /* of all maps of a file */
};

struct bpf_file_map {
	const char *name;
	u32 type; /* enum bpf_map_type */
	u32 key_size, value_size, max_entries; /* bytes; entries */
	int fd;
};

struct bpf_file_program {
	const char *name, *section;
	int fd;
};

/*
 * Read the file and find its programs and maps. called: its name in messages. NULL: e says what is
 * wrong with it. A process is started for a moment and waited for, so no SIGCHLD may mean something
 * to the caller yet.
 */
struct bpf_file *bpf_file_open(const char *path, const char *called, struct err *e);
/* Before it is loaded: instructions in front of a program whose section names no place that libbpf
 * knows. */
void bpf_file_put_before(struct bpf_file *f, size_t i, const struct bpf_insns *code);
/* Hand programs and maps to the kernel; nothing runs yet. -1: e has the last lines of what the
 * kernel's verifier says. */
int bpf_file_load(struct bpf_file *f, struct err *e);
void bpf_file_free(struct bpf_file *f);

size_t bpf_file_nr_programs(const struct bpf_file *f);
/* Strings are the object's. */
struct bpf_file_program bpf_file_program(const struct bpf_file *f, size_t i);
/* Runs program i from now on where its section says. Returns a descriptor of the caller, which
 * keeps it running; -1: the section names no such place, or the kernel refuses. */
int bpf_file_attach_link(struct bpf_file *f, size_t i, struct err *e);
/* false: there is no map of that name. */
bool bpf_file_find_map(const struct bpf_file *f, const char *name, struct bpf_file_map *map);
/* A number as the value of a key of 32 bits: of an array, or an event's descriptor for a CPU of a
 * perf event array. bytes: of the map's values, 8 at most. 0 or -errno. */
int bpf_put_value(int map_fd, u32 key, u64 value, u32 bytes);

#endif
