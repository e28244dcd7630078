/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kmem record: record with the events of the slab allocator that the kernel has. */
#include "cmd/kmem/kmem.h"
#include "cmd/run_other.h"

int kmem_record_main(const struct config *config, int argc, const char **argv)
{
	static const char *const begin[] = { "-a", "-R", "-c", "1", NULL };
	static const struct recorded_event events[] = {
		{ { "kmem:kmalloc" }, true },
		/* before Linux 6.1 */
		{ { "kmem:kmalloc_node" }, false },
		{ { "kmem:kfree" }, true },
		{ { "kmem:kmem_cache_alloc" }, true },
		{ { "kmem:kmem_cache_alloc_node" }, false },
		{ { "kmem:kmem_cache_free" }, true },
		{ { NULL }, false },
	};

	return run_record(config, begin, events, argc, argv);
}
