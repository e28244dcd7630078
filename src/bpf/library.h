/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/library: libbpf, which finds out where the kernel's structures have the members that our BPF
 * programs read, and loads them. Its functions are called by their own names, after
 * bpf_library_load(): where it is not part of the program, these are macros that call the library
 * loaded there. One thread at a time asks for what libbpf has said.
 */
#ifndef BPF_LIBRARY_H
#define BPF_LIBRARY_H

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/err.h"

/* -1: it is not installed. Once; then it costs nothing. */
int bpf_library_load(struct err *e);

/*
 * What libbpf complained about in this thread since bpf_library_load(): its first line, or the
 * last lines of the kernel's verifier, put into e's hint. Nothing if there was none.
 */
void bpf_library_hint(struct err *e);

/*
 * What programs need that are loaded, each -1 with "cannot DOING" and why: that thread numbers are
 * the kernel's, as in the initial pid namespace alone; that the kernel tells its structures, and
 * that libbpf is there.
 */
int bpf_check_pids(const char *doing, struct err *e);
int bpf_check_types(const char *doing, struct err *e);
/* -1, and what libbpf or the kernel has refused; code: an errno. */
int bpf_refuse(struct err *e, int code, const char *doing, const char *what);
/* 32-bit numbers as keys of a map with values of 64 bits. 0 or -errno. */
int bpf_put_numbers(const struct bpf_map *map, const void *numbers, size_t nr);

#ifndef LIBBPF_LINKED
/* clang-format off */
#define LIBBPF_FUNCTIONS(X) \
	X(bpf_link__destroy) X(bpf_map__fd) X(bpf_map__key_size) X(bpf_map__max_entries) \
	X(bpf_map__name) X(bpf_map__pin_path) X(bpf_map__set_initial_value) \
	X(bpf_map__set_max_entries) X(bpf_map__set_pin_path) X(bpf_map__set_value_size) X(bpf_map__type) \
	X(bpf_map__value_size) X(bpf_map_delete_elem) X(bpf_map_get_next_key) X(bpf_map_lookup_and_delete_batch) \
	X(bpf_map_lookup_batch) X(bpf_map_lookup_elem) X(bpf_map_update_elem) \
	X(bpf_obj_get_info_by_fd) X(bpf_object__attach_skeleton) X(bpf_object__close) \
	X(bpf_object__destroy_skeleton) X(bpf_object__detach_skeleton) \
	X(bpf_object__find_map_by_name) X(bpf_object__load) X(bpf_object__load_skeleton) \
	X(bpf_object__next_map) X(bpf_object__next_program) X(bpf_object__open_mem) \
	X(bpf_object__open_skeleton) X(bpf_program__attach) X(bpf_program__fd) \
	X(bpf_program__attach_kprobe) X(bpf_program__attach_tracepoint) \
	X(bpf_program__name) X(bpf_program__section_name) X(bpf_program__set_autoload) \
	X(bpf_link__fd) X(bpf_program__set_type) X(bpf_program__type) \
	X(btf__find_by_name_kind) X(btf__free) X(btf__load_vmlinux_btf) \
	X(bpf_map_create) X(bpf_program__insn_cnt) X(bpf_program__insns) X(bpf_program__set_insns) \
	X(libbpf_register_prog_handler) X(bpf_program__set_attach_target) X(bpf_prog_get_fd_by_id) \
	X(btf__load_from_kernel_by_id) X(btf__type_by_id) X(btf__name_by_offset) \
	X(libbpf_probe_bpf_helper) X(libbpf_set_print) X(ring_buffer__consume) \
	X(ring_buffer__free) X(ring_buffer__new) X(bpf_map_get_fd_by_id) X(bpf_obj_get) X(bpf_obj_pin) \
	X(bpf_prog_test_run_opts)

struct libbpf {
#define LIBBPF_POINTER(name) __typeof__(name) *name;
	LIBBPF_FUNCTIONS(LIBBPF_POINTER)
};
extern struct libbpf libbpf;

#define bpf_link__destroy(...) libbpf.bpf_link__destroy(__VA_ARGS__)
#define bpf_map_create(...) libbpf.bpf_map_create(__VA_ARGS__)
#define bpf_map__fd(...) libbpf.bpf_map__fd(__VA_ARGS__)
#define bpf_map__key_size(...) libbpf.bpf_map__key_size(__VA_ARGS__)
#define bpf_map__max_entries(...) libbpf.bpf_map__max_entries(__VA_ARGS__)
#define bpf_map__name(...) libbpf.bpf_map__name(__VA_ARGS__)
#define bpf_map__pin_path(...) libbpf.bpf_map__pin_path(__VA_ARGS__)
#define bpf_map__set_initial_value(...) libbpf.bpf_map__set_initial_value(__VA_ARGS__)
#define bpf_map__set_max_entries(...) libbpf.bpf_map__set_max_entries(__VA_ARGS__)
#define bpf_map__set_pin_path(...) libbpf.bpf_map__set_pin_path(__VA_ARGS__)
#define bpf_map__set_value_size(...) libbpf.bpf_map__set_value_size(__VA_ARGS__)
#define bpf_map__type(...) libbpf.bpf_map__type(__VA_ARGS__)
#define bpf_map__value_size(...) libbpf.bpf_map__value_size(__VA_ARGS__)
#define bpf_map_get_next_key(...) libbpf.bpf_map_get_next_key(__VA_ARGS__)
#define bpf_map_lookup_and_delete_batch(...) libbpf.bpf_map_lookup_and_delete_batch(__VA_ARGS__)
#define bpf_map_lookup_batch(...) libbpf.bpf_map_lookup_batch(__VA_ARGS__)
#define bpf_map_lookup_elem(...) libbpf.bpf_map_lookup_elem(__VA_ARGS__)
#define bpf_map_update_elem(...) libbpf.bpf_map_update_elem(__VA_ARGS__)
#define bpf_obj_get_info_by_fd(...) libbpf.bpf_obj_get_info_by_fd(__VA_ARGS__)
#define bpf_object__attach_skeleton(...) libbpf.bpf_object__attach_skeleton(__VA_ARGS__)
#define bpf_object__close(...) libbpf.bpf_object__close(__VA_ARGS__)
#define bpf_object__destroy_skeleton(...) libbpf.bpf_object__destroy_skeleton(__VA_ARGS__)
#define bpf_object__detach_skeleton(...) libbpf.bpf_object__detach_skeleton(__VA_ARGS__)
#define bpf_object__find_map_by_name(...) libbpf.bpf_object__find_map_by_name(__VA_ARGS__)
#define bpf_object__load(...) libbpf.bpf_object__load(__VA_ARGS__)
#define bpf_object__load_skeleton(...) libbpf.bpf_object__load_skeleton(__VA_ARGS__)
#define bpf_object__next_map(...) libbpf.bpf_object__next_map(__VA_ARGS__)
#define bpf_object__next_program(...) libbpf.bpf_object__next_program(__VA_ARGS__)
#define bpf_object__open_mem(...) libbpf.bpf_object__open_mem(__VA_ARGS__)
#define bpf_object__open_skeleton(...) libbpf.bpf_object__open_skeleton(__VA_ARGS__)
#define bpf_program__attach(...) libbpf.bpf_program__attach(__VA_ARGS__)
#define bpf_program__attach_kprobe(...) libbpf.bpf_program__attach_kprobe(__VA_ARGS__)
#define bpf_program__attach_tracepoint(...) libbpf.bpf_program__attach_tracepoint(__VA_ARGS__)
#define bpf_program__fd(...) libbpf.bpf_program__fd(__VA_ARGS__)
#define bpf_program__insn_cnt(...) libbpf.bpf_program__insn_cnt(__VA_ARGS__)
#define bpf_program__insns(...) libbpf.bpf_program__insns(__VA_ARGS__)
#define bpf_program__set_insns(...) libbpf.bpf_program__set_insns(__VA_ARGS__)
#define bpf_program__name(...) libbpf.bpf_program__name(__VA_ARGS__)
#define bpf_program__section_name(...) libbpf.bpf_program__section_name(__VA_ARGS__)
#define bpf_program__set_autoload(...) libbpf.bpf_program__set_autoload(__VA_ARGS__)
#define bpf_link__fd(...) libbpf.bpf_link__fd(__VA_ARGS__)
#define bpf_program__set_type(...) libbpf.bpf_program__set_type(__VA_ARGS__)
#define bpf_program__type(...) libbpf.bpf_program__type(__VA_ARGS__)
#define bpf_program__set_attach_target(...) libbpf.bpf_program__set_attach_target(__VA_ARGS__)
#define bpf_prog_get_fd_by_id(...) libbpf.bpf_prog_get_fd_by_id(__VA_ARGS__)
#define btf__load_from_kernel_by_id(...) libbpf.btf__load_from_kernel_by_id(__VA_ARGS__)
#define btf__type_by_id(...) libbpf.btf__type_by_id(__VA_ARGS__)
#define btf__name_by_offset(...) libbpf.btf__name_by_offset(__VA_ARGS__)
#define btf__find_by_name_kind(...) libbpf.btf__find_by_name_kind(__VA_ARGS__)
#define btf__free(...) libbpf.btf__free(__VA_ARGS__)
#define btf__load_vmlinux_btf(...) libbpf.btf__load_vmlinux_btf(__VA_ARGS__)
#define libbpf_probe_bpf_helper(...) libbpf.libbpf_probe_bpf_helper(__VA_ARGS__)
#define libbpf_register_prog_handler(...) libbpf.libbpf_register_prog_handler(__VA_ARGS__)
#define libbpf_set_print(...) libbpf.libbpf_set_print(__VA_ARGS__)
#define ring_buffer__consume(...) libbpf.ring_buffer__consume(__VA_ARGS__)
#define ring_buffer__free(...) libbpf.ring_buffer__free(__VA_ARGS__)
#define ring_buffer__new(...) libbpf.ring_buffer__new(__VA_ARGS__)
#define bpf_map_get_fd_by_id(...) libbpf.bpf_map_get_fd_by_id(__VA_ARGS__)
#define bpf_obj_get(...) libbpf.bpf_obj_get(__VA_ARGS__)
#define bpf_obj_pin(...) libbpf.bpf_obj_pin(__VA_ARGS__)
#define bpf_prog_test_run_opts(...) libbpf.bpf_prog_test_run_opts(__VA_ARGS__)
/* clang-format on */
#endif

#endif
