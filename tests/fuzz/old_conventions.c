/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an object file of BPF programs whose maps and sections are those of old. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "bpf/object_bytes.h"
#include "bpf/old_conventions.h"

/* No map is made: bpf(2) says that it has the number 0. */
static void keep_from_kernel(void)
{
	static struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	static const struct sock_fprog program = { ARRAY_SIZE(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool kept;
	struct strbuf elf = STRBUF_INIT;
	struct old_maps maps = { 0 };
	struct err e = ERR_INIT;

	if (!kept)
		keep_from_kernel();
	kept = true;
	strbuf_add(&elf, data, size);
	if (!object_bytes_wrong(&elf)) {
		if (old_conventions_take(&elf, &maps, &e) < 0 && !e.text[0])
			abort();
		/* whatever has been changed, it is still an object file */
		if (object_bytes_wrong(&elf))
			abort();
		VEC_FOR(&maps, m)
			m->map.fd = -1;
		old_maps_release(&maps);
	}
	strbuf_release(&elf);
	return 0;
}
