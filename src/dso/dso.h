/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso: objects that contain code (executables, libraries, the kernel, modules, vdso, BPF programs,
 * JIT areas) and their symbols.
 *
 * Identity: (name as recorded, build id when known, kind) -> dense dso_id; 0 = no object. Adding is
 * done by one thread (the model) while no other uses the table. Symbol tables load on first use
 * under the dso's own lock and never change afterwards: dso_symtab() may be called from any thread.
 *
 * Addresses given to symtab_find() are in the dso's own address space: file offsets for ELF user
 * objects (ip - map.start + map.pgoff), absolute kernel addresses for the kernel and modules,
 * absolute addresses for perf-PID.map, BPF and other code without a file.
 */
#ifndef DSO_DSO_H
#define DSO_DSO_H

#include <string.h>

#include "base/err.h"
#include "base/types.h"

typedef u32 dso_id;

enum dso_kind {
	DSO_USER, /* a file mapped by a process */
	DSO_KERNEL, /* [kernel.kallsyms], vmlinux */
	DSO_MODULE, /* a kernel module */
	DSO_VDSO, /* [vdso] */
	DSO_PERF_MAP, /* //anon, [heap], [stack], ...: symbols from perf-PID.map of its process */
	DSO_BPF, /* bpf_prog_...: a KSYMBOL */
	DSO_UNKNOWN_CODE, /* [vsyscall] and other bracketed names without symbols */
	DSO_JITDUMP, /* code of a JIT compiler that wrote jit-PID.dump; see dso_jitdump() */
	DSO_GUEST_KERNEL, /* of a virtual machine; key.pid: of its process, 0 = any */
	DSO_GUEST_MODULE, /* likewise */
};

enum { DSO_BUILD_ID_MAX = 20 };

struct build_id {
	u8 size; /* 0 = unknown */
	u8 bytes[DSO_BUILD_ID_MAX];
};

/* Linkers make ids of 8 and 16 bytes, too, which some recordings keep in 20: equal, then, if zeros
 * follow. */
static inline bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	const struct build_id *longer = a->size > b->size ? a : b;
	u8 size = MIN(a->size, b->size);

	if (memcmp(a->bytes, b->bytes, size) != 0 || (!size && longer->size))
		return false;
	for (u8 i = size; i < longer->size; i++)
		if (longer->bytes[i])
			return false;
	return true;
}

/* What happens with a file that is asked for over the network. */
enum dso_fetch_state {
	DSO_FETCH_DONE,
	DSO_FETCH_ABSENT, /* no server has it */
	DSO_FETCH_FAILED, /* code: why */
	DSO_FETCH_GIVEN_UP, /* the same, and nothing more is asked for */
	DSO_FETCH_NO_LIBRARY, /* libdebuginfod.so.1 is not there: nothing is asked for */
	DSO_FETCH_NO_CACHE, /* another user can change root's cache, which name tells.
			       Nothing is asked for */
};

struct dso_fetched {
	enum dso_fetch_state state;
	const char *name; /* of the object */
	int code; /* errno */
};

/* Whether files may be fetched, and who is told. Called by any thread. */
struct dso_fetch {
	const char *urls; /* of servers, blanks between; NULL = from nowhere, see debuginfod.h */
	/* Bytes so far, about once a second; false gives this one up. NULL = nobody is told. */
	bool (*progress)(void *ctx, const char *name, u64 done, u64 total);
	void (*told)(void *ctx, const struct dso_fetched *f); /* NULL = nobody */
	void *ctx;
};

/* Where the files of virtual machines' kernels are; all NULL = they are not named. */
struct dso_guest {
	const char *mount; /* DIR/PID/ is the root folder of the machine that process PID runs */
	const char
		*kallsyms; /* of a machine without such a folder: a copy of its /proc/kallsyms, */
	const char *modules; /* of its /proc/modules, */
	const char *vmlinux; /* or its kernel */
	bool code; /* in place of all that: guests run code of the process that runs them */
};

enum dso_guest_file { GUEST_KALLSYMS, GUEST_MODULES };

struct dso_config {
	const char *symfs; /* --symfs DIR, NULL = none; then nothing of this machine's kernel,
			    * vdso and build-id cache is used */
	const char *vmlinux; /* -k FILE */
	const char *kallsyms; /* --kallsyms FILE */
	const char *buildid_dir; /* the build-id cache where there is no symfs; NULL = ~/.debug */
	struct dso_guest guest;
	bool live; /* the processes are being recorded: their files may be opened
		    * through /proc while they run */
	bool plain_maps; /* memory over a program's own code is not taken for that code */
	bool load_modules; /* -m */
	bool ignore_vmlinux;
	bool no_kallsyms; /* the kernel's file is wanted, or nothing: its table is slow to read */
	bool force; /* read perf-PID.map of any owner */
	bool no_demangle;
	bool demangle_params; /* names with parameter lists, as perf shows them with -v */
	bool demangle_kernel;
	/*
	 * Functions of one name are asked for alone, NULL = all: files whose names are looked
	 * through, and do not have it, are not read any further, and the object then has no
	 * symbols.
	 */
	const char *only_function;
	struct dso_fetch fetch;
};

struct dso_table;
struct dso;
struct symtab;

/*
 * What a mapping of a process is, by the name the kernel gave it: "//anon", "[heap]", "[vdso]", ...
 * Not for kernel mappings.
 */
enum dso_kind dso_kind_of_name(const char *name);

struct dso_table *dso_table_new(const struct dso_config *c); /* borrows c's strings */
void dso_table_free(struct dso_table *t);
/*
 * Whether a file in memory alone ("/memfd:doublemapper (deleted)", which a JIT compiler maps twice,
 * to write and to run it) or memory with a name ("[anon:code]", in /proc/PID/maps) holds code of a
 * JIT compiler: there is a perf-PID.map.
 */
bool dso_table_is_jit_memory(const struct dso_table *t, const char *name, u32 pid);

/*
 * Whether mappings of memory over a program's own code stand for that code (dso_config.plain_maps:
 * not). has_jit_code: functions of the process's perf-PID.map fill half of [start, end) or more; of
 * processes that are being recorded nothing is asked. By the thread that adds, too.
 */
bool dso_table_wants_moved_text(const struct dso_table *t);
bool dso_table_has_jit_code(struct dso_table *t, u32 pid, u64 start, u64 end);

struct dso_key {
	const char *name; /* long name: the path in the mapping record */
	struct build_id build_id;
	enum dso_kind kind;
	u32 pid; /* DSO_PERF_MAP: the process; also used to look through /proc/PID/root */
	u64 start, len; /* DSO_MODULE, DSO_KERNEL, DSO_BPF: address range */
	bool is32; /* DSO_VDSO: that of a 32-bit process */
};
dso_id dso_table_add(struct dso_table *t, const struct dso_key *key);
/* A BPF program or out-of-line area: one dso with one symbol of that name. */
dso_id dso_table_add_ksymbol(struct dso_table *t, const char *name, u64 start, u64 len);
/*
 * Build id from the header's table for objects of that name that have none of their own, also those
 * added later. Before their symbols are loaded; the last of several for a name counts. in_kernel:
 * the entry is of the kernel's side. The first of these that is no module's is the kernel's, which
 * is called by its name then
 * ("/boot/vmlinux").
 */
void dso_table_set_build_id(struct dso_table *t, const char *name, const struct build_id *id,
			    bool in_kernel);
/* What a recording says of the machine that it was made on; NULL, 0 = nothing. */
struct dso_machine {
	const char *hostname, *release, *arch; /* as uname() tells them */
	s64 written; /* when the recording was last written, s since 1970 */
};
/*
 * Without this the objects are those of this machine. What is on this machine under a recorded
 * object's name is taken for it only if nothing speaks against it (doc/names.md). Borrows m's
 * strings; before symbols are loaded.
 */
void dso_table_set_machine(struct dso_table *t, const struct dso_machine *m);
/*
 * The recorded kernel: address and name of the reference symbol ([kernel.kallsyms]_text and its
 * pgoff), by which a kallsyms or vmlinux of another boot is relocated.
 */
void dso_table_set_kernel_ref(struct dso_table *t, const char *symbol, u64 addr);
/* Its object, NULL = nothing is known of it yet. */
struct dso *dso_table_kernel(const struct dso_table *t);
/* The same for the kernel of a virtual machine, an object of the table. */
void dso_table_set_guest_ref(struct dso_table *t, dso_id guest_kernel, const char *symbol,
			     u64 addr);
const struct dso_config *dso_table_config(const struct dso_table *t);
/* The same; NULL where nothing was said of virtual machines. */
const struct dso_config *dso_table_guests(const struct dso_table *t);
/* Path of a file of the machine that process pid runs, 0 = of any; "" when there is none. */
struct strbuf;
void dso_guest_path(const struct dso_config *c, u32 pid, enum dso_guest_file file,
		    struct strbuf *path);
u32 dso_table_count(const struct dso_table *t); /* ids are 1 .. count */
struct dso *dso_table_get(const struct dso_table *t, dso_id id); /* NULL for 0 */
/*
 * For who watches without end: give back the symbols and debug information of objects in user
 * space that are not in use (a byte for each id; count + 1 of them); where they are asked for again
 * they are loaded again. No other thread is at work. Returns how many objects have symbols still.
 */
u32 dso_table_forget_unused(struct dso_table *t, const u8 *in_use);

const char *dso_long_name(const struct dso *d);
const char *dso_short_name(const struct dso *d); /* as perf's dso column shows it */
enum dso_kind dso_kind(const struct dso *d);
const struct build_id *dso_build_id(const struct dso *d);
/* The recorded one; where there is none, that of the file which goes by the object's name now.
 * Slow: opens it. false: not known. */
bool dso_file_build_id(struct dso *d, struct build_id *out);
u32 dso_pid(const struct dso *d); /* the first process seen with it, 0 = unknown */
/*
 * Lower for what was known earlier: the objects of the header's build-id table in its order, then
 * the others as they were added. 0 for NULL.
 */
u32 dso_seniority(const struct dso *d);
bool dso_is_kernel(const struct dso *d); /* kernel, module, BPF: the [k] side */

/* Loaded on the first call; never NULL (an empty table when there are no symbols). */
const struct symtab *dso_symtab(struct dso *d);
/*
 * Code that JIT compilers write while they are watched. dso_table_follow_dump(): process pid has
 * mapped its compiler's file of that name (jit-PID.dump), which names its memory without a file,
 * too; by the thread that adds. dso_note_nameless(): an address in the
 * object has no symbol; of other objects than DSO_PERF_MAP nothing is noted; any thread.
 * dso_table_grown(): up to max noted objects whose files have changed since they were read; returns
 * how many. dso_load_again(): reads them; what dso_symtab() was before is the caller's, for
 * symtab_free(). The latter two while no other thread is at work.
 */
void dso_table_follow_dump(struct dso_table *t, u32 pid, const char *name);
void dso_note_nameless(struct dso *d);
size_t dso_table_grown(struct dso_table *t, struct dso **out, size_t max);
struct symtab *dso_load_again(struct dso *d);
/* Where the last of its symbols ends, 0 = there are none. */
u64 dso_symbols_end(struct dso *d);
/* Why symbols are missing, NULL when they are there or never asked for. */
const char *dso_symtab_problem(const struct dso *d);

/*
 * Where its symbols are from, mostly in perf's letters: 'd' the object itself, 'B' its copy in the
 * build-id cache; debug information: 'l' by the object's link, 'D' in the build-id cache or from a
 * server, 'b' below /usr/lib/debug by build id, 'f' and 'u' there by name, with and without .debug;
 * 'v' vmlinux, 'k' kallsyms, 'K' a module's file (as perf has it: any module without symbols, too),
 * 'j' a JIT compiler, 'e' the recording itself; '!' there are none, or they were not asked for yet.
 */
char dso_symtab_origin(const struct dso *d);

/* Whether symbols are missing since the file of that name is another object by now, as its build id
 * says. */
bool dso_is_replaced(const struct dso *d);
/* When the file that symbols were read from was last changed (s since 1970), where no build id
 * tells that it is the recorded one; 0: one does, or there are none. */
s64 dso_unproven_time(const struct dso *d);

/* Whether the object that symbols were read from is taken for the recorded one because of its name
 * alone: no build id was recorded, and the recording does not say that it was made on this machine.
 */
bool dso_is_assumed(const struct dso *d);
/* Whether what this machine has under the object's name may be the recorded object: its build id
 * must still fit. */
bool dso_may_be_local(const struct dso *d);

/* Why a kernel has no symbols although a file was named for it (not /dev/null); NULL: it has, or
 * was not asked for any. */
const char *dso_table_named_problem(const struct dso_table *t);

/* Whether its symbols are in a file that is not read, since it belongs to another user. */
bool dso_symtab_refused(const struct dso *d);

/* The vmlinux that the kernel's symbols were read from; NULL: another source, or not asked for yet.
 */
const char *dso_kernel_file(const struct dso *d);

enum { SYM_NONE = 0xffffffffU };

void symtab_free(struct symtab *st); /* NULL is allowed */

struct symbol {
	u64 start, end; /* [start, end) in the dso's address space */
	const char *name; /* demangled unless turned off; lives as long as the table */
	char binding; /* 'g' global, 'l' local, 'w' weak */
};

u32 symtab_count(const struct symtab *st);
/* Index of the symbol that contains addr, SYM_NONE if there is none. Lock-free, any thread. */
u32 symtab_find(const struct symtab *st, u64 addr);
/* The same; tells addresses around addr, [*from, *until), for which the answer is the same. */
u32 symtab_find_around(const struct symtab *st, u64 addr, u64 *from, u64 *until);
/* The same; where no symbol contains addr, the last one that begins before it. */
u32 symtab_find_before(const struct symtab *st, u64 addr);
u64 symtab_start(const struct symtab *st, u32 index);
u64 symtab_end(const struct symtab *st, u32 index);
/* The lowest symbol of that name (not demangled), SYM_NONE if there is none; also where the name is
 * an alias. Slow: looks at all, though once for several. */
u32 symtab_find_name(const struct symtab *st, const char *name);
void symtab_find_names(const struct symtab *st, const char *const *names, size_t nr, u32 *found);
/* Demangles on first use (thread-safe); the pointer is stable. */
const char *symtab_name(const struct symtab *st, u32 index);
struct symbol symtab_symbol(const struct symtab *st, u32 index);
bool symtab_is_data(const struct symtab *st, u32 index); /* a variable, not code */

struct jitdump;
/* What a JIT compiler wrote about its code, read on the first call; any thread. NULL: it cannot be
 * read (dso_symtab_problem() says why) or the dso is of another kind. */
const struct jitdump *dso_jitdump(struct dso *d);

/*
 * What a JIT compiler has appended to its file behind place `from`, for callers that follow it
 * while it is being written; false: nothing, or it cannot be read. dso_table_add_jit(): that as an
 * object of its own, which takes it over.
 */
bool dso_table_read_jit(const struct dso_table *t, u32 pid, const char *name, u64 from,
			struct jitdump *out);
dso_id dso_table_add_jit(struct dso_table *t, u32 pid, const char *name, struct jitdump *j);

/* Build id of an ELF file, 0 size when it has none; -1 when it cannot be read. */
int build_id_of_file(const char *path, struct build_id *id, struct err *e);
/* Of the running kernel; false: unknown. */
bool build_id_of_kernel(struct build_id *id);
/* Whether this machine runs programs of an ELF machine; true as well where it is not known. */
bool dso_runs_here(u16 elf_machine);
/* As uname() calls it: "aarch64"; NULL: not known. */
const char *dso_machine_name(u16 elf_machine);
/* Build id from ELF notes (/sys/kernel/notes, module notes). */
bool build_id_from_notes(const void *notes, size_t size, struct build_id *id);

#endif
