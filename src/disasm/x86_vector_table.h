/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions of x86_vector.c: name, map, prefix, W, opcode, extension of the opcode or -1,
 * form, memory. Names end with what W chooses where W is ANY and the name has a '|': "vpand|d|q".
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
	char name[25]; /* no pointer: the loader would write to each row when perf starts */
	u8 map, prefix, w, op;
	s8 ext;
	u8 form, memory;
};

/* clang-format off */
static const struct vector_insn vector_insns[] = {
	/* moves */
	{ "vmovdqa|32|64", 1, P66, ANY, 0x6f, -1, RM, FULL }, { "vmovdqa|32|64", 1, P66, ANY, 0x7f, -1, MR, FULL },
	{ "vmovdqu|32|64", 1, PF3, ANY, 0x6f, -1, RM, FULL }, { "vmovdqu|32|64", 1, PF3, ANY, 0x7f, -1, MR, FULL },
	{ "vmovdqu|8|16", 1, PF2, ANY, 0x6f, -1, RM, FULL }, { "vmovdqu|8|16", 1, PF2, ANY, 0x7f, -1, MR, FULL },
	{ "vmovups", 1, NP, W0, 0x10, -1, RM, FULL }, { "vmovups", 1, NP, W0, 0x11, -1, MR, FULL },
	{ "vmovupd", 1, P66, W1, 0x10, -1, RM, FULL }, { "vmovupd", 1, P66, W1, 0x11, -1, MR, FULL },
	{ "vmovaps", 1, NP, W0, 0x28, -1, RM, FULL }, { "vmovaps", 1, NP, W0, 0x29, -1, MR, FULL },
	{ "vmovapd", 1, P66, W1, 0x28, -1, RM, FULL }, { "vmovapd", 1, P66, W1, 0x29, -1, MR, FULL },
	{ "vmovntps", 1, NP, W0, 0x2b, -1, MR, FULL }, { "vmovntpd", 1, P66, W1, 0x2b, -1, MR, FULL },
	{ "vmovntdq", 1, P66, W0, 0xe7, -1, MR, FULL }, { "vmovntdqa", 2, P66, W0, 0x2a, -1, RM, FULL },
	{ "vmovq", 1, PF3, W1, 0x7e, -1, RM, B8 }, { "vmovq", 1, P66, W1, 0xd6, -1, MR, B8 },
	/* integers */
	{ "vpunpcklbw", 1, P66, ANY, 0x60, -1, RVM, FULL }, { "vpunpcklwd", 1, P66, ANY, 0x61, -1, RVM, FULL },
	{ "vpunpckldq", 1, P66, W0, 0x62, -1, RVM, FULL32 }, { "vpacksswb", 1, P66, ANY, 0x63, -1, RVM, FULL },
	{ "vpcmpgtb", 1, P66, ANY, 0x64, -1, KVM, FULL }, { "vpcmpgtw", 1, P66, ANY, 0x65, -1, KVM, FULL },
	{ "vpcmpgtd", 1, P66, W0, 0x66, -1, KVM, FULL32 }, { "vpackuswb", 1, P66, ANY, 0x67, -1, RVM, FULL },
	{ "vpunpckhbw", 1, P66, ANY, 0x68, -1, RVM, FULL }, { "vpunpckhwd", 1, P66, ANY, 0x69, -1, RVM, FULL },
	{ "vpunpckhdq", 1, P66, W0, 0x6a, -1, RVM, FULL32 }, { "vpackssdw", 1, P66, W0, 0x6b, -1, RVM, FULL32 },
	{ "vpunpcklqdq", 1, P66, W1, 0x6c, -1, RVM, FULL64 }, { "vpunpckhqdq", 1, P66, W1, 0x6d, -1, RVM, FULL64 },
	{ "vpshufd", 1, P66, W0, 0x70, -1, RMI, FULL32 }, { "vpshufhw", 1, PF3, ANY, 0x70, -1, RMI, FULL },
	{ "vpshuflw", 1, PF2, ANY, 0x70, -1, RMI, FULL },
	{ "vpsrlw", 1, P66, ANY, 0x71, 2, VMI, FULL }, { "vpsraw", 1, P66, ANY, 0x71, 4, VMI, FULL },
	{ "vpsllw", 1, P66, ANY, 0x71, 6, VMI, FULL },
	{ "vpror|d|q", 1, P66, ANY, 0x72, 0, VMI, FULLW }, { "vprol|d|q", 1, P66, ANY, 0x72, 1, VMI, FULLW },
	{ "vpsrld", 1, P66, W0, 0x72, 2, VMI, FULL32 }, { "vpsra|d|q", 1, P66, ANY, 0x72, 4, VMI, FULLW },
	{ "vpslld", 1, P66, W0, 0x72, 6, VMI, FULL32 },
	{ "vpsrlq", 1, P66, W1, 0x73, 2, VMI, FULL64 }, { "vpsrldq", 1, P66, ANY, 0x73, 3, VMI, FULL },
	{ "vpsllq", 1, P66, W1, 0x73, 6, VMI, FULL64 }, { "vpslldq", 1, P66, ANY, 0x73, 7, VMI, FULL },
	{ "vpcmpeqb", 1, P66, ANY, 0x74, -1, KVM, FULL }, { "vpcmpeqw", 1, P66, ANY, 0x75, -1, KVM, FULL },
	{ "vpcmpeqd", 1, P66, W0, 0x76, -1, KVM, FULL32 },
	{ "vpsrlw", 1, P66, ANY, 0xd1, -1, RVMX, B16 }, { "vpsrld", 1, P66, W0, 0xd2, -1, RVMX, B16 },
	{ "vpsrlq", 1, P66, W1, 0xd3, -1, RVMX, B16 }, { "vpaddq", 1, P66, W1, 0xd4, -1, RVM, FULL64 },
	{ "vpmullw", 1, P66, ANY, 0xd5, -1, RVM, FULL }, { "vpsubusb", 1, P66, ANY, 0xd8, -1, RVM, FULL },
	{ "vpsubusw", 1, P66, ANY, 0xd9, -1, RVM, FULL }, { "vpminub", 1, P66, ANY, 0xda, -1, RVM, FULL },
	{ "vpand|d|q", 1, P66, ANY, 0xdb, -1, RVM, FULLW }, { "vpaddusb", 1, P66, ANY, 0xdc, -1, RVM, FULL },
	{ "vpaddusw", 1, P66, ANY, 0xdd, -1, RVM, FULL }, { "vpmaxub", 1, P66, ANY, 0xde, -1, RVM, FULL },
	{ "vpandn|d|q", 1, P66, ANY, 0xdf, -1, RVM, FULLW }, { "vpavgb", 1, P66, ANY, 0xe0, -1, RVM, FULL },
	{ "vpsraw", 1, P66, ANY, 0xe1, -1, RVMX, B16 }, { "vpsra|d|q", 1, P66, ANY, 0xe2, -1, RVMX, B16 },
	{ "vpavgw", 1, P66, ANY, 0xe3, -1, RVM, FULL }, { "vpmulhuw", 1, P66, ANY, 0xe4, -1, RVM, FULL },
	{ "vpmulhw", 1, P66, ANY, 0xe5, -1, RVM, FULL }, { "vpsubsb", 1, P66, ANY, 0xe8, -1, RVM, FULL },
	{ "vpsubsw", 1, P66, ANY, 0xe9, -1, RVM, FULL }, { "vpminsw", 1, P66, ANY, 0xea, -1, RVM, FULL },
	{ "vpor|d|q", 1, P66, ANY, 0xeb, -1, RVM, FULLW }, { "vpaddsb", 1, P66, ANY, 0xec, -1, RVM, FULL },
	{ "vpaddsw", 1, P66, ANY, 0xed, -1, RVM, FULL }, { "vpmaxsw", 1, P66, ANY, 0xee, -1, RVM, FULL },
	{ "vpxor|d|q", 1, P66, ANY, 0xef, -1, RVM, FULLW },
	{ "vpsllw", 1, P66, ANY, 0xf1, -1, RVMX, B16 }, { "vpslld", 1, P66, W0, 0xf2, -1, RVMX, B16 },
	{ "vpsllq", 1, P66, W1, 0xf3, -1, RVMX, B16 }, { "vpmuludq", 1, P66, W1, 0xf4, -1, RVM, FULL64 },
	{ "vpmaddwd", 1, P66, ANY, 0xf5, -1, RVM, FULL }, { "vpsadbw", 1, P66, ANY, 0xf6, -1, RVM, FULL },
	{ "vpsubb", 1, P66, ANY, 0xf8, -1, RVM, FULL }, { "vpsubw", 1, P66, ANY, 0xf9, -1, RVM, FULL },
	{ "vpsubd", 1, P66, W0, 0xfa, -1, RVM, FULL32 }, { "vpsubq", 1, P66, W1, 0xfb, -1, RVM, FULL64 },
	{ "vpaddb", 1, P66, ANY, 0xfc, -1, RVM, FULL }, { "vpaddw", 1, P66, ANY, 0xfd, -1, RVM, FULL },
	{ "vpaddd", 1, P66, W0, 0xfe, -1, RVM, FULL32 },
	{ "vpshufb", 2, P66, ANY, 0x00, -1, RVM, FULL }, { "vpmaddubsw", 2, P66, ANY, 0x04, -1, RVM, FULL },
	{ "vpmulhrsw", 2, P66, ANY, 0x0b, -1, RVM, FULL },
	{ "vpsrlvw", 2, P66, W1, 0x10, -1, RVM, FULL }, { "vpsravw", 2, P66, W1, 0x11, -1, RVM, FULL },
	{ "vpsllvw", 2, P66, W1, 0x12, -1, RVM, FULL },
	{ "vprorv|d|q", 2, P66, ANY, 0x14, -1, RVM, FULLW }, { "vprolv|d|q", 2, P66, ANY, 0x15, -1, RVM, FULLW },
	{ "vpabsb", 2, P66, ANY, 0x1c, -1, RM, FULL }, { "vpabsw", 2, P66, ANY, 0x1d, -1, RM, FULL },
	{ "vpabsd", 2, P66, W0, 0x1e, -1, RM, FULL32 }, { "vpabsq", 2, P66, W1, 0x1f, -1, RM, FULL64 },
	{ "vpmovsxbw", 2, P66, ANY, 0x20, -1, RM, HALF }, { "vpmovsxbd", 2, P66, ANY, 0x21, -1, RM, QUARTER },
	{ "vpmovsxbq", 2, P66, ANY, 0x22, -1, RM, EIGHTH }, { "vpmovsxwd", 2, P66, ANY, 0x23, -1, RM, HALF },
	{ "vpmovsxwq", 2, P66, ANY, 0x24, -1, RM, QUARTER }, { "vpmovsxdq", 2, P66, W0, 0x25, -1, RM, HALF },
	{ "vpmovzxbw", 2, P66, ANY, 0x30, -1, RM, HALF }, { "vpmovzxbd", 2, P66, ANY, 0x31, -1, RM, QUARTER },
	{ "vpmovzxbq", 2, P66, ANY, 0x32, -1, RM, EIGHTH }, { "vpmovzxwd", 2, P66, ANY, 0x33, -1, RM, HALF },
	{ "vpmovzxwq", 2, P66, ANY, 0x34, -1, RM, QUARTER }, { "vpmovzxdq", 2, P66, W0, 0x35, -1, RM, HALF },
	{ "vptestm|b|w", 2, P66, ANY, 0x26, -1, KVM, FULL }, { "vptestm|d|q", 2, P66, ANY, 0x27, -1, KVM, FULLW },
	{ "vptestnm|b|w", 2, PF3, ANY, 0x26, -1, KVM, FULL }, { "vptestnm|d|q", 2, PF3, ANY, 0x27, -1, KVM, FULLW },
	{ "vpmuldq", 2, P66, W1, 0x28, -1, RVM, FULL64 }, { "vpcmpeqq", 2, P66, W1, 0x29, -1, KVM, FULL64 },
	{ "vpmovm2|b|w", 2, PF3, ANY, 0x28, -1, RK, FULL }, { "vpmovm2|d|q", 2, PF3, ANY, 0x38, -1, RK, FULL },
	{ "vpmov|b2m|w2m", 2, PF3, ANY, 0x29, -1, KM, FULL }, { "vpmov|d2m|q2m", 2, PF3, ANY, 0x39, -1, KM, FULL },
	{ "vpackusdw", 2, P66, W0, 0x2b, -1, RVM, FULL32 }, { "vperm|d|q", 2, P66, ANY, 0x36, -1, RVM, FULLW },
	{ "vpcmpgtq", 2, P66, W1, 0x37, -1, KVM, FULL64 },
	{ "vpminsb", 2, P66, ANY, 0x38, -1, RVM, FULL }, { "vpmins|d|q", 2, P66, ANY, 0x39, -1, RVM, FULLW },
	{ "vpminuw", 2, P66, ANY, 0x3a, -1, RVM, FULL }, { "vpminu|d|q", 2, P66, ANY, 0x3b, -1, RVM, FULLW },
	{ "vpmaxsb", 2, P66, ANY, 0x3c, -1, RVM, FULL }, { "vpmaxs|d|q", 2, P66, ANY, 0x3d, -1, RVM, FULLW },
	{ "vpmaxuw", 2, P66, ANY, 0x3e, -1, RVM, FULL }, { "vpmaxu|d|q", 2, P66, ANY, 0x3f, -1, RVM, FULLW },
	{ "vpmull|d|q", 2, P66, ANY, 0x40, -1, RVM, FULLW }, { "vplzcnt|d|q", 2, P66, ANY, 0x44, -1, RM, FULLW },
	{ "vpsrlv|d|q", 2, P66, ANY, 0x45, -1, RVM, FULLW }, { "vpsrav|d|q", 2, P66, ANY, 0x46, -1, RVM, FULLW },
	{ "vpsllv|d|q", 2, P66, ANY, 0x47, -1, RVM, FULLW },
	{ "vpdpbusd", 2, P66, W0, 0x50, -1, RVM, FULL32 }, { "vpdpbusds", 2, P66, W0, 0x51, -1, RVM, FULL32 },
	{ "vpdpwssd", 2, P66, W0, 0x52, -1, RVM, FULL32 }, { "vpdpwssds", 2, P66, W0, 0x53, -1, RVM, FULL32 },
	{ "vpopcnt|b|w", 2, P66, ANY, 0x54, -1, RM, FULL }, { "vpopcnt|d|q", 2, P66, ANY, 0x55, -1, RM, FULLW },
	{ "vpbroadcastd", 2, P66, W0, 0x58, -1, RMV, B4 }, { "vpbroadcastq", 2, P66, W1, 0x59, -1, RMV, B8 },
	{ "vbroadcasti32x2", 2, P66, W0, 0x59, -1, RMV, B8 }, { "vbroadcasti|32x4|64x2", 2, P66, ANY, 0x5a, -1, RM, B16 },
	{ "vbroadcasti|32x8|64x4", 2, P66, ANY, 0x5b, -1, RM, B32 },
	{ "vpblendm|d|q", 2, P66, ANY, 0x64, -1, RVM, FULLW }, { "vpblendm|b|w", 2, P66, ANY, 0x66, -1, RVM, FULL },
	{ "vpermi2|b|w", 2, P66, ANY, 0x75, -1, RVM, FULL }, { "vpermi2|d|q", 2, P66, ANY, 0x76, -1, RVM, FULLW },
	{ "vpbroadcastb", 2, P66, W0, 0x78, -1, RMV, B1 }, { "vpbroadcastw", 2, P66, W0, 0x79, -1, RMV, B2 },
	{ "vpbroadcastb", 2, P66, W0, 0x7a, -1, RG, B4 }, { "vpbroadcastw", 2, P66, W0, 0x7b, -1, RG, B4 },
	{ "vpbroadcast|d|q", 2, P66, ANY, 0x7c, -1, RG, BW },
	{ "vpermt2|b|w", 2, P66, ANY, 0x7d, -1, RVM, FULL }, { "vpermt2|d|q", 2, P66, ANY, 0x7e, -1, RVM, FULLW },
	{ "vperm|b|w", 2, P66, ANY, 0x8d, -1, RVM, FULL }, { "vpmultishiftqb", 2, P66, W1, 0x83, -1, RVM, FULL64 },
	{ "vpconflict|d|q", 2, P66, ANY, 0xc4, -1, RM, FULLW }, { "vgf2p8mulb", 2, P66, W0, 0xcf, -1, RVM, FULL },
	{ "vpmovwb", 2, PF3, W0, 0x30, -1, MR, HALF }, { "vpmovdb", 2, PF3, W0, 0x31, -1, MR, QUARTER },
	{ "vpmovqb", 2, PF3, W0, 0x32, -1, MR, EIGHTH }, { "vpmovdw", 2, PF3, W0, 0x33, -1, MR, HALF },
	{ "vpmovqw", 2, PF3, W0, 0x34, -1, MR, QUARTER }, { "vpmovqd", 2, PF3, W0, 0x35, -1, MR, HALF },
	{ "vpmovswb", 2, PF3, W0, 0x20, -1, MR, HALF }, { "vpmovsdb", 2, PF3, W0, 0x21, -1, MR, QUARTER },
	{ "vpmovsqb", 2, PF3, W0, 0x22, -1, MR, EIGHTH }, { "vpmovsdw", 2, PF3, W0, 0x23, -1, MR, HALF },
	{ "vpmovsqw", 2, PF3, W0, 0x24, -1, MR, QUARTER }, { "vpmovsqd", 2, PF3, W0, 0x25, -1, MR, HALF },
	{ "vpmovuswb", 2, PF3, W0, 0x10, -1, MR, HALF }, { "vpmovusdb", 2, PF3, W0, 0x11, -1, MR, QUARTER },
	{ "vpmovusqb", 2, PF3, W0, 0x12, -1, MR, EIGHTH }, { "vpmovusdw", 2, PF3, W0, 0x13, -1, MR, HALF },
	{ "vpmovusqw", 2, PF3, W0, 0x14, -1, MR, QUARTER }, { "vpmovusqd", 2, PF3, W0, 0x15, -1, MR, HALF },
	{ "vpermq", 3, P66, W1, 0x00, -1, RMI, FULL64 }, { "valign|d|q", 3, P66, ANY, 0x03, -1, RVMI, FULLW },
	{ "vpalignr", 3, P66, ANY, 0x0f, -1, RVMI, FULL },
	{ "vpcmpu|d|q", 3, P66, ANY, 0x1e, -1, KVMI, FULLW }, { "vpcmp|d|q", 3, P66, ANY, 0x1f, -1, KVMI, FULLW },
	{ "vpcmpu|b|w", 3, P66, ANY, 0x3e, -1, KVMI, FULL }, { "vpcmp|b|w", 3, P66, ANY, 0x3f, -1, KVMI, FULL },
	{ "vpternlog|d|q", 3, P66, ANY, 0x25, -1, RVMI, FULLW },
	{ "vinserti|32x4|64x2", 3, P66, ANY, 0x38, -1, RVMI, B16 }, { "vinserti|32x8|64x4", 3, P66, ANY, 0x3a, -1, RVMI, B32 },
	{ "vextracti|32x4|64x2", 3, P66, ANY, 0x39, -1, MRI, B16 }, { "vextracti|32x8|64x4", 3, P66, ANY, 0x3b, -1, MRI, B32 },
	{ "vshufi|32x4|64x2", 3, P66, ANY, 0x43, -1, RVMI, FULLW }, { "vdbpsadbw", 3, P66, W0, 0x42, -1, RVMI, FULL },
	{ "vpshldw", 3, P66, W1, 0x70, -1, RVMI, FULL }, { "vpshld|d|q", 3, P66, ANY, 0x71, -1, RVMI, FULLW },
	{ "vpshrdw", 3, P66, W1, 0x72, -1, RVMI, FULL }, { "vpshrd|d|q", 3, P66, ANY, 0x73, -1, RVMI, FULLW },
	{ "vgf2p8affineqb", 3, P66, W1, 0xce, -1, RVMI, FULL64 },
	/* floating point */
	{ "vaddps", 1, NP, W0, 0x58, -1, RVM, FULL32 }, { "vaddpd", 1, P66, W1, 0x58, -1, RVM, FULL64 },
	{ "vmulps", 1, NP, W0, 0x59, -1, RVM, FULL32 }, { "vmulpd", 1, P66, W1, 0x59, -1, RVM, FULL64 },
	{ "vsubps", 1, NP, W0, 0x5c, -1, RVM, FULL32 }, { "vsubpd", 1, P66, W1, 0x5c, -1, RVM, FULL64 },
	{ "vminps", 1, NP, W0, 0x5d, -1, RVM, FULL32 }, { "vminpd", 1, P66, W1, 0x5d, -1, RVM, FULL64 },
	{ "vdivps", 1, NP, W0, 0x5e, -1, RVM, FULL32 }, { "vdivpd", 1, P66, W1, 0x5e, -1, RVM, FULL64 },
	{ "vmaxps", 1, NP, W0, 0x5f, -1, RVM, FULL32 }, { "vmaxpd", 1, P66, W1, 0x5f, -1, RVM, FULL64 },
	{ "vsqrtps", 1, NP, W0, 0x51, -1, RM, FULL32 }, { "vsqrtpd", 1, P66, W1, 0x51, -1, RM, FULL64 },
	{ "vandps", 1, NP, W0, 0x54, -1, RVM, FULL32 }, { "vandpd", 1, P66, W1, 0x54, -1, RVM, FULL64 },
	{ "vandnps", 1, NP, W0, 0x55, -1, RVM, FULL32 }, { "vandnpd", 1, P66, W1, 0x55, -1, RVM, FULL64 },
	{ "vorps", 1, NP, W0, 0x56, -1, RVM, FULL32 }, { "vorpd", 1, P66, W1, 0x56, -1, RVM, FULL64 },
	{ "vxorps", 1, NP, W0, 0x57, -1, RVM, FULL32 }, { "vxorpd", 1, P66, W1, 0x57, -1, RVM, FULL64 },
	{ "vunpcklps", 1, NP, W0, 0x14, -1, RVM, FULL32 }, { "vunpcklpd", 1, P66, W1, 0x14, -1, RVM, FULL64 },
	{ "vunpckhps", 1, NP, W0, 0x15, -1, RVM, FULL32 }, { "vunpckhpd", 1, P66, W1, 0x15, -1, RVM, FULL64 },
	{ "vshufps", 1, NP, W0, 0xc6, -1, RVMI, FULL32 }, { "vshufpd", 1, P66, W1, 0xc6, -1, RVMI, FULL64 },
	{ "vperm|ps|pd", 2, P66, ANY, 0x16, -1, RVM, FULLW }, { "vbroadcastss", 2, P66, W0, 0x18, -1, RMV, B4 },
	{ "vbroadcastsd", 2, P66, W1, 0x19, -1, RMV, B8 }, { "vbroadcastf32x2", 2, P66, W0, 0x19, -1, RMV, B8 },
	{ "vbroadcastf|32x4|64x2", 2, P66, ANY, 0x1a, -1, RM, B16 }, { "vbroadcastf|32x8|64x4", 2, P66, ANY, 0x1b, -1, RM, B32 },
	{ "vblendm|ps|pd", 2, P66, ANY, 0x65, -1, RVM, FULLW }, { "vpermt2|ps|pd", 2, P66, ANY, 0x7f, -1, RVM, FULLW },
	{ "vpermi2|ps|pd", 2, P66, ANY, 0x77, -1, RVM, FULLW },
	{ "vfmadd132|ps|pd", 2, P66, ANY, 0x98, -1, RVM, FULLW }, { "vfmadd213|ps|pd", 2, P66, ANY, 0xa8, -1, RVM, FULLW },
	{ "vfmadd231|ps|pd", 2, P66, ANY, 0xb8, -1, RVM, FULLW }, { "vfnmadd132|ps|pd", 2, P66, ANY, 0x9c, -1, RVM, FULLW },
	{ "vfnmadd213|ps|pd", 2, P66, ANY, 0xac, -1, RVM, FULLW }, { "vfnmadd231|ps|pd", 2, P66, ANY, 0xbc, -1, RVM, FULLW },
	{ "vpermpd", 3, P66, W1, 0x01, -1, RMI, FULL64 },
	{ "vpermilps", 3, P66, W0, 0x04, -1, RMI, FULL32 }, { "vpermilpd", 3, P66, W1, 0x05, -1, RMI, FULL64 },
	{ "vinsertf|32x4|64x2", 3, P66, ANY, 0x18, -1, RVMI, B16 }, { "vinsertf|32x8|64x4", 3, P66, ANY, 0x1a, -1, RVMI, B32 },
	{ "vextractf|32x4|64x2", 3, P66, ANY, 0x19, -1, MRI, B16 }, { "vextractf|32x8|64x4", 3, P66, ANY, 0x1b, -1, MRI, B32 },
	{ "vcvtqq2pd", 1, PF3, W1, 0xe6, -1, RM, FULL64 }, { "vcvtpd2qq", 1, P66, W1, 0x7b, -1, RM, FULL64 },
	{ "vshuff|32x4|64x2", 3, P66, ANY, 0x23, -1, RVMI, FULLW },
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
