/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was read of the memory of arguments, as text: whole records, cut and broken ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "trace/args.h"
#include "trace/netlink.h"
#include "trace/quote.h"

enum {
	READ,
	WRITE,
	CONNECT = 42,
	GETSOCKNAME = 51,
	EXECVE = 59,
	WRITEV = 20,
	OPENAT = 257,
	IOCTL = 16,
	SENDFILE = 40,
	GETDENTS64 = 217,
	TIMER_CREATE = 222,
	PSELECT6 = 270,
	SENDMSG = 46
};

static struct trace_syscalls *calls;

static int set_up(void **state __attribute__((unused)))
{
	calls = trace_syscalls_new(TRACE_X86_64);
	return 0;
}

static int tear_down(void **state __attribute__((unused)))
{
	trace_syscalls_free(calls);
	return 0;
}

/* A record of a call that begins. */
struct record {
	struct call_head head;
	u8 pieces[512];
};

static void begin(struct record *r, const u64 *args)
{
	*r = (struct record){ .head = { .kind = CALL_ENTER, .size = sizeof(r->head) } };
	memcpy(r->head.values, args, sizeof(r->head.values));
}

static void add(struct record *r, struct call_piece p, const void *data)
{
	u8 *to = (u8 *)r + r->head.size;

	memcpy(to, &p, sizeof(p));
	memcpy(to + sizeof(p), data, p.len);
	r->head.size += (u32)sizeof(p) + (u32)ALIGN_UP(p.len, 8);
}

static void expect(u64 nr, const struct record *r, u32 size, const char *text)
{
	static const struct trace_lookup names = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct trace_call c = { .syscall = trace_syscall(calls, nr) };
	u8 *copy = malloc(size); /* so that reads beyond are noticed */
	struct call_head head;

	memcpy(copy, r, size);
	if (!trace_record_view(copy, size, &head, &c.begin)) {
		assert_null(text);
	} else {
		c.args = head.values;
		trace_call_add(&out, &c, &names);
		assert_string_equal(out.buf, text);
	}
	strbuf_release(&out);
	free(copy);
}

static void quotes_as_c_does(void **state __attribute__((unused)))
{
	struct strbuf out = STRBUF_INIT;

	trace_quote(&out,
		    "a\"\\\n\0"
		    "1\0\033\177\377",
		    10, false);
	assert_string_equal(out.buf, "\"a\\\"\\\\\\n\\0001\\0\\33\\177\\377\"");
	strbuf_reset(&out);
	trace_quote(&out, "\xc3\xa4\x80\xc2\x9b!", 6, true);
	assert_string_equal(out.buf, "\"\xc3\xa4\\x80\\x9b!\"");
	strbuf_release(&out);
}

static void shows_strings_and_buffers(void **state __attribute__((unused)))
{
	struct record r;

	begin(&r, (const u64[]){ (u64)-100, 0x10, 0, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 5, 5, 1, 0 }, "/etc");
	expect(OPENAT, &r, r.head.size, "openat(dfd: CWD, filename: \"/etc\")");
	begin(&r, (const u64[]){ 1, 0x20, 1UL << 32, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x20, UINT32_MAX, 4, 1, 0 }, "ab\0c");
	expect(WRITE, &r, r.head.size, "write(fd: 1, buf: \"ab\\0c\"..., count: 4294967296)");
	/* another address is another memory */
	r.head.values[1] = 0x28;
	expect(WRITE, &r, r.head.size, "write(fd: 1, buf: 0x28, count: 4294967296)");
}

static void shows_addresses(void **state __attribute__((unused)))
{
	static const u8 inet[16] = { 2, 0, 0, 80, 127, 0, 0, 1 },
			local[] = { 1, 0, 0, 'a', 27, 0, 'b' }, short_one[] = { 2, 0, 0 };
	struct record r;

	begin(&r, (const u64[]){ 3, 0x10, 16, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 16, 16, 1, 0 }, inet);
	expect(CONNECT, &r, r.head.size,
	       "connect(fd: 3, uservaddr: { .family: INET, port: 80, addr: 127.0.0.1 }, addrlen: "
	       "16)");
	begin(&r, (const u64[]){ 3, 0x10, 7, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 7, 7, 1, 0 }, local);
	expect(CONNECT, &r, r.head.size,
	       "connect(fd: 3, uservaddr: { .family: LOCAL, path: @a\\x1b\\x00b }, addrlen: 7)");
	begin(&r, (const u64[]){ 3, 0x10, 3, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 3, 3, 1, 0 }, short_one);
	expect(CONNECT, &r, r.head.size,
	       "connect(fd: 3, uservaddr: { .family: INET }, addrlen: 3)");
}

/* The kernel writes no more of an address than there is room for, and says how long it is. */
static void shows_no_more_than_was_written(void **state __attribute__((unused)))
{
	static const u8 inet[16] = { 2, 0, 0, 80, 127, 0, 0, 1 };
	static const u32 length = 16, room = 4;
	struct record r;

	begin(&r, (const u64[]){ 3, 0x10, 0x20, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 16, 16, 1, 0 }, inet);
	expect(GETSOCKNAME, &r, r.head.size,
	       "getsockname(fd: 3, usockaddr: 0x10, usockaddr_len: 0x20)");
	add(&r, (struct call_piece){ 0x20, 4, 4, 2, 0 }, &room);
	expect(GETSOCKNAME, &r, r.head.size,
	       "getsockname(fd: 3, usockaddr: { .family: INET, port: 80 }, usockaddr_len: [4])");
	begin(&r, (const u64[]){ 3, 0x10, 0x20, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 16, 16, 1, 0 }, inet);
	add(&r, (struct call_piece){ 0x20, 4, 4, 2, 0 }, &length);
	expect(GETSOCKNAME, &r, r.head.size,
	       "getsockname(fd: 3, usockaddr: { .family: INET, port: 80, addr: 127.0.0.1 }, "
	       "usockaddr_len: [16])");
}

static void shows_arrays(void **state __attribute__((unused)))
{
	static const u64 vector[] = { 0x30, 3, 0x40, 7 };
	struct record r;

	begin(&r, (const u64[]){ 1, 0x10, 9, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 144, 32, 1, 0 }, vector);
	add(&r, (struct call_piece){ 0x30, 3, 3, 1, 0 }, "abc");
	expect(WRITEV, &r, r.head.size,
	       "writev(fd: 1, vec: [{ .iov_base: \"abc\", .iov_len: 3 }, { .iov_base: 0x40, "
	       ".iov_len: 7 }, ...], vlen: 9)");
	begin(&r, (const u64[]){ 0x10, 0x20, 0, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 3, 3, 0, 0 }, "ls");
	add(&r, (struct call_piece){ 0x50, 3, 3, 1, 0 }, "ls");
	add(&r, (struct call_piece){ 0x60, 9, 3, 1, 1 }, "-l");
	expect(EXECVE, &r, r.head.size, "execve(filename: \"ls\", argv: [\"ls\", \"-l\"..., ...])");
	add(&r, (struct call_piece){ 0, 0, 0, 1, 2 }, "");
	expect(EXECVE, &r, r.head.size, "execve(filename: \"ls\", argv: [\"ls\", \"-l\"...])");
}

/* struct user_msghdr with two control messages; the lengths that they tell. */
static void add_message(struct record *r, u64 control_len, u64 first, u64 second)
{
	const u64 message[7] = { 0, 0, 0x30, 1, 0x40, control_len, 0 };
	struct {
		u64 len;
		u32 level, type;
		s32 data[2];
	} control[2] = { { first, 1, 1, { 4, 0 } }, { second, 1, 2, { 7, 0 } } };

	begin(r, (const u64[]){ 5, 0x10, 0, 0, 0, 0 });
	add(r, (struct call_piece){ 0x10, 56, 56, 1, 0 }, message);
	add(r, (struct call_piece){ 0x40, (u32)control_len, sizeof(control), 1, 0 }, control);
}

static void shows_control_messages(void **state __attribute__((unused)))
{
	struct record r;

	add_message(&r, 48, 20, 24);
	expect(SENDMSG, &r, r.head.size,
	       "sendmsg(fd: 5, msg: { .msg_iov: 0x30, .msg_iovlen: 1, .msg_control: [{ .cmsg_level: "
	       "SOCKET, .cmsg_type: RIGHTS, .cmsg_data: [4] }, { .cmsg_level: SOCKET, .cmsg_type: "
	       "CREDENTIALS, .cmsg_data: \"\\7\\0\\0\\0\\0\\0\\0\\0\" }], .msg_controllen: 48 })");
	/* lengths that lie: behind the end, less than a head */
	add_message(&r, 48, 24, UINT64_MAX);
	expect(SENDMSG, &r, r.head.size,
	       "sendmsg(fd: 5, msg: { .msg_iov: 0x30, .msg_iovlen: 1, .msg_control: [{ .cmsg_level: "
	       "SOCKET, .cmsg_type: RIGHTS, .cmsg_data: [4, 0] }, { .cmsg_level: SOCKET, .cmsg_type: "
	       "CREDENTIALS, .cmsg_data: \"\\7\\0\\0\\0\\0\\0\\0\\0\"... }], .msg_controllen: 48 })");
	add_message(&r, 48, 15, 24);
	expect(SENDMSG, &r, r.head.size,
	       "sendmsg(fd: 5, msg: { .msg_iov: 0x30, .msg_iovlen: 1, .msg_control: [], "
	       ".msg_controllen: 48 })");
}

static void shows_what_commands_are_given(void **state __attribute__((unused)))
{
	static const u32 number = 12;
	static const u8 old[40] = { 0 };
	struct record r;

	/* FIONBIO; FIONREAD is known when it returns; one that tells a size; an unknown old one */
	begin(&r, (const u64[]){ 3, 0x5421, 0x10000, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10000, 4, 4, 2, 0 }, &number);
	expect(IOCTL, &r, r.head.size, "ioctl(fd: 3, cmd: FIONBIO, arg: [12])");
	r.head.values[1] = 0x541b;
	expect(IOCTL, &r, r.head.size, "ioctl(fd: 3, cmd: FIONREAD, arg: 0x10000)");
	r.head.values[1] = 0x4004fe01;
	expect(IOCTL, &r, r.head.size, "ioctl(fd: 3, cmd: (WRITE, 0xfe, 0x1, 0x4), arg: [12])");
	r.head.values[1] = 0x4008fe01;
	expect(IOCTL, &r, r.head.size,
	       "ioctl(fd: 3, cmd: (WRITE, 0xfe, 0x1, 0x8), arg: \"\\f\\0\\0\\0\")");
	begin(&r, (const u64[]){ 3, 0x54f7, 0x10000, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10000, 40, 40, 2, 0 }, old);
	expect(IOCTL, &r, r.head.size, "ioctl(fd: 3, cmd: (NONE, 0x54, 0xf7, 0), arg: 0x10000)");
}

/* Memory that the call has changed: the end of it is another record. */
static void shows_what_changed(void **state __attribute__((unused)))
{
	static const struct trace_lookup names = { 0 };
	const s64 before = 10, after = 110;
	struct record in, out;
	struct strbuf text = STRBUF_INIT;
	struct trace_call c = { .syscall = trace_syscall(calls, SENDFILE) };
	struct call_head head, end;

	begin(&in, (const u64[]){ 4, 3, 0x20, 100, 0, 0 });
	add(&in, (struct call_piece){ 0x20, 8, 8, 2, 0 }, &before);
	begin(&out, (const u64[]){ 4, 3, 0x20, 100, 0, 0 });
	add(&out, (struct call_piece){ 0x20, 8, 8, 2, 0 }, &after);
	assert_true(trace_record_view((const u8 *)&in, in.head.size, &head, &c.begin));
	assert_true(trace_record_view((const u8 *)&out, out.head.size, &end, &c.end));
	c.args = head.values;
	trace_call_add(&text, &c, &names);
	assert_string_equal(text.buf,
			    "sendfile(out_fd: 4, in_fd: 3, offset: [10 => 110], count: 100)");
	strbuf_reset(&text);
	c.end = c.begin;
	trace_call_add(&text, &c, &names);
	assert_string_equal(text.buf, "sendfile(out_fd: 4, in_fd: 3, offset: [10], count: 100)");
	strbuf_release(&text);
}

static void shows_what_has_no_bytes(void **state __attribute__((unused)))
{
	struct record r;

	begin(&r, (const u64[]){ 1, 0x20, 0, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x20, 0, 0, 1, 0 }, "");
	expect(WRITE, &r, r.head.size, "write(fd: 1, buf: \"\")");
	/* what cannot be: an address, a structure */
	begin(&r, (const u64[]){ 3, 0x10, 0, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 0, 0, 1, 0 }, "");
	expect(CONNECT, &r, r.head.size, "connect(fd: 3, uservaddr: 0x10)");
	begin(&r, (const u64[]){ 0, 0x10, 0x20, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 24, 0, 1, 0 }, "");
	expect(TIMER_CREATE, &r, r.head.size,
	       "timer_create(which_clock: REALTIME, timer_event_spec: 0x10, created_timer_id: 0x20)");
}

static void shows_what_pointers_point_to(void **state __attribute__((unused)))
{
	static const u64 sig[2] = { 0x40, 8 }, mask = 1 << 9, null = 0;
	static const u64 event[3] = { 0x7, 10 | 4UL << 32, 55 };
	struct record r;

	begin(&r, (const u64[]){ 0, 0, 0, 0, 0, 0x10 });
	add(&r, (struct call_piece){ 0x10, 8, 8, 5, 0 }, sig);
	expect(PSELECT6, &r, r.head.size, "pselect6(sig: 0x10)");
	add(&r, (struct call_piece){ 0x40, 8, 8, 5, 0 }, &mask);
	expect(PSELECT6, &r, r.head.size, "pselect6(sig: { .sigmask: [USR1] })");
	begin(&r, (const u64[]){ 0, 0, 0, 0, 0, 0x10 });
	add(&r, (struct call_piece){ 0x10, 8, 8, 5, 0 }, &null);
	expect(PSELECT6, &r, r.head.size, "pselect6(sig: { .sigmask: NULL })");
	begin(&r, (const u64[]){ 1, 0x10, 0, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x10, 24, 24, 1, 0 }, event);
	expect(TIMER_CREATE, &r, r.head.size,
	       "timer_create(which_clock: MONOTONIC, timer_event_spec: { .sigev_value: 0x7, "
	       ".sigev_signo: USR1, .sigev_notify: THREAD_ID, .sigev_notify_thread_id: 55 })");
}

static void shows_entries_of_directories(void **state __attribute__((unused)))
{
	struct {
		u64 ino, off;
		u16 size;
		u8 type;
		char name[5];
	} e[2] = { { 2, 1, 24, 4, "." }, { 7, 2, 24, 8, "a\33" } };
	struct record r;

	begin(&r, (const u64[]){ 3, 0x20, 32768, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x20, 48, 48, 1, 0 }, e);
	expect(GETDENTS64, &r, r.head.size,
	       "getdents64(fd: 3, dirent: [{ .d_ino: 2, .d_type: DIR, .d_name: \".\" }, { .d_ino: 7, "
	       ".d_type: REG, .d_name: \"a\\33\" }], count: 32768)");
	/* the second is not whole; then lengths that lie: behind the end, without a name */
	begin(&r, (const u64[]){ 3, 0x20, 32768, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x20, 48, 44, 1, 0 }, e);
	expect(GETDENTS64, &r, r.head.size,
	       "getdents64(fd: 3, dirent: [{ .d_ino: 2, .d_type: DIR, .d_name: \".\" }, ...], count: "
	       "32768)");
	for (int i = 0; i < 2; i++) {
		e[0].size = i ? 19 : 0xffff;
		begin(&r, (const u64[]){ 3, 0x20, 32768, 0, 0, 0 });
		add(&r, (struct call_piece){ 0x20, 48, 48, 1, 0 }, e);
		expect(GETDENTS64, &r, r.head.size,
		       "getdents64(fd: 3, dirent: [...], count: 32768)");
	}
	/* its end */
	begin(&r, (const u64[]){ 3, 0x20, 32768, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x20, 0, 0, 1, 0 }, "");
	expect(GETDENTS64, &r, r.head.size, "getdents64(fd: 3, dirent: [], count: 32768)");
}

static int socket_of(void *ctx, u32 pid __attribute__((unused)), s32 fd __attribute__((unused)))
{
	return *(const int *)ctx;
}

/* write() of these bytes, of which there were more, to a netlink socket. */
static void expect_netlink(int protocol, const void *data, u16 len, u32 of, const char *text)
{
	struct trace_lookup names = { .ctx = &protocol, .netlink = socket_of };
	struct trace_call c = { .syscall = trace_syscall(calls, WRITE) };
	struct strbuf out = STRBUF_INIT;
	struct call_head head;
	struct record r;

	begin(&r, (const u64[]){ 3, 0x20, of, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x20, of, len, 1, 0 }, data);
	assert_true(trace_record_view((const u8 *)&r, r.head.size, &head, &c.begin));
	c.args = head.values;
	trace_call_add(&out, &c, &names);
	assert_memory_equal(out.buf, "write(fd: 3, buf: ", 18);
	*strstr(out.buf, ", count") = '\0';
	assert_string_equal(out.buf + 18, text);
	strbuf_release(&out);
}

static void shows_netlink_messages(void **state __attribute__((unused)))
{
	struct message {
		u32 len;
		u16 type, flags;
		u32 seq, pid;
		u8 data[8];
	} m[2] = { { 20, 18, 0x301, 7, 0, { 1, 2, 3, 4 } },
		   { 20, 2, 2, 7, 9, { 0xff, 0xff, 0xff, 0xff } } };
	enum { ROUTE = 0, AUDIT = 9 };
	u8 bytes[40];

	memcpy(bytes, &m[0], 20);
	memcpy(bytes + 20, &m[1], 20);
	expect_netlink(ROUTE, bytes, 40, 40,
		       "[{ .nlmsg_len: 20, .nlmsg_type: GETLINK, .nlmsg_flags: REQUEST|DUMP, "
		       ".nlmsg_seq: 7, .nlmsg_pid: 0, .data: \"\\1\\2\\3\\4\" }, { .nlmsg_len: 20, "
		       ".nlmsg_type: ERROR, .nlmsg_flags: MULTI, .nlmsg_seq: 7, .nlmsg_pid: 9, "
		       ".error: -EPERM }]");
	/* what a type and flags are called depends on the protocol; the last bytes were not read */
	expect_netlink(AUDIT, bytes, 32, 40,
		       "[{ .nlmsg_len: 20, .nlmsg_type: 18, .nlmsg_flags: REQUEST|0x300, "
		       ".nlmsg_seq: 7, .nlmsg_pid: 0, .data: \"\\1\\2\\3\\4\" }, ...]");
	expect_netlink(ANY_NETLINK, bytes, 18, 18,
		       "[{ .nlmsg_len: 20, .nlmsg_type: 18, .nlmsg_flags: REQUEST|0x300, "
		       ".nlmsg_seq: 7, .nlmsg_pid: 0, .data: \"\\1\\2\"... }]");
	expect_netlink(NO_NETLINK, bytes, 4, 4, "\"\\24\\0\\0\\0\"");
	/* no whole head; a length that is shorter than it, and one behind the end */
	expect_netlink(ROUTE, bytes, 15, 15, "\"\\24\\0\\0\\0\\22\\0\\1\\3\\7\\0\\0\\0\\0\\0\\0\"");
	m[0].len = 3;
	m[0].type = 16;
	m[0].flags = 0x400;
	expect_netlink(
		ROUTE, m, 40, 40,
		"[{ .nlmsg_len: 3, .nlmsg_type: NEWLINK, .nlmsg_flags: CREATE, .nlmsg_seq: 7, "
		".nlmsg_pid: 0 }, ...]");
	m[0].len = UINT32_MAX;
	m[0].flags = 0;
	expect_netlink(ROUTE, m, 16, 16,
		       "[{ .nlmsg_len: 4294967295, .nlmsg_type: NEWLINK, .nlmsg_flags: 0, "
		       ".nlmsg_seq: 7, .nlmsg_pid: 0 }]");
}

static void stands_broken_records(void **state __attribute__((unused)))
{
	struct record r;

	begin(&r, (const u64[]){ 1, 0x20, 4, 0, 0, 0 });
	add(&r, (struct call_piece){ 0x20, 4, 4, 1, 0 }, "abcd");
	for (u32 size = 0; size < r.head.size; size++)
		expect(WRITE, &r, size, NULL);
	r.head.size -= 8;
	expect(WRITE, &r, r.head.size, "write(fd: 1, buf: 0x20, count: 4)");
	r.head.size = 8;
	expect(WRITE, &r, sizeof(r), NULL);
	r.head.size = sizeof(r.head);
	r.head.kind = 7;
	expect(WRITE, &r, sizeof(r), NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_as_c_does),
		cmocka_unit_test(shows_strings_and_buffers),
		cmocka_unit_test(shows_addresses),
		cmocka_unit_test(shows_no_more_than_was_written),
		cmocka_unit_test(shows_arrays),
		cmocka_unit_test(shows_control_messages),
		cmocka_unit_test(shows_what_commands_are_given),
		cmocka_unit_test(shows_what_changed),
		cmocka_unit_test(shows_what_has_no_bytes),
		cmocka_unit_test(shows_what_pointers_point_to),
		cmocka_unit_test(shows_entries_of_directories),
		cmocka_unit_test(shows_netlink_messages),
		cmocka_unit_test(stands_broken_records),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
