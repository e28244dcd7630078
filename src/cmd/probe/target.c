/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where points are looked for, and where the kernel keeps its list of them. */
#include <errno.h>

#include "cmd/probe/internal.h"
#include "probe/own.h"
#include "sys/tracefs.h"

static void print_warning(void *ctx, const char *text)
{
	probe_say(ctx, "%s", text);
}

struct probe_resolver *probe_resolver_of(struct probe_opts *o, size_t target)
{
	struct probe_target *t = &o->targets.v[target];
	struct probe_resolve_opts r = {
		.kind = t->kind,
		.path = t->path,
		.target_ns = o->target_ns,
		.vmlinux = o->vmlinux,
		.symfs = o->symfs,
		.source_dir = o->source_dir,
		.demangle = o->demangle,
		.demangle_kernel = o->demangle_kernel,
		.no_inlines = o->no_inlines,
		.max_places = o->max_probes > 0 ? (u32)o->max_probes : PROBE_MAX_PLACES,
		.fetch = o->fetch,
		.cache_dir = o->cache_dir[0] ? o->cache_dir : NULL,
		.warn = print_warning,
		.ctx = o,
	};

	if (!t->resolver)
		t->resolver = probe_resolver_new(&r);
	return t->resolver;
}

int probe_find_tracefs(const struct probe_opts *o, char buf[PROBE_TRACEFS_MAX], struct err *e)
{
	if (sys_tracefs_find(o->debugfs_dir, NULL, buf, PROBE_TRACEFS_MAX)) {
		if (!o->dry_run)
			probe_own_sweep(buf);
		return 0;
	}
	return err_set(e, ENOTSUP,
		       "Debugfs or tracefs is not mounted\nPlease try 'sudo mount -t tracefs nodev "
		       "/sys/kernel/tracing'");
}
