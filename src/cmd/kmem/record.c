/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf kmem record: record with the events of the allocators that the kernel has. */
#include <string.h>

#include "cmd/kmem/kmem.h"
#include "cmd/run_other.h"

/* --slab and --page behind the word itself: there they are no options of perf record. */
static void take_own(struct kmem_opts *o, int *argc, const char ***argv)
{
	while (*argc > 1) {
		if (!strcmp((*argv)[1], "--slab"))
			o->slab = true;
		else if (!strcmp((*argv)[1], "--page"))
			o->page = true;
		else
			return;
		(*argv)++;
		(*argc)--;
	}
}

int kmem_record_main(const struct config *config, const struct kmem_opts *opts, int argc,
		     const char **argv)
{
	static const char *const begin[] = { "-a", "-R", "-c", "1", "-g", NULL };
	static const char *const begin_slab[] = { "-a", "-R", "-c", "1", NULL };
	static const struct recorded_event slab[] = {
		{ { "kmem:kmalloc" }, true },
		/* before Linux 6.1 */
		{ { "kmem:kmalloc_node" }, false },
		{ { "kmem:kfree" }, true },
		{ { "kmem:kmem_cache_alloc" }, true },
		{ { "kmem:kmem_cache_alloc_node" }, false },
		{ { "kmem:kmem_cache_free" }, true },
	};
	static const struct recorded_event page[] = {
		{ { "kmem:mm_page_alloc" }, true },
		{ { "kmem:mm_page_free" }, true },
	};
	struct recorded_event events[ARRAY_SIZE(slab) + ARRAY_SIZE(page) + 1];
	struct kmem_opts o = *opts;
	size_t nr = 0;

	take_own(&o, &argc, &argv);
	for (size_t i = 0; i < ARRAY_SIZE(slab) && (o.slab || !o.page); i++)
		events[nr++] = slab[i];
	for (size_t i = 0; i < ARRAY_SIZE(page) && o.page; i++)
		events[nr++] = page[i];
	events[nr] = (struct recorded_event){ .needed = false };
	return run_record(config, o.page ? begin : begin_slab, events, argc, argv);
}
