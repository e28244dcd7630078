/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns: which keys samples are summed up by, which columns are shown, and by what the rows are
 * ordered: from -s, -F, -n, --show-total-period, --show-cpu-utilization.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/similar.h"
#include "perfdata/info.h"
#include "profile/section.h"

static const char default_sort[] = "comm,dso,symbol";
static const char branch_sort[] = "comm,dso_from,symbol_from,symbol_to,cycles";

static const char memory_sort[] =
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,"
	"blocked,local_ins_lat,local_p_stage_cyc";

static const struct value_name {
	const char *name;
	enum agg_value value;
} values[] = {
	{ "overhead", AGG_OVERHEAD },
	{ "latency", AGG_LATENCY },
	{ "overhead_sys", AGG_OVERHEAD_SYS },
	{ "overhead_us", AGG_OVERHEAD_US },
	{ "overhead_guest_sys", AGG_OVERHEAD_GUEST_SYS },
	{ "overhead_guest_us", AGG_OVERHEAD_GUEST_US },
	{ "overhead_children", AGG_OVERHEAD_CHILDREN },
	{ "latency_children", AGG_LATENCY_CHILDREN },
	{ "sample", AGG_SAMPLES },
	{ "period", AGG_PERIOD },
};

const char *profile_value_name(enum agg_value v)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(values) && values[i].value != v)
		i++;
	return values[i].name;
}

struct fields {
	struct profile_opts *o;
	struct session *s;
	struct profile_columns *cols;
	struct err *e;
	u16 level; /* hierarchy level of the next key */
	bool braces; /* the word is inside braces */
};

/* What ends a word of --sort. In other options, braces are part of a word. */
#define SORT_WORD_ENDS ", {}"

static const struct value_name *find_value(const char *w, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (strlen(values[i].name) == len && !strncasecmp(values[i].name, w, len))
			return &values[i];
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (!strncasecmp(values[i].name, w, len))
			return &values[i];
	return NULL;
}

static bool is_latency(enum agg_value v)
{
	return v == AGG_LATENCY || v == AGG_LATENCY_CHILDREN;
}

static void add_column(struct fields *f, bool is_key, u8 index)
{
	if (!is_key && is_latency(index))
		f->o->agg.latency = true;
	if (!is_key && index >= AGG_OVERHEAD_SYS && index <= AGG_OVERHEAD_GUEST_US)
		f->o->agg.levels = true;
	for (size_t i = 0; i < f->cols->nr; i++)
		if (f->cols->v[i].is_key == is_key && f->cols->v[i].index == index)
			return;
	if (f->cols->nr < PROFILE_MAX_COLUMNS)
		f->cols->v[f->cols->nr++] = (struct profile_column){ .is_key = is_key,
								     .index = index,
								     .level = f->level };
}

static void add_sort(struct fields *f, bool is_key, u8 index)
{
	struct agg_config *c = &f->o->agg;

	if (!is_key && is_latency(index))
		c->latency = true;
	for (size_t i = 0; i < c->nr_sort; i++)
		if (c->sort[i].is_key == is_key && c->sort[i].index == index)
			return;
	if (c->nr_sort < AGG_MAX_SORT)
		c->sort[c->nr_sort++] = (struct agg_sort){ .is_key = is_key, .index = index };
}

static int add_key(struct fields *f, const struct agg_key *key, u8 *index)
{
	struct agg_config *c = &f->o->agg;

	for (*index = 0; *index < c->nr_keys; (*index)++)
		if (c->keys[*index] == key)
			return 0;
	if (c->nr_keys == AGG_MAX_KEYS)
		return err_set(f->e, EINVAL, "too many sort keys (at most %d)", AGG_MAX_KEYS);
	c->keys[c->nr_keys++] = key;
	return 0;
}

static int add_key_column(struct fields *f, const struct agg_key *key)
{
	u8 index;

	if (add_key(f, key, &index) < 0)
		return -1;
	add_column(f, true, index);
	add_sort(f, true, index);
	return 0;
}

/* Returns 1 if the word is a tracepoint field, 0 if not, -1 with f->e. */
static int add_trace_word(struct fields *f, const char *w, size_t len)
{
	const struct agg_key *keys[AGG_MAX_KEYS];
	bool all = len == strlen("trace_fields") && !strncmp(w, "trace_fields", len);
	size_t nr = agg_trace_keys_add(&f->cols->trace, f->s, w, len, f->o->agg.raw_trace, keys,
				       ARRAY_SIZE(keys));

	for (size_t i = 0; i < nr; i++)
		if (add_key_column(f, keys[i]) < 0)
			return -1;
	return nr || all; /* "trace_fields" is no error in a file without tracepoints */
}

static bool is_power(struct session *s)
{
	const char *arch = perfdata_info(session_file(s))->arch;

	return arch && !strncmp(arch, "ppc", strlen("ppc"));
}

static void suggest_fields(const char *w, size_t len, struct err *e)
{
	_cleanup_(mem_freep) char *typed = xstrndup(w, len);
	struct similar near;
	const char *name;

	similar_init(&near, typed);
	for (size_t i = 0; (name = profile_field_name(i, true)); i++)
		similar_offer(&near, name);
	similar_hint(&near, e);
}

/* One word adds a column and a sort key. */
static int add_word(struct fields *f, const char *w, size_t len, const char *option)
{
	const struct agg_key *key = agg_key_find(w, len);
	const struct value_name *v;

	if (key && ((key->flags & KEY_BRANCH && !f->o->agg.branches) ||
		    (key->flags & KEY_MEMORY && !f->o->agg.memory) ||
		    (key->flags & KEY_SPAN && !f->o->agg.wall) ||
		    (key->flags & KEY_PARALLELISM && f->o->agg.wall))) {
		f->cols->bad_option = option;
		err_set(f->e, EINVAL, "Invalid --%s key: `%.*s'", option, (int)len, w);
		if (key->flags & KEY_SPAN)
			err_hint(f->e, "it is one of 'perf report --wall'");
		return -1;
	}
	if (key && key->flags & KEY_POWER && !is_power(f->s) && !strcmp(option, "sort"))
		return 0;
	if (key)
		return add_key_column(f, key);
	v = find_value(w, len);
	if (!v && !strcmp(option, "sort")) {
		int ret = add_trace_word(f, w, len);

		if (ret)
			return MIN(ret, 0);
	}
	if (!v) {
		f->cols->bad_option = option;
		err_set(f->e, EINVAL, "Unknown --%s key: `%.*s'", option, (int)len, w);
		suggest_fields(w, len, f->e);
		return -1;
	}
	/* without callchains, accumulated values are left out unless --fields asks for them;
	 * they print as N/A then */
	if (agg_is_accumulated(v->value) && f->o->no_chains && strcmp(option, "fields"))
		return 0;
	add_column(f, false, (u8)v->value);
	add_sort(f, false, (u8)v->value);
	return 0;
}

static int add_words(struct fields *f, const char *text, const char *option)
{
	const char *ends = strcmp(option, "sort") ? ", " : SORT_WORD_ENDS;

	f->braces = false;
	f->level++;
	for (const char *w = text; *w;) {
		size_t len = strcspn(w, ends);

		if (len && add_word(f, w, len, option) < 0)
			return -1;
		w += len;
		if (!*w)
			break;
		f->level += *w == '{' || (!f->braces && *w != '}');
		f->braces = *w == '{' || (f->braces && *w != '}');
		w++;
	}
	return 0;
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *w = text; *w;) {
		size_t len = strcspn(w, ", ");

		if (len == n && !strncasecmp(w, word, n))
			return true;
		w += len + (w[len] != '\0');
	}
	return false;
}

static bool names_addresses(const char *text)
{
	for (const char *w = text; w && *w;) {
		size_t len = strcspn(w, SORT_WORD_ENDS);
		const struct agg_key *key = len ? agg_key_find(w, len) : NULL;

		if (key && key->flags & KEY_ADDRESS)
			return true;
		w += len + (w[len] != '\0');
	}
	return false;
}

int profile_parse_percentage(const char *word, bool *relative, struct err *e)
{
	static const char *const words[] = { "relative", "absolute" };

	*relative = !strcmp(word, "relative");
	if (*relative || !strcmp(word, "absolute"))
		return 0;
	err_set(e, EINVAL, "'%s' is neither relative nor absolute", word);
	similar_hint_of(word, words, ARRAY_SIZE(words), e);
	return -1;
}

bool profile_needs_addresses(const struct profile_opts *o)
{
	const char *sort = o->sort ? o->sort : o->usual_sort;

	return names_addresses(sort && *sort == '+' ? sort + 1 : sort) ||
	       names_addresses(o->fields && *o->fields == '+' ? o->fields + 1 : o->fields);
}

/* Which values a list of words names (not keys), as bits 1 << enum agg_value. */
static u32 values_in(const char *text)
{
	u32 found = 0;

	for (const char *w = text; w && *w;) {
		size_t len = strcspn(w, SORT_WORD_ENDS);
		const struct value_name *v = len && !agg_key_find(w, len) ? find_value(w, len)
									  : NULL;

		found |= v ? 1U << v->value : 0;
		w += len + (w[len] != '\0');
	}
	return found;
}

/*
 * Adds the columns of weights that rows are ordered by. With --latency, latency comes before CPU
 * time; in a recording made with --latency it comes after it. If -s names a latency, only what -s
 * names is added.
 */
static void add_weights(struct fields *f)
{
	static const u8 weights[2][4] = {
		{ AGG_OVERHEAD_CHILDREN, AGG_LATENCY_CHILDREN, AGG_OVERHEAD, AGG_LATENCY },
		{ AGG_LATENCY_CHILDREN, AGG_OVERHEAD_CHILDREN, AGG_LATENCY, AGG_OVERHEAD }
	};
	const struct profile_opts *o = f->o;
	u32 named = values_in(o->sort);
	bool strict = !o->latency && named & (1U << AGG_LATENCY | 1U << AGG_LATENCY_CHILDREN);

	f->cols->latency_implied = o->latency_recorded && !o->latency && !strict;
	for (size_t i = 0; i < ARRAY_SIZE(weights[0]); i++) {
		u8 v = weights[o->latency][i];

		if (strict ? !(named & 1U << v)
			   : (agg_is_accumulated(v) && !o->children) ||
				     (is_latency(v) && !o->latency && !f->cols->latency_implied))
			continue;
		add_column(f, false, v);
		if (!strict)
			add_sort(f, false, v);
	}
}

static void add_values(struct fields *f)
{
	const struct profile_opts *o = f->o;

	add_weights(f);
	if (o->show_utilization) {
		add_column(f, false, AGG_OVERHEAD_SYS);
		add_column(f, false, AGG_OVERHEAD_US);
	}
	if (o->show_samples)
		add_column(f, false, AGG_SAMPLES);
	if (o->show_period)
		add_column(f, false, AGG_PERIOD);
}

static void drop_sort(struct agg_config *c, u8 key)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->nr_sort; i++)
		if (!c->sort[i].is_key || c->sort[i].index != key)
			c->sort[kept++] = c->sort[i];
	c->nr_sort = kept;
}

/* The only name that a filter (--comms, --dsos ...) lets a key have: it is printed once, in the
 * head. NULL = there may be several. */
static const char *only_name(const struct profile_opts *o, const char *key)
{
	const char *list = !strcmp(key, "comm")     ? o->agg.comms
			   : !strcmp(key, "dso")    ? o->agg.dsos
			   : !strcmp(key, "symbol") ? o->agg.symbols
						    : NULL;

	return list && !strchr(list, ',') ? list : NULL;
}

static void elide(struct fields *f)
{
	bool others = false;

	for (size_t i = 0; i < f->cols->nr; i++) {
		struct profile_column *c = &f->cols->v[i];

		c->told = c->is_key && only_name(f->o, f->o->agg.keys[c->index]->name);
		others |= c->is_key && !c->told;
	}
	for (size_t i = 0; i < f->cols->nr && others; i++) {
		struct profile_column *c = &f->cols->v[i];

		c->elided = c->told;
		if (c->elided)
			drop_sort(&f->o->agg, c->index);
	}
}

/* -F +FIELD: adds columns after the values; the order of the rows does not change. */
static int add_more_fields(struct fields *f, const char *sort)
{
	add_values(f);
	if (add_words(f, sort, "sort") < 0)
		return -1;
	f->cols->nr = 0;
	add_values(f);
	return add_words(f, f->o->fields + 1, "fields");
}

void profile_columns_release(struct profile_columns *cols)
{
	agg_trace_keys_release(&cols->trace);
	strbuf_release(&cols->order);
}

static bool wants_ipc(const struct profile_opts *o)
{
	return o->ipc && o->sort && strstr(o->sort, "symbol");
}

/* The sort keys as perf prints them in the head of a report on memory accesses. */
static void note_order(struct fields *f, bool append, const char *normal, const char *sort)
{
	struct strbuf *out = &f->cols->order;

	if (append)
		strbuf_addf(out, "%s,", normal);
	strbuf_adds(out, sort);
	if (f->o->agg.parent)
		strbuf_adds(out, ",parent");
	if (wants_ipc(f->o))
		strbuf_adds(out, ",ipc_null");
}

static const char *normal_sort(const struct profile_opts *o)
{
	if (o->agg.branches)
		return branch_sort;
	if (o->agg.memory)
		return memory_sort;
	if (o->tracepoints)
		return o->agg.raw_trace ? "trace_fields" : "trace";
	return o->usual_sort ? o->usual_sort : default_sort;
}

int profile_columns_make(struct profile_opts *o, struct session *s, struct profile_columns *out,
			 struct err *e)
{
	struct fields f = { .o = o, .s = s, .cols = out, .e = e };
	bool append = o->sort && *o->sort == '+';
	const char *normal = normal_sort(o);
	const char *sort = o->sort ? o->sort + append : normal;

	if (o->sort && !*sort)
		return err_set(e, EINVAL, "no sort key after '%s'", o->sort);
	if (!o->fields) {
		add_values(&f);
	} else if (*o->fields == '+') {
		if (add_more_fields(&f, sort) < 0)
			return -1;
	} else {
		if (!has_word(o->fields, "overhead_children") &&
		    !has_word(o->fields, "latency_children"))
			o->children = false;
		if (o->sort && add_words(&f, sort, "sort") < 0)
			return -1;
		/* columns are in the order of -F; those that only -s names come last */
		out->nr = 0;
		if (add_words(&f, o->fields, "fields") < 0)
			return -1;
	}
	if (append && add_words(&f, normal, "sort") < 0)
		return -1;
	if ((!o->fields || *o->fields == '+' || o->sort) && add_words(&f, sort, "sort") < 0)
		return -1;
	f.level++; /* in a hierarchy, what follows is the lowest level */
	if (wants_ipc(o) && add_word(&f, AGG_KEY_IPC, strlen(AGG_KEY_IPC), "sort") < 0)
		return -1;
	if (o->call_paths && add_word(&f, AGG_KEY_CALLERS, strlen(AGG_KEY_CALLERS), "sort") < 0)
		return -1;
	if (o->agg.parent && add_words(&f, "parent", "sort") < 0)
		return -1;
	note_order(&f, append, normal, sort);
	elide(&f);
	return 0;
}

const char *profile_field_name(size_t i, bool with_values)
{
	size_t nr = with_values ? ARRAY_SIZE(values) : 0;

	return i < nr ? values[i].name : agg_key_name(i - nr);
}

void profile_columns_drop_latency(struct profile_columns *cols)
{
	size_t kept = 0;

	for (size_t i = 0; i < cols->nr; i++)
		if (cols->v[i].is_key || !is_latency(cols->v[i].index))
			cols->v[kept++] = cols->v[i];
	cols->nr = kept;
}

void profile_columns_drop_accumulated(struct profile_columns *cols)
{
	size_t kept = 0;

	for (size_t i = 0; i < cols->nr; i++)
		if (cols->v[i].is_key || !agg_is_accumulated(cols->v[i].index))
			cols->v[kept++] = cols->v[i];
	cols->nr = kept;
}

size_t profile_only(const struct profile_opts *o, const struct profile_columns *cols,
		    struct view_only *out)
{
	size_t nr = 0;

	for (size_t i = 0; i < cols->nr; i++) {
		const char *name = cols->v[i].told ? o->agg.keys[cols->v[i].index]->name : NULL;

		if (name && nr < PROFILE_MAX_ONLY)
			out[nr++] = (struct view_only){ name, only_name(o, name) };
	}
	return nr;
}

bool profile_has_switches(struct session *s)
{
	struct perfdata *f = session_file(s);

	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->attr.context_switch)
			return true;
	return false;
}

bool profile_lacks_switches(const struct profile_opts *o, struct session *s)
{
	bool asked = o->agg.latency || o->agg.parallelism;

	for (size_t k = 0; k < o->agg.nr_keys; k++)
		asked |= o->agg.keys[k]->flags & KEY_PARALLELISM;
	return asked && !profile_has_switches(s);
}

int profile_refuse_latency(struct err *e)
{
	return err_set(
		e, EINVAL,
		"Use of latency profile or parallelism requires --latency flag during record.");
}
