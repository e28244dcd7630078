#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# arm64.sh: cross-build for aarch64 on Debian, and test it in an emulated machine.
#
#   tools/arm64.sh build            installs packages, makes build-arm64/perf
#   tools/arm64.sh test             makes it if the packages are there, runs tests/guest/arm64.py
#
# The arm64 libraries (zlib, zstd, lzma, libiberty, libbpf) are unpacked into build-arm64.root from Debian's
# packages, with package lists of their own: nothing arm64 is installed on the machine but the
# compiler. What cannot be had makes exit status 77: skipped.
#
# The guest is started by the command that PERF_VM holds, called as
#   $PERF_VM --arch arm64 --timeout S --copy FILE:DEST... --get PATH:FILE... -- 'SHELL COMMAND'
# It boots a kernel, runs the command as root and returns its output and exit status; 125 means that
# there is no guest. Without PERF_VM the tests are skipped.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/packages.sh
dir=${BUILD_ARM64:-$PWD/build-arm64}
quick= # meson's options for what is built for the test alone
root=$dir.root
apt_dir=$dir.apt

skip() { echo "skipped: $*"; exit 77; }

# An apt of our own, for arm64, with the mirrors of this machine.
own_apt() { APT_CONFIG=$apt_dir/conf "$@"; }

fetch_root() {
	[ ! -f "$root/complete" ] || return 0
	command -v apt-get >/dev/null || skip "no apt-get to fetch arm64 libraries with"
	rm -rf "$root" "$apt_dir"
	mkdir -p "$root" "$apt_dir/lists/partial" "$apt_dir/archives/partial"
	: >"$apt_dir/status"
	cat >"$apt_dir/conf" <<-CONF
		APT::Architecture "arm64";
		APT::Architectures { "arm64"; };
		APT::Sandbox::User "root";
		Debug::NoLocking "1";
		Acquire::Languages "none";
		Dir::State::status "$apt_dir/status";
		Dir::State::Lists "$apt_dir/lists";
		Dir::Cache "$apt_dir";
		Dir::Cache::archives "archives";
	CONF
	own_apt apt-get -qq update >"$apt_dir/log" 2>&1 </dev/null
	# shellcheck disable=SC2086
	(cd "$apt_dir" && own_apt apt-get -qq download $packages_arm64_libs) >>"$apt_dir/log" 2>&1 || {
		tail -3 "$apt_dir/log"
		skip "the arm64 libraries cannot be fetched"
	}
	for deb in "$apt_dir"/*.deb; do
		dpkg-deb -x "$deb" "$root" || exit 1
	done
	rm -rf "$apt_dir"
	: >"$root/complete"
}

cross_file() {
	local lib=$root/usr/lib/aarch64-linux-gnu
	cat <<-CROSS
		[binaries]
		c = ['aarch64-linux-gnu-gcc', '-B$lib/', '-L$lib', '-isystem', '$root/usr/include']
		[properties]
		pkg_config_libdir = '$lib/pkgconfig'
		[built-in options]
		prefer_static = true
	CROSS
}

# The compiler in build.ninja is clang, if there is one: where nothing is optimised it takes two thirds of the time. gcc links.
# (What meson made again has gcc.)
compile_with_clang() {
	! echo 'int main(void) { return 0; }' | clang --target=aarch64-linux-gnu -x c - -c -o /dev/null 2>/dev/null ||
		sed -i '/^rule c_COMPILER/{n;s/ = aarch64-linux-gnu-gcc / = clang --target=aarch64-linux-gnu -Wno-unused-command-line-argument -Wno-unknown-warning-option /}' \
			"$dir/build.ninja"
}

build() {
	command -v aarch64-linux-gnu-gcc >/dev/null || skip "no aarch64-linux-gnu-gcc"
	fetch_root
	mkdir -p "$dir"
	PKG_CONFIG_SYSROOT_DIR=$root
	export PKG_CONFIG_SYSROOT_DIR
	cross_file >"$root/libraries.cross"
	# shellcheck disable=SC2086
	configure "$dir" $quick --cross-file tools/aarch64.cross --cross-file "$root/libraries.cross" \
		-Dwerror=true -Dbpf=enabled -Dzstd=enabled -Dlzma=enabled -Ddemangle=enabled || exit 1
	if [ -n "$quick" ]; then # what does not compile in groups is built without them
		: >"$dir/grouped"
		python3 tools/group_sources.py "$dir" 16 && compile_with_clang && ninja -C "$dir" perf && return
		configure "$dir" || exit 1
	fi >"$dir/groups.log" 2>&1
	ninja -C "$dir" perf >"$dir/build.log" 2>&1 || {
		grep -E 'error|warning|FAILED' "$dir/build.log" | head -50
		echo "error: the arm64 build failed"
		exit 1
	}
	echo "built $dir/perf"
}

case ${1-} in
build)
	# shellcheck disable=SC2086
	install_packages $packages_build $packages_arm64 || exit 1
	build
	;;
test)
	[ -f "$dir/build.ninja" ] && [ ! -f "$dir/grouped" ] || quick='-Doptimization=0 -Dc_args=-g1 -Dtests=false'
	build
	[ -n "${PERF_VM-}" ] || skip "PERF_VM names no program that starts a guest"
	PERF_ARM64=$dir/perf exec python3 tests/guest/arm64.py --perf "${PERF:-build/perf}"
	;;
*)
	sed -n '3,17s/^# \?//p' "$0"
	exit 129
	;;
esac
