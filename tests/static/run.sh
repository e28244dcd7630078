#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh PERF DATA: the static perf in a root folder that holds nothing else.
set -u
[ "$(id -u)" = 0 ] || { echo "skipped: chroot needs root"; exit 77; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$1" "$root/perf"
cp "$2/script/group.data" "$2/perfdata/linux-perf-data-sleep.compressed.data" "$root/"
failed=0

# try WANTED ARGUMENTS...: the output must have a line with WANTED.
try() {
	local wanted=$1 out
	shift
	if out=$(chroot "$root" /perf "$@" 2>&1) && grep -q "$wanted" <<<"$out"; then
		echo "ok - perf $*"
	else
		echo "not ok - perf $*"
		head -5 <<<"$out" | sed 's/^/# /'
		failed=1
	fi
}

try 'perf version' version
try 'cpu-clock' evlist -i group.data
try 'bash' report --stdio -i group.data
try 'page-faults' script -i group.data
try 'sleep' report --stdio -i linux-perf-data-sleep.compressed.data
try 'task-clock' stat -e task-clock /perf version
try 'PERF-RECORD' help record
exit $failed
