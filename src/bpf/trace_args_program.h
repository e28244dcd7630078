/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/trace_args_program: what the programs of trace_args.bpf.c share with those who load them and
 * read what they write: which memory of a system call's arguments is read, and the records.
 */
#ifndef BPF_TRACE_ARGS_PROGRAM_H
#define BPF_TRACE_ARGS_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum {
	CALL_ARGS = 6,
	CALL_NUMBERS = 1024, /* of an architecture; calls beyond have no rules */
	CALL_COMPAT = CALL_NUMBERS, /* added to the number of a 32-bit program's call */
	CALL_TASKS = 16384, /* that are followed at the same time */
	CALL_TEXT = 4096, /* bytes of a string, at most */
	CALL_ROOM = 8192, /* a record that is longer gets no further pieces */
	CALL_ELEMENTS = 8, /* of arrays of pointers */
	CALL_STRINGS = 16,
	CALL_MESSAGES = 4,
	CALL_CONTROL = 256, /* bytes of a message's control messages */
	CALL_COMMAND = 256, /* bytes of what an ioctl() is given */
	CALL_TERMINAL = 40, /* of a command that does not tell its size: the largest of them */
	CALL_NUMBER = 1 << 16, /* nothing is mapped there: vm.mmap_min_addr */
};

/* What is behind a pointer. */
enum call_memory {
	MEMORY_NONE,
	MEMORY_STRING, /* characters up to a 0 */
	MEMORY_BYTES, /* count times size */
	MEMORY_STRINGS, /* pointers to strings, up to a NULL */
	MEMORY_VECTOR, /* struct iovec, count of them */
	MEMORY_MESSAGE, /* struct msghdr */
	MEMORY_MESSAGES, /* struct mmsghdr, count of them */
	MEMORY_COMMAND, /* what the command of an ioctl() says, which is the argument before */
	MEMORY_POINTER, /* a pointer to it, and it: count times size */
};

enum {
	/* of when */
	MEMORY_IN = 1, /* read when the call begins */
	MEMORY_OUT = 2, /* when it has succeeded */
	MEMORY_POSITIVE = 4, /* only with a result above 0 */
	MEMORY_OR_NUMBER = 8, /* below CALL_NUMBER it is no pointer */
	MEMORY_INTERRUPTED = 16, /* when a signal has interrupted the call */
	/* of count: the number of an argument, or */
	COUNT_ONE = 8,
	COUNT_RESULT = 9,
	COUNT_TWO = 10,
	COUNT_AT = 16, /* + number of an argument that points to it */
};

struct memory_rule {
	u8 memory; /* enum call_memory */
	u8 when, count;
	u8 unused;
	u16 size; /* bytes of an element */
	u16 most; /* bytes that are read, 0 = as many as are shown of a buffer, or all of a string
		   */
};

struct call_rules {
	u8 wanted; /* calls of this number are told */
	u8 replaces; /* what was not in memory is not looked at again: it is another program's */
	u8 reads; /* MEMORY_IN, MEMORY_OUT, MEMORY_INTERRUPTED of any argument */
	u8 unused[5];
	struct memory_rule args[CALL_ARGS];
};

/* A sample: the head, then pieces, each aligned to 8 bytes. */
enum call_record_kind { CALL_ENTER = 0x6301, CALL_EXIT = 0x6302 };
enum { CALL_IS_COMPAT = 1 /* of flags: by a 32-bit program */ };

struct call_head {
	u16 kind; /* enum call_record_kind */
	u16 flags;
	u32 nr; /* of the call */
	u32 size; /* of all of it */
	u32 unused;
	u64 values[CALL_ARGS]; /* arguments; of CALL_EXIT values[0]: the result */
};

/* Memory that was read. */
struct call_piece {
	u64 addr;
	u32 of; /* bytes that there are; of a string len, or more: it goes on */
	u16 len; /* bytes that follow; 0: there are none, or it ends a list of strings */
	u8 arg;
	u8 index; /* of MEMORY_STRINGS */
};

#endif
