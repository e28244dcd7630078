// SPDX-License-Identifier: GPL-2.0-or-later
/* Loops are done once and as a whole, and go on while a worker does something else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/par.h"

enum { NR = 5000, LOOPS = 50 };

struct work {
	_Atomic u32 times[NR];
	pthread_mutex_t lock;
	pthread_cond_t told;
	bool may_end;
	_Atomic u32 asides;
};

static void mark(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct work *w = ctx;

	assert_true(worker < 4);
	for (size_t i = from; i < to; i++)
		w->times[i]++;
}

static void count(void *ctx)
{
	struct work *w = ctx;

	w->asides++;
}

static void wait_for_word(void *ctx)
{
	struct work *w = ctx;

	pthread_mutex_lock(&w->lock);
	while (!w->may_end)
		pthread_cond_wait(&w->told, &w->lock);
	pthread_mutex_unlock(&w->lock);
	w->asides++;
}

static void loops(void **state)
{
	(void)state;
	for (unsigned int workers = 1; workers <= 4; workers++) {
		struct par *p = par_new(workers);
		struct work w = { .asides = 0 };

		for (u32 n = 1; n <= LOOPS; n++) {
			par_aside(p, count, &w);
			par_for(p, NR, n, mark, &w);
			par_for(p, 0, n, mark, &w);
			par_aside_wait(p);
			assert_int_equal(w.asides, n);
			for (size_t i = 0; i < NR; i++)
				assert_int_equal(w.times[i], n);
		}
		par_aside_wait(p); /* there is none */
		par_free(p);
	}
}

/* Who does something else is not waited for. */
static void loops_beside(void **state)
{
	(void)state;
	for (unsigned int workers = 2; workers <= 4; workers++) {
		struct par *p = par_new(workers);
		struct work w = { .lock = PTHREAD_MUTEX_INITIALIZER,
				  .told = PTHREAD_COND_INITIALIZER };

		if (par_workers(p) > 1) {
			par_aside(p, wait_for_word, &w);
			for (u32 n = 1; n <= LOOPS; n++)
				par_for(p, NR, 1, mark, &w);
			assert_int_equal(w.asides, 0);
			pthread_mutex_lock(&w.lock);
			w.may_end = true;
			pthread_cond_signal(&w.told);
			pthread_mutex_unlock(&w.lock);
			par_aside_wait(p);
			assert_int_equal(w.asides, 1);
			assert_int_equal(w.times[NR - 1], LOOPS);
		}
		par_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(loops),
					    cmocka_unit_test(loops_beside) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
