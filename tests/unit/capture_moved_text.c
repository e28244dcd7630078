/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory in place of this program's own code, as its list of mappings would show it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
	return (struct sys_map){ .start = place->start, .end = place->end, .path = name,
				 .prot = SYS_MAP_READ | SYS_MAP_EXEC };
}

static void memory_in_place_of_code(void **state)
{
	static const char *const names[] = { "", "/memfd:text (deleted)", "/anon_hugepage (deleted)" };
	const struct around *a = *state;

	if (strcmp(a->before.path, a->code.path) != 0 || a->before.end != a->code.start)
		skip(); /* a linker that puts the code first */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct sys_map m = memory(&a->code, names[i]), was;
		struct moved_text t = { 0 };

		assert_false(moved_text_next(&t, getpid(), &a->before, &was));
		assert_true(moved_text_next(&t, getpid(), &m, &was));
		assert_string_equal(was.path, a->code.path);
		assert_true(was.start == a->code.start && was.end == a->code.end && was.pgoff == a->code.pgoff);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_in_place_of_code, setup, teardown),
		cmocka_unit_test_setup_teardown(other_memory, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
