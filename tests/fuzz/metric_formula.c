/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any text as the formula of a metric; every name counts 3. */
#include <stdint.h>

#include "base/mem.h"
#include "event/expr.h"

static bool value(void *ctx UNUSED, const char *name UNUSED, double *out)
{
	*out = 3;
	return true;
}

static bool visit(void *ctx, const char *name)
{
	++*(size_t *)ctx;
	return name[0] != '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct expr_env env = { .value = value, .sources = value, .literal = value };
	_cleanup_(mem_freep) char *text = xstrndup((const char *)data, size);
	struct err e = ERR_INIT;
	struct expr *x = expr_parse(text, &e);
	double result;
	size_t names = 0;

	if (!x)
		return 0;
	expr_names(x, &env, visit, &names);
	expr_eval(x, &env, &result);
	expr_free(x);
	return 0;
}
