/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_internal: what the files of this module share and others do not see.
 */
#ifndef DSO_DSO_INTERNAL_H
#define DSO_DSO_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "dso/debuginfod.h"
#include "dso/dso.h"
#include "dso/symbols/kallsyms.h"
#include "dso/symbols/symtab.h"

/* What changes when a file is written to or replaced; 0 = there is none. */
struct jit_file_state {
	u64 ino, size;
	struct timespec changed;
};

struct jit_state {
	struct jit_file_state map, dump;
};

struct dso {
	struct dso_table *table;
	const char *key_name; /* as recorded; names are in the table's arena */
	const char *long_name, *short_name;
	struct build_id build_id; /* as known when the symbols are loaded */
	enum dso_kind kind;
	bool is32; /* of the key */
	struct build_id key_build_id; /* as recorded with the mapping */
	u32 seniority; /* see dso_seniority() */
	u32 pid; /* first and last process seen with it */
	_Atomic u32 last_pid; /* live: others may read it meanwhile */
	u64 start, len;
	/* Loading: symtab is published last; problem is set before and never changes afterwards. */
	pthread_mutex_t lock;
	_Atomic(struct symtab *) symtab;
	char origin; /* of dso_symtab_origin(), set before symtab */
	const char *problem;
	bool refused; /* symbols are there but not to be trusted; set before symtab, too */
	bool replaced; /* of dso_is_replaced() */
	bool assumed; /* of dso_is_assumed() */
	s64 unproven_time;
	bool given_stripped; /* the file of -k is the kernel's, without symbols */
	const char *kernel_file; /* of dso_kernel_file(); set before symtab, as what follows */
	const char *ref_symbol; /* DSO_GUEST_KERNEL: as the table's; NULL = unknown */
	u64 ref_addr;
	u64 kernel_moved; /* the recorded kernel's addresses - those of kernel_file */
	struct strbuf jit_frames; /* the object of dso_open_jit_frames(); under lock */
	u32 *jit_codes; /* by symbol, see jit/source.c; under lock */
	struct jitdump *jit; /* DSO_JITDUMP; NULL = not read yet; under lock */
	const char *dump; /* DSO_PERF_MAP: of dso_table_follow_dump(); NULL = none */
	struct jit_state jit_state; /* of its files, just before they were read */
	_Atomic bool nameless; /* among the table's */
	pthread_mutex_t debug_lock;
	struct dso_debug *debug; /* of source.c; NULL = not looked for yet */
};

/* Seniorities of objects that the header's table does not name begin here. */
#define DSO_NOT_IN_HEADER 0x80000000U

struct dso_debug;
void dso_debug_free(struct dso_debug *g);

/* What this machine is to the recorded one. */
enum machine_relation {
	MACHINE_THIS,
	MACHINE_UNKNOWN, /* the recording does not say */
	MACHINE_OTHER,
};

struct named_build_id {
	const char *name;
	u32 place; /* in the table */
	struct build_id id;
};

/* kallsyms of a virtual machine. */
struct guest_kallsyms {
	char *path;
	struct kallsyms kallsyms;
	struct err error;
};

struct dso_table {
	struct dso_config config;
	const char *symfs; /* put before paths; "" = none */
	bool foreign; /* a symfs was given: nothing of this machine's kernel belongs to it */
	const char *cache_dir; /* of build ids */
	struct debuginfod *remote; /* NULL = not wanted */
	struct arena arena; /* names; the adding thread only */
	VEC(struct dso *) dsos; /* id - 1 */
	struct map by_key;
	VEC(struct named_build_id *) build_ids; /* from the header's table, in the arena */
	struct map by_name; /* index into build_ids */
	struct named_build_id *of_kernel; /* NULL = none */
	struct dso_machine machine; /* see dso_table_set_machine() */
	enum machine_relation relation;
	bool other_release, other_arch; /* than this machine's, which the recording says */
	const char *ref_symbol; /* recorded kernel's reference symbol, NULL = unknown */
	u64 ref_addr;
	struct embedded *embedded; /* NULL = none */
	struct map embedded_by_name;
	struct dso *kernel; /* the first DSO_KERNEL, NULL = none */
	/* kallsyms, parsed when the first kernel address is looked up. */
	pthread_mutex_t kernel_lock;
	bool kallsyms_tried;
	struct kallsyms kallsyms;
	struct err kallsyms_error;
	bool kallsyms_unasked; /* not read, since it has not what alone is asked for */
	bool kallsyms_live; /* they are those of /proc/kallsyms */
	VEC(struct guest_kallsyms *) guests; /* under kernel_lock */
	pthread_mutex_t vdso32_lock;
	bool vdso32_tried;
	struct strbuf vdso32; /* of this kernel; empty: none */
	pthread_mutex_t nameless_lock;
	VEC(struct dso *) nameless; /* see dso_note_nameless() */
	pthread_mutex_t problems_lock;
	struct arena problems; /* texts of dso_symtab_problem() */
};

/* Flags for symtab_build() from the options. */
unsigned int dso_symtab_flags(const struct dso_table *t, bool kernel);
/* A copy that lives as long as the table. Any thread. */
const char *dso_keep_text(struct dso_table *t, const char *text);
/* Notes why symbols are missing (the first reason stays). */
void dso_problem(struct dso *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* machine.c: what may be taken from this machine */

/* Whether the running kernel may be the recorded one, by its build id or else by what the header
 * tells. */
bool dso_is_running_kernel(const struct dso_table *t, const struct build_id *recorded);
/* The recorded kernel's build id, size 0 = unknown. */
const struct build_id *dso_kernel_id(const struct dso_table *t);
/* The object's names come from a file or kernel of this machine for which no build id speaks. */
void dso_assume(struct dso *d);
/* Whether code for that ELF machine can have run where the recording was made. */
bool dso_machine_runs(const struct dso_table *t, u16 elf_machine);
/* The ELF machine of the recorded kernel's code, this machine's if the recording does not say. */
u16 dso_kernel_machine(const struct dso_table *t);
/* The release whose folder /lib/modules/RELEASE is the recorded kernel's; NULL = not known. */
const char *dso_kernel_release(const struct dso_table *t, struct utsname *running);

/* An id that a recording keeps in 20 bytes, in the size that linkers make. */
static inline struct build_id build_id_unpadded(const struct build_id *id)
{
	struct build_id own = *id;
	u8 used = id->size;

	while (used && !id->bytes[used - 1])
		used--;
	if (id->size == DSO_BUILD_ID_MAX && used <= 16)
		own.size = used <= 8 ? 8 : 16;
	return own;
}

/* Whether the process that has a recorded one's number now began after the recording had ended. */
bool dso_is_later_process(const struct dso_table *t, u32 pid);
/*
 * Why the perf-PID.map at a path is not the recorded process's, NULL = nothing speaks against it:
 * numbers of processes mean others on another machine, and are used again.
 */
const char *dso_map_objection(const struct dso_table *t, u32 pid, const char *path);

/* files.c */

struct elf_file;
/* Open a candidate unless its build id, or that it has none, says that it is another object than
 * `want`. */
bool dso_open_checked(struct dso *d, const struct build_id *want, struct elf_file *f,
		      const char *path);
/* "DIR/xx/yyyy" + tail; false when the build id is unknown. */
bool dso_build_id_path(const struct build_id *id, const char *dir, const char *tail,
		       struct strbuf *out);
/* The same in the build-id cache; name "/elf", "/debug", "/kallsyms", "/vdso". */
bool dso_cache_path(const struct dso_table *t, const struct build_id *id, const char *name,
		    struct strbuf *out);

/* The root folder of a process that has other files than we; false: it is ours or gone. */
bool dso_other_root(u32 pid, struct strbuf *out);
/*
 * The mapped file: in the target's own root, below --symfs, in the build-id cache; from a server;
 * this kernel's vdso, if it is the recorded one, or that of the build-id cache. Under the dso's
 * lock.
 */
bool dso_find_runtime(struct dso *d, struct elf_file *f);
bool dso_fetch_runtime(struct dso *d, struct elf_file *f);
bool dso_find_vdso(struct dso *d, struct elf_file *f);

/* What is known while separate debug information is looked for. */
struct debug_search {
	struct dso *d;
	const struct elf_file *runtime; /* NULL = not there */
	struct build_id id;
	struct strbuf path;
	struct elf_file *found;
};
/* Separate files with symbols, in perf's order: the letter of dso_symtab_origin(), 0 = none found.
 */
char debug_search_find(struct debug_search *s);
/* From a server. */
bool debug_search_fetch(struct debug_search *s);

/* load_jit.c: whether there is a perf-PID.map of the process. */
bool dso_has_perf_map(const struct dso_table *t, u32 pid);
/* Not among the table's any more. */
void dso_forget_nameless(struct dso *d);

/* Loaders, by kind; called once per dso under its lock. Never NULL. */
struct symtab *dso_load_user(struct dso *d);
struct symtab *dso_load_vdso(struct dso *d);
struct symtab *dso_load_perf_map(struct dso *d);
struct symtab *dso_load_kernel(struct dso *d);
struct symtab *dso_load_module(struct dso *d);
/* Where a module's file may be: in the build-id cache, where modules are; by number. */
enum { DSO_MODULE_PLACES = 2 };
bool dso_module_place(const struct dso *d, int i, struct strbuf *path);
/* A vmlinux of the recorded build id for its code alone; moved: recorded addresses - the file's. f
 * is to be closed after either. */
bool dso_open_stripped_kernel(const struct dso *d, struct elf_file *f, struct strbuf *path,
			      u64 *moved);
struct symtab *dso_load_guest(struct dso *d);
/* Appends where a module's file should be: as recorded, or below /lib/modules. False: nowhere. */
bool dso_module_path(const struct dso *d, struct strbuf *path);
struct symtab *dso_load_jitdump(struct dso *d);
struct symtab *dso_load_embedded(struct dso *d); /* of what dso_embedded() has */

#endif
