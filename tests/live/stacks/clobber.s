# SPDX-License-Identifier: GPL-2.0-or-later
# Written by hand: the frame pointer is a counter, the unwind tables are right.
	.text
	.globl	clobber
	.type	clobber, @function
clobber:
	.cfi_startproc
	push	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbp, -16
	mov	$1000, %ebp
1:	mov	$39, %eax	# getpid, for tracepoints
	syscall
	call	count
	dec	%ebp
	jnz	1b
	pop	%rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size	clobber, .-clobber

	.type	count, @function
count:
	.cfi_startproc
	mov	$30000, %ecx
2:	dec	%ecx
	jnz	2b
	ret
	.cfi_endproc
	.size	count, .-count
	.section .note.GNU-stack, "", @progbits
