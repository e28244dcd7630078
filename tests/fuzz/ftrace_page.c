/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as pages of a tracing buffer: records lie in their page, and what they say is harmless.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ftrace/calls.h"

enum { PAGE = 4096 };

static const char format[] =
	"name: funcgraph_exit\nID: 10\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long calltime;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long rettime;\toffset:24;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";

static struct ftrace_calls calls;
static struct ftrace_pairs pairs;

static void set_up(void)
{
	const struct tracefmt *t;

	calls.formats = tracefmt_set_new();
	if (tracefmt_set_add(calls.formats, "ftrace", format, strlen(format), NULL))
		abort();
	t = tracefmt_by_name(calls.formats, "ftrace", "funcgraph_exit");
	calls.id = tracefmt_id(t);
	calls.type = tracefmt_find_field(t, "common_type");
	calls.function = tracefmt_find_field(t, "func");
	calls.begin = tracefmt_find_field(t, "calltime");
	calls.end = tracefmt_find_field(t, "rettime");
	pairs.ids[0] = 10;
	pairs.ids[1] = 11;
	pairs.type = calls.type;
	pairs.pid = tracefmt_find_field(t, "common_pid");
}

static void count(void *ctx, u64 ns)
{
	durations_add(ctx, ns);
}

static void read_page(struct ftrace_functions *f, const u8 *data, size_t size)
{
	struct ftrace_record r;
	struct ftrace_page p;
	u64 function, ns;

	if (!ftrace_page_begin(&p, data, size, 16))
		return;
	while (ftrace_page_next(&p, &r)) {
		if (r.data < data + 16 || r.size > (size_t)(data + size - r.data))
			abort();
		if (ftrace_calls_take(&calls, &r, &function, &ns))
			ftrace_functions_add(f, function, ns);
		ftrace_pairs_take(&pairs, 0, &r);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ftrace_functions f = { .by_addr = { 0 } };
	struct view_durations d = { 0 };

	if (!calls.formats)
		set_up();
	for (size_t at = 0; at < size; at += PAGE) {
		size_t len = MIN(size - at, (size_t)PAGE);
		_cleanup_(mem_freep) u8 *page = xmalloc(len);

		memcpy(page, data + at, len);
		read_page(&f, page, len);
	}
	ftrace_pairs_tell(&pairs, UINT64_MAX, count, &d);
	vec_free(&pairs.waiting);
	vec_free(&pairs.begun);
	map_release(&pairs.by_task);
	ftrace_functions_name(&f, "0000000000001000 t one\n");
	ftrace_functions_release(&f);
	return 0;
}
