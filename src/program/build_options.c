/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/build_options.h"

#include "program/build_config.h"
#include "program/build_revision.h"

#ifdef __GLIBC__
enum { BUILD_GLIBC = 1 };
#else
enum { BUILD_GLIBC = 0 };
#endif

const char perf_version[] = PERF_VERSION PERF_REVISION;

const struct build_option build_options[] = {
	{ "aio", "HAVE_AIO_SUPPORT", true, NULL },
	{ "bpf", "HAVE_LIBBPF_SUPPORT", BUILD_BPF,
	  BUILD_BPF ? NULL : "install clang, bpftool and libbpf-dev and build again" },
	/* Scripts ask for this to know whether options that need BPF programs work. */
	{ "bpf_skeletons", "HAVE_BPF_SKEL", BUILD_BPF,
	  BUILD_BPF ? NULL : "install clang, bpftool and libbpf-dev and build again" },
	{ "bzip2", "HAVE_BZIP2_SUPPORT", BUILD_BZIP2,
	  BUILD_BZIP2 ? NULL : "install libbz2-dev and build again" },
	/* Where libdebuginfod.so.1 is installed. */
	{ "debuginfod", "HAVE_DEBUGINFOD_SUPPORT", !BUILD_STATIC,
	  BUILD_STATIC ? "a static program loads no library" : NULL },
	{ "demangle", "HAVE_LIBIBERTY_SUPPORT", BUILD_LIBIBERTY,
	  BUILD_LIBIBERTY ? NULL : "install libiberty-dev and build again" },
	/* Debug information and unwind tables are read by perf itself. */
	{ "dwarf", "HAVE_DWARF_SUPPORT", true, NULL },
	{ "dwarf_getlocations", "HAVE_LIBDW_SUPPORT", false, NULL },
	{ "dwarf-unwind", "HAVE_DWARF_UNWIND_SUPPORT", true, NULL },
	{ "auxtrace", "HAVE_AUXTRACE_SUPPORT", false,
	  "recording works (Intel PT, BTS, Arm SPE, CoreSight, HiSilicon PTT), decoding is not "
	  "there yet" },
	{ "get_cpuid", "HAVE_AUXTRACE_SUPPORT", false, NULL },
	{ "glibc", "HAVE_GLIBC_SUPPORT", BUILD_GLIBC, NULL },
	{ "libbfd", "HAVE_LIBBFD_SUPPORT", false, "not used: demangling comes from libiberty" },
	{ "babeltrace2-ctf-writer", "HAVE_BABELTRACE2_CTF_WRITER_SUPPORT", false, NULL },
	{ "libbpf-strings", "HAVE_LIBBPF_STRINGS_SUPPORT", false, NULL },
	{ "libcapstone", "HAVE_LIBCAPSTONE_SUPPORT", BUILD_CAPSTONE,
	  BUILD_CAPSTONE ? NULL : "install libcapstone-dev and build again" },
	{ "libcrypto", "HAVE_LIBCRYPTO_SUPPORT", false, NULL },
	/* Scripts ask for these to know whether copied stacks, symbols and tracepoints work. */
	{ "libdw-dwarf-unwind", "HAVE_LIBDW_SUPPORT", true, NULL },
	{ "libelf", "HAVE_LIBELF_SUPPORT", true, NULL },
	{ "libLLVM", "HAVE_LIBLLVM_SUPPORT", false, NULL },
	{ "libnuma", "HAVE_LIBNUMA_SUPPORT", false, "not used: topology is read from sysfs" },
	{ "libopencsd", "HAVE_CSTRACE_SUPPORT", false, NULL },
	{ "libperl", "HAVE_LIBPERL_SUPPORT", false, NULL },
	{ "libpfm4", "HAVE_LIBPFM", BUILD_PFM,
	  BUILD_PFM ? NULL : "install libpfm4-dev and build again" },
	/* Where libpython3.N.so.1.0 is installed. */
	{ "libpython", "HAVE_LIBPYTHON_SUPPORT", !BUILD_STATIC,
	  BUILD_STATIC ? "a static program loads no library" : NULL },
	{ "libslang", "HAVE_SLANG_SUPPORT", false, NULL },
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", true, NULL },
	{ "libunwind", "HAVE_LIBUNWIND_SUPPORT", false, NULL },
	{ "tui", "HAVE_TUI_SUPPORT", BUILD_TUI,
	  BUILD_TUI ? NULL : "install libncurses-dev and build again" },
	{ "lzma", "HAVE_LZMA_SUPPORT", BUILD_LZMA,
	  BUILD_LZMA ? NULL : "install liblzma-dev and build again" },
	{ "numa_num_possible_cpus", "HAVE_LIBNUMA_SUPPORT", false, NULL },
	{ "syscall_table", "HAVE_SYSCALL_TABLE_SUPPORT", true, NULL },
	{ "zlib", "HAVE_ZLIB_SUPPORT", BUILD_ZLIB, NULL },
	{ "zstd", "HAVE_ZSTD_SUPPORT", BUILD_ZSTD,
	  BUILD_ZSTD ? NULL : "install libzstd-dev and build again" },
	{ "rust", "HAVE_RUST_SUPPORT", false, NULL },
	{ .name = NULL }
};

void build_option_text(const struct build_option *o, struct strbuf *out)
{
	strbuf_addf(out, "%22s: [ %-3s ]  # %s", o->name, o->on ? "on" : "OFF", o->macro);
	if (o->tip)
		strbuf_addf(out, " ( tip: %s )", o->tip);
	strbuf_addch(out, '\n');
}
