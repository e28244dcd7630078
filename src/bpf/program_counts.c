/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/program_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "bpf/library.h"
#include "bpf/program_counts.skel.h"
#include "sys/cpu.h"

struct program_counts {
	VEC(struct program_counts_bpf *) each; /* of the programs that are measured */
	u32 nr_cpus; /* that there may ever be */
	struct program_count *values; /* room for what the kernel gives: one for each of them */
};

static const char doing[] = "count in BPF programs";

static int refuse(struct err *e, int code, const char *what)
{
	return bpf_refuse(e, code, doing, what);
}

/* What the program's function is called, by its types; fresh memory. */
static char *function_of(int fd, u32 id, struct err *e)
{
	struct bpf_func_info first = { 0 };
	struct bpf_prog_info info = { .nr_func_info = 1,
				      .func_info_rec_size = sizeof(first),
				      .func_info = (u64)(uintptr_t)&first };
	u32 size = sizeof(info);
	const struct btf_type *type;
	struct btf *types = NULL;
	char *name = NULL;

	if (bpf_obj_get_info_by_fd(fd, &info, &size)) {
		err_sys(e, errno, "the kernel does not describe the BPF program %u", id);
		return NULL;
	}
	if (info.btf_id && info.nr_func_info)
		types = btf__load_from_kernel_by_id(info.btf_id);
	type = types ? btf__type_by_id(types, first.type_id) : NULL;
	if (type)
		name = xstrdup(btf__name_by_offset(types, type->name_off));
	btf__free(types);
	if (!name) {
		err_set(e, ENOTSUP, "the BPF program %u has no type information", id);
		err_hint(e, "clang -g puts it into programs");
	}
	return name;
}

static int load(struct program_counts *p, u32 id, u32 nr_events, struct err *e)
{
	_cleanup_(mem_closep) int fd = bpf_prog_get_fd_by_id(id);
	_cleanup_(mem_freep) char *function = NULL;
	struct program_counts_bpf *b;
	int r;

	if (fd < 0 && errno == ENOENT)
		return err_set(e, ENOENT, "there is no BPF program %u", id);
	if (fd < 0)
		return refuse(e, errno, "programs are not handed out");
	function = function_of(fd, id, e);
	if (!function)
		return -1;
	b = program_counts_bpf__open();
	if (!b)
		return refuse(e, errno, "libbpf does not take the BPF program");
	*VEC_PUSH(&p->each) = b;
	b->rodata->nr_events = nr_events;
	b->rodata->nr_cpus = p->nr_cpus;
	r = bpf_map__set_max_entries(b->maps.events, nr_events * p->nr_cpus);
	if (!r)
		r = bpf_program__set_attach_target(b->progs.begin, fd, function);
	if (!r)
		r = bpf_program__set_attach_target(b->progs.end, fd, function);
	if (!r)
		r = program_counts_bpf__load(b);
	if (r == -EPERM) {
		err_set(e, EPERM,
			"cannot %s: the kernel does not allow programs at their begin "
			"and end (fentry, fexit)",
			doing);
		err_hint(e, "it needs root, and some kernels forbid them altogether");
		return -1;
	}
	return r < 0 ? refuse(e, -r, "the kernel does not take the BPF program") : 0;
}

struct program_counts *program_counts_new(const u32 *ids, size_t nr, u32 nr_events, struct err *e)
{
	struct program_counts *p = XNEW(struct program_counts);
	u32 *possible = NULL;
	size_t nr_possible = 0;
	int r = bpf_check_types(doing, e);

	if (!r && nr_events > PROGRAM_COUNTS_EVENTS)
		r = err_set(e, E2BIG, "cannot %s: %d events are the most", doing,
			    PROGRAM_COUNTS_EVENTS);
	/* the kernel writes a value for each of them */
	if (!r)
		r = sys_cpu_list(NULL, "cpu/possible", &possible, &nr_possible, e);
	p->nr_cpus = nr_possible ? possible[nr_possible - 1] + 1 : 1;
	p->values = xcalloc(p->nr_cpus, sizeof(*p->values));
	free(possible);
	for (size_t i = 0; !r && i < nr; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again = again || ids[k] == ids[i];
		if (!again)
			r = load(p, ids[i], nr_events, e);
	}
	if (!r)
		return p;
	program_counts_free(p);
	return NULL;
}

void program_counts_free(struct program_counts *p)
{
	if (!p)
		return;
	VEC_FOR(&p->each, b)
		program_counts_bpf__destroy(*b);
	vec_free(&p->each);
	free(p->values);
	free(p);
}

int program_counts_put(struct program_counts *p, u32 event, u32 cpu, int fd)
{
	u32 at = event * p->nr_cpus + cpu;
	int r = 0;

	VEC_FOR(&p->each, b)
		if (!r)
			r = bpf_map_update_elem(bpf_map__fd((*b)->maps.events), &at, &fd, BPF_ANY);
	return r;
}

int program_counts_attach(struct program_counts *p, struct err *e)
{
	VEC_FOR(&p->each, b) {
		int r = program_counts_bpf__attach(*b);

		if (r < 0)
			return refuse(e, -r, "the BPF program cannot be attached");
	}
	return 0;
}

void program_counts_enable(struct program_counts *p, bool on)
{
	VEC_FOR(&p->each, b)
		__atomic_store_n(&(*b)->bss->enabled, on, __ATOMIC_RELEASE);
}

struct program_count program_counts_read(struct program_counts *p, u32 event, u32 cpu)
{
	struct program_count sum = { 0 };

	VEC_FOR(&p->each, b) {
		if (cpu >= p->nr_cpus ||
		    bpf_map_lookup_elem(bpf_map__fd((*b)->maps.sums), &event, p->values))
			continue;
		sum.value += p->values[cpu].value;
		sum.enabled += p->values[cpu].enabled;
		sum.running += p->values[cpu].running;
	}
	return sum;
}
