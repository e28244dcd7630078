/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/sample_filter_program.h"

/* Labels behind those of the conditions, which are met where an alternative has matched. */
enum { DROP = SAMPLE_FILTER_CONDITIONS };

struct lines {
	struct bpf_line *at;
	size_t nr;
};

static void add(struct lines *l, const struct bpf_line *some, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		l->at[l->nr++] = some[i];
}

#define ADD(l, ...)                                                                                \
	do {                                                                                       \
		const struct bpf_line some_[] = { __VA_ARGS__ };                                   \
		add(l, some_, sizeof(some_) / sizeof(*some_));                                     \
	} while (0)

static struct bpf_line load_line(unsigned int size, unsigned int to, u32 at)
{
	struct bpf_line line = ASM_LOAD(DW, to, R7, (s16)at);

	line.code = (u8)(BPF_LDX | BPF_MEM | (size == 8 ? BPF_DW : size == 4 ? BPF_W : BPF_H));
	return line;
}

/* R1 = the term's value */
static void load_term(struct lines *l, const struct filter_term *t, u32 member)
{
	const struct filter_bits *low = &t->bits[0], *high = &t->bits[1];

	if (t->source != FILTER_SAMPLE) {
		ADD(l, ASM_CALL(get_current_uid_gid), ASM_MOV(R1, R0));
		if (t->source == FILTER_GID)
			ADD(l, ASM_OPI(RSH, R1, 32));
		else
			ADD(l, ASM_OPI(LSH, R1, 32), ASM_OPI(RSH, R1, 32));
		return;
	}
	ADD(l, load_line(t->size, R1, member + t->at));
	if (high->width)
		ADD(l, ASM_MOV(R2, R1), ASM_OPI(RSH, R2, high->shift),
		    ASM_OPI(AND, R2, (1 << high->width) - 1), ASM_OPI(LSH, R2, low->width));
	if (low->width)
		ADD(l, ASM_OPI(RSH, R1, low->shift), ASM_OPI(AND, R1, (1 << low->width) - 1));
	if (high->width)
		ADD(l, ASM_OP(OR, R1, R2));
}

size_t filter_lines(struct bpf_line *lines, const struct sample_filter *f,
		    const struct filter_term *const *terms, const struct filter_kernel *k)
{
	struct lines l = { .at = lines };

	ADD(&l, ASM_MOV(R6, R1));
	if (k->cast)
		ADD(&l, ASM_LINE(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, (s32)k->cast),
		    ASM_LOAD(DW, R7, R0, (s16)k->data));
	for (size_t i = 0, first = 0; i < f->nr; i++) {
		struct bpf_line matched = ASM_IF(JEQ, R1, R2, (u8)first);

		matched.code = (u8)(BPF_JMP | f->conditions[i].op | BPF_X);
		load_term(&l, terms[i], k->members[i]);
		ADD(&l, ASM_VALUE(R2, (u8)i), matched);
		if (f->conditions[i].or_next)
			continue;
		ADD(&l, ASM_GOTO(DROP), ASM_LABEL((u8)first));
		first = i + 1;
	}
	ADD(&l, ASM_MOVI(R0, 1), ASM_EXIT(), ASM_LABEL(DROP), ASM_SHARED(R1, 0, 0), ASM_MOVI(R2, 1),
	    ASM_ATOMIC_ADD(R1, 0, R2), ASM_MOVI(R0, 0), ASM_EXIT());
	return l.nr;
}
