/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/assembler.h"

enum { NOWHERE = -1 };

static size_t insns_of(const struct bpf_line *l)
{
	switch ((enum bpf_line_kind)l->kind) {
	case BPF_LINE_LABEL:
		return 0;
	case BPF_LINE_MAP:
	case BPF_LINE_SHARED:
	case BPF_LINE_VALUE:
		return 2;
	case BPF_LINE_PLAIN:
	case BPF_LINE_JUMP:
		break;
	}
	return 1;
}

static int find_labels(const struct bpf_line *lines, size_t nr_lines, s32 *labels, size_t *total)
{
	size_t at = 0;

	for (size_t i = 0; i < BPF_LABELS_MAX; i++)
		labels[i] = NOWHERE;
	for (size_t i = 0; i < nr_lines; i++) {
		const struct bpf_line *l = &lines[i];

		if (l->kind == BPF_LINE_LABEL) {
			if (l->ref >= BPF_LABELS_MAX || labels[l->ref] != NOWHERE)
				return -1;
			labels[l->ref] = (s32)at;
		}
		at += insns_of(l);
	}
	*total = at;
	return 0;
}

int bpf_assemble(const struct bpf_line *lines, size_t nr_lines, const struct bpf_meanings *m,
		 struct bpf_insn *out, size_t max, size_t *nr)
{
	s32 labels[BPF_LABELS_MAX];
	size_t total, at = 0;

	if (find_labels(lines, nr_lines, labels, &total) < 0 || total > max)
		return -1;
	for (size_t i = 0; i < nr_lines; i++) {
		const struct bpf_line *l = &lines[i];
		size_t n = insns_of(l);
		struct bpf_insn *insn = &out[at];
		s32 high = 0;

		at += n;
		if (!n)
			continue;
		*insn = (struct bpf_insn){ .code = l->code,
					   .dst_reg = l->dst & 0xf,
					   .src_reg = l->src & 0xf,
					   .off = l->off,
					   .imm = l->imm };
		if (l->kind == BPF_LINE_JUMP) {
			if (l->ref >= BPF_LABELS_MAX || labels[l->ref] == NOWHERE)
				return -1;
			insn->off = (s16)(labels[l->ref] - (s32)at);
		} else if (l->kind == BPF_LINE_MAP || l->kind == BPF_LINE_SHARED) {
			high = l->imm;
			insn->imm = m->maps[l->ref];
		} else if (l->kind == BPF_LINE_VALUE) {
			insn->imm = (s32)(u32)m->values[l->ref];
			high = (s32)(u32)(m->values[l->ref] >> 32);
		}
		if (n == 2)
			insn[1] = (struct bpf_insn){ .imm = high };
	}
	*nr = at;
	return 0;
}
