# SPDX-License-Identifier: GPL-2.0-or-later
# Written by hand: the frame pointer is kept, the unwind tables know nothing of it.
	.text
	.globl	wrong
	.type	wrong, @function
wrong:
	.cfi_startproc
	push	%rbp
	mov	%rsp, %rbp
	sub	$64, %rsp
	movq	$-1, (%rsp)
	movq	$-1, 8(%rsp)
	call	spin
	leave
	ret
	.cfi_endproc
	.size	wrong, .-wrong

	.type	spin, @function
spin:
	.cfi_startproc
	mov	$3000, %ecx
1:	dec	%ecx
	jnz	1b
	ret
	.cfi_endproc
	.size	spin, .-spin
	.section .note.GNU-stack, "", @progbits
