/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is counted of chains and objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/stacks/chain_evidence.h"

/* What is long ago counts less: after a change of what the program does the share follows. */
static void shares_follow(void **state)
{
	struct chain_evidence e = { .looked = 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		chain_evidence_count(&e, i % 10 == 0);
	assert_true(e.looked == 1000 && e.broken == 100);
	for (int i = 0; i < 1000000; i++)
		chain_evidence_count(&e, false);
	assert_true(e.looked < 10000 && e.broken == 0);
	for (int i = 0; i < 10000; i++)
		chain_evidence_count(&e, true);
	assert_true(e.looked < 10000 && e.broken * 10 > e.looked * 7);
	chain_evidence_release(&e);
}

/* The file that this program is. */
static struct dso *own_object(struct dso_table *dsos, dso_id *id)
{
	struct dso_key key = { .name = "/proc/self/exe", .kind = DSO_USER };

	*id = dso_table_add(dsos, &key);
	return dso_table_get(dsos, *id);
}

static void objects_are_added_up(void **state)
{
	static const struct dso_config config;
	struct dso_table *dsos = dso_table_new(&config);
	struct chain_evidence a = { .looked = 0 }, b = { .looked = 0 };
	struct object_evidence *o;
	dso_id id;
	struct dso *object = own_object(dsos, &id);

	(void)state;
	o = chain_evidence_of(&b, id, object);
	assert_true(o->entry && chain_evidence_is_entry(o, o->entry) &&
		    chain_evidence_is_entry(o, o->entry + 20));
	assert_false(chain_evidence_is_entry(o, o->entry - 1) ||
		     chain_evidence_is_entry(o, o->entry + 4096));
	o->breaks = 3;
	o->callers = 5;
	chain_evidence_merge(&a, &b);
	chain_evidence_of(&a, id, object)->ends = 2;
	chain_evidence_merge(&a, &b);
	o = chain_evidence_of(&a, id, object);
	assert_true(o->object == object && o->breaks == 6 && o->callers == 10 && o->agree == 0 &&
		    o->ends == 2);
	chain_evidence_forget_objects(&a);
	assert_int_equal(chain_evidence_of(&a, id, object)->breaks, 0);
	chain_evidence_release(&a);
	chain_evidence_release(&b);
	dso_table_free(dsos);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_follow),
		cmocka_unit_test(objects_are_added_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
