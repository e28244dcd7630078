/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of system calls as calls: arguments, and the memory that newer kernels add. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trace/begun_call.h"

#define HEAD(name)                                                                                 \
	"name: " name "\nID: 7\nformat:\n"                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"                   \
	"\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
#define FIELD(type, name, at) "\tfield:" type " " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"
#define MEMORY(name, at)                                                                           \
	"\tfield:__data_loc char[] __" name "_val;\toffset:" at ";\tsize:4;\tsigned:0;\n"
#define TAIL "\nprint fmt: \"\"\n"

static const struct trace_lookup names;

/* extra: what the dynamic field behind the arguments has */
static void expect(const char *format, u32 nr, const u64 *args, unsigned int nr_args,
		   const char *extra, const char *text)
{
	struct trace_syscalls *all = trace_syscalls_new(TRACE_X86_64);
	struct tracefmt_set *set = tracefmt_set_new();
	const u32 at = 16 + nr_args * 8, len = extra ? (u32)strlen(extra) + 1 : 0;
	const u32 place = len << 16 | (at + 8);
	struct strbuf out = STRBUF_INIT;
	u8 raw[256] = { 0 };
	bool known;

	assert_int_equal(tracefmt_set_add(set, "syscalls", format, strlen(format), NULL), 0);
	memcpy(raw + 8, &nr, sizeof(nr));
	memcpy(raw + 16, args, nr_args * sizeof(*args));
	if (extra) {
		memcpy(raw + at, &place, sizeof(place));
		memcpy(raw + at + 8, extra, len);
	}
	known = trace_begun_call_add(&out, tracefmt_set_at(set, 0), all, raw, sizeof(raw), 7,
				     &names);
	assert_int_equal(known, text != NULL);
	assert_string_equal(out.buf, text ? text : "");
	strbuf_release(&out);
	tracefmt_set_free(set);
	trace_syscalls_free(all);
}

static void has_the_words_of_calls(void **state __attribute__((unused)))
{
	static const char format[] = HEAD("sys_enter_openat") FIELD("int", "dfd", "16")
		FIELD("const char *", "filename", "24") FIELD("int", "flags", "32")
			FIELD("umode_t", "mode", "40") TAIL;
	static const char lseek[] = HEAD("sys_enter_lseek") FIELD("unsigned int", "fd", "16")
		FIELD("off_t", "offset", "24") FIELD("unsigned int", "whence", "32") TAIL;

	expect(format, 257, (const u64[]){ (u64)-100, 0x10, 02000000, 0 }, 4, NULL,
	       "dfd: CWD, filename: 0x10, flags: RDONLY|CLOEXEC");
	expect(lseek, 8, (const u64[]){ 0, 0, 0 }, 3, NULL, "whence: SET");
}

static void tells_what_the_kernel_has_read(void **state __attribute__((unused)))
{
	static const char openat[] = HEAD("sys_enter_openat") FIELD("int", "dfd", "16")
		FIELD("const char *", "filename", "24") FIELD("int", "flags", "32")
			FIELD("umode_t", "mode", "40") MEMORY("filename", "48") TAIL;
	static const char write[] = HEAD("sys_enter_write") FIELD("unsigned int", "fd", "16")
		FIELD("const char *", "buf", "24") FIELD("size_t", "count", "32")
			MEMORY("buf", "40") TAIL;
	const u64 args[] = { 1, 0x10, 3 }, more[] = { 1, 0x10, 4096 };

	expect(openat, 257, (const u64[]){ (u64)-100, 0x10, 0, 0 }, 4, "/etc\n",
	       "dfd: CWD, filename: \"/etc\\n\"");
	expect(write, 1, args, 3, "ab", "fd: 1, buf: \"ab\\0\", count: 3");
	expect(write, 1, more, 3, "0123456789012345678901234567890123456789",
	       "fd: 1, buf: \"01234567890123456789012345678901\"..., count: 4096");
}

/* Fields of another call, of none, or more of them than arguments: they are shown as fields. */
static void leaves_what_it_does_not_know(void **state __attribute__((unused)))
{
	static const char format[] = HEAD("sys_enter_lseek") FIELD("unsigned int", "fd", "16")
		FIELD("off_t", "offset", "24") FIELD("unsigned int", "whence", "32")
			FIELD("int", "more", "40") TAIL;
	const u64 args[] = { 1, 2, 0, 9 };

	expect(format, 8, args, 4, NULL, NULL);
	expect(format, 99999, args, 4, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_the_words_of_calls),
		cmocka_unit_test(tells_what_the_kernel_has_read),
		cmocka_unit_test(leaves_what_it_does_not_know),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
