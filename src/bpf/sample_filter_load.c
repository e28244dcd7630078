/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "abi/perf_event.h"
#include "base/mem.h"
#include "bpf/library.h"
#include "bpf/sample_filter.h"
#include "bpf/sample_filter.skel.h"
#include "bpf/sample_filter_ids.skel.h"

struct sample_filter_program {
	struct bpf_object *object;
	int program; /* of object */
};

static int refuse(struct err *e, int code, const char *what)
{
	err_sys(e, code, "cannot filter samples: %s", what);
	if (code == EPERM || code == EACCES)
		err_hint(e, "it needs root, or the capabilities CAP_BPF and CAP_PERFMON");
	else
		err_hint(e, "it needs Linux 6.2 or newer, with BPF");
	return -1;
}

/* Kernels whose types are not known can still be asked who was interrupted. */
static int open_object(struct sample_filter_program *p, const struct filter_table *table,
		       bool of_sample, struct err *e)
{
	static const char types[] = "/sys/kernel/btf/vmlinux";
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "sample_filter");
	const void *bytes;
	size_t size;

	if (of_sample && access(types, R_OK) < 0) {
		err_sys(e, errno, "cannot filter samples: cannot open '%s'", types);
		err_hint(e, "it needs a kernel with type information (CONFIG_DEBUG_INFO_BTF)");
		return -1;
	}
	bytes = of_sample ? sample_filter_bpf__elf_bytes(&size)
			  : sample_filter_ids_bpf__elf_bytes(&size);
	p->object = bpf_object__open_mem(bytes, size, &opts);
	if (!p->object)
		return refuse(e, errno, "libbpf does not take the BPF program");
	bpf_map__set_initial_value(bpf_object__find_map_by_name(p->object, ".rodata"), table,
				   sizeof(*table));
	return 0;
}

/* The function by which a program gets at the fields of a sample. */
static bool kernel_has_cast(void)
{
	struct btf *types = btf__load_vmlinux_btf();
	bool has = types &&
		   btf__find_by_name_kind(types, "bpf_cast_to_kern_ctx", BTF_KIND_FUNC) > 0;

	btf__free(types);
	return has;
}

static int load(struct sample_filter_program *p, bool of_sample, struct err *e)
{
	int r = bpf_object__load(p->object);

	if (r < 0 && r != -EPERM && r != -EACCES && of_sample && !kernel_has_cast())
		return refuse(e, ENOTSUP, "the kernel has no bpf_cast_to_kern_ctx()");
	if (r < 0) {
		refuse(e, -r, "the kernel does not take the BPF program");
		if (r != -EPERM && r != -EACCES)
			bpf_library_hint(e);
		return -1;
	}
	p->program = bpf_program__fd(bpf_object__next_program(p->object, NULL));
	return 0;
}

struct sample_filter_program *sample_filter_load(const struct sample_filter *f, u64 sample_type,
						 const char *event, struct err *e)
{
	struct sample_filter_program *p;
	struct filter_table table;
	bool of_sample = false;

	if (sample_filter_table(&table, f, sample_type, event, e) < 0)
		return NULL;
	if (bpf_library_load(e) < 0) {
		err_prefix(e, "cannot filter samples");
		return NULL;
	}
	for (u32 i = 0; i < table.nr; i++)
		of_sample |= table.tests[i].field >= FILTER_OF_SAMPLE;
	p = XNEW(struct sample_filter_program);
	if (open_object(p, &table, of_sample, e) == 0 && load(p, of_sample, e) == 0)
		return p;
	sample_filter_free(p);
	return NULL;
}

int sample_filter_attach(const struct sample_filter_program *p, int event_fd)
{
	return ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, p->program) < 0 ? -errno : 0;
}

u64 sample_filter_dropped(const struct sample_filter_program *p)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(p->object, ".bss");
	const u32 first = 0;
	u64 n = 0;

	return bpf_map_lookup_elem(bpf_map__fd(map), &first, &n) < 0 ? 0 : n;
}

void sample_filter_free(struct sample_filter_program *p)
{
	if (!p)
		return;
	bpf_object__close(p->object);
	free(p);
}
