/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of bpf/trace_args, at the raw tracepoints of system calls: a sample when a call
 * begins and one when it returns, with the memory that its arguments point to. Memory that is not
 * there yet when a call begins (nobody has touched the page) is read when it returns: the kernel
 * has done so meanwhile.
 */
#include "bpf/trace_args_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

enum { TS_COMPAT = 2, PIECE_HEAD = sizeof(struct call_piece) };

/* Set before the programs are loaded. */
const volatile bool only_tids; /* those in the map, and their children if fork is loaded */
const volatile bool leaves_out; /* those in the other one */
const volatile u32 not_pid; /* a process that is left out */
const volatile u32 max_bytes; /* that are read of a buffer */

u64 enabled;
u64 unfollowed; /* children that there was no room for */

struct unread {
	u32 nr, args; /* bits */
};

struct record {
	u64 args[8]; /* CALL_ARGS of them */
	u64 result;
	u32 at; /* bytes of data */
	u32 arg; /* that is looked at */
	u32 compat, left;
	u8 data[CALL_ROOM + PIECE_HEAD + CALL_TEXT];
};

MAP(BPF_MAP_TYPE_HASH, u32, u64, CALL_TASKS) tids SEC(".maps"); /* the keys alone count */
MAP(BPF_MAP_TYPE_HASH, u32, u64, CALL_TASKS) left_out SEC(".maps");
MAP(BPF_MAP_TYPE_ARRAY, u32, struct call_rules, 2 * CALL_NUMBERS) rules SEC(".maps");
MAP(BPF_MAP_TYPE_LRU_HASH, u32, struct unread, CALL_TASKS) not_there SEC(".maps"); /* by tid */
MAP(BPF_MAP_TYPE_PERCPU_ARRAY, u32, struct record, 1) records SEC(".maps");
MAP(BPF_MAP_TYPE_PERF_EVENT_ARRAY, u32, u32, 0) enter_events SEC(".maps");
MAP(BPF_MAP_TYPE_PERF_EVENT_ARRAY, u32, u32, 0) exit_events SEC(".maps");

/* ------------------------------------------------------------------ pieces */

/* Functions that are not static are verified once, not for each way to them; for all that the
 * verifier knows there, r may be NULL. */
static __always_inline struct call_piece *next_piece(struct record *r)
{
	u32 at = r->at;

	return at > CALL_ROOM ? NULL : (struct call_piece *)&r->data[at];
}

static __always_inline void end_piece(struct record *r, struct call_piece *p, u64 addr, u32 len)
{
	p->addr = addr;
	p->len = (u16)len;
	p->arg = (u8)r->arg;
	r->at += PIECE_HEAD + ((len + 7) & ~7U);
}

__noinline int add_bytes(struct record *r, u64 addr, u64 of, u32 most)
{
	struct call_piece *p = r ? next_piece(r) : NULL;
	u32 len;

	if (!p)
		return 0;
	len = of < most ? (u32)of : most;
	if (len > CALL_TEXT)
		len = CALL_TEXT;
	if (len && bpf_probe_read_user((u8 *)p + PIECE_HEAD, len, (void *)addr))
		return -1;
	p->of = of > ~0U ? ~0U : (u32)of;
	p->index = 0;
	end_piece(r, p, addr, len);
	return 0;
}

__noinline int add_string(struct record *r, u64 addr, u32 most, u32 index)
{
	struct call_piece *p = r ? next_piece(r) : NULL;
	u8 last = 0;
	long len;

	if (!p)
		return 0;
	if (most > CALL_TEXT)
		most = CALL_TEXT;
	len = bpf_probe_read_user_str((u8 *)p + PIECE_HEAD, most, (void *)addr);
	if (len <= 0)
		return -1;
	if (len == most)
		bpf_probe_read_user(&last, 1, (void *)(addr + most - 1));
	p->of = (u32)len + (last != 0);
	p->index = (u8)index;
	end_piece(r, p, addr, (u32)len);
	return 0;
}

static __always_inline long read_pointer(const struct record *r, u64 at, u64 *to)
{
	*to = 0;
	return bpf_probe_read_user(to, r->compat ? 4 : 8, (void *)at);
}

/* The list of arguments of a program. What ends it is a piece without bytes. */
__noinline int add_strings(struct record *r, u64 addr)
{
	struct call_piece *p;
	u64 text = 0;
	u32 i;

	if (!r)
		return 0;
	for (i = 0; i < CALL_STRINGS; i++) {
		if (read_pointer(r, addr + i * (r->compat ? 4 : 8), &text))
			return -1;
		if (!text)
			break;
		if (add_string(r, text, CALL_TEXT, i))
			return -1;
	}
	p = next_piece(r);
	if (!p)
		return 0;
	p->of = i == CALL_STRINGS; /* there are more */
	p->index = (u8)i;
	end_piece(r, p, 0, 0);
	return 0;
}

/* The array, and what its elements point to; r->left: bytes of that which mean something. */
__noinline int add_vector(struct record *r, u64 addr, u64 nr)
{
	u32 word, left;

	if (!r)
		return 0;
	word = r->compat ? 4 : 8;
	left = r->left;
	if (nr > CALL_ELEMENTS)
		nr = CALL_ELEMENTS;
	if (add_bytes(r, addr, nr * 2 * word, CALL_ELEMENTS * 16))
		return -1;
	for (u32 i = 0; i < CALL_ELEMENTS; i++) {
		u64 base, len;

		if (i >= nr || read_pointer(r, addr + 2 * i * word, &base) ||
		    read_pointer(r, addr + (2 * i + 1) * word, &len))
			break;
		if (len > left)
			len = left;
		left -= (u32)len;
		add_bytes(r, base, len, max_bytes);
	}
	return 0;
}

/* struct user_msghdr of 64 bits */
struct message {
	u64 name;
	u32 name_len, unused;
	u64 vector, nr_vectors;
	u64 control, control_len;
};

/* The same of 32 bits. */
struct message32 {
	u32 name, name_len, vector, nr_vectors, control, control_len;
};

static __always_inline int load_message(const struct record *r, u64 addr, struct message *m)
{
	struct message32 c;

	if (!r->compat)
		return (int)bpf_probe_read_user(m, sizeof(*m), (void *)addr);
	if (bpf_probe_read_user(&c, sizeof(c), (void *)addr))
		return -1;
	m->name = c.name;
	m->name_len = c.name_len;
	m->vector = c.vector;
	m->nr_vectors = c.nr_vectors;
	m->control = c.control;
	m->control_len = c.control_len;
	return 0;
}

__noinline int add_message(struct record *r, u64 addr)
{
	enum { WHOLE = 56, WHOLE32 = 28, MAX_NAME = 128 };
	struct message m;
	u32 size;

	if (!r)
		return 0;
	size = r->compat ? WHOLE32 : WHOLE;
	if (load_message(r, addr, &m) || add_bytes(r, addr, size, WHOLE))
		return -1;
	if (m.name && m.name_len)
		add_bytes(r, m.name, m.name_len, MAX_NAME);
	if (m.control && m.control_len)
		add_bytes(r, m.control, m.control_len, CALL_CONTROL);
	return m.vector ? add_vector(r, m.vector, m.nr_vectors) : 0;
}

__noinline int add_messages(struct record *r, u64 addr, u64 nr, u32 out)
{
	u32 size, len;

	if (!r)
		return 0;
	size = r->compat ? 32 : 64; /* of struct mmsghdr: its length is behind the message */
	add_bytes(r, addr, nr * size, CALL_MESSAGES * 64);
	for (u32 i = 0; i < CALL_MESSAGES && i < nr; i++) {
		u64 at = addr + (u64)i * size;

		if (out) {
			if (bpf_probe_read_user(&len, 4, (void *)(at + (r->compat ? 28 : 56))))
				return -1;
			r->left = len;
		}
		if (add_message(r, at))
			return -1;
	}
	return 0;
}

/* Old commands do not tell sizes; of those of terminals and sockets what the largest have. */
__noinline int add_command(struct record *r, u64 addr, u32 cmd, u32 when)
{
	u32 direction = cmd >> 30, size = cmd >> 16 & 0x3fff, type = cmd >> 8 & 0xff;

	if (!r || !addr)
		return 0;
	if (!direction && !size && (type == 'T' || type == 0x89))
		return add_bytes(r, addr, CALL_TERMINAL, CALL_TERMINAL) ? add_bytes(r, addr, 4, 4)
									: 0;
	if (!size || !(direction & when))
		return 0;
	return add_bytes(r, addr, size, CALL_COMMAND);
}

__noinline int add_pointed(struct record *r, u64 addr, u64 of, u32 most)
{
	u64 at = 0;
	u32 word;

	if (!r)
		return 0;
	word = r->compat ? 4 : 8;
	if (add_bytes(r, addr, word, word) || read_pointer(r, addr, &at))
		return -1;
	return at ? add_bytes(r, at, of, most) : 0;
}

/* ------------------------------------------------------------------ arguments */

static __always_inline u64 count_of(const struct record *r, u32 count)
{
	u32 nr = 0;

	if (count < CALL_ARGS)
		return r->args[count & 7];
	if (count == COUNT_RESULT)
		return r->result;
	if (count < COUNT_AT)
		return count == COUNT_TWO ? 2 : 1;
	bpf_probe_read_user(&nr, sizeof(nr), (void *)r->args[count & 7]);
	return nr;
}

__noinline int read_arg(struct record *r, const struct memory_rule *rule, u32 i, u32 when)
{
	u64 addr, nr;

	if (!r || !rule)
		return 0;
	r->arg = i;
	addr = r->args[i & 7];
	if (!addr || ((rule->when & MEMORY_OR_NUMBER) && addr < CALL_NUMBER))
		return 0;
	nr = count_of(r, rule->count);
	switch (rule->memory) {
	case MEMORY_STRING:
		return add_string(r, addr, rule->most ? rule->most : CALL_TEXT, 0);
	case MEMORY_BYTES:
		return add_bytes(r, addr, (nr > ~0U ? ~0U : nr) * rule->size,
				 rule->most ? rule->most : max_bytes);
	case MEMORY_STRINGS:
		return add_strings(r, addr);
	case MEMORY_VECTOR:
		return add_vector(r, addr, nr);
	case MEMORY_MESSAGE:
		return add_message(r, addr);
	case MEMORY_MESSAGES:
		return add_messages(r, addr, nr, when == MEMORY_OUT);
	case MEMORY_COMMAND:
		return add_command(r, addr, (u32)r->args[(i - 1) & 7], when);
	case MEMORY_POINTER:
		return add_pointed(r, addr, nr * rule->size, rule->most);
	default:
		return 0;
	}
}

/* Bits of the arguments that could not be read. */
static __noinline u32 read_args(struct record *r, const struct call_rules *c, u32 when, u32 which)
{
	u32 failed = 0;

	for (u32 i = 0; i < CALL_ARGS; i++)
		if ((which & 1U << i) && (c->args[i].when & when) &&
		    (!(c->args[i].when & MEMORY_POSITIVE) || r->result) &&
		    read_arg(r, &c->args[i], i, when))
			failed |= 1U << i;
	return failed;
}

#ifdef __TARGET_ARCH_arm64
static __always_inline void load_args(struct record *r, struct pt_regs *regs)
{
	r->args[0] = BPF_CORE_READ(regs, orig_x0);
	r->args[1] = BPF_CORE_READ(regs, regs[1]);
	r->args[2] = BPF_CORE_READ(regs, regs[2]);
	r->args[3] = BPF_CORE_READ(regs, regs[3]);
	r->args[4] = BPF_CORE_READ(regs, regs[4]);
	r->args[5] = BPF_CORE_READ(regs, regs[5]);
}

static __always_inline bool is_compat(void)
{
	return false;
}
#else
static __always_inline void load_args(struct record *r, struct pt_regs *regs)
{
	if (r->compat) {
		r->args[0] = (u32)BPF_CORE_READ(regs, bx);
		r->args[1] = (u32)BPF_CORE_READ(regs, cx);
		r->args[2] = (u32)BPF_CORE_READ(regs, dx);
		r->args[3] = (u32)BPF_CORE_READ(regs, si);
		r->args[4] = (u32)BPF_CORE_READ(regs, di);
		r->args[5] = (u32)BPF_CORE_READ(regs, bp);
		return;
	}
	r->args[0] = BPF_CORE_READ(regs, di);
	r->args[1] = BPF_CORE_READ(regs, si);
	r->args[2] = BPF_CORE_READ(regs, dx);
	r->args[3] = BPF_CORE_READ(regs, r10);
	r->args[4] = BPF_CORE_READ(regs, r8);
	r->args[5] = BPF_CORE_READ(regs, r9);
}

/* Whether the task is in a call of 32 bits. */
static __always_inline bool is_compat(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	return BPF_CORE_READ(task, thread_info.status) & TS_COMPAT;
}
#endif

/* ------------------------------------------------------------------ calls */

/* Whose calls are told. */
static __always_inline bool is_traced(u64 ids)
{
	u32 tid = (u32)ids;

	if (!enabled || (u32)(ids >> 32) == not_pid)
		return false;
	if (leaves_out && bpf_map_lookup_elem(&left_out, &tid))
		return false;
	return !only_tids || bpf_map_lookup_elem(&tids, &tid);
}

static __always_inline struct record *new_record(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&records, &zero);
}

static __always_inline void end_record(struct record *r, u32 kind, u32 nr)
{
	struct call_head *head = (struct call_head *)r->data;

	head->kind = (u16)kind;
	head->flags = r->compat ? CALL_IS_COMPAT : 0;
	head->nr = nr;
	head->size = r->at;
	head->unused = 0;
}

SEC("raw_tp/sys_enter")
int call_begins(struct bpf_raw_tracepoint_args *ctx)
{
	u64 ids = bpf_get_current_pid_tgid();
	u32 nr = (u32)ctx->args[1], compat, at, tid = (u32)ids;
	struct call_rules *c;
	struct record *r;

	if (!is_traced(ids))
		return 0;
	compat = is_compat();
	at = (nr < CALL_NUMBERS ? nr : CALL_NUMBERS - 1) + (compat ? CALL_COMPAT : 0);
	c = bpf_map_lookup_elem(&rules, &at);
	r = new_record();
	if (!c || !c->wanted || !r)
		return 0;
	r->compat = compat;
	r->result = 0;
	r->left = ~0U;
	load_args(r, (struct pt_regs *)ctx->args[0]);
	__builtin_memcpy(((struct call_head *)r->data)->values, r->args, CALL_ARGS * sizeof(u64));
	r->at = sizeof(struct call_head);
	if (c->reads & MEMORY_IN) {
		struct unread u = { nr, read_args(r, c, MEMORY_IN, ~0U) };

		if (u.args && !c->replaces)
			bpf_map_update_elem(&not_there, &tid, &u, BPF_ANY);
	}
	end_record(r, CALL_ENTER, nr);
	at = r->at;
	if (at <= sizeof(r->data))
		bpf_perf_event_output(ctx, &enter_events, BPF_F_CURRENT_CPU, r->data, at);
	return 0;
}

/* Errors that the kernel starts a call again for, and EINTR. */
static __always_inline bool is_interrupted(s64 result)
{
	return result == -4 || (result <= -512 && result >= -516);
}

SEC("raw_tp/sys_exit")
int call_ends(struct bpf_raw_tracepoint_args *ctx)
{
	struct pt_regs *regs = (struct pt_regs *)ctx->args[0];
	u64 ids = bpf_get_current_pid_tgid();
	u32 nr, compat, at, tid = (u32)ids;
	struct call_rules *c;
	struct unread *u;
	struct record *r;

	if (!is_traced(ids))
		return 0;
#ifdef __TARGET_ARCH_arm64
	nr = (u32)BPF_CORE_READ(regs, syscallno);
#else
	nr = (u32)BPF_CORE_READ(regs, orig_ax);
#endif
	compat = is_compat();
	at = (nr < CALL_NUMBERS ? nr : CALL_NUMBERS - 1) + (compat ? CALL_COMPAT : 0);
	c = bpf_map_lookup_elem(&rules, &at);
	r = new_record();
	if (!c || !c->wanted || !r)
		return 0;
	r->compat = compat;
	r->result = ctx->args[1];
	((struct call_head *)r->data)->values[0] = r->result;
	r->at = offsetof(struct call_head, values) + sizeof(u64);
	if (c->reads && !c->replaces) {
		load_args(r, regs);
		r->left = ~0U;
		u = c->reads & MEMORY_IN ? bpf_map_lookup_elem(&not_there, &tid) : NULL;
		if (u && u->nr == nr)
			read_args(r, c, MEMORY_IN, u->args);
		if (u)
			bpf_map_delete_elem(&not_there, &tid);
		r->left = (u32)r->result;
		if ((c->reads & MEMORY_OUT) && (s64)r->result >= 0)
			read_args(r, c, MEMORY_OUT, ~0U);
		else if ((c->reads & MEMORY_INTERRUPTED) && is_interrupted((s64)r->result))
			read_args(r, c, MEMORY_INTERRUPTED, ~0U);
	}
	end_record(r, CALL_EXIT, nr);
	at = r->at;
	if (at <= sizeof(r->data))
		bpf_perf_event_output(ctx, &exit_events, BPF_F_CURRENT_CPU, r->data, at);
	return 0;
}

/* A command that was started to be traced: from here on it is what was asked for. */
SEC("raw_tp/sched_process_exec")
int call_exec(void *ctx __attribute__((unused)))
{
	u32 tid = (u32)bpf_get_current_pid_tgid();

	if (!enabled && bpf_map_lookup_elem(&tids, &tid))
		enabled = 1;
	return 0;
}

SEC("raw_tp/sched_process_exit")
int call_task_ends(void *ctx __attribute__((unused)))
{
	u32 tid = (u32)bpf_get_current_pid_tgid();

	bpf_map_delete_elem(&tids, &tid);
	return 0;
}

/* A child of one that is traced is traced, too. */
SEC("raw_tp/task_newtask")
int call_fork(struct bpf_raw_tracepoint_args *ctx)
{
	return add_child(&tids, ctx, &unfollowed);
}
