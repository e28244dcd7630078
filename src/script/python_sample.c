/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the dictionary of a sample that process_event() gets. */
#include "arch/regs.h"
#include "base/fmt.h"
#include "dso/source.h"
#include "perfdata/data_src_text.h"
#include "perfdata/info.h"
#include "script/python.h"
#include "text/sample.h"

#define HAS(x, bit) ((x)->record->event->layout.sample_type & (bit))

/* data_src with all parts "not available": the kernel's value for an access that it knows
 * nothing of. */
#define DATA_SRC_NONE 0x5080021ULL

const char *python_comm(const struct script_engine *x, const struct session_record *r,
			struct strbuf *tmp)
{
	if (r->site.comm)
		return model_str(x->model, r->site.comm);
	strbuf_reset(tmp);
	strbuf_addf(tmp, ":%d", (int)r->sample->tid);
	return tmp->buf;
}

static py_object *comm(struct script_engine *x)
{
	const char *name = python_comm(x, x->record, &x->scratch);

	return x->record->site.comm ? python_name(x, name) : python_strs(name);
}

/* The cpumode of an address that has none: addresses in the upper half are the kernel's. */
static u8 level_of(u64 addr)
{
	return (s64)addr < 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* The name that perf script prints: the short one for a module without a build id. */
static const char *dso_name(const struct dso *d)
{
	if (dso_kind(d) == DSO_MODULE && !dso_build_id(d)->size)
		return dso_short_name(d);
	return dso_long_name(d);
}

/* ------------------------------------------------------------------ callchain */

static int binding_number(char binding)
{
	return binding == 'g' ? 1 : binding == 'w' ? 2 : 0;
}

static py_object *symbol_dict(struct script_engine *x, const struct symbol *sym, py_object *name)
{
	py_object *d = py.PyDict_New();

	python_put(d, x->key.start, python_u64(sym->start));
	python_put(d, x->key.end, python_u64(sym->end));
	python_put(d, x->key.binding, py.PyLong_FromLong(binding_number(sym->binding)));
	python_put(d, x->key.name, name);
	return d;
}

/* place: of the source; NULL = not wanted; without a file = not known. */
static void add_frame(struct script_engine *x, py_object *list, const struct location *loc,
		      const struct source_frame *place, const char *inlined)
{
	struct dso *d = dso_table_get(x->dsos, loc->dso);
	py_object *node = py.PyDict_New();

	python_put(node, x->key.ip, python_u64(loc->ip));
	if (d && loc->sym != SYM_NONE) {
		struct symbol sym = symtab_symbol(dso_symtab(d), loc->sym);

		python_put(node, x->key.sym,
			   symbol_dict(x, &sym,
				       inlined ? python_strs(inlined) : python_name(x, sym.name)));
		python_put(node, x->key.sym_off, python_u64(loc->addr - sym.start));
		if (place) {
			strbuf_reset(&x->scratch);
			source_add_place(&x->scratch, place, x->setup.full_source_path);
			python_put(node, x->key.sym_srcline,
				   python_str(x->scratch.buf, x->scratch.len));
		}
	}
	if (d)
		python_put(node, x->key.dso, python_name(x, dso_name(d)));
	python_append(list, node);
}

/* As in perf, frames found in copied stacks have source lines and inlined functions. */
static void add_frames(struct script_engine *x, py_object *list, const struct location *loc)
{
	struct source_frame places[SOURCE_FRAMES_MAX];
	struct dso *d = dso_table_get(x->dsos, loc->dso);
	size_t nr = d ? dso_source(d, loc->addr, places, ARRAY_SIZE(places)) : 0;
	size_t i = 0;

	if (!nr)
		places[nr++] = (struct source_frame){ 0 };
	if (x->setup.no_inline)
		i = nr - 1;
	for (; i + 1 < nr; i++)
		add_frame(x, list, loc, &places[i], places[i].function);
	add_frame(x, list, loc, &places[i], NULL);
}

py_object *python_callchain(struct script_engine *x)
{
	const struct session_record *r = x->record;
	py_object *list = py.PyList_New(0);

	if (!r->sample->chain)
		return list;
	size_t nr = session_chain_locations(x->worker, &r->site, r->sample, x->chain,
					    x->setup.max_stack);
	bool places = x->setup.all_inlines || r->event->attr.sample_stack_user;

	for (size_t i = 0; i < nr; i++)
		if (places && x->chain[i].map && !x->chain[i].map->kernel)
			add_frames(x, list, &x->chain[i]);
		else
			add_frame(x, list, &x->chain[i], NULL, NULL);
	return list;
}

/* ------------------------------------------------------------------ branches */

enum { MISPREDICTED = 1, PREDICTED = 2, IN_TX = 4, ABORTED = 8 };

static py_object *dso_of(struct script_engine *x, u64 addr)
{
	struct location loc;

	session_locate(x->worker, &x->record->site, level_of(addr), addr, &loc);
	const struct dso *d = dso_table_get(x->dsos, loc.dso);

	return python_name(x, d ? dso_name(d) : "[unknown]");
}

static py_object *branches(struct script_engine *x)
{
	const struct sample *smp = x->record->sample;
	const struct python_keys *k = &x->key;
	py_object *list = py.PyList_New(0);
	const u64 *b = smp->branch;

	for (u64 i = 0; b && i < smp->nr_branch; i++, b += 3) {
		py_object *d = py.PyDict_New();

		python_put(d, k->from, python_u64(b[0]));
		python_put(d, k->to, python_u64(b[1]));
		python_put(d, k->mispred, python_bool(b[2] & MISPREDICTED));
		python_put(d, k->predicted, python_bool(b[2] & PREDICTED));
		python_put(d, k->in_tx, python_bool(b[2] & IN_TX));
		python_put(d, k->abort, python_bool(b[2] & ABORTED));
		python_put(d, k->cycles, python_u64(b[2] >> 4 & 0xffff));
		python_put(d, k->from_dsoname, dso_of(x, b[0]));
		python_put(d, k->to_dsoname, dso_of(x, b[1]));
		python_append(list, d);
	}
	return list;
}

/* "name+0x12" */
static py_object *place_of(struct script_engine *x, u64 addr)
{
	struct location loc;

	session_locate(x->worker, &x->record->site, level_of(addr), addr, &loc);
	struct dso *d = dso_table_get(x->dsos, loc.dso);

	if (!d || loc.sym == SYM_NONE)
		return python_name(x, "[unknown]");
	const struct symtab *st = dso_symtab(d);

	strbuf_reset(&x->scratch);
	strbuf_adds(&x->scratch, symtab_name(st, loc.sym));
	strbuf_adds(&x->scratch, "+0x");
	strbuf_add_hex(&x->scratch, loc.addr - symtab_start(st, loc.sym));
	return python_str(x->scratch.buf, x->scratch.len);
}

static py_object *branch_symbols(struct script_engine *x)
{
	const struct sample *smp = x->record->sample;
	const struct python_keys *k = &x->key;
	py_object *list = py.PyList_New(0);
	const u64 *b = smp->branch;

	for (u64 i = 0; b && i < smp->nr_branch; i++, b += 3) {
		py_object *d = py.PyDict_New();

		python_put(d, k->from, place_of(x, b[0]));
		python_put(d, k->to, place_of(x, b[1]));
		python_put(d, k->pred,
			   python_strs(b[2] & MISPREDICTED ? "M"
				       : b[2] & PREDICTED  ? "P"
							   : "-"));
		python_put(d, k->in_tx, python_strs(b[2] & IN_TX ? "X" : "-"));
		python_put(d, k->abort, python_strs(b[2] & ABORTED ? "A" : "-"));
		python_append(list, d);
	}
	return list;
}

/* ------------------------------------------------------------------ the rest */

static py_object *registers(struct script_engine *x, const u64 *regs, u64 mask)
{
	const char *arch = perfdata_info(x->file)->arch;
	struct strbuf *text = &x->scratch;

	strbuf_reset(text);
	for (size_t i = 0; regs && mask; i++, mask &= mask - 1) {
		strbuf_add_aligned(text, arch_reg_name(arch, (unsigned int)__builtin_ctzll(mask)),
				   5);
		strbuf_adds(text, ":0x");
		strbuf_add_hex(text, regs[i]);
		strbuf_addch(text, ' ');
	}
	return python_str(text->buf, text->len);
}

static py_object *data_src_text(struct script_engine *x, u64 v)
{
	strbuf_reset(&x->scratch);
	data_src_add_all(&x->scratch, v);
	return python_str(x->scratch.buf, x->scratch.len);
}

/* A tuple (id, value, lost samples) for each counter of the group; one of zeros if none was
 * read. */
static py_object *counter_values(struct script_engine *x)
{
	const struct session_record *r = x->record;
	py_object *list = py.PyList_New(0);
	u64 nr = r->sample->read ? r->sample->nr_read : 0;

	for (u64 i = 0; i < MAX(nr, 1ULL); i++) {
		struct sample_read_value v = { 0 };
		py_object *t = py.PyTuple_New(3);

		if (nr)
			v = sample_read_at(&r->event->layout, r->sample, i);
		py.PyTuple_SetItem(t, 0, python_u64(v.id));
		py.PyTuple_SetItem(t, 1, python_u64(v.value));
		py.PyTuple_SetItem(t, 2, python_u64(v.lost));
		python_append(list, t);
	}
	return list;
}

static py_object *build_id_of(struct script_engine *x, dso_id id)
{
	struct build_id found;

	while (x->build_ids.nr <= id)
		*VEC_PUSH(&x->build_ids) = NULL;
	if (!x->build_ids.v[id]) {
		dso_file_build_id(dso_table_get(x->dsos, id), &found);
		strbuf_reset(&x->scratch);
		fmt_build_id(&x->scratch, found.bytes, found.size);
		x->build_ids.v[id] = python_str(x->scratch.buf, x->scratch.len);
	}
	py.Py_IncRef(x->build_ids.v[id]);
	return x->build_ids.v[id];
}

/* Adds what an address belongs to, as the six keys from `first` on: object, its build id and
 * mapping, symbol and offset. */
static void add_place(struct script_engine *x, py_object *to, u8 cpumode, u64 addr,
		      py_object *const *first)
{
	struct location loc;

	session_locate(x->worker, &x->record->site, cpumode, addr, &loc);
	struct dso *d = dso_table_get(x->dsos, loc.dso);

	if (!d || !loc.map)
		return;
	python_put(to, first[0], python_name(x, dso_name(d)));
	python_put(to, first[1], build_id_of(x, loc.dso));
	python_put(to, first[2], python_u64(loc.map->start));
	python_put(to, first[3], python_u64(loc.map->end));
	if (loc.sym == SYM_NONE)
		return;
	const struct symtab *st = dso_symtab(d);

	python_put(to, first[4], python_name(x, symtab_name(st, loc.sym)));
	python_put(to, first[5], python_u64(loc.addr - symtab_start(st, loc.sym)));
}

static py_object *fixed_part(struct script_engine *x)
{
	const struct sample *s = x->record->sample;
	const struct python_keys *k = &x->key;
	u64 data_src = HAS(x, PERF_SAMPLE_DATA_SRC) ? s->data_src : DATA_SRC_NONE;
	py_object *d = py.PyDict_New();

	python_put(d, k->pid, python_u64(s->pid));
	python_put(d, k->tid, python_u64(s->tid));
	python_put(d, k->cpu, python_u64(s->cpu));
	python_put(d, k->ip, python_u64(s->ip));
	python_put(d, k->time, python_u64(x->record->time));
	python_put(d, k->period, python_u64(s->period));
	python_put(d, k->phys_addr, python_u64(s->phys_addr));
	python_put(d, k->addr, python_u64(s->addr));
	if (x->record->event->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		python_put(d, k->time_enabled, python_u64(s->time_enabled));
	if (x->record->event->attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		python_put(d, k->time_running, python_u64(s->time_running));
	python_put(d, k->values, counter_values(x));
	python_put(d, k->weight, python_u64(s->weight));
	if (HAS(x, PERF_SAMPLE_WEIGHT_STRUCT))
		python_put(d, k->ins_lat, python_u64(s->ins_lat));
	python_put(d, k->transaction, python_u64(s->transaction));
	python_put(d, k->datasrc, python_u64(data_src));
	python_put(d, k->datasrc_decode, data_src_text(x, data_src));
	python_put(d, k->cpumode, py.PyLong_FromLong(s->cpumode));
	if (HAS(x, PERF_SAMPLE_ADDR) && sample_addr_has_symbol(&x->record->event->attr)) {
		python_put(d, k->addr_correlates_sym, python_bool(true));
		add_place(x, d, level_of(s->addr), s->addr, &k->addr_dso);
	}
	if (HAS(x, PERF_SAMPLE_DATA_PAGE_SIZE))
		python_put(d, k->data_page_size, python_u64(s->data_page_size));
	if (HAS(x, PERF_SAMPLE_CODE_PAGE_SIZE))
		python_put(d, k->code_page_size, python_u64(s->code_page_size));
	return d;
}

py_object *python_sample(struct script_engine *x, const struct python_event *ev,
			 py_object *callchain)
{
	const struct session_record *r = x->record;
	const struct sample *s = r->sample;
	const struct python_keys *k = &x->key;
	py_object *all = py.PyDict_New();

	py.PyDict_SetItem(all, k->ev_name, ev->name);
	py.PyDict_SetItem(all, k->attr, ev->attr);
	python_put(all, k->sample, fixed_part(x));
	python_put(all, k->raw_buf,
		   py.PyBytes_FromStringAndSize((const char *)s->raw,
						s->raw ? (py_size)s->raw_size : 0));
	python_put(all, k->comm, comm(x));
	add_place(x, all, s->cpumode, s->ip, &k->dso);
	python_put(all, k->callchain, callchain);
	python_put(all, k->brstack, branches(x));
	python_put(all, k->brstacksym, branch_symbols(x));
	python_put(all, k->iregs, registers(x, s->intr_regs, r->event->layout.regs_intr));
	python_put(all, k->uregs, registers(x, s->user_regs, r->event->layout.regs_user));
	if (HAS(x, PERF_SAMPLE_CGROUP)) {
		const char *name = model_cgroup(x->model, s->cgroup);

		python_put(all, k->cgroup, python_strs(name ? name : "unknown"));
	}
	return all;
}
