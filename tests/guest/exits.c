/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exits N M: a virtual machine that writes N times to port 0x3f8, asks N times for cpuid, writes M
 * times to 0xa0000, where no memory is, and halts. Prints what its host saw of that. Sources: the
 * kernel's Documentation/virt/kvm/api.rst; real mode, as an x86 processor starts.
 */
#include <err.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { SIZE = 0x2000, START = 0x1000 };

int main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? (unsigned int)atoi(argv[1]) : 10;
	unsigned int m = argc > 2 ? (unsigned int)atoi(argv[2]) : 10;
	unsigned char code[] = {
		0xbe, n & 255, n >> 8, /* mov si, n */
		0xba, 0xf8, 0x03, /* mov dx, 0x3f8 */
		0xee, /* out dx, al */
		0x4e, 0x75, 0xfc, /* dec si; jnz out */
		0xbe, n & 255, n >> 8, /* mov si, n */
		0x0f, 0xa2, /* cpuid */
		0x4e, 0x75, 0xfb, /* dec si; jnz cpuid */
		0xb8, 0x00, 0xa0, 0x8e, 0xd8, /* mov ax, 0xa000; mov ds, ax */
		0xbe, m & 255, m >> 8, /* mov si, m */
		0xa2, 0x00, 0x00, /* mov [0], al */
		0x4e, 0x75, 0xfa, /* dec si; jnz mov */
		0xf4, /* hlt */
	};
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), vm, vcpu, size;
	unsigned int pio = 0, mmio = 0;
	struct kvm_regs regs = { .rip = START, .rflags = 2 };
	struct kvm_sregs sregs;
	struct kvm_run *run;
	void *memory;

	if (kvm < 0 || (vm = ioctl(kvm, KVM_CREATE_VM, 0)) < 0)
		err(1, "/dev/kvm");
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		err(1, "memory");
	memcpy((char *)memory + START, code, sizeof(code));
	struct kvm_userspace_memory_region region = { .memory_size = SIZE,
						      .userspace_addr = (unsigned long)memory };
	size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region) < 0 ||
	    (vcpu = ioctl(vm, KVM_CREATE_VCPU, 0)) < 0)
		err(1, "vcpu");
	run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu, 0);
	if (run == MAP_FAILED || ioctl(vcpu, KVM_GET_SREGS, &sregs) < 0)
		err(1, "state");
	sregs.cs.base = sregs.cs.selector = 0;
	if (ioctl(vcpu, KVM_SET_SREGS, &sregs) < 0 || ioctl(vcpu, KVM_SET_REGS, &regs) < 0)
		err(1, "state");
	for (;;) {
		if (ioctl(vcpu, KVM_RUN, 0) < 0)
			err(1, "run");
		if (run->exit_reason == KVM_EXIT_IO)
			pio++;
		else if (run->exit_reason == KVM_EXIT_MMIO)
			mmio++;
		else
			break;
	}
	printf("pio %u mmio %u, left for %u\n", pio, mmio, run->exit_reason);
	return run->exit_reason == KVM_EXIT_HLT ? 0 : 1;
}
