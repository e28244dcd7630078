/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disasm/disasm.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#ifndef HAVE_CAPSTONE

void disasm_load(void)
{
}

int disasm_open(struct disasm **out UNUSED, const struct disasm_opts *o UNUSED, struct err *e)
{
	err_set(e, ENOTSUP, "this perf was built without a disassembler (Capstone)");
	err_hint(e, "install libcapstone-dev and build it again");
	return -1;
}

void disasm_close(struct disasm *d UNUSED)
{
}

int disasm_check(const struct disasm *d UNUSED, struct err *e UNUSED)
{
	return 0;
}

void disasm_one(struct disasm *d UNUSED, const u8 *p UNUSED, size_t n UNUSED, u64 addr UNUSED,
		struct insn *out UNUSED, struct strbuf *text UNUSED)
{
}

#else

#include <dlfcn.h>
#include <pthread.h>

#include "disasm/capstone.h"
#include "disasm/x86_operands.h"
#include "disasm/x86_vector.h"

static struct capstone functions;
static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef CAPSTONE_LINKED
static void load(void)
{
#define TAKE(name) functions.name = cs_##name;
	CAPSTONE_FUNCTIONS(TAKE)
	is_there = true;
}
#else
static void load(void)
{
	void *lib = dlopen("libcapstone.so." CAPSTONE_SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!lib)
		return;
#define TAKE(name)                                                                                 \
	*(void **)&functions.name = dlsym(lib, "cs_" #name);                                       \
	if (!functions.name)                                                                       \
		return;
	CAPSTONE_FUNCTIONS(TAKE)
	is_there = true;
}
#endif

void disasm_load(void)
{
	pthread_once(&once, load);
}

static const struct disasm_machine {
	u16 elf;
	bool is64;
	cs_arch arch;
	unsigned int mode;
} machines[] = {
	{ EM_X86_64, true, CS_ARCH_X86, CS_MODE_64 },
	{ EM_X86_64, false, CS_ARCH_X86, CS_MODE_64 }, /* x32 */
	{ EM_386, false, CS_ARCH_X86, CS_MODE_32 },
	{ EM_AARCH64, true, CS_ARCH_ARM64, CS_MODE_ARM },
	{ EM_ARM, false, CS_ARCH_ARM, CS_MODE_ARM },
	{ EM_PPC64, true, CS_ARCH_PPC, CS_MODE_64 },
	{ EM_PPC, false, CS_ARCH_PPC, CS_MODE_32 },
	{ EM_MIPS, false, CS_ARCH_MIPS, CS_MODE_MIPS32 },
	{ EM_MIPS, true, CS_ARCH_MIPS, CS_MODE_MIPS64 },
	{ EM_SPARCV9, true, CS_ARCH_SPARC, CS_MODE_V9 },
	{ EM_S390, true, CS_ARCH_SYSZ, 0 },
};

static const struct disasm_machine *find_machine(const struct disasm_opts *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].elf == o->machine && machines[i].is64 == o->is64)
			return &machines[i];
	return NULL;
}

static bool open_library(struct disasm *d)
{
	unsigned int order = d->o.big_endian ? CS_MODE_BIG_ENDIAN : 0;

	disasm_load();
	if (!is_there ||
	    functions.open(d->machine->arch, (cs_mode)(d->machine->mode | order), &d->handle))
		return false;
	functions.option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	d->insn = functions.malloc(d->handle);
	d->lib = &functions;
	return true;
}

bool disasm_need_capstone(struct disasm *d)
{
	if (!d->lib && !d->failed)
		d->failed = !open_library(d);
	return d->lib;
}

int disasm_check(const struct disasm *d, struct err *e)
{
	if (!d->failed)
		return 0;
	if (is_there)
		return err_set(e, ENOTSUP,
			       "Capstone does not know the machine with the ELF number %u",
			       d->o.machine);
	err_set(e, ENOENT, "cannot load the disassembler libcapstone.so." CAPSTONE_SONAME);
	err_hint(e, "install libcapstone" CAPSTONE_SONAME);
	return -1;
}

/* Of this machine some code is decoded without Capstone. */
static bool is_x86_64(const struct disasm *d)
{
	return d->o.machine == EM_X86_64;
}

int disasm_open(struct disasm **out, const struct disasm_opts *o, struct err *e)
{
	struct disasm *d;

	d = XNEW(struct disasm);
	d->o = *o;
	d->machine = find_machine(o);
	if (!d->machine) {
		free(d);
		return err_set(e, ENOTSUP,
			       "Capstone does not know the machine with the ELF number %u",
			       o->machine);
	}
	if (!is_x86_64(d))
		disasm_need_capstone(d);
	if (disasm_check(d, e) < 0) {
		free(d);
		return -1;
	}
	*out = d;
	return 0;
}

void disasm_close(struct disasm *d)
{
	if (d && d->lib) {
		d->lib->free(d->insn, 1);
		d->lib->close(&d->handle);
	}
	free(d);
}

static bool is_x86(const struct disasm *d)
{
	return d->o.machine == EM_X86_64 || d->o.machine == EM_386;
}

static bool has_group(const cs_insn *in, u8 group)
{
	for (u8 i = 0; i < in->detail->groups_count; i++)
		if (in->detail->groups[i] == group)
			return true;
	return false;
}

/* Capstone's last immediate operand in text: "#0x1234" or "0x1234"; where branches go. */
static bool target_in_text(const char *ops, u64 *target)
{
	const char *at = NULL;

	for (const char *p = ops; (p = strstr(p, "0x")); p += 2)
		at = p;
	if (!at)
		return false;
	*target = strtoull(at, NULL, 16);
	return true;
}

/* Machines with Capstone's own text. */
static bool plain_text(struct disasm *d, const u8 *p, size_t n, u64 addr, struct insn *out,
		       struct strbuf *text)
{
	const cs_insn *in = d->insn;
	size_t from = text->len;
	u64 at = addr;

	if (!d->lib->disasm_iter(d->handle, &p, &n, &at, d->insn))
		return false;
	out->len = (u8)in->size;
	strbuf_adds(text, in->mnemonic);
	out->operands = text->len - from;
	if (in->op_str[0]) {
		strbuf_addch(text, '\t');
		out->operands++;
	}
	if (has_group(in, CS_GRP_CALL))
		out->kind = INSN_CALL;
	else if (has_group(in, CS_GRP_RET) || !strcmp(in->mnemonic, "ret"))
		out->kind = INSN_RETURN;
	else if (has_group(in, CS_GRP_JUMP))
		out->kind = INSN_JUMP;
	if (out->kind == INSN_CALL || out->kind == INSN_JUMP) {
		const char *last = strrchr(in->op_str, '#');

		out->has_target = last && target_in_text(last, &out->target);
		if (out->has_target) {
			strbuf_add(text, in->op_str, (size_t)(last - in->op_str));
			strbuf_add_hex(text, out->target);
			if (d->o.name)
				d->o.name(d->o.ctx, out->target, text);
			return true;
		}
	}
	strbuf_adds(text, in->op_str);
	return true;
}

void disasm_one(struct disasm *d, const u8 *p, size_t n, u64 addr, struct insn *out,
		struct strbuf *text)
{
	size_t from = text->len;
	bool known;

	*out = (struct insn){ .addr = addr };
	known = is_x86_64(d) && x86_vector_text(p, n, addr, d->o.syntax, out, text);
	if (known && out->has_data)
		x86_add_data(&d->o, from, out, text);
	else if (!known && disasm_need_capstone(d))
		known = is_x86(d) ? x86_text(d, p, n, addr, out, text)
				  : plain_text(d, p, n, addr, out, text);
	if (known)
		return;
	text->len = from;
	*out = (struct insn){ .addr = addr, .bad = true, .len = 1 };
	if (is_x86(d)) {
		/* how long it is can be told of many that Capstone does not know */
		out->len = x86_bad_length(p, n, d->o.machine == EM_X86_64);
		strbuf_adds(text, "(bad)");
		return;
	}
	out->len = (u8)MIN(n, 4U);
	strbuf_adds(text, ".inst\t0x");
	for (u8 i = 0; i < out->len; i++)
		strbuf_add_hex_width(text, p[d->o.big_endian ? i : out->len - 1 - i], 2, '0');
}

#endif
