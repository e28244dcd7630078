# SPDX-License-Identifier: GPL-2.0-or-later
# Written by hand: the frame pointer is a counter, the unwind tables are right. With HIDDEN they are to be removed: its
# return address is not on the stack then, so that nothing tells of its caller.
	.text
	.globl	clobber
	.type	clobber, @function
clobber:
	.cfi_startproc
.ifdef HIDDEN
	pop	%r10
	not	%r10
.endif
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
.ifdef HIDDEN
	not	%r10
	push	%r10
.endif
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
