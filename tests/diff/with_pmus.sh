#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# with_pmus.sh TREE COMMAND...: run COMMAND (as root) with the PMU descriptions of TREE
# (tests/data/sysfs/*.tree) in place of this machine's, in a mount namespace of its own; with its
# /sys/class and devices, too, where it has them (but for /sys/devices/system).
set -eu
tree=$(readlink -f "$1")
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
grep -v '^#' "$tree" | sed -n "s,/[^/\t]*\t.*,,p" | sort -u | (cd "$dir" && xargs mkdir -p)
while IFS=$'\t' read -r path content; do
	case $path in ''|'#'*) continue ;; esac
	printf '%s\n' "$content" > "$dir/$path"
done < "$tree"
unshare -m bash -c 'mount --bind "$0/bus/event_source/devices" /sys/bus/event_source/devices &&
	{ [ ! -d "$0/devices" ] || { mkdir "$0/devices/system" &&
		mount --rbind /sys/devices/system "$0/devices/system" &&
		mount --rbind "$0/devices" /sys/devices; }; } &&
	{ [ ! -d "$0/class" ] || mount --bind "$0/class" /sys/class; } && exec "$@"' "$dir" "$@"
