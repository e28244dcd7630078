/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/commands.h"

#include <string.h>

#include "base/mem.h"
#include "trace/constants.h"
#include "trace/quote.h"

static u64 load(const struct trace_bytes *b, size_t at, size_t size)
{
	u64 v = 0;

	if (at + size <= b->len)
		memcpy(&v, b->data + at, size);
	return v;
}

static s32 load_s32(const struct trace_bytes *b, size_t at)
{
	return (s32)load(b, at, sizeof(s32));
}

static void add_name(struct strbuf *out, enum trace_set set, u64 value)
{
	const char *name = trace_constant(set, value);

	if (name)
		strbuf_adds(out, name);
	else
		strbuf_addf(out, "%lld", (long long)value);
}

static bool add_struct(struct strbuf *out, const char *type, const struct trace_bytes *b,
		       const struct trace_shown *s)
{
	u32 id = s->layouts ? trace_layout_find(s->layouts, type, strlen(type)) : 0;
	size_t size = trace_layout_size(s->layouts, id);

	if (!id || !size)
		return false;
	trace_layout_add(out, s->layouts, id, b->data, MIN(size, b->len), s->member, s->ctx);
	return true;
}

/* ------------------------------------------------------------------ ioctl */

/* What commands are given that do not tell a size; NULL: an int. */
static const struct ioctl_row {
	const char *cmd;
	const char *type;
	bool out; /* the kernel writes it */
} ioctl_rows[] = {
	{ "FIOASYNC", NULL, false },       { "FIOGETOWN", NULL, true },
	{ "FIONBIO", NULL, false },        { "FIONREAD", NULL, true },
	{ "FIOSETOWN", NULL, false },      { "SIOCATMARK", NULL, true },
	{ "SIOCGPGRP", NULL, true },       { "SIOCOUTQ", NULL, true },
	{ "SIOCOUTQNSD", NULL, true },     { "SIOCSPGRP", NULL, false },
	{ "TCGETS", "termios", true },     { "TCSETS", "termios", false },
	{ "TCSETSF", "termios", false },   { "TCSETSW", "termios", false },
	{ "TIOCGETD", NULL, true },        { "TIOCGPGRP", NULL, true },
	{ "TIOCGSID", NULL, true },        { "TIOCGSOFTCAR", NULL, true },
	{ "TIOCGWINSZ", "winsize", true }, { "TIOCMBIC", NULL, false },
	{ "TIOCMBIS", NULL, false },       { "TIOCMGET", NULL, true },
	{ "TIOCMSET", NULL, false },       { "TIOCPKT", NULL, false },
	{ "TIOCSETD", NULL, false },       { "TIOCSPGRP", NULL, false },
	{ "TIOCSSOFTCAR", NULL, false },   { "TIOCSWINSZ", "winsize", false },
};

/* What commands are given that tell a size. */
static const struct {
	const char *cmd, *type;
} sized_rows[] = {
	{ "FS_IOC_FIEMAP", "fiemap" },
	{ "FS_IOC_FSGETXATTR", "fsxattr" },
	{ "FS_IOC_FSSETXATTR", "fsxattr" },
	{ "FITRIM", "fstrim_range" },
	{ "FIDEDUPERANGE", "file_dedupe_range" },
	{ "FICLONERANGE", "file_clone_range" },
	{ "RTC_RD_TIME", "rtc_time" },
	{ "RTC_SET_TIME", "rtc_time" },
	{ "UFFDIO_API", "uffdio_api" },
	{ "UFFDIO_COPY", "uffdio_copy" },
	{ "UFFDIO_REGISTER", "uffdio_register" },
	{ "UFFDIO_ZEROPAGE", "uffdio_zeropage" },
	{ "PIDFD_GET_INFO", "pidfd_info" },
};

/* "B38400|CS8|CREAD" */
static void add_cflag(struct strbuf *out, u32 v)
{
	enum { SPEED = 0x100f, SIZE = 060, INPUT_SPEED = 0x100f0000 };

	add_name(out, SET_TERMIOS_SPEED, v & SPEED);
	strbuf_addch(out, '|');
	add_name(out, SET_TERMIOS_SIZE, v & SIZE);
	trace_flags_add(out, SET_TERMIOS_CFLAG, v & ~(u32)(SPEED | SIZE | INPUT_SPEED), true,
			false);
}

/* "{ .c_iflag: ICRNL|IXON, ... }": the flags by their names, characters as a string. */
static bool add_termios(struct strbuf *out, const struct trace_bytes *b)
{
	enum { IFLAG = 0, OFLAG = 4, CFLAG = 8, LFLAG = 12, LINE = 16, WHOLE = 36 };

	if (b->len < WHOLE)
		return false;
	strbuf_adds(out, "{ .c_iflag: ");
	if (!trace_flags_add(out, SET_TERMIOS_IFLAG, load(b, IFLAG, 4), false, false))
		strbuf_addch(out, '0');
	strbuf_adds(out, ", .c_oflag: ");
	if (!trace_flags_add(out, SET_TERMIOS_OFLAG, load(b, OFLAG, 4), false, false))
		strbuf_addch(out, '0');
	strbuf_adds(out, ", .c_cflag: ");
	add_cflag(out, (u32)load(b, CFLAG, 4));
	strbuf_adds(out, ", .c_lflag: ");
	if (!trace_flags_add(out, SET_TERMIOS_LFLAG, load(b, LFLAG, 4), false, false))
		strbuf_addch(out, '0');
	strbuf_addf(out, ", .c_line: %llu }", (unsigned long long)load(b, LINE, 1));
	return true;
}

/* What struct ifreq has behind the name, by the end of the command's name. */
static const struct interface_row {
	const char *cmd, *member;
	enum { AN_INT, FLAGS, ADDRESS, HARDWARE } kind;
} interface_rows[] = {
	{ "ADDR", "addr", ADDRESS },       { "BRDADDR", "broadaddr", ADDRESS },
	{ "DSTADDR", "dstaddr", ADDRESS }, { "FLAGS", "flags", FLAGS },
	{ "HWADDR", "hwaddr", HARDWARE },  { "INDEX", "ifindex", AN_INT },
	{ "METRIC", "metric", AN_INT },    { "MTU", "mtu", AN_INT },
	{ "NAME", "ifindex", AN_INT },     { "NETMASK", "netmask", ADDRESS },
	{ "TXQLEN", "qlen", AN_INT },
};

static void add_interface_value(struct strbuf *out, const struct interface_row *r,
				const struct trace_bytes *b)
{
	enum { AT = 16, INET = 2, INET_AT = AT + 4, BYTES_AT = AT + 2 };
	u32 family = (u32)load(b, AT, 2);

	strbuf_addf(out, ", .ifr_%s: ", r->member);
	switch (r->kind) {
	case AN_INT:
		strbuf_addf(out, "%d", load_s32(b, AT));
		return;
	case FLAGS:
		if (!trace_flags_add(out, SET_INTERFACE_FLAGS, load(b, AT, 2), false, false))
			strbuf_addch(out, '0');
		return;
	case ADDRESS:
		strbuf_adds(out, "{ .family: ");
		add_name(out, SET_FAMILY, family);
		for (size_t i = 0; family == INET && i < 4; i++)
			strbuf_addf(out, "%s%u", i ? "." : ", addr: ", b->data[INET_AT + i]);
		strbuf_adds(out, " }");
		return;
	case HARDWARE:
		strbuf_adds(out, "{ .family: ");
		add_name(out, SET_HARDWARE, family);
		for (size_t i = 0; i < 6; i++)
			strbuf_addf(out, "%s%02x", i ? ":" : ", addr: ", b->data[BYTES_AT + i]);
		strbuf_adds(out, " }");
		return;
	}
}

/* SIOCGIF* and SIOCSIF*: struct ifreq, or the list of all interfaces. */
static bool add_interface(struct strbuf *out, const char *cmd, const struct trace_bytes *b)
{
	enum { NAME = 16, WHOLE = 32, PREFIX = 7 };
	bool reads = !strncmp(cmd, "SIOCGIF", PREFIX);
	size_t word = b->compat ? 4 : 8;

	if ((!reads && strncmp(cmd, "SIOCSIF", PREFIX) != 0) || b->len < WHOLE)
		return false;
	if (!strcmp(cmd + PREFIX, "CONF")) {
		strbuf_addf(out, "{ .ifc_len: %d, .ifc_buf: %#llx }", load_s32(b, 0),
			    (unsigned long long)load(b, word, word));
		return true;
	}
	strbuf_adds(out, "{ .ifr_name: ");
	trace_quote(out, (const char *)b->data, strnlen((const char *)b->data, NAME), true);
	for (size_t i = 0; i < ARRAY_SIZE(interface_rows); i++)
		if (!strcmp(interface_rows[i].cmd, cmd + PREFIX) && (b->ended || !reads))
			add_interface_value(out, &interface_rows[i], b);
	strbuf_adds(out, " }");
	return true;
}

static bool add_old_ioctl(struct strbuf *out, const char *cmd, const struct trace_bytes *b,
			  const struct trace_shown *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(ioctl_rows); i++) {
		const struct ioctl_row *r = &ioctl_rows[i];

		if (strcmp(r->cmd, cmd) != 0 || (r->out && !b->ended))
			continue;
		if (!r->type && b->len >= 4)
			strbuf_addf(out, "[%d]", load_s32(b, 0));
		if (!r->type)
			return b->len >= 4;
		if (!strcmp(r->type, "termios") && !s->plain)
			return add_termios(out, b);
		return add_struct(out, r->type, b, s);
	}
	return add_interface(out, cmd, b);
}

bool trace_ioctl_add(struct strbuf *out, u32 cmd, const struct trace_bytes *b,
		     const struct trace_shown *s)
{
	enum { SIZE = 0x3fff };
	const char *name = trace_constant(SET_IOCTL, cmd);
	u32 size = cmd >> 16 & SIZE;

	if (!name)
		name = trace_constant(SET_IOCTL_MORE, cmd);
	if (!size)
		return name && add_old_ioctl(out, name, b, s);
	for (size_t i = 0; name && i < ARRAY_SIZE(sized_rows); i++)
		if (!strcmp(sized_rows[i].cmd, name) && add_struct(out, sized_rows[i].type, b, s))
			return true;
	if (size == 4 && b->len >= 4) {
		strbuf_addf(out, "[%d]", load_s32(b, 0));
	} else if (size == 8 && b->len >= 8) {
		strbuf_addf(out, "[%#llx]", (unsigned long long)load(b, 0, 8));
	} else {
		trace_quote(out, (const char *)b->data, MIN(b->len, (size_t)32), false);
		strbuf_adds(out, size > 32 ? "..." : "");
	}
	return true;
}

/* ------------------------------------------------------------------ bpf */

/* The members that a command has, by the name of one of them. */
static const struct {
	const char *cmd, *member;
} bpf_rows[] = {
	{ "MAP_CREATE", "map_type" },
	{ "MAP_LOOKUP_ELEM", "map_fd" },
	{ "MAP_UPDATE_ELEM", "map_fd" },
	{ "MAP_DELETE_ELEM", "map_fd" },
	{ "MAP_GET_NEXT_KEY", "map_fd" },
	{ "MAP_LOOKUP_AND_DELETE_ELEM", "map_fd" },
	{ "MAP_FREEZE", "map_fd" },
	{ "MAP_LOOKUP_BATCH", "batch" },
	{ "MAP_LOOKUP_AND_DELETE_BATCH", "batch" },
	{ "MAP_UPDATE_BATCH", "batch" },
	{ "MAP_DELETE_BATCH", "batch" },
	{ "PROG_LOAD", "prog_type" },
	{ "OBJ_PIN", "pathname" },
	{ "OBJ_GET", "pathname" },
	{ "PROG_ATTACH", "attach_bpf_fd" },
	{ "PROG_DETACH", "attach_bpf_fd" },
	{ "PROG_RUN", "test" },
	{ "PROG_TEST_RUN", "test" },
	{ "PROG_GET_NEXT_ID", "next_id" },
	{ "MAP_GET_NEXT_ID", "next_id" },
	{ "BTF_GET_NEXT_ID", "next_id" },
	{ "LINK_GET_NEXT_ID", "next_id" },
	{ "PROG_GET_FD_BY_ID", "next_id" },
	{ "MAP_GET_FD_BY_ID", "next_id" },
	{ "BTF_GET_FD_BY_ID", "next_id" },
	{ "LINK_GET_FD_BY_ID", "next_id" },
	{ "OBJ_GET_INFO_BY_FD", "info" },
	{ "PROG_QUERY", "query" },
	{ "RAW_TRACEPOINT_OPEN", "raw_tracepoint" },
	{ "BTF_LOAD", "btf" },
	{ "TASK_FD_QUERY", "task_fd_query" },
	{ "LINK_CREATE", "link_create" },
	{ "LINK_UPDATE", "link_update" },
	{ "LINK_DETACH", "link_detach" },
	{ "ENABLE_STATS", "enable_stats" },
	{ "ITER_CREATE", "iter_create" },
	{ "PROG_BIND_MAP", "prog_bind_map" },
};

bool trace_bpf_add(struct strbuf *out, u32 cmd, const struct trace_bytes *b,
		   const struct trace_shown *s)
{
	const char *name = trace_constant(SET_BPF, cmd);

	for (size_t i = 0; name && s->layouts && i < ARRAY_SIZE(bpf_rows); i++) {
		u32 id;

		if (strcmp(bpf_rows[i].cmd, name) != 0)
			continue;
		id = trace_layout_part(s->layouts, "bpf_attr", bpf_rows[i].member);
		if (!id)
			return false;
		trace_layout_add(out, s->layouts, id, b->data,
				 MIN((size_t)trace_layout_size(s->layouts, id), b->len), s->member,
				 s->ctx);
		return true;
	}
	return false;
}

/* ------------------------------------------------------------------ siginfo_t */

static enum trace_set codes_of(const char *signal)
{
	static const struct {
		const char *signal;
		enum trace_set set;
	} rows[] = { { "CHLD", SET_SI_CHILD }, { "SEGV", SET_SI_SEGV }, { "BUS", SET_SI_BUS },
		     { "ILL", SET_SI_ILL },    { "FPE", SET_SI_FPE },   { "TRAP", SET_SI_TRAP } };

	for (size_t i = 0; signal && i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].signal, signal))
			return rows[i].set;
	return SET_NONE;
}

bool trace_siginfo_add(struct strbuf *out, const struct trace_bytes *b)
{
	enum { SIGNAL = 0, CODE = 8, EXITED = 1, QUEUE = -1, TKILL = -6 };
	size_t at = b->compat ? 12 : 16, word = b->compat ? 4 : 8;
	s32 code = load_s32(b, CODE);
	const char *signal = trace_constant(SET_SIGNAL, load(b, SIGNAL, 4));
	enum trace_set codes = code > 0 ? codes_of(signal) : SET_SI_USER;

	if (b->len < at + 16)
		return false;
	/* waitid() has found no child */
	if (!load(b, SIGNAL, 4) && !code) {
		strbuf_adds(out, "{ }");
		return true;
	}
	strbuf_adds(out, "{ .si_signo: ");
	add_name(out, SET_SIGNAL, load(b, SIGNAL, 4));
	strbuf_adds(out, ", .si_code: ");
	add_name(out, codes, (u64)(s64)code);
	if (code > 0 && codes == SET_SI_CHILD) {
		strbuf_addf(out, ", .si_pid: %d, .si_uid: %d, .si_status: ", load_s32(b, at),
			    load_s32(b, at + 4));
		if (code == EXITED)
			strbuf_addf(out, "%d", load_s32(b, at + 8));
		else
			add_name(out, SET_SIGNAL, load(b, at + 8, 4));
	} else if (code > 0 && codes != SET_NONE) {
		strbuf_addf(out, ", .si_addr: %#llx", (unsigned long long)load(b, at, word));
	} else if (!code || code == QUEUE || code == TKILL) {
		strbuf_addf(out, ", .si_pid: %d, .si_uid: %d", load_s32(b, at),
			    load_s32(b, at + 4));
		if (code == QUEUE)
			strbuf_addf(out, ", .si_value: %#llx",
				    (unsigned long long)load(b, at + 8, word));
	}
	strbuf_adds(out, " }");
	return true;
}

bool trace_sigevent_add(struct strbuf *out, const struct trace_bytes *b)
{
	size_t word = b->compat ? 4 : 8;
	u64 value = load(b, 0, word), how = load(b, word + 4, 4);
	const char *name = trace_constant(SET_SIGEV, how);

	if (b->len < word + 12)
		return false;
	strbuf_adds(out, "{ ");
	if (value)
		strbuf_addf(out, ".sigev_value: %#llx, ", (unsigned long long)value);
	if (!name || strcmp(name, "NONE") != 0) {
		strbuf_adds(out, ".sigev_signo: ");
		add_name(out, SET_SIGNAL, load(b, word, 4));
		strbuf_adds(out, ", ");
	}
	strbuf_adds(out, ".sigev_notify: ");
	add_name(out, SET_SIGEV, how);
	if (name && !strcmp(name, "THREAD_ID"))
		strbuf_addf(out, ", .sigev_notify_thread_id: %d", load_s32(b, word + 8));
	strbuf_adds(out, " }");
	return true;
}
