/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory in place of this program's own code, as its list of mappings would show it. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/moved_text.h"

/* Those of the program, up to the code and that. */
struct around {
	struct sys_proc proc;
	struct sys_map before, code;
};

static int setup(void **state)
{
	static struct around a;
	u64 here = (u64)(uintptr_t)setup;
	struct sys_maps_iter it;
	struct sys_map m;

	assert_true(sys_proc_init(&a.proc, NULL));
	assert_true(sys_proc_maps(&a.proc, getpid(), &it));
	while (sys_maps_next(&it, &m) && m.end <= here)
		a.before = m;
	a.code = m;
	assert_true(m.start <= here && here < m.end);
	*state = &a;
	return 0;
}

static int teardown(void **state)
{
	struct around *a = *state;

	sys_proc_release(&a->proc);
	return 0;
}

static struct sys_map memory(const struct sys_map *place, const char *name)
{
	return (struct sys_map){ .start = place->start,
				 .end = place->end,
				 .path = name,
				 .prot = SYS_MAP_READ | SYS_MAP_EXEC };
}

static void memory_in_place_of_code(void **state)
{
	static const char *const names[] = { "", "/memfd:text (deleted)",
					     "/anon_hugepage (deleted)" };
	const struct around *a = *state;

	if (strcmp(a->before.path, a->code.path) != 0 || a->before.end != a->code.start)
		skip(); /* a linker that puts the code first */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct sys_map m = memory(&a->code, names[i]), was;
		struct moved_text t = { 0 };

		assert_false(moved_text_next(&t, getpid(), &a->before, &was));
		assert_true(moved_text_next(&t, getpid(), &m, &was));
		assert_string_equal(was.path, a->code.path);
		assert_true(was.start == a->code.start && was.end == a->code.end &&
			    was.pgoff == a->code.pgoff);
		assert_true(was.ino == a->code.ino && was.prot & SYS_MAP_EXEC);
	}
}

/* Behind a gap, beyond the code, not executable, of another file: it is what it is. */
static void other_memory(void **state)
{
	const struct around *a = *state;
	struct sys_map m = memory(&a->code, ""), was, odd[4] = { m, m, m, m };

	odd[0].start += (u64)sysconf(_SC_PAGESIZE);
	odd[1].end += 1ULL << 30;
	odd[2].prot = SYS_MAP_READ;
	odd[3].path = "/other/file";
	odd[3].ino = 1;
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		struct moved_text t = { 0 };

		assert_false(moved_text_next(&t, getpid(), &a->before, &was));
		assert_false(moved_text_next(&t, getpid(), &odd[i], &was));
	}
}

/* A file each of whose very many segments of code may be the one that is mapped: looking at pairs
 * would not end. */
static void many_segments(void **state UNUSED)
{
	enum { SEGMENTS = 0xfffe, PAGE = 1 << 16 };
	char path[] = "/tmp/perf-segments-XXXXXX";
	int fd = mkstemp(path);
	Elf64_Phdr *headers = calloc(SEGMENTS, sizeof(*headers));
	const Elf64_Ehdr head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB,
					       EV_CURRENT },
				  .e_type = ET_EXEC,
				  .e_machine = EM_X86_64,
				  .e_version = EV_CURRENT,
				  .e_phoff = sizeof(head),
				  .e_ehsize = sizeof(head),
				  .e_phentsize = sizeof(*headers),
				  .e_phnum = SEGMENTS };
	const struct sys_map file = {
		.start = 1 << 28, .end = (1 << 28) + PAGE, .path = path, .ino = 1
	};
	const struct sys_map m = { .start = file.end,
				   .end = file.end + 4 * PAGE,
				   .path = "",
				   .prot = SYS_MAP_READ | SYS_MAP_EXEC };
	struct moved_text t = { 0 };
	struct sys_map was;

	assert_true(fd >= 0 && headers);
	for (u64 i = 0; i < SEGMENTS; i++)
		headers[i] = (Elf64_Phdr){
			.p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = i * PAGE, .p_filesz = 1
		};
	assert_int_equal(write(fd, &head, sizeof(head)), sizeof(head));
	assert_int_equal(write(fd, headers, SEGMENTS * sizeof(*headers)),
			 SEGMENTS * sizeof(*headers));
	assert_false(moved_text_next(&t, getpid(), &file, &was));
	assert_int_equal(t.end, file.end);
	assert_false(moved_text_next(&t, getpid(), &m, &was));
	assert_int_equal(t.end, 0);
	free(headers);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_in_place_of_code, setup, teardown),
		cmocka_unit_test_setup_teardown(other_memory, setup, teardown),
		cmocka_unit_test(many_segments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
