/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a record of a system call with the memory of its arguments, and as a kernel's types.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rw.h"
#include "trace/args.h"

static void show_layouts(const uint8_t *data, size_t size)
{
	struct strbuf out = STRBUF_INIT;
	int fd = memfd_create("fuzz", 0);
	struct trace_layouts *l;
	char path[64];

	if (fd < 0 || rw_write_full(fd, data, size))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	l = trace_layouts_new(path, NULL);
	for (u32 id = 0; l && id < 64; id++)
		trace_layout_add(&out, l, id, data, MIN(size, (size_t)trace_layout_size(l, id)),
				 NULL, NULL);
	if (l)
		trace_layout_part(l, "bpf_attr", "map_fd");
	trace_layouts_free(l);
	strbuf_release(&out);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct trace_lookup names = { 0 };
	static struct trace_syscalls *calls[2];
	struct strbuf out = STRBUF_INIT;
	struct trace_memory m;
	struct call_head head;

	for (unsigned int i = 0; i < 2; i++) {
		if (!calls[i])
			calls[i] = trace_syscalls_new(i ? TRACE_I386 : TRACE_X86_64);
		if (!trace_record_view(data, (u32)MIN(size, (size_t)UINT32_MAX), &head, &m))
			continue;
		struct trace_call c = {
			.syscall = trace_syscall(calls[i], head.nr),
			.args = head.values,
			.begin = head.kind == CALL_ENTER ? m : (struct trace_memory){ 0 },
			.end = head.kind == CALL_EXIT ? m : (struct trace_memory){ 0 }
		};
		trace_call_add(&out, &c, &names);
	}
	strbuf_release(&out);
	show_layouts(data, size);
	return 0;
}
