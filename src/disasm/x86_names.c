/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifdef HAVE_CAPSTONE
#include "disasm/x86_names.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <string.h>

struct renamed {
	const char *from, *to;
};

static const struct renamed att_names[] = {
	{ "cbw", "cbtw" },   { "cdq", "cltd" },     { "cdqe", "cltq" },  { "cqo", "cqto" },
	{ "cwd", "cwtd" },   { "cwde", "cwtl" },    { "iretd", "iret" }, { "iret", "iretw" },
	{ "popfq", "popf" }, { "pushfq", "pushf" }, { "popfd", "popf" }, { "pushfd", "pushf" },
	{ "retf", "lret" },  { "retfq", "lretq" },  { "wait", "fwait" }, { "pushal", "pusha" },
	{ "popal", "popa" }, { "sal", "shl" },
};

static const struct renamed intel_names[] = {
	{ "iretd", "iret" },           { "popfq", "popf" },           { "pushfq", "pushf" },
	{ "popfd", "popf" },           { "pushfd", "pushf" },         { "wait", "fwait" },
	{ "pushal", "pusha" },         { "popal", "popa" },           { "sal", "shl" },
	{ "vcvtpd2psx", "vcvtpd2ps" }, { "vcvtpd2psy", "vcvtpd2ps" },
};

static const char *rename_in(const struct renamed *t, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(t[i].from, name))
			return t[i].to;
	return name;
}

const char *x86_att_name(const char *intel)
{
	return rename_in(att_names, ARRAY_SIZE(att_names), intel);
}

const char *x86_intel_name(const char *capstone)
{
	return rename_in(intel_names, ARRAY_SIZE(intel_names), capstone);
}

bool x86_takes_suffix(unsigned int id)
{
	switch (id) {
	case X86_INS_ADC:
	case X86_INS_ADD:
	case X86_INS_AND:
	case X86_INS_BT:
	case X86_INS_BTC:
	case X86_INS_BTR:
	case X86_INS_BTS:
	case X86_INS_CMP:
	case X86_INS_CVTSI2SD:
	case X86_INS_CVTSI2SS:
	case X86_INS_DEC:
	case X86_INS_DIV:
	case X86_INS_IDIV:
	case X86_INS_IMUL:
	case X86_INS_INC:
	case X86_INS_MOV:
	case X86_INS_MUL:
	case X86_INS_NEG:
	case X86_INS_NOP:
	case X86_INS_NOT:
	case X86_INS_OR:
	case X86_INS_RCL:
	case X86_INS_RCR:
	case X86_INS_ROL:
	case X86_INS_ROR:
	case X86_INS_SAL:
	case X86_INS_SAR:
	case X86_INS_SBB:
	case X86_INS_SHL:
	case X86_INS_SHR:
	case X86_INS_SUB:
	case X86_INS_TEST:
	case X86_INS_VCVTSI2SD:
	case X86_INS_VCVTSI2SS:
	case X86_INS_XOR:
		return true;
	default:
		return false;
	}
}

bool x86_has_no_size(unsigned int id)
{
	switch (id) {
	case X86_INS_FXRSTOR:
	case X86_INS_FXRSTOR64:
	case X86_INS_FXSAVE:
	case X86_INS_FXSAVE64:
	case X86_INS_LGDT:
	case X86_INS_LIDT:
	case X86_INS_SGDT:
	case X86_INS_SIDT:
	case X86_INS_XRSTOR:
	case X86_INS_XRSTOR64:
	case X86_INS_XSAVE:
	case X86_INS_XSAVE64:
	case X86_INS_XSAVEC:
	case X86_INS_XSAVEC64:
	case X86_INS_XSAVEOPT:
	case X86_INS_XSAVEOPT64:
	case X86_INS_XSAVES:
	case X86_INS_XSAVES64:
		return true;
	default:
		return false;
	}
}

/* "cmpltps" is "cmpps" with a predicate, and has its immediate no more. */
bool x86_has_predicate(const char *mnemonic, unsigned int id)
{
	switch (id) {
	case X86_INS_CMPPS:
		return strcmp(mnemonic, "cmpps") != 0;
	case X86_INS_CMPPD:
		return strcmp(mnemonic, "cmppd") != 0;
	case X86_INS_CMPSS:
		return strcmp(mnemonic, "cmpss") != 0;
	case X86_INS_CMPSD:
		return strcmp(mnemonic, "cmpsd") != 0;
	case X86_INS_VCMPPS:
	case X86_INS_VCMPPD:
	case X86_INS_VCMPSS:
	case X86_INS_VCMPSD:
		return strlen(mnemonic) > strlen("vcmpps");
	default:
		return false;
	}
}

bool x86_is_general(unsigned int reg)
{
	switch (reg) {
	case X86_REG_CS:
	case X86_REG_DS:
	case X86_REG_ES:
	case X86_REG_FS:
	case X86_REG_GS:
	case X86_REG_SS:
		return true;
	default:
		return (reg >= X86_REG_AH && reg <= X86_REG_SPL) ||
		       (reg >= X86_REG_R8 && reg <= X86_REG_R15) ||
		       (reg >= X86_REG_R8B && reg <= X86_REG_R15W);
	}
}

u8 x86_memory_size(unsigned int id, u8 size)
{
	switch (id) {
	case X86_INS_INVLPG:
		return 1;
	case X86_INS_COMISD:
	case X86_INS_UCOMISD:
	case X86_INS_VCOMISD:
	case X86_INS_VUCOMISD:
		return 8;
	case X86_INS_COMISS:
	case X86_INS_UCOMISS:
	case X86_INS_VCOMISS:
	case X86_INS_VUCOMISS:
		return 4;
	default:
		return size;
	}
}

bool x86_is_vector(unsigned int reg)
{
	return reg >= X86_REG_XMM0 && reg <= X86_REG_ZMM31;
}

/* ------------------------------------------------------------------ x87 */

/* On memory, by opcode and the register field of ModRM; the last letters are AT&T's. */
static const char *const x87_memory[8][8] = {
	{ "fadd+s", "fmul+s", "fcom+s", "fcomp+s", "fsub+s", "fsubr+s", "fdiv+s", "fdivr+s" },
	{ "fld+s", NULL, "fst+s", "fstp+s", "fldenv", "fldcw", "fnstenv", "fnstcw" },
	{ "fiadd+l", "fimul+l", "ficom+l", "ficomp+l", "fisub+l", "fisubr+l", "fidiv+l",
	  "fidivr+l" },
	{ "fild+l", "fisttp+l", "fist+l", "fistp+l", NULL, "fld+t", NULL, "fstp+t" },
	{ "fadd+l", "fmul+l", "fcom+l", "fcomp+l", "fsub+l", "fsubr+l", "fdiv+l", "fdivr+l" },
	{ "fld+l", "fisttp+ll", "fst+l", "fstp+l", "frstor", NULL, "fnsave", "fnstsw" },
	{ "fiadd+s", "fimul+s", "ficom+s", "ficomp+s", "fisub+s", "fisubr+s", "fidiv+s",
	  "fidivr+s" },
	{ "fild+s", "fisttp+s", "fist+s", "fistp+s", "fbld", "fild+ll", "fbstp", "fistp+ll" },
};

/*
 * On registers: AT&T's name, Intel's behind ':' where it is another (AT&T's assembler once had
 * these the wrong way round, and everybody kept it). '>': %st(i),%st; '<': %st,%st(i); '.': %st(i).
 */
static const char *const x87_registers[8][8] = {
	{ ">fadd", ">fmul", ".fcom", ".fcomp", ">fsub", ">fsubr", ">fdiv", ">fdivr" },
	{ ".fld", ".fxch" },
	{ ">fcmovb", ">fcmove", ">fcmovbe", ">fcmovu" },
	{ ">fcmovnb", ">fcmovne", ">fcmovnbe", ">fcmovnu", NULL, ">fucomi", ">fcomi" },
	{ "<fadd", "<fmul", ".fcom2", ".fcomp3", "<fsub:fsubr", "<fsubr:fsub", "<fdiv:fdivr",
	  "<fdivr:fdiv" },
	{ ".ffree", NULL, ".fst", ".fstp", ".fucom", ".fucomp" },
	{ "<faddp", "<fmulp", NULL, NULL, "<fsubp:fsubrp", "<fsubrp:fsubp", "<fdivp:fdivrp",
	  "<fdivrp:fdivp" },
	{ ".ffreep", NULL, NULL, NULL, NULL, ">fucomip", ">fcomip" },
};

/* Bytes of memory by AT&T's letters: integers in da, db, de, df. */
static u8 x87_size(u8 op, const char *letters)
{
	bool integer = op & 2;

	if (!strcmp(letters, "t"))
		return 10;
	if (!strcmp(letters, "ll"))
		return 8;
	if (!strcmp(letters, "l"))
		return integer ? 4 : 8;
	return integer ? 2 : 4;
}

static bool find_memory(u8 op, u8 modrm, bool intel, struct x87_name *out)
{
	const char *entry = x87_memory[op & 7][modrm >> 3 & 7];
	const char *plus = entry ? strchr(entry, '+') : NULL;

	if (!entry)
		return false;
	if (!plus) {
		/* words of control and status have a size, what is saved has none */
		out->size = strstr(entry, "cw") || strstr(entry, "sw") ? 2 : 0;
		snprintf(out->text, sizeof(out->text), "%s", entry);
		return true;
	}
	/* fisttpll of dd is an integer, though the other numbers there are none */
	out->size = op == 0xdd && entry[1] == 'i'
			    ? 8
			    : x87_size(op == 0xdb && plus[1] == 't' ? 0 : op, plus + 1);
	snprintf(out->text, sizeof(out->text), "%.*s%s", (int)(plus - entry), entry,
		 intel ? "" : plus + 1);
	return true;
}

static bool find_register(u8 op, u8 modrm, bool intel, struct x87_name *out)
{
	const char *entry = x87_registers[op & 7][modrm >> 3 & 7];
	const char *colon = entry ? strchr(entry, ':') : NULL;

	if (!entry)
		return false;
	out->operands = *entry == '>' ? X87_REG_TOP : *entry == '<' ? X87_TOP_REG : X87_REG;
	if (intel && colon)
		snprintf(out->text, sizeof(out->text), "%s", colon + 1);
	else
		snprintf(out->text, sizeof(out->text), "%.*s",
			 (int)(colon ? (size_t)(colon - entry - 1) : strlen(entry + 1)), entry + 1);
	return true;
}

bool x87_find(u8 op, u8 modrm, bool intel, struct x87_name *out)
{
	*out = (struct x87_name){ .operands = X87_NONE };
	return modrm < 0xc0 ? find_memory(op, modrm, intel, out)
			    : find_register(op, modrm, intel, out);
}
#endif
