/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/memory.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/mem.h"
#include "trace/commands.h"
#include "trace/constants.h"
#include "trace/netlink.h"
#include "trace/quote.h"

enum {
	PIECE_HEAD = sizeof(struct call_piece),
	HEAD = offsetof(struct call_head, values),
	LOCAL = 1, /* address families */
	INET = 2,
	INET6 = 10,
	NETLINK = 16,
	MAX_SHOWN = 8, /* structures of an array */
};

/* ------------------------------------------------------------------ pieces */

static u32 piece_size(const struct call_piece *p)
{
	return PIECE_HEAD + (u32)ALIGN_UP(p->len, 8);
}

/* The piece at that place; false: there are no more whole ones. */
static bool piece_at(const struct trace_memory *m, u32 at, struct call_piece *p)
{
	if (at > m->size || m->size - at < PIECE_HEAD)
		return false;
	memcpy(p, m->pieces + at, PIECE_HEAD);
	return piece_size(p) <= m->size - at;
}

bool trace_record_view(const u8 *raw, u32 size, struct call_head *head, struct trace_memory *m)
{
	u32 values = 0;

	*m = (struct trace_memory){ 0 };
	memset(head, 0, sizeof(*head));
	if (size < HEAD)
		return false;
	memcpy(head, raw, HEAD);
	if (head->kind == CALL_ENTER)
		values = sizeof(head->values);
	else if (head->kind == CALL_EXIT)
		values = sizeof(u64);
	if (!values || head->size > size || head->size < HEAD + values)
		return false;
	memcpy(head->values, raw + HEAD, values);
	*m = (struct trace_memory){ raw + HEAD + values, head->size - HEAD - values };
	return true;
}

/* A piece and its bytes. */
struct read_piece {
	struct call_piece p;
	const char *data;
};

static bool find_in(const struct trace_memory *m, unsigned int arg, u64 addr, struct read_piece *f)
{
	for (u32 at = 0; piece_at(m, at, &f->p); at += piece_size(&f->p)) {
		if (f->p.arg != arg || f->p.addr != addr || !addr)
			continue;
		f->data = (const char *)m->pieces + at + PIECE_HEAD;
		return true;
	}
	return false;
}

/* What was there last. */
static bool find(const struct trace_call *c, unsigned int arg, u64 addr, struct read_piece *f)
{
	return find_in(&c->end, arg, addr, f) || find_in(&c->begin, arg, addr, f);
}

/* ------------------------------------------------------------------ shapes */

static void add_bytes(struct strbuf *out, const struct read_piece *f, bool text)
{
	trace_quote(out, f->data, f->p.len, text);
	strbuf_adds(out, f->p.of > f->p.len ? "..." : "");
}

/* What a descriptor is given or gives. */
static void add_content(struct strbuf *out, const struct read_piece *f, const struct trace_shown *s)
{
	if (!trace_netlink_add(out, f->data, f->p.len, f->p.of, s))
		add_bytes(out, f, false);
}

static void add_string(struct strbuf *out, const struct read_piece *f, bool text)
{
	trace_quote(out, f->data, strnlen(f->data, f->p.len), text);
	strbuf_adds(out, f->p.of > f->p.len ? "..." : "");
}

static bool add_strings(struct strbuf *out, const struct trace_call *c, unsigned int arg)
{
	const struct trace_memory *m = &c->begin;
	struct read_piece f;
	u32 nr = 0;

	if (!m->size)
		m = &c->end;
	for (u32 at = 0; piece_at(m, at, &f.p); at += piece_size(&f.p)) {
		if (f.p.arg != arg || f.p.index != nr)
			continue;
		strbuf_adds(out, nr++ ? ", " : "[");
		f.data = (const char *)m->pieces + at + PIECE_HEAD;
		if (!f.p.len) {
			/* the end: of what there is, or of what was read */
			out->len -= nr > 1 && !f.p.of ? 2 : 0;
			strbuf_adds(out, f.p.of ? "...]" : "]");
			return true;
		}
		add_string(out, &f, true);
	}
	if (!nr)
		return false;
	strbuf_adds(out, ", ...]");
	return true;
}

static u64 load_int(const char *data, unsigned int size)
{
	u64 v = 0;

	memcpy(&v, data, MIN(size, (unsigned int)sizeof(v)));
	return v;
}

static void add_int(struct strbuf *out, const char *data, unsigned int size)
{
	s64 v = size == 4 ? (s32)load_int(data, size) : (s64)load_int(data, size);

	strbuf_adds(out, v < 0 ? "-" : "");
	strbuf_add_u64(out, v < 0 ? 0 - (u64)v : (u64)v);
}

static void add_pointer(struct strbuf *out, u64 v)
{
	strbuf_adds(out, v ? "0x" : "NULL");
	if (v)
		strbuf_add_hex(out, v);
}

static void add_ints(struct strbuf *out, const struct read_piece *f, unsigned int size)
{
	strbuf_addch(out, '[');
	for (u32 at = 0; size && at + size <= f->p.len; at += size) {
		strbuf_adds(out, at ? ", " : "");
		add_int(out, f->data + at, size);
	}
	strbuf_adds(out, f->p.of > f->p.len ? ", ...]" : "]");
}

/* Numbers that the call may change: "[10 => 110]", as far as both are known. */
static void add_changed(struct strbuf *out, const struct trace_call *c, unsigned int arg,
			const struct read_piece *last, unsigned int size)
{
	struct read_piece first;

	if (last->p.len == size && size && find_in(&c->begin, arg, c->args[arg], &first) &&
	    first.p.len == size && memcmp(first.data, last->data, size)) {
		strbuf_addch(out, '[');
		add_int(out, first.data, size);
		strbuf_adds(out, " => ");
		add_int(out, last->data, size);
		strbuf_addch(out, ']');
		return;
	}
	add_ints(out, last, size);
}

/* Of a socket: an int, of which some options have names, or bytes. */
static void add_option(struct strbuf *out, const struct read_piece *f, const struct trace_call *c)
{
	static const struct {
		const char *option;
		enum trace_set set;
	} rows[] = { { "DOMAIN", SET_FAMILY },
		     { "ERROR", SET_ERRNO },
		     { "PROTOCOL", SET_PROTOCOL },
		     { "TYPE", SET_SOCKET_TYPE } };
	const char *level = trace_constant(SET_SOL, (u32)c->args[1]);
	const char *option = level && !strcmp(level, "SOCKET")
				     ? trace_constant(SET_SO, (u32)c->args[2])
				     : NULL;
	const char *name = NULL;

	for (size_t i = 0; option && f->p.len == 4 && i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].option, option))
			name = trace_constant(rows[i].set, load_int(f->data, 4));
	if (name)
		strbuf_addf(out, "[%s]", name);
	else if (option && !strcmp(option, "LINGER") && f->p.len == 8)
		strbuf_addf(out, "{ .l_onoff: %d, .l_linger: %d }", (s32)load_int(f->data, 4),
			    (s32)load_int(f->data + 4, 4));
	else if (f->p.len == 4)
		add_ints(out, f, 4);
	else
		add_bytes(out, f, false);
}

/* As waitpid() has it. */
static void add_status(struct strbuf *out, u32 status)
{
	enum { STOPPED = 0x7f, CONTINUED = 0xffff, CORE = 0x80 };
	u32 low = status & 0x7f, high = status >> 8 & 0xff, sig = low == STOPPED ? high : low;
	const char *name = trace_constant(SET_SIGNAL, sig & 0x7f);

	if (status == CONTINUED) {
		strbuf_adds(out, "[continued]");
		return;
	}
	if (!low) {
		strbuf_addf(out, "[exited %u]", high);
		return;
	}
	strbuf_adds(out, low == STOPPED ? "[stopped " : "[killed ");
	if (name && !(sig & CORE))
		strbuf_adds(out, name);
	else
		strbuf_addf(out, "%#x", sig);
	/* what ptrace() reports besides */
	if (status >> 16)
		strbuf_addf(out, "|%#x", status >> 16 << 16);
	strbuf_adds(out, low != STOPPED && status & CORE ? " core]" : "]");
}

/* "[0 2 3]": bits that are set. */
static void add_bits(struct strbuf *out, const struct read_piece *f, u32 nr)
{
	bool between = false;

	strbuf_addch(out, '[');
	for (u32 i = 0; i < MIN(8U * f->p.len, nr); i++) {
		if (!((u8)f->data[i / 8] >> i % 8 & 1))
			continue;
		strbuf_adds(out, between ? " " : "");
		strbuf_add_u64(out, i);
		between = true;
	}
	strbuf_adds(out, nr > 8U * f->p.len ? " ...]" : "]");
}

/* "[INT CHLD]", "~[KILL STOP]": those that are not, where most are. */
static void add_signals(struct strbuf *out, u64 mask)
{
	bool most = __builtin_popcountll(mask) > 32, between = false;

	strbuf_adds(out, most ? "~[" : "[");
	if (most)
		mask = ~mask;
	for (u32 i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		strbuf_adds(out, between ? " " : "");
		between = true;
		trace_signal_add(out, i + 1, false);
	}
	strbuf_addch(out, ']');
}

/* ------------------------------------------------------------------ addresses of sockets */

static u32 port_of(const struct read_piece *f)
{
	return (u32)(u8)f->data[2] << 8 | (u8)f->data[3];
}

static void add_name(struct strbuf *out, const char *text, size_t len)
{
	_cleanup_(mem_freep) char *copy = xstrndup(text, len);

	strbuf_add_escaped(out, copy);
}

static void add_local(struct strbuf *out, const struct read_piece *f)
{
	const char *path = f->data + 2;
	size_t len = f->p.len - 2U;

	if (!len)
		return;
	strbuf_adds(out, ", path: ");
	if (*path) {
		add_name(out, path, strnlen(path, len));
		return;
	}
	/* a name that is in no file system begins with a 0, and may have more of them */
	strbuf_addch(out, '@');
	for (size_t at = 1, nr; at < len; at += nr + 1) {
		nr = strnlen(path + at, len - at);
		add_name(out, path + at, nr);
		strbuf_adds(out, at + nr < len ? "\\x00" : "");
	}
}

static void add_inet(struct strbuf *out, const struct read_piece *f, int family)
{
	unsigned int at = family == INET ? 4 : 8, size = family == INET ? 4 : 16;
	char text[INET6_ADDRSTRLEN];
	u8 addr[16];

	if (f->p.len >= 4)
		strbuf_addf(out, ", port: %u", port_of(f));
	if (f->p.len < at + size)
		return;
	memcpy(addr, f->data + at, size);
	if (inet_ntop(family, addr, text, sizeof(text)))
		strbuf_addf(out, ", addr: %s", text);
}

static bool add_address(struct strbuf *out, const struct read_piece *f, const struct trace_shown *s)
{
	static const char *const structures[] = { [LOCAL] = "sockaddr_un",
						  [INET] = "sockaddr_in",
						  [INET6] = "sockaddr_in6",
						  [NETLINK] = "sockaddr_nl" };
	u32 family = (u32)load_int(f->data, MIN((unsigned int)f->p.len, 2U));
	const char *name = trace_constant(SET_FAMILY, family);

	if (f->p.len < 2)
		return false;
	if (s->plain && s->layouts && family < ARRAY_SIZE(structures) && structures[family]) {
		u32 id = trace_layout_find(s->layouts, structures[family],
					   strlen(structures[family]));

		if (id) {
			trace_layout_add(out, s->layouts, id, (const u8 *)f->data, f->p.len, NULL,
					 NULL);
			return true;
		}
	}
	strbuf_adds(out, "{ .family: ");
	if (name)
		strbuf_adds(out, name);
	else
		strbuf_add_u64(out, family);
	if (family == LOCAL)
		add_local(out, f);
	else if (family == INET || family == INET6)
		add_inet(out, f, (int)family);
	else if (family == NETLINK && f->p.len >= 12)
		strbuf_addf(out, ", pid: %u, groups: %#x", (u32)load_int(f->data + 4, 4),
			    (u32)load_int(f->data + 8, 4));
	strbuf_adds(out, " }");
	return true;
}

/* ------------------------------------------------------------------ structures */

/* Some structures say themselves how much of them the program has. */
static size_t own_size(const struct read_piece *f, const struct trace_read *r)
{
	static const struct {
		const char *type;
		u8 at, least;
	} rows[] = { { "perf_event_attr", 4, 64 }, { "sched_attr", 0, 48 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strncmp(rows[i].type, r->type, r->type_len) != 0 || rows[i].type[r->type_len] ||
		    f->p.len < rows[i].at + 4)
			continue;
		return MIN((size_t)f->p.len,
			   MAX((size_t)load_int(f->data + rows[i].at, 4), (size_t)rows[i].least));
	}
	return f->p.len;
}

static bool add_structures(struct strbuf *out, const struct read_piece *f,
			   const struct trace_read *r, const struct trace_shown *s)
{
	u32 id = s->layouts && r->type ? trace_layout_find(s->layouts, r->type, r->type_len) : 0;
	u32 size = trace_layout_size(s->layouts, id), nr = 0;

	if (!id || !size)
		return false;
	if (r->shape != SHAPE_STRUCTS) {
		trace_layout_add(out, s->layouts, id, (const u8 *)f->data, own_size(f, r),
				 s->member, s->ctx);
		return true;
	}
	strbuf_addch(out, '[');
	for (u32 at = 0; at + size <= f->p.len && nr < MAX_SHOWN; at += size) {
		strbuf_adds(out, nr++ ? ", " : "");
		trace_layout_add(out, s->layouts, id, (const u8 *)f->data + at, size, s->member,
				 s->ctx);
	}
	strbuf_adds(out, (u64)nr * size < f->p.of ? ", ...]" : "]");
	return true;
}

/* With signals and constants by their names, which type information does not have. */
static bool add_sigaction(struct strbuf *out, const struct read_piece *f, bool compat)
{
	static const char *const handlers[] = { "DFL", "IGN" };
	unsigned int word = compat ? 4 : 8;
	u64 handler, restorer, flags, mask;

	if (f->p.len < 3 * word + 8)
		return false;
	handler = load_int(f->data, word);
	flags = load_int(f->data + word, word);
	restorer = load_int(f->data + 2 * word, word);
	mask = load_int(f->data + 3 * word, 8);
	strbuf_adds(out, "{ .sa_handler: ");
	if (handler < ARRAY_SIZE(handlers))
		strbuf_adds(out, handlers[handler]);
	else
		add_pointer(out, handler);
	if (flags) {
		strbuf_adds(out, ", .sa_flags: ");
		trace_flags_add(out, SET_SIGACTION, flags, false, false);
	}
	if (restorer) {
		strbuf_adds(out, ", .sa_restorer: ");
		add_pointer(out, restorer);
	}
	if (mask) {
		strbuf_adds(out, ", .sa_mask: ");
		add_signals(out, mask);
	}
	strbuf_adds(out, " }");
	return true;
}

static void add_constant(struct strbuf *out, enum trace_set set, u64 value)
{
	const char *name = trace_constant(set, value);

	if (name)
		strbuf_adds(out, name);
	else
		strbuf_add_u64(out, value);
}

/* Where an entry of a directory has its length and name; the type is in front of the name, or, 0
 * here, the last byte of the entry. */
struct entry_layout {
	u8 word, length, type, name;
};

static const struct entry_layout entries = { 8, 16, 18, 19 }, old_entries = { 8, 16, 0, 18 },
				 compat_entries = { 4, 8, 0, 10 };

/* "[{ .d_ino: 2, .d_type: DIR, .d_name: "." }, ...]" */
static void add_entries(struct strbuf *out, const struct read_piece *f,
			const struct entry_layout *l)
{
	u32 at = 0, nr = 0;

	strbuf_addch(out, '[');
	while (nr < MAX_SHOWN && at + l->name < f->p.len) {
		const char *entry = f->data + at;
		u32 size = (u32)load_int(entry + l->length, 2);

		if (size <= l->name + 1U || size > f->p.len - at)
			break;
		strbuf_adds(out, nr++ ? ", { .d_ino: " : "{ .d_ino: ");
		strbuf_add_u64(out, load_int(entry, l->word));
		strbuf_adds(out, ", .d_type: ");
		add_constant(out, SET_DIRENT, load_int(entry + (l->type ? l->type : size - 1), 1));
		strbuf_adds(out, ", .d_name: ");
		trace_quote(out, entry + l->name,
			    strnlen(entry + l->name, size - l->name - !l->type), true);
		strbuf_adds(out, " }");
		at += size;
	}
	if (at < f->p.of)
		strbuf_adds(out, nr ? ", ..." : "...");
	strbuf_addch(out, ']');
}

/* "[CHOWN KILL]", "~[SYS_RESOURCE]": those of the known ones that are not, where most are. */
static void add_caps(struct strbuf *out, const char *member, u64 caps)
{
	enum { PREFIX = 4 /* CAP_ */ };
	u64 known = 0, shown;
	bool most, between = false;

	for (u32 i = 0; i < 64; i++)
		known |= trace_constant(SET_PRCTL_CAP, i) ? 1ULL << i : 0;
	most = caps && !(caps & ~known) &&
	       2 * __builtin_popcountll(caps) > __builtin_popcountll(known);
	shown = most ? known & ~caps : caps;
	strbuf_addf(out, ".%s: %s[", member, most ? "~" : "");
	for (u32 i = 0; i < 64; i++) {
		const char *name = trace_constant(SET_PRCTL_CAP, i);

		if (!(shown >> i & 1))
			continue;
		strbuf_adds(out, between ? " " : "");
		between = true;
		if (name)
			strbuf_adds(out, name + PREFIX);
		else
			strbuf_add_u64(out, i);
	}
	strbuf_addch(out, ']');
}

/* Two structures of 32 capabilities; of the first version of the call one. */
static bool add_capabilities(struct strbuf *out, const struct read_piece *f,
			     const struct trace_call *c)
{
	static const char *const members[] = { "effective", "permitted", "inheritable" };
	enum { SIZE = 12 };
	struct read_piece header;
	const char *version = NULL;
	bool two = f->p.len >= 2 * SIZE;

	if (f->p.len < SIZE)
		return false;
	if (find_in(&c->begin, 0, c->args[0], &header) && header.p.len >= 4)
		version = trace_constant(SET_CAP_VERSION, load_int(header.data, 4));
	if (version && !strcmp(version, "VERSION_1"))
		two = false;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		u64 caps = load_int(f->data + i * 4, 4);

		if (two)
			caps |= load_int(f->data + SIZE + i * 4, 4) << 32;
		strbuf_adds(out, i ? ", " : "{ ");
		add_caps(out, members[i], caps);
	}
	strbuf_adds(out, " }");
	return true;
}

/* Of memory: a mode and flags, or, if that is asked for, the number of a node. */
static void add_policy(struct strbuf *out, const struct read_piece *f, const struct trace_call *c)
{
	enum { MODES = 0x1fff };
	u32 v = (u32)load_int(f->data, MIN((unsigned int)f->p.len, 4U));
	const char *name = trace_constant(SET_MEMPOLICY, v & MODES);
	u64 node = 0;

	trace_constant_find(SET_GET_MEMPOLICY, "NODE", 4, &node);
	strbuf_addch(out, '[');
	if (name && !(c->args[4] & node)) {
		strbuf_adds(out, name);
		trace_flags_add(out, SET_MEMPOLICY_FLAGS, v & ~(u32)MODES, true, false);
	} else {
		strbuf_add_u64(out, v);
	}
	strbuf_addch(out, ']');
}

/* Where struct flock has what, by the size of its offsets and of a 32-bit program or not. */
struct lock_layout {
	u8 start, len, pid, width, size;
};

static const struct lock_layout *lock_layout(const struct trace_call *c)
{
	static const struct lock_layout of_64 = { 8, 16, 24, 8, 32 }, of_32 = { 4, 8, 12, 4, 16 },
					large = { 4, 12, 20, 8, 24 };
	const char *cmd = trace_constant(SET_FCNTL, (u32)c->args[1]);

	if (c->syscall->arch != TRACE_I386)
		return &of_64;
	return cmd && (strstr(cmd, "64") || strstr(cmd, "OFD")) ? &large : &of_32;
}

/* Whose lock it is tells the kernel, and only if it is asked. */
static bool add_lock(struct strbuf *out, const struct read_piece *f, const struct trace_call *c)
{
	enum { TYPE = 0, WHENCE = 2 };
	const struct lock_layout *at = lock_layout(c);
	const char *name = trace_constant(SET_FCNTL, (u32)c->args[1]);
	u32 pid;

	if (f->p.len < at->size)
		return false;
	pid = (u32)load_int(f->data + at->pid, 4);
	strbuf_adds(out, "{ .l_type: ");
	add_constant(out, SET_LEASE, load_int(f->data + TYPE, 2));
	strbuf_adds(out, ", .l_whence: ");
	add_constant(out, SET_SEEK, load_int(f->data + WHENCE, 2));
	strbuf_adds(out, ", .l_start: ");
	add_int(out, f->data + at->start, at->width);
	strbuf_adds(out, ", .l_len: ");
	add_int(out, f->data + at->len, at->width);
	if (name && strstr(name, "GETLK"))
		strbuf_addf(out, ", .l_pid: %u", pid);
	strbuf_adds(out, " }");
	return true;
}

/* "[{ .iov_base: "hello\n", .iov_len: 6 }]" */
static void add_vector(struct strbuf *out, const struct trace_call *c, unsigned int arg,
		       const struct read_piece *array, const struct trace_shown *s)
{
	u32 word = c->syscall->arch == TRACE_I386 ? 4 : 8;
	struct trace_shown others = *s;
	struct read_piece data;

	/* messages begin in the first */
	others.netlink = NO_NETLINK;

	strbuf_addch(out, '[');
	for (u32 at = 0; at + 2 * word <= array->p.len; at += 2 * word) {
		u64 base = load_int(array->data + at, word);
		u64 len = load_int(array->data + at + word, word);

		strbuf_adds(out, at ? ", { .iov_base: " : "{ .iov_base: ");
		if (len && find(c, arg, base, &data))
			add_content(out, &data, at ? &others : s);
		else
			add_pointer(out, base);
		strbuf_addf(out, ", .iov_len: %llu }", (unsigned long long)len);
	}
	strbuf_adds(out, array->p.of > array->p.len ? ", ...]" : "]");
}

/* ------------------------------------------------------------------ messages */

/* "{ .cmsg_level: SOCKET, .cmsg_type: RIGHTS, .cmsg_data: [4] }" */
static void add_control(struct strbuf *out, const char *data, size_t len, bool compat)
{
	unsigned int word = compat ? 4 : 8, head = word + 8;
	u64 size = load_int(data, word);
	u32 level = (u32)load_int(data + word, 4), type = (u32)load_int(data + word + 4, 4);
	const char *name = trace_constant(SET_SOL, level);
	bool of_socket = name && !strcmp(name, "SOCKET");
	const char *kind = of_socket ? trace_constant(SET_CMSG_SOCKET, type) : NULL;

	len = MIN(len, (size_t)size);
	strbuf_adds(out, "{ .cmsg_level: ");
	add_constant(out, SET_SOL, level);
	strbuf_adds(out, ", .cmsg_type: ");
	add_constant(out, of_socket ? SET_CMSG_SOCKET : SET_NONE, type);
	if (len > head) {
		struct read_piece part = { .p = { .len = (u16)(len - head),
						  .of = (u32)MIN(size - head, (u64)UINT32_MAX) },
					   .data = data + head };

		strbuf_adds(out, ", .cmsg_data: ");
		if (kind && !strcmp(kind, "RIGHTS"))
			add_ints(out, &part, 4);
		else if (kind && !strcmp(kind, "CREDENTIALS") && part.p.len >= 12)
			strbuf_addf(out, "{ .pid: %u, .uid: %u, .gid: %u }",
				    (u32)load_int(part.data, 4), (u32)load_int(part.data + 4, 4),
				    (u32)load_int(part.data + 8, 4));
		else
			add_bytes(out, &part, false);
	}
	strbuf_adds(out, " }");
}

static void add_controls(struct strbuf *out, const struct read_piece *f, u64 of, bool compat)
{
	u32 word = compat ? 4 : 8, nr = 0;

	strbuf_addch(out, '[');
	for (u64 at = 0; at + word + 8 <= MIN((u64)f->p.len, of);) {
		u64 size = load_int(f->data + at, word);

		if (size < word + 8)
			break;
		strbuf_adds(out, nr++ ? ", " : "");
		add_control(out, f->data + at, (size_t)MIN(f->p.len - at, of - at), compat);
		at += ALIGN_UP(MIN(size, (u64)UINT32_MAX), word);
	}
	strbuf_adds(out, of > f->p.len ? ", ...]" : "]");
}

/* struct user_msghdr */
static bool add_message(struct strbuf *out, const struct trace_call *c, unsigned int arg,
			const struct read_piece *f, const struct trace_shown *s)
{
	bool compat = c->syscall->arch == TRACE_I386;
	unsigned int word = compat ? 4 : 8;
	/* the length of the name has a word of its own */
	unsigned int vector_at = 2 * word, nr_at = 3 * word, control_at = 4 * word;
	u64 name, vector, control, control_len;
	struct trace_shown inner = *s;
	struct read_piece at;
	u32 flags;

	if (f->p.len < 6 * word + 4)
		return false;
	name = load_int(f->data, word);
	vector = load_int(f->data + vector_at, word);
	control = load_int(f->data + control_at, word);
	control_len = load_int(f->data + 5 * (size_t)word, word);
	flags = (u32)load_int(f->data + 6 * (size_t)word, 4);
	strbuf_addch(out, '{');
	if (name) {
		strbuf_adds(out, " .msg_name: ");
		if (!find(c, arg, name, &at) || !add_address(out, &at, s))
			add_pointer(out, name);
		else if (s->netlink == NO_NETLINK && load_int(at.data, 2) == NETLINK)
			inner.netlink = ANY_NETLINK;
		strbuf_addch(out, ',');
	}
	strbuf_adds(out, " .msg_iov: ");
	if (find(c, arg, vector, &at))
		add_vector(out, c, arg, &at, &inner);
	else
		add_pointer(out, vector);
	strbuf_addf(out, ", .msg_iovlen: %llu",
		    (unsigned long long)load_int(f->data + nr_at, word));
	if (control && control_len && find(c, arg, control, &at)) {
		strbuf_adds(out, ", .msg_control: ");
		add_controls(out, &at, control_len, compat);
	}
	if (control)
		strbuf_addf(out, ", .msg_controllen: %llu", (unsigned long long)control_len);
	/* the kernel does not look at them, but tells them */
	if (flags && c->end.size) {
		strbuf_adds(out, ", .msg_flags: ");
		trace_flags_add(out, SET_MSG, flags, false, false);
	}
	strbuf_adds(out, " }");
	return true;
}

/* struct mmsghdr: each message, and how many bytes were sent or received. */
static void add_messages(struct strbuf *out, const struct trace_call *c, unsigned int arg,
			 const struct read_piece *f, const struct trace_shown *s)
{
	u32 size = c->syscall->arch == TRACE_I386 ? 32 : 64, head = size == 32 ? 28 : 56, nr = 0;
	struct read_piece one;

	strbuf_addch(out, '[');
	for (u32 at = 0; at + size <= f->p.len; at += size) {
		one = (struct read_piece){ .p = f->p, .data = f->data + at };
		one.p.len = (u16)head;
		strbuf_adds(out, nr++ ? ", { .msg_hdr: " : "{ .msg_hdr: ");
		if (!add_message(out, c, arg, &one, s))
			strbuf_adds(out, "...");
		if (c->end.size)
			strbuf_addf(out, ", .msg_len: %u", (u32)load_int(f->data + at + head, 4));
		strbuf_adds(out, " }");
	}
	strbuf_adds(out, f->p.of > f->p.len ? ", ...]" : "]");
}

/* Of an address that the kernel has written: as long as the program has said that there is room,
 * however long the address is. False: that is not known. */
static bool limit_to_room(const struct trace_call *c, const struct trace_read *r,
			  struct read_piece *f)
{
	struct read_piece room;
	u32 i = r->count - COUNT_AT;

	if (r->count < COUNT_AT)
		return true;
	if (i >= CALL_ARGS || !find_in(&c->begin, i, c->args[i], &room) || room.p.len < 4)
		return false;
	f->p.len = (u16)MIN((u32)f->p.len, (u32)load_int(room.data, 4));
	return true;
}

bool trace_memory_string(struct strbuf *out, const struct trace_call *c, unsigned int i)
{
	u8 shape = c->syscall->args[i].read.shape;
	struct read_piece f;

	if ((shape != SHAPE_STRING && shape != SHAPE_PATH) || !find(c, i, c->args[i], &f) ||
	    f.p.of > f.p.len)
		return false;
	strbuf_add(out, f.data, strnlen(f.data, f.p.len));
	return true;
}

/* What may be there without a byte of it. */
static bool may_be_empty(u8 shape)
{
	return shape == SHAPE_BYTES || shape == SHAPE_PATH || shape == SHAPE_INTS ||
	       shape == SHAPE_ENTRIES || shape == SHAPE_OLD_ENTRIES || shape == SHAPE_STRUCTS ||
	       shape == SHAPE_VECTOR || shape == SHAPE_MESSAGES;
}

/* "{ .sigmask: [USR1], .sigsetsize: 8 }" without the size, which is always that. */
static bool add_sigmask(struct strbuf *out, const struct trace_call *c, unsigned int arg,
			const struct read_piece *f)
{
	u64 addr = load_int(f->data, f->p.len);
	struct read_piece mask = { .data = NULL };

	if (addr && (!find(c, arg, addr, &mask) || mask.p.len < 8))
		return false;
	strbuf_adds(out, "{ .sigmask: ");
	if (addr)
		add_signals(out, load_int(mask.data, 8));
	else
		strbuf_adds(out, "NULL");
	strbuf_adds(out, " }");
	return true;
}

static bool is_in(const struct trace_memory *m, const char *data)
{
	return m->size && (const u8 *)data >= m->pieces && (const u8 *)data < m->pieces + m->size;
}

bool trace_memory_add(struct strbuf *out, const struct trace_call *c, unsigned int i,
		      const struct trace_shown *s)
{
	const struct trace_read *r = &c->syscall->args[i].read;
	struct trace_bytes b;
	struct read_piece f;

	if (!c->begin.size && !c->end.size)
		return false;
	if (r->shape == SHAPE_STRINGS)
		return add_strings(out, c, i);
	if (!find(c, i, c->args[i], &f) || (!f.p.len && !may_be_empty(r->shape)))
		return false;
	b = (struct trace_bytes){ .data = (const u8 *)f.data,
				  .len = f.p.len,
				  .compat = c->syscall->arch == TRACE_I386,
				  .ended = is_in(&c->end, f.data) };
	switch ((enum trace_shape)r->shape) {
	case SHAPE_STRING:
	case SHAPE_PATH:
	case SHAPE_NAME:
		add_string(out, &f, true);
		return true;
	case SHAPE_BYTES:
		add_content(out, &f, s);
		return true;
	case SHAPE_ADDRESS:
		return limit_to_room(c, r, &f) && add_address(out, &f, s);
	case SHAPE_OPTION:
		add_option(out, &f, c);
		return true;
	case SHAPE_INTS:
		add_changed(out, c, i, &f, r->size);
		return true;
	case SHAPE_SIGNALS:
		add_signals(out, load_int(f.data, MIN((unsigned int)f.p.len, 8U)));
		return true;
	case SHAPE_STATUS:
		add_status(out, (u32)load_int(f.data, MIN((unsigned int)f.p.len, 4U)));
		return true;
	case SHAPE_CPUS:
		add_bits(out, &f, (u32)MIN(8ULL * f.p.of, (u64)UINT32_MAX));
		return true;
	case SHAPE_FDS:
		add_bits(out, &f, (u32)MIN(c->args[0], (u64)UINT32_MAX));
		return true;
	case SHAPE_NODES:
		add_bits(out, &f, (u32)MIN(c->args[r->count] - 1, (u64)UINT32_MAX));
		return true;
	case SHAPE_ENTRIES:
		add_entries(out, &f, &entries);
		return true;
	case SHAPE_OLD_ENTRIES:
		add_entries(out, &f, b.compat ? &compat_entries : &old_entries);
		return true;
	case SHAPE_CAPS:
		return add_capabilities(out, &f, c);
	case SHAPE_POLICY:
		add_policy(out, &f, c);
		return true;
	case SHAPE_SIGMASK:
		return add_sigmask(out, c, i, &f);
	case SHAPE_SIGACTION:
		return s->plain ? add_structures(out, &f, r, s) : add_sigaction(out, &f, b.compat);
	case SHAPE_LOCK:
		return s->plain ? add_structures(out, &f, r, s) : add_lock(out, &f, c);
	case SHAPE_COMMAND:
		return trace_ioctl_add(out, (u32)c->args[1], &b, s);
	case SHAPE_ATTR:
		return trace_bpf_add(out, (u32)c->args[0], &b, s);
	case SHAPE_SIGINFO:
		return trace_siginfo_add(out, &b);
	case SHAPE_SIGEVENT:
		return trace_sigevent_add(out, &b);
	case SHAPE_STRUCT:
	case SHAPE_STRUCTS:
		return add_structures(out, &f, r, s);
	case SHAPE_VECTOR:
		add_vector(out, c, i, &f, s);
		return true;
	case SHAPE_MESSAGE:
		return add_message(out, c, i, &f, s);
	case SHAPE_MESSAGES:
		add_messages(out, c, i, &f, s);
		return true;
	default:
		return false;
	}
}
