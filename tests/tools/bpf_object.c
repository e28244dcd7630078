/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_object FILE.o [MAP [COMMAND [ARG...]]]: load an object file with BPF programs, attach them,
 * run the command and print the map, whose keys are u32 and whose values are u64: "KEY VALUE"
 * lines. Without a map: say what is in the file.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf/library.h"
#include "bpf/object.h"

static int fail(const struct err *e)
{
	fprintf(stderr, "error: %s\n", e->text);
	if (e->hint[0])
		fprintf(stderr, "hint: %s\n", e->hint);
	return 1;
}

static void run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
}

static void print_map(const struct bpf_file_map *m)
{
	u32 key, *last = NULL;
	u64 value;

	while (!bpf_map_get_next_key(m->fd, last, &key)) {
		last = &key;
		if (!bpf_map_lookup_elem(m->fd, &key, &value))
			printf("%u %llu\n", key, (unsigned long long)value);
	}
}

int main(int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct bpf_file *f = argc > 1 ? bpf_file_open(argv[1], argv[1], &e) : NULL;
	struct bpf_file_map m;
	int r = 0;

	if (!f || bpf_file_load(f, &e) < 0) {
		bpf_file_free(f);
		return fail(&e);
	}
	for (size_t i = 0; argc == 2 && i < bpf_file_nr_programs(f); i++)
		printf("%s at %s\n", bpf_file_program(f, i).name, bpf_file_program(f, i).section);
	if (argc > 2 && !bpf_file_find_map(f, argv[2], &m)) {
		err_set(&e, ENOENT, "there is no map '%s'", argv[2]);
		r = fail(&e);
	} else if (argc > 2) {
		for (size_t i = 0; !r && i < bpf_file_nr_programs(f); i++)
			r = bpf_file_attach_link(f, i, &e) < 0 ? fail(&e) : 0;
		if (!r && argc > 3)
			run(argv + 3);
		if (!r)
			print_map(&m);
	}
	bpf_file_free(f);
	return r;
}
