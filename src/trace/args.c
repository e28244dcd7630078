/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/args.h"
#include "trace/constants.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/mem.h"
#include "trace/netlink.h"

enum {
	FD_CWD = -100, /* AT_FDCWD */
	SOCKET_TYPE_MASK = 0xf,
	FUTEX_FLAGS_MASK = 0x180,
	OPEN_ACCESS = 3,
	FAMILY_INET = 2,
	FAMILY_INET6 = 10,
	FAMILY_NETLINK = 16,
	FUTEX_ANY = -1,
};

#define MOUNT_MAGIC 0xC0ED0000ULL

static void add_signed(struct strbuf *out, s64 v)
{
	if (v < 0)
		strbuf_addch(out, '-');
	strbuf_add_u64(out, v < 0 ? -(u64)v : (u64)v);
}

static void add_hex(struct strbuf *out, u64 v)
{
	strbuf_add(out, "0x", 2);
	strbuf_add_hex(out, v);
}

/* ------------------------------------------------------------------ kinds */

static void add_fd(struct strbuf *out, s32 fd, u32 pid, const struct trace_lookup *n)
{
	const char *path = fd >= 0 && n && n->path ? n->path(n->ctx, pid, fd) : NULL;

	add_signed(out, fd);
	if (!path)
		return;
	strbuf_addch(out, '<');
	strbuf_add_escaped(out, path);
	strbuf_addch(out, '>');
}

static void add_pid(struct strbuf *out, s32 pid, const struct trace_lookup *n)
{
	const char *comm = pid > 0 && n && n->comm ? n->comm(n->ctx, (u32)pid) : NULL;

	add_signed(out, pid);
	if (!comm)
		return;
	strbuf_add(out, " (", 2);
	strbuf_add_escaped(out, comm);
	strbuf_addch(out, ')');
}

/* Whether constants keep their prefixes. */
static bool is_full(const struct trace_lookup *n)
{
	return n && n->full_names;
}

static void add_mode(struct strbuf *out, u32 mode, bool full)
{
	/* as sys/stat.h and the kernel's linux/stat.h have them, the widest first */
	static const struct {
		const char *name;
		u32 bits;
	} names[] = {
		{ "IALLUGO", 07777 },  { "IRWXUGO", 0777 },  { "IRUGO", 0444 },
		{ "IWUGO", 0222 },     { "IXUGO", 0111 },    { "IFMT", 0170000 },
		{ "IFSOCK", 0140000 }, { "IFLNK", 0120000 }, { "IFREG", 0100000 },
		{ "IFBLK", 060000 },   { "IFDIR", 040000 },  { "IFCHR", 020000 },
		{ "IFIFO", 010000 },   { "ISUID", 04000 },   { "ISGID", 02000 },
		{ "ISVTX", 01000 },    { "IRWXU", 0700 },    { "IRUSR", 0400 },
		{ "IWUSR", 0200 },     { "IXUSR", 0100 },    { "IRWXG", 070 },
		{ "IRGRP", 040 },      { "IWGRP", 020 },     { "IXGRP", 010 },
		{ "IRWXO", 07 },       { "IROTH", 04 },      { "IWOTH", 02 },
		{ "IXOTH", 01 },
	};
	bool between = false;

	for (size_t i = 0; i < ARRAY_SIZE(names) && mode; i++) {
		if ((mode & names[i].bits) != names[i].bits)
			continue;
		if (between)
			strbuf_addch(out, '|');
		strbuf_adds(out, full ? "S_" : "");
		strbuf_adds(out, names[i].name);
		mode &= ~names[i].bits;
		between = true;
	}
	if (!mode)
		return;
	if (between)
		strbuf_addch(out, '|');
	add_hex(out, mode);
}

static void add_enum(struct strbuf *out, enum trace_set set, u64 value, bool hex, bool full)
{
	const char *name = trace_constant_text(set, value, full);

	if (set == SET_SIGNAL && trace_signal_add(out, value, full))
		return;
	if (!name && value > UINT32_MAX)
		name = trace_constant_text(set, (u64)(s64)(s32)value, full);
	if (name)
		strbuf_adds(out, name);
	else if (hex && value)
		add_hex(out, (u32)value);
	else
		add_signed(out, (s32)value);
}

static void add_access(struct strbuf *out, u32 mode, bool full)
{
	static const struct {
		u32 bit;
		char letter;
	} letters[] = { { 4, 'R' }, { 2, 'W' }, { 1, 'X' } };
	bool between = false;

	for (size_t i = 0; i < ARRAY_SIZE(letters); i++) {
		if (!(mode & letters[i].bit))
			continue;
		if (full && between)
			strbuf_addch(out, '|');
		strbuf_addch(out, letters[i].letter);
		strbuf_adds(out, full ? "_OK" : "");
		between = true;
	}
	if (mode & ~7U) {
		strbuf_addch(out, '|');
		add_hex(out, mode & ~7U);
	}
}

static void add_open(struct strbuf *out, u32 flags, bool full)
{
	bool reads = !(flags & OPEN_ACCESS);

	if (reads)
		strbuf_adds(out, full ? "O_RDONLY" : "RDONLY");
	trace_flags_add(out, SET_OPEN, flags, reads, full);
}

/* A constant in some bits, flags in the others. */
static void add_mixed(struct strbuf *out, enum trace_set set, enum trace_set flags, u32 value,
		      u32 mask, bool full)
{
	const char *name = trace_constant_text(set, value & mask, full);

	if (name)
		strbuf_adds(out, name);
	else
		add_hex(out, value & mask);
	trace_flags_add(out, flags, value & ~mask, true, full);
}

/* All bits are set to ask for what it is. */
static void add_personality(struct strbuf *out, u32 v, bool full)
{
	enum { DOMAIN = 0xff };

	if (v == UINT32_MAX)
		add_hex(out, v);
	else
		add_mixed(out, SET_PERSONALITY, SET_PERSONALITY_FLAGS, v, DOMAIN, full);
}

static void add_ioctl(struct strbuf *out, u32 cmd)
{
	static const char *const directions[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
	enum { NR_BITS = 8, TYPE_BITS = 8, SIZE_BITS = 14, PERF = '$', KVM = 0xAE };
	u32 type = cmd >> NR_BITS & 0xff, size = cmd >> (NR_BITS + TYPE_BITS) & 0x3fff;
	const char *name = trace_constant(SET_IOCTL, cmd);

	if (!name && type == PERF)
		name = trace_constant(SET_IOCTL_PERF, cmd);
	else if (!name && type == KVM)
		name = trace_constant(SET_IOCTL_KVM, cmd);
	else if (!name)
		name = trace_constant(SET_IOCTL_MORE, cmd);
	if (name) {
		strbuf_adds(out, type == PERF ? "PERF_" : "");
		strbuf_adds(out, name);
		return;
	}
	strbuf_addf(out, "(%s, %#x, %#x, %#x)",
		    directions[cmd >> (NR_BITS + TYPE_BITS + SIZE_BITS)], type, cmd & 0xff, size);
}

static bool is_command(u64 cmd, const char *name)
{
	const char *is = trace_constant(SET_FCNTL, (u32)cmd);

	return is && !strcmp(is, name);
}

static bool is_one(u64 cmd, enum trace_set set, const char *const *names, size_t nr)
{
	const char *is = trace_constant(set, (u32)cmd);

	for (size_t i = 0; is && i < nr; i++)
		if (!strcmp(is, names[i]))
			return true;
	return false;
}

static void add_fcntl_arg(struct strbuf *out, u64 cmd, u64 v, const struct trace_lookup *n)
{
	static const char *const pointers[] = {
		"GETLK",         "SETLK",       "SETLKW",           "SETOWN_EX",
		"GETOWN_EX",     "OFD_GETLK",   "OFD_SETLK",        "OFD_SETLKW",
		"GETOWNER_UIDS", "GETLK64",     "SETLK64",          "SETLKW64",
		"GET_RW_HINT",   "SET_RW_HINT", "GET_FILE_RW_HINT", "SET_FILE_RW_HINT"
	};

	if (is_command(cmd, "SETFD"))
		trace_flags_add(out, SET_FD_FLAGS, (u32)v, false, is_full(n));
	else if (is_command(cmd, "SETFL"))
		add_open(out, (u32)v, is_full(n));
	else if (is_command(cmd, "SETOWN"))
		add_pid(out, (s32)v, n);
	else if (is_command(cmd, "SETLEASE"))
		add_enum(out, SET_LEASE, v, false, is_full(n));
	else if (is_command(cmd, "ADD_SEALS"))
		trace_flags_add(out, SET_SEAL, (u32)v, false, is_full(n));
	else if (is_one(cmd, SET_FCNTL, pointers, ARRAY_SIZE(pointers)))
		add_hex(out, v);
	else
		add_signed(out, (s64)v);
}

static void add_ipc(struct strbuf *out, u32 flags, bool full)
{
	trace_flags_add(out, SET_IPC_FLAGS, flags & ~0777U, false, full);
	if (flags & 0777 || !flags)
		strbuf_addf(out, flags & ~0777U ? "|%#o" : "%#o", flags & 0777);
}

/* The lowest byte is the signal that tells of the end. */
static void add_clone(struct strbuf *out, u64 flags, bool full)
{
	enum { SIGNAL = 0xff };
	const char *name = trace_constant_text(SET_SIGNAL, flags & SIGNAL, full);

	trace_flags_add(out, SET_CLONE, flags & ~(u64)SIGNAL, false, full);
	if (!(flags & SIGNAL))
		return;
	strbuf_adds(out, flags & ~(u64)SIGNAL ? "|" : "");
	if (name)
		strbuf_adds(out, name);
	else
		add_hex(out, flags & SIGNAL);
}

/* The operation, its argument (possibly a shift), the comparison and what is compared. */
static void add_wake_op(struct strbuf *out, u32 v)
{
	const char *op = trace_constant(SET_FUTEX_OP, v >> 28 & 7);
	const char *cmp = trace_constant(SET_FUTEX_CMP, v >> 24 & 0xf);

	if (!op || !cmp) {
		add_hex(out, v);
		return;
	}
	strbuf_addf(out, "%s%s<<28|%#x<<12|%s<<24|%#x", v >> 31 ? "OPARG_SHIFT<<28|" : "", op,
		    v >> 12 & 0xfff, cmp, v & 0xfff);
}

static const struct prctl_row {
	const char *option;
	u8 arg;
	enum trace_kind kind;
	enum trace_set set;
} prctl_rows[] = {
	{ "SET_DUMPABLE", 1, KIND_DUMP, SET_NONE },
	{ "SET_PDEATHSIG", 1, KIND_ENUM_HEX, SET_SIGNAL },
	{ "SET_MM", 1, KIND_ENUM, SET_PRCTL_MM },
	{ "SET_MM", 2, KIND_POINTER, SET_NONE },
	{ "SET_NAME", 1, KIND_POINTER, SET_NONE },
	{ "GET_NAME", 1, KIND_POINTER, SET_NONE },
	{ "GET_PDEATHSIG", 1, KIND_POINTER, SET_NONE },
	{ "GET_CHILD_SUBREAPER", 1, KIND_POINTER, SET_NONE },
	{ "GET_TID_ADDRESS", 1, KIND_POINTER, SET_NONE },
	{ "GET_TSC", 1, KIND_POINTER, SET_NONE },
	{ "SET_TSC", 1, KIND_ENUM, SET_PRCTL_TSC },
	{ "CAPBSET_READ", 1, KIND_ENUM, SET_PRCTL_CAP },
	{ "CAPBSET_DROP", 1, KIND_ENUM, SET_PRCTL_CAP },
	{ "CAP_AMBIENT", 1, KIND_ENUM, SET_PRCTL_AMBIENT },
	{ "CAP_AMBIENT", 2, KIND_ENUM, SET_PRCTL_CAP },
	{ "SET_SECCOMP", 1, KIND_ENUM, SET_PRCTL_SECCOMP },
	{ "SET_SECCOMP", 2, KIND_POINTER, SET_NONE },
	{ "GET_SPECULATION_CTRL", 1, KIND_ENUM, SET_PRCTL_SPEC },
	{ "SET_SPECULATION_CTRL", 1, KIND_ENUM, SET_PRCTL_SPEC },
	{ "MCE_KILL", 1, KIND_ENUM, SET_PRCTL_MCE },
	{ "SCHED_CORE", 1, KIND_ENUM, SET_PRCTL_CORE },
	{ "SCHED_CORE", 2, KIND_PID, SET_NONE },
	{ "SET_PTRACER", 1, KIND_PID, SET_NONE },
	{ "SET_SECUREBITS", 1, KIND_FLAGS, SET_SECUREBITS },
	{ "SET_SYSCALL_USER_DISPATCH", 1, KIND_ENUM, SET_PRCTL_DISPATCH },
	{ "SET_VMA", 1, KIND_ENUM, SET_PRCTL_VMA },
	{ "SET_VMA", 2, KIND_POINTER, SET_NONE },
	{ "SET_VMA", 4, KIND_POINTER, SET_NONE },
};

static const struct prctl_row *find_prctl(u64 option, unsigned int arg)
{
	const char *name = trace_constant(SET_PRCTL, (u32)option);

	for (size_t i = 0; name && i < ARRAY_SIZE(prctl_rows); i++)
		if (prctl_rows[i].arg == arg && !strcmp(prctl_rows[i].option, name))
			return &prctl_rows[i];
	return NULL;
}

static void add_mount(struct strbuf *out, u64 flags, bool full)
{
	/* what old programs still have in front of them */
	if ((flags & 0xffff0000) == MOUNT_MAGIC)
		flags &= ~0xffff0000ULL;
	trace_flags_add(out, SET_MOUNT, (u32)flags, false, full);
}

/* Of an int the upper half of a register may be anything. */
static bool is_wide(enum trace_set set)
{
	return set == SET_CLONE || set == SET_FANOTIFY_EVENT || set == SET_PERF_BRANCH ||
	       set == SET_PERF_FORMAT || set == SET_PERF_SAMPLE || set == SET_RESOLVE ||
	       set == SET_STATX_ATTR;
}

static void add_number(struct strbuf *out, enum trace_kind kind, u64 v)
{
	switch (kind) {
	case KIND_INT:
		add_signed(out, (s32)v);
		return;
	case KIND_UINT:
		strbuf_add_u64(out, (u32)v);
		return;
	case KIND_OWNER:
		if ((u32)v == UINT32_MAX)
			add_signed(out, -1);
		else
			strbuf_add_u64(out, (u32)v);
		return;
	case KIND_POINTER:
	case KIND_TEXT:
	case KIND_SECCOMP_ARG:
		add_hex(out, v);
		return;
	case KIND_OCTAL:
		strbuf_addf(out, "%#o", (u32)v);
		return;
	case KIND_LIMIT:
		if (v == UINT64_MAX)
			strbuf_adds(out, "INFINITY");
		else
			strbuf_add_u64(out, v);
		return;
	case KIND_NSEC:
		if (v == UTIME_NOW || v == UTIME_OMIT)
			strbuf_adds(out, v == UTIME_NOW ? "UTIME_NOW" : "UTIME_OMIT");
		else
			add_signed(out, (s64)v);
		return;
	case KIND_FUTEX_VAL3:
		if ((s32)v == FUTEX_ANY)
			strbuf_adds(out, "MATCH_ANY");
		else
			add_hex(out, (u32)v);
		return;
	default:
		add_signed(out, (s64)v);
	}
}

/* Flags of a mounted file system; the kernel's word for "these are right" is in no header. */
static void add_statfs(struct strbuf *out, u64 v, bool full)
{
	enum { VALID = 0x20 };

	if (v & VALID)
		strbuf_adds(out, full ? "ST_VALID" : "VALID");
	trace_flags_add(out, SET_STATFS, v & ~(u64)VALID, v & VALID, full);
}

/* As the kernel and this library have the numbers of a device in one. */
static void add_device(struct strbuf *out, u64 v)
{
	strbuf_addf(out, "%u:%u", major(v), minor(v));
}

static void add_dump(struct strbuf *out, u64 v)
{
	/* these are in no header either */
	static const char *const names[] = { "DISABLE", "USER", "ROOT" };

	if (v < ARRAY_SIZE(names))
		strbuf_addf(out, "SUID_DUMP_%s", names[v]);
	else
		strbuf_add_u64(out, v);
}

/* 0, where it is shown. */
static void add_zero(struct strbuf *out, const struct trace_arg *a, bool full)
{
	const char *name = a->kind == KIND_FLAGS ? trace_constant_text(a->set, 0, full) : NULL;

	if (a->kind == KIND_POINTER || a->kind == KIND_TEXT)
		name = "NULL";
	strbuf_adds(out, name ? name : "0");
}

static bool shows_plain_zero(const struct trace_arg *a)
{
	return a->kind == KIND_POINTER || a->kind == KIND_TEXT || a->kind == KIND_FLAGS ||
	       a->kind == KIND_MODE || a->kind == KIND_ACCESS || a->kind == KIND_CLONE ||
	       a->kind == KIND_MOUNT;
}

/* What depends on nothing but the value. */
void trace_value_add(struct strbuf *out, const struct trace_arg *a, u64 v, u32 pid,
		     const struct trace_lookup *n)
{
	if (!v && shows_plain_zero(a)) {
		add_zero(out, a, is_full(n));
		return;
	}
	switch ((enum trace_kind)a->kind) {
	case KIND_FD:
		add_fd(out, (s32)v, pid, n);
		return;
	case KIND_DIR_FD:
		if ((s32)v == FD_CWD)
			strbuf_adds(out, is_full(n) ? "AT_FDCWD" : "CWD");
		else
			add_fd(out, (s32)v, pid, n);
		return;
	case KIND_PID:
		add_pid(out, (s32)v, n);
		return;
	case KIND_MODE:
		add_mode(out, (u32)v, is_full(n));
		return;
	case KIND_ENUM:
	case KIND_ENUM_HEX:
		add_enum(out, a->set, (u32)v, a->kind == KIND_ENUM_HEX, is_full(n));
		return;
	case KIND_ENUM_TYPE:
		if (!n || !n->layouts ||
		    !trace_layout_enum(out, n->layouts, a->read.type, a->read.type_len, v))
			add_signed(out, (s32)v);
		return;
	case KIND_FLAGS:
		trace_flags_add(out, a->set, is_wide(a->set) ? v : (u32)v, false, is_full(n));
		return;
	case KIND_ACCESS:
		add_access(out, (u32)v, is_full(n));
		return;
	case KIND_OPEN:
		add_open(out, (u32)v, is_full(n));
		return;
	case KIND_FUTEX_OP:
		add_mixed(out, SET_FUTEX, SET_FUTEX_FLAGS, (u32)v, ~(u32)FUTEX_FLAGS_MASK,
			  is_full(n));
		return;
	case KIND_SOCKET_TYPE:
		add_mixed(out, SET_SOCKET_TYPE, SET_SOCKET_FLAGS, (u32)v, SOCKET_TYPE_MASK,
			  is_full(n));
		return;
	case KIND_SCHED:
		add_mixed(out, SET_SCHED, SET_SCHED_FLAGS, (u32)v, 0xff, is_full(n));
		return;
	case KIND_PERSONALITY:
		add_personality(out, (u32)v, is_full(n));
		return;
	case KIND_IOCTL:
		add_ioctl(out, (u32)v);
		return;
	case KIND_MOUNT:
		add_mount(out, v, is_full(n));
		return;
	case KIND_CLONE:
		add_clone(out, v, is_full(n));
		return;
	case KIND_IPC:
		add_ipc(out, (u32)v, is_full(n));
		return;
	case KIND_STATFS:
		add_statfs(out, v, is_full(n));
		return;
	case KIND_DEVICE:
		add_device(out, v);
		return;
	case KIND_DUMP:
		add_dump(out, v);
		return;
	default:
		add_number(out, a->kind, v);
	}
}

/* What perf_event_attr.config counts depends on the type, which is in front of it. */
static enum trace_set set_of_config(const u8 *attr, size_t len)
{
	const char *name;
	u32 type;

	if (len < sizeof(type))
		return SET_NONE;
	memcpy(&type, attr, sizeof(type));
	name = trace_constant(SET_PERF_TYPE, type);
	if (name && !strcmp(name, "HARDWARE"))
		return SET_PERF_HARDWARE;
	return name && !strcmp(name, "SOFTWARE") ? SET_PERF_SOFTWARE : SET_NONE;
}

/* Members of structures that have names, too. */
static const struct {
	const char *type, *member;
	struct trace_arg arg;
} member_rows[] = {
	{ "", "attach_type", { .kind = KIND_ENUM, .set = SET_BPF_ATTACH_TYPE } },
	{ "", "expected_attach_type", { .kind = KIND_ENUM, .set = SET_BPF_ATTACH_TYPE } },
	{ "", "map_type", { .kind = KIND_ENUM, .set = SET_BPF_MAP_TYPE } },
	{ "", "prog_type", { .kind = KIND_ENUM, .set = SET_BPF_PROG_TYPE } },
	{ "__user_cap_header_struct",
	  "version",
	  { .kind = KIND_ENUM_HEX, .set = SET_CAP_VERSION } },
	{ "__kernel_timespec", "tv_nsec", { .kind = KIND_NSEC } },
	{ "clone_args", "flags", { .kind = KIND_FLAGS, .set = SET_CLONE } },
	{ "clone_args", "exit_signal", { .kind = KIND_ENUM_HEX, .set = SET_SIGNAL } },
	{ "clone_args", "pidfd", { .kind = KIND_POINTER } },
	{ "clone_args", "child_tid", { .kind = KIND_POINTER } },
	{ "clone_args", "parent_tid", { .kind = KIND_POINTER } },
	{ "clone_args", "set_tid", { .kind = KIND_POINTER } },
	{ "clone_args", "stack", { .kind = KIND_POINTER } },
	{ "clone_args", "stack_size", { .kind = KIND_POINTER } },
	{ "clone_args", "tls", { .kind = KIND_POINTER } },
	{ "compat_stat", "st_dev", { .kind = KIND_DEVICE } },
	{ "compat_stat", "st_rdev", { .kind = KIND_DEVICE } },
	{ "compat_stat", "st_mode", { .kind = KIND_MODE } },
	{ "epoll_event", "events", { .kind = KIND_FLAGS, .set = SET_EPOLL } },
	{ "open_how", "flags", { .kind = KIND_OPEN } },
	{ "open_how", "mode", { .kind = KIND_MODE } },
	{ "open_how", "resolve", { .kind = KIND_FLAGS, .set = SET_RESOLVE } },
	{ "io_uring_params", "features", { .kind = KIND_FLAGS, .set = SET_IO_URING_FEAT } },
	{ "io_uring_params", "flags", { .kind = KIND_FLAGS, .set = SET_IO_URING_SETUP } },
	{ "ifaddrmsg", "ifa_family", { .kind = KIND_ENUM, .set = SET_FAMILY } },
	{ "ifaddrmsg", "ifa_scope", { .kind = KIND_ENUM, .set = SET_RT_SCOPE } },
	{ "ifinfomsg", "ifi_family", { .kind = KIND_ENUM, .set = SET_FAMILY } },
	{ "ifinfomsg", "ifi_flags", { .kind = KIND_FLAGS, .set = SET_INTERFACE_FLAGS } },
	{ "ifinfomsg", "ifi_type", { .kind = KIND_ENUM_HEX, .set = SET_HARDWARE } },
	{ "ndmsg", "ndm_family", { .kind = KIND_ENUM, .set = SET_FAMILY } },
	{ "perf_event_attr", "branch_sample_type", { .kind = KIND_FLAGS, .set = SET_PERF_BRANCH } },
	{ "perf_event_attr", "read_format", { .kind = KIND_FLAGS, .set = SET_PERF_FORMAT } },
	{ "perf_event_attr", "sample_type", { .kind = KIND_FLAGS, .set = SET_PERF_SAMPLE } },
	{ "perf_event_attr", "config", { .kind = KIND_ENUM } },
	{ "perf_event_attr", "type", { .kind = KIND_ENUM, .set = SET_PERF_TYPE } },
	{ "pollfd", "events", { .kind = KIND_FLAGS, .set = SET_POLL } },
	{ "pollfd", "revents", { .kind = KIND_FLAGS, .set = SET_POLL } },
	{ "rlimit", "rlim_cur", { .kind = KIND_LIMIT } },
	{ "rlimit", "rlim_max", { .kind = KIND_LIMIT } },
	{ "rlimit64", "rlim_cur", { .kind = KIND_LIMIT } },
	{ "rlimit64", "rlim_max", { .kind = KIND_LIMIT } },
	{ "fib_rule_hdr", "family", { .kind = KIND_ENUM, .set = SET_FAMILY } },
	{ "fib_rule_hdr", "table", { .kind = KIND_ENUM, .set = SET_RT_TABLE } },
	{ "rtgenmsg", "rtgen_family", { .kind = KIND_ENUM, .set = SET_FAMILY } },
	{ "rtmsg", "rtm_family", { .kind = KIND_ENUM, .set = SET_FAMILY } },
	{ "rtmsg", "rtm_protocol", { .kind = KIND_ENUM, .set = SET_RT_PROTOCOL } },
	{ "rtmsg", "rtm_scope", { .kind = KIND_ENUM, .set = SET_RT_SCOPE } },
	{ "rtmsg", "rtm_table", { .kind = KIND_ENUM, .set = SET_RT_TABLE } },
	{ "rtmsg", "rtm_type", { .kind = KIND_ENUM, .set = SET_RT_TYPE } },
	{ "sched_attr", "sched_policy", { .kind = KIND_ENUM, .set = SET_SCHED } },
	{ "sembuf", "sem_flg", { .kind = KIND_FLAGS, .set = SET_IPC_FLAGS } },
	{ "sigaltstack", "ss_flags", { .kind = KIND_FLAGS, .set = SET_SIGALTSTACK } },
	{ "stat", "st_dev", { .kind = KIND_DEVICE } },
	{ "stat", "st_rdev", { .kind = KIND_DEVICE } },
	{ "stat", "st_mode", { .kind = KIND_MODE } },
	{ "stat64", "st_mode", { .kind = KIND_MODE } },
	{ "statfs", "f_flags", { .kind = KIND_STATFS, .set = SET_STATFS } },
	{ "statfs", "f_type", { .kind = KIND_ENUM_HEX, .set = SET_FS_MAGIC } },
	{ "statx", "stx_attributes", { .kind = KIND_FLAGS, .set = SET_STATX_ATTR } },
	{ "statx", "stx_attributes_mask", { .kind = KIND_FLAGS, .set = SET_STATX_ATTR } },
	{ "statx", "stx_mask", { .kind = KIND_FLAGS, .set = SET_STATX } },
	{ "statx", "stx_mode", { .kind = KIND_MODE } },
};

static bool add_member(void *ctx, struct strbuf *out, const char *type, const char *member, u64 v,
		       const u8 *data, size_t len)
{
	const struct trace_lookup *n = ctx;

	for (size_t i = 0; i < ARRAY_SIZE(member_rows); i++) {
		struct trace_arg a = member_rows[i].arg;

		if (strcmp(member_rows[i].type, type) != 0 ||
		    strcmp(member_rows[i].member, member) != 0)
			continue;
		if (a.kind == KIND_ENUM && !a.set)
			a.set = (u8)set_of_config(data, len);
		if (!v && (a.kind != KIND_ENUM || !trace_constant(a.set, 0)))
			return false;
		if (a.kind == KIND_ENUM && !trace_constant(a.set, v))
			return false;
		trace_value_add(out, &a, v, 0, n);
		return true;
	}
	return false;
}

/* Of the socket that a call reads from or writes to. */
static int netlink_of(const struct trace_call *c, unsigned int i, const struct trace_lookup *n)
{
	u8 shape = c->syscall->args[i].read.shape;

	if (!n->netlink || c->syscall->args[0].kind != KIND_FD ||
	    (shape != SHAPE_BYTES && shape != SHAPE_VECTOR && shape != SHAPE_MESSAGE &&
	     shape != SHAPE_MESSAGES))
		return NO_NETLINK;
	return n->netlink(n->ctx, c->pid, (s32)c->args[0]);
}

static bool add_memory(struct strbuf *out, const struct trace_call *c, unsigned int i,
		       const struct trace_lookup *n)
{
	const struct trace_shown s = { .layouts = n->layouts,
				       .member = n->plain ? NULL : add_member,
				       .ctx = (void *)(uintptr_t)n,
				       .plain = n->plain,
				       .netlink = netlink_of(c, i, n) };

	return trace_memory_add(out, c, i, &s);
}

/* Names of a socket's options, by their level. */
static enum trace_set set_of_options(u32 level)
{
	static const struct {
		const char *level;
		enum trace_set set;
	} rows[] = { { "SOCKET", SET_SO },        { "IP", SET_SO_IP },
		     { "IPV6", SET_SO_IPV6 },     { "NETLINK", SET_SO_NETLINK },
		     { "PACKET", SET_SO_PACKET }, { "TCP", SET_SO_TCP },
		     { "UDP", SET_SO_UDP } };
	const char *name = trace_constant(SET_SOL, level);

	for (size_t i = 0; name && i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].level, name))
			return rows[i].set;
	return SET_NONE;
}

/* Commands of fcntl() whose argument is a struct flock. */
static const char *const locks[] = { "GETLK",     "SETLK",     "SETLKW",
				     "OFD_GETLK", "OFD_SETLK", "OFD_SETLKW" };

static bool is_named(enum trace_set set, u64 value, const char *name)
{
	const char *is = trace_constant(set, value);

	return is && !strcmp(is, name);
}

static bool is_filter(u64 op)
{
	return is_named(SET_SECCOMP, (u32)op, "FILTER");
}

static void add_prctl_arg(struct strbuf *out, const struct trace_call *c, unsigned int i,
			  const struct trace_lookup *n)
{
	const struct prctl_row *row = find_prctl(c->args[0], i);
	bool names = is_named(SET_PRCTL, (u32)c->args[0], "SET_NAME") ||
		     is_named(SET_PRCTL, (u32)c->args[0], "GET_NAME");
	const struct trace_arg a = { .kind = (u8)(row ? row->kind : KIND_LONG),
				     .set = (u8)(row ? row->set : SET_NONE) };

	if (!names || !c->args[i] || !n || !add_memory(out, c, i, n))
		trace_value_add(out, &a, c->args[i], c->pid, n);
}

static void add_arg(struct strbuf *out, const struct trace_call *c, unsigned int i,
		    const struct trace_lookup *n)
{
	const struct trace_arg *a = &c->syscall->args[i];
	const u64 *args = c->args;
	u64 v = args[i];

	switch ((enum trace_kind)a->kind) {
	case KIND_PROTOCOL:
		if ((u32)args[0] == FAMILY_INET || (u32)args[0] == FAMILY_INET6)
			add_enum(out, SET_PROTOCOL, v, false, is_full(n));
		else if ((u32)args[0] == FAMILY_NETLINK)
			add_enum(out, SET_NETLINK, v, false, is_full(n));
		else
			add_signed(out, (s32)v);
		return;
	case KIND_SOCKET_OPTION:
		add_enum(out, set_of_options((u32)args[1]), v, false, is_full(n));
		return;
	case KIND_FCNTL_ARG:
		if (v && n && is_one(args[1], SET_FCNTL, locks, ARRAY_SIZE(locks)) &&
		    add_memory(out, c, i, n))
			return;
		add_fcntl_arg(out, args[1], v, n);
		return;
	case KIND_PRCTL_ARG:
		add_prctl_arg(out, c, i, n);
		return;
	case KIND_SECCOMP_ARG:
		if (v && n && is_filter(args[0]) && add_memory(out, c, i, n))
			return;
		add_hex(out, v);
		return;
	case KIND_FUTEX_VAL3:
		if (is_named(SET_FUTEX, args[1] & ~(u64)FUTEX_FLAGS_MASK, "WAKE_OP"))
			add_wake_op(out, (u32)v);
		else
			trace_value_add(out, a, v, c->pid, n);
		return;
	default:
		if (v && n && a->read.shape && add_memory(out, c, i, n))
			return;
		trace_value_add(out, a, v, c->pid, n);
	}
}

/* ------------------------------------------------------------------ arguments that mean nothing */

enum { MASK_2 = 1 << 2, MASK_3 = 1 << 3, MASK_4 = 1 << 4, MASK_5 = 1 << 5 };

/* By the operation: utime, uaddr2, val3. */
static unsigned int futex_unused(u32 op)
{
	static const struct {
		const char *op;
		unsigned int unused;
	} rows[] = {
		{ "WAIT", MASK_4 | MASK_5 },
		{ "WAKE", MASK_3 | MASK_4 | MASK_5 },
		{ "FD", MASK_3 | MASK_4 | MASK_5 },
		{ "REQUEUE", MASK_3 | MASK_5 },
		{ "CMP_REQUEUE", MASK_3 },
		{ "LOCK_PI", MASK_3 | MASK_4 | MASK_5 },
		{ "UNLOCK_PI", MASK_3 | MASK_4 | MASK_5 },
		{ "TRYLOCK_PI", MASK_4 | MASK_5 },
		{ "WAIT_BITSET", MASK_4 },
		{ "WAKE_BITSET", MASK_4 },
		{ "CMP_REQUEUE_PI", MASK_3 },
	};
	const char *name = trace_constant(SET_FUTEX, op & ~(u32)FUTEX_FLAGS_MASK);

	for (size_t i = 0; name && i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].op, name))
			return rows[i].unused;
	return 0;
}

static unsigned int clone_unused(const struct trace_call *c)
{
	enum { SETTLS = 0x80000, PARENT = 0x100000, CHILD = 0x1200000 };
	static const struct {
		const char *arg;
		u64 flags;
	} rows[] = { { "parent_tidptr", PARENT }, { "child_tidptr", CHILD }, { "tls", SETTLS } };
	unsigned int unused = 0;

	for (unsigned int i = 0; i < c->syscall->nr_args; i++)
		for (size_t r = 0; r < ARRAY_SIZE(rows); r++)
			if (!strcmp(rows[r].arg, c->syscall->args[i].name) &&
			    !(c->args[0] & rows[r].flags))
				unused |= 1U << i;
	return unused;
}

static unsigned int prctl_unused(u32 option)
{
	static const struct {
		const char *option;
		unsigned int unused;
	} rows[] = {
		{ "SET_PDEATHSIG", ~3U },
		{ "CAPBSET_DROP", ~3U },
		{ "CAPBSET_READ", ~3U },
		{ "GET_DUMPABLE", ~1U },
		{ "GET_KEEPCAPS", ~1U },
		{ "GET_SECCOMP", ~1U },
		{ "GET_TID_ADDRESS", ~3U },
		{ "GET_TIMERSLACK", ~1U },
		{ "GET_TIMING", ~1U },
		{ "GET_TSC", ~3U },
		{ "SET_KEEPCAPS", ~3U },
		{ "SET_PTRACER", ~3U },
		{ "SET_SECCOMP", ~7U },
		{ "SET_TIMERSLACK", ~3U },
		{ "SET_TSC", ~3U },
		{ "TASK_PERF_EVENTS_DISABLE", ~1U },
		{ "TASK_PERF_EVENTS_ENABLE", ~1U },
		{ "SET_DUMPABLE", ~3U },
		{ "SET_NAME", ~3U },
		{ "GET_SECUREBITS", ~1U },
		{ "SET_SECUREBITS", ~3U },
		{ "SET_MM", ~7U },
		{ "SET_CHILD_SUBREAPER", ~3U },
		{ "GET_CHILD_SUBREAPER", ~3U },
		{ "GET_PDEATHSIG", ~3U },
		{ "GET_NAME", ~3U },
	};
	const char *name = trace_constant(SET_PRCTL, option);

	for (size_t i = 0; name && i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].option, name))
			return rows[i].unused;
	return 0;
}

static bool creates(u32 flags)
{
	enum { CREAT = 0100, TMPFILE = 020000000 };

	return flags & (CREAT | TMPFILE);
}

/* Bit i: argument i is not looked at by the kernel. */
static unsigned int unused_args(const struct trace_call *c)
{
	static const char *const no_arg[] = { "GETFD",    "GETFL",      "GETOWN",   "GETSIG",
					      "GETLEASE", "GETPIPE_SZ", "GET_SEALS" };
	enum { ANONYMOUS = 0x20 };
	const char *name = c->syscall->name;
	const u64 *a = c->args;

	switch (name[0]) {
	case 'c':
		return !strcmp(name, "clone") ? clone_unused(c) : 0;
	case 'f':
		if (!strcmp(name, "futex"))
			return futex_unused((u32)a[1]);
		if (c->syscall->result == RESULT_FCNTL &&
		    is_one(a[1], SET_FCNTL, no_arg, ARRAY_SIZE(no_arg)))
			return MASK_2;
		return 0;
	case 'm':
		return !strncmp(name, "mmap", 4) && a[3] & ANONYMOUS ? MASK_4 | MASK_5 : 0;
	case 'o':
		if (!strcmp(name, "open"))
			return creates((u32)a[1]) ? 0 : MASK_2;
		return !strcmp(name, "openat") && !creates((u32)a[2]) ? MASK_3 : 0;
	case 'p':
		return !strcmp(name, "prctl") ? prctl_unused((u32)a[0]) : 0;
	default:
		return 0;
	}
}

/* ------------------------------------------------------------------ calls */

/* Of which only the number is known, or whose arguments are not in the table. */
static void add_raw(struct strbuf *out, const struct trace_call *c)
{
	const char *sep = "";

	for (unsigned int i = 0; i < TRACE_ARGS; i++) {
		if (!c->args[i])
			continue;
		strbuf_addf(out, "%sarg%u: ", sep, i);
		add_hex(out, c->args[i]);
		sep = ", ";
	}
}

/* Where 0 has a name. */
static bool shows_zero(const struct trace_call *c, unsigned int i)
{
	const struct prctl_row *row;

	if (c->syscall->args[i].kind == KIND_PROTOCOL)
		return (u32)c->args[0] == FAMILY_NETLINK;
	if (c->syscall->args[i].kind != KIND_PRCTL_ARG)
		return c->syscall->args[i].zero;
	row = find_prctl(c->args[0], i);
	return row && (row->kind == KIND_ENUM || row->kind == KIND_DUMP);
}

void trace_call_add_args(struct strbuf *out, const struct trace_call *c,
			 const struct trace_lookup *n)
{
	const struct trace_syscall *s = c->syscall;
	unsigned int unused = unused_args(c);
	bool between = false;

	if (!s->known)
		add_raw(out, c);
	for (unsigned int i = 0; i < s->nr_args; i++) {
		const struct trace_arg *a = &s->args[i];

		if ((!c->args[i] && !(n && n->zeros) && !shows_zero(c, i)) || (unused & 1U << i))
			continue;
		if (between)
			strbuf_add(out, ", ", 2);
		between = true;
		if (!n || !n->no_names) {
			strbuf_add(out, a->name, a->len);
			strbuf_add(out, ": ", 2);
		}
		add_arg(out, c, i, n);
	}
}

void trace_call_add(struct strbuf *out, const struct trace_call *c, const struct trace_lookup *n)
{
	strbuf_adds(out, c->syscall->name);
	strbuf_addch(out, '(');
	trace_call_add_args(out, c, n);
	strbuf_addch(out, ')');
}

bool trace_call_touches(const struct trace_call *c, const char *file, const struct trace_lookup *n)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	for (unsigned int i = 0; i < c->syscall->nr_args && c->args; i++) {
		u8 kind = c->syscall->args[i].kind;
		s32 fd = (s32)c->args[i];
		const char *path = NULL;

		strbuf_reset(&text);
		if (trace_memory_string(&text, c, i))
			path = text.buf;
		else if ((kind == KIND_FD || kind == KIND_DIR_FD) && fd >= 0 && n->path)
			path = n->path(n->ctx, c->pid, fd);
		if (path && !strcmp(path, file))
			return true;
	}
	return false;
}

const char *trace_errno_name(u32 error)
{
	return trace_constant(SET_ERRNO, error);
}

/* Errors that a call returns inside the kernel, which restarts it; strace calls them so, too. */
static const char *restart_name(s64 error)
{
	switch (error) {
	case 512:
		return "ERESTARTSYS";
	case 513:
		return "ERESTARTNOINTR";
	case 514:
		return "ERESTARTNOHAND";
	case 516:
		return "ERESTART_RESTARTBLOCK";
	default:
		return NULL;
	}
}

static void add_error(struct strbuf *out, u32 error)
{
	const char *name = trace_errno_name(error), *restart = restart_name(error);

	strbuf_adds(out, "-1 ");
	if (name)
		strbuf_addf(out, "%s (%s)", name, strerror((int)error));
	else if (restart)
		strbuf_addf(out, "%s (interrupted by a signal)", restart);
	else
		strbuf_addf(out, "(error %u)", error);
}

static void add_fcntl_result(struct strbuf *out, u64 cmd, s64 v, const struct trace_lookup *n)
{
	if (is_command(cmd, "GETFL"))
		add_open(out, (u32)v, is_full(n));
	else if (is_command(cmd, "GETFD") && v)
		trace_flags_add(out, SET_FD_FLAGS, (u32)v, false, is_full(n));
	else if (is_command(cmd, "GETOWN"))
		add_pid(out, (s32)v, n);
	else if (is_command(cmd, "GETLEASE"))
		add_enum(out, SET_LEASE, (u64)v, false, is_full(n));
	else if (is_command(cmd, "GET_SEALS") && v)
		trace_flags_add(out, SET_SEAL, (u32)v, false, is_full(n));
	else
		add_signed(out, v);
}

void trace_result_add(struct strbuf *out, const struct trace_call *c, s64 v,
		      const struct trace_lookup *n)
{
	if (trace_failed(v)) {
		add_error(out, (u32)-v);
		return;
	}
	switch ((enum trace_result)c->syscall->result) {
	case RESULT_POINTER:
		if (!v)
			break;
		add_hex(out, (u64)v);
		return;
	case RESULT_PID:
		add_pid(out, (s32)v, n);
		return;
	case RESULT_OCTAL:
		strbuf_addf(out, "%#o", (u32)v);
		return;
	case RESULT_TIMEOUT:
		add_signed(out, v);
		strbuf_adds(out, v ? "" : " (Timeout)");
		return;
	case RESULT_FCNTL:
		if (c->args) {
			add_fcntl_result(out, c->args[1], v, n);
			return;
		}
		break;
	default:
		break;
	}
	add_signed(out, v);
}
