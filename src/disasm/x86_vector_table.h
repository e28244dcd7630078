/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions of x86_vector.c: V(name, map, prefix, W, opcode, extension of the opcode or -1,
 * form, memory). Names end with what W chooses where W is ANY and the name has a '|': "vpand|d|q".
 */
#ifndef DISASM_X86_VECTOR_TABLE_H
#define DISASM_X86_VECTOR_TABLE_H

enum { NP, P66, PF3, PF2 };
enum { W0, W1, ANY };

/* Operands in Intel's order. R: register of ModRM; V: of the prefix; M: register or memory. */
enum form {
	RVM,
	RM,
	MR,
	RVMI,
	RMI,
	VMI,
	MRI,
	KVM, /* the result is a mask */
	KVMI, /* and the immediate is a predicate, a part of the name */
	KM, /* mask of a register */
	RK, /* register of a mask */
	RG, /* of a general register */
	RMV, /* two registers and no memory: its half */
	RVMX, /* M is an xmm register: how far to shift */
};

/* What lies in memory, by which displacements of a byte are scaled. */
enum memory {
	FULL, /* the whole vector */
	FULL32, /* the same, or one element for all */
	FULL64,
	FULLW, /* the element's size by W */
	HALF,
	QUARTER,
	EIGHTH,
	B1,
	B2,
	B4,
	B8,
	B16,
	B32,
	BW, /* 4 or 8 bytes, by W */
};

struct vector_insn {
	const char *name;
	u8 map, prefix, w, op;
	s8 ext;
	u8 form, memory;
};

#define V(name, map, prefix, w, op, ext, form, memory)                                             \
	{ name, map, prefix, w, 0x##op, ext, form, memory },

/* clang-format off */
static const struct vector_insn vector_insns[] = {
	/* moves */
	V("vmovdqa|32|64", 1, P66, ANY, 6f, -1, RM, FULL) V("vmovdqa|32|64", 1, P66, ANY, 7f, -1, MR, FULL)
	V("vmovdqu|32|64", 1, PF3, ANY, 6f, -1, RM, FULL) V("vmovdqu|32|64", 1, PF3, ANY, 7f, -1, MR, FULL)
	V("vmovdqu|8|16", 1, PF2, ANY, 6f, -1, RM, FULL) V("vmovdqu|8|16", 1, PF2, ANY, 7f, -1, MR, FULL)
	V("vmovups", 1, NP, W0, 10, -1, RM, FULL) V("vmovups", 1, NP, W0, 11, -1, MR, FULL)
	V("vmovupd", 1, P66, W1, 10, -1, RM, FULL) V("vmovupd", 1, P66, W1, 11, -1, MR, FULL)
	V("vmovaps", 1, NP, W0, 28, -1, RM, FULL) V("vmovaps", 1, NP, W0, 29, -1, MR, FULL)
	V("vmovapd", 1, P66, W1, 28, -1, RM, FULL) V("vmovapd", 1, P66, W1, 29, -1, MR, FULL)
	V("vmovntps", 1, NP, W0, 2b, -1, MR, FULL) V("vmovntpd", 1, P66, W1, 2b, -1, MR, FULL)
	V("vmovntdq", 1, P66, W0, e7, -1, MR, FULL) V("vmovntdqa", 2, P66, W0, 2a, -1, RM, FULL)
	V("vmovq", 1, PF3, W1, 7e, -1, RM, B8) V("vmovq", 1, P66, W1, d6, -1, MR, B8)
	/* integers */
	V("vpunpcklbw", 1, P66, ANY, 60, -1, RVM, FULL) V("vpunpcklwd", 1, P66, ANY, 61, -1, RVM, FULL)
	V("vpunpckldq", 1, P66, W0, 62, -1, RVM, FULL32) V("vpacksswb", 1, P66, ANY, 63, -1, RVM, FULL)
	V("vpcmpgtb", 1, P66, ANY, 64, -1, KVM, FULL) V("vpcmpgtw", 1, P66, ANY, 65, -1, KVM, FULL)
	V("vpcmpgtd", 1, P66, W0, 66, -1, KVM, FULL32) V("vpackuswb", 1, P66, ANY, 67, -1, RVM, FULL)
	V("vpunpckhbw", 1, P66, ANY, 68, -1, RVM, FULL) V("vpunpckhwd", 1, P66, ANY, 69, -1, RVM, FULL)
	V("vpunpckhdq", 1, P66, W0, 6a, -1, RVM, FULL32) V("vpackssdw", 1, P66, W0, 6b, -1, RVM, FULL32)
	V("vpunpcklqdq", 1, P66, W1, 6c, -1, RVM, FULL64) V("vpunpckhqdq", 1, P66, W1, 6d, -1, RVM, FULL64)
	V("vpshufd", 1, P66, W0, 70, -1, RMI, FULL32) V("vpshufhw", 1, PF3, ANY, 70, -1, RMI, FULL)
	V("vpshuflw", 1, PF2, ANY, 70, -1, RMI, FULL)
	V("vpsrlw", 1, P66, ANY, 71, 2, VMI, FULL) V("vpsraw", 1, P66, ANY, 71, 4, VMI, FULL)
	V("vpsllw", 1, P66, ANY, 71, 6, VMI, FULL)
	V("vpror|d|q", 1, P66, ANY, 72, 0, VMI, FULLW) V("vprol|d|q", 1, P66, ANY, 72, 1, VMI, FULLW)
	V("vpsrld", 1, P66, W0, 72, 2, VMI, FULL32) V("vpsra|d|q", 1, P66, ANY, 72, 4, VMI, FULLW)
	V("vpslld", 1, P66, W0, 72, 6, VMI, FULL32)
	V("vpsrlq", 1, P66, W1, 73, 2, VMI, FULL64) V("vpsrldq", 1, P66, ANY, 73, 3, VMI, FULL)
	V("vpsllq", 1, P66, W1, 73, 6, VMI, FULL64) V("vpslldq", 1, P66, ANY, 73, 7, VMI, FULL)
	V("vpcmpeqb", 1, P66, ANY, 74, -1, KVM, FULL) V("vpcmpeqw", 1, P66, ANY, 75, -1, KVM, FULL)
	V("vpcmpeqd", 1, P66, W0, 76, -1, KVM, FULL32)
	V("vpsrlw", 1, P66, ANY, d1, -1, RVMX, B16) V("vpsrld", 1, P66, W0, d2, -1, RVMX, B16)
	V("vpsrlq", 1, P66, W1, d3, -1, RVMX, B16) V("vpaddq", 1, P66, W1, d4, -1, RVM, FULL64)
	V("vpmullw", 1, P66, ANY, d5, -1, RVM, FULL) V("vpsubusb", 1, P66, ANY, d8, -1, RVM, FULL)
	V("vpsubusw", 1, P66, ANY, d9, -1, RVM, FULL) V("vpminub", 1, P66, ANY, da, -1, RVM, FULL)
	V("vpand|d|q", 1, P66, ANY, db, -1, RVM, FULLW) V("vpaddusb", 1, P66, ANY, dc, -1, RVM, FULL)
	V("vpaddusw", 1, P66, ANY, dd, -1, RVM, FULL) V("vpmaxub", 1, P66, ANY, de, -1, RVM, FULL)
	V("vpandn|d|q", 1, P66, ANY, df, -1, RVM, FULLW) V("vpavgb", 1, P66, ANY, e0, -1, RVM, FULL)
	V("vpsraw", 1, P66, ANY, e1, -1, RVMX, B16) V("vpsra|d|q", 1, P66, ANY, e2, -1, RVMX, B16)
	V("vpavgw", 1, P66, ANY, e3, -1, RVM, FULL) V("vpmulhuw", 1, P66, ANY, e4, -1, RVM, FULL)
	V("vpmulhw", 1, P66, ANY, e5, -1, RVM, FULL) V("vpsubsb", 1, P66, ANY, e8, -1, RVM, FULL)
	V("vpsubsw", 1, P66, ANY, e9, -1, RVM, FULL) V("vpminsw", 1, P66, ANY, ea, -1, RVM, FULL)
	V("vpor|d|q", 1, P66, ANY, eb, -1, RVM, FULLW) V("vpaddsb", 1, P66, ANY, ec, -1, RVM, FULL)
	V("vpaddsw", 1, P66, ANY, ed, -1, RVM, FULL) V("vpmaxsw", 1, P66, ANY, ee, -1, RVM, FULL)
	V("vpxor|d|q", 1, P66, ANY, ef, -1, RVM, FULLW)
	V("vpsllw", 1, P66, ANY, f1, -1, RVMX, B16) V("vpslld", 1, P66, W0, f2, -1, RVMX, B16)
	V("vpsllq", 1, P66, W1, f3, -1, RVMX, B16) V("vpmuludq", 1, P66, W1, f4, -1, RVM, FULL64)
	V("vpmaddwd", 1, P66, ANY, f5, -1, RVM, FULL) V("vpsadbw", 1, P66, ANY, f6, -1, RVM, FULL)
	V("vpsubb", 1, P66, ANY, f8, -1, RVM, FULL) V("vpsubw", 1, P66, ANY, f9, -1, RVM, FULL)
	V("vpsubd", 1, P66, W0, fa, -1, RVM, FULL32) V("vpsubq", 1, P66, W1, fb, -1, RVM, FULL64)
	V("vpaddb", 1, P66, ANY, fc, -1, RVM, FULL) V("vpaddw", 1, P66, ANY, fd, -1, RVM, FULL)
	V("vpaddd", 1, P66, W0, fe, -1, RVM, FULL32)
	V("vpshufb", 2, P66, ANY, 00, -1, RVM, FULL) V("vpmaddubsw", 2, P66, ANY, 04, -1, RVM, FULL)
	V("vpmulhrsw", 2, P66, ANY, 0b, -1, RVM, FULL)
	V("vpsrlvw", 2, P66, W1, 10, -1, RVM, FULL) V("vpsravw", 2, P66, W1, 11, -1, RVM, FULL)
	V("vpsllvw", 2, P66, W1, 12, -1, RVM, FULL)
	V("vprorv|d|q", 2, P66, ANY, 14, -1, RVM, FULLW) V("vprolv|d|q", 2, P66, ANY, 15, -1, RVM, FULLW)
	V("vpabsb", 2, P66, ANY, 1c, -1, RM, FULL) V("vpabsw", 2, P66, ANY, 1d, -1, RM, FULL)
	V("vpabsd", 2, P66, W0, 1e, -1, RM, FULL32) V("vpabsq", 2, P66, W1, 1f, -1, RM, FULL64)
	V("vpmovsxbw", 2, P66, ANY, 20, -1, RM, HALF) V("vpmovsxbd", 2, P66, ANY, 21, -1, RM, QUARTER)
	V("vpmovsxbq", 2, P66, ANY, 22, -1, RM, EIGHTH) V("vpmovsxwd", 2, P66, ANY, 23, -1, RM, HALF)
	V("vpmovsxwq", 2, P66, ANY, 24, -1, RM, QUARTER) V("vpmovsxdq", 2, P66, W0, 25, -1, RM, HALF)
	V("vpmovzxbw", 2, P66, ANY, 30, -1, RM, HALF) V("vpmovzxbd", 2, P66, ANY, 31, -1, RM, QUARTER)
	V("vpmovzxbq", 2, P66, ANY, 32, -1, RM, EIGHTH) V("vpmovzxwd", 2, P66, ANY, 33, -1, RM, HALF)
	V("vpmovzxwq", 2, P66, ANY, 34, -1, RM, QUARTER) V("vpmovzxdq", 2, P66, W0, 35, -1, RM, HALF)
	V("vptestm|b|w", 2, P66, ANY, 26, -1, KVM, FULL) V("vptestm|d|q", 2, P66, ANY, 27, -1, KVM, FULLW)
	V("vptestnm|b|w", 2, PF3, ANY, 26, -1, KVM, FULL) V("vptestnm|d|q", 2, PF3, ANY, 27, -1, KVM, FULLW)
	V("vpmuldq", 2, P66, W1, 28, -1, RVM, FULL64) V("vpcmpeqq", 2, P66, W1, 29, -1, KVM, FULL64)
	V("vpmovm2|b|w", 2, PF3, ANY, 28, -1, RK, FULL) V("vpmovm2|d|q", 2, PF3, ANY, 38, -1, RK, FULL)
	V("vpmov|b2m|w2m", 2, PF3, ANY, 29, -1, KM, FULL) V("vpmov|d2m|q2m", 2, PF3, ANY, 39, -1, KM, FULL)
	V("vpackusdw", 2, P66, W0, 2b, -1, RVM, FULL32) V("vperm|d|q", 2, P66, ANY, 36, -1, RVM, FULLW)
	V("vpcmpgtq", 2, P66, W1, 37, -1, KVM, FULL64)
	V("vpminsb", 2, P66, ANY, 38, -1, RVM, FULL) V("vpmins|d|q", 2, P66, ANY, 39, -1, RVM, FULLW)
	V("vpminuw", 2, P66, ANY, 3a, -1, RVM, FULL) V("vpminu|d|q", 2, P66, ANY, 3b, -1, RVM, FULLW)
	V("vpmaxsb", 2, P66, ANY, 3c, -1, RVM, FULL) V("vpmaxs|d|q", 2, P66, ANY, 3d, -1, RVM, FULLW)
	V("vpmaxuw", 2, P66, ANY, 3e, -1, RVM, FULL) V("vpmaxu|d|q", 2, P66, ANY, 3f, -1, RVM, FULLW)
	V("vpmull|d|q", 2, P66, ANY, 40, -1, RVM, FULLW) V("vplzcnt|d|q", 2, P66, ANY, 44, -1, RM, FULLW)
	V("vpsrlv|d|q", 2, P66, ANY, 45, -1, RVM, FULLW) V("vpsrav|d|q", 2, P66, ANY, 46, -1, RVM, FULLW)
	V("vpsllv|d|q", 2, P66, ANY, 47, -1, RVM, FULLW)
	V("vpdpbusd", 2, P66, W0, 50, -1, RVM, FULL32) V("vpdpbusds", 2, P66, W0, 51, -1, RVM, FULL32)
	V("vpdpwssd", 2, P66, W0, 52, -1, RVM, FULL32) V("vpdpwssds", 2, P66, W0, 53, -1, RVM, FULL32)
	V("vpopcnt|b|w", 2, P66, ANY, 54, -1, RM, FULL) V("vpopcnt|d|q", 2, P66, ANY, 55, -1, RM, FULLW)
	V("vpbroadcastd", 2, P66, W0, 58, -1, RMV, B4) V("vpbroadcastq", 2, P66, W1, 59, -1, RMV, B8)
	V("vbroadcasti32x2", 2, P66, W0, 59, -1, RMV, B8) V("vbroadcasti|32x4|64x2", 2, P66, ANY, 5a, -1, RM, B16)
	V("vbroadcasti|32x8|64x4", 2, P66, ANY, 5b, -1, RM, B32)
	V("vpblendm|d|q", 2, P66, ANY, 64, -1, RVM, FULLW) V("vpblendm|b|w", 2, P66, ANY, 66, -1, RVM, FULL)
	V("vpermi2|b|w", 2, P66, ANY, 75, -1, RVM, FULL) V("vpermi2|d|q", 2, P66, ANY, 76, -1, RVM, FULLW)
	V("vpbroadcastb", 2, P66, W0, 78, -1, RMV, B1) V("vpbroadcastw", 2, P66, W0, 79, -1, RMV, B2)
	V("vpbroadcastb", 2, P66, W0, 7a, -1, RG, B4) V("vpbroadcastw", 2, P66, W0, 7b, -1, RG, B4)
	V("vpbroadcast|d|q", 2, P66, ANY, 7c, -1, RG, BW)
	V("vpermt2|b|w", 2, P66, ANY, 7d, -1, RVM, FULL) V("vpermt2|d|q", 2, P66, ANY, 7e, -1, RVM, FULLW)
	V("vperm|b|w", 2, P66, ANY, 8d, -1, RVM, FULL) V("vpmultishiftqb", 2, P66, W1, 83, -1, RVM, FULL64)
	V("vpconflict|d|q", 2, P66, ANY, c4, -1, RM, FULLW) V("vgf2p8mulb", 2, P66, W0, cf, -1, RVM, FULL)
	V("vpmovwb", 2, PF3, W0, 30, -1, MR, HALF) V("vpmovdb", 2, PF3, W0, 31, -1, MR, QUARTER)
	V("vpmovqb", 2, PF3, W0, 32, -1, MR, EIGHTH) V("vpmovdw", 2, PF3, W0, 33, -1, MR, HALF)
	V("vpmovqw", 2, PF3, W0, 34, -1, MR, QUARTER) V("vpmovqd", 2, PF3, W0, 35, -1, MR, HALF)
	V("vpmovswb", 2, PF3, W0, 20, -1, MR, HALF) V("vpmovsdb", 2, PF3, W0, 21, -1, MR, QUARTER)
	V("vpmovsqb", 2, PF3, W0, 22, -1, MR, EIGHTH) V("vpmovsdw", 2, PF3, W0, 23, -1, MR, HALF)
	V("vpmovsqw", 2, PF3, W0, 24, -1, MR, QUARTER) V("vpmovsqd", 2, PF3, W0, 25, -1, MR, HALF)
	V("vpmovuswb", 2, PF3, W0, 10, -1, MR, HALF) V("vpmovusdb", 2, PF3, W0, 11, -1, MR, QUARTER)
	V("vpmovusqb", 2, PF3, W0, 12, -1, MR, EIGHTH) V("vpmovusdw", 2, PF3, W0, 13, -1, MR, HALF)
	V("vpmovusqw", 2, PF3, W0, 14, -1, MR, QUARTER) V("vpmovusqd", 2, PF3, W0, 15, -1, MR, HALF)
	V("vpermq", 3, P66, W1, 00, -1, RMI, FULL64) V("valign|d|q", 3, P66, ANY, 03, -1, RVMI, FULLW)
	V("vpalignr", 3, P66, ANY, 0f, -1, RVMI, FULL)
	V("vpcmpu|d|q", 3, P66, ANY, 1e, -1, KVMI, FULLW) V("vpcmp|d|q", 3, P66, ANY, 1f, -1, KVMI, FULLW)
	V("vpcmpu|b|w", 3, P66, ANY, 3e, -1, KVMI, FULL) V("vpcmp|b|w", 3, P66, ANY, 3f, -1, KVMI, FULL)
	V("vpternlog|d|q", 3, P66, ANY, 25, -1, RVMI, FULLW)
	V("vinserti|32x4|64x2", 3, P66, ANY, 38, -1, RVMI, B16) V("vinserti|32x8|64x4", 3, P66, ANY, 3a, -1, RVMI, B32)
	V("vextracti|32x4|64x2", 3, P66, ANY, 39, -1, MRI, B16) V("vextracti|32x8|64x4", 3, P66, ANY, 3b, -1, MRI, B32)
	V("vshufi|32x4|64x2", 3, P66, ANY, 43, -1, RVMI, FULLW) V("vdbpsadbw", 3, P66, W0, 42, -1, RVMI, FULL)
	V("vpshldw", 3, P66, W1, 70, -1, RVMI, FULL) V("vpshld|d|q", 3, P66, ANY, 71, -1, RVMI, FULLW)
	V("vpshrdw", 3, P66, W1, 72, -1, RVMI, FULL) V("vpshrd|d|q", 3, P66, ANY, 73, -1, RVMI, FULLW)
	V("vgf2p8affineqb", 3, P66, W1, ce, -1, RVMI, FULL64)
	/* floating point */
	V("vaddps", 1, NP, W0, 58, -1, RVM, FULL32) V("vaddpd", 1, P66, W1, 58, -1, RVM, FULL64)
	V("vmulps", 1, NP, W0, 59, -1, RVM, FULL32) V("vmulpd", 1, P66, W1, 59, -1, RVM, FULL64)
	V("vsubps", 1, NP, W0, 5c, -1, RVM, FULL32) V("vsubpd", 1, P66, W1, 5c, -1, RVM, FULL64)
	V("vminps", 1, NP, W0, 5d, -1, RVM, FULL32) V("vminpd", 1, P66, W1, 5d, -1, RVM, FULL64)
	V("vdivps", 1, NP, W0, 5e, -1, RVM, FULL32) V("vdivpd", 1, P66, W1, 5e, -1, RVM, FULL64)
	V("vmaxps", 1, NP, W0, 5f, -1, RVM, FULL32) V("vmaxpd", 1, P66, W1, 5f, -1, RVM, FULL64)
	V("vsqrtps", 1, NP, W0, 51, -1, RM, FULL32) V("vsqrtpd", 1, P66, W1, 51, -1, RM, FULL64)
	V("vandps", 1, NP, W0, 54, -1, RVM, FULL32) V("vandpd", 1, P66, W1, 54, -1, RVM, FULL64)
	V("vandnps", 1, NP, W0, 55, -1, RVM, FULL32) V("vandnpd", 1, P66, W1, 55, -1, RVM, FULL64)
	V("vorps", 1, NP, W0, 56, -1, RVM, FULL32) V("vorpd", 1, P66, W1, 56, -1, RVM, FULL64)
	V("vxorps", 1, NP, W0, 57, -1, RVM, FULL32) V("vxorpd", 1, P66, W1, 57, -1, RVM, FULL64)
	V("vunpcklps", 1, NP, W0, 14, -1, RVM, FULL32) V("vunpcklpd", 1, P66, W1, 14, -1, RVM, FULL64)
	V("vunpckhps", 1, NP, W0, 15, -1, RVM, FULL32) V("vunpckhpd", 1, P66, W1, 15, -1, RVM, FULL64)
	V("vshufps", 1, NP, W0, c6, -1, RVMI, FULL32) V("vshufpd", 1, P66, W1, c6, -1, RVMI, FULL64)
	V("vperm|ps|pd", 2, P66, ANY, 16, -1, RVM, FULLW) V("vbroadcastss", 2, P66, W0, 18, -1, RMV, B4)
	V("vbroadcastsd", 2, P66, W1, 19, -1, RMV, B8) V("vbroadcastf32x2", 2, P66, W0, 19, -1, RMV, B8)
	V("vbroadcastf|32x4|64x2", 2, P66, ANY, 1a, -1, RM, B16) V("vbroadcastf|32x8|64x4", 2, P66, ANY, 1b, -1, RM, B32)
	V("vblendm|ps|pd", 2, P66, ANY, 65, -1, RVM, FULLW) V("vpermt2|ps|pd", 2, P66, ANY, 7f, -1, RVM, FULLW)
	V("vpermi2|ps|pd", 2, P66, ANY, 77, -1, RVM, FULLW)
	V("vfmadd132|ps|pd", 2, P66, ANY, 98, -1, RVM, FULLW) V("vfmadd213|ps|pd", 2, P66, ANY, a8, -1, RVM, FULLW)
	V("vfmadd231|ps|pd", 2, P66, ANY, b8, -1, RVM, FULLW) V("vfnmadd132|ps|pd", 2, P66, ANY, 9c, -1, RVM, FULLW)
	V("vfnmadd213|ps|pd", 2, P66, ANY, ac, -1, RVM, FULLW) V("vfnmadd231|ps|pd", 2, P66, ANY, bc, -1, RVM, FULLW)
	V("vpermpd", 3, P66, W1, 01, -1, RMI, FULL64)
	V("vpermilps", 3, P66, W0, 04, -1, RMI, FULL32) V("vpermilpd", 3, P66, W1, 05, -1, RMI, FULL64)
	V("vinsertf|32x4|64x2", 3, P66, ANY, 18, -1, RVMI, B16) V("vinsertf|32x8|64x4", 3, P66, ANY, 1a, -1, RVMI, B32)
	V("vextractf|32x4|64x2", 3, P66, ANY, 19, -1, MRI, B16) V("vextractf|32x8|64x4", 3, P66, ANY, 1b, -1, MRI, B32)
	V("vcvtqq2pd", 1, PF3, W1, e6, -1, RM, FULL64) V("vcvtpd2qq", 1, P66, W1, 7b, -1, RM, FULL64)
	V("vshuff|32x4|64x2", 3, P66, ANY, 23, -1, RVMI, FULLW)
};

/* Of VEX, on masks of AVX-512: the letter that follows, by prefix and W. */
enum mask_form { K_K, K_KK, K_MEM, MEM_K, K_REG, REG_K, K_KI };
static const struct mask_insn {
	const char *name;
	u8 map, op, length, form;
} mask_insns[] = {
	{ "kmov", 1, 0x90, 0, K_MEM }, { "kmov", 1, 0x91, 0, MEM_K }, { "kmov", 1, 0x92, 0, K_REG },
	{ "kmov", 1, 0x93, 0, REG_K }, { "kand", 1, 0x41, 1, K_KK }, { "kandn", 1, 0x42, 1, K_KK },
	{ "knot", 1, 0x44, 0, K_K }, { "kor", 1, 0x45, 1, K_KK }, { "kxnor", 1, 0x46, 1, K_KK },
	{ "kxor", 1, 0x47, 1, K_KK }, { "kadd", 1, 0x4a, 1, K_KK }, { "kunpck", 1, 0x4b, 1, K_KK },
	{ "kortest", 1, 0x98, 0, K_K }, { "ktest", 1, 0x99, 0, K_K }, { "kshiftr", 3, 0x30, 0, K_KI },
	{ "kshiftr", 3, 0x31, 0, K_KI }, { "kshiftl", 3, 0x32, 0, K_KI }, { "kshiftl", 3, 0x33, 0, K_KI },
};

/* Of which all bytes are known. */
static const struct fixed_insn {
	const char *bytes, *name;
	u8 len;
} fixed_insns[] = {
	{ "\x0f\x01\xee", "rdpkru", 3 }, { "\x0f\x01\xef", "wrpkru", 3 }, { "\x0f\x01\xe8", "serialize", 3 },
	{ "\xf3\x0f\x01\xea", "saveprevssp", 4 }, { "\xf3\x0f\x01\xe8", "setssbsy", 4 },
	{ "\xf2\x0f\x01\xe8", "xsusldtrk", 4 }, { "\xf2\x0f\x01\xe9", "xresldtrk", 4 },
	{ "\xf3\x0f\x09", "wbnoinvd", 3 }, { "\x0f\x01\xfd", "rdpru", 3 }, { "\x0f\x01\xfc", "clzero", 3 },
	{ "\x0f\x01\xc5", "pconfig", 3 }, { "\x0f\x01\xcf", "encls", 3 }, { "\x0f\x01\xd7", "enclu", 3 },
};
/* clang-format on */

#endif
