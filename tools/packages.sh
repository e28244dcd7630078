# SPDX-License-Identifier: GPL-2.0-or-later
# packages.sh: the one place that names the Debian packages; sourced by ./quickstart, ./check and ./package.
#
# Without libzstd-dev, liblzma-dev, libbz2-dev, libiberty-dev, libpfm4-dev, libcapstone-dev, libncurses-dev or one of libbpf-dev, bpftool and clang the
# build works too, with less in it; `perf version --build-options` tells.
# shellcheck shell=bash disable=SC2034

packages_build="gcc libc6-dev make meson ninja-build pkg-config python3 git
	zlib1g-dev libzstd-dev liblzma-dev libbz2-dev libiberty-dev libpfm4-dev libcapstone-dev
	libncurses-dev libbpf-dev bpftool clang"

# What dpkg-buildpackage needs besides.
packages_deb="build-essential debhelper dpkg-dev fakeroot"

# What the unit tests are built with.
packages_unit="libcmocka-dev"

# wget is in command lines that are tried, zsh and fish ask for completions. libc6-dbg: stacks through libc are compared by
# name. linux-perf: the distribution's perf, which the differential tests compare with where it is 6.1. The first that the
# release has of the others: libpython: scripts of perf script run with it. libdebuginfod1: a debuginfod of its own is tried
# where it is installed. libclang-rt: the sanitizers of this clang.
packages_check="libc6-dbg libpython3.13|libpython3.12|libpython3.11|libpython3.14 libdebuginfod1t64|libdebuginfod1
	clang clang-format lld llvm libclang-rt-dev|libclang-rt-14-dev binutils g++ linux-perf bzip2 wget zsh fish strace sqlite3 curl"

# For tools/arm64.sh: to build, and what it unpacks for arm64 without installing it.
packages_arm64="gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
packages_arm64_libs="zlib1g-dev libzstd-dev liblzma-dev libbz2-dev libiberty-dev libbpf-dev libelf-dev"

# as_root COMMAND...: through sudo where we are not root.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		echo "error: '$*' needs root, and sudo is not installed" >&2
		return 1
	fi
}

# first_known A|B|C: the first name of these that apt knows, the last one if it knows none.
first_known() {
	local name names
	IFS='|' read -ra names <<<"$1"
	for name in "${names[@]}"; do
		[ "$(apt-cache policy "$name" 2>/dev/null | sed -n 's/^ *Candidate: //p')" = '(none)' ] && continue
		[ -n "$(apt-cache policy "$name" 2>/dev/null)" ] && break
	done
	echo "$name"
}

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_packages NAME|OTHER-NAME...: with apt-get, those that are missing; silent when there are none.
install_packages() {
	local name names other there updated='' missing=()
	if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
		echo "note: not a Debian system; these packages (or their likes) must be there:" >&2
		echo "      $*" >&2
		return 0
	fi
	for name; do
		there=''
		IFS='|' read -ra names <<<"$name"
		for other in "${names[@]}"; do
			is_installed "$other" && there=1
		done
		[ -z "$there" ] || continue
		if [ -z "$updated" ]; then
			as_root apt-get update -qq || echo "warning: the package lists could not be updated" >&2
			updated=1
		fi
		missing+=("$(first_known "$name")")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	echo "==> installing: ${missing[*]}"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		"${missing[@]}" >/dev/null || {
		echo "error: cannot install ${missing[*]}" >&2
		echo "hint: 'apt-get install ${missing[*]}' tells why" >&2
		return 1
	}
}

# configure DIR [MESON-OPTION...]: a meson build folder; one that is there already learns of the
# options and of packages that came since.
configure() {
	local dir=$1
	shift
	[ ! -f "$dir/build.ninja" ] || set -- --reconfigure "$@"
	meson setup "$dir" "$@" >"$dir.log" 2>&1 || {
		cat "$dir.log" >&2
		return 1
	}
	rm -f "$dir.log"
}
